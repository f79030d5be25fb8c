-- A notice is what a player is told of one cause. The cause is part of the key, so that whatever is passed on twice is
-- told once. What it says was made from the player's own view at its row; players stand in it as marks, not by name.
create table notices (
    id bigint generated always as identity unique,
    player_id bigint not null references players,
    game_id text not null,
    cause text not null,
    kind text not null,
    seat smallint,
    about smallint,
    sequence int not null,
    told_up_to int not null, -- the last row of the log that its sentences tell of; -1 if it has none
    content text not null,
    in_feed boolean not null,
    happened_at timestamptz not null,
    created_at timestamptz not null default now(),
    read_at timestamptz,
    primary key (player_id, game_id, cause)
);
create index notices_of_game on notices (game_id, player_id, told_up_to);
create index notices_unread on notices (player_id, id) where read_at is null and in_feed;
create index notices_feed on notices (player_id, id) where in_feed;
create index notices_created on notices (created_at);

-- Whom a game has been seen to ask, and since which row: who is asked still is not told again.
create table asked (
    game_id text primary key,
    seats text not null
) with (fillfactor = 70);

-- A notice on its way by a channel. due_at is when to try next; for whoever tries, a lease. A lane is delivered in order.
create table deliveries (
    notice_id bigint not null references notices (id) on delete cascade,
    channel text not null,
    player_id bigint not null,
    lane text not null, -- the game, or nothing for a digest
    state text not null default 'waiting',
    attempts int not null default 0,
    due_at timestamptz not null,
    first_tried_at timestamptz,
    done_at timestamptz,
    reason text not null default '',
    primary key (notice_id, channel)
);
create index deliveries_due on deliveries (due_at) where state = 'waiting';
create index deliveries_lane on deliveries (player_id, channel, lane, notice_id) where state = 'waiting';

create table preferences (
    player_id bigint primary key references players,
    choices text not null
);
