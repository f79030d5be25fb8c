"""Characters and special cards."""

import random

import pytest

from referee.games.kings_of_air_and_steam.events import (
    Delivered,
    DemandPlaced,
    DepotBuilt,
    Gambled,
    LinkConstructed,
    MoneyStolen,
    TilesOffered,
    TollPaid,
    TurnSkipped,
)
from referee.games.kings_of_air_and_steam.hexes import DIRECTIONS, add, distance
from referee.games.kings_of_air_and_steam.links import Rails
from referee.games.kings_of_air_and_steam.play_area import Link, Placed, assemble
from referee.games.kings_of_air_and_steam.state import (
    Build,
    Construct,
    Demand,
    Done,
    PlayCard,
    Ship,
    Solicit,
    Transmogrify,
    UpgradeTrain,
)
from referee.options import sample
from tests.positions import happened, play, put, refused
from tests.referee.games.kings_of_air_and_steam.setups import BOARD, EVERY_FLIGHT, accepts, at, can, me, step, turn


@pytest.mark.rule("KAS-R40", "KAS-R24")
def test_the_emperor_card_has_two_actions_and_no_movement():
    table = turn(card="emperor", space="I4", cash=20, characters=["reginald_kain", "isaac"])
    assert table.position.phase == "action"  # no flight, no loading although a Factory is here
    play(table, "upgrade airship")
    assert table.position.phase == "action"
    play(table, "upgrade airship")
    assert me(table).airship == 2
    assert table.position.phase == "planning"


@pytest.mark.rule("KAS-R40")
def test_a_route_adjustment_of_the_emperor_card_may_load():
    table = turn(card="emperor", space="J4", characters=["reginald_kain", "isaac"])
    play(table, "adjust NW")
    assert table.position.phase == "cargo"
    play(table, "load chemicals")
    play(table, "solicit")
    assert me(table).hold == ["chemicals"]


@pytest.mark.rule("KAS-R41", "KAS-R24")
def test_perpetual_motion_is_a_second_action_for_a_token_once_a_turn():
    table = turn(card="0", space="L4", cash=20, characters=["isaac", "victor_blane"])
    play(table, "upgrade train")
    assert table.position.phase == "perpetual_motion"
    assert {offer.move for offer in table.offers(0)} >= {Build, UpgradeTrain, Solicit, Done}
    play(table, "upgrade train")
    assert (me(table).train, me(table).tokens) == (2, 4)
    assert table.position.phase == "planning"


@pytest.mark.rule("KAS-R41")
def test_perpetual_motion_is_optional_comes_after_the_whole_action_and_ends_with_the_tokens():
    table = turn(card="0", space="J4", characters=["isaac", "victor_blane"])
    play(table, "adjust NW")
    assert table.position.phase == "cargo"  # the loading belongs to the Action
    play(table, "load chemicals")
    play(table, "done")
    assert (me(table).tokens, table.position.phase) == (5, "planning")
    table = turn(card="0", space="L4", characters=["isaac", "victor_blane"])
    position = table.position
    position.players[0].tokens = 0
    table = put(table, position)
    play(table, "solicit")
    assert table.position.phase == "planning"


@pytest.mark.rule("KAS-X18", "KAS-R42")
def test_transmogrify_makes_two_of_one():
    table = at(characters=["aurelia_bayley", "victor_blane"], depots=[{"K4": {"chemicals": 1}}])
    stock = dict(table.position.stock)
    play(table, "transmogrify chemicals into machinery in K4")
    assert me(table).depots == {"K4": {"machinery": 2}}
    assert me(table).tokens == 4
    assert table.position.stock["chemicals"] == stock["chemicals"] + 1
    assert table.position.stock["machinery"] == stock["machinery"] - 2


@pytest.mark.rule("KAS-R42")
def test_transmogrify_in_the_hold_needs_room_and_a_token():
    crew = ["aurelia_bayley", "victor_blane"]
    table = at(characters=crew, hold=["food"])
    assert not accepts(table, Transmogrify("food", "food", "hold"))
    play(table, "transmogrify food into luxuries in hold")
    assert me(table).hold == ["luxuries", "luxuries"]
    assert not can(at(characters=crew, hold=["food", "food"]), Transmogrify)
    position = at(characters=crew, hold=["food"]).position
    position.players[0].tokens = 0
    assert not can(put(table, position), Transmogrify)
    assert not can(at(characters=["isaac", "victor_blane"], hold=["food"]), Transmogrify)


def eva(**fields):
    return at(characters=["eva_blane", "isaac"], **({"cash": 12} | fields))


@pytest.mark.rule("KAS-R43")
def test_new_construction_lays_a_link_with_a_free_depot():
    table = eva()
    moves = can(table, Construct)
    assert moves
    move = min(moves, key=lambda move: len(move.track))
    outcome = play(table, {"type": "construct", "start": move.start, "track": move.track, "end": move.end, "depot": 1})
    (built,) = happened(outcome, LinkConstructed)
    assert built.cost == len(move.track)
    assert me(table).cash == 12 - built.cost
    assert me(table).tokens == 5 - len(move.track)
    assert me(table).supply == 9
    assert me(table).depots == {move.track[0]: {}}
    rails = Rails(BOARD, table.position)
    assert rails.link_of[move.track[0]] == built.link
    assert table.position.agenda == []


@pytest.mark.rule("KAS-R43")
def test_the_new_link_serves_like_any_other():
    table = eva(cash=20, agenda=["action", "planning"], depots=[{"K4": {}}])
    play(table, "construct from Geekopolis over L3 L4 to Sartainville depot on 2")
    assert me(table).depots == {"K4": {}, "L4": {}}
    assert happened(play(table, "build L3"), DepotBuilt)[0].cost == 7
    link = Link("new1", ("geekopolis", "sartainville"), ("L3", "L4"))
    crew = ["isaac", "eva_blane"]
    others = at(characters=crew, train=3, depots=[{"K7": {"textiles": 1}}, {"L4": {}}], built=[link])
    outcome = play(others, "ship 1 textiles from K7 to Geekopolis via new1")
    assert [(paid.to, paid.amount) for paid in happened(outcome, TollPaid)] == [(1, 1)]


def plain_tracks(area, taken, longest):
    """Every way of laying tiles, found by looking at where the spaces lie: a curve is wide where the space after the
    next one is two spaces away."""
    plain = {area.place[space] for space in area.full - taken}
    cities = {area.place[space]: city for space, city in area.city_at.items()}
    ways = [(start,) for start in cities]
    for way in ways:
        here = way[-1]
        for there in (add(here, way_on) for way_on in DIRECTIONS.values()):
            if there in way or (len(way) > 1 and distance(way[-2], there) != 2):
                continue
            if there in cities and len(way) > 1:
                yield cities[way[0]], tuple(area.name[place] for place in way[1:]), cities[there]
            elif there in plain and len(way) <= longest:
                ways.append((*way, there))


@pytest.mark.rule("KAS-R43")
@pytest.mark.parametrize(("boards", "turned"), [("ABC", 0), ("ABCDE", 1), ("ABCFG", 3), ("ABCDEFG", 0), ("GFEDCBA", 5)])
def test_where_track_tiles_may_lie(boards, turned):
    """On plain full spaces, in wide curves, between two Cities; Airships are no obstacle."""
    layout = tuple(Placed(letter, (turned * place) % 6) for place, letter in enumerate(boards))
    area = assemble(BOARD, layout)
    own = next(iter(area.links.values())).spaces[0]
    first = next(plain_tracks(area, {*area.factory_at, *area.link_of, *area.stubs}, 5))
    built = [Link("new1", (first[0], first[2]), first[1])]
    for links in ([], built):
        table = eva(boards=boards, depots=[{own: {}}], others_at=[own, first[1][0]], built=links)
        position = table.position
        position.layout, position.factories = layout, dict.fromkeys(area.factory_at, 1)
        taken = {*area.factory_at, *area.link_of, *area.stubs, *(space for link in links for space in link.spaces)}
        for tiles, cash in ((5, 12), (3, 12), (5, 2)):
            position.players[0].tokens, position.players[0].cash = tiles, cash
            offers = [offer for offer in put(table, position).offers(0) if offer.move is Construct]
            legal = set(plain_tracks(area, taken, min(tiles, cash)))
            for start, track, end in legal:
                assert any(offer.accepts(Construct(start, track, end, len(track))) for offer in offers)
                assert not any(offer.accepts(Construct(start, track, end, len(track) + 1)) for offer in offers)
            rng = random.Random(tiles)
            for _ in range(20 if offers else 0):
                move = sample(offers, rng)
                assert (move.start, move.track, move.end) in legal


@pytest.mark.rule("KAS-R43")
def test_a_new_link_needs_money_tiles_and_a_depot():
    assert can(eva(cash=2), Construct)
    assert not can(eva(cash=1), Construct)  # the shortest one takes two tiles
    spaces = ["K4", "J3", "J4", "K6", "K7", "K8", "K9", "K10", "K11", "J5"]
    assert not can(eva(depots=[{space: {} for space in spaces}]), Construct)


FULFILLING = {"cities": {"sartainville": ("machinery", 5, 4)}, "depots": [{"K4": {"machinery": 1}}]}


def flora(**fields):
    """Player 1 is Flora Kingston; player 0 is about to fulfil Sartainville."""
    return at(**({"characters": ["isaac", "flora_kingston"]} | FULFILLING | fields))


@pytest.mark.rule("KAS-R47")
def test_flora_chooses_from_two_tiles_when_another_fulfils_a_city():
    table = flora(demand=["chemicals", "food", "luxuries", "textiles"])
    outcome = play(table, "ship 1 machinery from K4 to sartainville")
    (offered,) = happened(outcome, TilesOffered)
    assert (offered.seat, len(offered.tiles)) == (1, 2)
    assert [decision.seat for decision in table.decisions()] == [1]
    assert {move.good for move in can(table, Demand, 1)} == set(offered.tiles)
    play(table, f"demand {offered.tiles[1]}", seat=1)
    assert table.position.cities["sartainville"].good == offered.tiles[1]
    assert len(table.position.demand) == 3
    assert table.position.phase == "planning"


@pytest.mark.rule("KAS-R47")
def test_flora_chooses_from_the_whole_stack_for_her_own_city():
    table = flora(characters=["flora_kingston", "isaac"], demand=["chemicals", "food", "luxuries", "textiles"])
    play(table, "ship 1 machinery from K4 to sartainville")
    assert {move.good for move in can(table, Demand)} == {"chemicals", "food", "luxuries", "textiles"}
    play(table, "demand food")
    assert table.position.cities["sartainville"].good == "food"


@pytest.mark.rule("KAS-R47", "KAS-R26")
def test_flora_has_no_choice_with_one_tile_or_none_or_on_a_demand_tile():
    outcome = play(flora(demand=["food"]), "ship 1 machinery from K4 to sartainville")
    assert happened(outcome, DemandPlaced)[0].good == "food"
    table = flora(demand=[])
    play(table, "ship 1 machinery from K4 to sartainville")
    assert table.position.waiting == ["sartainville"]
    table = flora(demand=["food", "luxuries"], cities={"sartainville": ("machinery", 3, 2)})
    assert not happened(play(table, "ship 1 machinery from K4 to sartainville"), TilesOffered)


@pytest.mark.rule("KAS-R59", "KAS-R47")
def test_flora_is_not_asked_where_all_tiles_are_alike():
    order = "ship 1 machinery from K4 to sartainville"
    for by in (0, 1):
        crew = ["flora_kingston", "isaac"] if by == 0 else ["isaac", "flora_kingston"]
        table = flora(characters=crew, demand=["food", "food", "food"])
        outcome = play(table, order)
        assert [event.good for event in happened(outcome, DemandPlaced)] == ["food"]
        assert table.position.phase == "planning"
        asked = flora(characters=crew, demand=["food", "food", "food"], version="1")
        play(asked, order)
        assert asked.position.phase == "market_sense"


@pytest.mark.rule("KAS-R59")
def test_two_like_tiles_out_of_more_are_shown_but_not_asked_about():
    table = flora(demand=["food"] * 9 + ["luxuries"])
    outcome = play(table, "ship 1 machinery from K4 to sartainville")
    assert happened(outcome, TilesOffered)[0].tiles == ("food", "food")
    assert table.position.phase == "planning"


@pytest.mark.rule("KAS-R58", "KAS-R26", "KAS-R47")
@pytest.mark.parametrize("by", [0, 1])
def test_flora_keeps_her_choice_for_a_city_that_waited(by):
    crew = ["flora_kingston", "isaac"] if by == 0 else ["isaac", "flora_kingston"]
    agenda, bins = ["produce", "deferred_demand", "planning"], ["chemicals", "food", "luxuries"]
    table = flora(characters=crew, demand=[], bins=bins, agenda=agenda)
    outcome = play(table, "ship 1 machinery from K4 to sartainville")
    (offered,) = happened(outcome, TilesOffered)
    assert (offered.seat, len(offered.tiles)) == (by, 3 if by == 0 else 2)
    assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(by, "market_sense")]
    play(table, f"demand {offered.tiles[0]}", seat=by)
    assert table.position.cities["sartainville"].good == offered.tiles[0]
    assert (table.position.phase, table.position.waiting) == ("planning", [])
    assert '"fulfilled_by"' not in table.position_json.decode()
    old = flora(characters=crew, demand=[], bins=bins, agenda=["production", "planning"], version="1")
    assert not happened(play(old, "ship 1 machinery from K4 to sartainville"), TilesOffered)


@pytest.mark.rule("KAS-R61", "KAS-R47")
def test_the_clock_chooses_the_tile_of_which_flora_has_most():
    crew, demand = ["flora_kingston", "isaac"], ["chemicals", "food", "luxuries"]
    depots = [{"K4": {"machinery": 1, "luxuries": 2}}]
    table = flora(characters=crew, demand=demand, depots=depots, hold=["food"])
    play(table, "ship 1 machinery from K4 to sartainville")
    assert table.default(0) == Demand("luxuries")


@pytest.mark.rule("KAS-R47", "KAS-R45", "KAS-R41")
@pytest.mark.parametrize(
    ("crew", "card", "then"),
    [("isaac", "0", "perpetual_motion"), ("victor_blane", "sphinx", "action"), ("harvey_golding", "emperor", "action")],
)
def test_the_turn_goes_on_after_floras_choice(crew, card, then):
    crew = [crew, "flora_kingston"]
    table = turn(card=card, space="L4", characters=crew, demand=["chemicals", "food"], **FULFILLING)
    if table.position.phase == "flight":
        play(table, "fly to L6")
    play(table, "ship 1 machinery from K4 to sartainville")
    assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(1, "market_sense")]
    play(table, "demand food", seat=1)
    assert [(decision.seat, decision.phase) for decision in table.decisions()] == [(0, then)]


@pytest.mark.rule("KAS-R48")
def test_bishop_may_take_one_paid_good_out_of_the_delivery():
    crew = ["bishop_kingston", "isaac"]
    table = at(characters=crew, depots=[{"K4": {"machinery": 3}}], cities={"sartainville": ("machinery", 5, 2)})
    stock = table.position.stock["machinery"]
    outcome = play(table, "ship 3 machinery from K4 to sartainville returning 1")
    assert happened(outcome, Delivered)[0].income == 12
    assert table.position.cities["sartainville"].goods == {"machinery": 4}
    assert table.position.stock["machinery"] == stock + 1
    tight = at(characters=crew, depots=[{"K4": {"machinery": 3}}], cities={"sartainville": ("machinery", 5, 3)})
    assert refused(tight, Ship(3, "machinery", "K4", "sartainville", returned=1)).code == "too_few_slots"
    others = at(characters=["isaac", "victor_blane"], depots=[{"K4": {"machinery": 3}}])
    assert not accepts(others, Ship(1, "machinery", "K4", "sartainville", returned=1))


def sebastian(cash=12, **fields):
    return at(characters=["sebastian_king", "isaac"], cash=cash, depots=[{"K4": {"machinery": 2}}], **fields)


@pytest.mark.rule("KAS-R49")
def test_a_gamble_costs_the_wager_and_pays_two_dollars_a_good_on_a_match():
    results = set()
    for row in range(40):
        table = sebastian()
        table.sequence = row
        outcome = play(table, "ship 2 machinery from K4 to sartainville wager 2")
        (gambled,) = happened(outcome, Gambled)
        assert len(set(gambled.tokens)) == 2
        won = "machinery" in gambled.tokens
        assert gambled.bonus == (4 if won else 0)
        assert me(table).cash == 12 - 2 + 8 + gambled.bonus
        assert me(table).tokens == 5  # never spent
        results.add(won)
    assert results == {True, False}


@pytest.mark.rule("KAS-R49")
def test_the_wager_is_one_to_three_dollars_in_hand_and_only_with_a_delivery():
    wagers = {move.wager for move in can(sebastian(), Ship)}
    assert wagers == {0, 1, 2, 3}
    assert {move.wager for move in can(sebastian(cash=1), Ship)} == {0, 1}
    depots = [{"K4": {"machinery": 2}, "J3": {}, "K7": {}}]
    table = at(characters=["sebastian_king", "isaac"], train=3, depots=depots)
    between = [move for move in can(table, Ship) if move.destination in ("J3", "K7")]
    assert between
    assert {move.wager for move in between} == {0}


@pytest.mark.rule("KAS-R49", "KAS-R22")
def test_a_wager_leaves_enough_for_the_tolls():
    """Five tolls at a price of $4 cost a dollar net."""
    ends = ["geekopolis", "sartainville", "geekopolis", "sartainville", "geekopolis", "warsop"]
    spaces = ["L3", "L4", "L6", "L7", "L10"]
    links = [Link(f"t{n}", (ends[n], ends[n + 1]), (space,)) for n, space in enumerate(spaces)]
    start = Link("s", ("raposa", "geekopolis"), ("M4",))
    crew = {"characters": ["sebastian_king", "isaac"], "train": 6, "built": [start, *links]}
    table = at(cash=3, depots=[{"M4": {"luxuries": 1}}, {space: {} for space in spaces}], **crew)
    way = tuple(link.id for link in links)
    assert accepts(table, Ship(1, "luxuries", "M4", "warsop", way, wager=2))
    error = refused(table, Ship(1, "luxuries", "M4", "warsop", way, wager=3))
    assert (error.code, error.numbers) == ("tolls_not_payable", {"tolls": 5, "cash": 0})


@pytest.mark.rule("KAS-R50")
def test_nothing_is_bamboozled_on_the_way_to_a_depot():
    table = at(characters=["corey_mcqueen", "isaac"], depots=[{"J3": {"food": 1, "textiles": 1}, "J4": {}}])
    assert accepts(table, Ship(1, "food", "J3", "J4"))
    assert not accepts(table, Ship(1, "food", "J3", "J4", extra="textiles"))


@pytest.mark.rule("KAS-X19", "KAS-R50")
def test_a_bamboozled_good_is_paid_and_fills_a_slot():
    crew = ["corey_mcqueen", "isaac"]
    own = {"K7": {"food": 2, "textiles": 1}}
    table = at(characters=crew, depots=[own], cities={"raposa": ("food", 5, 2)}, demand=["luxuries"])
    stock = dict(table.position.stock)
    outcome = play(table, "ship 2 food with textiles from K7 to Raposa")
    assert happened(outcome, Delivered)[0].income == 12
    assert me(table).tokens == 4
    assert table.position.stock["textiles"] == stock["textiles"] + 1
    assert table.position.stock["food"] == stock["food"] + 4
    assert table.position.cities["raposa"].good == "luxuries"


@pytest.mark.rule("KAS-R50", "KAS-R22")
def test_a_bamboozled_good_needs_a_right_one_a_slot_a_token_and_its_toll():
    crew = ["corey_mcqueen", "isaac"]
    own = {"K7": {"food": 2, "textiles": 1}}
    one_slot = at(characters=crew, depots=[own], cities={"raposa": ("food", 5, 4)})
    assert refused(one_slot, Ship(1, "food", "K7", "raposa", extra="textiles")).code == "too_few_slots"
    wrong_only = at(characters=crew, depots=[{"K7": {"textiles": 1}}])
    assert not [move for move in can(wrong_only, Ship) if move.destination == "raposa"]
    far = at(characters=crew, train=2, depots=[{"K4": {"food": 1, "textiles": 1}}, {"K7": {}}])
    assert happened(play(far, "ship 1 food with textiles from K4 to Raposa"), TollPaid)[0].amount == 2
    position = at(characters=crew, depots=[own]).position
    position.players[0].tokens = 0
    spent = put(one_slot, position)
    assert not accepts(spent, Ship(1, "food", "K7", "raposa", extra="textiles"))


@pytest.mark.rule("KAS-R51", "KAS-R25")
def test_clint_loads_before_and_after_the_flight():
    crew = ["clint_castle", "isaac"]
    table = turn(card="1", space="I4", characters=crew)
    assert table.position.phase == "cargo"
    play(table, "load chemicals")
    assert table.position.phase == "flight"
    play(table, "fly to J3")
    assert table.position.phase == "action"
    play(table, "adjust NE")
    assert me(table).at == "I4"
    assert table.position.phase == "planning"  # the Factory is empty now
    table = turn(card="1", space="J3", hold=["food"], depots=[{"J3": {}}], characters=crew)
    play(table, "unload food", "fly to I4", "load chemicals")
    assert (me(table).hold, me(table).depots) == (["chemicals"], {"J3": {"food": 1}})
    assert table.position.phase == "action"


@pytest.mark.rule("KAS-R51", "KAS-R25")
def test_clint_loads_nothing_before_a_route_adjustment():
    table = at(space="I4", characters=["clint_castle", "isaac"])
    play(table, "adjust SE")
    assert table.position.phase == "planning"


def eli(card="1", **fields):
    return turn(card=card, characters=["eli_diamond", "isaac"], **({"space": "L4"} | fields))


@pytest.mark.rule("KAS-R52")
def test_eli_flies_again_with_a_card_of_his_deck():
    table = eli("0", space="J4", agenda=["cards_and_marker", "planning"])
    assert len(can(table, PlayCard)) == len(set(me(table).deck))
    play(table, "card 1")
    assert table.position.phase == "flight"
    play(table, "fly to I4")
    assert table.position.phase == "cargo"
    assert me(table).shown == ["0", "1"]
    play(table, "load chemicals")
    assert sorted(me(table).deck) == sorted(BOARD.deck("sky_castle"))  # all back at Upkeep


@pytest.mark.rule("KAS-R52", "KAS-R09")
def test_elis_card_must_fit_the_rating_and_counts_for_later_cards():
    table = eli("3d", agenda=["turn", "planning"])
    position = table.position
    assert BOARD.airships["sky_castle"][0].diamonds == 2
    play(table, {"type": "fly_to", "space": next(table.offers(0)[1].domains["space"].values())})
    cards = {move.card for move in can(table, PlayCard)}
    assert "5dd" not in cards
    assert "4d" in cards
    play(table, "card 4d")
    assert me(table).shown == ["3d", "4d"]
    position = table.position
    position.agenda, position.order, position.players[0].card = ["turn", "planning"], [0], "3d"
    _, events = step(put(table, position))
    assert isinstance(events[0], TurnSkipped)


@pytest.mark.rule("KAS-R52")
@pytest.mark.parametrize(
    ("shown", "cards"), [(["3d", "0"], {"1", "2", "3", "3d", "4d"}), (["3d", "4d", "0"], {"1", "2", "3"})]
)
def test_all_exposed_diamonds_of_the_round_count_for_elis_card(shown, cards):
    table = eli("0")
    position = table.position
    for card in shown[:-1]:
        position.players[0].deck.remove(card)
    position.players[0].shown = shown
    assert {move.card for move in can(put(table, position), PlayCard)} == cards


@pytest.mark.rule("KAS-R52")
def test_eli_may_use_a_skipped_card_but_no_planned_one():
    table = eli("0")
    position = table.position
    for card in ("5dd", "sky_castle"):
        position.players[0].deck.remove(card)
    position.players[0].plan, position.players[0].returned = ["5dd", "sky_castle"], ["3d"]
    table = put(table, position)
    cards = {move.card for move in can(table, PlayCard)}
    assert not cards & {"5dd", "sky_castle"}
    play(table, "card 3d")
    assert me(table).returned == []


@pytest.mark.rule("KAS-R55", "KAS-R20")
def test_thaddeus_birch_pays_no_tolls_but_his_stops_count():
    crew = ["thaddeus_birch", "isaac"]
    fields = {"characters": crew, "depots": [{"K4": {"food": 2}}, {"K7": {}}]}
    table = at(train=2, **fields)
    assert not happened(play(table, "ship 2 food from K4 to Raposa"), TollPaid)
    assert refused(at(train=1, **fields), Ship(2, "food", "K4", "raposa")).code == "no_route"


@pytest.mark.rule("KAS-R25", "KAS-R54")
def test_a_route_adjustment_steals_nothing():
    table = at(characters=["ezekiel_crane", "isaac"], space="L4", others_at=["L4", "L5"])
    assert not happened(play(table, "adjust E"), MoneyStolen)
    assert me(table, 1).cash == 12


@pytest.mark.rule("KAS-R46", "KAS-R03")
def test_the_rose_and_thorn_card_moves_twice_before_the_action():
    table = turn(card="rose_and_thorn", space="K7", characters=["flora_kingston", "isaac"])
    assert table.position.agenda == ["cargo", "flight", "cargo", "action", "planning"]
    every = turn(card="rose_and_thorn", space="K7", characters=["flora_kingston", "isaac"], settings=EVERY_FLIGHT)
    assert "City" in refused(every, "fly W W").message
    over = turn(card="rose_and_thorn", space="K7", characters=["flora_kingston", "isaac"])
    play(over, "fly W W", "fly W W", "adjust E")  # to Sartainville and on to Geekopolis
    assert me(over).at == "K4"
    play(table, "fly E E")
    assert (me(table).at, table.position.phase) == ("K9", "flight")
    play(table, "fly W W")  # a new flight, so it may go back
    assert (me(table).at, table.position.phase) == ("K7", "action")


@pytest.mark.rule("KAS-R46")
def test_the_rose_and_thorn_card_loads_between_its_flights():
    table = turn(card="rose_and_thorn", space="K4", characters=["flora_kingston", "isaac"])
    play(table, "fly NE NW")
    assert (me(table).at, table.position.phase) == ("I4", "cargo")
    play(table, "load chemicals")
    assert table.position.phase == "flight"
