"""Letters that are not about a game: proofs of an address, signing in. They go the way of all mail."""

import hashlib

import msgspec

from mail.compose import Envelope, compose
from mail.letters import Notice, render
from runtime.post import NotSent as NotSent
from runtime.post import Transport
from runtime.wall_clock import now


class Letter(msgspec.Struct, frozen=True):
    """A mail to an address: which, and what stands in it. `mark`: of the link that it is sent for."""

    to: str
    template: str
    content: Notice
    mark: str

    @property
    def message_id(self) -> str:
        """The same for the same letter; it does not tell the secret, nor what the store knows it by."""
        return f"{self.template}-{hashlib.sha256(f'letter {self.mark}'.encode()).hexdigest()[:24]}"


# Where the page takes what a letter holds. It stands behind the #, so that no server is told it, and none logs it.
PLACES = {"sign_in": "/sign-in", "proof": "/prove", "nobody": "/sign-in"}


class Mailbox:
    """`url`: where players reach the service, for links; empty: letters have none."""

    def __init__(self, transport: Transport, host: str, url: str = "") -> None:
        self.transport, self.host, self.url = transport, host, url.rstrip("/")

    def send(self, letter: Letter | None) -> None:
        """Sends a letter, if there is one. Send it after its transaction, for it is good from then on."""
        if letter is None:
            return
        envelope = Envelope(host=self.host, to=letter.to, date=now(), message_id=letter.message_id)
        message = compose(envelope, render(letter.template, self._linked(letter)))
        self.transport.send(message, f"waybill@{self.host}", letter.to)

    def _linked(self, letter: Letter) -> Notice:
        if not self.url or letter.template not in PLACES:
            return letter.content
        secret = f"#{letter.content.secret}" if letter.content.secret else ""
        link = f"{self.url}{PLACES[letter.template]}{secret}"
        return msgspec.structs.replace(letter.content, link=link)
