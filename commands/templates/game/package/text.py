"""The table of Mail Run in words, for terminals, phones and screen readers.

The decision comes first, with what it needs; the rest is told to those who ask. Made from a view and the board alone.
"""

from collections.abc import Iterator

from referee.contract import View, counted
from referee.games.mail_run.board import Board
from referee.games.mail_run.view import PlayerView
from referee.options import Hints, Offer
from referee.pictures.wording import (
    fidelity_line,
    final_standings,
    folded,
    headline,
    player_name,
    seat_notes,
    sections,
    several,
)


def text_board(board: Board, view: View, part: str = "") -> str:
    head = [f"MAIL RUN, after move {view.sequence}", *folded(headline(view, score)), *folded(status(board, view))]
    final = ["FINAL STANDINGS", *final_standings(view, score)] if view.ending else []
    players, routes = ["PLAYERS", *_players(board, view)], ["ROUTES", *_routes(board)]
    match part:
        case "map":
            return sections(routes)
        case "players":
            return sections(players)
        case "full":
            return sections(head, final, players, routes, [fidelity_line(view)])
    return sections(head, final, players)


def flight_hints(board: Board, view: View, offer: Offer) -> Hints:
    """How many letters a flight would deliver."""
    hand = view.table.players[view.you].hand if view.you is not None else None
    counts = {city.id: (hand or ()).count(city.id) for city in board.cities}
    return Hints(values={"city": {city: f"delivers {score(count)}" for city, count in counts.items() if count}})


def score(letters: int) -> str:
    return counted(letters, "letter")


def status(board: Board, view: View) -> str:
    if view.ending:
        return f"All {board.rounds} rounds are played."
    return f"Round {view.table.round} of {board.rounds}, {counted(view.table.deck_size, 'letter')} to collect."


def hand_line(board: Board, player: PlayerView) -> str:
    """The letters that a player holds, or their number."""
    if player.hand is None:
        return f"{counted(player.hand_size, 'letter')} in hand"
    return f"In hand: {', '.join(board.city[letter].name for letter in player.hand) or 'none'}"


def _players(board: Board, view: View) -> Iterator[str]:
    for seat, player in enumerate(view.table.players):
        notes = ", ".join(seat_notes(view, seat))
        who = player_name(view, seat) + (f" ({notes})" if notes else "")
        have = f"{counted(player.coins, 'coin')}, {player.delivered} delivered"
        yield from folded(f"{who}: in {board.city[player.at].name}, {have}. {hand_line(board, player)}.")


def _routes(board: Board) -> Iterator[str]:
    for city in board.cities:
        yield from folded(f"{city.name}: {several(_neighbours(board, city.id))}.")


def cities_table(board: Board) -> str:
    """Which city is next to which, as Markdown for the page."""
    rows = [f"| {city.name} | {', '.join(_neighbours(board, city.id))} |" for city in board.cities]
    return "\n".join(["| city | next to |", "| --- | --- |", *rows])


def _neighbours(board: Board, city: str) -> list[str]:
    return [board.city[end].name for end in board.next_to[city]]
