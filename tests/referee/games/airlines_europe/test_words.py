"""What players write and what they are told beside their choices."""

import re
from pathlib import Path

import pytest
import yaml

from referee.errors import AmbiguousOrder, OrderError
from referee.orders.menu import menu
from referee.orders.notation import format_move
from referee.table import Table
from tests.positions import edit, offered, play, random_table, start
from tests.referee.games.airlines_europe.setups import at, refused

HANDS = [{"red": 3, "grey": 1, "air_abacus": 1}, {}, {}]
HOLDINGS = [{"red": 1, "white": 2}, {"red": 2}, {}]
CASH = [12, 8, 8]


def turn() -> Table:
    return at(3, hands=HANDS, holdings=HOLDINGS, cash=CASH)


def share(bought: int = 1) -> Table:
    return at(3, hands=HANDS, holdings=HOLDINGS, cash=CASH, phase="share", bought=bought)


POSITIONS = {
    "turn": turn,
    "share": share,
    "full": lambda: share(bought=2),
    "clearing": lambda: at(3, phase="clearing", scorings=1, active=2),
    "opening": lambda: edit(start("airlines-europe", 3)[0], seat=0, hand={"red": 3, "grey": 2, "white": 1, "black": 2}),
}
PHRASINGS = yaml.safe_load((Path(__file__).parent / "phrasings.yaml").read_text("utf-8"))


def read(table: Table, says: str) -> str:
    return format_move(table.game, table.check(0, says))


def test_the_list_of_phrasings_is_long_enough() -> None:
    assert len(PHRASINGS) >= 60
    assert len({(phrase["position"], phrase["says"]) for phrase in PHRASINGS}) == len(PHRASINGS)


@pytest.mark.parametrize("phrase", PHRASINGS, ids=lambda phrase: f"{phrase['position']}: {phrase['says']}")
def test_what_people_write_is_read_as_they_mean_it(phrase: dict[str, str]) -> None:
    table = POSITIONS[phrase["position"]]()
    if "means" in phrase:
        assert read(table, phrase["says"]) == phrase["means"]
        return
    with pytest.raises(OrderError) as caught:
        read(table, phrase["says"])
    error = caught.value
    assert phrase["refused"] in error.message
    assert not re.search(r"\{\w+\}|[a-z]_[a-z]", error.message), "a name for programs"
    if isinstance(error, AmbiguousOrder):
        for reading in error.readings:
            read(table, reading)  # all that is asked about can be done


@pytest.mark.parametrize("name", POSITIONS)
def test_no_refusal_proposes_what_costs_money_or_gives_shares_away(name: str) -> None:
    """What is proposed instead of an illegal order is money, or a share."""
    table = POSITIONS[name]()
    proposed = {proposal(table, phrase["says"]) for phrase in PHRASINGS}
    assert proposed <= {None, "choose", "take_money", "take_share", "play_shares"}


def proposal(table: Table, says: str) -> str | None:
    """The type of order that is proposed to somebody whose order is refused."""
    try:
        table.check(0, says)
    except OrderError as error:
        nearest = getattr(error, "nearest", None)
        return nearest["type"] if nearest else None
    return None


def test_an_illegal_licence_is_answered_with_money_instead_of_another_licence() -> None:
    assert refused(turn(), "buy London-Paris for white").nearest == {"type": "take_money"}
    assert refused(turn(), "trade 2 red").nearest == {"type": "take_money"}


# Hints


def noted(table: Table, order: str) -> str:
    """What stands behind an order in a menu."""
    hints, move = table.hints(0), table.check(0, order)
    offer = next(offer for offer in table.offers(0) if offer.accepts(move))
    return hints(offer).of(offer, move)


@pytest.mark.parametrize(
    ("order", "hint"),
    [
        ("buy London-Paris for grey", "3 million, to 12 on the track, paying 3-2-1-0"),
        ("buy London-Paris for red", "3 million, to 7 on the track, paying 2-1-0"),
        ("buy Istanbul-Ankara for brown", "3 million, to 10 on the track"),
        ("buy Lisbon-Athens for orange", "10 million, to 18 on the track, paying 4-2-1-0, the last licence"),
        ("play 2 red", "2 million a share; red pays 1-0 now; you show 1, others 2 and 0"),
        ("play abacus", "2 million a share; Air ABACUS pays 4-2-1-0 at the next scoring; you show 0, others 0 and 0"),
        ("trade 3 red", "2 Air ABACUS into your hand"),
        ("trade grey", "1 Air ABACUS into your hand"),
        ("take money", "8 million"),
    ],
)
def test_prices_payments_and_effects_stand_beside_the_orders_of_a_turn(order: str, hint: str) -> None:
    assert noted(turn(), order) == hint


@pytest.mark.rule("AE-A10")
def test_a_bonus_is_told_beside_the_licence_that_brings_it() -> None:
    way = {"rome-athens": ["orange"], "barcelona-rome": ["orange"], "paris-barcelona": ["orange"]}
    table = at(3, licences=way | {"london-paris": ["red", "grey"]}, markers={"orange": 21})
    hint = "5 million, to 34 on the track with the bonus of 8 for London, paying 6-3-2-1-0, the last licence"
    assert noted(table, "buy London-Paris for orange") == hint
    play(table, "buy London-Paris for orange")
    assert table.position.airlines["orange"].marker == 34


def test_shares_to_take_tell_who_shows_how_many() -> None:
    assert noted(share(), "take red") == "pays 1-0 now; you show 1, others 2 and 0"
    assert noted(share(), "take pile") == "12 cards, unseen"
    hint = "red pays 1-0 now, 13 in the game; white pays 2-1-0 now, 7 in the game"
    assert noted(POSITIONS["opening"](), "choose red, white") == hint


@pytest.mark.rule("AE-B01")
def test_what_breaks_the_bank_is_told_before_it_does() -> None:
    table = at(3, cash=[40, 30, 13], hands=[{"red": 5}, {}, {}])
    broken = "breaks the bank: nobody keeps more than 8 million, the market is replaced (AE-B01)"
    assert noted(table, "take money") == f"8 million; {broken}"
    assert noted(table, "play 5 red").startswith(f"2 million a share; with 4 shares or more it {broken}")
    assert broken not in noted(at(3, cash=[40, 30, 13], hands=[{"red": 3}, {}, {}]), "play 3 red")


def test_every_purchase_on_offer_has_its_hint_in_the_listing_and_moves_the_marker_there() -> None:
    table = random_table("airlines-europe", 4, 90)
    while "Buy" not in offered(table):
        play(table, "take money")
    seat = table.acting()[0]
    hints = table.hints(seat)
    for offer in table.offers(seat):
        if offer.move.__name__ == "Buy":
            listed = offer.listing(hints(offer))["fields"]["route"]
            assert set(listed["hints"]) == set(listed["one_of"])
    lines = [choice for choice in menu(table.game, table.offers(seat), hints) if choice.move]
    assert all(choice.note for choice in lines)
