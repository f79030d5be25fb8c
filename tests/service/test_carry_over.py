"""Games in play go over to newer rules, or stay under their own; either way nothing is lost."""

import argparse
import re
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import pytest
from rich.console import Console

from commands import admin
from referee.errors import OrderError
from referee.games import all_games, game_of
from referee.record import export, load, verify
from service import games, moves, phases, replays
from service import positions as now
from service.carry_over import Result, carry_over, games_to_carry
from service.errors import OtherRules
from store import carry_over as rows
from store.carry_over import OldGame
from store.database import Database, Session
from tests.factories import make_game
from tests.versioned import BOARD, Versioned

LOTS = {"type": "lots", "numbers": [3, 3]}
WALK = {"type": "walk", "path": ["a1", "b1"]}
RANK = {"type": "rank", "order": ["red"]}
LONG = 40  # moves: a few snapshots

Upgrade = Callable[[str], None]


@pytest.fixture
def upgrade(monkeypatch: pytest.MonkeyPatch) -> Upgrade:
    """A service that knows the toy up to rules 1; called, up to newer ones."""
    monkeypatch.setitem(all_games(), "versioned", Versioned)
    games.game_for.cache_clear()

    def to(version: str) -> None:
        monkeypatch.setattr(Versioned, "versions", ("1", "2", "3")[: int(version)])
        monkeypatch.setattr(Versioned, "version", version)
        now._rules_of.cache_clear()

    to("1")
    return to


def begin(db: Database, *orders: dict[str, Any], length: int = LONG, **options: Any) -> str:
    """A game after its auction and these orders."""
    game_id, _ = make_game(db, ruleset="versioned", board=BOARD, settings={"moves": length}, **options)
    for seat in (0, 1):
        moves.submit(db, game_id, seat, [{"type": "bid", "amount": seat}])
    assert phases.resolve(db, game_id)
    play(db, game_id, *orders)
    return game_id


def play(db: Database, game_id: str, *orders: dict[str, Any]) -> None:
    for order in orders:
        table, _ = now.load(db, game_id)
        moves.submit(db, game_id, table.acting()[0], [order])


def to_carry(db: Database, game_id: str) -> OldGame | None:
    return next((game for game in games_to_carry(db) if game.id == game_id), None)


def carry(db: Database, game_id: str, dry_run: bool = False) -> Result:
    game = to_carry(db, game_id)
    assert game is not None
    result = carry_over(db, game, dry_run)
    assert result is not None
    return result


def everything(db: Database, game_id: str) -> list[Any]:
    """All that the database has of a game."""
    with db.session() as session:
        return [
            session.rows(f"select t::text from {table} t where {key} = %s order by 1", game_id)
            for table, key in (
                ("games", "id"),
                ("log", "game_id"),
                ("snapshots", "game_id"),
                ("sealed", "game_id"),
                ("outbox", "game_id"),
            )
        ]


def positions(db: Database, game_id: str, last: int) -> list[tuple[Any, ...]]:
    found = []
    for number in range(last + 1):
        table = replays.at(db, game_id, now.load(db, game_id)[0], number)
        found.append((table.sequence, table.head, table.position_json, msgspec.to_builtins(table.view())))
    return found


def test_a_carried_game_moves_on_and_its_record_verifies(db: Database, upgrade: Upgrade) -> None:
    game_id = begin(db, *[LOTS] * 20)
    before, last = positions(db, game_id, 21), 21
    upgrade("2")
    assert carry(db, game_id) == Result(game_id, "versioned", "1", "2")
    assert to_carry(db, game_id) is None
    table, status = now.load(db, game_id)
    assert (table.game.version, table.sequence, status) == ("2", last + 1, "running")
    assert table.position.tips == 20
    assert positions(db, game_id, last) == before
    with pytest.raises(OrderError):
        play(db, game_id, WALK)
    play(db, game_id, *[LOTS] * 3)
    upgrade("3")
    assert carry(db, game_id).is_carried
    play(db, game_id, *[RANK] * 17)
    table, status = now.load(db, game_id)
    assert (table.game.version, status) == ("3", "over")
    again = load(export(replays.record_of(db, game_id)))
    assert verify(game_of(again.header), again).head == table.head
    assert replays.rebuild(db, game_id).head == table.head
    for number, past in enumerate(positions(db, game_id, last)):
        assert past[:3] == before[number][:3]
    versions = [
        replays.at(db, game_id, now.load(db, game_id)[0], entry.row.number).game.version for entry in again.entries
    ]
    assert versions == ["1"] * 22 + ["2"] * 4 + ["3"] * 18
    with db.session() as session:
        assert not session.value(
            "select count(*) from log a join log b on b.game_id = a.game_id and b.sequence = a.sequence + 1"
            " where a.game_id = %s and b.previous <> a.hash",
            game_id,
        )


def test_every_position_is_found_across_versions(db: Database, upgrade: Upgrade) -> None:
    """Also the one right before the change, and those between it and the next snapshot."""
    game_id = begin(db, *[LOTS] * 5)
    live = {}
    for version in ("2", "3"):
        upgrade(version)
        assert carry(db, game_id).is_carried
        for _ in range(13):
            play(db, game_id, LOTS)
            table, _ = now.load(db, game_id)
            live[table.sequence] = (table.head, table.position_json)
    for number, kept in live.items():
        table = replays.at(db, game_id, now.load(db, game_id)[0], number)
        assert (table.head, table.position_json) == kept


def test_carrying_over_tells_the_players_and_leaves_the_deadline(db: Database, upgrade: Upgrade) -> None:
    game_id = begin(db, LOTS, clock=3600)
    what = "select due_at, wake_at, to_act, moved_at, started_at from games where id = %s"
    with db.session() as session:
        before = session.row(what, game_id)
    upgrade("2")
    assert carry(db, game_id).is_carried
    with db.session() as session:
        assert session.row(what, game_id) == before
        assert session.row("select version, sequence from games where id = %s", game_id) == ("2", 3)
        assert session.value("select kind from outbox where game_id = %s and sequence = 3", game_id) == "moved"


@pytest.mark.parametrize(("order", "reason"), [(WALK, "Row 3: the move is refused"), (RANK, "Row 3 would tell")])
def test_a_game_that_cannot_be_carried_stays_and_is_played_on(
    db: Database, upgrade: Upgrade, order: dict[str, Any], reason: str
) -> None:
    game_id = begin(db, LOTS, order, length=4)
    before = everything(db, game_id)
    upgrade("2")
    result = carry(db, game_id)
    assert (result.is_carried, result.old, result.new) == (False, "1", "2")
    assert result.reason.startswith(reason)
    assert everything(db, game_id) == before
    play(db, game_id, WALK, WALK)
    table, status = now.load(db, game_id)
    assert (table.game.version, status) == ("1", "over")
    again = load(export(replays.record_of(db, game_id)))
    assert verify(game_of(again.header), again).is_over


def test_a_dry_run_changes_nothing(db: Database, upgrade: Upgrade) -> None:
    game_id = begin(db, LOTS)
    before = everything(db, game_id)
    upgrade("2")
    assert carry(db, game_id, dry_run=True).is_carried
    assert everything(db, game_id) == before
    assert carry(db, game_id).is_carried


def test_sealed_moves_that_wait_are_kept_until_their_reveal(db: Database, upgrade: Upgrade) -> None:
    game_id, _ = make_game(db, ruleset="versioned", board=BOARD, settings={"moves": LONG})
    moves.submit(db, game_id, 0, [{"type": "bid", "amount": 3}])
    before = everything(db, game_id)
    upgrade("2")
    assert carry(db, game_id).reason == "Sealed moves wait for their reveal."
    assert everything(db, game_id) == before
    moves.submit(db, game_id, 1, [{"type": "bid", "amount": 1}])
    assert phases.resolve(db, game_id, 1)
    assert carry(db, game_id).is_carried


def test_a_move_that_is_sealed_meanwhile_is_not_lost(
    db: Database, upgrade: Upgrade, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sealed move comes after the replay and before the lock."""
    game_id, _ = make_game(db, ruleset="versioned", board=BOARD, settings={"moves": LONG})
    upgrade("2")
    write = rows.write

    def late(transaction: Session, *rest: Any) -> bool:
        if not now.load(db, game_id)[0].sealed:
            moves.submit(db, game_id, 0, [{"type": "bid", "amount": 3}])
        return write(transaction, *rest)

    monkeypatch.setattr(rows, "write", late)
    assert carry(db, game_id).reason == "Sealed moves wait for their reveal."
    table, _ = now.load(db, game_id)
    assert (table.game.version, list(table.sealed)) == ("1", [0])


def test_a_move_that_is_made_meanwhile_is_carried_along(
    db: Database, upgrade: Upgrade, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = begin(db, LOTS)
    upgrade("2")
    write, tries = rows.write, []

    def late(transaction: Session, *rest: Any) -> bool:
        tries.append(rest)
        if len(tries) == 1:
            play(db, game_id, LOTS)
        return write(transaction, *rest)

    monkeypatch.setattr(rows, "write", late)
    assert carry(db, game_id).is_carried
    assert len(tries) == 2
    table, _ = now.load(db, game_id)
    assert (table.sequence, table.position.tips) == (4, 2)
    assert replays.rebuild(db, game_id).game.version == "2"


def test_whoever_remembers_the_game_under_its_old_rules_plays_under_the_new(db: Database, upgrade: Upgrade) -> None:
    game_id = begin(db, LOTS)
    remembered = now.CACHE.get(game_id)
    assert remembered is not None
    upgrade("2")
    carry(db, game_id)
    for order in (WALK, LOTS):
        now.CACHE.put(game_id, remembered)
        try:
            moves.submit(db, game_id, 1, [order])
        except OrderError:
            assert order is WALK
    table, _ = now.load(db, game_id)
    assert (table.game.version, table.sequence, table.position.tips) == ("2", 4, 2)


def test_two_at_once_carry_a_game_over_once(db: Database, upgrade: Upgrade) -> None:
    game_id = begin(db, *[LOTS] * 10)
    upgrade("2")
    game = to_carry(db, game_id)
    assert game is not None
    start, results = threading.Barrier(4), []

    def run() -> None:
        start.wait()
        results.append(carry_over(db, game))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len([result for result in results if result]) == 1
    with db.session() as session:
        found = session.value(
            "select count(*) from log where game_id = %s and payload like '%%\"carry_over\"%%'", game_id
        )
    assert found == 1
    assert replays.rebuild(db, game_id).sequence == 12


@pytest.mark.parametrize("step", range(1, 9))  # the last is the commit
def test_a_crash_in_the_middle_loses_nothing(
    db: Database, upgrade: Upgrade, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    game_id = begin(db, LOTS)
    before = everything(db, game_id)
    upgrade("2")
    game = to_carry(db, game_id)
    assert game is not None
    steps = []

    def crashing(run: Callable[..., Any]) -> Callable[..., Any]:
        def counted(self: Session, sql: str, *values: Any) -> Any:
            if sql != "begin" and self.raw.get_transaction_status() != 0:
                steps.append(sql)
                if len(steps) == step:
                    raise ConnectionError("crash")
            return run(self, sql, *values)

        return counted

    with monkeypatch.context() as patch:
        patch.setattr(Session, "run", crashing(Session.run))
        patch.setattr(Session, "row", crashing(Session.row))
        with pytest.raises(ConnectionError):
            carry_over(db, game)
    assert everything(db, game_id) == before
    assert carry(db, game_id).is_carried
    assert replays.rebuild(db, game_id).game.version == "2"


def test_a_paused_game_stays_paused(db: Database, upgrade: Upgrade) -> None:
    game_id = begin(db, LOTS, clock=3600)
    with db.transaction() as transaction:
        games.pause(transaction, game_id)
    what = "select status, remaining, due_at, wake_at from games where id = %s"
    with db.session() as session:
        before = session.row(what, game_id)
    upgrade("2")
    assert carry(db, game_id).is_carried
    with db.transaction() as transaction:
        assert transaction.row(what, game_id) == before
        games.resume(transaction, game_id)
    play(db, game_id, LOTS)
    assert now.load(db, game_id)[0].game.version == "2"


def test_a_game_that_is_over_or_not_begun_is_left_alone(db: Database, upgrade: Upgrade) -> None:
    over, ended = begin(db, LOTS, length=1), begin(db, LOTS)
    with db.transaction() as transaction:
        games.end(transaction, ended)
    before = [everything(db, game_id) for game_id in (over, ended)]
    upgrade("2")
    for game_id in (over, ended):
        assert to_carry(db, game_id) is None
        assert carry_over(db, OldGame(game_id, "versioned", "1")) is None
        assert now.load(db, game_id)[0].game.version == "1"
    assert [everything(db, game_id) for game_id in (over, ended)] == before
    assert replays.rebuild(db, over).is_over


def test_rules_that_fail_keep_only_that_game_behind(
    db: Database, upgrade: Upgrade, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = begin(db, LOTS)
    upgrade("2")
    monkeypatch.setattr("tests.versioned.Position", lambda **fields: 1 / 0)
    assert carry(db, game_id).reason.startswith("Rules 2 fail on its log: ZeroDivisionError")


def test_a_game_whose_rules_are_not_here_tells_what_to_run(db: Database, upgrade: Upgrade) -> None:
    game_id = begin(db, LOTS)
    upgrade("2")
    carry(db, game_id)
    upgrade("1")  # back to an older version of the service
    now.CACHE.forget(game_id)
    with pytest.raises(OtherRules, match=r"Played under rules 2; here are rules 1\..*\./waybill admin carry-over"):
        now.load(db, game_id)
    assert carry(db, game_id).reason == "Played under rules 2; here are rules 1."


def test_a_game_that_is_not_installed_any_more_stays(
    db: Database, upgrade: Upgrade, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = begin(db, LOTS)
    monkeypatch.delitem(all_games(), "versioned")
    assert carry(db, game_id) == Result(game_id, "versioned", "1", "", "No game 'versioned' is known here.")


def test_the_command_tells_what_became_of_each_game(
    db: Database, upgrade: Upgrade, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = begin(db, LOTS), begin(db, WALK)
    upgrade("2")
    for dry_run, verdict in ((True, "can be carried over"), (False, "carried over")):
        assert admin.carry_games_over(db, argparse.Namespace(dry_run=dry_run)) == 0
        lines = capsys.readouterr().out.splitlines()
        assert f"{good}  versioned  1  2  {verdict}" in lines
        assert any(line.startswith(f"{bad}  versioned  1  2  stays: Row 2: the move is refused: ") for line in lines)
        assert lines[-1].startswith(f"{verdict.capitalize()}: ")
        assert "Staying behind under their own rules: " in lines[-1]
    admin.carry_games_over(db, argparse.Namespace(dry_run=False))
    assert good not in capsys.readouterr().out


def test_on_a_terminal_the_command_prints_a_table(
    db: Database, upgrade: Upgrade, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good = begin(db, LOTS)
    upgrade("2")
    monkeypatch.setattr(admin, "Console", partial(Console, force_terminal=True, width=120))
    assert admin.carry_games_over(db, argparse.Namespace(dry_run=False)) == 0
    screen = capsys.readouterr().out
    assert "100%" in screen
    assert re.search(rf"{good} +versioned +1 +2 +carried over", screen)


def test_the_command_says_that_there_is_nothing_to_do(
    db: Database, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("service.carry_over.games_to_carry", lambda db: [])
    assert admin.carry_games_over(db, argparse.Namespace(dry_run=False)) == 0
    assert capsys.readouterr().out == "Every game in play is under the newest version of its rules.\n"
