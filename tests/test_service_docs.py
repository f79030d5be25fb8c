"""What README, docs/api.md and docs/stream.md tell readers to type, typed against a real `./waybill up`."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from api import problems
from referee.games import all_games
from runtime.processes import free_port
from schemas import notices as shapes
from service import feed, preferences
from tests.commands.test_up import Up
from tests.test_docs import DOCS, ROOT, blocks


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("docs") / "waybill"
    up = Up(folder, "--port", str(free_port()), WAYBILL_REQUESTS_PER_MINUTE="100000")
    try:
        yield up.wait().url
    finally:
        up.stop()


def shell(url: str, folder: Path, script: str, curl: str = "ours") -> str:
    """Runs a script as a reader would, at the address of this service."""
    path = os.environ["PATH"]
    if curl == "ours":
        shim = folder / "bin" / "curl"
        shim.parent.mkdir()
        shim.write_text(f'#!/bin/sh\nexec {sys.executable} {ROOT / "tests" / "curl.py"} "$@"\n')
        shim.chmod(0o755)
        path = f"{shim.parent}{os.pathsep}{path}"
    elif shutil.which("curl") is None:
        pytest.skip("there is no curl on this machine")
    assert "http://127.0.0.1:8000" in script
    done = subprocess.run(
        ["sh", "-eu", "-c", script.replace("http://127.0.0.1:8000", url)],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("curl", ["ours", "the machine's"])
def test_the_quick_start_plays_a_turn_as_often_as_one_likes(url: str, tmp_path: Path, curl: str) -> None:
    commands, script = blocks(ROOT / "README.md", "sh")
    assert commands.split("\n")[-3:] == ["./waybill up", "./waybill test", ""]
    for folder in (tmp_path / "first", tmp_path / "second"):
        folder.mkdir()
        said = shell(url, folder, script, curl)
        check_turn(said, folder)


def check_turn(said: str, folder: Path) -> None:
    assert "urn:waybill:problem" not in said
    assert '"receipt":' in said
    assert re.search(r"Ann [\d-]+ takes 8 million from the bank\.", said)
    assert "AIRLINES EUROPE, after move" in said
    assert (folder / "board.png").read_bytes().startswith(b"\x89PNG")


def test_the_examples_of_the_api_page_do_what_it_says(url: str, tmp_path: Path) -> None:
    said = shell(url, tmp_path, "\n".join(blocks(DOCS / "api.md", "sh")))
    refused = re.findall(r"urn:waybill:problem:([a-z-]+)", said)
    assert refused == ["stale"], "the page shows one refusal"
    assert '"title": "Friday evening"' in said
    assert '"readings":["take money"]' in said
    assert (tmp_path / "board.svg").read_text("utf-8").startswith("<svg")


def test_the_examples_of_the_page_on_notices_do_what_it_says(url: str, tmp_path: Path) -> None:
    sign_up, *others = blocks(DOCS / "api.md", "sh")
    opening = next(block for block in others if "game=$(" in block)
    script = "\n".join([sign_up.replace("Bob", "Bettina"), opening, *blocks(DOCS / "notices.md", "sh")])
    said = shell(url, tmp_path, script)
    assert "urn:waybill:problem" not in said
    assert '"zone":"Europe/Berlin"' in said
    assert len(re.findall('"text": ?"A good game to all."', said)) == 3, "sent, listed, and as a line"


def test_the_page_on_notices_lists_every_kind_and_channel() -> None:
    page = (DOCS / "notices.md").read_text("utf-8")
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", page, re.M)
    listed = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert listed >= {*preferences.KINDS, *preferences.CHANNELS}
    assert list(preferences.KINDS) == shapes.KINDS
    assert list(preferences.CHANNELS) == shapes.CHANNELS
    assert set(feed.SUMMARIES) == set(preferences.KINDS)


@pytest.mark.parametrize("ruleset", all_games())
def test_the_bot_of_the_api_page_plays_every_game_to_its_end(url: str, ruleset: str) -> None:
    (code,) = blocks(DOCS / "api.md", "python")
    page: dict[str, Any] = {"__name__": "page"}
    exec(compile(code, "api.md", "exec"), page)
    bot = page["Waybill"](f"{url}/v1")
    bot.token = bot.ask("/players", {"name": f"a bot for {ruleset}"[:32]})["token"]
    seats = [{"kind": "me"}, *[{"kind": "bot"}] * (min(all_games()[ruleset].seat_counts) - 1)]
    body = {"ruleset": ruleset, "seats": seats}
    game_id = bot.ask("/games", body)["game"]["id"]
    assert page["play"](bot, game_id, pause=0.05)


def test_the_refusal_on_the_api_page_has_all_that_a_refusal_has() -> None:
    shown = [json.loads(block) for block in blocks(DOCS / "api.md", "json")][-1]
    error = problems.IllegalOrder(shown["code"], shown["detail"])
    assert shown.keys() - {"type", "title", "status", "detail"} == error.to_dict().keys() - {"kind", "message"}


def test_the_api_page_lists_every_type_of_problem() -> None:
    page = (DOCS / "api.md").read_text("utf-8")
    listed = re.findall(r"^\| `([a-z-]+)` \| [45]\d\d", page, re.M)
    files = [*(ROOT / "api").glob("*.py"), ROOT / "runtime" / "doors.py"]
    code = "\n".join(file.read_text("utf-8") for file in files)
    raised = set(re.findall(r'(?:refuse|problem)\(\s*[\w.]+,\s*"([a-z-]+)"', code))
    raised |= {error.code.replace("_", "-") for error in problems.SERVICE_STATUS} | {"unavailable"}
    raised |= {*problems.ORDER_TYPES.values(), *problems.KINDS.values(), "method-not-allowed", "too-many-requests"}
    assert len(raised) > 15
    assert sorted(listed) == sorted(raised)


def opened(url: str, page: dict[str, Any]) -> tuple[Any, str]:
    """A player of the API page, and a game of theirs that waits for their opening."""
    me = page["Waybill"](f"{url}/v1")
    me.token = me.ask("/players", {"name": f"follower {os.urandom(4).hex()}"})["token"]
    seats = [{"kind": "me"}, {"kind": "bot"}]
    return me, me.ask("/games", {"ruleset": "airlines-europe", "seats": seats})["game"]["id"]


def play_opening(me: Any, game_id: str) -> None:
    me.ask(f"/games/{game_id}/moves", {"moves": [me.ask(f"/games/{game_id}/options")["default"]]})


@pytest.fixture(scope="module")
def bot_page() -> dict[str, Any]:
    (code,) = blocks(DOCS / "api.md", "python")
    page: dict[str, Any] = {"__name__": "page"}
    exec(compile(code, "api.md", "exec"), page)
    return page


@pytest.mark.parametrize("all_games_at_once", [False, True])
def test_the_python_of_the_stream_page_follows_a_game(
    url: str, bot_page: dict[str, Any], all_games_at_once: bool
) -> None:
    (code,) = blocks(DOCS / "stream.md", "python")
    page: dict[str, Any] = {}
    exec(compile(code, "stream.md", "exec"), page)
    me, game_id = opened(url, bot_page)
    path = "/events" if all_games_at_once else f"/games/{game_id}/events"
    events = page["follow"](f"{url}/v1{path}", me.token)
    kind, _ = next(events)
    assert kind == ("game" if all_games_at_once else "position")
    play_opening(me, game_id)
    row = next(data for kind, data in events if kind == "row")
    assert (row["row"] if all_games_at_once else row)["row"] == 1
    events.close()


def test_the_javascript_of_the_stream_page_follows_a_game(url: str, bot_page: dict[str, Any], tmp_path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("there is no node on this machine")
    (code,) = blocks(DOCS / "stream.md", "js")
    me, game_id = opened(url, bot_page)
    script = tmp_path / "follow.js"
    call = f'follow("{url}/v1", "/games/{game_id}/events", "{me.token}", (kind, data) => console.log(kind, data.row));'
    script.write_text(f"{code}\n{call}\n")
    command = ["node", "--no-warnings", "--experimental-eventsource", str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as running:
        assert running.stdout is not None
        try:
            said = running.stdout.readline()
            if not said and "bad option" in (running.stderr.read() if running.stderr else ""):
                pytest.skip("this node has no EventSource")
            assert said == "position 0\n"
            play_opening(me, game_id)
            assert next(line for line in running.stdout if line.startswith("row")) == "row 1\n"
        finally:
            running.kill()
