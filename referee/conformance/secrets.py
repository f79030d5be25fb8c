"""What is hidden stays hidden: two worlds that a viewer cannot tell apart look the same on every channel."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Any

import msgspec

from referee.conformance.mutations import NONSENSE, mutations
from referee.conformance.playing import (
    Broken,
    Moment,
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
from referee.conformance.worlds import Twin, check_orders_hide_too, check_rows, imagined, other_worlds
from referee.contract import EVERYTHING, Event, Viewer, canonical
from referee.errors import InvalidOrder, OrderError
from referee.moves import read_move
from referee.options import Move, Rng, schema
from referee.orders.deciding import Outlook
from referee.orders.menu import menu
from referee.orders.notation import format_move
from referee.record import redacted
from referee.table import AnyGame, Table

OFTEN = 12  # times that something hidden has been seen before it must have varied at least once
DRAWN = 20  # one in so many pairs of worlds is compared in picture and text: slow, and made from views that are alike
WRONG_ORDERS = 4  # whose answers are compared in each position and for each seat


def check_secrets(game: AnyGame, rng: Rng, every: int = 1) -> None:
    """Two worlds that a viewer cannot tell apart give the same bytes on every channel to that viewer.

    Every row is compared for some viewer with a twin of the game; positions looked at closely, the rows that led there,
    and the first row with an event of each type, for all viewers.
    """
    viewers = (None, *range(game.seats))
    hidden: Counter[str] = Counter()
    varied: set[str] = set()
    met: set[type[Event]] = set()
    twins = [Twin(by_chance=False), Twin(by_chance=True)]
    for moment, close_look in moments(game, rng, every):
        table = moment.table
        check_hidden_fields(moment)
        if table.is_over:
            continue
        check_orders_hide_too(moment, one_of(viewers, rng), rng)
        for twin in twins:
            twin.follow(moment, rng)
        kinds = {type(event) for event in moment.entry.row.events}
        if close_look or kinds - met:
            for seat in viewers:
                check_rows(moment, other_worlds(moment, seat, rng), seat)
        met |= kinds
        if not close_look:
            continue
        for twin in twins:
            if twin.table:
                check_worlds(table, twin.table, twin.seat, "in a game that went the same way", False, rng)
        for seat in viewers:
            other = imagined(table, seat, rng)
            check_worlds(table, other, seat, "in an imagined position", not rng.randrange(DRAWN), rng)
            here, there = _hidden_places(table, seat), _hidden_places(other, seat)
            hidden.update(here.keys())
            varied |= {place for place, value in here.items() if there.get(place) != value}
            check_declared(table, seat, here.keys())
            check_no_peeking(table, seat, rng)
        check_envelopes(table, rng)
    same = [place for place, times in hidden.items() if times >= OFTEN and place not in varied]
    if same:
        raise Broken(f"imagine never deals these anew, though views hide them, so that no leak could show: {same}")


def check_declared(table: Table, seat: int | None, hidden: Collection[str]) -> None:
    """A view keeps what the game calls secret from everybody but its player, and nothing that it does not call so."""
    secrets = table.game.secrets
    undeclared = sorted(set(hidden).difference(secrets))
    if undeclared:
        raise Broken(f"{where(table)}: {who(seat)} is not shown {undeclared}; name it in Game.secrets")
    for path, value in _leaves(plain(table.game.view(table.position, Viewer(seat)))):
        is_own = seat is not None and (not path.startswith("players.") or path.split(".")[1] == str(seat))
        if value and not is_own and _any_number(path) in secrets:
            raise Broken(f"{where(table)}: the view shows {who(seat)} {path}, which Game.secrets names: {value!r:.100}")


def _leaves(tree: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every place of a tree of plain data, with what is there."""
    if path:
        yield path, tree
    if isinstance(tree, dict | list):
        for name, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from _leaves(value, f"{path}.{name}" if path else str(name))


def _any_number(path: str) -> str:
    return re.sub(r"\d+", "*", path)


def check_worlds(first: Table, other: Table, seat: int | None, how: str, drawn: bool, rng: Rng) -> None:
    """Everything shown to a viewer, and every answer to its orders, is the same in two worlds."""
    found = shown_differently(first, other, seat, drawn)
    if found:
        raise Broken(f"{where(first)}: {who(seat)} can tell two worlds apart {how}: {found}")
    if seat is None:
        return
    for orders in submissions(first, seat, rng):
        answers = [answer(table, seat, orders) for table in (first, other)]
        if answers[0] != answers[1]:
            raise Broken(
                f"{where(first)}: the answer to {orders!r:.300} tells {who(seat)} something hidden {how}: "
                f"{difference_of_texts(*answers)}"
            )


def shown_differently(first: Table, other: Table, seat: int | None, drawn: bool = False) -> str:
    """The first difference between what two tables show to a viewer; empty if there is none."""
    ours, theirs = channels(first, seat, drawn), channels(other, seat, drawn)
    unlike = (name for name in ours if ours[name] != theirs[name])
    return next((f"{name} differs: {difference_of_texts(ours[name], theirs[name])}" for name in unlike), "")


def channels(table: Table, seat: int | None, drawn: bool) -> dict[str, bytes]:
    """Everything that is shown to a seat or a spectator."""
    game, view = table.game, table.view(seat)
    shown = {"the view": canonical(view)}
    if drawn:
        shown |= {"the text board": game.text(view).encode(), "the picture": game.picture(view).encode()}
        shown |= {f"the text board, {part}": game.text(view, part).encode() for part in ("full", *game.parts)}
        shown |= {f"the picture, {part}": game.picture(view, part).encode() for part in game.parts}
    if seat is not None:
        offers = table.offers(seat)
        hints = table.hints(seat)
        shown["the list of offers"] = canonical([offer.listing(hints(offer)) for offer in offers])
        if drawn:
            shown["the menu"] = canonical([(choice.text, choice.note) for choice in menu(game, offers, hints)])
        shown["the schema of the offers"] = canonical(schema(offers))
        defaults = [phase.default(table.position, seat) for phase in asking(table, seat) if phase.required]
        shown["the default"] = canonical(defaults)
        shown["the facts"] = canonical(Outlook(table, seat).facts())
    return shown


def submissions(table: Table, seat: int, rng: Rng) -> list[list[Any]]:
    """Things a seat could send: right, nearly right and wrong, as data and as text."""
    asked = sorted({decision.seat for decision in table.decisions()})
    move = any_move(table, seat if seat in asked else one_of(asked, rng), rng)
    text = format_move(table.game, move)
    if seat not in asked:
        return [[text]]
    wrong = list(mutations(table.game, plain(move), []))
    tries = (one_of(wrong, rng) for _ in range(5 * WRONG_ORDERS))
    readable = islice((order for order in tries if _is_readable(table.game, order)), WRONG_ORDERS)
    return [
        [plain(move)],
        [text],
        [text[: rng.randrange(len(text))]],
        [one_of(wrong, rng)],
        *([order] for order in readable),
    ]


def _is_readable(game: AnyGame, order: Any) -> bool:
    """Whether an order is of a known shape: only then the position has a part in the answer."""
    try:
        read_move(game, order)
    except InvalidOrder:
        return False
    return True


def answer(table: Table, seat: int, orders: list[Any]) -> bytes:
    """What a seat hears of a submission without what it led to: how it was read and a receipt, or why not."""
    try:
        outcome = copy_of(table).submit(seat, orders)
    except OrderError as error:
        return canonical(error.to_dict())
    return canonical([outcome.readings, outcome.receipt])


def check_hidden_fields(moment: Moment) -> None:
    """The fields a move or an event calls hidden are null for all who are not to know."""
    table, entry, game = moment.table, moment.entry, moment.table.game
    moves = [read_move(game, order.move) for order in entry.row.orders]
    for thing in (*entry.row.events, *moves):
        unknown = set(thing.hidden).difference(thing.__struct_fields__)
        if unknown:
            raise Broken(f"{type(thing).__name__}.hidden names fields that do not exist: {sorted(unknown)}")
    for seat in (None, *range(game.seats)):
        row = redacted(game, entry, Viewer(seat), table.words)
        for event, shown in zip(entry.row.events, row.events, strict=True):
            _check_null(table, seat, event, shown, event.knowers())
        for move, order in zip(moves, row.orders, strict=True):
            _check_null(table, seat, move, order["move"], (order["seat"],))


def _check_null(table: Table, seat: int | None, thing: Event | Move, shown: Any, knowers: Sequence[int]) -> None:
    shown_anyway = [name for name in thing.hidden if shown.get(name) is not None]
    if seat not in knowers and shown_anyway:
        raise Broken(f"{where(table)}: {who(seat)} is told the hidden {shown_anyway} of {shown}")


def check_no_peeking(table: Table, seat: int | None, rng: Rng) -> None:
    """A wrong order sent after a good one takes both back: until then nothing new may have been shown.

    The other world has another seed, so that dice and shuffles fall differently there too.
    """
    if seat is None or not asking(table, seat):
        return
    move = any_move(table, seat, rng)
    other = imagined(table, seat, rng)
    other = copy_of(other, seed=b"another seed")
    ours, theirs = (answer(world, seat, [plain(move), NONSENSE]) for world in (table, other))
    if ours != theirs:
        raise Broken(
            f"{where(table)}: the answer to {move} and nonsense after it tells {who(seat)} something new: "
            f"{difference_of_texts(ours, theirs)}"
        )
    if msgspec.json.decode(ours)["code"] != "unknown_type":
        return
    after = [copy_of(world) for world in (table, other)]
    for world in after:
        world.submit(seat, [plain(move)])
    found = shown_differently(after[0], after[1], seat)
    if found.startswith("the view"):
        raise Broken(
            f"{where(table)}: {type(move).__name__} shows seat {seat} something new, and that seat moves on; set its "
            f"`reveals`, or a player can peek and take back: {found}"
        )
    if found:
        raise Broken(f"{where(table)}: {who(seat)} can tell two worlds apart after its {move}: {found}")


def check_envelopes(table: Table, rng: Rng) -> None:
    """Of a sealed move the others see that it came in, and nothing else."""
    for mover in table.missing():
        first, other = copy_of(table), copy_of(table)
        for world in (first, other):
            submit(world, mover, any_move(world, mover, rng))
        for seat in (None, *range(table.game.seats)):
            if seat != mover:
                check_worlds(first, other, seat, f"by a sealed move of seat {mover}", False, rng)
            if first.view(seat).sealed != tuple(sorted({*table.sealed, mover})):
                raise Broken(f"{where(table)}: the sealed move of seat {mover} is not noted for {who(seat)}")


def _hidden_places(table: Table, seat: int | None) -> dict[str, Any]:
    """What a view keeps from a viewer, by its place: `players.*.hand`."""
    everything = plain(table.game.view(table.position, EVERYTHING))
    seen = plain(table.game.view(table.position, Viewer(seat)))
    return {_any_number(path): value for path, value, _ in differences(everything, seen) if value}
