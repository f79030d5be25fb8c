"""Scripted players who know nothing but their mail, and a post between them and the house that loses, doubles, delays
and reorders, all over real SMTP on loopback."""

import contextlib
import email.policy
import random
import re
import smtplib
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from typing import Any

import msgspec
from aiosmtpd.controller import Controller

from runtime.post import Relay
from runtime.processes import free_port
from service import bot_turns, deliveries, mail_in, notices, phases, positions
from service.channels import Channels
from service.mail_out import MailChannel
from service.work import Work
from store.database import Database
from workers.app import app
from workers.mail_door import Door

HOST = "waybill.localhost"
HOUSE = mail_in.House(HOST)
ORDER = re.compile(r"^  (?P<order>[^\s(][^\n]*?)(?:   \(.*|   such as: .*)?$")


class Faults(msgspec.Struct, frozen=True):
    """How often, of a hundred mails in each direction, something happens to one."""

    lost: int = 0
    doubled: int = 0
    delayed: int = 0
    refused: int = 0  # for now: the server asks to try again


NONE = Faults()
MANY = Faults(lost=8, doubled=8, delayed=8, refused=4)


class Counts(msgspec.Struct):
    """What happened on the way."""

    brought: int = 0
    lost: int = 0
    doubled: int = 0
    delayed: int = 0
    refused: int = 0
    pictures: int = 0


class Post:
    """The mail server of the players, and the way of their answers to the door."""

    def __init__(self, rng: random.Random, faults: Faults) -> None:
        self.rng, self.faults = rng, faults
        self.counts = Counts()
        self.inbox: list[EmailMessage] = []
        self.delayed: list[tuple[str, Any]] = []
        self.is_quiet = False  # nothing goes wrong meanwhile
        self.server = Controller(self, hostname="127.0.0.1", port=free_port())
        self.door = Controller(Door(HOST), hostname="127.0.0.1", port=free_port())

    def __enter__(self) -> "Post":
        self.server.start()
        self.door.start()
        self.client = smtplib.SMTP("127.0.0.1", self.door.port, timeout=30)
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(smtplib.SMTPException):
            self.client.quit()
        self.server.stop()
        self.door.stop()

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        if self._happens("refused"):
            return "451 4.3.0 Try again later"
        message = message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        for _ in range(self._copies("in", message)):
            self.inbox.append(message)
        return "250 OK"

    def bring(self, sender: str, to: str, raw: bytes) -> None:
        """A player's mail on its way to the house."""
        for _ in range(self._copies("out", (sender, to, raw))):
            self.client.sendmail(sender, [to], raw)
            self.counts.brought += 1

    def release(self) -> bool:
        """What was delayed comes now, the last first; whether there was any."""
        waiting, self.delayed = self.delayed[::-1], []
        for way, mail in waiting:
            if way == "in":
                self.inbox.append(mail)
            else:
                self.client.sendmail(mail[0], [mail[1]], mail[2])
        return bool(waiting)

    def _copies(self, way: str, mail: Any) -> int:
        if self._happens("lost"):
            return 0
        if self._happens("delayed"):
            self.delayed.append((way, mail))
            return 0
        return 2 if self._happens("doubled") else 1

    def _happens(self, fault: str) -> bool:
        if self.is_quiet or self.rng.randrange(100) >= getattr(self.faults, fault):
            return False
        setattr(self.counts, fault, getattr(self.counts, fault) + 1)
        return True


class Player:
    """Somebody who reads mails and answers with an order out of the menu; who wonders after a silence."""

    def __init__(self, address: str, post: Post, rng: random.Random) -> None:
        self.address, self.post, self.rng = address, post, rng
        self.reply_to = ""
        self.number = 0
        self.clock = datetime(2026, 11, 3, 18, 0, tzinfo=UTC)
        self.is_over = False
        self.texts: list[str] = []

    def read(self, message: EmailMessage) -> None:
        body = message.get_body(("plain",))
        assert body is not None
        text = body.get_content().replace("\r\n", "\n")
        self.texts.append(text)
        subject, reply_to = message["Subject"], message["Reply-To"]
        if reply_to.startswith("play+"):
            self.reply_to = reply_to
        elif found := re.search(rf"play\+\S+@{HOST}", text):
            self.reply_to = found[0]
        self.is_over = self.is_over or "game over" in subject or "the game is over" in " ".join(text.split())
        if "HELD" in subject:
            self.write("Yes, it was me", message, text, to=reply_to)
        elif "invites you" in subject:
            self.write("JOIN", message, text)
        elif orders := menu_of(text):
            self.write(self.rng.choice(orders), message, text)

    def wonder(self) -> None:
        """Asks what there is to do; who has no mail of the game yet asks the service."""
        if self.reply_to:
            self.write("OPTIONS")
        else:
            self.write("GAMES", to=f"waybill@{HOST}")

    def write(self, line: str, message: EmailMessage | None = None, text: str = "", to: str = "") -> None:
        to = to or self.reply_to
        self.number += 1
        self.clock += timedelta(minutes=1)
        reply = EmailMessage(policy=email.policy.SMTP)
        reply["From"], reply["To"] = self.address, to
        reply["Subject"] = f"Re: {message['Subject']}" if message else "Well?"
        reply["Date"] = self.clock
        reply["Message-ID"] = f"<{self.number}.{self.address}>"
        if message:
            reply["In-Reply-To"] = message["Message-ID"]
            quoted = "\n".join(f"> {line}" for line in text.splitlines())
            line += f"\n\nOn Tue, 3 Nov 2026 at 18:00, Waybill <waybill@{HOST}> wrote:\n{quoted}"
        reply.set_content(line)
        self.post.bring(self.address, to, bytes(reply))


def menu_of(text: str) -> list[str]:
    """The orders of a mail that can be copied as they are, or the examples where none can; nothing that gives up."""
    _, found, rest = text.partition("\nYOUR ORDERS")
    lines = rest.split("\n\n")[0].split("\n")[1:] if found else []
    lines = " \n".join(lines).replace(" \n    ", " ").split(" \n")  # those that were folded
    examples = [line.partition("   such as: ")[2] for line in lines if "   such as: " in line]
    orders = [match["order"] for line in lines if "   such as: " not in line and (match := ORDER.match(line))]
    plain = [order for order in orders if not re.search(r"\b[A-Z]{3,}\b|\.\.\.", order)]
    return [order for order in plain or examples if order != "resign"]


class Game:
    """A game on its way by mail: nobody asks the API for anything."""

    def __init__(self, db: Database, game_id: str, players: list[Player], post: Post) -> None:
        self.db, self.game_id, self.players, self.post = db, game_id, players, post
        self.by_address = {player.address: player for player in players}
        self.ahead = timedelta(0)  # of the wall's clock
        self.relay = Relay(f"smtp://127.0.0.1:{post.server.port}")
        self.channels = Channels(MailChannel(db, self.relay, HOST, "https://games.example.org"))

    def play(self, most: int = 2000) -> None:
        """Until the game is over and all have been told."""
        for _ in range(most):
            if self.step():
                continue
            if self.post.release():
                continue
            self._pass_time()
            if self.step():
                continue
            if all(player.is_over for player in self.players):
                return
            for player in self.players:  # who has heard nothing for long asks
                if not player.is_over:
                    player.wonder()
        raise AssertionError(f"the game does not end: {self.post.counts}")

    def has_begun(self) -> bool:
        with self.db.session() as session:
            return bool(session.value("select started_at is not null from games where id = %s", self.game_id))

    def is_over(self) -> bool:
        return positions.load(self.db, self.game_id)[0].is_over

    def step(self) -> bool:
        """The house works, the post brings, the players read; whether anything was done."""
        done = bool(notices.pass_on(self.db, self.channels))
        done = bool(deliveries.deliver_due(self.db, self.channels, app.looking, self.clock, 10.0)) or done
        for work in mail_in.serve(self.db, HOUSE, self.relay):
            self._do(work)
            done = True
        mail_in.send_answers(self.db, self.relay, HOST)
        inbox, self.post.inbox = self.post.inbox, []
        for message in inbox:
            done = True
            self.post.counts.pictures += any(part.get_content_type() == "image/png" for part in message.walk())
            if player := self.by_address.get(message["To"]):
                player.read(message)
        with self.db.session() as session:
            return done or bool(session.value("select exists(select from mail_in where state = 'waiting')"))

    def _do(self, work: Work) -> None:
        match work.kind:
            case "resolve":
                phases.resolve(self.db, self.game_id, work.sequence + 1)
            case "bot":
                bot_turns.play(self.db, self.game_id)

    def clock(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def _pass_time(self) -> None:
        """What was refused for now is tried again."""
        self.ahead += timedelta(minutes=10)
        with self.db.session() as session:
            session.run("update mail_out set due_at = now() where state = 'waiting'")
