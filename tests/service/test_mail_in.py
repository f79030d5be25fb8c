"""Mail that comes in: who may speak for a seat, what a mail does, and that it does it once."""

import email.policy
import re
from email import message_from_bytes
from email.message import EmailMessage
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from mail.authentication import vouches
from mail.quoting import MARKER
from mail.reply import own_address, read_own_address
from referee.orders.notation import format_move
from runtime.post import LocalBox
from service import mail_in, mail_orders, mail_out, phases, players, positions
from service.addresses import email_key
from store import players as player_rows
from store.database import Database
from tests.factories import make_game

HOST = "waybill.localhost"
HOUSE = mail_in.House(HOST)


class Table:
    """A game of two people with proved addresses, and the mail between them and the house."""

    def __init__(self, db: Database, **options: Any) -> None:
        self.db = db
        self.game_id, self.players = make_game(db, people=2, **options)
        self.addresses = [f"{player.name.replace(' ', '.')}@example.org" for player in self.players]
        with db.transaction() as transaction:
            for player, address in zip(self.players, self.addresses, strict=True):
                player_rows.set_email(transaction, player.id, address, email_key(address))
        self.number = 0

    def play_opening(self) -> None:
        for seat in range(2):
            table, _ = positions.load(self.db, self.game_id)
            assert self.write(seat, format_default(table, seat)).startswith("ACCEPTED")
        assert phases.resolve(self.db, self.game_id)

    @property
    def turn(self) -> int:
        return positions.load(self.db, self.game_id)[0].acting()[0]

    @property
    def sequence(self) -> int:
        return positions.load(self.db, self.game_id)[0].sequence

    def reply_to(self, seat: int, row: int | None = None) -> str:
        with self.db.session() as session:
            return mail_out.reply_address(session, HOST, self.game_id, seat, self.players[seat].id, row)

    def mail(self, seat: int, text: str, **headers: str) -> tuple[bytes, str, str]:
        self.number += 1
        message = EmailMessage(policy=email.policy.SMTP)
        message["From"] = headers.pop("From", self.addresses[seat])
        message["To"] = headers.pop("To", self.reply_to(seat))
        message["Subject"] = "Re: [Waybill]"
        message["Message-ID"] = f"<{self.game_id}-{self.number}@example.org>"
        for name, value in headers.items():
            message[name.replace("_", "-")] = value
        message.set_content(text)
        return bytes(message), message["From"], message["To"]

    def send(self, raw: bytes, sender: str, recipient: str) -> int | None:
        mail_id = mail_in.keep(self.db, raw, sender, recipient)
        if mail_id is not None:
            mail_in.process(self.db, HOUSE, mail_id)
        return mail_id

    def write(self, seat: int, text: str, **headers: str) -> str:
        """The text of the answer; empty if there is none."""
        return self.answer_to(self.send(*self.mail(seat, text, **headers)))

    def answer_to(self, mail_id: int | None, kind: str = "answer") -> str:
        with self.db.session() as session:
            raw = session.value("select raw from mail_out where mail_in = %s and kind = %s", mail_id, kind)
        return text_of(raw) if raw else ""


def text_of(raw: Any) -> str:
    message = message_from_bytes(bytes(raw), policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    body = message.get_body(("plain",))
    assert body is not None
    return body.get_content().replace("\r\n", "\n")


def format_default(table: Any, seat: int) -> str:
    return format_move(table.game, table.default(seat))


@pytest.fixture
def table(db: Database) -> Table:
    made = Table(db)
    made.play_opening()
    return made


def test_orders_are_played_and_the_first_line_says_so(table: Table) -> None:
    before, seat = table.sequence, table.turn
    answer = table.write(seat, "take money\n")
    assert answer.splitlines()[0] == mail_orders.ACCEPTED
    assert "Read as:\n  take money" in answer
    assert table.sequence == before + 1


def test_a_turn_that_goes_on_says_so(table: Table) -> None:
    seat = table.turn
    game, _ = positions.load(table.db, table.game_id)
    buy = next(offer for offer in game.offers(seat) if offer.move.__name__ == "Buy")
    answer = table.write(seat, format_move(game.game, next(buy.moves())))
    assert answer.splitlines()[0] == mail_orders.UNFINISHED


def test_a_refusal_changes_nothing_and_names_the_line_and_the_reason(table: Table) -> None:
    before = table.sequence
    answer = table.write(table.turn, "take money\nfly to the moon")
    assert answer.splitlines()[0] == mail_orders.REFUSED
    assert "This line: fly to the moon" in answer
    assert table.sequence == before


def test_what_is_quoted_is_not_obeyed(table: Table) -> None:
    before = table.sequence
    answer = table.write(
        table.turn, f"STATUS\n\nOn Tue, 3 Nov 2026 at 18:00, Waybill wrote:\n> {MARKER}\n> take money\n"
    )
    assert answer.splitlines()[0] == mail_orders.READ
    assert "It waits for" in answer
    assert table.sequence == before


def test_the_same_mail_twice_is_one_submission(table: Table) -> None:
    before, sent = table.sequence, table.mail(table.turn, "take money")
    assert table.send(*sent) is not None
    assert table.send(*sent) is None
    assert table.sequence == before + 1


def test_a_mail_that_is_read_twice_moves_once_and_is_answered_alike(table: Table) -> None:
    before, seat = table.sequence, table.turn
    mail_id = mail_in.keep(table.db, *table.mail(seat, "take money"))
    assert mail_id is not None
    mail_in.process(table.db, HOUSE, mail_id)
    first = table.answer_to(mail_id)
    with table.db.transaction() as transaction:  # as if the reader had died before it could say that it was done
        transaction.run("update mail_in set state = 'waiting' where id = %s", mail_id)
        transaction.run("delete from mail_out where mail_in = %s", mail_id)
    mail_in.process(table.db, HOUSE, mail_id)
    assert table.sequence == before + 1
    assert table.answer_to(mail_id).splitlines()[:3] == first.splitlines()[:3]


def test_check_tries_and_changes_nothing(table: Table) -> None:
    before = table.sequence
    assert table.write(table.turn, "CHECK\ntake money").splitlines()[0] == mail_orders.CHECKED
    assert table.sequence == before


def test_a_token_cannot_be_moved_to_another_seat(table: Table) -> None:
    before, seat = table.sequence, table.turn
    forged = table.reply_to(1 - seat).replace(f".{1 - seat}.", f".{seat}.")
    assert table.write(1 - seat, "take money", To=forged).splitlines()[0] == mail_orders.REFUSED
    assert table.sequence == before


def test_a_reply_address_works_in_capitals(table: Table) -> None:
    before, seat = table.sequence, table.turn
    assert table.write(seat, "take money", To=table.reply_to(seat).upper()).startswith("ACCEPTED")
    assert table.sequence == before + 1


def test_orders_from_another_address_are_held_until_the_proved_one_confirms(table: Table) -> None:
    before, seat = table.sequence, table.turn
    sent = table.mail(seat, "take money", From="thief@example.net")
    mail_id = table.send(*sent)
    assert (table.sequence, table.answer_to(mail_id)) == (before, "")
    with table.db.session() as session:
        raw, sent_to = session.row("select raw, sent_to from mail_out where mail_in = %s", mail_id)
    asked = message_from_bytes(bytes(raw), policy=email.policy.default)
    assert sent_to == table.addresses[seat]
    assert "take money" not in text_of(raw)
    table.write(seat, "yes", To=asked["Reply-To"])
    mail_in.process(table.db, HOUSE, mail_id)
    assert table.sequence == before + 1
    assert table.answer_to(mail_id).startswith("ACCEPTED")


@pytest.mark.parametrize(
    "headers",
    [{"Auto_Submitted": "auto-replied"}, {"Precedence": "bulk"}, {"List_Id": "<x.y>"}, {"Return_Path": "<>"}],
)
def test_programs_are_neither_obeyed_nor_answered(table: Table, headers: dict[str, str]) -> None:
    before = table.sequence
    assert table.write(table.turn, "take money", **headers) == ""
    assert table.sequence == before


def test_a_stranger_hears_nothing(table: Table, db: Database) -> None:
    assert table.write(0, "take money", From="nobody@example.net", To=f"waybill@{HOST}") == ""


def test_press_is_sent_and_the_orders_beside_it_stand(table: Table) -> None:
    before, seat = table.sequence, table.turn
    answer = table.write(seat, "take money\nPRESS\nGood luck!\nEND\n")
    assert answer.startswith("ACCEPTED")
    assert "PRESS: sent to all." in answer
    assert table.sequence == before + 1


@pytest.mark.parametrize("word", ["HELP", "BOARD", "OPTIONS", "HISTORY 3", "GAMES", "rules", "status"])
def test_every_command_is_answered(table: Table, word: str) -> None:
    answer = table.write(table.turn, word)
    assert answer.splitlines()[0] == mail_orders.READ
    assert len(answer.splitlines()) > 2
    assert max(map(len, answer.splitlines())) <= 72


def test_no_secret_of_others_is_in_an_answer(table: Table) -> None:
    seat = table.turn
    now, _ = positions.load(table.db, table.game_id)
    other = now.view(1 - seat).table.players[1 - seat].hand
    assert other
    mine = table.write(seat, "BOARD")
    theirs = table.write(1 - seat, "BOARD")
    assert "Hand:" in mine
    assert mine != theirs


def test_a_banned_word_in_a_header_cannot_add_another(table: Table) -> None:
    name = "Eve\r\nBcc: all@example.org"
    with pytest.raises(Exception, match=r"A name holds"), table.db.transaction() as transaction:
        players.create(transaction, name)


def test_a_mail_that_cannot_be_read_keeps_no_other_waiting(table: Table, db: Database, tmp_path: Path) -> None:
    broken = Table(db)
    with db.session() as session:  # what other tests have left
        session.run("update mail_out set state = 'sent' where state = 'waiting'")
        session.run("update mail_in set state = 'done' where state = 'waiting'")
        session.run("update games set position = '{' where id = %s", broken.game_id)
    first = mail_in.keep(db, *broken.mail(0, "STATUS"))
    second = mail_in.keep(db, *table.mail(0, "STATUS"))
    box = LocalBox(tmp_path / "mail")
    assert list(mail_in.serve(db, HOUSE, box, 60.0)) == []
    assert table.answer_to(second).startswith("READ")
    with db.session() as session:
        sql = "select state, due_at > now() + interval '10 minutes' from mail_in where id in (%s, %s) order by id"
        states = session.rows(sql, first, second)
    assert states == [("waiting", True), ("done", False)]
    assert len(list((tmp_path / "mail" / "new").iterdir())) == 1, "the answer was sent beside it"


def test_answers_are_sent_and_tried_again(table: Table) -> None:
    with table.db.session() as session:  # what other tests have left
        session.run("update mail_out set state = 'sent' where state = 'waiting'")
    mail_id = table.send(*table.mail(table.turn, "STATUS"))
    sent: list[tuple[EmailMessage, str]] = []

    class Flaky:
        def __init__(self) -> None:
            self.tries = 0

        def send(self, message: EmailMessage, sender: str, to: str) -> None:
            self.tries += 1
            if self.tries == 1:
                raise mail_in.NotSent("no relay today")
            sent.append((message, to))

    flaky = Flaky()
    while not flaky.tries:
        mail_in.send_answers(table.db, flaky, HOST)
    with table.db.session() as session:
        session.run("update mail_out set due_at = now() where state = 'waiting'")
    mail_in.send_answers(table.db, flaky, HOST)
    with table.db.session() as session:
        states = dict(session.rows("select mail_in, state from mail_out where mail_in = %s", mail_id))
    assert states == {mail_id: "sent"}
    assert all(message["Auto-Submitted"] == "auto-replied" for message, _ in sent)


def test_mails_of_long_ago_are_dropped_with_their_answers_and_no_others(table: Table) -> None:
    old, new = (table.send(*table.mail(table.turn, "STATUS")) for _ in range(2))
    with table.db.session() as session:
        session.run("update mail_in set received_at = now() - interval '31 days' where id = %s", old)
    mail_in.tidy(table.db)
    assert (table.answer_to(old), bool(table.answer_to(new))) == ("", True)
    with table.db.session() as session:
        assert session.value("select count(*) from mail_in where id = any(%s)", [old, new]) == 1


# Mails that overtake each other


def test_an_answer_to_an_old_mail_is_not_taken_for_another_turn(table: Table) -> None:
    seat, seen = table.turn, table.sequence
    delayed = table.mail(seat, "take money", To=table.reply_to(seat, seen))
    assert table.write(seat, "take money", To=table.reply_to(seat, seen)).startswith("ACCEPTED")
    assert table.write(1 - seat, "take money").startswith("ACCEPTED")
    assert table.turn == seat
    before = table.sequence
    answer = table.answer_to(table.send(*delayed))
    assert answer.splitlines()[0] == mail_orders.REFUSED
    assert f"after row {seen}. You have moved since" in " ".join(answer.split())
    assert "YOUR ORDERS" in answer
    assert table.sequence == before
    assert table.write(seat, "take money", To=table.reply_to(seat, before)).startswith("ACCEPTED")


def test_a_mail_of_before_others_moved_is_still_good(table: Table) -> None:
    seat, seen = table.turn, table.sequence
    assert table.write(seat, "take money").startswith("ACCEPTED")
    assert table.write(1 - seat, "take money", To=table.reply_to(1 - seat, seen)).startswith("ACCEPTED")


def test_of_two_orders_for_an_envelope_the_one_that_was_written_later_stays(db: Database) -> None:
    table = Table(db)
    now, _ = positions.load(db, table.game_id)
    first, second = [format_move(now.game, move) for move in islice(now.offers(0)[0].moves(), 2)]
    early, late = (f"Tue, 03 Nov 2026 18:0{minute}:00 +0000" for minute in (1, 2))
    assert table.write(0, second, Date=late).startswith("ACCEPTED")
    answer = table.write(0, first, Date=early)
    assert answer.splitlines()[0] == mail_orders.REFUSED
    assert "wrote later" in answer
    assert second in table.write(0, "ORDERS")
    assert table.write(0, first, Date="Tue, 03 Nov 2026 18:03:00 +0000").startswith("ACCEPTED")
    assert first in table.write(0, "ORDERS")


def test_the_row_of_an_address_cannot_be_changed(table: Table) -> None:
    seat, seen = table.turn, table.sequence
    other = table.reply_to(seat, seen).replace(f".{seat}.{seen}.", f".{seat}.{seen + 7}.")
    assert other != table.reply_to(seat, seen)
    assert table.write(seat, "take money", To=other).splitlines()[0] == mail_orders.REFUSED
    assert len(table.reply_to(seat, 10**8).partition("@")[0]) <= 64


# Mail to the service itself

TRUSTED = mail_in.House(HOST, "mx.example.net")
VOUCHED = "mx.example.net; dmarc=pass (p=none) header.from=example.org; spf=pass smtp.mailfrom=example.org"


def write_to_the_service(table: Table, text: str, house: mail_in.House = TRUSTED, **headers: str) -> int:
    mail_id = mail_in.keep(table.db, *table.mail(0, text, To=f"waybill@{HOST}", **headers))
    assert mail_id is not None
    mail_in.process(table.db, house, mail_id)
    return mail_id


def test_who_is_vouched_for_by_our_own_server_is_answered(table: Table) -> None:
    mail_id = write_to_the_service(table, "GAMES", Authentication_Results=VOUCHED)
    answer = table.answer_to(mail_id)
    assert answer.splitlines()[0] == mail_orders.READ
    assert f"Airlines Europe {table.game_id}" in answer
    address = re.search(r"play\+\S+", answer)
    assert address
    assert table.write(table.turn, "STATUS", To=address[0]) or table.turn == 1


@pytest.mark.parametrize(
    "said",
    [
        None,
        "mx.example.net; dmarc=fail header.from=example.org",
        "mx.example.net; dmarc=pass header.from=evil.example",
        "mx.example.net; dkim=pass header.d=evil.example; spf=pass smtp.mailfrom=example.org",
        "mx.evil.example; dmarc=pass header.from=example.org",
        "mx.example.net.evil.example; dmarc=pass header.from=example.org",
        "mx.example.net; none (dmarc=pass header.from=example.org)",
    ],
)
def test_who_is_not_is_asked_first_and_nothing_is_quoted(table: Table, said: str | None) -> None:
    headers = {"Authentication_Results": said} if said else {}
    mail_id = write_to_the_service(table, "STOP", **headers)
    assert table.answer_to(mail_id) == ""
    asked = table.answer_to(mail_id, "held")
    assert asked.startswith("HELD")
    assert "STOP" not in asked
    with table.db.session() as session:
        raw, sent_to = session.row("select raw, sent_to from mail_out where mail_in = %s", mail_id)
    assert sent_to == table.addresses[0]
    reply_to = message_from_bytes(bytes(raw), policy=email.policy.default)["Reply-To"]
    table.write(0, "Yes", To=reply_to)
    mail_in.process(table.db, HOUSE, mail_id)
    assert "STOP: no more mail" in table.answer_to(mail_id)


def test_without_a_server_to_trust_nobody_is_vouched_for(table: Table) -> None:
    mail_id = write_to_the_service(table, "GAMES", HOUSE, Authentication_Results=VOUCHED)
    assert table.answer_to(mail_id) == ""


def test_a_header_below_the_one_of_our_server_counts_for_nothing() -> None:
    ours = "mx.example.net; dmarc=fail header.from=example.org"
    assert vouches([VOUCHED, ours], "mx.example.net", "ann@example.org")
    assert not vouches([ours, VOUCHED], "mx.example.net", "ann@example.org")
    signed = "MX.example.net 1; dkim=pass header.d=Example.org"
    assert vouches([signed], "mx.example.net", "ann@example.org")
    assert not vouches([signed], "mx.example.net", "ann@mail.example.org")


def test_orders_and_commands_of_a_game_need_its_address(table: Table) -> None:
    before = table.sequence
    for text in ("take money", "STATUS", "UNDO", "CANCEL WAIT"):
        answer = table.answer_to(write_to_the_service(table, text, Authentication_Results=VOUCHED))
        assert answer.splitlines()[0] == mail_orders.REFUSED
        assert "GAMES" in answer
    assert table.sequence == before


def test_an_address_of_ones_own_cannot_be_anothers(table: Table) -> None:
    with table.db.session() as session:
        key = session.value("select value from secrets where name = 'reply'")
    mine, theirs = (own_address(bytes(key), HOST, player.id) for player in table.players)
    assert "Airlines Europe" in table.write(0, "GAMES", To=mine)
    assert table.write(0, "GAMES", To=theirs) == ""  # held: it is not from the proved address
    assert read_own_address(bytes(key), mine.replace(str(table.players[0].id), str(table.players[1].id), 1)) is None


# Too much of it


def test_more_mails_than_can_be_read_wait_and_are_not_lost(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail_in, "MOST_MAILS", table_mails(table, table.turn) + 1)
    before, seat = table.sequence, table.turn
    assert table.write(seat, "STATUS")
    mail_id = table.send(*table.mail(seat, "take money"))
    assert (table.answer_to(mail_id), table.sequence) == ("", before)
    monkeypatch.undo()
    assert mail_id is not None
    mail_in.process(table.db, HOUSE, mail_id)
    assert (table.answer_to(mail_id)[:8], table.sequence) == ("ACCEPTED", before + 1)


def test_a_game_that_everybody_writes_about_waits_too(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail_in, "MOST_MAILS_ABOUT", 2 + table_mails(table, 0))
    assert table.write(0, "STATUS")
    answers = [table.write(seat, "STATUS") for seat in (1, 0, 1)]
    assert answers[-1] == ""


def table_mails(table: Table, seat: int) -> int:
    with table.db.session() as session:
        return int(session.value("select count(*) from mail_in where player_id = %s", table.players[seat].id))


def test_who_has_got_many_answers_gets_no_more(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail_in, "MOST_ANSWERS", 0)
    before, seat = table.sequence, table.turn
    assert table.write(seat, "take money") == ""
    assert table.sequence == before + 1


def test_a_thief_with_an_address_cannot_flood_its_owner(table: Table) -> None:
    sent = [
        table.send(*table.mail(0, "STATUS", From=f"thief{number}@example.net"))
        for number in range(mail_in.MOST_HELD + 3)
    ]
    asked = [mail_id for mail_id in sent if table.answer_to(mail_id, "held")]
    assert len(asked) == mail_in.MOST_HELD


def test_a_null_sender_is_neither_obeyed_nor_answered(table: Table) -> None:
    before = table.sequence
    raw, _, recipient = table.mail(table.turn, "take money")
    assert table.answer_to(table.send(raw, mail_in.NULL_SENDER, recipient)) == ""
    assert table.sequence == before


def test_a_mail_that_cannot_be_read_is_answered_without_a_word_of_it(table: Table) -> None:
    raw, sender, recipient = table.mail(0, "take money\n" + "xyzzy " * 200_000)
    answer = table.answer_to(table.send(raw, sender, recipient))
    assert answer.splitlines()[0] == mail_orders.REFUSED
    assert "1024 KB" in answer
    assert "xyzzy" not in answer


def test_nothing_that_anybody_writes_adds_a_header(table: Table) -> None:
    subject = "=?utf-8?q?x=0D=0ABcc:_all=40example.org?="
    raw, sender, recipient = table.mail(table.turn, "fly to\u2028Bcc: all@example.org\nSTATUS")
    raw = raw.replace(b"Subject: Re: [Waybill]", f"Subject: {subject}".encode())
    mail_id = table.send(raw.replace(b"Message-ID: <", b"Message-ID: <a\r\n b@c>\r\nX: <"), sender, recipient)
    with table.db.session() as session:
        answer = message_from_bytes(bytes(session.value("select raw from mail_out where mail_in = %s", mail_id)))
    assert answer["Bcc"] is None
    assert answer["To"] == table.addresses[table.turn]
    assert set(answer.keys()) >= {"Message-ID", "Reply-To", "Auto-Submitted"}
