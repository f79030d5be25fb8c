"""Standing orders: what is to be played for you when you are asked, and what they can speak of."""

from http import HTTPStatus
from typing import Any

import msgspec
from flask import Response

from api.access import allowed, db, enqueue, player, seat_needed, signed_in
from api.blueprint import Blueprint
from api.idempotency import DOCUMENTED, REPLAYED, idempotency_key
from api.press import PRIVATE
from api.problems import refuse
from api.responses import engine_response
from schemas.engine import FactNow, FactsNow, StandingOrders, ref
from schemas.replays import AtQuerySchema
from schemas.standing import NewStandingOrdersSchema, RemovedQuerySchema, StandingQuerySchema
from service import standing
from service.standing import WrongOrders

bp = Blueprint("standing", __name__, url_prefix="/v1", description="Standing orders, and the facts they speak of")


@bp.route("/games/<game_id>/standing-orders")
@signed_in
@bp.response(200, ref(StandingOrders))
def standing_orders(game_id: str) -> Response:
    """Your standing orders, which nobody else can see, and what they would do now."""
    seat = seat_needed(game_id)
    return engine_response(standing.listed(db(), game_id, seat, player().id))


@bp.route("/games/<game_id>/standing-orders", methods=["PUT"])
@allowed("play")
@bp.doc(parameters=[DOCUMENTED])
@bp.arguments(StandingQuerySchema, location="query")
@bp.arguments(NewStandingOrdersSchema)
@bp.response(200, ref(StandingOrders))
def put_standing_orders(query: dict[str, Any], body: dict[str, Any], game_id: str) -> Response:
    """Give standing orders in place of those before; with `dry_run`, see how they are read and what they would do."""
    seat, who, key = seat_needed(game_id), player(), idempotency_key()
    given = body["text"] if "text" in body else body["orders"]
    if "at" in query and not query["dry_run"]:
        refuse(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid-request", "`at` goes together with `dry_run`.")
    try:
        if query["dry_run"]:
            return private(standing.try_out(db(), game_id, seat, given, query.get("at")))
        done = standing.put(db(), game_id, seat, who.id, given, key)
    except WrongOrders as error:
        errors = msgspec.to_builtins(error.places)
        refuse(HTTPStatus.UNPROCESSABLE_ENTITY, "standing-orders", error.message, errors=errors)
    enqueue(done.made)
    return private(standing.listed(db(), game_id, seat, who.id), REPLAYED if done.is_repeated else {})


@bp.route("/games/<game_id>/standing-orders", methods=["DELETE"])
@allowed("play")
@bp.arguments(RemovedQuerySchema, location="query")
@bp.response(200, ref(StandingOrders))
def remove_standing_orders(query: dict[str, Any], game_id: str) -> Response:
    """Take standing orders back: one, by its number, or all. What they have played stands."""
    seat, who = seat_needed(game_id), player()
    enqueue(standing.remove(db(), game_id, seat, who.id, query.get("number")))
    return private(standing.listed(db(), game_id, seat, who.id))


def private(found: StandingOrders, headers: dict[str, str] | None = None) -> Response:
    """What a write has come to, for its owner alone."""
    body = msgspec.json.encode(found) + b"\n"
    return Response(body, content_type="application/json", headers={**PRIVATE, **(headers or {})})


@bp.route("/games/<game_id>/facts")
@signed_in
@bp.arguments(AtQuerySchema, location="query")
@bp.response(200, ref(FactsNow))
def facts(query: dict[str, Any], game_id: str) -> Response:
    """What standing orders can compare, with the values that you see now or saw after an earlier row."""
    seat = seat_needed(game_id)
    table, values = standing.facts(db(), game_id, seat, query.get("at"))
    known = table.game.standing.by_name
    found = tuple(FactNow(name, known[name].kind, known[name].says, value) for name, value in values.items())
    return engine_response(FactsNow(table.sequence, seat, found), sequence=table.sequence)
