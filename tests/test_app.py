"""The application as a process of the server makes it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee.games import all_games
from runtime.config import Config

ROOT = Path(__file__).resolve().parent.parent

FIRST_REQUESTS = """
import sys
from app import create_app

client = create_app().test_client()
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
key, name = sys.argv[1:]
assert client.get(f"/v1/rulesets/{key}").status_code == 200
token = client.post("/v1/players", json={"name": name}).json["token"]
headers = {"Authorization": f"Bearer {token}"}
seats = [{"kind": "me"}, {"kind": "bot"}, {"kind": "bot"}]
made = client.post("/v1/games", json={"ruleset": key, "seats": seats}, headers=headers)
assert made.status_code == 201, made.json
options = f"/v1/games/{made.json['game']['id']}/options"
assert client.get(options, headers=headers).status_code == 200
print([path for path in opened if path.endswith((".yaml", ".py"))])
"""


@pytest.mark.parametrize("key", all_games())
def test_first_request_for_a_game_reads_no_board_and_no_code(config: Config, key: str) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", FIRST_REQUESTS, key, f"{key[:8]} {os.getpid()}"],
        env={**os.environ, "PYTHONPATH": str(ROOT), "DATABASE_URL": config.database_url, "REDIS_URL": config.redis_url},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"
