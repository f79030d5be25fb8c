"""The games: the folders here, and what other packages bring by the entry point group `waybill.games`."""

import importlib
import pkgutil
import warnings
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import msgspec

from referee.board_file import read_yaml, with_lines
from referee.contract import Board, Game, board_name, read_board
from referee.errors import BoardError, RecordError
from referee.log import Header

GameType = type[Game[Any, Any, Any]]


ENTRY_POINTS = "waybill.games"


@cache
def all_games() -> dict[str, GameType]:
    """Every game by its key: those in the folders here, and those of installed packages that can be used.

    A package that cannot be used is left out with a warning, so that it does not stop the games that are running.
    """
    modules = (importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__))
    games: dict[str, GameType] = {module.GAME.key: module.GAME for module in modules}
    for entry_point in sorted(entry_points(group=ENTRY_POINTS), key=lambda found: found.name):
        try:
            game_type = _installed(entry_point)
            if game_type.key in games:
                there = games[game_type.key].__module__
                raise ValueError(f"{there} has the key {game_type.key!r} already, so it needs another")
            games[game_type.key] = game_type
        except Exception as error:
            package = entry_point.dist.name if entry_point.dist else "a package"
            told = f"the game {entry_point.name!r} of {package} ({entry_point.value}) is left out: {error}."
            warnings.warn(told, RuntimeWarning, stacklevel=2)
    return games


def _installed(entry_point: EntryPoint) -> GameType:
    """The game of an entry point: `mail-run = "mail_run:GAME"`."""
    game_type = entry_point.load()
    if not (isinstance(game_type, type) and issubclass(game_type, Game)):
        raise TypeError("it has to be a class made from referee.contract.Game")
    if game_type.key != entry_point.name:
        raise ValueError(f"its key is {game_type.key!r}, and the entry point has to be called so too")
    return game_type


@cache
def shipped_board(game_type: GameType) -> Any:
    """The board that comes with a game."""
    return load_board(game_type, board_text(game_type))


def board_text(game_type: GameType) -> str:
    """The file of the board that comes with a game."""
    module = importlib.import_module(game_type.__module__).__file__
    assert module is not None
    return (Path(module).parent / "board.yaml").read_text("utf-8")


def load_board(game_type: GameType, text: str) -> Any:
    """A board from a YAML file, or a BoardError with everything that is wrong with it and the lines where."""
    data = read_yaml(text)
    if data.get("game") != game_type.key:
        problem = f"game: this is a board for {data.get('game')!r}, not for {game_type.key!r}"
        raise BoardError(with_lines(text, [problem]))
    try:
        return read_board(game_type.board_type, data)
    except BoardError as error:
        raise BoardError(with_lines(text, error.problems)) from None


def open_game(key: str, seats: int, settings: Any = None, board: Board | None = None) -> Game[Any, Any, Any]:
    """A game by its key, on the board that ships with it or on one of your own."""
    game_type = all_games()[key]
    chosen = msgspec.convert(settings or {}, game_type.settings_type)
    return game_type(board or shipped_board(game_type), seats, chosen)


def game_of(header: Header) -> Game[Any, Any, Any]:
    """The game a record was played with, on the same board and under the same rules."""
    game_type = all_games().get(header.game)
    if game_type is None:
        raise RecordError(f"No game {header.game!r} is known here.")
    if header.version != game_type.version:
        raise RecordError(f"Played under rules {header.version}; here are rules {game_type.version}.")
    board = shipped_board(game_type)
    try:
        if header.board_data is not None:
            board = read_board(game_type.board_type, header.board_data)
        game = game_type(board, len(header.players), msgspec.convert(header.settings, game_type.settings_type))
    except (BoardError, msgspec.ValidationError, ValueError) as error:
        raise RecordError(f"The header cannot be used: {error}") from None
    if board_name(board) != header.board:
        raise RecordError(f"The board {header.board.name} of the record is not the one known here.")
    return game
