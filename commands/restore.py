"""Bring a backup back, into an empty database, and check it.

The database is DATABASE_URL, or the private one of this folder. All of the backup is brought back, or nothing. Then
it is brought up to date, as ./waybill migrate does, and the log of every game is played again and compared with what is
stored.

examples:
  ./waybill restore waybill.dump
  ./waybill restore waybill.dump --sample 100     play the logs of so many games again, and not of all
"""

import argparse
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import track

from commands._service import database, plain_errors
from referee.errors import RecordError
from runtime import dumps
from runtime.errors import ServerError
from service import replays
from service.errors import ServiceError
from store import backups
from store.database import Database
from store.migrate import migrate


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path)
    parser.add_argument("--sample", type=int, metavar="N", help="check so many games, chosen at random")


def run(args: argparse.Namespace) -> int:
    with plain_errors():
        dumps.dumped_from(args.file)  # before a private server is started for it
        with database() as db:
            bring_back(db, args.file)
            for migration in migrate(db):
                print(f"migrated: {migration.name}")
            return check(db, args.sample)


def bring_back(db: Database, file: Path) -> None:
    with db.session() as session:
        major, found = backups.server_major(session), backups.tables(session)
    if found:
        raise ServerError(
            f"The database is not empty: it has the table {found[0]}. Restore into a new one: set DATABASE_URL to an"
            " empty database, or WAYBILL_FOLDER to a new folder, or move .waybill/postgres away while nothing runs."
        )
    dumps.restore(db.url, major, file)
    with db.session() as session:
        backups.secure(session)
    print("Everything is back.")


def check(db: Database, sample: int | None) -> int:
    """Plays the logs of the games again: the exit status."""
    with db.session() as session:
        found = backups.games_with_a_log(session, sample)
    console = Console(stderr=True)
    wrong = 0
    for game_id in track(found, "checking", console=console, transient=True, disable=not console.is_terminal):
        try:
            replays.rebuild(db, game_id)
        except (RecordError, ServiceError) as error:
            print(f"The game {game_id} does not hold: {error}", file=sys.stderr)
            wrong += 1
    print(f"Checked: {len(found) - wrong} of {len(found)} games hold.")
    return 1 if wrong else 0
