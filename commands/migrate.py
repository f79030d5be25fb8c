"""Bring the database up to date.

`./waybill up` does this by itself; where API and workers are started one by one, this comes before them.

examples:
  ./waybill migrate               apply what is missing
  ./waybill migrate --check       only say what is missing; the exit status is 1 if anything is
"""

import argparse

from commands._service import database, plain_errors
from store import migrate


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help="change nothing")


def run(args: argparse.Namespace) -> int:
    with plain_errors(), database() as db:
        found = migrate.pending(db) if args.check else migrate.migrate(db)
    for migration in found:
        print(f"{'missing' if args.check else 'applied'}: {migration.name}")
    if not found:
        print("The database is up to date.")
    return 1 if args.check and found else 0
