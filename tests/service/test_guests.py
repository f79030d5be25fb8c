"""Invitations to addresses that nobody has proved: the mail, the answer, the seat, and that nobody can misuse it."""

import email.policy
import itertools
import os
from email import message_from_bytes
from email.message import EmailMessage
from typing import Any

import pytest

from mail.reply import LONGEST_LOCAL_PART, invitation_address, invitation_bounce_address, invitation_token
from referee.games import all_games
from service import feed, games, guests, invitations, mail_in, mail_orders, notices, players, preferences, seats
from service.channels import Channels
from service.errors import Conflict, TooMany
from service.games import NewGame, NewSeat
from service.players import Player
from store import mail
from store import players as player_rows
from store.database import Database
from tests.factories import make_player
from tests.service.test_mail_in import text_of

HOST, URL = "waybill.localhost", "https://games.example.org"
HOUSE = mail_in.House(HOST, url=URL)
_numbers = itertools.count()


class Invitation:
    """A game of a host to which an address is invited that nobody has proved, and the mail about it."""

    def __init__(self, db: Database, host: Player | None = None, email: str = "", **options: Any) -> None:
        self.db = db
        self.host = host or make_player(db)
        self.email = email or f"guest.{os.getpid()}.{next(_numbers)}@example.org"
        ruleset = options.pop("ruleset", "airlines-europe")
        spare = [NewSeat("open")] * (min(all_games()[ruleset].seat_counts) - 2)
        new = NewGame(
            ruleset, (NewSeat("me"), NewSeat("invite", email=self.email), *spare), **{"clock": "daily", **options}
        )
        with db.transaction() as transaction:
            self.game_id = games.create(transaction, self.host, new).game.id
        guests.write_letters(db, HOST, URL)
        with db.session() as session:
            self.number = session.value("select id from invitations where game_id = %s", self.game_id)
            raw = session.value("select raw from mail_out where invitation = %s and kind = 'invited'", self.number)
        self.raw = bytes(raw) if raw else b""

    @property
    def letter(self) -> EmailMessage:
        message = message_from_bytes(self.raw, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        return message

    def answer(self, text: str, sender: str = "", to: str = "") -> str:
        """What the guest is told; empty if there is no answer."""
        return self.told(self.send(text, sender, to))

    def send(self, text: str, sender: str = "", to: str = "") -> int:
        message = EmailMessage(policy=email.policy.SMTP)
        message["From"], message["To"] = sender or self.email, to or self.letter["Reply-To"]
        message["Message-ID"] = f"<{next(_numbers)}@example.org>"
        message.set_content(text)
        mail_id = mail_in.keep(self.db, bytes(message), message["From"], message["To"])
        assert mail_id is not None
        mail_in.process(self.db, HOUSE, mail_id)
        return mail_id

    def told(self, mail_id: int) -> str:
        with self.db.session() as session:
            raw = session.value("select raw from mail_out where mail_in = %s and kind = 'answer'", mail_id)
        return text_of(raw) if raw else ""

    @property
    def player(self) -> Player | None:
        with self.db.session() as session:
            return player_rows.by_email_key(session, self.email)

    @property
    def seat(self) -> games.SeatRow:
        with self.db.session() as session:
            return games.seats(session, self.game_id)[1]


def test_a_stranger_is_invited_by_mail_and_joins_by_answering_it(db: Database) -> None:
    invitation = Invitation(db)
    assert invitation.host.name in invitation.letter["Subject"]
    assert len(invitation.letter["Reply-To"].partition("@")[0]) <= LONGEST_LOCAL_PART
    assert invitation.letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    name = f"Maria {os.getpid()}-{next(_numbers)}"
    answer = invitation.answer(f"JOIN AS {name}")
    assert answer.splitlines()[0] == mail_orders.DONE
    assert f"welcome, {name}." in " ".join(answer.split())
    player = invitation.player
    assert player is not None
    assert (player.name, invitation.seat.player_id) == (name, player.id)
    with db.session() as session:
        assert games.known(session, invitation.game_id).status == "running"


def test_a_name_is_asked_for_and_never_made_up(db: Database) -> None:
    invitation = Invitation(db)
    for said in ("JOIN", "Yes, gladly!\nMaria", "JOIN AS", "Maria"):
        answer = invitation.answer(said)
        assert answer.splitlines()[0] == mail_orders.REFUSED
        assert "JOIN AS and the name" in " ".join(answer.split())
    assert (invitation.player, invitation.seat.is_taken) == (None, False)


@pytest.mark.parametrize("written", ["JOIN AS “{}”.", "join as: {}", "Join as '{}'!", "JOIN AS   {}"])
def test_a_name_is_read_in_the_ways_in_which_people_write_it(db: Database, written: str) -> None:
    invitation, name = Invitation(db), f"Zoë {os.getpid()}-{next(_numbers)}"
    assert invitation.answer(written.format(name)).startswith("DONE")
    assert invitation.player is not None
    assert invitation.player.name == name


def test_a_name_that_cannot_be_had_is_refused_and_nothing_is_made(db: Database) -> None:
    invitation = Invitation(db)
    for name, why in ((invitation.host.name, "a player with this name already"), ("x" * 40, "cannot be a name")):
        answer = " ".join(invitation.answer(f"JOIN AS {name}").split())
        assert answer.startswith(mail_orders.REFUSED)
        assert why in answer
    assert invitation.player is None


def test_rules_and_help_come_before_one_decides_and_nothing_else(db: Database) -> None:
    invitation = Invitation(db)
    assert "AIRLINES EUROPE" in invitation.answer("RULES")
    assert "PLAYING BY MAIL" in invitation.answer("HELP")
    for line in ("BOARD", "take money", "GAMES", "NEW Tin Goose WITH 2 bots", "DIGEST", "PRESS\nBuy this!\nEND"):
        assert invitation.answer(line).splitlines()[0] == mail_orders.REFUSED
    assert invitation.player is None


def test_from_another_address_the_invited_one_is_asked_first(db: Database) -> None:
    """A forged From moves nothing, and neither does a forwarded invitation."""
    invitation, name = Invitation(db), f"Friend {os.getpid()}-{next(_numbers)}"
    mail_id = invitation.send(f"JOIN AS {name}", sender="friend@example.net")
    assert (invitation.told(mail_id), invitation.seat.is_taken) == ("", False)
    with db.session() as session:
        raw, to = session.row("select raw, sent_to from mail_out where mail_in = %s and kind = 'held'", mail_id)
    assert to == invitation.email
    assert name not in text_of(raw)
    asked = message_from_bytes(bytes(raw), policy=email.policy.default)
    invitation.send("yes", to=asked["Reply-To"])
    mail_in.process(db, HOUSE, mail_id)
    assert invitation.player is not None
    assert invitation.player.name == name
    with db.session() as session:  # also the answer goes to the address that has proved itself
        assert session.value("select sent_to from mail_out where mail_in = %s and kind = 'answer'", mail_id) == to


def test_no_address_is_guessed_or_moved_to_another_invitation(db: Database) -> None:
    invitation, other = Invitation(db), Invitation(db)
    reply_to = invitation.letter["Reply-To"]
    moved = reply_to.replace(f"+{invitation.number}.", f"+{other.number}.")
    wrong = reply_to.replace("@", "a@")
    for to in (moved, wrong, f"waybill@{HOST}", f"invited+{other.number}.{'a' * 20}@{HOST}"):
        assert other.answer("JOIN AS Eve Nobody", to=to) == ""
    assert not other.seat.is_taken
    key = b"k" * 32
    assert invitation_address(key, HOST, 1).partition("@")[0].rpartition(".")[2] not in invitation_token(key, 1)
    assert invitation_address(key, HOST, 1) != invitation_address(b"l" * 32, HOST, 1)


def test_who_declines_is_never_mailed_again_and_the_host_is_told(db: Database) -> None:
    invitation = Invitation(db)
    assert invitation.answer("DECLINE").startswith("DONE")
    assert (invitation.seat.invited_email, invitation.seat.is_taken) == (None, False)
    notices.pass_on(db, Channels())
    with db.session() as session:
        told = [one.kind for one in feed.page(session, invitation.host.id, game_id=invitation.game_id)]
    assert told == ["declined"]
    assert "You have declined this invitation" in invitation.answer("JOIN AS Somebody Else")
    assert Invitation(db, email=invitation.email).raw == b""
    assert Invitation(db, email=invitation.email.upper()).raw == b""


@pytest.mark.parametrize("ruleset", all_games())
@pytest.mark.parametrize("word", ["STOP", "DECLINE"])
def test_before_there_is_a_seat_a_command_is_no_order_in_any_game(db: Database, ruleset: str, word: str) -> None:
    assert Invitation(db, ruleset=ruleset).answer(word).startswith("DONE")


@pytest.mark.parametrize("way", ["reply", "link", "header"])
def test_stop_is_a_word_or_one_click(db: Database, way: str) -> None:
    invitation = Invitation(db)
    if way == "reply":
        assert invitation.answer("STOP").startswith("DONE")
    else:
        with db.transaction() as transaction:
            number = guests.of_link(transaction, guests.link_token(transaction, invitation.number))
            assert number == invitation.number
            (guests.decline if way == "link" else guests.stop)(transaction, number)
    assert Invitation(db, email=invitation.email).raw == b""


def test_a_player_who_has_stopped_mail_is_not_invited_as_a_stranger_later(db: Database) -> None:
    player, address = make_player(db), f"left.{os.getpid()}.{next(_numbers)}@example.org"
    with db.transaction() as transaction:
        player_rows.set_email(transaction, player.id, address, address)
        preferences.stop_mail(transaction, player.id)
        player_rows.drop_email(transaction, player.id)
    assert Invitation(db, email=address).raw == b""


def test_a_known_player_declines_too(db: Database) -> None:
    player, address = make_player(db), f"known.{os.getpid()}.{next(_numbers)}@example.org"
    with db.transaction() as transaction:
        player_rows.set_email(transaction, player.id, address, address)
    invitation = Invitation(db, email=address)
    assert invitation.raw == b"", "a player is told by a notice"
    with db.session() as session:
        to = mail_in.reply_address(session, HOST, invitation.game_id, 1, player.id)
    assert invitation.answer("DECLINE", to=to).startswith("DONE")
    assert invitation.seat.invited_player is None
    notices.pass_on(db, Channels())
    with db.session() as session:
        assert "declined" in [one.kind for one in feed.page(session, invitation.host.id, game_id=invitation.game_id)]


def test_who_has_become_a_player_meanwhile_joins_as_that_player(db: Database) -> None:
    invitation, player = Invitation(db), make_player(db)
    with db.transaction() as transaction:
        player_rows.set_email(transaction, player.id, invitation.email, invitation.email)
    assert f"you are {player.name} here already" in " ".join(invitation.answer("JOIN AS Another Name").split())
    assert invitation.answer("JOIN").startswith("DONE")
    assert invitation.seat.player_id == player.id
    assert invitation.answer("STATUS").startswith("READ"), "the old address speaks for the seat from then on"


def test_a_mail_that_is_read_twice_makes_one_player(db: Database) -> None:
    invitation, name = Invitation(db), f"Twice {os.getpid()}-{next(_numbers)}"
    mail_id = invitation.send(f"JOIN AS {name}")
    with db.transaction() as transaction:  # as if the reader had died before it could say that it was done
        transaction.run("delete from mail_out where mail_in = %s", mail_id)
        transaction.run("update mail_in set state = 'waiting' where id = %s", mail_id)
    mail_in.process(db, HOUSE, mail_id)
    assert "you have a seat" in invitation.told(mail_id)
    with db.session() as session:
        assert session.value("select count(*) from players where name = %s", name) == 1


def test_an_invitation_whose_seat_is_gone_says_so(db: Database) -> None:
    invitation = Invitation(db)
    with db.transaction() as transaction:
        games.start(transaction, invitation.game_id)
    answer = " ".join(invitation.answer("JOIN AS Too Late").split())
    assert answer.startswith(mail_orders.REFUSED)
    assert "has been filled meanwhile, or the game has begun" in answer
    assert invitation.answer("JOIN AS Too Late", sender="other@example.net") == ""


def test_nothing_that_a_host_writes_gets_into_the_mail_but_the_name(db: Database) -> None:
    host = make_player(db)
    mails = [Invitation(db, host, title=title) for title in ("", "Cheap pills at evil.example")]
    texts = [
        text_of(one.raw).replace(one.game_id, "").replace(one.letter["Reply-To"], "").splitlines() for one in mails
    ]
    assert [line for line in texts[0] if "token=" not in line] == [line for line in texts[1] if "token=" not in line]
    assert b"evil" not in mails[1].raw


@pytest.mark.parametrize("name", ["evil.example", "see http://x", "www evil", "a@b", "t.me/evil"])
def test_a_host_whose_name_is_an_advertisement_is_somebody(name: str) -> None:
    assert guests.shown_name(name) == "Somebody"


@pytest.mark.parametrize("name", ["Ann", "J. R. Smith", "Dr. No", "Anne-Marie", "O'Neil"])
def test_a_host_with_a_name_is_named(name: str) -> None:
    assert guests.shown_name(name) == name


def test_a_host_may_invite_only_so_many_in_a_day_known_or_not(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invitations, "MOST_OF_HOST", 2)
    host, known = make_player(db), make_player(db)
    address = f"known.{os.getpid()}.{next(_numbers)}@example.org"
    with db.transaction() as transaction:
        player_rows.set_email(transaction, known.id, address, address)
    Invitation(db, host, email=address)
    Invitation(db, host)
    with pytest.raises(TooMany, match="You may invite 2 addresses in a day, and have invited 2"):
        Invitation(db, host)
    with pytest.raises(TooMany):
        Invitation(db, host, email=address)


def test_an_address_gets_only_so_many_in_a_week_whoever_invites(db: Database) -> None:
    first = Invitation(db)
    mails = [first.raw, *(Invitation(db, email=first.email).raw for _ in range(guests.MOST_TO_ADDRESS))]
    assert [bool(raw) for raw in mails] == [True] * guests.MOST_TO_ADDRESS + [False]


def test_on_a_day_with_too_many_the_rest_wait(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guests, "MOST_A_DAY", 0)
    invitation = Invitation(db)
    assert invitation.raw == b""
    monkeypatch.undo()
    assert guests.write_letters(db, HOST, URL) >= 1


def test_a_guest_gets_only_so_many_answers_in_an_hour(db: Database) -> None:
    invitation = Invitation(db)
    answers = [invitation.answer("HELP") for _ in range(mail_in.MOST_ANSWERS_TO_GUEST + 1)]
    assert [bool(answer) for answer in answers] == [True] * mail_in.MOST_ANSWERS_TO_GUEST + [False]


def test_an_address_that_does_not_exist_is_not_invited_again(db: Database) -> None:
    invitation = Invitation(db)
    with db.session() as session:
        to = invitation_bounce_address(mail.secret(session, "reply"), HOST, invitation.number)
    report = (
        f"Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\nno\n--b\n"
        f"Content-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\nFinal-Recipient: rfc822; {invitation.email}"
        "\nAction: failed\nStatus: 5.1.1\n\n--b--\n"
    )
    mail_id = mail_in.keep(db, report.encode(), mail_in.NULL_SENDER, to)
    assert mail_id is not None
    mail_in.process(db, HOUSE, mail_id)
    assert Invitation(db, email=invitation.email).raw == b""


def test_two_answers_at_once_make_one_player(db: Database) -> None:
    invitation = Invitation(db)
    other = Invitation(db, email=invitation.email)
    with db.transaction() as transaction:
        guests.accept(transaction, invitation.number, f"First {os.getpid()}-{next(_numbers)}")
    with pytest.raises(Conflict), db.transaction() as transaction:
        guests.accept(transaction, other.number, f"Second {os.getpid()}-{next(_numbers)}")
    assert other.answer("JOIN").startswith("DONE"), "the same player has both seats"


def test_who_is_forgotten_leaves_no_invitation(db: Database) -> None:
    from service import personal_data

    invitation = Invitation(db)
    invitation.send(f"JOIN AS Gone {os.getpid()}-{next(_numbers)}")
    player = invitation.player
    assert player is not None
    with db.transaction() as transaction:
        personal_data.forget(transaction, player.id)
    with db.session() as session:
        assert session.value("select count(*) from invitations where id = %s", invitation.number) == 0


def test_an_address_in_letters_that_only_look_like_ours_is_no_poison(db: Database) -> None:
    """ſ is a small S by Unicode: comparing it in constant time raised, and the mail was read again and again."""
    invitation = Invitation(db)
    for to in ("invited+1.", "me+1.", "play+abcdefgh.1."):
        assert invitation.answer("JOIN", to=f"{to}{'ſ' * 20}@{HOST}") == ""


def test_leaving_frees_the_seat_and_the_invitation_is_void(db: Database) -> None:
    invitation = Invitation(db, make_player(db))
    with db.transaction() as transaction:
        player = players.create(transaction, f"Guest {os.getpid()}-{next(_numbers)}")
        token = games.renew_invitations(transaction, invitation.game_id)[1]
        transaction.run("update seats set player_id = null where game_id = %s and seat = 0", invitation.game_id)
        seats.join(transaction, invitation.game_id, player, invitation=token)
    assert invitation.answer("JOIN AS Another One").splitlines()[0] == mail_orders.REFUSED
