"""Action B: paths, payments, and the commodity of the new city."""

from random import Random

import pytest

from referee.games.spike.building import BuildOffer, Site, name, network
from referee.games.spike.events import Built, CommodityScored
from referee.games.spike.payment import cheapest, pays
from referee.games.spike.state import Build
from referee.orders.notation import format_move
from tests.positions import choices, edit, happened, offered, play, random_game, refused, start
from tests.referee.games.spike.setups import BOARD, at, build, built, line, me, tracks_of

MARKET = [["pigs", "cows", "oil"], ["cloth", "wood", "corn"], ["steel", "coal", "wheat"], ["fruit", "flour", "cotton"]]


@pytest.mark.rule("SP-F11")
def test_a_path_leads_from_the_network_to_a_new_city_with_a_matching_card_for_each_space():
    table = at(hands=[{"black": 1, "white": 2}, {}], market=MARKET)
    outcome = play(table, "build New York via J34 with black, white")
    assert happened(outcome, Built) == [Built(0, "new_york", ("boston", "j34"), ("black", "white"), ("white", "black"))]
    assert tracks_of(table) == set(line("boston", "j34", "new_york"))
    assert me(table).hand == {"white": 1}
    assert set(network(BOARD, table.position, 0)) == {"boston", "j34", "new_york"}
    assert table.decisions()[0].seat == 1


@pytest.mark.rule("SP-F11", "SP-EX6")
def test_one_may_branch_off_an_own_junction():
    table = at(hands=[{"red": 1}, {}], tracks=[line("boston", "j34", "new_york")])
    assert built(table, "build Albany") == Build("albany", ("j34",), ("red",))


@pytest.mark.rule("SP-EX6")
def test_a_path_that_ends_at_a_junction_or_branches_off_a_rival_is_refused():
    table = at(
        hands=[{"red": 2, "black": 2, "white": 2}, {}],
        homes=["topeka", "boston"],
        tracks=[[], line("boston", "j34", "new_york")],
    )
    assert refused(table, build("j34")).code == "no_such_city"
    assert refused(table, "build Albany via J34").code == "not_connected"
    assert refused(table, build("new_york", ["j34"])).code == "not_connected"


@pytest.mark.rule("SP-R10")
def test_a_build_begins_at_a_city_with_a_rival_only_if_it_is_in_the_own_network():
    rival = line("boston", "albany", "new_york")
    table = at(hands=[{"red": 1, "white": 1}, {}], homes=["topeka", "boston"], tracks=[[], rival])
    assert refused(table, build("philadelphia", ["new_york"])).code == "not_connected"
    own = line("boston", "j34", "new_york")
    table = at(hands=[{"red": 1}, {}], homes=["boston", "albany"], tracks=[own, line("albany", "new_york")])
    assert built(table, "build Philadelphia") == Build("philadelphia", ("new_york",), ("red",))


@pytest.mark.rule("SP-R09")
def test_a_path_may_run_through_a_junction_that_a_rival_touches():
    table = at(hands=[{"black": 1, "red": 1}, {}], homes=["boston", "new_york"], tracks=[[], line("new_york", "j34")])
    assert built(table, "build Albany via J34") == Build("albany", ("boston", "j34"), ("red", "black"))


@pytest.mark.rule("SP-R06")
def test_a_path_ends_at_the_first_new_city():
    table = at(hands=[{"white": 1, "black": 1}, {}])
    error = refused(table, build("new_york", ["boston", "albany"]))
    assert error.code == "two_cities"
    assert "Albany" in error.message
    play(table, "build Albany")
    assert set(network(BOARD, table.position, 0)) == {"boston", "albany"}


@pytest.mark.rule("SP-R07")
def test_a_city_of_the_own_network_is_not_built_to_again():
    table = at(hands=[{"black": 2, "red": 2}, {}], tracks=[line("boston", "albany")])
    assert refused(table, "build Albany via Boston, J34").code == "not_new"
    assert "albany" not in choices(table, "Build", "city")


@pytest.mark.rule("SP-R60")
def test_a_path_does_not_touch_the_own_network_again():
    table = at(hands=[{"black": 3, "red": 2, "white": 2}, {}], tracks=[line("boston", "albany")])
    assert refused(table, build("new_york", ["boston", "j34", "albany"])).code == "loop"
    table = at(hands=[{"black": 9, "red": 9, "white": 9}, {}])
    assert refused(table, build("new_york", ["boston", "j34", "boston", "j34"])).code == "loop"
    # Albany - J16 - J15 - J24 and through J16 again: every space is free, but the junction comes twice.
    table = at(hands=[dict.fromkeys(BOARD.rail, 9), {}], homes=["albany", "topeka"])
    assert refused(table, build("boston", ["albany", "j16", "j15", "j24", "j16", "j17"])).code == "loop"
    own_junction = at(
        hands=[{"blue": 2, "red": 1, "green": 1}, {}],
        tracks=[line("boston", "albany", "j24", "new_york")],
    )
    assert refused(own_junction, build("buffalo", ["new_york", "j33", "j24", "j23"])).code == "loop"
    assert built(own_junction, build("buffalo", ["j24", "j23"])).cards == ("blue", "green")


@pytest.mark.rule("SP-R08")
def test_a_space_holds_one_track():
    table = at(hands=[{"white": 3}, {}], homes=["boston", "albany"], tracks=[[], line("albany", "boston")])
    assert refused(table, "build Albany via Boston").code == "space_taken"
    assert refused(table, "build Albany via J17, Boston").code == "loop"


@pytest.mark.rule("SP-R11")
def test_without_tracks_there_is_no_build():
    hands = [{"white": 1}, {}]
    far = [segment.id for segment in BOARD.segments if segment.a.startswith("j") and segment.b.startswith("j")]
    assert built(at(hands=hands, tracks=[far[-44:]]), "build Albany").path == ("boston",)
    none_left = at(hands=hands, tracks=[far[-45:]])
    assert refused(none_left, "build Albany").code == "no_tracks"
    assert "Build" not in offered(none_left)


@pytest.mark.rule("SP-R11")
def test_a_path_longer_than_the_tracks_left_is_refused_with_the_numbers():
    far = [segment.id for segment in BOARD.segments if segment.a.startswith("j") and segment.b.startswith("j")]
    short = at(hands=[{"black": 1, "white": 1}, {}], tracks=[far[-44:]])
    error = refused(short, build("new_york", ["boston", "j34"]))
    assert error.code == "too_few_tracks"
    assert error.numbers == {"spaces": 2, "tracks": 1}
    short = at(hands=[{"red": 2, "blue": 1}, {}], tracks=[far[-44:]])
    assert refused(short, "build Albany with red, red, blue").code == "cannot_pay"  # it takes two tracks


@pytest.mark.rule("SP-R15")
def test_all_cards_played_are_discarded():
    table = at(hands=[{"red": 2, "blue": 1}, {}], discards={"red": 1})
    play(table, "build Albany with red+red")
    assert table.position.discards == {"red": 3}
    assert me(table).hand == {"blue": 1}


@pytest.mark.rule("SP-R14")
def test_a_payment_may_be_larger_than_needed_if_it_is_named():
    table = at(hands=[{"red": 4, "white": 1}, {}])
    assert built(table, "build Albany").cards == ("white",)
    assert built(table, "build Albany via Boston with red red red").cards == ("red",) * 3
    error = refused(table, "build Albany via Boston with white, red, red")
    assert error.code == "wrong_cards"
    assert "white would" in error.message
    assert refused(table, "build Albany via Boston with blue").code == "no_such_card"


@pytest.mark.rule("SP-F13", "SP-EX2", "SP-R02")
def test_norfolk_scores_pigs_in_the_top_row():
    table = at(hands=[{"red": 1, "yellow": 1}, {}], homes=["raleigh", "topeka"], market=MARKET)
    outcome = play(table, "build Norfolk")
    assert me(table).score == 3
    assert table.position.market == [["cows", "oil", "pigs"], *MARKET[1:]]
    assert happened(outcome, CommodityScored) == [CommodityScored(0, "pigs", 3, ("cows", "oil", "pigs"))]


@pytest.mark.rule("SP-EX3")
def test_a_chip_in_the_middle_row_pays_two_and_drops():
    market = [["cows", "pigs", "oil"], *MARKET[1:]]
    table = at(hands=[{"red": 1, "yellow": 1}, {}], homes=["raleigh", "topeka"], market=market)
    play(table, "build Norfolk")
    assert (me(table).score, table.position.market[0]) == (2, ["cows", "oil", "pigs"])


@pytest.mark.rule("SP-EX4", "SP-R03")
def test_a_chip_in_the_lowest_row_pays_one_and_stays():
    market = [["cows", "oil", "pigs"], *MARKET[1:]]
    table = at(hands=[{"red": 1, "yellow": 1}, {}], homes=["raleigh", "topeka"], market=market)
    play(table, "build Norfolk")
    assert (me(table).score, table.position.market) == (1, market)


@pytest.mark.rule("SP-R05")
def test_a_city_pays_also_where_others_are_connected():
    table = at(hands=[{"white": 1}, {}], homes=["boston", "albany"], market=MARKET)
    play(table, "build Albany")
    assert me(table).score == 2


@pytest.mark.rule("SP-R51")
def test_a_network_stays_in_one_piece():
    table, entry = start("spike", 3, seed=b"one piece")
    record = random_game(table, entry, Random(3))
    assert record.end
    for seat, player in enumerate(table.position.players):
        reached, left = {player.home}, [BOARD.segment[track] for track in tracks_of(table, seat)]
        for _ in range(len(left)):
            reached |= {end for segment in left for end in segment.ends if reached.intersection(segment.ends)}
        assert reached == set(network(BOARD, table.position, seat))


def test_the_parts_of_a_build_that_are_left_out_are_the_cheapest():
    table = at(hands=[{"white": 2, "black": 2, "blue": 3}, {}])
    whole = Build("new_york", ("boston", "j34"), ("white", "black"))
    for order in (
        "build New York",
        "build new york via j34",
        "build New York via Boston, J34",
        "build New York with black white",
        "build New York via J34 with black, white",
        build("new_york"),
        build("new_york", ["boston", "j34"]),
        build("new_york", [], ["black", "white"]),
    ):
        assert built(table, order) == whole, order
    assert built(table, "build New York via J34 with white blue+blue").cards == ("white", "blue", "blue")
    assert format_move(table.game, whole) == "build New York via Boston, J34 with white, black"


def test_a_first_place_left_out_is_where_the_path_is_cheapest():
    table = at(hands=[{"white": 3, "black": 1}, {}], tracks=[line("boston", "albany")])
    # J34 lies beside Boston (black) and Albany (red, which only a set of white could pay).
    assert built(table, "build New York via J34").path == ("boston", "j34")


def test_cards_without_a_path_buy_the_shortest_path_that_just_they_pay():
    table = at(hands=[{"red": 2, "blue": 1, "white": 1}, {}])
    # Two red alone would pay Boston-Albany, and the blue would be left over.
    assert built(table, "build Albany with red, red, blue").path == ("boston", "j17")
    error = refused(table, "build Albany with red, red, blue, white")
    assert error.code == "cannot_pay"
    assert "just these cards" in error.message


def test_a_build_with_named_cards_finds_its_path_however_long_it_is():
    # Eight spaces with two sets: more partial paths lead there than anybody could walk.
    hand = {"white": 5, "blue": 3, "red": 1, "yellow": 1}
    table = at(hands=[hand, {}], homes=["charleston", "topeka"])
    found = built(table, "build Jackson with 5 white, 3 blue, red, yellow")
    assert (len(found.path), len(found.cards)) == (8, 10)
    assert built(table, build("jackson", found.path, found.cards)) == found


def test_named_cards_buy_a_shortest_path_that_uses_all_of_them_or_none():
    compared = 0
    for _, _, site, rng in random_sites(10, 6):
        paths = every_path(site)
        for city in [*paths, *rng.sample(sorted(set(BOARD.city) - set(site.network)), 2)] * 2:
            cards = tuple(held - (rng.randrange(3) == 0) * rng.randrange(held + 1) for held in site.hand)
            lengths = [len(path) for path in paths.get(city, ()) if pays(cards, site.need(path, city))]
            found = site.path_for(city, cards)
            assert (len(found) if found else 0) == min(lengths, default=0)
            assert found is None or (site.is_path(found, city) and pays(cards, site.need(found, city)))
            compared += bool(lengths)
    assert compared > 20


def test_whatever_pays_some_path_to_a_city_buys_one_when_only_the_cards_are_named():
    named = 0
    for table, seat, site, rng in random_sites(12, 5):
        for city, paths in every_path(site).items():
            for path in rng.sample(sorted(paths), min(3, len(paths))):
                cards = name(BOARD, cheapest(site.need(path, city), site.hand))
                build_of_cards = table.check(seat, build(city, [], cards))
                assert build_of_cards.cards == cards
                assert table.check(seat, build(city, build_of_cards.path, cards)) == build_of_cards
                assert len(build_of_cards.path) <= len(path)
                named += 1
    assert named > 100


def every_path(site):
    """All paths over free spaces to new cities that the hand can pay, one by one: slow, and sure."""
    found = {}

    def walk(path, rails):
        for other, segment in BOARD.exits[path[-1]].items():
            if segment.id in site.taken or other in site.network or other in path or len(path) > site.tracks:
                continue
            need = [*rails, segment.rail]
            cards = cheapest(tuple(need.count(rail.id) for rail in BOARD.rail_types), site.hand)
            if cards is None:
                continue
            if other in BOARD.city:
                found.setdefault(other, {})[path] = sum(cards)
            else:
                walk((*path, other), need)

    for place in site.network:
        walk((place,), [])
    return found


def random_sites(number, most_cards):
    rng = Random(number)
    for attempt in range(number):
        table, entry = start("spike", 2 + attempt % 3, seed=bytes([attempt]))
        random_game(table, entry, rng, 30 + rng.randrange(120))
        if table.is_over or table.position.phase != "turn":
            continue
        seat = table.position.active
        hand = {rail.id: rng.randrange(3) for rail in BOARD.rail_types}
        while sum(hand.values()) > most_cards:
            hand[rng.choice(list(hand))] = 0
        table = edit(table, seat, hand={rail: n for rail, n in hand.items() if n})
        yield table, seat, Site(BOARD, table.position, seat), rng


def test_the_cities_within_reach_and_their_cheapest_paths_are_those_that_walking_every_path_finds():
    compared = 0
    for _, _, site, _ in random_sites(25, 5):
        offer, paths = BuildOffer(site), every_path(site)
        assert set(offer.cheapest) == set(paths)
        for city, cards in paths.items():
            fewest = min(cards.values())
            cheapest_build = offer.fill(city)
            assert len(cheapest_build.cards) == fewest
            shortest = min(len(path) for path, number in cards.items() if number == fewest)
            assert len(cheapest_build.path) == shortest
            compared += 1
    assert compared > 100


def test_every_path_that_can_be_walked_and_paid_is_accepted_as_it_is_named():
    accepted = 0
    for table, seat, site, rng in random_sites(10, 5):
        for city, paths in every_path(site).items():
            for path in rng.sample(sorted(paths), min(4, len(paths))):
                assert table.check(seat, build(city, path)).path == path
                accepted += 1
    assert accepted > 50


def test_every_path_that_can_be_walked_and_paid_can_be_drawn():
    sites = [(site, rng) for _, _, site, rng in random_sites(12, 3) if 1 < sum(map(len, every_path(site).values())) < 9]
    for site, rng in sites:
        drawn = [BuildOffer(site).sample(rng) for _ in range(400)]
        assert {(move.city, move.path) for move in drawn} == {
            (city, path) for city, paths in every_path(site).items() for path in paths
        }
    assert len(sites) > 2


def test_whatever_is_drawn_is_accepted_as_it_is():
    for table, seat, site, rng in random_sites(8, 9):
        offer = BuildOffer(site)
        if not offer.is_empty:
            for _ in range(20):
                move = offer.sample(rng)
                assert table.check(seat, build(move.city, move.path, move.cards)) == move


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (build("atlantis"), "no_such_city"),
        (build("new_york", ["nowhere"]), "no_such_place"),
        (build("new_york", ["boston", "topeka"]), "no_segment"),
        (build("miami"), "out_of_reach"),
        (build("miami", [], ["black"]), "cannot_pay"),
        (build("atlantis", [], ["black"]), "no_such_city"),
        (build("j34", [], ["black"]), "no_such_city"),
        (build("boston", [], ["black", "white"]), "not_new"),
        (build("new_york", ["boston", "j34"], ["black", "black"]), "wrong_cards"),
        (build("new_york", ["topeka"]), "not_connected"),
    ],
)
def test_a_refused_build_says_what_is_wrong(order, code):
    table = at(hands=[{"black": 2, "white": 1}, {}], homes=["boston", "miami"])
    error = refused(table, order)
    assert error.code == code


def test_the_listing_names_the_cities_within_reach_with_a_cheapest_way_and_its_cards():
    table = at(hands=[{"white": 1, "black": 1}, {}])
    (offer,) = [offer for offer in table.offers(0) if offer.move is Build]
    fields = offer.listing()["fields"]
    assert fields["city"] == {"kind": "one_of", "one_of": ["albany", "new_york"]}
    assert fields["path"] == {
        "kind": "way",
        "way_to": {"albany": ["boston"], "new_york": ["boston", "j34"]},
        "at_most": 45,
    }
    assert fields["cards"]["way_to"] == {"albany": ["white"], "new_york": ["white", "black"]}
    assert [format_move(table.game, move) for move in offer.moves()] == [
        "build Albany via Boston with white",
        "build New York via Boston, J34 with white, black",
    ]
