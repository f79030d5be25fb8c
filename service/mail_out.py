"""Notices as mails: what happened, the table as the player may see it, and their orders with prices to copy."""

import io
from collections.abc import Sequence
from email.message import EmailMessage
from functools import lru_cache

import msgspec
from PIL import Image

from mail.compose import Envelope, compose
from mail.letters import GameNews, MenuLine, render
from mail.reply import address, read_unsubscribe_token, unsubscribe_token
from referee.orders.menu import menu
from referee.pictures.drawing import png
from referee.pictures.wording import final_standings
from referee.table import Table
from runtime.post import NotSent, Transport
from service import positions
from service.channels import NotDelivered
from service.errors import ServiceError
from service.feed import Told
from service.preferences import MAIL, of_players, stop_mail
from store import mail, players
from store.database import Database, Session
from store.players import Player

PICTURE_WIDTH, COLOURS = 800, 96  # quantised: a third of the bytes, and nobody sees it
MOST_ORDERS = 30
ASKING = frozenset({"your_turn", "phase_opened", "reminder", "offered"})
SHOWS_THE_TABLE = ASKING | {"revealed", "game_over", "late", "undone"}


class MailChannel:
    """Mail as a channel of the notices."""

    name = MAIL
    limit = 60.0

    def __init__(self, db: Database, transport: Transport, host: str, url: str = "") -> None:
        self.db, self.transport, self.host, self.url = db, transport, host, url

    def reaches(self, player: Player) -> bool:
        return player.email is not None

    def deliver(self, player: Player, told: Sequence[Told]) -> None:
        if player.email is None:
            raise NotDelivered("You have no proved address.", for_good=True)
        with self.db.session() as session:
            message = letter(session, self.host, player, told, self.url)
        try:
            self.transport.send(message, f"waybill@{self.host}", player.email)
        except NotSent as error:
            raise NotDelivered(error.reason, error.for_good) from error


def letter(session: Session, host: str, player: Player, told: Sequence[Told], url: str = "") -> EmailMessage:
    """A mail with what a player is told: one game's news, or a digest of several."""
    assert player.email is not None
    zone = of_players(session, [player.id])[player.id].zone
    last = next((one for one in reversed(told) if one.kind in ASKING), told[-1])
    table = _table(session, last.game_id) if last.seat is not None else None
    envelope = Envelope(
        host=host,
        to=player.email,
        message_id=f"notice-{told[0].id}",
        thread=f"game-{last.game_id}",
        notices=tuple(one.id for one in told),
        unsubscribe=unsubscribe_link(session, url, player.id) if url else "",
        reply_to=reply_address(session, host, last.game_id, last.seat, player.id) if last.seat is not None else "",
    )
    if len({one.game_id for one in told}) > 1:
        return compose(
            msgspec.structs.replace(envelope, thread="digest", reply_to=""), render("digest", _digest(told, zone))
        )
    news = game_news(table, last, told, zone)
    picture = board_picture(table, last.seat) if table and last.kind in SHOWS_THE_TABLE else b""
    cid = f"board-{last.game_id}-{last.sequence}@{host}" if picture else ""
    return compose(envelope, render("game", news, cid), picture, cid)


class Digest(msgspec.Struct, frozen=True):
    """News of several games."""

    items: Sequence[GameNews]
    game: str = ""
    sequence: int = 0
    head: str = ""
    can_reply: bool = False


def _digest(told: Sequence[Told], zone: str) -> Digest:
    return Digest([game_news(None, one, [one], zone) for one in told])


def reply_address(session: Session, host: str, game_id: str, seat: int, player_id: int) -> str:
    return address(mail.secret(session, "reply"), host, game_id, seat, player_id)


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
    asked = table.decisions(seat) if table and seat is not None and not table.is_over else ()
    required = [decision for decision in asked if decision.required and seat not in table.sealed] if table else []
    shows = table is not None and last.kind in SHOWS_THE_TABLE
    lines, more = orders(table, seat) if table and seat is not None and asked else ([], False)
    return GameNews(
        game=last.game,
        game_id=last.game_id,
        title=last.title,
        kind=last.kind,
        summary=last.summary,
        sentences=[sentence for one in told for sentence in one.sentences],
        omitted=sum(one.omitted for one in told),
        prompt=required[0].prompt if required else last.prompt,
        sealed=bool(required and required[0].kind == "sealed"),
        due_at=last.due_at,
        zone=zone,
        board=table.game.text(table.view(seat)).strip() if shows and table else "",
        menu=lines,
        more_orders=more,
        standings=final_standings(table.view(seat)) if table and table.is_over else [],
        press=(last.press.text or "The text was removed.") if last.press else "",
        press_from=_sender(table, last),
        head=table.head if table else "",
        sequence=table.sequence if table else last.sequence,
        can_reply=seat is not None,
    )


def orders(table: Table, seat: int) -> tuple[list[MenuLine], bool]:
    """The legal orders as lines to copy, and whether there are more."""
    choices = menu(table.game, table.offers(seat), table.hints(seat))
    lines = [MenuLine(choice.text, choice.note) for choice in choices[:MOST_ORDERS]]
    return lines, len(choices) > MOST_ORDERS or any(choice.move is None for choice in choices)


def board_picture(table: Table, seat: int | None) -> bytes:
    """The table in pixels, small enough for a mail."""
    return _small(table.game.picture(table.view(seat)))


@lru_cache(maxsize=64)
def _small(svg: str) -> bytes:
    """Drawn once for each view: 0.1 to 0.25 s, nearly all of it in pixels; the finest palette would cost 0.1 s more."""
    drawn = Image.open(io.BytesIO(png(svg, PICTURE_WIDTH))).convert("RGB")
    out = io.BytesIO()
    drawn.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(out, "PNG")
    return out.getvalue()


def _table(session: Session, game_id: str) -> Table | None:
    try:
        return positions.look(session, game_id)[0]
    except ServiceError:
        return None


def _sender(table: Table | None, told: Told) -> str:
    if not told.press:
        return ""
    return table.names[told.press.seat] if table and told.press.seat is not None else "Somebody at the table"
