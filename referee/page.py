"""The page from which people learn a game: its page.md with the numbers of the board put in, as Markdown and as HTML.

Numbers are written `{board.setup.hand}`, tables `{tables[fares]}` (`Game.page_tables`), braces doubled. A picture is a
moment of a golden game, `![What it shows](golden/NAME.jsonl?row=42&seat=0&part=map)`; seat and part may be left out.
Comments are left out of what is shown. `./waybill pages` writes the pages to docs/games, and the API serves them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count, pairwise
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from referee.contract import PARTS
from referee.errors import RecordError
from referee.games import GameType, board_file, game_of, shipped_board
from referee.record import load, replay

NAMES = ("Ann", "Bob", "Cid", "Dot", "Eve", "Fay", "Gus", "Hal")  # of the players in the pictures

COMMENT = re.compile(r"<!--(.*?)-->\n*", re.S)
PICTURE = re.compile(r"!\[([^\]]*)\]\(golden/([^)\s]*)\)")
LINK_ELSEWHERE = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:|#|mailto:)[^)]*\)")
RULE_ID = re.compile(r"\b[A-Z][A-Z0-9]*-[A-Z]*\d+\b")
NOT_FOR_PLAYERS = re.compile(r"^\s*not for players:(.*)", re.S)


class PageError(Exception):
    """What is wrong with a page, for its author."""


class Picture(NamedTuple):
    """A moment of a golden game, as a seat or a spectator sees it."""

    record: str  # the file's name, without its ending
    row: int
    seat: int | None = None
    part: str = ""

    @property
    def name(self) -> str:
        seat = "" if self.seat is None else f"-seat-{self.seat + 1}"
        return f"{self.record}-{self.row}{seat}{f'-{self.part}' if self.part else ''}"


class Page(NamedTuple):
    """A game's page as Markdown, and the pictures in it."""

    markdown: str
    pictures: tuple[Picture, ...]


def page_file(game_type: GameType) -> Path:
    """Where the source of a game's page is, if it has one."""
    return board_file(game_type).parent / "page.md"


def page_of(game_type: GameType, folder: str) -> Page | None:
    """The page of a game, its pictures in a folder; None if it has none."""
    file = page_file(game_type)
    if not file.exists():
        return None
    game = game_type(shipped_board(game_type), game_type.seat_counts[-1])
    return rendered(file.read_text("utf-8"), game.board, game.page_tables(), folder)


def rendered(source: str, board: Any, tables: Mapping[str, str], folder: str) -> Page:
    """What a source says of a board; its pictures are in a folder."""
    pictures: dict[Picture, None] = {}

    def shown(found: re.Match[str]) -> str:
        picture = read_picture(found[2])
        pictures[picture] = None
        return f"![{found[1]}]({folder}{picture.name}.svg)"

    # A comment leaves its lines behind until they are counted.
    lines = COMMENT.sub(lambda found: "\n" * found[0].count("\n"), source).split("\n")
    written = "\n".join(_filled_in(number, line, board, tables) for number, line in enumerate(lines, 1))
    markdown = PICTURE.sub(shown, re.sub(r"\n{3,}", "\n\n", written).strip("\n"))
    return Page(f"{markdown}\n", tuple(pictures))


def _filled_in(number: int, line: str, board: Any, tables: Mapping[str, str]) -> str:
    try:
        return line.format(board=board, tables=tables)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise PageError(
            f"line {number}: {line.strip()!r:.80} cannot be filled in: {error!r}; {{board.…}} and {{tables[…]}} are"
            " known, and other braces are doubled"
        ) from None


def read_picture(address: str) -> Picture:
    """`4-players.jsonl?row=42&seat=0&part=map`."""
    file, _, query = address.partition("?")
    asked = dict(parse_qsl(query, keep_blank_values=True))
    unknown = asked.keys() - {"row", "seat", "part"}
    numbers = [asked.get(name, "0") for name in ("row", "seat")]
    is_named = re.fullmatch(r"[a-z0-9-]+\.jsonl", file) is not None
    if unknown or not is_named or "row" not in asked or not all(map(str.isdecimal, numbers)):
        raise PageError(f"golden/{address} is no picture; one is written golden/NAME.jsonl?row=42&seat=0&part=map")
    if asked.get("part", "") not in ("", *PARTS):
        raise PageError(f"golden/{address}: there is no part {asked['part']!r}; parts are {', '.join(PARTS)}")
    seat = int(asked["seat"]) if "seat" in asked else None
    return Picture(file.removesuffix(".jsonl"), int(asked["row"]), seat, asked.get("part", ""))


def draw(pictures: Iterable[Picture], golden: Path) -> Iterator[tuple[Picture, str]]:
    """The pictures as SVG, from the golden games in a folder; each game is played again once."""
    by_record: dict[str, list[Picture]] = {}
    for picture in pictures:
        by_record.setdefault(picture.record, []).append(picture)
    for name, wanted in by_record.items():
        yield from _drawn(golden / f"{name}.jsonl", wanted)


def _drawn(file: Path, wanted: Sequence[Picture]) -> Iterator[tuple[Picture, str]]:
    try:
        record = load(file.read_bytes())
    except (OSError, RecordError) as error:
        raise PageError(f"golden/{file.name} cannot be read: {error}") from None
    game = game_of(record.header)
    for picture in wanted:
        if picture.row >= len(record.entries) or (picture.seat or 0) >= game.seats:
            rows = f"rows 0 to {len(record.entries) - 1} and seats 0 to {game.seats - 1}"
            raise PageError(f"golden/{file.name} has {rows}, not row {picture.row}, seat {picture.seat}")
        if picture.part and picture.part not in game.parts:
            raise PageError(f"golden/{file.name}: {game.name} has no part {picture.part!r}, but {game.parts}")
    last = max(picture.row for picture in wanted)
    for table, entry in replay(game, record, NAMES[: game.seats]):
        for picture in wanted:
            if picture.row == entry.row.number:
                view = table.view(picture.seat)
                yield picture, game.picture(view, picture.part) if picture.part else game.picture(view)
        if entry.row.number == last:
            return


def uncited(source: str, ids: Iterable[str]) -> list[str]:
    """The ids that a page does not tell. What binds nobody at the table it names in a comment: `<!-- not for players:
    SP-R01 (a name), SP-F01 (what is in the box) -->`."""
    comments = COMMENT.findall(source)
    excused = " ".join(found[1] for comment in comments if (found := NOT_FOR_PLAYERS.match(comment)))
    told = set(RULE_ID.findall(f"{COMMENT.sub('', source)} {excused}"))
    return [one for one in ids if one not in told]


def without_links_elsewhere(markdown: str) -> str:
    """For readers who have no files: links into the repository are plain words."""
    return LINK_ELSEWHERE.sub(r"\1", markdown)


# As HTML


class Heading(NamedTuple):
    anchor: str
    words: str


class Html(NamedTuple):
    """A page as HTML, to be put into a frame: its title, its headings of the second rank, and what is in it."""

    title: str
    headings: tuple[Heading, ...]
    body: str


def html(markdown: str) -> Html:
    """Markdown as HTML. Raw HTML in it stays text, pictures lead to themselves, tables can be moved sideways."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    rules = {"table_open": _table_open, "table_close": _table_close, "image": _image, "text": _text}
    for kind, draw_token in rules.items():
        reader.add_render_rule(kind, draw_token)
    tokens = reader.parse(markdown)
    title, headings = "", []
    anchors = _anchors()
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            words = "".join(child.content for child in inline.children or ())
            opening.attrSet("id", anchors(words))
            title = title or words
            if opening.tag == "h2":
                headings.append(Heading(str(opening.attrGet("id")), words))
    body = str(reader.renderer.render(tokens, reader.options, {}))
    return Html(title, tuple(headings), body)


def _anchors() -> Callable[[str], str]:
    """Names for headings that a link can lead to, no two the same."""
    taken: set[str] = set()

    def anchor(words: str) -> str:
        plain = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-") or "part"
        name = next(name for number in count(1) if (name := plain + f"-{number}" * (number > 1)) not in taken)
        taken.add(name)
        return name

    return anchor


def _table_open(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    return '<div class="wide" tabindex="0" role="region" aria-label="Table"><table>\n'


def _table_close(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    return "</table></div>\n"


def _image(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    drawn = renderer.image(tokens, index, options, env)
    address = renderer.renderAttrs(Token("link", "a", 1, attrs={"href": tokens[index].attrs["src"]}))
    return f'<a class="picture"{address}>{drawn}</a>'


def _text(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    """Words; the ids of rules stay in one piece and step back behind them."""
    return RULE_ID.sub(r'<span class="rule">\g<0></span>', escapeHtml(tokens[index].content))
