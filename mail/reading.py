"""From the bytes of a mail to what its sender wrote: who, about what, and the lines that are new.

Nothing here guesses. What our own mails contain is known by a marker line, what is quoted by its marks, the rest by the
lines that mail programs write before a quotation. Everything is bounded: a mail may be anything.
"""

import binascii
import codecs
import email.errors
import email.header
import email.message
import email.parser
import email.policy
import email.utils
import re
from collections.abc import Iterator
from datetime import UTC, datetime

import msgspec

from mail import text
from mail.quoting import introduces, new_lines

MOST_BYTES = 1024 * 1024  # of a message
MOST_PARTS = 60
DEEPEST = 8  # parts inside each other
MOST_LINES = 40_000  # of a message
MOST_TEXT = 64 * 1024  # letters that are read
LONGEST_HEADER = 2000
MOST_RECIPIENTS = 50
MOST_GROUPS = 10  # and comments in a header of addresses: the standard library goes one call deeper for each
# Charsets that are none for mail, and slow or unsafe to read.
NO_CHARSETS = frozenset({"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined"})
# Parts that hold parts: the standard library goes one call deeper for each, so they are counted before it reads.
HOLDERS = re.compile(rb"^content-type[ \t]*:\s*(?:multipart|message)/", re.IGNORECASE | re.MULTILINE)
SHORTEST_WRAPPED = 50  # letters, of a line that a mail program may have broken

# Who is not answered (RFC 3834, and what came before it).
BULK = frozenset({"bulk", "list", "junk", "auto_reply"})
SUPPRESSED = re.compile(r"\b(?:all|oof|autoreply)\b", re.IGNORECASE)  # as Exchange marks its absence notices
ROBOTS = re.compile(
    r"^(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?|listserv|majordomo)\b", re.IGNORECASE
)


POLICY = email.policy.compat32
TANGLED = "The mail has too many parts inside each other. Send your orders as plain text."


class Unreadable(Exception):
    """Why a mail is not read at all, in a sentence for its sender; nobody waits for it if the mail is automatic."""

    is_automatic = False


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
    written_at: datetime | None = None  # as its sender's clock says


def read(raw: bytes) -> Letter:
    """What a mail says; raises Unreadable for one that is too large or tangled."""
    try:
        return _read(raw)
    except Unreadable as error:
        head = raw[:MOST_TEXT].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
        error.is_automatic = _is_automatic(email.parser.BytesHeaderParser(policy=POLICY).parsebytes(head))
        raise


def _read(raw: bytes) -> Letter:
    if len(raw) > MOST_BYTES:
        raise Unreadable(
            f"The mail has more than {MOST_BYTES // 1024} KB. Send your orders as plain text, without pictures."
        )
    raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if raw.count(b"\n") > MOST_LINES:
        raise Unreadable(f"The mail has more than {MOST_LINES} lines. Send your orders alone, as plain text.")
    if sum(1 for _ in HOLDERS.finditer(raw)) > MOST_PARTS:
        raise Unreadable(TANGLED)
    message = email.parser.BytesParser(policy=POLICY).parsebytes(raw)
    parts = list(_leaves(message))
    attachments = [part for part in parts if _is_attachment(part)]
    return Letter(
        message_id=_header(message, "Message-ID").strip("<> "),
        references=_references(message),
        sender=next(iter(_addresses(message, "From")), ""),
        recipients=tuple(
            dict.fromkeys(_addresses(message, "To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To"))
        )[:MOST_RECIPIENTS],
        subject=" ".join(text.plain(_header(message, "Subject")).split()),
        lines=tuple(_lines(message)),
        is_automatic=_is_automatic(message),
        has_attachments=bool(attachments),
        authentication=tuple(_headers(message, "Authentication-Results")),
        written_at=_date(message),
    )


def _leaves(message: email.message.Message) -> Iterator[email.message.Message]:
    """The parts that hold something, in order. A mail inside a mail is not opened: it is somebody else's."""
    waiting: list[tuple[email.message.Message, int]] = [(message, 0)]
    seen = 0
    while waiting:
        part, depth = waiting.pop(0)
        seen += 1
        if seen > MOST_PARTS or depth > DEEPEST:
            raise Unreadable(TANGLED)
        if any(len(str(part.get(name, ""))) > LONGEST_HEADER for name in ("Content-Type", "Content-Disposition")):
            raise Unreadable(TANGLED)
        inside = part.get_payload() if part.is_multipart() else None
        if isinstance(inside, list) and part.get_content_maintype() == "multipart":
            waiting[:0] = [(child, depth + 1) for child in inside if isinstance(child, email.message.Message)]
        else:
            yield part


def _is_attachment(part: email.message.Message) -> bool:
    """Whether a part is a file: not text, meant to be saved, or with a name."""
    disposition = str(part.get("Content-Disposition", "")).strip().lower()
    return (
        part.get_content_maintype() != "text"
        or disposition.startswith("attach")
        or "filename" in disposition
        or part.get_param("name") is not None
    )


class _Written(msgspec.Struct):
    """What a part says as plain text and as HTML, where it says it in both ways."""

    plain: str = ""
    html: str = ""


def _lines(message: email.message.Message) -> Iterator[str]:
    written = _written(message)
    if not written.plain.strip():
        yield from new_lines(text.plain(written.html[:MOST_TEXT]))
        return
    lines = list(new_lines(text.plain(written.plain[:MOST_TEXT])))
    whole = set(new_lines(text.plain(written.html[:MOST_TEXT]))) if written.html else set()
    while lines:
        line = lines.pop(0)
        # A line that the program broke in its plain text is whole in its HTML.
        while len(line) >= SHORTEST_WRAPPED and lines and line not in whole and _is_begun(line, lines[0], whole):
            line = f"{line} {lines.pop(0)}"
        yield line


def _is_begun(line: str, following: str, whole: set[str]) -> bool:
    return any(there.startswith(f"{line} {following}") for there in whole)


def _written(part: email.message.Message) -> _Written:
    """The text of a part: all of what it holds one after the other, or one of its alternatives."""
    if part.is_multipart() and part.get_content_maintype() == "multipart":
        inside = part.get_payload()
        assert isinstance(inside, list)
        found = [_written(child) for child in inside if isinstance(child, email.message.Message)]
        if part.get_content_subtype() == "alternative":
            return _Written(
                next((each.plain for each in found if each.plain.strip()), ""),
                next((each.html for each in found if each.html.strip()), ""),
            )
        plains = [each.plain if each.plain.strip() else each.html for each in found]
        htmls = [each.html if each.html.strip() else each.plain for each in found]
        is_html = not any(each.plain.strip() for each in found)
        return _Written("" if is_html else "\n".join(plains), "\n".join(htmls))
    if part.is_multipart() or _is_attachment(part):
        return _Written()
    decoded = _decoded(part)
    if part.get_content_subtype() == "html":
        return _Written(html=text.of_html(decoded[: 4 * MOST_TEXT]))
    is_flowed = str(part.get_param("format", "")).lower() == "flowed"
    return _Written(plain=_unfolded(decoded[:MOST_TEXT]) if is_flowed else decoded[:MOST_TEXT])


def _decoded(part: email.message.Message) -> str:
    try:
        data = part.get_payload(decode=True)
    except (ValueError, LookupError, binascii.Error):
        data = None
    if not isinstance(data, bytes):
        return ""
    for charset in (part.get_content_charset() or "utf-8", "utf-8"):
        try:
            if codecs.lookup(charset).name.replace("-", "_") in NO_CHARSETS:
                continue
            return data.decode(charset)
        except (LookupError, ValueError):
            continue
    return data.decode("cp1252", "replace")


def _unfolded(written: str) -> str:
    """Lines that format=flowed (RFC 3676) has broken, whole again; what is quoted is left as it is."""
    lines: list[list[str]] = []
    flows = False
    broken = written.splitlines()
    for place, line in enumerate(broken):
        stuffed = line[1:] if line.startswith(" ") else line
        if flows and not line.startswith(">") and not introduces(broken, place):
            lines[-1].append(stuffed)
        else:
            lines.append([stuffed])
        flows = stuffed.endswith(" ") and stuffed != "-- " and not line.startswith(">")
    return "\n".join("".join(line) for line in lines)


def _headers(message: email.message.Message, name: str) -> list[str]:
    found = []
    for value in message.get_all(name, [])[:MOST_RECIPIENTS]:
        try:
            found.append(str(email.header.make_header(email.header.decode_header(str(value)[:LONGEST_HEADER]))))
        except (LookupError, ValueError, binascii.Error, email.errors.MessageError):
            found.append(str(value)[:LONGEST_HEADER])
    return [" ".join(value.split()) for value in found]


def _date(message: email.message.Message) -> datetime | None:
    try:
        found = email.utils.parsedate_to_datetime(_header(message, "Date"))
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (TypeError, ValueError, OverflowError, IndexError):
        return None


def _header(message: email.message.Message, name: str) -> str:
    return next(iter(_headers(message, name)), "")


def _references(message: email.message.Message) -> tuple[str, ...]:
    named = " ".join([*_headers(message, "References"), *_headers(message, "In-Reply-To")])
    return tuple(dict.fromkeys(re.findall(r"<([^<>\s]{1,250})>", named)))


def _addresses(message: email.message.Message, *names: str) -> list[str]:
    values = [str(value)[:LONGEST_HEADER] for name in names for value in message.get_all(name, [])[:MOST_RECIPIENTS]]
    return [
        address.lower()
        for _, address in email.utils.getaddresses(
            [value for value in values if value.count("(") + value.count(":") <= MOST_GROUPS]
        )
        if "@" in address and len(address) <= 254
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
        or bool(SUPPRESSED.search(_header(message, "X-Auto-Response-Suppress")))
        or (return_path is not None and str(return_path).strip() in ("<>", ""))
        or message.get_content_type() in ("multipart/report", "message/delivery-status")
        or bool(ROBOTS.match(sender))
        or not sender
    )
