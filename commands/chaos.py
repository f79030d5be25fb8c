"""Let everything go wrong for a while, then look whether anything was lost.

A private service plays games of all kinds over HTTP, with clocks, notices and press, while its parts are killed, frozen
and flushed, tasks are doubled and the post hangs. Then the books are made up: every accepted order must be in the log
once, every phase resolved, nobody's time cut short, everybody told, every letter delivered, every row and notice told
once to somebody who follows the stream, every chain whole. Pauses after failed deliveries are not waited for: when
nothing else is left to do, the clock is set on to their end.

With --cluster the service runs on three nodes of Postgres under Patroni (deploy/cluster/), and the faults are those of
nodes, etcd, HAProxy and the links between them. The next one comes when the cluster is whole again; the books then
also say how long nobody's order was accepted, and what those were told who had to ask again.

The faults and the players draw from a seed, which is printed; the timing of a machine is its own.

examples:
  ./waybill chaos --minutes 5
  ./waybill chaos --minutes 30 --seed 17
  ./waybill chaos --minutes 2 --only "Postgres frozen" --only "worker killed"
  ./waybill chaos --each                       as in ./waybill test
  ./waybill chaos --cluster --faults 100 --minutes 90
"""

import argparse
import random
import secrets
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid

from commands._chaos_cluster import CLIENT_SECONDS, CLUSTER_FAULTS, ClusterHouse, longest_pause
from commands._chaos_house import FAULTS, LONGEST_FREEZE, House
from commands._chaos_players import PEOPLE, SECONDS_TO_ANSWER, Driver, Ledger
from commands._chaos_watcher import Watcher
from commands._cluster import patroni_program
from commands._service import plain_errors
from referee.games import all_games
from referee.structs import preload_decoders
from runtime.config import read_config
from runtime.folders import make_folder
from runtime.post import LocalBox
from service import books
from service.books import Findings
from service.channels import LONGEST_PAUSE
from service.deliveries import MARGIN
from service.errors import Unavailable
from workers import tasks
from workers.app import enqueue

DRIVERS = 4
BETWEEN, BRIEFLY = (0.5, 4.0), (0.1, 1.0)  # seconds from one fault to the next
BRIEF_FREEZE = 1.5  # seconds
QUIET_SECONDS = 420  # for which the service may take to make up for everything
STREAM_SECONDS = 30  # and the stream, after that
MOST_SHOWN = 20


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--minutes", type=float, default=5.0, metavar="N", help="how long things go wrong (5)")
    parser.add_argument("--seed", type=int, metavar="S", help="what faults and players draw from (a new one)")
    parser.add_argument("--each", action="store_true", help="each fault once, in any order, one right after another")
    parser.add_argument("--only", action="append", metavar="FAULT", help="this fault alone; may be given again")
    parser.add_argument("--cluster", action="store_true", help="on a cluster of Postgres, with faults of its own")
    parser.add_argument("--faults", type=int, metavar="N", help="end after so many faults, if the time allows")
    parser.add_argument("--keep", action="store_true", help="keep the folder with data, logs and letters")


def run(args: argparse.Namespace) -> int:
    seed = secrets.randbelow(10**6) if args.seed is None else args.seed
    console = Console()
    console.print(f"seed {seed}", highlight=False)
    faults = CLUSTER_FAULTS if args.cluster else FAULTS
    unknown = set(args.only or ()) - set(faults)
    if unknown:
        print(f"waybill: there is no fault {', '.join(sorted(unknown))}; there are:", file=sys.stderr)
        print("\n".join(f"  {name}" for name in faults), file=sys.stderr)
        return 2
    with plain_errors(), folder(args.keep, console) as place, house_in(place, seed, args, console) as house:
        preload_decoders()
        ledger, story = Ledger(), Story()
        # Letters, and their pictures, are not what a cluster changes.
        letters, patience = (0, CLIENT_SECONDS) if args.cluster else (PEOPLE, SECONDS_TO_ANSWER)
        drivers = [
            Driver(number, seed, house.url, house.db, ledger, sorted(all_games()), letters, patience)
            for number in range(DRIVERS)
        ]
        watcher = Watcher(house.config.port_of_stream, drivers[0].people[0])
        watcher.start()
        watcher.is_connected.wait(QUIET_SECONDS)
        for driver in drivers:
            driver.start()
        go_wrong(console, house, drivers, ledger, story, seed, args)
        stalled = story.unhealed + make_up(console, house, drivers)
        threads: list[Driver | Watcher] = [*drivers, watcher]
        failures = [f"{thread.name}: {thread.failure}" for thread in threads if thread.failure]
        found = books.audit(house.db, ledger.accepted, ledger.written, ledger.clocks, arrived(place / "mail"))
        found.stalled += stalled
        found.untold += unstreamed(house, watcher)
        report(console, house, ledger, story, found, watcher, failures, seed)
        return 1 if found.all() or failures else 0


class Story:
    """What was done, and what came of it."""

    def __init__(self) -> None:
        self.faults = Counter[str]()
        self.pauses: dict[str, list[float]] = {}  # seconds without an accepted order, on a cluster
        self.unhealed: list[str] = []


def house_in(place: Path, seed: int, args: argparse.Namespace, console: Console) -> House:
    rng = random.Random(f"{seed} freezes")
    if not args.cluster:
        return House(place, rng, BRIEF_FREEZE if args.each else LONGEST_FREEZE)
    home = read_config().folder
    make_folder(home)

    def say(text: str) -> None:
        console.print(text, highlight=False)

    return ClusterHouse(place, rng, patroni_program(home, say), say)


@contextmanager
def folder(keep: bool, console: Console) -> Iterator[Path]:
    if keep:
        place = Path(tempfile.mkdtemp(prefix="waybill-chaos-"))
        console.print(f"folder {place}", highlight=False)
        yield place
    else:
        with tempfile.TemporaryDirectory(prefix="waybill-chaos-") as made:
            yield Path(made)


def go_wrong(
    console: Console,
    house: House,
    drivers: list[Driver],
    ledger: Ledger,
    story: Story,
    seed: int,
    args: argparse.Namespace,
) -> None:
    """One fault after another, drawn from the seed."""
    rng = random.Random(f"{seed} faults")
    faults = CLUSTER_FAULTS if args.cluster else FAULTS
    names = args.only or list(faults)
    if args.each:
        rng.shuffle(names)
    between = BRIEFLY if args.each else BETWEEN
    seconds, began = args.minutes * 60, time.monotonic()
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        bar, said = progress.add_task("at peace", total=seconds), began
        while (passed := time.monotonic() - began) < seconds and not any(driver.failure for driver in drivers):
            if (args.each and not names) or story.faults.total() == args.faults:
                break
            name = names.pop() if args.each else rng.choice(names)
            progress.update(bar, completed=passed, description=f"{len(ledger.accepted)} orders; {name}")
            at = time.monotonic()
            faults[name](house)  # type: ignore[arg-type]  # each table has the faults of its own house
            story.faults[name] += 1
            if isinstance(house, ClusterHouse):
                heal(house, ledger, story, name, at)
                console.print(f"{passed:.0f} s: {name}: {story.pauses[name][-1]:.1f} s", highlight=False)
            if not console.is_terminal and time.monotonic() - said > 30:
                said = time.monotonic()
                console.print(
                    f"{passed:.0f} s: {len(ledger.accepted)} orders, {story.faults.total()} faults", highlight=False
                )
            time.sleep(min(rng.uniform(*between), max(0.0, seconds - (time.monotonic() - began))))


def heal(house: ClusterHouse, ledger: Ledger, story: Story, name: str, began: float) -> None:
    """Waits until the cluster is whole and people play, and notes for how long they could not."""
    if not house.is_well():
        story.unhealed.append(f"The cluster was not whole again after this: {name}.")
    seen = len(ledger.accepted_at)
    until(lambda: len(ledger.accepted_at) > seen)
    story.pauses.setdefault(name, []).append(longest_pause(ledger.accepted_at, began, time.monotonic()))


def make_up(console: Console, house: House, drivers: list[Driver]) -> list[str]:
    """Nothing goes wrong any more, and nobody begins anything: what does not come to its end.

    First the games: nothing that could be done may be left undone. Then their clocks are left alone, so that nothing
    new happens, and everything that did must be told and delivered.
    """
    for driver in drivers:
        driver.stopping.set()
    for driver in drivers:
        driver.join(120)
    console.print("making up the books")
    if not until(lambda: not (waiting := books.waiting(house.db)).resolvable and not waiting.overdue):
        return books.stalled(house.db)
    house.stop_beat()

    def all_is_delivered() -> bool:
        enqueue(tasks.deliver)
        waiting = books.waiting(house.db)
        if waiting.deliveries and not waiting.outbox:
            pause = books.next_try(house.db)
            if pause is not None and pause <= LONGEST_PAUSE + MARGIN:  # time goes by
                house.jump(pause / timedelta(hours=1))
        return not waiting.outbox and not waiting.deliveries

    if not until(all_is_delivered):
        waits = " ".join(books.undelivered(house.db))
        return [f"After {QUIET_SECONDS} seconds something was still to be told: {books.waiting(house.db)}. {waits}"]
    return []


def unstreamed(house: House, watcher: Watcher) -> list[str]:
    """What did not come by the stream, once it has had the time to."""

    def missed() -> list[str]:
        return list(watcher.missed(*books.for_a_watcher(house.db, watcher.person.player_id)))

    until(lambda: not missed(), STREAM_SECONDS)
    return missed()


def until(happened: Callable[[], bool], seconds: float = QUIET_SECONDS) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with suppress(Unavailable):
            if happened():
                return True
        time.sleep(0.5)
    return False


def arrived(mail: Path) -> Counter[int]:
    """How often each notice is in a letter."""
    found = Counter[int]()
    for letter in LocalBox(mail).letters() if mail.exists() else []:
        found.update(map(int, str(letter["X-Waybill-Notices"] or "").split()))
    return found


def report(
    console: Console,
    house: House,
    ledger: Ledger,
    story: Story,
    found: Findings,
    watcher: Watcher,
    failures: list[str],
    seed: int,
) -> None:
    grid = Grid("fault", title=f"seed {seed}")
    grid.add_column("times", justify="right")
    if story.pauses:
        grid.add_column("median pause, s", justify="right")
        grid.add_column("longest, s", justify="right")
    for name, times in sorted(story.faults.items()):
        pauses = story.pauses.get(name, [])
        grid.add_row(name, str(times), *([f"{statistics.median(pauses):.1f}", f"{max(pauses):.1f}"] if pauses else []))
    if story.pauses:
        together = [pause for pauses in story.pauses.values() for pause in pauses]
        grid.add_row("all", str(len(together)), f"{statistics.median(together):.1f}", f"{max(together):.1f}")
    console.print(grid)
    letters = arrived(house.folder / "mail")
    figures = {
        "games": len(ledger.clocks),
        "orders accepted": len(ledger.accepted),
        "orders refused": ledger.refused,
        "requests without an answer, sent again": ledger.unanswered,
        **{f"  because of: {reason}": times for reason, times in sorted(ledger.put_off.items())},
        "messages": len(ledger.written),
        "parts started again": house.restarts,
        "events that one of them got by the stream": len(watcher.notices) + sum(map(len, watcher.rows.values())),
        "for which they connected": watcher.connections,
        "notices by letter": len(letters),
        "of these more than once": sum(times > 1 for times in letters.values()),
        "lost": len(found.lost),
        "doubled": len(found.doubled),
        "stalled": len(found.stalled),
        "early": len(found.early),
        "chains broken": len(found.broken),
        "not told": len(found.untold),
        "not delivered": len(found.undelivered),
    }
    books_grid = Grid("the books")
    books_grid.add_column("", justify="right")
    for name, figure in figures.items():
        books_grid.add_row(name, f"{figure:,}")
    console.print(books_grid)
    for sentence in (*failures, *found.all()[:MOST_SHOWN]):
        console.print(sentence, highlight=False, markup=False)
