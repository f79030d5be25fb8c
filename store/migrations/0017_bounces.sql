-- Mail to players that came back: how often in a row, and since when none is sent to the address. It speaks of one
-- address: who proves another, or the same again, begins anew.
create table bounces (
    player_id bigint primary key references players,
    email_key text not null,
    times int not null,
    reason text not null,
    last_at timestamptz not null default now(),
    stopped_at timestamptz
);

-- Who a mail turned out to be from, and about which game: so that neither can send more than can be read.
alter table mail_in add column player_id bigint, add column game_id text;
-- And when it was written: of two that overtook each other, the later one counts.
alter table mail_in add column written_at timestamptz;
create index mail_in_of_player on mail_in (player_id, received_at) where player_id is not null;
create index mail_in_of_game on mail_in (game_id, received_at) where game_id is not null;
create index mail_out_sent_to on mail_out (sent_to, created_at);
