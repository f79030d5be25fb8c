"""The files for contributors: they can be read, and what they tell people to run is there."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from commands.__main__ import command_files
from commands.test import READING, invocation

ROOT = Path(__file__).resolve().parent.parent
TEXTS = sorted([*ROOT.glob("*.md"), *ROOT.glob(".github/**/*.md"), *ROOT.glob(".github/**/*.yml")])


def load(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text("utf-8"))


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_commands_that_are_named_exist(file: Path) -> None:
    named = re.findall(r"\./waybill ([a-z][a-z-]*)", file.read_text("utf-8"))
    assert [name for name in named if name not in command_files()] == []


@pytest.mark.parametrize("file", sorted(ROOT.glob("*.md")), ids=lambda file: file.name)
def test_pages_that_are_linked_exist(file: Path) -> None:
    links = re.findall(r"\]\(([^):#]+)\)", file.read_text("utf-8"))
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_folders_that_contributors_are_sent_to_are_packages_of_the_design() -> None:
    layers = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"][0]
    packages = set(re.findall(r"\w+", " ".join(layers["layers"])))
    table = re.findall(r"^\| [^|]+ \| `(\w+)/", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE)
    assert table
    assert set(table) <= packages


def test_forms_for_issues_are_complete() -> None:
    forms = [file for file in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if file.name != "config.yml"]
    assert forms
    for file in forms:
        form = yaml.safe_load(file.read_text("utf-8"))
        assert form["name"]
        assert form["description"]
        fields = [field for field in form["body"] if field["type"] != "markdown"]
        assert all(field["attributes"]["label"] for field in fields)
        assert len({field["id"] for field in fields}) == len(fields)
        assert any(field.get("validations", {}).get("required") for field in fields)


def test_workflow_runs_all_checks_on_every_supported_python() -> None:
    job = load(".github/workflows/test.yml")["jobs"]["test"]
    assert job["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13"]
    assert [step["run"] for step in job["steps"] if "run" in step] == ["./waybill test"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["requires-python"] == ">=3.11"


def test_hooks_are_local_and_are_checks_of_ours() -> None:
    (repository,) = load(".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"
    tools = {check[0] for check in READING}
    for hook in repository["hooks"]:
        program, *rest = hook["entry"].split()
        if program == "./waybill":
            assert rest[0] in command_files()
            assert all((ROOT / argument).exists() for argument in rest if argument.startswith("tests/"))
        else:
            assert program == ".venv/bin/python"
            assert rest[1] in tools
            assert invocation(*rest[1:])[1:] == rest
