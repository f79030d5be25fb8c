"""Planning, turn order and diamonds."""

import msgspec
import pytest

from referee.errors import IllegalOrder
from referee.games.kings_of_air_and_steam.events import CycleBegan, Flew, TurnSkipped
from referee.games.kings_of_air_and_steam.state import Plan, Solicit
from tests.positions import happened, play, put, refused, seal
from tests.referee.games.kings_of_air_and_steam.setups import at, me, step, turn

GREEN, BLUE, YELLOW = 0, 1, 2
CYCLES = ["cycle"] * 4


def planned(*plans, agenda=("cycle",), first=0, **fields):
    """The first cycle of some plans, and what happened in it."""
    table = at(len(plans), "planning", agenda=[*agenda, "planning"], first=first, **fields)
    entry = seal(table, *(f"plan {plan}" for plan in plans))
    return table, entry.row.events


@pytest.mark.rule("KAS-X2", "KAS-R11")
def test_four_cards_of_the_deck_are_planned_in_order():
    table, _ = planned("1 4 3 2", "0 1 1 2", agenda=["new_market"])
    assert me(table).plan == ["1", "4d", "3", "2"]
    assert len(me(table).deck) == 8


@pytest.mark.rule("KAS-R11")
def test_exactly_four_cards_that_the_deck_has():
    table = at(2, "planning")
    assert refused(table, Plan(("1", "2", "3"))).code == "not_four_cards"
    assert refused(table, Plan(("0", "0", "1", "2"))).code == "no_such_card"
    assert refused(table, Plan(("0", "1", "2", "emperor"))).code == "no_such_card"
    table.submit(0, ["plan 5 4d 4d 3d"])  # five diamonds at a rating of 1
    table.submit(0, ["plan 2 2 2 1"])  # until the reveal it may be replaced
    assert table.sealed[0].order.move["cards"] == ("2", "2", "2", "1")


@pytest.mark.rule("KAS-F06")
def test_the_special_card_is_planned_in_the_normal_game_only():
    table = at(2, "planning", characters=["isaac", "victor_blane"])
    table.submit(0, ["plan davinci 1 2 3"])
    assert table.sealed[0].order.move["cards"][0] == "davinci"
    assert refused(table, Plan(("sphinx", "1", "2", "3"))).code == "no_such_card"
    message = refused(table, Plan(("sky_castle", "1", "2", "3"))).message
    assert message.startswith("You have no Sky Castle. Your cards: 0 once, 1 twice, 2 3 times")
    assert message.endswith("DaVinci once.")


@pytest.mark.rule("KAS-X3", "KAS-F17", "KAS-R37")
def test_turns_go_by_letter_and_then_from_the_marker_clockwise():
    _, events = planned("1 4 3 2", "2 1 0 1", "2 0 1 1", first=GREEN)
    (began,) = [event for event in events if isinstance(event, CycleBegan)]
    assert began.order == (GREEN, BLUE, YELLOW)
    _, events = planned("1 4 3 2", "2 1 0 1", "2 0 1 1", first=YELLOW)
    assert next(event for event in events if isinstance(event, CycleBegan)).order == (GREEN, YELLOW, BLUE)


@pytest.mark.rule("KAS-X4", "KAS-F17", "KAS-F42", "KAS-R37")
def test_in_the_normal_game_ties_go_to_the_lower_priority_number():
    crew = ["clint_castle", "flora_kingston", "isaac"]  # priorities 6, 4, 2
    _, events = planned("1 4 3 2", "2 1 0 1", "2 0 1 1", characters=crew)
    assert next(event for event in events if isinstance(event, CycleBegan)).order == (GREEN, YELLOW, BLUE)


def skips(plan, upgrade_in=None):
    """The cycles in which a player alone with such a plan is skipped."""
    table = at(2, "planning", agenda=[*CYCLES, "upkeep", "cards_and_marker", "planning"], cash=20)
    entries = [seal(table, f"plan {plan}", "plan 0 1 1 2")]
    while table.position.phase != "planning":
        seat = table.decisions()[0].seat
        order = msgspec.to_builtins(table.default(seat))
        if seat == 0 and table.position.phase == "action" and table.position.cycle == upgrade_in:
            order = {"type": "upgrade_airship"}
        entries += play(table, order, seat=seat).entries
    skipped = [event for entry in entries for event in entry.row.events if isinstance(event, TurnSkipped)]
    assert all(event.seat == 0 for event in skipped)
    cycles, now = [], 0
    for entry in entries:
        for event in entry.row.events:
            now = event.cycle if isinstance(event, CycleBegan) else now
            cycles += [now] if isinstance(event, TurnSkipped) else []
    return table, cycles


@pytest.mark.rule("KAS-X5", "KAS-F29", "KAS-R09", "KAS-R10", "KAS-R32")
def test_too_many_diamonds_skip_the_turn_and_return_the_card():
    table, cycles = skips("1 4 3d 2")
    assert cycles == [3]
    assert sorted(me(table).deck) == sorted(at().position.players[0].deck)
    assert (me(table).shown, me(table).returned) == ([], [])
    assert skips("1 4d 3d 3d")[1] == [3, 4]


@pytest.mark.rule("KAS-X5", "KAS-R09", "KAS-F23")
def test_an_upgrade_in_time_saves_the_turn():
    table = at(2, "planning", agenda=[*CYCLES, "planning"], cash=20, airship=2)
    seal(table, "plan 1 4 3d 2", "plan 0 1 1 2")
    skipped = []
    while table.position.phase != "planning":
        seat = table.decisions()[0].seat
        order = msgspec.to_builtins(table.default(seat))
        if seat == 0 and table.position.phase == "action" and me(table).airship == 1:
            order = {"type": "upgrade_airship"}
        skipped += happened(play(table, order, seat=seat), TurnSkipped)
    assert skipped == []


@pytest.mark.rule("KAS-R12", "KAS-F29")
@pytest.mark.parametrize(
    ("crew", "card"),
    [
        (["isaac", "victor_blane"], "4d"),
        (["victor_blane", "isaac"], "sphinx"),
        (["thaddeus_birch", "isaac"], "godfather"),
        (["harvey_golding", "isaac"], "emperor"),
    ],
)
def test_a_skipped_turn_has_nothing_at_all(crew, card):
    fields = {"characters": crew, "space": "I4", "depots": [{"K4": {"machinery": 1}}], "others_at": ["I4", "I4"]}
    table = at(2, agenda=["turn", "planning"], order=[0], **fields)
    position = table.position
    position.players[0].card, position.players[0].shown = card, ["3d"]
    position.players[0].deck.remove(card)
    position.players[0].deck.remove("3d")
    table, events = step(put(table, position))
    assert [type(event) for event in events] == [TurnSkipped]
    assert table.position.phase == "planning"
    assert card in me(table).deck
    assert me(table).returned == [card]


@pytest.mark.rule("KAS-F10", "KAS-F32", "KAS-R16")
def test_a_turn_is_a_flight_loading_and_one_action():
    table = turn(card="1", space="J4", agenda=["planning"])
    assert table.position.phase == "flight"
    assert happened(play(table, "fly to I4"), Flew)
    assert table.position.phase == "cargo"
    play(table, "load chemicals")
    assert table.position.phase == "action"
    assert table.default(0) == Solicit()
    play(table, "solicit funds")
    assert table.position.phase == "planning"


def test_a_whole_turn_goes_in_one_submission_but_nothing_after_new_cards_came_up():
    table = turn(card="1", space="J4", agenda=["planning"])
    assert len(table.submit_text(0, "fly to I4\nload chemicals\nsolicit").entries) == 3
    table, _ = planned("1 4 3 2", "0 2 3 1", agenda=["cycle", "cycle"])
    play(table, "solicit", seat=1)
    with pytest.raises(IllegalOrder) as caught:
        table.submit_text(0, "fly to J3\nsolicit\nfly to K7")
    assert (caught.value.code, caught.value.index) == ("reveals", 1)
