"""The special ending, routes, and who wins."""

from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from referee.games.spike.events import GameOver, LastTurns, Passed, RouteScored, Standstill
from referee.games.spike.scoring import has_deliveries_left, route_points
from referee.games.spike.state import Boost, SetInMotion, Upgrade
from tests.positions import happened, offered, play, start
from tests.referee.games.spike.setups import BOARD, at, cargo, line, me
from tests.referee.games.spike.ties import TIE_BREAKS, decided_by, read

SHORT = replace(BOARD, components=replace(BOARD.components, tracks=1))  # one track a player
TIME = "time"


def network_of(*cities):
    """Tracks that touch these cities, and no other of the Indianapolis route."""
    return [next(iter(BOARD.exits[city].values())).id for city in cities]


def left(table):
    return has_deliveries_left(BOARD, table.position, 0)


def last_card(**fields):
    """Player 0 may draw the third Time card."""
    return at(round=3, time_cards=2, deck=[TIME], lower=1, contracts=[{}], **fields)


def over(table):
    """The standings by seat, after player 0 has drawn the third Time card."""
    play(table, "draw deck")
    return {standing.seat: standing for standing in table.view().standings}


@pytest.mark.rule("SP-EX7", "SP-F16", "SP-R51")
def test_the_indianapolis_route_pays_nine_when_all_its_cities_are_connected():
    table = last_card(tracks=[network_of("indianapolis", "raleigh", "columbia", "jacksonville", "tampa")],
                      routes=["r28", "r01"])  # fmt: skip
    play_outcome = play(table, "draw deck")
    scored = happened(play_outcome, RouteScored)[0]
    assert (scored.route, scored.points) == ("r28", 9)
    assert scored.cities[0] == "tampa"
    assert set(scored.cities) == {"raleigh", "columbia", "jacksonville", "tampa"}
    assert me(table).score == 9


@pytest.mark.rule("SP-EX8", "SP-F16", "SP-R48")
def test_a_route_without_track_at_its_start_city_pays_nothing():
    table = at(tracks=[network_of("raleigh", "tampa")], homes=["raleigh", "boston"])
    assert route_points(BOARD, table.position, 0, "r28") == ((), 0)
    placed = at(homes=["indianapolis", "boston"])
    assert route_points(BOARD, placed.position, 0, "r28") == ((), 0)


@pytest.mark.rule("SP-R49")
def test_a_route_of_which_only_the_start_is_connected_pays_nothing():
    table = at(homes=["indianapolis", "boston"], tracks=[line("indianapolis", "louisville")])
    assert route_points(BOARD, table.position, 0, "r28") == ((), 0)
    table = at(homes=["indianapolis", "boston"], tracks=[network_of("indianapolis", "tampa")])
    assert route_points(BOARD, table.position, 0, "r28") == (("tampa",), 6)


@pytest.mark.rule("SP-R50")
def test_of_two_cities_with_the_same_highest_value_one_pays_in_full():
    assert BOARD.route["r03"].cities == {"norfolk": 3, "louisville": 5, "atlanta": 6, "birmingham": 7}
    assert BOARD.route["r01"].cities["charleston"] == BOARD.route["r01"].cities["cincinnati"] == 5
    table = at(tracks=[network_of("boston", "charleston", "cincinnati")])
    assert route_points(BOARD, table.position, 0, "r01")[1] == 6


@pytest.mark.rule("SP-F15", "SP-R53", "SP-R52")
def test_a_player_without_track_and_deliveries_gives_each_other_one_more_turn():
    table = at(3, board=SHORT, hands=[{"white": 1}, {}, {}], contracts=[{}])
    outcome = play(table, "build Albany")
    assert happened(outcome, LastTurns) == [LastTurns(0)]
    for seat in (1, 2):
        assert not table.is_over
        play(table, "draw red" if seat == 1 else "draw blue", "done", seat=seat)
    assert table.position.ending == "special"


@pytest.mark.rule("SP-R53")
def test_a_second_player_who_is_out_adds_no_turn_and_the_third_time_card_ends_all():
    table = at(board=SHORT, hands=[{"white": 1}, {"red": 2}], homes=["boston", "chicago"], contracts=[{}, {}])
    play(table, "build Albany")
    outcome = play(table, "build Milwaukee", seat=1)
    assert not happened(outcome, LastTurns)
    assert table.position.ending == "special"
    table = at(
        3, board=SHORT, hands=[{"white": 1}, {}, {}], contracts=[{}], round=3, time_cards=2, deck=[TIME], lower=1
    )
    play(table, "build Albany")
    play(table, "draw deck", seat=1)
    assert table.position.ending == "third_time_card"


@pytest.mark.rule("SP-F15")
def test_with_tracks_left_or_something_to_deliver_the_game_goes_on():
    table = at(hands=[{"white": 1}, {}], contracts=[{}])
    play(table, "build Albany")
    assert table.position.out is None
    table = at(board=SHORT, hands=[{"white": 1}, {}], contracts=[{"steel": "steel-2a"}, {}])
    table = cargo(table, "steel")  # for Boston
    play(table, "build Albany")
    assert table.position.out is None


@pytest.mark.rule("SP-R52")
def test_a_delivery_is_left_as_long_as_its_cargo_and_an_unused_listed_city_are_within_the_network():
    tracks = [line("boston", "albany")]
    steel = [{"steel": "steel-2a"}, {}]  # Boston 4, Jacksonville, Chicago, Tulsa; no steel in Boston or Albany
    assert not left(at(tracks=tracks, contracts=steel))
    assert left(cargo(at(tracks=tracks, contracts=steel), "steel"))
    supplied = [[*line("boston", "albany"), *network_of("pittsburgh")]]
    assert left(at(tracks=supplied, contracts=steel))
    both = [{"steel": "steel-2a", "cows": "cows-1a"}, {}]
    used = cargo(at(tracks=supplied, contracts=both), delivered={"cows": "boston"})
    assert not left(used)
    two_listed = [[*supplied[0], *network_of("chicago")]]
    assert left(cargo(at(tracks=two_listed, contracts=both), delivered={"cows": "boston"}))
    assert not left(cargo(at(tracks=two_listed, contracts=steel), delivered={"steel": "boston"}))


@pytest.mark.rule("SP-F17")
def test_most_money_wins():
    standings = over(last_card(scores=[5, 7], tracks=[line("boston", "albany")]))
    assert [standings[seat].place for seat in (0, 1)] == [2, 1]


@pytest.mark.rule("SP-F17", "SP-R54")
def test_a_tie_goes_to_the_most_connected_cities_with_the_first_one():
    table = last_card(scores=[7, 7], tracks=[line("boston", "albany")])
    outcome = play(table, "draw deck")
    assert happened(outcome, GameOver) == [GameOver((7, 7), (0,))]
    standings = {standing.seat: standing for standing in table.view().standings}
    assert [standings[seat].note for seat in (0, 1)] == ["2 cities, 44 tracks left", "1 city, 45 tracks left"]


@pytest.mark.rule("SP-F17")
def test_a_tie_of_cities_too_goes_to_the_most_unplayed_track():
    table = last_card(scores=[7, 7], homes=["boston", "boston"],
                      tracks=[line("boston", "j34", "new_york"), line("boston", "albany")])  # fmt: skip
    standings = over(table)
    assert [standings[seat].place for seat in (0, 1)] == [2, 1]


@pytest.mark.rule("SP-R55")
def test_those_still_tied_share_the_victory():
    table = last_card(scores=[7, 7])
    outcome = play(table, "draw deck")
    over_event = happened(outcome, GameOver)[0]
    assert over_event.winners == (0, 1)
    assert over_event.sentence(table.words).endswith("Anna and Ben share the victory.")
    assert [standing.place for standing in table.view().standings] == [1, 1]


def test_while_the_game_lasts_nobody_has_a_place():
    assert [standing.place for standing in at(scores=[3, 4]).view().standings] == [None, None]


def test_the_default_of_a_turn_is_legal_even_where_nothing_can_be_drawn():
    track = line("boston", "albany")
    for table in (
        at(deck=[], display=[], scores=[3], contracts=[{}]),
        at(deck=[], display=[], contracts=[{}], hands=[{"white": 1}, {}]),
        at(deck=[], display=[], contracts=[{}], tracks=[track], trains=[track[0], "topeka"]),
    ):
        row = table.sequence
        play(table, msgspec.to_builtins(table.default(0)))
        assert table.sequence == row + 1


def test_where_nothing_can_be_drawn_the_clock_builds_so_that_cards_come_back_and_the_game_can_end():
    track = line("boston", "albany")
    for train in ("boston", track[0]):
        fields = {"trains": [train, "topeka"], "tracks": [track], "hands": [{"black": 1}, {}], "scores": [3]}
        table = at(deck=[], display=[], contracts=[{}], **fields)
        assert {"Upgrade", "SetInMotion"} <= offered(table) or {"Upgrade", "Boost"} <= offered(table)
        play(table, msgspec.to_builtins(table.default(0)))
        assert table.position.discards == {"black": 1}


ROUND_TRIP = line("boston", "albany")


def shuttling(**fields):
    """Two players with a track each, of whom one sits in a city and the other too."""
    tracks = [ROUND_TRIP, line("topeka", *list(BOARD.exits["topeka"])[:1])]
    return at(contracts=[{}, {}], tracks=tracks, **fields)


@pytest.mark.rule("SP-R63")
def test_a_game_in_which_nobody_draws_builds_upgrades_or_delivers_ends_after_twenty_five_turns_each():
    table = shuttling(routes=["r01", "r01"])
    for turn in range(50):
        assert not table.is_over
        assert table.view().table.idle == turn
        seat = table.position.active
        (move,) = [offer for offer in table.offers(seat) if offer.move in (SetInMotion, Boost)]
        prompt = table.decisions()[0].prompt
        assert ("after 25 the game ends (SP-R63)" in prompt) == (turn >= 26)
        outcome = play(table, msgspec.to_builtins(next(move.moves())))
    assert table.position.ending == "standstill"
    assert happened(outcome, Standstill) == [Standstill(25)]
    assert [type(event) for event in happened(outcome)][-3:] == [RouteScored, RouteScored, GameOver]


@pytest.mark.rule("SP-R63")
@pytest.mark.parametrize(
    ("orders", "fields"),
    [
        (["draw red", "done"], {}),
        (["draw deck"], {"levels": {"power": 0}}),
        (["build New York"], {"hands": [{"black": 1}, {}]}),
        (["upgrade speed"], {"scores": [3]}),
    ],
)
def test_each_of_these_is_progress(orders, fields):
    table = shuttling(idle=49, **fields)
    play(table, *orders)
    if table.position.phase == "drawing":
        play(table, "done")
    assert (table.position.ending, table.position.idle) == ("", 0)


@pytest.mark.rule("SP-R63")
def test_a_delivery_is_progress_too_and_loading_or_moving_is_not():
    contracts = [{"steel": "steel-2a", "cloth": "cloth-1b"}, {}]
    table = cargo(at(contracts=contracts, tracks=[ROUND_TRIP], idle=49), "steel")
    play(table, "deliver steel", "start Boston-Albany")
    assert (table.position.ending, table.position.idle) == ("", 0)
    table = at(contracts=contracts, tracks=[ROUND_TRIP], idle=49)
    play(table, "load cloth", "start Boston-Albany")
    assert table.position.ending == "standstill"


@pytest.mark.rule("SP-R63", "SP-R45")
def test_a_player_who_can_do_nothing_is_not_asked_and_when_nobody_can_the_game_ends():
    fields = {"deck": [], "display": [], "contracts": [{}, {}, {}]}
    table = at(3, hands=[{"white": 1}, {"red": 1}, {"red": 2}], homes=["boston", "topeka", "topeka"], **fields)
    # Anna builds with her last card; Ben's red card builds nothing beside Topeka, Cora's two stand for any other.
    outcome = play(table, "build Albany")
    assert [event.seat for event in happened(outcome, Passed)] == []  # the white card is a deck now
    stuck = at(3, scores=[3, 0, 0], **fields)
    outcome = play(stuck, "upgrade cargo")
    assert [event.seat for event in happened(outcome, Passed)] == [1, 2, 0]
    assert happened(outcome, Standstill) == [Standstill(0)]
    assert stuck.position.ending == "standstill"
    one = at(3, scores=[3, 0, 3], **fields)
    outcome = play(one, "upgrade cargo")
    assert [event.seat for event in happened(outcome, Passed)] == [1]
    assert (one.decisions()[0].seat, one.position.ending) == (2, "")


@pytest.mark.rule("SP-R63")
@pytest.mark.parametrize("settings", [None, {"advanced": True, "short_starts": True}])
@pytest.mark.parametrize("number", range(3))
def test_players_who_never_draw_while_they_can_do_anything_else_finish_their_game(number, settings):
    rng = Random(number)
    table, _ = start("spike", 2 + number, settings, seed=bytes([number]))
    while not table.is_over and table.sequence < 6000:
        if table.sealed_phase():
            for seat in table.missing():
                play(table, msgspec.to_builtins(table.default(seat)), seat=seat)
            table.reveal()
            continue
        seat = table.decisions()[0].seat
        offers = table.offers(seat)
        kind = rng.choice(sorted({offer.move.__name__ for offer in offers} - {"Draw", "DrawDeck"}) or ["Draw"])
        chosen = next((offer for offer in offers if offer.move.__name__ == kind), offers[0])
        table.submit(seat, [chosen.sample(rng)])
    assert table.is_over


def test_the_clock_takes_face_up_cards_as_far_as_the_tender_goes_and_spends_money_only_at_last():
    table = at(levels={"power": 1}, scores=[9], contracts=[{}, {}])
    table.time_out()
    assert (sum(me(table).hand.values()), me(table).score, table.decisions()[0].seat) == (3, 9, 1)
    track = line("boston", "albany")
    table = at(deck=[], display=[], scores=[9], contracts=[{}, {}], tracks=[track])
    assert isinstance(table.default(0), SetInMotion)
    assert isinstance(at(deck=[], display=[], scores=[9], contracts=[{}, {}]).default(0), Upgrade)


@pytest.mark.rule("SP-F17", "SP-R54", "SP-R55")
@pytest.mark.parametrize("tie_break", TIE_BREAKS)
def test_a_golden_game_is_decided_by_each_tie_break(tie_break):
    record = read(tie_break)  # made by ties.py; that it replays is tested with all golden games
    assert decided_by(record) == tie_break
