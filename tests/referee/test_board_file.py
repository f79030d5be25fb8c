"""Board files of strangers: read once, within limits, and refused with the line of what is wrong."""

import re
from typing import Any

import pytest
import yaml

from referee import board_file
from referee.board_file import DEEPEST, LONGEST_VALUE, MOST_NODES, BoardFile
from referee.contract import MOST_PROBLEMS
from referee.errors import BoardError
from referee.games import all_games, board_text, load_board, shipped_board


@pytest.fixture
def parses(monkeypatch: pytest.MonkeyPatch) -> list[board_file.Loader]:
    """Every reading of a file, as it happens."""
    made: list[board_file.Loader] = []

    class CountedLoader(board_file.Loader):
        def __init__(self, text: str) -> None:
            super().__init__(text)
            made.append(self)

    monkeypatch.setattr(board_file, "Loader", CountedLoader)
    return made


@pytest.mark.parametrize("key", all_games())
def test_a_board_is_parsed_once_and_means_what_yaml_says(key: str, parses: list[board_file.Loader]) -> None:
    text = board_text(all_games()[key])
    assert BoardFile(text).data == yaml.safe_load(text)
    assert len(parses) == 1
    assert load_board(all_games()[key], text) is not None
    assert len(parses) == 2


def test_a_mistake_needs_no_second_parse_to_get_its_line(parses: list[board_file.Loader]) -> None:
    game_type = all_games()["airlines-europe"]
    text = board_text(game_type).replace("deal: 8", "deal: eight")
    with pytest.raises(BoardError, match=r"line \d+: constants.deal"):
        load_board(game_type, text)
    assert len(parses) == 1


@pytest.mark.parametrize(
    "text",
    ["a: [" + "1," * 99_000 + "1]", "a: {" + ",".join(f"k{n}: 1" for n in range(20_000)) + "}", "- 1\n" * 50_000],
    ids=["list", "mapping", "lines"],
)
def test_a_file_of_too_many_values_is_left_where_it_has_too_many(text: str, parses: list[board_file.Loader]) -> None:
    with pytest.raises(BoardError, match=f"no board has more than {MOST_NODES}"):
        BoardFile(text)
    assert [loader.nodes for loader in parses] == [MOST_NODES + 1]


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "{" * 100_000, "- " * 100_000, "? " * 90_000, "{a: " * 50_000], ids=lambda text: text[:4]
)
def test_a_file_that_is_too_deep_is_left_at_that_depth(text: str, parses: list[board_file.Loader]) -> None:
    with pytest.raises(BoardError, match=f"line 1: this is nested more than {DEEPEST} deep"):
        BoardFile(text)
    assert parses[0].nodes <= 2 * DEEPEST + 2


@pytest.mark.parametrize(
    "value", ["x" * 100_000, "0x" + "f" * 100_000, ":".join("1" * 60_000), "'" + "\n" * 9000 + "'"]
)
def test_a_value_that_is_too_long_is_not_worked_out(value: str) -> None:
    with pytest.raises(BoardError, match=f"line 2: a value has at most {LONGEST_VALUE} letters"):
        BoardFile(f"game: x\na: {value}")


@pytest.mark.parametrize("value", ["!!bool q", "!!timestamp x", "!!int x", "!!python/name:os.system x", "! x"])
def test_tags_are_refused(value: str) -> None:
    with pytest.raises(BoardError, match="line 1: tags"):
        BoardFile(f"a: {value}")


@pytest.mark.parametrize("value", [".nan", ".inf", "-.inf", "1.0e+300", "99999"])
def test_numbers_that_are_none_are_refused(value: str) -> None:
    game_type = all_games()["airline-1975"]
    text = re.sub(r"lat: [-.0-9]+", f"lat: {value}", board_text(game_type), count=1)
    with pytest.raises(BoardError, match=r"line \d+: cities\[0\]\.lat: .* is beyond 9999"):
        load_board(game_type, text)


def test_a_long_list_of_mistakes_is_cut() -> None:
    game_type = all_games()["airlines-europe"]
    wrong = "\n".join(f"nonsense{number}: 1" for number in range(5_000))
    with pytest.raises(BoardError) as refused:
        load_board(game_type, f"game: airlines-europe\n{wrong}\n")
    assert len(refused.value.problems) == MOST_PROBLEMS


@pytest.mark.parametrize(
    ("key", "old", "new", "problem"),
    [
        ("spike", "gift: 1", "gift: 3000", "setup.gift: at most 10, not 3000"),
        ("airlines-europe", "most_licences: 2", "most_licences: 900", "constants.most_licences: at most 8, not 900"),
        ("airline-1975", "offers_per_turn: 3", "offers_per_turn: 5000", "deals.offers_per_turn: at most 20, not 5000"),
        ("tin-goose", "actions: 3", "actions: 500", "constants.actions: at most 12, not 500"),
        ("kings-of-air-and-steam", "depots: 10", "depots: 900", "constants.depots: at most 40, not 900"),
    ],
)
def test_a_board_whose_options_would_take_seconds_is_refused(key: str, old: str, new: str, problem: str) -> None:
    text = board_text(all_games()[key])
    assert old in text
    with pytest.raises(BoardError, match=rf"line \d+: {problem}"):
        load_board(all_games()[key], text.replace(old, new, 1))


def test_a_hand_of_three_thousand_cards_is_refused() -> None:
    """It took seconds to list what they could pay for."""
    text = re.sub(r"cards: 10\b", "cards: 9000", board_text(all_games()["spike"])).replace("hand: 5", "hand: 3000")
    with pytest.raises(BoardError, match=r"line \d+: setup.hand: at most 30, not 3000"):
        load_board(all_games()["spike"], text)


@pytest.mark.parametrize("key", all_games())
def test_every_bound_of_a_game_is_for_something_on_its_board(key: str) -> None:
    board = shipped_board(all_games()[key])
    assert board.most
    for place in board.most:
        parts = [board]
        for name in place.split("."):
            parts = [getattr(part, name) for part in parts]
            parts = [item for part in parts for item in _items(part)]
        assert parts, place


def _items(part: Any) -> list[Any]:
    if isinstance(part, dict):
        part = tuple(part.values())
    return [item for inner in part for item in _items(inner)] if isinstance(part, tuple) else [part]
