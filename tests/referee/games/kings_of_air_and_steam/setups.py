"""Positions of Kings of Air & Steam in a line or two.

The boards lie unturned. On three of them, A, B and C:

    cities     Geekopolis K3 textiles, Sartainville K5 machinery, Raposa L8 food, Irdyo J11 chemicals,
               Warsop E7 luxuries
    factories  food I2, chemicals I4, machinery J8, luxuries L11, textiles C7
    links      A-short K4, A-long J3-J4 (Geekopolis-Sartainville); AB K6-K8 (Sartainville-Raposa);
               B-trunk K9-K11 (Raposa-Irdyo); AC J5 I5 H5 G6 F6 (Sartainville-Warsop);
               BC F7 G8 H8 I9 I10 J10 (Warsop-Irdyo)
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest

from referee.chance import Chance
from referee.contract import Play
from referee.errors import IllegalOrder
from referee.games import all_games, shipped_board
from referee.games.kings_of_air_and_steam.board import Board
from referee.games.kings_of_air_and_steam.play_area import Placed, assemble
from referee.games.kings_of_air_and_steam.state import City, Position
from referee.games.kings_of_air_and_steam.steps import proceed
from referee.options import Move
from referee.table import Outcome, Table, decode_position
from tests.positions import play, put, start

KEY = "kings-of-air-and-steam"
GAME = all_games()[KEY]
BOARD: Board = shipped_board(GAME)
GOODS = BOARD.goods
TEAM_OF = {one.id: team.id for team in BOARD.teams for one in team.characters}
HOMES = ["K4", "K7", "K10", "J5", "J10", "J3", "H8"]  # of the Airships, where nothing else is told


def at(
    players: int = 2,
    phase: str = "action",
    *,
    boards: str = "ABC",
    space: str | None = None,
    cash: Sequence[int] | int = 12,
    hold: Sequence[str] = (),
    depots: Sequence[Mapping[str, Mapping[str, int]]] = (),
    others_at: Sequence[str] = HOMES,
    airship: int = 1,
    train: int = 1,
    characters: Sequence[str] = (),
    cities: Mapping[str, tuple[str, int, int]] | None = None,
    agenda: Sequence[str] = ("planning",),
    **fields: Any,
) -> Table:
    """Player 0 is asked in a phase; what is told of space, hold, airship and train is told of player 0.

    `cities` gives good, slots and Goods there; `agenda` is what follows this step.
    """
    table, _ = start(KEY, players)
    position: Position = decode_position(table.game, table.position_json)
    position.layout = tuple(Placed(letter, 0) for letter in boards)
    area = assemble(BOARD, position.layout)
    position.factories = dict.fromkeys(area.factory_at, 1)
    position.cities = {city: City(BOARD.city[city].good, 5) for city in area.city_at.values()}
    position.phase, position.agenda, position.order = phase, list(agenda), []
    position.active, position.round, position.first = 0, 1, 0
    for name, (good, slots, there) in (cities or {}).items():
        position.cities[name] = City(good, slots, {good: there} if there else {}, slots == 3)
    for seat, player in enumerate(position.players):
        player.cash = cash if isinstance(cash, int) else cash[seat]
        player.at = others_at[seat]
        own = depots[seat] if seat < len(depots) else {}
        player.depots = {place: dict(goods) for place, goods in own.items()}
        player.supply = 10 - len(own)
        if characters:
            one = BOARD.character[characters[seat]]
            player.character, player.team, player.tokens = one.id, TEAM_OF[one.id], one.tokens
            player.deck = BOARD.deck(player.team)
    mover = position.players[0]
    mover.at, mover.hold = space or mover.at, list(hold)
    mover.airship, mover.train = airship - 1, train - 1
    for name, value in fields.items():
        assert name in type(position).__struct_fields__
        setattr(position, name, value)
    return put(table, position)


def turn(players: int = 2, *, card: str, others: str = "0", **fields: Any) -> Table:
    """Player 0 has just revealed a card, and then the turn has begun."""
    table = at(players, **fields)
    position: Position = decode_position(table.game, table.position_json)
    for player in position.players:
        player.card = card if player is position.players[0] else others
        player.deck.remove(player.card)
    position.order = [0]
    position.agenda.insert(0, "turn")
    return run(put(table, position))


def run(table: Table) -> Table:
    """Takes the steps of the agenda up to the next decision."""
    return step(table)[0]


def step(table: Table) -> tuple[Table, list[Any]]:
    """Takes the steps of the agenda up to the next decision, with what happened."""
    going = Play(decode_position(table.game, table.position_json), Chance(b"key", 1))
    proceed(BOARD, table.game.settings, going)
    return put(table, going.position), going.events


def edit(table: Table, **fields: Any) -> Table:
    position = decode_position(table.game, table.position_json)
    for name, value in fields.items():
        setattr(position, name, value)
    return put(table, position)


def me(table: Table, seat: int = 0) -> Any:
    return table.position.players[seat]


def happened(outcome: Outcome, kind: type[Any]) -> list[Any]:
    return [event for entry in outcome.entries for event in entry.row.events if isinstance(event, kind)]


def seal(table: Table, *orders: str | Move) -> Any:
    """Sealed moves of all seats that are asked, in seat order, and their reveal."""
    for seat, order in zip([one.seat for one in table.decisions()], orders, strict=True):
        table.submit(seat, [order if isinstance(order, str) else msgspec.to_builtins(order)])
    return table.reveal()


def can(table: Table, kind: type[Move], seat: int = 0) -> list[Any]:
    """The offered moves of a type, spelled out."""
    return [move for offer in table.offers(seat) if offer.move is kind for move in offer.moves()]


def accepts(table: Table, move: Move, seat: int = 0) -> bool:
    return any(offer.accepts(move) for offer in table.offers(seat))


def refused(table: Table, order: str | Move, seat: int = 0) -> IllegalOrder:
    """The refusal of an order, after making sure that it changed nothing and offers a legal way out."""
    before = table.position_json, table.sequence, table.head
    with pytest.raises(IllegalOrder) as caught:
        play(table, order if isinstance(order, str) else msgspec.to_builtins(order), seat=seat)
    assert (table.position_json, table.sequence, table.head) == before
    error = caught.value
    assert error.message.endswith(".")
    assert error.nearest is not None
    play(put(table, decode_position(table.game, table.position_json)), dict(error.nearest), seat=seat)
    return error
