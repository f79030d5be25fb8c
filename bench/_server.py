"""The application with bare routes beside it, to compare with, and clocks in its parts, to see where time goes."""

import functools
import time
from collections.abc import Callable
from typing import Any

from flask import Flask, Response, jsonify

from api.reading import Parser
from app import create_app as real_app
from referee.table import Table
from store.config import read_config
from store.database import Database, Session

SPENT = {"Postgres": 0.0, "engine": 0.0, "marshmallow": 0.0, "whole": 0.0, "requests": 0.0}

BARE_TABLES = """
create table if not exists bare_games (id int primary key, sequence int not null, position text not null);
create table if not exists bare_log (game_id int, sequence int, payload text, primary key (game_id, sequence));
create or replace function bare_move(game int, text) returns int language plpgsql as $$
declare moved int;
begin
    update bare_games set sequence = sequence + 1, position = $2 where id = game returning sequence into moved;
    insert into bare_log values (game, moved, $2);
    return moved;
end $$;
"""
PAYLOAD = "x" * 2000


def create_app() -> Flask:
    measure(Session, "row", "Postgres")
    measure(Session, "rows", "Postgres")
    measure(Session, "run", "Postgres")
    measure(Table, "submit", "engine")
    measure(Table, "submit_text", "engine")
    measure(Parser, "parse", "marshmallow")
    app = real_app()
    db = Database.of(read_config())
    app.view_functions["moves.move"] = timed(app.view_functions["moves.move"], "whole")

    @app.get("/bench/empty")
    def empty() -> Response:
        return jsonify(ok=True)

    @app.post("/bench/separate/<int:game>")
    def separate(game: int) -> Response:
        """The smallest durable transaction, in statements: lock, update, insert, commit."""
        with db.transaction() as transaction:
            sequence = transaction.value("select sequence from bare_games where id = %s for update", game) + 1
            transaction.run("update bare_games set sequence = %s, position = %s where id = %s", sequence, PAYLOAD, game)
            transaction.run("insert into bare_log values (%s, %s, %s)", game, sequence, PAYLOAD)
        return jsonify(sequence=sequence)

    @app.post("/bench/function/<int:game>")
    def function(game: int) -> Response:
        """The same in one call to the server."""
        with db.session() as session:
            return jsonify(sequence=session.value("select bare_move(%s, %s)", game, PAYLOAD))

    @app.get("/bench/spent")
    def spent() -> Response:
        return jsonify(SPENT)

    return app


def measure(owner: type, name: str, part: str) -> None:
    setattr(owner, name, timed(getattr(owner, name), part))


def timed(function: Callable[..., Any], part: str) -> Callable[..., Any]:
    @functools.wraps(function)
    def clocked(*args: Any, **options: Any) -> Any:
        started = time.perf_counter()
        try:
            return function(*args, **options)
        finally:
            SPENT[part] += time.perf_counter() - started
            SPENT["requests"] += part == "whole"

    return clocked
