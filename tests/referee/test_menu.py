import random
from itertools import islice

import pytest

from referee.bots import random_move, take_turn, waiting_for
from referee.games import all_games, open_game
from referee.options import NO_HINTS, Bag, Hints, Move, Offer, OneOf, Pick, Range
from referee.orders.menu import LONGEST, in_words, menu
from referee.table import open_table
from tests.toy import Walk, toy, ways


def leads_to(game, offers) -> set[Move]:
    """Every complete order that a menu and the menus it opens into hold."""
    found = set()
    for choice in menu(game, offers):
        if choice.move:
            found.add(choice.move)
        elif choice.missing:
            found |= {choice.with_number(number) for number in choice.offers[0].domains[choice.missing].values()}
        elif choice.offers:
            found |= leads_to(game, choice.offers)
        else:
            found |= {move for offer in offers for move in offer.moves()}  # told how to write them
    return found


@pytest.mark.parametrize("key", all_games())
def test_menus_lead_to_every_move_and_stay_short(key):
    game, rng = open_game(key, all_games()[key].seat_counts[-1]), random.Random(1)
    table, _ = open_table(game, [f"p{seat}" for seat in range(game.seats)], bytes(32))
    for number in range(60):
        if table.is_over:
            break
        seat = waiting_for(table)[0].seat
        offers = table.offers(seat)
        if number % 3 == 0:
            assert len(menu(game, offers)) <= LONGEST
            some = {move for offer in offers for move in islice(offer.moves(), 500)}
            assert some <= leads_to(game, offers)
        take_turn(table, seat, [random_move(table, seat, rng)])


class Ship(Move, frozen=True):
    notation = "ship {goods} [via {stops}]"
    goods: tuple[str, ...]
    stops: tuple[str, ...] = ()


class Bid(Move, frozen=True):
    notation = "bid {amount} on {line}"
    amount: int
    line: str


class Pass(Move, frozen=True):
    notation = "pass"


class Leap(Move, frozen=True):
    notation = "leap"


class Retire(Move, frozen=True):
    notation = "retire"
    leaves_the_game = True


GAME = open_game("airlines-europe", 2)


def test_an_offer_with_countless_moves_is_told_with_its_fields():
    goods, stops = Bag({"coal": 40, "iron": 1}, 1, 40), Pick([f"s{n}" for n in range(30)], 0, 30)
    (choice,) = menu(GAME, [Offer(Ship, goods=goods, stops=stops)])
    assert choice.text == "ship GOODS [via STOPS]"
    assert choice.note.startswith("GOODS: 1 to 40 of 40 coal, iron; STOPS: 0 to 30 of s0, s1")
    assert choice.move is None


def test_an_optional_part_that_must_be_empty_is_left_out():
    (choice,) = menu(GAME, [Offer(Ship, goods=Bag({"coal": 100}, 1, 100), stops=Pick([], 0, 0))])
    assert choice.text == "ship GOODS"


def test_what_an_offer_means_is_told_before_it_is_opened():
    offers = [Offer(Bid, amount=OneOf(*range(40)), line="red"), Offer(Pass)]
    group, _ = menu(GAME, offers, lambda offer: Hints(order="nothing comes back") if offer.move is Bid else NO_HINTS)
    assert group.note == "nothing comes back; AMOUNT: " + ", ".join(map(str, range(40)))


def test_an_optional_part_that_can_only_have_its_default_is_left_out():
    (choice,) = menu(GAME, [Offer(Ship, goods=Bag({"coal": 100}, 1, 100))])
    assert choice.text == "ship GOODS"


def test_how_often_something_called_by_a_number_is_there_is_told_in_words():
    numbered = open_game("kings-of-air-and-steam", 2)
    bag = Bag({"0": 1, "1": 2, "2": 3}, 4, 4)
    assert in_words(numbered, "cards", bag) == "4 of 0, 1 (twice), 2 (3 times)"


def test_a_field_with_one_value_is_filled_in_and_a_range_is_told():
    (choice,) = menu(GAME, [Offer(Bid, amount=Range(5, 99), line="red")])
    assert (choice.text, choice.note) == ("bid AMOUNT on red", "AMOUNT: 5 to 99")


def test_a_bare_number_is_the_amount_where_only_that_is_missing():
    bid, decline = Offer(Bid, amount=Range(5, 9), line="red"), Offer(Pass)
    amount, other = menu(GAME, [bid, decline])
    assert amount.with_number(7) == Bid(7, "red")
    assert not amount.is_numbered
    assert (other.text, other.is_numbered) == ("pass", False), "its number would be an amount"


@pytest.mark.parametrize(
    "offers",
    [
        [Offer(Bid, amount=Range(5, 9), line=OneOf("red", "blue"))],
        [Offer(Bid, amount=Range(5, 9), line="red"), Offer(Pass), Offer(Leap)],
        [Offer(Bid, amount=Range(5, 9), line="red"), Offer(Bid, amount=Range(5, 9), line="blue")],
        [Offer(Bid, amount=Range(5, 5), line="red")],
        [Offer(Bid, amount=OneOf(5, 9), line="red")],
    ],
)
def test_where_more_than_one_number_is_missing_numbers_are_lines(offers):
    assert all(choice.is_numbered for choice in menu(GAME, offers))


def test_what_leaves_the_game_has_no_number_and_comes_last():
    *others, last = menu(GAME, [Offer(Retire), Offer(Pass), Offer(Leap)])
    assert [choice.text for choice in others if choice.is_numbered] == ["pass", "leap"]
    assert (last.text, last.is_numbered) == ("retire", False)


def test_moves_are_listed_lazily():
    offer = Offer(Ship, goods=Bag({"coal": 1}, 1, 1), stops=Pick([f"s{n}" for n in range(40)], 0, 40))
    assert len(list(islice(offer.moves(), 1000))) == 1000


def test_few_moves_are_complete_orders():
    choices = menu(GAME, [Offer(Bid, amount=OneOf(1, 2), line=OneOf("red", "blue"))])
    assert [choice.text for choice in choices] == ["bid 1 on red", "bid 1 on blue", "bid 2 on red", "bid 2 on blue"]


def test_too_many_offers_of_one_type_are_told_in_a_line():
    (choice,) = menu(GAME, [Offer(Bid, amount=number, line=OneOf("red", "blue")) for number in range(100)])
    assert (choice.text, choice.note) == ("bid AMOUNT on LINE", "LINE: red, blue")


def test_a_menu_tells_what_orders_mean_and_only_where_something_is_to_be_told():
    offer = Offer(Bid, amount=2, line=OneOf("erie", "reading"))
    hints = Hints("from your cash", {"line": {"erie": "pays 8"}})
    choices = menu(toy(), [offer, Offer(Pass)], lambda asked: hints if asked is offer else NO_HINTS)
    assert [choice.note for choice in choices] == ["from your cash; pays 8", "from your cash", ""]


def test_a_way_is_told_by_its_end():
    offer = Offer(Walk, path=ways())
    hints = Hints(values={"path": {"b1": "home", "c1": "pays 3"}})
    notes = {choice.move.path: choice.note for choice in menu(toy(), [offer], lambda _: hints)}
    assert notes == {("a1", "b1"): "home", ("a1", "b1", "c1"): "pays 3"}
