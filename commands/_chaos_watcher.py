"""Somebody who follows the stream whatever happens: connects again, goes on where it was, and notes what came."""

import http.client
import json
import threading
import time
from collections.abc import Iterator
from typing import Any

from commands._chaos_players import Person

PAUSE = 0.3  # before connecting again
SECONDS = 60  # without a sign of life, which comes more often than that


class Watcher(threading.Thread):
    """A player's stream of all their games."""

    def __init__(self, port: int, person: Person) -> None:
        super().__init__(name="watcher", daemon=True)
        self.port, self.person = port, person
        self.rows: dict[str, list[int]] = {}  # by game, in the order in which they came
        self.notices: list[int] = []
        self.last = ""
        self.connections = 0
        self.is_connected = threading.Event()
        self.stopping = threading.Event()
        self.failure: Exception | None = None

    def run(self) -> None:
        while not self.stopping.is_set():
            try:
                for kind, data in self.events():
                    self.note(kind, data)
                    if self.stopping.is_set():
                        return
            except (http.client.HTTPException, OSError, ValueError):
                pass
            except Exception as error:
                self.failure = error
                return
            time.sleep(PAUSE)

    def note(self, kind: str, data: Any) -> None:
        if kind == "row":
            self.rows.setdefault(data["game_id"], []).append(data["row"]["row"])
        elif kind == "notice":
            self.notices.append(data["id"])

    def events(self) -> Iterator[tuple[str, Any]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        headers = {"Authorization": f"Bearer {self.person.token}"}
        if self.last:
            headers["Last-Event-ID"] = self.last
        connection.request("GET", "/v1/events", headers=headers)
        answer = connection.getresponse()
        if answer.status != 200:
            raise OSError(answer.status)
        self.connections += 1
        self.is_connected.set()
        kind = number = ""
        while line := answer.readline().decode():
            name, _, value = line.rstrip("\r\n").partition(": ")
            if name == "id":
                number = value
            elif name == "event":
                kind = value
            elif name == "data":
                data = json.loads(value)
            elif not line.strip() and kind:
                self.last = number or self.last  # what was sent whole has come
                yield kind, data
                kind = number = ""
        connection.close()

    def missed(self, rows: dict[str, int], notices: list[int]) -> Iterator[str]:
        """What did not come, or not in its order: of games with so many rows, and of these notices."""
        for game_id, last in rows.items():
            came = self.rows.get(game_id, [])
            expected = list(range(came[0] if came else 0, last + 1))
            if came != expected:
                gap = next((number for number, seen in zip(expected, came, strict=False) if number != seen), len(came))
                yield f"{game_id}: the stream told {len(came)} of its rows, not {len(expected)}; wrong from {gap} on."
        notices = [number for number in notices if self.notices and number >= self.notices[0]]
        if self.notices != notices:
            lost = sorted(set(notices) - set(self.notices))
            yield f"The stream told {len(self.notices)} notices, not {len(notices)}; these did not come: {lost[:5]}."
