-- Lists at a million games. They go by the moment a game was opened, newest first, a page at a time; each page is read off
-- an index. A seat therefore knows of its game what lists ask for: when it was opened, whether it is private or over.
alter table seats
    add column opened_at timestamptz,
    add column is_private boolean not null default false,
    add column is_over boolean not null default false;
update seats s set opened_at = g.created_at, is_private = g.private, is_over = g.status = 'over'
    from games g where g.id = s.game_id;
alter table seats alter column opened_at set not null;

create function seat_knows_its_game() returns trigger language plpgsql as $$
begin
    select created_at, private, status = 'over' into new.opened_at, new.is_private, new.is_over
        from games where id = new.game_id;
    return new;
end $$;
create trigger seats_know_their_game before insert on seats for each row execute function seat_knows_its_game();

create function tell_seats_of_the_end() returns trigger language plpgsql as $$
begin
    update seats set is_over = new.status = 'over' where game_id = new.id;
    return null;
end $$;
create trigger games_tell_of_their_end after update of status on games
    for each row when ((old.status = 'over') <> (new.status = 'over')) execute function tell_seats_of_the_end();

drop index seats_player, seats_invited, games_status, games_host;
create index seats_player on seats (player_id, opened_at, game_id) where player_id is not null;
create index seats_in_play on seats (player_id, opened_at, game_id) where player_id is not null and not is_over;
create index seats_private on seats (player_id, opened_at, game_id) where player_id is not null and is_private;
create index seats_invited on seats (invited_player, opened_at, game_id) where invited_player is not null;
create index games_host on games (host, created_at, id);
-- As many indexes on games as before: a move that sets a new deadline writes into each of them.
create index games_listed on games (ruleset, status, private, created_at, id);

-- The feed has what is unread first.
drop index notices_feed;
create index notices_feed on notices (player_id, (read_at is not null), (-id)) where in_feed;
create index notices_in_order on notices (player_id, id) where in_feed;
