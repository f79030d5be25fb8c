"""A game of a few moves with every kind of domain, for tests of the engine that need no rulebook."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import msgspec

from referee import contract
from referee.chance import Chance
from referee.contract import Event, Phase, Play, Standing, View, Viewer, Words, copied
from referee.options import Bag, Move, Offer, OneOf, Pick, Range, Rng, Way
from referee.table import Table, open_table

GRAPH = {"a1": ("b1",), "b1": ("a1", "c1", "d1"), "c1": ("b1", "d1"), "d1": ("b1", "c1")}
CITIES = {"a1": ("Zürich",), "b1": ("São Paulo", "Sampa"), "c1": ("San José",), "d1": ("Oslo",)}
CARDS = {"red": ("red",), "reddish": ("reddish",), "blue": ("blue",), "blank": ("blank",), "king": ("king's card",)}
LONGEST_WAY = 4


class Bid(Move, frozen=True):
    notation = "bid {amount}"
    amount: int


class Spend(Move, frozen=True):
    notation = "spend {amount} [on {cards}] [in {mood} mood]"
    hidden = ("amount",)
    amount: int
    cards: tuple[str, ...] = ()
    mood: str = "good"


class Rank(Move, frozen=True):
    notation = "rank {order}"
    order: tuple[str, ...]


class Walk(Move, frozen=True):
    notation = "walk {path}"
    path: tuple[str, ...]


class Lots(Move, frozen=True):
    notation = "draw lots {numbers}"
    reveals = True
    numbers: tuple[int, ...]


class Revealed(Event, frozen=True):
    bids: tuple[int, ...]

    def sentence(self, words: Words) -> str:
        return f"The bids are {', '.join(map(str, self.bids))}."


class Did(Event, frozen=True):
    hidden = ("what",)
    seat: int
    what: str | None

    def sentence(self, words: Words) -> str:
        return f"{words.player(self.seat)} does {self.what or 'something'}."


class Board(contract.Board, frozen=True, kw_only=True):
    pass


class Settings(contract.Settings, frozen=True):
    moves: int = 4


class Position(contract.Position, kw_only=True):
    turn: int
    left: int
    gold: list[int]
    bag: dict[str, int]


class Auction(Phase[Position, Board]):
    kind = "sealed"
    moves = (Bid,)

    def seats(self, position: Position) -> tuple[int, ...]:
        return (0, 1)

    def prompt(self, position: Position, seat: int) -> str:
        return "Bid."

    def default(self, position: Position, seat: int) -> Bid:
        return Bid(0)

    def offer_bid(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Bid, amount=Range(0, 9))

    def reveal(self, play: Play[Position], moves: Mapping[int, Bid]) -> None:
        play.emit(Revealed(tuple(move.amount for _, move in sorted(moves.items()))))
        play.position.turn = 0 if moves[0].amount >= moves[1].amount else 1
        play.position.phase = Journey.name


class Journey(Phase[Position, Board]):
    moves = (Spend, Rank, Walk, Lots)

    def seats(self, position: Position) -> tuple[int, ...]:
        return (position.turn,)

    def prompt(self, position: Position, seat: int) -> str:
        return "Do something."

    def default(self, position: Position, seat: int) -> Spend:
        return Spend(1)

    def offer_spend(self, position: Position, seat: int) -> Iterator[Offer]:
        gold = position.gold[seat]
        yield Offer(Spend, amount=Range(-2, gold), cards=Bag(position.bag, 0, 3), mood=OneOf("good", "bad"))

    def offer_rank(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Rank, order=Pick(CARDS, 1, 3))

    def offer_walk(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Walk, path=ways())

    def offer_lots(self, position: Position, seat: int) -> Iterator[Offer]:
        for numbers in ((1, 2), (3, 3), (2, 2, 2)):
            yield Offer(Lots, numbers=OneOf(numbers))

    def apply(self, play: Play[Position], seat: int, move: Move) -> None:
        position = play.position
        position.gold[seat] += play.chance.below("luck", 6) - getattr(move, "amount", 0)
        play.emit(Did(seat, type(move).__name__))
        position.left -= 1
        if position.left % 2 == 0:
            position.turn = 1 - position.turn
        if not position.left:
            position.ending = "done"


def ways() -> Way:
    return Way(GRAPH, LONGEST_WAY, is_way, walk, lambda: {way[-1]: way for way in (("a1", "b1"), ("a1", "b1", "c1"))})


def is_way(steps: tuple[str, ...]) -> bool:
    return len(steps) > 1 and steps[0] == "a1" and all(b in GRAPH.get(a, ()) for a, b in pairwise(steps))


def walk(rng: Rng) -> tuple[str, ...]:
    way = ["a1"]
    for _ in range(1 + rng.randrange(LONGEST_WAY - 1)):
        way.append(GRAPH[way[-1]][rng.randrange(len(GRAPH[way[-1]]))])
    return tuple(way)


class Toy(contract.Game[Position, Board, Settings]):
    key = "toy"
    name = "Toy"
    version = "1"
    seat_counts = range(2, 3)
    board_type = Board
    settings_type = Settings
    position_type = Position
    phase_types = (Auction, Journey)
    event_types = (Revealed, Did)
    endings = {"done": "All is done."}
    variants = (Settings(),)
    vocabulary = {"path": CITIES, "cards": CARDS, "order": CARDS, "mood": {"good": ("good",), "bad": ("bad",)}}

    def setup(self, chance: Chance) -> Play[Position]:
        gold = [3 + chance.below(f"gold {seat}", 4) for seat in (0, 1)]
        bag = {"red": 2, "blue": 1, "king": 1}
        position = Position(phase="auction", turn=0, left=self.settings.moves, gold=gold, bag=bag)
        return Play(position, chance)

    def view(self, position: Position, viewer: Viewer) -> msgspec.Struct:
        return position

    def standings(self, position: Position, viewer: Viewer) -> list[Standing]:
        places = contract.ranked([(gold,) for gold in position.gold])
        standings = [Standing(seat, places[seat], gold) for seat, gold in enumerate(position.gold)]
        return sorted(standings, key=lambda standing: (standing.place or 0, standing.seat))

    def conserved(self, position: Position) -> Mapping[str, int]:
        return {}

    def imagine(self, view: View, rng: Rng) -> Position:
        return copied(view.table)

    def picture(self, view: View, part: str = "") -> str:
        return ""

    def text(self, view: View, part: str = "") -> str:
        return ""


def toy(moves: int = 4) -> Toy:
    return Toy(Board(game="toy", name="toy", fidelity="made up"), 2, Settings(moves))


def toy_table(moves: int = 4, seed: bytes = b"toy", entropy: tuple[str, ...] = ()) -> tuple[Table, Any]:
    return open_table(toy(moves), ["Anna", "Ben"], seed, entropy)


def journey(moves: int = 4) -> Table:
    """A toy after its auction: player 0 to move."""
    table, _ = toy_table(moves)
    table.submit(0, ["bid 2"])
    table.submit(1, ["bid 1"])
    table.reveal()
    return table
