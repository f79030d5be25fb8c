"""Notices as mails: what happened, the table as the player may see it, and their orders with prices to copy."""

import io
from collections.abc import Callable, Sequence
from datetime import timedelta
from email.message import EmailMessage
from functools import lru_cache

import msgspec
from PIL import Image

from mail.bounces import of_refusal
from mail.compose import Envelope, compose
from mail.letters import GameNews, MenuLine, Notice, Place, render
from mail.reply import address, bounce_address, own_address, read_unsubscribe_token, unsubscribe_token
from referee.contract import View
from referee.options import Offer
from referee.orders.menu import Choice, menu, pattern
from referee.orders.notation import format_move
from referee.pictures.drawing import png
from referee.pictures.wording import player_name
from referee.table import Table
from runtime.post import NotSent, Transport
from runtime.wall_clock import now
from service import bounces, positions
from service.addresses import email_key
from service.channels import NotDelivered
from service.errors import ServiceError
from service.feed import Told
from service.preferences import MAIL, of_players, stop_mail
from store import deliveries, mail, notices, players
from store.database import Database, Session
from store.players import Player

LATE = timedelta(minutes=2)  # a mail that comes so late comes without its picture: there are too many to draw
PICTURE_WIDTH, MOST_BYTES = 800, 150_000
COLOURS = (96, 64, 48, 32, 24, 16)  # quantised: a third of the bytes; fewer where that is not enough
MOST_ORDERS = 80
ASKING = frozenset({"your_turn", "phase_opened", "reminder", "offered"})
SHOWS_THE_TABLE = ASKING | {"revealed", "game_over", "late", "undone"}


# What to do about it, where neither the question nor the summary says so.
ADVICE = {
    "late": ["What was played for you stands. The next question comes by mail, and is yours to answer."],
    "standing_dropped": ["Your other standing orders stay. STANDING shows them."],
    "substitute_wanted": ["Whoever takes the seat plays on from the table as it stands. You need do nothing."],
    "declined": ["The seat is free for whoever has its link. Started without them, the game gives it to a bot."],
    "replaced": ["The game goes on from the table as it stands."],
    "paused": ["Nothing is due until the game goes on. You will be told."],
    "webhook_off": ["When your program answers again, switch it on (PATCH /v1/webhooks) and ask for what it missed."],
    "undo_asked": ["It is taken back when all have asked for the same; answer UNDO for that. Else it stands."],
}


Draw = Callable[[str], bytes]  # an SVG in pixels; nothing where that did not succeed


class MailChannel:
    """Mail as a channel of the notices."""

    name = MAIL
    limit = 60.0

    def __init__(self, db: Database, transport: Transport, host: str, url: str = "", draw: Draw | None = None) -> None:
        self.db, self.transport, self.host, self.url, self.draw = db, transport, host, url, draw or small

    def reaches(self, player: Player) -> bool:
        return player.email is not None

    def deliver(self, player: Player, told: Sequence[Told]) -> None:
        if player.email is None:
            raise NotDelivered("You have no proved address.", for_good=True)
        game_id = told[-1].game_id
        with self.db.session() as session:
            if (why := bounces.stopped(session, player.id, player.email)) is not None:
                raise NotDelivered(f"Mail to your address came back ({why}). Write from it, or prove it anew.", True)
            message = letter(session, self.host, player, told, self.url, self.draw)
            secret = mail.secret(session, "reply")
        sender = bounce_address(secret, self.host, player.id, game_id, email_key(player.email))
        try:
            self.transport.send(message, sender, player.email)
        except NotSent as error:
            if error.address_refused:
                with self.db.transaction() as transaction:
                    bounces.note(transaction, player.id, player.email, game_id, of_refusal(error.reason))
            raise NotDelivered(error.reason, error.for_good) from error


def letter(
    session: Session, host: str, player: Player, told: Sequence[Told], url: str = "", draw: Draw | None = None
) -> EmailMessage:
    """A mail with what a player is told: one game's news, or a digest of several."""
    assert player.email is not None
    zone = of_players(session, [player.id])[player.id].zone
    last = next((one for one in reversed(told) if one.kind in ASKING), told[-1])
    is_one_game = len({one.game_id for one in told}) == 1
    table = _table(session, last.game_id) if last.seat is not None else None
    envelope = Envelope(
        host=host,
        to=player.email,
        message_id=f"notice-{told[0].id}",
        thread=f"game-{last.game_id}",
        notices=tuple(one.id for one in told),
        date=told[-1].created_at,
        unsubscribe=unsubscribe_link(session, url, player.id) if url else "",
        reply_to=_reply_to(session, host, last, player, table if is_one_game else None),
    )
    if not is_one_game:
        return compose(msgspec.structs.replace(envelope, thread="digest"), render("digest", _digest(told, zone)))
    if last.kind == "invited" and not last.detail.get("plays_on"):
        return compose(envelope, render("invited", _invitation(session, player, last)))
    news = game_news(table, last, told, zone)
    if last.seat is not None and not deliveries.has_got(session, MAIL, player.id, last.game_id, before=told[0].id):
        news = msgspec.structs.replace(news, welcome=welcome(last))
    is_late = now() - told[0].created_at > LATE
    shows = table and not is_late and last.kind in SHOWS_THE_TABLE
    picture = board_picture(table, last.seat, draw or small) if table and shows else b""
    cid = f"board-{last.game_id}-{last.sequence}@{host}" if picture else ""
    return compose(envelope, render("game", news, cid), picture, cid)


def _reply_to(session: Session, host: str, told: Told, player: Player, table: Table | None) -> str:
    """For the seat at the table that the mail shows, or that is kept for the player; else for the player alone."""
    if told.kind == "invited" and not told.detail.get("plays_on"):
        return reply_address(session, host, told.game_id, told.detail["seat"], player.id)
    if table is None or told.seat is None or told.detail.get("yours"):
        return own_address(mail.secret(session, "reply"), host, player.id)
    return reply_address(session, host, told.game_id, told.seat, player.id, table.sequence)


class Digest(msgspec.Struct, frozen=True):
    """News of several games."""

    items: Sequence[GameNews]
    game: str = ""
    sequence: int = 0
    head: str = ""
    can_reply: bool = True


def _digest(told: Sequence[Told], zone: str) -> Digest:
    return Digest([game_news(None, one, [one], zone) for one in told])


def reply_address(session: Session, host: str, game_id: str, seat: int, player_id: int, row: int | None = None) -> str:
    return address(mail.secret(session, "reply"), host, game_id, seat, player_id, row)


def unsubscribe_link(session: Session, url: str, player_id: int) -> str:
    token = unsubscribe_token(mail.secret(session, "reply"), player_id)
    return f"{url.rstrip('/')}/v1/mail/unsubscribe?token={token}"


def unsubscribe(transaction: Session, token: str) -> bool:
    """Stops the mail of whom the token is made for; whether there is such a player."""
    player_id = read_unsubscribe_token(mail.secret(transaction, "reply"), token)
    if player_id is None or players.by_id(transaction, player_id) is None:
        return False
    stop_mail(transaction, player_id)
    return True


def game_news(table: Table | None, last: Told, told: Sequence[Told], zone: str) -> GameNews:
    """What is told of one game. The table is as it is now: what was answered meanwhile is not asked again."""
    seat = last.seat
    is_asked = table is not None and not table.is_over and last.kind != "paused"  # then nothing can be answered
    asked = table.decisions(seat) if table and is_asked and seat is not None else ()
    required = [decision for decision in asked if decision.required and seat not in table.sealed] if table else []
    shows = table is not None and last.kind in SHOWS_THE_TABLE
    lines, more = orders(table, seat) if table and seat is not None and asked else ([], False)
    return GameNews(
        game=last.game,
        game_id=last.game_id,
        title=last.title,
        kind=last.kind,
        told_at=last.created_at,
        round=getattr(table.view(seat).table, "round", None) if table else None,
        asks=table.game.phases[required[0].phase].asks if table and required else "",
        summary=last.summary,
        sentences=[sentence for one in told for sentence in _said_before(table, one, last)],
        omitted=sum(one.omitted for one in told),
        prompt=required[0].prompt if required else last.prompt if last.kind != "paused" else "",
        sealed=bool(required and required[0].kind == "sealed"),
        due_at=last.due_at,
        zone=zone,
        board=table.game.text(table.view(seat)).strip() if shows and table else "",
        menu=lines,
        more_orders=more,
        ending=str(last.detail.get("how", "")),
        standings=_results(table.view(seat)) if table and table.is_over else [],
        advice=_advice(last),
        press=(last.press.text or "The text was removed.") if last.press else "",
        press_from=_sender(table, last),
        head=table.head if table else "",
        sequence=table.sequence if table else last.sequence,
        can_reply=seat is not None,
    )


def _said_before(table: Table | None, told: Told, last: Told) -> Sequence[str]:
    """What a notice says in a letter whose heading is that of the last one."""
    if told is last or told.kind in ASKING or told.kind == "revealed":
        return told.sentences
    if told.press:
        return [f"{_sender(table, told)} has written: {told.press.text or 'The text was removed.'}"]
    return [told.summary, *told.sentences]


def _advice(told: Told) -> Sequence[str]:
    if told.kind == "invited":
        take = f"SUBSTITUTE {told.game_id}"
        return [f"To take the seat, answer this mail with {take}. If you do not want to play, there is nothing to do."]
    if told.detail.get("yours"):
        may_return = told.kind == "replaced" and told.detail.get("by") != "player"
        return [f"To return, answer this mail with SUBSTITUTE {told.game_id}."] if may_return else []
    return ADVICE.get(told.kind, ())


def orders(table: Table, seat: int, most: int = MOST_ORDERS) -> tuple[list[MenuLine], bool]:
    """The legal orders as lines to copy, each with what it costs, and whether there are more."""
    choices = menu(table.game, table.offers(seat), table.hints(seat))
    lines: list[MenuLine] = []
    is_whole = True
    for choice in choices:
        found, is_all = _lines(table, seat, choice, most - len(lines))
        lines += found
        is_whole = is_whole and is_all
    return lines, not is_whole


def _lines(table: Table, seat: int, choice: Choice, room: int) -> tuple[list[MenuLine], bool]:
    """A line of a menu with all the orders that it stands for, if there is room; else how they are written, and one."""
    if choice.move is not None:
        return [MenuLine(choice.text, choice.note)], True
    if choice.offers and not choice.missing:
        opened = menu(table.game, choice.offers, table.hints(seat))
        if opened != [choice] and len(opened) <= room:
            lines: list[MenuLine] = []
            is_whole = True
            for inside in opened:
                found, is_all = _lines(table, seat, inside, room - len(lines))
                lines += found
                is_whole = is_whole and is_all
            return lines, is_whole
    offers = choice.offers or tuple(offer for offer in table.offers(seat) if _is_of(table, choice, offer))
    example = next((format_move(table.game, move) for offer in offers for move in offer.moves()), "")
    is_whole = not choice.offers or bool(choice.missing)
    return [MenuLine(choice.text, choice.note, example if example != choice.text else "")], is_whole


def _is_of(table: Table, choice: Choice, offer: Offer) -> bool:
    """Whether a line of the menu that has to be written stands for an offer."""
    return choice.text.split()[0] == pattern(table.game, [offer]).split()[0]


def board_picture(table: Table, seat: int | None, draw: Draw) -> bytes:
    """The table in pixels, small enough for a mail."""
    return draw(table.game.picture(table.view(seat)))


@lru_cache(maxsize=64)
def small(svg: str) -> bytes:
    """Drawn once for each view: 0.1 to 0.25 s, nearly all of it in pixels; the finest palette would cost 0.1 s more."""
    drawn = Image.open(io.BytesIO(png(svg, PICTURE_WIDTH))).convert("RGB")
    for colours in COLOURS:
        out = io.BytesIO()
        drawn.quantize(colours, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(out, "PNG")
        if out.tell() < MOST_BYTES:
            return out.getvalue()
    return b""  # the text says the same


def _results(view: View) -> list[Place]:
    return [Place(one.place, player_name(view, one.seat), one.score or 0, one.note) for one in view.standings]


def _invitation(session: Session, player: Player, told: Told) -> Notice:
    names = notices.games_as_told(session, {told.game_id})[told.game_id].names
    return Notice(
        name=player.name,
        game=told.game,
        game_id=told.game_id,
        title=told.title,
        host=names[told.about] if told.about is not None else "",
        ruleset=told.ruleset,
        can_reply=True,
    )


def welcome(told: Told) -> list[str]:
    """How to play here in ten lines, for the first mail of a game."""
    return [
        f"This is {told.game}, game {told.game_id}. All of it can be played by mail.",
        "When the game asks you, a mail comes with the table, what happened and your orders.",
        "Answer it: write orders at the top, one a line. They may be copied from the mail.",
        "All orders of a mail are played, or none. The first line of our answer says which.",
        "CHECK in the first line tries the orders that follow and plays nothing.",
        "A sealed move stays in its envelope until all are in. Until then you may send another.",
        "BOARD shows the table, OPTIONS your orders, STATUS whom the game waits for.",
        "HISTORY tells what has happened; PRESS TO and a name, then END, writes to a player.",
        f"RULES sends the rules of {told.game} by mail, HELP all that can be written.",
        "Mails of one game share a thread. Answer only those to you: their address speaks for your seat.",
    ]


def _table(session: Session, game_id: str) -> Table | None:
    try:
        return positions.look(session, game_id)[0]
    except ServiceError:
        return None


def _sender(table: Table | None, told: Told) -> str:
    if not told.press:
        return ""
    return table.names[told.press.seat] if table and told.press.seat is not None else "Somebody at the table"
