"""Write the pages from which people learn the games, docs/games/GAME.md, from each game's page.md.

Numbers and tables come from the board, pictures from golden games; they go to docs/games/pictures. A game without a
page.md keeps the page it has. referee/page.py tells what can stand in a page.md.

examples:
  ./waybill pages               all games
  ./waybill pages spike         one of them
  ./waybill pages --check       only say what is not as it would be written; the exit code is 1 then
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from commands import ROOT
from referee.games import all_games, board_file
from referee.page import PageError, draw, page_of

PAGES = ROOT / "docs" / "games"
PICTURES = PAGES / "pictures"
GOLDEN = ROOT / "tests" / "golden"
NOTE = "<!-- Made by ./waybill pages from {source}: change that. -->\n\n"


def arguments(parser: argparse.ArgumentParser) -> None:
    games = ", ".join(sorted(all_games()))
    parser.add_argument("game", nargs="?", choices=sorted(all_games()), metavar="GAME", help=f"one of: {games}")
    parser.add_argument("--check", action="store_true", help="write nothing, and say what is not up to date")


def run(args: argparse.Namespace) -> int:
    keys = [args.game] if args.game else sorted(all_games())
    try:
        files = {key: dict(page_files(key)) for key in keys}
    except PageError as error:
        print(f"waybill: {error}", file=sys.stderr)
        return 1
    old = [file for key in keys for file in out_of_date(key, files[key])]
    for file in old:
        print(file.relative_to(ROOT))
    if args.check:
        print(f"{len(old)} files are not as ./waybill pages writes them." if old else "All pages are up to date.")
        return 1 if old else 0
    for key in keys:
        write(key, files[key])
    print("Written." if old else "All pages were up to date.")
    return 0


def page_files(key: str) -> Iterator[tuple[Path, str]]:
    """The page of a game and its pictures, with what is to be in each file; nothing for a game without a page.md."""
    game_type = all_games()[key]
    folder = board_file(game_type).parent
    if not folder.is_relative_to(ROOT):
        return  # of an installed package, which has its own place for pages
    try:
        page = page_of(game_type, f"pictures/{key}/")
        if page is None:
            return
        yield PAGES / f"{key}.md", NOTE.format(source=(folder / "page.md").relative_to(ROOT)) + page.markdown
        for picture, svg in draw(page.pictures, GOLDEN / key):
            yield PICTURES / key / f"{picture.name}.svg", svg + "\n"
    except PageError as error:
        raise PageError(f"{key}: {error}") from None


def out_of_date(key: str, files: dict[Path, str]) -> list[Path]:
    """Files that are not as they should be, or should not be."""
    there = [*(PICTURES / key).glob("*.svg")]
    differing = [file for file, text in files.items() if not file.exists() or file.read_text("utf-8") != text]
    return differing + [file for file in sorted(there) if file not in files]


def write(key: str, files: dict[Path, str]) -> None:
    for file in out_of_date(key, files):
        if file in files:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(files[file], encoding="utf-8")
        else:
            file.unlink()
