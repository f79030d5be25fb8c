-- What every move pays for, made less. Rows of the log and notices are written together with the row of their game, which
-- is never deleted: to look for it once more for each of them tells nothing new.
alter table log drop constraint log_game_id_fkey;
alter table outbox drop constraint outbox_game_id_fkey;
create trigger games_are_kept before delete or truncate on games for each statement execute function refuse_change();
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
    raise exception 'games and their logs are kept: % of % refused', tg_op, tg_table_name
        using errcode = 'insufficient_privilege';
end $$;

-- A notice that was delivered is gone, so all that are there wait, and the primary key finds them.
delete from outbox where done_at is not null;
drop index outbox_waiting, outbox_done;
alter table outbox drop column done_at;

-- Positions are compressed anew with every move: by the faster way, where the server has it.
do $$
begin
    alter table games alter column position set compression lz4;
exception when feature_not_supported then
    null;
end $$;

drop function append, seal, known_key;
drop type verdict;

-- A write answers with a verdict: {done, next}; or {stale}, if the game is elsewhere or not running: then nothing was changed.
-- `next` is what a worker has to do now: 'resolve' a complete sealed phase, play a 'bot', or nothing. The caller wakes the
-- worker; if that is lost, the sweep sees it by wake_at, a moment later.

-- When time is up after a move. Whom the game waits for has the whole time anew; but what somebody does beside the turn,
-- a deal perhaps, leaves the deadline where it is: it must not be put off for ever.
create function next_due(seat smallint, were smallint[], are smallint[], due_at timestamptz, clock int)
returns timestamptz language sql stable as $$
    select case when seat = any(were) is not false or were <> are then now() + clock * interval '1 second' else due_at end
$$;

-- Appends rows to a game's log and takes everything along that belongs to them, if the game is where the caller thinks.
-- p_rows and p_hashes are lines: a canonical text holds no line end.
create function append(
    p_game text, p_expected int, p_head text, p_rows text, p_hashes text, p_position text, p_ending text,
    p_to_act smallint[], p_seat smallint, p_reveals boolean, p_snapshot_every int
) returns text[] language plpgsql as $$
declare
    next text;
    payloads text[] := string_to_array(p_rows, e'\n');
    hashes text[] := string_to_array(p_hashes, e'\n');
    number int := cardinality(payloads);
    last_row int := p_expected + number;
begin
    update games set
        sequence = last_row,
        head = hashes[number],
        position = p_position,
        ending = p_ending,
        status = case when p_ending = '' then 'running' else 'over' end,
        to_act = p_to_act,
        moved_at = now(),
        due_at = case when p_ending = '' then next_due(p_seat, to_act, p_to_act, due_at, clock) end,
        wake_at = case when p_ending = '' then
            next_wake(p_to_act, bots, next_due(p_seat, to_act, p_to_act, due_at, clock))
        end
    where id = p_game and sequence = p_expected and head = p_head and status = 'running'
    returning case when p_ending = '' then next_work(p_to_act, bots) else '' end into next;
    if not found then
        return array['stale'];
    end if;
    for n in 1..number loop
        insert into log (game_id, sequence, payload, previous, hash)
            values (p_game, p_expected + n, payloads[n], coalesce(hashes[n - 1], p_head), hashes[n]);
    end loop;
    -- A submission of many rows may step over a multiple: a snapshot is due when a new block is entered.
    if p_expected < 0 or last_row / p_snapshot_every > p_expected / p_snapshot_every then
        insert into snapshots values (p_game, last_row, p_position);
    end if;
    if p_reveals then
        delete from sealed where game_id = p_game;
    end if;
    insert into outbox (game_id, kind, sequence) values (p_game, 'moved', last_row);
    return array['done', next];
end $$;

-- Puts a sealed move into its envelope, in place of an earlier one.
create function seal(p_game text, p_expected int, p_seat smallint, p_payload text) returns text[] language plpgsql as $$
declare
    next text;
begin
    update games set
        to_act = array_remove(to_act, p_seat),
        wake_at = next_wake(array_remove(to_act, p_seat), bots, due_at)
    where id = p_game and sequence = p_expected and status = 'running'
    returning next_work(to_act, bots) into next;
    if not found then
        return array['stale'];
    end if;
    insert into sealed (game_id, seat, sequence, payload) values (p_game, p_seat, p_expected + 1, p_payload)
        on conflict (game_id, seat)
        do update set sequence = excluded.sequence, payload = excluded.payload, sealed_at = now();
    insert into outbox (game_id, kind, sequence) values (p_game, 'sealed', p_expected + 1);
    return array['done', next];
end $$;

-- The same under an idempotency key, with the answer to keep. A key that is known has the verdict {repeated, status, body,
-- headers}, with the answer given then, or {reused}, if it belongs to another request.
create function known_key(p_scope text, p_key text, p_fingerprint text) returns text[] language sql stable as $$
    select case when fingerprint = p_fingerprint then array['repeated', status::text, body, headers]
                else array['reused'] end
    from idempotency where scope = p_scope and key = p_key
$$;

create function keep_answer(
    p_verdict text[],
    p_scope text, p_key text, p_fingerprint text, p_status int, p_body text, p_headers text
) returns text[] language plpgsql as $$
begin
    if p_verdict[1] = 'stale' then
        -- The first of two equal requests may have been at work until now.
        return coalesce(known_key(p_scope, p_key, p_fingerprint), p_verdict);
    end if;
    insert into idempotency (scope, key, fingerprint, status, body, headers)
        values (p_scope, p_key, p_fingerprint, p_status, p_body, p_headers);
    return p_verdict;
end $$;

create function append_once(
    p_game text, p_expected int, p_head text, p_rows text, p_hashes text, p_position text, p_ending text,
    p_to_act smallint[], p_seat smallint, p_reveals boolean, p_snapshot_every int,
    p_scope text, p_key text, p_fingerprint text, p_status int, p_body text, p_headers text
) returns text[] language plpgsql as $$
begin
    return coalesce(
        known_key(p_scope, p_key, p_fingerprint),
        keep_answer(
            append(p_game, p_expected, p_head, p_rows, p_hashes, p_position, p_ending, p_to_act, p_seat,
                   p_reveals, p_snapshot_every),
            p_scope, p_key, p_fingerprint, p_status, p_body, p_headers
        )
    );
end $$;

create function seal_once(
    p_game text, p_expected int, p_seat smallint, p_payload text,
    p_scope text, p_key text, p_fingerprint text, p_status int, p_body text, p_headers text
) returns text[] language plpgsql as $$
begin
    return coalesce(
        known_key(p_scope, p_key, p_fingerprint),
        keep_answer(
            seal(p_game, p_expected, p_seat, p_payload),
            p_scope, p_key, p_fingerprint, p_status, p_body, p_headers
        )
    );
end $$;
