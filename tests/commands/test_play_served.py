"""`./waybill play --server`: a game of the real API over HTTP. What workers do is done while the player waits."""

import argparse
import io
import itertools
import os
import random
import threading
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from flask import Flask
from werkzeug.serving import BaseWSGIServer, make_server

from app import create_app
from commands import play
from commands._client import Client, NoServer, Problem
from commands._remote_game import NotAtTheTable, RemoteGame, join, offer_of
from commands._screen import Screen
from referee.bots import random_move, take_turn, waiting_for
from referee.games import all_games, open_game
from referee.orders.menu import menu
from referee.table import open_table
from runtime.config import Config
from runtime.processes import free_port
from service import bot_turns, games, moves, phases, positions
from store.database import Database

_numbers = itertools.count()


class Script(Screen):
    """A screen without a person: lines typed in advance, and all that was said."""

    def __init__(self, *lines: str | Callable[[], str]) -> None:
        self.is_terminal = False
        self.lines = iter(lines)
        self.said: list[str] = []

    @property
    def text(self) -> str:
        return "\n".join(self.said)

    def say(self, text: str = "", style: str = "") -> None:
        self.said.append(text)

    def ask(self, prompt: str) -> str | None:
        line = next(self.lines, None)
        typed = line() if callable(line) else line
        self.say(f"{prompt}{typed}")
        return typed


class Served:
    """The API on a port of its own, which can go away and come back."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.server: BaseWSGIServer | None = None
        self.start()

    def start(self) -> None:
        self.server = make_server("127.0.0.1", self.port, self.answer, threaded=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, environ: dict[str, Any], start_response: Any) -> Any:
        """The API counts on a server that ends a body where it ends; this one does not."""
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        return self.app({**environ, "wsgi.input": io.BytesIO(body)}, start_response)

    def stop(self) -> None:
        if self.server:
            self.server.shutdown()
            self.server.server_close()
            self.server = None

    def sign_up(self) -> str:
        name = f"terminal {os.getpid()}-{next(_numbers)}"
        return str(self.app.test_client().post("/v1/players", json={"name": name}).json["token"])


@pytest.fixture(scope="module")
def app(config: Config) -> Flask:
    return create_app(config.replace(requests_per_minute=10**9, log_level="critical"))


@pytest.fixture
def served(app: Flask) -> Iterator[Served]:
    server = Served(app)
    yield server
    server.stop()


class Player:
    """Somebody at a terminal with a game against bots."""

    def __init__(self, served: Served, db: Database, *lines: str | Callable[[], str], ruleset: str = "airlines-europe"):
        self.db = db
        self.screen = Script(*lines)
        self.pauses: list[Callable[[], Any]] = []  # done while the player waits, in place of the workers' work
        self.client = Client(served.url, served.sign_up(), self.screen.hint, self.pause)
        seats = [{"kind": "me"}] + [{"kind": "bot"}] * (all_games()[ruleset].seat_counts[0] - 1)
        self.id: str = self.client.post("/games", {"ruleset": ruleset, "seats": seats}).json["game"]["id"]

    def pause(self, seconds: float) -> None:
        (self.pauses.pop(0) if self.pauses else self.work)()

    def work(self) -> None:
        bot_turns.play(self.db, self.id)
        if phases.resolve(self.db, self.id):
            bot_turns.play(self.db, self.id)

    def join(self) -> RemoteGame:
        return join(self.screen, self.client, self.id)

    def row(self) -> int:
        return positions.load(self.db, self.id)[0].sequence


def test_the_menu_and_the_words_are_those_of_a_game_on_this_machine(served, db):
    player = Player(served, db, "99", "5", "deploy", "quit", ruleset="tin-goose")
    with pytest.raises(play.Quit):
        player.join().play()
    seen = player.screen.text
    assert "bid AMOUNT  AMOUNT: 0 to 40; everybody pays" in seen
    assert "begins each round; the number is enough" in seen
    assert (
        "> 99\n  bid 99\nBid from $0 to $40, as much as you have; not $99. (TG-R03)\nPossible instead:\n  a  " in seen
    )
    assert "> 5\n  bid 5\n  Sealed. The commitment to your order is " in seen
    assert "Waiting for steady 2 and steady 3; Ctrl-C stops." in seen
    assert (
        "“deploy” cannot be read, and “deploy and remove CONDITION” is not possible now. You can write: choose AIRMAIL."
        in seen
    )
    assert f"Come back with: ./waybill play --server {served.url} {player.id}" in seen


def test_a_whole_served_game_ends_with_the_scores_and_a_record(served, db, tmp_path, waybill):
    player = Player(served, db, *["1"] * 2000)
    record = tmp_path / "game.jsonl"
    assert join(player.screen, player.client, player.id, record).play() == 0
    assert "The game ended with the third scoring." in player.screen.text
    assert "\n  1. " in player.screen.text
    assert waybill("verify", record).returncode == 0


def test_board_is_the_one_of_the_server_with_the_news_first(served, db):
    player = Player(served, db, "1", "board", "board full", "board nowhere", "take money", "quit")
    with pytest.raises(play.Quit):
        player.join().play()
    short, full, wrong = player.screen.text.partition("> board\n")[2].split("> board ")[:3]
    assert short.lstrip().startswith("SINCE YOUR LAST MOVE\n")
    assert full.startswith("full\n\nSINCE YOUR LAST MOVE\n")
    assert "Board reconstructed-v1" in full
    assert wrong.startswith("nowhere\nThere is no 'nowhere' on the board; there is: full")
    before, _, _ = player.screen.text.partition("> board\n")
    assert "SINCE YOUR LAST MOVE" not in before, "the log has told it already"


def test_a_restart_of_the_server_loses_and_doubles_nothing(served, db):
    player = Player(served, db)

    def typed_while_the_server_goes() -> str:
        served.stop()
        player.pauses = [served.start]
        return "1"

    player.screen.lines = iter([typed_while_the_server_goes, "take money", "quit"])
    with pytest.raises(play.Quit):
        player.join().play()
    assert f"No server answers at {served.url}" in player.screen.text
    assert "Trying again" in player.screen.text
    assert "The server is back." in player.screen.text
    assert player.screen.text.count("  Sealed. The commitment") == 1


def test_an_order_that_comes_too_late_is_not_played(served, db):
    player = Player(served, db)

    def typed_after_the_clock() -> str:
        table, _ = positions.load(db, player.id)
        seat = table.acting()[0]
        moves.submit(db, player.id, seat, [table.default(seat)], by="clock")
        return "take money"

    player.screen.lines = iter(["1", typed_after_the_clock, "quit"])
    with pytest.raises(play.Quit):
        player.join().play()
    assert "Your order was not played: the game has gone on." in player.screen.text


def test_a_pause_of_the_host_is_waited_out(served, db):
    player = Player(served, db)

    def paused() -> str:
        with db.transaction() as transaction:
            games.pause(transaction, player.id)
        player.pauses = [lambda: None] * 3 + [resumed]
        return "1"

    def resumed() -> None:
        with db.transaction() as transaction:
            games.resume(transaction, player.id)

    player.screen.lines = iter([paused, "1", "quit"])
    with pytest.raises(play.Quit):
        player.join().play()
    assert "Your order was not played" in player.screen.text
    assert "The host has paused the game." in player.screen.text
    assert "  Sealed. The commitment" in player.screen.text


def test_a_game_that_has_not_begun_is_waited_for(served, db):
    player, other = Player(served, db), Player(served, db)
    seats = [{"kind": "me"}, {"kind": "open"}]
    player.id = player.client.post("/games", {"ruleset": "airlines-europe", "seats": seats}).json["game"]["id"]
    player.pauses = [lambda: other.client.post(f"/games/{player.id}/seats", {})]
    player.screen.lines = iter(["quit"])
    with pytest.raises(play.Quit):
        player.join().play()
    assert "begins when its free seats are taken (1 now)" in player.screen.text


def test_somebody_without_a_seat_is_told_so(served, db):
    player, other = Player(served, db), Player(served, db)
    with pytest.raises(NotAtTheTable, match="You have no seat in game"):
        join(player.screen, player.client, other.id)


def test_while_nothing_happens_the_server_is_asked_with_the_entity_tag(served, db, monkeypatch):
    player = Player(served, db, "1")
    statuses: list[int] = []
    once = Client.send_once

    def counting(self: Client, method: str, path: str, *rest: Any) -> Any:
        answer = once(self, method, path, *rest)
        statuses.append(answer.status)
        return answer

    monkeypatch.setattr(Client, "send_once", counting)
    player.pauses = [lambda: None] * 4
    assert player.join().play() == 1
    assert statuses.count(304) >= 4


def test_a_server_that_was_never_there_is_not_waited_for(served):
    served.stop()
    with pytest.raises(NoServer, match="No server answers at"):
        Client(served.url, "wb_x", pause=lambda _: pytest.fail("it waits")).get("/games")


def test_the_token_is_not_sent_on_to_another_server(served, monkeypatch):
    def elsewhere(environ: Any, start_response: Any) -> list[bytes]:
        start_response("302 Found", [("Location", "http://127.0.0.1:1/v1/games")])
        return []

    other = make_server("127.0.0.1", 0, elsewhere)
    thread = threading.Thread(target=other.handle_request)
    thread.start()
    with pytest.raises(Problem, match="status 302"):
        Client(f"http://127.0.0.1:{other.server_port}", "wb_x").get("/games")
    thread.join()
    other.server_close()


def test_my_games_are_listed_and_a_new_one_is_opened(served, waybill):
    arguments = ("play", "--server", served.url, "--token", served.sign_up())
    assert "You have no games there yet." in waybill(*arguments).stdout
    opened = waybill(*arguments, "--new", "tin-goose").stdout
    assert "bid AMOUNT" in opened
    assert "The input ended; the game goes on." in opened
    listed = waybill(*arguments).stdout
    assert "  Tin Goose  " in listed
    assert "Waiting for you: " in listed


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["--token", "wb_nobody"], "The server does not know this token."),
        (
            ["--token", "TOKEN", "nosuchgame"],
            "There is no game nosuchgame on this server, or it is not for you to see.",
        ),
        (["--token", "TOKEN", "--new", "spik"], "did you mean 'spike'?"),
        (["--token", "TOKEN", "--new", "spike", "--seats", "me,me"], "On a server you have one seat"),
        (["--token", "TOKEN", "--new", "spike", "--seed", "00"], "on a server nobody chooses the chance"),
        (["--token", "TOKEN", "--new", "spike", "x"], "Either the id of a game, or --new GAME."),
        (["--token", "x y"], "This is no token"),
        ([], "Say who you are: --token"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(served, waybill, arguments, answer):
    token = served.sign_up()
    done = waybill("play", "--server", served.url, *(token if word == "TOKEN" else word for word in arguments))
    assert done.returncode in (1, 2)
    assert answer in done.stderr
    assert "Traceback" not in done.stderr


def test_a_conflict_is_told_in_the_words_of_the_server():
    problem = Problem(409, {"type": "urn:waybill:problem:other-rules", "detail": "Rules 9 are not here."})
    assert play.in_words(problem, argparse.Namespace(server="http://x", game="y")) == "Rules 9 are not here."


@pytest.mark.parametrize("key", all_games())
def test_menus_made_from_the_listing_are_those_made_from_the_offers(key):
    game, rng = open_game(key, 3), random.Random(2)
    table, _ = open_table(game, ["Ann", "Bob", "Cid"], bytes(32))
    for number in range(200):
        if table.is_over:
            break
        seat = waiting_for(table)[0].seat
        if number % 5 == 0:
            offers = table.offers(seat)
            listed = [
                offer_of(game, msgspec.json.decode(msgspec.json.encode(offer.listing())), offer.schema()["required"])
                for offer in offers
            ]
            assert lines(game, listed) == lines(game, offers)
        take_turn(table, seat, [random_move(table, seat, rng)])


def lines(game: Any, offers: Any) -> list[tuple[Any, ...]]:
    return [(choice.text, choice.move, choice.note, choice.missing) for choice in menu(game, offers)]
