-- Seats that a host keeps for an address: who was asked by whom, and what became of it. The address itself stands on the
-- seat, as long as it is kept; here is a keyed hash of it, to count by. Whose address is known here is told as a player.
create table invitations (
    id bigint generated always as identity primary key,
    game_id text not null, -- games are never deleted, and may lie on another machine
    seat smallint not null,
    host bigint not null references players,
    address bytea not null,
    state text not null default 'waiting'
        check (state in ('waiting', 'known', 'sent', 'kept_back', 'joined', 'declined')),
    player_id bigint references players, -- who has taken the seat by it
    created_at timestamptz not null default now(),
    sent_at timestamptz
);
create index invitations_waiting on invitations (id) where state = 'waiting';
create index invitations_host on invitations (host, created_at);
create index invitations_address on invitations (address, sent_at) where sent_at is not null;
create index invitations_sent on invitations (sent_at) where sent_at is not null;
create index invitations_player on invitations (player_id) where player_id is not null;

-- Addresses that want no mail from here, or that do not exist, by the same hash: nobody can be invited by them.
create table unwanted_mail (
    address bytea primary key,
    why text not null check (why in ('declined', 'stopped', 'bounced')),
    since timestamptz not null default now()
);

-- An invitation goes out as answers do.
alter table mail_out alter column mail_in drop not null;
alter table mail_out add column invitation bigint references invitations on delete cascade;
alter table mail_out drop constraint mail_out_kind_check;
alter table mail_out add constraint mail_out_kind_check check (kind in ('answer', 'held', 'invited'));
create unique index mail_out_invitation on mail_out (invitation) where kind = 'invited';
