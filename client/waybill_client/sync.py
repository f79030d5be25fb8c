"""The client for programs that do one thing at a time."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
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

T = TypeVar("T")

Live = Literal["stream", "long-poll", "poll"]
SILENCE = 60.0  # seconds without a sign of life after which a stream is opened anew
STREAM_AGAIN = 60.0  # seconds of polling before a stream is tried again
LONG_POLL = 25


class Client:
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
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.token, self.tries, self.live, self.pause = token, tries, live, pause
        self._http = httpx.Client(
            base_url=url.rstrip("/").removesuffix("/v1"),
            timeout=timeout,
            follow_redirects=True,  # to the stream, with a ticket in place of the token
            headers={"User-Agent": calls.USER_AGENT},
            transport=transport,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    # Players

    def sign_up(self, name: str, email: str | None = None) -> SignedUp:
        """Signs up, and goes on as this player. Keep the token: it is shown once."""
        made = self.send(calls.sign_up(name, email))
        self.token = made.token
        return made

    def me(self) -> Player:
        return self.send(calls.me())

    def new_token(self, label: str = "", scopes: Sequence[str] = ("read", "play", "host")) -> str:
        return self.send(calls.new_token(label, scopes))

    # Games

    def rulesets(self) -> tuple[Ruleset, ...]:
        return self.send(calls.rulesets()).items

    def open_game(self, ruleset: str, seats: Iterable[SeatRequest] = ("me", "bot"), **options: Any) -> Opened:
        """Opens a game: `seats` are `me`, `open`, `invite`, `bot`, `bot:default`, `invite:Ann`, or as the API has them;
        `options` are `clock`, `private`, `title`, `settings` and whatever else the API takes."""
        return self.send(calls.open_game(ruleset, seats, options))

    def join(self, game_id: str, token: str | None = None, *, seat: int | None = None, entropy: str = "") -> Game:
        return self.send(calls.join(game_id, token, seat, entropy))

    def start(self, game_id: str) -> Game:
        return self.send(calls.start(game_id))

    def leave(self, game_id: str) -> None:
        self.send(calls.leave(game_id))

    def games(self, **query: Any) -> Iterator[Game]:
        """Games, newest first: `mine=True`, `to_act=True`, `status="over"`, `ruleset="spike"`."""
        return self._pages(calls.games(query))

    def game(self, game_id: str) -> Game:
        return self.send(calls.game(game_id))

    def position(self, game_id: str, at: int | None = None) -> Position:
        """The game as you may see it, now or after an earlier row."""
        return self.send(calls.position(game_id, at))

    def log(self, game_id: str, after: int | None = None) -> Iterator[Row]:
        return self._pages(calls.log(game_id, after))

    def board(
        self, game_id: str, kind: Literal["txt", "svg"] = "txt", part: str | None = None, at: int | None = None
    ) -> str:
        return self.send(calls.board(game_id, kind, part, at))

    def record(self, game_id: str) -> bytes:
        """The record, for `waybill_client.verify`."""
        return self.send(calls.record(game_id))

    def notices(self, unread: bool = False, game_id: str | None = None) -> Iterator[Notice]:
        return self._pages(calls.notices(unread, game_id))

    # Playing

    def options(self, game_id: str) -> Options:
        return self.send(calls.options(game_id))

    def send_moves(
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
        return self.send(calls.send_moves(game_id, moves, sequence, dry_run, blind, key))

    def turns(self, game_id: str) -> Iterator[Options]:
        """Waits for your turns, and gives the options of each, until the game is over."""
        seat = self.game(game_id).you
        if seat is None:
            raise WaybillError("You have no seat in this game.")
        asked = -1
        for event in self.follow(game_id):
            match event.data:
                case GameState(status="running", sequence=sequence, to_act=to_act) if seat in to_act:
                    if sequence == asked and not self.game(game_id).waits_for_me:
                        continue  # another has sealed a move while ours was on its way
                    options = self.options(game_id)
                    if options.sequence == sequence and options.offers:  # else it has gone on, and the stream will say
                        asked = sequence
                        yield options

    def wait_for_turn(self, game_id: str) -> Options | None:
        """Your options, as soon as it is your turn; None if the game is over."""
        return next(self.turns(game_id), None)

    def play(
        self,
        game_id: str,
        choose: Callable[[Options], Move | Sequence[Move] | str],
        told: Callable[[Outcome], None] = lambda outcome: None,
    ) -> Game:
        """Plays a game to its end: `choose` makes a move of the options, `told` hears what came of it."""
        for options in self.turns(game_id):
            try:
                told(self.send_moves(game_id, choose(options), sequence=options.sequence))
            except Stale:
                continue
        return self.game(game_id)

    # Following

    def follow(self, game_id: str, after: int | None = None) -> Iterator[Event]:
        """What happens in a game, until it is over: each row once and in order, however often the connection is lost.
        Without `after` the first event is the position; `after=-1` begins with the first row."""
        place = Place(after)
        while not place.is_over():
            was_streamed = False
            if self.live == "stream":
                try:
                    for event in self._streamed(game_id, str(place.row) if place.row is not None else None):
                        was_streamed = True
                        if place.is_new(event):
                            yield event
                        if place.is_over():
                            return
                except (httpx.TransportError, Unreachable):
                    pass
            yield from self._polled(game_id, place, 0 if was_streamed else STREAM_AGAIN)

    def follow_all(self, after: str | None = None) -> Iterator[Event]:
        """What happens in all your games, and your notices, for ever. `Event.id` of the last one is where to go on."""
        while True:
            try:
                for event in self._streamed(None, after):
                    after = event.id or after
                    yield event
            except (httpx.TransportError, Unreachable):
                pass
            time.sleep(self.pause)

    def _streamed(self, game_id: str | None, after: str | None) -> Iterator[Event]:
        """The events of one connection."""
        headers = self._headers() | {"Accept": "text/event-stream"}
        query = {"after": after} if after is not None else {}
        if game_id is None and after is not None:
            headers["Last-Event-ID"], query = after, {}
        timeout = httpx.Timeout(10.0, read=SILENCE)
        path = calls.events_path(game_id)
        with self._http.stream("GET", path, params=query, headers=headers, timeout=timeout) as response:
            if response.status_code in calls.TRY_AGAIN:
                raise Unreachable("There is no stream just now.")
            if response.status_code != 200:
                response.read()
                calls.result(Call("GET", path, lambda _: None), response)
            reader = EventReader(game_id)
            for line in response.iter_lines():
                event = reader.read(line)
                if isinstance(event, Bye):
                    return
                if event is not None:
                    yield event

    def _polled(self, game_id: str, place: Place, seconds: float) -> Iterator[Event]:
        """The same by asking: once, or for so many seconds."""
        end = time.monotonic() + seconds
        if place.row is None and self.game(game_id).sequence >= 0:
            position = self.position(game_id)
            place.row = position.sequence
            yield Event("position", position, game_id, str(position.sequence))
        while True:
            for event in self._look(game_id, -1 if place.row is None else place.row, LONG_POLL if seconds else 0):
                if place.is_new(event):
                    yield event
            if place.is_over() or time.monotonic() >= end:
                break
        if not seconds:
            time.sleep(self.pause / 4)  # a stream that is cut at once is not to be opened as fast as that

    def _look(self, game_id: str, after: int, wait: int) -> Iterator[Event]:
        if self.live != "poll":
            try:
                looked = self._send_once(calls.long_poll(game_id, after, wait), wait + 30.0)
            except (httpx.TransportError, Unreachable):
                pass
            else:
                yield from (Event("row", row, game_id, str(row.number)) for row in looked.rows)
                if not looked.rows or looked.rows[-1].number == looked.game.sequence:
                    yield Event("game", looked.game, game_id)
                return
        time.sleep(self.pause)
        game = self.game(game_id)
        if game.sequence > after:
            for row in self.log(game_id, after):
                yield Event("row", row, game_id, str(row.number))
        state = GameState(game.id, game.status, game.sequence, game.to_act, game.ending, game.due_at)
        yield Event("game", state, game_id)

    # Webhooks

    def create_webhook(self, url: str, events: Sequence[str] | None = None, label: str = "") -> Webhook:
        """An address that is told what you are told. Keep the secret: it is shown once."""
        return self.send(calls.create_webhook(url, events, label))

    def test_webhook(self, webhook_id: int) -> None:
        self.send(calls.test_webhook(webhook_id))

    def delete_webhook(self, webhook_id: int) -> None:
        self.send(calls.delete_webhook(webhook_id))

    # Sending

    def send(self, call: Call[T]) -> T:
        """Sends a request until it is answered. Raises Problem, or Unreachable."""
        for tries in range(self.tries):
            response, reason = None, ""
            try:
                response = self._request(call)
            except httpx.TransportError as error:
                reason = f"{type(error).__name__}: {error}"
            if response is not None and response.status_code not in calls.TRY_AGAIN:
                return calls.result(call, response)
            if tries + 1 < self.tries:
                time.sleep(calls.pause_after(tries, response))
        if response is not None:
            return calls.result(call, response)
        raise Unreachable(f"{call.method} {call.path} was not answered: {reason}")

    def _send_once(self, call: Call[T], timeout: float) -> T:
        response = self._request(call, timeout)
        if response.status_code in calls.TRY_AGAIN:
            raise Unreachable(f"{call.path} was answered {response.status_code}.")
        return calls.result(call, response)

    def _request(self, call: Call[Any], timeout: float | None = None) -> httpx.Response:
        return self._http.request(
            call.method,
            call.path,
            params=call.query or None,
            content=call.content,
            headers=self._headers() | call.headers,
            timeout=httpx.USE_CLIENT_DEFAULT if timeout is None else timeout,
        )

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def _pages(self, call: Call[Page[T]]) -> Iterator[T]:
        page = self.send(call)
        yield from page.items
        while page.next:
            page = self.send(calls.next_page(call, page.next))
            yield from page.items
