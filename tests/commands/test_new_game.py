"""`./waybill new-game` makes a game that is complete at once, in this tree or as a package of its own."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from commands.new_game import TEMPLATE, Names

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "golden")
NAMES = Names("north-sea-ferries", "The North Sea Ferries, for everybody", "referee.games.north_sea_ferries")


def run(root: Path, *arguments: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", *arguments],
        cwd=root,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, [root, path] if path else [root]))},
        capture_output=True,
        encoding="utf-8",
    )


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this tree in which a new game has been made."""
    root = tmp_path_factory.mktemp("tree") / "waybill"
    shutil.copytree(ROOT, root, ignore=LEFT_OUT)
    done = run(root, "-m", "commands", "new-game", NAMES.key, "--name", NAMES.name)
    assert done.returncode == 0, done.stderr
    return root


def test_a_new_game_keeps_the_contract_and_passes_its_tests_and_the_guards(tree):
    done = run(
        tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", "-k", "north", "tests/conformance",
        "tests/test_docs.py", "tests/referee/games/test_rules_are_tested.py", "tests/referee/games/test_pages.py",
        "tests/referee/games/north_sea_ferries",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
    assert "skipped" not in done.stdout


def test_a_new_game_is_clean_and_listed(tree):
    for tool in (("ruff", "check"), ("ruff", "format", "--check")):
        done = run(tree, "-m", *tool, "referee/games/north_sea_ferries", "tests/referee/games/north_sea_ferries")
        assert done.returncode == 0, done.stdout
    done = run(tree, "-m", "mypy", "--strict", "-p", "referee.games.north_sea_ferries")
    assert done.returncode == 0, done.stdout
    done = run(
        tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", "tests/test_docs.py", "-k", "readme_lists"
    )
    assert done.returncode == 0, done.stdout


def test_a_new_game_has_golden_games_that_verify_and_can_be_played(tree):
    records = sorted((tree / "tests" / "golden" / NAMES.key).glob("*.jsonl"))
    assert len(records) == 3
    for record in records:
        assert run(tree, "-m", "commands", "verify", str(record)).returncode == 0
    played = run(tree, "-m", "commands", "play", NAMES.key, "--seats", "random,random")
    assert played.returncode == 0, played.stderr
    assert "Game over" in played.stdout


def test_golden_games_can_be_made_anew_when_the_settings_have_changed(tree):
    for path in (tree / "referee" / "games" / NAMES.package).glob("*.py"):
        path.write_text(path.read_text("utf-8").replace("long_flights", "far_flights"), encoding="utf-8")
    done = run(tree, "-m", "commands", "golden", NAMES.key, "--force")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 3


def test_a_game_is_made_once(tree):
    done = run(tree, "-m", "commands", "new-game", NAMES.key)
    assert done.returncode == 2
    assert done.stderr == f"waybill: there is a game 'north-sea-ferries' already: {NAMES.name}.\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["Mail Run"], "'Mail Run' is no key: small letters and digits in words with hyphens between them"),
        (["mail_run"], "'mail_run' is no key"),
        (["1975"], "'1975' is no key"),
        (["x" * 41], "40 characters at most, such as mail-run."),
        (["class"], "'class' is a word of Python itself, and no package can be called so."),
        (["spike"], "there is a game 'spike' already: Spike."),
        (["open-game"], "'open-game' would shadow referee.games.open_game, which is there already."),
        (["good-key", "--name", 'A "name"'], "is no name: up to 40 characters"),
        (["good-key", "--name", ""], "'' is no name"),
    ],
)
def test_a_key_or_a_name_that_cannot_be_is_refused_with_the_reason(waybill, arguments, message):
    done = waybill("new-game", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("waybill: ")
    assert message in done.stderr


# A game as a package of its own

ASK = """
from referee.games import all_games, open_game
from referee.bots import random_game
from referee.record import close, export, load, verify
from referee.games import game_of
from random import Random
game_type = all_games()["mail-run"]
table, entries = random_game(open_game("mail-run", 3), bytes(32), Random(1))
record = load(export(close(table, tuple(entries))))
verify(game_of(record.header), record)
print(game_type.__module__, record.end.ending, len(all_games()))
"""


def wheel(folder: Path, key: str = "mail-run", entry_point: str = "mail-run", value: str = "mail_run:GAME") -> Path:
    """A wheel with the template as a package of its own, as any build tool would make it."""
    names = Names(key, "Mail Run", "mail_run")
    path = folder / "waybill_mail_run-1-py3-none-any.whl"
    info = "waybill_mail_run-1.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted((TEMPLATE / "package").iterdir()):
            if file.is_file():
                text = names.put_into(file.read_text("utf-8"))
                archive.writestr(f"mail_run/{file.name}", text)
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: waybill-mail-run\nVersion: 1\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/entry_points.txt", f"[waybill.games]\n{entry_point} = {value}\n")
        archive.writestr(f"{info}/RECORD", "")
    return path


def installed(folder: Path, path: Path) -> Path:
    target = folder / "site"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(target)]
    subprocess.run([*pip, str(path)], check=True, capture_output=True)
    return target


def test_a_game_of_an_installed_package_is_found_and_played_and_verified(tmp_path):
    target = installed(tmp_path, wheel(tmp_path))
    done = run(ROOT, "-W", "error", "-c", ASK, path=target)
    assert done.returncode == 0, done.stderr
    module, ending, games = done.stdout.split()
    assert (module, ending) == ("mail_run", "last_round")
    assert int(games) == 1 + len(list((ROOT / "referee" / "games").glob("*/__init__.py")))


LIST = "from referee.games import all_games; print(all_games()['spike'].__module__, 'mail-run' in all_games())"


@pytest.mark.parametrize(
    ("package", "warning"),
    [
        (
            {"key": "spike", "entry_point": "spike"},
            "the game 'spike' of waybill-mail-run (mail_run:GAME) is left out: "
            "referee.games.spike has the key 'spike' already, so it needs another.",
        ),
        ({"entry_point": "post"}, "its key is 'mail-run', and the entry point has to be called so too."),
        ({"value": "mail_run:missing"}, "is left out: module 'mail_run' has no attribute 'missing'."),
        ({"value": "mail_run:EVENTS"}, "it has to be a class made from referee.contract.Game."),
    ],
)
def test_a_package_that_cannot_be_used_is_left_out_with_the_reason(tmp_path, package, warning):
    target = installed(tmp_path, wheel(tmp_path, **package))
    done = run(ROOT, "-c", LIST, path=target)
    assert done.stdout == "referee.games.spike False\n"
    assert warning in done.stderr
