"""The record of a game: export and import, replay, verification, newer rules, and the transcript a person reads.

A record is JSON Lines in canonical spelling: the header, then each row with its hash, and for a finished game a last
line with the seed. Whoever has the file can check all of it without a server: see `verify`. It tells of seats, not of
people: every byte of it can be checked, and nobody has to be forgotten in files that others keep.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from referee.chance import commitment
from referee.contract import EVERYTHING, SPECTATOR, Event, Standing, Viewer, Words, canonical
from referee.errors import BoardError, OrderError, RecordError, StaysBehind
from referee.log import FORMAT, CarriedOver, Entry, Forked, Header, Order, Row, Undone, chain, first_link
from referee.moves import read_event, read_move
from referee.orders.notation import format_move
from referee.table import AnyGame, Table, deal


class End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: how the game ended, the hash of its last row, and the seed that was committed to."""

    ending: str
    head: str
    seed: str
    standings: Any


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One line of the file; just one of header, row and end is there."""

    header: Header | None = None
    row: Row | None = None
    hash: str = ""
    end: End | None = None


class Record(msgspec.Struct, frozen=True):
    header: Header
    entries: tuple[Entry, ...]
    end: End | None = None

    @property
    def head(self) -> str:
        """The hash of the last row."""
        return self.entries[-1].hash if self.entries else first_link(self.header)

    @property
    def seed(self) -> bytes:
        if self.end is None:
            raise RecordError("The game is not over: its seed is not revealed, so nothing can be replayed yet.")
        try:
            return bytes.fromhex(self.end.seed)
        except ValueError:
            raise RecordError("The seed in the last line is not a hexadecimal number.") from None


class VisibleRow(msgspec.Struct, frozen=True, rename={"number": "row"}):
    """A row of the log as a viewer may know it, with its events in words."""

    number: int
    phase: str
    orders: tuple[Any, ...]
    events: tuple[Any, ...]
    sentences: tuple[str, ...]
    hash: str


def close(table: Table, entries: tuple[Entry, ...]) -> Record:
    """The record of a table; with the seed once the game is over."""
    end = None
    if table.is_over:
        standings = msgspec.to_builtins(table.game.standings(table.position, EVERYTHING))
        end = End(table.position.ending, table.head, table.seed.hex(), standings)
    return Record(table.header, entries, end)


def export(record: Record) -> bytes:
    """The record as JSON Lines, byte for byte the same for the same game."""
    lines = [Line(header=record.header), *(Line(row=entry.row, hash=entry.hash) for entry in record.entries)]
    if record.end:
        lines.append(Line(end=record.end))
    return b"".join(canonical(line) + b"\n" for line in lines)


def load(data: bytes) -> Record:
    """The record in a file. The chain is checked on the way, and every line must be in canonical spelling."""
    if not data.endswith(b"\n"):
        raise RecordError("The file does not end with a line end: it may be cut off.")
    texts = data.split(b"\n")[:-1]
    lines = [_line(number, text) for number, text in enumerate(texts, 1)]
    header = lines[0].header
    if header is None:
        raise RecordError("Line 1 is not a header.")
    if header.format != FORMAT:
        raise RecordError(f"This is a record of format {header.format}; here format {FORMAT} is understood.")
    end = lines[-1].end if len(lines) > 1 else None
    entries = tuple(_entries(first_link(header), lines[1 : -1 if end else None]))
    if end and (not entries or end.head != entries[-1].hash):
        raise RecordError("The last line does not name the hash of the last row.")
    record = Record(header, entries, end)
    for number, (text, right) in enumerate(zip(texts, export(record).split(b"\n"), strict=False), 1):
        if text != right:
            message = f"Line {number} is not in canonical spelling, or holds more than it should."
            raise RecordError(message, _row(number))
    return record


def _line(number: int, text: bytes) -> Line:
    try:
        return msgspec.json.decode(text, type=Line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RecordError(f"Line {number} cannot be read: {error}", _row(number)) from None


def _entries(head: str, lines: list[Line]) -> Iterator[Entry]:
    for number, line in enumerate(lines):
        if line.row is None or line.row.number != number:
            raise RecordError(f"Line {number + 2} is not row {number}.", number)
        row_json = canonical(line.row)
        head = chain(head, row_json)
        if head != line.hash:
            raise RecordError(f"Row {number} does not match its hash: it, or a line before it, was changed.", number)
        yield Entry(line.row, row_json, head)


def _row(line: int) -> int | None:
    return line - 2 if line > 1 else None


def replay(game: AnyGame, record: Record, names: Sequence[str] | None = None) -> Iterator[tuple[Table, Entry]]:
    """Plays a finished game again, from its seed and its moves alone: the table after each row, and that row anew.

    The same table comes every time, one row further on. `game` is under the rules that the game was begun with.
    """
    return replay_log(game, record.header, record.seed, record.entries, names)


def replay_log(
    game: AnyGame, header: Header, seed: bytes, entries: Sequence[Entry], names: Sequence[str] | None = None
) -> Iterator[tuple[Table, Entry]]:
    """The same for any log whose seed is known."""
    table, entry = _begin(game, header, seed, entries, names)
    earlier = EarlierPositions(entries)
    earlier.note(table)
    yield table, entry
    for number, old in enumerate(entries[1:], 1):
        if old.row.is_carry_over:
            made = _carry_over_again(table, entries[:number], old.row)
        elif old.row.is_undo:
            made = earlier.undo(table, old.row)
        else:
            made = play_again(table, old.row)
        earlier.note(table)
        yield table, made


def _begin(
    game: AnyGame, header: Header, seed: bytes, entries: Sequence[Entry], names: Sequence[str] | None
) -> tuple[Table, Entry]:
    """The table after the first row: what the seed deals, or where a fork goes on."""
    start = forked(entries)
    try:
        return deal(game, header, seed, names, start)
    except msgspec.ValidationError as error:
        raise RecordError(f"Row 0 goes on from what is no position of {game.name}: {error}", 0) from None


def forked(entries: Sequence[Entry]) -> Forked | None:
    """What a log goes on from, if it does not begin with a setup."""
    if not entries or not entries[0].row.is_fork:
        return None
    try:
        return msgspec.convert(msgspec.to_builtins(entries[0].row.events), tuple[Forked])[0]
    except msgspec.ValidationError:
        raise RecordError("Row 0 does not tell where the game goes on from.", 0) from None


class EarlierPositions:
    """The positions that a log goes back to, kept while it is replayed: those alone, for they may be large."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.wanted = {undone(entry.row).to for entry in entries if entry.row.is_undo}
        self.rules_since = {row.number for row in (entry.row for entry in entries) if row.is_carry_over}
        self.kept: dict[int, bytes] = {}

    def note(self, table: Table) -> None:
        if table.sequence in self.rules_since:
            self.kept.clear()  # a position of older rules is none of these
        if table.sequence in self.wanted:
            self.kept[table.sequence] = table.position_json

    def undo(self, table: Table, row: Row) -> Entry:
        """Plays an undo again."""
        event = undone(row)
        if event.to not in self.kept or not 0 <= event.seat < table.game.seats:
            raise RecordError(f"Row {row.number} goes back to row {event.to}, which it cannot.", row.number)
        if table.is_over:
            raise RecordError(f"Row {row.number} takes something back after the end.", row.number)
        return table.undo(self.kept[event.to], event.to, event.seat)


def undone(row: Row) -> Undone:
    """What an undo goes back to."""
    try:
        return msgspec.convert(msgspec.to_builtins(row.events), tuple[Undone])[0]
    except msgspec.ValidationError:
        raise RecordError(f"Row {row.number} does not tell what is taken back.", row.number) from None


def play_again(table: Table, row: Row) -> Entry:
    """Plays the orders of a row on the table before it: that row anew."""
    orders = row.orders
    phase = table.sealed_phase()
    try:
        if phase is None:
            if len(orders) != 1:
                raise RecordError(f"Row {row.number} must hold just one order.", row.number)
            return table.submit(orders[0].seat, [orders[0].move], orders[0].by).entries[0]
        for order in orders:
            table.submit(order.seat, [order.move], order.by)
        if table.missing():
            raise RecordError(f"Row {row.number} lacks the sealed move of seat {table.missing()[0]}.", row.number)
        return table.reveal()
    except OrderError as error:
        raise RecordError(f"Row {row.number}: the move is refused: {error.message}", row.number) from None


def carry_over(table: Table, entries: Sequence[Entry], version: str) -> Entry:
    """Takes a game over to newer rules: the row of the log from which on they hold. `entries` is its log so far.

    The newer rules play the whole log again. Every move must be legal, and what each row told a spectator and each
    seat must stay true. To compare the public events alone would not do: a player has planned with the cards in their
    hand. To compare everything would be too much: what nobody has seen yet, the order of a deck, nobody can miss.
    Rows keep their numbers and so their draws; the row of an earlier change of rules draws nothing, and the new row
    has a number of its own, so that no draw comes twice.

    Sealed moves that wait bind the game to its rules until the reveal: their receipts name the row in which they will
    be opened, which this row would take, and they were made in view of what the old rules allow.

    Raises StaysBehind, and leaves the table as it was.
    """
    versions = table.game.versions
    if table.is_over:
        raise StaysBehind("The game is over.")
    if version not in versions[versions.index(table.game.version) + 1 :]:
        raise StaysBehind(f"There are no rules {version} that are newer than its rules {table.game.version}.")
    if table.sealed:
        raise StaysBehind("Sealed moves wait for their reveal.")
    if forked(entries):
        raise StaysBehind("It goes on from another game, so newer rules cannot set it up as they would.", 0)
    try:
        game = table.game.under(version)
    except (BoardError, ValueError) as error:
        raise StaysBehind(f"Rules {version} cannot be used on this table: {error}") from None
    again = _replay_under(game, table, entries)
    if again.is_over:
        raise StaysBehind(f"Under rules {version} the game would be over.", table.sequence)
    return table.carry_over(game, again.position_json)


def _replay_under(game: AnyGame, table: Table, entries: Sequence[Entry]) -> Table:
    """A table on which other rules have played the log, if they make the same of it."""
    again, entry = deal(game, table.header, table.seed, table.names)
    earlier = EarlierPositions(entries)
    earlier.note(again)
    for old in entries:
        number = old.row.number
        if old.row.is_carry_over:
            again.sequence = number
            earlier.note(again)
            continue
        if number:
            try:
                entry = earlier.undo(again, old.row) if old.row.is_undo else play_again(again, old.row)
                earlier.note(again)
            except RecordError as error:
                raise StaysBehind(str(error), number) from None
        if not _tells_the_same(table, old, again, entry):
            raise StaysBehind(f"Row {number} would tell something else.", number)
    return again


def _tells_the_same(table: Table, old: Entry, again: Table, new: Entry) -> bool:
    if _content(old.row) == _content(new.row):
        return True
    for viewer in (SPECTATOR, *map(Viewer, range(table.game.seats))):
        before, after = redacted(table.game, old, viewer, table.words), redacted(again.game, new, viewer, again.words)
        if _content(before) != _content(after):
            return False
    return True


def _content(row: Row | VisibleRow) -> bytes:
    return canonical((row.phase, row.orders, row.events))


def _carry_over_again(table: Table, entries: Sequence[Entry], row: Row) -> Entry:
    try:
        event = msgspec.convert(msgspec.to_builtins(row.events), tuple[CarriedOver])[0]
        return carry_over(table, entries, event.new)
    except msgspec.ValidationError:
        raise RecordError(f"Row {row.number} does not tell under which rules the game goes on.", row.number) from None
    except StaysBehind as error:
        raise RecordError(f"Row {row.number}: the game cannot be carried over. {error}", row.number) from None


def verify(game: AnyGame, record: Record, passed: Callable[[int], object] = lambda row: None) -> Table:
    """Checks the commitment, every draw, every move and every event; names the first row that differs.

    `passed` hears of every row that holds.
    """
    if record.end is None:
        raise RecordError("The game is not over: the chain holds, but the seed is not revealed yet.")
    if commitment(record.seed) != record.header.commitment:
        raise RecordError("The seed is not the one that was committed to before the first move.")
    for table, entry in _replayed(game, record):  # noqa: B007 - the table outlives the loop
        old = record.entries[entry.row.number]
        if entry.row_json != old.row_json:
            raise RecordError(f"Row {entry.row.number} differs: {_difference(old.row, entry.row)}.", entry.row.number)
        passed(entry.row.number)
    if canonical(record.end) != canonical(close(table, record.entries).end):
        raise RecordError("The last line does not tell the result that the moves lead to.")
    return table


def _replayed(game: AnyGame, record: Record) -> Iterator[tuple[Table, Entry]]:
    """The replay of a record from anywhere: the position that a fork goes on from may be one that no game leads to."""
    row = 0
    try:
        for table, entry in replay(game, record):
            row = entry.row.number + 1
            yield table, entry
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        if not forked(record.entries):
            raise
        raise RecordError(f"Row {row}: the position of row 0 is none that {game.name} can go on from.", row) from None


def _difference(old: Row, new: Row) -> str:
    for field in Row.__struct_fields__:
        if canonical(getattr(old, field)) != canonical(getattr(new, field)):
            return f"the record's {field} are not what the rules and the seed give"
    return "it is spelled differently"


def redacted(game: AnyGame, entry: Entry, viewer: Viewer, words: Words) -> VisibleRow:
    """A row for a viewer's eyes: hidden fields of moves and events are null."""
    events = [_event(game, event).seen_by(viewer) for event in entry.row.events]
    return VisibleRow(
        number=entry.row.number,
        phase=entry.row.phase,
        orders=tuple(_order(game, order, viewer) for order in entry.row.orders),
        events=tuple(msgspec.to_builtins(event) for event in events),
        sentences=tuple(event.sentence(words) for event in events),
        hash=entry.hash,
    )


def _event(game: AnyGame, event: Any) -> Event:
    return event if isinstance(event, Event) else read_event(game, event)


def _order(game: AnyGame, order: Order, viewer: Viewer) -> dict[str, Any]:
    move = read_move(game, order.move)
    plain: dict[str, Any] = msgspec.to_builtins(order)
    text: str | None = format_move(game, move)
    if move.hidden and not viewer.sees(order.seat):
        plain = {**plain, "move": {**plain["move"], **dict.fromkeys(move.hidden)}, "nonce": ""}
        text = None
    return {**plain, "text": text}


def transcript(game: AnyGame, record: Record, names: Sequence[str] | None = None) -> str:
    """A whole record as a person reads it. Without the names of the players it tells of seats."""
    words = Words(game, record.header.players if names is None else names)
    rows = (redacted(game, entry, EVERYTHING, words) for entry in record.entries)
    lines = [*preamble(record.header, words), *(line for row in rows for line in told(row, words))]
    if record.end:
        lines += result(words, record.end.ending, msgspec.convert(record.end.standings, list[Standing]))
    return "\n".join(lines) + "\n"


def preamble(header: Header, words: Words) -> list[str]:
    """What a transcript begins with: who plays what."""
    return [
        f"{words.game.name}: {', '.join(words.players)}",
        f"rules {header.version}, board {header.board.name} ({header.board.fidelity}), settings {_settings(header)}",
        "",
    ]


def told(row: VisibleRow, words: Words) -> Iterator[str]:
    """A row in a transcript: each order as it would be written, and what came of it."""
    for order in row.orders:
        by = "" if order["by"] == "player" else f" ({order['by']})"
        text = order["text"] or f"{order['move']['type'].replace('_', ' ')} …"  # the rest of it is hidden
        yield f"{row.number:4} {words.player(order['seat'])}{by}: {text}"
    if not row.orders:
        yield f"{row.number:4} {row.phase}"
    for sentence in row.sentences:
        yield f"       {sentence}"


def result(words: Words, ending: str, standings: Sequence[Standing]) -> Iterator[str]:
    """What a transcript ends with."""
    yield ""
    yield words.game.endings[ending]
    for standing in standings:
        note = f" ({standing.note})" if standing.note else ""
        yield f"{standing.place}. {words.player(standing.seat)}: {standing.score}{note}"


def _settings(header: Header) -> str:
    return ", ".join(f"{name} {value}" for name, value in sorted(header.settings.items())) or "as printed"
