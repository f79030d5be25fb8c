"""Letters that are not about a game: proofs of an address, signing in. They go the way of all mail."""

from email.message import EmailMessage
from email.policy import SMTP

import msgspec

from runtime.post import NotSent as NotSent
from runtime.post import Transport


class Letter(msgspec.Struct, frozen=True):
    to: str
    subject: str
    text: str


class Mailbox:
    def __init__(self, transport: Transport, host: str) -> None:
        self.transport, self.host = transport, host

    def send(self, letter: Letter | None) -> None:
        """Sends a letter, if there is one. Send it after its transaction, for it is good from then on."""
        if letter is None:
            return
        message = EmailMessage(policy=SMTP)
        sender = f"waybill@{self.host}"
        message["From"], message["To"], message["Subject"] = sender, letter.to, letter.subject
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(letter.text)
        self.transport.send(message, sender, letter.to)
