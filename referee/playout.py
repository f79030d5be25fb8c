"""Games played on from a bare position: the rules and nothing else, no table, no log, no hashes, no prompts."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from referee.chance import Chance
from referee.contract import BoardName, Event, Game, Phase, Play, View, Viewer, board_name
from referee.errors import IllegalOrder
from referee.log import numbered_seats
from referee.options import Move, Offer, Rng, shuffled
from referee.situation import Bot, Choice, Situation

T = TypeVar("T")
AnyGame = Game[Any, Any, Any]
AnyPhase = Phase[Any, Any]

Watch = Callable[[int, Choice], None]  # is told of every choice and the seat that makes it


class Luck(Chance):
    """Chance from a plain random source: nothing is written down, and nothing can be proved."""

    def __init__(self, rng: Rng) -> None:
        super().__init__(b"", 0)
        self._rng = rng

    def below(self, label: str, bound: int) -> int:
        return self._rng.randrange(bound)

    def roll(self, label: str, dice: int = 2, sides: int = 6) -> tuple[int, ...]:
        return tuple([self._rng.randrange(sides) + 1 for _ in range(dice)])

    def shuffle(self, label: str, things: Sequence[T]) -> list[T]:
        return shuffled(things, self._rng)


@lru_cache(maxsize=64)
def _board_name(game: AnyGame) -> BoardName:
    return board_name(game.board)


def seen(game: AnyGame, position: Any, seat: int | None) -> View:
    """The game as a seat sees it, without a log and without names."""
    viewer = Viewer(seat)
    return View(
        game=game.key,
        version=game.version,
        board=_board_name(game),
        settings=game.settings,
        players=numbered_seats(game.seats),
        you=seat,
        sequence=0,
        phase=position.phase,
        decisions=(),
        sealed=(),
        standings=tuple(game.standings(position, viewer)),
        ending=position.ending,
        table=game.view(position, viewer),
    )


def ask(game: AnyGame, position: Any, phase: AnyPhase, seat: int, rng: Rng) -> Situation[Any, Any]:
    """A question to a seat, as its player sees it."""

    def beside(*kinds: type[Move]) -> Iterator[Offer]:
        for other in game.open_phases(position):
            if other is not phase and seat in other.seats(position):
                yield from other.offers(position, seat, *kinds)

    return Situation(
        board=game.board,
        settings=game.settings,
        seat=seat,
        phase=phase.name,
        required=phase.required,
        look=lambda: game.view(position, Viewer(seat)),
        offers=lambda *kinds: phase.offers(position, seat, *kinds),
        beside=beside,
        draw=lambda: phase.draw(position, seat, rng),
        imagine=lambda: game.imagine(seen(game, position, seat), rng),
        rng=rng,
    )


def questions(game: AnyGame, position: Any) -> Iterator[tuple[AnyPhase, int]]:
    """Who is asked what, in the order in which bots answer: first what somebody has put to a seat beside the turn, such
    as a deal, then what the game waits for."""
    phases = game.open_phases(position)
    for phase in phases:
        if not phase.required:
            for seat in phase.seats(position):
                if phase.is_put_to(position, seat):
                    yield phase, seat
    for phase in phases:
        if phase.required:
            for seat in phase.seats(position):
                yield phase, seat


def dues(game: AnyGame, position: Any) -> Iterator[tuple[AnyPhase, int]]:
    """What nobody has to be asked for: an optional phase that has a default, such as to claim money, says so."""
    for phase in game.open_phases(position):
        if not phase.required and type(phase).default is not Phase.default:
            for seat in phase.seats(position):
                yield phase, seat


class Playout:
    """A game being played on by bots. The position is changed in place: `copied` keeps another.

    `checked`: every move is checked against the offers, for bots that may be wrong.
    """

    def __init__(self, game: AnyGame, position: Any, rng: Rng, *, checked: bool = False) -> None:
        self.game = game
        self.position = position
        self.rng = rng
        self.checked = checked
        self.rows = 0
        self.events: Sequence[Event] = ()  # of the last row that bots played
        self._luck = Luck(rng)

    @classmethod
    def of_new_game(cls, game: AnyGame, rng: Rng, *, checked: bool = False) -> "Playout":
        return cls(game, game.setup(Luck(rng)).position, rng, checked=checked)

    def play(self, bots: Sequence[Bot], most_rows: int, watch: Watch | None = None) -> None:
        """Plays to the end of the game, or so many rows; a bot for each seat."""
        last = self.rows + most_rows
        while not self.position.ending and self.rows < last:
            self.play_row(bots, watch)

    def play_at_random(self, most_rows: int) -> None:
        """The same with random players, who need neither look nor be asked: what a game's rules cost alone."""
        game, position, rng, luck = self.game, self.position, self.rng, self._luck
        for _ in range(most_rows):
            if position.ending:
                return
            self.rows += 1
            for phase in game.open_phases(position):
                seats = phase.seats(position) if phase.required or type(phase).default is not Phase.default else ()
                if seats and phase.kind == "sealed":
                    phase.reveal(Play(position, luck), {seat: phase.draw(position, seat, rng) for seat in seats})
                    break
                if seats:
                    answer = phase.draw(position, seats[0], rng)
                    phase.apply(Play(position, luck), seats[0], answer)
                    break

    def play_row(self, bots: Sequence[Bot], watch: Watch | None = None) -> None:
        """One row: a move, or the sealed moves of all together."""
        game, position = self.game, self.position
        for phase, seat in dues(game, position):
            self._apply(phase, seat, phase.default(position, seat))
            return
        sealed: dict[int, Move] = {}
        for phase, seat in questions(game, position):
            choice = bots[seat](ask(game, position, phase, seat, self.rng))
            if choice is None:
                if phase.required:
                    raise ValueError(f"seat {seat} must answer in {phase.name}, and did not")
                continue
            if watch:
                watch(seat, choice)
            if phase.kind == "sealed":
                sealed[seat] = self._checked(phase, seat, choice.move)
                continue
            self._apply(phase, seat, choice.move)
            return
        self.rows += 1
        play = Play(position, self._luck)
        phase.reveal(play, sealed)
        self.events = play.events

    def _apply(self, phase: AnyPhase, seat: int, move: Move) -> None:
        if type(move) not in phase.moves:
            phase = next(other for other in self.game.open_phases(self.position) if type(move) in other.moves)
        move = self._checked(phase, seat, move)
        self.rows += 1
        play = Play(self.position, self._luck)
        phase.apply(play, seat, move)
        self.events = play.events

    def _checked(self, phase: AnyPhase, seat: int, move: Move) -> Move:
        """The move as the log would keep it."""
        if not self.checked:
            return move
        for offer in phase.offers_like(self.position, seat, move) if seat in phase.seats(self.position) else ():
            if offer.accepts(move):
                return offer.canonical(move)
        raise IllegalOrder("not_on_offer", f"{move} is not on offer to seat {seat} in {phase.name}.")
