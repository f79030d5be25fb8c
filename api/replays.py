"""The position, the log, the pictures and the record, now or at any earlier row, as the caller may see them."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from http import HTTPStatus
from typing import Any

from flask import Response, request, stream_with_context, url_for

from api import pictures
from api.access import caller, db, visible_game
from api.blueprint import Blueprint
from api.problems import refuse
from api.responses import code_digest, engine_response, fill, tagged
from api.rulesets import known_game
from referee import record
from referee.contract import EVERYTHING, View, Viewer, canonical, digest
from referee.log import Entry
from referee.record import VisibleRow
from referee.table import Table
from schemas.engine import Log, Reason, Reasons, RowScores, Scores, ref
from schemas.replays import (
    LogQuerySchema,
    PictureQuerySchema,
    PixelsQuerySchema,
    RecordsQuerySchema,
    ScoresQuerySchema,
    SeenQuerySchema,
    TextQuerySchema,
)
from service import bot_turns, positions, replays
from service.errors import OtherRules
from service.games import GameRow
from service.positions import Seen

bp = Blueprint("replays", __name__, url_prefix="/v1", description="Positions, pictures and records")

SVG, PNG, TEXT, JSON_LINES = "image/svg+xml", "image/png", "text/plain; charset=utf-8", "application/jsonl"


class Viewing:
    """A started game at some row through the caller's eyes: everything, once the game is over."""

    def __init__(self, game_id: str, at: int | None = None, seen_by: int | None = None) -> None:
        who = caller()
        self.game, seen = self._load(game_id, who.id if who else None)
        self.now, self.seat = seen.table, seen.seat
        self.table: Table = self.now if at is None else replays.at(db(), game_id, self.now, at)
        self.is_over = self.now.is_over
        self.viewer = EVERYTHING if self.is_over else Viewer(self.seat)
        if seen_by is not None:
            self._look_as(seen_by)

    def _load(self, game_id: str, player_id: int | None) -> tuple[GameRow, Seen]:
        """From a standby if the game is over there; what still goes on is as the primary has it."""
        if over := replays.if_over(db(), game_id, player_id):
            return over
        game = visible_game(game_id)
        if game.status == "open":
            refuse(HTTPStatus.CONFLICT, "wrong-status", "The game has not started.")
        return game, positions.load_for(db(), game_id, player_id)

    def _look_as(self, seat: int) -> None:
        """After the game: what a seat could see at an earlier row, and no more. At the last row all is open to all."""
        if not self.is_over:
            refuse(HTTPStatus.CONFLICT, "wrong-status", "What a seat could see is told when the game is over.")
        if seat >= self.now.game.seats:
            detail = f"The seats of this game are 0 to {self.now.game.seats - 1}."
            refuse(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid-request", detail, errors={"query": {"seen_by": [detail]}})
        self.seat = seat
        if self.table is not self.now:
            self.table.is_revealed = False

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

    def picture(self, cut: pictures.Cut, width: int | None = None) -> bytes:
        return pictures.picture((self.game.id, self.table.sequence, self.mark), self.table, self.view, cut, width)

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
@bp.arguments(SeenQuerySchema, location="query")
@bp.response(200, ref(View))
def position(query: dict[str, Any], game_id: str) -> Response:
    """The game as you may see it, now or after an earlier row."""
    viewing = Viewing(game_id, query.get("at"), query.get("seen_by"))
    return viewing.respond("application/json", lambda: canonical(viewing.view) + b"\n")


@bp.route("/games/<game_id>/log")
@bp.arguments(LogQuerySchema, location="query")
@bp.response(200, ref(Log))
def log(query: dict[str, Any], game_id: str) -> Response:
    """Moves and what came of them, in words too, as you may know them. The `Link` header leads on."""
    viewing = Viewing(game_id)
    after = -1 if query["after"] is None else query["after"]
    found = replays.entries(db(), game_id, after, query["limit"], viewing.now.sequence)
    rows = tuple(viewing.visible(entry) for entry in found)
    response = engine_response(Log(rows), sequence=viewing.now.sequence)
    if rows and rows[-1].number < viewing.now.sequence:
        place = url_for("replays.log", game_id=game_id, after=rows[-1].number, limit=query["limit"])
        response.headers["Link"] = f'<{place}>; rel="next"'
    return response


@bp.route("/games/<game_id>/reasons")
@bp.arguments(LogQuerySchema, location="query")
@bp.response(200, ref(Reasons))
def reasons(query: dict[str, Any], game_id: str) -> Response:
    """Why the bots moved as they did, a sentence for each move; told when the game is over. The `Link` header leads
    on; a row is never cut in two."""
    viewing = Viewing(game_id)
    if not viewing.now.is_over:
        refuse(HTTPStatus.CONFLICT, "wrong-status", "Bots say why they moved as they did when the game is over.")
    after = -1 if query["after"] is None else query["after"]
    with db().session() as session:
        found = bot_turns.reasons(session, game_id, after, query["limit"])
    response = engine_response(Reasons(tuple(Reason(one.sequence, one.seat, one.reason) for one in found)))
    if len(found) >= query["limit"]:
        place = url_for("replays.reasons", game_id=game_id, after=found[-1].sequence, limit=query["limit"])
        response.headers["Link"] = f'<{place}>; rel="next"'
    return response


@bp.route("/games/<game_id>/board.svg")
@bp.arguments(PictureQuerySchema, location="query")
@bp.response(200, {"type": "string"}, content_type=SVG)
def board_svg(query: dict[str, Any], game_id: str) -> Response:
    """The table, or a part of it, as a picture."""
    viewing = Viewing(game_id, query.get("at"), query.get("seen_by"))
    cut = pictures.Cut(query["part"], query["look"])
    viewing.check_part(cut.part)
    return viewing.respond(SVG, lambda: viewing.picture(cut), " ".join(cut))


@bp.route("/games/<game_id>/board.png")
@bp.arguments(PixelsQuerySchema, location="query")
@bp.response(200, {"type": "string", "format": "binary"}, content_type=PNG)
def board_png(query: dict[str, Any], game_id: str) -> Response:
    """The table, or a part of it, as a picture for mails and chats."""
    viewing = Viewing(game_id, query.get("at"), query.get("seen_by"))
    cut, width = pictures.Cut(query["part"], query["look"]), query["width"]
    viewing.check_part(cut.part)
    return viewing.respond(PNG, lambda: viewing.picture(cut, width), f"{' '.join(cut)} {width}")


@bp.route("/games/<game_id>/board.txt")
@bp.arguments(TextQuerySchema, location="query")
@bp.response(200, {"type": "string"}, content_type=TEXT)
def board_txt(query: dict[str, Any], game_id: str) -> Response:
    """What has happened since your last move, then the table in words: what the decision needs, a part, or all."""
    viewing, part = Viewing(game_id, query.get("at"), query.get("seen_by")), query["part"]
    viewing.check_part(part, "full")
    with_news = query["news"] and "at" not in query and part in ("", "full")
    return viewing.respond(TEXT, lambda: viewing.text(part, with_news), f"{part} {with_news}")


@bp.route("/games/<game_id>/record")
@bp.response(200, {"type": "string"}, content_type=JSON_LINES)
def game_record(game_id: str) -> Response:
    """The record as JSON Lines: once the game is over, all of it, for `./waybill verify`; before, what you may know."""
    viewing = Viewing(game_id)
    if viewing.is_over:
        return viewing.respond(JSON_LINES, lambda: record.export(replays.record_of(db(), game_id, viewing.now)))
    return _streamed(_rows_so_far(viewing), JSON_LINES)


@bp.route("/games/<game_id>/scores")
@bp.arguments(ScoresQuerySchema, location="query")
@bp.response(200, ref(Scores))
def scores(query: dict[str, Any], game_id: str) -> Response:
    """The score of each seat after each row, as far as you may know them. The `Link` header leads on."""
    viewing = Viewing(game_id)
    after, limit = -1 if query["after"] is None else query["after"], query["limit"]
    rows = tuple(_scores(table, viewing) for table in replays.course(db(), game_id, viewing.now, after, limit))
    response = engine_response(Scores(viewing.now.game.seats, rows), sequence=viewing.now.sequence)
    if rows and rows[-1].row < viewing.now.sequence:
        place = url_for("replays.scores", game_id=game_id, after=rows[-1].row, limit=limit)
        response.headers["Link"] = f'<{place}>; rel="next"'
    return response


def _scores(table: Table, viewing: Viewing) -> RowScores:
    standings = table.game.standings(table.position, viewing.viewer)
    by_seat = {standing.seat: standing.score for standing in standings}
    return RowScores(table.sequence, tuple(by_seat[seat] for seat in range(table.game.seats)))


@bp.route("/games/<game_id>/transcript")
@bp.response(200, {"type": "string"}, content_type=TEXT)
def transcript(game_id: str) -> Response:
    """What has happened so far, sentence by sentence, as you may know it."""
    viewing = Viewing(game_id)
    if viewing.is_over:
        return viewing.respond(TEXT, lambda: b"".join(_told_so_far(viewing)), "transcript")
    return _streamed(_told_so_far(viewing), TEXT)


def _told_so_far(viewing: Viewing) -> Iterator[bytes]:
    words, now = viewing.now.words, viewing.now
    yield _lines(record.preamble(now.header, words))
    for entry in _entries_so_far(viewing):
        yield _lines(record.told(viewing.visible(entry), words))
    if viewing.is_over:
        yield _lines(record.result(words, now.ending, viewing.view.standings))


def _lines(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


@bp.route("/rulesets/<key>/records")
@bp.arguments(RecordsQuerySchema, location="query")
@bp.doc(security=[{}])
@bp.response(200, {"type": "string"}, content_type=JSON_LINES)
def records(query: dict[str, Any], key: str) -> Response:
    """Finished public games, a line each, in the order in which they ended: `number`, `game` and the lines of its
    `record`. To go on later, send the last `number` as `after`; the `Link` header leads to what there is now."""
    known_game(key)
    limit = query["limit"]
    found = replays.finished(db(), key, query["after"], limit + 1)
    response = _streamed(_records(found[:limit]), JSON_LINES)
    if len(found) > limit:
        place = url_for("replays.records", key=key, after=found[limit - 1][0], limit=limit)
        response.headers["Link"] = f'<{place}>; rel="next"'
    return response


def _records(found: list[tuple[int, str]]) -> Iterator[bytes]:
    for number, game_id in found if request.method != "HEAD" else ():
        with suppress(OtherRules):  # which this version of the service cannot read
            lines = record.export(replays.record_of(db(), game_id)).splitlines()
            yield b'{"number":%d,"game":"%b","record":[%b]}\n' % (number, game_id.encode(), b",".join(lines))


def _rows_so_far(viewing: Viewing) -> Iterator[bytes]:
    yield canonical({"header": viewing.table.header}) + b"\n"
    for entry in _entries_so_far(viewing):
        yield canonical({"told": viewing.visible(entry)}) + b"\n"


def _entries_so_far(viewing: Viewing) -> Iterator[Entry]:
    """The log, some rows at a time: whoever reads slowly holds no connection to the database."""
    after, last = -1, viewing.now.sequence
    while request.method != "HEAD" and after < last:
        entries = replays.entries(db(), viewing.game.id, after, last=last)
        yield from (entry for entry in entries if entry.row.number <= last)
        after = entries[-1].row.number


def _streamed(parts: Iterator[bytes], content_type: str) -> Response:
    response = Response(stream_with_context(parts), content_type=content_type)
    response.headers.update({"Cache-Control": "private, no-cache", "Vary": "Authorization"})
    return response
