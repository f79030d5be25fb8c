"""A toy whose rules have changed twice: some logs can go on under the newer rules, others cannot."""

from collections.abc import Iterator

import msgspec

from referee.chance import Chance
from referee.contract import Play
from referee.options import Move, Offer
from tests import toy

BOARD = "game: versioned\nname: toy\nfidelity: made up\n"


class Position(toy.Position, kw_only=True):
    tips: int | msgspec.UnsetType = msgspec.UNSET  # since version 2; where it is not set, it is not written


class Auction(toy.Auction):
    pass


class Journey(toy.Journey):
    def offer_walk(self, position: toy.Position, seat: int) -> Iterator[Offer]:
        """Since version 2 nobody walks."""
        if self.version == "1":
            yield from super().offer_walk(position, seat)

    def apply(self, play: Play[Position], seat: int, move: Move) -> None:
        super().apply(play, seat, move)
        if self.version == "1":
            return
        if isinstance(move, toy.Rank):
            play.emit(toy.Did(seat, "more"))  # everybody sees that there is something
        if isinstance(move, toy.Lots):
            play.position.tips += 1
            play.position.gold[seat] += 100 if self.version == "2" else 200
        if isinstance(move, toy.Spend) and move.mood == "bad":
            play.events[-1] = toy.Did(seat, "sulk")  # only the seat sees a difference


class Versioned(toy.Toy):
    key = "versioned"
    versions = ("1", "2", "3")
    phase_types = (Auction, Journey)
    position_type = Position

    def setup(self, chance: Chance) -> Play[Position]:
        play = super().setup(chance)
        position = Position(**msgspec.structs.asdict(play.position))
        if self.version != "1":
            position.tips = 0
        play.position = position
        return play


def versioned(version: str, moves: int = 4) -> Versioned:
    board = toy.Board(game="versioned", name="toy", fidelity="made up")
    return Versioned.of_version(version, board, 2, toy.Settings(moves))
