"""Who gets which victory points at a scoring, and who wins."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

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
    markers = {name: airline.marker for name, airline in position.airlines.items()}
    for row in scored(board, number, [player.holdings for player in position.players], markers, third):
        for player, gained in zip(position.players, row.points, strict=True):
            player.vp += gained
        play.emit(Scored(row.share, row.vp, row.holdings, row.points, row.third))


class ScoredShare(NamedTuple):
    """What an airline brings at a scoring."""

    share: str
    vp: tuple[int, ...]
    holdings: tuple[int, ...]
    third: int
    points: tuple[int, ...]


def scored(
    board: Board, number: int, holdings: Sequence[Shares], markers: Mapping[str, int], third: Shares
) -> Iterator[ScoredShare]:
    order = sorted(markers, key=lambda airline: (-markers[airline], airline))
    values = {airline: board.region(markers[airline]).vp for airline in order}
    values[AIR_ABACUS] = board.air_abacus.vp[number - 1]
    for share, vp in values.items():
        held = tuple(shares.get(share, 0) for shares in holdings)
        points = tuple(award(vp, [*held, third.get(share, 0)])[:-1])
        yield ScoredShare(share, vp, held, third.get(share, 0), points)


class LastScoring(NamedTuple):
    rows: tuple[ScoredShare, ...]
    third: Shares

    def total(self, seat: int) -> int:
        return sum(row.points[seat] for row in self.rows)


def last_scoring(
    board: Board,
    holdings: Sequence[Shares],
    markers: Mapping[str, int],
    discards: Shares,
    air_abacus: int,
    cards: Sequence[str],
) -> LastScoring:
    """The last scoring once more, from what lies on the table after it; `cards` are those of market and draw pile."""
    third = third_holdings(discards, air_abacus, cards) if len(holdings) == IMAGINED_AT else {}
    return LastScoring(tuple(scored(board, SCORINGS, holdings, markers, third)), third)


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
    return third_holdings(position.discards, position.air_abacus, [*position.market, *position.deck])


def third_holdings(discards: Shares, air_abacus: int, cards: Sequence[str]) -> Shares:
    shares = dict(discards)
    add(shares, [AIR_ABACUS] * air_abacus)
    add(shares, [card for card in cards if card != SCORING_CARD])
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
