"""Brings the database's tables up to date: numbered SQL files, each applied once."""

import hashlib
from pathlib import Path

import msgspec

from store.database import Database, Session

FOLDER = Path(__file__).parent / "migrations"
LOCK = 0x77617962  # "wayb": one migration at a time in a database


class MigrationError(Exception):
    """The files and the database do not belong together."""


class Migration(msgspec.Struct, frozen=True):
    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()


def migrations(folder: Path = FOLDER) -> list[Migration]:
    """The files in order: 0001_players.sql, 0002_games.sql, ..."""
    files = sorted(folder.glob("*.sql"))
    found = [Migration(int(file.name[:4]), file.stem, file.read_text("utf-8")) for file in files]
    numbers = [one.number for one in found]
    if len(set(numbers)) < len(numbers):
        twice = next(number for number in numbers if numbers.count(number) > 1)
        raise MigrationError(f"Two migrations have the number {twice}: give one of them the next that is free.")
    return found


def pending(db: Database, folder: Path = FOLDER) -> list[Migration]:
    """What `migrate` would apply."""
    with db.session() as session:
        return _pending(session, migrations(folder))


def migrate(db: Database, folder: Path = FOLDER) -> list[Migration]:
    """Applies what is missing, each file in its own transaction, and tells what that was.

    The lock and the settings belong to the transaction and not to the session, which a pooler such as PgBouncer gives
    to somebody else after each transaction.
    """
    known = migrations(folder)
    applied: list[Migration] = []
    while (migration := _apply_next(db, known)) is not None:
        applied.append(migration)
    return applied


def _apply_next(db: Database, known: list[Migration]) -> Migration | None:
    with db.transaction() as transaction:
        # It waits for another migration however long that takes.
        transaction.may_take_long = True
        transaction.run("set local statement_timeout = 0")
        transaction.run("select pg_advisory_xact_lock(%s)", LOCK)
        missing = _pending(transaction, known)
        if not missing:
            return None
        _apply(transaction, missing[0])
        return missing[0]


def _pending(session: Session, known: list[Migration]) -> list[Migration]:
    applied = {}
    if session.value("select to_regclass('migrations') is not null"):
        applied = dict(session.rows("select number, checksum from migrations order by number"))
    unknown = applied.keys() - {one.number for one in known}
    if unknown:
        newest, ours = max(unknown), max(one.number for one in known)
        raise MigrationError(f"The database has migration {newest}; this version, an older one, knows {ours}.")
    for one in known:
        if applied.get(one.number, one.checksum) != one.checksum:
            raise MigrationError(f"{one.name}.sql was changed after it was applied; undo that and add a new file.")
    return [one for one in known if one.number not in applied]


def _apply(session: Session, migration: Migration) -> None:
    session.run(
        "create table if not exists migrations"
        " (number int primary key, name text not null, checksum text not null, applied_at timestamptz default now())"
    )
    session.run(migration.sql)
    session.run(
        "insert into migrations (number, name, checksum) values (%s, %s, %s)",
        migration.number,
        migration.name,
        migration.checksum,
    )
