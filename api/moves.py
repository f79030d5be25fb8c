"""What may be done, and doing it."""

import re
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

import msgspec
from flask import Response, request

from api.access import allowed, cached_seat, db, enqueue, player, signed_in
from api.blueprint import Blueprint
from api.idempotency import DOCUMENTED, idempotency_key, respond
from api.problems import refuse
from api.responses import engine_response
from referee.contract import Viewer
from referee.errors import OrderError
from referee.options import Offer, schema
from referee.record import redacted
from referee.table import Outcome, Table
from schemas.engine import Checked, LeftOut, OptionListing, Options, OptionsAfter, Played, SealedAnswer, ref
from schemas.moves import MovesQuerySchema, NewMovesSchema
from service import moves, positions
from service.errors import NoSeat
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
    cached_seat(game_id)
    seen = positions.load_for(db(), game_id, player().id)
    table, seat = seen.table, seen.seat
    if seat is None:
        raise NoSeat
    # A game may be over without a result: then the position still asks.
    found = Options(sequence=table.sequence, **options_of(table, seat, is_asked=seen.status != "over"))
    return engine_response(found, sequence=table.sequence)


@bp.route("/games/<game_id>/options", methods=["POST"])
@signed_in
@bp.doc(parameters=[IF_MATCH])
@bp.arguments(NewMovesSchema, required=True)
@bp.response(200, ref(OptionsAfter))
def options_after(body: dict[str, Any], game_id: str) -> Response:
    """Your legal moves after orders that you might send: a dry run of them, and how the turn could go on."""
    seat = cached_seat(game_id)
    orders = body["moves"] if "moves" in body else body["orders"]
    who = player().id
    done = moves.submit(db(), game_id, seat, orders, expected=expected_sequence(), holder=who, dry_run=True)
    table, outcome = done.table, done.outcome
    assert table is not None
    assert outcome is not None
    # What chance brings is not told before the orders stand, however it would show.
    is_told = not (outcome.receipt or outcome.has_seen or any(entry.row.draws for entry in outcome.entries))
    sequence = table.sequence - len(outcome.entries)
    found = options_of(table, seat, is_asked=is_told and not table.is_over)
    read = tuple(msgspec.to_builtins(move) for move in outcome.moves)
    return engine_response(OptionsAfter(sequence=sequence, moves=read, readings=outcome.readings, **found))


def options_of(table: Table, seat: int, *, is_asked: bool) -> dict[str, Any]:
    offers = table.offers(seat) if is_asked else []
    decisions = table.decisions(seat) if is_asked else ()
    hints = table.hints(seat)
    default = table.default(seat) if any(decision.required for decision in decisions) else None
    return {
        "decisions": decisions,
        "offers": tuple(
            OptionListing(**offer.listing(hints(offer)), leaves_the_game=offer.move.leaves_the_game) for offer in offers
        ),
        "schema": schema(offers),
        "default": msgspec.to_builtins(default) if default else None,
        "words": words_for(table, offers),
    }


def words_for(table: Table, offers: Iterable[Offer]) -> dict[str, dict[str, str]]:
    """How the values on offer are written, by field, where that is not the value itself."""
    found: dict[str, dict[str, str]] = {}
    for offer in offers:
        for name, domain in offer.domains.items():
            if name in table.game.vocabulary:
                words = found.setdefault(name, {})
                words.update((value, table.words(name, value)) for value in domain.items() if value not in words)
    return {name: {value: said for value, said in words.items() if said != value} for name, words in found.items()}


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
    seat, key = cached_seat(game_id), idempotency_key()
    done = moves.submit(
        db(),
        game_id,
        seat,
        body["moves"] if "moves" in body else body["orders"],
        expected=expected_sequence(),
        holder=player().id,
        key=None if query["dry_run"] else key,
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
