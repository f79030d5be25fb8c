"""Deliveries: at least once, in order, again after a failure, and held up by nobody else's channel."""

import threading
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import redis

from runtime.config import Config
from runtime.post import LocalBox
from runtime.wall_clock import now as now_utc
from service import deliveries, feed, notices, players, positions, preferences
from service.channels import AT_ONCE, Channels, NotDelivered
from service.deliveries import FIRST_PAUSE, GIVEN_UP_AFTER, pause_after
from service.feed import Told
from service.looking import Looking
from service.mail_out import MailChannel
from service.players import Player
from store import deliveries as stored
from store import outbox
from store.database import Database
from store.deliveries import DeliveryRow
from tests.factories import make_game, play_some
from tests.waiting import wait_until


def deliver_due(db: Database, channels: Channels, looking: Looking, clock: Any = now_utc, patience: float = 20) -> int:
    """With more patience than a worker has: a busy machine is no failure."""
    return deliveries.deliver_due(db, channels, looking, clock, patience)


class Desk:
    """A channel that keeps what it gets, unless it is told to do otherwise."""

    name = "mail"
    limit = 10.0

    def __init__(self) -> None:
        self.got: list[tuple[int, list[Told]]] = []
        self.refusal: Exception | None = None
        self.hangs = threading.Event()
        self.hangs.set()  # not

    def reaches(self, player: Player) -> bool:
        return True

    def deliver(self, player: Player, told: Sequence[Told]) -> None:
        self.hangs.wait()
        if self.refusal:
            raise self.refusal
        self.got.append((player.id, list(told)))

    def ids(self, player: Player) -> list[int]:
        return [one.id for player_id, told in self.got if player_id == player.id for one in told]


class Clock:
    """The time, which tests move."""

    def __init__(self) -> None:
        self.shift = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.shift


@pytest.fixture
def looking(config: Config) -> Looking:
    return Looking(redis.Redis.from_url(config.redis_url))


@pytest.fixture
def desk(db: Database) -> Desk:
    """The only channel; what other tests have left waiting is not delivered by it."""
    with db.session() as session:
        session.run("delete from deliveries where state = 'waiting'")
        session.run("delete from outbox")
    return Desk()


@pytest.fixture
def table(db: Database, desk: Desk) -> tuple[str, list[Player]]:
    game_id, at_table = make_game(db)
    notices.pass_on(db, Channels(desk))
    with db.session() as session:  # how the table was filled is told by the feed alone
        session.run("delete from notices where game_id = %s and kind = 'joined'", game_id)
    return game_id, at_table


def happened(db: Database, channels: Channels, game_id: str, kind: str = "deadline_moved") -> None:
    with db.transaction() as transaction:
        outbox.add(transaction, game_id, kind, 0)
    notices.pass_on(db, channels)


def rows(db: Database, player: Player, channel: str = "mail") -> list[DeliveryRow]:
    with db.session() as session:
        told = sorted(one.id for one in feed.page(session, player.id, limit=500))
        return [row for number in told for row in stored.of_notice(session, number) if row.channel == channel]


def test_everything_is_delivered_once_and_in_order(
    db: Database, desk: Desk, table: tuple[str, list[Player]], looking: Looking
) -> None:
    game_id, at_table = table
    channels = Channels(desk)
    for _ in range(5):
        happened(db, channels, game_id)
        happened(db, channels, game_id)
        deliver_due(db, channels, looking)
    for player in at_table:
        assert desk.ids(player) == [row.notice_id for row in rows(db, player)]
        assert len(desk.ids(player)) == 11
        assert {row.state for row in rows(db, player)} == {"delivered"}
    assert deliver_due(db, channels, looking) == 0


def test_two_deliverers_at_once_deliver_each_once(
    db: Database, desk: Desk, table: tuple[str, list[Player]], looking: Looking
) -> None:
    game_id, at_table = table
    for _ in range(6):
        happened(db, Channels(desk), game_id)
    start = threading.Barrier(4)

    def work() -> None:
        start.wait()
        deliver_due(db, Channels(desk), looking)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for player in at_table:
        assert desk.ids(player) == [row.notice_id for row in rows(db, player)]


def test_refused_delivery_is_tried_again_later_and_later_ones_wait_for_it(
    db: Database, desk: Desk, table: tuple[str, list[Player]], looking: Looking
) -> None:
    game_id, (player, _) = table
    channels, clock = Channels(desk), Clock()
    desk.refusal = NotDelivered("The office is closed.")
    deliver_due(db, channels, looking, clock)
    (first,) = rows(db, player)
    assert (first.state, first.attempts, first.reason) == ("waiting", 1, "The office is closed.")
    happened(db, channels, game_id)
    desk.refusal = None
    deliver_due(db, channels, looking, clock)
    assert desk.ids(player) == [], "it is not due yet, and the later one waits"
    clock.shift += FIRST_PAUSE + timedelta(seconds=1)
    deliver_due(db, channels, looking, clock)
    assert desk.ids(player) == [row.notice_id for row in rows(db, player)]
    assert [row.attempts for row in rows(db, player)] == [2, 1]


def test_one_player_without_luck_holds_up_no_other(
    db: Database, desk: Desk, table: tuple[str, list[Player]], looking: Looking
) -> None:
    _, (unlucky, lucky) = table

    class Picky(Desk):
        def deliver(self, player: Player, told: Sequence[Told]) -> None:
            if player.id == unlucky.id:
                raise ValueError("an answer that nobody understands")
            super().deliver(player, told)

    picky = Picky()
    deliver_due(db, Channels(picky), looking)
    assert len(picky.ids(lucky)) == 1
    (row,) = rows(db, unlucky)
    assert (row.state, row.reason) == ("waiting", "The channel failed (ValueError).")


def test_pauses_grow_and_after_two_days_it_is_given_up_with_a_mark(
    db: Database, desk: Desk, table: tuple[str, list[Player]], looking: Looking
) -> None:
    _, (player, _) = table
    channels, clock = Channels(desk), Clock()
    desk.refusal = NotDelivered("Nobody is there.")
    began, tries = clock(), 0
    while rows(db, player)[0].state == "waiting":
        deliver_due(db, channels, looking, clock)
        tries += 1
        clock.shift = rows(db, player)[0].due_at - datetime.now(UTC) + timedelta(seconds=1)
        assert tries < 100
    (row,) = rows(db, player)
    assert (row.state, row.reason) == ("given_up", "Nobody is there.")
    assert GIVEN_UP_AFTER <= clock() - began < GIVEN_UP_AFTER + timedelta(hours=5)
    assert 10 < row.attempts < 30
    assert [pause_after(number) for number in (1, 2, 3)] == [FIRST_PAUSE, 3 * FIRST_PAUSE, 9 * FIRST_PAUSE]
    desk.refusal = None
    happened(db, channels, table[0])
    deliver_due(db, channels, looking, clock)
    assert len(desk.ids(player)) == 1, "what comes after it goes out"


def test_refused_for_good_is_given_up_at_once(
    db: Database, desk: Desk, table: tuple[str, list[Player]], looking: Looking
) -> None:
    desk.refusal = NotDelivered("There is no such address.", for_good=True)
    deliver_due(db, Channels(desk), looking)
    assert {row.state for row in rows(db, table[1][0])} == {"given_up"}


def test_deliverer_that_vanishes_in_the_middle_is_followed_by_another(
    db: Database, desk: Desk, table: tuple[str, list[Player]], looking: Looking
) -> None:
    _, (player, _) = table
    clock = Clock()
    with db.session() as session:
        (lane,) = [one for one in stored.due(session, ["mail"], clock(), 10) if one.player_id == player.id]
    assert deliveries.take(db, desk, looking, lane, clock()), "taken, and never handed over"
    assert deliveries.take(db, desk, looking, lane, clock()) is None, "nobody else has it meanwhile"
    deliver_due(db, Channels(desk), looking, clock)
    assert desk.ids(player) == []
    clock.shift += timedelta(seconds=desk.limit) + FIRST_PAUSE + timedelta(seconds=6)
    deliver_due(db, Channels(desk), looking, clock)
    assert len(desk.ids(player)) == 1


def test_channel_that_hangs_holds_up_neither_the_worker_nor_other_channels(
    db: Database, desk: Desk, looking: Looking
) -> None:
    class Pigeon(Desk):
        name = "pigeon"

    pigeon = Pigeon()
    channels = Channels(desk, pigeon)
    tables = [make_game(db) for _ in range(AT_ONCE)]
    wanted = {"phase_opened": {"channels": ["mail", "pigeon", "feed"]}}
    with db.transaction() as transaction:
        for _, at_table in tables:
            for player in at_table:
                preferences.change(transaction, player.id, {"kinds": wanted})
    notices.pass_on(db, channels)
    desk.hangs.clear()
    deliver_due(db, channels, looking, patience=3)
    assert all(len(pigeon.ids(player)) == 1 for _, at_table in tables for player in at_table)
    assert channels.with_room() == ["pigeon"], "no more threads than these hang"
    deliver_due(db, channels, looking, patience=0.3)
    desk.hangs.set()
    wait_until(lambda: channels.with_room() == ["mail", "pigeon"], what="the end of the hanging")
    deliver_due(db, channels, looking)
    assert all(len(desk.ids(player)) == 1 for _, at_table in tables for player in at_table)


def test_what_was_read_answered_or_not_wanted_any_more_is_dropped_with_the_reason(
    db: Database, desk: Desk, table: tuple[str, list[Player]], looking: Looking
) -> None:
    game_id, (reader, picky) = table
    channels = Channels(desk)
    with db.session() as session:
        feed.mark_read(session, reader.id)
    with db.transaction() as transaction:
        preferences.change(transaction, picky.id, {"kinds": {"phase_opened": {"channels": ["feed"]}}})
    deliver_due(db, channels, looking)
    assert desk.got == []
    assert [rows(db, player)[0].reason for player in (reader, picky)] == [
        "You have read it, or answered.",
        "You do not want it by this channel any more.",
    ]
    play_some(db, game_id, 1)
    notices.pass_on(db, channels)
    (asked,) = positions.load(db, game_id)[0].acting()
    play_some(db, game_id, 30)
    if positions.load(db, game_id)[0].acting() == [asked]:
        with db.session() as session:
            session.run("update games set to_act = '{}' where id = %s", game_id)
    deliver_due(db, channels, looking)
    assert not [one for _, told in desk.got for one in told if one.kind == "your_turn"]


def test_who_looks_at_the_game_gets_no_letter_unless_they_want_it(
    db: Database, desk: Desk, table: tuple[str, list[Player]], looking: Looking
) -> None:
    game_id, (first, second) = table
    for player in (first, second):
        looking.note(player.id, game_id)
    with db.transaction() as transaction:
        preferences.change(transaction, second.id, {"while_looking": True})
    deliver_due(db, Channels(desk), looking)
    assert (len(desk.ids(first)), len(desk.ids(second))) == (0, 1)
    assert rows(db, first)[0].reason == "You were looking at the game."


def test_without_redis_nobody_is_taken_to_look() -> None:
    nowhere = Looking(redis.Redis.from_url("redis://127.0.0.1:1/0", socket_connect_timeout=0.1))
    nowhere.note(1, "a game")
    assert not nowhere.is_looking(1, "a game")


def test_quiet_hours_put_a_delivery_off_also_when_they_were_set_later(
    db: Database, desk: Desk, table: tuple[str, list[Player]], looking: Looking
) -> None:
    _, (player, _) = table
    clock = Clock()
    hour = clock().hour
    with db.transaction() as transaction:
        preferences.change(transaction, player.id, {"quiet_hours": {"from": hour, "until": (hour + 2) % 24}})
    deliver_due(db, Channels(desk), looking, clock)
    assert desk.ids(player) == []
    clock.shift += timedelta(hours=2)
    deliver_due(db, Channels(desk), looking, clock)
    assert len(desk.ids(player)) == 1


def test_digest_holds_the_notices_of_all_games_and_does_not_hold_up_what_goes_at_once(
    db: Database, desk: Desk, looking: Looking
) -> None:
    game_id, (player, _) = make_game(db)
    channels, clock = Channels(desk), Clock()
    with db.transaction() as transaction:
        preferences.change(
            transaction,
            player.id,
            {"digest_hour": (clock().hour + 2) % 24, "kinds": {"deadline_moved": {"when": "digest"}}},
        )
    other_id, _ = make_game(db)
    with db.session() as session:
        session.run("update seats set player_id = %s where game_id = %s and seat = 0", player.id, other_id)
    for one in (game_id, other_id):
        happened(db, channels, one)
    deliver_due(db, channels, looking, clock)
    mine = [one for player_id, told in desk.got if player_id == player.id for one in told]
    assert {one.kind for one in mine} == {"phase_opened"}
    clock.shift += timedelta(hours=3)
    desk.got.clear()
    deliver_due(db, channels, looking, clock)
    (digest,) = [told for player_id, told in desk.got if player_id == player.id]
    assert [(one.kind, one.game_id) for one in digest] == [("deadline_moved", game_id), ("deadline_moved", other_id)]


def test_letter_goes_to_the_proved_address_and_is_the_same_when_sent_again(
    db: Database, desk: Desk, tmp_path: Path, looking: Looking
) -> None:
    mailbox = LocalBox(tmp_path / "mail")
    channels = Channels(MailChannel(db, mailbox, "waybill.localhost", "https://games.example.org"))
    game_id, (player, without) = make_game(db)
    with db.transaction() as transaction:
        players.players.set_email(transaction, player.id, f"{player.id}@example.org", f"{player.id}@example.org")
    notices.pass_on(db, channels)
    deliver_due(db, channels, looking, patience=30)
    (letter,) = mailbox.letters()
    assert letter["To"] == f"{player.id}@example.org"
    assert letter["Subject"] == f"[Waybill] Airlines Europe {game_id[:4]} · your first shares"
    (row,) = rows(db, player)
    assert letter["Message-ID"] == f"<notice-{row.notice_id}@waybill.localhost>"
    assert letter["List-Unsubscribe"].startswith("<https://games.example.org/v1/mail/unsubscribe?token=")
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert rows(db, without) == []
    with db.session() as session:
        session.run("update deliveries set state = 'waiting', due_at = now() where notice_id = %s", row.notice_id)
    deliver_due(db, channels, looking, patience=30)
    first, again = mailbox.letters()
    assert first.as_bytes() == again.as_bytes()


def test_mailbox_that_cannot_be_written_is_tried_again(
    db: Database, desk: Desk, tmp_path: Path, looking: Looking
) -> None:
    (tmp_path / "mail").write_text("not a folder")
    channels = Channels(MailChannel(db, LocalBox(tmp_path / "mail"), "waybill.localhost"))
    _, (player, _) = make_game(db)
    with db.transaction() as transaction:
        players.players.set_email(transaction, player.id, f"{player.id}@example.org", f"{player.id}@example.org")
    notices.pass_on(db, channels)
    deliver_due(db, channels, looking, patience=30)
    (row,) = rows(db, player)
    assert row.state == "waiting"
    assert "mail" in row.reason


def test_one_that_has_to_wait_holds_up_those_after_it(
    db: Database, desk: Desk, table: tuple[str, list[Player]], looking: Looking
) -> None:
    game_id, (player, _) = table
    channels, clock = Channels(desk), Clock()
    for _ in range(2):
        happened(db, channels, game_id)
    first, second, third = (row.notice_id for row in rows(db, player))
    with db.session() as session:
        stored.put_off(session, "mail", [second], clock() + timedelta(hours=1), "")
    deliver_due(db, channels, looking, clock)
    assert desk.ids(player) == [first]
    clock.shift += timedelta(hours=1)
    deliver_due(db, channels, looking, clock)
    assert desk.ids(player) == [first, second, third]
