"""A million games: what lists, feeds and sweeps take beside the same with a thousand.

Two databases on a private Postgres are filled by bulk SQL with copies of a real game: a tenth of them private, nine of
ten over, four seats each, notices for every seat. One player has 20,000 of the games. Then every list is asked of both
in turns, each time for another player, and Postgres is asked whether it read a table from end to end.

  ./waybill bench growth                    a million games, some minutes and some GB
  ./waybill bench growth --games 100000     fewer
  ./waybill bench growth --rows 22          rows of the log for each game (default 22)
"""

import argparse
import contextlib
import itertools
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table as Grid

from referee.options import sample
from runtime.servers import Addresses, Servers
from service import games, moves, phases, players, positions, seats
from service.games import NewGame, NewSeat
from service.records import LOOKED_THROUGH_AT_ONCE
from store import deadlines, deliveries, figures, idempotency, notices, outbox, overview, turns, watching
from store.database import Database, Session
from store.games import due_take_overs, finished, in_play_or_open, listing
from store.migrate import migrate

FEW_GAMES = 1000
GAMES_OF_THE_BUSY = 20_000
GAMES_A_PLAYER = 50
REPEATS = 15
MOST_MILLISECONDS = 50.0
MOST_RATIO = 1.2
NOISE_MILLISECONDS = 1.0  # below which a ratio says nothing
BUSY = 1  # the number of the player with very many games
KINDS = ("airline-1975", "airlines-europe", "kings-of-air-and-steam", "spike", "tin-goose")

Question = Callable[[Session, int], Any]

FILL_GAMES = """
insert into games (id, ruleset, version, settings, private, host, title, status, ending, seed, commitment, header,
                   sequence, head, position, to_act, due_at, alarm_at, wake_at, created_at, started_at, moved_at,
                   tallied)
select 'g' || n, (%(kinds)s::text[])[1 + n %% 5], t.version, t.settings, n %% 10 = 3, 1 + n %% %(players)s, '',
       s.status,
       case s.status when 'over' then 'end' else '' end, t.seed, t.commitment, t.header, t.sequence, t.head, t.position,
       case s.status when 'running' then array[(n %% 4)::smallint] else '{}' end, d.due, d.due, d.due,
       now() - n * interval '7 seconds', now(), now(), t.sequence
from games t, generate_series(1, %(games)s) as n,
     lateral (select case when n %% 100 < 90 then 'over' when n %% 100 < 98 then 'running'
              when n %% 100 < 99 then 'open' else 'paused' end as status) s,
     lateral (select case s.status when 'running' then now() + (n %% 999) * interval '1 minute' end as due) d
where t.id = %(template)s
"""
FILL_SEATS = """
insert into seats (game_id, seat, player_id, name, opened_at, is_private, is_over)
select 'g' || n, seat,
       case when seat = 0 and n <= %(busy)s then 1 else 2 + (n + seat * 7919::bigint) %% (%(players)s - 1) end,
       'somebody', g.created_at, g.private, g.status = 'over'
from generate_series(1, %(games)s) as n join games g on g.id = 'g' || n, generate_series(0, 3) as seat
"""
FILL_NOTICES = """
insert into notices
       (player_id, game_id, cause, kind, seat, sequence, told_up_to, content, in_feed, happened_at, read_at)
select player_id, game_id, 'row 0', 'your_turn', seat, 0, 0, '{"sentences": []}', true, now(),
       case when is_over then now() end from seats where game_id <> %(template)s
"""
FILL_LOG = """
insert into log (game_id, sequence, payload, previous, hash)
select 'g' || n, l.sequence, l.payload, l.previous, l.hash
from generate_series(1, %(games)s) as n, log l where l.game_id = %(template)s and l.sequence < %(rows)s
"""
FILL_SNAPSHOTS = """
insert into snapshots select 'g' || n, s.sequence, s.position
from generate_series(1, %(games)s) as n, snapshots s where s.game_id = %(template)s
"""
# Nearly all have arrived; each tenth of the last waits for its time.
FILL_DELIVERIES = """
insert into deliveries (notice_id, channel, player_id, lane, state, due_at)
select id, 'mail', player_id, game_id, case when read_at is null and id %% 10 = 0 then 'waiting' else 'delivered' end,
       now() + (id %% 999) * interval '1 minute' from notices
"""
FILL_FINISHED = "insert into finished_games (game_id, ruleset) select id, ruleset from games where status = 'over'"
FILLED = {
    "games": FILL_GAMES,
    "seats": FILL_SEATS,
    "log": FILL_LOG,
    "snapshots": FILL_SNAPSHOTS,
    "notices": FILL_NOTICES,
    "deliveries": FILL_DELIVERIES,
    "finished_games": FILL_FINISHED,
}
# What keeps a database whole costs more than filling it: nobody will miss this one. What was known to hold stays so.
FOREIGN_KEYS = (
    "select format('alter table %s drop constraint %I', conrelid::regclass, conname) from pg_constraint"
    " where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace"
)
TABLES = (
    "select format('alter table %s set unlogged', oid::regclass) from pg_class"
    " where relkind = 'r' and relnamespace = 'public'::regnamespace and relpersistence = 'p'"
)
INDEXES = (
    "select indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index"
    " where indrelid = any(%s::regclass[]) and not indisunique"
)


def run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./waybill bench growth", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--games", type=int, default=1_000_000, help="in the larger database")
    parser.add_argument("--rows", type=int, default=22, help="of the log, a game")
    args = parser.parse_args(arguments)
    console = Console()
    with (
        tempfile.TemporaryDirectory(prefix="waybill-bench-") as folder,
        Servers(Path(folder), redis=False, durable=False) as addresses,
    ):
        few = filled(console, addresses, "few", FEW_GAMES, args.rows)
        many = filled(console, addresses, "many", args.games, args.rows)
        return report(console, few, many, args.games)


def filled(console: Console, addresses: Addresses, name: str, number: int, rows: int) -> Database:
    """A database with so many games."""
    with contextlib.closing(Database(addresses.superuser_url)) as cluster, cluster.session() as session:
        session.run(f"create database {name} owner waybill")
    db = Database(addresses.database_url.replace("/waybill?", f"/{name}?"))
    migrate(db)
    template = played(db, rows)
    superuser = Database(addresses.superuser_url.replace("/postgres?", f"/{name}?"), statement_timeout=3600)
    began = time.monotonic()
    with contextlib.closing(superuser), superuser.session() as session:
        fill(console, session, template, number, rows)
        seconds = time.monotonic() - began
        count, log, everything = session.rows(
            "select (select sum(n_live_tup) from pg_stat_user_tables where relname like 'log%'),"
            " (select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = 'log'::regclass),"
            " pg_database_size(current_database())"
        )[0]
        moves = max(1, number * rows)
        console.print(
            f"{name}: {number:,} games, {count:,} rows of the log, {everything / 1e9:.1f} GB in {seconds:.0f} s;"
            f" bytes a move: {log / moves:.0f} of the log, {everything / moves:.0f} with everything",
            highlight=False,
        )
    return db


def played(db: Database, rows: int) -> str:
    """A game that is played until it has so many rows."""
    rng = random.Random(1)
    with db.transaction() as transaction:
        host, guest = (players.create(transaction, f"bench {number}") for number in range(2))
        new = NewGame("airlines-europe", (NewSeat("me"), NewSeat("open")))
        game_id = games.create(transaction, host, new).game.id
        seats.join(transaction, game_id, guest)
    while (table := positions.load(db, game_id)[0]).sequence < rows - 1:
        if table.sealed_phase() and not table.missing():
            phases.resolve(db, game_id, table.sequence + 1)
        else:
            seat = table.acting()[0]
            moves.submit(db, game_id, seat, [sample(table.offers(seat), rng)])
    return game_id


def fill(console: Console, session: Session, template: str, number: int, rows: int) -> None:
    """By bulk SQL: without write-ahead log, triggers and keys of others, and with indexes made at the end."""
    people = max(number // GAMES_A_PLAYER, 20)
    values = {"template": template, "games": number, "rows": rows, "players": people, "kinds": list(KINDS)}
    values["busy"] = min(GAMES_OF_THE_BUSY, number // 2)
    session.run("set session_replication_role = replica")
    session.run("set maintenance_work_mem = '512MB'")
    for (statement,) in [*session.rows(FOREIGN_KEYS), *session.rows(TABLES)]:
        session.run(statement)
    indexes = session.rows(INDEXES, list(FILLED))
    for index, _ in indexes:
        session.run(f"drop index {index}")
    session.run("insert into players (name) select 'player ' || n from generate_series(3, %s) as n", people)
    for what, sql in FILLED.items():
        began = time.monotonic()
        with session.raw.cursor() as cursor:
            cursor.execute(sql, values)
        console.print(f"{number:,} games: {what} in {time.monotonic() - began:.0f} s", highlight=False)
    began = time.monotonic()
    for _, definition in indexes:
        session.run(definition)
    session.run("vacuum analyze")
    console.print(f"{number:,} games: indexes, vacuum, analyze in {time.monotonic() - began:.0f} s", highlight=False)


def questions() -> dict[str, Question]:
    now = datetime.now(UTC)
    after = (now, "z")
    return {
        "all games": lambda session, who: listing(session, who),
        "all games, nobody signed in": lambda session, who: listing(session),
        "all games, a later page": lambda session, who: listing(session, who, after=after),
        "status=open": lambda session, who: listing(session, who, status="open"),
        "status=paused, one kind": lambda session, who: listing(session, who, status="paused", ruleset="spike"),
        "a kind without games": lambda session, who: listing(session, who, ruleset="nothing"),
        "mine": lambda session, who: listing(session, who, mine=True),
        "mine, running": lambda session, who: listing(session, who, mine=True, status="running"),
        "to_act": lambda session, who: listing(session, who, to_act=True),
        "of 20,000: all games": lambda session, who: listing(session, BUSY),
        "of 20,000: mine": lambda session, who: listing(session, BUSY, mine=True),
        "of 20,000: mine, a kind, over": lambda session, who: listing(
            session, BUSY, mine=True, ruleset="spike", status="over"
        ),
        "of 20,000: to_act": lambda session, who: listing(session, BUSY, to_act=True),
        "feed": lambda session, who: notices.feed(session, who),
        "of 20,000: feed": lambda session, who: notices.feed(session, BUSY),
        "of 20,000: feed, a later page": lambda session, who: notices.feed(session, BUSY, after=(True, 10**15)),
        "of 20,000: unread": lambda session, who: notices.unread(session, BUSY),
        "stream: games of a player": lambda session, who: watching.games_of(session, who),
        "stream: newest notices": lambda session, who: watching.newest_notices(session, [who, BUSY]),
        "sweep: work": lambda session, who: deadlines.due_work(session, now, 30, 200),
        "sweep: outbox": lambda session, who: outbox.waiting(session),
        "sweep: deliveries": lambda session, who: deliveries.due(session, ["mail"], now, 100),
        "sweep: turns to tally": lambda session, who: turns.games_to_tally(session, "", LOOKED_THROUGH_AT_ONCE),
        "sweep: seats taken over": lambda session, who: due_take_overs(session, now),
        "sweep: notices of long ago": lambda session, who: notices.tidy(session, 90),
        "sweep: keys of long ago": lambda session, who: idempotency.forget(session, 24),
        "records of a kind": lambda session, who: finished(session, "spike", 0, 50),
        "of 20,000: games not over": lambda session, who: in_play_or_open(session, BUSY),
        "how four players keep turns": lambda session, who: turns.counted(session, range(who, who + 4)),
        "metrics": lambda session, who: figures.read(session, 30),
        "admin games": lambda session, who: overview.games(session, None, None, 50),
        "admin games of a player": lambda session, who: overview.games(session, None, who, 50),
    }


def report(console: Console, few: Database, many: Database, number: int) -> int:
    grid = Grid("question", title="milliseconds, and of CPU of Postgres")
    for column in (f"{FEW_GAMES:,} games", f"{number:,} games", "ratio by CPU"):
        grid.add_column(column, justify="right")
    grid.add_column("reads whole tables")
    missed = 0
    for name, question in questions().items():
        small, large = [], []
        for turn in range(REPEATS):
            small.append(cost(few, question, 2 + turn % 18))
            large.append(cost(many, question, 2 + turn * 997 % (number // GAMES_A_PLAYER)))
        one, other = typical(small), typical(large)
        whole = scanned(many, question)
        ratio = other.cpu / one.cpu
        grows = ratio > MOST_RATIO and other.cpu > one.cpu + NOISE_MILLISECONDS
        is_missed = grows or other.clock > MOST_MILLISECONDS or bool(whole)
        missed += is_missed
        figures = [f"{each.clock:.2f} ({each.cpu:.2f})" for each in (one, other)]
        grid.add_row(name, *figures, f"{ratio:.2f}", whole, style="bold red" if is_missed else None)
    console.print(grid)
    console.print(f"goals: {MOST_MILLISECONDS:g} ms, {MOST_RATIO:g} times, no table read whole; missed: {missed}")
    return 1 if missed else 0


class Cost(msgspec.Struct, frozen=True):
    """Milliseconds: by the clock, and of CPU of the process of Postgres, which does not depend on who else is there."""

    clock: float
    cpu: float


def cost(db: Database, question: Question, who: int) -> Cost:
    with db.session() as session:
        backend = session.raw.get_backend_pid()
        began, used = time.perf_counter(), cpu_of(backend)
        question(session, who)
        return Cost((time.perf_counter() - began) * 1000, cpu_of(backend) - used)


def cpu_of(process: int) -> float:
    """Milliseconds of CPU that a process has used; only Linux tells."""
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e6


def typical(costs: list[Cost]) -> Cost:
    return Cost(statistics.median(each.clock for each in costs), statistics.median(each.cpu for each in costs))


LARGE = ("games", "seats", "notices", "log", "deliveries", "snapshots")


def scanned(db: Database, question: Question) -> str:
    """Which large tables were read from end to end."""
    counts = f"select relname, seq_scan from pg_stat_user_tables where relname in {LARGE} order by relname"
    with db.session() as session:
        session.run("select pg_stat_force_next_flush()")
        session.run("select 1")
        before = dict(session.rows(counts))
        question(session, BUSY)
        session.run("select pg_stat_force_next_flush()")
        session.run("select pg_stat_clear_snapshot()")
        after = dict(session.rows(counts))
    return ", ".join(itertools.compress(after, [after[table] > before[table] for table in after]))
