"""From the bytes of a mail to what its sender wrote: who, about what, and the lines that are new.

Nothing here guesses. What our own mails contain is known by a marker line, what is quoted by its marks, the rest by the
lines that mail programs write before a quotation. Everything is bounded: a mail may be anything.
"""

import binascii
import email.header
import email.message
import email.parser
import email.policy
import email.utils
import re
from collections.abc import Iterator

import msgspec

from mail import text
from mail.quoting import new_lines

MOST_BYTES = 1024 * 1024  # of a message
MOST_PARTS = 60
DEEPEST = 8  # parts inside each other
MOST_TEXT = 64 * 1024  # letters that are read
LONGEST_HEADER = 2000
MOST_RECIPIENTS = 50

# Who is not answered (RFC 3834, and what came before it).
BULK = frozenset({"bulk", "list", "junk", "auto_reply"})
ROBOTS = re.compile(
    r"^(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?|listserv|majordomo)\b", re.IGNORECASE
)


class Unreadable(Exception):
    """Why a mail is not read at all, in a sentence for its sender."""


class Letter(msgspec.Struct, frozen=True):
    """A mail as far as it concerns us."""

    message_id: str
    references: tuple[str, ...]
    sender: str  # the address of From; anybody can write anything there
    recipients: tuple[str, ...]  # of To, Cc, Delivered-To and their like
    subject: str
    lines: tuple[str, ...]  # that are new
    is_automatic: bool  # sent by a program: nobody waits for an answer
    has_attachments: bool
    authentication: tuple[str, ...]  # Authentication-Results, the topmost first


def read(raw: bytes) -> Letter:
    """What a mail says; raises Unreadable for one that is too large or tangled."""
    if len(raw) > MOST_BYTES:
        raise Unreadable(
            f"The mail has more than {MOST_BYTES // 1024} KB. Send your orders as plain text, without pictures."
        )
    message = email.parser.BytesParser(policy=email.policy.compat32).parsebytes(raw)
    parts = list(_leaves(message))
    attachments = [part for part in parts if _is_attachment(part)]
    written = _written([part for part in parts if part not in attachments])
    return Letter(
        message_id=_header(message, "Message-ID").strip("<> "),
        references=_references(message),
        sender=next(iter(_addresses(message, "From")), ""),
        recipients=tuple(
            dict.fromkeys(_addresses(message, "To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To"))
        )[:MOST_RECIPIENTS],
        subject=" ".join(text.plain(_header(message, "Subject")).split()),
        lines=tuple(new_lines(text.plain(written[:MOST_TEXT]))),
        is_automatic=_is_automatic(message),
        has_attachments=bool(attachments),
        authentication=tuple(_headers(message, "Authentication-Results")),
    )


def _leaves(message: email.message.Message) -> Iterator[email.message.Message]:
    """The parts that hold something, in order. A mail inside a mail is not opened: it is somebody else's."""
    waiting: list[tuple[email.message.Message, int]] = [(message, 0)]
    seen = 0
    while waiting:
        part, depth = waiting.pop(0)
        seen += 1
        if seen > MOST_PARTS or depth > DEEPEST:
            raise Unreadable("The mail has too many parts inside each other. Send your orders as plain text.")
        inside = part.get_payload() if part.is_multipart() else None
        if isinstance(inside, list) and part.get_content_maintype() == "multipart":
            waiting[:0] = [(child, depth + 1) for child in inside if isinstance(child, email.message.Message)]
        else:
            yield part


def _is_attachment(part: email.message.Message) -> bool:
    return part.get_content_maintype() != "text" or str(part.get("Content-Disposition", "")).lower().startswith(
        "attach"
    )


def _written(parts: list[email.message.Message]) -> str:
    """The text of the first plain part, or of the first HTML part where nothing is plain."""
    for subtype in ("plain", "html"):
        for part in parts:
            if part.get_content_subtype() == subtype and (found := _decoded(part)).strip():
                if subtype == "html":
                    return text.of_html(found[: 4 * MOST_TEXT])
                return _unfolded(found) if str(part.get_param("format", "")).lower() == "flowed" else found
    return ""


def _decoded(part: email.message.Message) -> str:
    try:
        data = part.get_payload(decode=True)
    except (ValueError, LookupError, binascii.Error):
        data = None
    if not isinstance(data, bytes):
        return ""
    for charset in (part.get_content_charset() or "utf-8", "utf-8"):
        try:
            return data.decode(charset)
        except (LookupError, ValueError):
            continue
    return data.decode("cp1252", "replace")


def _unfolded(written: str) -> str:
    """Lines that format=flowed (RFC 3676) has broken, whole again; what is quoted is left as it is."""
    lines: list[str] = []
    flows = False
    for line in written.splitlines():
        stuffed = line[1:] if line.startswith(" ") else line
        if flows and not line.startswith(">"):
            lines[-1] += stuffed
        else:
            lines.append(stuffed)
        flows = stuffed.endswith(" ") and stuffed != "-- " and not line.startswith(">")
    return "\n".join(lines)


def _headers(message: email.message.Message, name: str) -> list[str]:
    found = []
    for value in message.get_all(name, [])[:MOST_RECIPIENTS]:
        try:
            found.append(str(email.header.make_header(email.header.decode_header(str(value)[:LONGEST_HEADER]))))
        except (LookupError, ValueError, binascii.Error, email.errors.HeaderParseError):
            found.append(str(value)[:LONGEST_HEADER])
    return [" ".join(value.split()) for value in found]


def _header(message: email.message.Message, name: str) -> str:
    return next(iter(_headers(message, name)), "")


def _references(message: email.message.Message) -> tuple[str, ...]:
    named = " ".join([*_headers(message, "References"), *_headers(message, "In-Reply-To")])
    return tuple(dict.fromkeys(re.findall(r"<([^<>\s]{1,250})>", named)))


def _addresses(message: email.message.Message, *names: str) -> list[str]:
    values = [str(value)[:LONGEST_HEADER] for name in names for value in message.get_all(name, [])[:MOST_RECIPIENTS]]
    return [
        address.lower() for _, address in email.utils.getaddresses(values) if "@" in address and len(address) <= 254
    ]


def _is_automatic(message: email.message.Message) -> bool:
    """Whether a program sent it: an absence notice, a bounce, a list. Those are never answered."""
    submitted = _header(message, "Auto-Submitted").lower()
    sender = next(iter(_addresses(message, "From")), "")
    return_path = message.get("Return-Path")
    return (
        bool(submitted and not submitted.startswith("no"))
        or _header(message, "Precedence").lower() in BULK
        or any(name in message for name in ("List-Id", "List-Unsubscribe", "X-Autoreply", "X-Autorespond", "X-Loop"))
        or (return_path is not None and str(return_path).strip() in ("<>", ""))
        or message.get_content_type() in ("multipart/report", "message/delivery-status")
        or bool(ROBOTS.match(sender))
        or not sender
    )
