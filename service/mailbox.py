"""What is sent to an e-mail address. Until there is real mail, it is written to a mailbox in a folder (a Maildir)."""

import mailbox
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import msgspec

SENDER = "waybill@localhost"


class NotSent(Exception):
    """The letter cannot be sent now; the message is for the operator."""


class Letter(msgspec.Struct, frozen=True):
    to: str
    subject: str
    text: str
    message_id: str = ""  # the same for the same letter sent again


class Mailbox:
    """The local mailbox: one file a letter, for the owner of the folder alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def send(self, letter: Letter | None) -> None:
        """Writes a letter, if there is one. Send it after its transaction, for it is good from then on."""
        if letter is None:
            return
        message = EmailMessage()
        message["From"] = SENDER
        message["To"] = letter.to
        message["Subject"] = letter.subject
        if letter.message_id:
            message["Message-ID"] = letter.message_id
        message.set_content(letter.text)
        try:
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            mailbox.Maildir(self.folder).add(message)
        except OSError as error:
            raise NotSent(f"{self.folder}: {error.strerror}") from error

    def letters(self) -> list[EmailMessage]:
        """All letters, in no particular order."""
        found = mailbox.Maildir(self.folder, factory=None)
        return [_read(found.get_bytes(key)) for key in found.keys()]  # noqa: SIM118 - a mailbox iterates over letters


def _read(data: bytes) -> EmailMessage:
    message = message_from_bytes(data, policy=default)
    assert isinstance(message, EmailMessage)
    return message
