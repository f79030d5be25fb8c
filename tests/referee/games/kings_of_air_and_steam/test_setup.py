"""Setup: boards, market, goods, first Depots; teams and characters."""

import pytest

from referee.games.kings_of_air_and_steam.play_area import assemble
from referee.games.kings_of_air_and_steam.state import ChooseTeam, Place, Settings
from tests.positions import play, refused, seal, start
from tests.referee.games.kings_of_air_and_steam.setups import BOARD, GAME, GOODS, KEY, NO_STUBS, accepts, at, can, me


def letters(table):
    return "".join(sorted(placed.board for placed in table.position.layout))


def begin(players, **settings):
    return start(KEY, players, settings)[0]


def seeded(players, seed, **settings):
    return start(KEY, players, settings, seed=bytes([seed]))[0]


def test_two_to_seven_can_play():
    assert list(GAME.seat_counts) == [2, 3, 4, 5, 6, 7]
    with pytest.raises(ValueError, match="2 to 7 players"):
        begin(8)


@pytest.mark.rule("KAS-F11", "KAS-R38")
def test_the_number_of_players_says_which_boards():
    assert letters(begin(2)) == "ABC"
    assert {letters(seeded(players, seed)) for players in (3, 4, 5) for seed in range(9)} == {"ABCDE", "ABCFG"}
    assert letters(begin(6)) == letters(begin(7)) == "ABCDEFG"
    assert letters(begin(3, cutthroat=True)) == "ABC"
    for boards in ("ABCDE", "ABCFG"):
        assert {letters(seeded(4, seed, boards=boards)) for seed in range(6)} == {boards}


@pytest.mark.rule("KAS-F11")
def test_places_and_turns_of_the_boards_are_random():
    layouts = {seeded(7, seed).position.layout for seed in range(12)}
    assert len(layouts) == 12
    assert {placed.turned for layout in layouts for placed in layout} == set(range(6))


@pytest.mark.rule("KAS-R38")
def test_cutthroat_changes_nothing_but_the_boards():
    cutthroat, usual = begin(3, cutthroat=True).position, begin(3).position
    assert [player.cash for player in cutthroat.players] == [player.cash for player in usual.players]
    assert cutthroat.tiles == usual.tiles
    assert cutthroat.agenda == usual.agenda
    assert letters(begin(5, cutthroat=True)) != "ABC"


@pytest.mark.rule("KAS-F09", "KAS-F12", "KAS-F07", "KAS-F08")
def test_money_depots_goods_and_prices_at_the_start():
    table = begin(4)
    position = table.position
    assert [(player.cash, player.supply) for player in position.players] == [(12, 10)] * 4
    assert set(position.factories.values()) == {1}
    assert table.view(None).table.prices == dict.fromkeys(GOODS, 4)
    assert all(city.slots == city.empty == 5 for city in position.cities.values())
    assert position.stock == dict.fromkeys(GOODS, 20 - 1 - 2)


@pytest.mark.rule("KAS-F13")
def test_market_tiles_at_the_start():
    assert begin(2).position.tiles == sorted(list(GOODS) * 3)
    uncertain = begin(2, uncertainty=True)
    assert uncertain.position.tiles == sorted(list(GOODS) * 4)
    assert uncertain.view(None).table.draw_pile == begin(2).view(None).table.draw_pile == 15


@pytest.mark.rule("KAS-F14", "KAS-R37")
def test_first_depots_go_counter_clockwise_from_the_right_of_the_first_player():
    for seed in range(5):
        table = seeded(4, seed)
        first = table.position.first
        order = []
        while table.position.phase == "placement":
            (decision,) = table.decisions()
            order.append(decision.seat)
            (offer,) = table.offers(decision.seat)
            table.submit(decision.seat, [{"type": "place", "space": next(offer.domains["space"].values())}])
        assert order == [(first - place) % 4 for place in (1, 2, 3, 4)]
        for player in table.position.players:
            assert list(player.depots) == [player.at]
            assert player.supply == 9
        assert table.position.phase == "planning"


@pytest.mark.rule("KAS-F14", "KAS-R17")
def test_a_first_depot_stands_on_a_link_of_its_own():
    table = at(2, "placement", order=[0], depots=[{}, {"K7": {}}], settings=NO_STUBS)
    spaces = {move.space for move in can(table, Place)}
    links = assemble(BOARD, table.position.layout).links
    assert spaces == {space for link in links.values() if link.id != "AB" for space in link.spaces}
    assert refused(table, "place K6").code == "link_occupied"
    assert refused(table, "place K2").code == "not_on_a_link"  # a stub
    assert refused(table, "place K5").code == "not_on_a_link"  # a city
    table = at(2, "placement", order=[0], depots=[{}, {"L2": {}}])
    assert accepts(table, Place("K2"))
    assert refused(table, "place M3").code == "link_occupied"  # the stub of L2


@pytest.mark.rule("KAS-R61")
def test_the_clock_places_the_first_depot_near_a_factory_on_a_complete_link():
    table = at(2, "placement", order=[0])
    area = assemble(BOARD, table.position.layout)
    space = table.default(0).space
    assert space in area.link_of
    assert set(area.neighbours[space].values()) & set(area.factory_at)
    assert at(2, "placement", order=[0], version="1").default(0) == Place(min(area.link_of))


@pytest.mark.rule("KAS-R60")
def test_who_is_left_with_the_last_team_is_not_asked():
    table = begin(7, game="normal")
    for team in BOARD.teams[:6]:
        play(table, f"team {team.name}")
    assert table.position.phase == "characters"
    assert table.position.players[6].team == BOARD.teams[6].id


@pytest.mark.rule("KAS-R39", "KAS-R57")
def test_teams_are_chosen_in_seat_order_each_once():
    table = begin(3, game="normal")
    play(table, "team sky castle")
    assert ChooseTeam("sky_castle") not in can(table, ChooseTeam, 1)
    assert refused(table, ChooseTeam("sky_castle"), seat=1).code == "team_taken"
    play(table, "team The Emperor", seat=1)
    play(table, "team godfather", seat=2)
    assert [player.team for player in table.position.players] == ["sky_castle", "emperor", "godfather"]
    assert [len(player.deck) for player in table.position.players] == [13, 13, 13]
    dealt = {
        tuple(player.team for player in seeded(3, seed, game="normal", teams="random").position.players)
        for seed in range(9)
    }
    assert len(dealt) > 3
    assert all(len(set(teams)) == 3 for teams in dealt)


@pytest.mark.rule("KAS-R39", "KAS-F09", "KAS-F28")
def test_characters_are_chosen_in_secret_and_revealed_together():
    table = begin(2, game="normal")
    play(table, "team emperor")
    play(table, "team davinci")
    table.submit(0, ["character Reginald Kain"])
    assert [player.character for player in table.position.players] == ["", ""]
    table.submit(0, ["character reginald"])  # may still be changed to the same or another one
    table.submit(1, ["character isaac"])
    table.reveal()
    assert [player.character for player in table.position.players] == ["reginald_kain", "isaac"]
    assert [(player.cash, player.tokens) for player in table.position.players] == [(20, 0), (12, 5)]


@pytest.mark.rule("KAS-F42", "KAS-R37")
def test_in_the_normal_game_the_highest_priority_number_places_first_and_there_is_no_marker():
    table = begin(3, game="normal")
    for team in ("davinci", "godfather", "sphinx"):
        play(table, f"team {team}")
    seal(table, "character isaac", "character thaddeus birch", "character victor blane")
    assert table.position.order == [1, 2, 0]
    assert table.view(None).table.first is None


@pytest.mark.rule("KAS-R36", "KAS-F42")
def test_harvey_golding_places_first_and_again_last():
    table = begin(3, game="normal")
    for team in ("emperor", "godfather", "sphinx"):
        play(table, f"team {team}")
    seal(table, "character harvey golding", "character thaddeus birch", "character victor blane")
    assert table.position.order == [0, 1, 2, 0]
    while len(table.position.order) > 1:
        seat = table.decisions()[0].seat
        table.submit(seat, [{"type": "place", "space": can(table, Place, seat)[0].space}])
    area, first = assemble(BOARD, table.position.layout), me(table).at
    link_of = area.link_of | area.stub_of
    occupied = {link_of[space] for player in table.position.players for space in player.depots}
    assert not occupied & {link_of[move.space] for move in can(table, Place)}
    second = can(table, Place)[-1].space
    play(table, f"place {second}")
    assert (me(table).at, set(me(table).depots), me(table).supply) == (first, {first, second}, 8)


def test_settings_default_to_the_basic_game_as_printed():
    assert Settings() == Settings(game="basic", uncertainty=False, cutthroat=False, boards="random")
