"""The orders of a mail as one submission, and what is answered: the first line says what became of it, then how it was
read, what was wrong and what would be right, and the table as it is now."""

import hashlib
from collections.abc import Sequence

import msgspec

from mail.letters import Answer, MenuLine
from referee.errors import OrderError
from referee.moves import read_move
from referee.orders.notation import format_move
from referee.table import Outcome, Table
from service import mail_commands, moves, positions, replays
from service.errors import ServiceError
from service.idempotency import kept_answer
from service.mail_commands import Guest, Speaker, Writer
from service.mail_out import orders
from service.work import Work
from store import games, mail
from store.database import Database
from store.idempotency import Answer as KeptAnswer
from store.idempotency import IdempotencyKey
from store.players import Player

LOOKED_BACK = 200  # rows of the log, for a move of who answers an old mail

ACCEPTED = "ACCEPTED: your orders stand, and your turn is complete."
UNFINISHED = "ACCEPTED: your orders stand, but your turn is not finished."
SEALED = "ACCEPTED: your order is in its envelope. You may replace it until the others are in."
CHECKED = "CHECKED: your orders would stand. Nothing was done."
REFUSED = "NOT ACCEPTED: nothing changed."
OVERTAKEN = "In your envelope is an order that you wrote later than this one, so it stays. To replace it, write again."
SINCE_THEN = (
    "You have moved since, so these orders would be for another turn. Below is the table of now; answer this mail."
)
READ = "READ: nothing was ordered."
DONE = "DONE: nothing was ordered, but something was changed, as told below."
ORDERS_REFUSED = "NOT ACCEPTED: none of your orders was played. What else was changed is told below."


class Done(msgspec.Struct, frozen=True):
    """What became of a mail; `answer` goes to the player, if anything is to be said."""

    outcome: str
    player: Player | None = None
    answer: Answer | None = None
    work: Work | None = None
    guest: Guest | None = None  # in place of a player


def _why_late(db: Database, mail_id: int, speaker: Speaker) -> str:
    """Why orders come too late to be what their sender means now; empty if they do not. A mail that was under way for
    long, or overtaken by another, must not be taken for an answer to what is asked now."""
    table, _ = positions.load(db, speaker.game.id)
    if speaker.seat in table.sealed:
        with db.session() as session:
            return OVERTAKEN if mail.was_overtaken(session, mail_id) else ""
    if speaker.row is None or speaker.row >= table.sequence:
        return ""
    after = max(speaker.row, table.sequence - LOOKED_BACK)
    since = replays.entries(db, speaker.game.id, after, LOOKED_BACK)
    moved = any((order.seat, order.by) == (speaker.seat, "player") for entry in since for order in entry.row.orders)
    return f"The mail that you answered showed the table after row {speaker.row}. {SINCE_THEN}" if moved else ""


def submit(db: Database, mail_id: int, speaker: Speaker, lines: Sequence[str], is_check: bool) -> Done:
    """The orders of a mail as one submission."""
    text = "\n".join(lines)
    key = IdempotencyKey(
        f"player:{speaker.player.id}", f"mail-in-{mail_id:012d}", hashlib.sha256(text.encode()).hexdigest()
    )

    try:
        if not is_check and (late := _why_late(db, mail_id, speaker)) and kept_answer(db, speaker.game.id, key) is None:
            return Done("late", speaker.player, with_table(db, speaker, REFUSED, [late]))
    except ServiceError as error:
        return Done("refused", speaker.player, with_table(db, speaker, REFUSED, [str(error)]))

    def keep_verdict(table: Table, outcome: Outcome) -> KeptAnswer:
        verdict, parts = _told(table, outcome, speaker.seat)
        return KeptAnswer(200, msgspec.json.encode([verdict, parts]).decode())

    try:
        made = moves.submit(
            db,
            speaker.game.id,
            speaker.seat,
            text,
            holder=speaker.player.id,
            key=None if is_check else key,
            answer=keep_verdict,
            dry_run=is_check,
        )
    except OrderError as error:
        return Done("refused", speaker.player, with_table(db, speaker, REFUSED, _why(db, speaker, error, lines)))
    except ServiceError as error:
        return Done("refused", speaker.player, with_table(db, speaker, REFUSED, [str(error)]))
    if is_check:
        assert made.outcome is not None
        readings = [f"  {reading}" for reading in made.outcome.readings]
        return Done("checked", speaker.player, answer_to(speaker, CHECKED, ["\n".join(["Read as:", *readings])]))
    assert made.answer is not None
    verdict, parts = msgspec.json.decode(made.answer.body)
    return Done("played", speaker.player, with_table(db, speaker, verdict, parts), made.work)


def _told(table: Table, outcome: Outcome, seat: int) -> tuple[str, list[str]]:
    """The verdict, and how the orders were read and what came of them."""
    readings = "\n".join(["Read as:", *(f"  {reading}" for reading in outcome.readings)])
    if outcome.receipt:
        return SEALED, [readings, f"The commitment to it is {outcome.receipt.commitment}."]
    happened = [sentence for entry in outcome.entries for sentence in mail_commands.sentences(table, entry, seat)]
    parts = [readings, "\n".join(happened)]
    if outcome.refused:
        parts.append(f"What followed was left out: {outcome.refused.message}")
    return UNFINISHED if seat in table.acting() else ACCEPTED, parts


def _why(db: Database, speaker: Speaker, error: OrderError, lines: Sequence[str]) -> list[str]:
    """What was wrong with which line, the rule, and what was probably meant."""
    parts = []
    if error.index is not None and error.index < len(lines):
        parts.append(f"This line: {lines[error.index][:200]}")
    parts.append(f"{error.message}{f' ({error.rule})' if error.rule else ''}")
    if error.readings:
        parts.append("\n".join(["It can mean:", *(f"  {reading}" for reading in error.readings[:8])]))
    elif error.nearest:
        game = positions.load(db, speaker.game.id)[0].game
        parts.append(f"You may order, for instance:\n  {format_move(game, read_move(game, error.nearest))}")
    return parts


def with_table(db: Database, speaker: Writer, verdict: str, parts: Sequence[str]) -> Answer:
    """An answer with the position as it is now, and what may be ordered."""
    answer = answer_to(speaker, verdict, parts)
    if not isinstance(speaker, Speaker):
        return answer
    try:
        table, _ = positions.load(db, speaker.game.id)
    except ServiceError:
        return answer
    lines: list[MenuLine] = []
    if not table.is_over and speaker.seat in table.acting():
        lines, _ = orders(table, speaker.seat)
    with db.session() as session:
        game = games.find(session, speaker.game.id)
    return msgspec.structs.replace(
        answer,
        board=table.game.text(table.view(speaker.seat)).strip(),
        menu=lines,
        due_at=game.due_at if game else None,
        head=table.head,
        sequence=table.sequence,
    )


def with_head(db: Database, sender: Writer, answer: Answer) -> Answer:
    """With where the game stands, and until when it waits for the sender."""
    if not isinstance(sender, Speaker):
        return answer
    try:
        table, status = positions.load(db, sender.game.id)
    except ServiceError:
        return answer
    with db.session() as session:
        game = games.find(session, sender.game.id)
    is_asked = status == "running" and sender.seat in table.acting()
    due_at = game.due_at if game and is_asked else None
    return msgspec.structs.replace(answer, head=table.head, sequence=table.sequence, due_at=due_at)


def answer_to(sender: Writer, verdict: str, parts: Sequence[str]) -> Answer:
    game = sender.game if isinstance(sender, Speaker | Guest) else None
    return Answer(
        game=mail_commands.name_of(game) if game else "",
        game_id=game.id if game else "",
        verdict=verdict,
        parts=[part for part in parts if part],
        zone=sender.zone,
    )
