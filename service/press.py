"""Press: what players write to one another, to all, to some seats, or to themselves.

A message is chained to the one before it: `hash` is SHA-256 of the hash before it, a line end, and the message's
commitment, which is SHA-256 of its content in canonical JSON, a nonce included. So a text that was removed leaves its
hash, and nobody finds it by guessing. While a game lasts, nobody can tell from what they see whether others write to
one another: numbers, and the hashes of others' messages, are told when it is over.
"""

import hashlib
import secrets
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

import msgspec

from referee.contract import canonical
from runtime.wall_clock import now as now_utc
from service.errors import Conflict, Invalid, NotFound, TooMany, WrongStatus
from service.games import GameRow, make_id
from service.idempotency import IdempotencyKey, Once, once
from service.players import known
from store import games, outbox, press
from store.database import Database, Session
from store.press import Block as Block
from store.press import PressRow

FIRST_LINK = "0" * 64
MOST_AN_HOUR = 60  # messages of a player in a game
MOST_IN_A_GAME = 10_000
NONCE_BYTES = 16


class Content(msgspec.Struct, frozen=True):
    """What a message's commitment is made of."""

    game: str
    seat: int
    to: list[int] | None
    note: bool
    text: str
    nonce: str
    sent_at: datetime


class Place(msgspec.Struct, frozen=True):
    """Where a message stands in the chain; told when the game is over."""

    number: int
    commitment: str
    previous: str
    nonce: str | None


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """A message for somebody's eyes. `seat` is None where senders are not named; `to` is None for everybody."""

    id: str
    seat: int | None
    to: list[int] | None
    note: bool
    text: str | None
    removed: bool
    sent_at: datetime
    hash: str | None = None
    place: Place | None = None


class Eyes(msgspec.Struct, frozen=True):
    """Who reads: a player, with a seat perhaps, or a spectator."""

    player_id: int | None = None
    seat: int | None = None


def send_once(
    db: Database,
    game_id: str,
    player_id: int,
    text: str,
    to: list[int] | None = None,
    note: bool = False,
    key: IdempotencyKey | None = None,
) -> Once[Message]:
    """Writes to everybody, to some seats, or as a note to oneself."""

    def again(transaction: Session, message_id: str) -> Message:
        row = press.find(transaction, game_id, message_id)
        assert row is not None
        return shown(row, _game(transaction, game_id), Eyes(player_id, row.seat))

    return once(
        db, key, lambda transaction: send(transaction, game_id, player_id, text, to, note), lambda made: made.id, again
    )


def send(
    transaction: Session,
    game_id: str,
    player_id: int,
    text: str,
    to: list[int] | None = None,
    note: bool = False,
    now: datetime | None = None,
) -> Message:
    game = _game(transaction, game_id)
    seat = games.seat_of(transaction, game_id, player_id)
    if seat is None:
        raise NotFound("You have no seat in this game.")
    _check_allowed(game, to, note)
    to = None if to is None else _readers(transaction, game_id, seat, to)
    before = press.last(transaction, game_id)
    number = before.number + 1 if before else 0
    now = now or now_utc()
    _check_rate(transaction, game_id, player_id, number, now)
    content = Content(game_id, seat, to, note, text, secrets.token_hex(NONCE_BYTES), now)
    commitment, previous = hashlib.sha256(canonical(content)).hexdigest(), before.hash if before else FIRST_LINK
    row = PressRow(
        game_id=game_id,
        number=number,
        id=make_id(),
        player_id=player_id,
        seat=seat,
        readers=to,
        is_note=note,
        text=text,
        nonce=content.nonce,
        sent_at=now,
        commitment=commitment,
        previous=previous,
        hash=link(previous, commitment),
        removed_at=None,
    )
    press.insert(transaction, row)
    if not note:
        detail = canonical({"message": row.id}).decode()
        outbox.add(transaction, game_id, "press", game.sequence, seat, detail)
    return shown(row, game, Eyes(player_id, seat))


def link(previous: str, commitment: str) -> str:
    return hashlib.sha256(f"{previous}\n{commitment}".encode()).hexdigest()


def _check_allowed(game: GameRow, to: list[int] | None, note: bool) -> None:
    if game.press == "none":
        raise Conflict("This game has no press.")
    if note or to is None:
        return
    if game.press == "public":
        raise Conflict("The press of this game is public: write to all.")
    if game.status in ("open", "over"):
        raise WrongStatus(f"The game is {game.status}; until it has begun and after it is over, write to all.")


def _readers(session: Session, game_id: str, seat: int, to: Iterable[int]) -> list[int]:
    at_table = {other.seat for other in games.seats(session, game_id)}
    readers = sorted(set(to) - {seat})
    if not readers:
        raise Invalid("to", "Name a seat beside your own; a note to yourself is sent with `note`.")
    if not at_table.issuperset(readers):
        raise Invalid("to", f"The seats of this game are 0 to {max(at_table)}.")
    return readers


def _check_rate(session: Session, game_id: str, player_id: int, number: int, now: datetime) -> None:
    hour = timedelta(hours=1)
    lately = press.sent_since(session, game_id, player_id, now - hour)
    if len(lately) >= MOST_AN_HOUR:
        wait = max(1, int((lately[-MOST_AN_HOUR] + hour - now).total_seconds()) + 1)
        raise TooMany(f"In a game you may write {MOST_AN_HOUR} messages an hour.", wait)
    if number >= MOST_IN_A_GAME:
        raise Conflict(f"This game has {MOST_IN_A_GAME} messages, and there is no room for more.")


def page(session: Session, game: GameRow, eyes: Eyes, after: str | None = None, limit: int = 100) -> list[Message]:
    """Messages that somebody may read, oldest first, beginning after one of them."""
    start = -1
    if after is not None:
        found = press.number_of(session, game.id, after)
        if found is None:
            raise Invalid("after", "Take `after` from the `next` link of a page.")
        start = found
    rows = press.listing(
        session,
        game.id,
        player_id=eyes.player_id,
        seat=eyes.seat,
        all_but_notes=_is_opened(game),
        heed_blocks=game.press_named,
        after=start,
        limit=limit,
    )
    return [shown(row, game, eyes) for row in rows]


def _is_opened(game: GameRow) -> bool:
    return game.status == "over" and game.press_opens


def shown(row: PressRow, game: GameRow, eyes: Eyes) -> Message:
    """A message for eyes that may read it."""
    is_mine = eyes.player_id == row.player_id
    is_over = game.status == "over"
    return Message(
        id=row.id,
        seat=row.seat if is_mine or game.press_named else None,
        to=row.readers,
        note=row.is_note,
        text=row.text,
        removed=row.removed_at is not None,
        sent_at=row.sent_at,
        hash=row.hash if is_mine or is_over else None,
        place=Place(row.number, row.commitment, row.previous, row.nonce) if is_over else None,
    )


def export(session: Session, game: GameRow, eyes: Eyes) -> Iterator[dict[str, Any]]:
    """Lines of the press: what somebody may read, and of a game that is over the whole chain, with the place alone of
    what is not for their eyes."""
    if game.status != "over":
        start: str | None = None
        while some := page(session, game, eyes, start):
            yield from (msgspec.to_builtins(message) for message in some)
            start = some[-1].id
        return
    readable = {message.id for message in _all_readable(session, game, eyes)}
    for row in press.chain(session, game.id):
        if row.id in readable:
            yield msgspec.to_builtins(shown(row, game, eyes))
        else:
            place = Place(row.number, row.commitment, row.previous, None)
            yield {"hash": row.hash, "place": msgspec.to_builtins(place)}


def _all_readable(session: Session, game: GameRow, eyes: Eyes) -> Iterator[Message]:
    start: str | None = None
    while some := page(session, game, eyes, start):
        yield from some
        start = some[-1].id


def problems(game_id: str, lines: Iterable[dict[str, Any]]) -> Iterator[str]:
    """What is wrong with the exported press of a game that is over: the chain, and each text that is there."""
    previous = FIRST_LINK
    for number, line in enumerate(lines):
        place = line["place"]
        if place["number"] != number or place["previous"] != previous:
            yield f"Line {number + 1} does not follow the one before it."
        if line["hash"] != link(place["previous"], place["commitment"]):
            yield f"Line {number + 1} does not have the hash of its commitment."
        previous = line["hash"]
        if line.get("text") is not None and line.get("seat") is not None:
            sent_at = datetime.fromisoformat(line["sent_at"])
            content = Content(
                game_id, line["seat"], line["to"], line["note"], line["text"], place["nonce"] or "", sent_at
            )
            if hashlib.sha256(canonical(content)).hexdigest() != place["commitment"]:
                yield f"Line {number + 1} is not what was committed to."


def remove(transaction: Session, game: GameRow, player_id: int, message_id: str) -> None:
    """The host takes a text away, or its author does; the hash stays."""
    row = press.find(transaction, game.id, message_id)
    is_mine = row is not None and row.player_id == player_id
    if row is None or not (is_mine or (game.host == player_id and not row.is_note)):
        raise NotFound("There is no such message, or it is not yours to remove.")
    press.remove(transaction, game.id, message_id)


def _game(session: Session, game_id: str) -> GameRow:
    game = games.find(session, game_id)
    if game is None:
        raise NotFound("There is no such game.")
    return game


class Written(msgspec.Struct, frozen=True):
    """A message that a player has sent."""

    game: str
    message: Message


def written(session: Session, player_id: int) -> list[Written]:
    """All that a player has written, in every game."""
    rows = press.of_player(session, player_id)
    known_games = {game_id: _game(session, game_id) for game_id in {row.game_id for row in rows}}
    return [Written(row.game_id, shown(row, known_games[row.game_id], Eyes(player_id))) for row in rows]


def block(transaction: Session, player_id: int, blocked_id: int) -> list[Block]:
    if player_id == blocked_id:
        raise Invalid("player", "You cannot block yourself.")
    known(transaction, blocked_id)
    press.block(transaction, player_id, blocked_id)
    return press.blocks(transaction, player_id)


def unblock(transaction: Session, player_id: int, blocked_id: int) -> None:
    press.unblock(transaction, player_id, blocked_id)


def blocks(session: Session, player_id: int) -> list[Block]:
    return press.blocks(session, player_id)
