"""From what has happened to what each player is told: a worker empties the outbox into notices.

An outbox row is written in the transaction of what it tells of, so nothing is told that was rolled back. A notice has
its cause in its key, so nothing is told twice. One worker at a time passes on what happened in a game, in its order, in
one transaction: dies it in the middle, the next begins anew.
"""

import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import msgspec
import structlog

from referee.contract import digest
from referee.errors import RecordError
from referee.table import Table
from runtime.wall_clock import now as now_utc
from service.channels import Channels
from service.errors import ServiceError, Unavailable, WrongStatus
from service.positions import look
from service.preferences import FEED, Preferences, players_with_preferences
from service.telling import Content, Story, with_marks
from service.ways import Places, places, ways
from store import notices, outbox, press
from store.database import Database, Session
from store.notices import NewNotice, Situation
from store.outbox import OutboxRow
from store.players import Player

log = structlog.get_logger("waybill.notices")

BUSY_SECONDS = 2.0  # before others in the queue get their turn
# After these somebody may be asked who was not asked before.
MAY_ASK = frozenset({"moved", "sealed", "resumed", "replaced", "returned", "left", "late", "undone", "standing"})
ASKING = ("your_turn", "phase_opened", "reminder", "offered")  # notices that an answer makes superfluous
# Told to everybody at the table but the one it is about, who has done it or was told otherwise.
TO_THE_OTHERS = frozenset(
    {
        "joined",
        "left",
        "replaced",
        "returned",
        "substitute_wanted",
        "paused",
        "resumed",
        "absence",
        "deadline_moved",
        "host_changed",
        "undo_asked",
        "undone",
    }
)


NAMED = ("former", "substitute")  # players without a seat whom the detail of a row may name: they are told as well


class Asked(msgspec.Struct, frozen=True):
    """What a seat is asked: in which phase, or by which offer, since which row, and who sits there."""

    what: str
    since: int
    player: int | None


class AskedSeats(msgspec.Struct, frozen=True):
    """Whom a game has been seen to ask: for a decision that it waits for, or with an offer."""

    turns: dict[int, Asked] = {}
    offers: dict[int, Asked] = {}


class Question(msgspec.Struct, frozen=True):
    """What a game asks a seat now."""

    what: str
    kind: str
    prompt: str


def pass_on(
    db: Database, channels: Channels, clock: Callable[[], datetime] = now_utc, seconds: float | None = None
) -> int:
    """Empties the outbox into notices, as far as it comes in so many seconds: how many rows were passed on."""
    total, end = 0, time.monotonic() + (BUSY_SECONDS if seconds is None else seconds)
    while True:
        with db.session() as session:
            rows = outbox.waiting(session)
        by_game: dict[str, list[OutboxRow]] = {}
        for row in rows:
            by_game.setdefault(row.game_id, []).append(row)
        done = 0
        for game_id, some in by_game.items():
            if time.monotonic() < end:
                done += _pass_on_or_log(db, channels, game_id, some, clock())
        total += done
        if not done or len(rows) < outbox.PASSED_ON_AT_ONCE:
            return total


def _pass_on_or_log(db: Database, channels: Channels, game_id: str, rows: list[OutboxRow], now: datetime) -> int:
    """One game that cannot be told of does not keep the others waiting; its rows stay, and are seen in /metrics."""
    try:
        return pass_on_game(db, channels, game_id, rows, now)
    except Unavailable:
        raise
    except Exception:
        log.exception("not passed on", game=game_id, rows=len(rows))
        return 0


def pass_on_game(
    db: Database, channels: Channels, game_id: str, rows: Sequence[OutboxRow], now: datetime | None = None
) -> int:
    """Makes notices of what happened in a game; how many of the rows nobody else has passed on."""
    with db.transaction() as transaction:
        if not outbox.hold(transaction, game_id):
            return 0
        situation = notices.situation(transaction, game_id)
        if not notices.hold_players(transaction, _concerned(situation, rows)):
            return 0  # another worker tells one of them of another game: a moment later then
        taken = outbox.take(transaction, rows)
        if taken:
            FanOut(transaction, channels, situation, taken, now or now_utc()).tell()
        return len(taken)


def _concerned(situation: Situation, rows: Sequence[OutboxRow]) -> set[int]:
    """Everybody who may be told of something."""
    named = [_detail(row).get(name) for row in rows for name in NAMED]
    everybody = *situation.game.people, *situation.invited, *situation.left_by, situation.game.host, *named
    return {player_id for player_id in everybody if player_id is not None}


class FanOut:
    """One game's rows on their way to its players. What all of them need is read once."""

    def __init__(
        self, transaction: Session, channels: Channels, found: Situation, rows: Sequence[OutboxRow], now: datetime
    ) -> None:
        self.transaction = transaction
        self.channels = channels
        self.rows = rows
        self.now = now
        self.game = found.game
        self.people = _by_seat(found.game.people)
        self.invited = _by_seat(found.invited)
        self.left = _by_seat(found.left_by)
        self.before = _decoded(found.asked)
        self.told_up_to = found.told_up_to
        self.table = self._table()
        self._known: dict[int, tuple[Player, Preferences]] = {}
        self._read_story: Story | None = None
        self._places: dict[int, Places] | None = None

    def tell(self) -> None:
        last = max((row.id for row in self.rows if row.kind in MAY_ASK), default=None)
        for row in self.rows:
            match row.kind:
                case "moved":
                    self._reveal(row)
                case "sealed" | "standing":
                    pass
                case "standing_dropped":
                    self._tell_of_dropped(row)
                case "ended":
                    self._over(row)
                case "invited":
                    self._invite(row)
                case "declined":
                    self._tell_host(row)
                case "press":
                    self._press(row)
                case "reminder":
                    self._remind(row)
                case "late":
                    self._tell_the_late(row)
                case "bounced":
                    self._tell_of_bounce(row)
                case kind if kind in TO_THE_OTHERS:
                    self._tell_others(row)
                case _:
                    log.warning("nobody is told of this kind", kind=row.kind, game=self.game.id)
            if row.id == last:
                self._ask_whom_it_waits_for(row)

    def _table(self) -> Table | None:
        """The game now; None if it has not started, or if its rules are not here: then it is told of without words."""
        try:
            return look(self.transaction, self.game.id)[0]
        except WrongStatus:
            return None
        except (ServiceError, RecordError) as error:
            log.warning("told without words", game=self.game.id, reason=str(error))
            return None

    @property
    def story(self) -> Story | None:
        """The rows that somebody has not been told of, or that tell whether a seat has answered."""
        if self._read_story is None and self.table:
            told = [self.told_up_to.get(player_id, -1) for player_id in self.people.values()]
            asked = [asked.since for asked in (*self.before.turns.values(), *self.before.offers.values())]
            new = [row.sequence - 1 for row in self.rows if row.kind == "moved"]
            after = min([*told, *asked, *new], default=-1)
            self._read_story = Story(self.transaction, self.game.id, self.table, after)
        return self._read_story

    # What happens in play

    def _reveal(self, row: OutboxRow) -> None:
        if self.people and self.story and self.story.is_reveal(row.sequence):
            for seat in self.people:
                self._tell_seat(seat, "revealed", f"revealed:{row.sequence}", row, with_story=True)

    def _ask_whom_it_waits_for(self, row: OutboxRow) -> None:
        """Whom the game asks now, as far as they do not know it; or that it is over."""
        if self.game.status == "paused":
            return
        if self.game.status == "over":
            notices.mark_answered(self.transaction, self.game.id, list(self.people), ASKING)
            if self.table and self.table.is_over:
                self._over(row)
            return
        turns, offers = self._questions()
        sequence = self.table.sequence if self.table else self.game.sequence
        now = AskedSeats(
            {seat: self._asked(seat, one, self.before.turns.get(seat), sequence) for seat, one in turns.items()},
            {seat: self._asked(seat, one, self.before.offers.get(seat), sequence) for seat, one in offers.items()},
        )
        answered = [seat for seat, asked in self.before.turns.items() if now.turns.get(seat) != asked]
        if answered:
            notices.mark_answered(self.transaction, self.game.id, answered, ASKING)
        for seat, question in turns.items():
            if now.turns[seat] != self.before.turns.get(seat):
                kind = "phase_opened" if question.kind == "sealed" else "your_turn"
                self._ask(seat, kind, f"turn:{now.turns[seat].since}", question, row, sequence)
        for seat, question in offers.items():
            if now.offers[seat] != self.before.offers.get(seat):
                cause = f"offer:{now.offers[seat].since}:{question.what}"
                self._ask(seat, "offered", cause, question, row, sequence)
        if now != self.before:
            notices.set_asked(self.transaction, self.game.id, msgspec.json.encode(now).decode())

    def _questions(self) -> tuple[dict[int, Question], dict[int, Question]]:
        """What the game waits for, by seat, and what is put to a seat without waiting for it."""
        held_back = self.game.held_back  # their standing orders may have an answer: first these are tried
        if self.table is None:
            return {seat: Question("", "open", "") for seat in self.game.to_act if seat not in held_back}, {}
        acting = [seat for seat in self.table.acting() if seat not in held_back]
        position, offers = self.table.position, {}
        turns = {
            decision.seat: Question(decision.phase, decision.kind, with_marks(decision.prompt))
            for decision in self.table.game.decisions(position)
            if decision.required and decision.seat in acting
        }
        for phase in self.table.game.open_phases(position):
            if not phase.required:
                for seat in phase.seats(position):
                    if seat not in held_back and phase.is_put_to(position, seat):
                        prompt = phase.prompt(position, seat)
                        what = f"{phase.name}:{digest(prompt)[:16]}"
                        offers[seat] = Question(what, phase.kind, with_marks(prompt))
        return turns, offers

    def _asked(self, seat: int, question: Question, before: Asked | None, sequence: int) -> Asked:
        """The same as before, unless the seat has answered since or is asked something else."""
        player_id = self.people.get(seat)
        is_same = before is not None and (before.what, before.player) == (question.what, player_id)
        if before and is_same and not (self.story and self.story.last_move(seat) > before.since):
            return before
        return Asked(question.what, sequence, player_id)

    def _ask(self, seat: int, kind: str, cause: str, question: Question, row: OutboxRow, sequence: int) -> None:
        due_at = self.game.due_at if kind != "offered" else None
        why, answers_at = self._standing(seat)
        self._tell_seat(
            seat,
            kind,
            cause,
            row,
            prompt=question.prompt,
            due_at=due_at,
            detail={"standing_answers_at": answers_at} if answers_at else None,
            sequence=sequence,
            with_story=True,
            more=why,
        )

    def _standing(self, seat: int) -> tuple[list[str], str | None]:
        """Why no standing order of a seat has answered, and when one will."""
        tried = next((row for row in reversed(self.rows) if row.kind == "standing"), None)
        if tried is None or tried.sequence != self.game.sequence:
            return [], None
        found = _detail(tried)
        why = [f"Your standing order did not answer: {reason}" for reason in found["reasons"].get(str(seat), ())]
        return why, found["later"].get(str(seat))

    def _remind(self, row: OutboxRow) -> None:
        """Unless the seat has answered meanwhile."""
        if row.seat is None or self.game.status != "running":
            return
        turns, _ = self._questions()
        if row.seat in turns:
            which = _detail(row).get("which", "")
            cause = f"reminder:{row.sequence}:{row.seat}:{which}"
            prompt, due_at = turns[row.seat].prompt, self.game.due_at
            self._tell_seat(row.seat, "reminder", cause, row, prompt=prompt, due_at=due_at, detail=_detail(row))

    def _over(self, row: OutboxRow) -> None:
        detail: dict[str, Any] = {}
        if self.table and self.table.is_over:
            game, ending = self.table.game, self.table.ending
            standings = game.standings(self.table.position, self.table.viewer(None))
            detail = {"ending": ending, "how": game.endings[ending], "standings": msgspec.to_builtins(standings)}
        for seat in self.people:
            self._tell_seat(seat, "game_over", "over", row, detail=detail, with_story=self.table is not None)

    # What happens around it

    def _invite(self, row: OutboxRow) -> None:
        """To a seat of a game that is open, or in play in the place of a bot."""
        player_id = self.invited.get(row.seat) if row.seat is not None else None
        if player_id is not None and self.game.status != "over" and row.seat not in self.people:
            about = next((seat for seat, one in self.people.items() if one == self.game.host), None)
            cause = f"invited:{row.seat}" if self.game.status == "open" else f"invited:{row.seat}:{row.id}"
            detail = {**_detail(row), "seat": row.seat}
            self._tell(player_id, None, "invited", cause, row, about, Content(detail=detail))

    def _tell_host(self, row: OutboxRow) -> None:
        """Of what concerns who has opened the game alone."""
        host = self.game.host
        if host is not None:
            seat = next((seat for seat, one in self.people.items() if one == host), None)
            content = Content(detail={**_detail(row), "seat": row.seat})
            self._tell(host, seat, row.kind, f"{row.kind}:{row.id}", row, None, content)

    def _tell_others(self, row: OutboxRow) -> None:
        cause, detail = f"{row.kind}:{row.id}", _detail(row)
        due_at = self.game.due_at if row.kind == "deadline_moved" else None
        # One becomes the host, or gets a seat after the cool-off, without having asked for it in that moment.
        is_news_to_all = row.kind == "host_changed" or (row.kind, detail.get("by")) == ("replaced", "player")
        for seat in self.people:
            if seat != row.seat or is_news_to_all:
                self._tell_seat(seat, row.kind, cause, row, about=row.seat, due_at=due_at, detail=detail)
        self._tell_without_a_seat(row, cause, detail)
        host = self.game.host
        if host is not None and host not in self.people.values() and self.game.status == "open":
            self._tell(host, None, row.kind, cause, row, row.seat, Content(detail=_detail(row)))

    def _tell_without_a_seat(self, row: OutboxRow, cause: str, detail: dict[str, Any]) -> None:
        """Who had the seat learns that it went to a bot, that a substitute has come, and that it is gone for good; and
        a substitute who waited for it that its player is back."""
        for name in NAMED:
            player_id = detail.get(name)
            if player_id is not None and player_id not in self.people.values():
                kind = "replaced" if name == "former" else row.kind
                content = Content(detail={**detail, "yours": True})
                self._tell(player_id, None, kind, cause, row, row.seat, content)

    def _tell_the_late(self, row: OutboxRow) -> None:
        """Also who has lost the seat by it: then it is the former player's to know."""
        if row.seat is not None:
            player_id = self.people.get(row.seat) or self.left.get(row.seat)
            if player_id is not None:
                cause = f"late:{row.sequence}:{row.seat}"
                self._tell(player_id, row.seat, "late", cause, row, row.seat, Content(detail=_detail(row)))

    def _tell_of_bounce(self, row: OutboxRow) -> None:
        """To whom mail cannot be sent, by whatever else they have."""
        detail = _detail(row)
        content = Content(detail={"reason": detail["reason"]})
        self._tell(detail["player"], row.seat, "bounced", f"bounced:{row.id}", row, None, content)

    def _tell_of_dropped(self, row: OutboxRow) -> None:
        """To its owner alone."""
        if row.seat is not None:
            found = _detail(row)
            why = f"“{found['order']}” is dropped: {found.pop('reason')}"
            self._tell_seat(row.seat, row.kind, f"{row.kind}:{row.id}", row, detail=found, more=[why])

    def _press(self, row: OutboxRow) -> None:
        message_id = _detail(row)["message"]
        found = press.to_whom(self.transaction, row.game_id, message_id)
        for player_id, seat, from_seat in found:
            content = Content(detail={"message": message_id})
            self._tell(player_id, seat, "press", f"press:{message_id}", row, from_seat, content)

    # Telling

    def _tell_seat(
        self,
        seat: int,
        kind: str,
        cause: str,
        row: OutboxRow,
        *,
        about: int | None = None,
        prompt: str = "",
        due_at: datetime | None = None,
        detail: dict[str, Any] | None = None,
        sequence: int | None = None,
        with_story: bool = False,
        more: Sequence[str] = (),
    ) -> None:
        """Tells the person at a seat, if there is one; `more` are sentences for them alone."""
        player_id = self.people.get(seat)
        if player_id is None:
            return
        sequence = row.sequence if sequence is None else sequence
        content, told_up_to = Content(prompt=prompt, due_at=due_at, detail=detail or {}), -1
        if with_story and self.story:
            sentences, omitted = self.story.since(seat, self.told_up_to.get(player_id, -1), sequence)
            content = msgspec.structs.replace(content, sentences=sentences, omitted=omitted)
            told_up_to = sequence
        if more:
            content = msgspec.structs.replace(content, sentences=(*content.sentences, *more))
        self._tell(player_id, seat, kind, cause, row, about, content, sequence, told_up_to)

    def _tell(
        self,
        player_id: int,
        seat: int | None,
        kind: str,
        cause: str,
        row: OutboxRow,
        about: int | None,
        content: Content,
        sequence: int | None = None,
        told_up_to: int = -1,
    ) -> None:
        known = self._player(player_id)
        if known is None:
            return
        player, preferences = known
        deliveries = ways(self.channels, player, preferences, self.places(player_id), kind, self.game.id, self.now)
        if not deliveries:
            return
        is_new = notices.insert(
            self.transaction,
            NewNotice(
                player_id=player_id,
                game_id=self.game.id,
                cause=cause,
                kind=kind,
                seat=seat,
                about=about,
                sequence=row.sequence if sequence is None else sequence,
                told_up_to=told_up_to,
                content=msgspec.json.encode(content).decode(),
                in_feed=FEED in preferences.choice(kind).channels,
                happened_at=row.created_at,
            ),
            deliveries,
        )
        if is_new:
            self.told_up_to[player_id] = max(told_up_to, self.told_up_to.get(player_id, -1))

    def places(self, player_id: int) -> Places:
        if self._places is None:
            self._places = places(self.transaction, self.channels, {player_id, *self.people.values()})
        elif player_id not in self._places:
            self._places |= places(self.transaction, self.channels, {player_id})
        return self._places[player_id]

    def _player(self, player_id: int) -> tuple[Player, Preferences] | None:
        """A player with their preferences; those at the table are read together. None for one who was forgotten."""
        if player_id not in self._known:
            ids = list({player_id, *self.people.values()} - self._known.keys())
            for player, preferences in players_with_preferences(self.transaction, ids):
                self._known[player.id] = player, preferences
        return self._known.get(player_id)


def tell_player(
    transaction: Session, channels: Channels, player_id: int, kind: str, cause: str, content: Content, now: datetime
) -> None:
    """Tells a player of something that is about no game."""
    for player, preferences in players_with_preferences(transaction, [player_id]):
        theirs = places(transaction, channels, {player_id})[player_id]
        deliveries = ways(channels, player, preferences, theirs, kind, "", now)
        notice = NewNotice(
            player_id=player_id,
            game_id="",
            cause=cause,
            kind=kind,
            seat=None,
            about=None,
            sequence=-1,
            told_up_to=-1,
            content=msgspec.json.encode(content).decode(),
            in_feed=FEED in preferences.choice(kind).channels,
            happened_at=now,
        )
        if deliveries:
            notices.insert(transaction, notice, deliveries)


def _by_seat(players: Sequence[int | None]) -> dict[int, int]:
    return {seat: player_id for seat, player_id in enumerate(players) if player_id is not None}


def _detail(row: OutboxRow) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(row.detail) if row.detail else {}
    return found


def _decoded(text: str | None) -> AskedSeats:
    return msgspec.json.decode(text, type=AskedSeats) if text else AskedSeats()


def tidy(db: Database, days: int) -> None:
    """Drops old notices, read or not."""
    with db.session() as session:
        while notices.tidy(session, days) == notices.FORGOTTEN_AT_ONCE:
            pass
