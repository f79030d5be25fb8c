"""What the picture and the text board say in the same words."""

from collections.abc import Iterator, Mapping

from referee.contract import View, counted
from referee.games.kings_of_air_and_steam.board import Board
from referee.games.kings_of_air_and_steam.play_area import PlayArea
from referee.games.kings_of_air_and_steam.scoring import score_parts
from referee.games.kings_of_air_and_steam.state import Goods
from referee.pictures.wording import NO_BREAK, folded, player_name, several
from referee.piles import pile_of


def points(score: int) -> str:
    return f"{score} points"


def round_line(board: Board, view: View) -> str:
    table, rounds = view.table, board.constants.rounds
    if view.ending:
        return f"All {rounds} rounds are played."
    if not table.round:
        return "The table is being set up."
    if view.phase == "clearance":
        return f"The Clearance, after {rounds} rounds."
    steps = {"planning": "planning", "upkeep": "Upkeep"}
    if view.phase == "market_sense" and not table.bins:
        steps["market_sense"] = "Production"
    step = steps.get(view.phase, f"cycle {table.cycle} of {board.constants.cycles}")
    return f"Round {table.round} of {rounds}, {step}."


def order_line(view: View) -> str:
    """Who is still to come in this cycle, or at the setup after whoever is asked."""
    later = view.table.order if view.table.round else view.table.order[1:]
    names = [player_name(view, seat) for seat in later]
    return f"Then: {', '.join(names)}." if names and not view.ending else ""


def fidelity_line(view: View) -> str:
    published = view.board.fidelity == "rulebook"
    return f"Boards {view.board.name}: {'as published' if published else 'not the published boards'}."


def crew_line(board: Board, view: View, seat: int) -> str:
    """Team, character and tokens; nothing in the Basic game."""
    player = view.table.players[seat]
    if not player.team:
        return ""
    words = f"{board.team[player.team].name} (priority {board.team[player.team].priority})"
    words += f", {board.character[player.character].name}" if player.character else ""
    return words + (f", {counted(player.tokens, 'token')}" if player.tokens else "")


def score_line(board: Board, view: View, seat: int) -> str:
    """`cash 45 + Depots 60 + Train 5`: what the points of a player are made of."""
    player = view.table.players[seat]
    parts = score_parts(board, player.cash, len(player.depots), player.airship_level, player.train_level)
    return " + ".join(f"{what} {number}" for what, number in parts.items() if number) or "nothing"


def card_label(board: Board, card: str) -> str:
    """`4d (E)`: a card and the letter that says when its turn comes."""
    return f"{board.card_name(card)} ({board.card[card].letter})"


def marker_holder(view: View) -> int | None:
    """Who holds the First-player marker, which the Normal game does not have."""
    return None if view.settings.game == "normal" else view.table.first


def has_stubs(view: View) -> bool:
    """Whether Depots go on stubs in this game (KAS-R17)."""
    return view.version != "1" and bool(view.settings.stub_depots)


def prices_line(view: View) -> str:
    return "Prices: " + ", ".join(f"{good} ${paid}" for good, paid in view.table.prices.items()) + "."


def bins_line(view: View) -> str:
    """What comes next: what the Factories will make more of, and what the Cities may want."""
    table = view.table
    return f"In the bins: {goods_words(pile_of(table.bins))}. Demand stack: {goods_words(pile_of(table.demand))}."


def depots_words(depots: Mapping[str, Goods]) -> str:
    return several([f"{space} ({goods_words(goods)})" if goods else space for space, goods in depots.items()])


def factory_lines(view: View, area: PlayArea) -> Iterator[str]:
    waiting = [f"{area.factory_at[space]} {space}: {goods}" for space, goods in view.table.factories.items()]
    yield from folded("; ".join(word.replace(" ", NO_BREAK) for word in waiting) + ".")


def goods_words(goods: Goods) -> str:
    return several([f"{number} {good}" for good, number in sorted(goods.items())])
