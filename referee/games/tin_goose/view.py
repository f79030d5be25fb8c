"""What of a game of Tin Goose may be seen by whom: money, bonds, labor chips and hands are behind the screens."""

import msgspec

from referee.contract import Viewer, copied
from referee.games.tin_goose.board import Board
from referee.games.tin_goose.components import Size
from referee.games.tin_goose.events import Score
from referee.games.tin_goose.scoring import score
from referee.games.tin_goose.state import Bidding, DemandTokens, Payment, Player, Position, Settings
from referee.games.tin_goose.tracks import hazard, income, oil
from referee.options import Rng, shuffled


class FleetView(msgspec.Struct, frozen=True):
    card: str
    name: str
    size: Size
    oil: int
    hazard: int
    planes: int


class PlayerView(msgspec.Struct, frozen=True):
    cash: int | None
    bonds: int | None
    labor_chips: int | None
    hand: tuple[str, ...] | None
    hand_sizes: dict[str, int]  # by era: the backs are coloured
    fleets: tuple[FleetView, ...]
    conditions: tuple[str, ...]
    extensions: int
    income: int
    income_box: int
    hazard: int
    oil: int
    airmail: str
    cities: tuple[str, ...]
    international: tuple[str, ...]
    face_down: tuple[str, ...] | None
    face_down_size: int


class TableView(msgspec.Struct, frozen=True):
    round: int
    era: str
    destination: str
    first: int
    active: int
    players: tuple[PlayerView, ...]
    demand: dict[str, DemandTokens]
    airmail: tuple[str, ...]
    choosers: tuple[int, ...]
    card: str
    bidding: Bidding
    payments: tuple[Payment, ...]
    taken: tuple[str, ...]
    discards: tuple[str, ...]
    removed: tuple[str, ...] | None
    removed_size: int
    scores: tuple[Score, ...] = ()  # with their parts, after the game


def table_view(board: Board, settings: Settings, position: Position, viewer: Viewer) -> TableView:
    is_open = settings.open_screens
    return TableView(
        round=position.round,
        era=board.era(position.round).id,
        destination=board.open_destination(position.round).id,
        first=position.first,
        active=position.active,
        players=tuple(
            player_view(board, player, viewer.sees(seat), is_open or viewer.sees(seat))
            for seat, player in enumerate(position.players)
        ),
        demand=position.demand,
        airmail=tuple(position.airmail),
        choosers=tuple(position.choosers),
        card=position.card,
        bidding=position.bidding,
        payments=tuple(position.payments),
        taken=tuple(position.taken),
        discards=tuple(position.discards),
        removed=tuple(position.removed) if viewer.sees() else None,
        removed_size=len(position.removed),
        scores=tuple(score(board, position, seat) for seat in range(len(position.players))) if position.ending else (),
    )


def player_view(board: Board, player: Player, is_seen: bool, is_unscreened: bool) -> PlayerView:
    """Rulebook I: fleets, planes, conditions and extension tokens cannot be hidden; the screen hides the rest, unless
    it is open (TG-R70)."""
    fleets = [(fleet, board.fleet[fleet.card]) for fleet in player.fleets]
    return PlayerView(
        cash=player.cash if is_unscreened else None,
        bonds=player.bonds if is_unscreened else None,
        labor_chips=player.labor_chips if is_unscreened else None,
        hand=tuple(player.hand) if is_seen else None,
        hand_sizes={era.id: sum(board.card[card].era == era.id for card in player.hand) for era in board.eras},
        fleets=tuple(
            FleetView(fleet.card, card.name, card.size, card.oil, card.hazard, fleet.planes) for fleet, card in fleets
        ),
        conditions=tuple(player.conditions),
        extensions=player.extensions,
        income=income(board, player),
        income_box=player.income_box,
        hazard=hazard(board, player),
        oil=oil(board, player),
        airmail=player.airmail,
        cities=tuple(player.cities),
        international=tuple(player.international),
        face_down=tuple(player.face_down) if is_seen else None,
        face_down_size=len(player.face_down),
    )


def imagine(board: Board, settings: Settings, position: Position, viewer: Viewer, rng: Rng) -> Position:
    """Deals anew every card whose face the viewer does not know, and puts other things behind the others' screens."""
    other = copied(position)
    if viewer.sees():
        return other
    hidden = [player for seat, player in enumerate(other.players) if not viewer.sees(seat)]
    piles = [pile for player in hidden for pile in (player.hand, player.face_down)] + [other.removed]
    redeal(board, settings, piles, rng)
    for player in [] if settings.open_screens else hidden:
        player.cash += rng.randrange(30)  # never less: the highest bidder must be able to pay
        player.bonds += rng.randrange(3)
        player.labor_chips += rng.randrange(4)
    return other


def redeal(board: Board, settings: Settings, piles: list[list[str]], rng: Rng) -> None:
    """Shuffles cards with the same back among piles. In the variant everybody knows how many events a hand was dealt,
    so there fleets change places with fleets only, and events with events."""

    def back(card: str) -> tuple[str, bool]:
        return board.card[card].era, settings.even_events and board.card[card].kind == "fleet"

    places = [(pile, index) for pile in piles for index in range(len(pile))]
    for kind in sorted({back(pile[index]) for pile, index in places}):
        alike = [(pile, index) for pile, index in places if back(pile[index]) == kind]
        cards = shuffled([pile[index] for pile, index in alike], rng)
        for (pile, index), card in zip(alike, cards, strict=True):
            pile[index] = card
    for pile in piles:
        pile.sort(key=list(board.card).index)
