-- Standing orders, private to who gave them: JSON, in their order, each with its text, its model and how far it has come.
-- They act only while their player has the seat; who returns to a seat finds them again.
create table standing_orders (
    game_id text not null references games,
    seat smallint not null,
    player_id bigint not null references players,
    orders text not null,
    changed_at timestamptz not null,
    primary key (game_id, seat, player_id)
);
create index standing_orders_player on standing_orders (player_id);

-- standing: the seats that have standing orders, so that a game without any pays nothing. standing_at: when a worker tries
-- them next; a move sets it. standing_tried: the row after which they were tried last; who has any is asked after that.
-- standing_pause: seconds, up to which standing orders of this game wait before they answer.
alter table games
    add column standing smallint[] not null default '{}',
    add column standing_at timestamptz,
    add column standing_tried int not null default -1,
    add column standing_pause int not null default 0;

-- When a worker has to look for standing orders that are due at a moment, and what a worker has to do first.
create function standing_wake(at timestamptz, pause int) returns timestamptz language sql immutable as $$
    select at + case when pause = 0 then interval '3 seconds' else interval '0' end
$$;

create function first_work(
    to_act smallint[], bots smallint[], reveal_at timestamptz, standing_at timestamptz, moment timestamptz
) returns text language sql immutable as $$
    select case when standing_at <= moment then 'standing' else next_work(to_act, bots, reveal_at, moment) end
$$;

-- As in 0010, and: where seats have standing orders a worker tries them after every move.
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
    luck float8;
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
        luck := random();
        update games set
            standing_at = p_now + standing_pause * luck * interval '1 second',
            wake_at = least(wake_at, standing_wake(p_now + standing_pause * luck * interval '1 second', standing_pause))
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

-- As in 0018, and: what is sealed meanwhile does not keep standing orders from being tried.
create or replace function seal(
    p_game text, p_expected int, p_terms int, p_seat smallint, p_payload text, p_now timestamptz, p_cool_off int
) returns text[] language plpgsql as $$
declare
    next text;
begin
    update games set
        to_act = array_remove(to_act, p_seat),
        reveal_at = next_reveal(array_remove(to_act, p_seat), waits, reveal_at, due_at, p_cool_off, p_now),
        wake_at = least(standing_wake(standing_at, standing_pause), next_wake(
            array_remove(to_act, p_seat), bots,
            next_reveal(array_remove(to_act, p_seat), waits, reveal_at, due_at, p_cool_off, p_now),
            coalesce(alarm_at, due_at), p_now))
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
