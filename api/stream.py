"""The live feed: server-sent events and long polls, as an ASGI application of its own.

Every connection asks for what follows the last row it has sent, so nothing is left out and nothing comes twice,
whatever is lost on the way. While the database is away connections stay, and go on where they were.
"""

import asyncio
import re
import signal
import time
from collections.abc import AsyncIterator
from contextlib import suppress

import msgspec

from api.asgi import JSON, Receive, Refused, Request, Scope, Send
from api.hub import LOOK_SECONDS, SEAT_CHANGED, Ended, Hub, Watcher, log
from referee.structs import preload_decoders
from runtime.config import Config, service_config
from runtime.logs import log_as_json
from service import tickets, watching
from service.errors import Banned, NotFound, OtherRules, ServiceError, Unavailable, WrongStatus
from service.watching import GameState, Person

EVENTS_AT_ONCE = 50  # in one part
FIND_SECONDS = 15.0  # from one look for games that have begun to the next
MOST_CONNECTIONS = 10_000  # of the process
MOST_OF_A_PLAYER = 20
MOST_OF_AN_ADDRESS = 100  # without a token
LONGEST_WAIT = 55  # seconds of a long poll: less than proxies wait
LONGEST_CURSOR = 60_000
NOTICES = "notices"
PLACE = re.compile(r"(\w{1,40}):(-1|\d{1,18})", re.ASCII)


def event(kind: str, data: bytes, number: str | None = None) -> bytes:
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {kind}\n".encode() + b"data: " + data + b"\n\n"


class GameFeed:
    """One game for one connection: what follows the last row that was sent."""

    def __init__(self, hub: Hub, watcher: Watcher, game_id: str, seat: int | None, after: int | None) -> None:
        self.hub, self.watcher, self.seat, self.after = hub, watcher, seat, after
        self.topic = hub.watch(watcher, game_id, seat)
        self.said: GameState | None = None

    async def look(self) -> GameState:
        """Where the game is now. A row that is not there yet, as after a restore, is none to go on from."""
        found = await self.hub.query(watching.states, [self.topic.game_id])
        if self.topic.game_id not in found:
            raise NotFound(watching.NO_SUCH_GAME)
        self.topic.note(found[self.topic.game_id])
        state = found[self.topic.game_id]
        if self.after is not None and self.after > state.sequence:
            self.after = None
        return state

    async def news(self) -> AsyncIterator[tuple[str, bytes]]:
        while rows := await self.hub.rows(self.topic, -1 if self.after is None else self.after):
            if not self.topic.is_still(self.seat, self.watcher):
                self.watcher.end(*SEAT_CHANGED)
                return
            for entry in rows:
                self.after = entry.row.number
                yield "row", self.topic.visible(entry, self.seat)
        if self.topic.state != self.said:
            self.said = self.topic.state
            yield "game", msgspec.json.encode(self.said)


class OneGame:
    """The events of one game."""

    def __init__(self, feed: GameFeed) -> None:
        self.feed = feed
        self.has_begun = False

    async def events(self) -> AsyncIterator[bytes]:
        if not self.has_begun:
            state = await self.feed.look()
            if self.feed.after is None and state.status != "open":
                hub, topic = self.feed.hub, self.feed.topic
                loaded = await hub.ask(watching.rows_after, hub.db, topic.game_id, state.sequence, 1)
                topic.keep(loaded)
                self.feed.after = loaded.table.sequence
                self.has_begun = True
                view = msgspec.json.encode(loaded.table.view(self.feed.seat))
                yield event("position", view, str(self.feed.after))
            self.has_begun = True
        async for kind, data in self.feed.news():
            yield event(kind, data, str(self.feed.after) if kind == "row" else None)


class AllGames:
    """All games of a player that are not over, and their notices. An event's id is where each game and the feed are."""

    def __init__(self, hub: Hub, watcher: Watcher, player_id: int, known: dict[str, int] | None) -> None:
        self.hub, self.watcher, self.player_id = hub, watcher, player_id
        self.known = known
        self.feeds: dict[str, GameFeed] = {}
        self.noticed: int | None = (known or {}).get(NOTICES)
        self.told_of_notices = -1
        self.find_at = 0.0
        hub.watch_all(watcher, player_id)

    async def events(self) -> AsyncIterator[bytes]:
        if self.noticed is None:
            self.noticed = (await self.hub.query(watching.newest_notices, [self.player_id])).get(self.player_id) or 0
        newest = self.hub.notices.get(self.player_id, -1)
        # What one is told of may be a game that has begun.
        if newest != self.told_of_notices or time.monotonic() >= self.find_at:
            await self.find_games()
            self.find_at = time.monotonic() + FIND_SECONDS
        for game_id, feed in list(self.feeds.items()):
            async for kind, data in feed.news():
                wrapped = b'{"game_id":"%b","%b":%b}' % (game_id.encode(), kind.encode(), data)
                yield event(kind, wrapped, self.cursor())
            if feed.said and feed.said.status == "over":
                self.hub.unwatch(self.watcher, game_id)
                del self.feeds[game_id]
        if newest != self.told_of_notices:
            while found := await self.hub.query(watching.notices_after, self.player_id, self.noticed):
                for told in found:
                    self.noticed = told.id
                    yield event("notice", msgspec.json.encode(told), self.cursor())
            self.told_of_notices = newest

    async def find_games(self) -> None:
        """Games that are new here. The first time those that the caller has read may have ended since."""
        known = self.known or {}
        for game_id in await self.hub.query(watching.games_of, self.player_id, list(known)):
            if game_id not in self.feeds:
                with suppress(NotFound):
                    seat = await self.hub.query(watching.seat_to_watch, game_id, self.watcher.who)
                    # A game that was not there when the last event was sent is told from its beginning.
                    feed = GameFeed(self.hub, self.watcher, game_id, seat, known.get(game_id, -1))
                    state = await feed.look()
                    if self.known is None or feed.after is None:
                        feed.after = state.sequence
                    self.feeds[game_id] = feed
        self.known = {}

    def cursor(self) -> str:
        places = {game_id: feed.after for game_id, feed in self.feeds.items()}
        return ",".join(f"{name}:{number}" for name, number in {NOTICES: self.noticed, **places}.items())


def cursor_of(text: str | None) -> dict[str, int] | None:
    """Where each game and the feed were; None if nothing that can be read was sent."""
    if not text or len(text) > LONGEST_CURSOR:
        return None
    places = [PLACE.fullmatch(part) for part in text.split(",")]
    return {place[1]: int(place[2]) for place in places if place} if all(places) else None


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
            refused = await self.refused(request)
            if refused and not request.has_begun:
                with suppress(TimeoutError, OSError):
                    await request.problem(refused)

    async def refused(self, request: Request) -> Refused | None:
        """Answers, or tells why not."""
        try:
            await self.answer(request)
        except Refused as refused:
            return refused
        except (NotFound, WrongStatus, OtherRules, Banned) as error:
            status = {NotFound: 404, Banned: 403}.get(type(error), 409)
            kind = {404: "not-found", 403: "banned"}.get(status, "wrong-status")
            return Refused(status, kind, str(error))
        except Unavailable:
            return Refused(503, "unavailable", "The database does not answer now.", 2)
        except (TimeoutError, OSError) as error:
            log.info("ended", reason=str(error) or type(error).__name__)
        except Exception:
            log.exception("failed", path=request.path)
            return Refused(500, "internal", "Something went wrong here; it is in the log.")
        return None

    async def lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self.stop_in_time(self.hub)  # made here, in the loop that serves
                await send({"type": "lifespan.startup.complete"})
            else:
                self.hub.stop()
                await send({"type": "lifespan.shutdown.complete"})
                return

    def stop_in_time(self, hub: Hub) -> None:
        """The server waits for connections to end before it tells us to shut down: they hear of it from the signal.

        The server's own handler is the loop's, which is called as well.
        """
        loop = asyncio.get_running_loop()
        signal.signal(signal.SIGTERM, lambda *_: loop.call_soon_threadsafe(hub.stop))

    async def answer(self, request: Request) -> None:
        match request.path.strip("/").split("/"):
            case ["healthz"]:
                counts = {"status": "ok", **self.hub.counts()}
                await request.send_whole(200, JSON, msgspec.json.encode(counts) + b"\n")
            case ["v1", "games", game_id, "events"] if request.method == "GET":
                await self.game_events(request, game_id)
            case ["v1", "events"] if request.method == "GET":
                await self.all_events(request)
            case _ if request.method == "OPTIONS":
                await request.send_whole(204, "", b"")
            case _:
                raise Refused(404, "not-found", "Here are GET /v1/games/{id}/events and GET /v1/events.")

    async def person(self, request: Request) -> Person:
        """Who asks: by a token, by a ticket, or nobody in particular."""
        scheme, _, secret = request.headers.get("authorization", "").partition(" ")
        if secret and scheme.lower() == "bearer":
            found = await self.hub.query(watching.person, secret.strip())
            if found is None:
                raise Refused(401, "unauthorized", "This token is not known, or has been revoked.")
            return found
        if ticket := request.argument("ticket"):
            kept = await tickets.redeem(self.hub.redis, ticket)
            # A ticket is worth no more than the token it was made for.
            if kept is None or kept.token not in await self.hub.query(watching.live_tokens, [kept.token]):
                raise Refused(401, "unauthorized", "This ticket is not known, or is too old; ask for another.")
            return kept
        return Person()

    def admit(self, request: Request, who: Person) -> Watcher:
        """Counts a connection; whoever calls has to let it leave."""
        if self.hub.is_stopping:
            raise Refused(503, "unavailable", "The stream is being restarted; connect again.", 2)
        if len(self.hub.watchers) >= MOST_CONNECTIONS:
            raise Refused(503, "unavailable", "There are too many streams just now.", 30)
        is_known = who.player_id is not None
        counted_as = f"player {who.player_id}" if is_known else request.address(self.hub.config.proxies)
        most = MOST_OF_A_PLAYER if is_known else MOST_OF_AN_ADDRESS
        if self.hub.counted[counted_as] >= most:
            raise Refused(429, "too-many-requests", f"You have {most} streams open, and more are not allowed.", 5)
        watcher = Watcher(who, counted_as)
        self.hub.enter(watcher)
        return watcher

    async def game_events(self, request: Request, game_id: str) -> None:
        after, wait = request.whole("after"), request.whole("wait")
        who = await self.person(request)
        seat = await self.hub.query(watching.seat_to_watch, game_id, who)
        last = request.headers.get("last-event-id", "")
        if wait is None and re.fullmatch(r"[0-9]{1,9}", last):
            after = int(last)
        watcher = self.admit(request, who)
        try:
            feed = GameFeed(self.hub, watcher, game_id, seat, after)
            if wait is not None:
                await self.long_poll(request, watcher, feed, min(max(wait, 0), LONGEST_WAIT))
            else:
                await self.pour(request, watcher, OneGame(feed))
        finally:
            self.hub.leave(watcher)

    async def all_events(self, request: Request) -> None:
        who = await self.person(request)
        if who.player_id is None:
            raise Refused(401, "unauthorized", "All your games: this needs a token or a ticket.")
        known = cursor_of(request.headers.get("last-event-id") or request.argument("after"))
        watcher = self.admit(request, who)
        try:
            await self.pour(request, watcher, AllGames(self.hub, watcher, who.player_id, known))
        finally:
            self.hub.leave(watcher)

    async def long_poll(self, request: Request, watcher: Watcher, feed: GameFeed, seconds: int) -> None:
        """The rows after one, as soon as there are any."""
        end = time.monotonic() + seconds
        state = await feed.look()
        after = -1 if feed.after is None else feed.after
        gone = watch_out(request, watcher)
        try:
            while True:
                watcher.wakes.clear()
                rows = await self.hub.rows(feed.topic, after)
                if not feed.topic.is_still(feed.seat, watcher):
                    feed.seat = None
                if rows or watcher.ended or time.monotonic() >= end:
                    break
                if gone.done():
                    return
                with suppress(TimeoutError):
                    async with asyncio.timeout(end - time.monotonic()):
                        await watcher.wakes.wait()
        finally:
            gone.cancel()
        shown = b",".join(feed.topic.visible(entry, feed.seat) for entry in rows)
        game = msgspec.json.encode(feed.topic.state or state)
        await request.send_whole(200, JSON, b'{"game":%b,"rows":[%b]}\n' % (game, shown))

    async def send_all(self, request: Request, watcher: Watcher, source: OneGame | AllGames) -> None:
        """What there is now, in as few parts as may be: to hand over a part costs more than to make it. What was made
        before something went wrong is sent, for the source goes on after it."""
        made: list[bytes] = []
        try:
            async for data in source.events():
                made.append(data)
                if len(made) >= EVENTS_AT_ONCE:
                    await self.send_made(request, watcher, made)
        finally:
            if made:
                await self.send_made(request, watcher, made)

    async def send_made(self, request: Request, watcher: Watcher, made: list[bytes]) -> None:
        if watcher.ended:
            raise watcher.ended
        part = b"".join(made)
        made.clear()
        await request.send_part(part)

    async def pour(self, request: Request, watcher: Watcher, source: OneGame | AllGames) -> None:
        """Sends what there is, then waits to be woken, until somebody has had enough."""
        await request.begin_events()
        gone = watch_out(request, watcher)
        try:
            while not gone.done():
                watcher.wakes.clear()
                if watcher.ended:
                    raise watcher.ended
                pause: float = self.hub.config.stream_heartbeat
                try:
                    await self.send_all(request, watcher, source)
                except Unavailable:
                    pause = LOOK_SECONDS
                try:
                    async with asyncio.timeout(pause):
                        await watcher.wakes.wait()
                except TimeoutError:
                    await request.send_part(b": \n\n")
        except Ended as ended:
            with suppress(TimeoutError, OSError):
                await request.send_part(event("bye", msgspec.json.encode({"why": ended.why, "detail": ended.sentence})))
        except ServiceError as error:
            log.info("ended", reason=str(error))
        finally:
            gone.cancel()
            await request.end()


def watch_out(request: Request, watcher: Watcher) -> "asyncio.Task[None]":
    """Wakes a connection when its client is gone."""
    gone = asyncio.create_task(request.until_gone())
    gone.add_done_callback(lambda _: watcher.wakes.set())
    return gone


app = Stream()
