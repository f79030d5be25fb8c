"""Players and tokens."""

import pytest

from service import players
from service.addresses import by_email
from service.errors import Conflict
from service.tokens import is_well_formed, make_secret
from store.database import Database
from tests.factories import make_player


def test_token_finds_its_player_until_it_is_revoked(db: Database) -> None:
    player = make_player(db)
    with db.transaction() as transaction:
        issued = players.issue_token(transaction, player.id, "laptop")
        first, second = issued.secret, players.issue_token(transaction, player.id).secret
    with db.session() as session:
        assert players.by_token(session, first) == players.by_token(session, second) == player
        assert players.revoke_token(session, player.id, issued.token.id)
        assert not players.revoke_token(session, player.id, issued.token.id)
        assert players.by_token(session, first) is None
        assert players.by_token(session, second) == player
        assert [token.revoked_at is None for token in players.tokens(session, player.id)] == [False, True]


def test_token_of_another_cannot_be_revoked(db: Database) -> None:
    owner, other = make_player(db), make_player(db)
    with db.transaction() as transaction:
        issued = players.issue_token(transaction, owner.id)
    with db.session() as session:
        assert not players.revoke_token(session, other.id, issued.token.id)
        assert players.by_token(session, issued.secret) == owner


def test_token_is_kept_as_a_hash_alone(db: Database) -> None:
    player = make_player(db)
    with db.transaction() as transaction:
        text = players.issue_token(transaction, player.id).secret
    with db.session() as session:
        row = session.value("select t::text from tokens t where player_id = %s", player.id)
    assert text not in row
    assert text[:12] not in row


@pytest.mark.parametrize("place", range(2, 41))
def test_slip_of_the_pen_is_seen_by_the_checksum(place: int) -> None:
    token = make_secret()
    wrong = token[:place] + ("a" if token[place] != "a" else "b") + token[place + 1 :]
    assert is_well_formed(token)
    assert not is_well_formed(wrong)


@pytest.mark.parametrize(
    "text",
    ["", "wb_", "x" * 41, "wb_" + "é" * 38, make_secret("wi_"), make_secret()],
    ids=["empty", "prefix", "no prefix", "other letters", "invitation", "unknown"],
)
def test_what_is_no_token_is_nobody(db: Database, text: str) -> None:
    with db.session() as session:
        assert players.by_token(session, text) is None


def test_names_are_unique_whatever_their_case(db: Database) -> None:
    with db.transaction() as transaction:
        ann = players.create(transaction, "Unique Ann", "Unique.Ann@Example.org")
    with pytest.raises(Conflict, match="this name"), db.transaction() as transaction:
        players.create(transaction, "unique ann")
    with db.session() as session:
        assert players.by_name(session, "UNIQUE ANN") == ann == by_email(session, "UNIQUE.ANN@example.org")
        assert players.by_name(session, "Unique Bob") is None
