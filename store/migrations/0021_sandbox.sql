-- Games to try things out in: nothing happens in them by itself. Bots wait to be told, and the clock to be moved on, so the
-- sweep need not know of them; they count in nobody's record.
alter table games add column sandbox boolean not null default false;
create index games_to_wake on games (wake_at) where wake_at is not null and not sandbox;
drop index games_wake;
