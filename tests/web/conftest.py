"""The page as people meet it: the whole service in processes of its own, and a real browser."""

import itertools
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from runtime.config import Config, read_config
from runtime.processes import free_port
from runtime.servers import Addresses
from runtime.web_push import base64url
from store.database import Database
from store.migrate import migrate
from tests.browser import chromium
from tests.conftest import make_database
from tests.push import CONTACT, VAPID_KEY
from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parents[2]
FIRST_REDIS = 8  # the other tests use the databases below
PATIENCE = 60_000  # milliseconds, on a busy machine

expect.set_options(timeout=PATIENCE)
_numbers = itertools.count()


class House:
    """API, stream, worker and beat on a database of their own."""

    def __init__(self, config: Config, folder: Path) -> None:
        self.config, self.folder = config, folder
        self.port, self.stream_port = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.start("api")
        self.start("stream")
        self.start("worker")
        wait_until(self.answers, 60, what="the API")

    def command(self, name: str) -> list[str]:
        return {
            "api": "runtime.serve app:create_app",
            "stream": "runtime.serve_stream api.stream:app",
            "worker": f"celery --quiet --app workers.main worker --beat --schedule {self.folder / 'schedule'}"
            " --concurrency 1 --without-mingle --without-gossip --without-heartbeat",
        }[name].split()

    def start(self, name: str) -> None:
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("WAYBILL_")},
            "PYTHONPATH": str(ROOT),
            "DATABASE_URL": self.config.database_url,
            "REDIS_URL": self.config.redis_url,
            "WAYBILL_FOLDER": str(self.config.folder),
            "WAYBILL_PORT": str(self.port),
            "WAYBILL_STREAM_PORT": str(self.stream_port),
            "WAYBILL_URL": self.url,
            "WAYBILL_API_PROCESSES": "1",
            "WAYBILL_REQUESTS_PER_MINUTE": "1000000000",
            "WAYBILL_VAPID_KEY": base64url(VAPID_KEY),
            "WAYBILL_VAPID_CONTACT": CONTACT,
            "WAYBILL_WEBHOOK_LOOPBACK": "1",
        }
        with open(self.folder / f"{name}.log", "ab") as output:
            self.processes[name] = subprocess.Popen(
                [sys.executable, "-P", "-m", *self.command(name)],
                cwd=ROOT,
                env=environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def stop(self, name: str) -> None:
        """As by a power cut: nothing that matters is in a process."""
        process = self.processes.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def answers(self) -> bool:
        assert self.processes["api"].poll() is None, (self.folder / "api.log").read_text()
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


class Person:
    """A player who has an account, and asks the API directly where a test prepares or checks something."""

    def __init__(self, house: House, name: str = "") -> None:
        self.client = httpx.Client(base_url=f"{house.url}/v1", timeout=30)
        answer = self.ask("POST", "/players", {"name": name or f"Person {os.getpid()}-{next(_numbers)}"})
        self.name, self.id, self.token = answer["player"]["name"], answer["player"]["id"], answer["token"]
        self.client.headers["Authorization"] = f"Bearer {self.token}"

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.client.request(method, path, json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def open_game(self, ruleset: str, *others: dict[str, Any], **options: Any) -> str:
        seats = [{"kind": "me"}, *others]
        return str(self.ask("POST", "/games", {"ruleset": ruleset, "seats": seats, **options})["game"]["id"])


@pytest.fixture(scope="session")
def house(run_servers: Addresses, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    name = os.environ.get("PYTEST_XDIST_WORKER", "main")
    number = FIRST_REDIS + (int(name.removeprefix("gw")) if name != "main" else 0) % 8
    folder = tmp_path_factory.mktemp("house")
    address = make_database(run_servers, f"web_{name}")
    migrate(Database(address))
    redis_url = run_servers.redis_url.rpartition("/")[0] + f"/{number}"
    config = read_config({"DATABASE_URL": address, "REDIS_URL": redis_url, "WAYBILL_FOLDER": str(folder)})
    started = House(config, folder)
    yield started
    for part in list(started.processes):
        started.stop(part)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


Visit = Callable[..., Page]


@pytest.fixture
def visit(house: House, browser: Browser) -> Iterator[Visit]:
    """Opens a page as somebody: `visit("/games", person)`. What the page itself complains of fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(path: str, person: Person | None = None, *, may_complain: bool = False, **options: Any) -> Page:
        # What a service worker asks for does not pass a test's routes: only its own test has one.
        options = {"reduced_motion": "reduce", "service_workers": "block", **options}
        context = browser.new_context(base_url=house.url, **options)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        if person:
            page.add_init_script(f"localStorage.setItem('waybill.token', '{person.token}')")
        if not may_complain:
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.goto(path)
        page.wait_for_selector(f'html[data-ready="{path.partition("?")[0].partition("#")[0]}"]', state="attached")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def person(house: House) -> Person:
    return Person(house)
