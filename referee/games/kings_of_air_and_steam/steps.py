"""The agenda: the steps to come, taken one after another until one of them asks somebody something.

A step is a procedure, which the referee carries out, or a phase, which asks. Both may put more steps before the rest.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache

from referee.contract import Phase, Play
from referee.errors import IllegalOrder
from referee.games.kings_of_air_and_steam.board import Board
from referee.games.kings_of_air_and_steam.links import Rails
from referee.games.kings_of_air_and_steam.play_area import Link, assemble
from referee.games.kings_of_air_and_steam.state import Done, Goods, Position, Settings
from referee.options import Move, Offer

KASPlay = Play[Position]
Procedure = Callable[[Board, KASPlay], None]

ACTION = "action"  # the phase actions.Action, on the agenda

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

    @property
    def has_stub_depots(self) -> bool:
        """Whether Depots go on stubs, too (KAS-R17)."""
        return self.version != "1" and bool(self.settings.stub_depots)

    def railway_spaces(self, position: Position, rails: Rails) -> dict[str, str]:
        """The spaces on which a Depot can stand, each with its Link."""
        if self.has_stub_depots:
            return rails.link_of
        stubs = assemble(self.board, position.layout).stub_of
        return {space: link for space, link in rails.link_of.items() if space not in stubs}

    def apply(self, play: KASPlay, seat: int, move: Move) -> None:
        super().apply(play, seat, move)
        self.proceed(play)

    def proceed(self, play: KASPlay) -> None:
        proceed(self.board, self.settings, self.version, play)


class Optional(Step):
    """A step that need not be used."""

    def default(self, position: Position, seat: int) -> Move:
        return Done()

    def offer_done(self, position: Position, seat: int) -> Iterator[Offer]:
        yield Offer(Done)

    def apply_done(self, play: KASPlay, seat: int, move: Done) -> None:
        pass


@lru_cache(maxsize=1024)
def phase_called(name: str, board: Board, settings: Settings, version: str) -> Step:
    """A phase of the agenda, which is not one of the game's own: it is told under which version of the rules it
    plays."""
    phase = PHASES[name](board, settings)
    phase.version = version
    return phase


def proceed(board: Board, settings: Settings, version: str, play: KASPlay) -> None:
    """Takes the steps of the agenda up to the next decision, or to the end of the game."""
    position = play.position
    while not position.ending:
        name = position.agenda.pop(0)
        if name in PROCEDURES:
            PROCEDURES[name](board, play)
        else:
            position.phase = name
            if phase_called(name, board, settings, version).comes_up(play):
                return


def next_up(position: Position, *steps: str) -> None:
    position.agenda[:0] = steps


def not_on_a_link(board: Board, position: Position, space: str, stubs: bool) -> str:
    """Why no Depot goes on a space: it is no railway space, or one of a stub where these do not count."""
    if space in assemble(board, position.layout).place_of_city:
        return f"{board.city[space].name} is a City; a Depot goes on a railway space."
    return f"{board.space_name(space)} is not a railway space{'' if stubs else ' of a Link between two Cities'}."


def link_name(board: Board, link: Link) -> str:
    """`AB (Sartainville-Raposa)`, `stub A-NE (Geekopolis)`."""
    return f"{link.id} ({'-'.join(board.city[end].name for end in link.ends)})"


def why_not_missing(field: str, wanted: tuple[str, ...], there: Goods, where: str) -> IllegalOrder | None:
    """The reason when someone names Goods that are not there."""
    for good in dict.fromkeys(wanted):
        named, found = wanted.count(good), there.get(good, 0)
        if named > found:
            return IllegalOrder(
                "no_such_good",
                f"{named} {good} named, but {found or 'none'} {where}.",
                field=field,
                numbers={"named": named, "there": found},
            )
    return None
