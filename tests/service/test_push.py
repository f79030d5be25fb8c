"""Web push: told as preferences say, retried, forgotten when the browser is gone; read as a browser reads it."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import redis

from referee.contract import canonical
from runtime.config import Config
from runtime.vault import Vault
from runtime.web_push import Vapid
from service import deliveries, feed, moves, notices, personal_data, positions, preferences, push
from service.channels import FIRST_PAUSE, Channels
from service.errors import NotFound
from service.looking import Looking
from service.players import Player
from service.positions import CACHE
from service.push import Desk, PushChannel, Shown
from store import outbox
from store.database import Database
from store.deliveries import DeliveryRow
from store.deliveries import of_notice as deliveries_of
from tests.factories import make_game, make_player, play_some
from tests.push import CONTACT, VAPID_KEY, Browser
from tests.receiver import Receiver, receiver


class House:
    """The service as far as web push goes, with a clock that tests move."""

    def __init__(self, db: Database, config: Config) -> None:
        self.db, self.shift = db, timedelta()
        vapid = Vapid(VAPID_KEY, CONTACT)
        self.desk = Desk(db, Vault(config), vapid, allow_loopback=True)
        self.channels = Channels(PushChannel(db, Vault(config), vapid, allow_loopback=True))
        self.looking = Looking(redis.Redis.from_url(config.redis_url))

    def add(self, player: Player, browser: Browser) -> Shown:
        found = browser.subscription()
        return self.desk.subscribe(player.id, found["endpoint"], **found["keys"], label="phone").made

    def happened(self, game_id: str, kind: str = "deadline_moved") -> None:
        with self.db.transaction() as transaction:
            outbox.add(transaction, game_id, kind, 0)
        notices.pass_on(self.db, self.channels)

    def deliver(self) -> None:
        """With more patience than a worker has: a busy machine is no failure."""
        deliveries.deliver_due(self.db, self.channels, self.looking, lambda: datetime.now(UTC) + self.shift, 20)

    def prefer(self, player: Player, **changes: Any) -> None:
        with self.db.transaction() as transaction:
            preferences.change(transaction, player.id, changes)

    def sent(self, player: Player) -> list[DeliveryRow]:
        with self.db.session() as session:
            told = feed.page(session, player.id)
            rows = [row for one in told for row in deliveries_of(session, one.id)]
        return sorted((row for row in rows if row.channel.startswith("push:")), key=lambda row: row.notice_id)


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


def test_browser_is_told_in_words_that_it_alone_can_read(
    house: House, program: Receiver, table: tuple[str, list[Player]]
) -> None:
    game_id, (player, _) = table
    browser = Browser(program.url)
    house.add(player, browser)
    house.happened(game_id)
    house.deliver()
    (message,) = browser.messages(program)
    assert message["title"] == "Airlines Europe"
    assert message["body"] == "The deadline has moved."
    assert (message["url"], message["tag"], message["waiting"]) == (f"/games/{game_id}", game_id, 1)
    (headers, body), (row,) = program.raw[0], house.sent(player)
    assert headers["Urgency"] == "normal"
    assert (row.state, row.attempts) == ("delivered", 1)
    assert game_id.encode() not in body
    assert game_id not in repr(headers)


def test_what_asks_is_urgent_and_what_was_answered_is_not_sent(house: House, program: Receiver, db: Database) -> None:
    game_id, at_table = make_game(db, people=3)
    table, _ = positions.load(db, game_id)
    answering, silent = (at_table[seat] for seat in table.acting()[:2])
    browser = Browser(program.url)
    house.add(answering, Browser(program.url + "/another"))
    house.add(silent, browser)
    notices.pass_on(db, house.channels)
    moves.submit(db, game_id, table.acting()[0], [table.default(table.acting()[0])])
    house.deliver()
    (message,) = browser.messages(program)
    assert program.raw[0][0]["Urgency"] == "high"
    assert "A sealed phase is open" in message["body"]
    (row,) = [row for row in house.sent(answering) if row.state != "delivered"]
    assert (row.state, row.reason) == ("dropped", "You have answered.")


@pytest.mark.parametrize("status", [404, 410])
def test_browser_that_is_gone_is_forgotten_and_what_waits_is_dropped(
    house: House, program: Receiver, table: tuple[str, list[Player]], status: int
) -> None:
    game_id, (player, _) = table
    house.add(player, Browser(program.url))
    program.status = status
    house.happened(game_id)
    house.deliver()
    with house.db.session() as session:
        assert push.of_player(session, player.id) == []
    (row,) = house.sent(player)
    assert (row.state, row.reason) == ("given_up", "This browser wants no more messages.")
    house.happened(game_id, "paused")
    assert len(house.sent(player)) == 1


def test_failure_is_tried_again_after_a_pause_and_together_with_what_has_come_since(
    house: House, program: Receiver, table: tuple[str, list[Player]]
) -> None:
    game_id, (player, _) = table
    browser = Browser(program.url)
    house.add(player, browser)
    program.status = 503
    house.happened(game_id)
    house.deliver()
    (row,) = house.sent(player)
    assert (row.state, row.reason) == ("waiting", "The push service answered 503.")
    program.status = 201
    house.happened(game_id, "paused")
    house.deliver()
    assert len(program.raw) == 1
    house.shift += FIRST_PAUSE + timedelta(seconds=1)
    house.deliver()
    assert [message["body"] for message in browser.messages(program)] == [
        "The deadline has moved.",
        "The game is paused.",
    ]
    assert [row.state for row in house.sent(player)] == ["delivered", "delivered"]
    topics = {headers["Topic"] for headers, _ in program.raw}
    assert len(topics) == 1


def test_preferences_quiet_hours_and_looking_hold_for_browsers_too(
    house: House, program: Receiver, table: tuple[str, list[Player]]
) -> None:
    game_id, (player, _) = table
    browser = Browser(program.url)
    house.add(player, browser)
    house.prefer(player, kinds={"deadline_moved": {"channels": ["feed"]}})
    house.happened(game_id)
    house.deliver()
    assert house.sent(player) == []
    hour = datetime.now(UTC).hour
    house.prefer(player, quiet_hours={"from": hour, "until": (hour + 3) % 24})
    house.happened(game_id, "paused")
    house.deliver()
    assert program.raw == []
    house.prefer(player, quiet_hours=None)
    house.looking.note(player.id, game_id)
    house.happened(game_id, "resumed")
    house.shift += timedelta(hours=4)
    house.deliver()
    assert program.raw == []
    assert {row.reason for row in house.sent(player)} == {"You were looking at the game."}


def test_digest_is_one_message_for_all_games(house: House, program: Receiver, db: Database) -> None:
    game_id, at_table = make_game(db)
    notices.pass_on(db, house.channels)
    browser = Browser(program.url)
    house.add(at_table[0], browser)
    house.prefer(
        at_table[0], kinds={kind: {"channels": ["push", "feed"], "when": "digest"} for kind in ("paused", "resumed")}
    )
    house.happened(game_id, "paused")
    house.happened(game_id, "resumed")
    house.shift += timedelta(days=1, minutes=1)
    house.deliver()
    (message,) = browser.messages(program)
    assert message["body"] == "The game goes on."


def test_browser_of_two_players_tells_who_came_last(house: House, program: Receiver, db: Database) -> None:
    game_id, at_table = make_game(db)
    notices.pass_on(db, house.channels)
    browser = Browser(program.url)
    first = house.add(at_table[0], browser)
    house.happened(game_id)
    second = house.add(at_table[1], browser)
    assert second.id != first.id
    house.deliver()
    assert program.raw == [], "it was for who is not at this browser any more"
    with db.transaction() as transaction:
        assert push.of_player(transaction, at_table[0].id) == []
        with pytest.raises(NotFound):
            push.unsubscribe(transaction, at_table[0].id, second.id)


@pytest.mark.parametrize("rows", [0, 1, 30])
def test_two_worlds_that_a_seat_cannot_tell_apart_give_the_same_messages(
    house: House, program: Receiver, db: Database, rows: int
) -> None:
    """The position is another one in each, with the same log up to then."""
    game_id, at_table = make_game(db, people=3)
    play_some(db, game_id, rows, seed=rows)
    notices.pass_on(db, house.channels)
    table, _ = positions.load(db, game_id)
    rng, seat = random.Random(rows), table.acting()[0]
    browser = Browser(program.url)
    house.add(at_table[seat], browser)
    worlds = []
    for position in (table.position_json, canonical(table.game.imagine(table.view(seat), rng))):
        with db.transaction() as transaction:
            transaction.run("update games set position = %s where id = %s", position.decode(), game_id)
            transaction.run("delete from notices where game_id = %s", game_id)
            transaction.run("delete from asked where game_id = %s", game_id)
            outbox.add(transaction, game_id, "moved", table.sequence)
        CACHE.forget(game_id)
        program.raw.clear()
        notices.pass_on(db, house.channels)
        house.deliver()
        lengths = [len(body) for _, body in program.raw]
        worlds.append((browser.messages(program), lengths))
    assert worlds[0] == worlds[1]
    assert worlds[0][0]


def test_copy_of_the_database_tells_nobody_where_a_browser_is(
    house: House, program: Receiver, db: Database, config: Config
) -> None:
    player, browser = make_player(db), Browser(program.url)
    made = house.add(player, browser)
    with db.session() as session:
        (row,) = session.rows("select * from push_subscriptions where id = %s", made.id)
        sealed = b"".join(bytes(value) for value in row if isinstance(value, bytes | memoryview))
    assert browser.endpoint.encode() not in sealed
    assert browser.auth not in sealed
    with db.transaction() as transaction:
        assert personal_data.export(transaction, player.id).push_subscriptions == [made]
        personal_data.forget(transaction, player.id)
        assert push.of_player(transaction, player.id) == []
