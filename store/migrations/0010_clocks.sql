-- Clocks are worked out by the service; the database decides only whether the old deadline stays. No moment is the
-- database's own: each call is told which it is.
--
-- timing is a clock as canonical JSON; it is empty where `clock`, in seconds, is all there is to say. The old code, for the
-- minute in which it still runs, reads `clock` alone, which is set for both.
-- asked_at is when the present deadline began. alarm_at is when the clock has something to do next, a reminder perhaps; where
-- it is empty that is due_at. told: which reminders were given (1 half time, 2 the last). reveal_at: a complete sealed phase
-- is not opened before. waits: seats that want their orders opened no sooner than the deadline. bank: seconds, by seat.
-- absences: JSON, a list of {seat, from, until}. terms counts what the clock depends on and no row of the log tells: who has
-- worked out a deadline from older ones has to look again.
alter table games
    add column timing text,
    add column asked_at timestamptz,
    add column alarm_at timestamptz,
    add column told smallint not null default 0,
    add column reveal_at timestamptz,
    add column waits smallint[] not null default '{}',
    add column bank int[],
    add column absences text not null default '[]',
    add column terms int not null default 0;
update games set asked_at = moved_at where status = 'running';

-- When the sweep was there last, by the clock and by the time that really passed on that machine since its start (boot).
create table heartbeat (
    id boolean primary key default true check (id),
    beat_at timestamptz not null,
    monotonic float8 not null,
    boot text not null
);
create table outages (
    id bigint generated always as identity primary key,
    began_at timestamptz not null,
    ended_at timestamptz not null,
    shift interval not null,
    games int not null
);

-- Turns that were played for somebody whose time was up, by the row that it began with.
create table late_turns (
    game_id text not null references games,
    seat smallint not null,
    sequence int not null,
    player_id bigint references players,
    late_at timestamptz not null,
    primary key (game_id, seat, sequence)
);
create index late_turns_player on late_turns (player_id);

-- Who has left a game that had begun, when, at which row, and why: of their own will (left), late too often (late), or because
-- a substitute or the host's choice took their place. A seat with a bot may be offered to a substitute, who takes it over at
-- takes_over_at; until then who left may return.
create table departures (
    id bigint generated always as identity primary key,
    game_id text not null references games,
    seat smallint not null,
    player_id bigint references players,
    sequence int not null,
    why text not null,
    left_at timestamptz not null,
    returned_at timestamptz
);
create index departures_game on departures (game_id, seat);
create index departures_player on departures (player_id);
alter table seats
    add column offered boolean not null default false,
    add column substitute bigint references players,
    add column takes_over_at timestamptz;
create index seats_taken_over on seats (takes_over_at) where takes_over_at is not null;

create function next_work(to_act smallint[], bots smallint[], reveal_at timestamptz, moment timestamptz) returns text
language sql immutable as $$
    select case when to_act = '{}' then case when reveal_at > moment then '' else 'resolve' end
                when to_act && bots then 'bot' else '' end
$$;

create function next_wake(
    to_act smallint[], bots smallint[], reveal_at timestamptz, alarm timestamptz, moment timestamptz
) returns timestamptz language sql immutable as $$
    select case when next_work(to_act, bots, reveal_at, moment) <> '' then moment + interval '3 seconds'
                when to_act = '{}' then reveal_at else alarm end
$$;

-- As in 0004, and: p_now is this moment, p_due when time is up if it begins anew, p_alarm when the clock has something to do
-- then, if not at p_due; p_bank replaces the bank, if it is not null. With other terms than p_terms it is {stale}.
--
-- Whom the game waits for has the whole time anew; but what somebody does beside the turn, a deal perhaps, leaves the
-- deadline where it is: it must not be put off for ever. These are two statements, because what a statement costs depends on
-- how much is in it, and the second is rare.
create function append(
    p_game text, p_expected int, p_head text, p_rows text, p_hashes text, p_position text, p_ending text,
    p_to_act smallint[], p_seat smallint, p_reveals boolean, p_snapshot_every int,
    p_now timestamptz, p_due timestamptz, p_alarm timestamptz, p_bank int[], p_terms int
) returns text[] language plpgsql as $$
declare
    next text := '';
    payloads text[];
    hashes text[];
    number int := 1;
    last_row int;
    last_hash text := p_hashes;
begin
    -- Most submissions are one row: then there is no list to be made of it.
    if strpos(p_hashes, e'\n') > 0 then
        payloads := string_to_array(p_rows, e'\n');
        hashes := string_to_array(p_hashes, e'\n');
        number := cardinality(hashes);
        last_hash := hashes[number];
    end if;
    last_row := p_expected + number;
    if p_ending = '' then
        update games set
            sequence = last_row, head = last_hash, position = p_position, to_act = p_to_act, moved_at = p_now,
            asked_at = p_now, due_at = p_due, alarm_at = p_alarm, told = 0,
            wake_at = case when p_to_act = '{}' or p_to_act && bots then p_now + interval '3 seconds'
                           else coalesce(p_alarm, p_due) end
        where id = p_game and sequence = p_expected and head = p_head and status = 'running' and terms = p_terms
          and ((p_seat = any(to_act)) is not false or to_act <> p_to_act)
        returning next_work(p_to_act, bots) into next;
        if not found then
            update games set
                sequence = last_row, head = last_hash, position = p_position, to_act = p_to_act, moved_at = p_now,
                wake_at = next_wake(p_to_act, bots, null, coalesce(alarm_at, due_at), p_now)
            where id = p_game and sequence = p_expected and head = p_head and status = 'running' and terms = p_terms
            returning next_work(p_to_act, bots) into next;
        end if;
    else
        update games set
            sequence = last_row, head = last_hash, position = p_position, ending = p_ending, status = 'over',
            to_act = p_to_act, moved_at = p_now, due_at = null, alarm_at = null, wake_at = null
        where id = p_game and sequence = p_expected and head = p_head and status = 'running' and terms = p_terms;
    end if;
    if not found then
        return array['stale'];
    end if;
    if number = 1 then
        insert into log (game_id, sequence, payload, previous, hash)
            values (p_game, last_row, p_rows, p_head, p_hashes);
    else
        for n in 1..number loop
            insert into log (game_id, sequence, payload, previous, hash)
                values (p_game, p_expected + n, payloads[n], coalesce(hashes[n - 1], p_head), hashes[n]);
        end loop;
    end if;
    -- A submission of many rows may step over a multiple: a snapshot is due when a new block is entered.
    if p_expected < 0 or last_row / p_snapshot_every > p_expected / p_snapshot_every then
        insert into snapshots values (p_game, last_row, p_position);
    end if;
    if p_bank is not null then
        update games set bank = p_bank where id = p_game;
    end if;
    if p_reveals then
        update games set reveal_at = null, waits = '{}'
            where id = p_game and (reveal_at is not null or waits <> '{}');
        delete from sealed where game_id = p_game;
    end if;
    insert into outbox (game_id, kind, sequence) values (p_game, 'moved', last_row);
    return array['done', next];
end $$;

-- As in 0004, and: after the last sealed move the reveal waits for p_cool_off seconds, but not beyond the deadline, or for the
-- deadline itself if somebody wants that. Who changes a move meanwhile does not put it off.
create function seal(
    p_game text, p_expected int, p_seat smallint, p_payload text, p_now timestamptz, p_cool_off int
) returns text[] language plpgsql as $$
declare
    next text;
begin
    update games set
        to_act = array_remove(to_act, p_seat),
        reveal_at = next_reveal(array_remove(to_act, p_seat), waits, reveal_at, due_at, p_cool_off, p_now),
        wake_at = next_wake(
            array_remove(to_act, p_seat), bots,
            next_reveal(array_remove(to_act, p_seat), waits, reveal_at, due_at, p_cool_off, p_now),
            coalesce(alarm_at, due_at), p_now)
    where id = p_game and sequence = p_expected and status = 'running'
    returning next_work(to_act, bots, reveal_at, p_now) into next;
    if not found then
        return array['stale'];
    end if;
    insert into sealed (game_id, seat, sequence, payload, sealed_at)
        values (p_game, p_seat, p_expected + 1, p_payload, p_now)
        on conflict (game_id, seat)
        do update set sequence = excluded.sequence, payload = excluded.payload, sealed_at = excluded.sealed_at;
    insert into outbox (game_id, kind, sequence) values (p_game, 'sealed', p_expected + 1);
    return array['done', next];
end $$;

create function next_reveal(
    to_act smallint[], waits smallint[], reveal_at timestamptz, due_at timestamptz, cool_off int, moment timestamptz
) returns timestamptz language sql immutable as $$
    select case when to_act <> '{}' then null
                when reveal_at is not null then reveal_at
                when waits <> '{}' then due_at
                when cool_off > 0 then least(due_at, moment + cool_off * interval '1 second') end
$$;

create function append_once(
    p_game text, p_expected int, p_head text, p_rows text, p_hashes text, p_position text, p_ending text,
    p_to_act smallint[], p_seat smallint, p_reveals boolean, p_snapshot_every int,
    p_now timestamptz, p_due timestamptz, p_alarm timestamptz, p_bank int[], p_terms int,
    p_scope text, p_key text, p_fingerprint text, p_status int, p_body text, p_headers text
) returns text[] language plpgsql as $$
declare
    verdict text[] := claim_key(p_scope, p_key, p_fingerprint, p_status, p_body, p_headers);
begin
    if verdict is null then
        verdict := append(p_game, p_expected, p_head, p_rows, p_hashes, p_position, p_ending, p_to_act, p_seat,
                          p_reveals, p_snapshot_every, p_now, p_due, p_alarm, p_bank, p_terms);
        if verdict[1] = 'stale' then
            perform release_key(p_scope, p_key);
        end if;
    end if;
    return verdict;
end $$;

create function seal_once(
    p_game text, p_expected int, p_seat smallint, p_payload text, p_now timestamptz, p_cool_off int,
    p_scope text, p_key text, p_fingerprint text, p_status int, p_body text, p_headers text
) returns text[] language plpgsql as $$
declare
    verdict text[] := claim_key(p_scope, p_key, p_fingerprint, p_status, p_body, p_headers);
begin
    if verdict is null then
        verdict := seal(p_game, p_expected, p_seat, p_payload, p_now, p_cool_off);
        if verdict[1] = 'stale' then
            perform release_key(p_scope, p_key);
        end if;
    end if;
    return verdict;
end $$;
