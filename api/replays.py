"""The position, the log, the pictures and the record, now or at any earlier row, as the caller may see them."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from flask import Response, request, stream_with_context, url_for

import schemas
from api.access import db, my_seat, visible_game
from api.pictures import png
from api.problems import refuse
from api.reading import Blueprint
from api.serving import engine_response, tagged
from referee import record
from referee.contract import EVERYTHING, View, Viewer, canonical
from referee.table import Table
from schemas.engine import Log, ref
from store import moves, replays
from store.games import Game

bp = Blueprint("replays", __name__, url_prefix="/v1", description="Positions, pictures and records")

SVG, PNG, TEXT, JSON_LINES = "image/svg+xml", "image/png", "text/plain; charset=utf-8", "application/jsonl"


class Look:
    """A started game at some row through the caller's eyes: everything, once the game is over."""

    def __init__(self, game_id: str, at: int | None = None) -> None:
        self.game: Game = visible_game(game_id)
        if self.game.status == "open":
            refuse(HTTPStatus.CONFLICT, "wrong-status", "The game has not started.")
        self.seat = my_seat(game_id)
        self.now, _ = moves.load(db(), game_id)
        self.table: Table = self.now if at is None or at == self.now.sequence else replays.at(db(), game_id, at)
        self.is_over = self.now.is_over
        self.viewer = EVERYTHING if self.is_over else Viewer(self.seat)

    @property
    def view(self) -> View:
        return self.table.view(self.seat)

    def serve(self, body: bytes, content_type: str) -> Response:
        public = self.is_over and not self.game.private and self.seat is None
        return tagged(body, content_type, sequence=self.table.sequence, final=self.is_over, public=public)


@bp.route("/games/<game_id>/position")
@bp.arguments(schemas.AtQuery, location="query")
@bp.response(200, ref(View))
def position(query: dict[str, Any], game_id: str) -> Response:
    """The game as you may see it, now or after an earlier row."""
    look = Look(game_id, query.get("at"))
    return look.serve(canonical(look.view) + b"\n", "application/json")


@bp.route("/games/<game_id>/log")
@bp.arguments(schemas.LogQuery, location="query")
@bp.response(200, ref(Log))
def log(query: dict[str, Any], game_id: str) -> Response:
    """Moves and what came of them, in words too, as you may know them. The `Link` header leads on."""
    look = Look(game_id)
    after = -1 if query["after"] is None else query["after"]
    with db().session() as session:
        entries = replays.entries(session, game_id, after, query["limit"])
    rows = tuple(record.redacted(look.table.game, entry, look.viewer, look.table.words) for entry in entries)
    response = engine_response(Log(rows), sequence=look.now.sequence)
    if rows and rows[-1].number < look.now.sequence:
        after = rows[-1].number
        place = url_for("replays.log", game_id=game_id, after=after, limit=query["limit"])
        response.headers["Link"] = f'<{place}>; rel="next"'
    return response


@bp.route("/games/<game_id>/board.svg")
@bp.arguments(schemas.AtQuery, location="query")
@bp.response(200, {"type": "string"}, content_type=SVG)
def board_svg(query: dict[str, Any], game_id: str) -> Response:
    """The table as a picture."""
    look = Look(game_id, query.get("at"))
    return look.serve(look.table.game.picture(look.view).encode(), SVG)


@bp.route("/games/<game_id>/board.png")
@bp.arguments(schemas.PictureQuery, location="query")
@bp.response(200, {"type": "string", "format": "binary"}, content_type=PNG)
def board_png(query: dict[str, Any], game_id: str) -> Response:
    """The table as a picture for mails and chats."""
    look = Look(game_id, query.get("at"))
    return look.serve(png(look.table.game.picture(look.view), query["width"]), PNG)


@bp.route("/games/<game_id>/board.txt")
@bp.arguments(schemas.AtQuery, location="query")
@bp.response(200, {"type": "string"}, content_type=TEXT)
def board_txt(query: dict[str, Any], game_id: str) -> Response:
    """The table in words, for terminals and screen readers."""
    look = Look(game_id, query.get("at"))
    return look.serve(look.table.game.text(look.view).encode(), TEXT)


@bp.route("/games/<game_id>/record")
@bp.response(200, {"type": "string"}, content_type=JSON_LINES)
def game_record(game_id: str) -> Response:
    """The record as JSON Lines: once the game is over, all of it, for `./waybill verify`; before, what you may know."""
    look = Look(game_id)
    if look.is_over:
        return look.serve(record.export(replays.record_of(db(), game_id)), JSON_LINES)
    response = Response(stream_with_context(_told_so_far(look)), content_type=JSON_LINES)
    response.headers.update({"Cache-Control": "private, no-cache", "Vary": "Authorization"})
    return response


def _told_so_far(look: Look) -> Iterator[bytes]:
    yield canonical({"header": look.table.header}) + b"\n"
    after = -1
    while request.method != "HEAD":
        with db().session() as session:  # not held while a slow reader takes the rows
            entries = replays.entries(session, look.game.id, after)
        if not entries:
            return
        for entry in entries:
            yield canonical({"told": record.redacted(look.table.game, entry, look.viewer, look.table.words)}) + b"\n"
            after = entry.row.number
