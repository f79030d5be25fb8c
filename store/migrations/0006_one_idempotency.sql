-- One protocol for every write under an idempotency key: claim the key, do the work, keep what came of it, all in one
-- transaction. An equal request waits at the claim until the first is through.
--
-- A move keeps its answer. Other writes keep a reference to what they made: who repeats one is answered with that as it
-- is now. No secret is ever kept: a token or an invitation that nobody has used is replaced by a fresh one.
alter table idempotency add column reference text;
-- Answers of the first form were enciphered with the key alone, which can be guessed.
delete from idempotency where body not like '{%';

-- When a token was first used: until then a repeated request may replace it.
alter table tokens add column used_at timestamptz;
update tokens set used_at = now();

drop function append_once, seal_once, known_key, keep_answer;

-- {repeated, status, body, headers} with the answer given then, or {reused} where the key belongs to another request;
-- null if the key was free: now it is taken, with the answer that will be given if the work succeeds.
create function claim_key(
    p_scope text, p_key text, p_fingerprint text, p_status int, p_body text, p_headers text
) returns text[] language plpgsql as $$
begin
    insert into idempotency (scope, key, fingerprint, status, body, headers)
        values (p_scope, p_key, p_fingerprint, p_status, p_body, p_headers) on conflict do nothing;
    if found then
        return null;
    end if;
    return (
        select case when fingerprint = p_fingerprint then array['repeated', status::text, body, headers]
                    else array['reused'] end
        from idempotency where scope = p_scope and key = p_key
    );
end $$;

create function release_key(p_scope text, p_key text) returns void language sql as $$
    delete from idempotency where scope = p_scope and key = p_key
$$;

create function append_once(
    p_game text, p_expected int, p_head text, p_rows text, p_hashes text, p_position text, p_ending text,
    p_to_act smallint[], p_seat smallint, p_reveals boolean, p_snapshot_every int,
    p_scope text, p_key text, p_fingerprint text, p_status int, p_body text, p_headers text
) returns text[] language plpgsql as $$
declare
    verdict text[] := claim_key(p_scope, p_key, p_fingerprint, p_status, p_body, p_headers);
begin
    if verdict is null then
        verdict := append(p_game, p_expected, p_head, p_rows, p_hashes, p_position, p_ending, p_to_act, p_seat,
                          p_reveals, p_snapshot_every);
        if verdict[1] = 'stale' then
            perform release_key(p_scope, p_key);
        end if;
    end if;
    return verdict;
end $$;

create function seal_once(
    p_game text, p_expected int, p_seat smallint, p_payload text,
    p_scope text, p_key text, p_fingerprint text, p_status int, p_body text, p_headers text
) returns text[] language plpgsql as $$
declare
    verdict text[] := claim_key(p_scope, p_key, p_fingerprint, p_status, p_body, p_headers);
begin
    if verdict is null then
        verdict := seal(p_game, p_expected, p_seat, p_payload);
        if verdict[1] = 'stale' then
            perform release_key(p_scope, p_key);
        end if;
    end if;
    return verdict;
end $$;
