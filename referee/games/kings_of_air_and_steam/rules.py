"""The rules of Kings of Air & Steam: the sequence of play. Longer steps have a file of their own, named at the right.

Setup          boards, market, goods                         setup.lay_table, setup.lay_boards
  Normal game  teams, and characters in secret               setup.Teams or teams_by_lot, setup.Characters
               Depot and Airship, in reverse order           setup.starting_depots, setup.Placement
Five rounds    1 New Market                                  new_market
               2 Plan Airship Movement, sealed               Planning
               3 Move & Action, four cycles of turns         cycle, turn
                 a) check Diamonds                           turn
                 b) fly, then load and unload                flight.Flight, load_unload.Cargo
                 c) one Action                               actions.Action, ship_goods, characters
               4 Upkeep, sealed                              Upkeep, cards_and_marker
               5 Production                                  produce, deferred_demand
The end        Clearance                                     clearance.Clearance
               Scoring                                       scoring.scoring
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any

from referee.chance import Chance
from referee.contract import counted
from referee.errors import IllegalOrder
from referee.games.kings_of_air_and_steam.actions import Action, PerpetualMotion
from referee.games.kings_of_air_and_steam.board import Board
from referee.games.kings_of_air_and_steam.clearance import clearance_gains, final_clearance
from referee.games.kings_of_air_and_steam.events import (
    CycleBegan,
    MarkerPassed,
    NewMarket,
    Planned,
    Produced,
    TurnSkipped,
    UpkeepPaid,
)
from referee.games.kings_of_air_and_steam.flight import Flight
from referee.games.kings_of_air_and_steam.load_unload import Cargo, Theft
from referee.games.kings_of_air_and_steam.play_area import assemble
from referee.games.kings_of_air_and_steam.scoring import scoring
from referee.games.kings_of_air_and_steam.setup import lay_table, starting_depots
from referee.games.kings_of_air_and_steam.ship_goods import (
    SphinxShipment,
    demand_tile,
    draw_demand,
    next_waiting,
)
from referee.games.kings_of_air_and_steam.state import (
    HOLD,
    Plan,
    Player,
    Position,
    Return,
    Settings,
    airship_level,
    as_list,
    exposed_diamonds,
    has_ability,
    is_normal,
    lot,
    price,
    split_lot,
    stored_lots,
    tie_order,
)
from referee.games.kings_of_air_and_steam.steps import KASPlay, Step, next_up, procedure, proceed, why_not_missing
from referee.options import Bag, Move, Offer, Rng
from referee.piles import pile_of, take


def sequence(board: Board, settings: Settings, version: str) -> list[str]:
    """The agenda of a whole game (KAS-F10)."""
    cycles = ["cycle"] * board.constants.cycles
    last = ["production"] if version == "1" else ["produce", "deferred_demand"]
    a_round = ["new_market", "planning", *cycles, "upkeep", "cards_and_marker", *last]
    teams = {"choose": "teams_by_choice", "random": "teams_by_lot"}[settings.teams]
    normal = [teams, "characters"] if settings.game == "normal" else ["first_player_marker"]
    end = [final_clearance.__name__, scoring.__name__]
    return [*normal, starting_depots.__name__, *a_round * board.constants.rounds, *end]


def begin(board: Board, seats: int, settings: Settings, version: str, chance: Chance) -> KASPlay:
    """The table laid, and the agenda followed up to the first decision."""
    play = lay_table(board, seats, settings, chance, sequence(board, settings, version))
    proceed(board, settings, version, play)
    return play


# 1. New Market


@procedure
def new_market(board: Board, play: KASPlay) -> None:
    """The bins are filled; each tile moves its good one drawer on, but not past the last (KAS-F15, KAS-R29)."""
    position = play.position
    position.round += 1
    play.reveals = True
    shuffled = play.chance.shuffle(f"market {position.round}", position.tiles)
    position.bins, position.tiles = shuffled[: board.market.bins], sorted(shuffled[board.market.bins :])
    for good in position.bins:
        position.drawers[good] = min(position.drawers[good] + 1, len(board.market.drawers) - 1)
    prices = tuple((good, price(board, position, good)) for good in board.goods)
    play.emit(NewMarket(position.round, tuple(position.bins), prices))


# 2. Plan Airship Movement


class Hand(Bag):
    """A bag whose order counts: the cards of a plan."""

    def sample(self, rng: Rng) -> tuple[str, ...]:
        left = self._all()
        return tuple(left.pop(rng.randrange(len(left))) for _ in range(self.high))

    def values(self) -> Iterator[tuple[str, ...]]:
        for cards in super().values():
            yield from dict.fromkeys(permutations(cards))

    def canonical(self, value: tuple[str, ...]) -> tuple[str, ...]:
        return value

    def listing(self) -> dict[str, Any]:
        return super().listing() | {"ordered": True}


def often(times: int) -> str:
    return {1: "once", 2: "twice"}.get(times, f"{times} times")


class Planning(Step):
    """A card for each cycle, in order; more diamonds than the rating may be planned, at a risk (KAS-R11)."""

    asks = "your plan"
    kind = "sealed"
    moves = (Plan,)

    def comes_up(self, play: KASPlay) -> bool:
        play.position.cycle = 0
        return True

    def seats(self, position: Position) -> tuple[int, ...]:
        return tuple(range(len(position.players)))

    def prompt(self, position: Position, seat: int) -> str:
        letters = {board_card.letter: "" for board_card in self.board.cards}
        for card in self.board.cards:
            letters[card.letter] += f" or {card.id}" if letters[card.letter] else card.id
        told = ", ".join(f"{letter} {cards}" for letter, cards in letters.items())
        number = self.board.constants.cycles
        return f"Plan {number} cards, in the order in which you will fly them. Turns go by letter: {told}."

    def default(self, position: Position, seat: int) -> Plan:
        """The slowest cards without diamonds."""
        cards = self.board.card
        deck = sorted(position.players[seat].deck, key=lambda card: (cards[card].diamonds, cards[card].letter, card))
        return Plan(tuple(deck[: self.board.constants.cycles]))

    def offer_plan(self, position: Position, seat: int) -> Iterator[Offer]:
        number = self.board.constants.cycles
        yield Offer(Plan, cards=Hand(pile_of(sorted(position.players[seat].deck)), number, number))

    def why_not_plan(self, position: Position, seat: int, move: Plan) -> IllegalOrder | None:
        number, name = self.board.constants.cycles, self.board.card_name
        deck = pile_of(sorted(position.players[seat].deck))
        for card in dict.fromkeys(move.cards):
            planned, there = move.cards.count(card), deck.get(card, 0)
            if planned > there:
                return IllegalOrder(
                    "no_such_card",
                    (
                        f"You have {name(card)} {often(there)}, not {often(planned)}."
                        if there
                        else f"You have no {name(card)}."
                    )
                    + f" Your cards: {', '.join(f'{name(have)} {often(times)}' for have, times in deck.items())}.",
                    field="cards",
                    rule="Rulebook, Plan Airship Movement",
                    numbers={"planned": planned, "there": there},
                )
        return IllegalOrder(
            "not_four_cards",
            f"Plan just {number} cards, not {len(move.cards)}.",
            field="cards",
            rule="Rulebook, Plan Airship Movement; KAS-R11",
            numbers={"planned": len(move.cards), "needed": number},
        )

    def reveal(self, play: KASPlay, moves: Mapping[int, Plan]) -> None:
        """The cards stay face down until their cycle."""
        for seat, move in moves.items():
            player = play.position.players[seat]
            player.plan = list(move.cards)
            for card in move.cards:
                player.deck.remove(card)
        play.emit(Planned())
        self.proceed(play)


# 3. Move & Action


@procedure
def cycle(board: Board, play: KASPlay) -> None:
    """Everyone's next card is revealed; turns go by letter, ties by marker or priority (KAS-F17)."""
    position = play.position
    position.cycle += 1
    play.reveals = True
    for player in position.players:
        player.card = player.plan.pop(0)
    cards = [player.card for player in position.players]
    position.order = sorted(tie_order(board, position), key=lambda seat: board.card[cards[seat]].letter)
    play.emit(CycleBegan(position.cycle, tuple(position.order), tuple(cards)))
    next_up(position, *[turn.__name__] * len(cards))


@procedure
def turn(board: Board, play: KASPlay) -> None:
    """a) Check Diamonds: too many, and the card goes back and the turn is skipped (KAS-F29, KAS-R09, KAS-R10, KAS-R12).
    Otherwise b) Movement and c) Action follow as the card and the character say."""
    position = play.position
    seat = position.active = position.order.pop(0)
    player = position.players[seat]
    name, player.card = player.card, ""
    card, rating = board.card[name], airship_level(board, player).diamonds
    diamonds = exposed_diamonds(board, player) + card.diamonds
    if diamonds > rating:
        player.deck.append(name)
        player.returned.append(name)
        play.emit(TurnSkipped(seat, name, diamonds, rating))
        return
    player.shown.append(name)
    position.flying = name
    movement = [Flight.name, Cargo.name]
    if has_ability(board, player, "expert_pilot"):
        movement.insert(0, Cargo.name)  # KAS-R51: before the flight, too
    between = {"": [], "ship": [SphinxShipment.name], "steal": [Theft.name]}[card.then]
    second = [PerpetualMotion.name] if has_ability(board, player, "perpetual_motion") else []
    next_up(position, *movement * card.flights, *between, *[Action.name] * card.actions, *second)


# 4. Upkeep


class Upkeep(Step):
    """Each Good kept in the hold or in a Depot is paid for; the others go back to the stockpile (KAS-F38, KAS-R30)."""

    asks = "your Upkeep"
    kind = "sealed"
    moves = (Return,)

    def comes_up(self, play: KASPlay) -> bool:
        """Players without Goods or without money have no choice."""
        if not self.seats(play.position):
            self.settle(play, {})
            return False
        return True

    def seats(self, position: Position) -> tuple[int, ...]:
        players = enumerate(position.players)
        return tuple(seat for seat, player in players if player.cash and self.lots(player))

    def prompt(self, position: Position, seat: int) -> str:
        goods = counted(sum(self.lots(position.players[seat]).values()), "Good")
        each = f"${self.board.constants.upkeep} for each"
        return f"You have {goods}: pay {each} or return it. Name what you return, or keep all."

    def lots(self, player: Player) -> dict[str, int]:
        held = {lot(HOLD, good): number for good, number in pile_of(player.hold).items()}
        return held | stored_lots(player)

    def unpaid(self, player: Player) -> int:
        """How many Goods cannot be paid for."""
        return max(0, sum(self.lots(player).values()) - player.cash // self.board.constants.upkeep)

    def default(self, position: Position, seat: int) -> Return:
        """As much as can be paid is kept; what was loaded last goes first. In the last round only what the Clearance
        pays for is kept (KAS-R30), which version 1 did not mind."""
        player = position.players[seat]
        if position.round == self.board.constants.rounds and self.version != "1":
            kept = self.worth_keeping(position, seat)[: player.cash // self.board.constants.upkeep]
            returned = Counter(self.lots(player))
            returned.subtract(kept)
            return Return(tuple(sorted(returned.elements())))
        dropped = [*(lot(HOLD, good) for good in reversed(player.hold)), *as_list(stored_lots(player))]
        return Return(tuple(sorted(dropped[: self.unpaid(player)])))

    def worth_keeping(self, position: Position, seat: int) -> list[str]:
        """The Goods that bring more at the Clearance than their upkeep, the best first."""
        gains = clearance_gains(self.board, position, seat)
        stored = as_list(stored_lots(position.players[seat]))
        worth = [item for item in stored if gains.get(item, 0) > self.board.constants.upkeep]
        return sorted(worth, key=lambda item: -gains[item])

    def offer_return(self, position: Position, seat: int) -> Iterator[Offer]:
        lots = self.lots(position.players[seat])
        yield Offer(Return, lots=Bag(lots, self.unpaid(position.players[seat]), sum(lots.values())))

    def why_not_return(self, position: Position, seat: int, move: Return) -> IllegalOrder | None:
        player = position.players[seat]
        unpaid = self.unpaid(player)
        return why_not_missing("lots", move.lots, self.lots(player), "there") or IllegalOrder(
            "cannot_pay",
            f"Your ${player.cash} do not pay for all you keep: return at least {unpaid}, not {len(move.lots)}.",
            field="lots",
            rule="Rulebook, Upkeep; KAS-R30",
            numbers={"cash": player.cash, "least": unpaid, "returned": len(move.lots)},
        )

    def suggests(self, position: Position, seat: int, move: Move) -> bool:
        """What the clock would return, and no more."""
        return False

    def reveal(self, play: KASPlay, moves: Mapping[int, Return]) -> None:
        self.settle(play, {seat: move.lots for seat, move in moves.items()})
        self.proceed(play)

    def settle(self, play: KASPlay, returned: Mapping[int, tuple[str, ...]]) -> None:
        position = play.position
        for seat, player in enumerate(position.players):
            lots = returned.get(seat, tuple(as_list(self.lots(player))))
            for place, good in map(split_lot, lots):
                position.stock[good] += 1
                if place == HOLD:
                    player.hold.remove(good)
                else:
                    take(player.depots[place], [good])
            paid = self.board.constants.upkeep * sum(self.lots(player).values())
            player.cash -= paid
            if paid or lots:
                play.emit(UpkeepPaid(seat, paid, lots))


@procedure
def cards_and_marker(board: Board, play: KASPlay) -> None:
    """All cards return to the decks (KAS-R32) and the First-player marker passes clockwise."""
    position = play.position
    for player in position.players:
        player.deck += player.shown
        player.shown, player.returned = [], []
    if not is_normal(position):
        position.first = (position.first + 1) % len(position.players)
        play.emit(MarkerPassed(position.first))


# 5. Production


@procedure
def produce(board: Board, play: KASPlay) -> None:
    """Factories produce, and the Market tiles become Demand tiles (KAS-F39)."""
    position, constants = play.position, board.constants
    bins, factory_at = position.bins, assemble(board, position.layout).factory_at
    made = {good: constants.factory_production + constants.factory_bonus * bins.count(good) for good in board.goods}
    for space, good in factory_at.items():
        position.factories[space] += made[good]
        position.stock[good] -= made[good]
    play.emit(Produced(tuple(made.items())))
    position.demand, position.bins = sorted(position.demand + bins), []


@procedure
def deferred_demand(board: Board, play: KASPlay) -> None:
    """Cities that wait for a Demand tile get one, the earliest first; Flora Kingston chooses it as she would have done
    when the City was fulfilled (KAS-R26, KAS-R58)."""
    position = play.position
    if position.waiting and position.demand:
        next_up(position, deferred_demand.__name__)
        demand_tile(board, play, *next_waiting(position))


@procedure
def production(board: Board, play: KASPlay) -> None:
    """The whole of Production in version 1, where nobody chose the tiles of Cities that waited."""
    position = play.position
    produce(board, play)
    while position.waiting and position.demand:
        draw_demand(board, play, position.waiting.pop(0))
