"""A turn ends and a game ends: the last round, forced throws, when a turn is over, bots that claim."""

from random import Random

import pytest

from referee.bots import random_game
from referee.conformance.playing import MOST_ROWS
from referee.conformance.playing import play as play_at_random
from referee.errors import IllegalOrder
from referee.games import open_game
from referee.games.airline_1975.events import ChallengeLost, ClaimLapsed, GameOver, Landed, Received, Threw
from referee.games.airline_1975.landing_rights import free_cities
from referee.games.airline_1975.state import Bankrupt, Base, Claim, Pass, Settings, Throw
from tests.positions import happened, offered, play
from tests.referee.games.airline_1975.setups import BOARD, KEY, STRICT, asked, at, cash, dice, offer, throw
from tests.referee.games.airline_1975.steady import steady_game

SETTINGS = [
    {},
    {"max_cities": 2},
    {"max_cities": 3, "collection": "strict"},
    {"turn_end": "on_pass", "collection": "strict", "debtor_deals": "with_anybody"},
    {"throws": "by_referee", "first_turn": "dice_winner"},
    {"throws": "by_referee", "turn_end": "without_deals"},
    {"short": True},
]


@pytest.mark.rule("A75-R60")
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("players", [2, 4])
def test_careful_players_and_random_ones_come_to_an_end(players, settings):
    for seed in range(3):
        table = steady_game(players, settings, seed, MOST_ROWS)
        assert table.is_over, (seed, table.sequence)
        *_, last = play_at_random(open_game(KEY, players, Settings(**settings)), Random(seed))
        assert last.table.is_over


@pytest.mark.rule("A75-R60", "A75-R43")
def test_after_the_last_round_the_richest_wins_and_who_is_out_stays_behind():
    table = at(4, settings={"rounds": 10}, cities={2: ["rome"]}, cash=(120, 100, 100, 100), round=10, active=1)
    play(table, "resign", seat=0)
    for _ in range(2):
        table, _ = throw(table, 5)
        play(table, "pass")
    assert (table.position.round, asked(table)) == (10, (3, "departure"))
    table, _ = throw(table, 5)
    outcome = play(table, "pass")
    assert happened(outcome, GameOver) == [GameOver((2,))]
    assert table.position.ending == "last_round"
    places = [(standing.seat, standing.place, standing.note) for standing in table.view().standings]
    assert places == [(2, 1, ""), (1, 2, ""), (3, 2, ""), (0, 4, "resigned")]


@pytest.mark.rule("A75-R60", "A75-R01")
def test_a_round_is_over_when_all_have_had_a_turn_whoever_began():
    table = at(first=2, active=2, round=1, turns=1)
    for seat, number in ((2, 1), (0, 1), (1, 1), (2, 2)):
        assert (table.position.active, table.position.round) == (seat, number)
        table, _ = throw(table, 5)
        play(table, "pass")


@pytest.mark.rule("A75-R64")
def test_the_referee_throws_where_nobody_has_anything_to_decide():
    table = at(cities={}, place={0: "lima"}, phase="landing")
    outcome = play(table, "pass")
    throws = [event.seat for event in happened(outcome, Threw) if event.purpose == "to move"]
    assert throws[0] == 1
    assert asked(table)[1] != "departure" or len(throws) == 3
    labels = [draw.label for draw in outcome.entries[0].row.draws if draw.label.startswith("move")]
    assert labels == ["move", "move 2", "move 3"][: len(throws)]


@pytest.mark.rule("A75-R64")
@pytest.mark.parametrize("changes", [
    {"cities": {2: ["rome"]}},  # somebody has a city to deal in
    {"place": {0: "lima", 1: "london"}},  # the aircraft can be changed
    {"claims": [(0, 2, 5)], "settings": STRICT},  # somebody may claim
])  # fmt: skip
def test_the_referee_does_not_throw_where_somebody_has(changes):
    table = at(**{"cities": {}, "place": {0: "lima"}, "phase": "landing", **changes})
    outcome = play(table, "pass", seat=0)
    assert happened(outcome, Threw) == []
    assert asked(table) == (1, "departure")


@pytest.mark.rule("A75-R64")
def test_as_a_setting_the_referee_throws_unless_the_aircraft_can_be_changed():
    brisk = {"settings": {"throws": "by_referee"}, "cities": {2: ["rome"]}, "phase": "landing"}
    table = at(place={0: "lima"}, **brisk)
    assert happened(play(table, "pass"), Landed)[0].seat == 1
    table = at(place={0: "lima", 1: "london"}, **brisk)
    assert happened(play(table, "pass"), Landed) == []
    assert "Fly" in offered(table, 1)


@pytest.mark.rule("A75-R64")
def test_an_aircraft_and_the_throw_still_fit_in_one_submission():
    table = at(cities={}, place={0: "tokyo"})
    play(table, "fly jet", "throw", seat=0)
    assert table.position.players[0].aircraft == "jet"


@pytest.mark.rule("A75-R64")
def test_nothing_follows_an_order_that_makes_the_referee_throw():
    table = at(2, cities={}, place={0: "lima"}, phase="landing")
    with pytest.raises(IllegalOrder) as caught:
        play(table, "pass", "throw", seat=0)
    assert caught.value.code == "reveals"
    assert asked(table) == (0, "landing")


@pytest.mark.rule("A75-R56")
def test_a_purchase_ends_the_turn_and_the_prompt_says_so():
    table = at(place={0: "lima"}, phase="landing")
    assert table.decisions(0)[0].prompt.endswith("That can end your turn: make your deals first.")
    play(table, "buy", seat=0)
    assert asked(table) == (1, "departure")


@pytest.mark.rule("A75-R56", "A75-U03")
def test_as_a_setting_every_turn_waits_for_a_pass_while_there_is_something_to_deal_in():
    table = at(settings={"turn_end": "on_pass"}, place={0: "lima"}, phase="landing", cities={2: ["rome"]})
    play(table, "buy", seat=0)
    assert asked(table) == (0, "landing")
    assert table.decisions(0)[0].prompt == "Make a deal, or pass."
    play(table, offer(["lima"], to="black", want=["rome"]), seat=0)
    play(table, "accept 1", seat=2)
    play(table, "pass", seat=0)
    assert asked(table) == (1, "departure")
    table, _ = throw(at(settings={"turn_end": "on_pass"}, place={0: "hijack"}, cities={2: ["rome"]}), 4)
    assert asked(table) == (0, "landing")
    table, _ = throw(at(settings={"turn_end": "on_pass"}, place={0: "hijack"}, cities={}), 4)
    assert table.position.active != 0 or table.position.round > 1


@pytest.mark.rule("A75-R66")
@pytest.mark.parametrize(
    ("cash", "cities", "is_asked"),
    [
        (19, {0: ["rome"]}, False),  # a free city, and not the 20 million for it: only a deal would help
        (20, {0: ["rome"]}, True),
        (19, {1: ["lima"]}, False),  # another's city, and not the 20 million for a challenge
        (20, {1: ["lima"]}, True),
    ],
)
def test_as_a_setting_nobody_is_asked_who_can_neither_buy_nor_challenge(cash, cities, is_asked):
    for turn_end, waits in (("at_once", True), ("without_deals", is_asked)):
        table = at(settings={"turn_end": turn_end}, cash=(cash, 100, 100), cities=cities)
        table, _ = throw(table, 6)  # from SUBSIDY to Lima
        assert asked(table) == ((0, "landing") if waits else (1, "departure"))


@pytest.mark.rule("A75-R66", "A75-R18")
@pytest.mark.parametrize(("turn_end", "then"), [("at_once", (0, "landing")), ("without_deals", (1, "departure"))])
def test_a_challenge_that_was_lost_ends_a_turn_without_deals(turn_end, then):
    table = at(settings={"turn_end": turn_end}, place={0: "lima"}, cities={1: ["lima"]}, phase="landing")
    table = dice(table, challenger=4, owner=9)
    assert happened(play(table, "challenge", seat=0), ChallengeLost)
    assert asked(table) == then


@pytest.mark.rule("A75-R62", "A75-M02")
def test_the_clock_loses_no_money_that_could_be_claimed():
    table, _ = throw(at(settings=STRICT, place={0: "moscow"}), 2)
    assert table.default(0) == Claim()
    table.time_out()
    assert cash(table)[0] == 120
    assert asked(table) == (1, "departure")
    assert table.default(1) == Claim()
    assert at(place={0: "lima"}, phase="landing").default(0) == Pass()


def passing(table):
    """Whoever does as little as the rules allow: the first free base, no claims, bankruptcy in debt."""
    position = table.position
    base = Base(free_cities(BOARD, position)[0]) if position.phase == "bases" else None
    return base or {"departure": Throw(), "landing": Pass(), "raising": Bankrupt()}[position.phase]


@pytest.mark.rule("A75-R62")
@pytest.mark.parametrize("settings", [{}, STRICT], ids=str)
def test_a_seat_played_by_the_clock_is_no_worse_off_than_one_that_passes(settings):
    assets = {}
    for name, absent in (("clock", lambda table: table.default(0)), ("passing", passing)):
        games = [steady_game(3, settings | {"rounds": 40}, seed, MOST_ROWS, absent) for seed in range(25)]
        scores = [standing.score for table in games for standing in table.view().standings if standing.seat == 0]
        assets[name] = sum(scores)
    assert assets["clock"] >= assets["passing"]


@pytest.mark.rule("A75-R65", "A75-M02")
def test_bots_claim_what_is_due_to_them():
    claimed = lapsed = 0
    for seed in range(6):
        _, entries = random_game(open_game(KEY, 3, Settings(collection="strict")), bytes([seed]) * 32, Random(seed))
        events = [event for entry in entries for event in entry.row.events]
        claimed += sum(isinstance(event, Received) for event in events)
        lapsed += sum(isinstance(event, ClaimLapsed) for event in events)
    assert claimed > 50
    assert lapsed == 0


def test_games_of_version_1_write_nothing_that_was_not_there():
    game = open_game(KEY, 3, Settings(collection="strict")).under("1")
    news = (b'"held"', b'"turns"', b'"round"', b'"lapsed"', b'"left"')
    for seed in range(3):
        for moment in play_at_random(game, Random(seed)):
            assert not any(name in moment.table.position_json for name in news)
            assert b'"reason":"turn"' not in moment.entry.row_json
