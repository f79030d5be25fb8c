"""List, show and check the boards of the games.

Who owns a printed game can play on its true board: copy the one that ships, put the printed numbers in, check it.

examples:
  ./waybill boards list                              the games and their boards
  ./waybill boards show airlines-europe > mine.yaml  a file to start from
  ./waybill boards check mine.yaml                   everything that is wrong with it
  ./waybill play airlines-europe --board mine.yaml   a game on it
"""

import argparse
import difflib
import random
import sys
from pathlib import Path

import msgspec

from referee.board_file import read_yaml
from referee.bots import random_game
from referee.contract import Board
from referee.errors import BoardError
from referee.games import GameType, all_games, board_text, faithful_board, shipped_board


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(action=list_boards)
    actions = parser.add_subparsers(title="actions", metavar="ACTION")
    actions.add_parser("list", help="the games and their boards").set_defaults(action=list_boards)
    show = actions.add_parser("show", help="print the board file that ships with a game")
    show.add_argument("game", metavar="GAME", help=f"one of: {', '.join(sorted(all_games()))}")
    show.set_defaults(action=show_board)
    check = actions.add_parser("check", help="say everything that is wrong with a board file")
    check.add_argument("file", metavar="FILE", type=Path)
    check.set_defaults(action=check_board)


def run(args: argparse.Namespace) -> int:
    return int(args.action(args))


def list_boards(args: argparse.Namespace) -> int:
    for key, game_type in sorted(all_games().items()):
        board = shipped_board(game_type)
        print(f"{key}: {board.name}, fidelity {board.fidelity} ({contents(board)})")
    return 0


def show_board(args: argparse.Namespace) -> int:
    game_type = all_games().get(args.game)
    if game_type is None:
        print(no_such_game(args.game), file=sys.stderr)
        return 2
    print(board_text(game_type), end="")
    return 0


def check_board(args: argparse.Namespace) -> int:
    try:
        text = args.file.read_text(encoding="utf-8")
    except OSError as error:
        print(f"{args.file} cannot be read: {error.strerror}.", file=sys.stderr)
        return 1
    except UnicodeDecodeError as error:
        print(f"{args.file} is not UTF-8 text (byte {error.start}).", file=sys.stderr)
        return 1
    try:
        key = read_yaml(text).get("game")
        if key not in all_games():
            raise BoardError([f"game: {no_such_game(str(key)) if key else 'missing; ' + known_games()}"])
        game_type = all_games()[key]
        board = faithful_board(game_type, text)
        problems = list(unplayable(game_type, board))
    except BoardError as error:
        problems = error.problems
    if problems:
        for problem in problems:
            print(f"{args.file}: {problem}", file=sys.stderr)
        print(f"{len(problems)} problem{'s' * (len(problems) > 1)}.", file=sys.stderr)
        return 1
    print(f"{args.file} is a good board for {game_type.name}: {contents(board)}. Fidelity: {board.fidelity}.")
    print(f"Play on it: ./waybill play {key} --board {args.file}")
    return 0


def unplayable(game_type: GameType, board: Board) -> list[str]:
    """Whether a game can be played to its end on the board, for every number of players and every variant."""
    problems = []
    for seats in game_type.seat_counts:
        for settings in game_type.variants:
            try:
                random_game(game_type(board, seats, settings), bytes(32), random.Random(seats))
            except Exception as error:  # whatever a rule runs into is the owner's to know
                problems.append(f"a test game for {seats} players broke off: {type(error).__name__}: {error}")
    return list(dict.fromkeys(problems))


def contents(board: Board) -> str:
    """`30 cities, 10 airlines`: the lists on a board."""
    lists = {name: getattr(board, name) for name in board.__struct_fields__}
    return ", ".join(f"{len(value)} {name.replace('_', ' ')}" for name, value in lists.items() if is_list(value))


def is_list(value: object) -> bool:
    return isinstance(value, tuple | list) and all(isinstance(item, msgspec.Struct) for item in value)


def no_such_game(key: str) -> str:
    near = difflib.get_close_matches(key, all_games(), n=1, cutoff=0.5)
    return f"there is no game {key!r}; " + (f"did you mean {near[0]!r}?" if near else known_games())


def known_games() -> str:
    return f"the games are: {', '.join(sorted(all_games()))}"
