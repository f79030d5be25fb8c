"""Where a train can go on its own tracks (Rulebook, Explanation of train movement)."""

from referee.games.spike.board import Board, Segment
from referee.games.spike.state import Position

BOOST = 1  # space

Trip = tuple[str, ...]  # the cities skipped on the way to a space


def destinations(board: Board, position: Position, seat: int, spaces: int) -> dict[str, Trip]:
    """The spaces a train can reach in at least one step and at most some, each a track piece or a city.

    The direction is free at first, and there is no turning back on the way (SP-R32). A junction costs nothing (SP-R31).
    A city stops the train; or it is skipped, at no cost, if own track goes on (SP-R33, SP-R34).
    """
    player, mark = position.players[seat], str(seat)

    def is_own(segment: Segment) -> bool:
        return position.tracks[board.number[segment.id]] == mark

    reached: dict[str, Trip] = {}
    heads: list[tuple[str, str, Trip]]
    if player.at in board.city:
        heads = [(segment.id, end, ()) for end, segment in board.exits[player.at].items() if is_own(segment)]
        reached.update({track: () for track, _, _ in heads})
        spaces -= 1
    else:
        segment = board.segment[player.at]
        heads = [(segment.id, segment.a, ()), (segment.id, segment.b, ())]
    seen = {head[:2] for head in heads}
    for _ in range(spaces):
        further: list[tuple[str, str, Trip]] = []
        for track, place, skipped in heads:
            if place in board.city:
                reached.setdefault(place, skipped)
                skipped = (*skipped, place)
            for end, segment in board.exits[place].items():
                if segment.id != track and is_own(segment) and (segment.id, end) not in seen:
                    seen.add((segment.id, end))
                    further.append((segment.id, end, skipped))
                    reached.setdefault(segment.id, skipped)
        heads = further
    return reached
