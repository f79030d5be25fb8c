"""Mail that a provider hands in: raw messages, for those who have no mail server of their own before the door.

It is for whoever runs the service, not for clients, and so it is not in the API's document.
"""

import base64
import binascii
import hmac
from collections.abc import Callable
from http import HTTPStatus

import msgspec
from flask import Blueprint, Response, current_app, jsonify, request

from api.access import db
from api.problems import refuse
from service import mail_in, mail_out

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
    return Response(PAGE.format(text=BUTTON), headers=POLICY, content_type="text/html; charset=utf-8")


@bp.post("/mail/unsubscribe")
def unsubscribe() -> Response:
    """One click (RFC 8058): no more mail for whom the token of the address is made for."""
    with db().transaction() as transaction:
        is_done = mail_out.unsubscribe(transaction, request.args.get("token", ""))
    if not is_done:
        refuse(
            HTTPStatus.NOT_FOUND, "not-found", "This link is not good: take the one of a newer mail, or answer STOP."
        )
    return Response(PAGE.format(text=STOPPED), content_type="text/html; charset=utf-8")


@bp.get("/mail/confirm")
def ask_to_confirm() -> Response:
    """A page with one button: programs that follow links of mails must not confirm anything."""
    return Response(PAGE.format(text=CONFIRM), headers=POLICY, content_type="text/html; charset=utf-8")


@bp.post("/mail/confirm")
def confirm() -> Response:
    """One click: a mail that was held is read, for whoever has the token that went to the proved address."""
    door: Inbound = current_app.extensions["mail_inbound"]
    if not mail_in.confirm(db(), request.args.get("token", "")[:100]):
        refuse(HTTPStatus.NOT_FOUND, "not-found", "This link is not good, or was used before: nothing is held for it.")
    door.wake()
    return Response(PAGE.format(text=CONFIRMED), content_type="text/html; charset=utf-8")


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
