"""What the contract gives every game beside its questions."""

from random import Random

from referee.contract import Standing, copied, counted, standings
from referee.options import shuffled
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
