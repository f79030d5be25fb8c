"""Trying things out: a game whose time and bots wait for one's word, and copies of games."""

from http import HTTPStatus
from typing import Any

from flask import Response, url_for

from api.access import allowed, db, enqueue, player, visible_game
from api.blueprint import Blueprint
from api.games import act_in_game, describe
from api.idempotency import DOCUMENTED, idempotency_key, respond_once
from api.problems import refuse
from schemas.games import GameSchema
from schemas.sandbox import AdvanceSchema, ForkQuerySchema
from service import Session, sandbox
from service.work import Work

bp = Blueprint("sandbox", __name__, url_prefix="/v1", description="Games to try things out in")


@bp.route("/games/<game_id>/advance", methods=["POST"])
@allowed("host")
@bp.doc(parameters=[DOCUMENTED])
@bp.arguments(AdvanceSchema)
@bp.response(200, GameSchema)
def advance(body: dict[str, Any], game_id: str) -> Response:
    """The host's word in a sandbox: time passes, then the bots answer. They do so in a moment, as in any game."""
    who = player()
    game = visible_game(game_id)
    if game.host != who.id:
        refuse(HTTPStatus.FORBIDDEN, "not-the-host", "Only the host of the game may do this.")
    sandbox.check(game)
    due: list[Work | None] = []

    def act(transaction: Session, game_id: str) -> None:
        due.append(sandbox.advance(transaction, game_id, body["seconds"], body["bots"]))

    answer = act_in_game(game_id, who, act)
    for work in due:
        enqueue(work)
    return answer


@bp.route("/games/<game_id>/fork", methods=["POST"])
@allowed("host")
@bp.doc(parameters=[DOCUMENTED])
@bp.arguments(ForkQuerySchema, location="query")
@bp.response(201, GameSchema)
def fork(query: dict[str, Any], game_id: str) -> Response:
    """A copy of a game as it was after a row, to try out what else could be: a sandbox of your own, with bots on the
    other seats. Of a game that is over it is exact, and its chance goes on as the game's own did. Of any other it
    begins with row 0: what you may know is as it was, everything hidden is dealt anew, and so is all chance."""
    who = player()
    done = sandbox.fork(db(), visible_game(game_id), who, sandbox.Wanted(**query), idempotency_key())
    with db().session() as session:
        body = describe(session, done.made, who)
    return respond_once(done, 201, GameSchema().dump(body), {"Location": url_for("games.game", game_id=done.made.id)})
