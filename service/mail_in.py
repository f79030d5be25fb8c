"""Mail that comes in: kept as it came, read, acted upon once, and answered once.

Who speaks is told by the reply address, never by From alone: that must be the address that the seat's player has
proved, or the proved address is asked first. So it is with mail to the service's own address, unless our own mail
server vouches for the sender. The orders of a mail are one submission under the mail's own key, so a mail that comes
twice, or is read twice, moves once.
"""

import hashlib
import time
from collections.abc import Iterator, Sequence
from datetime import datetime

import msgspec
import structlog

from mail.authentication import vouches
from mail.compose import Envelope, compose
from mail.letters import Answer, render
from mail.reading import Letter, Unreadable, read
from mail.reply import (
    ReplyTo,
    bounce_address,
    invitation_address,
    invitation_bounce_address,
    own_address,
    read_address,
    read_invitation_address,
    read_own_address,
)
from runtime.post import NotSent, Transport
from runtime.wall_clock import now
from service import bounces, guests, mail_commands, positions
from service.addresses import email_key
from service.errors import Banned, ServiceError, Unavailable
from service.mail_commands import Command, Did, Guest, Sender, Speaker, Writer
from service.mail_orders import DONE, ORDERS_REFUSED, READ, REFUSED, Done, answer_to, submit, with_head, with_table
from service.mail_out import reply_address
from service.preferences import of_players
from service.tokens import digest, make_secret
from service.work import Work
from store import bans, games, invitations, mail, players
from store.database import Database, Session
from store.players import Player

log = structlog.get_logger("waybill.mail")

SENT_AT_ONCE = 50
BUSY_SECONDS = 2.0  # that a worker reads mails before others get its process
HOUR, LATER = 60, 15  # minutes
MOST_MAILS = 120  # of a player in an hour; what is more waits a while
MOST_MAILS_ABOUT = 400  # a game, the same
MOST_ANSWERS = 120  # to an address in an hour: two programs that answer each other stop there
MOST_ANSWERS_TO_GUEST = 10  # the same, of who is no player yet
MOST_HELD = 5  # questions to an address in an hour, whether it was its owner who wrote from elsewhere
CONFIRM_PREFIX = "wc_"
PREFIXES = ("play+", "me+", "invited+", "confirm+", "bounce+")  # of our addresses, beside those with a name
NULL_SENDER = "<>"
NAMED = ("waybill", "postmaster")
LONGEST_ADDRESS = 254


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
    """Drops mails of long ago, with their answers, and invitations."""
    with db.session() as session:
        mail.tidy(session)
        invitations.tidy(session)


class House(msgspec.Struct, frozen=True):
    """Where mail comes to: our domain, the name of the mail server whose word on senders we take, and the API."""

    host: str
    server: str = ""
    url: str = ""  # of the API, for links


def serve(
    db: Database, house: House, transport: Transport, seconds: float = BUSY_SECONDS, waiting_for: float = 0.0
) -> Iterator[Work]:
    """Reads what has come in, and sends the answer to each mail before it reads the next: what workers have to do then.
    One mail at a time, so that several share what waits; `waiting_for`: only what others have left for so long."""
    end, has_read = time.monotonic() + seconds, False
    while time.monotonic() < end:
        with db.session() as session:
            waiting = mail.take(session, 1, waiting_for)
        if not waiting:
            break
        has_read = True
        work = _process_or_log(db, house, waiting[0])
        send_answers(db, transport, house.host)
        if work:
            yield work
    if not has_read:
        send_answers(db, transport, house.host, waiting_for)  # those that could not be sent before


def _process_or_log(db: Database, house: House, mail_id: int) -> Work | None:
    """One mail that cannot be read does not keep the others waiting. It is tried again later."""
    try:
        return process(db, house, mail_id)
    except Unavailable:
        raise
    except Exception:
        log.exception("mail not read", mail=mail_id)
        with db.session() as session:
            mail.put_off(session, mail_id, LATER)
        return None


def send_answers(db: Database, transport: Transport, host: str, waiting_for: float = 0.0) -> None:
    with db.session() as session:
        due = mail.answers_due(session, SENT_AT_ONCE, waiting_for)
    for answer in due:
        try:
            transport.send(mail_commands.parsed(bytes(answer.raw)), envelope_sender(db, host, answer), answer.sent_to)
        except NotSent as error:
            with db.transaction() as transaction:
                mail.note_failed(transaction, answer.id, error.reason, error.for_good)
                if error.address_refused and answer.invitation is not None:
                    guests.note_refusal(transaction, answer.invitation)
        else:
            with db.session() as session:
                mail.note_sent(session, answer.id)


def envelope_sender(db: Database, host: str, answer: mail.MailOut) -> str:
    """Where an answer goes that cannot be delivered (VERP)."""
    with db.session() as session:
        player = players.by_email_key(session, email_key(answer.sent_to))
        if player is None and answer.invitation is not None:
            return invitation_bounce_address(mail.secret(session, "reply"), host, answer.invitation)
        if player is None:
            return f"waybill@{host}"
        game_id = (mail.game_of(session, answer.mail_in) if answer.mail_in is not None else None) or ""
        return bounce_address(mail.secret(session, "reply"), host, player.id, game_id, email_key(answer.sent_to))


def process(db: Database, house: House, mail_id: int) -> Work | None:
    """Reads one mail, does what it says, and keeps the answer to be sent."""
    with db.session() as session:
        row = mail.find(session, mail_id)
    if row is None or row.state != "waiting":
        return None
    letter: Letter | None = None
    if row.recipient.lower().startswith("bounce+"):
        done = Done(bounces.take(db, row.recipient, bytes(row.raw)))
    else:
        try:
            letter = read(bytes(row.raw))
        except Unreadable as error:
            is_automatic = error.is_automatic or row.sender == NULL_SENDER
            done = Done("automatic") if is_automatic else _cannot_read(db, row.recipient, str(error))
        else:
            is_automatic = letter.is_automatic or row.sender == NULL_SENDER
            done = Done("automatic") if is_automatic else _act(db, house, mail_id, row.recipient, letter)
    if done.outcome in ("held", "put off"):
        return None
    with db.transaction() as transaction:
        if mail.finish(transaction, mail_id, done.outcome) and done.answer:
            _keep_answer(transaction, house.host, mail_id, done, letter)
    log.info("mail", mail=mail_id, outcome=done.outcome)
    return done.work


def _keep_answer(transaction: Session, host: str, mail_id: int, done: Done, letter: Letter | None) -> None:
    """Keeps an answer to be sent, unless the address has had too many."""
    answer, key = done.answer, mail.secret(transaction, "reply")
    to, most, invitation = done.player.email if done.player else "", MOST_ANSWERS, None
    if done.guest is not None and letter is not None:
        to, most, invitation = done.guest.email or letter.sender, MOST_ANSWERS_TO_GUEST, done.guest.invitation
    if answer is None or not to or mail.answers_since(transaction, to, HOUR) >= most:
        return
    # Who was a guest may be a player by now.
    player = done.player or players.by_email_key(transaction, email_key(to))
    game = games.find(transaction, answer.game_id) if answer.game_id else None
    seat = games.seat_of(transaction, game.id, player.id) if game and player else None
    if player is None:
        assert invitation is not None
        reply_to = invitation_address(key, host, invitation)
    elif game and seat is not None:
        shown = answer.sequence if answer.head else None
        reply_to = reply_address(transaction, host, game.id, seat, player.id, shown)
    else:
        reply_to = own_address(key, host, player.id)
    envelope = Envelope(
        host=host,
        to=to,
        date=now(),
        message_id=f"answer-{mail_id}",
        thread=f"game-{game.id}" if game else "",
        reply_to=reply_to,
        in_reply_to=letter.message_id if letter else "",
        is_answer=True,
    )
    raw = bytes(compose(envelope, render("answer", answer)))
    mail.answer(transaction, mail_id, "answer", to, raw, invitation)


def _act(db: Database, house: House, mail_id: int, recipient: str, letter: Letter) -> Done:
    recipients = (recipient, *letter.recipients)
    if asked := next((part for part in recipients if part.startswith("confirm+")), ""):
        confirm(db, asked.partition("+")[2].partition("@")[0])
        return Done("confirmation")
    with db.session() as session:
        sender = _sender(session, recipients)
        is_confirmed = mail.is_confirmed(session, mail_id)
    if isinstance(sender, Guest):
        return _hear_guest(db, house, mail_id, sender, letter, is_confirmed)
    with db.session() as session:
        player = sender.player if sender else players.by_email_key(session, email_key(letter.sender))
    if player is None or player.email is None:
        return Done("stranger")
    if sender is not None:
        is_theirs = email_key(letter.sender) == email_key(player.email)
    elif gone := next(filter(None, map(read_address, recipients)), None):
        return Done("no seat", player, _gone(db, gone, player))
    else:
        sender = Sender(player=player)
        is_theirs = vouches(letter.authentication, house.server, letter.sender)
    if not is_theirs and not is_confirmed:
        return _hold(db, house, mail_id, sender, player.email)
    with db.session() as session:
        if _are_too_many(session, mail_id, sender, letter.written_at):
            return Done("put off")
        bounces.lift(session, player.id)
        zone = of_players(session, [player.id])[player.id].zone
    sender = msgspec.structs.replace(sender, mail_id=mail_id, zone=zone, host=house.host)
    return obey(db, mail_id, sender, letter)


def _hear_guest(db: Database, house: House, mail_id: int, guest: Guest, letter: Letter, is_confirmed: bool) -> Done:
    """Who answers an invitation and is no player yet: from the address that it went to, or that address is asked."""
    with db.session() as session:
        is_theirs = guests.is_invited_address(session, guest.invitation, letter.sender)
        is_busy = mail.answers_since(session, guest.email or letter.sender, HOUR) >= MOST_ANSWERS_TO_GUEST
    if not is_theirs and not guest.email:
        return Done("stranger")
    if not is_theirs and not is_confirmed:
        return _hold(db, house, mail_id, guest, guest.email)
    if is_busy:
        return Done("too many")
    guest = msgspec.structs.replace(guest, mail_id=mail_id, host=house.host)
    return obey(db, mail_id, guest, letter)


def _sender(session: Session, recipients: Sequence[str]) -> Sender | Guest | None:
    """Who speaks by one of our signed addresses."""
    for text in recipients:
        found = read_address(text)
        speaker = _speaker(session, found) if found else None
        if speaker is not None:
            return speaker
        invitation = read_invitation_address(mail.secret(session, "reply"), text)
        if invitation is not None and (invited := guests.writer(session, invitation)) is not None:
            return invited
        player_id = read_own_address(mail.secret(session, "reply"), text) if text.startswith("me+") else None
        player = players.some(session, [player_id]).get(player_id) if player_id is not None else None
        if player is not None:
            return Sender(player=player)
    return None


def _speaker(session: Session, found: ReplyTo) -> Speaker | None:
    """For whom a reply address speaks, if it is still true: who has the seat, or for whom it is kept."""
    game = games.find(session, found.game_id)
    if game is None:
        return None
    place = next((seat for seat in games.seats(session, game.id) if seat.seat == found.seat), None)
    is_invited = place is not None and not place.is_taken and game.status == "open"
    player_id = None if place is None else place.invited_player if is_invited else place.player_id
    if player_id is None or not found.proves(mail.secret(session, "reply"), player_id):
        return None
    player = players.by_id(session, player_id)
    if player is None:
        return None
    return Speaker(player=player, game=game, seat=found.seat, row=found.row, is_invited=is_invited)


def _are_too_many(session: Session, mail_id: int, sender: Sender, written_at: datetime | None) -> bool:
    """Notes who has written about what; true if they, or all about that game, have written more than can be read. Then
    it waits: nothing is lost."""
    game_id = sender.game.id if isinstance(sender, Speaker) else None
    mail.note_speaker(session, mail_id, sender.player.id, game_id, written_at)
    too_many = mail.count_from(session, sender.player.id, HOUR, mail_id) >= MOST_MAILS
    if game_id is not None and not too_many:
        too_many = mail.count_about(session, game_id, HOUR, mail_id) >= MOST_MAILS_ABOUT
    if too_many:
        mail.put_off(session, mail_id, LATER)
        log.warning("mail put off", mail=mail_id, player=sender.player.id)
    return too_many


def _gone(db: Database, found: ReplyTo, player: Player) -> Answer:
    """For somebody whose address speaks for no seat any more: that it is so, and the table as everybody sees it."""
    answer = Answer(
        verdict=REFUSED,
        parts=["The address that you wrote to is not good any more: the seat has changed hands, or was never yours."],
    )
    with db.session() as session:
        game = games.find(session, found.game_id)
        has_seat = game is not None and games.seat_of(session, game.id, player.id) is not None
    if game is None or game.private or has_seat:
        return answer
    try:
        table, _ = positions.load(db, game.id)
    except ServiceError:
        return answer
    return msgspec.structs.replace(
        answer, game=mail_commands.name_of(game), game_id=game.id, board=table.game.text(table.view()).strip()
    )


def _hold(db: Database, house: House, mail_id: int, sender: Writer, email: str) -> Done:
    """What comes from an address that was not proved: the proved one is asked, and nothing of the mail is quoted."""
    game = sender.game if isinstance(sender, Speaker | Guest) else None
    for_whom = "for your seat from another address" if game else "in your name, and we cannot tell whether it was you"
    secret = make_secret(CONFIRM_PREFIX).lower()
    how = "answer this mail with anything" + (", or follow the link below" if house.url else "")
    answer = Answer(
        game=mail_commands.name_of(game) if game else "",
        game_id=game.id if game else "",
        verdict=f"HELD: somebody wrote {for_whom}.",
        parts=[f"If that was you, {how}, and what was written is read. If not, do nothing."],
        link=f"{house.url.rstrip('/')}/v1/mail/confirm?token={secret}" if house.url else "",
        can_reply=False,
    )
    with db.transaction() as transaction:
        if mail.answers_since(transaction, email, HOUR, "held") >= MOST_HELD:
            return Done("too many held")
        if mail.hold(transaction, mail_id, digest(secret)):
            envelope = Envelope(
                host=house.host,
                to=email,
                date=now(),
                message_id=f"held-{mail_id}",
                thread=f"game-{game.id}" if game else "",
                reply_to=f"confirm+{secret}@{house.host}",
                is_answer=True,
            )
            mail.answer(transaction, mail_id, "held", email, bytes(compose(envelope, render("answer", answer))))
    return Done("held")


def confirm(db: Database, secret: str) -> bool:
    """Whether a mail was held that this lets go; then it is read as its owner's."""
    with db.transaction() as transaction:
        return mail.release(transaction, digest(secret.lower())) is not None


def _cannot_read(db: Database, recipient: str, reason: str) -> Done:
    found = read_address(recipient)
    with db.session() as session:
        speaker = _speaker(session, found) if found else None
    if speaker is None:
        return Done("unreadable")
    return Done("unreadable", speaker.player, answer_to(speaker, REFUSED, [reason]))


def obey(db: Database, mail_id: int, sender: Writer, letter: Letter) -> Done:
    """Does what a mail says whose sender is known: commands, and orders all or none."""
    done = _obey(db, mail_id, sender, letter)
    if isinstance(sender, Guest):
        return msgspec.structs.replace(done, guest=sender)
    return msgspec.structs.replace(done, player=sender.player) if isinstance(sender, Sender) else done


def _obey(db: Database, mail_id: int, sender: Writer, letter: Letter) -> Done:
    with db.session() as session:
        if isinstance(sender, Sender) and (reason := bans.reason(session, sender.player.id)) is not None:
            return Done("banned", answer=answer_to(sender, REFUSED, [str(Banned(reason))]))
    # Who has no seat yet has no orders to give: a word that orders of the game have is the command.
    is_seated = isinstance(sender, Speaker) and not sender.is_invited
    said = mail_commands.split(letter.lines, sender.ruleset if is_seated else "")
    if not said.commands and not said.orders:
        sentence = "Your mail has no orders above the line. Write them there, one a line, or HELP."
        return Done("empty", answer=with_table(db, sender, REFUSED, [sentence]))
    if said.orders and (alone := next((command for command in said.commands if command.is_alone), None)):
        sentence = f"{alone.word} needs a mail without orders: it cannot be told which of them you want first."
        parts = [f"This line: {said.orders[0][:200]}", sentence]
        return Done("refused", answer=with_table(db, sender, REFUSED, parts))
    done = None
    if said.orders:
        if not isinstance(sender, Speaker) or sender.is_invited:
            return Done("refused", answer=answer_to(sender, REFUSED, _no_orders(sender, said.orders[0])))
        done = submit(db, mail_id, sender, said.orders, said.is_check)
    did = [_do(db, sender, command, said.is_check) for command in said.commands]
    parts = [part for each in did for part in each.parts]
    page = "\n\n".join(each.page for each in did if each.page)
    menu = [line for each in did for line in each.menu]
    is_changed = any(each.is_changed for each in did)
    if done is None:
        refused = any(each.is_refused for each in did)
        verdict = DONE if is_changed else REFUSED if refused else READ
        work = next((each.work for each in did if each.work), None)
        answer = msgspec.structs.replace(answer_to(sender, verdict, parts), page=page, menu=menu)
        return Done("commands", answer=with_head(db, sender, answer), work=work)
    assert done.answer is not None
    verdict = ORDERS_REFUSED if is_changed and done.answer.verdict == REFUSED else done.answer.verdict
    answer = msgspec.structs.replace(done.answer, verdict=verdict, parts=[*done.answer.parts, *parts], page=page)
    return msgspec.structs.replace(done, answer=answer)


def _no_orders(sender: Writer, line: str) -> list[str]:
    """Why there is nothing to order here."""
    if isinstance(sender, Guest):
        return [f"This line: {line[:200]}", f"It is no command, and {sender.void or mail_commands.NO_PLAYER}"]
    if isinstance(sender, Speaker):
        return [f"This line: {line[:200]}", f"It is no command, and {mail_commands.NOT_SEATED}"]
    sentence = (
        "It is no command. Orders are an answer to a mail of their game; GAMES tells where to write, HELP the rest."
    )
    return [f"This line: {line[:200]}", sentence]


def _do(db: Database, sender: Writer, command: Command, is_check: bool) -> Did:
    if is_check and command.changes:
        return Did([f"{command.word}: not done, for this mail says CHECK."])
    return command.run(db, sender)
