"""The application beside bare routes of the same server, to compare with, and with clocks, to see where time goes."""

import functools
import os
import time
from collections.abc import Callable
from typing import Any

from flask import Flask, Response, jsonify
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from api.blueprint import Parser
from app import create_app as real_app
from referee.table import Table
from runtime.config import read_config
from store.database import Database, Session

PARTS = ("Postgres", "engine", "marshmallow")
SPENT = dict.fromkeys((*PARTS, "application"), 0.0)
PAYLOAD = "x" * 2000
BARE_TABLES = """
create table bare_games (id int primary key, sequence int not null, position text not null) with (fillfactor = 70);
create table bare_log (game_id int, sequence int, payload text, primary key (game_id, sequence));
create function bare_move(game int, text) returns int language plpgsql as $$
declare moved int;
begin
    update bare_games set sequence = sequence + 1, position = $2 where id = game returning sequence into moved;
    insert into bare_log values (game, moved, $2);
    return moved;
end $$;
insert into bare_games select n, 0, '' from generate_series(0, 255) as n;
"""


def create_app() -> Flask:
    for owner, name, part in (
        (Session, "row", "Postgres"),
        (Session, "rows", "Postgres"),
        (Session, "run", "Postgres"),
        (Table, "submit", "engine"),
        (Table, "submit_text", "engine"),
        (Parser, "parse", "marshmallow"),
    ):
        setattr(owner, name, timed(getattr(owner, name), part))
    app = real_app()
    clocked = timed(app.wsgi_app, "application")
    app.wsgi_app = DispatcherMiddleware(clocked, {"/bench": bare_app()})  # type: ignore[method-assign]  # as Flask says
    return app


def bare_app() -> Flask:
    """Plain Flask: no limits, no log, no metrics, no tokens."""
    app = Flask(__name__)
    db = Database.of(read_config())

    @app.get("/empty")
    def empty() -> Response:
        return jsonify(ok=True)

    @app.post("/separate/<int:game>")
    def separate(game: int) -> Response:
        """The smallest durable transaction, in statements: lock, update, insert, commit."""
        with db.transaction() as transaction:
            sequence = transaction.value("select sequence from bare_games where id = %s for update", game) + 1
            transaction.run("update bare_games set sequence = %s, position = %s where id = %s", sequence, PAYLOAD, game)
            transaction.run("insert into bare_log values (%s, %s, %s)", game, sequence, PAYLOAD)
        return jsonify(sequence=sequence)

    @app.post("/function/<int:game>")
    def function(game: int) -> Response:
        """The same in one call to the server."""
        with db.session() as session:
            return jsonify(sequence=session.value("select bare_move(%s, %s)", game, PAYLOAD))

    @app.get("/process")
    def process() -> Response:
        return jsonify(process=os.getpid())

    @app.get("/spent")
    def spent() -> Response:
        """Seconds since the last time this was asked, in the process that answers."""
        seconds = dict(SPENT)
        SPENT.update(dict.fromkeys(SPENT, 0.0))
        return jsonify(seconds)

    return app


def timed(function: Callable[..., Any], part: str) -> Callable[..., Any]:
    @functools.wraps(function)
    def clocked(*args: Any, **options: Any) -> Any:
        started = time.perf_counter()
        try:
            return function(*args, **options)
        finally:
            SPENT[part] += time.perf_counter() - started

    return clocked
