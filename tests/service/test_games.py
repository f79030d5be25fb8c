"""Opening, joining, leaving, starting, pausing, listing."""

from pathlib import Path

import pytest

from referee.chance import commitment
from referee.games import airlines_europe
from service import games, moves, phases, positions, seats, work
from service.errors import Conflict, Invalid, NotFound, WrongStatus
from service.games import NewGame, NewSeat
from service.players import Player
from store.database import Database
from store.games import bots
from store.players import set_email
from tests.factories import RULESET, make_game, make_player


def open_game(db: Database, host: Player, *seats: NewSeat, **options: object) -> games.Opened:
    with db.transaction() as transaction:
        return games.create(transaction, host, NewGame(RULESET, seats, **options))


def join(db: Database, game_id: str, player: Player, **how: object) -> int:
    with db.transaction() as transaction:
        return seats.join(transaction, game_id, player, **how)


def find(db: Database, game_id: str) -> games.GameRow:
    with db.session() as session:
        found = games.find(session, game_id)
    assert found is not None
    return found


def test_game_starts_when_the_last_seat_is_filled(db: Database) -> None:
    host, guest = make_player(db), make_player(db)
    opened = open_game(db, host, NewSeat("me", entropy="mine"), NewSeat("open"), NewSeat("bot"))
    assert (opened.game.status, opened.game.sequence) == ("open", -1)
    assert join(db, opened.game.id, guest, entropy="theirs") == 1
    assert find(db, opened.game.id).status == "running"
    table, _ = positions.load(db, opened.game.id)
    assert table.sequence == 0
    assert table.names == (host.name, guest.name, "steady 3")
    assert table.header.players == ("Seat 1", "Seat 2", "Seat 3")
    assert table.header.entropy == ("mine", "theirs", "")
    assert table.header.commitment == opened.game.commitment == commitment(table.seed)


def test_host_may_start_with_bots_on_the_free_seats(db: Database) -> None:
    opened = open_game(db, make_player(db), NewSeat("me"), NewSeat("open"), NewSeat("invite"))
    with db.transaction() as transaction:
        games.start(transaction, opened.game.id)
        assert bots(transaction, opened.game.id) == {1: "steady", 2: "steady"}
    assert find(db, opened.game.id).status == "running"
    with pytest.raises(Conflict), db.transaction() as transaction:
        games.start(transaction, opened.game.id)


def test_invitation_opens_its_own_seat_once(db: Database) -> None:
    opened = open_game(db, make_player(db), NewSeat("me"), NewSeat("open"), NewSeat("invite"), NewSeat("invite"))
    assert sorted(opened.invitations) == [2, 3]
    assert join(db, opened.game.id, make_player(db), invitation=opened.invitations[3]) == 3
    for wrong in (opened.invitations[3], "wi_nonsense"):
        with pytest.raises(Conflict, match="This invitation is not good for a seat here"):
            join(db, opened.game.id, make_player(db), invitation=wrong)


def test_seat_kept_for_a_player_is_theirs_without_the_secret_and_nobody_elses(db: Database) -> None:
    friend = make_player(db)
    opened = open_game(db, make_player(db), NewSeat("me"), NewSeat("invite", name=friend.name), NewSeat("open"))
    stranger = make_player(db)
    assert join(db, opened.game.id, stranger) == 2
    with pytest.raises(Conflict):
        join(db, opened.game.id, make_player(db))
    assert join(db, opened.game.id, friend) == 1


def test_nobody_sits_twice(db: Database) -> None:
    host = make_player(db)
    opened = open_game(db, host, NewSeat("me"), NewSeat("open"), NewSeat("open"))
    with pytest.raises(Conflict, match="have a seat"):
        join(db, opened.game.id, host)


def test_who_has_used_an_invitation_is_told_that_they_have_a_seat(db: Database) -> None:
    guest = make_player(db)
    opened = open_game(db, make_player(db), NewSeat("me"), NewSeat("invite"), NewSeat("open"))
    join(db, opened.game.id, guest, invitation=opened.invitations[1])
    with pytest.raises(Conflict, match="have a seat"):
        join(db, opened.game.id, guest, invitation=opened.invitations[1])


def test_leaving_an_open_game_frees_the_seat(db: Database) -> None:
    guest = make_player(db)
    opened = open_game(db, make_player(db), NewSeat("me"), NewSeat("open"), NewSeat("open"))
    join(db, opened.game.id, guest)
    with db.transaction() as transaction:
        assert seats.leave(transaction, opened.game.id, guest.id) == 1
    assert join(db, opened.game.id, make_player(db)) == 1
    with pytest.raises(NotFound), db.transaction() as transaction:
        seats.leave(transaction, opened.game.id, guest.id)


def test_resigned_seat_is_played_by_the_referee(db: Database) -> None:
    game_id, (host, _) = make_game(db, people=2)
    with db.transaction() as transaction:
        seats.leave(transaction, game_id, host.id)
        assert bots(transaction, game_id) == {0: "default"}
        assert work.pending(transaction, game_id).kind == "bot"
    assert positions.load(db, game_id)[0].names[0] == host.name


def test_game_whose_host_resigns_has_another_host(db: Database) -> None:
    """Or a game that was paused would wait for ever."""
    game_id, (host, second, third) = make_game(db, people=3)
    with db.transaction() as transaction:
        games.pause(transaction, game_id)
        seats.leave(transaction, game_id, third.id)
    assert find(db, game_id).host == host.id
    with db.transaction() as transaction:
        seats.leave(transaction, game_id, host.id)
    assert find(db, game_id).host == second.id


def test_game_goes_on_where_a_seat_was_resigned_while_it_was_paused_in_a_complete_sealed_phase(db: Database) -> None:
    game_id, (host, _) = make_game(db, people=2)
    for seat in range(2):
        moves.submit(db, game_id, seat, [positions.load(db, game_id)[0].default(seat)])
    with db.transaction() as transaction:
        games.pause(transaction, game_id)
        seats.leave(transaction, game_id, host.id)
    assert not phases.resolve(db, game_id)
    with db.transaction() as transaction:
        games.resume(transaction, game_id)
        assert work.pending(transaction, game_id).kind == "resolve"
    assert phases.resolve(db, game_id)


def test_private_games_are_known_to_those_concerned_alone(db: Database) -> None:
    host, friend, stranger = make_player(db), make_player(db), make_player(db)
    seats = [NewSeat("me"), NewSeat("invite", name=friend.name), NewSeat("invite")]
    game = open_game(db, host, *seats, private=True).game
    public = open_game(db, host, NewSeat("me"), NewSeat("open")).game
    with db.session() as session:
        for player, sees in ((host.id, True), (friend.id, True), (stranger.id, False), (None, False)):
            assert games.may_see(session, game, player) is sees
            assert games.may_see(session, public, player)
            listed = {one.id for one in games.listing(session, player)}
            assert (game.id in listed, public.id in listed) == (sees, True)


def test_listing_is_filtered_and_goes_on_after_the_last_one(db: Database) -> None:
    host = make_player(db)
    opened = [open_game(db, host, NewSeat("me"), NewSeat("open")).game.id for _ in range(5)]
    running, players = make_game(db)
    with db.session() as session:
        mine = games.listing(session, host.id, mine=True, limit=3)
        assert [one.id for one in mine] == opened[:1:-1]
        rest = games.listing(session, host.id, mine=True, limit=3, after=(mine[-1].created_at, mine[-1].id))
        assert [one.id for one in rest] == opened[1::-1]
        assert games.listing(session, host.id, mine=True, status="running") == []
        assert games.listing(session, host.id, mine=True, ruleset="chess") == []
        assert games.listing(session, host.id, to_act=True) == []
        assert [one.id for one in games.listing(session, players[1].id, to_act=True)] == [running]


def test_pause_keeps_what_is_left_of_the_clock(db: Database) -> None:
    game_id, _ = make_game(db, clock=1000)
    with db.transaction() as transaction:
        transaction.run("update games set due_at = now() + interval '300 seconds' where id = %s", game_id)
        games.pause(transaction, game_id)
    assert find(db, game_id).due_at is None
    with pytest.raises(WrongStatus, match="paused"), db.transaction() as transaction:
        games.pause(transaction, game_id)
    with db.transaction() as transaction:
        games.resume(transaction, game_id)
        left = transaction.value("select extract(epoch from due_at - now())::int from games where id = %s", game_id)
    assert left == 300


def test_ended_game_keeps_its_secrets(db: Database) -> None:
    game_id, _ = make_game(db)
    with db.transaction() as transaction:
        games.end(transaction, game_id)
    game = find(db, game_id)
    assert (game.status, game.ending, game.to_act) == ("over", "abandoned", [])
    table, status = positions.load(db, game_id)
    assert status == "over"
    assert not table.viewer(0).everything


@pytest.mark.parametrize(
    ("ruleset", "seats", "settings"),
    [
        ("chess", [NewSeat("me"), NewSeat("open")], None),
        (RULESET, [NewSeat("me")], None),
        (RULESET, [NewSeat("me"), NewSeat("bot", bot="deep blue")], None),
        (RULESET, [NewSeat("me"), NewSeat("me")], None),
        (RULESET, [NewSeat("me"), NewSeat("open")], {"nonsense": 1}),
    ],
)
def test_game_that_cannot_be_is_not_opened(db: Database, ruleset: str, seats: list[NewSeat], settings: object) -> None:
    host = make_player(db)
    with pytest.raises(Invalid), db.transaction() as transaction:
        games.create(transaction, host, NewGame(ruleset, tuple(seats), settings or {}))
    with db.session() as session:
        assert games.listing(session, host.id, mine=True) == []


def test_nobody_is_invited_to_a_second_seat(db: Database) -> None:
    """They could not take it, and the game would not fill."""
    host, friend = make_player(db), make_player(db)
    with pytest.raises(Invalid, match="is to have two seats"):
        open_game(db, host, NewSeat("me"), NewSeat("invite", name=host.name))
    with pytest.raises(Invalid, match="is to have two seats"):
        open_game(db, host, NewSeat("invite", name=friend.name), NewSeat("invite", name=friend.name))
    with db.transaction() as transaction:
        set_email(transaction, friend.id, "friend@example.org", "friend@example.org")
    by_address = NewSeat("invite", email="friend@example.org")
    open_game(db, host, NewSeat("invite", name=friend.name), by_address)  # a refusal would tell whose address it is


def test_private_board_is_played_on(db: Database) -> None:
    """A board of one's own comes as YAML and goes into the header, so that the record can be verified anywhere."""
    text = (Path(airlines_europe.__file__).parent / "board.yaml").read_text("utf-8")
    board = text.replace("fidelity: reconstructed-v1", "fidelity: my-own", 1)
    host, guest = make_player(db), make_player(db)
    opened = open_game(db, host, NewSeat("me"), NewSeat("open"), board=board)
    join(db, opened.game.id, guest)
    table, _ = positions.load(db, opened.game.id)
    assert table.header.board.fidelity == "my-own"
    assert table.header.board_data["fidelity"] == "my-own"
