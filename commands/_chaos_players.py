"""Players who go on whatever happens: over HTTP, with every request under a key of its own, and a ledger of answers."""

import http.client
import json
import random
import threading
import time
import urllib.error
import urllib.request
import uuid
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec

from referee.games import all_games
from service import games, players, preferences
from service.books import Accepted
from service.errors import Unavailable
from service.games import NewGame, NewSeat
from service.idempotency import IdempotencyKey, Once
from service.seats import join
from store.database import Database

SECONDS_TO_ANSWER = 10.0
PAUSE = 0.3  # before what got no answer is sent again
FORGETS = 0.02  # of the turns are left to the clock
SENDS_TWICE = 0.05  # of the orders
WRITES = 0.02  # of the looks at a game lead to a message
PEOPLE = 3  # of a driver, who sit in all its games
CLOCKS = (4, 8, 12)  # seconds for a decision
AWAY = (urllib.error.URLError, http.client.HTTPException, OSError, ValueError)


class Person(msgspec.Struct, frozen=True):
    player_id: int
    token: str


class Seated(msgspec.Struct):
    """A game with its people by seat; bots have the others."""

    id: str
    people: dict[int, Person]
    forgotten: int = -1  # a row at which somebody has forgotten to move


class Ledger:
    """What was answered, by all players together."""

    def __init__(self) -> None:
        self.accepted: list[Accepted] = []
        self.accepted_at: list[float] = []  # by the machine's own clock, which nobody sets
        self.written: list[tuple[str, str]] = []
        self.clocks: dict[str, int] = {}
        self.sealed_at: dict[tuple[str, int], float] = {}  # by game and row, when the last sealed order was answered
        self.refused = 0
        self.repeated = 0
        self.unanswered = 0
        self.put_off = Counter[str]()  # why these were sent again
        self.lock = threading.Lock()


class Driver(threading.Thread):
    """One of those who play, each some games at the same time; in one game one sends after another."""

    def __init__(
        self,
        number: int,
        seed: int,
        url: str,
        db: Database,
        ledger: Ledger,
        rulesets: list[str],
        addresses: int = PEOPLE,
        patience: float = SECONDS_TO_ANSWER,
    ) -> None:
        super().__init__(name=f"player-{number}", daemon=True)
        self.rng = random.Random(f"{seed} player {number}")
        self.url = url
        self.ledger = ledger
        self.patience = patience
        self.rulesets = rulesets
        self.stopping = threading.Event()
        self.failure: Exception | None = None
        with db.transaction() as transaction:
            made = [
                players.create(
                    transaction,
                    f"chaos {seed} {number} {place}",
                    f"c{seed}.{number}.{place}@example.org" if place < addresses else None,
                )
                for place in range(PEOPLE)
            ]
            for one in made:  # who plays all the time looks all the time
                preferences.change(transaction, one.id, {"while_looking": True})
            self.people = [Person(one.id, players.issue_token(transaction, one.id).secret) for one in made]
        self.players = made
        self.db = db

    def run(self) -> None:
        try:
            tables = [self.open_game(ruleset) for ruleset in self.rulesets]
            while not self.stopping.is_set():
                place = self.rng.randrange(len(tables))
                if not self.step(tables[place]):
                    tables[place] = self.open_game(self.rulesets[place])
                time.sleep(self.rng.uniform(0.0, 0.05))
        except Exception as error:
            self.failure = error

    def open_game(self, ruleset: str) -> Seated:
        counts = all_games()[ruleset].seat_counts
        total = self.rng.choice(counts[:2])
        people = dict(enumerate(self.people[: self.rng.randint(2, min(3, total))]))
        seats = [NewSeat("me"), *[NewSeat("open")] * (len(people) - 1), *[NewSeat("bot")] * (total - len(people))]
        clock = self.rng.choice(CLOCKS)
        new = NewGame(ruleset, tuple(seats), clock=clock, press_opens=True)
        opened = self.insist(lambda key: games.open_once(self.db, self.players[0], new, key))
        game_id = opened.made.game.id
        for seat in list(people)[1:]:
            player = self.players[seat]
            self.insist(lambda key, one=player: games.act_once(self.db, game_id, lambda t, g: join(t, g, one), key))  # type: ignore[misc]  # a default, not an argument
        with self.ledger.lock:
            self.ledger.clocks[game_id] = clock
        return Seated(game_id, people)

    def insist(self, act: Callable[[IdempotencyKey], Once[Any]]) -> Once[Any]:
        """Does something at the service itself, once, whatever happens to the database. The API would not open a game
        with so short a clock."""
        key = IdempotencyKey("chaos", str(uuid.UUID(int=self.rng.getrandbits(128))), "")
        while True:
            try:
                return act(key)
            except Unavailable:
                time.sleep(PAUSE)

    def step(self, table: Seated) -> bool:
        """Looks at a game and does what is to be done; False when it is over."""
        _, game, _ = self.send("GET", f"/games/{table.id}", table.people[0])
        if game["status"] == "over":
            return False
        asked = [seat for seat in game["to_act"] if seat in table.people]
        if self.rng.random() < WRITES:
            self.write(table)
        if not asked or table.forgotten == game["sequence"]:
            time.sleep(0.05)
            return True
        if self.rng.random() < FORGETS:
            table.forgotten = game["sequence"]
            return True
        self.move(table, self.rng.choice(asked))
        return True

    def write(self, table: Seated) -> None:
        seat = self.rng.choice(list(table.people))
        status, message, _ = self.send("POST", f"/games/{table.id}/press", table.people[seat], {"text": "Well met."})
        if status == 201:
            with self.ledger.lock:
                self.ledger.written.append((table.id, message["id"]))

    def move(self, table: Seated, seat: int) -> None:
        person = table.people[seat]
        status, options, _ = self.send("GET", f"/games/{table.id}/options", person)
        if status != 200 or not any(decision["required"] for decision in options["decisions"]):
            return
        offers = [
            (offer, shape)
            for offer, shape in zip(options["offers"], options["schema"]["anyOf"], strict=True)
            if offer["type"] not in ("resign", "offer", "counter")
        ]
        if not offers:
            return
        offer, shape = self.rng.choice(offers)
        fields = {name: self.draw(field) for name, field in offer["fields"].items() if name in shape["required"]}
        body = {"moves": [{"type": offer["type"], **fields}]}
        key, expected = str(uuid.UUID(int=self.rng.getrandbits(128))), options["sequence"]
        path = f"/games/{table.id}/moves"
        status, answer, is_repeated = self.send("POST", path, person, body, key, expected)
        if self.rng.random() < SENDS_TWICE:
            again, second, _ = self.send("POST", path, person, body, key, expected)
            if status in (201, 202) and (again, second) != (status, answer):
                raise RuntimeError(f"{table.id}: the same request was answered {status}, then {again}: {second}")
        with self.ledger.lock:
            self.ledger.repeated += is_repeated
            if status == 201:
                (row,) = answer["rows"]
                self.accept(Accepted(table.id, seat, row["row"], row["hash"]))
            elif status == 202:
                receipt = answer["receipt"]
                self.ledger.sealed_at[table.id, receipt["row"]] = time.time()
                self.accept(Accepted(table.id, seat, receipt["row"], commitment=receipt["commitment"]))
            else:
                self.ledger.refused += 1

    def accept(self, order: Accepted) -> None:
        self.ledger.accepted.append(order)
        self.ledger.accepted_at.append(time.monotonic())

    def draw(self, field: dict[str, Any]) -> Any:
        if "one_of" in field:
            return self.rng.choice(field["one_of"])
        if "from" in field:
            return self.rng.randint(field["from"], field["to"])
        if "way_to" in field:
            return self.rng.choice(list(field["way_to"].values()))
        bag = [item for item, limit in field.get("bag_of", {}).items() for _ in range(limit)]
        return self.rng.sample(field.get("pick_from", bag), self.rng.randint(field["at_least"], field["at_most"]))

    def send(
        self,
        method: str,
        path: str,
        person: Person,
        body: Any = None,
        key: str | None = None,
        expected: int | None = None,
    ) -> tuple[int, Any, bool]:
        """Sends it until there is an answer that says what became of it: status, body, and whether it was repeated."""
        headers = {"Authorization": f"Bearer {person.token}", "Content-Type": "application/json"}
        if method == "POST":
            headers["Idempotency-Key"] = key or str(uuid.UUID(int=self.rng.getrandbits(128)))
        if expected is not None:
            headers["If-Match"] = f'"{expected}"'
        data = None if body is None else json.dumps(body).encode()
        while True:
            request = urllib.request.Request(f"{self.url}/v1{path}", data, headers, method=method)
            try:
                with urllib.request.urlopen(request, timeout=self.patience) as answer:
                    is_repeated = answer.headers.get("Idempotent-Replayed") == "true"
                    return answer.status, json.load(answer), is_repeated
            except urllib.error.HTTPError as error:
                with error:
                    text = error.read()
                if error.code < 500 and error.code not in (408, 429):
                    return error.code, json.loads(text), False
                if error.code == 500:
                    raise RuntimeError(f"{method} {path}: {text.decode(errors='replace')}") from None
                reason = f"{error.code}" + (" with Retry-After" if error.headers.get("Retry-After") else "")
            except AWAY as error:
                reason = f"no answer ({type(error).__name__})"
            with self.ledger.lock:
                self.ledger.unanswered += 1
                self.ledger.put_off[reason] += 1
            time.sleep(PAUSE)
