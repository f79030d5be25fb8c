"""A game by mail alone: letters go out through a real SMTP server, replies come in through the real door."""

import email.policy
import os
import re
import smtplib
import subprocess
import sys
from collections.abc import Callable, Iterator
from email import message_from_bytes
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from runtime.config import Config
from runtime.processes import free_port
from service import games, positions
from service.addresses import email_key
from service.games import NewGame, NewSeat
from store import players as player_rows
from store.database import Database
from tests.factories import make_game, make_player
from tests.waiting import wait_until
from workers.mail_door import MOST_BYTES

ROOT = Path(__file__).resolve().parents[2]
HOST = "waybill.localhost"


class Inbox:
    """The players' mail server."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        message = message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        self.mails.append(message)
        return "250 OK"


@pytest.fixture
def inbox() -> Iterator[tuple[Inbox, int]]:
    found = Inbox()
    controller = Controller(found, hostname="127.0.0.1", port=free_port())
    controller.start()
    yield found, controller.port
    controller.stop()


@pytest.fixture
def door(config: Config, tmp_path: Path, inbox: tuple[Inbox, int]) -> Iterator[int]:
    port, log = free_port(), tmp_path / "mail.log"
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "DATABASE_URL": config.database_url,
        "REDIS_URL": config.redis_url,
        "WAYBILL_MAIL_PORT": str(port),
        "WAYBILL_SMTP_URL": f"smtp://127.0.0.1:{inbox[1]}",
    }
    with open(log, "wb") as output:
        command = [sys.executable, "-P", "-m", "workers.mail_door"]
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)

    def answers() -> bool:
        assert process.poll() is None, log.read_text()
        try:
            with smtplib.SMTP("127.0.0.1", port, timeout=5):
                return True
        except OSError:
            return False

    wait_until(answers, 60, what="the door for mail")
    yield port
    process.terminate()
    assert process.wait(20) == 0


def write(port: int, sender: str, to: str, text: str, answered: EmailMessage | None = None) -> None:
    message = EmailMessage(policy=email.policy.SMTP)
    message["From"], message["To"], message["Subject"] = sender, to, "Re: your turn"
    message["Message-ID"] = f"<{os.urandom(8).hex()}@example.org>"
    if answered:
        body = answered.get_body(("plain",))
        assert body is not None
        quoted = "".join(f"> {line}\n" for line in body.get_content().splitlines())
        text += f"\n\nOn Tue, 3 Nov 2026 at 18:00, Waybill <waybill@{HOST}> wrote:\n{quoted}"
    message.set_content(text)
    with smtplib.SMTP("127.0.0.1", port, timeout=10) as relay:
        relay.send_message(message, sender, [to])


def test_a_game_is_played_by_answering_mails(
    config: Config,
    db: Database,
    inbox: tuple[Inbox, int],
    door: int,
    start_worker: Callable[..., Any],
    start_beat: Callable[..., Any],
    monkeypatch: Any,
) -> None:
    found, port = inbox
    monkeypatch.setenv("WAYBILL_SMTP_URL", f"smtp://127.0.0.1:{port}")
    start_worker()
    start_beat()
    game_id, people = make_game(db, people=2)
    addresses = [f"{player.name.replace(' ', '.')}@example.org" for player in people]
    with db.transaction() as transaction:
        for player, address in zip(people, addresses, strict=True):
            player_rows.set_email(transaction, player.id, address, email_key(address))
    read = 0
    while positions.load(db, game_id)[0].sequence < 4:
        wait_until(lambda read=read: len(found.mails) > read, 60, what=f"mail number {read + 1}")
        message = found.mails[read]
        read += 1
        body = message.get_body(("plain",))
        assert body is not None
        text = body.get_content()
        asked = re.search(r"^YOUR ORDERS", text, re.MULTILINE) and message["Auto-Submitted"] == "auto-generated"
        if asked and message["Reply-To"] and message["To"] in addresses:
            order = (
                "take money" if "take money" in text else re.search(r"^  (choose [^(\n]*?)(?:   \(|$)", text, re.M)[1]
            )  # type: ignore[index]
            write(door, message["To"], message["Reply-To"], order, answered=message)
    others = [
        message for message in found.mails if message["To"] not in addresses
    ]  # of games that other tests have left
    assert not any(f"game-{game_id}" in (message["List-Id"] or "") for message in others)
    mine = [message for message in found.mails if message["To"] in addresses]
    assert {message["To"] for message in mine} == set(addresses)
    answers = [message for message in mine if message["Auto-Submitted"] == "auto-replied"]
    assert answers
    for message in mine:
        assert message["From"].endswith(f"<waybill@{HOST}>")
        assert f"game-{game_id}" in message["List-Id"]


def test_a_stranger_is_invited_signs_up_and_plays_by_mail_alone(
    config: Config,
    db: Database,
    inbox: tuple[Inbox, int],
    door: int,
    start_worker: Callable[..., Any],
    start_beat: Callable[..., Any],
    monkeypatch: Any,
) -> None:
    """From the invitation to the first order that stands, with a worker, the door and SMTP, and no call of the API."""
    found, port = inbox
    monkeypatch.setenv("WAYBILL_SMTP_URL", f"smtp://127.0.0.1:{port}")
    start_worker()
    start_beat()
    address, name = f"stranger.{os.urandom(4).hex()}@example.org", f"Mia {os.urandom(4).hex()}"
    with db.transaction() as transaction:
        new = NewGame("airlines-europe", (NewSeat("me"), NewSeat("invite", email=address)))
        game_id = games.create(transaction, make_player(db), new).game.id

    def mail(what: str, begins: str = "") -> EmailMessage:
        """The first mail to the stranger with these words in its subject, and with this first line."""
        fits = [one for one in found.mails if one["To"] == address and what in one["Subject"]]
        fits = [one for one in fits if text_of(one).startswith(begins)]
        return fits[0] if fits else EmailMessage()

    wait_until(lambda: bool(mail("invites you")), 60, what="the invitation")
    write(door, address, mail("invites you")["Reply-To"], "JOIN", answered=mail("invites you"))
    wait_until(lambda: bool(mail("NOT ACCEPTED")), 60, what="the question for a name")
    write(door, address, mail("NOT ACCEPTED")["Reply-To"], f"JOIN AS {name}", answered=mail("NOT ACCEPTED"))
    wait_until(lambda: bool(mail("DONE")), 60, what="the welcome")
    wait_until(lambda: bool(mail("your", "===")), 60, what="the first question")
    question = mail("your", "===")
    assert "HOW TO PLAY HERE" in text_of(question)
    order = re.search(r"^  (choose [^(\n]*?)(?:   \(|$)", text_of(question), re.MULTILINE)
    assert order is not None
    write(door, address, question["Reply-To"], order[1], answered=question)
    wait_until(lambda: bool(mail("ACCEPTED", "ACCEPTED")), 60, what="the answer to the order")
    assert list(positions.load(db, game_id)[0].sealed) == [1]
    assert positions.load(db, game_id)[0].names[1] == name


def text_of(message: EmailMessage) -> str:
    body = message.get_body(("plain",))
    return body.get_content() if body else ""


def test_the_door_is_no_relay_and_takes_no_more_than_it_can_keep(door: int) -> None:
    with smtplib.SMTP("127.0.0.1", door, timeout=10) as client:
        client.helo()
        client.mail("a@example.org")
        assert client.rcpt("somebody@elsewhere.example")[0] == 550
        assert client.rcpt(f"nobody@{HOST}")[0] == 550
        assert client.rcpt(f"waybill@{HOST}")[0] == 250
        client.rset()
        with pytest.raises(smtplib.SMTPDataError) as caught:
            client.sendmail("a@example.org", [f"waybill@{HOST}"], b"xxxxxxxxx\r\n" * (MOST_BYTES // 10))
        assert caught.value.smtp_code == 552
