"""What standing orders can speak of in Spike. Hands and routes are compared by their owner alone."""

from referee.games.spike.events import Standstill, TimeCardUp
from referee.seat_facts import Look, NamedEvent, NamedPhase, Preset, SeatFact, StandingWords, Value


def hand_size(look: Look) -> Value:
    return int(sum((look.me.hand or {}).values()))


def in_city(look: Look) -> Value:
    return str(look.me.at) if look.me.at in look.board.city else None


def aboard(look: Look) -> tuple[str, ...]:
    return tuple(goods for goods, contract in look.me.contracts.items() if contract.aboard)


def open_contracts(look: Look) -> Value:
    return sum(not contract.delivered for contract in look.me.contracts.values())


WORDS = StandingWords(
    facts=(
        SeatFact("money", "Your money, which is your score.", lambda look: look.me.score, also=("score", "cash")),
        SeatFact("round", "The round.", lambda look: look.table.round),
        SeatFact("cards", "How many rail cards you hold.", hand_size, also=("hand",)),
        SeatFact(
            "in hand",
            "The rail types that you hold cards of.",
            lambda look: tuple(look.me.hand or ()),
            "list",
            "card",
            also=("hand has",),
        ),
        SeatFact(
            "face up",
            "The rail cards that lie face up.",
            lambda look: tuple(dict.fromkeys(look.table.display)),
            "list",
            "card",
            also=("display",),
        ),
        SeatFact("deck", "How many cards are left in the deck.", lambda look: look.table.deck_size),
        SeatFact("drawn", "How many cards you have drawn in this turn.", lambda look: look.table.drawn),
        SeatFact("city", "The city in which your train stands.", in_city, "word", "city"),
        SeatFact("in a city", "Your train stands in a city.", lambda look: in_city(look) is not None, "flag"),
        SeatFact("aboard", "The commodities on your train.", aboard, "list", "commodity"),
        SeatFact("cargo", "How much is on your train.", lambda look: len(aboard(look))),
        SeatFact("contracts", "Your contracts that are not delivered yet.", open_contracts),
        SeatFact(
            "my tracks left",
            "Tracks that you can still build.",
            lambda look: look.me.tracks_left,
            also=("tracks left",),
        ),
        SeatFact(
            "my cities",
            "How many cities are connected to your network.",
            lambda look: len(look.me.cities),
            also=("cities",),
        ),
        SeatFact("speed", "The speed of your train.", lambda look: look.me.train["speed"]),
        SeatFact("power", "How many cards you may draw in a turn.", lambda look: look.me.train["power"]),
        SeatFact("time cards", "Time cards that have come up in the last round.", lambda look: look.table.time_cards),
    ),
    phases=(
        NamedPhase("sides", "Choosing the sides of your contracts.", ("sides",), ("contracts",)),
        NamedPhase("gift", "Giving a card to your neighbour.", ("gift",)),
        NamedPhase("routes", "Choosing the route to keep.", ("routes",)),
        NamedPhase("placement", "Placing the train.", ("placement",)),
        NamedPhase("turn", "Your action, and what may come before it.", ("turn",), ("action",)),
        NamedPhase("drawing", "The further cards of a draw.", ("drawing",)),
        NamedPhase("arrival", "Your train has come to a city.", ("arrival",)),
    ),
    events=(
        NamedEvent("a time card", "A Time card comes up.", lambda event, seat: isinstance(event, TimeCardUp)),
        NamedEvent("a standstill", "Nobody has done anything.", lambda event, seat: isinstance(event, Standstill)),
    ),
    presets=(
        Preset(
            "deliver", "Deliver, then load, whatever I can; then be done.", "in arrival: deliver; else load; else done"
        ),
        Preset("draw", "Go on drawing from the deck as long as I may.", "in drawing: draw deck; else done"),
        Preset("collect", "Draw from the deck while I hold fewer than 4 cards.", "in turn: draw deck if cards < 4"),
        Preset("keep", "Keep my contracts as they are dealt.", "in sides: turn nothing"),
    ),
)
