"""The live feed: server-sent events and long polls, as an ASGI application of its own.

It knows tokens, the log and Redis hints. Every connection asks for what follows the last row it has sent, so nothing is
left out and nothing comes twice, whatever is lost on the way; what many ask for is read once. A hint makes it quick; a
look at the database each second makes it certain.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar
from urllib.parse import parse_qs

import msgspec
import redis
import redis.asyncio
import structlog

from referee.structs import preload_decoders
from runtime.config import Config, service_config
from runtime.logs import log_as_json
from service import Database, tickets, watching
from service.errors import Banned, NotFound, OtherRules, ServiceError, Unavailable, WrongStatus
from service.hints import CHANNEL
from service.watching import GameState, Person, Seated

T = TypeVar("T")
Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

log = structlog.get_logger("waybill.stream")

LOOK_SECONDS = 1.0  # from one look at the database to the next: what a lost hint costs
CHECK_SECONDS = 2.0  # from one check of tokens and seats to the next
HEARTBEAT_SECONDS = 15.0
SEND_SECONDS = 20.0  # for a client to take what it is sent
RECENT_ROWS = 64  # of a game, kept for those who are up to date
ROWS_AT_ONCE = 100
MOST_CONNECTIONS = 10_000  # of the process
MOST_OF_A_PLAYER = 20
LONGEST_WAIT = 55  # seconds of a long poll: less than proxies wait
READERS = 4  # threads that ask the database
RETRY_MS = 2000

PROBLEM_JSON, EVENT_STREAM, JSON = "application/problem+json", "text/event-stream; charset=utf-8", "application/json"


class Refused(Exception):
    def __init__(self, status: int, kind: str, detail: str, retry_after: int | None = None) -> None:
        super().__init__(detail)
        self.status, self.kind, self.detail, self.retry_after = status, kind, detail, retry_after


class Ended(Exception):
    """Why a connection is ended by us, in a word and a sentence."""

    def __init__(self, why: str, sentence: str) -> None:
        super().__init__(why)
        self.why, self.sentence = why, sentence


class Topic:
    """A watched game: where it is, its last rows, and who waits for more."""

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self.state: GameState | None = None
        self.recent: OrderedDict[int, Any] = OrderedDict()  # entries by number
        self.table: Any = None
        self.told: OrderedDict[tuple[int, int | None, bool], bytes] = OrderedDict()
        self.watchers = 0
        self.reading = asyncio.Lock()
        self._changed = asyncio.Event()

    def note(self, state: GameState) -> None:
        if state != self.state:
            self.state = state
            self.wake()

    def wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    @property
    def changed(self) -> asyncio.Event:
        """Set at the next change; to be taken before looking for what is there."""
        return self._changed


class Watcher:
    """A connection, as the checks see it."""

    def __init__(self, who: Person) -> None:
        self.who = who
        self.seats: dict[str, int | None] = {}  # by game that is watched
        self.ended: Ended | None = None
        self.wakes: asyncio.Event = asyncio.Event()

    def end(self, why: str, sentence: str) -> None:
        self.ended = self.ended or Ended(why, sentence)
        self.wakes.set()


class Hub:
    """All connections of the process, and what they watch."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.db = Database.of(config)
        self.redis = redis.asyncio.Redis.from_url(config.redis_url, socket_connect_timeout=1)
        self.threads = ThreadPoolExecutor(READERS, "stream")
        self.topics: dict[str, Topic] = {}
        self.watchers: set[Watcher] = set()
        self.notices: dict[int, int] = {}  # the newest notice of players who watch all their games
        self.people: dict[int, asyncio.Event] = {}
        self._hinted: set[str] = set()
        self._hint = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def ask(self, question: Callable[..., T], *arguments: Any) -> T:
        """Asks the database in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self.threads, question, *arguments)

    async def query(self, question: Callable[..., T], *arguments: Any) -> T:
        """The same for a question that needs a session."""

        def run() -> T:
            with self.db.session() as session:
                return question(session, *arguments)

        return await self.ask(run)

    def start(self) -> None:
        self._tasks = [asyncio.create_task(again(task)) for task in (self._listen, self._look, self._check)]

    async def stop(self) -> None:
        for watcher in self.watchers:
            watcher.end("restart", "The stream is being restarted; connect again.")
        for task in self._tasks:
            task.cancel()
        await asyncio.sleep(0)

    def watch(self, game_id: str) -> Topic:
        topic = self.topics.setdefault(game_id, Topic(game_id))
        topic.watchers += 1
        return topic

    def leave(self, topic: Topic) -> None:
        topic.watchers -= 1
        if not topic.watchers:
            self.topics.pop(topic.game_id, None)

    async def _listen(self) -> None:
        """Hints from Redis. Without it, there are the looks."""
        with suppress(redis.RedisError, OSError):
            async with self.redis.pubsub() as pubsub:
                await pubsub.subscribe(CHANNEL)
                async for message in pubsub.listen():
                    if message["type"] == "message":
                        self._hinted.update(set(message["data"].decode().split("\n")).intersection(self.topics))
                        if self._hinted:
                            self._hint.set()
        await asyncio.sleep(LOOK_SECONDS)

    async def _look(self) -> None:
        """Looks where watched games are: those that were hinted at, and every second all of them."""
        everything = time.monotonic() + LOOK_SECONDS
        while True:
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._hint.wait(), max(0.0, everything - time.monotonic()))
            self._hint.clear()
            games, self._hinted = self._hinted, set()
            is_round = time.monotonic() >= everything
            if is_round:
                everything = time.monotonic() + LOOK_SECONDS
                games = set(self.topics)
            for state in (await self.query(watching.states, games)).values() if games else ():
                if topic := self.topics.get(state.id):
                    topic.note(state)
            if is_round and self.people:
                self._note_notices(await self.query(watching.newest_notices, list(self.people)))

    def _note_notices(self, newest: dict[int, int]) -> None:
        for player_id, number in newest.items():
            if number is not None and number != self.notices.get(player_id) and player_id in self.people:
                self.notices[player_id] = number
                self.people[player_id].set()

    async def _check(self) -> None:
        """Ends connections whose token was revoked, and those of a seat that has changed hands."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            watchers = list(self.watchers)
            tokens = {watcher.who.token for watcher in watchers if watcher.who.token}
            live = await self.query(watching.live_tokens, tokens) if tokens else set()
            games = {game_id for watcher in watchers for game_id in watcher.seats}
            places: dict[str, list[Seated]] = await self.query(watching.seated, games) if games else {}
            for watcher in watchers:
                if watcher.who.token and watcher.who.token not in live:
                    watcher.end("revoked", "The token was revoked.")
                for game_id, seat in list(watcher.seats.items()):
                    if game_id in places and not watching.may_still_watch(places[game_id], watcher.who, seat):
                        watcher.end("seat", "Your seat in the game has changed; connect again to see what you may.")

    async def rows(self, topic: Topic, after: int) -> list[Any]:
        """Rows of a game after one, from memory if it has them all."""
        state = topic.state
        if state is not None and after >= state.sequence:
            return []
        async with topic.reading:
            if after + 1 not in topic.recent:
                found = await self.ask(watching.rows_after, self.db, topic.game_id, after, ROWS_AT_ONCE)
                topic.table = found.table
                entries = list(found.entries)
                if state is not None and entries and entries[-1].row.number >= state.sequence:
                    topic.recent.update((entry.row.number, entry) for entry in entries)
                    while len(topic.recent) > RECENT_ROWS:
                        topic.recent.popitem(last=False)
                return entries
            return [entry for number, entry in topic.recent.items() if number > after]

    def visible(self, topic: Topic, entry: Any, seat: int | None) -> bytes:
        """A row in JSON for a viewer; those who see the same share it."""
        key = entry.row.number, seat, topic.table.is_over
        if key not in topic.told:
            topic.told[key] = msgspec.json.encode(watching.visible(topic.table, entry, seat))
            while len(topic.told) > RECENT_ROWS * 8:
                topic.told.popitem(last=False)
        return topic.told[key]


async def again(task: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Runs a task for ever: what goes wrong is logged, and begun anew."""
    while True:
        try:
            await task()
        except (ServiceError, Unavailable, redis.RedisError, OSError) as error:
            log.warning("interrupted", task=task.__name__, reason=str(error))
            await asyncio.sleep(LOOK_SECONDS)
        except Exception:
            log.exception("failed", task=task.__name__)
            await asyncio.sleep(LOOK_SECONDS)


# Events


def event(kind: str, data: bytes, number: str | None = None) -> bytes:
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {kind}\n".encode() + b"data: " + data + b"\n\n"


class GameStream:
    """One game for one connection: what follows the last row that was sent."""

    def __init__(self, hub: Hub, topic: Topic, watcher: Watcher, seat: int | None, after: int | None) -> None:
        self.hub, self.topic, self.watcher, self.seat = hub, topic, watcher, seat
        self.after = after
        self.said: GameState | None = None

    async def begin(self) -> AsyncIterator[bytes]:
        """The present state, unless the caller goes on from a row."""
        found = await self.hub.query(watching.states, [self.topic.game_id])
        if self.topic.game_id in found:
            self.topic.note(found[self.topic.game_id])
        if self.after is None and self.topic.state and self.topic.state.status != "open":
            loaded = await self.hub.ask(
                watching.rows_after, self.hub.db, self.topic.game_id, self.topic.state.sequence, 1
            )
            self.topic.table = loaded.table
            self.after = loaded.table.sequence
            yield event("position", msgspec.json.encode(loaded.table.view(self.seat)), str(self.after))

    async def news(self) -> AsyncIterator[bytes]:
        while rows := await self.hub.rows(self.topic, -1 if self.after is None else self.after):
            for entry in rows:
                self.after = entry.row.number
                yield event("row", self.hub.visible(self.topic, entry, self.seat), str(self.after))
        if self.topic.state != self.said:
            self.said = self.topic.state
            yield event("game", msgspec.json.encode(self.said))


class Stream:
    """The ASGI application."""

    def __init__(self, config: Config | None = None) -> None:
        self._config = config
        self._hub: Hub | None = None

    @property
    def hub(self) -> Hub:
        if self._hub is None:
            self._hub = Hub(self._config or service_config())
            log_as_json(self._hub.config.log_level)
            preload_decoders()
            self._hub.start()
        return self._hub

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.lifespan(receive, send)
        elif scope["type"] == "http":
            request = Request(scope, receive, send)
            try:
                await self.answer(request)
            except Refused as refused:
                await request.problem(refused)
            except (NotFound, WrongStatus, OtherRules, Banned) as error:
                status = {NotFound: 404, Banned: 403}.get(type(error), 409)
                kind = {404: "not-found", 403: "banned"}.get(status, "wrong-status")
                await request.problem(Refused(status, kind, str(error)))
            except Unavailable:
                await request.problem(Refused(503, "unavailable", "The database does not answer now.", 2))

    async def lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self.hub  # noqa: B018 - made here, in the loop that serves
                await send({"type": "lifespan.startup.complete"})
            else:
                await self.hub.stop()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def answer(self, request: "Request") -> None:
        match request.path.strip("/").split("/"):
            case ["healthz"]:
                await request.send_whole(200, JSON, b'{"status":"ok"}\n')
            case ["v1", "games", game_id, "events"] if request.method == "GET":
                await self.game_events(request, game_id)
            case ["v1", "events"] if request.method == "GET":
                await self.all_events(request)
            case _ if request.method == "OPTIONS":
                await request.send_whole(204, "", b"")
            case _:
                raise Refused(404, "not-found", "Here are GET /v1/games/{id}/events and GET /v1/events.")

    async def person(self, request: "Request") -> Person:
        """Who asks: by a token, by a ticket, or nobody in particular."""
        scheme, _, secret = request.headers.get("authorization", "").partition(" ")
        if secret and scheme.lower() == "bearer":
            found = await self.hub.query(watching.person, secret.strip())
            if found is None:
                raise Refused(401, "unauthorized", "This token is not known, or has been revoked.")
            return found
        if ticket := request.argument("ticket"):
            kept = await tickets.redeem(self.hub.redis, ticket)
            if kept is None:
                raise Refused(401, "unauthorized", "This ticket is not known, or is too old; ask for another.")
            return kept
        return Person()

    def admit(self, who: Person) -> Watcher:
        if len(self.hub.watchers) >= MOST_CONNECTIONS:
            raise Refused(503, "unavailable", "There are too many streams just now.", 30)
        mine = sum(who.player_id is not None and other.who.player_id == who.player_id for other in self.hub.watchers)
        if mine >= MOST_OF_A_PLAYER:
            raise Refused(429, "too-many-requests", f"You have {mine} streams open; at most {MOST_OF_A_PLAYER}.", 5)
        watcher = Watcher(who)
        self.hub.watchers.add(watcher)
        return watcher

    async def game_events(self, request: "Request", game_id: str) -> None:
        who = await self.person(request)
        seat = await self.hub.query(watching.seat_to_watch, game_id, who)
        after, wait = request.whole("after"), request.whole("wait")
        if wait is None and (last := request.headers.get("last-event-id", "")).isdecimal():
            after = int(last[:9])
        watcher = self.admit(who)
        watcher.seats[game_id] = seat
        topic = self.hub.watch(game_id)
        stream = GameStream(self.hub, topic, watcher, seat, after)
        try:
            if wait is not None:
                await self.long_poll(request, stream, min(wait, LONGEST_WAIT))
            else:
                await self.pour(request, watcher, [stream])
        finally:
            self.hub.leave(topic)
            self.hub.watchers.discard(watcher)

    async def long_poll(self, request: "Request", stream: GameStream, seconds: int) -> None:
        """The rows after one, as soon as there are any."""
        end = time.monotonic() + seconds
        stream.after = -1 if stream.after is None else stream.after
        async for _ in stream.begin():
            pass
        while True:
            changed = stream.topic.changed
            rows = await self.hub.rows(stream.topic, stream.after)
            if rows or time.monotonic() >= end or stream.watcher.ended:
                break
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(changed.wait(), end - time.monotonic())
        shown = b",".join(self.hub.visible(stream.topic, entry, stream.seat) for entry in rows)
        state = msgspec.json.encode(stream.topic.state)
        await request.send_whole(200, JSON, b'{"game":' + state + b',"rows":[' + shown + b"]}\n")

    async def all_events(self, request: "Request") -> None:
        who = await self.person(request)
        if who.player_id is None:
            raise Refused(401, "unauthorized", "All your games: this needs a token or a ticket.")
        known = cursor_of(request.headers.get("last-event-id") or request.argument("after"))
        watcher = self.admit(who)
        try:
            await AllGames(self, request, watcher, known).run()
        finally:
            self.hub.watchers.discard(watcher)

    async def pour(self, request: "Request", watcher: Watcher, streams: list[GameStream]) -> None:
        await request.begin_events()
        gone = asyncio.create_task(request.until_gone())
        try:
            for stream in streams:
                async for data in stream.begin():
                    await request.send_part(data)
            while not gone.done():
                changes = [stream.topic.changed for stream in streams]
                for stream in streams:
                    async for data in stream.news():
                        await request.send_part(data)
                if watcher.ended:
                    raise watcher.ended
                if not await any_of(HEARTBEAT_SECONDS, gone, *changes, watcher.wakes):
                    await request.send_part(b": \n\n")
        except Ended as ended:
            with suppress(Exception):
                await request.send_part(event("bye", msgspec.json.encode({"why": ended.why, "detail": ended.sentence})))
        except (TimeoutError, ConnectionError, Unavailable, ServiceError) as error:
            log.info("ended", reason=str(error) or type(error).__name__)
        finally:
            gone.cancel()
            with suppress(Exception):
                await request.end()


class AllGames:
    """All games of a player that are not over, and their notices. An event's id is where each game and the feed are."""

    def __init__(self, app: Stream, request: "Request", watcher: Watcher, known: dict[str, int] | None) -> None:
        self.app, self.request, self.watcher = app, request, watcher
        self.hub = app.hub
        assert watcher.who.player_id is not None
        self.player_id = watcher.who.player_id
        self.known = known or {}
        self.is_new = known is None
        self.streams: dict[str, GameStream] = {}
        self.noticed = self.known.get(NOTICES, -1)

    async def run(self) -> None:
        bell = self.hub.people.setdefault(self.player_id, asyncio.Event())
        await self.request.begin_events()
        gone = asyncio.create_task(self.request.until_gone())
        try:
            if self.noticed < 0:
                newest = await self.hub.query(watching.newest_notices, [self.player_id])
                self.noticed = newest.get(self.player_id) or 0
            await self.find_games(first=True)
            while not gone.done():
                changes = [stream.topic.changed for stream in self.streams.values()]
                bell.clear()
                for stream in list(self.streams.values()):
                    await self.send_news(stream)
                await self.send_notices()
                if self.watcher.ended:
                    raise self.watcher.ended
                if not await any_of(HEARTBEAT_SECONDS, gone, *changes, bell, self.watcher.wakes):
                    await self.request.send_part(b": \n\n")
                    await self.find_games()
                elif bell.is_set():
                    await self.find_games()  # what one is told of may be a game that has begun
        except Ended as ended:
            with suppress(Exception):
                data = msgspec.json.encode({"why": ended.why, "detail": ended.sentence})
                await self.request.send_part(event("bye", data))
        except (TimeoutError, ConnectionError, Unavailable, ServiceError) as error:
            log.info("ended", reason=str(error) or type(error).__name__)
        finally:
            gone.cancel()
            for stream in self.streams.values():
                self.hub.leave(stream.topic)
            if not any(other.who.player_id == self.player_id for other in self.hub.watchers - {self.watcher}):
                self.hub.people.pop(self.player_id, None)
                self.hub.notices.pop(self.player_id, None)
            with suppress(Exception):
                await self.request.end()

    async def find_games(self, first: bool = False) -> None:
        ids = await self.hub.query(watching.games_of, self.player_id)
        for game_id in ids:
            if game_id not in self.streams:
                seat = await self.hub.query(watching.seat_to_watch, game_id, self.watcher.who)
                self.watcher.seats[game_id] = seat
                # A game that was not there when the last event was sent is told from its beginning.
                after = self.known.get(game_id, None if self.is_new and first else -1)
                self.streams[game_id] = GameStream(self.hub, self.hub.watch(game_id), self.watcher, seat, after)
                states = await self.hub.query(watching.states, [game_id])
                self.streams[game_id].topic.note(states[game_id])
                if after is None:
                    self.streams[game_id].after = states[game_id].sequence

    async def send_news(self, stream: GameStream) -> None:
        async for data in stream.news():
            kind, body = data.partition(b"event: ")[2].split(b"\ndata: ", 1)
            name = stream.topic.game_id.encode()
            wrapped = b'{"game_id":"' + name + b'","' + kind + b'":' + body.rstrip(b"\n") + b"}"
            await self.request.send_part(event(kind.decode(), wrapped, self.cursor()))
        if stream.said and stream.said.status == "over":
            self.hub.leave(stream.topic)
            self.watcher.seats.pop(stream.topic.game_id, None)
            del self.streams[stream.topic.game_id]

    async def send_notices(self) -> None:
        while found := await self.hub.query(watching.notices_after, self.player_id, self.noticed):
            for told in found:
                self.noticed = told.id
                await self.request.send_part(event("notice", msgspec.json.encode(told), self.cursor()))

    def cursor(self) -> str:
        places = {game_id: stream.after for game_id, stream in self.streams.items() if stream.after is not None}
        return ",".join(f"{name}:{number}" for name, number in {NOTICES: self.noticed, **places}.items())


NOTICES = "notices"


def cursor_of(text: str | None) -> dict[str, int] | None:
    """Where each game and the feed were; None if nothing that can be read was sent."""
    if not text:
        return None
    found = {}
    for part in text[:60_000].split(","):
        name, _, number = part.partition(":")
        if not name.isalnum() or not number.lstrip("-").isdecimal() or len(number) > 18:
            return None
        found[name] = int(number)
    return found


async def any_of(seconds: float, *awaited: Any) -> bool:
    """Waits until a task is done or an event is set; False if that takes too long."""
    tasks = [one if isinstance(one, asyncio.Task) else asyncio.ensure_future(one.wait()) for one in awaited]
    done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    for task, one in zip(tasks, awaited, strict=True):
        if task is not one:
            task.cancel()
    return bool(done)


class Request:
    """A request and its answer, by ASGI."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.method, self.path = scope["method"], scope["path"]
        self.headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        self._arguments = parse_qs(scope.get("query_string", b"").decode("latin-1"), max_num_fields=20)
        self._receive, self._send = receive, send

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
        await self._send({"type": "http.response.start", "status": status, "headers": pairs})

    async def send_whole(self, status: int, content_type: str, body: bytes, *more: tuple[str, str]) -> None:
        await self.send_head(status, content_type, ("content-length", str(len(body))), *more)
        await self._send({"type": "http.response.body", "body": body})

    async def begin_events(self) -> None:
        await self.send_head(200, EVENT_STREAM)
        await self.send_part(f"retry: {RETRY_MS}\n\n".encode())

    async def send_part(self, data: bytes) -> None:
        await asyncio.wait_for(
            self._send({"type": "http.response.body", "body": data, "more_body": True}), SEND_SECONDS
        )

    async def end(self) -> None:
        await self._send({"type": "http.response.body", "body": b""})

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


app = Stream()
