"""What standing orders can speak of in Kings of Air & Steam. Plans are compared by their owner alone."""

from referee.games.kings_of_air_and_steam.events import GoodStolen, MoneyStolen, TollPaid
from referee.seat_facts import Look, NamedEvent, NamedPhase, Preset, SeatFact, StandingWords, Value


def is_on_depot(look: Look) -> bool:
    return look.me.at in look.me.depots


def goods_here(look: Look) -> Value:
    """What waits at the factory where the Airship is."""
    found: Value = look.table.factories.get(look.me.at)
    return found


def stored(look: Look) -> Value:
    return sum(int(sum(goods.values())) for goods in look.me.depots.values())


WORDS = StandingWords(
    facts=(
        SeatFact("cash", "Your money.", lambda look: look.me.cash),
        SeatFact("round", "The round, 1 to 5.", lambda look: look.table.round),
        SeatFact("cycle", "The cycle of the round, 1 to 4.", lambda look: look.table.cycle),
        SeatFact("hold", "How many Goods are in your hold.", lambda look: len(look.me.hold), also=("cargo",)),
        SeatFact("room", "How many more Goods your hold takes.", lambda look: look.me.capacity - len(look.me.hold)),
        SeatFact("aboard", "The Goods in your hold.", lambda look: tuple(look.me.hold), "list", "good"),
        SeatFact("on my depot", "Your Airship is over a Depot of yours.", is_on_depot, "flag", also=("at a depot",)),
        SeatFact("goods here", "How many Goods wait at the factory where you are.", goods_here),
        SeatFact("stored", "How many Goods lie in your Depots.", stored),
        SeatFact("my depots", "How many Depots you have built.", lambda look: len(look.me.depots), also=("depots",)),
        SeatFact("supply", "Depots that you can still build.", lambda look: look.me.supply),
        SeatFact("airship", "The level of your Airship.", lambda look: look.me.airship_level, also=("airship level",)),
        SeatFact("train", "The level of your train.", lambda look: look.me.train_level, also=("train level",)),
        SeatFact("rating", "The Train Rating.", lambda look: look.me.rating),
        SeatFact("score", "Your score as it stands.", lambda look: look.me.score),
        SeatFact("tokens", "Tokens of your character.", lambda look: look.me.tokens),
        SeatFact("card", "The card that is flown now.", lambda look: look.table.flying or None, "word", "card"),
    ),
    phases=(
        NamedPhase("teams", "Choosing a team.", ("teams",), ("team",)),
        NamedPhase("characters", "Choosing a character.", ("characters",), ("character",)),
        NamedPhase("placement", "Placing the first Depot.", ("placement",)),
        NamedPhase("planning", "The sealed plan of four cards.", ("planning",), ("plan",)),
        NamedPhase("flight", "Flying the Airship.", ("flight",)),
        NamedPhase("cargo", "Unloading and loading.", ("cargo", "loading"), ("loading",)),
        NamedPhase("theft", "Stealing a Good.", ("theft",)),
        NamedPhase("sphinx shipment", "The second shipment.", ("sphinx_shipment",)),
        NamedPhase("action", "The action of a cycle.", ("action",)),
        NamedPhase("perpetual motion", "The second action.", ("perpetual_motion",)),
        NamedPhase("market sense", "Choosing the tile that a City demands next.", ("market_sense",), ("demand",)),
        NamedPhase("upkeep", "Paying for Goods that are kept, sealed.", ("upkeep",)),
        NamedPhase("clearance", "Selling what lies in Depots, at the end.", ("clearance",)),
    ),
    events=(
        NamedEvent(
            "robbed",
            "Somebody has stolen from you.",
            lambda event, seat: isinstance(event, GoodStolen | MoneyStolen) and event.victim == seat,
        ),
        NamedEvent(
            "a toll", "Somebody pays you a toll.", lambda event, seat: isinstance(event, TollPaid) and event.to == seat
        ),
    ),
    presets=(
        Preset("keep", "Keep all Goods at the upkeep.", "in upkeep: return nothing"),
        Preset(
            "cargo",
            "Unload everything over a Depot of mine, load all that fits, and be done.",
            "in cargo: unload all if on my depot; load all if room >= goods here; else done",
        ),
        Preset("clear", "At the Clearance, clear whatever gains.", "in clearance: default"),
        Preset("solicit", "Solicit funds when I have less than $3.", "in action: solicit if cash < 3"),
        Preset("theft", "Steal nothing.", "in theft: done"),
    ),
)
