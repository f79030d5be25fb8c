"""A million games: what lists, feeds and sweeps take beside the same with a thousand.

Two databases on a private Postgres are filled by bulk SQL with copies of a real game: a tenth of them private, nine of
ten over, four seats each, notices for every seat. One player has 20,000 of the games. Then every list is asked of both
in turns, each time for another player, and Postgres is asked whether it read a table from end to end.

  ./waybill bench growth                    a million games, some minutes and some GB
  ./waybill bench growth --games 100000     fewer
  ./waybill bench growth --rows 22          rows of the log for each game (default 2)
"""

import argparse
import contextlib
import itertools
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

from runtime.servers import Addresses, Servers
from service import games, players
from service.games import NewGame, NewSeat
from store import deadlines, deliveries, figures, notices, outbox, overview, turns, watching
from store.database import Database, Session
from store.games import listing
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
insert into seats (game_id, seat, player_id, name)
select 'g' || n, seat,
       case when seat = 0 and n <= %(busy)s then 1 else 2 + (n + seat * 7919::bigint) %% (%(players)s - 1) end,
       'somebody'
from generate_series(1, %(games)s) as n, generate_series(0, 3) as seat
"""
FILL_NOTICES = """
insert into notices
       (player_id, game_id, cause, kind, seat, sequence, told_up_to, content, in_feed, happened_at, read_at)
select player_id, game_id, 'row 0', 'your_turn', seat, 0, 0, '{"sentences": []}', true, now(),
       case when is_over then now() end from seats where game_id <> %(template)s
"""
FILL_LOG = """
insert into log (game_id, sequence, payload, previous, hash)
select 'g' || n, row, l.payload, l.previous, l.hash
from log l, generate_series(1, %(games)s) as n, generate_series(0, %(rows)s - 1) as row
where l.game_id = %(template)s and l.sequence = 0
"""


def run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./waybill bench growth", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--games", type=int, default=1_000_000, help="in the larger database")
    parser.add_argument("--rows", type=int, default=2, help="of the log, a game")
    args = parser.parse_args(arguments)
    console = Console()
    with tempfile.TemporaryDirectory(prefix="waybill-bench-") as folder, Servers(Path(folder)) as addresses:
        few = filled(console, addresses, "few", FEW_GAMES, args.rows)
        many = filled(console, addresses, "many", args.games, args.rows)
        return report(console, few, many, args.games)


def filled(console: Console, addresses: Addresses, name: str, number: int, rows: int) -> Database:
    """A database with so many games."""
    with contextlib.closing(Database(addresses.superuser_url)) as cluster, cluster.session() as session:
        session.run(f"create database {name} owner waybill")
    db = Database(addresses.database_url.replace("/waybill?", f"/{name}?"))
    migrate(db)
    with db.transaction() as transaction:
        host = players.create(transaction, "bench")
        template = games.create(transaction, host, NewGame("airlines-europe", (NewSeat("me"), NewSeat("bot")))).game.id
    superuser = Database(addresses.superuser_url.replace("/postgres?", f"/{name}?"), statement_timeout=3600)
    with contextlib.closing(superuser), superuser.session() as session:
        people = max(number // GAMES_A_PLAYER, 20)
        values = {"template": template, "games": number, "rows": rows, "players": people, "kinds": list(KINDS)}
        values["busy"] = min(GAMES_OF_THE_BUSY, number // 2)
        session.run("insert into players (name) select 'player ' || n from generate_series(2, %s) as n", people)
        for what, sql in (("games", FILL_GAMES), ("seats", FILL_SEATS), ("log", FILL_LOG), ("notices", FILL_NOTICES)):
            began = time.monotonic()
            # What triggers fill in is filled in; the rest of what they and foreign keys guard is known to hold.
            session.run(f"set session_replication_role = {'origin' if what == 'seats' else 'replica'}")
            with session.raw.cursor() as cursor:
                cursor.execute(sql, values)
            console.print(f"{name}: {what} of {number:,} games in {time.monotonic() - began:.0f} s", highlight=False)
        session.run("vacuum analyze")
        bytes_of_log = session.value("select sum(pg_total_relation_size(inhrelid)) from pg_inherits")
        console.print(f"{name}: {bytes_of_log / max(1, number * rows):.0f} bytes a row of the log", highlight=False)
    return db


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
        "sweep: turns to tally": lambda session, who: turns.games_to_tally(session, "", 2000),
        "metrics": lambda session, who: figures.read(session, 30),
        "admin games": lambda session, who: overview.games(session, None, None, 50),
        "admin games of a player": lambda session, who: overview.games(session, None, who, 50),
    }


def report(console: Console, few: Database, many: Database, number: int) -> int:
    grid = Grid("question", f"{FEW_GAMES:,} games", f"{number:,} games", "ratio", "reads whole tables")
    missed = 0
    for name, question in questions().items():
        small, large = [], []
        for turn in range(REPEATS):
            small.append(milliseconds(few, question, 2 + turn % 18))
            large.append(milliseconds(many, question, 2 + turn * 997 % (number // GAMES_A_PLAYER)))
        one, other = statistics.median(small), statistics.median(large)
        whole = scanned(many, question)
        ratio = other / one
        grows = ratio > MOST_RATIO and other > one + NOISE_MILLISECONDS
        is_missed = grows or other > MOST_MILLISECONDS or bool(whole)
        missed += is_missed
        grid.add_row(
            name, f"{one:.2f} ms", f"{other:.2f} ms", f"{ratio:.2f}", whole, style="bold red" if is_missed else None
        )
    console.print(grid)
    console.print(f"goals: {MOST_MILLISECONDS:g} ms, {MOST_RATIO:g} times, no table read whole; missed: {missed}")
    return 1 if missed else 0


def milliseconds(db: Database, question: Question, who: int) -> float:
    with db.session() as session:
        began = time.perf_counter()
        question(session, who)
        return (time.perf_counter() - began) * 1000


LARGE = ("games", "seats", "notices", "log", "deliveries")


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
