-- Where programs of players want to be told. Secrets are sealed with a key that is not in the database.
create table webhooks (
    id bigint generated always as identity primary key,
    player_id bigint not null references players,
    url text not null,
    label text not null,
    events text[] not null,
    secret bytea not null,
    former_secret bytea, -- is signed with beside the new one until former_until
    former_until timestamptz,
    created_at timestamptz not null default now(),
    failing_since timestamptz, -- the first failure after the last success
    failures int not null default 0,
    paused_until timestamptz, -- after a failure nothing is sent before this
    off_at timestamptz,
    off_why text not null default ''
);
create index webhooks_of_player on webhooks (player_id);

-- Each try, and what was answered. The delivery itself is a row of deliveries, by the channel webhook:<id>.
create table webhook_tries (
    id bigint generated always as identity primary key,
    webhook_id bigint not null references webhooks on delete cascade,
    notice_id bigint not null references notices (id) on delete cascade,
    tried_at timestamptz not null default now(),
    milliseconds int not null,
    status smallint, -- none: there was no answer
    answer text not null default '', -- its beginning
    reason text not null default '' -- why it does not count as delivered
);
create index webhook_tries_of_notice on webhook_tries (webhook_id, notice_id);
create index webhook_tries_notice on webhook_tries (notice_id);

-- Asked for again by the player: delivered whatever has become of it meanwhile.
alter table deliveries add column again boolean not null default false;
create index deliveries_channel on deliveries (channel, notice_id) where channel like 'webhook:%';
