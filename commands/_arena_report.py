"""The report of a tournament, on the terminal and as a page."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from rich.console import Console
from rich.table import Table

from commands._arena_figures import Played, Standing, Use, by_seat, middle, standings, uses
from referee.games import all_games, open_game

RARE = 0.05  # times a game: what is used less is named
NAMED = 12  # at most, of the things that are hardly ever used
OFTEN = 30  # seats that must have used a thing before one may say that it wins
WIDE = 640  # of a chart


def report(key: str, seats: int, games: Sequence[Played], others: Sequence[Played] = ()) -> None:
    """Tables for people."""
    console = Console()
    game = all_games()[key]
    console.print(f"[bold]{game.name}[/], {seats} players, {len(games)} games")
    if not games:
        return
    table = Table()
    for name in ("bot", "games", "wins", "equal share", "score", "Elo (95 %)"):
        table.add_column(name, justify="left" if name == "bot" else "right")
    for row in standings(games, others):
        table.add_row(*cells(row))
    console.print(table)
    for line in lines(key, seats, games):
        console.print(line, highlight=False)


def cells(row: Standing) -> list[str]:
    rating = row.rating
    return [
        row.bot,
        str(row.games),
        row.rate.percent(),
        f"{100 * row.share:.0f} %",
        f"{row.score:.1f}",
        f"{rating.value:.0f} ± {rating.high - rating.value:.0f}",
    ]


def lines(key: str, seats: int, games: Sequence[Played]) -> Iterator[str]:
    """What else there is to say, a line each."""
    ended = [game for game in games if game.result.ended]
    yield f"length: {middle([game.result.rows for game in games])} rows, mean and middle nine tenths"
    yield f"hand-offs: {middle([game.result.hand_offs for game in games])}"
    yield f"stopped by the cap on rows: {len(games) - len(ended)}"
    rates = by_seat(games, seats)
    yield f"wins by seat: {', '.join(f'{seat + 1}: {rate.percent()}' for seat, rate in enumerate(rates))}"
    yield "moves a game: " + ", ".join(f"{use.name} {use.a_game:.1f}" for use in uses(games, "moves"))
    parts = uses(games, "parts", named_parts(key, seats))
    yield f"parts of the board used less than once in {1 / RARE:.0f} games: {'; '.join(rare(parts)) or 'none'}"
    strong = decisive(parts, 1 / seats)
    said = ", ".join(f"{use.name} {100 * use.rate.value:.0f} %" for use in strong)
    yield f"parts whose users win far more often than others: {said or 'none'}"


def rare(parts: Sequence[Use]) -> Iterator[str]:
    """What is hardly ever used, field by field; a field that nobody uses at all is another way to say the same."""
    by_field: dict[str, list[Use]] = {}
    for use in parts:
        by_field.setdefault(use.name.partition(" ")[0], []).append(use)
    for field, uses_of_it in by_field.items():
        names = [use.name.partition(" ")[2] for use in uses_of_it if use.a_game < RARE]
        if names and len(names) < len(uses_of_it):
            more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
            yield f"{field} {', '.join(names[-NAMED:])}{more} ({len(names)} of {len(uses_of_it)})"


def named_parts(key: str, seats: int) -> list[str]:
    """All parts of the board that have a place in the picture: those are there to be used."""
    game = open_game(key, seats)
    return [
        f"{field} {value}"
        for field, without in game.marked.items()
        for value in game.vocabulary.get(field, {})
        if value not in without and field not in game.seat_values
    ]


def decisive(parts: Sequence[Use], share: float) -> list[Use]:
    """What wins twice as often as an equal share, beyond chance."""
    found = [use for use in parts if use.seats >= OFTEN and use.rate.low > 2 * share]
    return sorted(found, key=lambda use: -use.rate.value)[:10]


def html(key: str, seats: int, plan: Mapping[str, Any], games: Sequence[Played], others: Sequence[Played] = ()) -> str:
    """The same as a page of its own, with charts."""
    name = all_games()[key].name
    rows = standings(games, others) if games else []
    body = [
        f"<h1>{escape(name)}, {seats} players</h1>",
        f"<p>{len(games)} games. Plan: <code>{escape(str(dict(plan)))}</code></p>",
        "<table><thead><tr><th>bot<th>games<th>wins (95 %)<th>equal share<th>score<th>Elo (95 %)</thead><tbody>",
        *("<tr>" + "".join(f"<td>{escape(cell)}" for cell in cells(row)) for row in rows),
        "</tbody></table>",
        "<ul>" + "".join(f"<li>{escape(line)}" for line in (lines(key, seats, games) if games else ())) + "</ul>",
        "<h2>Wins</h2>",
        intervals(
            [(row.bot, row.rate.low, row.rate.value, row.rate.high) for row in rows], rows[0].share if rows else 0
        ),
        "<h2>Wins by seat</h2>",
        intervals(
            [(f"seat {seat + 1}", rate.low, rate.value, rate.high) for seat, rate in enumerate(by_seat(games, seats))],
            1 / seats,
        ),
        "<h2>Length in rows</h2>",
        histogram([game.result.rows for game in games]),
        "<h2>Moves a game</h2>",
        bars([(use.name, use.a_game) for use in uses(games, "moves")]),
        "<h2>Parts of the board a game</h2>",
        bars([(use.name, use.a_game) for use in uses(games, "parts", named_parts(key, seats))]),
    ]
    return PAGE.format(title=escape(f"{name}: arena"), body="\n".join(body))


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; --ink: #222; --faint: #999; --bar: #2a6f97; --page: #fff; }}
@media (prefers-color-scheme: dark) {{ :root {{ --ink: #eee; --faint: #888; --bar: #61a5c2; --page: #181818; }} }}
body {{ font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 42rem;
  margin: 2rem auto; padding: 0 1rem; }}
table {{ border-collapse: collapse; display: block; overflow-x: auto; }}
th, td {{ padding: .2rem .7rem; text-align: right; border-bottom: 1px solid var(--faint); white-space: nowrap; }}
th:first-child, td:first-child {{ text-align: left; }}
li {{ overflow-wrap: anywhere; }} code {{ overflow-wrap: anywhere; }}
svg {{ width: 100%; height: auto; font: 13px system-ui, sans-serif; fill: var(--ink); }}
.bar {{ fill: var(--bar); }} .line {{ stroke: var(--ink); }} .share {{ stroke: var(--faint); stroke-dasharray: 4 4; }}
</style></head><body>
{body}
</body></html>
"""

LABEL, ROW = 200, 22


def intervals(rows: Sequence[tuple[str, float, float, float]], share: float) -> str:
    """A point with its interval for each name; the dashed line is an equal share."""
    scale = WIDE - LABEL - 60
    parts = [
        f'<line class="share" x1="{LABEL + scale * share:.1f}" x2="{LABEL + scale * share:.1f}" y1="0" y2="100%"/>'
    ]
    for index, (name, low, value, high) in enumerate(rows):
        y = index * ROW + ROW / 2
        parts.append(
            f'<text x="0" y="{y + 4}">{escape(name[:28])}</text>'
            f'<line class="line" x1="{LABEL + scale * low:.1f}" x2="{LABEL + scale * high:.1f}" y1="{y}" y2="{y}"/>'
            f'<circle class="bar" cx="{LABEL + scale * value:.1f}" cy="{y}" r="5"/>'
            f'<text x="{WIDE - 45}" y="{y + 4}">{100 * value:.0f} %</text>'
        )
    return svg(len(rows), parts)


def bars(rows: Sequence[tuple[str, float]]) -> str:
    most = max((value for _, value in rows), default=0) or 1
    parts = []
    for index, (name, value) in enumerate(rows):
        y = index * ROW
        parts.append(
            f'<text x="0" y="{y + 15}">{escape(name[:28])}</text>'
            f'<rect class="bar" x="{LABEL}" y="{y + 3}" width="{(WIDE - LABEL - 60) * value / most:.1f}" height="15"/>'
            f'<text x="{WIDE - 52}" y="{y + 15}">{value:.2f}</text>'
        )
    return svg(len(rows), parts)


def histogram(values: Sequence[int], bins: int = 20) -> str:
    if not values:
        return ""
    low, high = min(values), max(values)
    wide = max(1, -(-(high - low + 1) // bins))
    counts = [0] * (-(-(high - low + 1) // wide))
    for value in values:
        counts[(value - low) // wide] += 1
    return bars(
        [(f"{low + place * wide} to {low + (place + 1) * wide - 1}", count) for place, count in enumerate(counts)]
    )


def svg(rows: int, parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {WIDE} {max(1, rows) * ROW}" role="img">{"".join(parts)}</svg>'
