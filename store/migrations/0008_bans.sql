-- Players who are shut out. Their tokens stay as they are and work again when the ban is lifted.
create table bans (
    player_id bigint primary key references players,
    reason text not null default '',
    banned_at timestamptz not null default now()
);

-- How many games there are in each state is asked again and again, by whoever watches over the service.
create index games_status on games (status);
