"""Rules have versions: records of all of them hold, and a game goes on under newer ones if nothing becomes untrue."""

from pathlib import Path

import msgspec
import pytest

from commands.golden import GOLDEN, headers
from referee import record
from referee.contract import SPECTATOR, canonical
from referee.errors import RecordError, StaysBehind
from referee.games import all_games, board_file, game_of, open_game
from referee.log import CARRY_OVER, ENGINE_EVENTS, FORK, UNDO, CarriedOver, Entry
from referee.options import type_name
from referee.record import Record, close, export, load, transcript, verify
from referee.table import Table, deal, open_table
from tests.positions import start
from tests.versioned import Versioned, versioned

LOTS = "draw lots 3, 3"
FROZEN = Path(__file__).with_name("carried-over.jsonl")


def after(*orders: str, version: str = "1", moves: int = 4) -> tuple[Table, list[Entry]]:
    """A game after its auction and these orders, each of the seat whose turn it is. Its header is of the first form,
    with names, as that of the frozen record."""
    game = versioned(version, moves)
    header = msgspec.structs.replace(open_table(game, ["", ""], b"versions")[0].header, players=("Anna", "Ben"))
    table, entry = deal(game, header, b"versions")
    entries = [entry]
    for seat in (0, 1):
        table.submit(seat, [f"bid {seat}"])
    entries.append(table.reveal())
    play(table, entries, *orders)
    return table, entries


def play(table: Table, entries: list[Entry], *orders: str) -> None:
    for order in orders:
        entries += table.submit(min(table.awaited()), [order]).entries


def carry(table: Table, entries: list[Entry], version: str) -> None:
    entries.append(record.carry_over(table, entries, version))


def finished_after_two_carry_overs() -> Record:
    table, entries = after(LOTS, LOTS)
    carry(table, entries, "2")
    play(table, entries, LOTS)
    carry(table, entries, "3")
    play(table, entries, "rank red")
    return close(table, tuple(entries))


@pytest.mark.parametrize("key", all_games())
def test_every_version_of_a_game_has_a_golden_record(key: str) -> None:
    shown = {header.version for header in headers(GOLDEN / key).values()}
    lacking = set(all_games()[key].versions) - shown
    assert not lacking, (
        f"keep a golden record of {key} under rules {', '.join(sorted(lacking))}: they must hold for ever"
    )


@pytest.mark.parametrize("key", all_games())
def test_what_the_engine_calls_its_own_no_game_has(key: str) -> None:
    game_type = all_games()[key]
    assert not {CARRY_OVER, FORK, UNDO}.intersection(phase.name for phase in game_type.phase_types)
    assert not set(map(type_name, ENGINE_EVENTS)).intersection(map(type_name, game_type.event_types))


def test_new_games_are_opened_under_the_last_version() -> None:
    assert Versioned.version == "3"
    with pytest.raises(TypeError, match="must be the last of its versions"):
        type("Wrong", (Versioned,), {"version": "2"})


def test_a_game_and_its_phases_know_their_version() -> None:
    for version in Versioned.versions:
        game = versioned(version)
        assert game.version == version
        assert {phase.version for phase in game.phases.values()} == {version}
        assert game.under("2").version == "2"
    with pytest.raises(ValueError, match="Toy has no rules 4; it has rules 1, 2 and 3"):
        versioned("4")


def test_a_record_is_read_under_the_rules_of_its_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(all_games(), "versioned", Versioned)
    table, _ = after(LOTS)
    header = msgspec.structs.replace(table.header, board_data=msgspec.to_builtins(table.game.board))
    assert game_of(header).version == "1"
    assert game_of(header, "3").version == "3"
    for changes, version in (({}, "9"), ({"version": "0"}, "1")):
        with pytest.raises(RecordError, match=r"Played under rules [90]; here are rules 1, 2 and 3\."):
            game_of(msgspec.structs.replace(header, **changes), version)


def test_a_board_that_was_replaced_is_kept_under_its_last_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.versioned.__file__", str(tmp_path / "versioned.py"))
    (tmp_path / "board-2.yaml").touch()
    assert [board_file(Versioned, version).name for version in (None, "1", "2", "3")] == [
        "board.yaml",
        "board-2.yaml",
        "board-2.yaml",
        "board.yaml",
    ]


def test_shipped_games_are_opened_under_each_of_their_versions() -> None:
    for key, game_type in all_games().items():
        for version in game_type.versions:
            assert open_game(key, game_type.seat_counts[0], version=version).version == version


def test_a_carried_game_goes_on_under_the_newer_rules() -> None:
    table, entries = after(LOTS)
    gold, head = table.position.gold, table.head
    carry(table, entries, "2")
    row = entries[-1].row
    assert (row.number, row.phase, row.orders, row.draws) == (3, CARRY_OVER, (), ())
    assert canonical(row.events) == b'[{"from":"1","to":"2","type":"carried_over"}]'
    assert entries[-1].hash == table.head != head
    assert table.view().version == "2"
    assert table.header.version == "1"
    assert sum(table.position.gold) == sum(gold) + 100, "the position is the one that the newer rules lead to"
    assert table.position.tips == 1
    with pytest.raises(Exception, match="walk"):
        table.submit(min(table.awaited()), ["walk Zürich - Sampa"])
    visible_row = record.redacted(table.game, entries[-1], SPECTATOR, table.words)
    assert visible_row.sentences == ("The game goes on under rules 2 from here.",)


def test_a_game_with_several_carry_overs_is_verified_and_read_back() -> None:
    finished = finished_after_two_carry_overs()
    data = export(finished)
    again = load(data)
    table = verify(versioned("1"), again)
    assert (table.game.version, table.position.tips, export(again)) == ("3", 3, data)
    lines = transcript(versioned("1"), again)
    assert "   4 carry_over\n       The game goes on under rules 2 from here.\n" in lines
    assert lines == transcript(versioned("3"), finished)


def test_records_with_carry_overs_stay_as_they_are() -> None:
    assert export(finished_after_two_carry_overs()) == FROZEN.read_bytes()


def test_no_draw_comes_twice_and_earlier_ones_stay() -> None:
    plain, rows = after(LOTS, LOTS, LOTS, LOTS)
    carried = [entry.row for entry in finished_after_two_carry_overs().entries]
    assert [row.draws for row in carried[:4]] == [entry.row.draws for entry in rows[:4]]
    assert len({(row.number, draw.label) for row in carried for draw in row.draws}) == sum(
        len(row.draws) for row in carried
    )
    assert len({row.salt for row in carried}) == len(carried)
    assert plain.is_over


@pytest.mark.parametrize(
    ("orders", "reason", "row"),
    [
        ((LOTS, "walk Zürich - Sampa"), "Row 3: the move is refused: ", 3),
        (("rank red", LOTS), "Row 2 would tell something else.", 2),
        ((LOTS, "spend 1 in bad mood"), "Row 3 would tell something else.", 3),
    ],
    ids=["illegal", "public", "private"],
)
def test_a_game_stays_behind_when_a_row_would_be_another(orders: tuple[str, ...], reason: str, row: int) -> None:
    table, entries = after(*orders)
    before = (table.sequence, table.head, table.position_json, table.game)
    with pytest.raises(StaysBehind, match=reason) as error:
        carry(table, entries, "2")
    assert error.value.row == row
    assert (table.sequence, table.head, table.position_json, table.game) == before
    play(table, entries, "walk Zürich - Sampa")


def test_a_game_is_carried_only_to_newer_rules_and_not_after_its_end() -> None:
    table, entries = after(LOTS, version="2")
    for version in ("1", "2", "4"):
        with pytest.raises(StaysBehind, match="newer than its rules 2"):
            carry(table, entries, version)
    over, rows = after(LOTS, moves=1)
    with pytest.raises(StaysBehind, match="The game is over"):
        carry(over, rows, "2")


def test_sealed_moves_that_wait_keep_a_game_under_its_rules_until_the_reveal() -> None:
    table, entry = open_table(versioned("1"), ["Anna", "Ben"], b"versions")
    entries = [entry]
    receipt = table.submit(0, ["bid 1"]).receipt
    with pytest.raises(StaysBehind, match="Sealed moves wait"):
        carry(table, entries, "2")
    table.submit(1, ["bid 2"])
    entries.append(table.reveal())
    assert receipt is not None
    assert entries[-1].row.number == receipt.sequence
    carry(table, entries, "2")


def test_an_open_sealed_phase_without_moves_is_carried_over() -> None:
    table, entry = open_table(versioned("1"), ["Anna", "Ben"], b"versions")
    entries = [entry]
    carry(table, entries, "2")
    for seat in (0, 1):
        table.submit(seat, ["bid 1"])
    entries.append(table.reveal())
    play(table, entries, *[LOTS] * 4)
    assert verify(versioned("1"), load(export(close(table, tuple(entries))))).is_over


def forged(events: object) -> Record:
    """A finished game in which the row of the carry-over tells something else, with the chain made good again."""
    finished = finished_after_two_carry_overs()
    entries: list[Entry] = []
    head = record.first_link(finished.header)
    for entry in finished.entries:
        row = msgspec.structs.replace(entry.row, events=events) if entry.row.number == 4 else entry.row
        entries.append(record.Entry(row, canonical(row), record.chain(head, canonical(row))))
        head = entries[-1].hash
    assert finished.end is not None
    return load(export(Record(finished.header, tuple(entries), msgspec.structs.replace(finished.end, head=head))))


@pytest.mark.parametrize(
    ("events", "message"),
    [
        ((), "Row 4 does not tell under which rules"),
        ((3,), "Row 4 does not tell under which rules"),
        ((CarriedOver("1", "9"),), "Row 4: the game cannot be carried over. There are no rules 9"),
        ((CarriedOver("0", "2"),), "Row 4 differs: the record's events"),
        ((CarriedOver("1", "3"),), "Row 4 differs: the record's events|Row 4 differs: the record's position"),
        ((CarriedOver("1", "2"), CarriedOver("1", "2")), "Row 4 does not tell under which rules"),
    ],
)
def test_a_forged_carry_over_is_found(events: object, message: str) -> None:
    with pytest.raises(RecordError, match=message) as error:
        verify(versioned("1"), forged(events))
    assert error.value.row == 4


def test_a_record_that_hides_its_change_of_rules_is_found() -> None:
    """Rows of newer rules under a header of the old ones."""
    table, entries = after(LOTS, LOTS, LOTS, LOTS, version="2")
    header = msgspec.structs.replace(table.header, version="1")
    with pytest.raises(RecordError, match="Row 0 differs"):
        verify(versioned("1"), Record(header, tuple(entries), close(table, tuple(entries)).end))


def test_the_version_of_a_view_is_the_one_played_under() -> None:
    table, _ = start("airlines-europe", 2)
    assert table.view().version == table.header.version == table.game.versions[-1]
