"""Load and Unload, after a flight or a Route Adjustment (KAS-F31); and the Godfather card's theft (KAS-R53)."""

from collections.abc import Iterator
from itertools import combinations
from typing import ClassVar

from referee.errors import IllegalOrder
from referee.games.kings_of_air_and_steam.events import GoodStolen, Loaded, Unloaded
from referee.games.kings_of_air_and_steam.play_area import assemble
from referee.games.kings_of_air_and_steam.state import (
    DEPOT,
    HOLD,
    Done,
    Goods,
    Load,
    Player,
    Position,
    Steal,
    Unload,
    airship_level,
    colour,
    room,
    seat_of,
)
from referee.games.kings_of_air_and_steam.steps import KASPlay, Optional, next_up, why_not_missing
from referee.options import Bag, Move, Offer, OneOf
from referee.piles import add, pile_of, take


class Loading(Optional):
    """Load from a Factory or from a Depot of one's own, never from another player's (KAS-R15)."""

    asks = "your Goods"
    moves: ClassVar[tuple[type[Move], ...]] = (Load, Done)

    def comes_up(self, play: KASPlay) -> bool:
        position = play.position
        kinds = [kind for kind in self.moves if kind is not Done]
        return any(True for _ in self.offers(position, position.active, *kinds))

    def prompt(self, position: Position, seat: int) -> str:
        return f"Load Goods on {position.players[seat].at}, or be done."

    def here(self, position: Position, player: Player) -> Goods:
        """The Goods that may be loaded here."""
        if player.at in player.depots:
            return player.depots[player.at]
        waiting = position.factories.get(player.at, 0)
        return {assemble(self.board, position.layout).factory_at[player.at]: waiting} if waiting else {}

    def offer_load(self, position: Position, seat: int) -> Iterator[Offer]:
        """Goods are jettisoned only as far as capacity forces, for Goods of other types (KAS-R13)."""
        player = position.players[seat]
        here, free, held = self.here(position, player), room(self.board, player), pile_of(player.hold)
        if here and free:
            yield Offer(Load, goods=Bag(here, 1, free), jettison=())
        for kinds in range(1, len(held) + 1):
            for thrown in combinations(held, kinds):
                out = {good: held[good] for good in thrown}
                into = {good: number for good, number in here.items() if good not in out}
                for number in range(1, min(sum(out.values()), sum(into.values()) - free) + 1):
                    size = free + number
                    yield Offer(Load, goods=Bag(into, size, size), jettison=Bag(out, number, number))

    def suggests(self, position: Position, seat: int, move: Move) -> bool:
        """Nothing is thrown away for a slip."""
        return not isinstance(move, Load) or not move.jettison

    def why_not_load(self, position: Position, seat: int, move: Load) -> IllegalOrder | None:
        player = position.players[seat]
        here, held = self.here(position, player), pile_of(player.hold)
        capacity = airship_level(self.board, player).capacity
        missing = why_not_missing("goods", move.goods, here, f"on {player.at} to load") or why_not_missing(
            "jettison", move.jettison, held, "in your hold"
        )
        if missing:
            return missing
        forced = max(0, len(player.hold) + len(move.goods) - capacity)
        if set(move.goods) & set(move.jettison):
            message = "Goods are jettisoned to make room for Goods of a different type."
            return IllegalOrder("same_type", message, field="jettison", rule="KAS-R13")
        return IllegalOrder(
            "wrong_jettison",
            f"Your hold takes {capacity} and has {len(player.hold)}: to load {len(move.goods)} you must jettison just"
            f" {forced}, not {len(move.jettison)}.",
            field="jettison",
            rule="Rulebook, Load/Unload; KAS-R13",
            numbers={"capacity": capacity, "held": len(player.hold), "loaded": len(move.goods), "forced": forced},
        )

    def apply_load(self, play: KASPlay, seat: int, move: Load) -> None:
        position, player = play.position, play.position.players[seat]
        for good in move.jettison:
            jettison(position, player, good)
        for good in move.goods:
            if player.at in player.depots:
                take(player.depots[player.at], [good])
            else:
                position.factories[player.at] -= 1
        player.hold += move.goods
        play.emit(Loaded(seat, move.goods, move.jettison, player.at))


class Cargo(Loading):
    """Unload first, then Load: any mix of both (KAS-R14)."""

    asks = "your Goods"
    moves = (Unload, Load, Done)

    def prompt(self, position: Position, seat: int) -> str:
        at = position.players[seat].at
        what = "Load or unload" if at in position.players[seat].depots else "Load"
        return f"{what} Goods on {at}, or be done."

    def offer_unload(self, position: Position, seat: int) -> Iterator[Offer]:
        player = position.players[seat]
        if player.at in player.depots and player.hold:
            yield Offer(Unload, goods=Bag(pile_of(player.hold), 1, len(player.hold)))

    def why_not_unload(self, position: Position, seat: int, move: Unload) -> IllegalOrder | None:
        player = position.players[seat]
        if player.at not in player.depots:
            message = f"You have no Depot on {player.at}."
            return IllegalOrder("no_depot_here", message, rule="Rulebook, Load/Unload")
        return why_not_missing("goods", move.goods, pile_of(player.hold), "in your hold")

    def apply_unload(self, play: KASPlay, seat: int, move: Unload) -> None:
        player = play.position.players[seat]
        depot = player.depots[player.at]
        if depot:  # otherwise there is nothing to load but what has just been unloaded
            next_up(play.position, Loading.name)
        for good in move.goods:
            player.hold.remove(good)
        add(depot, move.goods)
        play.emit(Unloaded(seat, move.goods, player.at))


class Theft(Optional):
    """The Godfather card: one Good from an Airship or a Depot in the same space, into the hold (KAS-R53)."""

    asks = "your theft"
    moves = (Steal, Done)

    def comes_up(self, play: KASPlay) -> bool:
        return any(True for _ in self.offer_steal(play.position, play.position.active))

    def prompt(self, position: Position, seat: int) -> str:
        return f"Steal a Good of another player on {position.players[seat].at}, or be done."

    def offer_steal(self, position: Position, seat: int) -> Iterator[Offer]:
        thief = position.players[seat]
        jettisoned = "" if room(self.board, thief) else OneOf(*sorted(set(thief.hold)))
        for other, victim in enumerate(position.players):
            if other == seat:
                continue
            places = {DEPOT: victim.depots.get(thief.at, {})}
            if victim.at == thief.at:
                places[HOLD] = pile_of(victim.hold)
            for place, goods in places.items():
                if goods:
                    whose = colour(self.board, other)
                    yield Offer(Steal, good=OneOf(*sorted(goods)), victim=whose, place=place, jettison=jettisoned)

    def suggests(self, position: Position, seat: int, move: Move) -> bool:
        return not isinstance(move, Steal) or not move.jettison

    def apply_steal(self, play: KASPlay, seat: int, move: Steal) -> None:
        position, thief = play.position, play.position.players[seat]
        victim = position.players[seat_of(self.board, move.victim)]
        if move.jettison:
            jettison(position, thief, move.jettison)
        if move.place == HOLD:
            victim.hold.remove(move.good)
        else:
            take(victim.depots[thief.at], [move.good])
        thief.hold.append(move.good)
        play.emit(GoodStolen(seat, seat_of(self.board, move.victim), move.good, move.place, move.jettison))


def jettison(position: Position, player: Player, good: str) -> None:
    player.hold.remove(good)
    position.stock[good] += 1
