"""Players and seats from before addresses were proved and names had keys."""

import shutil
from pathlib import Path

import pytest

from service import players
from service.addresses import by_email
from service.errors import Conflict
from store.database import Database
from store.migrate import FOLDER, migrate

BEFORE = """
insert into players (name, email) values ('Ann', 'ann@example.org'), ('Ann1', null), ('Annl', null), ('Left', null);
insert into tokens (player_id, hash, hint) values (1, 'x', 'wb_x');
insert into games (id, ruleset, version, settings, private, seed, commitment)
    values ('g', 'airlines-europe', '1', '{}', true, 'seed', 'c');
insert into seats (game_id, seat, player_id, bot, name, invited_player, invited_email) values
    ('g', 0, 2, null, 'Ann1', null, null),
    ('g', 1, null, null, '', 1, 'Ann@example.org'),
    ('g', 2, null, 'default', 'Left', null, null);
"""


@pytest.fixture
def old(empty_database: Database, tmp_path: Path) -> Database:
    for file in sorted(FOLDER.glob("*.sql"))[:6]:
        shutil.copy(file, tmp_path)
    migrate(empty_database, tmp_path)
    with empty_database.session() as session:
        session.run(BEFORE)
    migrate(empty_database)
    return empty_database


def test_addresses_that_nobody_has_proved_count_no_more(old: Database) -> None:
    with old.session() as session:
        assert by_email(session, "ann@example.org") is None
        ann = players.known(session, 1)
        assert (ann.email, ann.unproved_email) == (None, "ann@example.org")
        invited = session.row("select invited_player, invited_email_key from seats where seat = 1")
        assert invited == (None, "ann@example.org")


def test_old_tokens_may_do_everything(old: Database) -> None:
    with old.session() as session:
        assert players.tokens(session, 1)[0].scopes == list(players.ALL_SCOPES)


def test_names_stay_and_nobody_gets_another_one_like_them(old: Database) -> None:
    with old.transaction() as transaction:
        for name in ("ANN", "Ann1", "annl"):
            found = players.by_name(transaction, name)
            assert found is not None
            assert found.name.casefold() == name.casefold()
    for name in ("ann", "Annl"):
        with pytest.raises(Conflict), old.transaction() as transaction:
            players.create(transaction, name)


def test_seat_that_was_left_follows_the_name_of_who_left_it(old: Database) -> None:
    with old.transaction() as transaction:
        players.rename(transaction, 4, "Renamed")
        assert transaction.value("select name from seats where seat = 2") == "Renamed"
