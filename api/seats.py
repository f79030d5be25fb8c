"""Seats that change hands, and the host's word."""

from typing import Any

from flask import Response

from api.access import allowed, cache, player, visible_game
from api.blueprint import Blueprint
from api.games import act_in_game, host_action
from api.idempotency import DOCUMENTED
from schemas.games import GameSchema
from schemas.table import HostSchema, OfferSchema, SubstituteSchema
from service import Session, games, players, seats
from service.errors import NotFound

bp = Blueprint("seats", __name__, url_prefix="/v1", description="Seats that change hands")


@bp.route("/games/<game_id>/substitute", methods=["POST"])
@allowed("play")
@bp.doc(parameters=[DOCUMENTED])
@bp.arguments(SubstituteSchema)
@bp.response(200, GameSchema)
def substitute(body: dict[str, Any], game_id: str) -> Response:
    """Take over a seat that is offered. If somebody has left it, they may return until `takes_over_at`."""
    who = player()
    visible_game(game_id)

    def ask(transaction: Session, game_id: str) -> None:
        seats.ask_to_substitute(transaction, game_id, who, body["seat"])

    return _hand_over(game_id, ask)


@bp.route("/games/<game_id>/return", methods=["POST"])
@allowed("play")
@bp.doc(parameters=[DOCUMENTED])
@bp.response(200, GameSchema)
def come_back(game_id: str) -> Response:
    """Return to the seat that you have left, or have lost by being late."""
    who = player()
    visible_game(game_id)
    return _hand_over(game_id, lambda transaction, game_id: seats.come_back(transaction, game_id, who))


@bp.route("/games/<game_id>/offer", methods=["POST"])
@allowed("host")
@bp.doc(parameters=[DOCUMENTED])
@bp.arguments(OfferSchema)
@bp.response(200, GameSchema)
def offer(body: dict[str, Any], game_id: str) -> Response:
    """The host's word: the seat of a bot is offered to a player, or to whoever wants it."""

    def make_offer(transaction: Session, game_id: str) -> None:
        named = players.by_name(transaction, body["name"]) if body["name"] is not None else None
        if body["name"] is not None and named is None:
            raise NotFound(f"There is no player {body['name']}.")
        seats.offer(transaction, game_id, body["seat"], named)

    return host_action(game_id, make_offer)


@bp.route("/games/<game_id>/host", methods=["POST"])
@allowed("host")
@bp.doc(parameters=[DOCUMENTED])
@bp.arguments(HostSchema)
@bp.response(200, GameSchema)
def hand_on(body: dict[str, Any], game_id: str) -> Response:
    """The host's word: somebody else at the table is the host from now on."""
    return host_action(game_id, lambda transaction, game_id: seats.hand_on(transaction, game_id, body["player"]))


@bp.route("/games/<game_id>/end", methods=["POST"])
@allowed("host")
@bp.doc(parameters=[DOCUMENTED])
@bp.response(200, GameSchema)
def end(game_id: str) -> Response:
    """The host's word: the game is over, without a result. Its secrets stay secret."""
    return host_action(game_id, games.end)


def _hand_over(game_id: str, act: games.ActInGame) -> Response:
    answer = act_in_game(game_id, player(), act)
    cache().clear()  # whose seat is which
    return answer
