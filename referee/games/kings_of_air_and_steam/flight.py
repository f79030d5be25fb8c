"""Flight: exactly as many spaces as the card says, with wide turns but no sharp ones (KAS-F30)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

import msgspec

from referee.contract import counted
from referee.errors import IllegalOrder
from referee.games.kings_of_air_and_steam.board import Board, Card
from referee.games.kings_of_air_and_steam.events import Flew, MoneyStolen, NoFlight
from referee.games.kings_of_air_and_steam.hexes import COMPASS, bend, distance
from referee.games.kings_of_air_and_steam.play_area import PlayArea, assemble
from referee.games.kings_of_air_and_steam.state import (
    Fly,
    FlyTo,
    Player,
    Position,
    character,
    colour,
    has_ability,
)
from referee.games.kings_of_air_and_steam.steps import ACTION, KASPlay, Step
from referee.options import Bag, Move, Offer, OneOf, Rng, Way

Path = tuple[str, ...]
Heading = tuple[str, str]  # a space and the direction from which it was entered; none at the start

NO_TURN, WIDE, SHARP = 0, 1, 2  # rulings KAS-R01, KAS-R08, KAS-R51


class Flight(Step):
    """The player flies. The card says how far, and some cards leave it to the player (KAS-R05)."""

    asks = "your flight"
    moves = (Fly, FlyTo)

    def comes_up(self, play: KASPlay) -> bool:
        """A card of 0 stays where it is; so does an Airship for which there is no legal flight (KAS-R04). A flight that
        can only end on one space is flown at once (KAS-R60), but not so in version 1."""
        position, seat = play.position, play.position.active
        player, card = position.players[seat], self.board.card[position.flying]
        if card.values == (0,):
            play.emit(Flew(seat, (), player.at))
            return False
        ends = self.ends(position, seat)
        if not ends:
            play.emit(NoFlight(seat, card.id, player.at))
        elif len(ends) == 1 and not self.sparing(position, seat) and self.version != "1":
            (path,) = ends.values()
            fly(self.board, play, seat, path, ())
        else:
            return True
        return False

    def prompt(self, position: Position, seat: int) -> str:
        values = self.board.card[position.flying].values
        spaces = f"{values[0]} to {values[-1]} spaces" if len(values) > 1 else counted(values[0], "space")
        return f"Fly {spaces}{' straight on' * self.board.card[position.flying].straight}."

    def default(self, position: Position, seat: int) -> FlyTo:
        """As near as can be, and where the turn may end (KAS-R61); in version 1 to the first space by name."""
        ends = self.ends(position, seat)
        area, at = assemble(self.board, position.layout), position.players[seat].at
        if self.version == "1":
            return FlyTo(at if at in ends else min(ends))

        def away(end: str) -> tuple[bool, int]:
            return end not in area.landing, distance(area.place[at], area.place[end])

        return FlyTo(min(area.in_map_order(ends), key=away))

    def stops(self, position: Position) -> frozenset[str]:
        """Where the flight may end. It is the turn that must not end in a City or a partial hex, so a flight may as
        long as a Route Adjustment can follow (KAS-R03); not so in version 1, or where the setting says so."""
        area = assemble(self.board, position.layout)
        if self.version == "1" or self.settings.flights_end == "flight" or ACTION not in position.agenda:
            return area.landing
        return area.stopover

    def ends(self, position: Position, seat: int, sparing: tuple[str, ...] = ()) -> Mapping[str, Path]:
        """Where the flight can end, with a path to each space: for Ezekiel Crane the path past the most money."""
        player, card = position.players[seat], self.board.card[position.flying]
        area, most = assemble(self.board, position.layout), sharpest_turn(self.board, player, card)
        worth: dict[str, int] = {}
        for victim, amount in loot(self.board, position, seat, sparing).items():
            at = position.players[victim].at
            worth[at] = worth.get(at, 0) + amount
        found: Mapping[str, Path] = {}
        stops = self.stops(position)
        for value in card.values:
            ends = flight_ends(area, player.at, value, most, worth, stops)
            found = {**found, **{end: path for end, path in ends.items() if end not in found}} if found else ends
        return found

    def offer_fly(self, position: Position, seat: int) -> Iterator[Offer]:
        player, card = position.players[seat], self.board.card[position.flying]
        area, most = assemble(self.board, position.layout), sharpest_turn(self.board, player, card)
        stops = self.stops(position)

        def is_legal(path: Path) -> bool:
            return len(path) in card.values and fault(area, player.at, path, most, stops) is None

        def walk(rng: Rng) -> Path:
            values = [value for value in card.values if flight_ends(area, player.at, value, most, {}, stops)]
            return random_flight(area, player.at, values[rng.randrange(len(values))], most, rng, stops)

        path = Way(COMPASS, max(card.values), is_legal, walk, lambda: self.ends(position, seat))
        yield Offer(Fly, path=path, sparing=self.sparing(position, seat))

    def offer_fly_to(self, position: Position, seat: int) -> Iterator[Offer]:
        spaces = assemble(self.board, position.layout).in_map_order(self.ends(position, seat))
        yield Offer(FlyTo, space=OneOf(*spaces), sparing=self.sparing(position, seat))

    def sparing(self, position: Position, seat: int) -> Bag | tuple[()]:
        """The opponents in reach from whom Ezekiel Crane may choose to take nothing."""
        area, players = assemble(self.board, position.layout), position.players
        farthest, here = max(self.board.card[position.flying].values), area.place[players[seat].at]
        victims = loot(self.board, position, seat)
        near = [victim for victim in victims if distance(here, area.place[players[victim].at]) <= farthest]
        return Bag({colour(self.board, victim): 1 for victim in near}, 0, len(near)) if near else ()

    def why_not_fly(self, position: Position, seat: int, move: Fly) -> IllegalOrder | None:
        player, card = position.players[seat], self.board.card[position.flying]
        if len(move.path) not in card.values:
            return IllegalOrder(
                "wrong_length",
                f"The card flies {spaces_of(card.values)}; the path has {len(move.path)}.",
                field="path",
                rule="Rulebook, Flight; KAS-R05",
                numbers={"spaces": len(move.path)},
            )
        most = sharpest_turn(self.board, player, card)
        reason = fault(assemble(self.board, position.layout), player.at, move.path, most, self.stops(position))
        if reason is None:
            return self.why_not_sparing(position, seat)
        return IllegalOrder("no_flight", reason, field="path", rule="Rulebook, Flight")

    def suggests(self, position: Position, seat: int, move: Move) -> bool:
        """No flight that would cost the Action to get away again."""
        return not isinstance(move, FlyTo) or move.space in assemble(self.board, position.layout).landing

    def why_not_sparing(self, position: Position, seat: int) -> IllegalOrder:
        near = self.sparing(position, seat)
        whom = f"only {' or '.join(near.limits)}" if isinstance(near, Bag) else "nobody"
        message = f"There is {whom} in reach whom you could rob, and so could spare."
        return IllegalOrder("nobody_to_spare", message, field="sparing", rule="KAS-R54")

    def why_not_fly_to(self, position: Position, seat: int, move: FlyTo) -> IllegalOrder | None:
        if move.space in self.ends(position, seat):
            return self.why_not_sparing(position, seat)
        player, card = position.players[seat], self.board.card[position.flying]
        area = assemble(self.board, position.layout)
        if move.space in area.place_of_city:
            there = area.place_of_city[move.space]
            message = f"{self.board.city[move.space].name} is on {there}: name the space."
            near = msgspec.to_builtins(FlyTo(there, move.sparing)) if there in self.ends(position, seat) else None
            return IllegalOrder("name_the_space", message, field="space", rule="KAS-R06", nearest=near)
        if move.space in area.place and move.space not in self.stops(position):
            return IllegalOrder("no_end", bad_end(area, move.space), field="space", rule="Rulebook, Flight; KAS-R03")
        how = ("straight on", "without sharp turns", "without turning back")[sharpest_turn(self.board, player, card)]
        return IllegalOrder(
            "out_of_reach",
            f"No flight of {spaces_of(card.values)} {how} ends on {self.board.space_name(move.space)}.",
            field="space",
            rule="Rulebook, Flight; KAS-R01",
        )

    def apply_fly(self, play: KASPlay, seat: int, move: Fly) -> None:
        fly(self.board, play, seat, move.path, move.sparing)

    def apply_fly_to(self, play: KASPlay, seat: int, move: FlyTo) -> None:
        fly(self.board, play, seat, self.ends(play.position, seat, move.sparing)[move.space], move.sparing)


def spaces_of(values: tuple[int, ...]) -> str:
    """`0, 1 or 2 spaces`."""
    *others, last = map(str, values)
    return f"{', '.join(others)} or {last} spaces" if others else counted(values[0], "space")


def sharpest_turn(board: Board, player: Player, card: Card) -> int:
    """The DaVinci card flies straight on; Clint Castle may turn sharply, but nobody flies back (KAS-R08, KAS-R51)."""
    if card.straight:
        return NO_TURN
    return SHARP if has_ability(board, player, "expert_pilot") else WIDE


@lru_cache(maxsize=1 << 14)
def onward(area: PlayArea, heading: Heading, most: int) -> Sequence[Heading]:
    """The spaces that may come next, each with its direction."""
    space, came = heading
    return [(there, way) for way, there in area.neighbours[space].items() if not came or bend(came, way) <= most]


def flight_ends(
    area: PlayArea, start: str, length: int, most: int, worth: Mapping[str, int], stops: frozenset[str]
) -> dict[str, Path]:
    """Every stop on which a flight of this length may end, with the path of the greatest worth to each."""
    return _search(area, start, length, most, worth, stops) if worth else _known(area, start, length, most, stops)


@lru_cache(maxsize=512)
def _known(area: PlayArea, start: str, length: int, most: int, stops: frozenset[str]) -> dict[str, Path]:
    """The same where no space is worth anything, so that the first path to a space is as good as any."""
    reached: dict[Heading, Path] = {(start, ""): ()}
    for _ in range(length):
        further: dict[Heading, Path] = {}
        for heading, path in reached.items():
            for there in onward(area, heading, most):
                if there not in further:
                    further[there] = (*path, there[1])
        reached = further
    ends: dict[str, Path] = {}
    for (space, _), path in reached.items():
        if space in stops and space not in ends:
            ends[space] = path
    return ends


def _search(
    area: PlayArea, start: str, length: int, most: int, worth: Mapping[str, int], stops: frozenset[str]
) -> dict[str, Path]:
    reached: dict[Heading, tuple[int, Path]] = {(start, ""): (0, ())}
    for _ in range(length):
        further: dict[Heading, tuple[int, Path]] = {}
        for heading, (value, path) in reached.items():
            for there in onward(area, heading, most):
                gained = value + worth.get(there[0], 0)
                if there not in further or gained > further[there][0]:
                    further[there] = gained, (*path, there[1])
        reached = further
    best: dict[str, tuple[int, Path]] = {}
    for (space, _), (value, path) in reached.items():
        if space in stops and (space not in best or value > best[space][0]):
            best[space] = value, path
    return {space: path for space, (_, path) in best.items()}


def random_flight(area: PlayArea, start: str, length: int, most: int, rng: Rng, stops: frozenset[str]) -> Path:
    """A flight drawn step by step among those steps that still lead to a legal end."""
    levels: list[set[Heading]] = [{(start, "")}]
    for _ in range(length):
        levels.append({there for heading in levels[-1] for there in onward(area, heading, most)})
    levels[-1] = {heading for heading in levels[-1] if heading[0] in stops}
    for level in range(length - 1, 0, -1):
        ahead = levels[level + 1]
        levels[level] = {heading for heading in levels[level] if not ahead.isdisjoint(onward(area, heading, most))}
    heading, path = (start, ""), list[str]()
    for reachable in levels[1:]:
        choices = [there for there in onward(area, heading, most) if there in reachable]
        heading = choices[rng.randrange(len(choices))]
        path.append(heading[1])
    return tuple(path)


def fault(area: PlayArea, start: str, path: Path, most: int, stops: frozenset[str]) -> str | None:
    """What is wrong with a flight, in words; None if nothing is."""
    for before, after in pairwise(path):
        if before in COMPASS and after in COMPASS and bend(before, after) > most:
            kind = ("a turn", "a turn", "a sharp turn", "backtracking")[bend(before, after)]
            return f"{before} to {after} is {kind}."
    space = start
    for way in path:
        if way not in area.neighbours[space]:
            return f"{way} of {space} there is no space of the play area."
        space = area.neighbours[space][way]
    return None if space in stops else bad_end(area, space)


def bad_end(area: PlayArea, space: str) -> str:
    kind = "City" if space in area.city_at else "partial hex"
    return f"This flight cannot end in a {kind}, and {space} is one."


def loot(board: Board, position: Position, seat: int, sparing: tuple[str, ...] = ()) -> dict[int, int]:
    """What Ezekiel Crane would take from each opponent whom he does not spare (KAS-R54); nobody else takes anything."""
    thief = character(board, position.players[seat])
    if thief is None or not thief.steal:
        return {}
    others = [other for other in range(len(position.players)) if other != seat and colour(board, other) not in sparing]
    return {other: min(thief.steal, cash) for other in others if (cash := position.players[other].cash)}


def fly(board: Board, play: KASPlay, seat: int, path: Path, sparing: tuple[str, ...]) -> None:
    """Moves the Airship; Ezekiel Crane steals from the opponents whose spaces he flies into (KAS-R54)."""
    position, player = play.position, play.position.players[seat]
    stolen: list[MoneyStolen] = []
    for way in path:
        player.at = assemble(board, position.layout).neighbours[player.at][way]
        for victim, amount in loot(board, position, seat, sparing).items():
            if position.players[victim].at == player.at:
                position.players[victim].cash -= amount
                player.cash += amount
                stolen.append(MoneyStolen(seat, victim, amount, player.at))
    play.emit(Flew(seat, path, player.at))
    for event in stolen:
        play.emit(event)
