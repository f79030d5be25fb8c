"""What mail costs: to make one, with its picture and without, to hand it over, and how soon an answer comes.

First, mails of every game are made in this process, and handed to a server on loopback that takes them all, on a kept
connection. Then a service as `./waybill up` starts it, with fsync on, plays games by mail, over SMTP: in each game
somebody writes every few seconds, asks what there is to do, or orders it. An answer's time is from when the door has
taken a mail to when its answer has arrived; meanwhile letters with pictures go out as well. The players and their
server are on this machine, too, and take their share of it.

  ./waybill bench mail                       100 games, about two minutes
  ./waybill bench mail --games 20 --seconds 20
"""

import argparse
import contextlib
import email.policy
import heapq
import os
import queue
import random
import re
import smtplib
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from rich.console import Console
from rich.table import Table as Grid

from bench.service import quantile
from commands import up
from mail.compose import Envelope, compose
from mail.letters import render
from referee.games import all_games, open_game
from referee.options import sample
from referee.table import Table, open_table
from runtime.config import read_config
from runtime.post import Relay
from runtime.processes import free_port, wait_or_kill
from runtime.servers import Servers
from service import games, players, seats
from service.feed import Told
from service.games import NewGame, NewSeat
from service.mail_out import board_picture, game_news, reply_address, small
from store import players as player_rows
from store.database import Database
from store.migrate import migrate

HOST = "waybill.localhost"
VIEWS = 12  # positions of a game that are told of
THINK_SECONDS = 5.0  # of a player before writing, on average
STARTING_SECONDS = 60.0  # for the door to open
GOAL_SECONDS = 5.0  # for an answer, of 99 in 100
MENU = re.compile(r"YOUR ORDERS[^\n]*\n(.*?)\n\n", re.DOTALL)


class Inbox:
    """The players' mail server: what came, and when."""

    def __init__(self) -> None:
        self.came: queue.Queue[tuple[float, bytes]] = queue.Queue()
        self.controller = Controller(self, hostname="127.0.0.1", port=free_port())

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        self.came.put((time.monotonic(), envelope.content))
        return "250 OK"

    def __enter__(self) -> "Inbox":
        self.controller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.controller.stop()


def run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./waybill bench mail", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--games", type=int, default=100, help="that are played by mail at the same time")
    parser.add_argument("--seconds", type=float, default=60.0, help="for which they are")
    args = parser.parse_args(arguments)
    console = Console()
    console.print(f"load of the machine: {os.getloadavg()[0]:.1f}")
    with Inbox() as inbox:
        made = making(console)
        handing_over(console, inbox, made)
    return answering(console, args.games, args.seconds)


def views(ruleset: str) -> Iterator[tuple[Table, int]]:
    """Positions at which somebody is asked, some rows apart."""
    game = open_game(ruleset, min(all_games()[ruleset].seat_counts))
    table, _ = open_table(game, [f"Player {seat}" for seat in range(game.seats)], bytes(32), [""] * game.seats)
    rng = random.Random(7)
    found = 0
    while found < VIEWS and not table.is_over:
        if table.sealed_phase() and not table.missing():
            table.reveal()
            continue
        seat = table.acting()[0]
        yield table, seat
        found += 1
        for _ in range(3):
            if table.is_over or (table.sealed_phase() and not table.missing()):
                break
            seat = table.acting()[0]
            offers = [offer for offer in table.offers(seat) if not offer.move.leaves_the_game]
            table.submit(seat, [sample(offers, rng) if offers else table.default(seat)])


def letter(table: Table, seat: int, picture: bytes, number: int) -> EmailMessage:
    now = datetime.now(UTC)
    told = Told(
        id=number, kind="your_turn", game_id="7h2kq9mzr4ab", ruleset=table.game.key, game=table.game.name, title="",
        seat=seat, about=None, sequence=table.sequence, summary="It is your turn.", sentences=(), omitted=0, prompt="",
        due_at=now, detail={}, press=None, created_at=now, read_at=None,
    )  # fmt: skip
    cid = f"board@{HOST}" if picture else ""
    envelope = Envelope(host=HOST, to="ann@example.org", date=now, message_id=f"notice-{number}", thread="game")
    return compose(envelope, render("game", game_news(table, told, [told], "UTC"), cid), picture, cid)


def making(console: Console) -> list[EmailMessage]:
    grid = Grid("game", "mails", "CPU without", "CPU with picture", "HTML", "picture", title="To make a mail")
    made: list[EmailMessage] = []
    for ruleset in all_games():
        plain = drawn = 0.0
        largest = pixels = count = 0
        for table, seat in views(ruleset):
            begin = time.process_time()
            without = letter(table, seat, b"", count)
            middle = time.process_time()
            picture = board_picture(table, seat, small)
            whole = letter(table, seat, picture, count)
            drawn += time.process_time() - middle
            plain += middle - begin
            html = without.get_body(("html",))
            largest = max(largest, len(html.get_content().encode()) if html else 0)
            pixels, count = max(pixels, len(picture)), count + 1
            made.append(whole)
        grid.add_row(
            all_games()[ruleset].name,
            str(count),
            f"{plain / count * 1000:.0f} ms",
            f"{drawn / count * 1000:.0f} ms",
            f"≤ {largest / 1000:.0f} KB",
            f"≤ {pixels / 1000:.0f} KB",
        )
    console.print(grid)
    return made


def handing_over(console: Console, inbox: Inbox, made: list[EmailMessage]) -> None:
    relay = Relay(f"smtp://127.0.0.1:{inbox.controller.port}")
    begin = time.monotonic()
    for message in made * 3:
        relay.send(message, f"bounce+1@{HOST}", "ann@example.org")
    passed = time.monotonic() - begin
    sizes = sum(len(bytes(message)) for message in made) // len(made)
    console.print(f"Handed over: {3 * len(made) / passed:.0f} mails a second, of {sizes // 1000} KB each")


@contextlib.contextmanager
def service(relay: int) -> Iterator[tuple[Database, int]]:
    """The door, a worker and the beat; the port of the door."""
    with tempfile.TemporaryDirectory(prefix="waybill-bench-") as folder, Servers(Path(folder)) as addresses:
        db = Database(addresses.database_url)
        migrate(db)
        os.environ["WAYBILL_SMTP_URL"] = f"smtp://127.0.0.1:{relay}"  # the settings are for the children as well
        os.environ["WAYBILL_MAIL_PORT"] = str(free_port())
        found = {**os.environ, "DATABASE_URL": addresses.database_url, "REDIS_URL": addresses.redis_url}
        config = read_config(found).replace(port=free_port(), folder=Path(folder))
        up.forget_metrics(config)
        processes = {name: up.start(name, up.commands(config)[name], config) for name in ("mail", "worker", "beat")}
        try:
            yield db, config.port_of_mail
        finally:
            for process in processes.values():
                process.terminate()
            for process in processes.values():
                wait_or_kill(process)
            db.close()


def answering(console: Console, number: int, seconds: float) -> int:
    with Inbox() as inbox, service(inbox.controller.port) as (db, door):
        players_of = Players(inbox, door, open_games(db, number))
        players_of.play(seconds)
        found = players_of.times
        with db.session() as session:
            rows = session.value("select sum(sequence) from games")
    if len(found) < 2:
        console.print("No answers came.")
        return 1
    p50, p99 = (quantile(found, share) / 1000 for share in (50, 99))
    console.print(
        f"{number} games by mail for {seconds:.0f} s: {players_of.sent} mails in, {len(found)} answers out,"
        f" {players_of.accepted} of them to orders that stand, {rows} rows; beside them {players_of.letters} letters,"
        f" {players_of.pictures} with a picture"
    )
    console.print(f"Answers: p50 {p50:.2f} s, p99 {p99:.2f} s (goal: {GOAL_SECONDS:.0f} s)")
    console.print(f"load of the machine: {os.getloadavg()[0]:.1f}")
    return int(p99 > GOAL_SECONDS)


def open_games(db: Database, number: int) -> dict[str, list[tuple[str, str]]]:
    """Games of all kinds: of each its players' addresses, and where they write to."""
    tables: dict[str, list[tuple[str, str]]] = {}
    rulesets = sorted(all_games())
    for game in range(number):
        ruleset = rulesets[game % len(rulesets)]
        with db.transaction() as transaction:
            people = []
            for seat in range(min(all_games()[ruleset].seat_counts)):
                people.append(players.create(transaction, f"player {game}-{seat}"))
                address = f"p{game}.{seat}@example.org"
                player_rows.set_email(transaction, people[-1].id, address, address)
            new = NewGame(ruleset, (NewSeat("me"), *[NewSeat("open")] * (len(people) - 1)))
            game_id = games.create(transaction, people[0], new).game.id
            for player in people[1:]:
                seats.join(transaction, game_id, player)
            tables[game_id] = [
                (f"p{game}.{seat}@example.org", reply_address(transaction, HOST, game_id, seat, player.id))
                for seat, player in enumerate(people)
            ]
    return tables


def connected(door: int) -> smtplib.SMTP:
    """A connection to the door, which may have to open first."""
    end = time.monotonic() + STARTING_SECONDS
    while True:
        try:
            return smtplib.SMTP("127.0.0.1", door, timeout=30)
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def first_order(text: str) -> str:
    """Of the menu of a mail; where that has to be filled in, the example of it."""
    menu = MENU.search(text.replace("\r\n", "\n"))
    if menu is None:
        return ""
    first = re.sub(r"\n    +", " ", menu[1]).split("\n")[0].strip()
    return first.partition("such as: ")[2] or first.partition("   (")[0]


class Players:
    """Who answer what they are asked with the first order of the menu, and ask when it is not their turn: in each game
    one of them writes at a time, after having thought for a while."""

    def __init__(self, inbox: Inbox, door: int, tables: dict[str, list[tuple[str, str]]]) -> None:
        self.inbox, self.door = inbox, door
        self.tables = tables  # by game: the addresses of its players, and where each writes to
        self.game_of = {address: game for game, people in tables.items() for address, _ in people}
        self.times: list[float] = []
        self.sent = self.letters = self.pictures = self.accepted = 0
        self.under_way: dict[str, float] = {}
        self.rng = random.Random(1)
        self.due: list[tuple[float, str, str, str]] = []  # when, who, to whom, what

    def play(self, seconds: float) -> None:
        client = connected(self.door)
        self._wait_for_the_worker(client)
        begin = time.monotonic()
        for people in self.tables.values():
            heapq.heappush(self.due, (begin + self.rng.uniform(0, 2 * THINK_SECONDS), *people[0], "OPTIONS"))
        while time.monotonic() < begin + seconds or (self.under_way and time.monotonic() < begin + seconds + 10):
            while self.due and self.due[0][0] <= time.monotonic() < begin + seconds:
                self._send(client, *heapq.heappop(self.due)[1:])
            with contextlib.suppress(queue.Empty):
                self._read(*self.inbox.came.get(timeout=0.02))
        client.quit()

    def _wait_for_the_worker(self, client: smtplib.SMTP) -> None:
        """Until it has answered once: how long it takes to start is another matter."""
        self._send(client, *next(iter(self.tables.values()))[0], "STATUS")
        while self.under_way:
            self._read(*self.inbox.came.get(timeout=STARTING_SECONDS))
        self.times.clear()
        self.due.clear()

    def _send(self, client: smtplib.SMTP, sender: str, to: str, text: str) -> None:
        self.sent += 1
        mail = EmailMessage(policy=email.policy.SMTP)
        mail["From"], mail["To"], mail["Subject"] = sender, to, "Re: your turn"
        mail["Message-ID"] = f"<{self.sent}@example.org>"
        mail.set_content(text)
        client.sendmail(sender, [to], bytes(mail))
        self.under_way[str(mail["Message-ID"])] = time.monotonic()

    def _read(self, at: float, raw: bytes) -> None:
        message = BytesParser(policy=email.policy.default).parsebytes(raw)
        assert isinstance(message, EmailMessage)
        begun = self.under_way.pop(str(message["In-Reply-To"]), None)
        if begun is None:
            self.letters += 1
            self.pictures += b"image/png" in raw
            return
        self.times.append(at - begun)
        body = message.get_body(("plain",))
        text = body.get_content() if body else ""
        self.accepted += text.startswith("ACCEPTED")
        me, order = str(message["To"]), first_order(text)
        people = self.tables[self.game_of[me]]
        place = [address for address, _ in people].index(me)
        sender, to = (me, str(message["Reply-To"])) if order else people[(place + 1) % len(people)]
        at = time.monotonic() + self.rng.uniform(0, 2 * THINK_SECONDS)
        heapq.heappush(self.due, (at, sender, to, order or "OPTIONS"))
