"""What can be written in a mail besides orders: each command does what the API does, and none swallows an order."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mail.reply import own_address
from referee.games import all_games, open_game
from referee.orders.templates import tokens
from runtime.config import ROOT
from service import games as service_games
from service import mail_commands, mail_in, mail_orders, mail_out, positions, preferences, standing
from service.deadlines import read_absences
from service.errors import Invalid
from service.games import NewGame, NewSeat
from service.mail_commands import Said
from service.mail_commands.absent import read_moment
from store import bans, deadlines, games, mail
from store.database import Database
from tests.factories import make_game, make_player
from tests.service.test_mail_in import HOST, HOUSE, Table, format_default

DAY = 24 * 60 * 60


@pytest.fixture
def sealed(db: Database) -> Table:
    """A game that begins with sealed orders, under a clock."""
    return Table(db, clock=DAY)


@pytest.fixture
def table(db: Database) -> Table:
    made = Table(db, clock=DAY, undo="own")
    made.play_opening()
    return made


def order_of(table: Table, seat: int) -> str:
    return format_default(positions.load(table.db, table.game_id)[0], seat)


def first(answer: str) -> str:
    return answer.splitlines()[0]


def flat(answer: str) -> str:
    return " ".join(answer.split())


def waits(table: Table) -> list[int]:
    with table.db.session() as session:
        return deadlines.waits(session, table.game_id)


def choices(table: Table, seat: int) -> preferences.Preferences:
    with table.db.session() as session:
        return preferences.read(session, table.players[seat].id)


def seat_holder(table: Table, seat: int) -> int | None:
    with table.db.session() as session:
        return games.seats(session, table.game_id)[seat].player_id


# A command is never taken for an order, nor an order for a command.


@pytest.mark.parametrize("ruleset", all_games())
def test_no_way_to_write_an_order_is_taken_for_a_command(ruleset: str) -> None:
    game = open_game(ruleset, min(all_games()[ruleset].seat_counts))
    for kind in game.move_types:
        for notation in (kind.notation, *kind.also):
            line = notation.translate(str.maketrans("", "", "[]{}"))
            for written in (line, line.upper(), line.title()):
                assert mail_commands.split([written], ruleset) == Said([], [written])


@pytest.mark.parametrize("ruleset", all_games())
def test_no_name_of_a_game_begins_with_the_word_of_a_command(ruleset: str) -> None:
    """For an order may be written without its verb."""
    game = open_game(ruleset, max(all_games()[ruleset].seat_counts))
    names = [name for values in game.vocabulary.values() for names in values.values() for name in names]
    for name in names:
        assert mail_commands.split([name], ruleset) == Said([], [name])
        assert tokens(name)[:1] != [mail_commands.PREFIX.lower()]
    line = "New York via Philadelphia with red"  # of Spike, without its verb
    assert mail_commands.split([line], ruleset) == Said([], [line])
    assert mail_commands.split(["NEW Tin Goose WITH Bob"], ruleset).commands
    assert mail_commands.PREFIX not in mail_commands.verbs(ruleset)


def test_where_an_order_has_the_word_the_command_has_another_name() -> None:
    assert {"RESIGN", "STOP", "CANCEL"} <= mail_commands.verbs("airline-1975")
    said = mail_commands.split(["resign", "WAYBILL RESIGN YES", "stop", "waybill stop"], "airline-1975")
    assert said.orders == ["resign", "stop"]
    assert [(command.word, command.rest) for command in said.commands] == [("RESIGN", "YES"), ("STOP", "")]
    assert any(line.startswith("WAYBILL STOP:") for line in mail_commands.summaries("airline-1975"))
    assert any(line.startswith("STOP:") for line in mail_commands.summaries("tin-goose"))


def test_a_sentence_that_begins_like_a_command_is_no_command(table: Table) -> None:
    before, seat = table.sequence, table.turn
    answer = table.write(seat, "Stop the press, I have an idea\n")
    assert first(answer) == mail_orders.REFUSED
    assert choices(table, seat) == preferences.DEFAULT
    assert table.sequence == before


def test_help_names_every_command(table: Table) -> None:
    answer = table.write(0, "HELP")
    assert [word for word in mail_commands.words() if word not in answer] == []


@pytest.mark.parametrize(
    ("said", "zone"), [("Europe/Berlin", "Europe/Berlin"), ("new york", "America/New_York"), ("TOKYO.", "Asia/Tokyo")]
)
def test_a_zone_is_set_by_its_name_or_its_city(table: Table, said: str, zone: str) -> None:
    assert f"in {zone} from now on" in table.write(0, f"ZONE {said}")
    assert f"told to you in {zone}." in table.write(0, "ZONE")


@pytest.mark.parametrize("said", ["Atlantis", "Istanbul", "../etc/passwd"])
def test_a_zone_that_is_not_clear_is_not_guessed(table: Table, said: str) -> None:
    assert first(table.write(0, f"ZONE {said}")) == mail_orders.REFUSED
    assert "told to you in UTC." in table.write(0, "ZONE")


def test_the_page_for_players_names_every_command_and_every_exception() -> None:
    page = (ROOT / "docs" / "mail.md").read_text("utf-8")
    assert [word for word in mail_commands.words() if f"`{word}" not in page] == []
    for ruleset, game in all_games().items():
        for word in mail_commands.words() & mail_commands.verbs(ruleset):
            assert f"`WAYBILL {word}`" in page
            assert game.name in page.partition("Write `WAYBILL`")[2]


# WAIT and ORDERS


def test_wait_keeps_the_envelopes_shut_until_the_deadline_and_cancel_takes_it_back(sealed: Table) -> None:
    answer = sealed.write(0, "WAIT")
    assert (first(answer), waits(sealed)) == (mail_orders.DONE, [0])
    assert first(sealed.write(0, "cancel wait")) == mail_orders.DONE
    assert waits(sealed) == []


def test_wait_is_refused_where_nothing_is_sealed(table: Table) -> None:
    answer = table.write(table.turn, "WAIT")
    assert first(answer) == mail_orders.REFUSED
    assert "WAIT: There are no sealed orders of yours" in answer


def test_orders_shows_ones_own_envelope_to_oneself_alone(sealed: Table) -> None:
    order = order_of(sealed, 0)
    assert sealed.write(0, f"{order}\nWAIT").startswith("ACCEPTED")
    mine, theirs = flat(sealed.write(0, "ORDERS")), flat(sealed.write(1, "ORDERS"))
    assert f"in your envelope is {order}" in mine
    assert "opened at the deadline" in mine
    assert order not in theirs
    assert "the game waits for you" in theirs


def test_cancel_says_that_an_envelope_is_replaced_and_not_taken_out(sealed: Table) -> None:
    sealed.write(0, order_of(sealed, 0))
    answer = sealed.write(0, "CANCEL")
    assert first(answer) == mail_orders.REFUSED
    assert "another order takes the place" in flat(answer)
    assert 0 in positions.load(sealed.db, sealed.game_id)[0].sealed


# ABSENT


def absences(table: Table) -> Any:
    with table.db.session() as session:
        game = games.find(session, table.game_id)
        assert game is not None
        return read_absences(game.absences)


def test_absent_until_a_day_is_to_its_end_in_the_zone_of_the_player(table: Table) -> None:
    with table.db.transaction() as transaction:
        preferences.change(transaction, table.players[1].id, {"zone": "Europe/Berlin"})
    day = (datetime.now(UTC) + timedelta(days=5)).date()
    answer = table.write(1, f"ABSENT UNTIL {day}")
    (away,) = absences(table)
    assert first(answer) == mail_orders.DONE
    assert away.seat == 1
    assert away.until == read_moment(f"{day}", "Europe/Berlin", datetime.now(UTC), is_end=True)
    assert "  from " in answer


def test_absent_from_and_until_twice_in_one_mail_are_two_and_the_mail_read_twice_adds_none(table: Table) -> None:
    days = [(datetime.now(UTC) + timedelta(days=number)).date() for number in (5, 6, 9, 10)]
    text = f"absent from {days[0]} 18:00 until {days[1]} 9:00\nABSENT FROM {days[2]} UNTIL {days[3]}"
    mail_id = table.send(*table.mail(0, text))
    assert mail_id is not None
    assert len(absences(table)) == 2
    with table.db.transaction() as transaction:  # as if the reader had died before it could say that it was done
        transaction.run("update mail_in set state = 'waiting' where id = %s", mail_id)
    mail_in.process(table.db, HOUSE, mail_id)
    assert len(absences(table)) == 2


@pytest.mark.parametrize("rest", ["UNTIL 2001-01-01", "UNTIL 12/24/2026", "UNTIL 31 Feb 2027", "until soon", "a while"])
def test_an_absence_that_is_not_clear_or_cannot_be_is_refused(table: Table, rest: str) -> None:
    assert first(table.write(0, f"ABSENT {rest}")) == mail_orders.REFUSED
    assert absences(table) == ()


def test_days_are_read_as_people_write_them() -> None:
    now = datetime(2026, 11, 18, 12, tzinfo=UTC)
    for text in ("2026-12-24", "24.12.2026", "24. 12. 2026", "24 Dec", "24 december 2026", "24. Dec"):
        assert read_moment(text, "UTC", now) == datetime(2026, 12, 24, tzinfo=UTC), text
        assert read_moment(text, "UTC", now, is_end=True) == datetime(2026, 12, 25, tzinfo=UTC), text
    assert read_moment("3 Jan", "UTC", now) == datetime(2027, 1, 3, tzinfo=UTC)
    assert read_moment("2026-12-24 9:30", "Europe/Berlin", now) == datetime(2026, 12, 24, 8, 30, tzinfo=UTC)
    for text in ("24/12/2026", "2026-12-32", "24 Foo", "12-24", "9999-12-31 25:00"):
        with pytest.raises(Invalid):
            read_moment(text, "UTC", now)


# UNDO


def test_undo_takes_ones_own_move_back(table: Table) -> None:
    seat, before = table.turn, positions.load(table.db, table.game_id)[0].position_json
    assert table.write(seat, "take money").startswith("ACCEPTED")
    answer = table.write(seat, "UNDO")
    assert first(answer) == mail_orders.DONE
    assert positions.load(table.db, table.game_id)[0].position_json == before


def test_undo_beside_orders_does_neither(table: Table) -> None:
    seat = table.turn
    table.write(seat, "take money")
    before = table.sequence
    answer = table.write(1 - seat, "UNDO\ntake money")
    assert first(answer) == mail_orders.REFUSED
    assert "UNDO needs a mail without orders" in answer
    assert table.sequence == before


def test_undo_by_consent_is_asked_for_and_cancelled(db: Database) -> None:
    table = Table(db, undo="consent")
    table.play_opening()
    seat = table.turn
    table.write(seat, "take money")
    before = table.sequence
    assert "when all at the table ask" in flat(table.write(seat, "UNDO"))
    assert "this: undo." in table.write(seat, "ORDERS")
    assert first(table.write(1 - seat, "CANCEL UNDO")) == mail_orders.DONE
    assert "undo" not in table.write(seat, "ORDERS")
    table.write(seat, "UNDO")
    assert table.sequence == before
    assert "UNDO: taken back" in table.write(1 - seat, "UNDO")
    assert table.sequence == before + 1


def test_undo_where_the_game_has_none_is_refused(db: Database) -> None:
    table = Table(db, undo="never")
    table.play_opening()
    table.write(table.turn, "take money")
    assert first(table.write(0, "UNDO")) == mail_orders.REFUSED


# RESIGN and SUBSTITUTE


def test_resign_asks_back_and_does_it_at_the_second_word(table: Table) -> None:
    asked = table.write(1, "RESIGN")
    assert (first(asked), seat_holder(table, 1)) == (mail_orders.READ, table.players[1].id)
    assert "Write RESIGN YES to do it" in flat(asked)
    done = table.write(1, "resign yes")
    assert (first(done), seat_holder(table, 1)) == (mail_orders.DONE, None)


def test_an_address_of_a_seat_that_was_given_up_moves_nothing(table: Table) -> None:
    seat = table.turn
    address = table.reply_to(seat)
    table.write(seat, "RESIGN YES")
    before = table.sequence
    assert first(table.write(seat, "take money", To=address)) == mail_orders.REFUSED
    assert table.sequence == before


def test_resign_beside_orders_does_neither(table: Table) -> None:
    before, seat = table.sequence, table.turn
    assert first(table.write(seat, "take money\nRESIGN YES")) == mail_orders.REFUSED
    assert (table.sequence, seat_holder(table, seat)) == (before, table.players[seat].id)


def test_substitute_takes_over_a_seat_of_another_game(table: Table, db: Database) -> None:
    other, (_, left) = make_game(db)
    from service import seats

    with db.transaction() as transaction:
        seats.leave(transaction, other, left.id)
    answer = table.write(0, f"SUBSTITUTE {other} seat 1")
    assert first(answer) == mail_orders.DONE
    with db.session() as session:
        found = games.seats(session, other)[1]
    assert table.players[0].id in (found.player_id, found.substitute)


def test_substitute_in_ones_own_game_or_without_an_offer_is_refused(table: Table, db: Database) -> None:
    assert "no seat of this game is offered" in flat(table.write(0, "SUBSTITUTE"))
    assert first(table.write(0, f"SUBSTITUTE {table.game_id}")) == mail_orders.REFUSED
    private, _ = make_game(db, people=1, bots=1, private=True)
    hidden, absent = (table.write(0, f"SUBSTITUTE {game}") for game in (private, "nosuchgame00"))
    assert "There is no such game" in hidden
    assert hidden.splitlines()[:4] == absent.splitlines()[:4]


# STOP and DIGEST


def test_stop_ends_all_mail_and_cancel_brings_it_back(table: Table) -> None:
    assert first(table.write(0, "STOP")) == mail_orders.DONE
    stopped = choices(table, 0)
    assert not any("mail" in stopped.choice(kind).channels for kind in preferences.KINDS)
    assert "feed" in stopped.choice("your_turn").channels
    assert first(table.write(0, "CANCEL STOP")) == mail_orders.DONE
    assert choices(table, 0).all_kinds() == preferences.DEFAULT.all_kinds()


def test_digest_gathers_what_asks_nothing_and_leaves_turns_at_once(table: Table) -> None:
    assert first(table.write(0, "DIGEST 7")) == mail_orders.DONE
    chosen = choices(table, 0)
    assert (chosen.digest_hour, chosen.choice("press").when) == (7, "digest")
    assert {chosen.choice(kind).when for kind in ("your_turn", "phase_opened", "reminder")} == {"at_once"}
    assert first(table.write(0, "CANCEL DIGEST")) == mail_orders.DONE
    assert choices(table, 0).all_kinds() == preferences.DEFAULT.all_kinds()
    assert first(table.write(0, "DIGEST 25")) == mail_orders.REFUSED


# All of them


def test_check_does_no_command_either(table: Table) -> None:
    answer = table.write(table.turn, "CHECK\ntake money\nSTOP")
    assert first(answer) == mail_orders.CHECKED
    assert "STOP: not done" in answer
    assert choices(table, table.turn) == preferences.DEFAULT


def test_orders_that_are_refused_beside_a_command_that_is_done_are_told_apart(table: Table) -> None:
    answer = table.write(table.turn, "fly to the moon\nSTOP")
    assert first(answer).startswith("NOT ACCEPTED: none of your orders was played.")
    assert "STOP: no more mail" in answer


def test_who_is_banned_is_refused_by_mail_too(table: Table) -> None:
    before, seat = table.sequence, table.turn
    with table.db.transaction() as transaction:
        bans.insert(transaction, table.players[seat].id, "shouting")
    answer = table.write(seat, "take money\nSTOP")
    assert first(answer) == mail_orders.REFUSED
    assert "You are banned" in answer
    assert (table.sequence, choices(table, seat)) == (before, preferences.DEFAULT)


# JOIN and NEW


def invited(db: Database, table: Table, **options: Any) -> str:
    """A game to which somebody has invited the player of seat 0."""
    host = make_player(db)
    seats = (NewSeat("me"), NewSeat("invite", name=table.players[0].name))
    with db.transaction() as transaction:
        return service_games.create(transaction, host, NewGame("airlines-europe", seats, **options)).game.id


def invitation_address(db: Database, table: Table, game_id: str, seat: int = 1) -> str:
    with db.session() as session:
        return mail_out.reply_address(session, HOST, game_id, seat, table.players[0].id)


def status_of(db: Database, game_id: str) -> str:
    with db.session() as session:
        game = games.find(session, game_id)
        assert game is not None
        return game.status


def test_an_invitation_is_answered_with_join(table: Table, db: Database) -> None:
    game_id = invited(db, table, private=True)
    address = invitation_address(db, table, game_id)
    for text in ("take money", "STATUS", "RESIGN YES"):
        answer = table.write(0, text, To=address)
        assert (first(answer), status_of(db, game_id)) == (mail_orders.REFUSED, "open")
        assert "Answer JOIN to take it" in flat(answer)
    assert first(table.write(0, "RULES\nHELP", To=address)) == mail_orders.READ
    answer = table.write(0, "join", To=address)
    assert (first(answer), status_of(db, game_id)) == (mail_orders.DONE, "running")
    assert "It is running" not in answer
    assert "choose" in table.write(0, "OPTIONS", To=address)  # from then on it speaks for the seat


def test_an_invitation_is_for_one_player_and_one_seat(table: Table, db: Database) -> None:
    game_id = invited(db, table)
    assert table.write(1, "JOIN", To=invitation_address(db, table, game_id)) == ""  # held: another's address
    assert first(table.write(0, "JOIN", To=invitation_address(db, table, game_id, 0))) == mail_orders.REFUSED
    assert status_of(db, game_id) == "open"


def test_join_takes_an_open_seat_by_the_letters_of_the_game_and_twice_is_once(table: Table, db: Database) -> None:
    host = make_player(db)
    with db.transaction() as transaction:
        seats = (NewSeat("me"), NewSeat("open"), NewSeat("open"))
        game_id = service_games.create(transaction, host, NewGame("spike", seats)).game.id
    assert f"JOIN {game_id}: Spike for 3" in flat(table.write(0, "JOIN", To=own(table, 0)))
    assert f"in Spike {game_id}. It begins when the last seat is taken" in flat(table.write(0, f"Join {game_id} 2"))
    assert first(table.write(0, f"JOIN {game_id}")) == mail_orders.REFUSED
    assert "has not begun" in table.write(0, "GAMES")
    assert "the game has begun" in flat(table.write(1, f"JOIN {game_id}"))


def test_a_private_game_is_joined_by_its_invitation_alone(table: Table, db: Database) -> None:
    host = make_player(db)
    with db.transaction() as transaction:
        seats = (NewSeat("me"), NewSeat("invite"))
        opened = service_games.create(transaction, host, NewGame("spike", seats, private=True))
    game_id, token = opened.game.id, opened.invitations[1]
    assert "There is no such game" in table.write(0, f"JOIN {game_id}")
    assert "There is no such game" in flat(table.write(0, f"JOIN {game_id} {token[:-1]}x"))
    assert first(table.write(0, f"JOIN {game_id} {token}")) == mail_orders.DONE


def own(table: Table, seat: int) -> str:
    with table.db.session() as session:
        return own_address(mail.secret(session, "reply"), HOST, table.players[seat].id)


def test_new_opens_a_game_and_invites_those_who_are_named(table: Table, db: Database) -> None:
    friend = table.players[1].name
    answer = table.write(0, f"NEW airlines europe WITH {friend}, stranger@example.net, a bot CLOCK daily")
    assert first(answer) == mail_orders.DONE
    found = re.search(r"NEW: Airlines Europe (\w+) is open, for 4, with the clock daily", flat(answer))
    assert found
    with db.session() as session:
        game, seats = games.find(session, found[1]), games.seats(session, found[1])
    assert game is not None
    assert game.host == table.players[0].id
    assert [seat.player_id for seat in seats[:1]] == [table.players[0].id]
    assert seats[1].invited_player == table.players[1].id
    assert seats[2].invited_email == "stranger@example.net"
    assert seats[3].bot == "steady"
    assert re.search(rf"JOIN {found[1]} wi_\w+", flat(answer))
    assert f"JOIN {found[1]} takes the seat" in flat(table.write(1, "GAMES"))


def test_new_with_bots_alone_begins_at_once(table: Table) -> None:
    assert "it has begun" in flat(table.write(0, "new Spike with 2 bots"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("NEW", "say which game"),
        ("NEW Tin Goose", "say which game"),
        ("NEW Spik WITH nobody-of-this-name", "There is no player nobody-of-this-name"),
        ("NEW Chess WITH bot", "is no game here"),
        ("NEW Airline WITH bot", "can mean several games"),
        ("NEW Spike WITH bot CLOCK hourly", "there is no clock 'hourly'"),
        ("NEW Spike WITH x@y@z", "is no address"),
        ("NEW Spike WITH 9 bots", "2 to 4 players"),
    ],
)
def test_new_that_is_not_clear_or_cannot_be_opens_nothing(table: Table, text: str, reason: str) -> None:
    with table.db.session() as session:
        before = session.value("select count(*) from games")
    answer = table.write(0, text, To=own(table, 0))
    assert first(answer) == mail_orders.REFUSED
    assert reason in flat(answer)
    with table.db.session() as session:
        assert session.value("select count(*) from games") == before


def test_a_seat_that_was_given_up_is_returned_to_by_mail(table: Table) -> None:
    answer = table.write(1, "RESIGN YES")
    assert f"answer this mail with SUBSTITUTE {table.game_id}" in flat(answer)
    assert first(table.write(1, f"SUBSTITUTE {table.game_id}", To=own(table, 1))) == mail_orders.DONE
    assert seat_holder(table, 1) == table.players[1].id


def test_help_and_rules_of_any_game(table: Table) -> None:
    assert "ORDERS OF SPIKE" in table.write(0, "HELP spike")
    assert "ORDERS OF AIRLINES EUROPE" in table.write(0, "HELP")
    assert "WAYBILL STOP" in table.write(0, "HELP spike")
    assert "\nTIN GOOSE\n" in table.write(0, "RULES tin goose", To=own(table, 0))
    assert "is no game here" in table.write(0, "RULES monopoly")


# STANDING


def test_standing_orders_are_given_shown_and_taken_back(table: Table) -> None:
    assert "you have no standing orders" in table.write(0, "STANDING")
    answer = table.write(0, "STANDING ADD in turn: take money")
    assert first(answer) == mail_orders.DONE
    assert "1. in turn: take money" in flat(answer)
    mail_id = table.send(*table.mail(0, "standing add in turn: take money unless I can buy"))
    with table.db.transaction() as transaction:  # as if the reader had died before it could say that it was done
        transaction.run("update mail_in set state = 'waiting' where id = %s", mail_id)
    assert mail_id is not None
    mail_in.process(table.db, HOUSE, mail_id)
    shown = flat(table.write(0, "STANDING"))
    assert "2. in turn: " in shown
    assert "3." not in shown
    assert "you have no standing orders" in table.write(1, "STANDING")  # nobody else's
    assert "1. in turn: " in flat(table.write(0, "STANDING REMOVE 1"))
    assert "you have no standing orders" in table.write(0, "STANDING REMOVE ALL")


@pytest.mark.parametrize("rest", ["ADD fly to the moon", "ADD", "REMOVE 7", "REMOVE", "PERHAPS"])
def test_a_standing_order_that_cannot_be_read_changes_nothing(table: Table, rest: str) -> None:
    assert first(table.write(0, f"STANDING {rest}")) == mail_orders.REFUSED
    assert "you have no standing orders" in table.write(0, "STANDING")


def test_standing_orders_that_are_given_in_ones_turn_are_played(table: Table) -> None:
    seat, before = table.turn, table.sequence
    table.write(seat, "STANDING ADD in turn: take money")
    standing.act(table.db, table.game_id)
    assert table.sequence == before + 1
