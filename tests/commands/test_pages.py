"""`./waybill pages` writes docs/games from the page.md of each game, and says what is not up to date."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = """\
# Airline

Everybody begins with {board.constants.start_cash} million.

![The start](golden/first.jsonl?row=0&seat=1)
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the command needs, in which one game has a page."""
    root = tmp_path_factory.mktemp("pages") / "waybill"
    for folder in ("commands", "referee"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__", "page.md"))
    golden = "tests/golden/airline-1975"
    (root / golden).mkdir(parents=True)
    shutil.copy(min((ROOT / golden).glob("2-players*.jsonl")), root / golden / "first.jsonl")
    (root / "docs" / "games").mkdir(parents=True)
    (root / "docs" / "games" / "spike.md").write_text("as it was\n")
    (root / "referee" / "games" / "airline_1975" / "page.md").write_text(SOURCE)
    return root


def pages(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "commands", "pages", *arguments],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        encoding="utf-8",
    )


def test_pages_are_written_checked_and_tidied_up(tree: Path) -> None:
    docs, picture = tree / "docs" / "games", "pictures/airline-1975/first-0-seat-2.svg"
    checked = pages(tree, "--check")
    assert (checked.returncode, checked.stdout.splitlines()[-1]) == (
        1,
        "2 files are not as ./waybill pages writes them.",
    )
    assert not (docs / "airline-1975.md").exists()
    assert pages(tree).returncode == 0
    text = (docs / "airline-1975.md").read_text("utf-8")
    assert text.startswith("<!-- Made by ./waybill pages from referee/games/airline_1975/page.md: change that. -->")
    assert "Everybody begins with 100 million." in text
    assert f"![The start]({picture})" in text
    assert "Bob" in (docs / picture).read_text("utf-8")
    assert (docs / "spike.md").read_text() == "as it was\n", "a game without a page.md keeps its page"
    (docs / "pictures" / "airline-1975" / "of-another-time.svg").write_text("<svg/>")
    assert pages(tree, "airline-1975", "--check").stdout.splitlines()[0].endswith("of-another-time.svg")
    assert pages(tree, "airline-1975").returncode == 0
    assert [file.name for file in (docs / "pictures" / "airline-1975").iterdir()] == [Path(picture).name]
    assert pages(tree, "--check").stdout == "All pages are up to date.\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{board.cash}", "airline-1975: line 7: '{board.cash}' cannot be filled in"),
        ("![x](golden/none.jsonl?row=1)", "airline-1975: golden/none.jsonl cannot be read"),
        (
            "![x](golden/first.jsonl?row=99999)",
            "airline-1975: golden/first.jsonl has rows",
        ),
        ("![x](golden/first.jsonl?row=0&seat=2)", "and seats 0 to 1, not row 0, seat 2"),
    ],
)
def test_what_is_wrong_with_a_page_is_told(tree: Path, line: str, message: str) -> None:
    source = tree / "referee" / "games" / "airline_1975" / "page.md"
    source.write_text(f"{SOURCE}\n{line}\n")
    done = pages(tree, "airline-1975")
    source.write_text(SOURCE)
    assert done.returncode == 1
    assert message in done.stderr
