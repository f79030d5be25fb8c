"""What has happened becomes notices: each player is told once of each cause, and of nothing that was answered."""

import random
import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from referee.contract import Viewer, canonical
from referee.log import Entry
from referee.options import sample
from referee.record import redacted
from referee.structs import preload_decoders
from referee.table import Table
from service import feed, games, moves, notices, personal_data, positions, preferences, replays, watching
from service.channels import Channels
from service.errors import Invalid
from service.feed import Told
from service.games import NewGame, NewSeat
from service.notices import FanOut, pass_on, pass_on_game
from service.players import Player
from service.positions import CACHE
from store import outbox
from store.database import Database
from tests.factories import make_game, make_player, play_some

FEED_ALONE = Channels()


def told(db: Database, player: Player) -> list[Told]:
    """A player's notices, in the order in which they were made, without those of how the table was filled."""
    with db.session() as session:
        page = feed.page(session, player.id, limit=500)
    return sorted((one for one in page if one.kind != "joined"), key=lambda one: one.id)


def kinds(db: Database, player: Player) -> list[str]:
    return [one.kind for one in told(db, player)]


def happened(db: Database, game_id: str, kind: str, seat: int | None = None, **detail: Any) -> None:
    with db.transaction() as transaction:
        sequence = games.known(transaction, game_id).sequence
        outbox.add(transaction, game_id, kind, sequence, seat, canonical(detail).decode() if detail else None)


def move(db: Database, game_id: str, seed: int = 1) -> int:
    """A legal move of whoever is asked: their seat."""
    table, _ = positions.load(db, game_id)
    seat = table.acting()[0]
    moves.submit(db, game_id, seat, [sample(table.offers(seat), random.Random(seed))])
    return seat


def waiting(db: Database, game_id: str) -> list[outbox.OutboxRow]:
    with db.session() as session:
        return outbox.of_game(session, game_id)


@pytest.fixture
def running(db: Database) -> tuple[str, list[Player]]:
    """A game of three after its sealed opening, of which everybody has been told."""
    game_id, at_table = make_game(db, people=3)
    pass_on(db, FEED_ALONE)
    play_some(db, game_id, 1)
    pass_on(db, FEED_ALONE)
    return game_id, at_table


def test_opening_reveal_and_turn_are_told_to_whom_they_concern(db: Database, running: tuple[str, list[Player]]) -> None:
    game_id, at_table = running
    table, _ = positions.load(db, game_id)
    (asked,) = table.acting()
    for seat, player in enumerate(at_table):
        expected = ["phase_opened", "revealed"] + (["your_turn"] if seat == asked else [])
        assert kinds(db, player) == expected
    turn = told(db, at_table[asked])[-1]
    assert (turn.sequence, turn.seat, turn.prompt) == (1, asked, table.decisions(asked)[0].prompt)
    assert [one.read_at is not None for one in told(db, at_table[asked])] == [True, False, False]


def test_same_rows_passed_on_thrice_make_one_notice_each(db: Database, running: tuple[str, list[Player]]) -> None:
    game_id, at_table = running
    before = [told(db, player) for player in at_table]
    for _ in range(3):
        for sequence in (0, 1):
            with db.transaction() as transaction:
                outbox.add(transaction, game_id, "moved", sequence)
        pass_on(db, FEED_ALONE)
    assert [told(db, player) for player in at_table] == before
    assert waiting(db, game_id) == []


def test_turn_that_was_played_meanwhile_is_not_told(db: Database, running: tuple[str, list[Player]]) -> None:
    game_id, at_table = running
    before = [len(kinds(db, player)) for player in at_table]
    for seed in range(12):
        move(db, game_id, seed)
    table, _ = positions.load(db, game_id)
    pass_on(db, FEED_ALONE)
    new = [told(db, player)[number:] for player, number in zip(at_table, before, strict=True)]
    asked = set(table.acting())
    assert {seat for seat in range(3) if any(one.kind == "your_turn" for one in new[seat])} == asked
    assert all(one.sequence == table.sequence for some in new for one in some if one.kind == "your_turn")


def test_who_is_asked_still_is_not_told_again(db: Database, running: tuple[str, list[Player]]) -> None:
    game_id, at_table = running
    (asked,) = positions.load(db, game_id)[0].acting()
    before = kinds(db, at_table[asked])
    happened(db, game_id, "sealed")
    pass_on(db, FEED_ALONE)
    assert kinds(db, at_table[asked]) == before


def test_who_has_answered_has_nothing_left_to_read(db: Database, running: tuple[str, list[Player]]) -> None:
    game_id, at_table = running
    seat = move(db, game_id)
    while positions.load(db, game_id)[0].acting() == [seat]:
        move(db, game_id)
    pass_on(db, FEED_ALONE)
    turns = [one for one in told(db, at_table[seat]) if one.kind == "your_turn"]
    assert turns
    assert all(one.read_at for one in turns)


def test_notice_tells_what_happened_since_the_players_own_last_move(
    db: Database, running: tuple[str, list[Player]]
) -> None:
    game_id, at_table = running
    table, _ = positions.load(db, game_id)
    (mover,) = table.acting()
    while positions.load(db, game_id)[0].acting() == [mover]:
        move(db, game_id)
    after_own = positions.load(db, game_id)[0].sequence
    pass_on(db, FEED_ALONE)
    play_some(db, game_id, after_own + 30)
    while mover not in positions.load(db, game_id)[0].acting():
        move(db, game_id)
    pass_on(db, FEED_ALONE)
    turn = told(db, at_table[mover])[-1]
    table, _ = positions.load(db, game_id)
    own_rows = [
        entry.row.number
        for entry in _entries(db, game_id)
        if any(order.seat == mover for order in entry.row.orders) and not entry.row.is_reveal
    ]
    words = [
        sentence
        for entry in _entries(db, game_id)
        if entry.row.number > max(own_rows)
        for sentence in _redacted(table, entry, mover)
    ]
    assert list(turn.sentences) == words[-40:]
    assert turn.omitted == max(0, len(words) - 40)


def _entries(db: Database, game_id: str) -> list[Entry]:
    return replays.entries(db, game_id)


def _redacted(table: Table, entry: Entry, seat: int) -> tuple[str, ...]:
    return redacted(table.game, entry, Viewer(seat), table.words).sentences


def test_nothing_is_told_that_was_rolled_back(db: Database, running: tuple[str, list[Player]]) -> None:
    game_id, at_table = running
    before = kinds(db, at_table[0])

    def fail() -> None:
        with db.transaction() as transaction:
            outbox.add(transaction, game_id, "paused", 1)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    pass_on(db, FEED_ALONE)
    assert kinds(db, at_table[0]) == before


def test_game_that_is_over_is_told_with_its_result(db: Database) -> None:
    game_id, at_table = make_game(db)
    play_some(db, game_id, 10**6)
    pass_on(db, FEED_ALONE)
    for player in at_table:
        last = told(db, player)[-1]
        assert last.kind == "game_over"
        assert last.detail["standings"][0]["place"] == 1
        assert not [one for one in told(db, player) if one.kind == "your_turn" and one.read_at is None]


def test_game_ended_by_its_host_is_told_without_a_result(db: Database, running: tuple[str, list[Player]]) -> None:
    game_id, at_table = running
    with db.transaction() as transaction:
        games.end(transaction, game_id)
    pass_on(db, FEED_ALONE)
    assert all(told(db, player)[-1].kind == "game_over" for player in at_table)
    assert told(db, at_table[0])[-1].detail == {}


def test_what_happens_at_the_table_is_told_to_the_others(db: Database, running: tuple[str, list[Player]]) -> None:
    game_id, at_table = running
    happened(db, game_id, "paused", seat=0)
    happened(db, game_id, "absence", seat=1, until="2030-01-01")
    pass_on(db, FEED_ALONE)
    new = [[kind for kind in kinds(db, player) if kind in ("paused", "absence")] for player in at_table]
    assert new == [["absence"], ["paused"], ["paused", "absence"]]
    away = told(db, at_table[2])[-1]
    assert (away.kind, away.about, away.detail) == ("absence", 1, {"until": "2030-01-01"})
    assert at_table[1].name in away.summary


def test_new_host_and_new_deadline_are_told_to_all(db: Database, running: tuple[str, list[Player]]) -> None:
    game_id, at_table = running
    due_at = datetime(2030, 1, 1, tzinfo=UTC)
    with db.session() as session:
        session.run("update games set due_at = %s where id = %s", due_at, game_id)
    happened(db, game_id, "host_changed", seat=1)
    happened(db, game_id, "deadline_moved")
    pass_on(db, FEED_ALONE)
    said = [told(db, player)[-2:] for player in at_table]
    assert [host.summary for host, _ in said] == [
        f"{at_table[1].name} is the host now.",
        "You are the host now.",
        f"{at_table[1].name} is the host now.",
    ]
    assert {deadline.due_at for _, deadline in said} == {due_at}


def test_reminder_is_for_who_is_still_asked(db: Database, running: tuple[str, list[Player]]) -> None:
    game_id, at_table = running
    (asked,) = positions.load(db, game_id)[0].acting()
    other = (asked + 1) % 3
    for seat in (asked, other):
        happened(db, game_id, "reminder", seat=seat, which="half")
        happened(db, game_id, "reminder", seat=seat, which="half")
    pass_on(db, FEED_ALONE)
    assert kinds(db, at_table[asked])[-1] == "reminder"
    assert kinds(db, at_table[asked]).count("reminder") == 1
    assert "reminder" not in kinds(db, at_table[other])


def test_invitation_by_name_is_told(db: Database) -> None:
    host, guest = make_player(db), make_player(db)
    seats = (NewSeat("me"), NewSeat("invite", name=guest.name), NewSeat("open"))
    with db.transaction() as transaction:
        game_id = games.create(transaction, host, NewGame("airlines-europe", seats)).game.id
    pass_on(db, FEED_ALONE)
    (notice,) = told(db, guest)
    assert (notice.kind, notice.game_id, notice.detail, notice.about) == ("invited", game_id, {"seat": 1}, 0)


def test_deal_that_is_offered_is_told_once_and_not_to_who_may_always_offer(db: Database) -> None:
    game_id, at_table = make_game(db, people=2, ruleset="airline-1975")
    rng = random.Random(3)
    for _ in range(400):
        table, _ = positions.load(db, game_id)
        offers = [(seat, offer) for seat in (0, 1) for offer in table.offers(seat) if offer.move.__name__ == "Offer"]
        pass_on(db, FEED_ALONE)
        if offers:
            break
        asked = table.acting()[0]
        stays = [offer for offer in table.offers(asked) if offer.move.__name__ != "Resign"]
        moves.submit(db, game_id, asked, [sample(stays, rng)])
    assert not any("offered" in kinds(db, player) for player in at_table)
    seat, offer = offers[0]
    moves.submit(db, game_id, seat, [sample([offer], rng)])
    for _ in range(2):
        happened(db, game_id, "moved")
        pass_on(db, FEED_ALONE)
    assert kinds(db, at_table[1 - seat]).count("offered") == 1
    assert "offered" not in kinds(db, at_table[seat])
    assert "accept" in told(db, at_table[1 - seat])[-1].prompt


def test_who_takes_over_a_seat_that_is_asked_is_told(db: Database, running: tuple[str, list[Player]]) -> None:
    game_id, _ = running
    (asked,) = positions.load(db, game_id)[0].acting()
    substitute = make_player(db)
    with db.transaction() as transaction:
        transaction.run(
            "update seats set player_id = %s where game_id = %s and seat = %s", substitute.id, game_id, asked
        )
        outbox.add(transaction, game_id, "replaced", 1, asked)
    pass_on(db, FEED_ALONE)
    assert kinds(db, substitute) == ["your_turn"]


def test_who_has_lost_a_seat_by_being_late_is_told(db: Database, running: tuple[str, list[Player]]) -> None:
    game_id, at_table = running
    with db.transaction() as transaction:
        transaction.run(
            "update seats set player_id = null, left_by = player_id, bot = 'default' where game_id = %s and seat = 0",
            game_id,
        )
        outbox.add(transaction, game_id, "late", 1, 0)
        detail = canonical({"by": "bot", "why": "late", "former": at_table[0].id}).decode()
        outbox.add(transaction, game_id, "replaced", 1, 0, detail)
    pass_on(db, FEED_ALONE)
    late, replaced = told(db, at_table[0])[-2:]
    assert (late.kind, replaced.kind) == ("late", "replaced")
    assert replaced.summary == "A bot plays on in your place. You may return until somebody takes the seat over."
    assert (late.seat, replaced.seat) == (None, None)
    assert (late.sentences, late.prompt, replaced.prompt) == ((), "", ""), "the seat's secrets are another's now"
    assert at_table[0].name in told(db, at_table[1])[-1].summary


def test_turn_that_began_before_a_pause_is_told_after_it(db: Database) -> None:
    game_id, at_table = make_game(db)
    with db.transaction() as transaction:
        games.pause(transaction, game_id)
    pass_on(db, FEED_ALONE)
    assert "phase_opened" not in kinds(db, at_table[0])
    with db.transaction() as transaction:
        games.resume(transaction, game_id)
        if not outbox.of_game(transaction, game_id):
            outbox.add(transaction, game_id, "resumed", 0)
    pass_on(db, FEED_ALONE)
    assert "phase_opened" in kinds(db, at_table[0])


def test_names_are_those_of_now_and_the_forgotten_are_gone(db: Database, running: tuple[str, list[Player]]) -> None:
    game_id, at_table = running
    (asked,) = positions.load(db, game_id)[0].acting()
    reader = at_table[(asked + 1) % 3]
    while positions.load(db, game_id)[0].acting() == [asked]:
        move(db, game_id)
    play_some(db, game_id, positions.load(db, game_id)[0].sequence + 6)
    pass_on(db, FEED_ALONE)
    name = at_table[asked].name

    def said() -> str:
        return " ".join(sentence for one in told(db, reader) for sentence in one.sentences)

    assert name in said()
    with db.transaction() as transaction:
        personal_data.forget(transaction, at_table[asked].id)
    assert name not in said()
    assert f"Seat {asked + 1}" in said()
    assert told(db, at_table[asked]) == []


@pytest.mark.parametrize("rows", [0, 1, 30])
def test_two_worlds_that_a_seat_cannot_tell_apart_give_the_same_notices(db: Database, rows: int) -> None:
    """The position is another one in each, with the same log up to then: what the seat is told is the same."""
    game_id, at_table = make_game(db, people=3)
    play_some(db, game_id, rows, seed=rows)
    pass_on(db, FEED_ALONE)
    table, _ = positions.load(db, game_id)
    rng = random.Random(rows)
    for seat in range(3):
        worlds = []
        for position in (table.position_json, canonical(table.game.imagine(table.view(seat), rng))):
            with db.transaction() as transaction:
                transaction.run("update games set position = %s where id = %s", position.decode(), game_id)
                transaction.run("delete from notices where game_id = %s", game_id)
                transaction.run("delete from asked where game_id = %s", game_id)
                outbox.add(transaction, game_id, "moved", table.sequence)
            CACHE.forget(game_id)
            pass_on(db, FEED_ALONE)
            with db.session() as session:
                worlds.append(
                    session.rows(
                        "select kind, cause, seat, about, sequence, told_up_to, content from notices"
                        " where player_id = %s order by id",
                        at_table[seat].id,
                    )
                )
        assert worlds[0] == worlds[1]
        if seat in table.acting():
            assert worlds[0]


def test_secrets_of_others_are_in_nobodys_notices(db: Database) -> None:
    """Each is told of the same rows; what one has drawn stands in their own notice alone."""
    game_id, at_table = make_game(db, people=3)
    for row in range(1, 60):
        play_some(db, game_id, row)
        pass_on(db, FEED_ALONE)
    table, _ = positions.load(db, game_id)
    for seat, player in enumerate(at_table):
        allowed = {sentence for entry in _entries(db, game_id) for sentence in _redacted(table, entry, seat)}
        said = {sentence for one in told(db, player) for sentence in one.sentences}
        assert said
        assert said <= allowed
        others = {sentence for entry in _entries(db, game_id) for sentence in _redacted(table, entry, seat - 1)}
        assert allowed != others, "there is something to hide"


def test_two_workers_at_once_tell_everything_once_and_in_order(db: Database) -> None:
    tables = [make_game(db, people=3) for _ in range(4)]
    for game_id, _ in tables:
        for row in range(1, 12):
            play_some(db, game_id, row)
    preload_decoders()
    start = threading.Barrier(4)

    def work() -> None:
        start.wait()
        for _ in range(3):
            pass_on(db, FEED_ALONE)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for game_id, at_table in tables:
        assert waiting(db, game_id) == []
        for player in at_table:
            mine = told(db, player)
            assert len({(one.kind, one.sequence) for one in mine}) == len(mine)
            assert [one.sequence for one in mine] == sorted(one.sequence for one in mine)


def test_numbers_of_a_players_notices_come_to_light_in_their_order(db: Database, monkeypatch) -> None:
    """Two workers tell a player of two games: who has read up to the later notice must not miss the earlier one."""
    (first, at_table), (second, _) = make_game(db), make_game(db)
    player = at_table[0]
    with db.session() as session:
        session.run("update seats set player_id = %s where game_id = %s and seat = 0", player.id, second)
    seen: list[int] = []

    def read_on() -> None:
        with db.session() as session:
            seen.extend(one.id for one in watching.notices_after(session, player.id, max(seen, default=0)))

    tell = FanOut.tell

    def tell_while_another_does(self: FanOut) -> None:
        tell(self)
        monkeypatch.setattr(FanOut, "tell", tell)
        pass_on_game(db, FEED_ALONE, second, waiting(db, second))
        read_on()

    monkeypatch.setattr(FanOut, "tell", tell_while_another_does)
    pass_on_game(db, FEED_ALONE, first, waiting(db, first))
    pass_on(db, FEED_ALONE)
    read_on()
    with db.session() as session:
        everything = [one.id for one in feed.page(session, player.id)]
    assert seen == sorted(everything)
    assert {one.game_id for one in told(db, player)} == {first, second}


def test_game_that_another_worker_tells_of_keeps_nobody_waiting(db: Database) -> None:
    (busy, _), (other, at_table) = make_game(db), make_game(db)
    with db.transaction() as transaction:
        assert outbox.hold(transaction, busy)
        outbox.take(transaction, outbox.of_game(transaction, busy))
        pass_on(db, FEED_ALONE)
        assert kinds(db, at_table[0]) == ["phase_opened"]
        assert waiting(db, other) == []
        assert waiting(db, busy)


def test_game_without_its_rules_is_told_of_without_words(db: Database, running: tuple[str, list[Player]]) -> None:
    game_id, at_table = running
    seat = move(db, game_id)
    while positions.load(db, game_id)[0].acting() == [seat]:
        move(db, game_id)
    (asked,) = positions.load(db, game_id)[0].acting()
    with db.transaction() as transaction:
        transaction.run("update games set version = '999' where id = %s", game_id)
    CACHE.forget(game_id)
    pass_on(db, FEED_ALONE)
    assert waiting(db, game_id) == []
    assert kinds(db, at_table[asked])[-1] == "your_turn"
    assert told(db, at_table[asked])[-1].sentences == ()


def test_old_notices_are_tidied_away(db: Database, running: tuple[str, list[Player]]) -> None:
    _, at_table = running
    with db.session() as session:
        session.run(
            "update notices set created_at = now() - interval '91 days' where player_id = %s and kind = 'revealed'",
            at_table[0].id,
        )
    before = kinds(db, at_table[0])
    notices.tidy(db, 90)
    assert kinds(db, at_table[0]) == [kind for kind in before if kind != "revealed"]


def test_kind_that_nobody_wants_is_not_made_and_told_later_with_the_rest(
    db: Database,
) -> None:
    game_id, at_table = make_game(db)
    with db.transaction() as transaction:
        preferences.change(transaction, at_table[0].id, {"kinds": {"revealed": {"channels": []}}})
        preferences.change(transaction, at_table[1].id, {"kinds": {"revealed": {"channels": []}}})
    play_some(db, game_id, 1)
    pass_on(db, FEED_ALONE)
    (asked,) = positions.load(db, game_id)[0].acting()
    assert "revealed" not in kinds(db, at_table[asked])
    assert told(db, at_table[asked])[-1].sentences


# When something goes out

NOON = datetime(2026, 7, 1, 12, 0, tzinfo=UTC)


def test_digest_goes_out_at_its_hour_in_the_players_zone() -> None:
    chosen = preferences.Preferences(
        zone="America/New_York", digest_hour=8, kinds={"press": preferences.Choice(("mail",), "digest")}
    )
    assert chosen.due("press", NOON - timedelta(minutes=1)) == NOON  # 8 in New York, in summer
    assert chosen.due("press", NOON) == NOON + timedelta(days=1)
    assert chosen.due("your_turn", NOON) == NOON


@pytest.mark.parametrize(("hour", "until"), [(21, None), (22, 31), (23, 31), (3, 7), (6, 7), (7, None)])
def test_quiet_hours_last_over_midnight(hour: int, until: int | None) -> None:
    chosen = preferences.Preferences(quiet_hours=preferences.QuietHours(22, 7))
    day = datetime(2026, 1, 5, tzinfo=UTC)
    expected = hour if until is None else until
    assert chosen.due("your_turn", day + timedelta(hours=hour)) == day + timedelta(hours=expected)


def test_digest_in_the_hour_that_summer_time_leaves_out() -> None:
    chosen = preferences.Preferences(zone="Europe/Berlin", digest_hour=2)
    moment = chosen.next_digest(datetime(2026, 3, 28, 12, tzinfo=UTC))
    assert datetime(2026, 3, 29, 0, tzinfo=UTC) < moment <= datetime(2026, 3, 29, 2, tzinfo=UTC)


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../../etc/passwd", "/etc/localtime"])
def test_zone_that_is_none_is_refused(db: Database, zone: str) -> None:
    player = make_player(db)
    with pytest.raises(Invalid, match="There is no zone"), db.transaction() as transaction:
        preferences.change(transaction, player.id, {"zone": zone})
