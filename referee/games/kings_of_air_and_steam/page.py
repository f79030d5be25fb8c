"""The tables of the game's page, made from its board."""

from collections.abc import Iterable, Mapping

from referee.contract import counted
from referee.games.kings_of_air_and_steam.board import Board
from referee.games.kings_of_air_and_steam.hints import card_effect, diamonds_words
from referee.games.kings_of_air_and_steam.scoring import score_parts

EXAMPLE = {"cash": 23, "depots": 7, "airship": 6, "train": 5}  # of a score


def page_tables(board: Board) -> Mapping[str, str]:
    return {
        "arrangements": _arrangements(board),
        "cards": _cards(board),
        "tracks": _tracks(board),
        "teams": _teams(board),
        "score": _score(board),
    }


def _table(head: Iterable[str], *rows: Iterable[object]) -> str:
    head = list(head)
    lines = [head, ["---"] * len(head), *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _arrangements(board: Board) -> str:
    rows = []
    for arrangement in board.arrangements:
        players = " or ".join(map(str, arrangement.players)) if len(arrangement.players) < 3 else (
            f"{arrangement.players[0]} to {arrangement.players[-1]}"
        )  # fmt: skip
        cutthroat = "".join(f", or {number} in a cutthroat game" for number in arrangement.cutthroat_players)
        sets = " or ".join(arrangement.board_sets)
        rows.append((f"{players}{cutthroat}", sets, arrangement.bumpers))
    return _table(("players", "boards", "bumpers"), *rows)


def _cards(board: Board) -> str:
    rows = [(f"`{card.id}`", card.copies, card_effect(card), card.letter, diamonds_words(card)) for card in board.cards]
    return _table(("card", "copies", "does", "letter", "diamonds"), *rows)


def _tracks(board: Board) -> str:
    rows = []
    for level, (airship, train) in enumerate(zip(board.airships["standard"], board.train, strict=True), 1):
        costs = f"${airship.cost}" if airship.cost else "-", f"${train.cost}" if train.cost else "-"
        points = board.constants.vp_full_airship if level == len(board.train) else 0
        gives = f"{counted(airship.diamonds, 'diamond')}, room for {airship.capacity}"
        rows.append((level, costs[0], gives, points or "-", costs[1], train.rating, train.vp or "-"))
    head = ("level", "Airship costs", "and has", "points", "Train costs", "rating", "points")
    return _table(head, *rows)


def _teams(board: Board) -> str:
    rows = []
    for team in board.teams:
        levels = ", ".join(f"{level.diamonds}/{level.capacity}" for level in board.airships[team.airship])
        card = board.card[team.id]
        people = " or ".join(who.name for who in team.characters)
        does = f"{card_effect(card)}, letter {card.letter}, {diamonds_words(card)}"
        rows.append((team.priority, team.name, people, does, levels))
    return _table(("priority", "team", "characters", "card", "Airship: diamonds/room by level"), *rows)


def _score(board: Board) -> str:
    parts = score_parts(board, EXAMPLE["cash"], EXAMPLE["depots"], EXAMPLE["airship"], EXAMPLE["train"])
    what = {
        "cash": f"${EXAMPLE['cash']}",
        "Depots": f"{EXAMPLE['depots']} Depots on the map",
        "Airship": f"an Airship at level {EXAMPLE['airship']}",
        "Train": f"a Train at level {EXAMPLE['train']}",
    }
    rows = [(what[name], points) for name, points in parts.items()]
    return _table(("", "points"), *rows, ("together", sum(parts.values())))
