"""What docs/bots.md, docs/webhooks.md and the client's README tell readers to type, typed."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from waybill_client import Client

from service.preferences import KINDS
from tests.test_docs import DOCS, ROOT, blocks
from tests.test_service_docs import shell
from tests.waiting import wait_until

ADDRESS = "http://127.0.0.1:8000"
CLIENT = ROOT / "client"


def test_bot_in_fifteen_minutes_to_the_letter(url: str, tmp_path: Path) -> None:
    page = (DOCS / "bots.md").read_text("utf-8")
    start, install, *runs = blocks(DOCS / "bots.md", "sh")
    assert start.strip() == "WAYBILL_REQUESTS_PER_MINUTE=100000 ./waybill up"  # the fixture has done it
    assert install.strip().endswith("bot/bin/pip install ./client")  # and tests/client/test_package.py this
    python = tmp_path / "bot" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nPYTHONPATH={CLIENT} exec {sys.executable} -P "$@"\n')
    python.chmod(0o755)
    files = re.findall(r"`(bot/\w+\.py)`.*?```python\n(.*?)```", page, re.S)
    assert len(files) == len(blocks(DOCS / "bots.md", "python")) == 3
    for name, code in files:
        assert ADDRESS in code
        (tmp_path / name).write_text(code.replace(ADDRESS, url))
    done = subprocess.run(["sh", "-eu", "-c", "".join(runs)], cwd=tmp_path, capture_output=True, text=True, timeout=240)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"^airlines-europe \w+ third_scoring\n1 ", done.stdout, re.M)
    assert re.search(r"^tin-goose \w+ \w+\n1 ", done.stdout, re.M)
    assert "buy - buy {route} for {airline}" in done.stdout
    assert "AIRLINES EUROPE, after move 1" in done.stdout
    won = re.search(r"^won (\d) of 5$", done.stdout, re.M)
    assert won
    assert int(won[1]) >= 3, "it won 40 of 40 when it was written"


def test_readme_of_the_client_does_what_it_says(url: str, tmp_path: Path) -> None:
    for number, code in enumerate(blocks(CLIENT / "README.md", "python")):
        script = tmp_path / f"{number}.py"
        script.write_text(code.replace(ADDRESS, url))
        environment = {**os.environ, "PYTHONPATH": str(CLIENT)}
        done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stderr) == (0, "")
    listed = set(re.findall(r"^\| `([\w./]+)` \|", (CLIENT / "README.md").read_text("utf-8"), re.M))
    there = {f"{file.name}/" if file.is_dir() else file.name for file in (CLIENT / "examples").iterdir()}
    assert listed == there - {"record_fixtures.py", "__pycache__/"}


def test_receiver_in_twenty_lines_takes_what_the_service_sends(
    url: str, sign_up: Callable[..., Client], capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = blocks(DOCS / "webhooks.md", "python")
    assert len([line for line in code.strip().splitlines() if line]) <= 20
    page: dict[str, Any] = {"__name__": "page"}
    exec(compile(code, "webhooks.md", "exec"), page)
    with page["HTTPServer"](("127.0.0.1", 0), page["Receiver"]) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        me = sign_up()
        made = me.create_webhook(f"http://127.0.0.1:{server.server_port}/")
        page["SECRET"] = made.secret
        me.test_webhook(made.id)
        said: list[str] = []
        wait_until(lambda: said.append(capsys.readouterr().out) or "This is a test" in "".join(said), what="the test")
        game = me.open_game("airlines-europe", ["me", "bot"]).game
        wait_until(lambda: said.append(capsys.readouterr().out) or f"phase_opened {game.id}" in "".join(said))
        server.shutdown()
    me.delete_webhook(made.id)


def test_examples_of_the_page_on_webhooks_do_what_it_says(url: str, tmp_path: Path) -> None:
    sign_up = blocks(DOCS / "api.md", "sh")[0].replace("Bob", f"Receiver {os.urandom(3).hex()}")
    said = shell(url, tmp_path, "\n".join([sign_up, *blocks(DOCS / "webhooks.md", "sh")]))
    assert "urn:waybill:problem" not in said
    assert len(re.findall('"url": ?"https://bot.example.org/waybill"', said)) == 2
    assert said.count("whsec_") == 1


def test_pages_name_what_there_is() -> None:
    used = set(re.findall(r'"events": \[([^\]]*)\]', (DOCS / "webhooks.md").read_text("utf-8")))
    assert {word.strip('" ') for some in used for word in some.split(",")} <= set(KINDS)
