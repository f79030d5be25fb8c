"""The position, the log, the pictures and the record, now or at any earlier row, as the caller may see them."""

from collections.abc import Callable, Iterator
from functools import cached_property
from http import HTTPStatus
from typing import Any

from flask import Response, request, stream_with_context, url_for

from api import pictures
from api.access import db, my_seat, visible_game
from api.blueprint import Blueprint
from api.problems import refuse
from api.responses import code_digest, engine_response, fill, tagged
from referee import record
from referee.contract import EVERYTHING, View, Viewer, canonical, digest
from referee.log import Entry
from referee.record import VisibleRow
from referee.table import Table
from schemas.engine import Log, ref
from schemas.replays import AtQuerySchema, LogQuerySchema, PartQuerySchema, PictureQuerySchema, TextQuerySchema
from service import positions, replays
from service.games import GameRow

bp = Blueprint("replays", __name__, url_prefix="/v1", description="Positions, pictures and records")

SVG, PNG, TEXT, JSON_LINES = "image/svg+xml", "image/png", "text/plain; charset=utf-8", "application/jsonl"


class Viewing:
    """A started game at some row through the caller's eyes: everything, once the game is over."""

    def __init__(self, game_id: str, at: int | None = None) -> None:
        self.game: GameRow = visible_game(game_id)
        if self.game.status == "open":
            refuse(HTTPStatus.CONFLICT, "wrong-status", "The game has not started.")
        self.seat = my_seat(game_id)
        self.now, _ = positions.load(db(), game_id)
        self.table: Table = self.now if at is None else replays.at(db(), game_id, self.now, at)
        self.is_over = self.now.is_over
        self.viewer = EVERYTHING if self.is_over else Viewer(self.seat)

    def visible(self, entry: Entry) -> VisibleRow:
        return record.redacted(self.table.game, entry, self.viewer, self.table.words)

    @cached_property
    def view(self) -> View:
        return self.table.view(self.seat)

    @cached_property
    def mark(self) -> str:
        """The digest of all that anything made of the view depends on."""
        return digest([code_digest(), canonical(self.view).decode()])

    def respond(self, content_type: str, make: Callable[[], bytes], variant: str = "") -> Response:
        """What `make` makes of the view. The entity tag comes from the view: what the caller has already is not made
        again. `variant` tells apart what is made of one view in several ways."""
        seen = digest([self.mark, content_type, variant])
        response = tagged(seen, content_type, self.table.sequence, final=self.is_over, public=self.is_public)
        if response.status_code != HTTPStatus.NOT_MODIFIED:
            fill(response, make())
        return response

    def picture(self, part: str = "", width: int | None = None) -> bytes:
        return pictures.picture((self.game.id, self.table.sequence, self.mark), self.table, self.view, part, width)

    def text(self, part: str, with_news: bool) -> bytes:
        """The text board; of a seat at the present, first what has happened since its last move."""
        game, news = self.table.game, ""
        if with_news and self.seat is not None:
            news = replays.news_for(db(), self.game.id, self.table, self.seat)
        return (news + game.text(self.view, part)).encode()

    def check_part(self, part: str, *more: str) -> None:
        """Refuses what the game's table has no part of."""
        there = (*more, *self.table.game.parts)
        if part and part not in there:
            known = f"the parts are {', '.join(there)}" if there else "its table is shown whole only"
            detail = f"{self.table.game.name} has no part {part!r}: {known}."
            refuse(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid-request", detail, errors={"query": {"part": [detail]}})

    @property
    def is_public(self) -> bool:
        """Whether everybody gets the same."""
        return self.is_over and not self.game.private and self.seat is None


@bp.route("/games/<game_id>/position")
@bp.arguments(AtQuerySchema, location="query")
@bp.response(200, ref(View))
def position(query: dict[str, Any], game_id: str) -> Response:
    """The game as you may see it, now or after an earlier row."""
    viewing = Viewing(game_id, query.get("at"))
    return viewing.respond("application/json", lambda: canonical(viewing.view) + b"\n")


@bp.route("/games/<game_id>/log")
@bp.arguments(LogQuerySchema, location="query")
@bp.response(200, ref(Log))
def log(query: dict[str, Any], game_id: str) -> Response:
    """Moves and what came of them, in words too, as you may know them. The `Link` header leads on."""
    viewing = Viewing(game_id)
    after = -1 if query["after"] is None else query["after"]
    rows = tuple(viewing.visible(entry) for entry in replays.entries(db(), game_id, after, query["limit"]))
    response = engine_response(Log(rows), sequence=viewing.now.sequence)
    if rows and rows[-1].number < viewing.now.sequence:
        place = url_for("replays.log", game_id=game_id, after=rows[-1].number, limit=query["limit"])
        response.headers["Link"] = f'<{place}>; rel="next"'
    return response


@bp.route("/games/<game_id>/board.svg")
@bp.arguments(PartQuerySchema, location="query")
@bp.response(200, {"type": "string"}, content_type=SVG)
def board_svg(query: dict[str, Any], game_id: str) -> Response:
    """The table, or a part of it, as a picture."""
    viewing, part = Viewing(game_id, query.get("at")), query["part"]
    viewing.check_part(part)
    return viewing.respond(SVG, lambda: viewing.picture(part), part)


@bp.route("/games/<game_id>/board.png")
@bp.arguments(PictureQuerySchema, location="query")
@bp.response(200, {"type": "string", "format": "binary"}, content_type=PNG)
def board_png(query: dict[str, Any], game_id: str) -> Response:
    """The table, or a part of it, as a picture for mails and chats."""
    viewing, part, width = Viewing(game_id, query.get("at")), query["part"], query["width"]
    viewing.check_part(part)
    return viewing.respond(PNG, lambda: viewing.picture(part, width), f"{part} {width}")


@bp.route("/games/<game_id>/board.txt")
@bp.arguments(TextQuerySchema, location="query")
@bp.response(200, {"type": "string"}, content_type=TEXT)
def board_txt(query: dict[str, Any], game_id: str) -> Response:
    """What has happened since your last move, then the table in words: what the decision needs, a part, or all."""
    viewing, part = Viewing(game_id, query.get("at")), query["part"]
    viewing.check_part(part, "full")
    with_news = query["news"] and "at" not in query and part in ("", "full")
    return viewing.respond(TEXT, lambda: viewing.text(part, with_news), f"{part} {with_news}")


@bp.route("/games/<game_id>/record")
@bp.response(200, {"type": "string"}, content_type=JSON_LINES)
def game_record(game_id: str) -> Response:
    """The record as JSON Lines: once the game is over, all of it, for `./waybill verify`; before, what you may know."""
    viewing = Viewing(game_id)
    if viewing.is_over:
        return viewing.respond(JSON_LINES, lambda: record.export(replays.record_of(db(), game_id)))
    response = Response(stream_with_context(_rows_so_far(viewing)), content_type=JSON_LINES)
    response.headers.update({"Cache-Control": "private, no-cache", "Vary": "Authorization"})
    return response


def _rows_so_far(viewing: Viewing) -> Iterator[bytes]:
    yield canonical({"header": viewing.table.header}) + b"\n"
    after = -1
    while request.method != "HEAD" and (entries := replays.entries(db(), viewing.game.id, after)):
        for entry in entries:
            yield canonical({"told": viewing.visible(entry)}) + b"\n"
        after = entries[-1].row.number
