"""What lies in front of the players: the scores at the end, the viewer's hand as cards, then a panel for everybody with
fleets, planes, conditions and what is behind the screen, if the viewer may see it."""

from collections.abc import Iterator, Sequence

from referee.contract import View, counted
from referee.games.tin_goose.board import Board
from referee.games.tin_goose.components import FORD_TRIMOTOR
from referee.games.tin_goose.events import Score, dollars
from referee.games.tin_goose.hints import condition_effect
from referee.games.tin_goose.map_drawing import GOLD, LEFT, PLAIN, RIGHT, airliner, badge, livery
from referee.games.tin_goose.text import airmail_line, card_label, card_terms, hand_line, screen_line, seat_notes
from referee.games.tin_goose.view import FleetView, PlayerView
from referee.pictures.drawing import (
    ACCENT,
    FAINT,
    INK,
    PAINTS,
    Paint,
    Svg,
    chip,
    chip_width,
    element,
    fit,
    group,
    heading,
    lines,
    mark,
    panel,
    text,
)
from referee.pictures.wording import player_name

ERAS = {"gold": GOLD, "blue": PAINTS["blue"], "red": PAINTS["red"]}
START = Paint("#7d8a5a", "#4a5530", "#ffffff", "")  # of the green cards that everybody begins with
GAP = 10.0
NAME_COLUMN = 318.0
CARD_WIDTH, CARD_HEIGHT, CARDS_A_ROW = 263.0, 88.0, 3
HAND_WIDTH, HAND_A_ROW = (RIGHT - LEFT - 3 * GAP) / 4, 4
EFFECT_HEIGHT = 58.0
LINE = 24


def players(board: Board, view: View, y: float) -> tuple[Svg, float]:
    parts = []
    for draw in (_scores, _own_hand):
        drawn, y = draw(board, view, y)
        parts.append(drawn)
    for seat in range(len(view.players)):
        drawn, y = _player(board, view, seat, y)
        parts.append(drawn)
        y += 8
    return group(*parts), y


# The end

COLUMNS = ("money", "abroad", "fewer", "majors", "income", "bonds", "score")


def _scores(board: Board, view: View, y: float) -> tuple[Svg, float]:
    """The parts of everybody's score, best first (Rulebook X)."""
    if not view.table.scores:
        return Svg(), y
    parts, first, step = [heading(LEFT, y + 18, "Final scores")], LEFT + 420, (RIGHT - LEFT - 430) / 6
    rows = y + 34
    height = 40 + 34 * len(view.standings)
    parts.append(panel(LEFT, rows, RIGHT - LEFT, height))
    for index, column in enumerate(COLUMNS):
        parts.append(text(first + step * index, rows + 26, column, 18, anchor="end", fill=FAINT))
    for number, standing in enumerate(view.standings):
        line = rows + 60 + 34 * number
        parts.append(badge(LEFT + 62, line - 6, livery(standing.seat), 0.8))
        parts.append(text(LEFT + 14, line, f"{standing.place}.", 20, bold=True))
        parts.append(text(LEFT + 90, line, fit(player_name(view, standing.seat), 250, 20, True), 20, bold=True))
        for index, amount in enumerate(amounts(view.table.scores[standing.seat])):
            parts.append(text(first + step * index, line, amount, 20, bold=index == 6, anchor="end"))
    return group(*parts), rows + height + 14


def amounts(score: Score) -> list[str]:
    """The parts of a score and the whole, as in the columns."""
    return [
        dollars(amount)
        for amount in (
            score.cash, score.international, score.fewer, score.majors, score.income, score.bonds, score.total,
        )
    ]  # fmt: skip


# The viewer's hand


def _own_hand(board: Board, view: View, y: float) -> tuple[Svg, float]:
    hand: Sequence[str] = () if view.you is None else view.table.players[view.you].hand or ()
    if not hand:
        return Svg(), y
    parts, top = [heading(LEFT, y + 18, "Your hand")], y + 34
    for index, card in enumerate(hand):
        row, column = divmod(index, HAND_A_ROW)
        x, line = LEFT + column * (HAND_WIDTH + GAP), top + row * (CARD_HEIGHT + GAP)
        parts.append(mark("card", card, era_card(board, card, x, line, HAND_WIDTH)))
    return group(*parts), top + -(-len(hand) // HAND_A_ROW) * (CARD_HEIGHT + GAP) + 6


def era_card(board: Board, card: str, x: float, y: float, width: float) -> Svg:
    """A card of an era deck: what it is, its city, what it says."""
    printed = board.card[card]
    name = board.kind[printed.fleet].name if printed.fleet else f"{printed.era} {printed.kind}"
    return _face(
        x, y, width, name, board.city[printed.city].name, card_terms(board, card), ERAS.get(printed.era, START)
    )


def _face(x: float, y: float, width: float, name: str, city: str, terms: str, back: Paint) -> Svg:
    room = width - 26
    return group(
        element(
            "rect", x=x, y=y, width=width, height=CARD_HEIGHT, rx=5, fill="#fffdf8", stroke=back.edge, stroke_width=2
        ),
        element("path", d=_band(x, y), fill=back.fill, stroke=back.edge),
        text(x + 19, y + 25, fit(name, room, 18, True), 18, bold=True),
        text(x + 19, y + 50, fit(city, room, 18), 18),
        text(x + 19, y + 76, fit(terms, room, 18), 18),
    )


def _band(x: float, y: float) -> str:
    """The stripe in the colour of the era at the left of a card."""
    return f"M{x + 5:.1f} {y:.1f}h5v{CARD_HEIGHT:.1f}h-5a5 5 0 0 1-5-5v-{CARD_HEIGHT - 10:.1f}a5 5 0 0 1 5-5z"


# The panels


def _player(board: Board, view: View, seat: int, y: float) -> tuple[Svg, float]:
    """Name, tracks and screen on the left; fleets, conditions and hand on the right."""
    player, left = view.table.players[seat], LEFT + NAME_COLUMN
    asked = any(decision.seat == seat for decision in view.decisions)
    right: list[Svg] = []
    line = y + 12
    for index, fleet in enumerate(player.fleets):
        row, column = divmod(index, CARDS_A_ROW)
        x, top = left + column * (CARD_WIDTH + GAP), line + row * (CARD_HEIGHT + GAP)
        drawn = _fleet(board, fleet, x, top, livery(seat))
        right.append(mark("fleet", fleet.card, drawn) if seat == view.you else drawn)
    line += -(-len(player.fleets) // CARDS_A_ROW) * (CARD_HEIGHT + GAP)
    conditions, line = (_own_conditions if seat == view.you else _conditions)(board, player, left, line)
    right += conditions
    for words in [] if seat == view.you and player.hand else _hand(board, player):
        right.append(text(left, line + 16, words, 18))
        line += LINE
    names, bottom = _name(board, view, seat, y)
    height = max(line, bottom) + 10 - y
    parts = [panel(LEFT, y, RIGHT - LEFT, height)]
    if asked:
        parts.append(element("rect", x=LEFT + 1, y=y + 1, width=8, height=height - 2, fill=ACCENT))
    return group(*parts, *names, *right), y + height


def _name(board: Board, view: View, seat: int, y: float) -> tuple[list[Svg], float]:
    player = view.table.players[seat]
    x, room = LEFT + 20, NAME_COLUMN - 38
    drawn = [
        badge(x + 18, y + 32, livery(seat)),
        text(x + 48, y + 39, fit(player_name(view, seat), room - 48, 22, True), 22, bold=True),
    ]
    places = [standing.place for standing in view.standings if standing.seat == seat]
    notes = seat_notes(view, seat) + [f"place {place}" for place in places if place]
    rows = [(", ".join(notes), ACCENT)] if notes else []
    rows.append((f"Income {player.income}, hazard {player.hazard}, oil {player.oil}", INK))
    rows.append((screen_line(player), FAINT if player.cash is None else INK))
    if player.airmail:
        rows.append((f"Airmail: {airmail_line(board, player.airmail)}", INK))
    line = y + 58
    for words, fill in rows:
        for row in lines(words, room, 18):
            line += LINE
            drawn.append(text(x, line, row, 18, fill=fill))
    return drawn, line + 4


def _fleet(board: Board, fleet: FleetView, x: float, y: float, paint: Paint) -> Svg:
    """A fleet card with the planes that are left on it, in the colour of its era."""
    printed = board.card.get(fleet.card)
    city = board.city[printed.city].name if printed else "start fleet"
    back = START if fleet.card == FORD_TRIMOTOR or printed is None else ERAS.get(printed.era, START)
    terms = f"{fleet.size}, oil {fleet.oil}, hazard {fleet.hazard}"
    planes = [airliner(x + CARD_WIDTH - 24 - 36 * index, y + 62, paint, 0.72) for index in range(fleet.planes)]
    return group(_face(x, y, CARD_WIDTH, fleet.name, city, terms, back), *planes)


def _own_conditions(board: Board, player: PlayerView, x: float, y: float) -> tuple[list[Svg], float]:
    """The viewer's conditions with what they do; the extensions as a chip."""
    drawn: list[Svg] = []
    for index, condition in enumerate(player.conditions):
        row, column = divmod(index, CARDS_A_ROW)
        left, top = x + column * (CARD_WIDTH + GAP), y + row * (EFFECT_HEIGHT + GAP)
        name = board.condition[condition].name
        effect = short_effect(board, condition)
        drawn.append(
            mark(
                "condition",
                condition,
                element(
                    "rect", x=left, y=top, width=CARD_WIDTH, height=EFFECT_HEIGHT, rx=5, fill="#fffdf8",
                    stroke=START.edge, stroke_width=2,
                ),
                text(left + 12, top + 23, fit(name, CARD_WIDTH - 20, 18, True), 18, bold=True),
                text(left + 12, top + 47, fit(effect, CARD_WIDTH - 20, 18), 18),
            )
        )  # fmt: skip
    y += -(-len(player.conditions) // CARDS_A_ROW) * (EFFECT_HEIGHT + GAP)
    chips, y = _chips([counted(player.extensions, "extension")] if player.extensions else [], x, y)
    return drawn + chips, y


def short_effect(board: Board, condition: str) -> str:
    """What a condition does, in as few words as a card has room for."""
    effect = condition_effect(board, condition)
    pays = "/".join(str(era.investments) for era in board.eras)
    shorter = {
        "unproductive_investments": f"removed: ${pays} by era",
        "rural_stops_along_routes": f"oil ${board.constants.rural_stops_price} a barrel dearer",
        "regional_management": "first action: advance",
        "generous_dividends": "no income after the turn",
    }
    return shorter.get(condition, effect)


def _conditions(board: Board, player: PlayerView, x: float, y: float) -> tuple[list[Svg], float]:
    """The conditions that are left by their first words, and the extensions."""
    labels = [" ".join(board.condition[condition].name.split()[:2]) for condition in player.conditions]
    if player.extensions:
        labels.append(counted(player.extensions, "extension"))
    return _chips(labels, x, y)


def _chips(labels: Sequence[str], x: float, y: float) -> tuple[list[Svg], float]:
    """Labels in rows, and where the next thing may stand; no labels take no room."""
    drawn: list[Svg] = []
    place = x
    for label in labels:
        if place > x and place + chip_width(label) > RIGHT - 10:
            place, y = x, y + 32
        drawn.append(chip(place, y + 14, label, PLAIN._replace(edge=FAINT)))
        place += chip_width(label) + 8
    return drawn, y + (34 if labels else 0)


def _hand(board: Board, player: PlayerView) -> Iterator[str]:
    """The backs of a hand; its cards, where everything is open; nothing of an empty one."""
    said = hand_line(player)
    if not any(player.hand_sizes.values()):
        return
    if player.hand:
        said = "; ".join(card_label(board, card) for card in player.hand)
    yield from lines(f"Hand: {said}", RIGHT - LEFT - NAME_COLUMN - 14, 18)
