"""The client for programs that do many things at once: as `waybill_client.sync`, with `await`."""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import aclosing
from types import TracebackType
from typing import Any, Literal, Self, TypeVar

import httpx

from waybill_client import calls
from waybill_client.calls import Bye, Call, EventReader, Place, SeatRequest
from waybill_client.errors import Stale, Unreachable, WaybillError
from waybill_client.models import (
    Event,
    Game,
    GameState,
    Notice,
    Opened,
    Outcome,
    Page,
    Player,
    Position,
    Row,
    Ruleset,
    SignedUp,
    Webhook,
)
from waybill_client.options import Move, Options
from waybill_client.sync import LONG_POLL, SILENCE, STREAM_AGAIN, Live

T = TypeVar("T")

Chosen = Move | Sequence[Move] | str


async def chosen(made: Chosen | Awaitable[Chosen]) -> Chosen:
    """What somebody chose, who may have taken their time over it."""
    return made if isinstance(made, str | dict | Sequence) else await made


class AsyncClient:
    """A player of the service at `url`, or, without a token, somebody who watches.

    What gets no answer, or is answered 429, 502, 503 or 504, is sent again up to `tries` times under the same key, so
    that it is done once. `live` is the best way to follow a game that is tried: if a stream cannot be had, long polls
    are, and if these cannot, the log is asked for every `pause` seconds.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8000",
        token: str | None = None,
        *,
        tries: int = 6,
        timeout: float = 30.0,
        live: Live = "stream",
        pause: float = 2.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.token, self.tries, self.live, self.pause = token, tries, live, pause
        self._http = httpx.AsyncClient(
            base_url=url.rstrip("/").removesuffix("/v1"),
            timeout=timeout,
            follow_redirects=True,  # to the stream, with a ticket in place of the token
            headers={"User-Agent": calls.USER_AGENT},
            transport=transport,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    # Players

    async def sign_up(self, name: str, email: str | None = None) -> SignedUp:
        """Signs up, and goes on as this player. Keep the token: it is shown once."""
        made = await self.send(calls.sign_up(name, email))
        self.token = made.token
        return made

    async def me(self) -> Player:
        return await self.send(calls.me())

    async def new_token(self, label: str = "", scopes: Sequence[str] = ("read", "play", "host")) -> str:
        return await self.send(calls.new_token(label, scopes))

    # Games

    async def rulesets(self) -> tuple[Ruleset, ...]:
        return (await self.send(calls.rulesets())).items

    async def open_game(self, ruleset: str, seats: Iterable[SeatRequest] = ("me", "bot"), **options: Any) -> Opened:
        """Opens a game: `seats` are `me`, `open`, `invite`, `bot`, `bot:default`, `invite:Ann`, or as the API has them;
        `options` are `clock`, `private`, `title`, `settings` and whatever else the API takes."""
        return await self.send(calls.open_game(ruleset, seats, options))

    async def join(self, game_id: str, token: str | None = None, *, seat: int | None = None, entropy: str = "") -> Game:
        return await self.send(calls.join(game_id, token, seat, entropy))

    async def start(self, game_id: str) -> Game:
        return await self.send(calls.start(game_id))

    async def leave(self, game_id: str) -> None:
        await self.send(calls.leave(game_id))

    def games(self, **query: Any) -> AsyncIterator[Game]:
        """Games, newest first: `mine=True`, `to_act=True`, `status="over"`, `ruleset="spike"`."""
        return self._pages(calls.games(query))

    async def game(self, game_id: str) -> Game:
        return await self.send(calls.game(game_id))

    async def position(self, game_id: str, at: int | None = None) -> Position:
        """The game as you may see it, now or after an earlier row."""
        return await self.send(calls.position(game_id, at))

    def log(self, game_id: str, after: int | None = None) -> AsyncIterator[Row]:
        return self._pages(calls.log(game_id, after))

    async def board(
        self, game_id: str, kind: Literal["txt", "svg"] = "txt", part: str | None = None, at: int | None = None
    ) -> str:
        return await self.send(calls.board(game_id, kind, part, at))

    async def record(self, game_id: str) -> bytes:
        """The record, for `waybill_client.verify`."""
        return await self.send(calls.record(game_id))

    def notices(self, unread: bool = False, game_id: str | None = None) -> AsyncIterator[Notice]:
        return self._pages(calls.notices(unread, game_id))

    # Playing

    async def options(self, game_id: str) -> Options:
        return await self.send(calls.options(game_id))

    async def send_moves(
        self,
        game_id: str,
        moves: Move | Sequence[Move] | str,
        *,
        sequence: int | None = None,
        dry_run: bool = False,
        blind: bool = False,
        key: str | None = None,
    ) -> Outcome:
        """Sends moves, or orders as text: all are played, or none. With `sequence`, as options have it, only if the
        game is still there: else Stale is raised."""
        return await self.send(calls.send_moves(game_id, moves, sequence, dry_run, blind, key))

    async def turns(self, game_id: str) -> AsyncGenerator[Options, None]:
        """Waits for your turns, and gives the options of each, until the game is over."""
        seat = (await self.game(game_id)).you
        if seat is None:
            raise WaybillError("You have no seat in this game.")
        asked = -1
        async with aclosing(self.follow(game_id)) as events:
            async for event in events:
                match event.data:
                    case GameState(status="running", sequence=sequence, to_act=to_act) if seat in to_act:
                        if sequence == asked and not (await self.game(game_id)).waits_for_me:
                            continue  # another has sealed a move while ours was on its way
                        options = await self.options(game_id)
                        if options.sequence == sequence and options.offers:  # else it has gone on, as events will say
                            asked = sequence
                            yield options

    async def wait_for_turn(self, game_id: str) -> Options | None:
        """Your options, as soon as it is your turn; None if the game is over."""
        async with aclosing(self.turns(game_id)) as turns:
            return await anext(turns, None)

    async def play(
        self,
        game_id: str,
        choose: Callable[[Options], Chosen | Awaitable[Chosen]],
        told: Callable[[Outcome], None] = lambda outcome: None,
    ) -> Game:
        """Plays a game to its end: `choose` makes a move of the options, `told` hears what came of it."""
        async with aclosing(self.turns(game_id)) as turns:
            async for options in turns:
                try:
                    told(await self.send_moves(game_id, await chosen(choose(options)), sequence=options.sequence))
                except Stale:
                    continue
        return await self.game(game_id)

    # Following

    async def follow(self, game_id: str, after: int | None = None) -> AsyncGenerator[Event, None]:
        """What happens in a game, until it is over: each row once and in order, however often the connection is lost.
        Without `after` the first event is the position; `after=-1` begins with the first row."""
        place = Place(after)
        while not place.is_over():
            was_streamed = False
            if self.live == "stream":
                try:
                    after_row = str(place.row) if place.row is not None else None
                    async with aclosing(self._streamed(game_id, after_row)) as events:
                        async for event in events:
                            was_streamed = True
                            if place.is_new(event):
                                yield event
                            if place.is_over():
                                return
                except (httpx.TransportError, Unreachable):
                    pass
            async for event in self._polled(game_id, place, 0 if was_streamed else STREAM_AGAIN):
                yield event

    async def follow_all(self, after: str | None = None) -> AsyncGenerator[Event, None]:
        """What happens in all your games, and your notices, for ever. `Event.id` of the last one is where to go on."""
        while True:
            try:
                async with aclosing(self._streamed(None, after)) as events:
                    async for event in events:
                        after = event.id or after
                        yield event
            except (httpx.TransportError, Unreachable):
                pass
            await asyncio.sleep(self.pause)

    async def _streamed(self, game_id: str | None, after: str | None) -> AsyncGenerator[Event, None]:
        """The events of one connection."""
        headers = self._headers() | {"Accept": "text/event-stream"}
        query = {"after": after} if after is not None else {}
        if game_id is None and after is not None:
            headers["Last-Event-ID"], query = after, {}
        timeout = httpx.Timeout(10.0, read=SILENCE)
        path = calls.events_path(game_id)
        async with self._http.stream("GET", path, params=query, headers=headers, timeout=timeout) as response:
            if response.status_code in calls.TRY_AGAIN:
                raise Unreachable("There is no stream just now.")
            if response.status_code != 200:
                await response.aread()
                calls.result(Call("GET", path, lambda _: None), response)
            reader = EventReader(game_id)
            async for line in response.aiter_lines():
                event = reader.read(line)
                if isinstance(event, Bye):
                    return
                if event is not None:
                    yield event

    async def _polled(self, game_id: str, place: Place, seconds: float) -> AsyncIterator[Event]:
        """The same by asking: once, or for so many seconds."""
        end = time.monotonic() + seconds
        if place.row is None and (await self.game(game_id)).sequence >= 0:
            position = await self.position(game_id)
            place.row = position.sequence
            yield Event("position", position, game_id, str(position.sequence))
        while True:
            async for event in self._look(game_id, -1 if place.row is None else place.row, LONG_POLL if seconds else 0):
                if place.is_new(event):
                    yield event
            if place.is_over() or time.monotonic() >= end:
                break
        if not seconds:
            await asyncio.sleep(self.pause / 4)  # a stream that is cut at once is not to be opened as fast as that

    async def _look(self, game_id: str, after: int, wait: int) -> AsyncIterator[Event]:
        if self.live != "poll":
            try:
                looked = await self._send_once(calls.long_poll(game_id, after, wait), wait + 30.0)
            except (httpx.TransportError, Unreachable):
                pass
            else:
                for row in looked.rows:
                    yield Event("row", row, game_id, str(row.number))
                if not looked.rows or looked.rows[-1].number == looked.game.sequence:
                    yield Event("game", looked.game, game_id)
                return
        await asyncio.sleep(self.pause)
        game = await self.game(game_id)
        if game.sequence > after:
            async for row in self.log(game_id, after):
                yield Event("row", row, game_id, str(row.number))
        state = GameState(game.id, game.status, game.sequence, game.to_act, game.ending, game.due_at)
        yield Event("game", state, game_id)

    # Webhooks

    async def create_webhook(self, url: str, events: Sequence[str] | None = None, label: str = "") -> Webhook:
        """An address that is told what you are told. Keep the secret: it is shown once."""
        return await self.send(calls.create_webhook(url, events, label))

    async def test_webhook(self, webhook_id: int) -> None:
        await self.send(calls.test_webhook(webhook_id))

    async def delete_webhook(self, webhook_id: int) -> None:
        await self.send(calls.delete_webhook(webhook_id))

    # Sending

    async def send(self, call: Call[T]) -> T:
        """Sends a request until it is answered. Raises Problem, or Unreachable."""
        for tries in range(self.tries):
            response, reason = None, ""
            try:
                response = await self._request(call)
            except httpx.TransportError as error:
                reason = f"{type(error).__name__}: {error}"
            if response is not None and response.status_code not in calls.TRY_AGAIN:
                return calls.result(call, response)
            if tries + 1 < self.tries:
                await asyncio.sleep(calls.pause_after(tries, response))
        if response is not None:
            return calls.result(call, response)
        raise Unreachable(f"{call.method} {call.path} was not answered: {reason}")

    async def _send_once(self, call: Call[T], timeout: float) -> T:
        response = await self._request(call, timeout)
        if response.status_code in calls.TRY_AGAIN:
            raise Unreachable(f"{call.path} was answered {response.status_code}.")
        return calls.result(call, response)

    async def _request(self, call: Call[Any], timeout: float | None = None) -> httpx.Response:
        return await self._http.request(
            call.method,
            call.path,
            params=call.query or None,
            content=call.content,
            headers=self._headers() | call.headers,
            timeout=httpx.USE_CLIENT_DEFAULT if timeout is None else timeout,
        )

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    async def _pages(self, call: Call[Page[T]]) -> AsyncIterator[T]:
        page = await self.send(call)
        for item in page.items:
            yield item
        while page.next:
            page = await self.send(calls.next_page(call, page.next))
            for item in page.items:
                yield item
