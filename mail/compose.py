"""A mail as it goes out: text and HTML of the same thing, the board's picture inside, and the headers that sort it."""

import hashlib
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP

import msgspec

from mail.letters import Rendered

NAME = "Waybill"


class Envelope(msgspec.Struct, frozen=True, kw_only=True):
    """Who writes to whom, and where the mail belongs."""

    host: str  # our domain
    to: str
    date: datetime | None = None  # without one the relay says when
    message_id: str  # local part: the same mail sent again has the same
    thread: str = ""  # local part of the first mail of its thread: one thread a game
    reply_to: str = ""
    in_reply_to: str = ""  # a whole Message-ID, of the mail that is answered
    unsubscribe: str = ""  # an address on the web, for one click (RFC 8058)
    is_answer: bool = False
    notices: tuple[int, ...] = ()  # that the mail tells of


def compose(envelope: Envelope, rendered: Rendered, picture: bytes = b"", cid: str = "") -> EmailMessage:
    message = EmailMessage(policy=SMTP)
    host = envelope.host
    message["From"] = Address(NAME, "waybill", host)
    message["To"] = envelope.to
    message["Subject"] = rendered.subject
    if envelope.date:
        message["Date"] = envelope.date
    message["Message-ID"] = f"<{envelope.message_id}@{host}>"
    if envelope.reply_to:
        message["Reply-To"] = envelope.reply_to
    references = [f"<{envelope.thread}@{host}>"] if envelope.thread and envelope.thread != envelope.message_id else []
    if envelope.in_reply_to:
        references.append(f"<{envelope.in_reply_to}>")
        message["In-Reply-To"] = f"<{envelope.in_reply_to}>"
    if references:
        message["References"] = " ".join(dict.fromkeys(references))
    message["Auto-Submitted"] = "auto-replied" if envelope.is_answer else "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    if envelope.notices:
        message["X-Waybill-Notices"] = " ".join(map(str, envelope.notices))
    if envelope.thread:
        message["List-Id"] = f"{NAME} <{envelope.thread}.{host}>"
    if envelope.unsubscribe:
        message["List-Unsubscribe"] = f"<{envelope.unsubscribe}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(rendered.text)
    message.add_alternative(rendered.html, subtype="html")
    html = message.get_body(("html",))
    if picture and html is not None:
        html.add_related(picture, "image", "png", cid=f"<{cid}>", filename="board.png", disposition="inline")
    _name_boundaries(message, rendered.text)
    return message


def _name_boundaries(message: EmailMessage, text: str) -> None:
    """The same mail has the same bytes, however often it is made."""
    mark = hashlib.sha256(text.encode()).hexdigest()[:24]
    for number, part in enumerate(part for part in message.walk() if part.is_multipart()):
        part.set_boundary(f"=_{mark}_{number}")
