"""The books find what they are there to find."""

from random import Random

import pytest

from referee.options import sample
from service import books, games, moves, notices, phases, positions, press
from service.books import Accepted, audit
from service.channels import Channels
from store.database import Database
from tests.factories import make_game


@pytest.fixture
def played(db: Database) -> tuple[str, list[Accepted]]:
    """A game of two with its opening and some moves, of which everybody was told, and what was answered."""
    game_id, _ = make_game(db)
    accepted = []
    for _ in range(6):
        table, _ = positions.load(db, game_id)
        if table.sealed_phase() and not table.missing():
            phases.resolve(db, game_id)
            continue
        seat = table.acting()[0]
        outcome = moves.submit(db, game_id, seat, [sample(table.offers(seat), Random(table.sequence))]).outcome
        if outcome.receipt:
            accepted.append(Accepted(game_id, seat, outcome.receipt.sequence, commitment=outcome.receipt.commitment))
        else:
            accepted.append(Accepted(game_id, seat, outcome.entries[0].row.number, outcome.entries[0].hash))
    notices.pass_on(db, Channels())
    return game_id, accepted


def test_books_of_a_sound_game_are_in_order(db: Database, played: tuple[str, list[Accepted]]) -> None:
    game_id, accepted = played
    with db.transaction() as transaction:
        player = games.seats(transaction, game_id)[0].player_id
        message = press.send(transaction, game_id, player, "hello")
    notices.pass_on(db, Channels())
    assert audit(db, accepted, [(game_id, message.id)], {game_id: 60}, ()).all() == []


def test_lost_doubled_and_unanswered_orders_are_found(db: Database, played: tuple[str, list[Accepted]]) -> None:
    game_id, accepted = played
    *_, last = accepted
    wrong = [*accepted, Accepted(game_id, 0, last.row + 1, "f" * 64), Accepted(game_id, 0, 1, commitment="f" * 64)]
    found = audit(db, wrong, [(game_id, "nosuchmessage")], {game_id: 60}, ())
    assert len(found.lost) == 3
    assert audit(db, accepted[:-1], [], {game_id: 60}, ()).doubled == [
        f"{game_id}: row {last.row} has an order of seat {last.seat} that nobody was answered for."
    ]


def test_who_was_not_told_and_what_did_not_arrive_is_found(db: Database, played: tuple[str, list[Accepted]]) -> None:
    game_id, accepted = played
    with db.session() as session:
        session.run("update deliveries set channel = 'mail' where lane = %s", game_id)
        number = session.value("select max(id) from notices where game_id = %s", game_id)
        session.run("delete from notices where game_id = %s and id < %s", game_id, number)
        session.run("update notices set sequence = 99 where id = %s", number)
    found = audit(db, accepted, [], {game_id: 60}, ())
    assert any("was not told of the reveal" in sentence for sentence in found.untold)
    assert any("row 99, which there is not" in sentence for sentence in found.untold)
    assert len(found.undelivered) == 1
    assert audit(db, accepted, [], {game_id: 60}, {number}).undelivered == []


def test_game_that_does_not_go_on_and_clock_that_strikes_early_are_found(db: Database) -> None:
    game_id, _ = make_game(db, clock=60)
    with db.session() as session:
        session.run("update games set due_at = now() - interval '1 minute' where id = %s", game_id)
    assert f"{game_id} does not go on." in books.stalled(db)
    phases.time_out(db, game_id)
    notices.pass_on(db, Channels())
    assert f"{game_id} does not go on." not in books.stalled(db)
    (early,) = audit(db, [], [], {game_id: 60}, ()).early
    assert early.startswith(f"{game_id}: row 1 was played by the clock after 0.")
