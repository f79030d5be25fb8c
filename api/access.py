"""Who asks, and what they may know of: bearer tokens, seats, private games."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import NoReturn, ParamSpec, TypeVar

from flask import Response, current_app, request

from api.cache import TTLCache
from api.context import current_g, current_request
from api.problems import refuse
from referee.contract import and_list
from service import Database, games, players, seats
from service.errors import NoSeat
from service.games import GameRow
from service.hints import Hints
from service.looking import Looking
from service.mailbox import Mailbox
from service.players import Player, SignedIn
from service.seats import NO_SUCH_GAME
from service.work import Work

P = ParamSpec("P")
V = TypeVar("V")


def enqueue(work: Work | None) -> None:
    """Hands work to the workers. What gets lost on the way they find a little later."""
    if work:
        current_app.extensions["enqueue_work"](work)


def db() -> Database:
    database: Database = current_app.extensions["database"]
    return database


def cache() -> TTLCache:
    found: TTLCache = current_app.extensions["cache"]
    return found


def mailbox() -> Mailbox:
    found: Mailbox = current_app.extensions["mailbox"]
    return found


def caller() -> Player | None:
    """The player of the request's token; None without one. A token that is not known is refused."""
    noted = current_g()
    who: Player | None = noted.get("caller")
    if who is None:
        signed_in = _signed_in()
        if signed_in:
            who = noted.caller = signed_in.player
            noted.scopes = signed_in.scopes
    return who


def _signed_in() -> SignedIn | None:
    header = request.environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer":
        _unauthorized("Send your token as `Authorization: Bearer wb_...`.")
    who = cache().get(token, lambda: _by_token(token))
    return who or _unauthorized("This token is not known, or has been revoked.")


def _by_token(token: str) -> SignedIn | None:
    with db().session() as session:
        return players.signed_in(session, token)


def _unauthorized(detail: str) -> NoReturn:
    refuse(HTTPStatus.UNAUTHORIZED, "unauthorized", detail, {"WWW-Authenticate": 'Bearer realm="waybill"'})


def player() -> Player:
    """The player of the request's token, which must be there."""
    return caller() or _unauthorized("This needs a token: sign up with POST /v1/players.")


def signed_in(view: Callable[P, V]) -> Callable[P, V]:
    """For views that need a token: it is asked for before anything else of the request is read."""

    @wraps(view)
    def checked(*args: P.args, **values: P.kwargs) -> V:
        player()
        return view(*args, **values)

    checked.scope = "read"  # type: ignore[attr-defined]  # for the document
    return checked


def allowed(scope: str) -> Callable[[Callable[P, V]], Callable[P, V]]:
    """For views that need a token with a scope: `@allowed("play")`."""

    def decorate(view: Callable[P, V]) -> Callable[P, V]:
        @wraps(view)
        def checked(*args: P.args, **values: P.kwargs) -> V:
            check_scope(scope)
            return view(*args, **values)

        checked.scope = scope  # type: ignore[attr-defined]  # for the document
        return checked

    return decorate


def check_scope(scope: str) -> None:
    """Refuses a request whose token does not have a scope."""
    player()
    scopes = current_g().scopes
    if scope not in scopes:
        has = and_list([held for held in players.ALL_SCOPES if held in scopes])
        detail = f"This needs a token with the scope {scope}; this one has {has}."
        refuse(HTTPStatus.FORBIDDEN, "missing-scope", detail, scope=scope)


def visible_game(game_id: str) -> GameRow:
    """A game that the caller may know of; private games do not exist for strangers."""
    who = caller()
    with db().session() as session:
        game = games.find(session, game_id)
        if game is None or not games.may_see(session, game, who.id if who else None):
            refuse(HTTPStatus.NOT_FOUND, "not-found", NO_SUCH_GAME)
    return game


def note_look(response: Response) -> Response:
    """After a request: who asks for a game looks at it, and need not be told of it elsewhere; and who has changed
    something lets those know who stream."""
    request = current_request()
    game_id = (request.view_args or {}).get("game_id")
    if game_id and response.status_code < HTTPStatus.BAD_REQUEST:
        if request.method == "GET":
            who: Player | None = current_g().get("caller")
            if who:
                looking: Looking = current_app.extensions["looking"]
                looking.note(who.id, game_id)
        else:
            hints: Hints = current_app.extensions["hints"]
            hints.changed(game_id)
    return response


def _seat(game_id: str, player_id: int) -> int | None:
    with db().session() as session:
        return seats.seat_in_play(session, game_id, player_id)


def seat_needed(game_id: str) -> int:
    """The caller's seat in a game that has begun."""
    return _needed(game_id, _seat(game_id, player().id))


def cached_seat(game_id: str) -> int:
    """The same, perhaps as it was a moment ago: for what checks it again, in the transaction that uses it."""
    who = player()
    return _needed(game_id, cache().get((game_id, who.id), lambda: _seat(game_id, who.id)))


def _needed(game_id: str, seat: int | None) -> int:
    if seat is None:
        if visible_game(game_id).status == "open":
            refuse(HTTPStatus.CONFLICT, "wrong-status", "The game has not started.")
        raise NoSeat
    return seat
