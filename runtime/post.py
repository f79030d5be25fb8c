"""Sending mail: to a relay by SMTP, on a connection that is kept, or into a local mailbox where there is no relay."""

import contextlib
import mailbox
import smtplib
import ssl
import threading
import time
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Protocol
from urllib.parse import parse_qs, unquote, urlsplit

TIMEOUT = 20.0  # seconds, for each answer of the relay
KEPT_SECONDS = 60.0  # that an idle connection is kept


class NotSent(Exception):
    """The mail was not taken. `for_good`: to try again would not help."""

    def __init__(self, reason: str, for_good: bool = False, address_refused: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.for_good = for_good
        self.address_refused = address_refused  # it is the recipient that is not taken, and for good


class Transport(Protocol):
    """A way for mail to leave."""

    def send(self, message: EmailMessage, sender: str, to: str) -> None:
        """Hands a mail over; raises NotSent."""
        ...


def transport(relay: str, folder: Path) -> Transport:
    """The relay of an address, or the mailbox in a folder where there is none."""
    return Relay(relay) if relay else LocalBox(folder)


class Relay:
    """A mail server that takes our mail: `smtp://user:password@host:587?starttls=1`, or `smtps://host`."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.is_tls = parts.scheme == "smtps"
        self.host = parts.hostname or "localhost"
        self.port = parts.port or (465 if self.is_tls else 25)
        self.user, self.password = unquote(parts.username or ""), unquote(parts.password or "")
        self.starttls = parse_qs(parts.query).get("starttls", ["0"])[0] == "1"
        self._connection: smtplib.SMTP | None = None
        self._used = 0.0
        self._lock = threading.Lock()

    def send(self, message: EmailMessage, sender: str, to: str) -> None:
        with self._lock:
            for is_last in (False, True):
                connection = self._open()
                try:
                    connection.send_message(message, sender, [to])
                except smtplib.SMTPRecipientsRefused as error:
                    code, said = next(iter(error.recipients.values()))
                    self._forget()
                    raise NotSent(
                        f"The relay refuses the address: {code} {said.decode(errors='replace')}",
                        for_good=code >= 500,
                        address_refused=code >= 500,
                    ) from None
                except smtplib.SMTPResponseException as error:
                    self._forget()
                    raise NotSent(
                        f"The relay says: {error.smtp_code} {error.smtp_error!r}", error.smtp_code >= 500
                    ) from None
                except (smtplib.SMTPServerDisconnected, OSError) as error:
                    self._forget()
                    if is_last:
                        raise NotSent(f"The relay does not answer: {error}") from None
                    continue  # a kept connection may have been closed meanwhile; nothing was taken on it
                self._used = time.monotonic()
                return

    def _open(self) -> smtplib.SMTP:
        if self._connection is not None and time.monotonic() - self._used > KEPT_SECONDS:
            self._forget()
        if self._connection is None:
            try:
                if self.is_tls:
                    self._connection = smtplib.SMTP_SSL(
                        self.host, self.port, timeout=TIMEOUT, context=ssl.create_default_context()
                    )
                else:
                    self._connection = smtplib.SMTP(self.host, self.port, timeout=TIMEOUT)
                    if self.starttls:
                        self._connection.starttls(context=ssl.create_default_context())
                if self.user:
                    self._connection.login(self.user, self.password)
            except (smtplib.SMTPException, OSError) as error:
                self._forget()
                raise NotSent(f"The relay cannot be reached: {error}") from None
        return self._connection

    def _forget(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(smtplib.SMTPException, OSError):
                connection.close()


class LocalBox:
    """The local mailbox: a Maildir, for the owner of the folder alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def send(self, message: EmailMessage, sender: str, to: str) -> None:
        try:
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            mailbox.Maildir(self.folder).add(message)
        except OSError as error:
            raise NotSent(f"{self.folder}: {error.strerror}") from error

    def letters(self) -> list[EmailMessage]:
        """All mails, in no particular order."""
        return list(self.by_key().values())

    def by_key(self) -> dict[str, EmailMessage]:
        """The same, each by the name that it has in the mailbox."""
        if not self.folder.exists():
            return {}
        found = mailbox.Maildir(self.folder, factory=None)
        return {key: _read(found.get_bytes(key)) for key in found.keys()}  # noqa: SIM118 - a mailbox iterates over letters


def _read(data: bytes) -> EmailMessage:
    message = message_from_bytes(data, policy=default)
    assert isinstance(message, EmailMessage)
    return message
