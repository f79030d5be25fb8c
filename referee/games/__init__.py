"""The games: the folders here, and what other packages bring by the entry point group `waybill.games`."""

import importlib
import pkgutil
import warnings
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import msgspec

from referee.board_file import BoardFile
from referee.contract import Board, Game, and_list, board_name, contradictions, read_board
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
            warning = f"the game {entry_point.name!r} of {package} ({entry_point.value}) is left out: {error}."
            warnings.warn(warning, RuntimeWarning, stacklevel=2)
    return games


def _installed(entry_point: EntryPoint) -> GameType:
    """The game of an entry point: `mail-run = "mail_run:GAME"`."""
    game_type = entry_point.load()
    if not (isinstance(game_type, type) and issubclass(game_type, Game)):
        raise TypeError("it has to be a class made from referee.contract.Game")
    if game_type.key != entry_point.name:
        raise ValueError(f"its key is {game_type.key!r}, and the entry point has to be called so too")
    return game_type


def shipped_board(game_type: GameType, version: str | None = None) -> Any:
    """The board that comes with a game, or came with an older version of it."""
    return _read_board(game_type, board_file(game_type, version))


@cache
def _read_board(game_type: GameType, file: Path) -> Any:
    return load_board(game_type, file.read_text("utf-8"))


def board_text(game_type: GameType) -> str:
    """The file of the board that comes with a game."""
    return board_file(game_type).read_text("utf-8")


def board_file(game_type: GameType, version: str | None = None) -> Path:
    """Where the board of a version is: in board.yaml, or, if it was another up to version 2, say, in board-2.yaml."""
    module = importlib.import_module(game_type.__module__).__file__
    assert module is not None
    folder = Path(module).parent
    since = game_type.versions.index(version) if version else -1
    replaced = (folder / f"board-{later}.yaml" for later in game_type.versions[since:-1])
    return next((file for file in replaced if file.exists()), folder / "board.yaml")


def load_board(game_type: GameType, text: str) -> Any:
    """A board from a YAML file, or a BoardError with everything that is wrong with it and the lines where."""
    file = BoardFile(text)
    if file.data.get("game") != game_type.key:
        problem = f"game: this is a board for {file.data.get('game')!r}, not for {game_type.key!r}"
        raise BoardError(file.with_lines([problem]))
    try:
        return read_board(game_type.board_type, file.data)
    except BoardError as error:
        raise BoardError(file.with_lines(error.problems)) from None


def faithful_board(game_type: GameType, text: str) -> Any:
    """The same for a board to open a game on: it must also keep every fact that the rulebook fixes."""
    board = load_board(game_type, text)
    if found := list(contradictions(game_type, board)):
        raise BoardError(found)
    return board


def open_game(
    key: str, seats: int, settings: Any = None, board: Board | None = None, version: str | None = None
) -> Game[Any, Any, Any]:
    """A game by its key, on the board that ships with it or on one of your own, under the newest of its rules."""
    game_type = all_games()[key]
    version = version or game_type.version
    chosen = msgspec.convert(settings or {}, game_type.settings_type)
    return game_type.of_version(version, board or shipped_board(game_type, version), seats, chosen)


def game_of(header: Header, version: str | None = None) -> Game[Any, Any, Any]:
    """The game a record was begun with, on the same board; under the same rules, or the newer ones it goes on under."""
    game_type = all_games().get(header.game)
    if game_type is None:
        raise RecordError(f"No game {header.game!r} is known here.")
    for played in (header.version, version or header.version):
        if played not in game_type.versions:
            raise RecordError(f"Played under rules {played}; here are rules {and_list(game_type.versions)}.")
    try:
        if header.board_data is not None:
            board = read_board(game_type.board_type, header.board_data)
        else:
            board = shipped_board(game_type, header.version)
        settings = msgspec.convert(header.settings, game_type.settings_type)
        game = game_type.of_version(version or header.version, board, len(header.players), settings)
    except (BoardError, msgspec.ValidationError, ValueError) as error:
        raise RecordError(f"The header cannot be used: {error}") from None
    if board_name(board) != header.board:
        raise RecordError(f"The board {header.board.name} of the record is not the one known here.")
    return game
