"""Write everything that must not be lost into a file, while the service runs or not.

The file holds the whole database as it is at one moment: players, games, logs. It also holds the seeds of games in play
and everybody's hands: keep it as secret as the database. ./waybill restore brings it back.

examples:
  ./waybill backup waybill.dump
  ./waybill backup "/backups/waybill-$(date +%F).dump"
"""

import argparse
from pathlib import Path

from commands._service import database, place, plain_errors
from runtime import dumps
from runtime.errors import ServerError
from store import backups


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="where to write it; nothing is overwritten")


def run(args: argparse.Namespace) -> int:
    file = args.file.absolute()
    with plain_errors():
        if file.exists():
            raise ServerError(f"{place(file)} is there already; choose another name.")
        with database() as db:
            with db.session() as session:
                major = backups.server_major(session)
                if not backups.tables(session):
                    raise ServerError("The database is empty: there is nothing to keep yet.")
            dumps.dump(db.url, major, file)
            dumps.dumped_from(file)  # it can be read
    print(f"The backup is in {place(file)}, {file.stat().st_size / 1e6:.1f} MB. Keep it as secret as the database.")
    return 0
