"""What standing orders can speak of in Airlines Europe. Hands and victory points are compared by their owner alone."""

from referee.games.airlines_europe.events import BankBankrupt, ScoringCardUp
from referee.seat_facts import Look, NamedEvent, NamedPhase, Preset, SeatFact, StandingWords, Value


def hand_size(look: Look) -> Value:
    return int(sum((look.me.hand or {}).values()))


def largest_stack(look: Look) -> Value:
    return int(max((look.me.hand or {}).values(), default=0))


def cheapest(look: Look) -> Value:
    """What the cheapest licence costs that can be bought for anybody."""
    board, licences = look.board, look.table.licences
    costs = [
        board.route[route].licences[len(licences.get(route, ()))]
        for airline in look.table.airlines.values()
        for route in airline.routes
    ]
    return min(costs, default=None)


WORDS = StandingWords(
    facts=(
        SeatFact("cash", "Your money, in millions.", lambda look: look.me.cash),
        SeatFact("vp", "Your victory points.", lambda look: look.me.vp, also=("points", "victory points")),
        SeatFact("hand", "How many shares you hold in your hand.", hand_size, also=("hand size", "shares in hand")),
        SeatFact("stack", "How many shares of one airline you have in your hand at most.", largest_stack),
        SeatFact("holdings", "How many shares lie in front of you.", lambda look: sum(look.me.holdings.values())),
        SeatFact(
            "held",
            "The airlines of which shares lie in front of you.",
            lambda look: tuple(look.me.holdings),
            "list",
            "airline",
        ),
        SeatFact(
            "in hand",
            "The airlines of which you have shares in your hand.",
            lambda look: tuple(look.me.hand or ()),
            "list",
            "airline",
            also=("hand has",),
        ),
        SeatFact(
            "market",
            "The airlines whose shares lie in the market.",
            lambda look: tuple(dict.fromkeys(look.table.market)),
            "list",
            "airline",
            also=("market has",),
        ),
        SeatFact("scorings", "How many scorings there have been.", lambda look: look.table.scorings),
        SeatFact("pile", "How many cards are left in the pile.", lambda look: look.table.deck_size, also=("deck",)),
        SeatFact("bank", "The money in the bank.", lambda look: look.table.bank),
        SeatFact("abacus", "Air ABACUS shares that can still be had.", lambda look: look.table.air_abacus),
        SeatFact("cheapest", "What the cheapest licence costs now.", cheapest, also=("price",)),
        SeatFact(
            "most cash",
            "The most money that another player has.",
            lambda look: max((one.cash for seat, one in enumerate(look.table.players) if seat != look.seat), default=0),
        ),
    ),
    phases=(
        NamedPhase("opening", "The sealed choice of the first shares.", ("opening",)),
        NamedPhase("turn", "The action of your turn.", ("turn",), ("action",)),
        NamedPhase("share", "Taking a share after a licence, or buying a second one.", ("share",), ("taking",)),
        NamedPhase("clearing", "Taking a share when the market is cleared.", ("clearing",), ("clearing of market",)),
    ),
    events=(
        NamedEvent("a scoring", "A scoring card comes up.", lambda event, seat: isinstance(event, ScoringCardUp)),
        NamedEvent("the bank is broke", "The bank cannot pay.", lambda event, seat: isinstance(event, BankBankrupt)),
    ),
    presets=(
        Preset("pile", "After a licence, take a share from the pile.", "in share: take pile"),
        Preset("clear", "When the market is cleared, take whatever lies first.", "in clearing: take any"),
        Preset("money", "Take money when I have less than 4 million.", "in turn: take money if cash < 4"),
        Preset("open", "Open with any two shares.", "in opening: choose any"),
    ),
)
