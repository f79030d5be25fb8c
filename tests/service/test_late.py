"""The late: reminded, given grace, played for, and in the end replaced; a seat's secrets go with it."""

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest

from referee.options import sample
from runtime import wall_clock
from service import absences, bot_turns, games, moves, phases, positions, records, replays, seats, work
from service.deadlines import deadline
from service.errors import Conflict
from service.games import NewGame, NewSeat
from service.personal_data import forget
from store.database import Database
from tests.factories import RULESET, make_game, make_player, play_some

HOUR, DAY = 3600, 24 * 3600
CLOCK = {"time": DAY, "grace": 2 * HOUR, "late": {"hand_over_after": 2, "cool_off": DAY}}


@pytest.fixture(autouse=True)
def _clock() -> Iterator[None]:
    yield
    wall_clock.shift(0)


def later(seconds: float) -> None:
    """Time passes."""
    wall_clock.shift((wall_clock.now() - wall_clock.datetime.now(wall_clock.UTC)).total_seconds() + seconds)


def told(db: Database, game_id: str) -> list[tuple[str, int | None, Any]]:
    """What the players of a game were told beside moves, with the details."""
    with db.session() as session:
        rows = session.rows("select kind, seat, detail from outbox where game_id = %s order by id", game_id)
    return [
        (kind, seat, msgspec.json.decode(detail) if detail else None)
        for kind, seat, detail in rows
        if kind not in ("moved", "sealed", "joined")
    ]


def column(db: Database, game_id: str, name: str) -> Any:
    with db.session() as session:
        return session.value(f"select {name} from games where id = %s", game_id)


def seat_kinds(db: Database, game_id: str) -> list[str]:
    with db.session() as session:
        return ["bot" if seat.bot else "player" for seat in games.seats(session, game_id)]


def in_turn(db: Database, game_id: str) -> int:
    return positions.load(db, game_id)[0].acting()[0]


def started(db: Database, people: int = 2, **options: Any) -> tuple[str, list]:
    """A game past its sealed opening."""
    game_id, players = make_game(db, people=people, **{"clock": CLOCK, **options})
    play_some(db, game_id, 1)
    return game_id, players


def time_out_all(db: Database, game_id: str, times: int) -> None:
    for _ in range(times):
        later(DAY + 2 * HOUR + 1)
        assert phases.time_out(db, game_id)


def test_reminders_come_at_half_time_and_before_the_end_once_each(db: Database) -> None:
    game_id, _ = started(db)
    seat, due = in_turn(db, game_id), column(db, game_id, "due_at")
    assert phases.time_out(db, game_id) is None
    assert told(db, game_id) == []
    for wait, which in ((DAY / 2 + 5, "half"), (DAY / 4 + DAY / 8, "last")):
        later(wait)
        assert column(db, game_id, "wake_at") <= wall_clock.now()
        for _ in range(3):
            assert phases.time_out(db, game_id) is None
        assert told(db, game_id)[-1] == ("reminder", seat, {"due_at": due.isoformat(), "which": which})
    assert len(told(db, game_id)) == 2
    assert column(db, game_id, "wake_at") == due + timedelta(hours=2)


def test_reminders_that_come_due_together_are_one(db: Database) -> None:
    game_id, _ = started(db)
    later(DAY - 60)
    phases.time_out(db, game_id)
    assert [detail["which"] for _, _, detail in told(db, game_id)] == ["last"]


def test_who_has_answered_is_reminded_of_nothing_and_the_next_one_is_in_his_time(db: Database) -> None:
    game_id, _ = started(db)
    later(DAY / 2 + 5)
    phases.time_out(db, game_id)
    first = in_turn(db, game_id)
    table, _ = positions.load(db, game_id)
    moves.submit(db, game_id, first, [table.default(first)])
    phases.time_out(db, game_id)
    assert [seat for _, seat, _ in told(db, game_id)] == [first]
    later(DAY / 2 + 5)
    phases.time_out(db, game_id)
    assert [seat for _, seat, _ in told(db, game_id)] == [first, in_turn(db, game_id)]


def test_only_those_whose_sealed_order_is_missing_are_reminded(db: Database) -> None:
    game_id, _ = make_game(db, people=3, clock=CLOCK)
    table, _ = positions.load(db, game_id)
    moves.submit(db, game_id, 1, [table.default(1)])
    later(DAY / 2 + 5)
    phases.time_out(db, game_id)
    assert [seat for _, seat, _ in told(db, game_id)] == [0, 2]


def test_nobody_is_played_for_before_grace_is_over(db: Database) -> None:
    game_id, _ = started(db)
    later(DAY + 2 * HOUR - 5)
    assert phases.time_out(db, game_id) is None
    later(10)
    late = in_turn(db, game_id)
    assert phases.time_out(db, game_id)
    assert replays.entries(db, game_id, 1)[0].row.orders[0].by == "clock"
    assert ("late", late, None) in told(db, game_id)


def test_the_late_are_played_for_by_a_bot_where_the_game_says_so(db: Database) -> None:
    game_id, _ = started(db, clock={"time": DAY, "late": {"play": "bot"}})
    later(DAY + 1)
    assert phases.time_out(db, game_id)
    assert {order.by for entry in replays.entries(db, game_id, 1) for order in entry.row.orders} == {"bot"}
    assert replays.rebuild(db, game_id)


def test_two_late_turns_in_a_row_hand_the_seat_to_a_bot_and_offer_it(db: Database) -> None:
    game_id, players = started(db, people=3)
    host = in_turn(db, game_id)
    while in_turn(db, game_id) != host or column(db, game_id, "sequence") < 2:
        play_some(db, game_id, column(db, game_id, "sequence") + 1)
    time_out_all(db, game_id, 1)
    assert seat_kinds(db, game_id) == ["player"] * 3
    while in_turn(db, game_id) != host:
        play_some(db, game_id, column(db, game_id, "sequence") + 1)
    time_out_all(db, game_id, 1)
    assert seat_kinds(db, game_id).count("bot") == 1
    assert seat_kinds(db, game_id)[host] == "bot"
    kinds = [(kind, seat) for kind, seat, _ in told(db, game_id) if kind != "reminder"]
    assert {("late", host), ("replaced", host), ("substitute_wanted", host)} <= set(kinds)
    with db.session() as session:
        (gone,) = seats.departures(session, game_id)
    assert (gone.seat, gone.player_id, gone.why) == (host, players[host].id, "late")


def test_a_move_of_ones_own_begins_the_count_anew(db: Database) -> None:
    game_id, _ = started(db, people=2)
    for _ in range(6):
        late = in_turn(db, game_id)
        time_out_all(db, game_id, 1)
        while in_turn(db, game_id) != late:
            play_some(db, game_id, column(db, game_id, "sequence") + 1)
        play_some(db, game_id, column(db, game_id, "sequence") + 1)
    assert seat_kinds(db, game_id) == ["player", "player"]


def test_the_last_person_keeps_the_seat_and_the_game_goes_on(db: Database) -> None:
    game_id, _ = make_game(db, people=1, bots=1, clock=CLOCK)
    for _ in range(4):
        later(DAY + 2 * HOUR + 1)
        phases.time_out(db, game_id)
        while (todo := _pending(db, game_id)) is not None:
            if todo.kind == "bot":
                bot_turns.play(db, game_id)
            else:
                phases.resolve(db, game_id)
    assert seat_kinds(db, game_id) == ["player", "bot"]
    assert positions.load(db, game_id)[1] == "running"


def _pending(db: Database, game_id: str) -> work.Work | None:
    with db.session() as session:
        return work.pending(session, game_id)


def test_a_plain_number_of_seconds_neither_reminds_nor_takes_a_seat_away(db: Database) -> None:
    game_id, _ = started(db, clock=DAY)
    later(DAY - 60)
    phases.time_out(db, game_id)
    for _ in range(5):
        later(DAY + 1)
        assert phases.time_out(db, game_id)
    assert {kind for kind, _, _ in told(db, game_id)} == {"late"}
    assert seat_kinds(db, game_id) == ["player", "player"]


def leave(db: Database, game_id: str, player: Any) -> None:
    with db.transaction() as transaction:
        seats.leave(transaction, game_id, player.id)


def substitute(db: Database, game_id: str, player: Any) -> int:
    with db.transaction() as transaction:
        return seats.ask_to_substitute(transaction, game_id, player)


def come_back(db: Database, game_id: str, player: Any) -> int:
    with db.transaction() as transaction:
        return seats.come_back(transaction, game_id, player)


def my_seat(db: Database, game_id: str, player: Any) -> int | None:
    with db.session() as session:
        return seats.seat_in_play(session, game_id, player.id)


def test_a_substitute_takes_a_seat_over_with_its_secrets_after_the_cool_off(db: Database) -> None:
    game_id, players = started(db, people=3)
    new = make_player(db)
    leave(db, game_id, players[1])
    assert my_seat(db, game_id, players[1]) is None
    assert substitute(db, game_id, new) == 1
    assert my_seat(db, game_id, new) is None
    seats.seat_substitutes(db)
    assert my_seat(db, game_id, new) is None
    later(DAY + 1)
    seats.seat_substitutes(db)
    assert my_seat(db, game_id, new) == 1
    assert positions.load(db, game_id)[0].view(1).table.players[1].hand is not None
    assert my_seat(db, game_id, players[1]) is None
    with pytest.raises(Conflict):
        come_back(db, game_id, players[1])
    kinds = [kind for kind, _, _ in told(db, game_id)]
    assert kinds == ["left", "replaced", "substitute_wanted", "replaced"]


def test_who_left_may_return_until_a_substitute_has_the_seat(db: Database) -> None:
    game_id, players = started(db, people=3)
    new = make_player(db)
    leave(db, game_id, players[1])
    substitute(db, game_id, new)
    later(DAY / 2)
    assert come_back(db, game_id, players[1]) == 1
    later(DAY)
    seats.seat_substitutes(db)
    assert my_seat(db, game_id, players[1]) == 1
    assert my_seat(db, game_id, new) is None
    with db.session() as session:
        (gone,) = seats.departures(session, game_id)
        assert gone.returned_at is not None
        assert records.records(session, [players[1].id])[players[1].id].left == 0
    with pytest.raises(Conflict):
        come_back(db, game_id, players[1])


def test_who_returns_too_late_finds_the_seat_taken_even_if_no_sweep_was_there(db: Database) -> None:
    game_id, players = started(db, people=3)
    new = make_player(db)
    leave(db, game_id, players[1])
    substitute(db, game_id, new)
    later(DAY + 1)
    with pytest.raises(Conflict, match="A substitute has taken"):
        come_back(db, game_id, players[1])


def test_who_takes_over_when_the_game_waits_for_them_has_the_whole_time(db: Database) -> None:
    game_id, players = started(db, people=2)
    seat = in_turn(db, game_id)
    later(DAY - HOUR)
    leave(db, game_id, players[seat])
    come_back(db, game_id, players[seat])
    assert column(db, game_id, "due_at") > wall_clock.now() + timedelta(hours=23)
    assert told(db, game_id)[-2][0] == "deadline_moved"


def test_only_who_is_asked_takes_over_and_nobody_twice(db: Database) -> None:
    game_id, players = started(db, people=3)
    with pytest.raises(Conflict, match="No seat of this game"):
        substitute(db, game_id, make_player(db))
    leave(db, game_id, players[1])
    with pytest.raises(Conflict, match="You have a seat"):
        substitute(db, game_id, players[0])
    with pytest.raises(Conflict, match="was yours"):
        substitute(db, game_id, players[1])
    substitute(db, game_id, make_player(db))
    with pytest.raises(Conflict, match="No seat of this game"):
        substitute(db, game_id, make_player(db))


def test_the_host_replaces_a_bot_by_a_person(db: Database) -> None:
    game_id, _ = make_game(db, people=1, bots=1)
    wanted, other = make_player(db), make_player(db)
    with db.transaction() as transaction:
        seats.offer(transaction, game_id, 1, wanted)
    with pytest.raises(Conflict):
        substitute(db, game_id, other)
    assert substitute(db, game_id, wanted) == 1
    assert my_seat(db, game_id, wanted) == 1
    with pytest.raises(Conflict, match="Only the seat of a bot"), db.transaction() as transaction:
        seats.offer(transaction, game_id, 0)


def test_a_substitute_who_was_forgotten_meanwhile_is_not_seated(db: Database) -> None:
    game_id, players = started(db, people=3)
    new = make_player(db)
    leave(db, game_id, players[1])
    substitute(db, game_id, new)
    with db.transaction() as transaction:
        forget(transaction, new.id)
    later(DAY + 1)
    seats.seat_substitutes(db)
    assert seat_kinds(db, game_id)[1] == "bot"


def test_how_a_player_keeps_turns_is_counted(db: Database) -> None:
    game_id, players = started(db, people=2)
    for _ in range(4):
        seat = in_turn(db, game_id)
        moves.submit(db, game_id, seat, [positions.load(db, game_id)[0].default(seat)])
    late = in_turn(db, game_id)
    time_out_all(db, game_id, 1)
    records.tally_all(db)
    records.tally_all(db)
    with db.session() as session:
        found = records.records(session, [player.id for player in players])
    first, second = (found[player.id] for player in players)
    assert first.answered + second.answered == 2 + 4  # sealed ones too
    assert found[players[late].id].late == 1
    assert first.median is not None
    assert found[players[late].id].in_time == 100 * found[players[late].id].answered // (
        found[players[late].id].answered + 1
    )
    leave(db, game_id, players[0])
    with db.session() as session:
        assert records.records(session, [players[0].id])[players[0].id].left == 1


def test_a_host_may_demand_that_players_keep_their_turns(db: Database) -> None:
    host, beginner = make_player(db), make_player(db)
    demands = records.Demands(turns=1, in_time=90, left=0)
    with db.transaction() as transaction:
        new = NewGame(RULESET, (NewSeat("me"), NewSeat("open")), demands=demands)
        game_id = games.create(transaction, host, new).game.id
    with pytest.raises(Conflict, match="turns in time; you have 0"), db.transaction() as transaction:
        seats.join(transaction, game_id, beginner)
    _, players = started(db, people=2)
    with db.transaction() as transaction:
        seats.join(transaction, game_id, players[1])
    assert positions.load(db, game_id)[1] == "running"


def test_the_bank_pays_for_what_a_turn_takes_beyond_its_time(db: Database) -> None:
    game_id, _ = started(db, clock={"time": HOUR, "bank": 2 * HOUR, "increment": 60, "late": {"remind": False}})
    first = in_turn(db, game_id)
    assert column(db, game_id, "bank") == [2 * HOUR + 60] * 2  # of the opening
    assert column(db, game_id, "due_at") > wall_clock.now() + timedelta(hours=3)
    later(2 * HOUR)
    table, _ = positions.load(db, game_id)
    moves.submit(db, game_id, first, [sample(table.offers(first), random.Random(3))])
    left = column(db, game_id, "bank")
    assert HOUR + 100 <= left[first] <= HOUR + 120
    assert left[1 - first] == 2 * HOUR + 60
    while in_turn(db, game_id) != first:
        play_some(db, game_id, column(db, game_id, "sequence") + 1)
    due: datetime = column(db, game_id, "due_at")
    assert timedelta(hours=2) < due - wall_clock.now() < timedelta(hours=2, minutes=5)


def test_a_bank_that_is_used_up_stays_empty(db: Database) -> None:
    game_id, _ = started(db, clock={"time": HOUR, "bank": HOUR, "late": {"hand_over_after": None}})
    late = in_turn(db, game_id)
    later(2 * HOUR + 1)
    assert phases.time_out(db, game_id)
    assert column(db, game_id, "bank")[late] == 0


def test_an_older_idea_of_the_clock_is_refused_and_worked_out_again(db: Database) -> None:
    """A process that has the game in memory does not know that somebody will be away."""
    game_id, players = started(db, people=2, clock={"time": DAY})
    first = in_turn(db, game_id)
    away = wall_clock.now() + timedelta(minutes=1)
    with db.transaction() as transaction:
        absences.announce(transaction, game_id, players[1 - first].id, away, away + timedelta(days=7))
    cached = positions.CACHE.get(game_id)
    assert cached is not None
    assert cached.timing.absences == ()
    while in_turn(db, game_id) == first:
        moves.submit(db, game_id, first, ["take money"])
    assert column(db, game_id, "due_at") > wall_clock.now() + timedelta(days=7)


def test_whom_the_host_invites_need_not_prove_anything(db: Database) -> None:
    host, friend = make_player(db), make_player(db)
    with db.transaction() as transaction:
        new = NewGame(RULESET, (NewSeat("me"), NewSeat("invite", name=friend.name)), demands=records.Demands(turns=99))
        game_id = games.create(transaction, host, new).game.id
        seats.join(transaction, game_id, friend)
    assert positions.load(db, game_id)[1] == "running"


def test_a_game_without_a_deadline_is_not_looked_at_again_and_again(db: Database) -> None:
    """When a person takes over from a bot whose turn it is, a worker is on its way for nothing."""
    game_id, players = started(db, people=2, clock=None)
    seat = in_turn(db, game_id)
    leave(db, game_id, players[seat])
    come_back(db, game_id, players[seat])
    assert column(db, game_id, "wake_at") is not None
    assert phases.time_out(db, game_id) is None
    assert column(db, game_id, "wake_at") is None


def test_three_sweeps_at_once_strike_once(db: Database) -> None:
    game_id, _ = started(db)
    later(DAY + 2 * HOUR + 1)
    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(lambda _: phases.time_out(db, game_id), range(3)))
    assert sum(one is not None for one in done) == 1
    with db.session() as session:
        assert session.value("select count(*) from late_turns where game_id = %s", game_id) == 1


def test_where_several_are_asked_whoever_has_most_time_sets_the_deadline(db: Database) -> None:
    game_id, players = make_game(db, people=3, clock={"time": DAY})
    with db.transaction() as transaction:
        begin = wall_clock.now() + timedelta(hours=1)
        absences.announce(transaction, game_id, players[1].id, begin, begin + timedelta(days=3))
    assert column(db, game_id, "due_at") > wall_clock.now() + timedelta(days=4) - timedelta(minutes=1)
    for seat in range(3):
        table, _ = positions.load(db, game_id)
        moves.submit(db, game_id, seat, [table.default(seat)])
    phases.resolve(db, game_id)
    timing = positions.load(db, game_id) and positions.CACHE.get(game_id).timing
    now = wall_clock.now()
    each = [deadline(timing, [seat], now).due for seat in range(3)]
    assert max(each) == each[1] > each[0] == each[2]
    assert deadline(timing, [0, 1, 2], now).due == deadline(timing, [2, 1, 0], now).due == each[1]


def test_those_at_the_table_are_told_how_who_joins_has_kept_turns(db: Database) -> None:
    game_id, _ = make_game(db, people=2)
    with db.session() as session:
        detail = session.value("select detail from outbox where game_id = %s and kind = 'joined'", game_id)
    assert msgspec.json.decode(detail) == {"record": {"answered": 0, "late": 0, "left": 0, "median": None}}
