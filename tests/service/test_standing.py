"""Standing orders as the service acts on them: once, in time, privately, and never against the rules."""

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from referee.options import sample
from runtime import wall_clock
from service import moves, phases, positions, replays, standing, undo, work
from service.channels import Channels
from service.errors import Invalid
from service.feed import all_of
from service.notices import pass_on
from store.database import Database
from tests.factories import make_game, play_some


@pytest.fixture(autouse=True)
def _clock() -> Iterator[None]:
    yield
    wall_clock.shift(0)


def in_turn(db: Database, game_id: str) -> int:
    return positions.load(db, game_id)[0].acting()[0]


def rows(db: Database, game_id: str) -> list[tuple[int, str, str]]:
    """Whose moves there were, by whom, and of which type."""
    return [
        (order.seat, order.by, order.move["type"])
        for entry in replays.entries(db, game_id)
        for order in entry.row.orders
    ]


def give(db: Database, game_id: str, players: list, seat: int, text: str) -> None:
    standing.put(db, game_id, seat, players[seat].id, text)


def left(db: Database, game_id: str, players: list, seat: int) -> list[str]:
    return [one.text for one in standing.listed(db, game_id, seat, players[seat].id).orders]


def told(db: Database, players: list, seat: int) -> list[Any]:
    pass_on(db, Channels())
    with db.session() as session:
        return sorted(all_of(session, players[seat].id), key=lambda one: -one.id)


@pytest.fixture
def game(db: Database) -> tuple[str, list]:
    """Airlines Europe for two, past the opening: seat 0 or 1 is in turn."""
    game_id, players = make_game(db)
    play_some(db, game_id, 1)
    return game_id, players


def test_a_move_leaves_work_only_where_somebody_has_standing_orders(db: Database, game: tuple[str, list]) -> None:
    game_id, players = game
    first = in_turn(db, game_id)
    assert moves.submit(db, game_id, first, ["take money"]).work is None
    give(db, game_id, players, first, "in turn: take money")
    done = moves.submit(db, game_id, 1 - first, ["take money"])
    assert done.work is not None
    assert done.work.kind == "standing"


def test_a_standing_order_answers_before_its_player_is_asked(db: Database, game: tuple[str, list]) -> None:
    game_id, players = game
    first = in_turn(db, game_id)
    give(db, game_id, players, 1 - first, "always in turn: take money")
    assert standing.act(db, game_id).answers == 0, "it is not asked yet"
    before = len(told(db, players, 1 - first))
    moves.submit(db, game_id, first, ["take money"])
    assert len(told(db, players, 1 - first)) == before, "the notices went by before the standing order was tried"
    assert standing.act(db, game_id).answers == 1
    assert rows(db, game_id)[-1] == (1 - first, "standing", "take_money")
    assert len(told(db, players, 1 - first)) == before
    assert told(db, players, first)[0].kind == "your_turn"
    assert in_turn(db, game_id) == first


def test_it_acts_once_however_often_the_task_comes(db: Database, game: tuple[str, list]) -> None:
    game_id, players = game
    first = in_turn(db, game_id)
    give(db, game_id, players, first, "next: take money\nnext: take money")
    assert [standing.act(db, game_id).answers for _ in range(3)] == [1, 0, 0]
    assert left(db, game_id, players, first) == ["next: take money"]
    moves.submit(db, game_id, 1 - first, ["take money"])
    assert standing.act(db, game_id).answers == 1
    assert left(db, game_id, players, first) == []


def test_the_sweep_finds_what_a_dead_worker_has_left(db: Database, game: tuple[str, list]) -> None:
    game_id, players = game
    first = in_turn(db, game_id)
    give(db, game_id, players, 1 - first, "in turn: take money")
    standing.act(db, game_id)
    moves.submit(db, game_id, first, ["take money"])  # and the worker dies before it tries anything
    wall_clock.shift(5)
    assert [due.kind for due in work.sweep(db) if due.game_id == game_id] == ["standing"]
    assert standing.act(db, game_id).answers == 1
    wall_clock.shift(60)
    assert [due.kind for due in work.sweep(db) if due.game_id == game_id] == []


def test_a_queued_turn_goes_through_its_steps_with_fallbacks(db: Database, game: tuple[str, list]) -> None:
    game_id, players = game
    first = in_turn(db, game_id)
    text = "next: buy London-Paris for grey, take violet else take yellow else pile; otherwise take money"
    give(db, game_id, players, first, text)
    assert standing.act(db, game_id).answers == 2
    assert [kind for _, _, kind in rows(db, game_id)[-2:]] == ["buy", "take_share"]
    assert in_turn(db, game_id) == 1 - first
    assert left(db, game_id, players, first) == []


def test_what_is_impossible_is_dropped_with_a_notice_that_names_the_reason(
    db: Database, game: tuple[str, list]
) -> None:
    game_id, players = game
    first = in_turn(db, game_id)
    give(db, game_id, players, first, "next: buy Rome-Athens for grey")
    assert standing.act(db, game_id).answers == 0
    notice = next(one for one in told(db, players, first) if one.kind == "standing_dropped")
    (why,) = notice.sentences
    assert why.startswith("“next: buy Rome-Athens for grey” is dropped: “buy Rome-Athens for grey” is not possible: ")
    assert "not connected to" in why
    assert left(db, game_id, players, first) == []
    assert not any(one.kind == "standing_dropped" for one in told(db, players, 1 - first))


def test_what_its_owner_wants_to_keep_is_kept_and_the_player_is_told_why_it_did_not_apply(
    db: Database, game: tuple[str, list]
) -> None:
    game_id, players = game
    first = in_turn(db, game_id)
    give(db, game_id, players, 1 - first, "next: buy Rome-Athens for grey; keep if impossible")
    moves.submit(db, game_id, first, ["take money"])
    standing.act(db, game_id)
    assert left(db, game_id, players, 1 - first) == ["next: buy Rome-Athens for grey; keep if impossible"]
    asked = next(one for one in told(db, players, 1 - first) if one.kind == "your_turn")
    assert asked.sentences[-1].startswith("Your standing order did not answer: next: buy Rome-Athens for grey")
    assert "not connected" in asked.sentences[-1]


def test_a_pause_lets_its_player_look_first(db: Database, game: tuple[str, list]) -> None:
    game_id, players = game
    first = in_turn(db, game_id)
    give(db, game_id, players, 1 - first, "in turn: take money; after 2h")
    moves.submit(db, game_id, first, ["take money"])
    assert standing.act(db, game_id).answers == 0
    asked = next(one for one in told(db, players, 1 - first) if one.kind == "your_turn")
    assert asked.detail["standing_answers_at"]
    wall_clock.shift(3600)
    assert not [due for due in work.sweep(db) if due.game_id == game_id]
    wall_clock.shift(2 * 3600 + 5)
    assert [due.kind for due in work.sweep(db) if due.game_id == game_id] == ["standing"]
    assert standing.act(db, game_id).answers == 1


def test_a_game_can_let_all_standing_orders_wait_by_lot(db: Database) -> None:
    game_id, players = make_game(db, standing_pause=3600)
    play_some(db, game_id, 1)
    first = in_turn(db, game_id)
    give(db, game_id, players, 1 - first, "in turn: take money")
    standing.act(db, game_id)
    before = len(told(db, players, 1 - first))
    assert moves.submit(db, game_id, first, ["take money"]).work is None
    assert len(told(db, players, 1 - first)) == before
    wall_clock.shift(3601)
    assert [due.kind for due in work.sweep(db) if due.game_id == game_id] == ["standing"]
    assert standing.act(db, game_id).answers == 1


def test_a_sealed_phase_is_filled_and_may_be_changed(db: Database) -> None:
    game_id, players = make_game(db)
    give(db, game_id, players, 0, "in opening: choose any")
    give(db, game_id, players, 1, "in opening: choose any")
    done = standing.act(db, game_id)
    assert (done.answers, done.work.kind) == (2, "resolve")
    table, _ = positions.load(db, game_id)
    other = list(table.offers(0)[0].moves())[-1]
    moves.submit(db, game_id, 0, [other])
    assert standing.act(db, game_id).answers == 0, "what its player has changed stays"
    assert phases.resolve(db, game_id)
    sealed = replays.entries(db, game_id)[1].row.orders
    assert [order.by for order in sealed] == ["player", "standing"]
    assert sealed[0].move["shares"] == list(other.shares)


def test_a_chain_across_seats_is_one_write(db: Database, game: tuple[str, list]) -> None:
    game_id, players = game
    for seat in (0, 1):
        give(db, game_id, players, seat, "in turn: take money")
    done = standing.act(db, game_id)
    assert done.answers > 10
    assert done.work is None
    assert {by for _, by, _ in rows(db, game_id)[2:]} == {"standing"}
    assert replays.rebuild(db, game_id).sequence == positions.load(db, game_id)[0].sequence


def test_limits_end_an_order(db: Database, game: tuple[str, list]) -> None:
    game_id, players = game
    first = in_turn(db, game_id)
    row = positions.load(db, game_id)[0].sequence
    give(db, game_id, players, first, f"in turn: take money; at most 2 times; until row {row + 9}")
    give(db, game_id, players, 1 - first, "in turn: take money; until row 5")
    standing.act(db, game_id)
    assert [by for _, by, _ in rows(db, game_id)[2:]] == ["standing"] * 4
    assert left(db, game_id, players, first) == left(db, game_id, players, 1 - first) == []


def test_after_an_undo_everybody_decides_by_hand(db: Database) -> None:
    game_id, players = make_game(db, undo="consent")
    play_some(db, game_id, 1)
    first = in_turn(db, game_id)
    give(db, game_id, players, 1 - first, "in turn: take money")
    moves.submit(db, game_id, first, ["take money"])
    assert standing.act(db, game_id).answers == 1
    for player in players:
        undo.undo(db, game_id, player.id, 2, True)
    table, _ = positions.load(db, game_id)
    assert table.acting() == [1 - first]
    assert standing.act(db, game_id).answers == 0
    assert told(db, players, 1 - first)[0].kind in ("your_turn", "undone")


def test_what_is_wrong_is_told_with_its_place_and_nothing_is_kept(db: Database, game: tuple[str, list]) -> None:
    game_id, players = game
    give(db, game_id, players, 0, "next: take money")
    with pytest.raises(standing.WrongOrders) as caught:
        give(db, game_id, players, 0, "next: take money\nin turn: take money if cahs < 4")
    (problem,) = caught.value.places
    assert (problem.line, problem.word) == (2, "cahs")
    assert "Do you mean “cash”?" in problem.message
    assert left(db, game_id, players, 0) == ["next: take money"]


def test_standing_by_mail_shows_adds_and_removes(db: Database, game: tuple[str, list]) -> None:
    game_id, players = game
    seat, player = 1 - in_turn(db, game_id), None
    player = players[seat].id
    assert standing.by_text(db, game_id, seat, player, "show")[0] == "You have no standing orders."
    assert "1. in share: take pile" in standing.by_text(db, game_id, seat, player, "add", "in share: pile")[0]
    answer, _ = standing.by_text(db, game_id, seat, player, "add", "next: take 8 million")
    assert answer == "1. in share: take pile\n2. next: take money"
    assert standing.by_text(db, game_id, seat, player, "remove", "1")[0] == "1. next: take money"
    with pytest.raises(Invalid, match="There is no standing order 7"):
        standing.by_text(db, game_id, seat, player, "remove", "7")
    assert standing.by_text(db, game_id, seat, player, "remove")[0] == "You have no standing orders."


def test_the_late_have_their_standing_orders_before_the_default(db: Database) -> None:
    game_id, players = make_game(db, clock=3600)
    play_some(db, game_id, 1)
    first = in_turn(db, game_id)
    give(db, game_id, players, first, "in turn: buy London-Paris for grey; after 3h")
    assert standing.act(db, game_id).answers == 0
    wall_clock.shift(3700)
    assert phases.time_out(db, game_id)
    played = rows(db, game_id)[2:]
    assert played[0] == (first, "standing", "buy")
    assert played[1][1] == "clock", "the rest of the turn is the referee's"


def test_random_games_with_standing_orders_on_all_seats_end_and_verify(db: Database) -> None:
    game_id, players = make_game(db, people=3)
    texts = ["in share: take pile", "in clearing: take any", "in turn: take money if cash < 4"]
    for seat in range(3):
        give(db, game_id, players, seat, "\n".join(texts[seat:] + texts[:seat]))
    rng = random.Random(5)
    while True:
        while (done := standing.act(db, game_id)) and done.answers:
            pass
        table, status = positions.load(db, game_id)
        if status != "running":
            break
        if table.sealed_phase() and not table.missing():
            phases.resolve(db, game_id)
            continue
        seat = table.acting()[0]
        moves.submit(db, game_id, seat, [sample(table.offers(seat), rng)])
    assert table.is_over
    assert replays.rebuild(db, game_id).head == table.head
    assert {by for _, by, _ in rows(db, game_id)} == {"player", "standing"}


def test_what_is_kept_of_standing_orders_can_be_read_again(db: Database, game: tuple[str, list]) -> None:
    game_id, players = game
    give(db, game_id, players, 0, "next: buy London-Paris for grey, take any; until 2030-01-01; stop when a scoring")
    with db.session() as session:
        kept = standing.of_seat(session, game_id, 0, players[0].id)
    assert msgspec.json.decode(msgspec.json.encode(kept), type=tuple[standing.Kept, ...]) == kept


def test_a_mistake_in_the_referee_leaves_the_decision_to_the_player(
    db: Database, game: tuple[str, list], monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id, players = game
    first = in_turn(db, game_id)
    give(db, game_id, players, 1 - first, "in turn: take money")
    standing.act(db, game_id)
    moves.submit(db, game_id, first, ["take money"])
    monkeypatch.setattr(standing, "answer_all", lambda *_: 1 / 0)
    done = standing.act(db, game_id)
    assert (done.answers, done.work) == (0, None)
    assert told(db, players, 1 - first)[0].kind == "your_turn"
    assert left(db, game_id, players, 1 - first) == ["in turn: take money"]
