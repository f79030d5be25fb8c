"""A game that goes on from another one: made of a view and a seed alone, and a game like any other from there."""

import random
from pathlib import Path

import msgspec
import pytest

from referee import record
from referee.bots import random_move
from referee.contract import EVERYTHING, Viewer, canonical
from referee.errors import RecordError, StaysBehind
from referee.forks import fork
from referee.games import all_games, game_of, open_game
from referee.log import FORK, Entry, Forked, enter
from referee.record import Record, close, export, load, redacted, transcript, verify
from referee.table import Table, open_table
from tests.toy import toy_table
from tests.versioned import versioned

SEED = b"f" * 32
FROZEN = Path(__file__).with_name("forked.jsonl")  # the client and the page check it too


def played(key: str, rows: int) -> Table:
    game = open_game(key, min(all_games()[key].seat_counts))
    table, _ = open_table(game, [""] * game.seats, b"t" * 32)
    play(table, [], rows)
    return table


def play(table: Table, entries: list[Entry], rows: int = 10_000) -> Record:
    """Random moves until the log has so many rows, or the game is over."""
    rng = random.Random(rows)
    while not table.is_over and table.sequence < rows:
        seat = min(table.missing() or table.awaited())
        entries += table.submit(seat, [random_move(table, seat, rng)]).entries
        if table.sealed_phase() and not table.missing():
            entries.append(table.reveal())
    return close(table, tuple(entries))


def forked(table: Table, seat: int | None = 0, seed: bytes = SEED) -> tuple[Table, list[Entry]]:
    made, entry = fork(table, seat, "origin", seed, table.names)
    return made, [entry]


def with_start(made: Record, start: Forked) -> Record:
    """The record of a fork with another start, and all hashes made anew."""
    entries: list[Entry] = []
    for entry in made.entries:
        row = entry.row if entries else msgspec.structs.replace(entry.row, events=(start,))
        entries.append(enter(row, entries[-1].hash if entries else record.first_link(made.header)))
    assert made.end is not None
    end = msgspec.structs.replace(made.end, head=entries[-1].hash)
    return load(export(Record(made.header, tuple(entries), end)))


@pytest.mark.parametrize("key", all_games())
def test_a_fork_of_any_game_is_played_to_its_end_and_verified_from_its_file(key: str) -> None:
    table, entries = forked(played(key, 20))
    made = play(table, entries)
    data = export(made)
    read = load(data)
    assert export(read) == data
    assert verify(game_of(read.header), read).head == table.head
    assert "The game begins where game origin was after row 20; what was hidden is dealt anew." in transcript(
        table.game, read
    )


def test_records_of_forks_stay_as_they_are() -> None:
    table, entries = forked(played("airlines-europe", 80))
    assert export(play(table, entries)) == FROZEN.read_bytes()


def test_only_who_sees_everything_sees_the_position_that_a_fork_began_with() -> None:
    table, [entry] = forked(played("airlines-europe", 20))
    for seat in (None, 0, 1):
        [event] = redacted(table.game, entry, Viewer(seat), table.words).events
        assert event == {"type": "forked", "game": "origin", "row": 20, "seat": 0, "position": None}
    [event] = redacted(table.game, entry, EVERYTHING, table.words).events
    assert canonical(event["position"]) == table.position_json
    assert (entry.row.number, entry.row.phase, entry.row.orders, entry.row.draws) == (0, FORK, (), ())


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_fork_is_a_function_of_the_view_and_the_seed(seat: int | None) -> None:
    table = played("airlines-europe", 20)
    other = Table(
        table.game,
        table.header,
        b"another seed",
        canonical(table.game.imagine(table.view(seat), random.Random(1))),
        table.sequence,
        "another head",
        names=table.names,
    )
    assert other.position_json != table.position_json
    (first, [one]), (second, [two]) = forked(table, seat), forked(other, seat)
    assert one.row_json == two.row_json
    assert export(play(first, [one])) == export(play(second, [two]))
    assert forked(table, seat, b"g" * 32)[0].position_json != forked(table, seat)[0].position_json


def test_the_chance_of_a_fork_is_its_own() -> None:
    table = played("airlines-europe", 20)
    assert forked(table)[0].header.commitment != table.header.commitment
    assert forked(table)[0].position.deck != table.position.deck


def test_a_fork_goes_back_to_where_it_began() -> None:
    table, entries = forked(played("airlines-europe", 20))
    began = table.position_json
    play(table, entries, 5)
    entries.append(table.undo(began, 0, seat=0))
    assert table.position_json == began
    made = load(export(play(table, entries)))
    assert verify(game_of(made.header), made)


def test_sealed_moves_that_wait_are_not_in_a_fork() -> None:
    table, _ = open_table(open_game("airlines-europe", 3), [""] * 3, b"t" * 32)
    before = forked(table)[1][0].row_json
    table.submit(1, [table.default(1)])
    made, [entry] = forked(table)
    assert (made.sealed, made.acting()) == ({}, [0, 1, 2])
    assert entry.row_json == before


@pytest.mark.parametrize(
    ("changed", "answer"),
    [
        ({"position": None}, "Row 0 goes on from what is no position"),
        ({"position": {}}, "Row 0 goes on from what is no position"),
        ({"position": {"more": 1}}, "Row 0 differs: the record's events"),
        ({"position": {"bank": 3}}, "Row 0 differs: the record's position"),
        ({"game": 7}, "Row 0 does not tell where the game goes on from"),
    ],
)
def test_a_changed_start_is_found(changed: dict, answer: str) -> None:
    table, entries = forked(played("airlines-europe", 20))
    made = play(table, entries)
    start = record.forked(made.entries)
    assert start is not None
    assert start.position is not None
    if changed.get("position"):
        changed = {"position": start.position | changed["position"]}
    with pytest.raises(RecordError, match=answer) as found:
        verify(table.game, with_start(made, msgspec.structs.replace(start, **changed)))
    assert found.value.row == 0


def test_a_start_that_no_game_leads_to_is_no_crash() -> None:
    table, entries = forked(played("airlines-europe", 20))
    made = play(table, entries)
    start = record.forked(made.entries)
    assert start is not None
    assert start.position is not None
    nowhere, first = open_table(
        table.game,
        table.names,
        SEED,
        start=msgspec.structs.replace(start, position=start.position | {"players": []}),
    )
    assert made.end is not None
    entries = [first]
    for entry in made.entries[1:]:
        entries.append(enter(entry.row, entries[-1].hash))
    end = msgspec.structs.replace(made.end, head=entries[-1].hash)
    with pytest.raises(RecordError, match="Row 1: the position of row 0 is none that Airlines Europe can go on from"):
        verify(table.game, Record(nowhere.header, tuple(entries), end))


def test_a_fork_ends_under_the_rules_that_it_began_with() -> None:
    """Newer rules may have set up something more: there is no telling from a position of older ones."""
    table, _ = open_table(versioned("1"), ["", ""], b"versions")
    made, entries = forked(table)
    with pytest.raises(StaysBehind, match="goes on from another game"):
        record.carry_over(made, entries, "2")
    ended = load(export(play(made, entries)))
    assert verify(versioned("1"), ended).head == made.head


def test_a_game_that_was_carried_over_is_forked_under_its_newer_rules() -> None:
    table, first = open_table(versioned("2"), ["", ""], b"versions")
    record.carry_over(table, [first], "3")
    made, entries = forked(table)
    assert (made.game.version, made.header.version) == ("3", "3")
    ended = load(export(play(made, entries)))
    assert verify(versioned("3"), ended).head == made.head


def test_a_setup_is_no_fork() -> None:
    _, first = toy_table()
    assert record.forked([first]) is None
    assert record.forked([]) is None
