"""What someone who runs the service relies on: endings, logs, counters, refusals."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg2
import pytest

from runtime.config import Config
from runtime.processes import free_port
from tests.commands.test_up import ROOT, Up, command, environment
from tests.test_service import Client
from tests.waiting import wait_until
from workers import tasks
from workers.app import configure, enqueue

AGAINST_A_BOT = {"ruleset": "airlines-europe", "seats": [{"kind": "me"}, {"kind": "bot"}]}


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """A service with two API processes."""
    folder = tmp_path_factory.mktemp("operations") / "waybill"
    service = Up(folder, "--port", str(free_port()), WAYBILL_API_PROCESSES="2")
    service.wait()
    yield service
    service.stop()


def url(up: Up) -> str:
    state = up.running()
    assert state is not None
    return state.url


def test_request_that_is_running_is_answered_before_the_service_ends(tmp_path: Path) -> None:
    up = Up(tmp_path / "home", "--port", str(free_port()))
    state = up.wait()
    client = Client(state.url, "Ann")
    game_id = client.ask("POST", "/v1/games", AGAINST_A_BOT)[1]["game"]["id"]
    choice = client.ask("GET", f"/v1/games/{game_id}/options")[1]["default"]
    holder, watcher = psycopg2.connect(state.database_url), psycopg2.connect(state.database_url)
    watcher.autocommit = True

    def asked(connection: Any, sql: str, *values: str) -> Any:
        with connection.cursor() as cursor:
            cursor.execute(sql, values)
            return cursor.fetchone()[0]

    with ThreadPoolExecutor(1) as pool:
        asked(holder, "select id from games where id = %s for update", game_id)
        answer = pool.submit(client.ask, "POST", f"/v1/games/{game_id}/moves", {"moves": [choice]})
        waiting = "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like '%%seal(%%'"
        wait_until(lambda: asked(watcher, waiting), what="the request's wait for the game")
        up.process.send_signal(signal.SIGTERM)
        wait_until(lambda: "Shutting down granian" in (up.folder / "api.log").read_text(), what="the goodbye")
        holder.close()
        watcher.close()
        assert answer.result()[0] == 202
    assert up.process.wait(60) == 0, up.text()
    assert any("shutdown" in line["event"] for line in lines(up, "worker"))
    assert " holds: " in command(up.folder, "admin", "check", game_id).stdout


def lines(up: Up, part: str) -> list[dict[str, Any]]:
    """The log of a part, as far as its lines are whole; one that is not JSON is an error."""
    whole = (up.folder / f"{part}.log").read_text().rpartition("\n")[0]
    return [json.loads(line) for line in whole.splitlines()]


def test_request_is_found_in_the_logs_of_api_and_worker_with_its_game(up: Up) -> None:
    client = Client(url(up), "Bea")
    game_id = client.ask("POST", "/v1/games", AGAINST_A_BOT, X_Request_ID="opening-1")[1]["game"]["id"]
    choice = client.ask("GET", f"/v1/games/{game_id}/options")[1]["default"]
    client.ask("POST", f"/v1/games/{game_id}/moves", {"moves": [choice]}, X_Request_ID="choosing-1")

    def redacted(part: str) -> set[tuple[str, str, str]]:
        found = [line for line in lines(up, part) if line.get("request_id") in ("opening-1", "choosing-1")]
        return {(line["request_id"], line["game"], line.get("task") or line["route"]) for line in found}

    requests = {("opening-1", game_id, "/v1/games"), ("choosing-1", game_id, "/v1/games/<game_id>/moves")}
    wait_until(lambda: redacted("api") == requests, what="the lines of both requests")
    # Whichever of the two makes the phase complete wakes the worker that opens the envelopes.
    wait_until(lambda: ("opening-1", game_id, "play_bot") in redacted("bots"), what="the bot's line")
    wait_until(lambda: any(task == "resolve" for _, _, task in redacted("worker")), what="the reveal's line")
    assert lines(up, "beat") == []


def api_processes(up: Up) -> list[int]:
    state = up.running()
    assert state is not None
    return children(state.parts["api"])


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def fetch(address: str) -> bytes:
    with urllib.request.urlopen(address) as answer:
        return bytes(answer.read())


def counted(up: Up, route: str) -> float:
    text = fetch(f"{url(up)}/metrics").decode()
    return sum(float(count) for count in re.findall(rf'waybill_requests_total\{{.*route="{route}".*\}} (.+)', text))


def test_counters_are_those_of_all_processes_and_survive_one(up: Up) -> None:
    for _ in range(20):
        fetch(f"{url(up)}/v1/rulesets")
    assert len(list((up.folder / "metrics").glob("counter_*.db"))) >= 2
    assert {counted(up, "/v1/rulesets") for _ in range(10)} == {20}
    before = api_processes(up)
    os.kill(before[0], signal.SIGKILL)
    wait_until(lambda: len(set(api_processes(up)) - set(before)) == 1, what="a new API process")
    assert {counted(up, "/v1/rulesets") for _ in range(10)} == {20}


def test_killed_api_process_leaves_no_renderer_behind(up: Up) -> None:
    client = Client(url(up), "Cid")
    game_id = client.ask("POST", "/v1/games", AGAINST_A_BOT)[1]["game"]["id"]

    def drawing() -> list[tuple[int, list[int]]]:
        fetch(f"{url(up)}/v1/games/{game_id}/board.png")
        return [(pid, renderers) for pid in api_processes(up) if (renderers := children_of_threads(pid))]

    api, renderers = wait_until(drawing)[0]
    os.kill(api, signal.SIGKILL)
    wait_until(lambda: not any(is_alive(pid) for pid in renderers), what="the end of the renderer")


def children_of_threads(pid: int) -> list[int]:
    return [int(child) for task in Path(f"/proc/{pid}/task").glob("*/children") for child in task.read_text().split()]


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_redis_that_does_not_answer_is_asked_once_and_left_to_the_sweep(config: Config) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        calls: list[None] = []

        def hang_up() -> None:
            while True:
                try:
                    door.accept()[0].close()
                except OSError:
                    return
                calls.append(None)

        threading.Thread(target=hang_up, daemon=True).start()
        configure(config.replace(redis_url=f"redis://127.0.0.1:{door.getsockname()[1]}/0"))
        try:
            assert not enqueue(tasks.resolve, "none", 1)
        finally:
            configure(config)
        assert 1 <= len(calls) <= 2, "whoever waits for a move must not wait for one try after another"


PARTS = {
    "up": ["commands", "up"],
    "api": ["runtime.serve", "app:create_app"],
    "worker": ["celery", "--app", "workers.main", "worker"],
    "beat": ["celery", "--app", "workers.main", "beat"],
}


def refused(folder: Path, part: str, **settings: str) -> str:
    done = subprocess.run(
        [sys.executable, "-P", "-m", *PARTS[part]],
        cwd=ROOT,
        env={**environment(folder), **settings},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.parametrize("part", PARTS)
def test_wrong_configuration_is_refused_in_plain_words_by_every_part(tmp_path: Path, part: str) -> None:
    said = refused(tmp_path / "home", part, WAYBILL_POOL_SIZE="many", WAYBILL_PROT="80", REDIS_URL="localhost:6379")
    assert [line.removeprefix("waybill: ") for line in said.strip().splitlines()] == [
        "REDIS_URL must be an address that begins with redis:// or rediss:// or sentinel://, not what it is set to.",
        "WAYBILL_POOL_SIZE must be a whole number from 1 to 256, not 'many'.",
        "WAYBILL_PROT is not a setting of Waybill.",
    ]
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("part", ["api", "worker", "beat"])
def test_part_started_by_itself_says_that_it_needs_servers(tmp_path: Path, part: str) -> None:
    assert "DATABASE_URL and REDIS_URL must be set" in refused(tmp_path / "home", part)
