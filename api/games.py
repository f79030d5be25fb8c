"""Opening games, taking seats, starting; finding games."""

import base64
from datetime import datetime
from http import HTTPStatus
from typing import Any, NoReturn

import msgspec
import structlog
from flask import Response, request, url_for

from api.access import allowed, cache, caller, db, enqueue, player, visible_game
from api.blueprint import Blueprint
from api.idempotency import DOCUMENTED, idempotency_key, respond_once
from api.problems import refuse
from schemas.games import (
    GameSchema,
    GamesQuerySchema,
    GameSummarySchema,
    JoinGameSchema,
    NewGameSchema,
    OpenedGameSchema,
)
from service import Session, consent, games, records, seats, work
from service.deadlines import read_absences
from service.games import ActInGame, GameRow, NewGame, NewSeat, SeatRow
from service.players import Player
from service.records import Demands, TurnRecord

bp = Blueprint("games", __name__, url_prefix="/v1", description="Games and their seats")


@bp.route("/games", methods=["POST"])
@allowed("host")
@bp.doc(parameters=[DOCUMENTED])
@bp.arguments(NewGameSchema)
@bp.response(201, OpenedGameSchema)
def open_game(body: dict[str, Any]) -> Response:
    """Open a game. It starts when the last seat is filled, or at your word."""
    who = player()
    demands = Demands(**body["demands"]) if body["demands"] else None
    new = NewGame(**{**body, "seats": tuple(NewSeat(**seat) for seat in body["seats"]), "demands": demands})
    done = games.open_once(db(), who, new, idempotency_key())
    game_id = done.made.game.id
    structlog.contextvars.bind_contextvars(game=game_id)
    invitations = [{"seat": seat, "token": secret} for seat, secret in done.made.invitations.items()]
    opened = {"game": look_after(game_id, who), "invitations": invitations}
    location = url_for("games.game", game_id=game_id)
    return respond_once(done, 201, OpenedGameSchema().dump(opened), {"Location": location})


def look_after(game_id: str, who: Player) -> dict[str, Any]:
    """Describes a game that was changed, and has workers do what it needs now."""
    with db().session() as session:
        description = describe(session, games.known(session, game_id), who)
        pending = work.pending(session, game_id)
    enqueue(pending)
    return description


def _wrong(field: str, detail: str) -> NoReturn:
    refuse(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid-request", detail, field=field, errors={field: [detail]})


@bp.route("/games")
@bp.arguments(GamesQuerySchema, location="query")
@bp.response(200, GameSummarySchema(many=True))
def list_games(query: dict[str, Any]) -> Any:
    """Games, newest first: all public ones and yours. The `Link` header leads to the next page."""
    who = player() if query["mine"] or query["to_act"] else caller()
    after = _cursor(query["after"]) if "after" in query else None
    with db().session() as session:
        found = games.listing(
            session,
            who.id if who else None,
            mine=query["mine"],
            to_act=query["to_act"],
            status=query.get("status"),
            ruleset=query.get("ruleset"),
            after=after,
            limit=query["limit"] + 1,
        )
    page, rest = found[: query["limit"]], found[query["limit"] :]
    headers = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
    if rest:
        cursor = base64.urlsafe_b64encode(f"{page[-1].created_at.isoformat()} {page[-1].id}".encode()).decode()
        others: dict[str, Any] = {name: value for name, value in request.args.items() if name != "after"}
        headers["Link"] = f'<{url_for("games.list_games", **others, after=cursor)}>; rel="next"'
    return [summary(game) for game in page], 200, headers


def _cursor(text: str) -> tuple[datetime, str]:
    try:
        moment, _, game_id = base64.urlsafe_b64decode(text.encode("ascii")).decode("ascii").partition(" ")
        if "\0" in game_id:
            raise ValueError(game_id)
        return datetime.fromisoformat(moment), game_id
    except ValueError:
        return _wrong("after", "Take `after` from the `next` link of a page.")


@bp.route("/games/<game_id>")
@bp.response(200, GameSchema)
def game(game_id: str) -> Any:
    """A game: its state, its seats, whom it waits for."""
    found = visible_game(game_id)
    with db().session() as session:
        body = describe(session, found, caller())
    return body, 200, {"ETag": f'"{found.sequence}"', "Cache-Control": "private, no-cache", "Vary": "Authorization"}


@bp.route("/games/<game_id>/seats", methods=["POST"])
@allowed("play")
@bp.doc(parameters=[DOCUMENTED])
@bp.arguments(JoinGameSchema)
@bp.response(201, GameSchema)
def join(body: dict[str, Any], game_id: str) -> Response:
    """Take a seat: an open one, or with the token of an invitation the one that it is for."""
    who = player()

    def take_seat(transaction: Session, game_id: str) -> None:
        seats.join(transaction, game_id, who, invitation=body["token"], seat=body["seat"], entropy=body["entropy"])

    return act_in_game(game_id, who, take_seat, 201)


@bp.route("/games/<game_id>/seats/me", methods=["DELETE"])
@allowed("play")
@bp.response(200, GameSchema)
def leave(game_id: str) -> Any:
    """Give up your seat. In a game that has begun the referee plays on for you, as long as others are there."""
    who = player()
    visible_game(game_id)
    with db().transaction() as transaction:
        seats.leave(transaction, game_id, who.id)
    cache().clear()
    return look_after(game_id, who)


@bp.route("/games/<game_id>/start", methods=["POST"])
@allowed("host")
@bp.doc(parameters=[DOCUMENTED])
@bp.response(200, GameSchema)
def start(game_id: str) -> Response:
    """The host's word: seats that nobody has taken are given to bots."""
    return host_action(game_id, games.start)


def host_action(game_id: str, act: ActInGame) -> Response:
    """Does what only the host of a game may do."""
    who = player()
    if visible_game(game_id).host != who.id:
        refuse(HTTPStatus.FORBIDDEN, "not-the-host", "Only the host of the game may do this.")
    return act_in_game(game_id, who, act, 200)


def act_in_game(game_id: str, who: Player, act: ActInGame, status: int = 200) -> Response:
    """Changes a game, and tells how it is then."""
    done = games.act_once(db(), game_id, act, idempotency_key())
    return respond_once(done, status, GameSchema().dump(look_after(game_id, who)))


def describe(session: Session, game: GameRow, who: Player | None) -> dict[str, Any]:
    at_table = games.seats(session, game.id)
    mine = next((seat.seat for seat in at_table if who and seat.player_id == who.id), None)
    known = records.records(session, [seat.player_id for seat in at_table if seat.player_id is not None])
    return summary(game) | {
        "seats": [_describe_seat(seat, known) for seat in at_table],
        "you": mine,
        "absences": read_absences(game.absences),
        "consents": [msgspec.structs.asdict(given) for given in consent.of_game(session, game.id)],
        "departures": [msgspec.structs.asdict(gone) for gone in seats.departures(session, game.id)],
    }


def summary(game: GameRow) -> dict[str, Any]:
    clock = msgspec.json.decode(game.timing) if game.timing else game.clock
    demands = msgspec.json.decode(game.demands) if game.demands else None
    settings = msgspec.json.decode(game.settings)
    return msgspec.structs.asdict(game) | {"settings": settings, "clock": clock, "demands": demands}


def _describe_seat(seat: SeatRow, known: dict[int, TurnRecord]) -> dict[str, Any]:
    kinds = {"player": seat.player_id is not None, "bot": seat.bot is not None, "invitation": seat.is_invitation}
    kind = next((kind for kind, it_is in kinds.items() if it_is), "open")
    return {
        "seat": seat.seat,
        "kind": kind,
        "name": seat.name,
        "player": seat.player_id,
        "offered": seat.offered,
        "substitute": seat.substitute,
        "takes_over_at": seat.takes_over_at,
        "record": known.get(seat.player_id) if seat.player_id is not None else None,
    }
