from pathlib import Path

import msgspec
import pytest

from referee.log import enter, first_link
from referee.record import Record, export, load

FORKED = Path(__file__).parents[1] / "referee" / "forked.jsonl"


def test_a_finished_game_is_verified_in_one_line(waybill, game):
    path, _ = game
    record = load(path.read_bytes())
    done = waybill("verify", path)
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout == (
        f"{path}: verified: Airlines Europe, 3 players, {len(record.entries)} rows, Seat 1 won with 79, "
        f"head hash {record.head}\n"
    )


def test_a_copy_of_a_game_is_verified_from_the_position_that_it_names(waybill):
    done = waybill("verify", FORKED)
    assert done.returncode == 0
    assert "40 rows from the position that it says game origin had after row 80, Seat " in done.stdout


def test_the_transcript_tells_orders_and_events(waybill, game):
    done = waybill("verify", "--transcript", "--names", "Ann,Ben,Cid", game[0])
    assert done.returncode == 0
    assert "Ann won with 79" in done.stdout
    assert "Ann: choose black, blue" in done.stdout
    assert "Ann begins with black and blue." in done.stdout
    assert "1. Ann: 79" in done.stdout


def test_as_many_names_as_seats_are_wanted(waybill, game):
    done = waybill("verify", "--names", "Ann,Ben", game[0])
    assert done.returncode == 1
    assert "the game has 3 seats, and --names names 2." in done.stderr


def test_a_changed_line_is_named(waybill, game, tmp_path):
    path = tmp_path / "changed.jsonl"
    lines = game[0].read_bytes().split(b"\n")
    lines[8] = lines[8].replace(b"take_money", b"take_monex").replace(b'"seat":0', b'"seat":1')
    path.write_bytes(b"\n".join(lines))
    done = waybill("verify", path)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "Row 7 does not match its hash" in done.stderr


def test_a_forged_row_with_new_hashes_is_named(waybill, game, tmp_path):
    record, path = load(game[0].read_bytes()), tmp_path / "forged.jsonl"
    entries = []
    for entry in record.entries:
        row = entry.row if entry.row.number != 20 else msgspec.structs.replace(entry.row, events=())
        entries.append(enter(row, entries[-1].hash if entries else first_link(record.header)))
    end = msgspec.structs.replace(record.end, head=entries[-1].hash)
    path.write_bytes(export(Record(record.header, tuple(entries), end)))
    done = waybill("verify", path)
    assert done.returncode == 1
    assert "Row 20 differs: the record's events are not what the rules and the seed give." in done.stderr


@pytest.mark.parametrize(
    ("field", "value", "answer"),
    [
        ("seed", "00", "not the one that was committed to"),
        ("seed", "xyz", "not a hexadecimal number"),
        ("ending", "blocked", "does not tell the result"),
    ],
)
def test_a_last_line_that_does_not_hold_is_found(waybill, game, tmp_path, field, value, answer):
    record, path = load(game[0].read_bytes()), tmp_path / "changed.jsonl"
    end = msgspec.structs.replace(record.end, **{field: value})
    path.write_bytes(export(Record(record.header, record.entries, end)))
    done = waybill("verify", path)
    assert done.returncode == 1
    assert answer in done.stderr


def test_a_running_game_is_told_from_a_wrong_one(waybill, game, tmp_path):
    record, path = load(game[0].read_bytes()), tmp_path / "running.jsonl"
    path.write_bytes(export(Record(record.header, record.entries[:30])))
    done = waybill("verify", path)
    assert done.returncode == 1
    assert "the game is not over. The chain of its 30 rows holds" in done.stderr


@pytest.mark.parametrize(
    ("content", "answer"),
    [
        (None, "cannot be read: No such file"),
        (b"", "may be cut off"),
        (b"hello\n", "Line 1 cannot be read"),
        (b"\xff\xfe\x00\n", "Line 1 cannot be read"),
        (b"{}\n", "Line 1 is not a header"),
    ],
)
def test_what_is_no_record_gets_a_clear_answer(waybill, tmp_path, content, answer):
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)
    done = waybill("verify", path)
    assert done.returncode == 1
    assert answer in done.stderr
    assert "Traceback" not in done.stderr


def test_one_bad_file_among_good_ones_fails_the_command(waybill, game, tmp_path):
    done = waybill("verify", game[0], tmp_path, game[0])
    assert done.returncode == 1
    assert done.stdout.count("verified:") == 2
    assert f"{tmp_path}: cannot be read" in done.stderr
    assert "1 of 3 files are not verified." in done.stderr
