"""What people write is read as they mean it, and never as something else."""

from pathlib import Path

import pytest
import yaml

from referee.errors import OrderError
from referee.games.airline_1975.state import Offer
from referee.orders.menu import menu
from tests.positions import play, start
from tests.referee.games.airline_1975.setups import KEY, STRICT, at, offer, throw

PHRASINGS = yaml.safe_load(Path(__file__).with_name("phrasings.yaml").read_text("utf-8"))
OWNED = {0: ["rome", "lima"], 1: ["nairobi", "moscow"], 2: ["bangkok"]}


def asked(times=1):
    table = at(cities=OWNED)
    for price in range(times):
        play(table, offer(["rome"], pay=15, want=["nairobi"], price=price), seat=0)
    return table


def lapsed():
    table, _ = throw(asked(), 5)
    play(table, "pass", seat=0)
    return table


POSITIONS = {  # each with the seat that writes
    "bases": lambda: (table := start(KEY, 3)[0], table.position.active),
    "departure": lambda: (at(cities=OWNED, place={0: "tokyo"}), 0),
    "jet": lambda: (at(cities=OWNED, place={0: "tokyo"}, aircraft={0: "jet"}), 0),
    "two": lambda: (at(2, cities={0: ["rome"], 1: ["nairobi"]}), 0),
    "free": lambda: (at(cities=OWNED, place={0: "vancouver"}, phase="landing"), 0),
    "owned": lambda: (at(cities=OWNED, place={0: "moscow"}, phase="landing"), 0),
    "asked": lambda: (asked(), 1),
    "asked_twice": lambda: (asked(2), 1),
    "maker": lambda: (asked(), 0),
    "lapsed": lambda: (lapsed(), 1),
    "claims": lambda: (throw(at(settings=STRICT, place={0: "moscow"}), 2)[0], 1),
    "debt": lambda: (at(cities=OWNED, cash=(5, 100, 100), phase="raising", debts=[(0, 2, 20)]), 0),
}


@pytest.mark.parametrize("said", PHRASINGS, ids=lambda said: f"{said['at']}: {said['line']}")
def test_an_order_is_read_as_people_write_it(said):
    table, seat = POSITIONS[said["at"]]()
    if "means" in said:
        assert table.submit(seat, [said["line"]]).readings == (said["means"],)
        return
    with pytest.raises(OrderError) as caught:
        table.submit(seat, [said["line"]])
    assert said["refused"] in caught.value.message
    assert "{" not in caught.value.message


def test_there_are_sixty_phrasings_and_more():
    assert len({(said["at"], said["line"]) for said in PHRASINGS}) == len(PHRASINGS) >= 60


def test_a_purchase_and_the_end_of_the_turn_may_be_sent_together():
    table, _ = POSITIONS["free"]()
    play(table, "buy", "pass", seat=0)
    assert table.position.active == 1


@pytest.mark.parametrize(
    ("position", "order", "hint"),
    [
        ("bases", "base Tokyo", "fare 10, 20, 30; routes to Moscow, Bangkok, Vancouver and Honolulu"),
        ("departure", "fly JET", "$30 million; your fares 10 to 20 in all; subsidy 10, maintenance 25"),
        ("free", "buy", "Vancouver for $20 million, 80 left; fare 8, 16, 24; connected to your base"),
        (
            "owned",
            "challenge",
            "$20 million to Ben; you win about 4 times in 9, ties are the owner's; connected to your base",
        ),
        ("claims", "claim", "$9 million from Anna"),
        ("asked", "accept 1", "you get Rome and $15 million for Nairobi"),
        ("maker", "throw", "offers that lie open lapse with your turn: 1"),
    ],
)
def test_menus_tell_what_an_order_costs_and_brings(position, order, hint):
    table, seat = POSITIONS[position]()
    offers = [found for found in table.offers(seat) if found.move is not Offer]
    told = {choice.text: choice.note for choice in menu(table.game, offers, table.hints(seat))}
    assert told[order] == hint


def test_offers_tell_who_has_how_much_and_what_cities_are_worth():
    table, seat = POSITIONS["departure"]()
    found = next(found for found in table.offers(seat) if found.move is Offer)
    listing = found.listing(table.hints(seat)(found))
    assert listing["fields"]["to"]["hints"] == {"green": "Ben, has $100 million"}
    assert listing["fields"]["want"]["hints"] == {
        "nairobi": "fare 5, 10, 15; not connected to your base",
        "moscow": "fare 8, 16, 24; connected to your base",
    }
    assert listing["fields"]["give"]["hints"] == {"rome": "fare 7, 14, 21", "lima": "fare 5, 10, 15"}


def test_no_gift_is_ever_proposed_and_no_bankruptcy():
    table = at(cities=OWNED, cash=(100, 0, 100))
    for line in ("offer rome to ben for 10", "sell lima to ben for 1"):
        with pytest.raises(OrderError) as caught:
            table.submit(0, [line])
        assert caught.value.nearest is None or caught.value.nearest["type"] == "throw"
    table, _ = POSITIONS["debt"]()
    with pytest.raises(OrderError) as caught:
        table.submit(0, ["pass"])
    assert caught.value.nearest is None
