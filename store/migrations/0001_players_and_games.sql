create table players (
    id bigint generated always as identity primary key,
    name text not null,
    email text,
    created_at timestamptz not null default now()
);
create unique index players_name on players (lower(name));
create unique index players_email on players (lower(email));

create table tokens (
    id bigint generated always as identity primary key,
    player_id bigint not null references players,
    hash bytea not null unique,
    hint text not null,
    label text not null default '',
    created_at timestamptz not null default now(),
    revoked_at timestamptz
);
create index tokens_player on tokens (player_id);

-- The position is a cache of the log: what replaying it gives. Sequence is the number of the log's last row, -1 before
-- the start. wake_at is when a worker has something to do here: at once for a bot or a complete sealed phase, else due_at.
create table games (
    id text primary key,
    ruleset text not null,
    version text not null,
    settings text not null,
    board_data text,
    private boolean not null,
    host bigint references players,
    title text not null default '',
    status text not null default 'open' check (status in ('open', 'running', 'paused', 'over')),
    ending text not null default '',
    seed bytea not null,
    commitment text not null,
    header text,
    sequence int not null default -1,
    head text not null default '',
    position text not null default '',
    to_act smallint[] not null default '{}',
    bots smallint[] not null default '{}',
    clock int,
    due_at timestamptz,
    remaining interval,
    wake_at timestamptz,
    created_at timestamptz not null default now(),
    started_at timestamptz,
    moved_at timestamptz,
    check ((status = 'open') = (header is null) or status = 'over')
) with (fillfactor = 70);
create index games_created on games (created_at, id);
create index games_host on games (host);
create index games_wake on games (wake_at) where wake_at is not null;

-- A seat is taken by a player or a bot, offered to whoever has the invitation, or open to all.
create table seats (
    game_id text not null references games,
    seat smallint not null,
    player_id bigint references players,
    bot text,
    name text not null default '',
    entropy text not null default '',
    invited_player bigint references players,
    invited_email text,
    invitation bytea unique,
    primary key (game_id, seat),
    unique (game_id, player_id),
    check (player_id is null or bot is null)
);
create index seats_player on seats (player_id, game_id) where player_id is not null;
create index seats_invited on seats (invited_player, game_id) where invited_player is not null;

create table idempotency (
    scope text not null,
    key text not null,
    fingerprint text not null,
    status int,
    body text,
    headers text not null default '{}',
    created_at timestamptz not null default now(),
    primary key (scope, key)
);
create index idempotency_created on idempotency (created_at);

create table outbox (
    id bigint generated always as identity primary key,
    game_id text not null references games,
    kind text not null,
    sequence int not null,
    created_at timestamptz not null default now(),
    done_at timestamptz
);
create index outbox_waiting on outbox (id) where done_at is null;
create index outbox_done on outbox (done_at) where done_at is not null;
