"""Webhooks: signed, at least once, in order, retried, switched off with a notice; checked by others' library."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import redis

from referee.contract import canonical
from runtime.config import Config
from runtime.vault import Vault
from service import deliveries, feed, games, notices, personal_data, positions, seats, webhooks
from service.channels import FIRST_PAUSE, Channels
from service.games import NewGame, NewSeat
from service.looking import Looking
from service.players import Player
from service.positions import CACHE
from service.preferences import KINDS
from service.webhooks import OFF_AFTER, Desk, Shown, WebhookChannel
from store import outbox
from store import webhooks as stored
from store.database import Database
from tests.factories import RULESET, make_game, play_some
from tests.receiver import Receiver, receiver


class Clock:
    def __init__(self) -> None:
        self.shift = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.shift


class House:
    """The service as far as webhooks go, with a clock that tests move."""

    def __init__(self, db: Database, config: Config) -> None:
        self.db, self.clock = db, Clock()
        self.desk = Desk(db, Vault(config), allow_loopback=True)
        self.channel = WebhookChannel(db, Vault(config), allow_loopback=True)
        self.channels = Channels(self.channel)
        self.looking = Looking(redis.Redis.from_url(config.redis_url))

    def add(self, player: Player, program: Receiver, events: Any = KINDS) -> Shown:
        made = self.desk.create(player.id, program.url, "", events).made
        program.secret = made.secret or ""
        return made

    def happened(self, game_id: str, kind: str = "deadline_moved") -> None:
        with self.db.transaction() as transaction:
            outbox.add(transaction, game_id, kind, 0)
        notices.pass_on(self.db, self.channels)

    def deliver(self) -> int:
        """With more patience than a worker has: a busy machine is no failure."""
        return deliveries.deliver_due(self.db, self.channels, self.looking, self.clock, 20)

    def later(self, by: timedelta) -> None:
        self.clock.shift += by
        self.deliver()

    def log(self, player: Player, made: Shown) -> list[webhooks.Delivered]:
        with self.db.session() as session:
            return webhooks.deliveries(session, player.id, made.id, None, 100)[::-1]

    def show(self, player: Player, made: Shown) -> Shown:
        with self.db.session() as session:
            return webhooks.shown(webhooks.known(session, player.id, made.id))


@pytest.fixture
def house(db: Database, config: Config) -> House:
    with db.session() as session:  # what other tests have left
        session.run("delete from deliveries where state = 'waiting'")
        session.run("delete from outbox")
    return House(db, config)


@pytest.fixture
def program() -> Iterator[Receiver]:
    with receiver() as found:
        yield found


@pytest.fixture
def table(db: Database, house: House) -> tuple[str, list[Player]]:
    game_id, at_table = make_game(db)
    notices.pass_on(db, house.channels)
    return game_id, at_table


def test_program_is_told_in_order_and_another_library_finds_the_signature_right(
    house: House, program: Receiver, table: tuple[str, list[Player]]
) -> None:
    game_id, (player, _) = table
    made = house.add(player, program)
    for _ in range(5):
        house.happened(game_id)
    house.deliver()
    with house.db.session() as session:
        moved = [one for one in feed.page(session, player.id) if one.kind == "deadline_moved"]
    assert program.ids() == sorted(one.id for one in moved)
    headers, body = program.raw[0]
    assert headers["webhook-id"] == f"notice-{program.ids()[0]}"
    assert headers["Content-Type"] == "application/json"
    assert body.startswith(b'{"type":"deadline_moved","timestamp":"')
    first = house.log(player, made)[0]
    assert (first.sent.state, first.sent.attempts, first.tries[0].status) == ("delivered", 1, 204)
    assert house.deliver() == 0


def test_only_chosen_events_come_and_whoever_looks_at_the_game_is_told_too(
    house: House, program: Receiver, table: tuple[str, list[Player]]
) -> None:
    game_id, (player, _) = table
    house.add(player, program, ["deadline_moved"])
    house.looking.note(player.id, game_id)
    house.happened(game_id, "paused")
    house.happened(game_id)
    house.deliver()
    assert [one["type"] for one in program.got] == ["deadline_moved"]


def test_question_that_was_answered_meanwhile_is_not_asked_and_can_be_asked_for(
    house: House, program: Receiver, db: Database
) -> None:
    game_id, at_table = make_game(db, people=3)
    webhook_of = {player.id: house.add(player, program, ["phase_opened"]) for player in at_table}
    notices.pass_on(db, house.channels)
    play_some(db, game_id, 1)
    table, _ = positions.load(db, game_id)
    host = next(player for seat, player in enumerate(at_table) if seat not in table.acting())
    made = webhook_of[host.id]
    house.deliver()
    program.raw, program.got, program.secret = [], [], made.secret or ""
    (one,) = house.log(host, made)
    assert (one.sent.state, one.sent.reason, one.tries) == ("dropped", "You have answered.", [])
    with db.transaction() as transaction:
        webhooks.redeliver(transaction, host.id, made.id, one.sent.notice_id)
    house.deliver()
    assert program.ids() == [one.sent.notice_id]
    with db.transaction() as transaction:
        webhooks.redeliver(transaction, host.id, made.id, one.sent.notice_id)
    house.deliver()
    assert program.ids() == [one.sent.notice_id] * 2, "also what was delivered before"


def test_new_secret_and_the_former_one_hold_both_for_a_day(
    house: House, program: Receiver, table: tuple[str, list[Player]]
) -> None:
    game_id, (player, _) = table
    made = house.add(player, program)
    new = house.desk.rotate(player.id, made.id).made
    assert new.secret not in (None, made.secret)
    for secret in (made.secret, new.secret):
        program.secret = secret or ""
        house.happened(game_id)
        house.deliver()
    assert len(program.got) == 2
    house.channel.clock = lambda: datetime.now(UTC) + timedelta(hours=25)
    house.happened(game_id)
    house.deliver()
    assert len(program.raw[-1][0]["webhook-signature"].split(" ")) == 1
    assert len(program.raw[0][0]["webhook-signature"].split(" ")) == 2


def test_address_that_fails_is_left_alone_for_all_games_and_goes_on_in_order(
    house: House, program: Receiver, table: tuple[str, list[Player]], db: Database
) -> None:
    game_id, (player, other) = table
    with db.transaction() as transaction:
        another = games.create(transaction, player, NewGame(RULESET, (NewSeat("me"), NewSeat("open")))).game.id
        seats.join(transaction, another, other)
    made = house.add(player, program, ["deadline_moved"])
    program.status, program.body = 500, "kaputt \N{PILE OF POO}".encode()
    house.happened(game_id)
    house.deliver()
    (one,) = house.log(player, made)
    assert (one.sent.state, one.sent.reason) == ("waiting", "Your program answered 500.")
    assert (one.tries[0].status, one.tries[0].answer) == (500, "kaputt \N{PILE OF POO}")
    assert house.show(player, made).failing_since is not None
    program.status = 204
    house.happened(game_id)
    house.happened(another)
    house.deliver()
    assert len(program.raw) == 1, "it is not asked again so soon, about anything"
    house.later(FIRST_PAUSE + timedelta(seconds=1))
    house.deliver()
    numbers = [one.sent.notice_id for one in house.log(player, made)]
    assert sorted(program.ids()) == numbers
    assert [one["data"]["id"] for one in program.got if one["data"]["game_id"] == game_id] == numbers[:2]
    assert house.show(player, made).failing_since is None


def test_one_of_two_webhooks_that_fails_does_not_hold_up_the_other(
    house: House, program: Receiver, table: tuple[str, list[Player]]
) -> None:
    game_id, (player, _) = table
    with receiver() as broken:
        house.add(player, broken)
        house.add(player, program)
        broken.status = 503
        for _ in range(3):
            house.happened(game_id)
            house.deliver()
        assert (len(broken.raw), len(program.got)) == (1, 3)


def test_after_days_of_failure_it_is_switched_off_and_its_player_told(
    house: House, program: Receiver, table: tuple[str, list[Player]], db: Database
) -> None:
    game_id, (player, _) = table
    made = house.add(player, program, ["deadline_moved"])
    program.status = 500
    began = house.clock()
    house.happened(game_id)
    house.deliver()
    tries = 0
    while house.show(player, made).off_at is None:
        house.happened(game_id)  # there is always something to tell
        house.later(timedelta(hours=2))
        tries += 1
        assert tries < 100
    assert house.clock() - began >= OFF_AFTER
    with db.session() as session:
        told = next(one for one in feed.page(session, player.id) if one.kind == "webhook_off")
    assert (told.summary, told.detail["webhook"], told.game_id) == ("A webhook of yours is switched off.", made.id, "")
    assert "Your program answered 500." in told.sentences[0]
    asked = len(program.raw)
    house.happened(game_id)
    house.later(timedelta(hours=5))
    assert len(program.raw) == asked
    assert {one.sent.state for one in house.log(player, made)} <= {"dropped", "given_up"}
    program.status = 204
    house.desk.change(player.id, made.id, {"on": True})
    house.happened(game_id)
    house.later(timedelta(hours=1))
    assert len(program.got) == 1


def test_program_that_says_gone_is_told_nothing_more(
    house: House, program: Receiver, table: tuple[str, list[Player]]
) -> None:
    game_id, (player, _) = table
    made = house.add(player, program, ["deadline_moved"])
    program.status = 410
    house.happened(game_id)
    house.deliver()
    assert house.show(player, made).off_why == "Your program answered 410."
    house.happened(game_id)
    house.deliver()
    assert len(program.raw) == 1


def test_name_that_leads_to_a_private_machine_is_not_asked(
    house: House, program: Receiver, table: tuple[str, list[Player]]
) -> None:
    """Whoever runs the service does not allow loopback: the address was taken before, and is checked at each try."""
    game_id, (player, _) = table
    made = house.add(player, program)
    house.channel.allow_loopback = False
    house.happened(game_id)
    house.deliver()
    assert program.raw == []
    assert "127.0.0.1 is not a public machine's address" in house.log(player, made)[-1].tries[0].reason


def test_secret_is_kept_sealed_and_gone_with_its_player(
    house: House, program: Receiver, table: tuple[str, list[Player]], db: Database, config: Config
) -> None:
    _, (player, _) = table
    made = house.add(player, program)
    with db.session() as session:
        row = stored.find(session, made.id)
        export = personal_data.export(session, player.id)
    assert row is not None
    plain = Vault(config).open(row.secret, f"webhook {made.id}")
    assert plain not in row.secret
    assert [one.secret for one in export.webhooks] == [None]
    with db.transaction() as transaction:
        personal_data.forget(transaction, player.id)
    with db.session() as session:
        assert stored.find(session, made.id) is None


def test_with_another_key_of_the_house_nothing_is_sent_and_the_reason_is_told(
    house: House, program: Receiver, table: tuple[str, list[Player]], config: Config
) -> None:
    game_id, (player, _) = table
    made = house.add(player, program)
    house.channel.vault = Vault(config.replace(secrets_key=(b"x" * 32,)))
    house.happened(game_id)
    house.deliver()
    assert program.raw == []
    assert "ask for a new secret" in house.log(player, made)[-1].sent.reason


@pytest.mark.parametrize("rows", [0, 1, 30])
def test_two_worlds_that_a_seat_cannot_tell_apart_give_the_same_requests(
    house: House, program: Receiver, db: Database, rows: int
) -> None:
    """The position is another one in each, with the same log up to then: the payload is the same, byte for byte."""
    game_id, at_table = make_game(db, people=3)
    play_some(db, game_id, rows, seed=rows)
    notices.pass_on(db, house.channels)
    table, _ = positions.load(db, game_id)
    rng, seat = random.Random(rows), table.acting()[0]
    house.add(at_table[seat], program)
    worlds = []
    for position in (table.position_json, canonical(table.game.imagine(table.view(seat), rng))):
        with db.transaction() as transaction:
            transaction.run("update games set position = %s where id = %s", position.decode(), game_id)
            transaction.run("delete from notices where game_id = %s", game_id)
            transaction.run("delete from asked where game_id = %s", game_id)
            outbox.add(transaction, game_id, "moved", table.sequence)
        CACHE.forget(game_id)
        program.got.clear()
        notices.pass_on(db, house.channels)
        house.deliver()
        worlds.append([_timeless(one) for one in program.got])
    assert worlds[0] == worlds[1]
    assert worlds[0]


def _timeless(told: dict[str, Any]) -> dict[str, Any]:
    data = {name: value for name, value in told["data"].items() if name not in ("id", "created_at", "due_at")}
    return {**told, "timestamp": "", "data": data}
