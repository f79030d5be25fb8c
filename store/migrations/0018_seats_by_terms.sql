-- Who sits where is part of the terms: whoever moves by what they knew of it a moment ago has to look again. So a sealed
-- move, too, is told by which terms it was made; with others it is {stale}. What it was without them stays for the minute in
-- which the old code still runs.
create function seal(
    p_game text, p_expected int, p_terms int, p_seat smallint, p_payload text, p_now timestamptz, p_cool_off int
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
    where id = p_game and sequence = p_expected and status = 'running' and terms = p_terms
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

create function seal_once(
    p_game text, p_expected int, p_terms int, p_seat smallint, p_payload text, p_now timestamptz, p_cool_off int,
    p_scope text, p_key text, p_fingerprint text, p_status int, p_body text, p_headers text
) returns text[] language plpgsql as $$
declare
    verdict text[] := claim_key(p_scope, p_key, p_fingerprint, p_status, p_body, p_headers);
begin
    if verdict is null then
        verdict := seal(p_game, p_expected, p_terms, p_seat, p_payload, p_now, p_cool_off);
        if verdict[1] = 'stale' then
            perform release_key(p_scope, p_key);
        end if;
    end if;
    return verdict;
end $$;
