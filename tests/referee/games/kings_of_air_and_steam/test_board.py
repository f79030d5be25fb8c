"""Boards, cards, tracks and teams as the rulebook states them, and the play area put together from the boards."""

import random
from collections import Counter
from itertools import pairwise

import msgspec
import pytest

from referee.contract import read_board
from referee.errors import BoardError
from referee.games.kings_of_air_and_steam.hexes import COMPASS, DIRECTIONS, add, bend
from referee.games.kings_of_air_and_steam.play_area import Placed, assemble
from tests.referee.games.kings_of_air_and_steam.setups import BOARD, GOODS

CONFIGURATIONS = ["ABC", "ABCDE", "ABCFG", "ABCDEFG"]


def random_map(letters, rng):
    boards = rng.sample(letters, len(letters))
    return assemble(BOARD, tuple(Placed(letter, rng.randrange(6)) for letter in boards))


@pytest.mark.rule("KAS-F01")
def test_seven_boards_of_hexes_with_factories_cities_and_track():
    assert [board.id for board in BOARD.boards] == list("ABCDEFG")
    assert BOARD.components.game_boards == 7
    assert len(BOARD.shape.whole_hexes) == 31
    for board in BOARD.boards:
        assert board.cities
        assert board.factories
        assert len(board.exits) == 6


@pytest.mark.rule("KAS-F02", "KAS-F03", "KAS-F04", "KAS-F05", "KAS-F06", "KAS-F07")
def test_components_are_as_many_as_the_rulebook_counts():
    box = BOARD.components
    assert box.bumpers == 6
    assert (box.player_boards, box.upgrade_markers, box.airships, box.character_cards) == (7, 14, 7, 7)
    assert box.market_tiles == 20 == BOARD.market.tiles_of_each_good * len(GOODS)
    assert set(GOODS) == {"chemicals", "machinery", "food", "textiles", "luxuries"}
    assert box.depot_tokens == 70 == 7 * BOARD.constants.depots
    assert len(BOARD.deck()) == 12
    assert box.movement_cards == 91 == sum(len(BOARD.deck(team.id)) for team in BOARD.teams)
    assert box.cubes_of_each_good == 20


@pytest.mark.rule("KAS-F18", "KAS-F20", "KAS-F21")
def test_the_basic_deck():
    deck = [BOARD.card[card] for card in BOARD.deck()]
    assert [card.values for card in deck].count((0,)) == 1
    assert {card.diamonds for card in deck} == {0, 1, 2}
    assert {1, 2, 3, 4} <= {card.values[0] for card in deck} <= set(range(6))
    assert any(card.values == (1,) and card.letter == "B" for card in deck)
    for value in (3, 4):
        assert any(card.values == (value,) and card.diamonds == 1 for card in deck)
    slow_to_fast = sorted(deck, key=lambda card: card.values)
    assert [card.letter for card in slow_to_fast] == sorted(card.letter for card in deck)


@pytest.mark.rule("KAS-F19")
def test_the_seven_special_cards():
    cards = {card.id: card for card in BOARD.special_cards}
    assert cards.keys() == {team.id for team in BOARD.teams}
    assert (cards["emperor"].flights, cards["emperor"].actions) == (0, 2)
    assert (cards["davinci"].values, cards["davinci"].straight) == ((7,), True)
    assert (cards["sphinx"].values, cards["sphinx"].then) == ((2,), "ship")
    assert (cards["rose_and_thorn"].values, cards["rose_and_thorn"].flights) == ((2,), 2)
    assert cards["kings_over_aces"].values == (0, 1, 2, 3)
    assert cards["sky_castle"].values == (6,)
    assert (cards["godfather"].values, cards["godfather"].then) == ((0, 1, 2), "steal")
    letters = {card.letter for card in BOARD.card.values()}
    assert letters == set("ABCDEFG")


@pytest.mark.rule("KAS-F22", "KAS-F23", "KAS-F24")
def test_the_standard_airship():
    track = BOARD.airships["standard"]
    assert (track[0].diamonds, track[0].capacity) == (1, 2)
    assert (track[1].diamonds, track[1].capacity, track[1].cost) == (1, 3, 3)
    assert track[2].diamonds == 2
    for levels in BOARD.airships.values():
        assert len(levels) == 6
        for low, high in pairwise(levels):
            gain = high.diamonds - low.diamonds, high.capacity - low.capacity
            assert min(gain) >= 0 < max(gain)


@pytest.mark.rule("KAS-F25")
def test_team_airships_compare_as_described():
    tracks = BOARD.airships
    diamonds = {name: [level.diamonds for level in levels] for name, levels in tracks.items()}
    cargo = {name: [level.capacity for level in levels] for name, levels in tracks.items()}

    def least(name, table):
        return all(all(a <= b for a, b in zip(table[name], other, strict=True)) for other in table.values())

    def most(name, table):
        return all(all(a >= b for a, b in zip(table[name], other, strict=True)) for other in table.values())

    assert {team.id: team.airship for team in BOARD.teams if team.airship == "standard"}.keys() == {
        "emperor",
        "davinci",
        "kings_over_aces",
    }
    assert sum(diamonds["sphinx"]) < sum(diamonds["standard"])
    assert cargo["sphinx"] == cargo["standard"]
    assert least("rose_and_thorn", diamonds)
    assert most("rose_and_thorn", cargo)
    assert most("sky_castle", diamonds)
    assert least("sky_castle", cargo)
    assert diamonds["godfather"] == diamonds["standard"]
    assert sum(cargo["godfather"]) > sum(cargo["standard"])


@pytest.mark.rule("KAS-F26")
def test_the_train_track():
    track = BOARD.train
    assert [level.rating for level in track] == [1, 2, 3, 4, 5, 6]
    assert track[3].cost == 4
    assert [level.vp for level in track] == [0, 0, 0, 5, 15, 30]


@pytest.mark.rule("KAS-F27", "KAS-F28")
def test_teams_priorities_and_tokens():
    order = ["emperor", "davinci", "sphinx", "rose_and_thorn", "kings_over_aces", "sky_castle", "godfather"]
    assert {team.id: team.priority for team in BOARD.teams} == {name: number for number, name in enumerate(order, 1)}
    assert [team.id for team in BOARD.teams] == order
    tokens = {person.id: person.tokens for person in BOARD.character.values() if person.tokens}
    assert tokens == dict.fromkeys(["aurelia_bayley", "isaac", "eva_blane", "sebastian_king", "corey_mcqueen"], 5)
    assert len(BOARD.character) == 14


@pytest.mark.rule("KAS-F16")
def test_the_drawers():
    assert BOARD.market.drawers == (4, 5, 6, 8)
    assert len(BOARD.market.drawers) - 1 == BOARD.market.tiles_of_each_good_in_play


@pytest.mark.rule("KAS-F02", "KAS-F11", "KAS-R07")
@pytest.mark.parametrize("letters", CONFIGURATIONS)
def test_boards_join_in_every_place_and_turn(letters):
    rng = random.Random(letters)
    arrangement = BOARD.arrangement_of(len(letters))
    size = {3: (100, 21, 6, 3), 5: (170, 27, 14, 5), 7: (241, 30, 23, 6)}[len(letters)]
    for _ in range(30):
        area = random_map(letters, rng)
        assert (len(area.full), len(area.partial), len(area.links), len(area.bumpers)) == size
        assert len(area.bumpers) == arrangement.bumpers
        assert not area.full & area.partial
        each = len(letters) // 2 if len(letters) > 3 else 1
        assert Counter(area.factory_at.values()) == dict.fromkeys(GOODS, each)
        cities = [BOARD.city[city].good for city in area.city_at.values()]
        assert Counter(cities) == dict.fromkeys(GOODS, each)
        spaces = [space for link in area.links.values() for space in link.spaces]
        assert len(spaces) == len(set(spaces))
        assert set(spaces) <= area.landing
        assert not set(spaces) & set(area.factory_at)
        assert not set(spaces) & area.stubs
        assert set(area.bumpers) <= area.full


@pytest.mark.rule("KAS-F11")
@pytest.mark.parametrize("letters", CONFIGURATIONS)
def test_every_link_runs_from_city_to_city_without_a_sharp_curve(letters):
    ways = {step: way for way, step in DIRECTIONS.items()}
    rng = random.Random(letters)
    for _ in range(10):
        area = random_map(letters, rng)
        for link in area.links.values():
            assert link.ends[0] != link.ends[1]
            names = [area.place_of_city[link.ends[0]], *link.spaces, area.place_of_city[link.ends[1]]]
            places = [area.place[name] for name in names]
            steps = [ways[add(b, (-a[0], -a[1]))] for a, b in pairwise(places)]
            assert all(bend(a, b) < 2 for a, b in pairwise(steps))


@pytest.mark.rule("KAS-F11")
def test_turning_a_board_changes_nothing_but_where_things_lie():
    for letter in "ABC":
        counts = set()
        for turned in range(6):
            layout = tuple(Placed(board, turned if board == letter else 0) for board in "ABC")
            area = assemble(BOARD, layout)
            counts.add((len(area.links), len(area.city_at), len(area.factory_at), len(area.full)))
        assert len(counts) == 1


@pytest.mark.rule("KAS-R07")
def test_joined_halves_and_bumpered_corners_are_full_and_the_rim_is_partial():
    area = assemble(BOARD, tuple(Placed(letter, 0) for letter in "ABC"))
    assert area.link_of["K7"] == "AB"  # the half hexes of A and B make one railway space
    assert "K1" in area.partial
    assert "K1" in area.stubs
    assert "K7" in area.full
    assert set(area.bumpers) == {"M7", "G4", "G10"}
    assert "I7" in area.full  # a corner of three boards
    assert set(area.bumpers) <= area.full
    assert {"I1", "M1", "I13", "M13"} <= area.partial  # corners of one board


def test_spaces_have_names_that_tell_rows_apart():
    area = assemble(BOARD, tuple(Placed(letter, 0) for letter in "ABCDEFG"))
    assert len(set(area.place)) == len(area.place) == 271
    assert {area.neighbours[name][way] for name in area.place for way in area.neighbours[name]} == set(area.place)
    back = dict(zip(COMPASS, [*COMPASS[3:], *COMPASS[:3]], strict=True))
    for name, around in area.neighbours.items():
        assert all(area.neighbours[there][back[way]] == name for way, there in around.items())


def change(data, path, value):
    *parents, last = path
    for key in parents:
        data = data[key]
    data[last] = value


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        (["boards", 0, "cities", 0, "good"], "gold", "boards.A: there is no good 'gold'"),
        (["boards", 0, "cities", 0, "at"], [0, 0], "things lie on the space"),
        (["boards", 0, "links", 0, "spaces"], [[0, 2]], "without sharp curves"),
        (["boards", 0, "factories", 0, "at"], [9, 9], "is no whole hex"),
        (["boards", 1, "id"], "A", "boards: 'A' is there 2 times"),
        (["boards", 0, "links", 0, "id"], "ab", "links: 'ab' is what another Link is called"),
        (["boards", 0, "links", 0, "id"], "new1", "links: 'new1' is what another Link is called"),
        (["boards", 0, "links", 0, "id"], "K7", "links: 'K7' is what a space is called"),
        (["boards", 0, "cities", 0, "id"], "A1", "cities: 'A1' is what a space is called"),
        (["arrangements", 0, "bumpers"], 4, "arrangements.three: the centres leave 3 notches for 4 bumpers"),
        (["arrangements", 1, "board_sets"], ["ABCD"], "arrangements.five: ABCD should be 5 of the boards"),
        (["arrangements", 0, "players"], [], "arrangements: there is none for 2 players"),
        (["shape", "pitch"], 7, "shape.pitch: 7 is not a multiple of 6"),
        (["shape", "whole_hexes"], [[0, 9], *BOARD.shape.whole_hexes[1:]], "shape.whole_hexes: a turned board"),
        (["shape", "whole_hexes"], [[0, 0]], "do not fill a board"),
        (["train", 2, "cost"], 0, "train: every upgrade costs something"),
        (["airships", "standard", 1, "capacity"], 2, "airships.standard: an upgrade raises"),
        (["teams", 0, "airship"], "zeppelin", "there is no track 'zeppelin'"),
        (["teams", 0, "priority"], 9, "in the order of their priority numbers"),
        (["market", "drawers"], [4, 4, 6, 8], "market.drawers"),
        (["market", "bins"], 4, "tiles do not last just 5 rounds"),
        (["constants", "toll"], 0, "toll: must be at least 1"),
        (["cards", 1, "values"], [-1], "no number may be negative"),
    ],
)
def test_a_board_typed_in_wrongly_is_refused_with_the_reason(path, value, problem):
    data = msgspec.to_builtins(BOARD)
    change(data, path, value)
    with pytest.raises(BoardError) as caught:
        read_board(type(BOARD), data)
    assert any(problem in found for found in caught.value.problems), caught.value.problems
