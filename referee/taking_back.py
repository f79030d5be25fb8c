"""Whether a move can be taken back by its player alone: only if it has shown them nothing."""

from collections.abc import Iterable
from typing import Any

from referee.contract import Play, Viewer, canonical
from referee.errors import OrderError
from referee.options import Move, Rng
from referee.table import Table, decode_position


def would_reveal(table: Table, seat: int, order: dict[str, Any] | Move, rngs: Iterable[Rng]) -> bool:
    """Whether an order shows its player anything new: what is in an envelope, what chance brings, or what lay hidden.

    The rules mark moves that show something where others could follow in the same turn. Where a move ends the turn they
    need not, so it is also tried in other worlds, one for each source of chance, that the player cannot tell from this
    one: whatever comes out differently there was not known before.
    """
    phase, move, play = table.rehearse(seat, order)
    if phase.kind == "sealed" or move.reveals or play.reveals or play.chance.draws:
        return True
    shown = _shown(table, seat, play)
    for rng in rngs:
        position = canonical(table.game.imagine(table.view(seat), rng))
        world = Table(table.game, table.header, table.seed, position, table.sequence, table.head, names=table.names)
        try:
            if _shown(world, seat, world.rehearse(seat, order)[2]) != shown:
                return True
        except OrderError:
            return True
    return False


def _shown(table: Table, seat: int, play: Play[Any]) -> bytes:
    """All that a seat gets to see of a move."""
    game, viewer = table.game, Viewer(seat)
    position = decode_position(game, canonical(play.position))
    return canonical(
        (
            [event.seen_by(viewer) for event in play.events],
            game.view(position, viewer),
            game.standings(position, viewer),
            game.decisions(position),
            position.phase,
            position.ending,
        )
    )
