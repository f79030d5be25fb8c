"""Signing up and in, one's own name and address, tokens, and what is kept about oneself."""

from http import HTTPStatus
from typing import Any

import msgspec
import structlog
from flask import Response

from api.access import allowed, cache, caller, db, mailbox, player, signed_in
from api.blueprint import Blueprint
from api.games import summary
from api.idempotency import DOCUMENTED, DOCUMENTED_ALONE, idempotency_key, respond_once
from api.problems import refuse
from schemas.players import (
    EmailSchema,
    ExportSchema,
    IssuedTokenSchema,
    LetterSentSchema,
    LetterTokenSchema,
    NewPlayerSchema,
    NewTokenSchema,
    PlayerChangeSchema,
    PlayerSchema,
    SignedUpSchema,
    TokenSchema,
)
from service import addresses, personal_data, players, sign_in
from service.mailbox import Letter, NotSent

log = structlog.get_logger("waybill.api")

bp = Blueprint("players", __name__, url_prefix="/v1", description="Players and their tokens")

SENT = {"detail": "If this can be, a letter is on its way to the address."}  # the same for every address


@bp.route("/players", methods=["POST"])
@bp.doc(parameters=[DOCUMENTED_ALONE], security=[{}])
@bp.arguments(NewPlayerSchema)
@bp.response(201, SignedUpSchema)
def sign_up(body: dict[str, Any]) -> Response:
    """Sign up: a name, perhaps an e-mail address, to be proved. The answer holds your token."""
    caller()  # nobody gets around the limit with tokens that are none
    done = sign_in.sign_up(db(), body["name"], body["email"], idempotency_key())
    _send(done.made.letter, or_fail=False)
    signed_up = {"player": done.made.player, "token": done.made.issued.secret}
    return respond_once(done, 201, SignedUpSchema().dump(signed_up))


def _send(letter: Letter | None, or_fail: bool = True) -> None:
    """Sends a letter. Where something else was done as well, that stands without it, and it can be asked for again."""
    try:
        mailbox().send(letter)
    except NotSent as error:
        log.error("letter not sent", reason=str(error))
        if or_fail:
            detail = "No letter can be sent now. Try again later."
            refuse(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", detail, {"Retry-After": "60"})


@bp.route("/sign-in", methods=["POST"])
@bp.doc(security=[{}])
@bp.arguments(EmailSchema)
@bp.response(202, LetterSentSchema)
def ask_to_sign_in(body: dict[str, Any]) -> Any:
    """Lost your token? Have what gives you a new one sent to an address that you have proved."""
    caller()
    with db().transaction() as transaction:
        letter = sign_in.ask(transaction, body["email"])
    _send(letter)
    return SENT


@bp.route("/sign-in/confirm", methods=["POST"])
@bp.doc(security=[{}])
@bp.arguments(LetterTokenSchema)
@bp.response(201, SignedUpSchema)
def confirm_sign_in(body: dict[str, Any]) -> Any:
    """Send back what came to your address. The answer holds a new token; your others still work."""
    caller()
    with db().transaction() as transaction:
        made = sign_in.sign_in(transaction, body["token"])
    return {"player": made.player, "token": made.issued.secret}


@bp.route("/me")
@signed_in
@bp.response(200, PlayerSchema)
def me() -> Any:
    """Who you are."""
    return player()


@bp.route("/me", methods=["PATCH"])
@allowed("account")
@bp.arguments(PlayerChangeSchema)
@bp.response(200, PlayerSchema)
def change_me(body: dict[str, Any]) -> Any:
    """Change your name, in all your games, or your address, which counts when you have proved it."""
    letter = None
    with db().transaction() as transaction:
        if "name" in body:
            players.rename(transaction, player().id, body["name"])
        if body.get("email"):
            letter = addresses.name_address(transaction, player().id, body["email"])
        elif "email" in body:
            addresses.drop(transaction, player().id)
        changed = players.known(transaction, player().id)
    _send(letter, or_fail=False)
    cache().clear()
    return changed


@bp.route("/me", methods=["DELETE"])
@allowed("account")
@bp.response(204)
def forget_me() -> Any:
    """Leave all your games and be forgotten: your name and your address are shown nowhere any more, for good."""
    with db().transaction() as transaction:
        personal_data.forget(transaction, player().id)
    cache().clear()
    return Response(status=204)


@bp.route("/me/export")
@allowed("account")
@bp.response(200, ExportSchema)
def export_me() -> Any:
    """Everything that is kept about you."""
    with db().session() as session:
        found = personal_data.export(session, player().id)
    played = [{**msgspec.structs.asdict(played), "game": summary(played.game)} for played in found.games]
    told = msgspec.structs.asdict(found.preferences) | {"kinds": found.preferences.all_kinds()}
    return (
        {**msgspec.structs.asdict(found), "games": played, "preferences": told},
        200,
        {"Cache-Control": "private, no-store"},
    )


@bp.route("/me/email", methods=["POST"])
@allowed("account")
@bp.arguments(EmailSchema)
@bp.response(202, LetterSentSchema)
def name_address(body: dict[str, Any]) -> Any:
    """Name your address. A letter goes there; the address counts when you have sent back what is in it."""
    with db().transaction() as transaction:
        letter = addresses.name_address(transaction, player().id, body["email"])
    _send(letter)
    cache().clear()
    return SENT


@bp.route("/me/email/confirm", methods=["POST"])
@allowed("account")
@bp.arguments(LetterTokenSchema)
@bp.response(200, PlayerSchema)
def prove_address(body: dict[str, Any]) -> Any:
    """Prove your address: send back what came there. Invitations to it are yours now."""
    with db().transaction() as transaction:
        addresses.prove(transaction, player().id, body["token"])
        changed = players.known(transaction, player().id)
    cache().clear()
    return changed


@bp.route("/me/tokens")
@allowed("account")
@bp.response(200, TokenSchema(many=True))
def tokens() -> Any:
    """Your tokens, without their secrets."""
    with db().session() as session:
        return players.tokens(session, player().id)


@bp.route("/me/tokens", methods=["POST"])
@allowed("account")
@bp.doc(parameters=[DOCUMENTED])
@bp.arguments(NewTokenSchema)
@bp.response(201, IssuedTokenSchema)
def issue_token(body: dict[str, Any]) -> Response:
    """A further token, for a program of yours: unless you say so, it leaves your account alone."""
    done = players.issue_token_once(db(), player().id, body["label"], body["scopes"], idempotency_key())
    return respond_once(done, 201, TokenSchema().dump(done.made.token) | {"token": done.made.secret})


@bp.route("/me/tokens/<int:token_id>", methods=["DELETE"])
@allowed("account")
@bp.response(204)
def revoke_token(token_id: int) -> Any:
    """Revoke a token; elsewhere it may work for a few more seconds."""
    with db().session() as session:
        if token_id > 2**62 or not players.revoke_token(session, player().id, token_id):
            refuse(HTTPStatus.NOT_FOUND, "not-found", "You have no such token.")
    cache().clear()
    return Response(status=204)
