"""A game on a server: the same menu and words as on this machine, and waiting for the others."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import permutations
from pathlib import Path
from typing import Any

import msgspec

from commands._client import Answer, Client, Problem, part
from commands._conversation import Conversation, InputEnded, Quit
from commands._screen import Screen
from referee.contract import and_list
from referee.errors import AmbiguousOrder, IllegalOrder, InvalidOrder, OrderError
from referee.games import game_of
from referee.log import Header
from referee.options import NO_HINTS, Bag, Domain, Hints, Move, Offer, OneOf, Pick, Range, Way
from referee.orders.menu import Hinting
from referee.orders.templates import AnyGame

SOON, LATER = 1.0, 5.0  # seconds between two looks, growing while nothing happens
LOOKS = 5  # at the position, before one at the game itself: it may have been paused or ended
ROWS_AT_ONCE = 500
NO_RESULT = "The game was ended without a result."

REFUSALS: Mapping[str, type[OrderError]] = {
    "invalid-order": InvalidOrder,
    "illegal-order": IllegalOrder,
    "ambiguous-order": AmbiguousOrder,
}


class NotAtTheTable(Exception):
    """Why this game cannot be played from here, in a sentence."""


def join(screen: Screen, client: Client, game_id: str, record: Path | None = None) -> "RemoteGame":
    """A game that the player has a seat in, once it has started."""
    path = f"/games/{part(game_id)}"
    about = client.get(path).json
    if about["you"] is None:
        raise NotAtTheTable(f"You have no seat in game {game_id}; the API tells how to take one (docs/api.md).")
    if about["status"] == "open":
        free = sum(seat["kind"] in ("open", "invitation") for seat in about["seats"])
        screen.hint(f"Game {game_id} begins when its free seats are taken ({free} now). Waiting; Ctrl-C stops.")
    pause = SOON
    while about["status"] == "open":
        client.pause(pause)
        pause = min(pause * 1.5, LATER)
        about = client.get(path).json
    header = msgspec.json.decode(client.first_line(f"{path}/record"))["header"]
    game = game_of(msgspec.convert(header, Header), about["version"])
    return RemoteGame(screen, client, game, about, record)


class RemoteGame(Conversation):
    quit_means = "stop here; the game goes on"

    def __init__(
        self, screen: Screen, client: Client, game: AnyGame, about: dict[str, Any], record: Path | None
    ) -> None:
        super().__init__(screen, game)
        self.client = client
        self.id: str = about["id"]
        self.path = f"/games/{part(self.id)}"
        self.seat: int = about["you"]
        self.names = [seat["name"] or f"seat {seat['seat'] + 1}" for seat in about["seats"]]
        self.record = record
        self.row = -1  # the last of the log that was told
        self.sequence = -1  # the row that the player decides after
        self.listed: list[Offer] = []  # what the server offers there
        self.hinted: dict[int, Hints] = {}  # what it says about each
        self.others_moved = True

    def play(self) -> int:
        self.screen.say(f"{self.game.name}: {', '.join(self.names)}", "bold")
        self.screen.hint(f"Game {self.id} at {self.client.url}. Type help for help.")
        try:
            while (about := self.client.get(self.path).json)["status"] != "over":
                if about["status"] == "running" and self.seat in about["to_act"]:
                    self.decide()
                else:
                    self.wait(about)
        except InputEnded:
            self.screen.wrong("\nThe input ended; the game goes on.")
            return 1
        self.finish(about)
        return 0

    def decide(self) -> None:
        """Shows what a player needs to decide, and asks until an order stands."""
        self.catch_up()
        options = self.client.get(f"{self.path}/options").json
        decisions = [decision for decision in options["decisions"] if decision["required"]]
        if not decisions:
            return  # the clock was quicker
        self.sequence = options["sequence"]
        described = zip(options["offers"], options["schema"]["anyOf"], strict=True)
        self.listed = [offer_of(self.game, listing, schema["required"]) for listing, schema in described]
        self.hinted = dict(zip(map(id, self.listed), map(hints_of, options["offers"]), strict=True))
        lead = "" if self.others_moved else "\n"
        if self.others_moved:
            self.show_table(self.seat, self.table_text(), whole=False)
            self.others_moved = False
        decision = decisions[0]
        sealed = " Nobody sees your answer until all have given theirs." if decision["kind"] == "sealed" else ""
        self.screen.say(f"{lead}{self.names[self.seat]}: {decision['prompt']}{sealed}", "bold")
        self.list_menu()
        self.ask()

    def wait(self, about: dict[str, Any]) -> None:
        """Until something happens in the game, or to it."""
        self.catch_up()
        if self.row > about["sequence"]:
            return  # it has happened meanwhile
        if about["status"] == "paused":
            self.screen.hint("The host has paused the game. Waiting; Ctrl-C stops.")
        else:
            waiting = [self.names[seat] for seat in about["to_act"]]
            self.screen.hint(f"Waiting for {and_list(waiting) or 'the referee'}; Ctrl-C stops.")
        seen, pause = self.client.get(f"{self.path}/position"), SOON
        now = about
        while is_same(now, about):
            for _ in range(LOOKS):
                self.client.pause(pause)
                pause = min(pause * 1.2, LATER)
                if self.client.get(f"{self.path}/position", etag=seen.etag).status != 304:
                    return
            now = self.client.get(self.path).json

    def catch_up(self) -> None:
        """Says what has happened since the player was last told."""
        for row in self.rows(self.row):
            self.row = row["row"]
            self.others_moved |= any(order["seat"] != self.seat for order in row["orders"])
            self.tell(row["sentences"])

    def rows(self, after: int) -> Iterator[dict[str, Any]]:
        while True:
            since = f"&after={after}" if after >= 0 else ""
            answer = self.client.get(f"{self.path}/log?limit={ROWS_AT_ONCE}{since}")
            rows = answer.json["rows"]
            yield from rows
            if not rows or not answer.link:
                return
            after = rows[-1]["row"]

    def offers(self) -> list[Offer]:
        return self.listed

    def hints(self) -> Hinting:
        return lambda offer: self.hinted.get(id(offer), NO_HINTS)

    def send(self, order: str | Move) -> None:
        body = {"orders": order} if isinstance(order, str) else {"moves": [msgspec.to_builtins(order)]}
        try:
            answer = self.client.post(f"{self.path}/moves", body, expected=self.sequence)
        except Problem as problem:
            if problem.status == 412 or (problem.status == 409 and problem.kind != "other-rules"):
                self.screen.wrong(f"{problem} Your order was not played: the game has gone on.")
                return
            if problem.kind in REFUSALS:
                raise refusal(problem) from None
            raise
        self.confirm(order, answer)

    def confirm(self, order: str | Move, answer: Answer) -> None:
        (reading,) = answer.json["readings"]
        if isinstance(order, str) and reading.casefold() != order.casefold():
            self.screen.hint(f"  Read as: {reading}")
        if "receipt" in answer.json:
            commitment = answer.json["receipt"]["commitment"]
            self.screen.hint(f"  Sealed. The commitment to your order is {commitment[:16]}…")

    def table_text(self) -> str:
        return self.client.get(f"{self.path}/board.txt?news=0").text

    def board_text(self, part: str) -> str:
        return self.client.get(f"{self.path}/board.txt?part={part}").text

    def story(self) -> Iterable[str]:
        return (sentence for row in self.rows(-1) for sentence in row["sentences"])

    def do_quit(self) -> None:
        self.screen.hint(f"The game goes on. Come back with: ./waybill play --server {self.client.url} {self.id}")
        raise Quit

    def finish(self, about: dict[str, Any]) -> None:
        self.catch_up()
        self.show_table(self.seat, self.table_text())
        self.screen.say(f"\n{self.game.endings.get(about['ending'], NO_RESULT)}", "bold")
        if about["ending"] in self.game.endings:
            for standing in self.client.get(f"{self.path}/position").json["standings"]:
                note = f"  ({standing['note']})" if standing["note"] else ""
                name = self.names[standing["seat"]]
                self.screen.say(f"  {standing['place']}. {name}: {standing['score']}{note}")
        if self.record:
            text = self.client.get(f"{self.path}/record").text
            try:
                with self.record.open("x", encoding="utf-8") as file:
                    file.write(text)
                self.screen.say(f"Saved as {self.record}.")
            except OSError as error:
                self.screen.wrong(f"{self.record} cannot be written: {error.strerror}.")


def is_same(now: dict[str, Any], before: dict[str, Any]) -> bool:
    return all(now[name] == before[name] for name in ("status", "sequence", "to_act"))


def refusal(problem: Problem) -> OrderError:
    """The refusal of an order as the referee raised it on the server."""
    about = problem.about
    return REFUSALS[problem.kind](
        about.get("code", ""),
        str(problem),
        field=about.get("field", ""),
        rule=about.get("rule", ""),
        nearest=about.get("nearest"),
        readings=tuple(about.get("readings", ())),
    )


def offer_of(game: AnyGame, listing: dict[str, Any], required: Collection[str]) -> Offer:
    """An offer from its listing, the inverse of `Offer.listing`, and from the fields that its schema requires."""
    kind = game.moves_by_name[listing["type"]]
    fields = listing["fields"].items()
    return ListedOffer(kind, **{name: domain_of(domain, name in required) for name, domain in fields})


def hints_of(listing: dict[str, Any]) -> Hints:
    """The hints in the listing of an offer."""
    values = {name: domain["hints"] for name, domain in listing["fields"].items() if "hints" in domain}
    return Hints(listing.get("hint", ""), values)


class ListedOffer(Offer):
    """An offer as a server lists it. Ways that are listed for each value of another field belong to that value."""

    def moves(self) -> Iterator[Move]:
        ends = {name: domain.ends() for name, domain in self.domains.items() if isinstance(domain, Way)}
        for name, domain in self.domains.items():
            tied = [
                way for way, listed in ends.items() if isinstance(domain, OneOf) and set(listed) == set(domain.choices)
            ]
            if tied:
                for value in domain.values():
                    ways = {way: OneOf(ends[way][value]) for way in tied}
                    yield from Offer(self.move, **{**self.domains, name: OneOf(value), **ways}).moves()
                return
        yield from super().moves()


class OrderedBag(Bag):
    """Things of which some may be alike, in an order that counts."""

    def values(self) -> Iterator[tuple[str, ...]]:
        for things in super().values():
            yield from dict.fromkeys(permutations(things))

    def canonical(self, value: Any) -> tuple[str, ...]:
        return tuple(value)


def domain_of(listing: dict[str, Any], required: bool) -> Domain:
    """A domain from its listing. Of the ways through a graph only those listed are known; the server knows all."""
    match listing:
        case {"one_of": values}:
            return OneOf(*(tuple(value) if isinstance(value, list) else value for value in values))
        case {"from": low, "to": high}:
            return Range(low, high)
        case {"pick_from": values, "at_least": low, "at_most": high}:
            return Pick(values, low, high)
        case {"bag_of": limits, "at_least": low, "at_most": high}:
            return OrderedBag(limits, low, high) if listing.get("ordered") else Bag(limits, low, high)
        case {"way_to": listed, "at_most": longest}:
            ways = {end: tuple(way) for end, way in listed.items()}
            every = list(ways.values())
            known = every if required else [*every, ()]
            steps = dict.fromkeys(step for way in every for step in way)
            return Way(steps, longest, known.__contains__, lambda rng: every[rng.randrange(len(every))], lambda: ways)
    raise NotAtTheTable("The server offers something that this Waybill does not know: it is newer. Please update.")
