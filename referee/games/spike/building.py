"""Which new cities a player can build to, by which ways, and with which cards (Rulebook B).

A path leaves the network at a city or junction of it, runs over free spaces and junctions, and ends in the first new
city it meets (SP-R06). It touches the own network only where it begins, and no junction twice (SP-R60).
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice

from referee.errors import IllegalOrder
from referee.games.spike.board import Board, Segment
from referee.games.spike.payment import TRADE_LOSS, Counts, cheapest, one_more, pays, random_payment
from referee.games.spike.search import Path, Search
from referee.games.spike.state import Build, Cards, Position
from referee.options import Move, Offer, OneOf, Rng, Way, closest, shuffled

MOST_STEPS = 200  # of a random path before the cheapest of all is taken instead


def tracks(board: Board, position: Position, seat: int) -> tuple[Segment, ...]:
    """The segments with a player's track."""
    return _tracks(board, position.tracks, str(seat))


@lru_cache(maxsize=256)
def _tracks(board: Board, marks: str, mark: str) -> tuple[Segment, ...]:
    """Rules, views and bots ask for the same few over and over, and they change with every build only."""
    return tuple(segment for segment, here in zip(board.segments, marks, strict=True) if here == mark)


def tracks_left(board: Board, position: Position, seat: int) -> int:
    return board.components.tracks - position.tracks.count(str(seat))


def network(board: Board, position: Position, seat: int) -> Mapping[str, None]:
    """The cities and junctions of a player's own network, the first city first (SP-R51)."""
    return _network(board, position.tracks, str(seat), position.players[seat].home)


@lru_cache(maxsize=256)
def _network(board: Board, marks: str, mark: str, home: str) -> Mapping[str, None]:
    places = {home: None}
    for segment in _tracks(board, marks, mark):
        places[segment.a] = places[segment.b] = None
    return places


def connected_cities(board: Board, position: Position, seat: int) -> set[str]:
    return {place for place in network(board, position, seat) if place in board.city}


def count(board: Board, cards: Sequence[str]) -> Counts:
    return tuple(cards.count(rail.id) for rail in board.rail_types)


def name(board: Board, counts: Counts) -> tuple[str, ...]:
    """Counted cards one by one, as a move names them."""
    return tuple(rail.id for rail, number in zip(board.rail_types, counts, strict=True) for _ in range(number))


class Site:
    """What a player has to build with and where."""

    def __init__(self, board: Board, position: Position, seat: int) -> None:
        hand = position.players[seat].hand
        self.board = board
        self.network = network(board, position, seat)
        everybody = range(len(position.players))
        self.segments = [segment for owner in everybody for segment in tracks(board, position, owner)]
        self.taken = {segment.id for segment in self.segments}
        self.tracks = tracks_left(board, position, seat)
        self.hand: Counts = tuple(hand.get(rail.id, 0) for rail in board.rail_types)

    def rails(self, path: Path, city: str) -> tuple[str, ...]:
        """The rail types of the spaces along a path."""
        ends = zip(path, (*path[1:], city), strict=True)
        return tuple(self.board.exits[a][b].rail for a, b in ends)

    def need(self, path: Path, city: str) -> Counts:
        return count(self.board, self.rails(path, city))

    def is_path(self, path: Path, city: str) -> bool:
        """Whether a path may be built, whatever it costs."""
        board = self.board
        places = (*path, city)
        return (
            0 < len(path) <= self.tracks
            and city in board.city
            and path[0] in self.network
            and len(set(places)) == len(places)
            and not any(place in self.network for place in places[1:])
            and not any(place in board.city for place in path[1:])
            and all(
                a in board.exits and b in board.exits[a] and board.exits[a][b].id not in self.taken
                for a, b in zip(path, places[1:], strict=True)
            )
        )

    def ways(self) -> Iterator[tuple[str, Path]]:
        """The new cities that the hand can reach with a cheapest path to each, cheapest first."""
        yield from self.search(self.hand).ways()

    def search(self, cards: Counts) -> Search:
        grid = self.board.grid
        taken = {segment.ends: self.board.rail[segment.rail] for segment in self.segments}
        inside, cities = grid.mask(self.network), grid.mask(self.board.city)
        return Search(grid, grid.without(taken), inside, cities, cards, self.tracks)

    def reaches_a_neighbour(self) -> bool:
        """Whether a new city one space away can be built to; a cheap test that often saves the search."""
        any_pair = max(self.hand) > TRADE_LOSS
        return any(
            other in self.board.city
            and other not in self.network
            and segment.id not in self.taken
            and (any_pair or self.hand[self.board.rail[segment.rail]])
            for place in self.network
            for other, segment in self.board.exits[place].items()
        )

    def path_for(self, city: str, cards: Counts) -> Path | None:
        """A shortest path to a new city that just these cards pay, all of them."""
        return next(self.search(cards).paths_to(city), None) if city in self.board.city else None

    def random_way(self, rng: Rng) -> tuple[str, Path] | None:
        """A new city with a path to it, drawn step by step and payable with the hand; None if none is found within
        MOST_STEPS. The search for all cities would tell more than one of them needs, and takes far longer."""
        board, hand = self.board, self.hand
        nothing = (0,) * len(hand)
        stack: list[tuple[Path, Counts]] = [((place,), nothing) for place in shuffled(self.network, rng)]
        for _ in range(MOST_STEPS):
            path, need = stack.pop()
            here = path[-1]
            if len(path) > 1 and here in board.city:
                return here, path[:-1]
            for other in shuffled(board.exits[here], rng) if len(path) <= self.tracks else ():
                segment = board.exits[here][other]
                if segment.id not in self.taken and other not in self.network and other not in path:
                    more = one_more(need, board.rail[segment.rail])
                    if all(map(int.__le__, more, hand)) or cheapest(more, hand):
                        stack.append(((*path, other), more))
            if not stack:
                return None
        return None


class Reachable(OneOf):
    """The cities that can be built to; the search runs only when they are asked for."""

    def __init__(self, offer: "BuildOffer") -> None:
        self.offer = offer

    @cached_property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]  # an attribute there, worked out here
        return tuple(self.offer.cheapest)


class BuildOffer(Offer):
    """All builds of a player. The three fields hang together, so the offer checks and draws them together: path and
    cards are ways, of which the listing names the cheapest to each city."""

    __slots__ = ("_known", "_resolved", "_ways", "site")

    def __init__(self, site: Site) -> None:
        self.site = site
        self._ways = site.ways()
        self._known: dict[str, Path] = {}
        self._resolved: dict[Build, Build | None] = {}
        super().__init__(
            Build,
            city=Reachable(self),
            path=Way(
                site.board.place,
                site.tracks,
                is_legal=lambda path: not path or any(self.resolve(Build(city, path)) for city in self._next(path)),
                walk=lambda rng: self.sample(rng).path,
                ends=lambda: {city: self.fill(city).path for city in self.cheapest},
            ),
            cards=Way(
                [rail.id for rail, held in zip(site.board.rail_types, site.hand, strict=True) if held],
                sum(site.hand),
                is_legal=lambda cards: all(map(int.__le__, count(site.board, cards), site.hand)),
                walk=lambda rng: self.sample(rng).cards,
                ends=lambda: {city: self.fill(city).cards for city in self.cheapest},
            ),
        )

    @property
    def cheapest(self) -> dict[str, Path]:
        """The cheapest path to each city within reach."""
        self._known.update(self._ways)
        return self._known

    @property
    def is_empty(self) -> bool:
        return not self.site.reaches_a_neighbour() and self._look_for(None)

    def _look_for(self, city: str | None) -> bool:
        """Searches on until a city, or any, is found. Whether the search has ended without."""
        while city not in self._known and not (city is None and self._known):
            if not self._look_further():
                return True
        return False

    def _look_further(self) -> bool:
        """Whether the search has found one more city."""
        for city, path in self._ways:
            self._known[city] = path
            return True
        return False

    def fill(self, city: str) -> Build:
        """The cheapest build to a city within reach."""
        return self._paid(city, self._known[city]) or Build(city)

    def _paid(self, city: str, path: Path) -> Build | None:
        cards = cheapest(self.site.need(path, city), self.site.hand)
        return None if cards is None else Build(city, path, name(self.site.board, cards))

    def _next(self, path: Path) -> list[str]:
        exits = self.site.board.exits.get(path[-1], {})
        return [place for place in exits if place in self.site.board.city]

    def resolve(self, move: Build) -> Build | None:
        """What a build means in full, with the path from its first place on and the cards; None if it is illegal."""
        if move not in self._resolved:
            self._resolved[move] = self._resolve(move)
        return self._resolved[move]

    def _resolve(self, move: Build) -> Build | None:
        site, city = self.site, move.city
        if not move.cards:
            if not move.path:
                return None if self._look_for(city) else self.fill(city)
            builds = [build for path in self._whole(move) if (build := self._paid(city, path))]
            return min(builds, key=lambda build: len(build.cards), default=None)
        cards = count(site.board, move.cards)
        if sum(cards) != len(move.cards) or not all(map(int.__le__, cards, site.hand)):
            return None
        if move.path:
            path = next((path for path in self._whole(move) if pays(cards, site.need(path, city))), None)
        else:
            path = site.path_for(city, cards)
        return None if path is None else Build(city, path, name(site.board, cards))

    def _whole(self, move: Build) -> list[Path]:
        """The legal paths meant by one whose first place may have been left out."""
        site, path = self.site, move.path
        starts: list[Path] = [()]
        if path[0] not in site.network:
            starts = [(place,) for place in site.board.exits.get(path[0], {}) if place in site.network]
        return [start + path for start in starts if site.is_path(start + path, move.city)]

    def accepts(self, move: Move) -> bool:
        return isinstance(move, Build) and self.resolve(move) is not None

    def wrong_fields(self, move: Move) -> list[str]:
        if not isinstance(move, Build):
            return list(self.domains)
        if self.resolve(move):
            return []
        if self.resolve(Build(move.city)) is None:
            return ["city"]
        return ["cards" if self.resolve(Build(move.city, move.path)) else "path"]

    def canonical(self, move: Move) -> Move:
        assert isinstance(move, Build)
        return self.resolve(move) or move

    def sample(self, rng: Rng) -> Build:
        """A path to a city, the cheapest payment or another."""
        way = self.site.random_way(rng)
        if way is None:
            self._look_for(None)
            way = next(iter(self._known.items()))
        city, path = way
        build = self._paid(city, path)
        assert build is not None
        if rng.randrange(2):
            return build
        cards = random_payment(self.site.need(build.path, city), self.site.hand, rng)
        return Build(city, build.path, name(self.site.board, cards))

    def moves(self) -> Iterator[Move]:
        """Cheapest first, and the search goes on only as far as it is followed."""
        given = 0
        while given < len(self._known) or self._look_further():
            yield self.fill(next(islice(self._known, given, None)))
            given += 1

    def nearest(self, move: Move) -> Move:
        """The named path if it can be paid, else the cheapest build to the named city, or to one spelled like it."""
        city, path = getattr(move, "city", ""), getattr(move, "path", ())
        own = self.resolve(Build(city, path)) if path else None
        return own or self.fill(closest(city, tuple(self.cheapest)) if self._look_for(city) else city)


def why_not_build(board: Board, position: Position, seat: int, move: Build) -> IllegalOrder | None:
    site = Site(board, position, seat)
    if not site.tracks:
        return IllegalOrder("no_tracks", "All your tracks are placed: you cannot build.", rule="Rulebook, B")
    if move.city not in board.city:
        return IllegalOrder("no_such_city", f"There is no city {move.city}.", field="city")
    city = board.city[move.city].name
    if move.city in site.network:
        message = f"{city} is in your network already; a path must connect a new city."
        return IllegalOrder("not_new", message, field="city", rule="Rulebook, B; SP-R07")
    named = why_not_in_hand("cards", move.cards, position.players[seat].hand)
    if named:
        return named
    if move.path:
        path = whole_path(site, move)
        if isinstance(path, IllegalOrder):
            return path
        return why_not_path(site, move, path) or why_not_cards(site, move, path)
    if move.cards:
        message = f"No path of free spaces to {city} is paid by just these cards: name others, or none."
        return IllegalOrder("cannot_pay", message, field="cards", rule="Rulebook, B; SP-R14, SP-R59")
    message = f"No path of free spaces to {city} can be paid with your cards and {site.tracks} tracks."
    return IllegalOrder("out_of_reach", message, field="city", rule="Rulebook, B", numbers={"tracks": site.tracks})


def whole_path(site: Site, move: Build) -> tuple[str, ...] | IllegalOrder:
    """The path with the place where it leaves the network."""
    exits, path = site.board.exits, move.path
    unknown = [place for place in path if place not in exits]
    if unknown:
        return IllegalOrder("no_such_place", f"There is no city or junction {unknown[0]}.", field="path")
    if path[0] in site.network:
        return path
    starts = [place for place in exits[path[0]] if place in site.network]
    free = [place for place in starts if exits[place][path[0]].id not in site.taken]
    if starts:
        return (free or starts)[0], *path
    message = f"{site.board.place[path[0]].name} is not next to your network; you build on from your own track only."
    return IllegalOrder("not_connected", message, field="path", rule="Rulebook, B; SP-R10")


def why_not_path(site: Site, move: Build, path: tuple[str, ...]) -> IllegalOrder | None:
    board = site.board
    places = (*path, move.city)
    for a, b in zip(path, places[1:], strict=True):
        name_a, name_b = board.place[a].name, board.place[b].name
        if b not in board.exits[a]:
            return IllegalOrder("no_segment", f"There is no space between {name_a} and {name_b}.", field="path")
        if board.exits[a][b].id in site.taken:
            message = f"The space {name_a}-{name_b} has track already."
            return IllegalOrder("space_taken", message, field="path", rule="SP-R08")
        if b in site.network or places.count(b) > 1:
            message = f"The path comes to {name_b} again; it touches your network only where it begins."
            return IllegalOrder("loop", message, field="path", rule="SP-R07, SP-R60")
        if b in board.city and b != move.city:
            message = f"The path meets {name_b}, a new city, and ends there: build {name_b}."
            return IllegalOrder("two_cities", message, field="path", rule="SP-R06")
    if len(path) > site.tracks:
        message = f"The path has {len(path)} spaces; you have {site.tracks} tracks."
        numbers = {"spaces": len(path), "tracks": site.tracks}
        return IllegalOrder("too_few_tracks", message, field="path", rule="SP-R11", numbers=numbers)
    return None


def why_not_cards(site: Site, move: Build, path: tuple[str, ...]) -> IllegalOrder | None:
    board, need = site.board, site.need(path, move.city)
    rails = ", ".join(name(board, need))
    payment = cheapest(need, site.hand)
    if payment is None:
        message = f"The path needs {rails}; your hand cannot pay that."
        return IllegalOrder("cannot_pay", message, field="cards", rule="Rulebook, B, Wild; SP-R12")
    if move.cards and not pays(count(board, move.cards), need):
        enough = ", ".join(name(board, payment))
        message = f"The path needs {rails}; the cards named do not pay just that. {enough} would."
        return IllegalOrder("wrong_cards", message, field="cards", rule="Rulebook, B, Wild; SP-R12, SP-R14, SP-R59")
    return None


def why_not_in_hand(field: str, wanted: Sequence[str], hand: Cards) -> IllegalOrder | None:
    """The reason when someone names rail cards that are not in the hand."""
    for card in dict.fromkeys(wanted):
        needed, there = wanted.count(card), hand.get(card, 0)
        if needed > there:
            message = f"{needed} {card} named, but {there or 'none'} in your hand."
            return IllegalOrder("no_such_card", message, field=field, numbers={"named": needed, "there": there})
    return None
