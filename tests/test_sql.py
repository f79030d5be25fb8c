"""One place for SQL."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SQL = re.compile(
    r"\b(select\s.+\sfrom|insert into|update \w+ set|delete from|truncate|create (table|index|role|database|function)|"
    r"alter table|show server|pg_\w+\()",
    re.DOTALL,
)
# Tests and benchmarks look at tables and make their own; the database of a private server has to be made first.
ELSEWHERE = {"tests", "bench", "store"}
MAKES_THE_DATABASE = "runtime/postgres.py"


def strings(file: Path) -> Iterator[str]:
    """The texts in a file that are not its documentation; the parts of an f-string together."""
    tree = ast.parse(file.read_text("utf-8"))
    documentation = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(part.value if isinstance(part, ast.Constant) else "x" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node.value


def statements(folders: set[str]) -> dict[str, list[str]]:
    files = [file for file in ROOT.rglob("*.py") if file.relative_to(ROOT).parts[0] in folders]
    found = {str(file.relative_to(ROOT)): [text for text in strings(file) if SQL.search(text)] for file in files}
    return {name: texts for name, texts in found.items() if texts}


def test_sql_is_in_the_store_and_nowhere_else() -> None:
    folders = {file.parent.name for file in ROOT.glob("*/__init__.py")} | {"app.py"}
    assert set(statements(folders - ELSEWHERE)) == {MAKES_THE_DATABASE}


def test_the_store_is_found_to_have_some() -> None:
    """Or the test above could not fail."""
    assert {"store/games.py", "store/idempotency.py", "store/players.py", "store/positions.py"} <= set(
        statements({"store"})
    )
