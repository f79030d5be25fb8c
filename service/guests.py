"""Invitations to people who are not players yet: the mail that goes to them, and what becomes of their answer.

The answer comes to a signed address, or by a signed link, that went to the invited address alone: so it proves that
address. Whoever names a name is a player from then on, with that address, and has the seat. Whoever declines gets
no mail again. Of the host a guest is told the name and nothing else that the host has written, for a mail to
strangers must be of no use to who wants to advertise.
"""

import re

from mail.compose import Envelope, compose
from mail.letters import Invited, Rendered, render
from mail.reply import invitation_address, invitation_token, read_invitation_bounce_address, read_invitation_token
from referee.games import all_games
from runtime.wall_clock import now
from service import invitations as kept
from service import players, seats
from service.addresses import email_key
from service.deadlines import stored_clock
from service.errors import Conflict, NotFound
from service.mail_commands import Guest, Speaker, name_of
from service.players import Player
from service.preferences import stop_mail
from store import games, invitations, mail
from store import players as player_rows
from store.database import Database, Session
from store.games import GameRow, SeatRow
from store.invitations import Invitation

MOST_TO_ADDRESS, DAYS = 3, 7  # mails to one address in so many days, whoever invites
MOST_A_DAY = 500  # to all of them; what is more waits
LOOKS_LIKE_A_LINK = re.compile(r"\w[.:/@]+\w|www", re.IGNORECASE)
SOMEBODY = "Somebody"

NO_INVITATION = "This invitation is not known here, or not any more."
DECLINED = "You have declined this invitation. Whoever invited you can give you another one by hand."
TAKEN = "The seat that was kept for you has been filled meanwhile, or the game has begun."


def write_letters(db: Database, host: str, url: str) -> int:
    """Writes the mails of new invitations, to be sent with the answers: how many."""
    written, after = 0, 0
    while True:
        with db.transaction() as transaction:
            found = invitations.next_waiting(transaction, after)
            if found is None or invitations.sent_in_a_day(transaction) >= MOST_A_DAY:
                return written
            after = found.id
            guest = writer(transaction, found.id)
            if not isinstance(guest, Guest) or guest.void or _is_kept_back(transaction, found):
                invitations.set_state(transaction, found.id, "kept_back")
                continue
            raw = bytes(compose(*_letter(transaction, found, guest, host, url)))
            mail.add_invitation(transaction, found.id, guest.email, raw)
            invitations.set_state(transaction, found.id, "sent")
            written += 1


def _is_kept_back(session: Session, found: Invitation) -> bool:
    """Whether an address wants no mail, or has had enough of it."""
    return (
        invitations.is_unwanted(session, found.address)
        or invitations.sent_to(session, found.address, DAYS) >= MOST_TO_ADDRESS
    )


def _letter(session: Session, found: Invitation, guest: Guest, host: str, url: str) -> tuple[Envelope, Rendered]:
    key, token = mail.secret(session, "reply"), link_token(session, found.id)
    game, about = guest.game, all_games()[guest.game.ruleset].about
    inviting = player_rows.by_id(session, found.host)
    clock = stored_clock(game.clock, game.timing)
    link = f"{url.rstrip('/')}/v1/mail/invitation?token={token}" if url else ""
    content = Invited(
        host=shown_name(inviting.name if inviting else ""),
        game=name_of(game),
        game_id=game.id,
        summary=about.summary,
        seats=len(games.seats(session, game.id)),
        time=_in_words(clock.time) if clock and clock.time else "",
        link=link,
    )
    envelope = Envelope(
        host=host,
        to=guest.email,
        date=now(),
        message_id=f"invitation-{found.id}",
        thread=f"game-{game.id}",
        reply_to=invitation_address(key, host, found.id),
        unsubscribe=f"{url.rstrip('/')}/v1/mail/unsubscribe?token=i{token}" if url else "",
    )
    return envelope, render("invited_guest", content)


def shown_name(name: str) -> str:
    """The name of a host in a mail to strangers: not one that mail programs would make a link of."""
    return SOMEBODY if not name or LOOKS_LIKE_A_LINK.search(name) else name


def _in_words(seconds: int) -> str:
    for name, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            number = seconds // length
            return f"{number} {name}{'s' if number > 1 else ''}"
    return f"{seconds} seconds"


def writer(session: Session, number: int) -> Guest | Speaker | None:
    """Who answers an invitation: a guest; or a player, if they have become one meanwhile."""
    found = invitations.find(session, number)
    game = games.find(session, found.game_id) if found else None
    if found is None or game is None:
        return None
    place = next(seat for seat in games.seats(session, game.id) if seat.seat == found.seat)
    player_id = place.player_id or place.invited_player
    player = player_rows.some(session, [player_id]).get(player_id) if player_id is not None else None
    if player is not None and player.email is not None and kept.mark(session, player.email) == found.address:
        return Speaker(player=player, game=game, seat=found.seat, is_invited=not place.is_taken)
    if _is_kept(session, found, game, place):
        return Guest(invitation=found.id, game=game, seat=found.seat, email=place.invited_email or "")
    void = DECLINED if found.state == "declined" else TAKEN
    return Guest(invitation=found.id, game=game, seat=found.seat, void=void)


def _is_kept(session: Session, found: Invitation, game: GameRow, place: SeatRow) -> bool:
    """Whether the seat is still kept for the address that was invited."""
    if game.status != "open" or place.is_taken or place.invited_email is None:
        return False
    return kept.mark(session, place.invited_email) == found.address


def is_invited_address(session: Session, number: int, email: str) -> bool:
    """Whether an invitation went to this address."""
    found = invitations.find(session, number)
    return found is not None and kept.mark(session, email) == found.address


def accept(transaction: Session, number: int, name: str) -> Player:
    """A new player with the invited address, on the seat that was kept for it."""
    found = invitations.lock(transaction, number)
    guest = writer(transaction, number) if found else None
    if found is None or guest is None:
        raise NotFound(NO_INVITATION)
    if isinstance(guest, Speaker):
        raise Conflict(f"This address is that of {guest.player.name} already, who plays here.")
    if guest.void:
        raise Conflict(guest.void)
    player_rows.lock_address(transaction, email_key(guest.email))
    if player_rows.by_email_key(transaction, email_key(guest.email)) is not None:
        raise Conflict("Somebody who plays here has proved this address in this very moment.")
    player = players.create(transaction, name, guest.email)
    seats.join(transaction, guest.game.id, player, seat=guest.seat)
    invitations.set_state(transaction, number, "joined", player.id)
    invitations.allow_mail(transaction, found.address)
    return player


def decline(transaction: Session, number: int) -> None:
    """No, and no more mail to this address. Said twice it does no harm."""
    found = invitations.lock(transaction, number)
    if found is None or found.player_id is not None:
        raise NotFound(NO_INVITATION)
    guest = writer(transaction, number)
    if isinstance(guest, Speaker):
        raise Conflict(
            f"This address is that of {guest.player.name}, who plays here: answer STOP to one of their mails."
        )
    invitations.refuse_mail(transaction, found.address, "declined")
    if found.state != "declined":
        invitations.set_state(transaction, number, "declined")
    if guest is not None and not guest.void:
        seats.decline(transaction, guest.game.id, guest.seat)


def stop(transaction: Session, number: int) -> None:
    """One click: no more mail to who was invited, whether they have become a player or not."""
    found = writer(transaction, number)
    if isinstance(found, Speaker):
        stop_mail(transaction, found.player.id)
    elif found is not None:
        decline(transaction, number)


def link_token(session: Session, number: int) -> str:
    return invitation_token(mail.secret(session, "reply"), number)


def of_link(session: Session, token: str) -> int | None:
    """Which invitation a link is for; None if it is none of ours."""
    return read_invitation_token(mail.secret(session, "reply"), token)


def note_bounce(transaction: Session, recipient: str, is_dead: bool) -> bool:
    """Whether it was an invitation that came back. Nobody is invited again by an address that does not exist."""
    number = read_invitation_bounce_address(mail.secret(transaction, "reply"), recipient)
    if number is not None and is_dead:
        note_refusal(transaction, number)
    return number is not None


def note_refusal(transaction: Session, number: int) -> None:
    """The address of an invitation does not exist."""
    found = invitations.find(transaction, number)
    if found is not None:
        invitations.refuse_mail(transaction, found.address, "bounced")
