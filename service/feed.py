"""A player's notices as they are shown: with the names of now, and with press as far as it may still be read."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from referee.games import all_games
from service.errors import NotFound
from service.telling import Content, named
from store import deliveries, notices, press
from store.database import Session
from store.deliveries import DeliveryRow
from store.notices import GameAsTold, NoticeRow

SUMMARIES = {
    "your_turn": "It is your turn.",
    "phase_opened": "A sealed phase is open: your move goes into an envelope.",
    "revealed": "The envelopes are open.",
    "offered": "Something is offered to you.",
    "reminder": "The game still waits for you.",
    "late": "Your time was up, and the referee has played for you.",
    "standing_dropped": "One of your standing orders could not be carried out, and is dropped.",
    "press": "{who} has written.",
    "invited": "You are invited to take a seat.",
    "declined": "An invitation to your game was declined.",
    "joined": "{who} has taken a seat.",
    "left": "{who} has left.",
    "replaced": "{who} plays on in another's place.",
    "returned": "{who} is back.",
    "substitute_wanted": "For {who} a substitute is wanted.",
    "paused": "The game is paused.",
    "resumed": "The game goes on.",
    "absence": "{who} will be away.",
    "deadline_moved": "The deadline has moved.",
    "host_changed": "{who} is the host now.",
    "undo_asked": "{who} asks to take a move back.",
    "undone": "A move was taken back.",
    "game_over": "The game is over.",
    "bounced": "Mail to your address came back, so no more is sent there.",
    "webhook_off": "A webhook of yours is switched off.",
}


ABOUT_YOURSELF = {"replaced": "The seat is yours now: you play on.", "host_changed": "You are the host now."}
# For who had a seat, or was to have it.
ONCE_YOURS = {
    "replaced by bot": "A bot plays on in your place. You may return until somebody takes the seat over.",
    "replaced": "{who} plays on in your place.",
    "replaced soon": "Somebody is to play on in your place. Until then you may return.",
    "returned": "{who} is back, and plays on. You are not needed any more.",
}
BY_A_BOT = "A bot plays on for {who}."
PLAYS_ON = "You are asked to play on for {who}."


NO_GAME = GameAsTold("", "", "", "", None, -1, [], None, [], [], [])  # of a notice that is about none


class PressTold(msgspec.Struct, frozen=True):
    """A message that a notice tells of. Without a text, it was removed."""

    id: str
    seat: int | None
    text: str | None


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """A notice in words. `id` stays the same however often it is delivered. `seat` is the player's own, as long as it
    is: who has lost it is shown nothing by it."""

    id: int
    kind: str
    game_id: str
    ruleset: str
    game: str
    title: str
    seat: int | None
    about: int | None
    sequence: int
    summary: str
    sentences: tuple[str, ...]
    omitted: int
    prompt: str
    due_at: datetime | None
    detail: dict[str, Any]
    press: PressTold | None
    created_at: datetime
    read_at: datetime | None


def page(
    session: Session,
    player_id: int,
    *,
    unread: bool = False,
    game_id: str | None = None,
    after: tuple[bool, int] | None = None,
    limit: int = 50,
) -> list[Told]:
    """Notices, unread ones first."""
    rows = notices.feed(session, player_id, unread=unread, game_id=game_id, after=after, limit=limit)
    return in_words(session, rows)


def unread(session: Session, player_id: int) -> int:
    return notices.unread(session, player_id)


def mark_read(
    session: Session,
    player_id: int,
    *,
    ids: Sequence[int] | None = None,
    game_id: str | None = None,
    up_to: int | None = None,
) -> int:
    """How many are unread then. What is not the player's, or not there any more, changes nothing."""
    notices.mark_read(session, player_id, ids=ids, game_id=game_id, up_to=up_to)
    return notices.unread(session, player_id)


def all_of(session: Session, player_id: int) -> list[Told]:
    return in_words(session, notices.of_player(session, player_id))


def deliveries_of(session: Session, player_id: int, notice_id: int) -> list[DeliveryRow]:
    if notices.find(session, player_id, notice_id) is None:
        raise NotFound("You have no such notice, or not any more.")
    return deliveries.of_notice(session, notice_id)


def in_words(session: Session, rows: Sequence[NoticeRow]) -> list[Told]:
    """Notices of one player."""
    games = notices.games_as_told(session, {row.game_id for row in rows})
    contents = [msgspec.json.decode(row.content, type=Content) for row in rows]
    messages = [content.detail["message"] for content in contents if "message" in content.detail]
    texts = press.texts(session, rows[0].player_id, games.keys(), messages) if messages else {}
    return [
        _told(row, content, games.get(row.game_id, NO_GAME), texts) for row, content in zip(rows, contents, strict=True)
    ]


def _told(row: NoticeRow, content: Content, game: GameAsTold, texts: Mapping[str, str]) -> Told:
    message = content.detail.get("message") if row.kind == "press" else None
    seat = row.seat if row.seat is not None and game.people[row.seat] == row.player_id else None
    return Told(
        id=row.id,
        kind=row.kind,
        game_id=row.game_id,
        ruleset=game.ruleset,
        game=all_games()[game.ruleset].name if game.ruleset in all_games() else game.ruleset,
        title=game.title,
        seat=seat,
        about=row.about,
        sequence=row.sequence,
        summary=_summary(row, content.detail, game.names),
        sentences=tuple(named(sentence, game.names) for sentence in content.sentences),
        omitted=content.omitted,
        prompt=named(content.prompt, game.names),
        due_at=content.due_at,
        detail=content.detail,
        press=PressTold(message, row.about, texts.get(message)) if message else None,
        created_at=row.created_at,
        read_at=row.read_at,
    )


def _summary(row: NoticeRow, detail: Mapping[str, Any], names: Sequence[str]) -> str:
    if row.kind == "test":
        return "This is a test of your webhook."
    who = names[row.about] if row.about is not None else ""
    said = row.kind
    if said == "replaced" and detail.get("by") != "player":
        said += " by bot" if "by" in detail else " soon"
    sentence = SUMMARIES.get(row.kind, "Something has happened.")
    if said == "replaced by bot":
        sentence = BY_A_BOT
    if detail.get("yours"):
        sentence = ONCE_YOURS[said]
    elif row.kind == "invited" and detail.get("plays_on"):
        sentence, who = PLAYS_ON, names[detail["seat"]]
    elif row.about is not None and row.about == row.seat:
        sentence = ABOUT_YOURSELF.get(row.kind, sentence)
    return sentence.format(who=who or "Somebody")
