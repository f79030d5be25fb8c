"""Orders as people say them: other spellings, nouns without their verbs, parts of names, `all` and `none`, players."""

from collections.abc import Sequence

import pytest

from referee.errors import AmbiguousOrder, InvalidOrder, OrderError
from referee.options import Bag, Move, Offer, OneOf, Pick
from referee.orders.notation import parse
from tests.referee.games.spike.setups import at, line
from tests.toy import toy


class Build(Move, frozen=True):
    notation = "build {city} from {fleet}"
    also = ("put {city}", "build")
    city: str
    fleet: str


class Load(Move, frozen=True):
    notation = "load {goods}"
    also = ("keep",)
    goods: tuple[str, ...] = ()


class Give(Move, frozen=True):
    notation = "give {gift} to {whom}"
    gift: str
    whom: str


class Deal(Move, frozen=True):
    notation = "deal {cards}"
    cards: tuple[str, ...]


GAME = toy()
GAME.move_types = (Build, Load, Give, Deal)
GAME.vocabulary = {
    "city": {"reno": ("Reno",), "saint": ("Saint Paul",), "paul": ("Paul Butte",)},
    "fleet": {"lv": ("Lockheed Vega",), "lo": ("Lockheed Orion",), "st": ("Stinson of Chicago", "Stinson 4")},
    "goods": {"tools": ("tools",), "toys": ("toys",)},
    "gift": {"tools": ("tools",), "toys": ("toys",)},
    "whom": {"red": ("red",), "green": ("green",)},
    "cards": {"ace": ("ace",), "two": ("two",)},
}
GAME.seat_values = {"whom": ("red", "green")}
PLAYERS = ("Ann Lee", "Bob")

BUILD = (Offer(Build, fleet="st", city=OneOf("reno", "saint")), Offer(Build, fleet="lv", city="reno"))
LOAD = (Offer(Load, goods=Bag({"tools": 2, "toys": 1}, 0, 3)),)
GIVE = (Offer(Give, gift=OneOf("tools", "toys"), whom=OneOf("red", "green")),)
DEAL = (Offer(Deal, cards=Pick(["two", "ace"], 0, 2)),)


def read(line: str, offers: Sequence[Offer]) -> Move:
    return parse(GAME, offers, line, PLAYERS)


@pytest.mark.parametrize(
    ("line", "offers", "move"),
    [
        ("put saint paul", BUILD, Build("saint", "st")),  # only one fleet can
        ("build reno from vega", BUILD, Build("reno", "lv")),
        ("build reno from stinson chicago", BUILD, Build("reno", "st")),
        ("I build Reno from Stinson 4", BUILD, Build("reno", "st")),
        ("saint paul from stinson 4", BUILD[:1], Build("saint", "st")),  # no verb
        ("keep", LOAD, Load()),
        ("load none", LOAD, Load()),
        ("load nothing", LOAD, Load()),
        ("load all", LOAD, Load(("tools", "tools", "toys"))),
        ("load everything", LOAD, Load(("tools", "tools", "toys"))),
        ("load all tools", LOAD, Load(("tools", "tools"))),
        ("2 tools", LOAD, Load(("tools", "tools"))),
        ("deal all", DEAL, Deal(("two", "ace"))),
        ("give tools to Bob", GIVE, Give("tools", "green")),
        ("give my tools to ann lee", GIVE, Give("tools", "red")),
        ("give tools to ann", GIVE, Give("tools", "red")),
        ("give tools to green", GIVE, Give("tools", "green")),
        ("tools to bob", GIVE, Give("tools", "green")),
    ],
)
def test_what_people_write_is_read(line, offers, move):
    assert read(line, offers) == move


def test_all_is_not_guessed_where_it_can_be_taken_in_several_ways():
    with pytest.raises(InvalidOrder):
        read("load all", (Offer(Load, goods=Bag({"tools": 2, "toys": 2}, 0, 3)),))
    assert read("load all", (Offer(Load, goods=Bag({"tools": 5}, 0, 3)),)) == Load(("tools",) * 3)


def test_what_is_left_unsaid_and_can_be_several_things_is_asked_back():
    with pytest.raises(AmbiguousOrder) as caught:
        read("put reno", BUILD)
    assert caught.value.readings == ("build Reno from Stinson of Chicago", "build Reno from Lockheed Vega")


def test_part_of_a_name_means_only_what_is_on_offer():
    with pytest.raises(OrderError):
        read("build reno from orion", BUILD)


@pytest.mark.parametrize("line", ["rneo from stinson", "vega", "tools to bobb", "tool"])
def test_without_a_verb_nothing_is_guessed(line):
    for offers in (BUILD, GIVE):
        with pytest.raises(InvalidOrder):
            read(line, offers)


class Sell(Move, frozen=True):
    notation = "sell [{goods} from store]"
    also = ("exit",)
    goods: tuple[str, ...] = ()


def test_a_noun_that_fits_two_verbs_is_asked_back_however_much_else_their_notations_have():
    game = toy()
    game.move_types, game.vocabulary = (Load, Sell), GAME.vocabulary
    offers = (*LOAD, Offer(Sell, goods=Bag({"tools": 1}, 0, 1)))
    with pytest.raises(AmbiguousOrder) as caught:
        parse(game, offers, "tools")
    assert caught.value.readings == ("load tools", "sell tools from store")
    assert parse(game, offers, "2 tools") == Load(("tools", "tools"))  # so many are nowhere to be sold
    assert parse(game, offers, "tools from store") == Sell(("tools",))
    assert parse(game, offers, "load tools") == Load(("tools",))


def test_a_noun_that_may_be_a_verb_cut_short_is_asked_back():
    game = toy()
    game.move_types, game.vocabulary = (Load, Sell), {"goods": {"ex": ("ex",)}}
    with pytest.raises(AmbiguousOrder) as caught:
        parse(game, (Offer(Load, goods=Bag({"ex": 1}, 0, 1)), Offer(Sell)), "ex")
    assert caught.value.readings == ("load ex", "sell")
    assert parse(game, (Offer(Load, goods=Bag({"ex": 1}, 0, 1)),), "ex") == Load(("ex",))
    assert parse(game, (Offer(Sell),), "ex") == Sell()


def test_a_player_called_like_anothers_colour_is_asked_back():
    with pytest.raises(AmbiguousOrder):
        parse(GAME, GIVE, "give tools to red", ("Cid", "Red"))


def test_of_two_readings_that_are_both_illegal_the_one_of_a_kind_that_is_possible_now_is_refused_with_its_reason():
    table = at(tracks=[line("boston", "albany")])  # Spike: in a city a train is set in motion, not moved
    assert type(parse(table.game, table.offers(0), "move to Miami")).__name__ == "SetInMotion"
    assert type(parse(table.game, [], "pass")).__name__ == "Pass"  # and `done` could be said so too


def test_and_stands_between_the_items_of_a_list():
    table = at(hands=[{"white": 2, "black": 1}, {}])
    assert parse(table.game, table.offers(0), "build Albany with white and white").cards == ("white", "white")


def test_what_is_so_besides_a_move_may_be_said_and_nothing_else():
    table = at(contracts=[{"cloth": "cloth-1b"}, {}])
    assert parse(table.game, table.offers(0), "load cloth in Boston").commodity == "cloth"
    with pytest.raises(InvalidOrder):
        parse(table.game, table.offers(0), "load cloth in Albany")
