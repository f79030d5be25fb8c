"""Two worlds that a viewer cannot tell apart give the same bytes on the stream."""

import asyncio
import itertools
import random
import re
from typing import Any

import pytest

from api.hub import Topic
from api.stream import Stream
from referee.contract import canonical
from referee.games import open_game
from referee.table import Table, open_table
from runtime.config import Config
from service import positions
from service.watching import Rows
from tests.api.conftest import Service
from tests.api.test_secrets import put
from tests.factories import play_some

QUERIES = ("", "after=-1", "after=-1&wait=0")
HASH = re.compile(rb'"hash":"\w+"')  # of a row with its salt
END = b"event: game"  # how a game stands is told after everything else


def told(config: Config, path: str, query: str, token: str | None) -> list[bytes]:
    """All that the stream sends, up to where it waits for more: in this process, so that worlds can be exchanged."""
    sent: list[bytes] = []

    async def ask() -> None:
        app, enough = Stream(config), asyncio.Event()

        async def receive() -> dict[str, Any]:
            await enough.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            sent.append(repr(message).encode())
            if END in message.get("body", b""):
                enough.set()

        headers = [(b"authorization", f"Bearer {token}".encode())] if token else []
        scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode(), "headers": headers}
        async with asyncio.timeout(20):
            await app(scope, receive, send)
        app.hub.stop()
        app.hub.db.close()

    asyncio.run(ask())
    return sent


def everything(service: Service, config: Config, game_id: str, token: str | None) -> list[list[bytes]]:
    found = [told(config, f"/v1/games/{game_id}/events", query, token) for query in QUERIES]
    return [*found, told(config, "/v1/events", "after=notices:0", token)] if token else found


@pytest.mark.parametrize("rows", [0, 25])
def test_what_a_viewer_cannot_know_changes_nothing_the_stream_tells(
    rows: int, service: Service, config: Config
) -> None:
    game_id, persons = service.open_game(people=3)
    play_some(service.db, game_id, rows, seed=rows)
    table, _ = positions.load(service.db, game_id)
    rng = random.Random(rows)
    for seat in (0, 1, None):
        token = None if seat is None else persons[seat].token
        before = everything(service, config, game_id, token)
        assert sum(part.count(b"event: row") for part in before[1]) == table.sequence + 1
        other = canonical(table.game.imagine(table.view(seat), rng)).decode()
        assert other.encode() != table.position_json
        put(service, game_id, other)
        assert everything(service, config, game_id, token) == before
        put(service, game_id, table.position_json.decode())


def test_a_row_tells_others_nothing_of_what_was_drawn_in_secret() -> None:
    """Somebody draws from the pile in two worlds between which another seat cannot tell."""
    table, _ = open_table(open_game("airlines-europe", 3), ["a", "b", "c"], bytes(32))
    for seat in range(3):
        table.submit(seat, [next(iter(table.offers(seat)[0].moves()))])
    table.reveal()
    (drawing,) = table.acting()
    others = [seat for seat in (0, 1, 2, None) if seat != drawing]
    differ = 0
    for number, seat in itertools.product(range(5), others):
        other = canonical(table.game.imagine(table.view(seat), random.Random(number)))
        worlds = [drawn(copy_of(table, position), drawing) for position in (table.position_json, other)]
        shown = [rows_of(topic, seat) for topic in worlds]
        assert len(shown[0]) == 2
        assert shown[0] == shown[1]
        differ += rows_of(worlds[0], drawing) != rows_of(worlds[1], drawing)
    assert differ, "nothing was drawn that could have been told"


def copy_of(table: Table, position: bytes) -> Table:
    return Table(table.game, table.header, table.seed, position, table.sequence, table.head, table.sealed)


def drawn(table: Table, seat: int) -> Topic:
    """A watched game after a seat has bought and drawn from the pile."""
    entries = table.submit_text(seat, "buy london-paris for grey\ntake pile").entries
    topic = Topic("game")
    topic.keep(Rows(table, entries))
    return topic


def rows_of(topic: Topic, seat: int | None) -> list[bytes]:
    return [HASH.sub(b"", topic.visible(entry, seat)) for entry in topic.after(1)]
