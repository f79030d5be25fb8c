"""The search for cheapest paths to new cities. It runs for every listing, so it works on whole sets of places at once.

A set of places is an integer with a bit for each. The places of a lattice are numbered so that its edges in one
direction all have the same difference: one shift moves a set along all of them. The search visits what a path may need,
the number of each rail type, cheapest first, and keeps for each need the places where a path with just that need ends.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property

from referee.games.spike.payment import TRADE_LOSS, Counts, fewest_sets, pays

Shifts = dict[int, int]  # difference of two places' numbers -> the places from which a step by it can be made
Path = tuple[str, ...]  # places from the network on, without the new city

BITS = 8  # of a packed count of one rail type: a path never has that many spaces
MASK = (1 << BITS) - 1


class Grid:
    """The places of a board by their bits, and the steps between them by rail type."""

    def __init__(self, points: Mapping[str, tuple[int, int]], edges: Mapping[tuple[str, str], int], rails: int) -> None:
        columns = {x: i for i, x in enumerate(sorted({x for x, _ in points.values()}))}
        rows = {y: i for i, y in enumerate(sorted({y for _, y in points.values()}))}
        self.number = {place: rows[y] * (len(columns) + 1) + columns[x] for place, (x, y) in points.items()}
        self.bit = {place: 1 << number for place, number in self.number.items()}
        self.places = {number: place for place, number in self.number.items()}
        self.rails = rails
        self.steps: list[Shifts] = [{} for _ in range(rails)]
        for (a, b), rail in edges.items():
            for start, end in ((a, b), (b, a)):
                shift = self.number[end] - self.number[start]
                self.steps[rail][shift] = self.steps[rail].get(shift, 0) | self.bit[start]

    def mask(self, places: Mapping[str, object] | list[str]) -> int:
        return sum(self.bit[place] for place in places)

    def names(self, mask: int) -> list[str]:
        """The places of a set, the lowest number first."""
        found = []
        while mask:
            low = mask & -mask
            found.append(self.places[low.bit_length() - 1])
            mask ^= low
        return found

    def without(self, edges: Mapping[tuple[str, str], int]) -> list[Shifts]:
        """The steps that are left when some edges are taken."""
        steps = [dict(shifts) for shifts in self.steps]
        for (a, b), rail in edges.items():
            for start, end in ((a, b), (b, a)):
                steps[rail][self.number[end] - self.number[start]] &= ~self.bit[start]
        return steps


def step(shifts: Shifts, places: int) -> int:
    """The places one step away."""
    reached = 0
    for shift, starts in shifts.items():
        movers = places & starts
        if movers:
            reached |= movers << shift if shift > 0 else movers >> -shift
    return reached


class Search:
    """The cheapest paths over free spaces from a network to new cities, for some cards and a number of tracks."""

    def __init__(self, grid: Grid, steps: list[Shifts], inside: int, cities: int, hand: Counts, tracks: int) -> None:
        self.grid = grid
        self.steps = steps
        self.inside = inside
        self.cities = cities & ~inside
        self.hand = hand
        self.tracks = tracks
        self.most = sum(hand)
        self.length = BITS * grid.rails  # the uppermost part of a packed need is its sum
        self.units = [(BITS * rail, (1 << BITS * rail) + (1 << self.length)) for rail in range(grid.rails)]
        self.waiting: dict[tuple[int, int], dict[int, int]] = {}  # cards and missing spaces, cards -> need -> places
        self.ends: dict[int, int] = {}  # need -> the places where paths with that need end and none for less does

    @cached_property
    def any_step(self) -> Shifts:
        merged: Shifts = {}
        for shifts in self.steps:
            for shift, starts in shifts.items():
                merged[shift] = merged.get(shift, 0) | starts
        return merged

    def ways(self) -> Iterator[tuple[str, Path]]:
        """Each city within reach with a cheapest path to it, cheapest first: fewest cards, then fewest spaces.

        Paths are looked at in the order of their cards and the spaces that are at least missing to a wanted city. Of
        two paths to a place one that needs as many or more of every rail type is dropped: no path crosses itself.
        """
        wanted = self.cities
        near = self.near(wanted)
        prices: dict[int, int] = {}
        blocked: dict[int, int] = {}  # need -> places that can be had for less
        self.wait(0, 0, self.inside, near, 0)
        for total, cost in ((cards, paid) for cards in range(self.most + 1) for paid in range(cards + 1)):
            level = self.waiting.pop((total, cost), {})
            for need in sorted(level):
                places = level[need] & near[min(total - cost, len(near) - 1)]
                if places != level[need]:  # the city they were near to has been found meanwhile
                    self.wait(need, cost, level[need] & ~places, near, total - cost + 1)
                less = 0
                for shift, unit in self.units:
                    if need >> shift & MASK:
                        less |= blocked.get(need - unit, 0)
                places &= ~less
                blocked[need] = blocked.get(need, 0) | less | places
                self.ends[need] = self.ends.get(need, 0) | places
                found = places & wanted
                if found:
                    for city in self.grid.names(found):
                        yield city, self.path(city, need)
                    wanted &= ~found
                    near = self.near(wanted)
                places &= ~self.cities
                if not places:
                    continue
                for shifts, (_, unit) in zip(self.steps, self.units, strict=True):
                    reached = step(shifts, places) & ~self.inside
                    if reached:
                        more = need + unit
                        price = prices.get(more)
                        if price is None:
                            price = prices[more] = self.price(more)
                        self.wait(more, price, reached, near, max(0, total - price))

    def wait(self, need: int, cost: int, places: int, near: list[int], spaces: int) -> None:
        """Keeps places where paths end until it is their turn: the cards so far, and the spaces that are missing, which
        are at least some. Those from which no wanted city can be reached with the cards and tracks left are dropped."""
        for missing in range(spaces, min(self.most - cost, self.tracks - (need >> self.length), len(near) - 1) + 1):
            here = places & near[missing]
            if here:
                level = self.waiting.setdefault((cost + missing, cost), {})
                level[need] = level.get(need, 0) | here
                places ^= here
                if not places:
                    return

    def near(self, wanted: int) -> list[int]:
        """For each number of steps, the places from which a wanted city is no further, whatever the rails."""
        near, reach = [wanted], wanted
        while len(near) <= self.most:
            further = reach | step(self.any_step, reach & (wanted | ~self.cities) & ~self.inside)
            if further == reach:
                break
            reach = further
            near.append(reach)
        return near

    def price(self, need: int) -> int:
        """The fewest cards for a packed need; more than there are if it cannot be paid."""
        lacking, spare = [], []
        for (shift, _), held in zip(self.units, self.hand, strict=True):
            more = (need >> shift & MASK) - held
            if more > 0:
                lacking.append(more)
            elif more < -TRADE_LOSS:
                spare.append(-more)
        if not lacking:
            return need >> self.length
        sets = fewest_sets(tuple(sorted(lacking)), tuple(sorted(spare)))
        return self.most + 1 if sets is None else (need >> self.length) + sets * TRADE_LOSS

    def path(self, end: str, need: int) -> Path:
        """A path found by the search, walked back from its end."""
        path: list[str] = []
        here = self.grid.bit[end]
        while need:
            for shifts, (shift, unit) in zip(self.steps, self.units, strict=True):
                if need >> shift & MASK:
                    before = self.ends.get(need - unit, 0) & step(shifts, here) & ~self.cities
                    if before:
                        need -= unit
                        here = before & -before
                        path.append(self.grid.names(here)[0])
                        break
        return tuple(reversed(path))

    def paths_to(self, city: str) -> Iterator[Path]:
        """The paths to a city that just the cards pay, all of them, shortest first.

        Level by level, with the places where walks of each need end. Nothing is dropped because it can be had for less:
        a dearer path may be the one that uses up the cards. A walk may come to a junction twice, so each find is
        followed back as a path that does not.
        """
        goal = self.grid.bit[city] & self.cities
        near = self.near(goal)
        longest = min(self.most, self.tracks)
        levels: list[dict[int, int]] = [{0: self.inside}]
        while goal and levels[-1] and len(levels) <= longest:
            ahead = near[min(longest - len(levels), len(near) - 1)] & (goal | ~self.cities) & ~self.inside
            level: dict[int, int] = {}
            for need, places in levels[-1].items():
                starts = places & ~self.cities
                for shifts, (_, unit) in zip(self.steps, self.units, strict=True):
                    reached = step(shifts, starts) & ahead if starts else 0
                    if reached:
                        level[need + unit] = level.get(need + unit, 0) | reached
            levels.append({need: level[need] for need in sorted(level) if self.price(need) <= self.most})
            for need, places in levels[-1].items():
                if places & goal and pays(self.hand, tuple(need >> shift & MASK for shift, _ in self.units)):
                    yield from self.walked_back(levels, need, goal, (), 0)

    def walked_back(self, levels: list[dict[int, int]], need: int, here: int, end: Path, passed: int) -> Iterator[Path]:
        """The paths from the network to the first place of an end of them, of just a need, over no place twice."""
        level = (need >> self.length) - 1
        for shifts, (shift, unit) in zip(self.steps, self.units, strict=True):
            if need >> shift & MASK:
                before = levels[level].get(need - unit, 0) & step(shifts, here) & ~self.cities & ~passed
                for place in self.grid.names(before):
                    if level == 0:
                        yield (place, *end)
                    else:
                        bit = self.grid.bit[place]
                        yield from self.walked_back(levels, need - unit, bit, (place, *end), passed | bit)
