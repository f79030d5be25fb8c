-- A write answers with a verdict: 'done', 'stale' (the game is elsewhere, or not running: nothing was changed), or
-- 'repeated' and 'reused' for an idempotency key that is known, with the answer that was given then. `next` is
-- what a worker has to do now: 'resolve' a complete sealed phase, play a 'bot', or nothing. The caller wakes the worker; if
-- that is lost, the sweep sees it by wake_at, a moment later.
create type verdict as (verdict text, next text, status int, body text, headers text);

create function next_work(to_act smallint[], bots smallint[]) returns text language sql immutable as $$
    select case when to_act = '{}' then 'resolve' when to_act && bots then 'bot' else '' end
$$;

create function next_wake(to_act smallint[], bots smallint[], due_at timestamptz) returns timestamptz
language sql stable as $$
    select case when next_work(to_act, bots) = '' then due_at else now() + interval '3 seconds' end
$$;

create function known_key(p_scope text, p_key text, p_fingerprint text) returns verdict language plpgsql as $$
declare
    answer verdict;
begin
    select case when fingerprint = p_fingerprint then 'repeated' else 'reused' end, '', i.status, i.body, i.headers
      into answer from idempotency i where scope = p_scope and key = p_key;
    return answer;
end $$;

-- Appends rows to a game's log and takes everything along that belongs to them, if the game is where the caller thinks.
create function append(
    p_game text, p_expected int, p_head text, p_payloads text[], p_hashes text[], p_position text, p_ending text,
    p_to_act smallint[], p_snapshot_every int,
    p_scope text, p_key text, p_fingerprint text, p_status int, p_body text, p_headers text
) returns verdict language plpgsql as $$
declare
    answer verdict;
    last_row int := p_expected + cardinality(p_payloads);
begin
    if p_key is not null then
        answer := known_key(p_scope, p_key, p_fingerprint);
        if answer.verdict is not null then return answer; end if;
    end if;
    update games set
        sequence = last_row,
        head = p_hashes[cardinality(p_hashes)],
        position = p_position,
        ending = p_ending,
        status = case when p_ending = '' then 'running' else 'over' end,
        to_act = p_to_act,
        moved_at = now(),
        due_at = case when p_ending = '' then now() + clock * interval '1 second' end,
        wake_at = case when p_ending = '' then next_wake(p_to_act, bots, now() + clock * interval '1 second') end
    where id = p_game and sequence = p_expected and head = p_head and games.status = 'running'
    returning case when p_ending = '' then next_work(p_to_act, bots) else '' end into answer.next;
    if not found then
        -- The first of two equal requests may have been at work until now.
        if p_key is not null then
            answer := known_key(p_scope, p_key, p_fingerprint);
            if answer.verdict is not null then return answer; end if;
        end if;
        answer.verdict := 'stale';
        return answer;
    end if;
    insert into log (game_id, sequence, payload, previous, hash)
        select p_game, p_expected + n, p_payloads[n], coalesce(p_hashes[n - 1], p_head), p_hashes[n]
        from generate_subscripts(p_payloads, 1) as n;
    -- A submission of many rows may step over a multiple: a snapshot is due when a new block is entered.
    if p_expected < 0 or last_row / p_snapshot_every > p_expected / p_snapshot_every then
        insert into snapshots values (p_game, last_row, p_position);
    end if;
    delete from sealed where game_id = p_game;
    insert into outbox (game_id, kind, sequence) values (p_game, 'moved', last_row);
    if p_key is not null then
        insert into idempotency (scope, key, fingerprint, status, body, headers)
            values (p_scope, p_key, p_fingerprint, p_status, p_body, p_headers);
    end if;
    answer.verdict := 'done';
    return answer;
end $$;

-- Puts a sealed move into its envelope, in place of an earlier one.
create function seal(
    p_game text, p_expected int, p_seat smallint, p_payload text,
    p_scope text, p_key text, p_fingerprint text, p_status int, p_body text, p_headers text
) returns verdict language plpgsql as $$
declare
    answer verdict;
begin
    if p_key is not null then
        answer := known_key(p_scope, p_key, p_fingerprint);
        if answer.verdict is not null then return answer; end if;
    end if;
    update games set
        to_act = array_remove(to_act, p_seat),
        wake_at = next_wake(array_remove(to_act, p_seat), bots, due_at)
    where id = p_game and sequence = p_expected and games.status = 'running'
    returning next_work(to_act, bots) into answer.next;
    if not found then
        if p_key is not null then
            answer := known_key(p_scope, p_key, p_fingerprint);
            if answer.verdict is not null then return answer; end if;
        end if;
        answer.verdict := 'stale';
        return answer;
    end if;
    insert into sealed (game_id, seat, sequence, payload) values (p_game, p_seat, p_expected + 1, p_payload)
        on conflict (game_id, seat)
        do update set sequence = excluded.sequence, payload = excluded.payload, sealed_at = now();
    insert into outbox (game_id, kind, sequence) values (p_game, 'sealed', p_expected + 1);
    if p_key is not null then
        insert into idempotency (scope, key, fingerprint, status, body, headers)
            values (p_scope, p_key, p_fingerprint, p_status, p_body, p_headers);
    end if;
    answer.verdict := 'done';
    return answer;
end $$;
