"""What may be seen of a game of Airline (1975): everything, by everybody."""

import msgspec

from referee.games.airline_1975.board import Board
from referee.games.airline_1975.landing_rights import connected
from referee.games.airline_1975.scoring import assets, how_out
from referee.games.airline_1975.state import Deal, Debt, Player, Position


class PlayerView(msgspec.Struct, frozen=True):
    colour: str
    cash: int
    aircraft: str
    place: int
    base: str
    cities: tuple[str, ...]
    connected: tuple[str, ...]  # the cities that earn fares
    assets: int
    out: int
    left: str  # how a player has left the game, if known


class TableView(msgspec.Struct, frozen=True):
    active: int
    players: tuple[PlayerView, ...]
    owners: dict[str, int]
    deals: tuple[Deal, ...]
    claims: tuple[Debt, ...]
    debts: tuple[Debt, ...]
    round: int | None  # None under version 1, which counts none
    held: tuple[Deal, ...]  # deals of debtors who have not paid yet
    challenged: bool
    changed: bool  # the aircraft, in this turn
    first: int  # the seat that has the first turn
    bank: int  # what the bank has taken in, less what it has paid out
    resume: str  # the phase to go back to when the debts are paid
    offers_made: tuple[int, ...]  # by each seat in this turn
    deals_made: int
    turns: int  # begun; 0 under version 1, which counts none
    lapsed: tuple[int, ...]  # offers, in this turn and with the end of the last one


def table_view(board: Board, position: Position) -> TableView:
    return TableView(
        active=position.active,
        players=tuple(
            player_view(board, board.colours.list[seat], player) for seat, player in enumerate(position.players)
        ),
        owners={city: seat for seat, player in enumerate(position.players) for city in player.cities},
        deals=tuple(position.deals),
        claims=tuple(position.claims),
        debts=tuple(position.debts),
        round=position.round or None,
        held=tuple(position.held or ()),
        challenged=position.challenged,
        changed=position.changed,
        first=position.first,
        bank=position.bank,
        resume=position.resume,
        offers_made=tuple(position.offers_made),
        deals_made=position.deals_made,
        turns=position.turns or 0,
        lapsed=tuple(position.lapsed or ()),
    )


def player_view(board: Board, colour: str, player: Player) -> PlayerView:
    return PlayerView(
        colour=colour,
        cash=player.cash,
        aircraft=player.aircraft,
        place=player.place,
        base=player.base,
        cities=tuple(player.cities),
        connected=tuple(sorted(connected(board, player))) if player.base in player.cities else (),
        assets=assets(board, player),
        out=player.out,
        left=how_out(player),
    )
