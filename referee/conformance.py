"""What every game must keep, tried out on random games. See tests/conformance for the tests, `./waybill soak` for more.

Each of `PARTS` plays a random game to its end and examines the positions and rows on the way; what does not hold is
raised as `Broken`, in words for the author of the game. All chance comes from the `Rng` handed in.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
from jsonschema import Draft202012Validator

from referee.contract import EVERYTHING, Decision, Event, Viewer, canonical, digest
from referee.errors import IllegalOrder, OrderError, RecordError
from referee.games import game_of
from referee.log import Entry, Order, enter, first_link
from referee.mutations import STRANGE_LINES, mutations
from referee.notation import format_move
from referee.options import Move, Offer, Rng, Way, sample, schema, type_name
from referee.record import Record, close, export, load, replay, told, transcript, verify
from referee.table import MOST_ORDERS, AnyGame, Table, deal, open_table, read_event, read_move

T = TypeVar("T")

PLAYERS = ("Ada", "Béla", "Chen", "Dora", "Emil", "Fatma", "Gus", "Hana")
MOST_ROWS = 5000  # a random game that lasts longer is taken to be stuck
RARITIES = (3, 30, 300)  # one in so many times a question that needs no answer gets one; drawn for each game and phase
MUTATIONS = 25  # tried in each position and for each seat
FLIPPED_BYTES = 6  # tried in each record
PICTURES = 3  # compared in each game: they are slow
OFTEN = 12  # times that something hidden has been seen before it must have varied at least once

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


def play(game: AnyGame, rng: Rng, choose: Choose = random_answer, board_data: Any = None) -> Iterator[Moment]:
    """A random game, row by row, to its end. The same table comes every time, one row further on."""
    seed = bytes(rng.randrange(256) for _ in range(32))
    rarities = {name: _one(RARITIES, rng) for name, phase in game.phases.items() if not phase.required}
    table, entry = open_table(game, PLAYERS[: game.seats], seed, board_data=board_data)
    yield Moment(None, entry, table)
    while not table.is_over:
        if table.row >= MOST_ROWS:
            raise Broken(f"{where(table)}: the game has not ended after {MOST_ROWS} rows; random players are stuck")
        before = copy_of(table)
        yield Moment(before, _next_row(table, rng, choose, rarities), table)


def _next_row(table: Table, rng: Rng, choose: Choose, rarities: Mapping[str, int]) -> Entry:
    """An open move of somebody, or all sealed moves and their reveal."""
    while table.sealed_phase() is None or table.missing():
        decision = _question(table, rng, rarities)
        entry = _submit(table, decision.seat, choose(table, decision, rng))
        if entry:
            return entry
    try:
        return table.reveal()
    except Exception as error:
        moves = {seat: sealed.order.move for seat, sealed in table.sealed.items()}
        raise Broken(f"{where(table)}: the reveal of {moves} crashed: {error!r}") from error


def _question(table: Table, rng: Rng, rarities: Mapping[str, int]) -> Decision:
    """The decision to answer next: mostly one that must be answered."""
    waiting = [one for one in table.decisions() if one.kind == "open" or one.seat not in table.sealed]
    required = [one for one in waiting if one.required]
    if not required:
        raise Broken(f"{where(table)}: the game is not over and waits for nobody; open decisions: {waiting}")
    optional = [one for one in waiting if not one.required and not rng.randrange(rarities[one.phase])]
    return _one(optional or required, rng)


def any_move(table: Table, seat: int, rng: Rng) -> Move:
    """A random legal move of a seat."""
    return sample(table.offers(seat), rng)


def _submit(table: Table, seat: int, move: Move) -> Entry | None:
    """The row of an offered move, None if it was sealed."""
    try:
        entries = table.submit(seat, [plain(move)]).entries
    except OrderError as error:
        raise Broken(f"{where(table)}: seat {seat} was offered {move} and it was refused: {_error(error)}") from error
    except Exception as error:
        raise Broken(f"{where(table)}: seat {seat} was offered {move} and playing it crashed: {error!r}") from error
    return entries[0] if entries else None


def moments(game: AnyGame, rng: Rng, every: int = 1) -> Iterator[tuple[Moment, bool]]:
    """A random game, and whether to look closely at this position: at the first, the last and one in `every` others."""
    for moment in play(game, rng):
        table = moment.table
        yield moment, moment.before is None or table.is_over or not rng.randrange(every)
        if canonical(table.position) != table.text:
            raise Broken(f"{where(table)}: looking at the position changed it; only play_... and reveal may do that")


def course(game: AnyGame, rng: Rng, every: int = 1) -> None:
    """The game comes to an end, always asks somebody, and loses nothing that it must keep."""
    sums: dict[str, int] = {}
    for moment, close_look in moments(game, rng, every):
        table = moment.table
        check_decisions(table)
        sums = sums or dict(game.conserved(table.position))
        now = dict(game.conserved(table.position))
        changed = {name: (was, now.get(name)) for name, was in sums.items() if now.get(name) != was}
        if changed or now.keys() != sums.keys():
            orders = [order.move for order in moment.entry.row.orders]
            raise Broken(f"{where(table)}: {orders} did not conserve (before, after): {changed or now.keys()}")
        if close_look:
            check_position_data(table)
            check_standings(table)


def check_decisions(table: Table) -> None:
    """While a game lasts somebody is asked, can answer, and has a default; when it is over nobody is."""
    decisions, ending = table.decisions(), table.position.ending
    if ending and ending not in table.game.endings:
        raise Broken(f"{where(table)}: the game ended with {ending!r}, which is not among its endings")
    if ending and decisions:
        raise Broken(f"{where(table)}: the game is over and still asks {decisions}")
    if not ending and not any(one.required for one in decisions):
        raise Broken(f"{where(table)}: the game is not over and waits for nobody; open decisions: {decisions}")
    repeated = [key for key, n in Counter((one.seat, one.phase) for one in decisions).items() if n > 1]
    if repeated:
        raise Broken(f"{where(table)}: asked twice (seat, phase): {repeated}")
    for one in decisions:
        if one.seat not in range(table.game.seats):
            raise Broken(f"{where(table)}: there is no seat {one.seat} to ask")
        _check_sentence(table, f"the prompt for seat {one.seat}", one.prompt)
        if not table.offers(one.seat):
            raise Broken(f"{where(table)}: seat {one.seat} is asked “{one.prompt}” and is offered nothing")
        if one.required:
            check_default(table, one.seat)


def check_default(table: Table, seat: int) -> None:
    """What the clock plays is legal."""
    for phase in asking(table, seat):
        if phase.required:
            move = phase.default(table.position, seat)
            accept(table, seat, plain(move), "has as its default")


def check_position_data(table: Table) -> None:
    """A position is ints, strings, lists, and comes back from its text as it was."""
    for path, value in leaves(msgspec.json.decode(table.text)):
        if isinstance(value, float):
            raise Broken(f"{where(table)}: position.{path} is {value}: a position holds no floats")


def check_standings(table: Table) -> None:
    """Every seat is there once; at the end with a place, best first, and a score."""
    for seat in (None, *range(table.game.seats)):
        standings = table.view(seat).standings
        if sorted(one.seat for one in standings) != list(range(table.game.seats)):
            raise Broken(f"{where(table)}: the standings do not hold every seat once: {standings}")
    if table.is_over:
        places = [one.place for one in standings]
        expected = [None if one is None else 1 + sum(other < one for other in places if other) for one in places]
        if None in places or places != sorted(expected, key=lambda place: place or 0):
            raise Broken(f"{where(table)}: final places {places}: best first; ties share a place, the next counts on")


def options(game: AnyGame, rng: Rng, every: int = 1) -> None:
    """Whatever is drawn from an offered domain is accepted, and nothing else is; a refusal changes nothing."""
    for moment, close_look in moments(game, rng, every):
        if close_look:
            table = moment.table
            if table.missing():
                table = copy_of(table)
                seat = _one(table.missing(), rng)
                _submit(table, seat, any_move(table, seat, rng))  # an envelope that a refusal must not touch
            asked = sorted({one.seat for one in table.decisions()})
            for seat in asked:
                check_offers(table, seat, rng)
            for seat in {-1, game.seats, rng.randrange(game.seats)}.difference(asked):
                check_silence(table, seat, rng)


def check_offers(table: Table, seat: int, rng: Rng) -> None:
    """The promise of the offers, both ways, for one seat in one position."""
    offers = table.offers(seat)
    document = schema(offers)
    Draft202012Validator.check_schema(document)
    validator = Draft202012Validator(document)
    drawn = [offer.sample(rng) for offer in offers]
    for move in drawn:
        order = plain(move)
        if accept(table, seat, order) != move:
            raise Broken(f"{where(table)}: {move} is drawn from the offers and logged as {accept(table, seat, order)}")
        if not validator.is_valid(order):
            raise Broken(f"{where(table)}: {move} is drawn from the offers, but their JSON Schema refuses {order}")
    move = _one(drawn, rng)
    check_all_or_nothing(table, seat, move)
    wrong = list(mutations(table.game, plain(move), [plain(one) for one in drawn]))
    for _ in range(MUTATIONS):
        check_order(table, seat, _one(wrong, rng), validator, offers)
    check_line(table, seat, _one(STRANGE_LINES, rng))


def check_order(table: Table, seat: int, order: Any, validator: Draft202012Validator, offers: Sequence[Offer]) -> None:
    """The engine and the schema agree on an order; if it is refused, it is refused well."""
    error = refusal(table, seat, order)
    is_valid = validator.is_valid(order)
    if error is None and not is_valid:
        raise Broken(f"{where(table)}: seat {seat}: {order} is accepted, but the JSON Schema of the offers refuses it")
    if error is not None and is_valid and not _has_way(offers, order):
        raise Broken(
            f"{where(table)}: seat {seat}: the JSON Schema of the offers accepts {order}, "
            f"but it is refused: {_error(error)}"
        )


def _has_way(offers: Sequence[Offer], order: Any) -> bool:
    """Whether the order has a field that the schema describes only in part."""
    alike = [offer for offer in offers if isinstance(order, dict) and type_name(offer.move) == order.get("type")]
    return any(isinstance(domain, Way) for offer in alike for domain in offer.domains.values())


def refusal(table: Table, seat: int, order: Any) -> OrderError | None:
    """Why an order is refused, None if it is legal. A refusal is checked for good manners."""
    state = _state(table)
    try:
        table.check(seat, order)
        return None
    except OrderError as error:
        found = error
    except Exception as error:
        raise Broken(f"{where(table)}: seat {seat}: {order!r:.400} crashed the check: {error!r}") from error
    if _state(table) != state:
        raise Broken(f"{where(table)}: seat {seat}: {order!r:.400} was refused and changed the game all the same")
    _check_refused(table, seat, [order], found.code, 0)
    if not found.code or not found.message:
        raise Broken(f"{where(table)}: seat {seat}: {order!r:.400} is refused without a code or a message: {found!r}")
    if isinstance(found, IllegalOrder) and asking(table, seat):
        if found.nearest is None:
            raise Broken(f"{where(table)}: seat {seat}: {order!r:.400} is refused and nothing legal named instead")
        accept(table, seat, found.nearest, f"was refused {order!r:.400} and told that the nearest legal move is")
    return found


def _check_refused(table: Table, seat: int, orders: Sequence[Any], code: str, index: int) -> None:
    """A submission is refused at the place of the wrong order, and nothing is different afterwards."""
    trial = copy_of(table)
    try:
        trial.submit(seat, orders)
    except OrderError as error:
        if (error.code, error.index) != (code, index):
            found = f"{error.code} at order {error.index}"
            raise Broken(f"{where(table)}: {orders!r:.400}: {found} instead of {code} at order {index}") from error
    else:
        raise Broken(f"{where(table)}: seat {seat}: {orders!r:.400} was played although the check refused it")
    if _state(trial) != _state(table):
        raise Broken(f"{where(table)}: seat {seat}: {orders!r:.400} was refused and changed the game all the same")


def check_all_or_nothing(table: Table, seat: int, move: Move) -> None:
    """A good order followed by one that cannot be read: neither is played."""
    trial = copy_of(table)
    if _submit(trial, seat, move) is None:
        return  # it was sealed: such a move comes alone
    code = "reveals" if move.reveals else "unknown_type" if asking(trial, seat) else "turn_over"
    _check_refused(table, seat, [plain(move), {"type": "no_such_move"}], code, 0 if move.reveals else 1)


def check_line(table: Table, seat: int, line: str) -> None:
    """A line of nonsense is refused like any other wrong order, or understood; it never crashes."""
    refusal(table, seat, line)


def check_silence(table: Table, seat: int, rng: Rng) -> None:
    """Whoever is not asked is offered nothing and can move nothing."""
    if table.offers(seat):
        raise Broken(f"{where(table)}: seat {seat} is not asked and is offered {table.offers(seat)[0].listing()}")
    asked = [one.seat for one in table.decisions()]
    order = plain(any_move(table, _one(asked, rng), rng)) if asked else {"type": type_name(table.game.move_types[0])}
    if refusal(table, seat, order) is None:
        raise Broken(f"{where(table)}: seat {seat} is not asked, but its {order} is accepted")


def records(game: AnyGame, rng: Rng, every: int = 1) -> None:
    """Replay equals live at every row; export and import are inverse; verify finds every change."""
    entries, texts, views = [], [], {}
    for moment, close_look in moments(game, rng, every):
        table = moment.table
        entries.append(moment.entry)
        texts.append(table.text)
        if close_look:
            views[table.row] = _views(table)
    record = close(table, tuple(entries))
    data = export(record)
    if export(load(data)) != data:
        raise Broken("export(load(data)) differs from data")
    loaded = load(data)
    if transcript(game, loaded) != transcript(game, record):
        raise Broken("the transcript differs when the record is read from a file")
    for live, stored in zip(record.entries, loaded.entries, strict=True):
        for seat in (None, *range(game.seats)):
            if len({canonical(told(game, one, Viewer(seat), table.words)) for one in (live, stored)}) > 1:
                raise Broken(f"row {live.row.row}: seat {seat} is told something else when the row is read from a file")
    for other, entry in replay(game_of(loaded.header), loaded):
        row = entry.row.row
        if other.text != texts[row]:
            raise Broken(f"{where(other)}: replay differs: {difference_of_texts(texts[row], other.text)}")
        if row in views and _views(other) != views[row]:
            raise Broken(f"{where(other)}: the position is the same in the replay, but a view of it is not")
    verify(game, loaded)
    check_turns(game, record)
    for _ in range(FLIPPED_BYTES):
        check_flipped_byte(game, data, rng)
    check_forged_row(game, record, rng)


def _views(table: Table) -> list[bytes]:
    return [canonical(table.view(seat)) for seat in (None, *range(table.game.seats))]


def check_turns(game: AnyGame, record: Record) -> None:
    """Orders of one seat that follow each other lead to the same rows when they come in one submission."""
    table, _ = deal(game, record.header, record.seed)
    for rows in _turns(game, record.entries[1:]):
        orders = [order for entry in rows for order in entry.row.orders]
        if len(rows) == 1:
            again(table, orders)
        else:
            table.submit(orders[0].seat, [order.move for order in orders], orders[0].by)
        if table.head != rows[-1].hash:
            moves = [order.move for order in orders]
            raise Broken(f"{where(table)}: in one submission {moves} lead elsewhere than one by one")


def _turns(game: AnyGame, entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """The rows of a record as they might have been submitted together."""
    turn: list[Entry] = []
    for entry in entries:
        order = entry.row.orders[0]
        if turn and (order.commitment or order.seat != turn[0].row.orders[0].seat or len(turn) == MOST_ORDERS):
            yield turn
            turn = []
        turn.append(entry)
        if order.commitment or read_move(game, order.move).reveals:
            yield turn
            turn = []
    if turn:
        yield turn


def check_flipped_byte(game: AnyGame, data: bytes, rng: Rng) -> None:
    place = rng.randrange(len(data))
    changed = data[:place] + bytes([data[place] ^ (1 + rng.randrange(255))]) + data[place + 1 :]
    try:
        verify(game, load(changed))
    except RecordError:
        return
    except Exception as error:
        raise Broken(f"a record with byte {place} changed crashes verify: {error!r}") from error
    raise Broken(f"a record with byte {place} changed still verifies")


def check_forged_row(game: AnyGame, record: Record, rng: Rng) -> None:
    """A row without its events is found out, even when all hashes are made anew."""
    told_rows = [number for number, entry in enumerate(record.entries) if entry.row.events]
    forged = _one(told_rows, rng)
    entries: list[Entry] = []
    for number, entry in enumerate(record.entries):
        row = msgspec.structs.replace(entry.row, events=()) if number == forged else entry.row
        entries.append(enter(row, entries[-1].hash if entries else first_link(record.header)))
    assert record.end is not None
    end = msgspec.structs.replace(record.end, head=entries[-1].hash)
    try:
        verify(game, load(export(Record(record.header, tuple(entries), end))))
    except RecordError as error:
        if error.row != forged:
            raise Broken(f"row {forged} was forged; verify names row {error.row}") from error
    else:
        raise Broken(f"row {forged} was forged and the record still verifies")


def secrets(game: AnyGame, rng: Rng, every: int = 1) -> None:
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
                f"{where(one)}: {_who(seat)} can tell two worlds apart {how}: {name} differs: "
                f"{difference_of_texts(seen, theirs[name])}"
            )
    if seat is None or not one.offers(seat):
        return
    wrong = list(mutations(one.game, plain(any_move(one, seat, rng)), []))
    for order in [_one(wrong, rng) for _ in range(5)]:
        answers = [_answer(table, seat, order) for table in (one, other)]
        if answers[0] != answers[1]:
            raise Broken(
                f"{where(one)}: the answer to {order!r:.300} tells {_who(seat)} something hidden: "
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
        raise Broken(f"{where(table)}: {_who(seat)} is told the hidden {shown_anyway} of {shown}")


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
        raise Broken(f"{where(table)}: to {_who(seat)} {what}: {difference_of_texts(ours, theirs)}")


def check_no_peeking(table: Table, seat: int | None, rng: Rng) -> None:
    """A move after which its player moves on shows that player nothing new, or says so by `reveals`."""
    move = any_move(table, seat, rng) if seat is not None and asking(table, seat) else None
    if seat is None or move is None or move.reveals:
        return
    one, other = copy_of(table), imagined(table, seat, rng)
    other = Table(other.game, other.header, b"another seed, so other dice", other.text, other.row, other.head)
    rows = [_submit(world, seat, move) for world in (one, other)]
    if None in rows or not any(asking(world, seat) for world in (one, other)):
        return
    ours, theirs = (canonical(world.view(seat)) for world in (one, other))
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
            _submit(world, mover, any_move(world, mover, rng))
        for seat in (None, *range(table.game.seats)):
            if seat != mover:
                check_worlds(one, other, seat, f"by a sealed move of seat {mover}", False, rng)
            if one.view(seat).sealed != tuple(sorted({*table.sealed, mover})):
                raise Broken(f"{where(table)}: the sealed move of seat {mover} is not noted for {_who(seat)}")


def _hidden_places(table: Table, seat: int | None) -> dict[str, Any]:
    """What a view keeps from a viewer, by its place: `players.*.hand`."""
    everything = plain(table.game.view(table.position, EVERYTHING))
    seen = plain(table.game.view(table.position, Viewer(seat)))
    return {re.sub(r"\d+", "*", path): value for path, value, _ in differences(everything, seen) if value}


def words(game: AnyGame, rng: Rng, every: int = 1) -> None:
    """Every order can be written and read back, and every event is a sentence."""
    for moment, close_look in moments(game, rng, every):
        table = moment.table
        for seat in (None, *range(game.seats)) if close_look else (None,):
            check_sentences(moment, Viewer(seat))
        check_sentences(moment, EVERYTHING)
        if moment.before:
            for order in moment.entry.row.orders:
                check_notation(moment.before, order.seat, read_move(game, order.move))
        if close_look:
            for seat in sorted({one.seat for one in table.decisions()}):
                for offer in table.offers(seat):
                    check_notation(table, seat, offer.sample(rng))


def check_notation(table: Table, seat: int, move: Move) -> None:
    """parse(format(move)) == move, in capitals too."""
    text = format_move(table.game, move)
    for line in (text, text.upper()):
        read = accept(table, seat, line, f"writes {move} as")
        if read != move:
            raise Broken(f"{where(table)}: seat {seat}: {move} is written “{line}”, which is read as {read}")


def check_sentences(moment: Moment, viewer: Viewer) -> None:
    game, table = moment.table.game, moment.table
    for event in moment.entry.row.events:
        seen = event.seen_by(viewer)
        try:
            sentence = seen.sentence(table.words)
        except Exception as error:
            raise Broken(f"{where(table)}: {seen} has no sentence: {error!r}") from error
        _check_sentence(table, str(seen), sentence)
        if type(event) not in game.event_types:
            raise Broken(f"{type(event).__name__} is not among the event_types of {game.name}")
        if read_event(game, plain(event)) != event:
            raise Broken(f"{where(table)}: {event} is read back from the log as {read_event(game, plain(event))}")


def _check_sentence(table: Table, what: str, sentence: str) -> None:
    wrong = re.search(r"[{}]|\bNone\b|\w_\w|\s\s|\s[.,;]|^\s|^$", sentence)
    if wrong or not sentence.endswith((".", "?", "!")):
        reason = f"contains {wrong[0]!r}" if wrong and wrong[0] else "is empty or does not end with a full stop"
        raise Broken(f"{where(table)}: {what}: the sentence {reason}: “{sentence}”")


PARTS: dict[str, Callable[[AnyGame, Rng, int], None]] = {
    "course": course,
    "options": options,
    "records": records,
    "secrets": secrets,
    "words": words,
}


def fingerprint(game: AnyGame, rng: Rng) -> str:
    """A digest of everything a game shows: the same in every process for the same random source."""
    entries, shown = [], []
    for moment in play(game, rng):
        entries.append(moment.entry)
        viewers = (None, *range(game.seats))
        seat = viewers[moment.table.row % len(viewers)]
        shown.append(digest([*map(bytes.decode, channels(moment.table, seat, moment.before is None).values())]))
    record = close(moment.table, tuple(entries))
    return digest([export(record).decode(), transcript(game, record), shown])


def copy_of(table: Table, text: bytes | None = None) -> Table:
    """The same table, or its twin in another position."""
    return Table(table.game, table.header, table.seed, text or table.text, table.row, table.head, table.sealed)


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
        raise Broken(f"{where(table)}: seat {seat} {how} {order} and it was refused: {_error(error)}") from error
    except Exception as error:
        raise Broken(f"{where(table)}: seat {seat} {how} {order} and it crashed the check: {error!r}") from error


def plain(thing: Any) -> Any:
    """A thing as JSON would bring it."""
    return msgspec.json.decode(canonical(thing))


def where(table: Table) -> str:
    position = table.position
    return f"{table.game.name}, {table.game.seats} players, row {table.row}, phase {position.phase}"


def differences(one: Any, other: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The places where two trees of plain data differ, with the values there."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key in one:
            yield from differences(one[key], other[key], f"{path}.{key}" if path else str(key))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, (mine, yours) in enumerate(zip(one, other, strict=True)):
            yield from differences(mine, yours, f"{path}.{index}" if path else str(index))
    elif one != other:
        yield path, one, other


def difference_of_texts(one: bytes, other: bytes) -> str:
    """The first difference of two JSON texts, or of two texts."""
    try:
        path, mine, yours = next(differences(msgspec.json.decode(one), msgspec.json.decode(other)))
        return f"{path}: {mine!r:.200} against {yours!r:.200}"
    except msgspec.DecodeError:
        place = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
        start = max(0, place - 60)
        return f"at byte {place}: {one[start : place + 60]!r} against {other[start : place + 60]!r}"


def leaves(tree: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else None
    if items is None:
        yield path, tree
    for key, value in items or ():
        yield from leaves(value, f"{path}.{key}" if path else str(key))


def _state(table: Table) -> tuple[Any, ...]:
    return table.text, table.row, table.head, canonical(sorted(table.sealed.items()))


def _error(error: OrderError) -> str:
    return f"{error.message} ({error.kind}, {error.code})"


def _who(seat: int | None) -> str:
    return "a spectator" if seat is None else f"seat {seat}"


def _one(things: Sequence[T], rng: Rng) -> T:
    return things[rng.randrange(len(things))]
