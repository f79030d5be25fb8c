"""Every rule and ruling of every game has a test that cites it, with `@pytest.mark.rule("AE-A05", ...)`.

The tests are read, not run, so that this check is the same on one process and on many.
"""

import ast
from pathlib import Path

import pytest
import yaml

TESTS = Path(__file__).parent
GAMES = TESTS.parents[2] / "referee" / "games"
FOLDERS = sorted(path.parent.name for path in GAMES.glob("*/__init__.py"))
PASSED_BY = {"skip", "skipif", "xfail", "importorskip"}


def complaints(rulings, sources):
    """What is wrong with the citations in some test files, given the rulings of their game."""
    found, cited = [], set()
    for name, source in sources.items():
        tree = ast.parse(source)
        if any(_is_passed_by(node) for node in tree.body if not isinstance(node, ast.FunctionDef | ast.ClassDef)):
            found.append(f"{name} is skipped")
        for test in ast.walk(tree):
            if isinstance(test, ast.FunctionDef) and (ids := citations(test)):
                cited.update(ids)
                found += [f"{name}: {test.name} cites {one}, which is no ruling" for one in ids if one not in rulings]
                if not test.name.startswith("test"):
                    found.append(f"{name}: {test.name} cites rules but is no test")
                if _is_passed_by(test):
                    found.append(f"{name}: {test.name} cites rules but is skipped")
    return found + [f"{one} has no test: {rulings[one]}" for one in rulings if one not in cited]


def citations(test):
    """The ids that a test function cites."""
    return [
        one.value
        for decorator in test.decorator_list
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.rule"
        for one in decorator.args
        if isinstance(one, ast.Constant)
    ]


def _is_passed_by(node):
    return any(isinstance(one, ast.Attribute) and one.attr in PASSED_BY for one in ast.walk(node))


@pytest.mark.parametrize("game", FOLDERS)
def test_every_ruling_is_one_sentence(game):
    rulings = yaml.safe_load((GAMES / game / "rulings.yaml").read_text("utf-8"))
    assert rulings
    for one, sentence in rulings.items():
        assert isinstance(sentence, str), one
        assert sentence.endswith("."), one
        assert sentence[0] == sentence[0].upper(), one


@pytest.mark.parametrize("game", FOLDERS)
def test_every_ruling_of_a_game_has_a_test_that_runs(game):
    rulings = yaml.safe_load((GAMES / game / "rulings.yaml").read_text("utf-8"))
    sources = {str(path.relative_to(TESTS)): path.read_text("utf-8") for path in (TESTS / game).rglob("test_*.py")}
    assert complaints(rulings, sources) == []


RULINGS = {"X-1": "One.", "X-2": "Two."}
GOOD = '@pytest.mark.rule("X-1", "X-2")\ndef test_it():\n    assert 1\n'


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        (GOOD, None),
        (GOOD.replace(', "X-2"', ""), "X-2 has no test: Two."),
        (GOOD.replace("X-2", "X-3"), "a.py: test_it cites X-3, which is no ruling"),
        (GOOD.replace("test_it", "it"), "a.py: it cites rules but is no test"),
        ("@pytest.mark.skip\n" + GOOD, "a.py: test_it cites rules but is skipped"),
        (GOOD.replace("assert 1", "pytest.skip()"), "a.py: test_it cites rules but is skipped"),
        ('@pytest.mark.xfail(reason="")\n' + GOOD, "a.py: test_it cites rules but is skipped"),
        ("pytestmark = pytest.mark.skipif(True)\n" + GOOD, "a.py is skipped"),
    ],
)
def test_a_missing_unknown_or_skipped_citation_is_found(source, complaint):
    found = complaints(RULINGS, {"a.py": source})
    assert found == [] if complaint is None else complaint in found
