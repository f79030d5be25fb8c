-- Finished games in the order in which they ended, so that whoever collects records can go on where they stopped. Games that
-- were ended without a result are none of them.
create table finished_games (
    number bigint generated always as identity primary key,
    game_id text not null unique references games,
    ruleset text not null
);
create index finished_games_ruleset on finished_games (ruleset, number);
insert into finished_games (game_id, ruleset)
    select id, ruleset from games where status = 'over' and header is not null and ending <> 'abandoned'
    order by moved_at, id;

-- Numbers are given one after another, each after the commit of the one before: a reader who has seen one has seen all before
-- it. It is called once in a game, with what the last move was told.
create function note_end(p_game text, p_verdict text[]) returns text[] language plpgsql as $$
begin
    if p_verdict[1] = 'done' then
        perform pg_advisory_xact_lock(hashtext('finished_games'));
        insert into finished_games (game_id, ruleset) select id, ruleset from games where id = p_game
            on conflict do nothing;
    end if;
    return p_verdict;
end $$;
