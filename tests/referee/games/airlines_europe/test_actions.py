"""The four actions of a turn."""

import pytest
from msgspec.structs import replace

from referee.errors import IllegalOrder
from referee.games.airlines_europe.events import BonusConnection, Bought, DrewShare, TookShare
from tests.positions import happened, play, types
from tests.referee.games.airlines_europe.setups import BOARD, at, buy, refused, sentences, sold, text_of


def offered(table, seat=0):
    return {offer.move.__name__ for offer in table.offers(seat)}


def buyable(table, airline, seat=0):
    """The routes on offer for an airline."""
    offers = [offer for offer in table.offers(seat) if offer.move.__name__ == "Buy"]
    return [
        route
        for offer in offers
        if offer.domains["airline"].accepts(airline)
        for route in offer.domains["route"].values()
    ]


@pytest.mark.rule("AE-A01")
def test_a_turn_is_one_of_four_actions_and_then_the_next_player_is_asked():
    table = at(3, hands=[{"red": 1}, {}, {}])
    assert offered(table) == {"Buy", "PlayShares", "Trade", "TakeMoney"}
    for order in ("take money", "play red", "trade red"):
        table = at(3, hands=[{"red": 1}, {}, {}])
        play(table, order)
        assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(1, "turn")]
    table = at(3)
    with pytest.raises(IllegalOrder, match=r"Your turn ends with the order before this one\.") as caught:
        play(table, "take money", "take money")
    assert (caught.value.code, caught.value.index) == ("turn_over", 1)
    assert table.position.players[0].cash == 8


@pytest.mark.rule("AE-A01", "AE-R42")
def test_there_is_no_pass_and_no_deal_between_players():
    table = at(3)
    kinds = {kind.__name__ for kind in table.game.move_types}
    assert kinds == {"Choose", "Buy", "TakeShare", "PlayShares", "Trade", "TakeMoney"}


@pytest.mark.rule("AE-A02", "AE-R07")
def test_an_action_that_cannot_be_carried_out_is_not_offered_and_money_always_is():
    table = at(3, cash=[2, 8, 8])
    assert offered(table) == {"TakeMoney"}
    error = refused(table, "buy London-Paris for grey")
    assert error.code == "too_expensive"
    assert error.numbers == {"cost": 3, "cash": 2}
    assert error.nearest == {"type": "take_money"}
    assert refused(table, "play red").code == "no_such_share"
    assert refused(table, "trade red from hand").code == "no_such_share"


@pytest.mark.rule("AE-A03")
def test_buying_pays_the_bank_places_a_plane_and_moves_the_marker():
    table = at(3)  # without a single share
    (bought,) = happened(play(table, "buy London-Amsterdam for grey"))
    position = table.position
    assert bought == Bought(0, "grey", "london-amsterdam", 3, 12)
    assert (position.players[0].cash, position.bank) == (5, 69)
    assert (position.airlines["grey"].planes, position.airlines["grey"].marker) == (7, 12)
    assert sold(table) == {"london-amsterdam": ("grey",)}


@pytest.mark.rule("AE-A03", "AE-T13", "AE-A06", "AE-R05")
def test_two_licences_one_after_the_other_for_two_airlines():
    table = at(3)
    outcome = play(table, buy("grey", "london-paris"), buy("red", "london-paris"))
    assert [event.cost for event in happened(outcome, Bought)] == [3, 4]
    position = table.position
    assert position.players[0].cash == 1
    assert (position.airlines["grey"].marker, position.airlines["red"].marker) == (12, 8)
    assert sold(table) == {"london-paris": ("grey", "red")}


@pytest.mark.rule("AE-A03")
def test_a_third_licence_in_one_turn_is_refused():
    table = at(3, cash=[30, 8, 8])
    play(table, buy("grey", "london-paris"), buy("red", "london-paris"))
    error = refused(table, buy("black", "vienna-budapest"))
    assert (error.code, error.numbers) == ("enough_licences", {"most": 2})
    assert offered(table) == {"TakeShare"}


@pytest.mark.rule("AE-A03", "AE-R05", "AE-R06")
def test_two_licences_are_on_offer_in_every_turn_and_the_question_says_what_is_left():
    table = at(2, cash=[20, 20], pile=["white"] * 4)
    share = "one share from the market or from the pile"
    for seat, airline in enumerate(("grey", "black", "brown")):
        routes = table.view(None).table.airlines[airline].routes
        assert offered(table, seat % 2) >= {"Buy", "TakeMoney"}
        play(table, buy(airline, routes[0]))
        assert offered(table, seat % 2) == {"Buy", "TakeShare"}
        assert table.decisions()[0].prompt == f"Buy a second licence, or take {share}."
        play(table, buy(airline, routes[1]))
        assert offered(table, seat % 2) == {"TakeShare"}
        assert table.decisions()[0].prompt == f"Take {share}."
        play(table, "take pile")


@pytest.mark.rule("AE-A04", "AE-R06")
def test_exactly_one_share_is_taken_after_the_licences_and_the_market_slot_is_filled_at_once():
    table = at(3, pile=["white", "grey", "red"], cash=[30, 8, 8])
    play(table, "buy London-Paris for grey", "buy Paris-Zurich for grey")
    assert [decision.seat for decision in table.decisions()] == [0]  # compulsory: the turn is not over
    outcome = play(table, "take black")
    assert types(happened(outcome)) == ["TookShare", "MarketRefilled"]
    position = table.position
    assert position.players[0].hand == {"black": 1}
    assert sorted(position.market) == ["brown", "green", "orange", "red", "white"]
    assert [decision.seat for decision in table.decisions()] == [1]
    assert table.decisions()[0].phase == "turn"


@pytest.mark.rule("AE-A04")
def test_the_top_card_of_the_pile_can_be_taken_and_leaves_the_market_alone():
    table = at(3, pile=["white", "grey"])
    play(table, "buy London-Paris for grey")
    outcome = play(table, "take from pile")
    assert happened(outcome) == [DrewShare(0, "white")]
    assert table.position.market == ["black", "brown", "green", "orange", "red"]
    assert table.position.deck == ["grey"]


@pytest.mark.rule("AE-A04")
def test_a_share_that_is_not_in_the_market_is_refused_with_what_there_is():
    table = at(3)
    play(table, "buy London-Paris for grey")
    error = refused(table, "take white")
    assert error.code == "not_in_the_market"
    assert error.message == "There is no white share in the market; there are: black, brown, green, orange and red."


@pytest.mark.rule("AE-R06")
def test_the_clock_takes_the_top_card_for_whoever_bought_and_went_away():
    table = at(3, pile=["white"] * 3)
    play(table, "buy London-Paris for grey")
    table.submit(0, [{"type": "take_share", "share": table.default(0).share}], by="clock")
    assert table.position.players[0].hand == {"white": 1}


@pytest.mark.rule("AE-A05", "AE-T15")
def test_a_route_that_touches_neither_home_nor_network_is_refused():
    error = refused(at(3), buy("grey", "paris-zurich"))
    assert error.code == "not_connected"
    assert error.message == "Paris-Zurich is not connected to London, the home airport of grey."
    assert error.rule == "Purchase rule 1"


@pytest.mark.rule("AE-A05", "AE-R05", "AE-T16")
def test_the_second_licence_may_hang_on_the_first():
    table = at(3)
    outcome = play(table, buy("grey", "london-paris"), buy("grey", "paris-zurich"))
    assert [event.cost for event in happened(outcome, Bought)] == [3, 3]
    assert table.position.players[0].cash == 2
    assert table.position.airlines["grey"].marker == 15


@pytest.mark.rule("AE-A05", "AE-R08")
def test_a_route_between_two_cities_of_the_network_is_legal():
    table = at(3, licences={"london-amsterdam": ["grey"], "london-paris": ["grey"]})
    assert buyable(table, "grey").count("amsterdam-paris") == 1
    play(table, buy("grey", "amsterdam-paris"))
    assert sold(table)["amsterdam-paris"] == ("grey",)


@pytest.mark.rule("AE-A05", "AE-A06", "AE-A07", "AE-A08", "AE-A09", "AE-R07")
def test_just_the_routes_that_may_be_bought_are_listed():
    licences = {"london-paris": ["grey"], "amsterdam-paris": ["red", "black"], "paris-zurich": ["red"]}
    table = at(3, cash=[4, 8, 8], licences=licences)
    near = {"dublin-london", "london-amsterdam", "london-oslo", "paris-barcelona", "paris-madrid", "paris-berlin"}
    assert set(table.view(0).table.airlines["grey"].routes) == near | {"paris-zurich"}  # whatever they cost
    assert set(buyable(table, "grey")) == {
        "dublin-london", "london-amsterdam", "paris-barcelona", "paris-berlin", "paris-zurich"
    }  # fmt: skip
    assert buyable(at(3, planes={"grey": 0}), "grey") == []


@pytest.mark.rule("AE-A06")
def test_the_cheapest_licence_left_is_sold():
    costs = []
    for owners in ([], ["red"], ["red", "black"]):
        table = at(3, cash=[10, 8, 8], licences={"london-paris": owners} if owners else {})
        costs += [event.cost for event in happened(play(table, buy("grey", "london-paris")))]
    assert costs == [3, 4, 5]


@pytest.mark.rule("AE-R09")
def test_equally_cheap_licences_are_sold_first_to_last():
    route = BOARD.route["london-paris"]
    routes = tuple(replace(printed, licences=(3, 3, 5)) if printed is route else printed for printed in BOARD.routes)
    table = at(3, cash=[10, 8, 8], board=replace(BOARD, routes=routes))
    outcome = play(table, buy("grey", "london-paris"), buy("red", "london-paris"))
    assert [event.cost for event in happened(outcome)] == [3, 3]
    assert sold(table)["london-paris"] == ("grey", "red")


@pytest.mark.rule("AE-A07", "AE-T14", "AE-R05")
def test_an_airline_owns_one_licence_of_a_route_at_most():
    error = refused(at(3), buy("grey", "london-paris"), buy("grey", "london-paris"))
    assert (error.code, error.index) == ("licensed_already", 1)
    assert error.message == "grey already owns a licence London-Paris."


@pytest.mark.rule("AE-A08")
def test_where_all_licences_are_sold_nobody_can_buy():
    error = refused(at(3, licences={"dublin-london": ["red", "black"]}), buy("grey", "dublin-london"))
    assert (error.code, error.numbers) == ("no_licence_left", {"licences": 2})


@pytest.mark.rule("AE-A09")
def test_an_airline_without_planes_cannot_buy():
    error = refused(at(3, planes={"grey": 0}), buy("grey", "london-paris"))
    assert (error.code, error.field) == ("no_planes", "airline")
    assert error.numbers == {"planes": 8, "left": 0}


ORANGE = {"rome-athens": ["orange"], "barcelona-rome": ["orange"], "paris-barcelona": ["orange"]}


@pytest.mark.rule("AE-A10", "AE-T17")
def test_linking_home_and_goal_moves_the_marker_by_the_licence_and_then_by_the_bonus():
    table = at(3, markers={"orange": 21}, licences=ORANGE)
    outcome = play(table, buy("orange", "london-paris"))
    assert happened(outcome) == [
        Bought(0, "orange", "london-paris", 3, 24),
        BonusConnection("orange", "athens", "london", 8, 32),
    ]
    assert table.position.airlines["orange"].marker == 32
    assert not table.position.airlines["orange"].bonus
    assert "Athens and London are connected: orange advances 8 more spaces, to 32." in sentences(table, outcome, None)


@pytest.mark.rule("AE-A10")
def test_the_bonus_comes_once_and_to_its_own_airline_only():
    table = at(3, cash=[20, 8, 8], markers={"orange": 21}, licences=ORANGE)
    outcome = play(table, buy("orange", "london-paris"), buy("orange", "london-amsterdam"))
    assert len(happened(outcome, BonusConnection)) == 1
    assert table.position.airlines["orange"].marker == 35
    table = at(3, licences={"london-paris": ["orange"]} | ORANGE)
    assert happened(play(table, buy("red", "london-paris")), BonusConnection) == []


@pytest.mark.rule("AE-A11")
@pytest.mark.parametrize(
    ("airline", "way", "last", "bonus"),
    [
        ("orange", ["paris-barcelona", "barcelona-rome", "rome-athens"], "london-paris", 8),
        ("green", ["stockholm-riga", "riga-warsaw", "warsaw-budapest", "budapest-belgrade"], "belgrade-athens", 8),
        ("grey", ["london-paris", "paris-barcelona", "barcelona-rome", "rome-athens"], "athens-ankara", 10),
        ("white", ["riga-moscow", "riga-warsaw", "berlin-warsaw", "paris-berlin"], "paris-madrid", 10),
    ],
)
def test_the_four_bonus_connections(airline, way, last, bonus):
    table = at(5, markers={airline: 20}, licences={route: [airline] for route in way})
    (connection,) = happened(play(table, buy(airline, last)), BonusConnection)
    printed = BOARD.airline[airline]
    cost = BOARD.route[last].licences[0]
    assert connection == BonusConnection(airline, printed.home, printed.goal, bonus, 20 + cost + bonus)


@pytest.mark.rule("AE-R11")
def test_a_bonus_counts_before_the_second_licence():
    table = at(3, markers={"orange": 21}, licences=ORANGE)
    outcome = play(table, buy("orange", "london-paris"), buy("orange", "london-amsterdam"))
    assert types(happened(outcome)) == ["Bought", "BonusConnection", "Bought"]
    assert happened(outcome)[-1].marker == 35


@pytest.mark.rule("AE-R12", "AE-T20")
def test_a_marker_stops_on_the_last_space_and_the_licence_costs_its_full_price():
    table = at(5, markers={"yellow": 78})
    (bought,) = happened(play(table, buy("yellow", "paris-madrid")))
    assert bought.cost == 5
    assert table.position.airlines["yellow"].marker == bought.marker == 80
    assert table.position.players[0].cash == 3
    table = at(3, markers={"orange": 79}, licences=ORANGE)
    assert [event.marker for event in happened(play(table, buy("orange", "london-paris")))] == [80, 80]


@pytest.mark.rule("AE-A12", "AE-T02")
def test_four_yellow_shares_pay_eight_million():
    table = at(5, hands=[{"yellow": 5, "red": 1}, {}, {}, {}, {}])
    bank = table.position.bank
    outcome = play(table, "play 4 yellow")
    position = table.position
    assert position.players[0].cash == 8 + 8
    assert position.bank == bank - 8
    assert position.players[0].holdings == {"yellow": 4}
    assert position.players[0].hand == {"yellow": 1, "red": 1}
    assert sentences(table, outcome, 1) == "Anna plays 4 yellow and receives 8 million."


@pytest.mark.rule("AE-A12", "AE-T12")
def test_one_airline_or_one_each_of_two():
    for shares, legal in (
        (["red", "blue"], True),
        (["red", "red", "blue"], False),
        (["red", "red", "blue", "blue"], False),
        (["red", "blue", "grey"], False),
        (["red"], True),
        (["red", "red"], True),
        ([], False),
    ):
        table = at(3, hands=[{"red": 2, "blue": 2, "grey": 1}, {}, {}])
        order = {"type": "play_shares", "shares": shares}
        if legal:
            play(table, order)
            assert sum(table.position.players[0].holdings.values()) == len(shares)
            assert table.position.players[0].cash == 8 + 2 * len(shares)
        else:
            error = refused(table, order)
            assert error.code == "wrong_shares"
            assert error.numbers == {"shares": len(shares), "airlines": len(set(shares))}
            assert error.message.endswith(f"; not {len(shares)} shares of {len(set(shares))} airlines.")
    error = refused(at(3, hands=[{"red": 2}, {}, {}]), "play 3 red")
    assert error.message == "3 red named, but 2 in your hand."
    assert error.nearest == {"type": "play_shares", "shares": ("red", "red")}


@pytest.mark.rule("AE-R13")
def test_air_abacus_is_played_like_any_airline():
    for shares in (["air_abacus"] * 3, ["air_abacus", "red"]):
        table = at(3, hands=[{"air_abacus": 3, "red": 2}, {}, {}])
        play(table, {"type": "play_shares", "shares": shares})
        assert table.position.players[0].holdings == {share: shares.count(share) for share in shares}
        assert table.position.players[0].cash == 8 + 2 * len(shares)
    table = at(3, hands=[{"air_abacus": 3, "red": 2}, {}, {}])
    assert refused(table, "play 2 Air ABACUS, red").code == "wrong_shares"


HAND = {"red": 2, "grey": 1}
HELD = {"black": 2}


@pytest.mark.rule("AE-A13", "AE-T07")
@pytest.mark.parametrize(
    ("hand", "held", "gained"),
    [
        (["red"], [], 1),
        ([], ["black"], 1),
        (["grey", "red", "red"], [], 2),
        (["red"], ["black", "black"], 2),
        (["red", "red"], ["black"], 2),
    ],
)
def test_one_share_for_one_or_three_for_two_from_hand_and_holdings(hand, held, gained):
    table = at(3, hands=[HAND, {}, {}], holdings=[HELD, {}, {}])
    play(table, {"type": "trade", "hand": hand, "held": held})
    position, player = table.position, table.position.players[0]
    assert player.hand.pop("air_abacus") == gained
    assert player.hand == {s: n - hand.count(s) for s, n in HAND.items() if n > hand.count(s)}
    assert player.holdings == {s: n - held.count(s) for s, n in HELD.items() if n > held.count(s)}
    assert position.air_abacus == 20 - gained
    assert sum(position.discards.values()) == len(hand) + len(held)
    assert player.cash == 8


@pytest.mark.rule("AE-R14", "AE-T08")
@pytest.mark.parametrize(("hand", "held"), [(["red", "red"], []), (["red"], ["black"]), ([], ["black"] * 2), ([], [])])
def test_other_numbers_of_shares_cannot_be_traded(hand, held):
    table = at(3, hands=[HAND, {}, {}], holdings=[HELD, {}, {}])
    error = refused(table, {"type": "trade", "hand": hand, "held": held})
    assert error.code == "wrong_number"
    assert error.message == f"Trade 1 for 1 Air ABACUS, or 3 for 2 Air ABACUS; not {len(hand + held)} shares."


def test_four_shares_cannot_be_traded():
    table = at(3, hands=[HAND, {}, {}], holdings=[HELD, {}, {}])
    assert refused(table, "trade 2 red from hand, 2 black from holdings").numbers == {"discarded": 4}


@pytest.mark.rule("AE-R14", "AE-T19")
def test_three_shares_cannot_be_traded_while_one_air_abacus_is_left():
    table = at(3, hands=[{"red": 3}, {}, {}], air_abacus=1)
    error = refused(table, "trade 3 red from hand")
    assert error.code == "too_few_air_abacus"
    assert error.numbers == {"wanted": 2, "left": 1}
    play(table, "trade red from hand")
    assert table.position.air_abacus == 0
    table = at(3, hands=[{"red": 3}, {}, {}], air_abacus=0)
    assert "Trade" not in offered(table)
    assert refused(table, "trade red from hand").message == "That would be 1 Air ABACUS; none left."


@pytest.mark.rule("AE-A13")
def test_shares_that_are_not_where_they_are_said_to_be_cannot_be_traded():
    table = at(3, hands=[HAND, {}, {}], holdings=[HELD, {}, {}], air_abacus=1)
    for order, message in (
        (
            {"hand": ["black"]},
            "1 black named, but none in your hand. Write “1 black from holdings” if you mean those.",
        ),
        ({"held": ["red"]}, "1 red named, but none in your holdings. Write “1 red from hand” if you mean those."),
    ):
        error = refused(table, {"type": "trade"} | order)
        assert (error.code, error.message) == ("no_such_share", message)
    table = at(3, hands=[HAND, {}, {}], holdings=[HELD, {}, {}])
    error = refused(table, "trade 3 black from holdings")
    assert error.message == "3 black named, but 2 in your holdings."
    assert error.field == "held"


@pytest.mark.rule("AE-A14", "AE-R15")
def test_air_abacus_shares_can_be_traded_in_and_do_not_return_to_the_supply():
    table = at(3, hands=[{"air_abacus": 2}, {}, {}], holdings=[{"air_abacus": 1}, {}, {}], air_abacus=5)
    play(table, "trade 2 Air ABACUS from hand, Air ABACUS from holdings")
    assert table.position.air_abacus == 3
    assert table.position.players[0].hand == {"air_abacus": 2}
    assert table.position.discards == {"air_abacus": 3}


@pytest.mark.rule("AE-A15")
def test_discards_do_not_come_back_to_pile_or_market():
    table = at(3, hands=[{"grey": 1}, {}, {}])
    before = table.position.deck, table.position.market
    play(table, "trade grey from hand")
    assert (table.position.deck, table.position.market) == before
    assert table.position.discards == {"grey": 1}


@pytest.mark.rule("AE-R16")
def test_others_see_how_many_cards_a_hand_traded_and_which_ones_holdings_lost():
    table = at(3, hands=[HAND, {}, {}], holdings=[HELD, {}, {}])
    outcome = play(table, "trade 2 red from hand, black from holdings")
    assert sentences(table, outcome, 0) == (
        "Anna trades 2 red from the hand and black from the holdings for 2 Air ABACUS."
    )
    for other in (1, None):
        assert sentences(table, outcome, other) == (
            "Anna trades 2 shares from the hand and black from the holdings for 2 Air ABACUS."
        )
    for order, sentence in (
        ("trade red from hand", "Anna trades 1 share from the hand for 1 Air ABACUS."),
        ("trade black from holdings", "Anna trades black from the holdings for 1 Air ABACUS."),
    ):
        table = at(3, hands=[HAND, {}, {}], holdings=[HELD, {}, {}])
        assert sentences(table, play(table, order), 1) == sentence


@pytest.mark.rule("AE-A16")
def test_air_abacus_never_lies_in_the_market():
    table = at(3)
    assert "air_abacus" not in table.position.deck
    play(table, "buy London-Paris for grey")
    assert refused(table, "take Air ABACUS").code == "not_in_the_market"


@pytest.mark.rule("AE-A17")
def test_taking_money_takes_eight_million_from_the_bank():
    table = at(3)
    outcome = play(table, "take money")
    assert [player.cash for player in table.position.players] == [16, 8, 8]
    assert table.position.bank == 58
    assert sentences(table, outcome, 2) == "Anna takes 8 million from the bank."


def test_a_whole_turn_can_be_sent_at_once():
    together, apart = at(3), at(3)
    whole = together.submit_text(0, "buy London-Paris for grey\n# then\n\nbuy Paris-Zurich for grey\ntake red\n")
    for order in ("buy London-Paris for grey", "buy Paris-Zurich for grey", "take red"):
        play(apart, order)
    assert [entry.row.number for entry in whole.entries] == [1, 2, 3]
    assert happened(whole, TookShare) == [TookShare(0, "red")]
    assert (together.position_json, together.head) == (apart.position_json, apart.head)


def test_a_route_that_does_not_exist_and_long_nonsense_are_refused_briefly():
    error = refused(at(3), buy("grey", "x" * 5000))
    assert error.code == "no_such_route"
    assert len(text_of(error.to_dict())) < 400
    error = refused(at(3), buy("y" * 5000, "london-paris"))
    assert error.code == "not_in_play"
    assert len(text_of(error.to_dict())) < 400
