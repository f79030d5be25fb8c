"""Reports on mails that could not be delivered (RFC 3464), read."""

import email.message
import email.parser
import re

import msgspec

from mail.reading import HOLDERS, MOST_BYTES, MOST_LINES, MOST_PARTS, POLICY

LONGEST_REASON = 200
# By which an address is known to be of no use: nobody there, or no such domain. Others pass, perhaps: a full mailbox, a
# server that does not like what a mail says, one that could not be reached for days.
DEAD = re.compile(r"5\.(?:0\.0|1\.\d+|2\.1|4\.4|7\.13)")
STATUS = re.compile(r"\b([245]\.\d{1,3}\.\d{1,3})\b")


class Report(msgspec.Struct, frozen=True):
    """That a mail was not delivered, and why. `status` is the code of RFC 3463, if it has one."""

    status: str
    reason: str

    @property
    def is_dead(self) -> bool:
        """Whether the address need not be tried again."""
        return DEAD.fullmatch(self.status) is not None


def read_report(raw: bytes) -> Report | None:
    """What a report says of the recipient; None if it is none, or tells of a delay or a success."""
    raw = raw.replace(b"\r\n", b"\n")
    if len(raw) > MOST_BYTES or raw.count(b"\n") > MOST_LINES or sum(1 for _ in HOLDERS.finditer(raw)) > MOST_PARTS:
        return None
    message = email.parser.BytesParser(policy=POLICY).parsebytes(raw)
    if message.get_content_type() != "multipart/report":
        return None
    for part in _inside(message):
        if part.get_content_type() == "message/delivery-status":
            for recipient in _inside(part):
                if _said(recipient, "Action").lower() == "failed":
                    return _report(recipient)
    return None


def _inside(message: email.message.Message) -> list[email.message.Message]:
    parts = message.get_payload()
    return [part for part in parts if isinstance(part, email.message.Message)] if isinstance(parts, list) else []


def of_refusal(said: str) -> Report:
    """What a relay has said when it would not take the address: `550 5.1.1 No such user`."""
    found = STATUS.search(said)
    return Report(found[1] if found else "", " ".join(said.split())[:LONGEST_REASON])


def _report(recipient: email.message.Message) -> Report:
    diagnostic = _said(recipient, "Diagnostic-Code")
    status = STATUS.search(_said(recipient, "Status")) or STATUS.search(diagnostic)
    said = diagnostic.partition(";")[2].strip() or diagnostic or "no reason was given"
    return Report(status[1] if status else "", said[:LONGEST_REASON])


def _said(block: email.message.Message, name: str) -> str:
    return " ".join(str(block.get(name, "")).split())
