-- A game's row is written anew with every move. On a page that is half empty the next versions of its rows find room for a
-- while before the page must be cleared up. (Pages that are full by now get there as they are written.)
alter table games set (fillfactor = 50);

-- A check on a table is read from its text again for every statement that writes a row, one on a type is not. That
-- a game has a header once it has started is seen to where it is read.
create domain game_status as text check (value in ('open', 'running', 'paused', 'over'));
alter table games drop constraint games_status_check, drop constraint games_check;
alter table games alter column status type game_status;
