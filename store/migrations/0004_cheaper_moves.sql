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

-- A write answers with a verdict: {done, next}; {stale}, if the game is elsewhere or not running: nothing was changed; or
-- {repeated, status, body, headers} and {reused} for an idempotency key that is known, with the answer given then.
-- `next` is what a worker has to do now: 'resolve' a complete sealed phase, play a 'bot', or nothing. The caller wakes the
-- worker; if that is lost, the sweep sees it by wake_at, a moment later.
create function known_key(p_scope text, p_key text, p_fingerprint text) returns text[] language sql stable as $$
    select case when fingerprint = p_fingerprint then array['repeated', status::text, body, headers]
                else array['reused'] end
    from idempotency where scope = p_scope and key = p_key
$$;

-- Appends rows to a game's log and takes everything along that belongs to them, if the game is where the caller thinks.
create function append(
    p_game text, p_expected int, p_head text, p_payloads text[], p_hashes text[], p_position text, p_ending text,
    p_to_act smallint[], p_reveals boolean, p_snapshot_every int,
    p_scope text default null, p_key text default null, p_fingerprint text default null,
    p_status int default null, p_body text default null, p_headers text default null
) returns text[] language plpgsql as $$
declare
    known text[];
    next text;
    number int := cardinality(p_payloads);
    last_row int := p_expected + number;
begin
    if p_key is not null then
        known := known_key(p_scope, p_key, p_fingerprint);
        if known is not null then return known; end if;
    end if;
    update games set
        sequence = last_row,
        head = p_hashes[number],
        position = p_position,
        ending = p_ending,
        status = case when p_ending = '' then 'running' else 'over' end,
        to_act = p_to_act,
        moved_at = now(),
        due_at = case when p_ending = '' then now() + clock * interval '1 second' end,
        wake_at = case when p_ending = '' then next_wake(p_to_act, bots, now() + clock * interval '1 second') end
    where id = p_game and sequence = p_expected and head = p_head and status = 'running'
    returning case when p_ending = '' then next_work(p_to_act, bots) else '' end into next;
    if not found then
        -- The first of two equal requests may have been at work until now.
        known := case when p_key is not null then known_key(p_scope, p_key, p_fingerprint) end;
        return coalesce(known, array['stale']);
    end if;
    for n in 1..number loop
        insert into log (game_id, sequence, payload, previous, hash)
            values (p_game, p_expected + n, p_payloads[n], coalesce(p_hashes[n - 1], p_head), p_hashes[n]);
    end loop;
    -- A submission of many rows may step over a multiple: a snapshot is due when a new block is entered.
    if p_expected < 0 or last_row / p_snapshot_every > p_expected / p_snapshot_every then
        insert into snapshots values (p_game, last_row, p_position);
    end if;
    if p_reveals then
        delete from sealed where game_id = p_game;
    end if;
    insert into outbox (game_id, kind, sequence) values (p_game, 'moved', last_row);
    if p_key is not null then
        insert into idempotency (scope, key, fingerprint, status, body, headers)
            values (p_scope, p_key, p_fingerprint, p_status, p_body, p_headers);
    end if;
    return array['done', next];
end $$;

-- Puts a sealed move into its envelope, in place of an earlier one.
create function seal(
    p_game text, p_expected int, p_seat smallint, p_payload text,
    p_scope text default null, p_key text default null, p_fingerprint text default null,
    p_status int default null, p_body text default null, p_headers text default null
) returns text[] language plpgsql as $$
declare
    known text[];
    next text;
begin
    if p_key is not null then
        known := known_key(p_scope, p_key, p_fingerprint);
        if known is not null then return known; end if;
    end if;
    update games set
        to_act = array_remove(to_act, p_seat),
        wake_at = next_wake(array_remove(to_act, p_seat), bots, due_at)
    where id = p_game and sequence = p_expected and status = 'running'
    returning next_work(to_act, bots) into next;
    if not found then
        known := case when p_key is not null then known_key(p_scope, p_key, p_fingerprint) end;
        return coalesce(known, array['stale']);
    end if;
    insert into sealed (game_id, seat, sequence, payload) values (p_game, p_seat, p_expected + 1, p_payload)
        on conflict (game_id, seat)
        do update set sequence = excluded.sequence, payload = excluded.payload, sealed_at = now();
    insert into outbox (game_id, kind, sequence) values (p_game, 'sealed', p_expected + 1);
    if p_key is not null then
        insert into idempotency (scope, key, fingerprint, status, body, headers)
            values (p_scope, p_key, p_fingerprint, p_status, p_body, p_headers);
    end if;
    return array['done', next];
end $$;
