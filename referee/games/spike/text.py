"""The table of Spike in words, for terminals and screen readers: the decision first, then one subject after another.
Made from a view and the board alone."""

from collections.abc import Iterator

from referee.contract import View, counted
from referee.games.spike.board import ROUNDS, Board, Side, by_value
from referee.games.spike.state import Cards, Contract
from referee.games.spike.view import PlayerView
from referee.pictures.wording import (
    fidelity_line,
    final_standings,
    folded,
    headline,
    player_name,
    seat_notes,
    sections,
    several,
)

OUT = "out of track and deliveries"  # after that player's turn each other player has one more
NEAR = 3  # spaces from the reader's own network: the junctions that are listed


def text_board(board: Board, view: View) -> str:
    return sections(
        [f"SPIKE, after move {view.sequence}", *folded(headline(view, dollars)), *folded(_situation(board, view))],
        ["FINAL STANDINGS", *final_standings(view, dollars)] if view.ending else [],
        ["MARKET, from the row that pays most", *_market(board, view)],
        ["RAIL CARDS", *_cards(board, view)],
        ["PLAYERS", *_players(board, view)],
        ["CITIES, what they supply, and the places one space away", *_cities(board, view)],
        _junctions(board, view),
        [fidelity_line(view)],
    )


# Sentences that the picture has too


def dollars(amount: int) -> str:
    return f"${amount}"


def round_line(board: Board, view: View) -> str:
    table = view.table
    times = f", {table.time_cards} of {board.components.time_cards} Time cards up" if table.round == ROUNDS else ""
    return f"Round {table.round} of {ROUNDS}{times}."


def space_name(board: Board, space: str) -> str:
    """A city, or a track piece by its ends."""
    if space in board.city:
        return board.city[space].name
    return f"{board.place[board.segment[space].a].name}-{board.place[board.segment[space].b].name}"


def train_line(player: PlayerView) -> str:
    train = player.train
    return f"speed {train['speed']}, power {train['power']}, {counted(train['cargo'], 'freight car')}"


def contract_line(board: Board, commodity: str, contract: Contract) -> str:
    """What a contract pays where, and where its cargo is."""
    goods = next(printed.name for printed in board.commodities if printed.id == commodity)
    if contract.delivered:
        return f"{goods}: delivered to {board.city[contract.delivered].name}"
    values = ", ".join(f"{board.city[city].name} {value}" for city, value in by_value(_values(board, contract)))
    return f"{goods}{' (aboard)' if contract.aboard else ''}: {values}"


def _values(board: Board, contract: Contract) -> dict[str, int]:
    side: Side = contract.side
    return board.contract[contract.card].side(side)


def route_line(board: Board, route_id: str) -> str:
    route = board.route[route_id]
    cities = ", ".join(f"{board.city[city].name} {value}" for city, value in by_value(route.cities))
    return f"{route.id.upper()} from {board.city[route.start].name}: {cities}"


def hand_line(board: Board, hand: Cards) -> str:
    return ", ".join(f"{hand[rail.id]} {rail.id}" for rail in board.rail_types if hand.get(rail.id)) or "none"


# Sections


def _situation(board: Board, view: View) -> str:
    you = f" You are {player_name(view, view.you)}." if view.you is not None else ""
    return round_line(board, view) + you


def _market(board: Board, view: View) -> Iterator[str]:
    names = {commodity.id: commodity.name for commodity in board.commodities}
    width = max(map(len, names.values()))
    for row, value in enumerate(board.market.rows):
        chips = (names[column[row]].ljust(width) for column in view.table.market)
        yield f"${value}  " + "  ".join(chips).rstrip()


def _cards(board: Board, view: View) -> Iterator[str]:
    table = view.table
    face_up = {rail: table.display.count(rail) for rail in table.display}
    yield from folded(f"Face up: {hand_line(board, face_up)}.")
    yield from folded(f"Deck: {counted(table.deck_size, 'card')}. Discards: {hand_line(board, table.discards)}.")


def _players(board: Board, view: View) -> Iterator[str]:
    for seat, player in enumerate(view.table.players):
        notes = [*seat_notes(view, seat), *[OUT] * (seat == view.table.out)]
        who = player_name(view, seat) + (f" ({', '.join(notes)})" if notes else "")
        where = f", train at {space_name(board, player.at)}" if player.at else ""
        size, left = counted(player.hand_size, "card"), counted(player.tracks_left, "track")
        yield from folded(f"{who}: ${player.score}, {size}, {left} left, {train_line(player)}{where}.")
        if player.tracks:
            yield from folded(f"Cities: {several([board.city[city].name for city in player.cities])}.", "  ")
            yield from folded(f"Tracks: {several([space_name(board, track) for track in player.tracks])}.", "  ")
        for commodity, contract in player.contracts.items():
            yield from folded(f"{contract_line(board, commodity, contract)}.", "  ")
        if player.hand is not None:
            yield from folded(f"Hand: {hand_line(board, player.hand)}.", "  ")
        for route in player.routes or ():
            yield from folded(f"Route {route_line(board, route)}.", "  ")


def _cities(board: Board, view: View) -> Iterator[str]:
    for city in board.cities:
        yield from folded(f"{city.name} ({board.goods[city.commodity]}): {_exits(board, view, city.id)}.")


def _junctions(board: Board, view: View) -> list[str]:
    """Those around the viewer's own network: all of them would drown a reader."""
    home = view.table.players[view.you].home if view.you is not None else ""
    if view.you is None or not home:
        return []
    near = {home, *(end for track in view.table.players[view.you].tracks for end in board.segment[track].ends)}
    for _ in range(NEAR):
        near |= {end for place in near for end in board.exits[place]}
    lines = [f"JUNCTIONS up to {NEAR} spaces from your network, and the places one space away"]
    for junction in board.junctions:
        if junction.id in near:
            lines += folded(f"{junction.name}: {_exits(board, view, junction.id)}.")
    return lines


def _exits(board: Board, view: View, place: str) -> str:
    """The neighbours of a place with the rail type, or the owner of the track."""
    owners = {track: seat for seat, player in enumerate(view.table.players) for track in player.tracks}
    return several(
        [
            f"{board.place[end].name} "
            + (player_name(view, owners[segment.id]) if segment.id in owners else segment.rail)
            for end, segment in board.exits[place].items()
        ]
    )
