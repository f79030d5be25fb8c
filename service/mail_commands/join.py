"""JOIN game [seat] [invitation]: takes a seat; alone in answer to an invitation the one that is kept. Who is no
player yet says under which name."""

import re
from collections.abc import Sequence

from marshmallow import ValidationError

from referee.contract import and_list
from schemas.fields import name_field
from service import guests, seats
from service.errors import Conflict, Invalid
from service.games import act_once, listing
from service.mail_commands import NO_PLAYER, Did, Guest, Sender, Speaker, name_of
from service.tokens import INVITATION_PREFIX
from store import games
from store.database import Database, Session
from store.games import GameRow

WORD, PATTERN = "JOIN", "JOIN game [seat] [invitation]"
SUMMARY = "take a seat; alone: the one that you are invited to, or a list of open games"
TAKES_MORE, TAKES_LINES, CHANGES = True, False, True
NEEDS_SEAT, FOR_GUESTS = False, True
MOST = 20  # open games in a list

_SAID = re.compile(
    rf"(?P<game>[a-z0-9]{{4,20}})(?:\s+(?:seat\s+)?(?P<seat>\d{{1,2}}))?(?:\s+(?P<token>{INVITATION_PREFIX}\S+?))?[.!]?",
    re.IGNORECASE,
)
_NAMED = re.compile(r"as:?\s+(?P<name>.+?)[.!]?", re.IGNORECASE)
QUOTES = "\"“”„«»'‘’ "


def run(db: Database, sender: Sender | Guest, rest: str, lines: Sequence[str]) -> Did:
    if isinstance(sender, Guest):
        return _sign_up(db, sender, rest)
    if isinstance(sender, Speaker) and not sender.is_invited and (not rest or _NAMED.fullmatch(rest)):
        return Did([_taken(db, sender.game)])  # a mail that is read again, or an answer to an old invitation
    if _NAMED.fullmatch(rest):
        raise Invalid("name", f"you are {sender.player.name} here already. Answer JOIN alone.")
    if not rest:
        if not isinstance(sender, Speaker):
            return Did([_open_games(db, sender)])
        game_id, seat, token = sender.game.id, sender.seat if sender.is_invited else None, None
    else:
        found = _SAID.fullmatch(rest)
        if found is None:
            raise Invalid("game", f"write it as {PATTERN}: a game by its letters, as GAMES and invitations show them.")
        game_id, token = found["game"].lower(), found["token"]
        seat = int(found["seat"]) if found["seat"] else None

    def join(transaction: Session, game_id: str) -> None:
        seats.join(transaction, game_id, sender.player, invitation=token, seat=seat)

    game = act_once(db, game_id, join, sender.key(WORD, rest)).made
    return Did([_taken(db, game)], is_changed=True)


def _sign_up(db: Database, guest: Guest, rest: str) -> Did:
    """A seat for somebody who is no player yet, under the name that they give: none is made up for them."""
    found = _NAMED.fullmatch(rest)
    if guest.void or found is None:
        raise Invalid("name", guest.void or NO_PLAYER)
    name = name_of_player(found["name"].strip(QUOTES))
    try:
        with db.transaction() as transaction:
            player = guests.accept(transaction, guest.invitation, name)
            game = games.find(transaction, guest.game.id) or guest.game
    except (Conflict, Invalid) as error:
        raise Conflict(f"{error} Answer JOIN AS and another name.") from None
    said = f"JOIN: welcome, {player.name}. This address is yours here."
    zone = "Times are told to you in UTC. ZONE and yours, such as ZONE Europe/Berlin, changes that; HELP has the rest."
    return Did([said, _taken(db, game), zone], is_changed=True)


def name_of_player(text: str) -> str:
    """A name as somebody wrote it, if it can be one."""
    try:
        return str(name_field().deserialize(text.strip()))
    except ValidationError as error:
        raise Invalid("name", f"“{text[:40]}” cannot be a name: {' '.join(map(str, error.messages))}") from None


def _taken(db: Database, game: GameRow) -> str:
    said = f"JOIN: you have a seat in {name_of(game)} {game.id}."
    if game.status != "open":
        return f"{said} All are there, and the game has begun. A mail comes when it waits for you."
    with db.session() as session:
        free = sum(not seat.is_taken for seat in games.seats(session, game.id))
    seats_left = "the last seat is" if free == 1 else f"{free} more seats are"
    return f"{said} It begins when {seats_left} taken. You will get a mail."


def _open_games(db: Database, sender: Sender) -> str:
    with db.session() as session:
        found = [
            (game, games.seats(session, game.id))
            for game in listing(session, sender.player.id, status="open", limit=MOST)
        ]
    if not found:
        return "JOIN: no game has a free seat now. NEW opens one."
    said = ["JOIN: these games have a free seat; JOIN and the letters of one takes it."]
    for game, places in found:
        names = and_list([seat.name for seat in places if seat.is_taken]) or "nobody yet"
        title = f" ({game.title})" if game.title else ""
        said.append(f"  JOIN {game.id}: {name_of(game)}{title} for {len(places)}, with {names}")
    return "\n".join(said)
