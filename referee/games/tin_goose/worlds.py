"""Positions of Tin Goose that a viewer cannot tell from the true one, made of what the viewer sees alone."""

from collections.abc import Iterable

from msgspec.structs import replace

from referee.contract import View, copied
from referee.games.tin_goose.board import Board
from referee.games.tin_goose.setup import Airmail, AirmailChoice
from referee.games.tin_goose.state import OwnedFleet, Player, Position, Settings
from referee.games.tin_goose.view import PlayerView, TableView
from referee.options import Rng, shuffled

Backs = dict[tuple[str, bool], list[str]]  # cards that look alike from behind: by era, and whether known as an event

SPARE_BONDS, SPARE_CHIPS = 3, 2  # that a rival is thought to have at most, more than known


def imagine(board: Board, settings: Settings, view: View, rng: Rng) -> Position:
    """Every card whose face the viewer does not see is dealt anew among those with the same back, each deal as likely
    as another. What is behind the others' screens is a guess: `imagined_cash` and a few bonds and labor chips."""
    table: TableView = view.table
    unseen = unseen_cards(board, settings, table, rng)
    players = [imagined_player(board, view, seat, unseen, rng) for seat in range(len(table.players))]
    removed = table.removed
    if removed is None:
        removed = tuple(sorted(card for pile in unseen.values() for card in pile))
    position = Position(
        phase=view.phase,
        ending=view.ending,
        round=table.round,
        first=table.first,
        active=table.active,
        players=players,
        demand={city: replace(tokens) for city, tokens in table.demand.items()},
        silver_spent=table.silver_spent,
        airmail=list(table.airmail),
        airmail_discards=list(table.airmail_discards),
        choosers=list(table.choosers),
        card=table.card,
        bidding=table.bidding,
        payments=list(table.payments),
        taken=list(table.taken),
        discards=list(table.discards),
        removed=list(removed),
    )
    return copied(position)


def unseen_cards(board: Board, settings: Settings, table: TableView, rng: Rng) -> Backs:
    seen = {*table.discards, *(table.removed or ()), table.card}
    for player in table.players:
        seen.update(player.hand or (), player.face_down or (), (fleet.card for fleet in player.fleets))
    unseen: Backs = {}
    for card in board.era_cards:
        if card.id not in seen:
            unseen.setdefault((card.era, settings.even_events and card.kind != "fleet"), []).append(card.id)
    return {back: shuffled(cards, rng) for back, cards in unseen.items()}


def imagined_player(board: Board, view: View, seat: int, unseen: Backs, rng: Rng) -> Player:
    table: TableView = view.table
    seen = table.players[seat]
    hand = seen.hand if seen.hand is not None else dealt(board, hand_backs(seen), unseen)
    face_down = seen.face_down if seen.face_down is not None else dealt(board, face_down_backs(seen), unseen)
    cash, bonds, chips = seen.cash, seen.bonds, seen.labor_chips
    if cash is None or bonds is None or chips is None:
        cash, bonds, chips = behind_the_screen(board, view, seat, rng)
    return Player(
        cash=cash,
        bonds=bonds,
        labor_chips=chips,
        hand=list(hand),
        fleets=[OwnedFleet(fleet.card, fleet.planes) for fleet in seen.fleets],
        conditions=list(seen.conditions),
        income_box=seen.income_box,
        airmail=seen.airmail,
        cities=list(seen.cities),
        international=list(seen.international),
        extensions=seen.extensions,
        forgone=seen.forgone,
        face_down=list(face_down),
    )


def hand_backs(seen: PlayerView) -> Iterable[tuple[str, bool]]:
    for era, number in seen.hand_sizes.items():
        events = seen.hand_events.get(era, 0)
        yield from ((era, index < events) for index in range(number))


def face_down_backs(seen: PlayerView) -> Iterable[tuple[str, bool]]:
    left = dict(seen.face_down_events)
    for era in seen.face_down_eras:
        left[era] = left.get(era, 0) - 1
        yield era, left[era] >= 0


def dealt(board: Board, backs: Iterable[tuple[str, bool]], unseen: Backs) -> list[str]:
    order = list(board.card)
    return sorted((unseen[back].pop() for back in backs), key=order.index)


def behind_the_screen(board: Board, view: View, seat: int, rng: Rng) -> tuple[int, int, int]:
    """Cash, bonds and labor chips of another player. At the beginning all know them but for the bids, which are paid;
    later any cash up to that of the beginning and two incomes is thought as likely as another, and never less than a
    bid that has to be paid."""
    table: TableView = view.table
    start, chips = board.constants.start_cash, board.constants.labor_chips
    if view.phase == Airmail.name:
        return start, 0, chips
    if view.phase == AirmailChoice.name:
        return rng.randrange(start + 1), 0, chips
    owed = table.bidding.amount if table.bidding.seat == seat else 0
    cash = owed + rng.randrange(start + 2 * max(0, table.players[seat].income) + 1 - min(owed, start))
    bonds = sum(payment.bonds for payment in table.payments if payment.seat == seat) + rng.randrange(SPARE_BONDS + 1)
    return cash, bonds, rng.randrange(chips + SPARE_CHIPS + 1)
