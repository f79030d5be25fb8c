"""Regional Management, which takes the first action of a turn out of its player's hands (Rulebook VIII)."""

from referee.games.tin_goose.components import REGIONAL_MANAGEMENT
from referee.games.tin_goose.income import end_turn
from referee.games.tin_goose.state import ACTIONS, ADVANCE, Position, TinGoosePhase, TinGoosePlay
from referee.games.tin_goose.tracks import move_income
from referee.options import Move


def is_managed(position: Position) -> bool:
    """Whether Regional Management dictates the next action (TG-R37, TG-R38)."""
    return not position.taken and REGIONAL_MANAGEMENT in position.players[position.active].conditions


class FirstStep(TinGoosePhase):
    """A phase of step 1 of a turn. Where the actions begin after it, the one that is forced is no decision: since
    version 2 it is taken at once (TG-R67)."""

    def apply(self, play: TinGoosePlay, seat: int, move: Move) -> None:
        super().apply(play, seat, move)
        self.take_forced_action(play)

    def take_forced_action(self, play: TinGoosePlay) -> None:
        position, constants = play.position, self.board.constants
        if self.version != "1" and position.phase == ACTIONS and is_managed(position):
            move_income(self.board, play, position.active, constants.advance_income, "managed")
            position.taken.append(ADVANCE)
            if len(position.taken) == constants.actions:
                end_turn(self.board, play)
