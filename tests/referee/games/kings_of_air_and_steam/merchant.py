"""A player who knows what the game is about: fetches Goods, brings them to Depots, delivers them, and uses what the
character can do. Random games hardly ever deliver anything; golden games and the property tests need more than that.

`python -m tests.referee.games.kings_of_air_and_steam.merchant` makes the golden games anew.
"""

import random
from typing import Any

from commands.golden import GOLDEN
from referee.games import open_game
from referee.games.kings_of_air_and_steam.hexes import distance
from referee.games.kings_of_air_and_steam.play_area import PlayArea, assemble
from referee.games.kings_of_air_and_steam.state import (
    Adjust,
    Build,
    ChooseCharacter,
    Clear,
    Construct,
    Demand,
    Done,
    Fly,
    FlyTo,
    Load,
    Place,
    Plan,
    PlayCard,
    Ship,
    Solicit,
    Steal,
    Transmogrify,
    Unload,
    UpgradeAirship,
    UpgradeTrain,
)
from referee.log import Entry
from referee.options import Move, sample
from referee.record import Record, close, export, transcript
from referee.table import Table, open_table
from tests.positions import PLAYERS
from tests.referee.games.kings_of_air_and_steam.setups import BOARD, KEY


def spaces_between(area: PlayArea, start: str, end: str) -> int:
    return distance(area.place[start], area.place[end])


def merchant(table: Table, seat: int, rng: random.Random, side: int = 0) -> Move:
    """A good move; `side` says which of the two characters of a team is taken."""
    position, player = table.position, table.position.players[seat]
    offers = table.offers(seat)
    kinds = {offer.move for offer in offers}
    if ChooseCharacter in kinds:
        return list(offers[0].moves())[side]
    if Plan in kinds and rng.random() < 0.9:
        plans = [sample(offers, rng) for _ in range(12)]
        plan = min(plans, key=lambda plan: sum(BOARD.card[card].diamonds for card in plan.cards))
        special = player.team if player.team and rng.random() < 0.7 else plan.cards[-1]
        return plan if special in plan.cards else Plan((*plan.cards[:-1], special))
    if FlyTo in kinds and rng.random() < 0.9:
        return _flight(table, seat, offers, rng)
    for eager in (Unload, Steal, Clear, Demand):
        if eager in kinds and rng.random() < 0.95:
            return max((sample([offer for offer in offers if offer.move is eager], rng) for _ in range(6)), key=_size)
    if Load in kinds and rng.random() < 0.9 and not (Done in kinds and player.at in player.depots):
        return max((sample([offer for offer in offers if offer.move is Load], rng) for _ in range(6)), key=_size)
    if Done in kinds and not kinds & {Ship, Build}:
        return Done()
    shipments = [offer for offer in offers if offer.move is Ship]
    deliveries = [offer for offer in shipments if next(offer.domains["destination"].values()) in position.cities]
    if deliveries and rng.random() < 0.9:
        return max((sample(deliveries, rng) for _ in range(8)), key=lambda move: (move.number, bool(move.extra)))
    if shipments and rng.random() < 0.1:
        return sample(shipments, rng)
    likings = {
        Construct: 0.5,
        Transmogrify: 0.6,
        PlayCard: 0.3,
        Build: 0.5 if len(player.depots) < 5 else 0.2,
        UpgradeTrain: 0.5 if player.train < 3 else 0.2,
        UpgradeAirship: 0.4,
        Adjust: 0.15,
        Solicit: 0.9,
    }
    for kind, chance in likings.items():
        if kind in kinds and rng.random() < chance:
            return sample([offer for offer in offers if offer.move is kind], rng)
    if Place in kinds:
        (places,) = (list(offer.domains["space"].values()) for offer in offers)
        area = assemble(BOARD, position.layout)
        nearest = {space: min(spaces_between(area, space, factory) for factory in area.factory_at) for space in places}
        return Place(min(places, key=lambda space: nearest[space]))
    return sample(offers, rng)


def _size(move: Move) -> int:
    return len(getattr(move, "goods", getattr(move, "lots", ())))


def _flight(table: Table, seat: int, offers: list[Any], rng: random.Random) -> Move:
    position, player = table.position, table.position.players[seat]
    area = assemble(BOARD, position.layout)
    (ends,) = (list(offer.domains["space"].values()) for offer in offers if offer.move is FlyTo)
    (ways,) = (offer.domains["path"] for offer in offers if offer.move is Fly)
    full = position.players[seat].hold and rng.random() < 0.9
    goals = list(player.depots) if full else [space for space, goods in position.factories.items() if goods]
    if position.flying == "godfather":
        others = [other for other in position.players if other is not player]
        stores = [space for other in others for space, goods in other.depots.items() if goods]
        goals = stores + [other.at for other in others if other.hold] or goals
    ends = [end for end in ends if end in area.landing or rng.random() < 0.05] or ends
    best = min(ends, key=lambda end: min((spaces_between(area, end, goal) for goal in goals), default=0))
    return FlyTo(best) if rng.random() < 0.5 else Fly(ways.ends()[best])


def play_out(table: Table, entry: Entry, rng: random.Random, side: int = 0) -> Record:
    """A whole game of merchants."""
    entries = [entry]
    while not table.is_over:
        entries += merchants_move(table, rng, side)
    return close(table, tuple(entries))


def merchants_move(table: Table, rng: random.Random, side: int = 0) -> list[Entry]:
    """The next move of a game of merchants; of sealed ones all, and their reveal."""
    if table.sealed_phase():
        for seat in table.missing():
            table.submit(seat, [merchant(table, seat, rng, side)])
        return [table.reveal()]
    seat = table.decisions()[0].seat
    return list(table.submit(seat, [merchant(table, seat, rng, side)]).entries)


HOUSE_RULES = {"flights_end": "flight", "stub_depots": False}
TRIES = 16  # games played for each golden game; the most varied is kept
GAMES: list[tuple[str, int, dict[str, Any], int]] = [
    *((f"basic-{players}-players", players, {}, 0) for players in range(2, 8)),
    ("cutthroat-3-players", 3, {"game": "normal", "teams": "random", "cutthroat": True, **HOUSE_RULES}, 0),
    ("uncertainty-5-players", 5, {"game": "normal", "uncertainty": True, "boards": "ABCFG"}, 1),
    ("all-teams-first-characters", 7, {"game": "normal", "uncertainty": True, "boards": "ABCFG"}, 0),
    ("all-teams-second-characters", 7, {"game": "normal", "uncertainty": True, "boards": "ABCFG"}, 1),
]


def merchants_game(game: Any, seed: str, side: int) -> Record:
    table, entry = open_table(game, PLAYERS[: game.seats], seed.encode())
    return play_out(table, entry, random.Random(seed), side)


def variety(record: Record) -> int:
    """How many kinds of events a game shows."""
    return len({type(event) for entry in record.entries for event in entry.row.events})


def main() -> None:
    folder = GOLDEN / KEY
    folder.mkdir(parents=True, exist_ok=True)
    for name, players, settings, side in GAMES:
        game = open_game(KEY, players, settings)
        tries = [f"{name} {number}" for number in range(TRIES)]
        record = max((merchants_game(game, seed, side) for seed in tries), key=variety)
        (folder / f"{name}.jsonl").write_bytes(export(record))
        (folder / f"{name}.txt").write_text(transcript(game, record), encoding="utf-8")
        print(name, len(record.entries), "rows,", variety(record), "kinds of events")


if __name__ == "__main__":
    main()
