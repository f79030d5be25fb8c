"""The examples do what they say, run as their reader would run them."""

import os
import random
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page
from waybill_client import Client, Position, Row, verify
from waybill_client.options import options_of

from referee.games import all_games, game_of
from referee.record import load
from referee.record import verify as play_again
from runtime.processes import free_port
from tests import node_tools
from tests.browser import chromium

CLIENT = Path(__file__).resolve().parents[2] / "client"
EXAMPLES = CLIENT / "examples"
FIXTURES = EXAMPLES / "fixtures"


def run(name: str, *arguments: str) -> str:
    """What an example says."""
    program: list[Any] = [node_tools.NODE] if name.endswith(".mjs") else [sys.executable]
    done = subprocess.run(
        [*program, EXAMPLES / name, *arguments],
        env={**os.environ, "PYTHONPATH": str(CLIENT)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("ruleset", ["tin-goose", "airline-1975"])
def test_random_bot_plays_a_game_and_verifies_it(ruleset: str, url: str) -> None:
    said = run("random_bot.py", ruleset, url)
    assert re.search(rf"{ruleset}: \w+ after \d+ rows, all of them verified\n1\. ", said)
    assert len((EXAMPLES / "random_bot.py").read_text().splitlines()) <= 30


@pytest.mark.parametrize("ruleset", all_games())
def test_node_bot_plays_every_game(ruleset: str, url: str) -> None:
    assert re.search(rf"^{ruleset} \w+: \w+ after \d+ moves$", run("bot.mjs", ruleset, url), re.M)


def test_webhook_bot_plays_when_it_is_told(url: str) -> None:
    said = run("webhook_bot.py", "airline-1975", url, str(free_port()))
    assert re.search(r"Game (\w+): waiting to be told\nGame \1 is over: \w+\n", said)


def test_score_chart_draws_what_the_record_says(url: str, sign_up: Callable[..., Client]) -> None:
    me, rng = sign_up(), random.Random(6)
    game = me.open_game("airlines-europe", ["me", "bot"]).game
    me.play(game.id, lambda options: options.sample(rng))
    final = verify(me.record(game.id)).standings
    page = run("score_chart.py", "airlines-europe", url)
    chart = next(part for part in page.split("<svg") if game.id in part)
    labels = re.findall(r'fill="#\w+">[^<]* (\d+)</text>', chart)
    assert labels == [str(one.score) for one in sorted(final, key=lambda one: (-(one.score or 0), one.seat))]
    assert chart.count("<polyline") == 2


@pytest.fixture
def page_address() -> Any:
    """The page from somewhere else than the service: it may stand anywhere."""

    class Handler(SimpleHTTPRequestHandler):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments, directory=str(EXAMPLES))

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/page.html"
        server.shutdown()


def begin(page: Page, address: str, url: str, ruleset: str) -> list[str]:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address)
    page.fill("#url", url)
    page.fill("#name", f"page {os.urandom(4).hex()}")
    page.select_option("#ruleset", ruleset)
    page.click("text=Play against bots")
    page.wait_for_selector("#offers button")
    return errors


def test_page_plays_a_game_to_its_end_by_clicking(url: str, page_address: str) -> None:
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 390, "height": 844})
        errors = begin(page, page_address, url, "airline-1975")
        page.set_default_timeout(120_000)  # on a busy machine
        page.wait_for_selector("#board svg")
        for _ in range(2000):
            page.wait_for_selector("#offers button, #prompt:has-text('The game is over.')")
            if "The game is over." in page.inner_text("#prompt"):
                break
            page.eval_on_selector("#offers button", "(button) => button.click()")
        assert "The game is over. 1. " in page.inner_text("#prompt")
        assert (page.inner_text("#trouble"), errors) == ("", [])
        assert page.locator("#said li").count() > 1
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("ruleset", all_games())
def test_fixtures_are_what_the_service_answers(ruleset: str) -> None:
    folder = FIXTURES / ruleset
    options = options_of(msgspec.json.decode((folder / "options.json").read_bytes()))
    view = msgspec.json.decode((folder / "view.json").read_bytes(), type=Position)
    rows = msgspec.convert(msgspec.json.decode((folder / "log.json").read_bytes())["rows"], list[Row])
    assert (view.game, view.sequence) == (ruleset, options.sequence)
    assert len(options.offers) > 1
    for offer in options:
        move = offer.sample(random.Random(1))
        assert offer.build(**{name: value for name, value in move.items() if name != "type"})["type"] == offer.type
    record = (folder / "record.jsonl").read_bytes()
    found = verify(record)
    assert (found.game, found.is_whole) == (ruleset, True)
    hashes = [msgspec.json.decode(line)["hash"] for line in record.splitlines()[1:-1]]
    assert [row.hash for row in rows] == hashes[: len(rows)]
    whole = load(record)
    assert play_again(game_of(whole.header), whole).head == found.head, "made under rules that are not these any more"
    assert sum(file.stat().st_size for file in folder.iterdir()) < 150_000
