"""What of a game of Mail Run may be seen by whom (MR-07)."""

import msgspec

from referee.contract import Viewer
from referee.games.mail_run.state import Position


class PlayerView(msgspec.Struct, frozen=True):
    at: str
    coins: int
    hand: tuple[str, ...] | None
    hand_size: int
    delivered: int


class TableView(msgspec.Struct, frozen=True):
    round: int
    order: tuple[int, ...]
    players: tuple[PlayerView, ...]
    deck: tuple[str, ...] | None
    deck_size: int
    delivered: tuple[str, ...]
    bank: int


def table_view(position: Position, viewer: Viewer) -> TableView:
    return TableView(
        round=position.round,
        order=tuple(position.order),
        players=tuple(
            PlayerView(
                at=player.at,
                coins=player.coins,
                hand=tuple(player.hand) if viewer.sees(seat) else None,
                hand_size=len(player.hand),
                delivered=player.delivered,
            )
            for seat, player in enumerate(position.players)
        ),
        deck=tuple(position.deck) if viewer.sees() else None,
        deck_size=len(position.deck),
        delivered=tuple(position.delivered),
        bank=position.bank,
    )
