"""What the contract gives every game beside its questions."""

from pathlib import Path
from random import Random

import pytest

from referee.contract import Fact, Standing, Words, called, copied, counted, standings
from referee.errors import BoardError
from referee.games import all_games, board_text, faithful_board, load_board
from referee.options import shuffled
from referee.pictures.drawing import Box, mark, text
from referee.pictures.poster import Section, poster
from referee.piles import add, pile_of, spread, take
from tests.toy import journey


def test_standings_are_best_first_and_ties_share_a_place_in_the_order_of_seats():
    assert standings([7, 9, 7], [(7,), (9,), (7,)], ["a", "b", "c"]) == [
        Standing(1, 1, 9, "b"),
        Standing(0, 2, 7, "a"),
        Standing(2, 2, 7, "c"),
    ]
    assert [standing.place for standing in standings([5, 5, 1], [(5,), (5,), (1,)])] == [1, 1, 3]


def test_a_second_key_breaks_the_tie_of_the_first():
    assert [standing.seat for standing in standings([7, 7], [(7, 0), (7, 3)])] == [1, 0]


def test_without_keys_nobody_has_a_place_and_a_score_may_be_unknown():
    assert standings([7, None]) == [Standing(0, None, 7), Standing(1, None, None)]


def test_a_copied_position_is_the_same_and_can_be_changed_alone():
    position = journey().position
    other = copied(position)
    assert other == position
    other.gold[0] += 1
    assert other != position


def test_shuffled_things_are_the_same_things_and_the_first_list_stays():
    things = list("abcdefgh")
    mixed = shuffled(things, Random(1))
    assert things == list("abcdefgh")
    assert mixed != things
    assert sorted(mixed) == things


def test_a_pile_counts_what_is_added_and_taken_and_keeps_no_empty_kind():
    pile = pile_of(["red", "blue", "red"])
    assert pile == {"red": 2, "blue": 1}
    take(pile, ["blue", "red"])
    assert pile == {"red": 1}
    add(pile, ["amber"])
    assert spread(pile) == ["amber", "red"]


def test_things_are_counted_in_words():
    assert counted(1, "card") == "1 card"
    assert counted(0, "card") == "0 cards"
    assert counted(2, "city", "cities") == "2 cities"


def test_a_board_for_a_new_game_keeps_what_the_rulebook_fixes_and_an_old_record_loads_on_any(monkeypatch):
    game_type = all_games()["airlines-europe"]
    fact = Fact("AE-X01", "There are as many airlines as on the shipped board", lambda board: len(board.airlines) == 10)
    monkeypatch.setattr(game_type, "facts", (fact,))
    tiny = Path("tests/boards/airlines-europe-tiny.yaml").read_text("utf-8")
    assert load_board(game_type, tiny)
    with pytest.raises(BoardError, match=r"as many airlines as on the shipped board \(AE-X01\)"):
        faithful_board(game_type, tiny)
    assert faithful_board(game_type, board_text(game_type))


def test_a_part_of_a_poster_is_what_lies_in_its_boxes():
    view = journey().view()
    head = text(0, 20, "head")
    sections = (
        Section("map", Box(0, 50, 800, 300), text(9, 99, "Reno")),
        Section("market", Box(800, 50, 400, 100), text(900, 99, "Corn")),
        Section("market", Box(800, 150, 400, 200), text(900, 199, "Oats")),
    )
    whole = poster(view, "Toy", "a toy", 400, head, *sections)
    market = poster(view, "Toy", "a toy", 400, head, *sections, part="market")
    assert 'viewBox="0 0 1200 400"' in whole
    assert all(word in whole for word in ("head", "Reno", "Corn", "Oats"))
    assert 'viewBox="800 50 400 300"' in market
    assert ("head" in market, "Reno" in market, "Corn" in market, "Oats" in market) == (False, False, True, True)


def test_a_mark_names_the_field_and_the_value_of_a_move():
    assert mark("route", "london-paris", text(1, 2, "x")).startswith('<g data-mark="route london-paris"><text ')


def test_a_sentence_about_seats_has_their_names_in_one_line() -> None:
    words = Words(journey().game, ("Ann", "a\x1b[31m\nb", "x" * 99, " "))
    said = words.named(f"Pay {called(0)}, {called(1)}, {called(2)} or {called(3)}, but not {{seat}}.")
    assert said == f"Pay Ann, a [31m b, {'x' * 23}… or player 4, but not {{seat}}."
