"""What import-linter cannot check: app.py, which is no package, and which libraries each package may use itself."""

import ast
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = sorted(file.parent.name for file in ROOT.glob("*/__init__.py") if file.parent.name != "tests")
ABOVE_APP = {"bench", "commands"}
# What goes over the network and to the disk has one place each.
FORBIDDEN = {
    "api": {"celery", "psycopg2", "smtplib"},
    "mail": {"celery", "flask", "psycopg2", "redis", "smtplib"},
    "referee": {"celery", "flask", "psycopg2", "redis", "smtplib"},
    "schemas": {"celery", "flask", "psycopg2", "redis", "smtplib"},
    "service": {"celery", "flask", "flask_smorest", "psycopg2", "smtplib", "werkzeug"},
    "store": {"celery", "flask", "flask_smorest", "marshmallow", "redis", "smtplib", "werkzeug"},
    "workers": {"flask", "flask_smorest", "psycopg2", "werkzeug"},
}


def imported(file: Path) -> set[str]:
    """The top-level packages that a file imports itself, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(node.module or "")
    return {name.partition(".")[0] for name in names}


def test_app_imports_nothing_above_it() -> None:
    assert not imported(ROOT / "app.py") & (ABOVE_APP | {"tests"})


@pytest.mark.parametrize("package", sorted(set(PACKAGES) - ABOVE_APP))
def test_nothing_below_imports_app(package: str) -> None:
    assert [file for file in (ROOT / package).rglob("*.py") if "app" in imported(file)] == []


@pytest.mark.parametrize("package", sorted(set(PACKAGES) & set(FORBIDDEN)))
def test_each_library_is_used_in_its_own_place(package: str) -> None:
    uses = {
        str(file.relative_to(ROOT)): sorted(found)
        for file in (ROOT / package).rglob("*.py")
        if (found := imported(file) & FORBIDDEN[package])
    }
    assert uses == {}


def test_the_client_needs_httpx_and_msgspec_and_nothing_of_this_project() -> None:
    used = {name for file in (ROOT / "client" / "waybill_client").rglob("*.py") for name in imported(file)}
    assert used - sys.stdlib_module_names == {"httpx", "msgspec", "waybill_client"}
    examples = {name for file in (ROOT / "client" / "examples").rglob("*.py") for name in imported(file)}
    assert examples - sys.stdlib_module_names <= {"httpx", "msgspec", "waybill_client"}


def test_every_package_is_read_by_import_linter() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    assert sorted(settings["root_packages"]) == PACKAGES
