"""Signing up, one's own name and address, tokens."""

from http import HTTPStatus
from typing import Any

from flask import Response

from api.access import cache, caller, db, player, signed_in
from api.blueprint import Blueprint
from api.idempotency import DOCUMENTED, DOCUMENTED_ALONE, idempotency_key, respond_once
from api.problems import refuse
from schemas.players import (
    IssuedTokenSchema,
    NewPlayerSchema,
    NewTokenSchema,
    PlayerChangeSchema,
    PlayerSchema,
    SignedUpSchema,
    TokenSchema,
)
from service import players

bp = Blueprint("players", __name__, url_prefix="/v1", description="Players and their tokens")


@bp.route("/players", methods=["POST"])
@bp.doc(parameters=[DOCUMENTED_ALONE], security=[{}])
@bp.arguments(NewPlayerSchema)
@bp.response(201, SignedUpSchema)
def sign_up(body: dict[str, Any]) -> Response:
    """Sign up: a name, perhaps an e-mail address. The answer holds your token."""
    caller()  # nobody gets around the limit with tokens that are none
    done = players.sign_up(db(), body["name"], body["email"], idempotency_key())
    signed_up = {"player": done.made.player, "token": done.made.issued.secret}
    return respond_once(done, 201, SignedUpSchema().dump(signed_up))


@bp.route("/me")
@signed_in
@bp.response(200, PlayerSchema)
def me() -> Any:
    """Who you are."""
    return player()


@bp.route("/me", methods=["PATCH"])
@signed_in
@bp.arguments(PlayerChangeSchema)
@bp.response(200, PlayerSchema)
def change_me(body: dict[str, Any]) -> Any:
    """Change your name or address. In games that have begun you keep the name you began with."""
    who = player()
    with db().transaction() as transaction:
        changed = players.change(transaction, who.id, **body)
    cache().clear()
    return changed


@bp.route("/me/tokens")
@signed_in
@bp.response(200, TokenSchema(many=True))
def tokens() -> Any:
    """Your tokens, without their secrets."""
    with db().session() as session:
        return players.tokens(session, player().id)


@bp.route("/me/tokens", methods=["POST"])
@signed_in
@bp.doc(parameters=[DOCUMENTED])
@bp.arguments(NewTokenSchema)
@bp.response(201, IssuedTokenSchema)
def issue_token(body: dict[str, Any]) -> Response:
    """A further token, for a program of yours."""
    done = players.issue_token_once(db(), player().id, body["label"], idempotency_key())
    return respond_once(done, 201, TokenSchema().dump(done.made.token) | {"token": done.made.secret})


@bp.route("/me/tokens/<int:token_id>", methods=["DELETE"])
@signed_in
@bp.response(204)
def revoke_token(token_id: int) -> Any:
    """Revoke a token; elsewhere it may work for a few more seconds."""
    with db().session() as session:
        if token_id > 2**62 or not players.revoke_token(session, player().id, token_id):
            refuse(HTTPStatus.NOT_FOUND, "not-found", "You have no such token.")
    cache().clear()
    return Response(status=204)
