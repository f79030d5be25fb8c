"""Play a game in the terminal: against random players, with friends at one screen, or on a server.

Seats are separated by commas: `me` is a person, `random` plays legal moves drawn by lot; `me=Ann` gives a name.
Several `me` share the screen, which is cleared between them. Orders are typed as text or as a number of the menu;
`help` explains. Orders can also come from a pipe, one a line.

examples:
  ./waybill play                                               the games
  ./waybill play airlines-europe                               against two random players
  ./waybill play airlines-europe --seats me=Ann,me=Bob,random  two at one screen
  ./waybill play airlines-europe --set start_player=random --record game.jsonl
  ./waybill play airlines-europe --board mine.yaml             on a board of your own
  ./waybill play airlines-europe --seed 00ff < orders.txt      orders from a file, the same game every time

With --server and your token (or WAYBILL_TOKEN in the environment) the game is one that is played there:
  ./waybill play --server http://127.0.0.1:8000 --token wb_...               your games there
  ./waybill play --server http://127.0.0.1:8000 --token wb_... GAME          play one, by its id
  ./waybill play --server http://127.0.0.1:8000 --token wb_... --new spike   open one against bots and play it
"""

import argparse
import os
import random
import secrets
import sys
from pathlib import Path
from typing import Any

import msgspec
import yaml

from commands._client import Client, NoServer, Problem
from commands._conversation import Quit
from commands._remote_game import NotAtTheTable, join
from commands._screen import Screen
from commands._terminal_game import TerminalGame
from commands.boards import no_such_game
from referee.contract import board_name
from referee.errors import BoardError, RecordError
from referee.games import GameType, all_games, load_board, shipped_board
from referee.table import open_table
from referee.validation import validation_problems

NAMES = ("Ann", "Bob", "Cid", "Dot", "Eve", "Fay", "Gus", "Hal")
KINDS = ("me", "random")
STATUSES = {"open": "not begun", "running": "running", "paused": "paused", "over": "over"}


class Refused(Exception):
    """What is wrong with the command line, in a sentence."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="which game; without it, they are listed")
    parser.add_argument("--server", metavar="URL", help="play on this server; GAME is then the id of a game there")
    parser.add_argument("--token", metavar="TOKEN", help="who you are there (default: WAYBILL_TOKEN)")
    parser.add_argument("--new", metavar="GAME", help="open a new game there, against bots")
    parser.add_argument("--seats", metavar="SEATS", help="who plays, in seat order (default: me and random players)")
    parser.add_argument("--seed", metavar="HEX", help="the seed of all chance, for the same game again")
    parser.add_argument("--board", metavar="FILE", type=Path, help="a board file of your own")
    parser.add_argument("--record", metavar="FILE", type=Path, help="where to save the record of the game")
    parser.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], help="a setting; may be repeated")


def run(args: argparse.Namespace) -> int:
    if args.server is not None:
        return run_served(args)
    if args.new or args.token:
        print("waybill: --new and --token are for games on a server; name it with --server URL.", file=sys.stderr)
        return 2
    if args.game is None:
        for key, game_type in sorted(all_games().items()):
            least, most = game_type.seat_counts[0], game_type.seat_counts[-1]
            print(f"{key:20} {game_type.name}, {least} to {most} players; settings: {settings_in_words(game_type)}")
        return 0
    try:
        game = prepare(args)
    except Refused as error:
        print(f"waybill: {error}", file=sys.stderr)
        return 2
    try:
        return game.play()
    except Quit:
        return 0


def run_served(args: argparse.Namespace) -> int:
    screen = Screen()
    try:
        client = served_by(args, screen)
        game_id = open_on_server(client, args) if args.new else args.game
        if game_id is None:
            list_served(client)
            return 0
        return join(screen, client, game_id, args.record).play()
    except Quit:
        return 0
    except KeyboardInterrupt:
        print("\nStopped; the game goes on.")
        return 130
    except Refused as error:
        print(f"waybill: {error}", file=sys.stderr)
        return 2
    except (NoServer, NotAtTheTable, RecordError) as error:
        print(f"waybill: {error}", file=sys.stderr)
    except Problem as problem:
        print(f"waybill: {in_words(problem, args)}", file=sys.stderr)
    return 1


def served_by(args: argparse.Namespace, screen: Screen) -> Client:
    token = args.token or os.environ.get("WAYBILL_TOKEN", "")
    if not token:
        raise Refused(
            "Say who you are: --token wb_…, or WAYBILL_TOKEN in the environment. docs/api.md tells how to sign up."
        )
    if not token.isascii() or not token.isprintable() or " " in token:
        raise Refused("This is no token: it begins with wb_ and has letters and digits only.")
    if args.new and args.game:
        raise Refused("Either the id of a game, or --new GAME.")
    if args.seed:
        raise Refused("--seed is for games on this machine; on a server nobody chooses the chance.")
    if args.record:
        refuse_to_overwrite(args.record)
    return Client(args.server, token, say=screen.hint)


def in_words(problem: Problem, args: argparse.Namespace) -> str:
    """What to do about an answer of the server."""
    mine = f"./waybill play --server {args.server}"
    match problem.status:
        case 401:
            return f"The server does not know this token. {problem}"
        case 404 if args.game:
            return f"There is no game {args.game} on this server, or it is not for you to see. Your games: {mine}"
        case 404:
            return f"This does not seem to be a Waybill server: {problem}"
    return str(problem)


def open_on_server(client: Client, args: argparse.Namespace) -> str:
    """A new game against bots: its id."""
    game_type = all_games().get(args.new)
    if game_type is None:
        raise Refused(no_such_game(args.new))
    kinds, _ = read_seats(game_type, args.seats)
    if kinds.count("me") != 1:
        raise Refused("On a server you have one seat: --seats me,random")
    body: dict[str, Any] = {
        "ruleset": args.new,
        "seats": [{"kind": "me"} if kind == "me" else {"kind": "bot"} for kind in kinds],
        "settings": msgspec.to_builtins(read_settings(game_type, args.set)),
    }
    if args.board:
        read_board_file(game_type, args.board)  # what is wrong with it is told here already
        body["board"] = args.board.read_text(encoding="utf-8")
    return str(client.post("/games", body).json["game"]["id"])


def list_served(client: Client) -> None:
    games = client.get("/games?mine=1&limit=200").json
    for game in games:
        name = all_games()[game["ruleset"]].name if game["ruleset"] in all_games() else game["ruleset"]
        title = f"  “{game['title']}”" if game["title"] else ""
        print(f"{game['id']}  {name:22} {STATUSES[game['status']]:12} after move {max(game['sequence'], 0)}{title}")
    waiting = {game["id"] for game in client.get("/games?to_act=1&limit=200").json}
    if waiting:
        print(f"Waiting for you: {', '.join(game['id'] for game in games if game['id'] in waiting)}")
    if not games:
        print(f"You have no games there yet. Open one: ./waybill play --server {client.url} --new spike")


def prepare(args: argparse.Namespace) -> TerminalGame:
    game_type = all_games().get(args.game)
    if game_type is None:
        raise Refused(no_such_game(args.game))
    kinds, names = read_seats(game_type, args.seats)
    settings = read_settings(game_type, args.set)
    board = read_board_file(game_type, args.board) if args.board else shipped_board(game_type)
    seed = read_seed(args.seed) if args.seed else secrets.token_bytes(32)
    if args.record:
        refuse_to_overwrite(args.record)
    game = game_type(board, len(kinds), settings)
    own_board = board_name(board) != board_name(shipped_board(game_type))
    table, first = open_table(game, names, seed, board_data=msgspec.to_builtins(board) if own_board else None)
    rng = random.Random(seed.hex())
    return TerminalGame(Screen(), table, first, kinds, rng, args.record)


def read_seats(game_type: GameType, text: str | None) -> tuple[list[str], list[str]]:
    """`me=Ann,random` -> the kinds and the names of the players."""
    counts = game_type.seat_counts
    usual = 3 if 3 in counts else counts[0]
    seats = text.split(",") if text else ["me"] + ["random"] * (usual - 1)
    if len(seats) not in counts:
        raise Refused(f"{game_type.name} is for {counts[0]} to {counts[-1]} players; --seats names {len(seats)}.")
    kinds, names = [], []
    for seat, description in enumerate(seats):
        kind, _, name = description.strip().partition("=")
        if kind not in KINDS:
            raise Refused(f"A seat is one of: {', '.join(KINDS)}; not {kind!r}. For example: --seats me=Ann,random")
        kinds.append(kind)
        names.append(name.strip() or NAMES[seat])
    if len(set(names)) < len(names):
        raise Refused(f"Two players have the same name: {', '.join(names)}.")
    return kinds, names


def read_settings(game_type: GameType, pairs: list[str]) -> Any:
    data = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise Refused(f"--set {pair}: a setting is written NAME=VALUE.")
        try:
            data[name] = yaml.safe_load(value)
        except yaml.YAMLError:
            data[name] = value
    problems = list(validation_problems(data, game_type.settings_type))
    if problems:
        raise Refused(f"--set {problems[0]}. The settings of {game_type.name}: {settings_in_words(game_type)}.")
    return msgspec.convert(data, game_type.settings_type)


def settings_in_words(game_type: GameType) -> str:
    """`start_player first or random, jitter true or false`."""
    schema = msgspec.json.schema(game_type.settings_type)
    fields = schema["$defs"][game_type.settings_type.__name__]["properties"]
    return ", ".join(f"{name} {_values(field)}" for name, field in fields.items()) or "none"


def _values(field: dict[str, Any]) -> str:
    if "enum" in field:
        return " or ".join(map(str, field["enum"]))
    return "true or false" if field.get("type") == "boolean" else str(field.get("type", ""))


def read_board_file(game_type: GameType, path: Path) -> Any:
    try:
        return load_board(game_type, path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(f"{path} cannot be read: {error}.") from None
    except BoardError as error:
        count = len(error.problems)
        raise Refused(f"{path}: {error.problems[0]} ({count} in all: ./waybill boards check {path})") from None


def read_seed(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise Refused(f"--seed is a hexadecimal number with an even number of digits, not {text!r}.") from None


def refuse_to_overwrite(path: Path) -> None:
    """Found out before the game, not after it."""
    if path.exists():
        raise Refused(f"{path} is there already; --record writes a new file.")
    if not path.parent.is_dir():
        raise Refused(f"{path.parent} is not a folder, so the record cannot be saved there.")
