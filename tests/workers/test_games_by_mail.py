"""Whole games by mail alone: after the invitation nobody asks the API for anything. The post is real SMTP on loopback.

`WAYBILL_MAIL_GAMES=all` plays every game without and with faults; the suite has each of the five once, with faults.
"""

import os
import random
from typing import Any

import msgspec
import pytest
import redis

from referee.games import all_games
from runtime.config import Config
from service import addresses, games, mail_in, mail_orders, mail_out, replays
from service.games import NewGame, NewSeat
from store import players as player_rows
from store.database import Database
from tests.by_mail import MANY, NONE, Faults, Game, Player, Post
from tests.factories import make_player
from tests.waiting import wait_until
from workers.app import configure

# Short ones: the rules are those of long games.
SETTINGS: dict[str, dict[str, Any]] = {"airline-1975": {"rounds": 10, "throws": "by_referee"}}
IS_LONG = bool(os.environ.get("WAYBILL_MAIL_GAMES"))
WAYS = {"with faults": MANY, "without": NONE} if IS_LONG else {"with faults": MANY}


def begin(db: Database, ruleset: str, post: Post, rng: random.Random) -> Game:
    """The only call: a host opens a game and invites."""
    people = [make_player(db) for _ in range(min(all_games()[ruleset].seat_counts))]
    with db.transaction() as transaction:
        for player in people:
            address = f"{player.id}@example.org"
            player_rows.set_email(transaction, player.id, address, addresses.email_key(address))
        seats = (NewSeat("me"), *(NewSeat("invite", name=player.name) for player in people[1:]))
        opened = games.create(transaction, people[0], NewGame(ruleset, seats, SETTINGS.get(ruleset, {})))
    return Game(db, opened.game.id, [Player(f"{player.id}@example.org", post, rng) for player in people], post)


@pytest.mark.parametrize("ruleset", all_games())
@pytest.mark.parametrize("faults", WAYS.values(), ids=WAYS)
def test_a_whole_game_is_played_by_mail_alone(
    db: Database, config: Config, queue: redis.Redis, monkeypatch: pytest.MonkeyPatch, ruleset: str, faults: Faults
) -> None:
    configure(config)
    if not IS_LONG:
        monkeypatch.setattr(mail_out, "PICTURE_WIDTH", 160)  # a picture of full size takes a quarter of a second
    monkeypatch.setattr(mail_in, "MOST_MAILS", 10**6)  # a game of weeks takes seconds here
    monkeypatch.setattr(mail_in, "MOST_MAILS_ABOUT", 10**6)
    monkeypatch.setattr(mail_in, "MOST_ANSWERS", 10**6)
    with db.session() as session:  # what other tests have left
        session.run("delete from outbox")
        session.run("delete from deliveries where state = 'waiting'")
        session.run("update mail_out set state = 'sent' where state = 'waiting'")
        session.run("update mail_in set state = 'done' where state = 'waiting'")
    rng = random.Random(f"{ruleset} 16")
    with Post(rng, faults) as post:
        game = begin(db, ruleset, post, rng)
        post.is_quiet = True
        wait_until(lambda: game.step() and game.has_begun(), what="the beginning")
        post.is_quiet = False
        game.play()
    assert game.is_over()
    rows = list(replays.entries(db, game.game_id, -1, 10_000))
    orders = [(order, entry.row.is_reveal) for entry in rows for order in entry.row.orders]
    assert {order.by for order, _ in orders} == {"player"}
    # Every mail whose orders were accepted has moved once, and nothing moved without one. Of those for an envelope the
    # last one counts.
    verdicts = verdicts_of(db, game)
    assert sum(not is_sealed for _, is_sealed in orders) == sum(verdict != mail_orders.SEALED for verdict in verdicts)
    assert sum(is_sealed for _, is_sealed in orders) <= sum(verdict == mail_orders.SEALED for verdict in verdicts)
    assert post.counts.pictures > len(rows) // 4
    if faults is MANY:
        assert min(post.counts.lost, post.counts.doubled, post.counts.delayed) > 0


def verdicts_of(db: Database, game: Game) -> list[str]:
    """What the orders of each mail came to, as it is kept under the mail's key."""
    scopes = [f"player:{player.address.partition('@')[0]}" for player in game.players]
    with db.session() as session:
        kept = session.rows(
            "select body from idempotency where scope = any(%s) and status = 200 and key like 'mail-in-%%'", scopes
        )
    return [msgspec.json.decode(body)[0] for (body,) in kept]
