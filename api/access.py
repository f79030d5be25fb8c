"""Who asks, and what they may know of: bearer tokens, seats, private games."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from http import HTTPStatus
from threading import Lock
from typing import Any, TypeVar

from flask import current_app, g, request

from api.problems import refuse
from store import games, players
from store.database import Database
from store.games import Game
from store.players import Player

V = TypeVar("V")

REMEMBERED_SECONDS = 5.0  # how long a revoked token may still work in another process
REMEMBERED = 10_000

NO_SUCH_GAME = "There is no such game, or it is private and you are not, or no longer, invited."


class Remembered:
    """Answers of the database that may be a few seconds old: tokens and seats, which hardly ever change."""

    def __init__(self, seconds: float = REMEMBERED_SECONDS, size: int = REMEMBERED) -> None:
        self._seconds = seconds
        self._size = size
        self._kept: OrderedDict[Hashable, tuple[float, Any]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        with self._lock:
            until, value = self._kept.get(key, (0.0, None))
        if until > time.monotonic():
            return value
        made = make()
        if made is not None:  # what is not there may be there in a moment
            with self._lock:
                self._kept[key] = (time.monotonic() + self._seconds, made)
                self._kept.move_to_end(key)
                if len(self._kept) > self._size:
                    self._kept.popitem(last=False)
        return made

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()


def db() -> Database:
    return current_app.extensions["database"]


def remembered() -> Remembered:
    return current_app.extensions["remembered"]


def caller() -> Player | None:
    """The player of the request's token; None without one. A token that is not known is refused."""
    noted = g._get_current_object()
    who: Player | None = noted.get("caller")
    if who is None:
        who = noted.caller = _player()
    return who


def _player() -> Player | None:
    header = request.environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer":
        _unauthorized("Send your token as `Authorization: Bearer wb_...`.")
    player = remembered().get(token, lambda: _by_token(token))
    return player or _unauthorized("This token is not known, or has been revoked.")


def _by_token(token: str) -> Player | None:
    with db().session() as session:
        return players.by_token(session, token)


def _unauthorized(detail: str) -> Any:
    refuse(HTTPStatus.UNAUTHORIZED, "unauthorized", detail, {"WWW-Authenticate": 'Bearer realm="waybill"'})


def player() -> Player:
    """The player of the request's token, which must be there."""
    return caller() or _unauthorized("This needs a token: sign up with POST /v1/players.")


def signed_in(view: Callable[..., V]) -> Callable[..., V]:
    """For views that need a token: it is asked for before anything else of the request is read."""

    @wraps(view)
    def checked(*args: Any, **values: Any) -> V:
        player()
        return view(*args, **values)

    return checked


def visible_game(game_id: str) -> Game:
    """A game that the caller may know of; private games do not exist for strangers."""
    who = caller()
    with db().session() as session:
        game = games.find(session, game_id)
        if game is None or not games.may_see(session, game, who.id if who else None):
            refuse(HTTPStatus.NOT_FOUND, "not-found", NO_SUCH_GAME)
    return game


def my_seat(game_id: str) -> int | None:
    """The caller's seat in a game that has begun, if there is one."""
    who = caller()
    return None if who is None else _seat_of(game_id, who)


def _seat_of(game_id: str, who: Player) -> int | None:
    return remembered().get((game_id, who.id), lambda: _seat(game_id, who.id))


def _seat(game_id: str, player_id: int) -> int | None:
    with db().session() as session:
        return games.seat_in_play(session, game_id, player_id)


def seat_needed(game_id: str) -> int:
    seat = _seat_of(game_id, player())
    if seat is None:
        if visible_game(game_id).status == "open":
            refuse(HTTPStatus.CONFLICT, "wrong-status", "The game has not started.")
        refuse(HTTPStatus.FORBIDDEN, "no-seat", "You have no seat in this game.")
    return seat
