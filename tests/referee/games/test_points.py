"""The page of points that were decided names tests that exist and run, and ids that are rulings."""

import ast
import re
from pathlib import Path

import pytest
import yaml

from referee.games import all_games
from tests.referee.games.test_rules_are_tested import GAMES, PASSED_BY

ROOT = GAMES.parents[1]
PAGE = (ROOT / "docs" / "games" / "points.md").read_text("utf-8")
FOLDERS = {game.name: Path(key.replace("-", "_")) for key, game in all_games().items()}
SECTIONS = dict(re.findall(r"^## (.*)\n([^\0]*?)(?=^## |\Z)", PAGE, re.M))


def named(section: str, folder: Path) -> list[tuple[str, Path, str]]:
    """Each test that the rows of a game name: the row, its file and the test."""
    return [
        (row, ROOT / file if "/" in file else ROOT / "tests/referee/games" / folder / file, test)
        for row in section.splitlines()
        if row.startswith("| ") and not row.startswith(("| no.", "| --"))
        for file, test in re.findall(r"`([\w/]+\.py)::(\w+)`", row) or [("", "")]
    ]


def folder_of(title: str) -> Path:
    return next(folder for name, folder in FOLDERS.items() if title.startswith(name))


def test_every_game_has_its_points() -> None:
    assert {folder_of(title) for title in SECTIONS} == set(FOLDERS.values())


@pytest.mark.parametrize("title", SECTIONS)
def test_every_point_names_a_test_that_runs(title: str) -> None:
    found = named(SECTIONS[title], folder_of(title))
    assert len(found) > 10
    for row, file, name in found:
        assert name, f"no test is named: {row}"
        tests = {
            node.name: node for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)
        }
        assert name in tests, f"{file.relative_to(ROOT)} has no {name}"
        passed_by = [
            node for node in ast.walk(tests[name]) if isinstance(node, ast.Attribute) and node.attr in PASSED_BY
        ]
        assert not passed_by, f"{name} is passed by"


@pytest.mark.parametrize("title", SECTIONS)
def test_every_id_is_a_ruling_of_its_game(title: str) -> None:
    rulings = yaml.safe_load((GAMES / folder_of(title) / "rulings.yaml").read_text("utf-8"))
    assert set(re.findall(r"\b[A-Z]+\d*-[A-Z]+\d+\b", SECTIONS[title])) <= set(rulings)
