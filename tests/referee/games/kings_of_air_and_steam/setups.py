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

from referee.chance import Chance
from referee.contract import Play
from referee.games import all_games, open_game, shipped_board
from referee.games.kings_of_air_and_steam.board import Board
from referee.games.kings_of_air_and_steam.play_area import Placed, assemble
from referee.games.kings_of_air_and_steam.state import City, Position
from referee.games.kings_of_air_and_steam.steps import proceed
from referee.options import Move
from referee.table import Table, open_table
from tests.positions import PLAYERS, SEED, change, copy_of, put

KEY = "kings-of-air-and-steam"
GAME = all_games()[KEY]
BOARD: Board = shipped_board(GAME)
GOODS = BOARD.goods
EVERY_FLIGHT = {"flights_end": "flight"}  # settings: as in version 1
NO_STUBS = {"stub_depots": False}
TEAM_OF = {character.id: team.id for team in BOARD.teams for character in team.characters}
HOMES = ["K4", "K7", "K10", "J5", "J10", "J3", "H8"]  # of the Airships, unless a test says otherwise


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
    settings: Mapping[str, Any] | None = None,
    version: str | None = None,
    **fields: Any,
) -> Table:
    """Player 0 is asked in a phase; space, hold, airship and train are those of player 0.

    `cities` gives good, slots and Goods there; `agenda` is what follows this step.
    """
    table, _ = open_table(open_game(KEY, players, settings, version=version), PLAYERS[:players], SEED)
    position: Position = copy_of(table)
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
            played = BOARD.character[characters[seat]]
            player.character, player.team, player.tokens = played.id, TEAM_OF[played.id], played.tokens
            player.deck = BOARD.deck(player.team)
    mover = position.players[0]
    mover.at, mover.hold = space or mover.at, list(hold)
    mover.airship, mover.train = airship - 1, train - 1
    change(position, **fields)
    return put(table, position)


def turn(players: int = 2, *, card: str, others: str = "0", **fields: Any) -> Table:
    """Player 0 has just revealed a card, and then the turn has begun."""
    table = at(players, **fields)
    position: Position = copy_of(table)
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
    going = Play(copy_of(table), Chance(b"key", 1))
    proceed(BOARD, table.game.settings, table.game.version, going)
    return put(table, going.position), going.events


def me(table: Table, seat: int = 0) -> Any:
    return table.position.players[seat]


def can(table: Table, kind: type[Move], seat: int = 0) -> list[Any]:
    """The offered moves of a type, spelled out."""
    return [move for offer in table.offers(seat) if offer.move is kind for move in offer.moves()]


def accepts(table: Table, move: Move, seat: int = 0) -> bool:
    return any(offer.accepts(move) for offer in table.offers(seat))
