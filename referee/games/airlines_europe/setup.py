"""Rulebook, Game setup: the market, the hands, the draw pile with its scoring cards, and the first two shares."""

from collections.abc import Iterator, Mapping

from referee.chance import Chance
from referee.contract import Play, digest
from referee.errors import IllegalOrder
from referee.games.airlines_europe.board import Board
from referee.games.airlines_europe.events import Dealt, MarketOpened, Opened
from referee.games.airlines_europe.late import by_lot
from referee.games.airlines_europe.refusals import of_airlines, why_not_missing
from referee.games.airlines_europe.rules import AEPhase, AEPlay, begin_turn, shift
from referee.games.airlines_europe.state import (
    SCORING_CARD,
    Airline,
    Choose,
    Player,
    Position,
    Settings,
)
from referee.options import Bag, Offer
from referee.piles import pile_of


def setup(board: Board, seats: int, settings: Settings, chance: Chance, has_lots: bool = True) -> Play[Position]:
    """Market, hands, money and markers; then the first two shares are chosen (AE-S01 to AE-S08).

    `has_lots`: whether each seat draws a lot for when it is late, as it does since rules 2 (AE-R46).
    """
    constants = board.constants
    in_play = [airline for airline in board.airlines if airline.id not in board.removed[seats]]
    deck = chance.shuffle("deck", [airline.id for airline in in_play for _ in range(airline.shares)])
    market = draw(deck, constants.market_size)
    hands = [draw(deck, constants.deal) for _ in range(seats)]
    redealt = redeal_single_airlines(deck, hands, chance)
    start = chance.below("start player", seats) if settings.start_player == "random" else 0
    position = Position(
        phase=Opening.name,
        active=start,
        players=[
            Player(constants.start_cash, 1 + (seat - start) % seats, pile_of(sorted(hand)), {})
            for seat, hand in enumerate(hands)
        ],
        bank=(constants.money_per_player - constants.start_cash) * seats,
        deck=build_draw_pile(board, settings, deck, chance),
        market=market,
        air_abacus=board.air_abacus.shares,
        discards={},
        airlines={airline.id: Airline(airline.start, airline.planes, airline.goal is not None) for airline in in_play},
        licences=[[] for _ in board.routes],
    )
    for seat, player in enumerate(position.players):
        if has_lots:
            player.lot = chance.shuffle(f"lot {seat}", list(position.airlines))
    play = Play(position, chance)
    play.emit(MarketOpened(tuple(market), start))
    for seat, hand in enumerate(hands):
        play.emit(Dealt(seat, len(hand), tuple(sorted(hand)), seat in redealt))
    return play


def draw(deck: list[str], number: int) -> list[str]:
    """Cards off the top of a pile."""
    return [deck.pop() for _ in range(number)]


def redeal_single_airlines(deck: list[str], hands: list[list[str]], chance: Chance) -> set[int]:
    """A hand of a single airline goes back into the deck for a new one (AE-S06, AE-R02). Returns the seats."""
    redealt = set()
    for seat, hand in enumerate(hands):
        while len(set(hand)) == 1:
            attempt = sum(drawn.label.startswith(f"redeal {seat}") for drawn in chance.draws)
            deck[:] = chance.shuffle(f"redeal {seat}.{attempt}", deck + hand)
            hand[:] = draw(deck, len(hand))
            redealt.add(seat)
    return redealt


def build_draw_pile(board: Board, settings: Settings, deck: list[str], chance: Chance) -> list[str]:
    """The three scoring piles, the first on top (AE-S08). The top card of a pile is its last."""
    rest = list(deck)
    final = chance.shuffle("final pile", [*draw(rest, board.constants.final_pile), SCORING_CARD])
    jitter = board.draw_pile.jitter if settings.jitter else 0
    first = draw(rest, first_pile(board, len(rest)) + stray(chance, "jitter 1", jitter))
    below = second_pile(len(rest)) - stray(chance, "jitter 2", jitter)
    middle = [*rest[:below], SCORING_CARD, *rest[below:]]
    return [*final, *middle, SCORING_CARD, *reversed(first)]


def first_pile(board: Board, cards: int) -> int:
    """How many of the cards above the final pile lie on the first scoring card: a share, rounded half up (AE-R03)."""
    part, whole = board.draw_pile.first_pile
    return (2 * part * cards + whole) // (2 * whole)


def second_pile(cards: int) -> int:
    """How many of the cards between the first scoring card and the final pile lie below the second one."""
    return cards - cards // 2


def stray(chance: Chance, label: str, most: int) -> int:
    """How far a scoring card lies from its place: a number from -most to most (AE-R03)."""
    return chance.below(label, 2 * most + 1) - most if most else 0


class Opening(AEPhase):
    """Each chooses two shares of different airlines; revealed together, without a dividend (AE-S07, AE-R04)."""

    asks = "your first shares"
    kind = "sealed"
    moves = (Choose,)
    now = "Before the first turn everybody chooses two shares of different airlines to begin with."
    now_rule = "Rulebook, Game setup; AE-S07"

    def seats(self, position: Position) -> tuple[int, ...]:
        return tuple(range(len(position.players)))

    def prompt(self, position: Position, seat: int) -> str:
        return "Choose two shares of different airlines from your hand to begin with."

    def default(self, position: Position, seat: int) -> Choose:
        """By lot, so that the choice tells nothing of what else is in the hand (AE-R46)."""
        player, number = position.players[seat], self.board.constants.opening_shares
        if self.version == "1":  # a hash of the hand, by which others could rule hands out
            order = sorted(player.hand, key=lambda airline: digest([airline, player.hand]))
        else:
            order = by_lot(player)
        return Choose(tuple(sorted(order[:number])))

    def offer_choose(self, position: Position, seat: int) -> Iterator[Offer]:
        number = self.board.constants.opening_shares
        yield Offer(Choose, shares=Bag(dict.fromkeys(position.players[seat].hand, 1), number, number))

    def why_not_choose(self, position: Position, seat: int, move: Choose) -> IllegalOrder | None:
        number = self.board.constants.opening_shares
        rule, hand = "Rulebook, Game setup; AE-S07", position.players[seat].hand
        return why_not_missing(self.board, "shares", move.shares, hand, "in your hand", rule) or IllegalOrder(
            "not_two_airlines",
            f"Choose {number} shares of different airlines; not {of_airlines(move.shares)}.",
            field="shares",
            rule=rule,
            numbers={"chosen": len(move.shares), "needed": number},
        )

    def reveal(self, play: AEPlay, moves: Mapping[int, Choose]) -> None:
        position = play.position
        for seat, move in sorted(moves.items()):
            player = position.players[seat]
            shift(move.shares, player.hand, player.holdings)
            play.emit(Opened(seat, move.shares))
        begin_turn(self, play)
