"""Challenges of landing rights."""

import pytest

from referee.errors import IllegalOrder
from referee.games.airline_1975.events import ChallengeLost, ChallengeWon, Paid, Threw
from tests.positions import happened, offered, play, sentences
from tests.referee.games.airline_1975.setups import STRICT, asked, at, cash, dice, offer, refused, throw

# Ben has his base in Rome, so London is connected; from Tokyo, Anna comes to London.
LONDON = {
    "bases": ("tokyo", "rome", "lima", "sydney"),
    "cities": {1: ["london"]},
    "aircraft": {0: "sst", 1: "jet"},
    "place": {0: "moscow"},
}
APART = LONDON | {"bases": ("tokyo", "nairobi", "lima", "sydney")}


def landed(setup=None, settings=None, **changes):
    """Anna in London, the fare settled or claimable."""
    return throw(at(settings=settings, **{**(setup or LONDON), **changes}), 2)[0]


@pytest.mark.rule("A75-T17", "A75-H01", "A75-H02", "A75-R19")
def test_a_tie_is_the_owner_s_who_keeps_fare_and_fee():
    table = dice(landed(), challenger=8, owner=8)
    assert cash(table) == [82, 118, 100]
    outcome = play(table, "challenge")
    assert cash(table) == [62, 138, 100]
    assert happened(outcome, ChallengeLost) == [ChallengeLost(0, 1, "london")]
    assert "london" in table.position.players[1].cities
    assert [(throw.seat, sum(throw.dice)) for throw in happened(outcome, Threw)] == [(0, 8), (1, 8)]


@pytest.mark.rule("A75-T18", "A75-H01", "A75-H03", "A75-R13", "A75-R20")
def test_a_city_that_is_not_connected_costs_20_and_the_higher_throw_takes_it():
    table = dice(landed(APART), challenger=9, owner=8)
    outcome = play(table, "challenge")
    assert cash(table) == [80, 120, 100]
    assert happened(outcome, ChallengeWon) == [ChallengeWon(0, 1, "london")]
    assert table.position.players[0].cities == ["tokyo", "london"]
    assert table.position.players[1].cities == ["nairobi"]
    assert asked(table) == (1, "departure")
    assert sentences(table, outcome)[-1] == "Anna wins the challenge and takes London from Ben."


@pytest.mark.rule("A75-H02")
def test_a_lower_throw_loses():
    table = dice(landed(APART), challenger=7, owner=8)
    play(table, "challenge")
    assert cash(table) == [80, 120, 100]
    assert table.position.players[1].cities == ["nairobi", "london"]


@pytest.mark.rule("A75-H01")
def test_the_owner_is_not_asked_and_nobody_has_to_challenge():
    table = landed()
    prompt = "Challenge the landing rights for London for $20 million, or pass."
    assert table.decisions(0)[0].prompt == f"{prompt} That can end your turn: make your deals first."
    assert "Buy" not in offered(table, 0)
    assert refused(table, "buy").code == "owned"
    play(table, "pass")
    assert cash(table) == [82, 118, 100]


@pytest.mark.rule("A75-T19", "A75-U04")
def test_a_base_city_cannot_be_challenged():
    table, _ = throw(at(place={0: "moscow"}), 2)
    assert asked(table) == (1, "departure")
    error = refused(at(place={0: "london"}, phase="landing"), "challenge")
    assert (error.code, error.rule) == ("base_city", "A75-U04")


@pytest.mark.rule("A75-H01")
def test_one_s_own_and_free_cities_cannot_be_challenged():
    assert refused(at(place={0: "lima"}, phase="landing"), "challenge").code == "nobody_to_challenge"
    assert refused(at(place={0: "tokyo"}, phase="landing"), "challenge").code == "nobody_to_challenge"


@pytest.mark.rule("A75-R16", "A75-H01", "A75-R15")
def test_a_fare_that_nobody_claimed_is_paid_with_the_challenge():
    table = landed(settings=STRICT)
    assert cash(table) == [100, 100, 100]
    assert "for $20 million and the fare of 18" in table.decisions(0)[0].prompt
    table = dice(table, challenger=5, owner=8)
    outcome = play(table, "challenge", seat=0)
    assert [(payment.to, payment.amount) for payment in happened(outcome, Paid)] == [(1, 18), (1, 20)]
    assert cash(table) == [62, 138, 100]
    assert table.position.claims == []


@pytest.mark.rule("A75-R17", "A75-M01")
def test_a_challenge_needs_the_cash_for_fare_and_fee():
    table = landed(settings=STRICT, cash=(37, 100, 100), cities={0: ["bangkok"], 1: ["london"]})
    error = refused(table, "challenge", seat=0)
    assert (error.code, error.numbers) == ("too_expensive", {"cost": 38, "cash": 37})
    play(table, offer(["bangkok"], price=1, to="black"), seat=0)
    play(table, "accept 1", seat=2)
    play(table, "challenge", seat=0)
    assert cash(table) == [0, 138, 99]


@pytest.mark.rule("A75-R17", "A75-R21", "A75-R56")
def test_who_cannot_raise_the_fee_may_still_buy_the_city_by_a_deal():
    table = landed(cash=(37, 100, 100))
    assert cash(table) == [19, 118, 100]
    assert asked(table) == (0, "landing")
    prompt = "A challenge for London costs $20 million, and you have 19: make a deal, or pass."
    assert table.decisions(0)[0].prompt == prompt
    assert refused(table, "challenge").numbers == {"cost": 20, "cash": 19}
    play(table, offer(pay=19, want=["london"]), seat=0)
    play(table, "accept 1", seat=1)
    assert cash(table) == [0, 137, 100]
    assert table.position.players[0].cities == ["tokyo", "london"]
    assert asked(table) == (1, "departure")


@pytest.mark.rule("A75-R21")
def test_after_a_lost_challenge_cash_alone_may_buy_the_city():
    table = dice(landed(), challenger=5, owner=8)
    play(table, "challenge")
    assert asked(table) == (0, "landing")
    play(table, offer(pay=50, want=["london"]), seat=0)
    play(table, "accept 1", seat=1)
    assert cash(table) == [12, 188, 100]
    assert asked(table) == (1, "departure")


@pytest.mark.rule("A75-R21", "A75-M05")
def test_a_sale_after_a_lost_challenge_leaves_time_to_buy_with_the_money():
    table = dice(landed(cities={0: ["bangkok"], 1: ["london"]}), challenger=5, owner=8)
    play(table, "challenge")
    play(table, offer(["bangkok"], price=60, to="black"), seat=0)
    play(table, "accept 1", seat=2)
    assert asked(table) == (0, "landing")
    play(table, offer(pay=120, want=["london"]), seat=0)
    play(table, "accept 2", seat=1)
    assert cash(table) == [2, 258, 40]


@pytest.mark.rule("A75-R18")
def test_one_challenge_for_a_landing():
    table = dice(landed(cities={0: ["bangkok"], 1: ["london"]}), challenger=5, owner=8)
    play(table, "challenge")
    assert asked(table) == (0, "landing")
    assert "challenge is over" in table.decisions(0)[0].prompt
    error = refused(table, "challenge")
    assert (error.code, error.rule) == ("challenged_already", "A75-R18")
    play(table, "pass")
    assert not table.position.challenged


@pytest.mark.rule("A75-R21", "A75-R54")
@pytest.mark.parametrize("lost", [False, True])
def test_a_city_may_be_bought_from_its_owner_instead_of_or_after_a_challenge(lost):
    table = landed(cities={0: ["bangkok"], 1: ["london"]})
    if lost:
        table = dice(table, challenger=5, owner=8)
        play(table, "challenge")
    before = cash(table)
    play(table, offer(["bangkok"], pay=10, want=["london"]), seat=0)
    play(table, "accept 1", seat=1)
    assert cash(table) == [before[0] - 10, before[1] + 10, 100]
    assert table.position.players[0].cities == ["tokyo", "london"]
    assert asked(table) == (1, "departure")


@pytest.mark.rule("A75-R48")
def test_a_challenge_is_the_last_order_of_a_submission_and_its_throws_are_logged():
    table = landed()
    with pytest.raises(IllegalOrder) as caught:
        play(table, "challenge", "pass")
    assert caught.value.code == "reveals"
    outcome = play(table, "challenge")
    assert [draw.label for draw in outcome.entries[0].row.draws] == ["challenger", "owner"]


@pytest.mark.rule("A75-R09", "A75-R35")
def test_the_fee_is_not_asked_from_somebody_without_a_marker():
    table = landed(settings={"max_cities": 2}, cities={0: ["bangkok"], 1: ["london"]})
    assert refused(table, "challenge").code == "no_marker"
    assert cash(table) == [82, 118, 100]
