"""The position of Airline (1975) behind a view: nothing is hidden, so there is only one."""

from referee.contract import View, copied
from referee.games.airline_1975.state import Player, Position
from referee.games.airline_1975.view import PlayerView, TableView


def position_of(view: View) -> Position:
    table: TableView = view.table
    position = Position(
        phase=view.phase,
        ending=view.ending,
        active=table.active,
        first=table.first,
        players=[player_of(player, knows_how_left=view.version != "1") for player in table.players],
        bank=table.bank,
        deals=list(table.deals),
        deals_made=table.deals_made,
        offers_made=list(table.offers_made),
        claims=list(table.claims),
        debts=list(table.debts),
        resume=table.resume,
        changed=table.changed,
        challenged=table.challenged,
    )
    if view.version != "1":
        position.turns, position.round = table.turns, table.round or 0
        position.held, position.lapsed = list(table.held), list(table.lapsed)
    return copied(position)


def player_of(seen: PlayerView, knows_how_left: bool) -> Player:
    player = Player(seen.cash, seen.aircraft, seen.place, seen.base, list(seen.cities), seen.out)
    if seen.out and knows_how_left:
        player.left = seen.left
    return player
