"""Makes the fixtures beside this file anew: python record_fixtures.py [address of the service]

For each game: `view.json` and `options.json` of a seat in the middle of it, and of its end `log.json` (the first
rows) and `record.jsonl`. With these a client can be written on a train.
"""

import json
import random
import secrets
import sys
from pathlib import Path
from typing import Any

import httpx
from waybill_client import Client, Move, Options

FOLDER = Path(__file__).parent / "fixtures"
ROWS = 40


class Looking:
    """Plays at random, and keeps what is seen on the way: the last position with much to choose from."""

    def __init__(self, http: httpx.Client, game_id: str, seed: int) -> None:
        self.http, self.path, self.rng = http, f"/v1/games/{game_id}", random.Random(seed)
        self.kept: dict[str, Any] = {}

    def choose(self, options: Options) -> Move:
        if len(options.offers) > 1 and (options.sequence < 2 * ROWS or not self.kept):
            self.kept = {name: self.ask(path) for name, path in (("view", "position"), ("options", "options"))}
        return options.sample(self.rng)

    def ask(self, path: str) -> Any:
        return self.http.get(f"{self.path}/{path}").raise_for_status().json()


def record(url: str, folder: Path, seed: int = 1) -> None:
    with Client(url) as me:
        me.sign_up(f"recorder {secrets.token_hex(4)}")
        for ruleset in me.rulesets():
            game = me.open_game(ruleset.key, ["me"] + ["bot"] * (min(ruleset.seats) - 1)).game
            with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {me.token}"}) as http:
                looking = Looking(http, game.id, seed)
                me.play(game.id, looking.choose)
                found = looking.kept | {"log": looking.ask(f"log?limit={ROWS}")}
            place = folder / ruleset.key
            place.mkdir(parents=True, exist_ok=True)
            for name, data in found.items():
                (place / f"{name}.json").write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n")
            (place / "record.jsonl").write_bytes(me.record(game.id))
            print(f"{ruleset.key}: {me.game(game.id).sequence} rows")


if __name__ == "__main__":
    record(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000", FOLDER)
