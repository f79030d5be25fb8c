-- Why a bot made its move, in a sentence: shown after the game.
create table bot_reasons (
    game_id text not null references games on delete cascade,
    sequence int not null, -- of the row that the move is in
    seat smallint not null,
    reason text not null,
    primary key (game_id, sequence, seat)
);
