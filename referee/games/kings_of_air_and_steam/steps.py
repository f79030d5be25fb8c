"""The agenda: the steps to come, taken one after another until one of them asks somebody something.

A step is a procedure, which the referee carries out, or a phase, which asks. Both may put more steps before the rest.
"""

from collections.abc import Callable

from referee.contract import Phase, Play
from referee.games.kings_of_air_and_steam.board import AirshipLevel, Board, Character, TrainLevel
from referee.games.kings_of_air_and_steam.events import TokenSpent
from referee.games.kings_of_air_and_steam.state import Player, Position, Settings
from referee.options import Move

KASPlay = Play[Position]
Procedure = Callable[[Board, KASPlay], None]

PROCEDURES: dict[str, Procedure] = {}
PHASES: dict[str, type["Step"]] = {}


def procedure(function: Procedure) -> Procedure:
    """Makes a function a step of the agenda, under its own name."""
    PROCEDURES[function.__name__] = function
    return function


class Step(Phase[Position, Board]):
    """A phase on the agenda. It asks the active player, unless it says otherwise."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        PHASES[cls.name] = cls

    def comes_up(self, play: KASPlay) -> bool:
        """Whether there is anything to decide; if not, what happens is done here."""
        return True

    def seats(self, position: Position) -> tuple[int, ...]:
        return (position.active,)

    def apply(self, play: KASPlay, seat: int, move: Move) -> None:
        super().apply(play, seat, move)
        self.proceed(play)

    def proceed(self, play: KASPlay) -> None:
        proceed(self.board, self.settings, play)


def proceed(board: Board, settings: Settings, play: KASPlay) -> None:
    """Takes the steps of the agenda up to the next decision, or to the end of the game."""
    position = play.position
    while not position.ending:
        name = position.agenda.pop(0)
        if name in PROCEDURES:
            PROCEDURES[name](board, play)
        else:
            position.phase = name
            if PHASES[name](board, settings).comes_up(play):
                return


def next_up(position: Position, *steps: str) -> None:
    position.agenda[:0] = steps


def is_normal(position: Position) -> bool:
    """The Normal game has teams and no First-player marker."""
    return any(player.team for player in position.players)


def tie_order(board: Board, position: Position) -> list[int]:
    """Who comes first where letters or timing tie: from the First-player marker clockwise (KAS-F17), or by priority
    numbers; where anyone sits does not matter then (KAS-R37)."""
    if is_normal(position):
        return by_priority(board, position)
    seats = range(len(position.players))
    return [(position.first + place) % len(seats) for place in seats]


def by_priority(board: Board, position: Position) -> list[int]:
    """The seats by their priority numbers; in the Basic game there are none, and it is the order of the seats."""
    seats = list(range(len(position.players)))
    return (
        sorted(seats, key=lambda seat: board.team[position.players[seat].team].priority)
        if is_normal(position)
        else seats
    )


def character(board: Board, player: Player) -> Character | None:
    return board.character.get(player.character)


def has_ability(board: Board, player: Player, ability: str) -> bool:
    one = character(board, player)
    return one is not None and one.ability == ability


def airship(board: Board, player: Player) -> AirshipLevel:
    track = board.team[player.team].airship if player.team else "standard"
    return board.airships[track][player.airship]


def train(board: Board, player: Player) -> TrainLevel:
    return board.train[player.train]


def room(board: Board, player: Player) -> int:
    return airship(board, player).capacity - len(player.hold)


def exposed_diamonds(board: Board, player: Player) -> int:
    return sum(board.card[card].diamonds for card in player.shown)


def colour(board: Board, seat: int) -> str:
    return board.colours[seat].id


def seat_of(board: Board, colour: str) -> int:
    return next(seat for seat, one in enumerate(board.colours) if one.id == colour)


def price(board: Board, position: Position, good: str) -> int:
    return board.market.drawers[position.drawers[good]]


def spend_token(play: KASPlay, seat: int) -> None:
    player = play.position.players[seat]
    player.tokens -= 1
    play.emit(TokenSpent(seat, player.character, player.tokens))
