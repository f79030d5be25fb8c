"""How the scores went in the last finished games: python score_chart.py [ruleset] [address of the service] > chart.html

A page with a chart for each game, drawn by hand as SVG. Copy the parts between the lines of dashes into a notebook.
"""

import html
import sys

from waybill_client import Client, Game

ruleset = sys.argv[1] if len(sys.argv) > 1 else "airlines-europe"
url = sys.argv[2] if len(sys.argv) > 2 else "http://127.0.0.1:8000"
MOST_GAMES, POINTS = 4, 24
WIDTH, HEIGHT, LEFT, BOTTOM, RIGHT, TOP = 640, 300, 48, 36, 150, 28
COLOURS = ("#0b6fa4", "#b3261e", "#2f7d32", "#8a5a00", "#6a3fa0", "#00796b", "#5d4037")

# ---- fetch: the standings after some rows of each game ---------------------------------------------------------------


def scores(client: Client, game: Game) -> list[tuple[int, dict[int, int]]]:
    """After which row each seat had which score. Of a game that is over everything is told."""
    rows = sorted({round(game.sequence * part / POINTS) for part in range(POINTS + 1)})
    positions = [client.position(game.id, at=row) for row in rows]
    return [(found.sequence, {one.seat: one.score or 0 for one in found.standings}) for found in positions]


# ---- draw ------------------------------------------------------------------------------------------------------------


def chart(game: Game, history: list[tuple[int, dict[int, int]]]) -> str:
    values = [score for _, by_seat in history for score in by_seat.values()]
    low, high, last = min(0, *values), max(1, *values), max(1, history[-1][0])

    def x(row: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * row / last

    def y(score: int) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (score - low) / (high - low)

    title = html.escape(f"{game.ruleset}, {game.title or game.id}: {game.ending}")
    lines = [f'<text x="{LEFT}" y="16" font-weight="bold">{title}</text>']
    for score in (low, (low + high) // 2, high):
        place = f'x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(score):.1f}" y2="{y(score):.1f}"'
        lines.append(f'<line {place} stroke="#ccc"/>')
        lines.append(f'<text x="{LEFT - 6}" y="{y(score) + 4:.1f}" text-anchor="end">{score}</text>')
    for row in (0, last):
        lines.append(f'<text x="{x(row):.1f}" y="{HEIGHT - 14}" text-anchor="middle">row {row}</text>')
    labels: list[float] = []
    for seat in sorted(history[-1][1], key=lambda seat: -history[-1][1][seat]):
        colour = COLOURS[seat % len(COLOURS)]
        points = " ".join(f"{x(row):.1f},{y(by_seat[seat]):.1f}" for row, by_seat in history)
        lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        labels.append(max(y(history[-1][1][seat]) + 4, labels[-1] + 15 if labels else 0))
        name = html.escape(f"{game.seats[seat].name} {history[-1][1][seat]}")
        lines.append(f'<text x="{WIDTH - RIGHT + 6}" y="{labels[-1]:.1f}" fill="{colour}">{name}</text>')
    style = 'font-family="system-ui, sans-serif" font-size="12"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" {style}>'
    return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *lines, "</svg>"])


# ---- show ------------------------------------------------------------------------------------------------------------

with Client(url) as watcher:
    finished = [game for _, game in zip(range(MOST_GAMES), watcher.games(status="over", ruleset=ruleset), strict=False)]
    charts = [chart(watcher.game(game.id), scores(watcher, game)) for game in finished if game.sequence > 0]
    page = "\n".join(charts) or f"<p>There is no finished game of {html.escape(ruleset)} yet.</p>"
    print(f'<!doctype html><meta charset="utf-8"><title>{html.escape(ruleset)}</title>\n{page}')
