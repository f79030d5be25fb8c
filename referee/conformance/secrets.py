"""What is hidden stays hidden: two worlds that a viewer cannot tell apart look the same on every channel."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from referee.conformance.mutations import NONSENSE, mutations
from referee.conformance.playing import (
    Broken,
    Moment,
    again,
    any_move,
    asking,
    copy_of,
    difference_of_texts,
    differences,
    moments,
    one_of,
    plain,
    submit,
    where,
    who,
)
from referee.contract import EVERYTHING, Event, Viewer, canonical
from referee.errors import OrderError
from referee.log import Entry
from referee.options import Move, Rng, sample, schema
from referee.record import told
from referee.table import AnyGame, Table, read_move

PICTURES = 3  # compared in each game: they are slow
OFTEN = 12  # times that something hidden has been seen before it must have varied at least once


def check_secrets(game: AnyGame, rng: Rng, every: int = 1) -> None:
    """Two worlds that a viewer cannot tell apart give the same bytes on every channel to that viewer."""
    hidden: Counter[str] = Counter()
    varied: set[str] = set()
    pictures = PICTURES
    for moment, close_look in moments(game, rng, every):
        table = moment.table
        check_hidden_fields(moment)
        if not close_look or table.is_over:
            continue
        for seat in (None, *range(game.seats)):
            other = imagined(table, seat, rng)
            check_worlds(table, other, seat, "in an imagined position", pictures > 0, rng)
            places = _hidden_places(table, seat)
            hidden.update(places.keys())
            varied |= {place for place, value in places.items() if _hidden_places(other, seat).get(place) != value}
            if moment.before:
                check_row_in_other_world(moment, seat, rng)
                check_hidden_choice(moment, seat, rng)
            check_no_peeking(table, seat, rng)
        check_envelopes(table, rng)
        pictures -= 1
    same = [place for place, times in hidden.items() if times >= OFTEN and place not in varied]
    if same:
        raise Broken(f"imagine never deals these anew, though views hide them, so that no leak could show: {same}")


def imagined(table: Table, seat: int | None, rng: Rng) -> Table:
    """The table in another world, as like to this one for a seat as two peas."""
    position = table.game.imagine(table.position, Viewer(seat), rng)
    if table.game.conserved(position) != table.game.conserved(table.position):
        raise Broken(f"{where(table)}: imagine does not conserve: {table.game.conserved(position)}")
    return copy_of(table, canonical(position))


def check_worlds(one: Table, other: Table, seat: int | None, how: str, picture: bool, rng: Rng) -> None:
    ours, theirs = channels(one, seat, picture), channels(other, seat, picture)
    for name, seen in ours.items():
        if seen != theirs[name]:
            raise Broken(
                f"{where(one)}: {who(seat)} can tell two worlds apart {how}: {name} differs: "
                f"{difference_of_texts(seen, theirs[name])}"
            )
    if seat is None or not one.offers(seat):
        return
    wrong = list(mutations(one.game, plain(any_move(one, seat, rng)), []))
    for order in [one_of(wrong, rng) for _ in range(5)]:
        answers = [_answer(table, seat, order) for table in (one, other)]
        if answers[0] != answers[1]:
            raise Broken(
                f"{where(one)}: the answer to {order!r:.300} tells {who(seat)} something hidden: "
                f"{difference_of_texts(*answers)}"
            )


def channels(table: Table, seat: int | None, picture: bool) -> dict[str, bytes]:
    """Everything that is shown to a seat or a spectator."""
    game, view = table.game, table.view(seat)
    shown = {"the view": canonical(view), "the text board": game.text(view).encode()}
    if picture:
        shown["the picture"] = game.picture(view).encode()
    if seat is not None:
        offers = table.offers(seat)
        shown["the list of offers"] = canonical([offer.listing() for offer in offers])
        shown["the schema of the offers"] = canonical(schema(offers))
        defaults = [phase.default(table.position, seat) for phase in asking(table, seat) if phase.required]
        shown["the default"] = canonical(defaults)
    return shown


def _answer(table: Table, seat: int, order: Any) -> bytes:
    try:
        return canonical(table.check(seat, order))
    except OrderError as error:
        return canonical(error.to_dict())


def _answer_to_both(table: Table, seat: int, move: Move) -> dict[str, Any]:
    try:
        copy_of(table).submit(seat, [plain(move), NONSENSE])
    except OrderError as error:
        return error.to_dict()
    raise Broken(f"{where(table)}: {NONSENSE} was played")


def _view_after(table: Table, seat: int, move: Move) -> bytes:
    after = copy_of(table)
    submit(after, seat, move)
    return canonical(after.view(seat))


def check_hidden_fields(moment: Moment) -> None:
    """The fields a move or an event calls hidden are null for all who are not to know."""
    table, entry, game = moment.table, moment.entry, moment.table.game
    moves = [read_move(game, order.move) for order in entry.row.orders]
    for thing in (*entry.row.events, *moves):
        unknown = set(thing.hidden).difference(thing.__struct_fields__)
        if unknown:
            raise Broken(f"{type(thing).__name__}.hidden names fields that do not exist: {sorted(unknown)}")
    for seat in (None, *range(game.seats)):
        row = told(game, entry, Viewer(seat), table.words)
        for event, shown in zip(entry.row.events, row.events, strict=True):
            _check_null(table, seat, event, shown, event.knowers())
        for move, order in zip(moves, row.orders, strict=True):
            _check_null(table, seat, move, order["move"], (order["seat"],))


def _check_null(table: Table, seat: int | None, thing: Event | Move, shown: Any, knowers: Sequence[int]) -> None:
    shown_anyway = [name for name in thing.hidden if shown.get(name) is not None]
    if seat not in knowers and shown_anyway:
        raise Broken(f"{where(table)}: {who(seat)} is told the hidden {shown_anyway} of {shown}")


def check_row_in_other_world(moment: Moment, seat: int | None, rng: Rng) -> None:
    """Where a row leads to what looks the same in both worlds, it must also be told in the same words.

    Where it does not, something came to light, and both the view and the events may differ.
    """
    assert moment.before is not None
    other = imagined(moment.before, seat, rng)
    try:
        entry = again(other, moment.entry.row.orders)
    except OrderError:
        return  # the hidden hand of that world does not hold what was played in this one
    if canonical(other.view(seat)) == canonical(moment.table.view(seat)):
        _compare_told(moment, entry, seat, "a row tells more than the view shows after it")


def check_hidden_choice(moment: Moment, seat: int | None, rng: Rng) -> None:
    """Another choice in the hidden fields of an open move that looks the same to the others is told them the same."""
    assert moment.before is not None
    order = moment.entry.row.orders[0]
    move = read_move(moment.table.game, order.move)
    if not move.hidden or order.commitment or order.seat == seat:
        return
    alike = [offer for offer in moment.before.offers(order.seat) if offer.accepts(move)]
    other = copy_of(moment.before)
    entry = again(other, (msgspec.structs.replace(order, move=plain(sample(alike, rng))),))
    if canonical(other.view(seat)) == canonical(moment.table.view(seat)):
        _compare_told(moment, entry, seat, "a row tells the hidden choice of another seat")


def _compare_told(moment: Moment, entry: Entry, seat: int | None, what: str) -> None:
    table = moment.table
    ours, theirs = (
        canonical(msgspec.structs.replace(told(table.game, one, Viewer(seat), table.words), hash=""))
        for one in (moment.entry, entry)
    )
    if ours != theirs:
        raise Broken(f"{where(table)}: to {who(seat)} {what}: {difference_of_texts(ours, theirs)}")


def check_no_peeking(table: Table, seat: int | None, rng: Rng) -> None:
    """A wrong order sent after a good one takes both back: until then nothing new may have been shown.

    The other world has another seed, so that dice and shuffles fall differently there too.
    """
    if seat is None or not asking(table, seat):
        return
    move = any_move(table, seat, rng)
    other = imagined(table, seat, rng)
    other = Table(other.game, other.header, b"another seed", other.text, other.row, other.head, other.sealed)
    answers = [_answer_to_both(world, seat, move) for world in (table, other)]
    if answers[0] != answers[1]:
        found = difference_of_texts(*map(canonical, answers))
        raise Broken(
            f"{where(table)}: the answer to {move} and nonsense after it tells {who(seat)} something new: {found}"
        )
    if answers[0]["code"] != "unknown_type":
        return
    ours, theirs = (_view_after(world, seat, move) for world in (table, other))
    if ours != theirs:
        raise Broken(
            f"{where(table)}: {type(move).__name__} shows seat {seat} something new, and that seat moves on; set its "
            f"`reveals`, or a player can peek and take back: {difference_of_texts(ours, theirs)}"
        )


def check_envelopes(table: Table, rng: Rng) -> None:
    """Of a sealed move the others see that it came in, and nothing else."""
    for mover in table.missing():
        one, other = copy_of(table), copy_of(table)
        for world in (one, other):
            submit(world, mover, any_move(world, mover, rng))
        for seat in (None, *range(table.game.seats)):
            if seat != mover:
                check_worlds(one, other, seat, f"by a sealed move of seat {mover}", False, rng)
            if one.view(seat).sealed != tuple(sorted({*table.sealed, mover})):
                raise Broken(f"{where(table)}: the sealed move of seat {mover} is not noted for {who(seat)}")


def _hidden_places(table: Table, seat: int | None) -> dict[str, Any]:
    """What a view keeps from a viewer, by its place: `players.*.hand`."""
    everything = plain(table.game.view(table.position, EVERYTHING))
    seen = plain(table.game.view(table.position, Viewer(seat)))
    return {re.sub(r"\d+", "*", path): value for path, value, _ in differences(everything, seen) if value}
