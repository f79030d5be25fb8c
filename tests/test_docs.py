"""The documentation runs: what it says in code is tried out here."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from referee.errors import OrderError
from referee.games import all_games, open_game
from referee.orders.notation import parse

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"


def blocks(page: Path, language: str) -> list[str]:
    """The code blocks of a page, each at its own line, so that a failure names the line of the page."""
    text = page.read_text(encoding="utf-8")
    return [
        "\n" * text[: found.start(1)].count("\n") + found[1]
        for found in re.finditer(rf"^```{language}\n(.*?)^```", text, re.S | re.M)
    ]


# These have tests of their own, here and in test_service_docs.py.
APART = ("add-a-game.md", "api.md", "bots.md")
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if blocks(page, "python") and page.name not in APART]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_python_of_every_page_runs_from_top_to_bottom(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": page.stem}
    for block in blocks(page, "python"):
        exec(compile(block, str(page), "exec"), names)


CONFORMANCE = """
import sys
from random import Random
import referee.games
referee.games.__path__.append(sys.argv[1])
from referee.conformance import PARTS
game_type = referee.games.all_games()["crates"]
for seats in game_type.seat_counts:
    for part in PARTS.values():
        for seed in range(5):
            part(referee.games.open_game("crates", seats), Random(seed), 1)
"""


def test_the_example_game_is_complete_and_keeps_the_contract(tmp_path):
    page, folder = DOCS / "add-a-game.md", tmp_path / "crates"
    folder.mkdir()
    (folder / "board.yaml").write_text(*blocks(page, "yaml"))
    (folder / "__init__.py").write_text("\n".join(block.strip("\n") for block in blocks(page, "python")))
    done = subprocess.run(
        [sys.executable, "-c", CONFORMANCE, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))], ids=lambda page: page.stem)
def test_every_relative_link_leads_somewhere(page):
    text = re.sub(r"`[^`]*`", "", page.read_text(encoding="utf-8"))
    links = re.findall(r"\]\((?!https?:|#|mailto:)([^)#]+)", text)
    assert [link for link in links if not (page.parent / link).exists()] == []


GAME_PAGES = [DOCS / "games" / f"{key}.md" for key in sorted(all_games())]


@pytest.mark.parametrize("page", GAME_PAGES, ids=lambda page: page.stem)
def test_every_order_in_the_table_of_orders_can_be_read(page):
    """Without knowing what is on offer; of several examples in a row some may need that."""
    game = open_game(page.stem, all_games()[page.stem].seat_counts[-1])
    tables = re.findall(r"^\| \w+ \| example \|.*\n\| ---.*\n((?:\|.*\n)+)", page.read_text(encoding="utf-8"), re.M)
    kinds = set()
    for row in "".join(tables).splitlines():
        examples = re.findall(r"`([^`]+)`", row.split(" | ")[1])
        read = [move for example in examples if (move := reading(game, example))]
        assert read, row
        kinds.update(map(type, read))
    assert kinds == set(game.move_types)


def reading(game, order):
    try:
        return parse(game, [], order)
    except OrderError:
        return None


def test_the_session_in_the_readme_is_a_real_one():
    (session,) = blocks(ROOT / "README.md", "text")
    command, *lines = session.strip("\n").splitlines()
    orders = "".join(f"{line[2:]}\n" for line in lines if line.startswith("> "))
    done = subprocess.run(
        [sys.executable, "-m", "commands", *command.split()[2:]],
        cwd=ROOT,
        input=orders,
        capture_output=True,
        encoding="utf-8",
    )
    seen = iter(done.stdout.splitlines())
    assert [line for line in lines if line not in seen] == [], "in this order, though not without others between"


def test_the_readme_lists_the_games_that_are_here():
    listed = re.findall(r"^\| `([a-z0-9-]+)` \|", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
    assert sorted(listed) == sorted(all_games())


def test_the_pages_of_all_games_are_linked_from_their_overview():
    overview = (DOCS / "games" / "README.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| \[[^]]+\]\(([a-z0-9-]+)\.md\)", overview, re.M)) == sorted(all_games())
