"""Flights: how far, how sharply, where they may end; and whom Ezekiel Crane meets on the way."""

import random

import pytest

from referee.games.kings_of_air_and_steam.events import Flew, MoneyStolen, NoFlight
from referee.games.kings_of_air_and_steam.flight import NO_TURN, SHARP, WIDE, fault, flight_ends, random_flight
from referee.games.kings_of_air_and_steam.hexes import distance
from referee.games.kings_of_air_and_steam.play_area import Placed, assemble
from referee.games.kings_of_air_and_steam.state import Adjust, AdjustTo, Fly, FlyTo, PlayCard
from tests.positions import edit, happened, play, refused
from tests.referee.games.kings_of_air_and_steam.setups import BOARD, EVERY_FLIGHT, accepts, at, can, me, step, turn

FLOWER = assemble(BOARD, tuple(Placed(letter, 0) for letter in "ABCDEFG"))
CENTRE = FLOWER.name[0, 0]


def spaces_between(start, end):
    return distance(FLOWER.place[start], FLOWER.place[end])


def reach(start, length, most=WIDE):
    """Ends by their distance, with Cities left out as the flight itself leaves them out."""
    return {end: spaces_between(start, end) for end in flight_ends(FLOWER, start, length, most, {}, FLOWER.landing)}


def landing_at(start, away):
    return {space for space in FLOWER.landing if spaces_between(start, space) == away}


@pytest.mark.rule("KAS-X6", "KAS-F30", "KAS-R01")
def test_a_flight_of_two_ends_two_spaces_away():
    assert set(reach(CENTRE, 2)) == landing_at(CENTRE, 2)
    assert set(reach(CENTRE, 3)) == landing_at(CENTRE, 3) | {
        end for end in landing_at(CENTRE, 2) if end in reach(CENTRE, 3)
    }
    assert set(reach(CENTRE, 3).values()) == {2, 3}
    assert 1 in reach(CENTRE, 5).values()
    assert CENTRE in reach(CENTRE, 6)
    assert CENTRE not in reach(CENTRE, 5)


@pytest.mark.rule("KAS-F30", "KAS-R01", "KAS-R05")
def test_exact_length_wide_turns_only():
    table = turn(card="2", space="L4")
    assert accepts(table, Fly(("E", "NE")))
    assert "sharp turn" in refused(table, Fly(("E", "NW"))).message
    assert "backtracking" in refused(table, Fly(("E", "W"))).message
    assert refused(table, Fly(("E",))).code == "wrong_length"
    assert refused(table, Fly(("E", "E", "E"))).code == "wrong_length"
    outcome = play(table, "fly E E")
    assert me(table).at == "L6"
    assert happened(outcome, Flew)[0].path == ("E", "E")


@pytest.mark.rule("KAS-F30", "KAS-R03")
def test_cities_and_partial_hexes_may_be_crossed_but_not_ended_in():
    every = {"settings": EVERY_FLIGHT}
    table = turn(card="2", space="K4", **every)
    assert "City" in refused(turn(card="1", space="K4", **every), "fly E").message
    assert refused(turn(card="1", space="K4", **every), "fly to K5").message == (
        "This flight cannot end in a City, and K5 is one."
    )
    assert accepts(table, Fly(("E", "E")))  # over Sartainville
    rim = turn(card="2", space="K2", **every)
    assert "partial" in refused(turn(card="1", space="K2", **every), "fly W").message
    assert "no space" in refused(rim, "fly W W").message
    assert accepts(rim, Fly(("NW", "W"))) == ("I1" not in assemble(BOARD, rim.position.layout).partial)


@pytest.mark.rule("KAS-F30", "KAS-R03")
@pytest.mark.parametrize(("space", "way", "end", "back"), [("K4", "E", "K5", "E"), ("K2", "W", "K1", "E")])
def test_a_flight_may_end_in_a_city_or_a_partial_hex_if_a_route_adjustment_follows(space, way, end, back):
    for orders in ([f"fly {way}", f"adjust {back}"], [f"fly to {end}", f"adjust {back}"]):
        table = turn(card="1", space=space, depots=[{"K4": {"food": 1}}])
        play(table, *orders)
        assert me(table).at in assemble(BOARD, table.position.layout).landing
    table = turn(card="1", space=space, cash=50, depots=[{"K4": {"textiles": 1}}])
    play(table, f"fly {way}")
    assert {type(move) for offer in table.offers(0) for move in offer.moves()} == {Adjust, AdjustTo}
    assert table.decisions()[0].prompt.startswith("No turn may end in ")
    for order in ("solicit", "build K7", "upgrade train", "ship 1 textiles from K4 to Geekopolis"):
        error = refused(table, order)
        assert (error.code, error.rule) == ("must_leave", "Rulebook, Flight; KAS-R03")
    assert isinstance(table.default(0), Adjust)
    assert version_1(space, way) == "no_flight"


def version_1(space, way):
    return refused(turn(card="1", space=space, version="1"), f"fly {way}").code


@pytest.mark.rule("KAS-R03", "KAS-R41")
def test_isaac_may_leave_a_city_with_his_second_action():
    table = turn(card="1", space="K4", characters=["isaac", "victor_blane"])
    play(table, "fly E", "solicit")
    assert table.position.phase == "perpetual_motion"
    assert {type(move) for offer in table.offers(0) for move in offer.moves()} == {Adjust, AdjustTo}
    assert isinstance(table.default(0), Adjust)
    assert refused(table, "done").code == "must_leave"
    play(table, "adjust E")
    assert (me(table).at, me(table).tokens) == ("K6", 4)
    spent = turn(card="1", space="K4", characters=["isaac", "victor_blane"])
    spent = edit(spent, seat=0, tokens=0)
    play(spent, "fly E")
    assert refused(spent, "solicit").code == "must_leave"
    assert isinstance(table.default(0) if table.position.phase == "action" else spent.default(0), Adjust)


@pytest.mark.rule("KAS-R03", "KAS-R52")
def test_eli_diamond_may_leave_a_city_with_another_card_but_not_end_there():
    table = turn(card="1", space="K4", characters=["eli_diamond", "victor_blane"])
    play(table, "fly E")
    cards = {move.card for move in can(table, PlayCard)}
    assert "0" not in cards
    assert "or fly on with another card" in table.decisions()[0].prompt
    play(table, "card 2")
    assert {move.space for move in can(table, FlyTo)} <= assemble(BOARD, table.position.layout).landing
    assert "City" in refused(table, "fly to K3").message


@pytest.mark.rule("KAS-R03", "KAS-R61")
def test_the_clock_flies_as_near_as_it_can_and_never_into_a_city():
    for card in ("1", "2", "3", "4d"):
        table = turn(card=card, space="K4")
        area = assemble(BOARD, table.position.layout)
        end = table.default(0).space
        assert end in area.landing
        legal = [move.space for move in can(table, FlyTo) if move.space in area.landing]
        assert distance(area.place["K4"], area.place[end]) == min(
            distance(area.place["K4"], area.place[space]) for space in legal
        )


@pytest.mark.rule("KAS-R60")
def test_a_flight_with_a_single_end_is_flown_by_the_referee():
    area = assemble(BOARD, tuple(Placed(letter, 0) for letter in "ABC"))
    ends = {space: flight_ends(area, space, 7, NO_TURN, {}, area.stopover) for space in sorted(area.landing)}
    space, (end,) = next((space, list(found)) for space, found in ends.items() if len(found) == 1)
    crew = {"characters": ["isaac", "victor_blane"], "flying": "davinci", "agenda": ["flight", "action"]}
    table, events = step(at(space=space, **crew))
    assert (me(table).at, [type(event) for event in events]) == (end, [Flew])
    table, events = step(at(space=space, version="1", **crew))
    assert table.position.phase == "flight" or [type(event) for event in events] == [NoFlight]


@pytest.mark.rule("KAS-F30")
def test_a_flight_may_cross_a_partial_hex():
    area = assemble(BOARD, tuple(Placed(letter, 0) for letter in "ABC"))
    over_the_rim = [
        path
        for start in area.landing
        for length in (2, 3)
        for path in [random_flight(area, start, length, WIDE, random.Random(start), area.landing)]
        if any(space in area.partial for space in spaces(area, start, path))
    ]
    assert over_the_rim


def spaces(area, start, path):
    for way in path:
        start = area.neighbours[start][way]
        yield start


@pytest.mark.rule("KAS-F30")
def test_factories_depots_and_airships_are_no_obstacle():
    table = turn(card="1", space="J4", depots=[{}, {"J3": {}}], others_at=["J4", "I4"])
    assert accepts(table, FlyTo("I4"))  # a factory with an opponent's Airship
    assert accepts(table, FlyTo("J3"))  # an opponent's Depot


@pytest.mark.rule("KAS-F30")
def test_a_card_of_zero_stays_and_may_load():
    table = turn(card="0", space="I4")
    assert table.position.phase == "cargo"
    assert me(table).at == "I4"


@pytest.mark.rule("KAS-R02")
def test_a_space_may_be_crossed_twice():
    stops = FLOWER.landing
    assert fault(FLOWER, CENTRE, ("E", "NE", "NW", "W", "SW", "SE"), WIDE, stops) is None
    assert fault(FLOWER, CENTRE, ("E", "NW", "SW"), SHARP, stops) is None
    assert fault(FLOWER, CENTRE, ("E", "NW", "SW"), WIDE, stops) == "E to NW is a sharp turn."


@pytest.mark.rule("KAS-R04", "KAS-R08")
def test_davinci_flies_seven_straight_or_stays():
    ends = flight_ends(FLOWER, CENTRE, 7, NO_TURN, {}, FLOWER.landing)
    assert 0 < len(ends) <= 6
    assert all(len(set(path)) == 1 for path in ends.values())
    team = {"characters": ["isaac", "victor_blane"], "airship": 4}
    table = turn(card="davinci", space="K4", **team)
    assert all(len(set(move.path)) == 1 for move in can(table, Fly))
    area = assemble(BOARD, table.position.layout)
    crossing = turn(card="davinci", space="K2", **team)
    assert accepts(crossing, Fly(("E",) * 7))  # over Geekopolis and Sartainville
    assert not accepts(crossing, Fly((*["E"] * 6, "NE")))
    grounded = next(
        space for space in sorted(area.landing) if not flight_ends(area, space, 7, NO_TURN, {}, area.stopover)
    )
    stays = turn(card="davinci", space=grounded, **team)
    assert stays.position.phase in ("cargo", "action")
    assert me(stays).at == grounded


@pytest.mark.rule("KAS-R04")
def test_an_airship_without_a_legal_flight_stays_and_the_turn_goes_on():
    area = assemble(BOARD, tuple(Placed(letter, 0) for letter in "ABC"))
    grounded = next(
        space for space in sorted(area.landing) if not flight_ends(area, space, 7, NO_TURN, {}, area.stopover)
    )
    crew = {"characters": ["isaac", "victor_blane"], "flying": "davinci", "agenda": ["flight", "action"]}
    table, events = step(at(space=grounded, **crew))
    assert [type(event) for event in events] == [NoFlight]
    assert table.position.phase == "action"


@pytest.mark.rule("KAS-R05")
def test_some_cards_leave_the_distance_to_the_player():
    table = turn(card="kings_over_aces", space="K4", characters=["corey_mcqueen", "victor_blane"])
    assert {len(move.path) for move in can(table, Fly)} == {0, 1, 2, 3}
    assert accepts(table, FlyTo("K4"))
    table = turn(card="godfather", space="K4", characters=["thaddeus_birch", "victor_blane"])
    assert {len(move.path) for move in can(table, Fly)} == {0, 1, 2}


@pytest.mark.rule("KAS-R06")
def test_a_flight_may_be_named_by_its_end():
    table = turn(card="3", space="K4")
    area = assemble(BOARD, table.position.layout)
    ends = {move.space for move in can(table, FlyTo)}
    assert ends == set(flight_ends(area, "K4", 3, WIDE, {}, area.stopover))
    outcome = play(table, "fly to K7")
    assert me(table).at == "K7"
    assert len(happened(outcome, Flew)[0].path) == 3
    error = refused(turn(card="3", space="K4"), "fly to L4")
    assert (error.code, error.message) == ("out_of_reach", "No flight of 3 spaces without sharp turns ends on L4.")
    assert "The card flies 1 space; the path has 2." in refused(turn(card="1", space="K4"), "fly E E").message


@pytest.mark.rule("KAS-R08", "KAS-R51")
def test_whoever_turns_otherwise_is_told_so():
    clint = turn(card="2", space="L3", characters=["clint_castle", "victor_blane"])
    assert refused(clint, "fly to F6").message == "No flight of 2 spaces without turning back ends on F6."
    davinci = turn(card="davinci", space="K4", characters=["isaac", "victor_blane"], airship=4)
    assert davinci.decisions()[0].prompt == "Fly 7 spaces straight on."
    assert refused(davinci, "fly to K6").message == "No flight of 7 spaces straight on ends on K6."


@pytest.mark.rule("KAS-R51")
def test_clint_castle_turns_sharply_but_not_back():
    table = turn(card="2", space="L3", characters=["clint_castle", "victor_blane"])
    assert accepts(table, Fly(("E", "NW")))
    assert "backtracking" in refused(table, Fly(("E", "W"))).message
    assert accepts(turn(card="3", space="M7", characters=["clint_castle", "victor_blane"]), Fly(("W", "NE", "SE")))


@pytest.mark.rule("KAS-R54")
def test_ezekiel_crane_steals_from_everyone_he_flies_into():
    crew = {"characters": ["ezekiel_crane", "victor_blane", "isaac"], "others_at": ["L4", "L5", "L5"]}
    table = turn(3, card="2", space="L4", cash=[0, 12, 2], **crew)
    outcome = play(table, "fly E E")
    assert [(event.victim, event.amount) for event in happened(outcome, MoneyStolen)] == [(1, 3), (2, 2)]
    assert [player.cash for player in table.position.players] == [5, 9, 0]
    together = turn(3, card="2", space="L5", cash=12, **crew)
    assert not happened(play(together, "fly E E"), MoneyStolen)  # not at the start


@pytest.mark.rule("KAS-R54")
def test_ezekiel_crane_may_spare_whom_he_likes():
    crew = {"characters": ["ezekiel_crane", "victor_blane", "isaac"], "others_at": ["L4", "L5", "L5"]}
    for order in ("fly E E sparing yellow", "fly to L6 sparing yellow"):
        table = turn(3, card="2", space="L4", **crew)
        play(table, order)
        assert [player.cash for player in table.position.players] == [15, 9, 12]
    table = turn(3, card="2", space="L4", **crew)
    assert not happened(play(table, "fly E E sparing blue, yellow"), MoneyStolen)


@pytest.mark.rule("KAS-R54")
def test_only_opponents_in_reach_of_ezekiel_crane_can_be_spared():
    others = {"others_at": ["L4", "L5", "L7"]}
    table = turn(3, card="2", space="L4", characters=["ezekiel_crane", "victor_blane", "isaac"], **others)
    assert accepts(table, Fly(("E", "E"), ("blue",)))
    assert "only blue" in refused(table, Fly(("E", "E"), ("yellow",))).message  # who is three spaces away
    assert refused(table, FlyTo("L6", ("blue", "blue"))).code == "nobody_to_spare"
    harmless = turn(3, card="2", space="L4", characters=["thaddeus_birch", "victor_blane", "isaac"], **others)
    assert "nobody" in refused(harmless, FlyTo("L6", ("blue",))).message


@pytest.mark.rule("KAS-R54", "KAS-R06")
def test_the_referee_leads_ezekiel_crane_to_the_most_money():
    """Two ways lead from L4 to M6, past L5 and past M5."""
    crew = {"characters": ["ezekiel_crane", "victor_blane", "isaac"], "space": "L4"}
    for richer, cash in ((1, [12, 3, 2]), (2, [12, 2, 3])):
        table = turn(3, card="2", others_at=["L4", "L5", "M5"], cash=cash, **crew)
        (stolen,) = happened(play(table, "fly to M6"), MoneyStolen)
        assert (stolen.victim, stolen.amount) == (richer, 3)
    table = turn(3, card="2", others_at=["L4", "L5", "M5"], cash=[12, 3, 2], **crew)
    assert [event.victim for event in happened(play(table, "fly to M6 sparing blue"), MoneyStolen)] == [2]


@pytest.mark.rule("KAS-F30")
def test_random_flights_are_legal():
    rng = random.Random(5)
    for length in range(8):
        for most in (WIDE, SHARP):
            for stops in (FLOWER.landing, FLOWER.stopover):
                path = random_flight(FLOWER, CENTRE, length, most, rng, stops)
                assert len(path) == length
                assert fault(FLOWER, CENTRE, path, most, stops) is None
