"""What standing orders can speak of in Airline (1975). Everything lies open in this game."""

from referee.games.airline_1975.events import ChallengeLost, ChallengeWon, Offered, Owes
from referee.games.airline_1975.landing_rights import connected
from referee.games.airline_1975.state import Deal, Player
from referee.seat_facts import Look, NamedEvent, NamedPhase, Preset, SeatFact, StandingWords, Value


def city(look: Look) -> str | None:
    """The city in which the player stands."""
    found: str = look.board.track[look.me.place].city
    return found or None


def is_free(look: Look) -> bool:
    return bool(city(look)) and city(look) not in look.table.owners


def fare(look: Look) -> int | None:
    here = city(look)
    return int(look.board.city[here].fares[look.me.aircraft]) if here else None


def price(look: Look) -> int | None:
    """What the landing rights cost here, or a challenge for them with the fare that may still be claimed."""
    here, constants = city(look), look.board.constants
    if here is None or here in look.me.cities:
        return None
    if is_free(look):
        return int(constants.landing_rights)
    claimed = sum(claim.amount for claim in look.table.claims if claim.seat == look.seat)
    return int(constants.challenge_fee + claimed)


def cash_after(look: Look) -> int | None:
    cost = price(look)
    return None if cost is None else int(look.me.cash - cost)


def connects(look: Look) -> bool:
    here, me = city(look), look.me
    if here is None or not me.base:
        return False
    return here in connected(look.board, Player(0, me.aircraft, 0, base=me.base, cities=[*me.cities, here]))


def deal(look: Look) -> Deal | None:
    """The last offer that was made to the player and lies open."""
    found: list[Deal] = [deal for deal in look.table.deals if deal.to == look.seat]
    return found[-1] if found else None


def deal_number(look: Look) -> Value:
    found = deal(look)
    return found.number if found else None


def deal_gives(look: Look) -> Value:
    found = deal(look)
    return tuple(found.give) if found else None


def deal_wants(look: Look) -> Value:
    found = deal(look)
    return tuple(found.want) if found else None


def deal_price(look: Look) -> Value:
    found = deal(look)
    return found.price - found.pay if found else None


WORDS = StandingWords(
    facts=(
        SeatFact("cash", "Your money, in millions.", lambda look: look.me.cash),
        SeatFact("round", "The round that is played.", lambda look: look.table.round),
        SeatFact("aircraft", "What you fly.", lambda look: look.me.aircraft, "word", "aircraft"),
        SeatFact("city", "The city in which you stand.", city, "word", "city"),
        SeatFact("free", "Nobody owns the city in which you stand.", is_free, "flag", also=("city is free",)),
        SeatFact("connects", "The city in which you stand would be connected to your base.", connects, "flag"),
        SeatFact("fare", "What the city in which you stand earns with your aircraft.", fare),
        SeatFact("price", "What the landing rights here cost, or a challenge for them.", price, also=("cost",)),
        SeatFact("cash after", "Your money after paying the price.", cash_after),
        SeatFact("my cities", "How many cities you own.", lambda look: len(look.me.cities), also=("cities",)),
        SeatFact("assets", "Your assets.", lambda look: look.me.assets),
        SeatFact(
            "most assets",
            "The highest assets among the others.",
            lambda look: max(
                (one.assets for seat, one in enumerate(look.table.players) if seat != look.seat), default=0
            ),
        ),
        SeatFact(
            "owed",
            "What may be claimed from you or is due.",
            lambda look: sum(d.amount for d in (*look.table.claims, *look.table.debts) if d.seat == look.seat),
        ),
        SeatFact(
            "due",
            "What you may claim.",
            lambda look: sum(claim.amount for claim in look.table.claims if claim.to == look.seat),
        ),
        SeatFact(
            "an offer is open",
            "An offer that was made to you lies open.",
            lambda look: deal(look) is not None,
            "flag",
            also=("offer open", "offer", "an offer is open to me", "deal is open"),
        ),
        SeatFact("deal", "The number of the last offer that was made to you.", deal_number),
        SeatFact("deal gives", "The cities that you would get.", deal_gives, "list", "city", price="deal price"),
        SeatFact("deal wants", "The cities that you would give.", deal_wants, "list", "city", price="deal price"),
        SeatFact("deal price", "What you would pay; below 0, what you would get.", deal_price),
    ),
    phases=(
        NamedPhase("bases", "Choosing the base city.", ("bases",), ("base",)),
        NamedPhase("departure", "Before the throw of your turn.", ("departure",), ("throw",)),
        NamedPhase("landing", "After the throw: landing rights, a challenge, or nothing.", ("landing",)),
        NamedPhase("deals", "Offers, at any time.", ("deals",), ("deal", "an offer")),
        NamedPhase("claims", "Money that is due to you and must be claimed.", ("claims",), ("claim",)),
        NamedPhase("raising", "You cannot pay what you owe.", ("raising",), ("debt",)),
    ),
    events=(
        NamedEvent(
            "challenged",
            "Somebody has challenged you for a city.",
            lambda event, seat: isinstance(event, ChallengeWon | ChallengeLost) and event.owner == seat,
        ),
        NamedEvent(
            "robbed",
            "A challenge has taken a city from you.",
            lambda event, seat: isinstance(event, ChallengeWon) and event.owner == seat,
        ),
        NamedEvent(
            "offered", "An offer is made to you.", lambda event, seat: isinstance(event, Offered) and event.to == seat
        ),
        NamedEvent("in debt", "You cannot pay.", lambda event, seat: isinstance(event, Owes) and event.seat == seat),
    ),
    presets=(
        Preset(
            "throw",
            "Throw for me, unless I could change aircraft or an offer is open.",
            "at departure: throw unless I can change aircraft or an offer is open",
        ),
        Preset("claim", "Always claim what is due to me.", "in claims: claim"),
        Preset(
            "land",
            "Buy a free city if I keep 20 million, and pass otherwise.",
            "on landing: buy if free and cash after >= 20; else pass",
        ),
        Preset("refuse", "Refuse every offer.", "in deals: refuse if an offer is open"),
    ),
    fills={"deal": "deal"},
)
