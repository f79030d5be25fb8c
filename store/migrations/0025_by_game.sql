-- Everything that a move touches is found by its game, so that games can be dealt out to several machines by their ids
-- (deploy/citus). What is unique is unique within a game, and nothing is held that lies on several machines at once.

-- The key of a move counts within its game; other writes have no game. Moves of before have their keys without one.
alter table idempotency add column game_id text not null default '';
alter table idempotency drop constraint idempotency_pkey, add primary key (scope, key, game_id);

create function claim_key(
    p_game text, p_scope text, p_key text, p_fingerprint text, p_status int, p_body text, p_headers text
) returns text[] language plpgsql as $$
declare
    known text[];
begin
    select case when fingerprint = p_fingerprint then array['repeated', status::text, body, headers]
                else array['reused'] end
      into known from idempotency where scope = p_scope and key = p_key and game_id = '';
    if found then
        return known;
    end if;
    insert into idempotency (game_id, scope, key, fingerprint, status, body, headers)
        values (p_game, p_scope, p_key, p_fingerprint, p_status, p_body, p_headers) on conflict do nothing;
    if found then
        return null;
    end if;
    return (
        select case when fingerprint = p_fingerprint then array['repeated', status::text, body, headers]
                    else array['reused'] end
        from idempotency where scope = p_scope and key = p_key and game_id = p_game
    );
end $$;

create function release_key(p_game text, p_scope text, p_key text) returns void language sql as $$
    delete from idempotency where scope = p_scope and key = p_key and game_id = p_game
$$;

-- As in 0020, and: no moment is worked out where a machine that has only the game's row would have to. To add to one is not
-- immutable to Postgres, for a day may be longer; functions that add seconds are (0010).
create or replace function append(
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
    has_standing boolean;
    standing_due timestamptz;
    soon timestamptz := p_now + interval '3 seconds';
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
            wake_at = case when p_to_act = '{}' or p_to_act && bots then soon
                           else coalesce(p_alarm, p_due) end
        where id = p_game and sequence = p_expected and head = p_head and status = 'running' and terms = p_terms
          and ((p_seat = any(to_act)) is not false or to_act <> p_to_act)
        returning next_work(p_to_act, bots), standing <> '{}' into next, has_standing;
        if not found then
            update games set
                sequence = last_row, head = last_hash, position = p_position, to_act = p_to_act, moved_at = p_now,
                wake_at = next_wake(p_to_act, bots, null, coalesce(alarm_at, due_at), p_now)
            where id = p_game and sequence = p_expected and head = p_head and status = 'running' and terms = p_terms
            returning next_work(p_to_act, bots), standing <> '{}' into next, has_standing;
        end if;
    else
        update games set
            sequence = last_row, head = last_hash, position = p_position, ending = p_ending, status = 'over',
            to_act = p_to_act, moved_at = p_now, due_at = null, alarm_at = null, wake_at = null, standing_at = null
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
    if has_standing then
        select p_now + standing_pause * random() * interval '1 second' into standing_due from games where id = p_game;
        update games set
            standing_at = standing_due, wake_at = least(wake_at, standing_wake(standing_due, standing_pause))
        where id = p_game
        returning case when standing_pause = 0 then 'standing' else next end into next;
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

create function later(moment timestamptz, span interval) returns timestamptz language sql immutable as $$
    select moment + span
$$;

create or replace function append_once(
    p_game text, p_expected int, p_head text, p_rows text, p_hashes text, p_position text, p_ending text,
    p_to_act smallint[], p_seat smallint, p_reveals boolean, p_snapshot_every int,
    p_now timestamptz, p_due timestamptz, p_alarm timestamptz, p_bank int[], p_terms int,
    p_scope text, p_key text, p_fingerprint text, p_status int, p_body text, p_headers text
) returns text[] language plpgsql as $$
declare
    verdict text[] := claim_key(p_game, p_scope, p_key, p_fingerprint, p_status, p_body, p_headers);
begin
    if verdict is null then
        verdict := append(p_game, p_expected, p_head, p_rows, p_hashes, p_position, p_ending, p_to_act, p_seat,
                          p_reveals, p_snapshot_every, p_now, p_due, p_alarm, p_bank, p_terms);
        if verdict[1] = 'stale' then
            perform release_key(p_game, p_scope, p_key);
        end if;
    end if;
    return verdict;
end $$;

create or replace function seal_once(
    p_game text, p_expected int, p_terms int, p_seat smallint, p_payload text, p_now timestamptz, p_cool_off int,
    p_scope text, p_key text, p_fingerprint text, p_status int, p_body text, p_headers text
) returns text[] language plpgsql as $$
declare
    verdict text[] := claim_key(p_game, p_scope, p_key, p_fingerprint, p_status, p_body, p_headers);
begin
    if verdict is null then
        verdict := seal(p_game, p_expected, p_terms, p_seat, p_payload, p_now, p_cool_off);
        if verdict[1] = 'stale' then
            perform release_key(p_game, p_scope, p_key);
        end if;
    end if;
    return verdict;
end $$;

-- Rows that are numbered: the number comes first, for they are read in its order.
alter table outbox drop constraint outbox_pkey, add primary key (id, game_id);
alter table departures drop constraint departures_pkey, add primary key (id, game_id);
alter table press drop constraint press_id_key, add unique (game_id, id);
alter table finished_games drop constraint finished_games_game_id_fkey;

-- Whoever shows an invitation names the game that it is for.
alter table seats drop constraint seats_invitation_key;

-- Seats are told of the end in the call that ends the game, for triggers are not to be had everywhere. Those of 0016 stay for
-- the minute in which the old code still runs.
create or replace function note_end(p_game text, p_verdict text[]) returns text[] language plpgsql as $$
begin
    if p_verdict[1] = 'done' then
        update seats set is_over = true where game_id = p_game and not is_over;
        perform pg_advisory_xact_lock(hashtext('finished_games'));
        insert into finished_games (game_id, ruleset) select id, ruleset from games where id = p_game
            on conflict do nothing;
    end if;
    return p_verdict;
end $$;

-- What has come due, each game for the caller alone until p_until. One that somebody is at work on is passed over.
create function lease_due(p_now timestamptz, p_until timestamptz, p_limit int)
returns table (game_id text, sequence int, kind text) language plpgsql as $$
declare
    due text;
begin
    for due in
        select g.id from games g where g.wake_at <= p_now and g.status = 'running' and not g.sandbox
        order by g.wake_at limit p_limit
    loop
        perform from games g where g.id = due and g.wake_at <= p_now and g.status = 'running' for update skip locked;
        if found then
            return query update games g set wake_at = p_until where g.id = due
                returning g.id, g.sequence,
                    coalesce(nullif(first_work(g.to_act, g.bots, g.reveal_at, g.standing_at, p_now), ''), 'clock');
        end if;
    end loop;
end $$;
