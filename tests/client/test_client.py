"""The client plays, follows and verifies games of the real service."""

import asyncio
import hashlib
import os
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from waybill_client import (
    AsyncClient,
    BadRecord,
    Client,
    Event,
    GameState,
    NotAMove,
    NotFound,
    Outcome,
    Position,
    Problem,
    Receipt,
    RefusedOrder,
    Row,
    Sealed,
    Stale,
    Unauthorized,
    Unreachable,
    WaybillError,
    verify,
)
from waybill_client.calls import TRY_AGAIN

from referee.games import all_games
from tests.waiting import wait_until

SignUp = Callable[..., Client]
FORKED = Path(__file__).parents[1] / "referee" / "forked.jsonl"
CANONICAL = msgspec.json.Encoder(order="sorted").encode


@pytest.mark.parametrize("ruleset", all_games())
def test_every_game_is_played_to_its_end_from_the_options_alone_and_verified(ruleset: str, sign_up: SignUp) -> None:
    me, rng = sign_up(), random.Random(1)
    seats = ["me", *["bot"] * (min(next(one.seats for one in me.rulesets() if one.key == ruleset)) - 1)]
    game = me.open_game(ruleset, seats).game
    receipts: list[Receipt] = []

    def keep(made: Outcome) -> None:
        if isinstance(made, Sealed):
            receipts.append(made.receipt)

    over = me.play(game.id, lambda options: options.sample(rng), keep)
    assert over.is_over
    found = verify(me.record(game.id), receipts, game.commitment)
    assert (found.game, found.is_whole, found.ending) == (ruleset, True, over.ending)
    assert found.rows == over.sequence + 1
    assert len(found.standings) == len(seats)
    assert found.envelopes >= len(receipts)


def opened(sign_up: SignUp) -> tuple[Client, str]:
    """A game of airlines against a bot, which waits for the opening."""
    me = sign_up()
    return me, me.open_game("airlines-europe", ["me", "bot"]).game.id


def to_a_turn(me: Client, game_id: str) -> Any:
    """Past the sealed opening."""
    for options in me.turns(game_id):
        if not options.is_sealed:
            return options
        me.send_moves(game_id, options.default or "", sequence=options.sequence)
    raise AssertionError


def test_people_open_join_and_play_by_invitation(sign_up: SignUp) -> None:
    host, guest = sign_up(), sign_up()
    made = host.open_game("airlines-europe", ["me", "invite"], private=True, title="Friday")
    assert made.game.status == "open"
    with pytest.raises(NotFound):
        guest.game(made.game.id)
    joined = guest.join(made.game.id, made.invitations[0].token, entropy="dice")
    assert (joined.status, joined.title, joined.you) == ("running", "Friday", 1)
    assert joined.waits_for_me
    assert [game.id for game in host.games(mine=True, to_act=True)] == [made.game.id]
    assert guest.me().id == joined.seats[1].player
    told = wait_until(lambda: list(host.notices()), what="a notice")
    assert told[0].game_id == made.game.id
    narrow = Client(str(host._http.base_url), host.new_token("bot", ["read"]))
    with pytest.raises(Problem, match="scope play"):
        narrow.send_moves(made.game.id, "take money")


def test_move_is_built_from_options_and_a_wrong_one_never_sent(sign_up: SignUp) -> None:
    me, game_id = opened(sign_up)
    options = to_a_turn(me, game_id)
    assert "buy" in options.types
    offer = options.of("buy")[0]
    move = offer.sample(random.Random(2))
    assert offer.build(**{name: value for name, value in move.items() if name != "type"}) == move
    with pytest.raises(NotAMove, match="route of buy is one of"):
        offer.build(route="nowhere")
    with pytest.raises(NotAMove, match="no field 'colour'"):
        offer.build(colour="red")
    with pytest.raises(NotAMove, match="cannot be played now"):
        options.build("fly")
    assert me.send_moves(game_id, move, dry_run=True).sequence == options.sequence
    with pytest.raises(RefusedOrder) as refused:
        me.send_moves(game_id, {"type": "buy", "route": "nowhere", "airline": "red"})
    assert refused.value.nearest
    assert me.send_moves(game_id, options.build("take_money"), sequence=options.sequence).readings == ("take money",)
    with pytest.raises(Stale) as stale:
        me.send_moves(game_id, "take money", sequence=options.sequence)
    assert stale.value.sequence > options.sequence


@pytest.mark.parametrize("live", ["stream", "long-poll", "poll"])
def test_whoever_follows_gets_every_row_once_by_each_way(live: str, sign_up: SignUp, url: str) -> None:
    me, game_id = opened(sign_up)
    rng = random.Random(3)
    watcher = Client(url, live=live, pause=0.05)  # type: ignore[arg-type]
    seen: list[Event] = []
    thread = threading.Thread(target=lambda: seen.extend(watcher.follow(game_id)))
    thread.start()
    over = me.play(game_id, lambda options: options.sample(rng))
    thread.join(60)
    assert isinstance(seen[0].data, Position)
    first = seen[0].data.sequence
    rows = [one.data.number for one in seen if isinstance(one.data, Row)]
    assert rows == list(range(first + 1, over.sequence + 1))
    states = [one.data for one in seen if isinstance(one.data, GameState)]
    assert (states[-1].status, states[-1].ending) == ("over", over.ending)
    again = [one.data.number for one in watcher.follow(game_id, after=-1) if isinstance(one.data, Row)]
    assert again == list(range(over.sequence + 1))
    assert [row.number for row in watcher.log(game_id)] == again
    watcher.close()


def test_all_games_and_notices_come_in_one_stream(sign_up: SignUp) -> None:
    me, game_id = opened(sign_up)
    events = me.follow_all()
    kinds = set()
    for event in events:
        kinds.add(event.kind)
        assert event.kind == "notice" or event.game_id == game_id
        if event.kind == "notice":
            break
    assert kinds >= {"game", "notice"}
    events.close()  # type: ignore[attr-defined]


def test_turn_of_a_game_that_has_not_begun_comes_when_it_begins(sign_up: SignUp) -> None:
    me, other = sign_up(), sign_up()
    game_id = me.open_game("airlines-europe", ["me", "open"]).game.id
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(me.wait_for_turn(game_id)))
    thread.start()
    other.join(game_id)
    thread.join(60)
    assert found[0].is_sealed
    with pytest.raises(WaybillError, match="no seat"):
        sign_up().wait_for_turn(game_id)


def test_async_client_does_the_same(url: str) -> None:
    async def play() -> None:
        async with AsyncClient(url) as me, AsyncClient(url) as other:
            await me.sign_up(f"async {os.urandom(5).hex()}")
            await other.sign_up(f"async {os.urandom(5).hex()}")
            game_id = (await me.open_game("tin-goose", ["me", "open", "bot"])).game.id
            await other.join(game_id)
            seen: list[Event] = []

            async def watch() -> None:
                async with AsyncClient(url) as watcher:
                    seen.extend([event async for event in watcher.follow(game_id, after=-1)])

            async def think(options: Any) -> Any:
                await asyncio.sleep(0)
                return options.sample(random.Random(options.sequence))

            watching = asyncio.create_task(watch())
            over, _ = await asyncio.gather(
                me.play(game_id, lambda options: options.sample(random.Random(options.sequence))),
                other.play(game_id, think),
            )
            await watching
            assert over.is_over
            rows = [one.data.number for one in seen if isinstance(one.data, Row)]
            assert rows == list(range(over.sequence + 1)) == [row.number async for row in me.log(game_id)]
            assert verify(await me.record(game_id)).is_whole
            assert await me.wait_for_turn(game_id) is None
            assert [game.id async for game in me.games(mine=True, status="over")] == [game_id]

    asyncio.run(play())


class Counting(httpx.AsyncHTTPTransport):
    """Knows which answers have not been read to their end, nor closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[httpx.Response] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        answer = await super().handle_async_request(request)
        if request.headers.get("Accept") == "text/event-stream":
            self.open.append(answer)
            close = answer.aclose

            async def closed() -> None:
                self.open.remove(answer)
                await close()

            answer.aclose = closed
        return answer


def test_async_player_who_breaks_off_leaves_no_stream_behind(url: str) -> None:
    async def play() -> None:
        streams = Counting()
        async with AsyncClient(url, transport=streams) as me:
            await me.sign_up(f"async {os.urandom(5).hex()}")
            game_id = (await me.open_game("airlines-europe", ["me", "bot"])).game.id

            def think(options: Any) -> Any:
                assert streams.open
                raise ZeroDivisionError

            with pytest.raises(ZeroDivisionError):
                await me.play(game_id, think)
            assert streams.open == []
            assert await me.wait_for_turn(game_id)
            assert streams.open == []

    asyncio.run(play())


class Faulty(httpx.BaseTransport):
    """A network that swallows answers: the service has done what was asked, and nobody hears of it."""

    def __init__(self, faults: Iterator[str]) -> None:
        self.real, self.faults, self.sent = httpx.HTTPTransport(), faults, 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.sent += 1
        fault = next(self.faults, "")
        if fault == "before":
            raise httpx.ConnectError("no route", request=request)
        answer = self.real.handle_request(request)
        if fault == "after":
            answer.read()
            raise httpx.ReadError("cut off", request=request)
        if fault == "busy":
            answer.read()
            return httpx.Response(503, headers={"Retry-After": "0"}, request=request)
        return answer


def test_request_whose_answer_is_lost_is_sent_again_and_done_once(url: str) -> None:
    network = Faulty(iter(["after", "busy", "before", ""] * 2))
    me = Client(url, transport=network)
    me.sign_up(f"unlucky {os.urandom(5).hex()}")
    me.open_game("airlines-europe", ["me", "open"])
    assert network.sent == 8
    network.faults = iter(())
    assert len(list(me.games(mine=True))) == 1
    me.close()


def test_service_that_is_away_is_said_to_be_so(url: str) -> None:
    me = Client(url, transport=Faulty(iter(["before"] * 9)), tries=2)
    with pytest.raises(Unreachable, match="GET /v1/me was not answered: ConnectError: no route"):
        me.me()
    busy = Client(url, transport=Faulty(iter(["busy"] * 9)), tries=2)
    with pytest.raises(Problem) as problem:
        busy.rulesets()
    assert problem.value.status in TRY_AGAIN
    with pytest.raises(Unauthorized, match="not known"):
        Client(url, "wb_nothing").me()


def test_stream_that_is_cut_again_and_again_loses_and_repeats_nothing(sign_up: SignUp, url: str) -> None:
    me, game_id = opened(sign_up)
    rng = random.Random(4)

    class Cutting(httpx.BaseTransport):
        real = httpx.HTTPTransport()

        def handle_request(self, request: httpx.Request) -> httpx.Response:
            answer = self.real.handle_request(request)
            if answer.headers.get("content-type", "").startswith("text/event-stream"):
                answer.stream = Cut(answer.stream)
            return answer

    class Cut(httpx.SyncByteStream):
        def __init__(self, stream: Any) -> None:
            self.stream = stream

        def __iter__(self) -> Iterator[bytes]:
            for number, part in enumerate(self.stream):
                yield part
                if number == 5:
                    raise httpx.ReadError("cut off")

        def close(self) -> None:
            self.stream.close()

    watcher = Client(url, transport=Cutting(), pause=0.05)
    seen: list[Event] = []
    thread = threading.Thread(target=lambda: seen.extend(watcher.follow(game_id, after=-1)))
    thread.start()
    over = me.play(game_id, lambda options: options.sample(rng))
    thread.join(60)
    rows = [one.data.number for one in seen if isinstance(one.data, Row)]
    assert rows == list(range(over.sequence + 1))
    watcher.close()


def test_record_of_a_copy_says_what_it_goes_on_from() -> None:
    record = FORKED.read_bytes()
    assert verify(record).forked_from == ("origin", 80)
    header, first, *others, last = record.splitlines(keepends=True)
    row = msgspec.json.decode(first)["row"]
    row["events"][0]["position"]["bank"] += 1
    lines, head = [header], hashlib.sha256(header[len(b'{"header":') : -2]).hexdigest()
    for data in [{"row": row}, *map(msgspec.json.decode, others)]:
        spelled = CANONICAL(data["row"])
        head = hashlib.sha256(head.encode() + b"\n" + spelled).hexdigest()
        lines.append(b'{"hash":"%b","row":%b}\n' % (head.encode(), spelled))
    with pytest.raises(BadRecord, match="Row 0: the position that the game goes on from is not the one of its digest"):
        verify(b"".join([*lines, last]))


def test_record_that_was_tampered_with_is_found_out(sign_up: SignUp) -> None:
    me, game_id = opened(sign_up)
    rng, receipts = random.Random(5), list[Receipt]()
    me.play(
        game_id,
        lambda options: options.sample(rng),
        lambda made: receipts.append(made.receipt) if isinstance(made, Sealed) else None,
    )
    record = me.record(game_id)
    assert receipts
    assert verify(record, receipts).envelopes == 2
    lines = record.splitlines(keepends=True)
    with pytest.raises(BadRecord, match="Row 3 does not match its hash"):
        verify(b"".join([*lines[:4], lines[4].replace(b'"events"', b'"eventz"', 1), *lines[5:]]))
    with pytest.raises(BadRecord, match="is not row 2"):
        verify(b"".join([*lines[:3], *lines[4:]]))
    seed = msgspec.json.decode(lines[-1])["end"]["seed"].encode()
    with pytest.raises(BadRecord, match="seed is not the one"):
        verify(record.replace(seed, bytes(reversed(seed))))
    with pytest.raises(BadRecord, match="committed to otherwise"):
        verify(record, commitment="0" * 64)
    assert verify(record, [msgspec.structs.replace(receipts[0], commitment="0" * 64), *receipts]), "it was replaced"
    with pytest.raises(BadRecord, match="The move that you sealed"):
        verify(record, [msgspec.structs.replace(receipts[0], commitment="0" * 64)])
    with pytest.raises(BadRecord, match="no record"):
        verify(record[:-1])
