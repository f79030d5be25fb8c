"""Who gets which victory points at a scoring, and who wins."""

from collections.abc import Sequence
from itertools import groupby

from referee import contract
from referee.contract import Play, Standing, Viewer
from referee.games.airlines_europe.board import SCORINGS, Board
from referee.games.airlines_europe.events import IMAGINED_AT, GameOver, Scored
from referee.games.airlines_europe.state import (
    AIR_ABACUS,
    SCORING_CARD,
    Player,
    Position,
    Shares,
)
from referee.piles import add


def score_airlines(board: Board, play: Play[Position], number: int) -> None:
    """From the furthest marker down, Air ABACUS last (AE-V04, AE-R28); only holdings count (AE-V05)."""
    position = play.position
    third = third_player(position) if number == SCORINGS and len(position.players) == IMAGINED_AT else {}
    order = sorted(position.airlines, key=lambda airline: (-position.airlines[airline].marker, airline))
    values = {airline: board.region(position.airlines[airline].marker).vp for airline in order}
    values[AIR_ABACUS] = board.air_abacus.vp[number - 1]
    for airline, vp in values.items():
        holdings = [player.holdings.get(airline, 0) for player in position.players]
        points = award(vp, [*holdings, third.get(airline, 0)])[:-1]
        for player, gained in zip(position.players, points, strict=True):
            player.vp += gained
        play.emit(Scored(airline, vp, tuple(holdings), tuple(points), third.get(airline, 0)))


def award(vp: Sequence[int], holdings: Sequence[int]) -> list[int]:
    """Points by shares held: tied players split the sum of their places, rounded up (AE-V06, AE-R25 to R27)."""
    points = [0] * len(holdings)
    ranking = sorted((seat for seat, held in enumerate(holdings) if held), key=lambda seat: -holdings[seat])
    place = 0
    for _, group in groupby(ranking, key=lambda seat: holdings[seat]):
        tied = list(group)
        shared = sum(vp[place : place + len(tied)])
        for seat in tied:
            points[seat] = -(-shared // len(tied))
        place += len(tied)
    return points


def third_player(position: Position) -> Shares:
    """The holdings of the fictitious third player of a game for two (AE-P02, AE-R37, AE-R38, AE-R40)."""
    shares = dict(position.discards)
    add(shares, [AIR_ABACUS] * position.air_abacus)
    add(shares, [*position.market, *(card for card in position.deck if card != SCORING_CARD)])
    return shares


def finish(play: Play[Position], ending: str) -> None:
    """Most victory points, then most Air ABACUS shares in the holdings, then a shared victory (AE-E01, AE-R36)."""
    position = play.position
    position.ending = ending
    keys = [final_key(player) for player in position.players]
    winners = tuple(seat for seat, key in enumerate(keys) if key == max(keys))
    play.emit(GameOver(tuple(player.vp for player in position.players), winners))


def final_key(player: Player) -> tuple[int, int]:
    return player.vp, player.holdings.get(AIR_ABACUS, 0)


def standings(position: Position, viewer: Viewer) -> list[Standing]:
    """Victory points are secret until the end (AE-H01, AE-R44); ties go to Air ABACUS shares (AE-E01)."""
    players = position.players
    if not position.ending:
        return contract.standings([player.vp if viewer.sees(seat) else None for seat, player in enumerate(players)])
    keys = [final_key(player) for player in players]
    return contract.standings([vp for vp, _ in keys], keys, [f"{air_abacus} Air ABACUS" for _, air_abacus in keys])
