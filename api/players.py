"""Signing up, one's own name and address, tokens."""

from http import HTTPStatus
from typing import Any

from flask import Response

import schemas
from api.access import caller, db, player, remembered, signed_in
from api.once import DOCUMENTED, DOCUMENTED_ALONE, json_answer, once
from api.problems import refuse
from api.reading import Blueprint
from store import players
from store.database import Session
from store.idempotency import Answer

bp = Blueprint("players", __name__, url_prefix="/v1", description="Players and their tokens")


@bp.route("/players", methods=["POST"])
@bp.doc(parameters=[DOCUMENTED_ALONE], security=[{}])
@bp.arguments(schemas.NewPlayer)
@bp.response(201, schemas.SignedUp)
def sign_up(wish: dict[str, Any]) -> Response:
    """Sign up: a name, perhaps an e-mail address. The answer holds your token."""
    caller()  # nobody gets around the limit with tokens that are none

    def work(transaction: Session) -> Answer:
        who = players.create(transaction, wish["name"], wish["email"])
        token, _ = players.issue_token(transaction, who.id, "sign-up")
        return json_answer(201, schemas.SignedUp().dump({"player": who, "token": token}))

    return once(work)


@bp.route("/me")
@signed_in
@bp.response(200, schemas.Player)
def me() -> Any:
    """Who you are."""
    return player()


@bp.route("/me", methods=["PATCH"])
@signed_in
@bp.arguments(schemas.PlayerChange)
@bp.response(200, schemas.Player)
def change_me(wish: dict[str, Any]) -> Any:
    """Change your name or address. In games that have begun you keep the name you began with."""
    who = player()
    with db().transaction() as transaction:
        changed = players.change(transaction, who.id, **wish)
    remembered().clear()
    return changed


@bp.route("/me/tokens")
@signed_in
@bp.response(200, schemas.Token(many=True))
def tokens() -> Any:
    """Your tokens, without their secrets."""
    with db().session() as session:
        return players.tokens(session, player().id)


@bp.route("/me/tokens", methods=["POST"])
@signed_in
@bp.doc(parameters=[DOCUMENTED])
@bp.arguments(schemas.NewToken)
@bp.response(201, schemas.IssuedToken)
def issue_token(wish: dict[str, Any]) -> Response:
    """A further token, for a program of yours."""
    who = player()

    def work(transaction: Session) -> Answer:
        text, token = players.issue_token(transaction, who.id, wish["label"])
        return json_answer(201, schemas.Token().dump(token) | {"token": text})

    return once(work)


@bp.route("/me/tokens/<int:token_id>", methods=["DELETE"])
@signed_in
@bp.response(204)
def revoke_token(token_id: int) -> Any:
    """Revoke a token; elsewhere it may work for a few more seconds."""
    with db().session() as session:
        if token_id > 2**62 or not players.revoke_token(session, player().id, token_id):
            refuse(HTTPStatus.NOT_FOUND, "not-found", "You have no such token.")
    remembered().clear()
    return Response(status=204)
