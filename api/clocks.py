"""Time and second thoughts: pauses, absences, waiting for the deadline, taking back."""

from typing import Any

from flask import Response

from api.access import allowed, check_scope, db, enqueue, player, seat_needed, signed_in, visible_game
from api.blueprint import Blueprint
from api.games import act_in_game, look_after
from api.idempotency import DOCUMENTED, idempotency_key, respond_once
from api.moves import IF_MATCH, expected_sequence
from schemas.games import GameSchema
from schemas.table import AbsenceRequestSchema, UndoSchema, WaitSchema
from service import absences, consent, phases, undo
from service.players import Player

bp = Blueprint("clocks", __name__, url_prefix="/v1", description="Pauses, absences, waiting, taking back")


@bp.route("/games/<game_id>/pause", methods=["POST"])
@signed_in
@bp.doc(parameters=[DOCUMENTED])
@bp.response(200, GameSchema)
def pause(game_id: str) -> Response:
    """Stop the clock: at once at the host's word, else when all at the table have asked for it. No moves are taken."""
    who = player()
    if _speaks_as_host(game_id, who):
        return act_in_game(game_id, who, consent.pause_at_the_hosts_word)
    return act_in_game(
        game_id, who, lambda transaction, game_id: consent.pause_if_all_agree(transaction, game_id, who.id)
    )


@bp.route("/games/<game_id>/resume", methods=["POST"])
@signed_in
@bp.doc(parameters=[DOCUMENTED])
@bp.response(200, GameSchema)
def resume(game_id: str) -> Response:
    """Go on with a paused game: at once at the host's word, else when all at the table have asked for it."""
    who = player()
    if _speaks_as_host(game_id, who):
        return act_in_game(game_id, who, consent.resume_at_the_hosts_word)
    return act_in_game(
        game_id, who, lambda transaction, game_id: consent.resume_if_all_agree(transaction, game_id, who.id)
    )


def _speaks_as_host(game_id: str, who: Player) -> bool:
    """Whether the caller is the host; else they have to be at the table, and each needs the scope for it."""
    is_host = visible_game(game_id).host == who.id
    check_scope("host" if is_host else "play")
    if not is_host:
        seat_needed(game_id)
    return is_host


@bp.route("/games/<game_id>/absence", methods=["POST"])
@allowed("play")
@bp.doc(parameters=[DOCUMENTED])
@bp.arguments(AbsenceRequestSchema)
@bp.response(201, GameSchema)
def absence(body: dict[str, Any], game_id: str) -> Response:
    """Say that you are away, from when until when: your clock stands still then, and the others can see it."""
    who = player()
    seat_needed(game_id)
    return act_in_game(
        game_id,
        who,
        lambda transaction, game_id: absences.announce(transaction, game_id, who.id, body["begin"], body["until"]),
        201,
    )


@bp.route("/games/<game_id>/wait", methods=["POST"])
@allowed("play")
@bp.doc(parameters=[DOCUMENTED])
@bp.arguments(WaitSchema)
@bp.response(200, GameSchema)
def wait(body: dict[str, Any], game_id: str) -> Response:
    """Have the sealed orders of this phase opened at the deadline and no sooner: you may want to change yours."""
    who = player()
    seat_needed(game_id)
    return act_in_game(
        game_id, who, lambda transaction, game_id: phases.set_wait(transaction, game_id, who.id, body["wait"])
    )


@bp.route("/games/<game_id>/undo", methods=["POST"])
@allowed("play")
@bp.doc(parameters=[DOCUMENTED, IF_MATCH])
@bp.arguments(UndoSchema)
@bp.response(200, GameSchema)
def take_back(body: dict[str, Any], game_id: str) -> Response:
    """Take back, as the game allows: by yourself while nothing has come of it, or when all have asked for the same."""
    who = player()
    seat_needed(game_id)
    done = undo.undo(
        db(), game_id, who.id, body["to"], body["agree"], expected=expected_sequence(), key=idempotency_key()
    )
    enqueue(done.made.work)
    return respond_once(done, 200, GameSchema().dump(look_after(game_id, who)))
