"""Writes that come again."""

import pytest

from service import Database, games, idempotency, players, seats, sign_in
from service.errors import Conflict, KeyReused
from service.games import NewGame, NewSeat
from service.idempotency import IdempotencyKey, Once, once
from tests.factories import RULESET, make_player


def write(db: Database, key: IdempotencyKey, made: str) -> Once[str]:
    return once(db, key, lambda _: made, lambda thing: f"a reference to {thing}", lambda _, reference: reference)


def test_write_under_a_key_is_done_once(db: Database) -> None:
    key = IdempotencyKey("address:::1", "key of a write", "body")
    assert write(db, key, "x") == Once("x")
    assert write(db, key, "y") == Once("a reference to x", is_repeated=True)
    with pytest.raises(KeyReused):
        write(db, IdempotencyKey("address:::1", "key of a write", "other"), "z")


def test_key_of_a_write_that_failed_is_free_again(db: Database) -> None:
    key = IdempotencyKey("address:::1", "key of a failure", "body")

    def fail(_: object) -> str:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        once(db, key, fail, str, lambda _, reference: reference)
    assert write(db, key, "x") == Once("x")


def test_sign_up_that_comes_again_is_the_same_player_with_a_fresh_token(db: Database) -> None:
    key = IdempotencyKey("address:::1", "key of a sign-up", "body")
    first = sign_in.sign_up(db, "Repeated Ann", key=key).made
    again = sign_in.sign_up(db, "Repeated Ann", key=key).made
    assert again.player == first.player
    assert again.issued.token.id == first.issued.token.id
    with db.session() as session:
        assert players.by_token(session, first.issued.secret) is None
        assert players.by_token(session, again.issued.secret) == first.player


def test_token_that_was_used_is_not_replaced_by_who_repeats_the_request(db: Database) -> None:
    """Or who finds out a key could throw its owner out, and take over."""
    player, key = make_player(db), IdempotencyKey("player:1", "key of a token", "body")
    issued = players.issue_token_once(db, player.id, key=key).made
    with db.session() as session:
        assert players.by_token(session, issued.secret) == player
    with pytest.raises(Conflict, match="has been used"):
        players.issue_token_once(db, player.id, key=key)
    with db.session() as session:
        assert players.by_token(session, issued.secret) == player


def test_game_that_is_opened_again_is_the_same_game_with_fresh_invitations_to_the_free_seats(db: Database) -> None:
    host, guest = make_player(db), make_player(db)
    new = NewGame(RULESET, (NewSeat("me"), NewSeat("invite"), NewSeat("invite"), NewSeat("open")))
    key = IdempotencyKey(f"player:{host.id}", "key of a game", "body")
    first = games.open_once(db, host, new, key).made
    with db.transaction() as transaction:
        seats.join(transaction, first.game.id, guest, invitation=first.invitations[1])
    again = games.open_once(db, host, new, key).made
    assert again.game.id == first.game.id
    assert list(again.invitations) == [2]
    with pytest.raises(Conflict, match="This invitation is not good"), db.transaction() as transaction:
        seats.join(transaction, first.game.id, make_player(db), invitation=first.invitations[2])
    with db.transaction() as transaction:
        assert seats.join(transaction, first.game.id, make_player(db), invitation=again.invitations[2]) == 2


def test_no_copy_of_the_database_gives_a_secret_away(db: Database) -> None:
    """What is kept under a key, however short it is, is a number: there is nothing to decipher."""
    player = make_player(db)
    key = IdempotencyKey(f"player:{player.id}", "1", "body")
    secret = players.issue_token_once(db, player.id, key=key).made.secret
    with db.session() as session:
        (row,) = session.rows(
            "select status, body, headers, reference from idempotency where scope = %s", f"player:{player.id}"
        )
        tables = [table for (table,) in session.rows("select tablename from pg_tables where schemaname = 'public'")]
        dump = "".join(text for table in tables for (text,) in session.rows(f"select t::text from {table} t"))
    assert row[:3] == (None, None, "{}")
    assert row[3].isdecimal()
    assert secret not in dump
    assert secret.encode().hex() not in dump
    assert secret[7:] not in dump


def test_keys_are_forgotten_however_many_there_are(db: Database) -> None:
    with db.session() as session:
        session.run(
            "insert into idempotency (scope, key, fingerprint, created_at)"
            " select 'old', n::text, '', now() - interval '25 hours' from generate_series(1, %s) n",
            2 * 10_000 + 1,
        )
        session.run("insert into idempotency (scope, key, fingerprint) values ('new', 'x', '')")
    idempotency.forget_old_keys(db, 24)
    with db.session() as session:
        assert session.value("select array_agg(scope) from idempotency where scope in ('old', 'new')") == ["new"]
        session.run("delete from idempotency where scope = 'new'")
