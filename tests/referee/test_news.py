"""What has happened since a seat moved last: what it may know of it, what the clock did for it, and not too much."""

from typing import Any

import pytest

from referee.contract import SPECTATOR, Viewer
from referee.games import open_game
from referee.log import Entry
from referee.news import HEADING, MOST_LINES, has_moved, news, unseen
from referee.table import Table, open_table


@pytest.fixture
def played() -> tuple[Table, list[Entry]]:
    """Three players of Airlines Europe after their sealed opening, and all rows so far."""
    table, first = open_table(open_game("airlines-europe", 3), ["Ann", "Bob", "Cid"], bytes(range(32)))
    for seat in range(3):
        table.submit(seat, [table.default(seat)])
    return table, [first, table.reveal()]


def play(table: Table, entries: list[Entry], seat: int, *orders: Any, by: str = "player") -> None:
    entries += table.submit(seat, orders, by).entries


def numbers(entries: Any) -> list[int]:
    return [entry.row.number for entry in entries]


def test_what_an_envelope_led_to_is_news_and_what_one_has_done_openly_is_not(played: Any) -> None:
    table, entries = played
    assert numbers(unseen(entries, 0)) == [1], "the reveal"
    play(table, entries, 0, "take money")
    assert numbers(unseen(entries, 0)) == []
    play(table, entries, 1, "take money")
    play(table, entries, 2, "take money")
    assert numbers(unseen(entries, 0)) == [3, 4]
    assert numbers(unseen(entries, 2)) == []


def test_what_the_clock_played_for_a_seat_is_news_to_it(played: Any) -> None:
    table, entries = played
    play(table, entries, 0, "take money", by="clock")
    assert numbers(unseen(entries, 0)) == [1, 2]
    assert not has_moved(entries[2:], 0)


def test_who_has_not_moved_is_told_everything(played: Any) -> None:
    _, entries = played
    assert numbers(unseen(entries[:1], 2)) == [0]


def test_news_are_what_the_viewer_may_know(played: Any) -> None:
    table, entries = played
    told = [news(table.game, entries[:1], viewer, table.words) for viewer in (Viewer(0), Viewer(1), SPECTATOR)]
    assert told[0].startswith(f"{HEADING}\n")
    assert told[0].endswith("\n\n")
    assert len(set(told)) == 3
    assert news(table.game, [], Viewer(0), table.words) == ""


def test_there_are_no_more_than_some_lines_and_none_is_wide(played: Any) -> None:
    table, entries = played
    play(table, entries, 0, "take money")
    many = entries[-1:] * (MOST_LINES + 10)
    lines = news(table.game, many, Viewer(0), table.words).splitlines()
    assert lines[0] == HEADING
    assert lines[1] == "(10 more lines before these; the log has them.)"
    assert len(lines) == MOST_LINES + 3
    assert max(map(len, lines)) <= 72
