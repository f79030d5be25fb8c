"""The table of Spike in words, for phones and screen readers: the decision first, then what it takes to decide; the
rest on demand, part by part. Made from a view and the board alone."""

from collections import deque
from collections.abc import Iterator

from referee.contract import View, counted
from referee.games.spike.board import ROUNDS, Board, Side, by_value
from referee.games.spike.hints import contract_words, market_price, other_side
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
SHORT = 24  # lines of the short board; new cities nearby fill what is left of them
FEWEST, MOST = 3, 7  # new cities nearby that are told
OWN = "*"  # behind a city of the reader's network


def text_board(board: Board, view: View, part: str) -> str:
    if part in PARTS:
        return sections(*PARTS[part](board, view))
    top = [f"SPIKE, after move {view.sequence}", *folded(headline(view, dollars)), *folded(_situation(board, view))]
    if part == "full":
        others = [section for name in PARTS for section in PARTS[name](board, view)]
        return sections(top, _results(board, view), _mine(board, view), *others, [fidelity_line(view)])
    return sections(top, *_short(board, view, len(top)))


def _short(board: Board, view: View, lines: int) -> Iterator[list[str]]:
    """What this decision needs."""
    if view.ending:
        yield _results(board, view)
        return
    if view.phase in ("turn", "drawing", "arrival"):
        mine, others = [*_mine(board, view), *_cards(board, view, brief=True)], list(_others(board, view))
        lines += len(mine) + len(others) + 5
        yield from (mine, _nearby(board, view, max(FEWEST, min(MOST, SHORT - lines))), others)
        return
    yield _mine(board, view)
    if view.phase == "placement":
        yield list(_others(board, view))


def _map(board: Board, view: View) -> Iterator[list[str]]:
    yield ["CITIES, what they supply, and the places beside them", *_cities(board, view)]
    yield _junctions(board, view)


def _table(board: Board, view: View) -> Iterator[list[str]]:
    yield ["MARKET, from the row that pays most", *_market(board, view)]
    yield ["RAIL CARDS", *_cards(board, view)]


def _everybody(board: Board, view: View) -> Iterator[list[str]]:
    yield ["PLAYERS", *_players(board, view)]


PARTS = {"market": _table, "players": _everybody, "map": _map}


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


def route_line(board: Board, route_id: str, player: PlayerView | None = None) -> str:
    """A route, and what it pays with a player's network as it is."""
    route = board.route[route_id]
    cities = ", ".join(f"{board.city[city].name} {value}" for city, value in by_value(route.cities))
    points = (player.route_points or {}).get(route_id) if player else None
    now = "" if points is None else f"; worth ${points}"
    return f"{route.id.upper()} from {board.city[route.start].name}: {cities}{now}"


def earned_line(player: PlayerView) -> str:
    """What a player's money comes from."""
    parts = {"new cities": "cities", "deliveries": "deliveries", "upgrades": "upgrades", "route": "route"}
    return ", ".join(f"{words} {_signed(player.earned[part])}" for words, part in parts.items())


def _signed(amount: int) -> str:
    return f"-${-amount}" if amount < 0 else f"${amount}"


def hand_line(board: Board, hand: Cards) -> str:
    return ", ".join(f"{hand[rail.id]} {rail.id}" for rail in board.rail_types if hand.get(rail.id)) or "none"


# Sections


def _situation(board: Board, view: View) -> str:
    you = f" You are {player_name(view, view.you)}." if view.you is not None else ""
    return round_line(board, view) + you


def _results(board: Board, view: View) -> list[str]:
    """The final standings, with the parts of everybody's money and the routes."""
    if not view.ending:
        return []
    lines = ["FINAL STANDINGS"]
    for standing, line in zip(view.standings, final_standings(view, dollars), strict=True):
        player = view.table.players[standing.seat]
        lines += [*folded(line), *folded(f"{earned_line(player)}.", "   ")]
        for route in player.routes or ():
            lines += folded(f"Route {route_line(board, route, player)}.", "   ")
    return lines


def _mine(board: Board, view: View) -> list[str]:
    """What the reader has; before the locomotive is placed, both sides of the contracts where they are chosen."""
    if view.you is None:
        return []
    player: PlayerView = view.table.players[view.you]
    own = f" ({OWN} your network)" if player.tracks and view.phase != "sides" else ""
    lines = folded(f"YOU{own}: {_state(board, player)}.")
    if player.hand is not None:
        lines += folded(f"Hand: {hand_line(board, player.hand)}.")
    for route in player.routes or ():
        lines += folded(f"Route {route_line(board, route, player)}.")
    done = [
        f"{board.goods[goods]} to {board.city[contract.delivered].name}"
        for goods, contract in player.contracts.items()
        if contract.delivered
    ]
    lines += folded(f"Delivered: {several(done)}.") if done else []
    for goods, contract in player.contracts.items():
        if not contract.delivered:
            lines += _own_contract(board, view, player, goods, contract)
    return lines


def _own_contract(board: Board, view: View, player: PlayerView, goods: str, contract: Contract) -> Iterator[str]:
    name = next(printed.name for printed in board.commodities if printed.id == goods)
    if view.phase == "sides":
        yield from folded(f"{name} now: {contract_words(board, _values(board, contract))}.")
        yield from folded(f"turned over: {contract_words(board, other_side(board, contract))}.", "    ")
        return
    used = {held.delivered for held in player.contracts.values()}
    own = set(player.cities) if player.tracks else set()
    there = several(
        [
            f"{board.city[city].name}{OWN * (city in own)} {value}"
            for city, value in by_value(_values(board, contract))
            if city not in used
        ]
    )
    known = _suppliers(board, view, goods, own)
    suppliers = several([f"{board.city[city].name}{OWN * (city in own)}" for city in known], " or ")
    yield from folded(f"{name} {'aboard' if contract.aboard else f'from {suppliers}'}: {there}.")


def _suppliers(board: Board, view: View, goods: str, own: set[str]) -> list[str]:
    """Where a commodity is loaded: in the network, else in the city nearest to it; before there is a network, all."""
    suppliers = [city for city in board.city if city in board.suppliers[goods]]
    if view.you is None or not view.table.players[view.you].home:
        return suppliers
    inside = [city for city in suppliers if city in own or city == view.table.players[view.you].home]
    nearest = next((city for city, _, _ in ways_to_new_cities(board, view, view.you) if city in suppliers), None)
    return inside or [nearest or suppliers[0]]


def _state(board: Board, player: PlayerView) -> str:
    where = f", train at {space_name(board, player.at)}" if player.at else ""
    return f"${player.score}, {train_line(player)}, {counted(player.tracks_left, 'track')} left{where}"


def _others(board: Board, view: View) -> Iterator[str]:
    """The other players in a line or two each."""
    for seat, player in enumerate(view.table.players):
        if seat == view.you:
            continue
        if not player.at:
            continue
        cargo = [board.goods[goods] for goods, contract in player.contracts.items() if contract.aboard]
        notes = [*seat_notes(view, seat), *[OUT] * (seat == view.table.out)]
        who = player_name(view, seat) + (f" ({', '.join(notes)})" if notes else "")
        aboard = f", {' and '.join(cargo)} aboard" if cargo else ""
        has = f"{counted(player.hand_size, 'card')}, {counted(player.tracks_left, 'track')} left"
        yield from folded(f"{who}: ${player.score}, {has}, at {space_name(board, player.at)}{aboard}.")


def _nearby(board: Board, view: View, most: int) -> list[str]:
    """The new cities nearest to the reader's network, with the rails of a shortest way over free spaces."""
    if view.you is None:
        return []
    lines: list[str] = []
    for city, start, steps in ways_to_new_cities(board, view, view.you):
        if len(lines) == most:
            break
        goods = board.city[city].commodity
        way = ", ".join(f"{rail} to {board.place[place].name}" for rail, place in steps[:-1])
        last = f"{', ' if way else ''}{steps[-1][0]}"
        price = market_price(board, view, goods)
        said = f"{board.city[city].name}, {board.goods[goods]} ${price}: from {board.place[start].name} {way}{last}."
        lines.append(said)
    told = [line for said in lines for line in folded(said)]
    return ["NEW CITIES NEARBY, what they pay, and a shortest way", *told] if told else []


def ways_to_new_cities(board: Board, view: View, seat: int) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """Each new city, nearest first, with the place where a shortest way to it leaves the network, and the rail and the
    place of each step."""
    player = view.table.players[seat]
    taken = {track for other in view.table.players for track in other.tracks}
    inside = {player.home, *(end for track in player.tracks for end in board.segment[track].ends)}
    queue: deque[tuple[str, str, list[tuple[str, str]]]] = deque((place, place, []) for place in sorted(inside))
    seen = set(inside)
    while queue and player.tracks_left:
        place, start, steps = queue.popleft()
        if place in board.city and steps:
            yield place, start, steps
            continue
        for end, segment in board.exits[place].items():
            if end not in seen and segment.id not in taken:
                seen.add(end)
                queue.append((end, start, [*steps, (segment.rail, end)]))


def _market(board: Board, view: View) -> Iterator[str]:
    names = {commodity.id: commodity.name for commodity in board.commodities}
    width = max(map(len, names.values()))
    for row, value in enumerate(board.market.rows):
        chips = (names[column[row]].ljust(width) for column in view.table.market)
        yield f"${value}  " + "  ".join(chips).rstrip()


def _cards(board: Board, view: View, brief: bool = False) -> Iterator[str]:
    table = view.table
    face_up = {rail: table.display.count(rail) for rail in table.display}
    if brief:
        yield from folded(f"Face up: {hand_line(board, face_up)}. Deck: {counted(table.deck_size, 'card')}.")
        return
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
            yield from folded(f"Route {route_line(board, route, player)}.", "  ")


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
    lines = [f"JUNCTIONS up to {NEAR} spaces from your network, and what is beside them"]
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
