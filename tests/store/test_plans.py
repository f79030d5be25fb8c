"""No list, feed or sweep reads a large table from end to end."""

import os
from collections.abc import Iterator

import pytest
from rich.console import Console

from bench import growth
from runtime.servers import Addresses
from store.database import Database

GAMES = 3000


@pytest.fixture(scope="module")
def many(run_servers: Addresses) -> Iterator[Database]:
    """Enough of everything that an index is the cheaper way."""
    db = growth.filled(Console(quiet=True), run_servers, f"many_{os.getpid()}", GAMES, rows=3)
    yield db
    db.close()


@pytest.mark.parametrize("name", growth.questions())
def test_no_large_table_is_read_whole(many: Database, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "LOOKED_THROUGH_AT_ONCE", GAMES // 10)  # by the sweep that looks at game after game
    assert growth.scanned(many, growth.questions()[name]) == ""


@pytest.mark.parametrize(
    ("index", "name", "table"),
    [
        ("seats_player", "of 20,000: mine", "seats"),
        ("games_listed", "status=open", "games"),
    ],
)
def test_without_its_index_it_would_be_seen(many: Database, index: str, name: str, table: str) -> None:
    with many.session() as session:
        definition = session.value("select pg_get_indexdef(%s::regclass)", index)
        session.run(f"drop index {index}")
        try:
            assert table in growth.scanned(many, growth.questions()[name])
        finally:
            session.run(definition)
