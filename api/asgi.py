"""A request and its answer by ASGI, for the stream: no client may hold an answer for ever."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs

import msgspec

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

SEND_SECONDS = 20.0  # for a client to take what it is sent
RETRY_MS = 2000
PROBLEM_JSON, EVENT_STREAM, JSON = "application/problem+json", "text/event-stream; charset=utf-8", "application/json"


class Refused(Exception):
    def __init__(self, status: int, kind: str, detail: str, retry_after: int | None = None) -> None:
        super().__init__(detail)
        self.status, self.kind, self.detail, self.retry_after = status, kind, detail, retry_after


class Request:
    """A request and its answer, by ASGI."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.method, self.path = scope["method"], scope["path"]
        self.headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        self._arguments = parse_qs(scope.get("query_string", b"").decode("latin-1"), max_num_fields=1000)
        self._client = (scope.get("client") or ("",))[0]
        self._receive, self._asgi_send = receive, send
        self.has_begun = False  # an answer, of which there is one

    def address(self, proxies: int) -> str:
        """Who asks, or for whom the outermost of our proxies asks."""
        said = [one.strip() for one in self.headers.get("x-forwarded-for", "").split(",")]
        return said[-proxies] if 0 < proxies <= len(said) else str(self._client)

    def argument(self, name: str) -> str | None:
        return next(iter(self._arguments.get(name, ())), None)

    def whole(self, name: str) -> int | None:
        text = self.argument(name)
        if text is None:
            return None
        digits = text.removeprefix("-")
        if not digits.isdecimal() or len(digits) > 9:
            raise Refused(422, "invalid-request", f"`{name}` is a whole number.")
        return int(text)

    async def until_gone(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def send_head(self, status: int, content_type: str, *more: tuple[str, str]) -> None:
        headers = [
            ("content-type", content_type),
            ("cache-control", "no-store"),
            ("access-control-allow-origin", "*"),
            ("access-control-allow-headers", "Authorization, Last-Event-ID"),
            ("x-accel-buffering", "no"),
            *more,
        ]
        pairs = [(name.encode(), value.encode()) for name, value in headers if value]
        self.has_begun = True
        await self._send({"type": "http.response.start", "status": status, "headers": pairs})

    async def send_whole(self, status: int, content_type: str, body: bytes, *more: tuple[str, str]) -> None:
        await self.send_head(status, content_type, ("content-length", str(len(body))), *more)
        await self._send({"type": "http.response.body", "body": body})

    async def begin_events(self) -> None:
        await self.send_head(200, EVENT_STREAM)
        await self.send_part(f"retry: {RETRY_MS}\n\n".encode())

    async def send_part(self, data: bytes) -> None:
        await self._send({"type": "http.response.body", "body": data, "more_body": True})

    async def end(self) -> None:
        with suppress(Exception):
            await self._send({"type": "http.response.body", "body": b""})

    async def _send(self, message: dict[str, Any]) -> None:
        async with asyncio.timeout(SEND_SECONDS):
            await self._asgi_send(message)

    async def problem(self, refused: Refused) -> None:
        about = {
            "type": f"urn:waybill:problem:{refused.kind}",
            "title": refused.kind.replace("-", " ").capitalize(),
            "status": refused.status,
            "detail": refused.detail,
        }
        more = [("retry-after", str(refused.retry_after))] if refused.retry_after else []
        more += [("www-authenticate", 'Bearer realm="waybill"')] if refused.status == 401 else []
        await self.send_whole(refused.status, PROBLEM_JSON, msgspec.json.encode(about) + b"\n", *more)
