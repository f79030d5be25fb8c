"""Records: whatever is changed in one is found, by its chain or by playing it again."""

import random

import msgspec
import pytest

from referee.contract import EVERYTHING, canonical
from referee.errors import RecordError
from referee.games import game_of
from referee.log import Header, Row, enter, first_link
from referee.record import End, Line, Record, close, export, load, redacted, replay, transcript, verify
from referee.table import deal, open_table
from tests.positions import random_game, start
from tests.referee.games.airlines_europe.setups import TINY
from tests.toy import toy, toy_table


def short() -> Record:
    """A finished game of three rows."""
    table, entry = toy_table(moves=1)
    record = random_game(table, entry, random.Random(4))
    assert len(record.entries) == 3
    return record


def full(players: int = 2) -> Record:
    table, entry = start("airlines-europe", players)
    return random_game(table, entry, random.Random(players))


def check(data: bytes) -> None:
    """What `waybill verify` does with a file."""
    record = load(data)
    verify(toy(moves=1) if record.header.game == "toy" else game_of(record.header), record)


def forged(record: Record, number: int, **changes: object) -> Record:
    """A record with one row changed and the chain made good again."""
    entries, head = [], first_link(record.header)
    for entry in record.entries:
        row = msgspec.structs.replace(entry.row, **changes) if entry.row.number == number else entry.row
        entries.append(enter(row, head))
        head = entries[-1].hash
    assert record.end is not None
    return Record(record.header, tuple(entries), msgspec.structs.replace(record.end, head=head))


def test_a_record_is_read_back_the_same():
    for record in (short(), full(2), full(5)):
        data = export(record)
        again = load(data)
        assert export(again) == data
        assert again.header == record.header
        assert [entry.hash for entry in again.entries] == [entry.hash for entry in record.entries]


def test_a_finished_game_verifies_from_its_file_alone():
    record = full(3)
    again = load(export(record))
    table = verify(game_of(again.header), again)
    assert table.is_over
    assert table.head == record.entries[-1].hash


def test_a_game_on_a_board_of_ones_own_carries_the_board():
    table, entry = start("airlines-europe", 3, board=TINY)
    again = load(export(random_game(table, entry, random.Random(3))))
    assert game_of(again.header).board == TINY
    verify(game_of(again.header), again)


def test_replay_goes_through_every_position():
    record = full(2)
    game = game_of(record.header)
    rows = [(table.sequence, entry.hash) for table, entry in replay(game, record)]
    assert rows == [(entry.row.number, entry.hash) for entry in record.entries]


def test_every_changed_byte_of_a_short_record_is_found():
    data = export(short())
    check(data)
    for place in range(len(data)):
        for mask in (0x01, 0x20, 0x80):
            changed = bytearray(data)
            changed[place] ^= mask
            with pytest.raises(RecordError):
                check(bytes(changed))


def test_changed_bytes_of_a_long_record_are_found():
    data = export(full(3))
    rng = random.Random(7)
    for _ in range(150):
        changed = bytearray(data)
        changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        with pytest.raises(RecordError):
            check(bytes(changed))


def test_every_way_to_cut_a_record_off_is_found():
    data = export(short())
    for length in range(len(data)):
        with pytest.raises(RecordError):
            check(data[:length])


def test_lines_dropped_doubled_or_moved_are_found():
    lines = export(short()).splitlines(keepends=True)
    for place in range(len(lines)):
        with pytest.raises(RecordError):
            check(b"".join(lines[:place] + lines[place + 1 :]))
        with pytest.raises(RecordError):
            check(b"".join(lines[: place + 1] + lines[place:]))
        for other in range(place):
            swapped = list(lines)
            swapped[place], swapped[other] = swapped[other], swapped[place]
            with pytest.raises(RecordError):
                check(b"".join(swapped))
    for extra in (b"\n", b"{}\n", b"x\n", b'{"hash":"x"}\n'):
        with pytest.raises(RecordError):
            check(b"".join(lines) + extra)
        with pytest.raises(RecordError):
            check(extra + b"".join(lines))


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"\n\n", b"[" * 100_000 + b"\n", b"null\n", b"\xff\n", b'{"header":null}\n']
)
def test_what_is_no_record_is_refused(data):
    with pytest.raises(RecordError):
        load(data)


def test_another_spelling_of_the_same_data_is_refused():
    data = export(short())
    for old, new in (
        (b'"row":1', b'"row": 1'),
        (b'"row":1', b'"row":1.0'),
        (b"\n", b"\r\n"),
        (b"Seat 1", b"\\u0053eat 1"),
    ):
        assert old in data
        with pytest.raises(RecordError, match=r"not in canonical spelling|cannot be read"):
            check(data.replace(old, new, 1))


def test_a_line_may_not_hold_more_than_it_should():
    record = short()
    lines = export(record).splitlines()
    extra = canonical(Line(header=record.header, hash="x"))
    with pytest.raises(RecordError, match="holds more than it should"):
        load(b"\n".join([extra, *lines[1:]]) + b"\n")
    extra = canonical(Line(row=record.entries[0].row, hash=record.entries[0].hash, end=record.end))
    with pytest.raises(RecordError, match="holds more than it should"):
        load(b"\n".join([lines[0], extra, *lines[2:]]) + b"\n")


def test_a_changed_row_is_named():
    lines = export(short()).splitlines(keepends=True)
    lines[2] = lines[2].replace(b'"player"', b'"clock"', 1)
    with pytest.raises(RecordError) as caught:
        check(b"".join(lines))
    assert caught.value.row == 1


@pytest.mark.parametrize(
    ("row", "changes", "message"),
    [
        (2, {"events": ()}, "Row 2 differs: the record's events"),
        (2, {"draws": ()}, "Row 2 differs: the record's draws"),
        (0, {"draws": ()}, "Row 0 differs: the record's draws"),
        (2, {"salt": "00"}, "Row 2 differs: the record's salt"),
        (2, {"position": "00"}, "Row 2 differs: the record's position"),
        (2, {"phase": "auction"}, "Row 2 differs: the record's phase"),
        (2, {"orders": ()}, "Row 2 must hold just one order"),
        (1, {"orders": ()}, "Row 1 lacks the sealed move of seat 0"),
    ],
)
def test_a_forger_who_mends_the_chain_is_found_by_playing_again(row, changes, message):
    with pytest.raises(RecordError, match=message) as caught:
        check(export(forged(short(), row, **changes)))
    assert caught.value.row == row


def test_forged_moves_are_found():
    record = short()
    (order,) = record.entries[2].row.orders
    for seat, move in (
        (1 - order.seat, order.move),
        (99, order.move),
        (order.seat, {"type": "bid", "amount": 1}),
        (order.seat, {"type": "spend", "amount": 10**9}),
        (order.seat, {"type": "nonsense"}),
        (order.seat, None),
        (order.seat, "spend 1 now"),
    ):
        bad = msgspec.structs.replace(order, seat=seat, move=move)
        with pytest.raises(RecordError, match="Row 2"):
            check(export(forged(record, 2, orders=(bad,))))
    sealed = record.entries[1].row.orders
    bad = msgspec.structs.replace(sealed[0], move={"type": "bid", "amount": (sealed[0].move["amount"] + 1) % 10})
    with pytest.raises(RecordError, match="Row 1 differs"):
        check(export(forged(record, 1, orders=(bad, sealed[1]))))


def test_a_record_with_rows_after_its_end_is_found():
    record = short()
    row = msgspec.structs.replace(record.entries[2].row, number=3)
    entry = enter(row, record.entries[2].hash)
    assert record.end is not None
    longer = Record(record.header, (*record.entries, entry), msgspec.structs.replace(record.end, head=entry.hash))
    with pytest.raises(RecordError, match="Row 3: the move is refused: The game is over"):
        check(export(longer))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seed": "00"}, "not the one that was committed to"),
        ({"seed": "xyz"}, "not a hexadecimal number"),
        ({"seed": "74 6f 79"}, "does not tell the result"),  # the same bytes, spelled differently
        ({"ending": "other"}, "does not tell the result"),
        ({"standings": []}, "does not tell the result"),
    ],
)
def test_a_changed_last_line_is_found(changes, message):
    record = short()
    assert record.end is not None
    with pytest.raises(RecordError, match=message):
        check(export(Record(record.header, record.entries, msgspec.structs.replace(record.end, **changes))))


def test_a_game_that_is_not_over_has_no_seed_in_its_record():
    table, entry = toy_table()
    record = close(table, (entry,))
    assert record.end is None
    assert table.seed.hex().encode() not in export(record)
    again = load(export(record))
    with pytest.raises(RecordError, match="not over"):
        verify(toy(), again)
    with pytest.raises(RecordError, match="not over"):
        list(replay(toy(), again))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"game": "chess"}, "No game 'chess' is known"),
        ({"version": "0"}, "Played under rules 0"),
        ({"players": ()}, "for 2 to 5 players, not 0"),
        ({"settings": {"x": 1}}, "The header cannot be used"),
        ({"settings": {"jitter": 3}}, "The header cannot be used"),
        ({"board_data": {"game": "x"}}, "The header cannot be used"),
        ({"board_data": 3}, "The header cannot be used"),
        ({"board_data": msgspec.to_builtins(TINY)}, "is not the one known here"),
    ],
)
def test_a_header_that_cannot_be_used_is_refused(changes, message):
    record = full(2)
    with pytest.raises(RecordError, match=message):
        game_of(msgspec.structs.replace(record.header, **changes))


def test_a_record_on_another_board_is_refused():
    record = full(2)
    name = msgspec.structs.replace(record.header.board, digest="0" * 64)
    with pytest.raises(RecordError, match="is not the one known here"):
        game_of(msgspec.structs.replace(record.header, board=name))


def test_a_record_of_another_format_is_refused():
    record = short()
    header = msgspec.structs.replace(record.header, format=2)
    with pytest.raises(RecordError, match="a record of format 2"):
        load(export(Record(header, (), None)))


def test_the_shape_of_lines_is_strict():
    for kind in (Header, Row, End, Line):
        assert kind.__struct_config__.forbid_unknown_fields


def test_the_transcript_tells_each_order_and_what_came_of_it():
    text = transcript(toy(moves=1), short(), ["Anna", "Ben"])
    lines = text.splitlines()
    assert lines[0] == "Toy: Anna, Ben"
    assert lines[1] == "rules 1, board toy (made up), settings moves 1"
    assert lines[3] == "   0 setup"
    assert any(line.startswith("   1 Anna: bid ") for line in lines)
    assert any(line.startswith("       The bids are ") for line in lines)
    assert "All is done." in lines
    assert lines[-2].startswith("1. ")


def test_a_record_tells_of_seats_and_not_of_people():
    record = short()
    assert record.header.players == ("Seat 1", "Seat 2")
    assert b"Anna" not in export(record)
    assert transcript(toy(moves=1), record).startswith("Toy: Seat 1, Seat 2\n")


def test_other_names_change_no_hash():
    (one, first), (other, second) = (open_table(toy(), names, b"seed") for names in (["Anna", "Ben"], ["Zoe", "Yan"]))
    assert (one.head, first.row_json) == (other.head, second.row_json)
    assert (one.names, other.view().players) == (("Anna", "Ben"), ("Zoe", "Yan"))


def test_a_record_with_names_in_its_header_still_holds():
    """The first form: what was hashed stays as it was."""
    header = msgspec.structs.replace(short().header, players=("Anna", "Ben"))
    table, first = deal(toy(moves=1), header, b"toy")
    record = random_game(table, first, random.Random(1))
    loaded = load(export(record))
    assert verify(toy(moves=1), loaded).head == record.head
    assert transcript(toy(moves=1), loaded).startswith("Toy: Anna, Ben\n")


def test_the_transcript_of_a_loaded_record_is_the_same():
    record = full(3)
    game = game_of(record.header)
    assert transcript(game, load(export(record))) == transcript(game, record)


def test_a_loaded_row_is_told_like_a_fresh_one():
    record = full(3)
    again = load(export(record))
    table, _ = start("airlines-europe", 3)
    for old, new in zip(record.entries, again.entries, strict=True):
        for viewer in (EVERYTHING, table.viewer(0), table.viewer(None)):
            fresh, loaded = (redacted(table.game, entry, viewer, table.words) for entry in (old, new))
            assert canonical(fresh) == canonical(loaded)
