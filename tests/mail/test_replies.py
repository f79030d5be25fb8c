"""Mails in, answers out: every transcript beside this file, sent to a game of Tin Goose, and what its sender is told.

Answers are in replies/: those of a mail that changes nothing but its shape are the same. `WAYBILL_WRITE_REPLIES=1`
writes them anew; read the difference before you commit it.
"""

import email.policy
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from runtime import wall_clock
from service import games, guests, invitations, mail_in, mail_out, players, preferences, seats
from service.addresses import email_key
from service.games import NewGame, NewSeat
from service.players import Player
from store import players as player_rows
from store.database import Database

HERE = Path(__file__).parent
REPLIES = HERE / "replies"
EXPECTED = yaml.safe_load((HERE / "transcripts.yaml").read_text("utf-8"))
HOST = "waybill.example"
GAME = "7h2kq9mzr4ab"
NOW = datetime(2026, 11, 10, 8, 15, tzinfo=UTC)
DUE = datetime(2026, 11, 12, 17, 0, tzinfo=UTC)
USUAL = msgspec.to_builtins(preferences.DEFAULT.all_kinds())
IS_WRITING = bool(os.environ.get("WAYBILL_WRITE_REPLIES"))
LONGEST_PAGE = 30  # lines of an answer that are compared: the rest of a page is told elsewhere


def slug(name: str) -> str:
    """The answer of a mail: a command has its own, the others share theirs with all that say the same."""
    if name.startswith(("command-", "guest-")) or name == "emoji":
        return name
    said = "-".join(EXPECTED[name]["lines"]) or "nothing"
    return re.sub(r"[\W_]+", "-", said.replace("Bid", "bid (capital)").lower()).strip("-")[:90]


@pytest.fixture(scope="module")
def people(db: Database) -> list[Player]:
    with db.transaction() as transaction:
        found = [players.create(transaction, name) for name in ("Ada Brook", "Bea Field", "Cid Marsh")]
        for player in found:
            address = f"{player.name.split()[0].lower()}@example.org"
            player_rows.set_email(transaction, player.id, address, email_key(address))
        preferences.change(transaction, found[0].id, {"zone": "Europe/Berlin"})
    return found


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A quarter past nine in Berlin, on the day on which the transcripts were written."""
    for cap in ("MOST_MAILS", "MOST_MAILS_ABOUT", "MOST_ANSWERS"):
        monkeypatch.setattr(mail_in, cap, 10**6)  # a person writes no more than a few
    wall_clock.shift((NOW - datetime.now(UTC)).total_seconds())
    yield
    wall_clock.shift(0)


class Table:
    """A game of Tin Goose at its first question: what each bids for the airmail, sealed."""

    def __init__(self, db: Database, people: list[Player]) -> None:
        self.db, self.people = db, people
        with pytest.MonkeyPatch.context() as patch, db.transaction() as transaction:
            patch.setattr("service.games.secrets.token_bytes", lambda number: bytes(range(number)))  # the seed
            transaction.run(
                "update games set status = 'over' where id in (select game_id from seats where player_id = %s)",
                people[0].id,
            )
            opened = games.create(
                transaction,
                people[0],
                NewGame("tin-goose", (NewSeat("me"), NewSeat("open"), NewSeat("open")), clock="weekly", undo="own"),
            )
            for player in people[1:]:
                seats.join(transaction, opened.game.id, player)
            transaction.run("update games set due_at = %s where id = %s", DUE, opened.game.id)
        self.game_id = opened.game.id

    def answer(self, raw: bytes, to: str = "") -> str:
        """Subject and text of the answer, with the same letters whatever the game is called; empty if there is none."""
        with self.db.session() as session:
            to = to or mail_out.reply_address(session, HOST, self.game_id, 0, self.people[0].id)
        raw = raw.replace(GAME.encode(), self.game_id.encode())
        mail_id = mail_in.keep(self.db, raw, "ada@example.org", to)
        assert mail_id is not None
        mail_in.process(self.db, mail_in.House(HOST), mail_id)
        with self.db.transaction() as transaction:
            found = transaction.value("select raw from mail_out where mail_in = %s", mail_id)
            transaction.run("update mail_in set outcome = '' where id = %s", mail_id)  # the next was not written later
            preferences.change(transaction, self.people[0].id, {"kinds": USUAL})
        return self._plain(found) if found else ""

    def _plain(self, raw: Any) -> str:
        message = message_from_bytes(bytes(raw), policy=email.policy.default)
        body = message.get_body(("plain",))  # type: ignore[attr-defined]
        text = body.get_content().replace("\r\n", "\n")
        assert max(len(line) for line in text.splitlines() if "://" not in line) <= 72
        text = f"Subject: {message['Subject']}\n\n{text}".replace(self.game_id, GAME).replace(
            self.game_id[:4], GAME[:4]
        )
        text = re.sub(r"play\+\S+@\S+\n?", "play+…\n", text)
        text = re.sub(r"\bhash [0-9a-f]{16}", "hash 0123456789abcdef", text)
        return re.sub(r"\b[0-9a-f]{64}\b", "0123456789abcdef" * 4, text)


class Guests(Table):
    """A game of Tin Goose to which Ada has invited Mia, whom nobody knows here."""

    def __init__(self, db: Database, people: list[Player]) -> None:
        self.db, self.people = db, people
        with db.transaction() as transaction:  # as it was before other mails of hers
            if mia := players.by_name(transaction, "Mia Lindt"):
                player_rows.forget(transaction, mia.id)
                transaction.run("delete from names where player_id is null")
            transaction.run("delete from unwanted_mail")
            seats = (NewSeat("me"), NewSeat("invite", email="mia@example.org"), NewSeat("open"))
            opened = games.create(transaction, people[0], NewGame("tin-goose", seats, clock="relaxed"))
        self.game_id = opened.game.id
        guests.write_letters(db, HOST, "https://waybill.example")
        with db.session() as session:
            number = session.value("select id from invitations where game_id = %s", self.game_id)
            self.raw = session.value("select raw from mail_out where invitation = %s and kind = 'invited'", number)
        self.to = message_from_bytes(bytes(self.raw), policy=email.policy.default)["Reply-To"]


@pytest.fixture
def table(db: Database, people: list[Player]) -> Table:
    return Table(db, people)


@pytest.fixture
def invitation(db: Database, people: list[Player], monkeypatch: pytest.MonkeyPatch) -> Guests:
    monkeypatch.setattr(guests, "MOST_TO_ADDRESS", 10**6)
    monkeypatch.setattr(mail_in, "MOST_ANSWERS_TO_GUEST", 10**6)
    monkeypatch.setattr(invitations, "MOST_OF_HOST", 10**6)
    return Guests(db, people)


def check(name: str, answer: str) -> None:
    check_file(REPLIES / f"{slug(name)}.txt", answer)


def check_file(file: Path, answer: str) -> None:
    lines = answer.splitlines()
    if len(lines) > 4 * LONGEST_PAGE:
        lines = [*lines[:LONGEST_PAGE], f"(and {len(lines) - LONGEST_PAGE} lines more)"][:-1]
    said = "\n".join(lines) + "\n"
    if IS_WRITING:
        REPLIES.mkdir(exist_ok=True)
        file.write_text(said, "utf-8")
    assert said == file.read_text("utf-8")


SHAPES = [name for name in EXPECTED if not name.startswith(("command-", "guest-"))]
GUESTS = [name for name in EXPECTED if name.startswith("guest-")]
COMMANDS = [name for name in EXPECTED if name.startswith("command-")]


@pytest.mark.parametrize("name", SHAPES)
def test_what_the_sender_of_a_mail_is_told(table: Table, name: str) -> None:
    """Whatever its shape, the same words get the same answer."""
    raw = (HERE / f"{name}.eml").read_bytes()
    table.answer(b"From: ada@example.org\n\nbid 35\n\n-- \n" + name.encode())  # what is in the envelope before
    answer = table.answer(raw)
    if EXPECTED[name].get("is_automatic"):
        assert answer == ""
    else:
        check(name, answer)


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_command_is_answered(table: Table, name: str) -> None:
    check(name, table.answer((HERE / f"{name}.eml").read_bytes()))


@pytest.mark.parametrize("name", GUESTS)
def test_what_somebody_is_told_who_is_no_player_yet(invitation: Guests, name: str) -> None:
    check(name, invitation.answer((HERE / f"{name}.eml").read_bytes(), invitation.to))


def test_what_an_invitation_says(invitation: Guests) -> None:
    said = re.sub(r"token=\S+", "token=…", invitation._plain(invitation.raw))
    check_file(REPLIES / "invitation.txt", said)


def test_every_answer_belongs_to_a_mail_and_every_command_has_one() -> None:
    from service.mail_commands import words

    named = {slug(name) for name in EXPECTED if not EXPECTED[name].get("is_automatic")}
    assert {file.stem for file in REPLIES.glob("*.txt")} == named | {"invitation"}
    said = {EXPECTED[name]["lines"][0].split()[0].upper() for name in COMMANDS}
    assert {word for word in words() if word not in said} == set()
    assert len(EXPECTED) >= 60 + len(COMMANDS)


def test_the_clock_of_these_tests_stands() -> None:
    assert abs(wall_clock.now() - NOW) < timedelta(minutes=5)
