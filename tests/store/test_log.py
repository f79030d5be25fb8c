"""The log is append-only, for everybody."""

import psycopg2
import pytest

from referee.log import first_link
from runtime.config import Config
from runtime.servers import Addresses
from service import positions
from store.database import Database
from tests.factories import make_game, play_some

CHANGES = [
    "update log set payload = 'x'",
    "update log set hash = 'x' where game_id = %(game)s",
    "delete from log where game_id = %(game)s",
    "truncate log",
    "delete from games where id = %(game)s",
    "truncate games cascade",
    *(f"truncate log_{number}" for number in range(16)),
]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("role", ["application", "superuser"])
def test_log_cannot_be_changed(db: Database, config: Config, run_servers: Addresses, change: str, role: str) -> None:
    game_id, _ = make_game(db)
    url = config.database_url if role == "application" else config.database_url.replace("waybill@", "postgres@")
    raw = psycopg2.connect(url)
    with pytest.raises(psycopg2.errors.InsufficientPrivilege), raw.cursor() as cursor:
        cursor.execute(change, {"game": game_id})
    raw.close()


def test_application_is_no_superuser_and_lacks_the_grants(db: Database) -> None:
    with db.session() as session:
        assert session.value("select not usesuper from pg_user where usename = current_user")
        for privilege in ("update", "delete", "truncate"):
            for table in ["log", *(f"log_{number}" for number in range(16))]:
                assert not session.value("select has_table_privilege(%s, %s)", table, privilege)


def test_partition_cannot_be_changed_behind_the_logs_back(db: Database, config: Config) -> None:
    game_id, _ = make_game(db)
    raw = psycopg2.connect(config.database_url.replace("waybill@", "postgres@"))
    with raw.cursor() as cursor:
        cursor.execute("select tableoid::regclass::text from log where game_id = %s", (game_id,))
        partition = cursor.fetchone()[0]
        with pytest.raises(psycopg2.errors.InsufficientPrivilege):
            cursor.execute(f"delete from {partition}")
    raw.close()


def test_each_row_names_the_hash_before_it(db: Database) -> None:
    game_id, _ = make_game(db)
    play_some(db, game_id, 20)
    table, _ = positions.load(db, game_id)
    with db.session() as session:
        rows = session.rows("select previous, hash from log where game_id = %s order by sequence", game_id)
    previous, hashes = zip(*rows, strict=True)
    assert previous == (first_link(table.header), *hashes[:-1])
    assert hashes[-1] == table.head
