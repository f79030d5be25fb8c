"""Other ways in which a row may have come about, of which a viewer cannot say that they are not the true one.

What tells a viewer how a row went is its view before, the orders as the log tells them to it, and its view after; where
something was turned up and put away again in between, also its view at that time. Worlds that are alike in these are
one world to it, and must tell it the row in the same bytes: no event says what they do not settle. A secret is lawfully
opened by a row when the views differ. Such a world is given up there and not earlier, and others are made in which the
same came to light while the rest is hidden differently: so what is told beside something lawfully opened is compared
too.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice, takewhile
from typing import Any, TypeVar

import msgspec

from referee.chance import Chance, Draw, game_key
from referee.conformance.playing import (
    Broken,
    Moment,
    copy_of,
    difference_of_texts,
    explained,
    one_of,
    plain,
    where,
    who,
)
from referee.contract import Event, Play, Viewer, canonical
from referee.errors import OrderError
from referee.log import Entry, Order
from referee.moves import read_move
from referee.options import Move, Rng
from referee.record import redacted
from referee.table import Table, decode_position

T = TypeVar("T")

DRAWS = 6  # of a row that are let fall differently, one at a time
STRETCHES = 30  # of a shuffle that are tried
TRIES = 4  # to make a world of a kind that looks the same after a row


@dataclass(frozen=True)
class World:
    """Another way a row may have gone: what differs, the row, the table after it, the position at each event."""

    how: str
    entry: Entry
    table: Table
    passed: tuple[bytes, ...]


Make = Callable[[Moment, int | None, Rng], Iterator[World]]


class WatchedPlay(Play[Any]):
    """A move being played, and the position at each event."""

    def __init__(self, position: Any, chance: Chance) -> None:
        super().__init__(position, chance)
        self.passed: list[bytes] = []

    def emit(self, event: Event) -> None:
        super().emit(event)
        self.passed.append(canonical(self.position))


class Alliance(Viewer, frozen=True):
    """A viewer who has been told by some seats all they know: to it less is hidden, and to the viewer no less than
    that."""

    allies: tuple[int, ...] = ()

    def sees(self, *seats: int) -> bool:
        return super().sees(*seats) or any(ally in seats for ally in self.allies)


class OtherChance(Chance):
    """The chance of a row in which one draw falls differently: a number by some steps, a shuffle by some swaps."""

    def __init__(self, key: bytes, row: int, label: str, changes: Sequence[tuple[int, int]]) -> None:
        super().__init__(key, row)
        self.label = label
        self.changes = changes

    def below(self, label: str, bound: int) -> int:
        value = super().below(label, bound)
        return (value + sum(steps for steps, _ in self.changes)) % bound if label == self.label else value

    def roll(self, label: str, dice: int = 2, sides: int = 6) -> tuple[int, ...]:
        faces = list(super().roll(label, dice, sides))
        for steps, die in self.changes if label == self.label else ():
            faces[die % dice] = 1 + (faces[die % dice] - 1 + steps) % sides
        return tuple(faces)

    def shuffle(self, label: str, things: Sequence[T]) -> list[T]:
        shuffled = super().shuffle(label, things)
        for first, other in self.changes if label == self.label else ():
            shuffled[first], shuffled[other] = shuffled[other], shuffled[first]
        return shuffled


def imagined(table: Table, seat: int | None, rng: Rng, some: bool = False) -> Table:
    """The table in another world, as like to this one for a seat as two peas; only some of what is hidden differs."""
    allies = [ally for ally in range(table.game.seats) if some and rng.randrange(table.game.seats)]
    viewer = Alliance(seat, allies=tuple(allies))
    view = table.view_of(viewer, seat)
    position = table.game.imagine(view, rng)
    other = copy_of(table, canonical(position))
    if canonical(other.view_of(viewer, seat)) != canonical(view):
        found = difference_of_texts(*(canonical(shown) for shown in (view, other.view_of(viewer, seat))))
        raise Broken(f"{where(table)}: {who(seat)} can tell an imagined position from the true one: {found}")
    if table.game.conserved(position) != table.game.conserved(table.position):
        raise Broken(f"{where(table)}: imagine does not conserve: {table.game.conserved(position)}")
    return other


def other_worlds(moment: Moment, seat: int | None, rng: Rng) -> Iterator[World]:
    """Worlds of every kind for one row and viewer."""
    yield from fallen(moment, seat, rng)
    for make in (chosen, hidden_before_and_after, hidden_before):
        yield from alike(moment, make, seat, rng)


def alike(moment: Moment, make: Make, seat: int | None, rng: Rng) -> Iterator[World]:
    """A world of a kind that looks the same after the row, where one is soon found."""
    worlds = (world for _ in range(TRIES) for world in make(moment, seat, rng))
    return islice((world for world in worlds if not is_opened(moment, world, seat)), 1)


class Twin:
    """A game that goes the same way and that its viewer cannot tell from this one, until a row opens the difference.

    A twin `by_chance` is one in which a draw fell differently: it differs in what no `imagine` may have thought of. The
    other kind has everything hidden dealt anew, and is replaced as soon as it is known for what it is.
    """

    def __init__(self, by_chance: bool) -> None:
        self.by_chance = by_chance
        self.seat: int | None = None
        self.table: Table | None = None

    def follow(self, moment: Moment, rng: Rng) -> None:
        """Plays the row in the twin and compares it; where it opens the difference, compares it in worlds where not."""
        worlds = followed(moment, self.table, self.seat, rng) if self.table else iter(())
        world = next((world for world in worlds if not is_opened(moment, world, self.seat)), None)
        if world:
            check_row(moment, world, self.seat)
        if not self.by_chance:
            others = alike(moment, chosen, self.seat, rng) if world else other_worlds(moment, self.seat, rng)
            check_rows(moment, others, self.seat)
        self.table = world.table if world else None
        if self.by_chance or not world:
            self.renew(moment, rng)

    def renew(self, moment: Moment, rng: Rng) -> None:
        seat = one_of((None, *range(moment.table.game.seats)), rng)
        if not self.by_chance:
            self.seat, self.table = seat, imagined(moment.table, seat, rng)
            return
        for world in fallen(moment, seat, rng):
            check_row(moment, world, seat)
            self.seat, self.table = seat, world.table


def check_rows(moment: Moment, worlds: Iterable[World], seat: int | None) -> None:
    for world in worlds:
        check_row(moment, world, seat)


def hidden_before_and_after(moment: Moment, seat: int | None, rng: Rng) -> Iterator[World]:
    """What is still hidden after the row is dealt anew, and the row taken back from there."""
    if moment.before is None:
        return
    after = imagined(moment.table, seat, rng, some=bool(rng.randrange(2)))
    positions = (msgspec.json.decode(table.position_json) for table in (moment.before, moment.table, after))
    before, game = copy_of(moment.before, canonical(taken_back(*positions))), moment.table.game
    if game.conserved(before.position) != game.conserved(moment.before.position):
        return
    if canonical(before.view(seat)) == canonical(moment.before.view(seat)):
        yield from in_world(moment, before, seat, moment.entry.row.orders, "what is hidden")


def hidden_before(moment: Moment, seat: int | None, rng: Rng) -> Iterator[World]:
    """What was hidden before the row is dealt anew."""
    if moment.before is not None:
        yield from followed(moment, imagined(moment.before, seat, rng, some=bool(rng.randrange(2))), seat, rng)


def followed(moment: Moment, before: Table, seat: int | None, rng: Rng) -> Iterator[World]:
    """The row on another table; where an order cannot be given there, its mover's hidden choice is another one."""
    orders = [
        order if is_legal(before, order) else other_choice(before, order, seat, rng)
        for order in moment.entry.row.orders
    ]
    yield from in_world(moment, before, seat, orders, "what was hidden before")


def is_legal(table: Table, order: Order) -> bool:
    try:
        table.check(order.seat, plain(order.move))
    except OrderError:
        return False
    return True


def chosen(moment: Moment, seat: int | None, rng: Rng) -> Iterator[World]:
    """Somebody else chooses differently in those fields of an order that are kept secret."""
    orders, before = moment.entry.row.orders, moment.before
    for place, order in enumerate(orders):
        other = other_choice(before, order, seat, rng) if before else order
        if before and other != order:
            others = (*orders[:place], other, *orders[place + 1 :])
            yield from in_world(moment, before, seat, others, "the hidden choice of another seat")


def fallen(moment: Moment, seat: int | None, rng: Rng) -> Iterator[World]:
    """A die or a shuffle falls differently, and the difference lives on; a die that leaves no trace is nobody's secret.

    A shuffle is changed as far as nothing shows: all of it, or else one half and the other, and so on. This is the one
    kind for the setup: nothing was hidden before it.
    """
    row, table = moment.entry.row, moment.table
    key = game_key(table.seed, table.header.entropy)
    draws = [draw for draw in row.draws if draw.size > 1]
    first = rng.randrange(len(draws)) if draws else 0
    for draw in (draws[first:] + draws[:first])[:DRAWS]:
        changes: list[tuple[int, int]] = []
        free: list[int] = []  # places of a shuffle where anything may lie
        found = None
        stretches = [range(draw.size)] if draw.kind == "shuffle" else [range(1, draw.size)] * TRIES
        for _ in range(STRETCHES):
            if not stretches:
                break
            places = stretches.pop(rng.randrange(len(stretches)))
            more = changes + other_fall(draw, places, [*places, *free], rng)
            chance = OtherChance(key, row.number, draw.label, more)
            world = _played(moment, moment.before, row.orders, chance, f"how “{draw.label}” was drawn")
            half = len(places) // 2
            if not is_opened(moment, world, seat):
                changes, found = more, world
                free.extend(places)
            elif draw.kind == "shuffle" and half:
                stretches += [places[:half], places[half:]]
        if found and found.table.position_json != table.position_json:
            yield found


def other_fall(draw: Draw, places: range, free: Sequence[int], rng: Rng) -> list[tuple[int, int]]:
    """Swaps of a stretch of a shuffle, or another face of a die."""
    if draw.kind == "shuffle":
        return [(place, one_of(free, rng)) for place in places]
    return [(one_of(places, rng), rng.randrange(len(draw.result)))]


def in_world(moment: Moment, before: Table, seat: int | None, orders: Sequence[Order], how: str) -> Iterator[World]:
    """The row on another table, if its orders can be given there. The viewer's own always can."""
    for order in orders:
        try:
            before.check(order.seat, plain(order.move))
        except OrderError as error:
            if order.seat == seat:
                reason = f"{order.move} is legal here and refused in another world: {explained(error)}"
                raise Broken(f"{where(before)}: {who(seat)} can tell by its own order {how}: {reason}") from error
            return
    chance = Chance(game_key(before.seed, before.header.entropy), moment.entry.row.number)
    yield _played(moment, before, orders, chance, how)


def _played(moment: Moment, before: Table | None, orders: Sequence[Order], chance: Chance, how: str) -> World:
    table, row = moment.table, moment.entry.row
    game = table.game
    play: Play[Any]
    if before is None:
        play, passed = game.setup(chance), []
    else:
        play = WatchedPlay(decode_position(game, before.position_json), chance)
        passed = play.passed
        phase, moves = game.phases[row.phase], {order.seat: read_move(game, order.move) for order in orders}
        if phase.kind == "sealed":
            phase.reveal(play, moves)
        else:
            phase.apply(play, orders[0].seat, moves[orders[0].seat])
    entry = Entry(msgspec.structs.replace(row, orders=tuple(orders), events=tuple(play.events)), b"", "")
    return World(how, entry, copy_of(table, canonical(play.position)), tuple(passed))


def other_choice(table: Table, order: Order, seat: int | None, rng: Rng) -> Order:
    """An order that looks the same to a viewer: of what it is not told, another choice, if there is one."""
    move = read_move(table.game, order.move)
    if not move.hidden or order.seat == seat:
        return order
    others: list[Move] = []
    for offer in table.offers(order.seat):
        if offer.move is type(move) and set(offer.wrong_fields(move)) <= set(move.hidden):
            drawn = {name: offer.domains[name].sample(rng) for name in move.hidden}
            mixed = {name: _mixed(getattr(move, name), value, rng) for name, value in drawn.items()}
            tries = (msgspec.structs.replace(move, **fields) for fields in (mixed, drawn))
            others.extend(islice((offer.canonical(move) for move in tries if offer.accepts(move)), 1))
    return msgspec.structs.replace(order, move=plain(one_of(others, rng))) if others else order


def _mixed(first: Any, other: Any, rng: Rng) -> Any:
    """A list that is partly the first and partly the other: of a list some may be shown at once and the rest not."""
    if not isinstance(first, tuple) or len(first) != len(other):
        return other
    return tuple(pair[rng.randrange(2)] for pair in zip(first, other, strict=True))


def check_orders_hide_too(moment: Moment, seat: int | None, rng: Rng) -> None:
    """What the events of a row keep from a viewer its orders do not tell either: such a field must be hidden in both.

    It is found by another choice in it that changes nothing except what the events hide.
    """
    row, viewer = moment.entry.row, Viewer(seat)
    if moment.before is None or all(event.seen_by(viewer) == event for event in row.events):
        return
    for place, order in enumerate(row.orders):
        move = read_move(moment.table.game, order.move)
        offers = [offer for offer in moment.before.offers(order.seat) if offer.accepts(move)]
        for name in set(move.__struct_fields__).difference(move.hidden) if order.seat != seat else ():
            value = one_of(offers, rng).domains[name].sample(rng)
            if value == getattr(move, name):
                continue
            other = msgspec.structs.replace(order, move=plain(msgspec.structs.replace(move, **{name: value})))
            orders = (*row.orders[:place], other, *row.orders[place + 1 :])
            for world in in_world(moment, moment.before, seat, orders, ""):
                events = world.entry.row.events
                seen, theirs = ([event.seen_by(viewer) for event in some] for some in (row.events, events))
                if seen == theirs and events != row.events and not is_opened(moment, world, seat):
                    what = f"the {name} of {type(move).__name__}, which its events hide"
                    raise Broken(f"{where(moment.table)}: the order tells {who(seat)} {what}; name it in Move.hidden")


def is_opened(moment: Moment, world: World, seat: int | None) -> bool:
    """Whether the row has shown the viewer something by which it knows the two worlds apart."""
    return canonical(world.table.view(seat)) != canonical(moment.table.view(seat))


def check_row(moment: Moment, world: World, seat: int | None) -> None:
    """A row that leads to what looks the same is told in the same words, unless on the way something showed."""
    table = moment.table
    ours, theirs = (_told(table, entry, seat) for entry in (moment.entry, world.entry))
    if ours == theirs:
        return
    if moment.before is not None:
        (true,) = in_world(moment, moment.before, seat, moment.entry.row.orders, "")
        if _looks(table, true.passed, seat) != _looks(table, world.passed, seat):
            return
    raise Broken(
        f"{where(table)}: the row tells {who(seat)} {world.how}, which its view does not show: "
        f"{difference_of_texts(ours, theirs)}"
    )


def _looks(table: Table, passed: Sequence[bytes], seat: int | None) -> list[bytes]:
    """What a viewer would have seen change in the course of a row."""
    looks = (canonical(table.game.view(decode_position(table.game, text), Viewer(seat))) for text in passed)
    return [look for look, _ in groupby(looks)]


def _told(table: Table, entry: Entry, seat: int | None) -> bytes:
    """A row as a viewer is told it, but for what is made with the key: its hash, and proofs of sealed orders."""
    row = plain(redacted(table.game, entry, Viewer(seat), table.words))
    orders = [
        order | {"commitment": bool(order["commitment"]), "nonce": bool(order["nonce"])} for order in row["orders"]
    ]
    return canonical(row | {"orders": orders, "hash": ""})


def taken_back(before: Any, after: Any, other: Any) -> Any:
    """What stands to `other` as `before` stands to `after`: a position before the row that may lead to another one.

    Where a piece was made or lost in the row there is no such thing, and it stays as it was.
    """
    if before == after:
        return other
    if after == other:
        return before
    if all(isinstance(value, dict) for value in (before, after, other)):
        names = {**before, **after, **other}
        if all(type(value.get(name, 0)) is int for value in (before, after, other) for name in names):
            counts = {name: taken_back(*(value.get(name, 0) for value in (before, after, other))) for name in names}
            return {name: count for name, count in counts.items() if count or name in before}
        if before.keys() == after.keys() == other.keys():
            return {name: taken_back(before[name], after[name], other[name]) for name in before}
    if all(isinstance(value, list) for value in (before, after, other)) and len(after) == len(other):
        if len(before) == len(after):
            return [taken_back(*items) for items in zip(before, after, other, strict=True)]
        start = _common(before, after)
        end = min(_common(before[::-1], after[::-1]), len(before) - start, len(after) - start)
        if after[start : len(after) - end] == other[start : len(other) - end]:
            return other[:start] + before[start : len(before) - end] + other[len(other) - end :]
    if all(type(value) is int for value in (before, after, other)):
        value = before + other - after
        if value >= 0 or min(before, after, other) < 0:
            return value
    return before


def _common(first: list[Any], other: list[Any]) -> int:
    """How many first items two lists share."""
    alike = (mine == yours for mine, yours in zip(first, other, strict=False))
    return sum(1 for _ in takewhile(bool, alike))
