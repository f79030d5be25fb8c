"""Check records of finished games, without any server.

Each file is replayed from its seed and its moves alone. What is checked: the hash chain, the commitment to the seed,
every shuffle and every die, every move against the rules, every event, every position, and the result.
The exit code is 1 when a file does not hold, and 0 when all of them do.

examples:
  ./waybill verify game.jsonl                  one line: verified, or the first row that differs
  ./waybill verify records/*.jsonl             many
  ./waybill verify --transcript game.jsonl     the game as a person reads it
"""

import argparse
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from referee.contract import and_list
from referee.errors import RecordError
from referee.games import game_of
from referee.record import Record, load, transcript, verify


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path)
    parser.add_argument("--transcript", action="store_true", help="print each verified game in words")


def run(args: argparse.Namespace) -> int:
    failed = 0
    for path in args.files:
        try:
            record = load(path.read_bytes())
            verdict = check(record)
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
            print(transcript(game_of(record.header), record))
        print(f"{path}: {verdict}")
    if failed and len(args.files) > 1:
        print(f"{failed} of {len(args.files)} files are not verified.", file=sys.stderr)
    return 1 if failed else 0


def check(record: Record) -> str:
    """The verdict on a record that holds; a RecordError for one that does not."""
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
    winners = and_list([table.words.player(standing.seat) for standing in best])
    result = f"{winners} won with {best[0].score}" if best else "nobody won"
    seats = len(record.header.players)
    return f"verified: {game.name}, {seats} players, {len(record.entries)} rows, {result}, head hash {record.head}"
