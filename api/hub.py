"""What the streams of this process watch: games, their last rows, and who is to be woken when something happens.

A hint makes it quick; a look at the database each second makes it certain. What many ask for is read once.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

import msgspec
import redis
import redis.asyncio
import structlog

from runtime.config import Config
from runtime.redis_client import connect_async
from service import Database, watching
from service.errors import ServiceError, Unavailable
from service.hints import CHANNEL
from service.watching import GameNews, GameState, Person, Rows

T = TypeVar("T")

log = structlog.get_logger("waybill.stream")

LOOK_SECONDS = 1.0  # from one look at the database to the next: what a lost hint costs
GATHER_SECONDS = 0.025  # between looks that hints lead to: where much happens, one question is for many games
CHECK_SECONDS = 2.0  # from one check of tokens and seats to the next
COUNT_SECONDS = 60.0  # from one line of log that counts connections to the next
REDIS_SECONDS = 2.0  # for Redis to answer
RECENT_ROWS = 16  # of a game, kept for those who are up to date
VIEWS = 8  # of a row, kept beside it
ROWS_AT_ONCE = 100
LAST_ROW = 2**31 - 1
READERS = 4  # threads that ask the database


SEAT_CHANGED = "seat", "Your seat in the game has changed; connect again to see what you may."


class Ended(Exception):
    """Why a connection is ended by us, in a word and a sentence."""

    def __init__(self, why: str, sentence: str) -> None:
        super().__init__(why)
        self.why, self.sentence = why, sentence


class Watcher:
    """A connection, as the hub sees it. `wakes` is to be cleared before looking for what is there."""

    def __init__(self, who: Person, counted_as: str) -> None:
        self.who = who
        self.counted_as = counted_as
        self.seats: dict[str, int | None] = {}  # by game that is watched
        self.ended: Ended | None = None
        self.wakes = asyncio.Event()

    def end(self, why: str, sentence: str) -> None:
        self.ended = self.ended or Ended(why, sentence)
        self.wakes.set()


class Topic:
    """A watched game: where it is, its last rows, and who waits for more."""

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self.state: GameState | None = None
        self.watchers: set[Watcher] = set()
        self.table: Any = None
        self.names: Sequence[str] = ()
        self.people: Sequence[int | None] = ()  # by seat, as of the last row that was read
        self.recent: dict[int, Any] = {}  # entries by number
        self.told: dict[tuple[int, int | None, bool], bytes] = {}
        self.reading = asyncio.Lock()

    def place(self) -> int:
        """The row after which rows are of use to somebody here."""
        return self.state.sequence if self.state and self.table is not None else LAST_ROW

    def hear(self, news: GameNews) -> None:
        """What was read of many games at once: the rows are kept, where this is how they would be read here."""
        is_same = self.table is not None and not self.table.is_over and list(self.names) == list(news.names)
        if is_same and news.entries and news.state.status != "over":
            self.keep(Rows(self.table, news.entries, self.names, news.people))
        self.note(news.state)

    def note(self, state: GameState) -> None:
        """Where the game is. Questions overtake each other: an answer that is older than the last one is none."""
        if state != self.state and (self.state is None or state.sequence >= self.state.sequence):
            self.state = state
            for watcher in self.watchers:
                watcher.wakes.set()

    def after(self, number: int) -> list[Any]:
        """Kept rows that follow one, without a gap."""
        found = []
        while entry := self.recent.get(number + 1):
            found.append(entry)
            number += 1
        return found

    def is_still(self, seat: int | None, watcher: Watcher) -> bool:
        """Whether a seat is a watcher's, as far as rows are known: what came after it changed hands is not theirs."""
        return seat is None or not self.people or self.people[seat] == watcher.who.player_id

    def keep(self, rows: Rows) -> None:
        self.people = rows.people or self.people
        if self.table is None or rows.table.sequence >= self.table.sequence:
            if rows.names != self.names:
                self.told.clear()  # in words that name others
            self.table, self.names = rows.table, rows.names
        self.recent.update((entry.row.number, entry) for entry in rows.entries)
        oldest = max(self.recent, default=0) - RECENT_ROWS
        self.recent = {number: entry for number, entry in self.recent.items() if number > oldest}

    def visible(self, entry: Any, seat: int | None) -> bytes:
        """A row in JSON for a viewer; those who see the same share it."""
        key = entry.row.number, seat, self.table.is_over
        if key not in self.told:
            while len(self.told) >= RECENT_ROWS * VIEWS:
                del self.told[next(iter(self.told))]
            self.told[key] = msgspec.json.encode(watching.visible(self.table, entry, seat))
        return self.told[key]


class Hub:
    """All connections of the process, and what they watch."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.db = Database.of(config)
        self.redis = connect_async(config.redis_url, socket_connect_timeout=REDIS_SECONDS, socket_timeout=REDIS_SECONDS)
        self._hints = connect_async(config.redis_url, socket_connect_timeout=REDIS_SECONDS, socket_keepalive=True)
        self.threads = ThreadPoolExecutor(READERS, "stream")
        self.topics: dict[str, Topic] = {}
        self.watchers: set[Watcher] = set()
        self.counted: Counter[str] = Counter()  # connections by player or address
        self.people: dict[int, set[Watcher]] = {}  # who watches all their games
        self.notices: dict[int, int] = {}  # the newest notice of each of them
        self.is_stopping = False
        self._is_watched = asyncio.Event()
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
        tasks = (self._listen, self._look, self._check, self._count)
        self._tasks = [asyncio.create_task(again(task)) for task in tasks]

    def stop(self) -> None:
        self.is_stopping = True
        for watcher in self.watchers:
            watcher.end("restart", "The stream is being restarted; connect again.")
        for task in self._tasks:
            task.cancel()

    # Who watches what

    def enter(self, watcher: Watcher) -> None:
        self.watchers.add(watcher)
        self._is_watched.set()
        self.counted[watcher.counted_as] += 1

    def leave(self, watcher: Watcher) -> None:
        """Forgets a connection and all that is kept for it."""
        self.watchers.discard(watcher)
        if not self.watchers:
            self._is_watched.clear()
        self.counted[watcher.counted_as] -= 1
        if self.counted[watcher.counted_as] <= 0:
            del self.counted[watcher.counted_as]
        for game_id in list(watcher.seats):
            self.unwatch(watcher, game_id)
        player_id = watcher.who.player_id
        if player_id in self.people:
            self.people[player_id].discard(watcher)
            if not self.people[player_id]:
                del self.people[player_id]
                self.notices.pop(player_id, None)

    def watch(self, watcher: Watcher, game_id: str, seat: int | None) -> Topic:
        topic = self.topics.setdefault(game_id, Topic(game_id))
        topic.watchers.add(watcher)
        watcher.seats[game_id] = seat
        return topic

    def unwatch(self, watcher: Watcher, game_id: str) -> None:
        watcher.seats.pop(game_id, None)
        topic = self.topics.get(game_id)
        if topic:
            topic.watchers.discard(watcher)
            if not topic.watchers:
                del self.topics[game_id]

    def watch_all(self, watcher: Watcher, player_id: int) -> None:
        self.people.setdefault(player_id, set()).add(watcher)

    # What goes on all the time

    async def _listen(self) -> None:
        """Hints from Redis, while anybody watches: else whoever moves need not give any. Without it, there are the
        looks."""
        await self._is_watched.wait()
        with suppress(redis.RedisError, OSError):
            async with self._hints.pubsub(ignore_subscribe_messages=True) as pubsub:
                await pubsub.subscribe(CHANNEL)
                while self.watchers:
                    message = await pubsub.get_message(timeout=LOOK_SECONDS)
                    if message:
                        self._hinted.update(set(message["data"].decode().split("\n")).intersection(self.topics))
                        if self._hinted:
                            self._hint.set()
        await asyncio.sleep(LOOK_SECONDS)

    async def _look(self) -> None:
        """Looks where watched games are: those that were hinted at, and every second all of them."""
        everything, looked = time.monotonic() + LOOK_SECONDS, 0.0
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, everything - time.monotonic())):
                    await self._hint.wait()
                    await asyncio.sleep(max(0.0, looked + GATHER_SECONDS - time.monotonic()))
            looked = time.monotonic()
            self._hint.clear()
            games, self._hinted = self._hinted, set()
            is_round = time.monotonic() >= everything
            if is_round:
                everything = time.monotonic() + LOOK_SECONDS
                games = set(self.topics)
            places = {game_id: topic.place() for game_id in games if (topic := self.topics.get(game_id))}
            for news in await self.query(watching.news, places, RECENT_ROWS) if places else ():
                if topic := self.topics.get(news.state.id):
                    topic.hear(news)
            if is_round and self.people:
                self._note_notices(await self.query(watching.newest_notices, list(self.people)))

    def _note_notices(self, newest: dict[int, int]) -> None:
        for player_id, number in newest.items():
            if number is not None and number != self.notices.get(player_id) and player_id in self.people:
                self.notices[player_id] = number
                for watcher in self.people[player_id]:
                    watcher.wakes.set()

    async def _check(self) -> None:
        """Ends connections whose token was revoked, and those of a seat that has changed hands."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            watchers = list(self.watchers)
            tokens = {watcher.who.token for watcher in watchers if watcher.who.token}
            live = await self.query(watching.live_tokens, tokens) if tokens else set()
            for watcher in watchers:
                if watcher.who.token and watcher.who.token not in live:
                    watcher.end("revoked", "The token was revoked.")
            watched = {(watcher.who, game_id, seat) for watcher in watchers for game_id, seat in watcher.seats.items()}
            lost = await self.query(watching.lost, watched) if watched else set()
            for watcher in watchers if lost else ():
                if any((watcher.who, game_id, seat) in lost for game_id, seat in watcher.seats.items()):
                    watcher.end(*SEAT_CHANGED)

    async def _count(self) -> None:
        """A line of log whenever there are more or fewer connections than a minute ago."""
        before = 0
        while True:
            await asyncio.sleep(COUNT_SECONDS)
            if len(self.watchers) != before:
                before = len(self.watchers)
                log.info("connections", **self.counts())

    def counts(self) -> dict[str, int]:
        return {"connections": len(self.watchers), "games": len(self.topics), "players": len(self.people)}

    async def rows(self, topic: Topic, after: int) -> list[Any]:
        """Rows of a game after one, from memory if it has the next."""
        if topic.state is None or topic.state.status == "open" or after >= topic.state.sequence:
            return []
        async with topic.reading:
            if kept := topic.after(after):
                return kept
            known = Rows(topic.table, (), topic.names) if topic.table else None
            found = await self.ask(watching.rows_after, self.db, topic.game_id, after, ROWS_AT_ONCE, known)
            topic.keep(found)
            return list(found.entries)


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
