"""An undo is a row of the log: nothing is erased, no draw comes twice, and every record with one can be checked."""

import random

import msgspec
import pytest

from referee import record
from referee.bots import random_move
from referee.contract import EVERYTHING, SPECTATOR
from referee.errors import RecordError
from referee.games import all_games, game_of, open_game
from referee.log import UNDO, Entry, Undone, enter
from referee.record import Record, close, export, load, redacted, transcript, verify
from referee.table import Table, open_table
from referee.taking_back import would_reveal
from tests.versioned import versioned


def play(table: Table, entries: list[Entry], rows: int, rng: random.Random) -> None:
    """Random moves until the log has so many rows, or the game is over."""
    while not table.is_over and table.sequence < rows:
        if table.sealed_phase():
            for seat in table.missing():
                table.submit(seat, [random_move(table, seat, rng)])
            entries.append(table.reveal())
        else:
            seat = min(table.awaited())
            entries += table.submit(seat, [random_move(table, seat, rng)]).entries


def game_with_undos(key: str, seed: int = 1, rows: int = 10_000) -> tuple[Table, list[Entry]]:
    """A game in which somebody goes back now and then: by one row, by several, and to where it was before an undo."""
    game = open_game(key, min(all_games()[key].seat_counts))
    rng = random.Random(seed)
    table, first = open_table(game, [""] * game.seats, bytes([seed]) * 32)
    entries, kept = [first], {0: table.position_json}
    for back in (1, 3, 2, 5):
        for _ in range(6):
            play(table, entries, table.sequence + 1, rng)
            kept[table.sequence] = table.position_json
        if table.is_over:
            break
        to = table.sequence - back
        entries.append(table.undo(kept[to], to, seat=0))
        kept[table.sequence] = table.position_json
    play(table, entries, rows, rng)
    return table, entries


@pytest.mark.parametrize("key", ["airlines-europe", "spike", "tin-goose"])
def test_a_game_in_which_something_was_taken_back_is_verified_and_read_back(key: str) -> None:
    table, entries = game_with_undos(key)
    assert sum(entry.row.is_undo for entry in entries) >= 3
    data = export(close(table, tuple(entries)))
    read = load(data)
    assert export(read) == data
    assert verify(game_of(read.header), read).head == table.head


def test_the_position_is_the_earlier_one_and_the_numbers_go_on() -> None:
    table, entries = game_with_undos("airlines-europe")
    assert [entry.row.number for entry in entries] == list(range(len(entries)))
    positions = {}
    for again, entry in record.replay_log(game_of(table.header), table.header, table.seed, entries):
        positions[again.sequence] = again.position_json
        if entry.row.is_undo:
            assert again.position_json == positions[record.undone(entry.row).to]
            assert entry.row.draws == ()


@pytest.mark.parametrize("key", all_games())
def test_going_back_is_replayed_byte_for_byte_in_every_game(key: str) -> None:
    table, entries = game_with_undos(key, seed=3, rows=40)
    again = record.replay_log(game_of(table.header), table.header, table.seed, entries)
    assert [entry.row_json for _, entry in again] == [entry.row_json for entry in entries]
    assert sum(entry.row.is_undo for entry in entries) >= 3


@pytest.mark.parametrize("key", all_games())
def test_what_a_move_has_shown_its_player_is_found_whether_or_not_the_rules_mark_it(key: str) -> None:
    """A move that could be taken back alone tells, in all worlds alike, what the player knew before."""
    game = open_game(key, min(all_games()[key].seat_counts))
    rng = random.Random(11)
    table, first = open_table(game, [""] * game.seats, b"taking back" * 3)
    entries, found = [first], set()
    while not table.is_over and table.sequence < 60:
        if table.sealed_phase():
            play(table, entries, table.sequence + 1, rng)
            continue
        seat = min(table.awaited())
        move = random_move(table, seat, rng)
        shows = would_reveal(table, seat, move, [random.Random(number) for number in range(4)])
        found.add(shows)
        entry = table.submit(seat, [move]).entries[0]
        if entry.row.draws or move.reveals:
            assert shows
    assert False in found


def test_a_card_that_is_laid_out_at_the_end_of_a_turn_has_been_shown() -> None:
    """In Spike a card that was taken from the display is replaced; as the turn is over, the rules mark nothing."""
    game = open_game("spike", 3)
    rng = random.Random(1)
    table, first = open_table(game, [""] * 3, bytes(32))
    entries, unmarked = [first], 0
    while table.sequence < 40:
        seat = min(table.awaited())
        move = random_move(table, seat, rng)
        marked = would_reveal(table, seat, move, [])
        unmarked += would_reveal(table, seat, move, [random.Random(number) for number in range(8)]) and not marked
        entries += table.submit(seat, [move]).entries
    assert unmarked


def test_a_draw_that_was_taken_back_does_not_come_again() -> None:
    """Chance goes by the number of a row, and no number comes twice."""
    _, entries = game_with_undos("tin-goose", seed=5)
    seen = [(entry.row.number, draw.label) for entry in entries for draw in entry.row.draws]
    assert len(seen) == len(set(seen))


def test_everybody_is_told_what_was_taken_back() -> None:
    table, entries = game_with_undos("airlines-europe")
    undo = next(entry for entry in entries if entry.row.is_undo)
    read = load(export(close(table, tuple(entries))))
    assert read.entries[undo.row.number].row_json == undo.row_json
    for viewer in (SPECTATOR, EVERYTHING):
        row = redacted(table.game, read.entries[undo.row.number], viewer, table.words)
        assert (row.phase, row.orders) == (UNDO, ())
        assert "takes back: the game is again as it was after row 5." in row.sentences[0]
    assert "takes back" in transcript(table.game, read)


def forged(change: Undone | tuple[Undone, ...]) -> Record:
    """A record whose first undo says something else, with a chain that holds."""
    table, entries = game_with_undos("airlines-europe")
    made, head = [], None
    for entry in entries:
        row = entry.row
        if row.is_undo and head is None:
            row, head = msgspec.structs.replace(row, events=change if isinstance(change, tuple) else (change,)), ""
        previous = made[-1].hash if made else record.first_link(table.header)
        made.append(enter(row, previous))
    last = close(table, tuple(made))
    return msgspec.structs.replace(last, end=msgspec.structs.replace(last.end, head=made[-1].hash))


@pytest.mark.parametrize(
    ("events", "message"),
    [
        (Undone(4, 0), "Row 7 differs"),
        (Undone(7, 0), "Row 7 goes back to row 7, which it cannot"),
        (Undone(400, 0), "Row 7 goes back to row 400, which it cannot"),
        (Undone(-1, 0), "Row 7 goes back to row -1, which it cannot"),
        (Undone(5, 9), "Row 7 goes back to row 5, which it cannot"),
        ((), "Row 7 does not tell what is taken back"),
    ],
)
def test_a_forged_undo_is_found(events: Undone | tuple[Undone, ...], message: str) -> None:
    found = forged(events)
    with pytest.raises(RecordError, match=message):
        verify(game_of(found.header), found)


def test_a_game_with_an_undo_is_carried_over_and_verified() -> None:
    game = versioned("1", 4)
    table, first = open_table(game, ["Anna", "Ben"], b"undo")
    entries = [first]
    for seat in (0, 1):
        table.submit(seat, [f"bid {seat}"])
    entries.append(table.reveal())
    before = table.position_json
    seat = min(table.awaited())
    entries += table.submit(seat, ["draw lots 3, 3"]).entries
    entries.append(table.undo(before, 1, seat))
    entries += table.submit(seat, ["draw lots 3, 3"]).entries
    entries.append(record.carry_over(table, entries, "2"))
    while not table.is_over:
        seat = min(table.awaited())
        entries += table.submit(seat, [table.default(seat)]).entries
    read = load(export(close(table, tuple(entries))))
    assert verify(versioned("1", 4), read).head == table.head


def test_a_position_of_older_rules_is_not_gone_back_to() -> None:
    game = versioned("1", 4)
    table, first = open_table(game, ["Anna", "Ben"], b"undo")
    entries = [first]
    for seat in (0, 1):
        table.submit(seat, [f"bid {seat}"])
    entries.append(table.reveal())
    before = table.position_json
    entries.append(record.carry_over(table, entries, "2"))
    entries.append(table.undo(before, 1, 0))
    with pytest.raises(RecordError, match="goes back to row 1, which it cannot"):
        list(record.replay_log(versioned("1", 4), table.header, table.seed, entries))
