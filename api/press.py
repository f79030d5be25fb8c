"""Writing to the others at a table, and whom not to hear from."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from flask import Response, request, url_for

from api.access import allowed, caller, db, player, signed_in, visible_game
from api.blueprint import Blueprint
from api.idempotency import DOCUMENTED, idempotency_key, respond_once
from api.problems import refuse
from referee.contract import canonical
from schemas.notices import LARGEST_NUMBER
from schemas.press import BlockSchema, MessageSchema, NewPressSchema, PressQuerySchema
from service import press, seats
from service.games import GameRow
from service.press import Eyes

bp = Blueprint("press", __name__, url_prefix="/v1", description="Messages between players")

PRIVATE = {"Cache-Control": "private, no-store", "Vary": "Authorization"}
JSON_LINES = "application/jsonl"


def eyes_of(game_id: str) -> Eyes:
    """Who reads the press of a game."""
    who = caller()
    if who is None:
        return Eyes()
    with db().session() as session:
        return Eyes(who.id, seats.seat_of(session, game_id, who.id))


@bp.route("/games/<game_id>/press", methods=["POST"])
@allowed("play")
@bp.doc(parameters=[DOCUMENTED])
@bp.arguments(NewPressSchema)
@bp.response(201, MessageSchema)
def send_press(body: dict[str, Any], game_id: str) -> Response:
    """Write to everybody at the table, to some seats, or a note to yourself."""
    visible_game(game_id)
    if eyes_of(game_id).seat is None:
        refuse(HTTPStatus.FORBIDDEN, "no-seat", "You have no seat in this game.")
    done = press.send_once(db(), game_id, player().id, body["text"], body["to"], body["note"], idempotency_key())
    return respond_once(done, 201, MessageSchema().dump(done.made))


@bp.route("/games/<game_id>/press")
@bp.arguments(PressQuerySchema, location="query")
@bp.response(200, MessageSchema(many=True))
@bp.alt_response(200, schema={"type": "string"}, content_type=JSON_LINES)
def read_press(query: dict[str, Any], game_id: str) -> Any:
    """What was written, as far as it is for your eyes, oldest first. The `Link` header leads to the next page."""
    game, eyes = visible_game(game_id), eyes_of(game_id)
    if query["format"] == "jsonl":
        return Response(b"".join(_lines(game, eyes)), content_type=JSON_LINES, headers=PRIVATE)
    with db().session() as session:
        found = press.page(session, game, eyes, query.get("after"), query["limit"] + 1)
    page, rest = found[: query["limit"]], found[query["limit"] :]
    headers = dict(PRIVATE)
    if rest:
        others: dict[str, Any] = {name: value for name, value in request.args.items() if name != "after"}
        place = url_for("press.read_press", game_id=game_id, **others, after=page[-1].id)
        headers["Link"] = f'<{place}>; rel="next"'
    return page, 200, headers


def _lines(game: GameRow, eyes: Eyes) -> Iterator[bytes]:
    with db().session() as session:
        for line in press.export(session, game, eyes):
            yield canonical(line) + b"\n"


@bp.route("/games/<game_id>/press/<message_id>", methods=["DELETE"])
@allowed("play")
@bp.response(204)
def remove_press(game_id: str, message_id: str) -> Any:
    """Take a text away, as its author or as the host. Its hash stays."""
    game = visible_game(game_id)
    with db().transaction() as transaction:
        press.remove(transaction, game, player().id, message_id)
    return Response(status=204)


@bp.route("/me/blocks")
@signed_in
@bp.response(200, BlockSchema(many=True))
def blocks() -> Any:
    """The players that you do not hear from."""
    with db().session() as session:
        return press.blocks(session, player().id), 200, PRIVATE


@bp.route("/me/blocks/<int:player_id>", methods=["PUT"])
@allowed("account")
@bp.response(200, BlockSchema(many=True))
def block(player_id: int) -> Any:
    """Hear no more from a player: where senders are named, you neither see what they write nor are told of it."""
    _check_number(player_id)
    with db().transaction() as transaction:
        return press.block(transaction, player().id, player_id), 200, PRIVATE


@bp.route("/me/blocks/<int:player_id>", methods=["DELETE"])
@allowed("account")
@bp.response(204)
def unblock(player_id: int) -> Any:
    """Hear from a player again."""
    _check_number(player_id)
    with db().transaction() as transaction:
        press.unblock(transaction, player().id, player_id)
    return Response(status=204)


def _check_number(player_id: int) -> None:
    if player_id > LARGEST_NUMBER:
        refuse(HTTPStatus.NOT_FOUND, "not-found", "There is no such player.")
