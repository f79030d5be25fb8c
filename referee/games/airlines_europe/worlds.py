"""Positions of Airlines Europe that a viewer cannot tell from the true one, made of what the viewer sees alone."""

from referee.contract import View
from referee.games.airlines_europe.board import SCORINGS, Board
from referee.games.airlines_europe.scoring import award
from referee.games.airlines_europe.setup import Opening, first_pile, second_pile
from referee.games.airlines_europe.state import (
    AIR_ABACUS,
    SCORING_CARD,
    Airline,
    Player,
    Position,
    Settings,
    Shares,
)
from referee.games.airlines_europe.view import TableView
from referee.options import Rng, shuffled
from referee.piles import add, spread


def imagine(board: Board, settings: Settings, view: View, rng: Rng) -> Position:
    """Every share whose face the viewer does not see is dealt anew, each order as likely as the others; nobody keeps
    book of what others took or discarded. The scoring cards lie where the setup may have put them, each place as
    likely. The victory points of others are a guess: `imagined_points`."""
    table: TableView = view.table
    unseen = shuffled(unseen_shares(board, table), rng)
    players = []
    start = start_player(settings, view, rng)
    for seat, player in enumerate(table.players):
        hand = player.hand
        if hand is None:
            hand = {}
            add(hand, [AIR_ABACUS] * player.air_abacus_in_hand)
            add(hand, [unseen.pop() for _ in range(player.hand_size - player.air_abacus_in_hand)])
        vp = player.vp if player.vp is not None else imagined_points(board, table, seat, start, rng)
        players.append(Player(player.cash, vp, dict(hand), dict(player.holdings)))
        if view.version != "1":
            players[-1].lot = list(player.lot) if player.lot else shuffled(sorted(table.airlines), rng)
    discards = table.discards
    if discards is None:
        backs = sum(player.air_abacus_in_hand + player.holdings.get(AIR_ABACUS, 0) for player in table.players)
        traded = board.air_abacus.shares - table.air_abacus - backs  # Air ABACUS for another one: all can count them
        discards = {}
        add(discards, [AIR_ABACUS] * traded)
        add(discards, [unseen.pop() for _ in range(table.discards_size - traded)])
    return Position(
        phase=view.phase,
        ending=view.ending,
        active=table.active,
        players=players,
        bank=table.bank,
        deck=list(table.deck) if table.deck is not None else imagined_deck(board, settings, table, unseen, rng),
        market=list(table.market),
        air_abacus=table.air_abacus,
        discards=dict(discards),
        airlines={name: Airline(seen.marker, seen.planes, seen.bonus) for name, seen in table.airlines.items()},
        licences=[list(table.licences.get(route.id, ())) for route in board.routes],
        bought=table.bought,
        scorings=table.scorings,
        due=table.due,
        cleared=table.cleared,
    )


def unseen_shares(board: Board, table: TableView) -> list[str]:
    """All shares of the game but those that lie open to the viewer; Air ABACUS have backs of their own."""
    seen: Shares = {}
    add(seen, table.market)
    add(seen, [card for card in table.deck or () if card != SCORING_CARD])
    for pile in [table.discards, *(pile for player in table.players for pile in (player.hand, player.holdings))]:
        add(seen, spread(pile or {}))
    return [name for name in sorted(table.airlines) for _ in range(board.airline[name].shares - seen.get(name, 0))]


def imagined_deck(board: Board, settings: Settings, table: TableView, shares: list[str], rng: Rng) -> list[str]:
    places = scoring_places(board, settings, table)
    found = places[rng.randrange(len(places))]
    return [SCORING_CARD if place in found else shares.pop() for place in range(table.deck_size)]


def scoring_places(board: Board, settings: Settings, table: TableView) -> list[tuple[int, ...]]:
    """Where, counted from the bottom, the scoring cards that have not come up may lie: the setup's places, and how far
    they may stray, less those that would have come up by now (AE-S08, AE-R03)."""
    constants, seats = board.constants, len(table.players)
    cards = sum(board.airline[name].shares for name in table.airlines)
    above = cards - constants.market_size - constants.deal * seats - constants.final_pile
    strays = range(-board.draw_pile.jitter, board.draw_pile.jitter + 1) if settings.jitter else range(1)
    left = SCORINGS - table.scorings - table.due
    found = []
    for first_stray in strays:
        rest = above - first_pile(board, above) - first_stray
        for second_stray in strays:
            first = constants.final_pile + 2 + rest  # below it: the final pile, the rest, and two scoring cards
            second = constants.final_pile + 1 + second_pile(rest) - second_stray
            if second_pile(rest) - second_stray >= 0 and first_pile(board, above) + first_stray >= 0:
                for third in range(constants.final_pile + 1):
                    places = tuple(place for place in (third, second, first) if place < table.deck_size)
                    if len(places) == left:
                        found.append(places)
    return found or [tuple(range(left))]  # of a board whose piles are too small to stray in


def start_player(settings: Settings, view: View, rng: Rng) -> int:
    """Who began, as far as can be seen: by who is asked first, or by the own points before any scoring (AE-S03)."""
    table: TableView = view.table
    if view.phase == Opening.name:
        return table.active
    if settings.start_player == "first":
        return 0
    if not table.scorings:
        for seat, player in enumerate(table.players):
            if player.vp is not None:
                return (seat - player.vp + 1) % len(table.players)
    return rng.randrange(len(table.players))


def imagined_points(board: Board, table: TableView, seat: int, start: int, rng: Rng) -> int:
    """The points of the beginning; and for each scoring so far a half to the whole of what the shares that lie in front
    of the player would bring now."""
    points = 1 + (seat - start) % len(table.players)
    for number in range(table.scorings):
        brought = 0
        for share in (*table.airlines, AIR_ABACUS):
            airline = table.airlines.get(share)
            vp = board.region(airline.marker).vp if airline else board.air_abacus.vp[min(number, SCORINGS - 1)]
            brought += award(vp, [player.holdings.get(share, 0) for player in table.players])[seat]
        points += brought // 2 + rng.randrange(brought // 2 + 2)
    return points
