"""Mail that comes in: kept as it came, read, acted upon once, and answered once.

Who speaks is told by the reply address, never by From alone: that must be the address that the seat's player has
proved, or the proved address is asked first. The orders of a mail are one submission under the mail's own key, so a
mail that comes twice, or is read twice, moves once.
"""

import hashlib
from collections.abc import Sequence

import msgspec
import structlog

from mail.compose import Envelope, compose
from mail.letters import Answer, MenuLine, render
from mail.reading import Letter, Unreadable, read
from mail.reply import ReplyTo, read_address
from referee.errors import OrderError
from referee.table import Outcome, Table
from runtime.post import NotSent, Transport
from service import mail_commands, moves, positions
from service.addresses import email_key
from service.errors import Banned, KeyReused, ServiceError, Stale, WrongStatus
from service.mail_commands import Command, Did, Speaker
from service.mail_out import orders, reply_address
from service.preferences import of_players
from service.tokens import digest, make_secret
from service.work import Work
from store import bans, games, mail, players
from store.database import Database, Session
from store.idempotency import Answer as KeptAnswer
from store.idempotency import IdempotencyKey
from store.players import Player

log = structlog.get_logger("waybill.mail")

READ_AT_ONCE, SENT_AT_ONCE = 50, 50
MOST_ANSWERS = 60  # to an address in an hour: two programs that answer each other stop there
CONFIRM_PREFIX = "wc_"
PREFIXES = ("play+", "confirm+", "bounce+")  # of our addresses, beside those with a name of their own
NAMED = ("waybill", "postmaster")
LONGEST_ADDRESS = 254

ACCEPTED = "ACCEPTED: your orders stand, and your turn is complete."
UNFINISHED = "ACCEPTED: your orders stand, but your turn is not finished."
SEALED = "ACCEPTED: your order is in its envelope. You may replace it until the others are in."
CHECKED = "CHECKED: your orders would stand. Nothing was done."
REFUSED = "NOT ACCEPTED: nothing changed."
READ = "READ: nothing was ordered."
DONE = "DONE: nothing was ordered, but something was changed, as told below."
ORDERS_REFUSED = "NOT ACCEPTED: none of your orders was played. What else was changed is told below."


def is_ours(address: str, domain: str) -> bool:
    """Whether mail for an address is taken here."""
    local, _, at = address.lower().rpartition("@")
    if at != domain.lower() or len(address) > LONGEST_ADDRESS or not all("!" <= letter <= "~" for letter in local):
        return False
    return local in NAMED or local.startswith(PREFIXES)


def keep(db: Database, raw: bytes, sender: str, recipient: str) -> int | None:
    """Keeps a mail before it is acknowledged; None if it is known already."""
    with db.session() as session:
        mark = hashlib.sha256(recipient.lower().encode() + b"\n" + raw).digest()
        return mail.keep(session, mark, sender[:LONGEST_ADDRESS], recipient[:LONGEST_ADDRESS], raw)


def tidy(db: Database) -> None:
    """Drops mails of long ago, with their answers."""
    with db.session() as session:
        mail.tidy(session)


def read_waiting(db: Database, host: str) -> list[Work]:
    """Reads what has come in: what workers have to do then."""
    with db.session() as session:
        waiting = mail.take(session, READ_AT_ONCE)
    return [work for mail_id in waiting if (work := process(db, host, mail_id))]


def send_answers(db: Database, transport: Transport, host: str) -> None:
    with db.session() as session:
        due = mail.answers_due(session, SENT_AT_ONCE)
    for answer in due:
        try:
            transport.send(mail_commands.parsed(bytes(answer.raw)), f"waybill@{host}", answer.sent_to)
        except NotSent as error:
            with db.session() as session:
                mail.note_failed(session, answer.id, error.reason, error.for_good)
        else:
            with db.session() as session:
                mail.note_sent(session, answer.id)


class Done(msgspec.Struct, frozen=True):
    """What became of a mail; `answer` goes to the player, if anything is to be said."""

    outcome: str
    player: Player | None = None
    answer: Answer | None = None
    work: Work | None = None


def process(db: Database, host: str, mail_id: int) -> Work | None:
    """Reads one mail, does what it says, and keeps the answer to be sent."""
    with db.session() as session:
        row = mail.find(session, mail_id)
    if row is None or row.state != "waiting":
        return None
    try:
        letter = read(bytes(row.raw))
    except Unreadable as error:
        letter = None
        reason, is_automatic = str(error), error.is_automatic
    if letter is None:
        done = Done("automatic") if is_automatic else _cannot_read(db, row.recipient, reason)
    elif letter.is_automatic:
        done = Done("automatic")
    else:
        done = _act(db, host, mail_id, row.recipient, letter)
    if done.outcome == "held":
        return None
    with db.transaction() as transaction:
        if mail.finish(transaction, mail_id, done.outcome) and done.answer and done.player and done.player.email:
            if mail.answers_since(transaction, done.player.email, 60) < MOST_ANSWERS:
                _keep_answer(transaction, host, mail_id, done.player, done.answer, letter)
    log.info("mail", mail=mail_id, outcome=done.outcome)
    return done.work


def _keep_answer(
    transaction: Session, host: str, mail_id: int, player: Player, answer: Answer, letter: Letter | None
) -> None:
    assert player.email is not None
    game = games.find(transaction, answer.game_id) if answer.game_id else None
    seat = games.seat_of(transaction, game.id, player.id) if game else None
    envelope = Envelope(
        host=host,
        to=player.email,
        message_id=f"answer-{mail_id}",
        thread=f"game-{game.id}" if game else "",
        reply_to=reply_address(transaction, host, game.id, seat, player.id) if game and seat is not None else "",
        in_reply_to=letter.message_id if letter else "",
        is_answer=True,
    )
    mail.answer(transaction, mail_id, "answer", player.email, bytes(compose(envelope, render("answer", answer))))


def _act(db: Database, host: str, mail_id: int, recipient: str, letter: Letter) -> Done:
    confirm = next((part for part in (recipient, *letter.recipients) if part.startswith("confirm+")), "")
    if confirm:
        return _confirm(db, confirm)
    addresses = [found for found in map(read_address, (recipient, *letter.recipients)) if found]
    with db.session() as session:
        speaker = next(filter(None, (_speaker(session, found) for found in addresses)), None)
        is_confirmed = mail.is_confirmed(session, mail_id)
    if speaker is None:
        return _stranger(db, letter, bool(addresses))
    if email_key(letter.sender) != email_key(speaker.player.email or "") and not is_confirmed:
        return _hold(db, host, mail_id, speaker, letter)
    return obey(db, mail_id, speaker, letter)


def _speaker(session: Session, found: ReplyTo) -> Speaker | None:
    """For whom a reply address speaks, if it is still true."""
    game = games.find(session, found.game_id)
    if game is None:
        return None
    place = next((seat for seat in games.seats(session, game.id) if seat.seat == found.seat), None)
    if place is None or place.player_id is None:
        return None
    if not found.proves(mail.secret(session, "reply"), place.player_id):
        return None
    player = players.by_id(session, place.player_id)
    return Speaker(player, game, found.seat, of_players(session, [player.id])[player.id].zone) if player else None


def _stranger(db: Database, letter: Letter, had_address: bool) -> Done:
    """A mail that speaks for no seat: answered only where From is an address that somebody has proved."""
    with db.session() as session:
        player = players.by_email_key(session, email_key(letter.sender))
    if player is None or player.email is None:
        return Done("stranger")
    if had_address:
        sentence = "The address that you wrote to is not good any more: your seat has changed, or the game is over."
    else:
        sentence = "Answer a mail of a game to play in it: its reply address says for which seat you speak."
    return Done("no seat", player, Answer(verdict=REFUSED, parts=[sentence], can_reply=False))


def _hold(db: Database, host: str, mail_id: int, speaker: Speaker, letter: Letter) -> Done:
    """Orders from an address that was not proved: the proved one is asked, and nothing of the mail is quoted."""
    if speaker.player.email is None:
        return Done("no address")
    secret = make_secret(CONFIRM_PREFIX)
    answer = Answer(
        game=mail_commands.name_of(speaker.game),
        game_id=speaker.game.id,
        verdict="HELD: somebody wrote for your seat from another address.",
        parts=["If that was you, answer this mail with anything, and what was written is read. If not, do nothing."],
        can_reply=False,
    )
    with db.transaction() as transaction:
        if mail.hold(transaction, mail_id, digest(secret.lower())):
            envelope = Envelope(
                host=host,
                to=speaker.player.email,
                message_id=f"held-{mail_id}",
                thread=f"game-{speaker.game.id}",
                reply_to=f"confirm+{secret.lower()}@{host}",
                is_answer=True,
            )
            mail.answer(
                transaction, mail_id, "held", speaker.player.email, bytes(compose(envelope, render("answer", answer)))
            )
    return Done("held")


def _confirm(db: Database, address: str) -> Done:
    secret = address.partition("+")[2].partition("@")[0]
    with db.transaction() as transaction:
        mail.release(transaction, digest(secret.lower()))
    return Done("confirmation")


def _cannot_read(db: Database, recipient: str, reason: str) -> Done:
    found = read_address(recipient)
    with db.session() as session:
        speaker = _speaker(session, found) if found else None
    if speaker is None:
        return Done("unreadable")
    return Done("unreadable", speaker.player, _answer(speaker, REFUSED, [reason]))


def obey(db: Database, mail_id: int, speaker: Speaker, letter: Letter) -> Done:
    """Does what a mail of a known speaker says: commands, and orders all or none."""
    with db.session() as session:
        if (reason := bans.reason(session, speaker.player.id)) is not None:
            return Done("banned", speaker.player, _answer(speaker, REFUSED, [str(Banned(reason))]))
    speaker = msgspec.structs.replace(speaker, mail_id=mail_id)
    said = mail_commands.split(letter.lines, speaker.game.ruleset)
    if not said.commands and not said.orders:
        sentence = "Your mail has no orders above the line. Write them there, one a line, or HELP."
        return Done("empty", speaker.player, with_table(db, speaker, REFUSED, [sentence]))
    if said.orders and (alone := next((command for command in said.commands if command.is_alone), None)):
        sentence = f"{alone.word} needs a mail without orders: it cannot be told which of them you want first."
        return Done("refused", speaker.player, with_table(db, speaker, REFUSED, [sentence]))
    done = submit(db, mail_id, speaker, said.orders, said.is_check) if said.orders else None
    did = [_do(db, speaker, command, said.is_check) for command in said.commands]
    parts = [part for each in did for part in each.parts]
    is_changed = any(each.is_changed for each in did)
    if done is None:
        refused = any(each.is_refused for each in did)
        verdict = DONE if is_changed else REFUSED if refused else READ
        work = next((each.work for each in did if each.work), None)
        return Done("commands", speaker.player, _answer(speaker, verdict, parts), work)
    assert done.answer is not None
    verdict = ORDERS_REFUSED if is_changed and done.answer.verdict == REFUSED else done.answer.verdict
    answer = msgspec.structs.replace(done.answer, verdict=verdict, parts=[*done.answer.parts, *parts])
    return msgspec.structs.replace(done, answer=answer)


def _do(db: Database, speaker: Speaker, command: Command, is_check: bool) -> Did:
    if is_check and command.changes:
        return Did([f"{command.word}: not done, for this mail says CHECK."])
    return command.run(db, speaker)


def submit(db: Database, mail_id: int, speaker: Speaker, lines: Sequence[str], is_check: bool) -> Done:
    """The orders of a mail as one submission."""
    text = "\n".join(lines)
    key = IdempotencyKey(
        f"player:{speaker.player.id}", f"mail-in-{mail_id:012d}", hashlib.sha256(text.encode()).hexdigest()
    )

    def keep_verdict(table: Table, outcome: Outcome) -> KeptAnswer:
        verdict, parts = _told(table, outcome, speaker.seat)
        return KeptAnswer(200, msgspec.json.encode([verdict, parts]).decode())

    try:
        made = moves.submit(
            db,
            speaker.game.id,
            speaker.seat,
            text,
            key=None if is_check else key,
            answer=keep_verdict,
            dry_run=is_check,
        )
    except OrderError as error:
        return Done("refused", speaker.player, with_table(db, speaker, REFUSED, _why(error, lines)))
    except (Stale, WrongStatus, KeyReused, ServiceError) as error:
        return Done("refused", speaker.player, with_table(db, speaker, REFUSED, [str(error)]))
    if is_check:
        assert made.outcome is not None
        readings = [f"  {reading}" for reading in made.outcome.readings]
        return Done("checked", speaker.player, _answer(speaker, CHECKED, ["\n".join(["Read as:", *readings])]))
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


def _why(error: OrderError, lines: Sequence[str]) -> list[str]:
    """What was wrong with which line, the rule, and what was probably meant."""
    parts = []
    if error.index is not None and error.index < len(lines):
        parts.append(f"This line: {lines[error.index][:200]}")
    parts.append(f"{error.message}{f' ({error.rule})' if error.rule else ''}")
    if error.readings:
        parts.append("\n".join(["It can mean:", *(f"  {reading}" for reading in error.readings[:8])]))
    return parts


def with_table(db: Database, speaker: Speaker, verdict: str, parts: Sequence[str]) -> Answer:
    """An answer with the position as it is now, and what may be ordered."""
    try:
        table, _ = positions.load(db, speaker.game.id)
    except ServiceError:
        return _answer(speaker, verdict, parts)
    lines: list[MenuLine] = []
    if not table.is_over and speaker.seat in table.acting():
        lines, _ = orders(table, speaker.seat)
    with db.session() as session:
        game = games.find(session, speaker.game.id)
    return msgspec.structs.replace(
        _answer(speaker, verdict, parts),
        board=table.game.text(table.view(speaker.seat)).strip(),
        menu=lines,
        due_at=game.due_at if game else None,
        head=table.head,
        sequence=table.sequence,
    )


def _answer(speaker: Speaker, verdict: str, parts: Sequence[str]) -> Answer:
    return Answer(
        game=mail_commands.name_of(speaker.game),
        game_id=speaker.game.id,
        verdict=verdict,
        parts=[part for part in parts if part],
        zone=speaker.zone,
    )
