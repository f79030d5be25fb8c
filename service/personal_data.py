"""What is kept about a player: telling them all of it, and forgetting it.

A name stands on the player and on their seats, in no log: what is forgotten is gone wherever it was shown. What stays
is the play: moves belong to the game and to the others in it. Of what they wrote to others the hashes stay.
"""

from datetime import datetime

import msgspec

from referee.log import numbered_seats
from service import feed, preferences, push, webhooks
from service.feed import Told
from service.games import GameRow, hold
from service.players import Player, Token, known
from service.preferences import Preferences
from service.press import Written, written
from service.records import TurnRecord, records
from service.seats import leave, pass_on
from service.webhooks import Shown
from store import games, notices, players, press, standing, turns
from store.database import Session
from store.press import Block
from store.standing import PlayerOrders
from store.turns import GameLeft

MOST_SEATS = 16  # more than any game has


class GamePlayed(msgspec.Struct, frozen=True):
    """A game of a player: the seat they have or had, None if they only host it, and their part in its seed."""

    game: GameRow
    seat: int | None
    entropy: str


class Export(msgspec.Struct, frozen=True):
    """Everything that is kept about a player."""

    player: Player
    names_given_up: dict[str, datetime]  # as keys that look-alikes share, and since when
    tokens: list[Token]
    games: list[GamePlayed]
    preferences: Preferences
    notices: list[Told]
    press: list[Written]
    blocks: list[Block]
    webhooks: list[Shown]
    push_subscriptions: list[push.Shown]
    record: TurnRecord
    games_left: list[GameLeft]
    standing_orders: list[PlayerOrders]


def export(session: Session, player_id: int) -> Export:
    held = players.names_held(session, player_id)
    return Export(
        player=known(session, player_id),
        names_given_up={name.key: name.given_up_at for name in held if name.given_up_at},
        tokens=players.tokens(session, player_id),
        games=[GamePlayed(*played) for played in games.played(session, player_id)],
        preferences=preferences.read(session, player_id),
        notices=feed.all_of(session, player_id),
        press=written(session, player_id),
        blocks=press.blocks(session, player_id),
        webhooks=webhooks.of_player(session, player_id),
        push_subscriptions=push.of_player(session, player_id),
        record=records(session, [player_id])[player_id],
        games_left=turns.games_left(session, player_id),
        standing_orders=standing.of_player(session, player_id),
    )


def forget(transaction: Session, player_id: int) -> None:
    """Leaves all games, as by leaving each, and takes away what tells who the player was."""
    if players.locked(transaction, player_id) is None:
        return
    for game_id, has_seat in games.in_play_or_open(transaction, player_id):
        game = hold(transaction, game_id, "open", "running", "paused", "over")
        if game.status == "over":
            continue
        if has_seat:
            leave(transaction, game_id, player_id)
        if game.status == "open" or not has_seat:
            pass_on(transaction, game, player_id)
    games.forget_player(transaction, player_id, numbered_seats(MOST_SEATS))
    webhooks.forget(transaction, player_id)
    push.forget(transaction, player_id)
    notices.forget_player(transaction, player_id)
    press.forget_player(transaction, player_id)
    turns.forget_player(transaction, player_id)
    standing.forget_player(transaction, player_id)
    players.forget(transaction, player_id)
