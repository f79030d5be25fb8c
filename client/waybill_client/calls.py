"""The requests, and how their answers are read: what the sync and the async client share."""

import random
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar
from urllib.parse import quote

import httpx
import msgspec

from waybill_client.errors import problem_of
from waybill_client.models import (
    Checked,
    Event,
    Game,
    GameState,
    Notice,
    Opened,
    Outcome,
    Page,
    Played,
    Player,
    Position,
    Row,
    Ruleset,
    Sealed,
    SignedUp,
    Standing,
    Webhook,
)
from waybill_client.options import Decision, Move, Options, options_of

T = TypeVar("T")

USER_AGENT = "waybill-client/0.1"
TRY_AGAIN = frozenset({429, 502, 503, 504})
LONGEST_PAUSE = 30.0
SeatRequest = str | Mapping[str, Any]


class Call(Generic[T]):
    """A request, and what its answer means. It carries its key, so that sending it again does nothing twice."""

    def __init__(
        self,
        method: str,
        path: str,
        read: Callable[[httpx.Response], T],
        *,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        key: str | None = None,
    ) -> None:
        self.method, self.path, self.read = method, path, read
        self.query = {name: value for name, value in (query or {}).items() if value is not None}
        self.headers = dict(headers or {})
        self.content = None if body is None else msgspec.json.encode(body)
        if body is not None:
            self.headers["Content-Type"] = "application/json"
        if method == "POST":
            self.headers["Idempotency-Key"] = key or str(uuid.uuid4())


def result(call: Call[T], response: httpx.Response) -> T:
    """What was answered, or the problem."""
    if response.status_code >= 300:
        raise problem_of(response.status_code, _problem(response))
    return call.read(response)


def _problem(response: httpx.Response) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(response.content)
    except (msgspec.DecodeError, httpx.ResponseNotRead):
        found = None
    return found if isinstance(found, dict) else {"title": f"{response.status_code} {response.reason_phrase}"}


def pause_after(tries: int, response: httpx.Response | None = None) -> float:
    """Seconds before a request is sent again: as the service says, or growing, and never quite the same for two."""
    said = response.headers.get("Retry-After", "") if response is not None else ""
    if said.isdecimal():
        return float(said)
    return float(min(LONGEST_PAUSE, 0.25 * 2 ** min(tries, 10)) * random.uniform(0.5, 1.0))


def _one(kind: type[T]) -> Callable[[httpx.Response], T]:
    decoder = msgspec.json.Decoder(kind)
    return lambda response: decoder.decode(response.content)


def _page(kind: type[T], name: str = "") -> Callable[[httpx.Response], Page[T]]:
    def read(response: httpx.Response) -> Page[T]:
        found = msgspec.json.decode(response.content)
        items: tuple[T, ...] = msgspec.convert(found[name] if name else found, tuple[kind, ...])  # type: ignore[valid-type]
        return Page(items, response.links.get("next", {}).get("url"))

    return read


def _text(response: httpx.Response) -> str:
    return response.text


def _bytes(response: httpx.Response) -> bytes:
    return response.content


def _nothing(_: httpx.Response) -> None:
    return None


def _outcome(response: httpx.Response) -> Outcome:
    kind: Any = {200: Checked, 202: Sealed}.get(response.status_code, Played)
    made: Outcome = msgspec.json.decode(response.content, type=kind)
    return made


_read_player, _read_game, _read_opened = _one(Player), _one(Game), _one(Opened)
_read_position, _read_signed_up, _read_webhook = _one(Position), _one(SignedUp), _one(Webhook)
_read_games, _read_rows, _read_notices = _page(Game), _page(Row, "rows"), _page(Notice, "notices")
_read_rulesets = _page(Ruleset, "rulesets")


def _game_path(game_id: str, rest: str = "") -> str:
    return f"/v1/games/{quote(game_id, safe='')}{rest}"


def sign_up(name: str, email: str | None = None) -> Call[SignedUp]:
    return Call("POST", "/v1/players", _read_signed_up, body={"name": name, "email": email})


def me() -> Call[Player]:
    return Call("GET", "/v1/me", _read_player)


def new_token(label: str, scopes: Sequence[str]) -> Call[str]:
    def read(response: httpx.Response) -> str:
        return str(msgspec.json.decode(response.content)["token"])

    return Call("POST", "/v1/me/tokens", read, body={"label": label, "scopes": list(scopes)})


def rulesets() -> Call[Page[Ruleset]]:
    return Call("GET", "/v1/rulesets", _read_rulesets)


def seat_request(seat: SeatRequest) -> Mapping[str, Any]:
    """`me`, `open`, `invite`, `bot`, the name of a bot as `bot:default`, or a mapping as the API takes it."""
    if not isinstance(seat, str):
        return seat
    kind, _, name = seat.partition(":")
    return {"kind": kind, kind if kind == "bot" else "name": name} if name else {"kind": kind}


def open_game(ruleset: str, seats: Iterable[SeatRequest], options: Mapping[str, Any]) -> Call[Opened]:
    body = {"ruleset": ruleset, "seats": [seat_request(seat) for seat in seats], **options}
    return Call("POST", "/v1/games", _read_opened, body=body)


def join(game_id: str, token: str | None, seat: int | None, entropy: str) -> Call[Game]:
    given = {"token": token, "seat": seat, "entropy": entropy or None}
    body = {name: value for name, value in given.items() if value is not None}
    return Call("POST", _game_path(game_id, "/seats"), _read_game, body=body)


def start(game_id: str) -> Call[Game]:
    return Call("POST", _game_path(game_id, "/start"), _read_game, body={})


def leave(game_id: str) -> Call[None]:
    return Call("DELETE", _game_path(game_id, "/seats/me"), _nothing)


def games(query: Mapping[str, Any]) -> Call[Page[Game]]:
    plain = {name: int(value) if isinstance(value, bool) else value for name, value in query.items()}
    return Call("GET", "/v1/games", _read_games, query=plain)


def game(game_id: str) -> Call[Game]:
    return Call("GET", _game_path(game_id), _read_game)


def position(game_id: str, at: int | None) -> Call[Position]:
    return Call("GET", _game_path(game_id, "/position"), _read_position, query={"at": at})


def options(game_id: str) -> Call[Options]:
    def read(response: httpx.Response) -> Options:
        return options_of(msgspec.json.decode(response.content))

    return Call("GET", _game_path(game_id, "/options"), read)


def send_moves(
    game_id: str,
    moves: Move | Sequence[Move] | str,
    sequence: int | None,
    dry_run: bool,
    blind: bool,
    key: str | None,
) -> Call[Outcome]:
    body: dict[str, Any] = {"orders": moves} if isinstance(moves, str) else {"moves": _several(moves)}
    return Call(
        "POST",
        _game_path(game_id, "/moves"),
        _outcome,
        body=body | ({"blind": True} if blind else {}),
        query={"dry_run": 1 if dry_run else None},
        headers={"If-Match": f'"{sequence}"'} if sequence is not None else {},
        key=key,
    )


def _several(moves: Move | Sequence[Move]) -> list[Move]:
    return [moves] if isinstance(moves, dict) else list(moves)


def log(game_id: str, after: int | None) -> Call[Page[Row]]:
    given = after if after is not None and after >= 0 else None
    return Call("GET", _game_path(game_id, "/log"), _read_rows, query={"after": given})


def record(game_id: str) -> Call[bytes]:
    return Call("GET", _game_path(game_id, "/record"), _bytes)


def board(game_id: str, kind: str, part: str | None, at: int | None) -> Call[str]:
    return Call("GET", _game_path(game_id, f"/board.{kind}"), _text, query={"part": part, "at": at})


def notices(unread: bool, game_id: str | None) -> Call[Page[Notice]]:
    return Call("GET", "/v1/notices", _read_notices, query={"unread": 1 if unread else None, "game": game_id})


def create_webhook(url: str, events: Sequence[str] | None, label: str) -> Call[Webhook]:
    chosen = {"events": list(events)} if events else {}
    return Call("POST", "/v1/webhooks", _read_webhook, body={"url": url, "label": label, **chosen})


def test_webhook(webhook_id: int) -> Call[None]:
    return Call("POST", f"/v1/webhooks/{webhook_id}/test", _nothing)


def delete_webhook(webhook_id: int) -> Call[None]:
    return Call("DELETE", f"/v1/webhooks/{webhook_id}", _nothing)


def next_page(call: Call[Page[T]], path: str) -> Call[Page[T]]:
    return Call("GET", path, call.read)


class Looked(msgspec.Struct, frozen=True):
    """What a long poll answers."""

    game: GameState
    rows: tuple[Row, ...]


def long_poll(game_id: str, after: int, seconds: int) -> Call[Looked]:
    return Call("GET", _game_path(game_id, "/events"), _one(Looked), query={"after": after, "wait": seconds})


def events_path(game_id: str | None) -> str:
    return "/v1/events" if game_id is None else _game_path(game_id, "/events")


class Bye(msgspec.Struct, frozen=True):
    why: str
    detail: str


KINDS: dict[str, Any] = {"position": Position, "row": Row, "game": GameState, "notice": Notice, "bye": Bye}
for _kind in (*KINDS.values(), Decision, Played, Sealed, Checked, Looked, Standing):
    msgspec.json.Decoder(_kind)  # before threads start: msgspec crashes where two meet a struct first together


class EventReader:
    """Server-sent events from their lines."""

    def __init__(self, game_id: str | None) -> None:
        self.game_id = game_id
        self._fields: dict[str, str] = {}

    def read(self, line: str) -> Event | Bye | None:
        """What a line completes."""
        line = line.rstrip("\r\n")
        if line:
            name, _, value = line.partition(":")
            if name:
                self._fields[name] = value.removeprefix(" ")
            return None
        fields, self._fields = self._fields, {}
        if "data" not in fields:
            return None
        return self._event(fields.get("event", ""), msgspec.json.decode(fields["data"]), fields.get("id"))

    def _event(self, kind: str, data: Any, number: str | None) -> Event | Bye | None:
        if kind not in KINDS:
            return None  # from a newer service
        game_id = data.get("game_id", self.game_id or "")
        if self.game_id is None and kind in ("row", "game"):
            data = data[kind]
        made = msgspec.convert(data, KINDS[kind], strict=False)
        return made if isinstance(made, Bye) else Event(kind, made, game_id, number)


class Place:
    """Where somebody who follows one game is: no row comes twice, and the state only when it is another."""

    def __init__(self, after: int | None) -> None:
        self.row = after
        self.state: GameState | None = None

    def is_new(self, event: Event) -> bool:
        match event.data:
            case Position(sequence=number):
                if self.row is not None and number <= self.row:
                    return False
                self.row = number
            case Row(number=number):
                if self.row is not None and number <= self.row:
                    return False
                self.row = number
            case GameState() as state:
                if state == self.state:
                    return False
                self.state = state
        return True

    def is_over(self) -> bool:
        return self.state is not None and self.state.status == "over"
