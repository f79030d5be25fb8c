"""Make the golden games of a game: finished games that the tests replay and compare byte for byte.

They go to tests/golden/GAME, each as a record (.jsonl) and as a transcript to read (.txt): one for every number of
players, with every variant among them, and one for every end condition. What random games on the shipped board never
reach needs a board of its own: with --board only the end conditions are made that the shipped board lacks.
With --showing one more game is made, in which something happens that the others may lack: its events are named, those
it must not have with a minus, and it gets a --name. When the rules change, their version goes up, and golden games are
made of the new one; the difference of the transcripts is what there is to review. Those of older versions stay.

examples:
  ./waybill golden airlines-europe
  ./waybill golden airlines-europe --force
  ./waybill golden airlines-europe --board tests/boards/airlines-europe-tiny.yaml
  ./waybill golden airline-1975 --showing went_bankrupt,-bank_paid --name bankrupt-owing-the-bank
"""

import argparse
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import yaml

from commands import ROOT
from referee.conformance.playing import Moment, eager_answer, play
from referee.errors import BoardError
from referee.games import all_games, game_of, load_board, open_game
from referee.log import Header
from referee.options import type_name
from referee.record import Line, Record, close, export, transcript

NEEDS_DEVELOPER_TOOLS = True  # for what the conformance kit checks with

GOLDEN = ROOT / "tests" / "golden"
TRIES = 5  # games played for each number of players; the most eventful is kept, and of those the shortest
MOST_GAMES = 200  # played in search of an end condition


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", choices=sorted(all_games()), metavar="GAME", help=", ".join(sorted(all_games())))
    parser.add_argument("--board", type=Path, metavar="FILE", help="a board of your own, for missing end conditions")
    parser.add_argument("--force", action="store_true", help="replace the golden games on this board")
    parser.add_argument("--showing", metavar="EVENTS", help="make one more game, with these events: a,b,-c")
    parser.add_argument("--name", default="", help="what the game with --showing is called")


def run(args: argparse.Namespace) -> int:
    game_type, folder = all_games()[args.game], GOLDEN / args.game
    board, data = None, None
    if args.board:
        try:
            text = args.board.read_text(encoding="utf-8")
            board, data = load_board(game_type, text), yaml.safe_load(text)
        except (OSError, BoardError) as error:
            print(f"waybill: {args.board}: {error}", file=sys.stderr)
            return 2
    if args.showing:
        return _make_showing(args.game, args.showing.split(","), folder, args.name)
    newest = of_version(headers(folder), game_type.version)
    old = [file for file, header in newest.items() if _is_on(header, board) and _is_plain(file, header)]
    if old and not args.force:
        print(f"waybill: {len(old)} golden games are there already; --force replaces them.", file=sys.stderr)
        return 1
    for file in old:
        file.unlink()
        file.with_suffix(".txt").unlink(missing_ok=True)
    for record in itertools.chain(() if board else by_players(args.game), by_ending(args.game, board, data)):
        write(folder, record)
    lacking = missing(args.game)
    if lacking:
        print(f"Still missing: {', '.join(lacking)}. An end condition may need a --board on which it comes about.")
    return 1 if lacking else 0


def by_players(key: str) -> Iterator[Record]:
    """A game for every number of players; the variants take turns, and have more games if there are more of them."""
    counts, variants = all_games()[key].seat_counts, all_games()[key].variants
    for number in range(max(len(counts), len(variants))):
        game = open_game(key, counts[number % len(counts)], variants[number % len(variants)])
        tries = [random_record(game, f"{key} {number} {attempt}") for attempt in range(TRIES)]
        yield min(tries, key=lambda record: (-len(events(record)), len(record.entries)))


def by_ending(key: str, board: Any, board_data: Any) -> Iterator[Record]:
    """A game for every end condition that no golden game has."""
    game_type = all_games()[key]
    endings = {ending for ending in game_type.endings if f"ending {ending}" in missing(key)}
    cases = itertools.cycle(itertools.product(game_type.variants, game_type.seat_counts))
    for number, (settings, seats) in enumerate(itertools.islice(cases, MOST_GAMES)):
        if not endings:
            return
        record = random_record(open_game(key, seats, settings, board), f"{key} ending {number}", board_data)
        if record.end and record.end.ending in endings:
            endings.discard(record.end.ending)
            yield record


def _make_showing(key: str, wanted: list[str], folder: Path, name: str) -> int:
    """Makes a golden game with some events and without others: the shortest of a few."""
    game_type = all_games()[key]
    known = {type_name(kind) for kind in game_type.event_types}
    unknown = [event for event in wanted if event.removeprefix("-") not in known]
    if unknown or not name:
        problem = (
            f"there is no event {unknown[0]!r}; there are {', '.join(sorted(known))}" if unknown else "give a --name"
        )
        print(f"waybill: --showing: {problem}.", file=sys.stderr)
        return 2
    found: list[Record] = []
    cases = itertools.cycle(itertools.product(game_type.variants, game_type.seat_counts))
    for number, (settings, seats) in enumerate(itertools.islice(cases, MOST_GAMES)):
        record = random_record(open_game(key, seats, settings), f"{key} {name} {number}")
        if all((event.removeprefix("-") in events(record)) != event.startswith("-") for event in wanted):
            found.append(record)
        if len(found) == TRIES:
            break
    if not found:
        print(f"waybill: none of {MOST_GAMES} random games is like that.", file=sys.stderr)
        return 1
    write(folder, min(found, key=lambda record: len(record.entries)), name)
    return 0


def events(record: Record) -> set[str]:
    """The types of everything that happened in a game."""
    return {type_name(type(event)) for entry in record.entries for event in entry.row.events}


def random_record(game: Any, seed: str, board_data: Any = None) -> Record:
    moments: list[Moment] = list(play(game, Random(seed), eager_answer, board_data))
    return close(moments[-1].table, tuple(moment.entry for moment in moments))


def write(folder: Path, record: Record, more: str = "") -> None:
    assert record.end is not None
    name = plain_name(record.header, record.end.ending) + (f"-{more}" if more else "")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.jsonl").write_bytes(export(record))
    (folder / f"{name}.txt").write_text(transcript(game_of(record.header), record), encoding="utf-8")
    print(f"{folder.name}/{name}: {len(record.entries)} rows", flush=True)


def plain_name(header: Header, ending: str) -> str:
    """How the file of a golden game is called that shows nothing in particular."""
    game_type = all_games()[header.game]
    settings = msgspec.convert(header.settings, game_type.settings_type)
    variant = game_type.variants.index(settings) + 1
    name = f"{len(header.players)}-players-{ending.replace('_', '-')}"
    name += f"-variant-{variant}" if variant > 1 else ""
    name += f"-on-{header.board.name}" if header.board_data is not None else ""
    return name + (f"-rules-{header.version}" if header.version != game_type.versions[0] else "")


def headers(folder: Path) -> dict[Path, Header]:
    """The golden games of a folder."""
    found = {}
    for file in sorted(folder.glob("*.jsonl")):
        line = msgspec.json.decode(file.read_bytes().partition(b"\n")[0], type=Line)
        assert line.header is not None
        found[file] = line.header
    return found


def of_version(records: dict[Path, Header], version: str) -> dict[Path, Header]:
    return {file: header for file, header in records.items() if header.version == version}


def _is_on(header: Header, board: Any) -> bool:
    """Whether a game was played on a board, None being the shipped one."""
    return header.board_data is None if board is None else header.board.name == board.name


def _is_plain(file: Path, header: Header) -> bool:
    """Whether a game was not made for something that it shows; one with settings that are no more shows nothing."""
    try:
        return file.stem == plain_name(header, _ending(file))
    except (msgspec.ValidationError, ValueError):
        return True


def missing(key: str) -> list[str]:
    """What a game declares and no golden game of its newest rules shows."""
    game_type = all_games()[key]
    records = of_version(headers(GOLDEN / key), game_type.version)
    played = {len(header.players) for header in records.values()}
    settings = [msgspec.convert(header.settings, game_type.settings_type) for header in records.values()]
    endings = {_ending(file) for file in records}
    return [
        *(f"{seats} players" for seats in game_type.seat_counts if seats not in played),
        *(f"variant {number}" for number, variant in enumerate(game_type.variants, 1) if variant not in settings),
        *(f"ending {ending}" for ending in game_type.endings if ending not in endings),
    ]


def _ending(file: Path) -> str:
    last = msgspec.json.decode(file.read_bytes().splitlines()[-1], type=Line)
    return last.end.ending if last.end else ""
