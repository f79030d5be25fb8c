"""Makes the golden games in which rare things happen: python -m tests.referee.games.airlines_europe.rare

Players who hoard break the bank; then they link homes with goals and draw from the pile, until somebody draws its last
card, a scoring card. Players who trade and spend all they have come to the point where only money can be taken.
"""

from collections import Counter, deque
from collections.abc import Callable
from random import Random

from commands.golden import GOLDEN, write
from referee.conformance.playing import Choose, Moment, play
from referee.contract import Decision
from referee.games import open_game
from referee.games.airlines_europe.licences import network
from referee.games.airlines_europe.state import SCORING_CARD, Buy, TakeMoney, TakeShare
from referee.options import Move, sample, type_name
from referee.record import Record, close
from referee.table import Table

FOLDER = GOLDEN / "airlines-europe"
TRIES = 3000


def linking(table: Table, decision: Decision, rng: Random) -> Move:
    """Hoards until the bank breaks, then buys the next licence towards a goal city."""
    position, seat = table.position, decision.seat
    offers = table.offers(seat)
    legal = {move for offer in offers if offer.move is Buy for move in offer.moves()}
    if position.phase == "opening":
        return sample(offers, rng)
    if position.phase == "share":
        return TakeShare("pile") if rng.random() < 0.7 or len(position.deck) == 1 else sample(offers, rng)
    if position.phase == "turn":
        if not position.scorings and not sum(position.discards.values()):
            return TakeMoney()
        wanted = [Buy(route, name) for name, airline in position.airlines.items() if airline.bonus
                  for route in way_to_goal(table, name)]  # fmt: skip
        return next((buy for buy in wanted if buy in legal), min(legal, default=TakeMoney(), key=str))
    return sample(offers, rng)


def spending(table: Table, decision: Decision, rng: Random) -> Move:
    """Trades while there is something to trade for, plays what is in the hand, and spends."""
    offers = table.offers(decision.seat)
    for kind in ("choose", "trade", "buy", "play_shares"):
        if wished := [offer for offer in offers if type_name(offer.move) == kind]:
            return sample(wished, rng)
    return sample(offers, rng)


def way_to_goal(table: Table, airline: str) -> list[str]:
    """The routes between an airline's network and its goal city, the first one first."""
    board, position = table.game.board, table.position
    reached = network(board, position, airline)
    ways = deque((city, list[str]()) for city in sorted(reached))
    while ways:
        city, way = ways.popleft()
        if city == board.airline[airline].goal:
            return way
        for route in board.routes_at[city]:
            ends = board.route[route]
            other = ends.b if ends.a == city else ends.a
            owners = position.licences[board.number[route]]
            if other not in reached and len(owners) < len(ends.licences) and not ends.distant:
                reached.add(other)
                ways.append((other, [*way, route]))
    return []


def has_rare_events(record: Record) -> bool:
    happened = Counter(type_name(type(event)) for entry in record.entries for event in entry.row.events)
    wanted = {"bank_bankrupt": 1, "drew_nothing": 1, "bonus_connection": 3, "drew_share": 10}
    return all(happened[event] >= number for event, number in wanted.items())


def has_money_unasked(record: Record) -> bool:
    return any(getattr(event, "unasked", None) is True for entry in record.entries for event in entry.row.events)


def make(seats: int, choose: Choose, wanted: Callable[[Record], bool], name: str, last_card: bool) -> None:
    for number in range(TRIES):
        game = open_game("airlines-europe", seats)
        moments = play(game, Random(f"{name} {number}"), choose)
        first: Moment = next(moments)
        if last_card and first.table.position.deck[0] != SCORING_CARD:
            continue
        entries = (first.entry, *(moment.entry for moment in moments))
        record = close(first.table, entries)
        if wanted(record):
            write(FOLDER, record, name)
            return
    raise SystemExit(f"none of {TRIES} games is {name}")


if __name__ == "__main__":
    for old in (*FOLDER.glob("*-rare-events.*"), *FOLDER.glob("*-money-unasked.*")):
        old.unlink()
    make(3, linking, has_rare_events, "rare-events", last_card=True)
    make(5, spending, has_money_unasked, "money-unasked", last_card=False)
