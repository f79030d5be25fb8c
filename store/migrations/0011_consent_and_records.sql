-- Whether moves can be taken back: never, by the player alone while nothing has come of it (own), or if all agree (consent).
-- demands: what the host wants of those who join, as JSON. tallied: the row up to which answers were counted.
create domain undo_policy as text check (value in ('never', 'own', 'consent'));
alter table games
    add column undo undo_policy not null default 'never',
    add column demands text,
    add column tallied int not null default 0;

-- Who agrees to what needs everybody's consent: to pause, to resume, or to go back to a row (detail) from a row (sequence).
create table consents (
    game_id text not null references games,
    kind text not null,
    seat smallint not null,
    sequence int not null,
    detail int not null,
    given_at timestamptz not null,
    primary key (game_id, kind, seat)
);

-- How long the last answers of a player took, in seconds, and how many there were in all. Late turns and games left are
-- counted where they are kept.
create table turn_records (
    player_id bigint primary key references players,
    answered int not null,
    recent int[] not null
);
