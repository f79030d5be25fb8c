"""The final scoring."""

import pytest

from referee.contract import EVERYTHING, Viewer
from referee.games.tin_goose.events import GameOver, Score
from referee.games.tin_goose.scoring import score
from tests.positions import happened, play
from tests.referee.games.tin_goose.setups import BOARD, at, box

MAJORS = [city.id for city in BOARD.cities if city.major]
MINORS = [city.id for city in BOARD.cities if not city.major]
FILL = ("take 1 labor", "take 1 labor", "issue bond")


def last_turn(me=None, others=None, players=3):
    """Anna is about to take the last turn of the game."""
    return at(players, me=me, others=others, round=7, first=1, active=0)


@pytest.mark.rule("TG-F25", "TG-EX4")
def test_sophia_scores_359_dollars():
    sophia = {
        "international": ["havana", "kingston", "lima"],
        "cities": MAJORS[:8] + MINORS[:5],
        "income_box": box(11),
        "bonds": 2,
        "cash": 29,
    }
    served = {1: {"international": ["havana"]}, 2: {}, 3: {"international": ["havana", "kingston", "lima", "rio"]}}
    position = at(4, me=sophia, others=served).position
    sophias = score(BOARD, position, 0)
    assert sophias == Score(cash=29, international=120, fewer=20, majors=160, income=110, bonds=-80)
    assert sophias.total == 359


@pytest.mark.rule("TG-R59")
def test_without_international_service_there_is_no_bonus_for_players_with_fewer():
    position = at(3, others={1: {"international": ["havana"]}}).position
    assert [score(BOARD, position, seat).fewer for seat in range(3)] == [0, 20, 0]


@pytest.mark.rule("TG-F25")
def test_the_game_ends_after_round_seven_and_the_most_money_wins():
    table = last_turn(others={1: {"cash": 500}})
    (over,) = happened(play(table, *FILL), GameOver)
    assert table.is_over
    assert (over.winners, table.position.ending) == ((1,), "clear_win")
    assert over.scores[1] == Score(500, 0, 0, 0, 30, 0)
    assert [(standing.seat, standing.place) for standing in table.game.standings(table.position, EVERYTHING)] == [
        (1, 1),
        (0, 2),
        (2, 3),
    ]
    assert table.decisions() == ()


@pytest.mark.rule("TG-R60")
def test_equal_scores_share_the_victory():
    table = last_turn(
        me={"cash": 0, "cities": MINORS[:1]}, others={1: {"cash": 90}, 2: {"cash": 90, "cities": ["miami"]}}
    )
    (over,) = happened(play(table, *FILL), GameOver)
    assert (over.winners, table.position.ending) == ((1, 2), "shared_victory")
    assert [standing.place for standing in table.game.standings(table.position, EVERYTHING)] == [1, 1, 3]
    assert over.sentence(table.words).endswith("Ben and Cora share the victory.")


@pytest.mark.rule("TG-R61")
def test_a_final_score_may_be_negative():
    table = last_turn(me={"cash": 0, "bonds": 9, "cities": MINORS[:1]})
    (over,) = happened(play(table, *FILL), GameOver)
    assert over.scores[0].total == 40 + 3 + 30 - 10 * 40 == -327
    assert "-$327" in over.sentence(table.words)


@pytest.mark.rule("TG-R20")
def test_bonds_money_and_chips_are_behind_the_screen_until_the_game_is_over():
    table = last_turn(me={"bonds": 3})
    shown = table.game.view(table.position, Viewer(1)).players
    assert (shown[0].bonds, shown[0].cash, shown[0].labor_chips) == (None, None, None)
    assert (shown[1].bonds, shown[1].cash, shown[1].labor_chips) == (0, 40, 2)
    play(table, *FILL)
    assert table.view(None).table.players[0].bonds == 4
