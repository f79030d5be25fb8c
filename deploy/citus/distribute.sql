-- Deals the games of a migrated, still empty or quiet database out over the workers of a Citus cluster, by their ids.
-- Run once, on the coordinator, by the owner of the tables, while the service is stopped:
--
--   psql --single-transaction -v ON_ERROR_STOP=1 -f deploy/citus/distribute.sql "$DATABASE_URL"
--
-- What a move touches lies on one worker, in tables that are dealt out alike. Players are on every machine. The rest, which
-- no move touches, stays on the coordinator.

-- Citus allows no triggers on such tables. Games and logs are guarded by grants alone; what lists ask a seat is written
-- by the statements themselves.
drop trigger games_are_kept on games;
drop trigger games_tell_of_their_end on games;
drop trigger seats_know_their_game on seats;

-- Nor partitions by hash: its own shards take their place.
create table log_whole (
    game_id text not null,
    sequence int not null,
    payload text not null,
    previous text not null,
    hash text not null,
    created_at timestamptz not null default now(),
    primary key (game_id, sequence)
);
insert into log_whole select game_id, sequence, payload, previous, hash, created_at from log;
drop table log;
alter table log_whole rename to log;
alter index log_whole_pkey rename to log_pkey;

-- Forms for processes of versions long gone.
do $$
declare
    former text;
begin
    for former in
        select oid::regprocedure from pg_proc
        where pronamespace = 'public'::regnamespace and provolatile <> 'i'
          and (proname in ('next_due', 'next_wake') or (proname in ('append', 'append_once', 'seal', 'seal_once')
               and not 'p_terms' = any(proargnames)))
    loop
        execute 'drop function ' || former;
    end loop;
end $$;

create temp table dealt_out as select unnest(array[
    'seats', 'log', 'snapshots', 'sealed', 'outbox', 'idempotency', 'asked', 'press', 'consents', 'late_turns', 'departures',
    'standing_orders', 'bot_reasons'
]) as name;

-- A table that is dealt out may be referred to only by tables that are too: so games come first, and what refers to them
-- does so again afterwards. What stays on the coordinator refers to nothing elsewhere any more: with an identity column it
-- could not.
create temp table referring as
    select conrelid::regclass::text as name, conname, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and confrelid in ('games'::regclass, 'players'::regclass);
do $$
declare
    key record;
begin
    for key in select * from referring loop
        execute format('alter table %s drop constraint %I', key.name, key.conname);
    end loop;
end $$;
select create_reference_table('players');
select create_distributed_table('games', 'id');
select create_distributed_table(name, 'game_id', colocate_with => 'games')
    from dealt_out;
do $$
declare
    key record;
begin
    for key in select * from referring where name in (select name from dealt_out union select 'games') loop
        execute format('alter table %s add constraint %I %s', key.name, key.conname, key.definition);
    end loop;
end $$;

-- Called in statements that run on the workers.
select create_distributed_function(oid::regprocedure) from pg_proc
    where pronamespace = 'public'::regnamespace and provolatile = 'i'
      and proname in ('next_work', 'first_work', 'next_wake', 'next_reveal', 'standing_wake', 'later');

revoke all on log from public;
revoke update, delete, truncate on log from current_user;
revoke delete, truncate on games from current_user;
