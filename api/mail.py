"""Mail that a provider hands in: raw messages, for those who have no mail server of their own before the door. And the
pages behind the links of mails: to stop them, to let go what was held, to answer an invitation.

They are for whoever runs the service, and for people, not for clients, and so they are not in the API's document.
"""

import base64
import binascii
import hmac
from collections.abc import Callable
from html import escape
from http import HTTPStatus

import msgspec
from flask import Blueprint, Response, current_app, jsonify, request

from api.access import db
from api.problems import refuse
from service import guests, mail_in, mail_out
from service.errors import ServiceError
from service.mail_commands import Guest, name_of
from service.mail_commands.join import name_of_player

bp = Blueprint("mail", __name__, url_prefix="/v1")

NOT_HERE = "There is nothing at this address; /v1/docs lists those that there are."

# Elsewhere a page has no forms.
POLICY = {
    "Content-Security-Policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'; sandbox allow-forms"
}
PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Waybill: mail</title>
<main>
<h1>Mail from Waybill</h1>
{text}
</main>
</html>
"""
BUTTON = """\
<p>No more mail of any game, also not when one waits for you: its clock goes on.</p>
<form method="post"><button>Stop the mail</button></form>"""
CONFIRM = """\
<p>Somebody wrote to Waybill in your name, and it is not known whether it was you. If so, have it read.</p>
<form method="post"><button>It was me: read it</button></form>"""
CONFIRMED = "<p>It is read now, and answered to the address that you have proved.</p>"
INVITED = """\
<p>You are invited to a game of {game}. Under which name do you want to play? The others see it.</p>
{why}
<form method="post"><label>Name <input name="name" required maxlength="32" autocomplete="nickname"></label>
<button>Take the seat</button></form>
<p>If you do not want to, decline: then no mail comes from here again.</p>
<form method="post"><input type="hidden" name="decline" value="1"><button>Decline</button></form>"""
VOID = "<p>{why}</p>"
JOINED = "<p>Welcome, {name}: you have the seat, and this address is yours. The game comes to you by mail.</p>"
DECLINED = "<p>You will not play, and no mail comes from here again.</p>"
NO_LINK = "This link is not good: take the one of the newest invitation, or answer it."
STOPPED = "<p>No more mail comes. Answer any mail of a game with CANCEL STOP to have it back.</p>"


class Inbound(msgspec.Struct, frozen=True):
    """What a provider has to know, for which domain we take mail, and how the workers hear of it."""

    secret: str
    domain: str
    wake: Callable[[], object]


@bp.post("/mail/inbound")
def inbound() -> tuple[Response, int]:
    """Keeps a message (RFC 5322, as it is) for `?recipient=`, and then acknowledges it. Sent again, it is known."""
    door: Inbound = current_app.extensions["mail_inbound"]
    if not door.secret:
        refuse(HTTPStatus.NOT_FOUND, "not-found", NOT_HERE)
    if not hmac.compare_digest(_shown(request.environ.get("HTTP_AUTHORIZATION", "")), door.secret.encode()):
        detail = "This needs WAYBILL_MAIL_SECRET, as a bearer token or as the password of basic authentication."
        headers = {"WWW-Authenticate": 'Bearer realm="waybill mail", Basic realm="waybill mail"'}
        refuse(HTTPStatus.UNAUTHORIZED, "unauthorized", detail, headers)
    recipient, sender = request.args.get("recipient", ""), request.args.get("sender", "")
    if not mail_in.is_ours(recipient, door.domain):
        detail = f"`recipient` is the address that the mail came for, one of ours at {door.domain}."
        refuse(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid-request", detail, errors={"recipient": [detail]})
    raw = request.get_data()
    if not raw.strip():
        detail = "The body is the whole message, headers and all, as it came."
        refuse(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid-request", detail, errors={"body": [detail]})
    kept = mail_in.keep(db(), raw, sender.replace("\0", ""), recipient)
    door.wake()
    return jsonify(status="known" if kept is None else "kept"), HTTPStatus.ACCEPTED


@bp.get("/mail/unsubscribe")
def ask_to_unsubscribe() -> Response:
    """A page with one button: programs that follow links of mails must not stop anything."""
    return _page(BUTTON, headers=POLICY)


@bp.post("/mail/unsubscribe")
def unsubscribe() -> Response:
    """One click (RFC 8058): no more mail for whom the token of the address is made for, player or invited."""
    token = request.args.get("token", "")
    with db().transaction() as transaction:
        number = guests.of_link(transaction, token[1:]) if token.startswith("i") else None
        is_done = number is not None or mail_out.unsubscribe(transaction, token)
        if number is not None:
            guests.stop(transaction, number)
    if not is_done:
        refuse(
            HTTPStatus.NOT_FOUND, "not-found", "This link is not good: take the one of a newer mail, or answer STOP."
        )
    return _page(STOPPED)


@bp.get("/mail/invitation")
def invitation() -> Response:
    """A page on which somebody who is no player yet takes the seat that is kept for them, or declines."""
    return _invitation(_invited())


@bp.post("/mail/invitation")
def answer_invitation() -> Response:
    """Takes the seat under a name, or declines: for whoever has the token that went to the invited address."""
    number = _invited()
    try:
        with db().transaction() as transaction:
            if request.form.get("decline"):
                guests.decline(transaction, number)
                said = DECLINED
            else:
                name = name_of_player(request.form.get("name", ""))
                said = JOINED.format(name=escape(guests.accept(transaction, number, name).name))
    except ServiceError as error:
        return _invitation(number, error.message)
    return _page(said)


def _invited() -> int:
    with db().session() as session:
        number = guests.of_link(session, request.args.get("token", "")[:100])
    if number is None:
        refuse(HTTPStatus.NOT_FOUND, "not-found", NO_LINK)
    return number


def _invitation(number: int, why: str = "") -> Response:
    """The page of an invitation, with what stood in the way of an answer."""
    with db().session() as session:
        guest = guests.writer(session, number)
    status = HTTPStatus.CONFLICT if why else HTTPStatus.OK
    if not isinstance(guest, Guest) or guest.void:
        void = guest.void if isinstance(guest, Guest) else guests.TAKEN
        return _page(VOID.format(why=escape(void)), status)
    said = f"<p><strong>{escape(why)}</strong></p>" if why else ""
    return _page(INVITED.format(game=escape(name_of(guest.game)), why=said), status, POLICY)


def _page(text: str, status: int = HTTPStatus.OK, headers: dict[str, str] | None = None) -> Response:
    content_type = "text/html; charset=utf-8"
    return Response(PAGE.format(text=text), status, headers=headers, content_type=content_type)


@bp.get("/mail/confirm")
def ask_to_confirm() -> Response:
    """A page with one button: programs that follow links of mails must not confirm anything."""
    return _page(CONFIRM, headers=POLICY)


@bp.post("/mail/confirm")
def confirm() -> Response:
    """One click: a mail that was held is read, for whoever has the token that went to the proved address."""
    door: Inbound = current_app.extensions["mail_inbound"]
    if not mail_in.confirm(db(), request.args.get("token", "")[:100]):
        refuse(HTTPStatus.NOT_FOUND, "not-found", "This link is not good, or was used before: nothing is held for it.")
    door.wake()
    return _page(CONFIRMED)


def _shown(header: str) -> bytes:
    """The secret of an Authorization header; empty if there is none."""
    scheme, _, credentials = header.strip().partition(" ")
    shown = credentials.strip().encode("latin-1", "replace")
    if scheme.lower() == "bearer":
        return shown
    if scheme.lower() != "basic":
        return b""
    try:
        return base64.b64decode(shown, validate=True).partition(b":")[2]
    except (binascii.Error, ValueError):
        return b""
