"""Random games, row by row, and what the checks share."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from referee.contract import Decision, canonical
from referee.errors import OrderError
from referee.log import Entry, Order
from referee.options import Move, Rng, sample
from referee.table import AnyGame, Table, open_table

T = TypeVar("T")

PLAYERS = ("Ada", "Béla", "Chen", "Dora", "Emil", "Fatma", "Gus", "Hana")
MOST_ROWS = 5000  # a random game that lasts longer is taken to be stuck
EARLY_ROWS = 40  # rows before which nobody ends the game with an answer that need not be given, such as to resign
RARITIES = (3, 30, 300)  # one in so many times a question that needs no answer gets one; drawn for each game and phase

Choose = Callable[[Table, Decision, Rng], Move]


class Broken(AssertionError):
    """A game does not keep what every game must."""


@dataclass(frozen=True)
class Moment:
    """A game after a row: the table before it (None at the setup), the row, and the table now."""

    before: Table | None
    entry: Entry
    table: Table


def random_answer(table: Table, decision: Decision, rng: Rng) -> Move:
    return sample(table.game.phases[decision.phase].offers(table.position, decision.seat), rng)


def eager_answer(table: Table, decision: Decision, rng: Rng) -> Move:
    """A move that does something, where there is one: not what the clock would play."""
    moves = [random_answer(table, decision, rng) for _ in range(4)]
    passive = table.default(decision.seat) if decision.required else None
    return next((move for move in moves if move != passive), moves[0])


def any_move(table: Table, seat: int, rng: Rng) -> Move:
    """A random legal move of a seat."""
    return sample(table.offers(seat), rng)


def play(game: AnyGame, rng: Rng, choose: Choose = random_answer, board_data: Any = None) -> Iterator[Moment]:
    """A random game, row by row, to its end. The same table comes every time, one row further on."""
    seed = bytes(rng.randrange(256) for _ in range(32))
    rarities = _rarities(game, rng)
    table, entry = open_table(game, PLAYERS[: game.seats], seed, board_data=board_data)
    yield Moment(None, entry, table)
    yield from play_on(table, rng, choose, rarities)


def play_on(
    table: Table, rng: Rng, choose: Choose = random_answer, rarities: Mapping[str, int] | None = None
) -> Iterator[Moment]:
    """The same from where a table is."""
    rarities = _rarities(table.game, rng) if rarities is None else rarities
    while not table.is_over:
        if table.sequence >= MOST_ROWS:
            raise Broken(f"{where(table)}: the game has not ended after {MOST_ROWS} rows; random players are stuck")
        before = copy_of(table)
        yield Moment(before, _next_row(table, rng, choose, rarities), table)


def _rarities(game: AnyGame, rng: Rng) -> dict[str, int]:
    return {name: one_of(RARITIES, rng) for name, phase in game.phases.items() if not phase.required}


def _next_row(table: Table, rng: Rng, choose: Choose, rarities: Mapping[str, int]) -> Entry:
    """An open move of somebody, or all sealed moves and their reveal."""
    while table.sealed_phase() is None or table.missing():
        decision = _question(table, rng, rarities)
        move = choose(table, decision, rng)
        if not decision.required and table.sequence < EARLY_ROWS and _ends(table, decision.seat, move):
            continue
        entry = submit(table, decision.seat, move)
        if entry:
            return entry
    try:
        return table.reveal()
    except Exception as error:
        moves = {seat: sealed.order.move for seat, sealed in table.sealed.items()}
        raise Broken(f"{where(table)}: the reveal of {moves} crashed: {error!r}") from error


def _ends(table: Table, seat: int, move: Move) -> bool:
    after = copy_of(table)
    submit(after, seat, move)
    return after.is_over


def _question(table: Table, rng: Rng, rarities: Mapping[str, int]) -> Decision:
    """The decision to answer next: mostly one that must be answered."""
    decisions = table.decisions()
    waiting = [decision for decision in decisions if decision.kind == "open" or decision.seat not in table.sealed]
    required = [decision for decision in waiting if decision.required]
    if not required:
        raise Broken(f"{where(table)}: the game is not over and waits for nobody; open decisions: {waiting}")
    optional = [decision for decision in waiting if not decision.required]
    optional = [decision for decision in optional if not rng.randrange(rarities[decision.phase])]
    return one_of(optional or required, rng)


def submit(table: Table, seat: int, move: Move) -> Entry | None:
    """The row of an offered move, None if it was sealed."""
    try:
        entries = table.submit(seat, [plain(move)]).entries
    except OrderError as error:
        raise Broken(
            f"{where(table)}: seat {seat} was offered {move} and it was refused: {explained(error)}"
        ) from error
    except Exception as error:
        raise Broken(f"{where(table)}: seat {seat} was offered {move} and playing it crashed: {error!r}") from error
    return entries[0] if entries else None


def moments(game: AnyGame, rng: Rng, every: int = 1) -> Iterator[tuple[Moment, bool]]:
    """A random game, and whether to look closely at this position: at the first, the last and one in `every` others."""
    for moment in play(game, rng):
        table = moment.table
        yield moment, moment.before is None or table.is_over or not rng.randrange(every)
        if canonical(table.position) != table.position_json:
            raise Broken(f"{where(table)}: looking at the position changed it; only apply_... and reveal may do that")


def copy_of(table: Table, position_json: bytes | None = None, seed: bytes | None = None) -> Table:
    """The same table, or its twin in another position or with another seed."""
    position_json, seed = position_json or table.position_json, seed or table.seed
    return Table(table.game, table.header, seed, position_json, table.sequence, table.head, table.sealed, table.names)


def again(table: Table, orders: Sequence[Order]) -> Entry:
    """Plays the orders of a row on another table."""
    for order in orders:
        outcome = table.submit(order.seat, [order.move], order.by)
        if outcome.entries:
            return outcome.entries[0]
    return table.reveal()


def asking(table: Table, seat: int) -> list[Any]:
    """The phases in which a seat has a decision."""
    return [phase for phase in table.game.open_phases(table.position) if seat in phase.seats(table.position)]


def accept(table: Table, seat: int, order: Any, how: str = "was offered") -> Move:
    """The move of an order that must be legal."""
    try:
        return table.check(seat, order)
    except OrderError as error:
        raise Broken(f"{where(table)}: seat {seat} {how} {order} and it was refused: {explained(error)}") from error
    except Exception as error:
        raise Broken(f"{where(table)}: seat {seat} {how} {order} and it crashed the check: {error!r}") from error


def plain(thing: Any) -> Any:
    """A thing as JSON would bring it."""
    return msgspec.json.decode(canonical(thing))


def where(table: Table) -> str:
    position = table.position
    return f"{table.game.name}, {table.game.seats} players, row {table.sequence}, phase {position.phase}"


def explained(error: OrderError) -> str:
    return f"{error.message} ({error.kind}, {error.code})"


def who(seat: int | None) -> str:
    return "a spectator" if seat is None else f"seat {seat}"


def differences(first: Any, other: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The places where two trees of plain data differ, with the values there."""
    if isinstance(first, dict) and isinstance(other, dict) and first.keys() == other.keys():
        for key in first:
            yield from differences(first[key], other[key], f"{path}.{key}" if path else str(key))
    elif isinstance(first, list) and isinstance(other, list) and len(first) == len(other):
        for index, (mine, yours) in enumerate(zip(first, other, strict=True)):
            yield from differences(mine, yours, f"{path}.{index}" if path else str(index))
    elif first != other:
        yield path, first, other


def difference_of_texts(first: bytes, other: bytes) -> str:
    """The first difference of two JSON texts, or of two texts."""
    try:
        path, mine, yours = next(differences(msgspec.json.decode(first), msgspec.json.decode(other)))
        return f"{path}: {mine!r:.200} against {yours!r:.200}"
    except msgspec.DecodeError:
        unlike = (place for place, (a, b) in enumerate(zip(first, other, strict=False)) if a != b)
        place = next(unlike, min(len(first), len(other)))
        start = max(0, place - 60)
        return f"at byte {place}: {first[start : place + 60]!r} against {other[start : place + 60]!r}"


def one_of(things: Sequence[T], rng: Rng) -> T:
    return things[rng.randrange(len(things))]
