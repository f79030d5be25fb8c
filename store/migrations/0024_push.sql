-- Browsers that want to be told. Where and how to reach one is sealed with a key that is not in the database: whoever
-- knows it could write to that browser. The digest of its address tells the same browser when it comes again.
create table push_subscriptions (
    id bigint generated always as identity primary key,
    player_id bigint not null references players,
    label text not null,
    device bytea not null,
    endpoint_digest bytea not null unique,
    created_at timestamptz not null default now()
);
create index push_subscriptions_of_player on push_subscriptions (player_id);
