-- What players write to one another. A message is chained to the one before it by the digest of its content, so that a
-- text which was removed leaves its place and its hash. A nonce keeps that digest from being guessed.
create table press (
    game_id text not null,
    number int not null,
    id text not null unique,
    player_id bigint not null references players,
    seat smallint not null,
    readers smallint[], -- null: everybody
    is_note boolean not null,
    text text,
    nonce text,
    sent_at timestamptz not null,
    commitment text not null,
    previous text not null,
    hash text not null,
    removed_at timestamptz,
    primary key (game_id, number)
);
create index press_player on press (player_id, game_id, sent_at);

create table blocks (
    player_id bigint not null references players,
    blocked_id bigint not null references players,
    created_at timestamptz not null default now(),
    primary key (player_id, blocked_id)
);
create index blocks_blocked on blocks (blocked_id);

-- Games from before have no press: nobody at their tables was told that there would be some.
alter table games
    add column press text not null default 'none',
    add column press_named boolean not null default true,
    add column press_opens boolean not null default false;
