"""Where a train can go on its own tracks (Rulebook, Explanation of train movement)."""

from referee.errors import IllegalOrder
from referee.games.spike.board import Board, Segment
from referee.games.spike.building import tracks
from referee.games.spike.state import Position

BOOST = 1  # space
MOVEMENT = "Rulebook, Explanation of train movement"

Trip = tuple[str, ...]  # the cities skipped on the way to a space


def destinations(board: Board, position: Position, seat: int, spaces: int, exactly: bool = False) -> dict[str, Trip]:
    """The spaces a train can reach in at least one step and at most some, each a track piece or a city; `exactly`: in
    just as many, unless a city stops it (SP-R30).

    The direction is free at first, and there is no turning back on the way (SP-R32). A junction costs nothing (SP-R31).
    A city stops the train; or it is skipped, at no cost, if own track goes on (SP-R33, SP-R34). Own track
    always goes on to a city, so no train is stopped for want of it.
    """
    player, mark = position.players[seat], str(seat)

    def is_own(segment: Segment) -> bool:
        return position.tracks[board.number[segment.id]] == mark

    reached: dict[str, Trip] = {}
    heads: list[tuple[str, str, Trip]]
    if player.at in board.city:
        heads = [(segment.id, end, ()) for end, segment in board.exits[player.at].items() if is_own(segment)]
        spaces -= 1
        if not exactly or not spaces:
            reached.update({track: () for track, _, _ in heads})
    else:
        segment = board.segment[player.at]
        heads = [(segment.id, segment.a, ()), (segment.id, segment.b, ())]
    for left in reversed(range(spaces)):
        further: dict[tuple[str, str], Trip] = {}
        for track, place, skipped in heads:
            if place in board.city:
                reached.setdefault(place, skipped)
                skipped = (*skipped, place)
            for end, segment in board.exits[place].items():
                if segment.id != track and is_own(segment):
                    further.setdefault((segment.id, end), skipped)
                    if not exactly or not left:
                        reached.setdefault(segment.id, skipped)
        heads = [(*head, skipped) for head, skipped in further.items()]
    reached.pop(player.at if player.at not in board.city else "", None)  # round a loop and back is no movement
    return reached


def why_out_of_reach(
    board: Board, position: Position, seat: int, space: str, spaces: int, exactly: bool = False
) -> IllegalOrder | None:
    if space not in board.city and space not in board.segment:
        return IllegalOrder("no_such_space", f"There is no space {space}.", field="space")
    if space in board.segment and board.segment[space] not in tracks(board, position, seat):
        return IllegalOrder("not_your_track", "You move on your own tracks only.", field="space", rule=MOVEMENT)
    if exactly and space in destinations(board, position, seat, spaces):
        message = f"A train that sets out moves all of its {spaces} spaces, unless a city stops it; that is nearer."
        return IllegalOrder("too_near", message, field="space", numbers={"spaces": spaces}, rule="Rulebook, C; SP-R30")
    message = f"Your train cannot get there within {spaces} space{'s' * (spaces > 1)} on your tracks."
    return IllegalOrder("too_far", message, field="space", numbers={"spaces": spaces}, rule=f"{MOVEMENT}; SP-R32")
