"""Other ways in which a row may have come about, of which a viewer cannot say that they are not the true one.

What tells a viewer how a row went is its view before, the orders as the log tells them to it, and its view after; where
something was turned up and put away again in between, also its view at that time. Worlds that are alike in these are
one world to it, and must tell it the row in the same bytes: no event says what they do not settle. A secret is lawfully
opened by a row when the views differ. Such a world is given up there and not earlier, and others are made in which the
same came to light while the rest is hidden differently: so what is told beside something lawfully opened is compared
too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice, takewhile
from typing import Any

import msgspec

from referee.chance import Chance, game_key
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
from referee.options import Move, Rng
from referee.record import told
from referee.table import Table, decode_position, read_move

MOST_SWAPS = 6  # of a shuffle that falls differently
TRIES = 4  # to make a world of a kind that looks the same after a row


@dataclass(frozen=True)
class World:
    """Another way a row may have gone: what differs, the row, the table after it, the position at each event."""

    how: str
    entry: Entry
    table: Table
    passed: tuple[bytes, ...]


class WatchedPlay(Play[Any]):
    """A move being played, and the position at each event."""

    def __init__(self, position: Any, chance: Chance) -> None:
        super().__init__(position, chance)
        self.passed: list[bytes] = []

    def tell(self, event: Event) -> None:
        super().tell(event)
        self.passed.append(canonical(self.position))


class OtherChance(Chance):
    """The chance of a row with one draw that falls a little differently, so that most of what shows still does."""

    def __init__(self, key: bytes, row: int, label: str, rng: Rng) -> None:
        super().__init__(key, row)
        self.label = label
        self.rng = rng

    def below(self, label: str, bound: int) -> int:
        value = super().below(label, bound)
        return self._other(value, bound) if label == self.label else value

    def roll(self, label: str, dice: int = 2, sides: int = 6) -> tuple[int, ...]:
        faces = super().roll(label, dice, sides)
        if label != self.label:
            return faces
        die = self.rng.randrange(dice)
        return (*faces[:die], 1 + self._other(faces[die] - 1, sides), *faces[die + 1 :])

    def shuffle(self, label: str, things: Sequence[Any]) -> list[Any]:
        shuffled = super().shuffle(label, things)
        for _ in range(1 + self.rng.randrange(MOST_SWAPS) if label == self.label and shuffled else 0):
            one, other = self.rng.randrange(len(shuffled)), self.rng.randrange(len(shuffled))
            shuffled[one], shuffled[other] = shuffled[other], shuffled[one]
        return shuffled

    def _other(self, value: int, bound: int) -> int:
        return (value + 1 + self.rng.randrange(bound - 1)) % bound if bound > 1 else value


def imagined(table: Table, seat: int | None, rng: Rng) -> Table:
    """The table in another world, as like to this one for a seat as two peas."""
    position = table.game.imagine(table.position, Viewer(seat), rng)
    if table.game.conserved(position) != table.game.conserved(table.position):
        raise Broken(f"{where(table)}: imagine does not conserve: {table.game.conserved(position)}")
    return copy_of(table, canonical(position))


def other_worlds(moment: Moment, seat: int | None, rng: Rng) -> Iterator[World]:
    """For one row and viewer a world of every kind that looks the same after the row, where one is soon found."""
    for make in (fallen, chosen, hidden_before_and_after, hidden_before):
        worlds = (world for _ in range(TRIES) for world in make(moment, seat, rng))
        yield from islice((world for world in worlds if not is_opened(moment, world, seat)), 1)


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
        self.table = world.table if world else None
        if not world and not self.by_chance:
            check_row_in_other_worlds(moment, self.seat, rng)
        if not world:
            self.renew(moment, rng)

    def renew(self, moment: Moment, rng: Rng) -> None:
        table = moment.table
        self.seat = one_of((None, *range(table.game.seats)), rng)
        if self.by_chance:
            worlds = (world for world in fallen(moment, self.seat, rng) if not is_opened(moment, world, self.seat))
            self.table = next((world.table for world in worlds), None)
        else:
            self.table = imagined(table, self.seat, rng)


def check_row_in_other_worlds(moment: Moment, seat: int | None, rng: Rng) -> None:
    for world in other_worlds(moment, seat, rng):
        check_row(moment, world, seat)


def hidden_before_and_after(moment: Moment, seat: int | None, rng: Rng) -> Iterator[World]:
    """What is still hidden after the row is dealt anew, and the row taken back from there."""
    if moment.before is None:
        return
    after = imagined(moment.table, seat, rng)
    try:
        text = canonical(taken_back(*(msgspec.json.decode(one.text) for one in (moment.before, moment.table, after))))
        before = copy_of(moment.before, text)
        if before.game.conserved(before.position) != before.game.conserved(moment.before.position):
            return
    except (Tangled, msgspec.ValidationError):
        return
    if canonical(before.view(seat)) == canonical(moment.before.view(seat)):
        yield from in_world(moment, before, seat, moment.entry.row.orders, "what is hidden")


def hidden_before(moment: Moment, seat: int | None, rng: Rng) -> Iterator[World]:
    """What was hidden before the row is dealt anew."""
    if moment.before is not None:
        yield from followed(moment, imagined(moment.before, seat, rng), seat, rng)


def followed(moment: Moment, before: Table, seat: int | None, rng: Rng) -> Iterator[World]:
    """The row on another table; what others keep secret of their orders is chosen to suit."""
    orders = [other_choice(before, order, seat, rng) for order in moment.entry.row.orders]
    yield from in_world(moment, before, seat, orders, "what was hidden before")


def chosen(moment: Moment, seat: int | None, rng: Rng) -> Iterator[World]:
    """Somebody else chooses differently in those fields of an order that are kept secret."""
    if moment.before is not None:
        orders = list(moment.entry.row.orders)
        place = rng.randrange(len(orders))
        orders[place] = other_choice(moment.before, orders[place], seat, rng)
        if orders[place] != moment.entry.row.orders[place]:
            yield from in_world(moment, moment.before, seat, orders, "the hidden choice of another seat")


def fallen(moment: Moment, seat: int | None, rng: Rng) -> Iterator[World]:
    """A die or a shuffle falls differently, and the difference lives on; a die that leaves no trace is nobody's secret.

    This is the one kind for the setup: nothing was hidden before it.
    """
    row, table = moment.entry.row, moment.table
    labels = [draw.label for draw in row.draws if draw.size > 1]
    if labels:
        label = one_of(labels, rng)
        chance = OtherChance(game_key(table.seed, table.header.entropy), row.row, label, rng)
        world = _played(moment, moment.before, row.orders, chance, f"how “{label}” was drawn")
        if world.table.text != table.text:
            yield world


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
    chance = Chance(game_key(before.seed, before.header.entropy), moment.entry.row.row)
    yield _played(moment, before, orders, chance, how)


def _played(moment: Moment, before: Table | None, orders: Sequence[Order], chance: Chance, how: str) -> World:
    table, row = moment.table, moment.entry.row
    game = table.game
    play: Play[Any]
    if before is None:
        play, passed = game.setup(chance), []
    else:
        play = WatchedPlay(decode_position(game, before.text), chance)
        passed = play.passed
        phase, moves = game.phases[row.phase], {order.seat: read_move(game, order.move) for order in orders}
        if phase.kind == "sealed":
            phase.reveal(play, moves)
        else:
            phase.play(play, orders[0].seat, moves[orders[0].seat])
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
            others.append(offer.canonical(msgspec.structs.replace(move, **drawn)))
    return msgspec.structs.replace(order, move=plain(one_of(others, rng))) if others else order


def is_opened(moment: Moment, world: World, seat: int | None) -> bool:
    """Whether the row has shown the viewer something by which it knows the two worlds apart."""
    return canonical(world.table.view(seat)) != canonical(moment.table.view(seat))


def check_row(moment: Moment, world: World, seat: int | None) -> None:
    """A row that leads to what looks the same is told in the same words, unless on the way something showed."""
    table = moment.table
    ours, theirs = (_told(table, one, seat) for one in (moment.entry, world.entry))
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
    row = plain(told(table.game, entry, Viewer(seat), table.words))
    orders = [
        order | {"commitment": bool(order["commitment"]), "nonce": bool(order["nonce"])} for order in row["orders"]
    ]
    return canonical(row | {"orders": orders, "hash": ""})


class Tangled(Exception):
    """A row cannot be taken back piece by piece."""


def taken_back(before: Any, after: Any, other: Any) -> Any:
    """What stands to `other` as `before` stands to `after`: a position before the row that leads to another one."""
    if before == after:
        return other
    if after == other:
        return before
    if all(isinstance(one, dict) for one in (before, after, other)):
        names = {**before, **after, **other}
        if all(type(one.get(name, 0)) is int for one in (before, after, other) for name in names):
            counts = {name: taken_back(*(one.get(name, 0) for one in (before, after, other))) for name in names}
            return {name: count for name, count in counts.items() if count or name in before}
        if before.keys() == after.keys() == other.keys():
            return {name: taken_back(before[name], after[name], other[name]) for name in before}
    if all(isinstance(one, list) for one in (before, after, other)) and len(after) == len(other):
        if len(before) == len(after):
            return [taken_back(*items) for items in zip(before, after, other, strict=True)]
        start = _common(before, after)
        end = min(_common(before[::-1], after[::-1]), len(before) - start, len(after) - start)
        if after[start : len(after) - end] == other[start : len(other) - end]:
            return other[:start] + before[start : len(before) - end] + other[len(other) - end :]
    if all(type(one) is int for one in (before, after, other)):
        value = before + other - after
        if value >= 0 or min(before, after, other) < 0:
            return value
    raise Tangled


def _common(one: list[Any], other: list[Any]) -> int:
    """How many first items two lists share."""
    alike = (mine == yours for mine, yours in zip(one, other, strict=False))
    return sum(1 for _ in takewhile(bool, alike))
