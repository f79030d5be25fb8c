"""Check records of finished games, without any server.

Each file is replayed from its seed and its moves alone. What is checked: the hash chain, the commitment to the seed,
every shuffle and every die, every move against the rules, every event, every position, and the result. A copy of a game
that was not over begins with a position in place of a setup: it is taken as it is, and all that follows is checked.
The exit code is 1 when a file does not hold, and 0 when all of them do.

examples:
  ./waybill verify game.jsonl                  one line: verified, or the first row that differs
  ./waybill verify records/*.jsonl             many
  ./waybill verify --transcript game.jsonl     the game as a person reads it
  ./waybill verify --names Ann,Bob game.jsonl  with names for the seats, which no record holds
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from referee.contract import and_list
from referee.errors import RecordError
from referee.games import game_of
from referee.record import Record, forked, load, transcript, verify


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path)
    parser.add_argument("--transcript", action="store_true", help="print each verified game in words")
    parser.add_argument(
        "--names", type=lambda text: text.split(","), help="of the players, in the order of their seats"
    )


def run(args: argparse.Namespace) -> int:
    failed = 0
    for path in args.files:
        try:
            record = load(path.read_bytes())
            verdict = check(record, args.names)
        except OSError as error:
            verdict = None
            print(f"{path}: cannot be read: {error.strerror}", file=sys.stderr)
        except RecordError as error:
            verdict = None
            print(f"{path}: not verified: {error}", file=sys.stderr)
        if verdict is None:
            failed += 1
            continue
        if args.transcript:
            print(transcript(game_of(record.header), record, args.names))
        print(f"{path}: {verdict}")
    if failed and len(args.files) > 1:
        print(f"{failed} of {len(args.files)} files are not verified.", file=sys.stderr)
    return 1 if failed else 0


def check(record: Record, names: Sequence[str] | None = None) -> str:
    """The verdict on a record that holds; a RecordError for one that does not."""
    seats = len(record.header.players)
    if names is not None and len(names) != seats:
        raise RecordError(f"the game has {seats} seats, and --names names {len(names)}.")
    game = game_of(record.header)
    if record.end is None:
        rows = len(record.entries)
        raise RecordError(
            f"the game is not over. The chain of its {rows} rows holds (head hash {record.head}), but moves and draws"
            " can be checked only with the seed, which is revealed at the end."
        )
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("verifying", total=len(record.entries))
        table = verify(game, record, lambda row: progress.update(task, completed=row))
    best = [standing for standing in table.view().standings if standing.place == 1]
    called = names or table.names
    winners = and_list([called[standing.seat] for standing in best])
    result = f"{winners} won with {best[0].score}" if best else "nobody won"
    start = forked(record.entries)
    begun = f" from the position that it says game {start.game} had after row {start.row}" if start else ""
    played = f"{len(record.entries)} rows{begun}"
    return f"verified: {game.name}, {seats} players, {played}, {result}, head hash {record.head}"
