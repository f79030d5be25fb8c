"""What may be done, and doing it."""

import re
from http import HTTPStatus
from typing import Any

import msgspec
from flask import Response, request

from api.access import allowed, db, enqueue, seat_needed, signed_in
from api.blueprint import Blueprint
from api.idempotency import DOCUMENTED, idempotency_key, respond
from api.problems import refuse
from api.responses import engine_response
from referee.contract import Viewer
from referee.errors import OrderError
from referee.options import schema
from referee.record import redacted
from referee.table import Outcome, Table
from schemas.engine import Checked, LeftOut, OptionListing, Options, Played, SealedAnswer, ref
from schemas.moves import MovesQuerySchema, NewMovesSchema
from service import moves, positions
from service.idempotency import Answer

bp = Blueprint("moves", __name__, url_prefix="/v1", description="Legal moves, and moving")

IF_MATCH = {
    "in": "header",
    "name": "If-Match",
    "required": False,
    "description": "The sequence number that the game must be at, quoted: an ETag of the game or of its position.",
    "schema": {"type": "string", "maxLength": 80, "pattern": r'^(\*|"[0-9]{1,9}(-[0-9a-f]{16})?")$'},
}


@bp.route("/games/<game_id>/options")
@signed_in
@bp.response(200, ref(Options))
def options(game_id: str) -> Response:
    """Your legal moves: as a list, as an exact JSON Schema, and how they are written."""
    seat = seat_needed(game_id)
    table, status = positions.load(db(), game_id)
    is_over = status == "over"  # perhaps without a result: then the position still asks
    offers = [] if is_over else table.offers(seat)
    decisions = () if is_over else table.decisions(seat)
    hints = table.hints(seat)
    default = table.default(seat) if any(decision.required for decision in decisions) else None
    found = Options(
        sequence=table.sequence,
        decisions=decisions,
        offers=tuple(OptionListing(**offer.listing(hints(offer))) for offer in offers),
        schema=schema(offers),
        default=msgspec.to_builtins(default) if default else None,
    )
    return engine_response(found, sequence=table.sequence)


@bp.route("/games/<game_id>/moves", methods=["POST"])
@allowed("play")
@bp.doc(parameters=[DOCUMENTED, IF_MATCH])
@bp.arguments(MovesQuerySchema, location="query")
@bp.arguments(NewMovesSchema, required=True)
@bp.response(201, ref(Played), description="Played: the orders stand.")
@bp.alt_response(202, schema=ref(SealedAnswer), description="Sealed until the last player has moved.", success=True)
@bp.alt_response(200, schema=ref(Checked), description="A dry run: the orders would stand.", success=True)
def move(query: dict[str, Any], body: dict[str, Any], game_id: str) -> Response:
    """Send orders: all are played, or none; blind ones up to the first that has become impossible."""
    seat = seat_needed(game_id)
    done = moves.submit(
        db(),
        game_id,
        seat,
        body["moves"] if "moves" in body else body["orders"],
        expected=expected_sequence(),
        key=None if query["dry_run"] else idempotency_key(),
        blind=body.get("blind", False),
        answer=lambda table, outcome: answer_of(table, outcome, seat),
        dry_run=query["dry_run"],
    )
    if done.is_repeated:
        assert done.answer is not None
        return respond(done.answer, is_repeated=True)
    assert done.table is not None
    assert done.outcome is not None
    if query["dry_run"]:
        return engine_response(Checked(done.table.sequence - len(done.outcome.entries), done.outcome.readings))
    enqueue(done.work)
    return respond(done.answer or answer_of(done.table, done.outcome, seat))


def answer_of(table: Table, outcome: Outcome, seat: int) -> Answer:
    """What the player is told: the rows as they may see them, or the receipt of a sealed move."""
    body: Any
    if outcome.receipt:
        status, body = 202, SealedAnswer(table.sequence, outcome.readings, outcome.receipt)
    else:
        # Nothing that the last row may have opened to all is told of the rows before it.
        viewer = Viewer(seat)
        rows = tuple(redacted(table.game, entry, viewer, table.words) for entry in outcome.entries[:-1])
        rows += (redacted(table.game, outcome.entries[-1], table.viewer(seat), table.words),)
        readings = tuple(order["text"] for row in rows for order in row.orders)
        status, body = 201, Played(table.sequence, table.head, readings, rows, left_out(outcome.refused))
    return Answer(status, msgspec.json.encode(body).decode() + "\n", {"ETag": f'"{table.sequence}"'})


def left_out(error: OrderError | None) -> LeftOut | None:
    if error is None:
        return None
    nearest = dict(error.nearest) if error.nearest else None
    return LeftOut(error.index, error.code, error.message, error.field, error.rule, nearest, error.readings)


def expected_sequence() -> int | None:
    """The sequence number in If-Match, if there is one."""
    header = request.environ.get("HTTP_IF_MATCH")
    if header is None or header == "*":
        return None
    found = re.fullmatch(r'"(\d{1,9})(?:-[0-9a-f]{16})?"', header)
    if not found:
        detail = 'If-Match holds the sequence number in quotes: "12", or an ETag of the game.'
        refuse(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid-request", detail)
    return int(found[1])
