"""What of a game of Tin Goose may be seen by whom: money, bonds, labor chips and hands are behind the screens."""

import msgspec

from referee.contract import Viewer
from referee.games.tin_goose.board import Board
from referee.games.tin_goose.components import Size
from referee.games.tin_goose.events import Score
from referee.games.tin_goose.scoring import score
from referee.games.tin_goose.state import Bidding, DemandTokens, Payment, Player, Position, Settings
from referee.games.tin_goose.tracks import hazard, income, oil


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
    face_down_eras: tuple[str, ...]  # by their backs
    # With even events everybody can count which of these cards are events; without, nothing is here.
    hand_events: dict[str, int]
    face_down_events: dict[str, int]
    forgone: int  # deployments that removed no condition (TG-R35)


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
    airmail_discards: tuple[str, ...]
    silver_spent: int
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
            player_view(board, player, viewer.sees(seat), is_open or viewer.sees(seat), settings.even_events)
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
        airmail_discards=tuple(position.airmail_discards),
        silver_spent=position.silver_spent,
        scores=tuple(score(board, position, seat) for seat in range(len(position.players))) if position.ending else (),
    )


def player_view(board: Board, player: Player, is_seen: bool, is_unscreened: bool, even_events: bool) -> PlayerView:
    """Rulebook I: fleets, planes, conditions and extension tokens cannot be hidden; the screen hides the rest, unless
    it is open (TG-R70)."""
    fleets = [(fleet, board.fleet[fleet.card]) for fleet in player.fleets]
    return PlayerView(
        cash=player.cash if is_unscreened else None,
        bonds=player.bonds if is_unscreened else None,
        labor_chips=player.labor_chips if is_unscreened else None,
        hand=tuple(player.hand) if is_seen else None,
        hand_sizes=by_era(board, [board.card[card].era for card in player.hand]),
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
        face_down_eras=tuple(board.card[card].era for card in player.face_down),
        hand_events=events_by_era(board, player.hand) if even_events else {},
        face_down_events=events_by_era(board, player.face_down) if even_events else {},
        forgone=player.forgone,
    )


def by_era(board: Board, eras: list[str]) -> dict[str, int]:
    return {era.id: eras.count(era.id) for era in board.eras}


def events_by_era(board: Board, cards: list[str]) -> dict[str, int]:
    return by_era(board, [board.card[card].era for card in cards if board.card[card].kind != "fleet"])
