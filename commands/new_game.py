"""Make a new game that plays, draws, verifies and passes the conformance kit at once, to be changed from there.

A tiny but complete game is copied under a new name: rules in referee/games, tests in tests/referee/games, golden games
in tests/golden, and a page in docs/games with its row in README.md. docs/add-a-game.md says what goes where.

examples:
  ./waybill new-game mail-run
  ./waybill new-game last-ferry --name "The Last Ferry"
"""

import argparse
import importlib.util
import keyword
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import referee.games
from commands import ROOT
from referee.games import all_games

NEEDS_DEVELOPER_TOOLS = True  # golden games are made with the conformance kit

TEMPLATE = ROOT / "commands" / "templates" / "game"
LONGEST = 40  # characters of a key or a name


class Names(NamedTuple):
    """What the new game is called in every place."""

    key: str  # mail-run
    name: str  # Mail Run
    module: str  # referee.games.mail_run

    @property
    def package(self) -> str:
        return self.key.replace("-", "_")

    @property
    def class_name(self) -> str:
        return "".join(word.capitalize() for word in self.key.split("-"))

    @property
    def prefix(self) -> str:
        """What the ids of its rules begin with: `MR`."""
        words = self.key.split("-")
        return "".join(word[0] for word in words).upper() if len(words) > 1 else self.key[:2].upper()

    def put_into(self, text: str) -> str:
        places = {
            "referee.games.mail_run": self.module,
            "mail_run": self.package,
            "mail-run": self.key,
            "MailRun": self.class_name,
            "MAIL RUN": self.name.upper(),
            "Mail Run": self.name,
            "MR-": f"{self.prefix}-",
        }
        return re.sub("|".join(map(re.escape, places)), lambda found: places[found[0]], text)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("key", metavar="KEY", help="how programs call it: small letters, digits and hyphens")
    parser.add_argument("--name", help="how people call it (the words of the key)")


def run(args: argparse.Namespace) -> int:
    name = args.name if args.name is not None else " ".join(word.capitalize() for word in args.key.split("-"))
    names = Names(args.key, name, f"referee.games.{args.key.replace('-', '_')}")
    problem = wrong_key(args.key) or wrong_name(name)
    files = dict(new_files(names)) if not problem else {}
    there = [path for path in files if path.exists()]
    if there:
        problem = f"{there[0].relative_to(ROOT)} is there already."
    if problem:
        print(f"waybill: {problem}", file=sys.stderr)
        return 2
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))
    list_in_readme(names)
    tidy([path for path in files if path.suffix == ".py"])
    for command in ("golden", "pages"):  # in processes of their own: this one has looked for games already
        done = subprocess.run([sys.executable, "-P", "-m", "commands", command, names.key], cwd=ROOT, check=False)
        if done.returncode:
            return done.returncode
    print(f"\n{names.name} is ready:")
    print(f"  ./waybill play {names.key} --seats me,random")
    print(f"  ./waybill soak {names.key}")
    print(f"  ./waybill test tests/referee/games/{names.package}")
    print(f"  ./waybill test tests/conformance -k {names.key}")
    return 0


def wrong_key(key: str) -> str:
    """Why there can be no game with this key; empty if there can."""
    package = key.replace("-", "_")
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", key) or len(key) > LONGEST:
        return (
            f"{key!r} is no key: small letters and digits in words with hyphens between them, the first a letter, "
            f"{LONGEST} characters at most, such as mail-run."
        )
    if keyword.iskeyword(package):
        return f"{key!r} is a word of Python itself, and no package can be called so."
    if key in all_games():
        return f"there is a game {key!r} already: {all_games()[key].name}."
    if hasattr(referee.games, package) or importlib.util.find_spec(f"referee.games.{package}"):
        return f"{key!r} would shadow referee.games.{package}, which is there already."
    return ""


def wrong_name(name: str) -> str:
    if not name.strip() or len(name) > LONGEST or not name.isprintable() or set(name) & set('"\\{}'):
        return f'{name!r} is no name: up to {LONGEST} characters, without ", \\, {{ and }}.'
    return ""


def new_files(names: Names) -> Iterator[tuple[Path, str]]:
    """Every file of the new game, with what is in it."""
    folders = {
        "package": ROOT / "referee" / "games" / names.package,
        "tests": ROOT / "tests" / "referee" / "games" / names.package,
    }
    for part, folder in folders.items():
        for path in sorted((TEMPLATE / part).iterdir()):
            if path.is_file():
                yield folder / path.name, names.put_into(path.read_text("utf-8"))


def list_in_readme(names: Names) -> None:
    """Adds the game to the table of games, by alphabet."""
    readme = ROOT / "README.md"
    lines = readme.read_text("utf-8").splitlines(keepends=True)
    rows = [number for number, line in enumerate(lines) if re.match(r"\| `[a-z0-9-]+` \| \[", line)]
    after = [number for number in rows if lines[number] < f"| `{names.key}`"]
    lines.insert(
        after[-1] + 1 if after else rows[0], f"| `{names.key}` | [{names.name}](docs/games/{names.key}.md) |\n"
    )
    readme.write_text("".join(lines), encoding="utf-8")


def tidy(files: list[Path]) -> None:
    """Lays lines out anew where a longer or shorter name has made that necessary, if the formatter is installed."""
    if importlib.util.find_spec("ruff"):
        subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", *map(str, files)], cwd=ROOT, check=False)
