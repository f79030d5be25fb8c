"""Mail that comes in: who may speak for a seat, what a mail does, and that it does it once."""

import email.policy
from email import message_from_bytes
from email.message import EmailMessage
from typing import Any

import pytest

from mail.quoting import MARKER
from service import mail_in, mail_out, phases, players, positions
from service.addresses import email_key
from store import players as player_rows
from store.database import Database
from tests.factories import make_game

HOST = "waybill.localhost"


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

    def reply_to(self, seat: int) -> str:
        with self.db.session() as session:
            return mail_out.reply_address(session, HOST, self.game_id, seat, self.players[seat].id)

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
            mail_in.process(self.db, HOST, mail_id)
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
    from referee.orders.notation import format_move

    return format_move(table.game, table.default(seat))


@pytest.fixture
def table(db: Database) -> Table:
    made = Table(db)
    made.play_opening()
    return made


def test_orders_are_played_and_the_first_line_says_so(table: Table) -> None:
    before, seat = table.sequence, table.turn
    answer = table.write(seat, "take money\n")
    assert answer.splitlines()[0] == mail_in.ACCEPTED
    assert "Read as:\n  take money" in answer
    assert table.sequence == before + 1


def test_a_turn_that_goes_on_says_so(table: Table) -> None:
    seat = table.turn
    game, _ = positions.load(table.db, table.game_id)
    buy = next(offer for offer in game.offers(seat) if offer.move.__name__ == "Buy")
    from referee.orders.notation import format_move

    answer = table.write(seat, format_move(game.game, next(buy.moves())))
    assert answer.splitlines()[0] == mail_in.UNFINISHED


def test_a_refusal_changes_nothing_and_names_the_line_and_the_reason(table: Table) -> None:
    before = table.sequence
    answer = table.write(table.turn, "take money\nfly to the moon")
    assert answer.splitlines()[0] == mail_in.REFUSED
    assert "This line: fly to the moon" in answer
    assert table.sequence == before


def test_what_is_quoted_is_not_obeyed(table: Table) -> None:
    before = table.sequence
    answer = table.write(
        table.turn, f"STATUS\n\nOn Tue, 3 Nov 2026 at 18:00, Waybill wrote:\n> {MARKER}\n> take money\n"
    )
    assert answer.splitlines()[0] == mail_in.READ
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
    mail_in.process(table.db, HOST, mail_id)
    first = table.answer_to(mail_id)
    with table.db.transaction() as transaction:  # as if the reader had died before it could say that it was done
        transaction.run("update mail_in set state = 'waiting' where id = %s", mail_id)
        transaction.run("delete from mail_out where mail_in = %s", mail_id)
    mail_in.process(table.db, HOST, mail_id)
    assert table.sequence == before + 1
    assert table.answer_to(mail_id).splitlines()[:3] == first.splitlines()[:3]


def test_check_tries_and_changes_nothing(table: Table) -> None:
    before = table.sequence
    assert table.write(table.turn, "CHECK\ntake money").splitlines()[0] == mail_in.CHECKED
    assert table.sequence == before


def test_a_token_cannot_be_moved_to_another_seat(table: Table) -> None:
    before, seat = table.sequence, table.turn
    forged = table.reply_to(1 - seat).replace(f".{1 - seat}.", f".{seat}.")
    assert table.write(1 - seat, "take money", To=forged).splitlines()[0] == mail_in.REFUSED
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
    mail_in.read_waiting(table.db, HOST)
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
    assert answer.splitlines()[0] == mail_in.READ
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
