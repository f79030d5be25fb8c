"""Mail that comes back: whose it was is known by where it comes back to, and nothing more is sent to a dead address.

The reports in tests/mail/bounces were made by Postfix 3.7. Where one is installed, and we are root, a live one makes
them once more.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from mail.bounces import of_refusal, read_report
from mail.reply import BounceTo, bounce_address, read_bounce_address
from runtime.post import NotSent, Relay
from runtime.processes import free_port
from service import addresses, bounces, feed, mail_in, notices
from service.addresses import email_key
from service.channels import Channels, NotDelivered
from service.feed import Told
from service.mail_out import MailChannel
from store import mail, outbox
from store.database import Database
from tests import postfix
from tests.service.test_mail_in import HOST, Table
from tests.waiting import wait_until

REPORTS = Path(__file__).parents[1] / "mail" / "bounces"


class PlayersServer:
    """The mail server of players, who are there or not."""

    def __init__(self) -> None:
        self.mails: list[Any] = []

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        match address.partition("@")[0]:
            case "nobody":
                return f"550 5.1.1 <{address}>: Recipient address rejected: User unknown"
            case "full":
                return f"552 5.2.2 <{address}>: Mailbox full"
            case "later":
                return f"450 4.2.1 <{address}>: Try again later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        if envelope.rcpt_tos[0].startswith("spam"):
            return "554 5.7.1 Message looks like spam"
        self.mails.append(envelope)
        return "250 OK"


@pytest.fixture
def table(db: Database) -> Table:
    return Table(db)


def address_of(table: Table, seat: int) -> str:
    with table.db.session() as session:
        key = mail.secret(session, "reply")
    return bounce_address(key, HOST, table.players[seat].id, table.game_id, email_key(table.addresses[seat]))


def come_back(table: Table, seat: int, name: str, to: str = "") -> None:
    """A report comes to where the mail was sent from."""
    raw = (REPORTS / f"{name}.eml").read_bytes() + table.game_id.encode() + bytes([65 + table.number])
    table.number += 1
    table.send(raw, mail_in.NULL_SENDER, to or address_of(table, seat))


def why_stopped(table: Table, seat: int) -> str | None:
    with table.db.session() as session:
        return bounces.stopped(session, table.players[seat].id, table.addresses[seat])


def told(table: Table, seat: int) -> list[Told]:
    with table.db.session() as session:
        rows = outbox.of_game(session, table.game_id)
    notices.pass_on_game(table.db, Channels(), table.game_id, rows)
    with table.db.session() as session:
        return [one for one in feed.page(session, table.players[seat].id) if one.kind == "bounced"]


def deliver(table: Table, seat: int, transport: Any) -> None:
    one = Told(
        id=1, kind="resumed", game_id=table.game_id, ruleset="airlines-europe", game="Airlines Europe", title="",
        seat=seat, about=None, sequence=0, summary="The game goes on.", sentences=(), omitted=0, prompt="", due_at=None,
        detail={}, press=None, created_at=datetime.now(UTC), read_at=None,
    )  # fmt: skip
    with table.db.session() as session:
        from service import players

        player = players.known(session, table.players[seat].id)
    MailChannel(table.db, transport, HOST).deliver(player, [one])


class Kept:
    def __init__(self) -> None:
        self.sent: list[tuple[EmailMessage, str, str]] = []

    def send(self, message: EmailMessage, sender: str, to: str) -> None:
        self.sent.append((message, sender, to))


@pytest.mark.parametrize(
    ("name", "status", "is_dead"),
    [("nobody", "5.1.1", True), ("full", "5.2.2", False), ("spam", "5.7.1", False), ("later", "4.2.1", False)],
)
def test_a_report_of_postfix_is_read(name: str, status: str, is_dead: bool) -> None:
    raw = (REPORTS / f"postfix-{name}.eml").read_bytes()
    report = read_report(raw)
    assert report is not None
    assert (report.status, report.is_dead) == (status, is_dead)
    assert status in report.reason
    assert read_report(raw.replace(b"\n", b"\r\n")) == report


@pytest.mark.parametrize(
    ("before", "after"), [(b"Action: failed", b"Action: delayed"), (b"multipart/report", b"multipart/mixed")]
)
def test_a_delay_and_what_is_no_report_are_nothing(before: bytes, after: bytes) -> None:
    assert read_report((REPORTS / "postfix-nobody.eml").read_bytes().replace(before, after)) is None


def test_nothing_is_sent_to_a_dead_address_and_the_feed_says_so(table: Table) -> None:
    come_back(table, 0, "postfix-nobody")
    assert "User unknown" in (why_stopped(table, 0) or "")
    (notice,) = told(table, 0)
    assert "came back" in notice.summary
    assert "User unknown" in notice.detail["reason"]
    assert told(table, 1) == []
    kept = Kept()
    with pytest.raises(NotDelivered) as refusal:
        deliver(table, 0, kept)
    assert (refusal.value.for_good, kept.sent) == (True, [])
    deliver(table, 1, kept)
    assert [to for _, _, to in kept.sent] == [table.addresses[1]]
    come_back(table, 0, "postfix-nobody")
    assert len(told(table, 0)) == 1  # what is known is not told again


def test_an_address_that_may_be_good_has_three_tries(table: Table) -> None:
    for _ in range(bounces.MOST - 1):
        come_back(table, 0, "postfix-full")
    assert why_stopped(table, 0) is None
    come_back(table, 0, "postfix-full")
    assert "Mailbox full" in (why_stopped(table, 0) or "")


def test_mail_from_the_address_or_a_new_proof_lifts_it(table: Table) -> None:
    come_back(table, 0, "postfix-nobody")
    assert table.write(0, "STATUS", From="thief@example.net") == ""
    assert why_stopped(table, 0)
    assert table.write(0, "STATUS")
    assert why_stopped(table, 0) is None
    come_back(table, 0, "postfix-nobody")
    with table.db.transaction() as transaction:
        letter = addresses.name_address(transaction, table.players[0].id, table.addresses[0])
        assert letter is not None
        addresses.prove(transaction, table.players[0].id, letter.content.secret)
    assert why_stopped(table, 0) is None


def test_an_address_that_was_changed_is_not_blamed_for_the_old_one(table: Table) -> None:
    old = address_of(table, 0)
    with table.db.transaction() as transaction:
        letter = addresses.name_address(transaction, table.players[0].id, f"new-{table.addresses[0]}")
        assert letter is not None
        addresses.prove(transaction, table.players[0].id, letter.content.secret)
    come_back(table, 0, "postfix-nobody", to=old)
    table.addresses[0] = f"new-{table.addresses[0]}"
    assert why_stopped(table, 0) is None


def test_where_mail_comes_back_to_cannot_be_made_up_or_moved_to_another_player(table: Table) -> None:
    mine = address_of(table, 0)
    found = read_bounce_address(mine.upper())
    assert found == read_bounce_address(mine)
    assert isinstance(found, BounceTo)
    assert len(mine.partition("@")[0]) <= 64
    moved = mine.replace(f"bounce+{table.players[0].id}.", f"bounce+{table.players[1].id}.")
    for to in (moved, mine.replace(found.proof, "a" * 20), f"bounce+@{HOST}"):
        come_back(table, 1, "postfix-nobody", to=to)
    assert (why_stopped(table, 0), why_stopped(table, 1)) == (None, None)


def test_a_vacation_notice_that_comes_back_to_the_sender_is_no_bounce(table: Table) -> None:
    raw = b"From: ann@example.org\nSubject: Away\nAuto-Submitted: auto-replied\n\nI am away.\n"
    table.send(raw, mail_in.NULL_SENDER, address_of(table, 0))
    assert why_stopped(table, 0) is None


def test_an_address_that_the_relay_refuses_is_marked_too(table: Table) -> None:
    class Refusing:
        def send(self, message: EmailMessage, sender: str, to: str) -> None:
            assert sender == address_of(table, 0)
            raise NotSent("The relay refuses the address: 550 5.1.1 No such user", True, address_refused=True)

    with pytest.raises(NotDelivered):
        deliver(table, 0, Refusing())
    assert why_stopped(table, 0) == of_refusal("The relay refuses the address: 550 5.1.1 No such user").reason
    assert len(told(table, 0)) == 1


@pytest.fixture
def relay(tmp_path: Path) -> Iterator[tuple[int, PlayersServer, list[Any]]]:
    """A live Postfix between us and the players, and what it brings back."""
    came: list[Any] = []

    class Door:
        async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
            came.append(envelope)
            return "250 OK"

    theirs, ours = PlayersServer(), Door()
    controllers = [Controller(handler, hostname="127.0.0.1", port=free_port()) for handler in (theirs, ours)]
    for controller in controllers:
        controller.start()
    routes = {
        domain: f"smtp:[127.0.0.1]:{controller.port}"
        for domain, controller in zip(("example.org", HOST), controllers, strict=True)
    }
    try:
        with postfix.running(tmp_path / "postfix", routes) as port:
            yield port, theirs, came
    finally:
        for controller in controllers:
            controller.stop()


if postfix.is_here():

    def test_what_a_live_postfix_brings_back_marks_the_address_and_no_other(table: Table, relay: tuple) -> None:
        port, theirs, came = relay
        with table.db.transaction() as transaction:
            from store import players

            players.set_email(transaction, table.players[0].id, "nobody@example.org", "nobody@example.org")
        table.addresses[0] = "nobody@example.org"
        transport = Relay(f"smtp://127.0.0.1:{port}")
        for seat in range(2):
            deliver(table, seat, transport)
        wait_until(lambda: came and theirs.mails, what="what comes back")
        (envelope,) = came
        assert envelope.rcpt_tos == [address_of(table, 0)]
        table.send(envelope.content, envelope.mail_from, envelope.rcpt_tos[0])
        assert "User unknown" in (why_stopped(table, 0) or "")
        assert why_stopped(table, 1) is None
