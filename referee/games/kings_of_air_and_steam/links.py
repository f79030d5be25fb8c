"""Routes over the rails: which Links are open, how many stops a shipment makes and whom it owes tolls (KAS-F34)."""

from collections.abc import Iterator, Mapping
from functools import cached_property

import msgspec

from referee.games.kings_of_air_and_steam.board import Board
from referee.games.kings_of_air_and_steam.play_area import Link, assemble
from referee.games.kings_of_air_and_steam.state import Position, by_priority, has_ability

Via = tuple[str, ...]


class Route(msgspec.Struct, frozen=True, order=True):
    """A way for a shipment; the smallest is the cheapest."""

    tolls: int  # stops at other players' Depots that must be paid for
    stops: int
    via: Via  # the Links between the first one and the destination


class Rails:
    """The railway network of a position: its Links, the stubs too, and the Depots on them. A stub leads to its City and
    back, so that nothing passes it."""

    def __init__(self, board: Board, position: Position) -> None:
        area = assemble(board, position.layout)
        self.links, self.link_of = area.tracks, area.track_of
        if position.built:
            self.links = self.links | {link.id: link for link in position.built}
            self.link_of = self.link_of | {space: link.id for link in position.built for space in link.spaces}
        self.depots: dict[str, dict[str, int]] = {}  # link -> space -> whose
        for seat, player in enumerate(position.players):
            for space in player.depots:
                self.depots.setdefault(self.link_of[space], {})[space] = seat

    @cached_property
    def open_at(self) -> dict[str, list[Link]]:
        """The Links with a Depot at each City."""
        found: dict[str, list[Link]] = {}
        for link in self.links.values():
            if link.id in self.depots:
                for city in link.ends:
                    found.setdefault(city, []).append(link)
        return found

    def has_depot(self, link: str, seat: int) -> bool:
        return seat in self.depots.get(link, {}).values()


class Network:
    """The Rails as a player can use them from one Depot, within the rating of the player's Train."""

    def __init__(self, board: Board, position: Position, rails: Rails, seat: int, start: str) -> None:
        player = position.players[seat]
        self.position = position
        self.rails = rails
        self.seat = seat
        self.start = rails.links[rails.link_of[start]]
        self.own = {space: rails.link_of[space] for space in player.depots if space != start}
        self.rating = board.train[player.train].rating
        self.pays_no_tolls = has_ability(board, player, "intimidate")  # KAS-R55: stops still count
        self.poorest = sorted(by_priority(board, position), key=lambda other: position.players[other].cash)

    def toll(self, link: str) -> int:
        """Tolls for a stop on a Link, per Good: none where the player has a Depot too (KAS-R20)."""
        return 0 if self.pays_no_tolls or self.rails.has_depot(link, self.seat) else 1

    def cheapest(self) -> dict[str, Route]:
        """The cheapest route to each city and each other own Depot that can be reached (KAS-R18, KAS-R19, KAS-R23)."""
        found: dict[str, Route] = {space: Route(0, 1, ()) for space, link in self.own.items() if link == self.start.id}
        ends: dict[str, Route] = {city: Route(0, 1, ()) for city in self.start.ends}
        for stops in range(1, self.rating + 1):
            further: dict[str, Route] = {}
            for city, route in ends.items():
                found[city] = min(route, found.get(city, route))
                for link in self.rails.open_at.get(city, ()):
                    if link.id == self.start.id or link.id in route.via:
                        continue
                    for space in self.own:
                        if self.own[space] == link.id:
                            found[space] = min(route, found.get(space, route))
                    if link.is_stub:
                        continue
                    there = Route(route.tolls + self.toll(link.id), stops + 1, (*route.via, link.id))
                    further[link.other(city)] = min(there, further.get(link.other(city), there))
            ends = further
        return found

    def routes(self, destination: str, most_tolls: int) -> Iterator[Route]:
        """Every route to a destination, detours too, within the rating and a number of tolls."""
        last = self.own.get(destination)
        if last == self.start.id:
            yield Route(0, 1, ())
            return
        waiting = [(city, Route(0, 1, ())) for city in self.start.ends]
        while waiting:
            city, route = waiting.pop()
            if city == destination:
                yield route
            for link in self.rails.open_at.get(city, ()):
                if link.id == self.start.id or link.id in route.via:
                    continue
                if link.id == last:
                    yield route
                elif not link.is_stub and route.stops < self.rating and route.tolls + self.toll(link.id) <= most_tolls:
                    there = Route(route.tolls + self.toll(link.id), route.stops + 1, (*route.via, link.id))
                    waiting.append((link.other(city), there))

    def route(self, destination: str, via: Via) -> Route | None:
        """The route over these Links, or over these Depots; None if there is none such (KAS-R20, KAS-R23)."""
        links: list[str] = []
        for step in via:
            link = self.rails.link_of.get(step, step)
            depots = self.rails.depots.get(link, {})
            if not depots or self.rails.links[link].is_stub or link == self.start.id or link in links:
                return None
            if step != link and (step not in depots or (depots[step] != self.seat and self.has_own(link))):
                return None
            links.append(link)
        last = self.own.get(destination)
        if last is not None and (last in links or (last == self.start.id and links)):
            return None
        cities = set(self.start.ends)
        for name in links:
            cities = {self.rails.links[name].other(city) for city in cities if city in self.rails.links[name].ends}
        if last is None:
            arrives = destination in cities
        else:
            arrives = last == self.start.id or bool(cities.intersection(self.rails.links[last].ends))
        stops = len(links) + 1
        if not arrives or stops > self.rating:
            return None
        return Route(sum(map(self.toll, links)), stops, tuple(links))

    def has_own(self, link: str) -> bool:
        return self.rails.has_depot(link, self.seat)

    def steps(self) -> list[str]:
        """Everything that a route can be named by: Links, and Depots on them."""
        links = [link for link in self.rails.depots if link != self.start.id and not self.rails.links[link].is_stub]
        return links + [space for link in links for space in self.named_stops(link)]

    def named_stops(self, link: str) -> list[str]:
        """The Depots on a Link at which this player may stop: only the player's own if there are any."""
        depots = self.rails.depots[link]
        return [space for space, seat in depots.items() if seat == self.seat or not self.has_own(link)]

    def payees(self) -> list[int]:
        """The opponents between whom there is a choice on some Link."""
        choices: dict[int, None] = {}
        for link, depots in self.rails.depots.items():
            owners = set(depots.values())
            passed = link != self.start.id and not self.rails.links[link].is_stub
            if passed and self.toll(link) and len(owners) > 1:
                choices |= dict.fromkeys(sorted(owners))
        return sorted(choices)

    def tolls(self, route: Route, via: Via, preferred: list[int]) -> Mapping[int, int]:
        """How many tolls go to whom: the owner of the Depot named, else the preferred, else the poorest (KAS-R21)."""
        owed: dict[int, int] = {}
        for index, link in enumerate(route.via):
            if self.toll(link):
                depots = self.rails.depots[link]
                named = depots.get(via[index]) if via else None
                choice = [seat for seat in [*preferred, *self.poorest] if seat in depots.values()]
                payee = choice[0] if named is None else named
                owed[payee] = owed.get(payee, 0) + 1
        return owed
