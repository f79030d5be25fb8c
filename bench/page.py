"""The page in a real browser: how soon the first view and a table are there, and how soon a move is seen.

Against a running service (`./waybill up`). The browser is the tests' Chromium, on this machine: it takes its share.
Medians of so many runs: the first view with a cold cache, from the beginning of the navigation until the button to
play can be pressed; a table of Spike, from the last answer that it needs until its map and its list are there; a click
on an order until the tray shows it; and a move by somebody else, from before it is sent until it is on the screen.

  ./waybill bench page                                  the service at http://127.0.0.1:8000
  ./waybill bench page --url http://127.0.0.1:8050 --runs 5
  ./waybill bench page --lighthouse                     also npm's Lighthouse, on the first view, a table and a replay
"""

import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
import urllib.request
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

RUNS = 20
GOALS = {
    "first view, cold cache": 1000,
    "table of Spike, after the answers": 300,
    "click to what it lights": 50,
    "move by somebody else": 300,
}
CATEGORIES = ("performance", "accessibility", "best-practices")
GOAL_OF_LIGHTHOUSE = 95

# Notes in the page when something first fits a selector, by the page's own clock.
WATCH = """
(() => {
  window.noted = {};
  const selectors = SELECTORS;
  const look = () => {
    for (const [name, selector] of Object.entries(selectors)) {
      if (!(name in window.noted) && document.querySelector(selector)) window.noted[name] = performance.now();
    }
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
})();
"""
ANSWERS = """() => Math.max(...performance.getEntriesByType("resource")
  .filter((one) => /board.svg|board.txt|options|position|log/.test(one.name))
  .map((one) => one.responseEnd))"""
CLICK = """() => new Promise((done) => {
  const button = document.querySelector(".choices .order");
  const begun = performance.now();
  new MutationObserver((_, observer) => {
    if (document.querySelector(".tray.full")) { observer.disconnect(); done(performance.now() - begun); }
  }).observe(document, { subtree: true, childList: true, attributes: true });
  button.click();
})"""

EXPECT = """(wanted) => {
  const place = document.querySelector(".head p");
  window.seen = new Promise((done) => {
    const look = () => place.textContent.includes(wanted) && done(Date.now());
    new MutationObserver(look).observe(place, { subtree: true, childList: true, characterData: true });
  });
}"""


class Player:
    def __init__(self, url: str) -> None:
        self.url, self.token = url, ""
        self.token = self.ask("POST", "/players", {"name": f"bench {uuid.uuid4().hex[:10]}"})["token"]

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"Content-Type": "application/json"} | (
            {"Authorization": f"Bearer {self.token}"} if self.token else {}
        )
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/v1{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)


class Bench:
    def __init__(self, url: str, runs: int, browser: Any) -> None:
        self.url, self.runs, self.browser = url, runs, browser
        self.ann, self.bob = Player(url), Player(url)

    def page(self, player: Player | None, **selectors: str) -> Any:
        """A page of its own context, so with a cold cache, that notes when these selectors first fit."""
        context = self.browser.new_context(base_url=self.url, service_workers="block")
        page = context.new_page()
        page.add_init_script(WATCH.replace("SELECTORS", json.dumps(selectors)))
        if player:
            page.add_init_script(f"localStorage.setItem('waybill.token', '{player.token}')")
        return page

    def first_view(self) -> float:
        page = self.page(None, ready="#play:not([disabled])")
        page.goto("/")
        page.wait_for_selector("#play:enabled")
        took = page.evaluate("() => window.noted.ready")
        page.context.close()
        return float(took)

    def table(self) -> tuple[float, float]:
        """Until the table is there, and until a click shows."""
        page = self.page(self.ann, map=".map svg [data-mark].lit, .map svg [data-mark]", list=".choices .order")
        page.goto(f"/games/{self.spike}")
        page.wait_for_selector(".choices .order")
        noted = page.evaluate("() => Math.max(window.noted.map, window.noted.list)")
        took = noted - page.evaluate(ANSWERS)
        clicked = page.evaluate(CLICK)
        page.context.close()
        return max(0.0, float(took)), float(clicked)

    def moves(self) -> list[float]:
        """A game of two: what the other does, as it comes to an open table."""
        seats = [{"kind": "me"}, {"kind": "open"}]
        game = self.ann.ask("POST", "/games", {"ruleset": "airlines-europe", "seats": seats})["game"]["id"]
        self.bob.ask("POST", f"/games/{game}/seats", {})
        for player in (self.ann, self.bob):
            default = player.ask("GET", f"/games/{game}/options")["default"]
            player.ask("POST", f"/games/{game}/moves", {"moves": [default]})
        while self.ann.ask("GET", f"/games/{game}")["sequence"] < 1:
            time.sleep(0.1)
        page = self.page(self.ann)
        page.goto(f"/games/{game}")
        page.wait_for_selector(".link.live", state="attached")
        took: list[float] = []
        while len(took) < self.runs and (state := self.ann.ask("GET", f"/games/{game}"))["status"] == "running":
            mover = (self.ann, self.bob)[state["to_act"][0]]
            wanted = f"move {state['sequence'] + 1}"
            page.evaluate(EXPECT, wanted)
            default = mover.ask("GET", f"/games/{game}/options")["default"]
            begun = time.time()
            mover.ask("POST", f"/games/{game}/moves", {"moves": [default]})
            took.append(float(page.evaluate("() => window.seen")) - begun * 1000)
        page.context.close()
        return took

    def run(self, say: Callable[[str], None]) -> dict[str, list[float]]:
        seats = [{"kind": "me"}, {"kind": "bot"}]
        self.spike = self.ann.ask("POST", "/games", {"ruleset": "spike", "seats": seats})["game"]["id"]
        self.table()  # its picture is drawn once, and that is not the page's time
        first, tables, clicks = [], [], []
        for number in range(self.runs):
            say(f"run {number + 1} of {self.runs}")
            first.append(self.first_view())
            took, clicked = self.table()
            tables.append(took)
            clicks.append(clicked)
        say("moves")
        return dict(zip(GOALS, (first, tables, clicks, self.moves()), strict=True))


def lighthouse(url: str) -> dict[str, float]:
    from tests import browser, node_tools

    path, environment = browser.program()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [
            str(node_tools.NODE),
            str((node_tools.packages() / ".bin" / "lighthouse").resolve()),
            url,
            "--output=json",
            f"--output-path={report}",
            "--quiet",
            f"--only-categories={','.join(CATEGORIES)}",
            f"--chrome-flags=--headless=new {' '.join(browser.ARGUMENTS)}",
        ]
        found = {**os.environ, **node_tools.ENVIRONMENT, **environment, "CHROME_PATH": path}
        subprocess.run(command, env=found, check=True, timeout=300)
        told = json.loads(report.read_text())
    return {name: told["categories"][name]["score"] * 100 for name in CATEGORIES}


def run(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="./waybill bench page", description=__doc__)
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--lighthouse", action="store_true")
    args = parser.parse_args(arguments)
    from tests.browser import chromium

    console = Console()
    with chromium() as browser, console.status("") as status:
        bench = Bench(args.url, args.runs, browser)
        measured = bench.run(status.update)
    grid = Grid(
        "milliseconds", "median", "worst", "goal", title=f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )
    is_met = True
    for name, took in measured.items():
        middle = statistics.median(took)
        is_met &= middle < GOALS[name]
        grid.add_row(name, f"{middle:.0f}", f"{max(took):.0f}", str(GOALS[name]))
    console.print(grid)
    if args.lighthouse:
        # As somebody who only looks: Lighthouse's browser has no token.
        for path in ("/", f"/games/{bench.spike}", f"/games/{bench.spike}/replay"):
            scores = lighthouse(args.url + path)
            is_met &= min(scores.values()) > GOAL_OF_LIGHTHOUSE
            console.print(f"Lighthouse, {path}: " + ", ".join(f"{name} {score:.0f}" for name, score in scores.items()))
    return 0 if is_met else 1
