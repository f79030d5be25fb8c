"""Opening games, taking seats, starting, pausing; finding games."""

import base64
from datetime import datetime
from http import HTTPStatus
from typing import Any

import msgspec
from flask import Response, request, url_for

import schemas
from api.access import NO_SUCH_GAME, caller, db, player, remembered, signed_in, visible_game
from api.once import DOCUMENTED, json_answer, once
from api.problems import refuse
from api.reading import Blueprint
from api.waking import look
from referee.errors import BoardError
from referee.games import all_games
from runtime.logs import said_with_every_line, say_with_every_line
from store import games, players
from store.database import Session
from store.games import Game, NewSeat, Seat
from store.idempotency import Answer
from store.players import Player

bp = Blueprint("games", __name__, url_prefix="/v1", description="Games and their seats")


@bp.route("/games", methods=["POST"])
@signed_in
@bp.doc(parameters=[DOCUMENTED])
@bp.arguments(schemas.NewGame)
@bp.response(201, schemas.OpenedGame)
def open_game(wish: dict[str, Any]) -> Response:
    """Open a game. It starts when the last seat is filled, or at your word."""
    who = player()

    def work(transaction: Session) -> Answer:
        if wish["ruleset"] not in all_games():
            _wrong("ruleset", f"There is no such ruleset; there are: {', '.join(all_games())}.")
        seats = [_seat(transaction, number, one) for number, one in enumerate(wish["seats"])]
        more = {name: wish[name] for name in ("settings", "board", "private", "title", "clock")}
        try:
            opened = games.create(transaction, who, wish["ruleset"], seats, **more)
        except BoardError as error:
            _wrong("board", "The board cannot be used.", error.problems)
        except msgspec.ValidationError as error:
            _wrong("settings", str(error))
        except ValueError as error:
            _wrong("seats", f"{str(error)[:1].upper()}{str(error)[1:]}.")
        invitations = [{"seat": seat, "token": token} for seat, token in opened.invitations.items()]
        body = {"game": describe(transaction, opened.game, who), "invitations": invitations}
        place = url_for("games.game", game_id=opened.game.id)
        return json_answer(201, schemas.OpenedGame().dump(body), {"Location": place})

    response = once(work)
    game_id = response.headers["Location"].rpartition("/")[2]
    say_with_every_line(**said_with_every_line(), game=game_id)
    look(game_id)
    return response


def _seat(transaction: Session, number: int, wish: dict[str, Any]) -> NewSeat:
    invited = None
    if "name" in wish:
        invited = players.by_name(transaction, wish["name"])
        if invited is None:
            _wrong(f"seats.{number}.name", f"There is no player {wish['name']}.")
    elif "email" in wish:
        invited = players.by_email(transaction, wish["email"])
    return NewSeat(wish["kind"], invited, wish.get("email"), wish["bot"], wish["entropy"])


def _wrong(field: str, detail: str, problems: list[str] | None = None) -> Any:
    refuse(
        HTTPStatus.UNPROCESSABLE_ENTITY, "invalid-request", detail, field=field, errors={field: problems or [detail]}
    )


@bp.route("/games")
@bp.arguments(schemas.GamesQuery, location="query")
@bp.response(200, schemas.GameSummary(many=True))
def list_games(wish: dict[str, Any]) -> Any:
    """Games, newest first: all public ones and yours. The `Link` header leads to the next page."""
    who = player() if wish["mine"] or wish["to_act"] else caller()
    after = _cursor(wish["after"]) if "after" in wish else None
    with db().session() as session:
        found = games.listing(
            session,
            who.id if who else None,
            mine=wish["mine"],
            to_act=wish["to_act"],
            status=wish.get("status"),
            ruleset=wish.get("ruleset"),
            after=after,
            limit=wish["limit"] + 1,
        )
    page, rest = found[: wish["limit"]], found[wish["limit"] :]
    headers = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
    if rest:
        cursor = base64.urlsafe_b64encode(f"{page[-1].created_at.isoformat()} {page[-1].id}".encode()).decode()
        query = {name: value for name, value in request.args.items() if name != "after"}
        headers["Link"] = f'<{url_for("games.list_games", **query, after=cursor)}>; rel="next"'
    return [summary(one) for one in page], 200, headers


def _cursor(text: str) -> tuple[datetime, str]:
    try:
        moment, _, game_id = base64.urlsafe_b64decode(text.encode("ascii")).decode("ascii").partition(" ")
        if "\0" in game_id:
            raise ValueError(game_id)
        return datetime.fromisoformat(moment), game_id
    except ValueError:
        return _wrong("after", "Take `after` from the `next` link of a page.")


@bp.route("/games/<game_id>")
@bp.response(200, schemas.Game)
def game(game_id: str) -> Any:
    """A game: its state, its seats, whom it waits for."""
    found = visible_game(game_id)
    with db().session() as session:
        body = describe(session, found, caller())
    return body, 200, {"ETag": f'"{found.sequence}"', "Cache-Control": "private, no-cache", "Vary": "Authorization"}


@bp.route("/games/<game_id>/seats", methods=["POST"])
@signed_in
@bp.doc(parameters=[DOCUMENTED])
@bp.arguments(schemas.JoinGame)
@bp.response(201, schemas.Game)
def join(wish: dict[str, Any], game_id: str) -> Response:
    """Take a seat: an open one, or with the token of an invitation the one that it is for."""
    who = player()

    def work(transaction: Session) -> Answer:
        invited = wish["token"] is not None and games.game_of_invitation(transaction, wish["token"]) == game_id
        found = games.find(transaction, game_id)
        if found is None or not (invited or games.may_see(transaction, found, who.id)):
            refuse(HTTPStatus.NOT_FOUND, "not-found", NO_SUCH_GAME)
        games.join(transaction, game_id, who, invitation=wish["token"], seat=wish["seat"], entropy=wish["entropy"])
        return json_answer(201, schemas.Game().dump(describe(transaction, games.find(transaction, game_id), who)))

    response = once(work)
    look(game_id)
    return response


@bp.route("/games/<game_id>/seats/me", methods=["DELETE"])
@signed_in
@bp.response(200, schemas.Game)
def leave(game_id: str) -> Any:
    """Give up your seat. In a game that has begun the referee plays on for you, as long as others are there."""
    who = player()
    visible_game(game_id)
    with db().transaction() as transaction:
        games.leave(transaction, game_id, who.id)
    remembered().clear()
    look(game_id)
    return _described(game_id, who)


@bp.route("/games/<game_id>/start", methods=["POST"])
@signed_in
@bp.doc(parameters=[DOCUMENTED])
@bp.response(200, schemas.Game)
def start(game_id: str) -> Response:
    """The host's word: seats that nobody has taken are given to bots."""
    return _hosts_word(game_id, games.start)


@bp.route("/games/<game_id>/pause", methods=["POST"])
@signed_in
@bp.doc(parameters=[DOCUMENTED])
@bp.response(200, schemas.Game)
def pause(game_id: str) -> Response:
    """Stop the clock; no moves are taken until the game is resumed."""
    return _hosts_word(game_id, games.pause)


@bp.route("/games/<game_id>/resume", methods=["POST"])
@signed_in
@bp.doc(parameters=[DOCUMENTED])
@bp.response(200, schemas.Game)
def resume(game_id: str) -> Response:
    """Go on with a paused game."""
    return _hosts_word(game_id, games.resume)


def _hosts_word(game_id: str, what: Any) -> Response:
    who = player()
    if visible_game(game_id).host != who.id:
        refuse(HTTPStatus.FORBIDDEN, "not-the-host", "Only the host of the game may do this.")

    def work(transaction: Session) -> Answer:
        what(transaction, game_id)
        return json_answer(200, schemas.Game().dump(describe(transaction, games.find(transaction, game_id), who)))

    response = once(work)
    look(game_id)
    return response


def _described(game_id: str, who: Player) -> dict[str, Any]:
    with db().session() as session:
        return describe(session, games.find(session, game_id), who)


def describe(session: Session, game: Game | None, who: Player | None) -> dict[str, Any]:
    assert game is not None
    seats = games.seats(session, game.id)
    mine = next((one.seat for one in seats if who and one.player_id == who.id), None)
    return summary(game) | {"seats": [_plain(one) for one in seats], "you": mine}


def summary(game: Game) -> dict[str, Any]:
    return msgspec.structs.asdict(game) | {"settings": msgspec.json.decode(game.settings)}


def _plain(seat: Seat) -> dict[str, Any]:
    kinds = {"player": seat.player_id is not None, "bot": seat.bot is not None, "invitation": seat.is_invitation}
    kind = next((kind for kind, it_is in kinds.items() if it_is), "open")
    return {"seat": seat.seat, "kind": kind, "name": seat.name}
