"""What of a game of Mail Run may be seen by whom (MR-07)."""

import msgspec

from referee.contract import Viewer, copied
from referee.games.mail_run.state import Position
from referee.options import Rng, shuffled


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
        bank=position.bank,
    )


def imagine(position: Position, viewer: Viewer, rng: Rng) -> Position:
    """Deals anew the deck and every hand that the viewer does not know."""
    other = copied(position)
    if viewer.sees():
        return other
    hidden = [player for seat, player in enumerate(other.players) if not viewer.sees(seat)]
    letters = shuffled([*other.deck, *(letter for player in hidden for letter in player.hand)], rng)
    for player in hidden:
        player.hand = sorted(letters.pop() for _ in player.hand)
    other.deck = letters
    return other
