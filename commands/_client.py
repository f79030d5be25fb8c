"""Asking a Waybill server, with patience: what is sent is done once, however often it has to be sent."""

import http.client
import json
import socket
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, urlsplit

import msgspec

SECONDS_TO_ANSWER = 30
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 10.0  # seconds before it is sent again
PATIENCE = 600.0  # seconds in all for which a server may be away

AWAY = (ConnectionError, TimeoutError, http.client.HTTPException, socket.gaierror)


class Answer(msgspec.Struct, frozen=True):
    status: int
    text: str
    etag: str = ""
    link: str = ""

    @property
    def json(self) -> Any:
        return json.loads(self.text)


class Problem(Exception):
    """What the server refuses, in a sentence; `about` is its problem as it came."""

    def __init__(self, status: int, about: dict[str, Any]) -> None:
        self.status = status
        self.about = about
        self.kind = str(about.get("type", "")).rpartition(":")[2]
        super().__init__(str(about.get("detail") or f"The server answers with status {status}."))


class NoServer(Exception):
    """Nobody answers there, in a sentence."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The token is for this server only."""

    def redirect_request(self, *_: Any) -> None:
        return None


OPENER = urllib.request.build_opener(_NoRedirects)


class Client:
    """A player's way to a server. `pause` waits; `say` tells why."""

    def __init__(
        self,
        url: str,
        token: str,
        say: Callable[[str], None] = print,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url = url.rstrip("/").removesuffix("/v1")
        self.token = token
        self.say = say
        self.pause = pause
        self.has_answered = False
        if urlsplit(self.url).scheme not in ("http", "https") or not urlsplit(self.url).netloc:
            raise NoServer(f"--server is an address like http://127.0.0.1:8000, not {url!r}.")

    def get(self, path: str, etag: str = "") -> Answer:
        """What is there; with an entity tag, status 304 if it is still the same."""
        return self.send("GET", path, headers={"If-None-Match": etag} if etag else {})

    def first_line(self, path: str) -> str:
        """The first line of what is there; the rest, which may be long, is not waited for."""
        return self.send("GET", path, first_line=True).text

    def post(self, path: str, body: Any, expected: int | None = None) -> Answer:
        """Does something once; `expected` is the row that the game must be at."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
        if expected is not None:
            headers["If-Match"] = f'"{expected}"'
        return self.send("POST", path, json.dumps(body).encode(), headers)

    def send(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
        first_line: bool = False,
    ) -> Answer:
        """Sends it until there is an answer. A server that restarts, or has no time, is asked again."""
        waited, pause = 0.0, FIRST_PAUSE
        while True:
            try:
                answer = self.send_once(method, path, body, headers or {}, first_line)
                if waited:
                    self.say("The server is back.")
                return answer
            except NoServer as error:
                if not self.has_answered or waited >= PATIENCE:
                    raise
                if not waited:
                    self.say(f"{error} Trying again; Ctrl-C stops.")
            except Problem as problem:
                if problem.status not in (429, 502, 503, 504) or waited >= PATIENCE:
                    raise
                pause = max(pause, float(problem.about.get("retry_after", 0)))
                if not waited:
                    self.say(f"The server has no time now (status {problem.status}). Trying again; Ctrl-C stops.")
            self.pause(pause)
            waited += pause
            pause = min(2 * pause, LONGEST_PAUSE)

    def send_once(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str], first_line: bool
    ) -> Answer:
        request = urllib.request.Request(f"{self.url}/v1{path}", body, headers, method=method)
        request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with OPENER.open(request, timeout=SECONDS_TO_ANSWER) as found:
                text = (found.readline() if first_line else found.read()).decode()
                self.has_answered = True
                return Answer(found.status, text, found.headers.get("ETag", ""), found.headers.get("Link", ""))
        except urllib.error.HTTPError as error:
            with error:
                text = error.read().decode(errors="replace")
            self.has_answered = True
            if error.code == 304:
                return Answer(304, "", error.headers.get("ETag", ""))
            raise Problem(error.code, _problem(text, error.headers.get("Retry-After"))) from None
        except (urllib.error.URLError, *AWAY) as error:
            reason = getattr(error, "reason", None) or error
            raise NoServer(f"No server answers at {self.url} ({reason}).") from None


def _problem(text: str, retry_after: str | None) -> dict[str, Any]:
    """A problem as the service writes it; a proxy before it may answer with a page."""
    try:
        about = json.loads(text)
    except ValueError:
        about = {}
    seconds = int(retry_after) if retry_after and retry_after.isdecimal() else 0
    return {**(about if isinstance(about, dict) else {}), "retry_after": seconds}


def part(text: str) -> str:
    """A text as a part of a path."""
    return quote(text, safe="")
