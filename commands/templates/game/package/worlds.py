"""Positions that a viewer cannot tell from the true one, made of what the viewer sees alone."""

from collections import Counter

from referee.contract import View
from referee.games.mail_run.board import Board
from referee.games.mail_run.setup import letters
from referee.games.mail_run.state import Player, Position
from referee.games.mail_run.view import TableView
from referee.options import Rng, shuffled


def imagine(board: Board, view: View, rng: Rng) -> Position:
    """Deals anew the deck and every hand that the viewer does not see, each deal as likely as another."""
    table: TableView = view.table
    seen = [
        *table.delivered,
        *(table.deck or ()),
        *(letter for player in table.players for letter in player.hand or ()),
    ]
    unseen = shuffled(sorted((Counter(letters(board)) - Counter(seen)).elements()), rng)
    players = []
    for player in table.players:
        hand = player.hand if player.hand is not None else sorted(unseen.pop() for _ in range(player.hand_size))
        players.append(Player(player.at, player.coins, list(hand), player.delivered))
    return Position(
        phase=view.phase,
        ending=view.ending,
        players=players,
        deck=unseen if table.deck is None else list(table.deck),
        delivered=list(table.delivered),
        bank=table.bank,
        round=table.round,
        order=list(table.order),
    )
