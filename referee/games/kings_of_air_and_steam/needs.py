"""What a player needs to know for the decision that is asked, and no more: the short text board."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from referee.contract import View, counted
from referee.games.kings_of_air_and_steam.board import Board
from referee.games.kings_of_air_and_steam.clearance import clearance_gains
from referee.games.kings_of_air_and_steam.flight import Flight
from referee.games.kings_of_air_and_steam.hexes import distance
from referee.games.kings_of_air_and_steam.hints import (
    Table,
    ability_words,
    airship_words,
    card_effect,
    diamonds_words,
    position_of,
    team_words,
    tolls_words,
    train_words,
)
from referee.games.kings_of_air_and_steam.links import Network
from referee.games.kings_of_air_and_steam.sentences import (
    card_label,
    crew_line,
    depots_words,
    goods_words,
    has_stubs,
    points,
    prices_line,
)
from referee.games.kings_of_air_and_steam.state import HOLD, lot, price, split_lot, stored_lots
from referee.games.kings_of_air_and_steam.steps import link_name
from referee.pictures.wording import NO_BREAK, folded, player_name, seat_notes, several
from referee.piles import pile_of

Lines = list[str]


def needed(board: Board, view: View) -> Iterator[Lines]:
    is_asked = any(decision.seat == view.you for decision in view.decisions) and view.you not in view.sealed
    if is_asked and view.phase in NEEDS:
        yield from NEEDS[view.phase](Table(board, view))
        return
    yield folded(prices_line(view))
    yield ["PLAYERS", *(line for seat in range(len(view.players)) for line in _short_player(board, view, seat))]


def _short_player(board: Board, view: View, seat: int) -> Iterator[str]:
    player = view.table.players[seat]
    notes = "".join(f" ({note})" for note in seat_notes(view, seat))
    card = f", card {card_label(board, player.card)}" if player.card else ""
    place = f", Airship on {player.at}" if player.at else ""
    hold = f" with {goods_words(pile_of(player.hold))}" if player.hold else ""
    yield from folded(
        f"{player_name(view, seat)}, {player.colour}{notes}: ${player.cash}, {points(player.score)},"
        f" {counted(len(player.depots), 'Depot')}{place}{hold}{card}."
    )


def _you(table: Table) -> Lines:
    """Where the viewer stands: money, Airship, Train, Depots with what they hold."""
    player, shown = table.player, table.view.table.players[table.seat]
    crew = crew_line(table.board, table.view, table.seat)
    lines = ["YOU", *(folded(f"{crew}.") if crew else [])]
    lines += folded(
        f"${player.cash}. Airship on {player.at}, {shown.exposed} of {shown.diamonds} diamonds shown, aboard"
        f" {len(player.hold)} of {shown.capacity}: {goods_words(pile_of(player.hold))}. Train rating {shown.rating}."
    )
    return lines + folded(f"Depots: {depots_words(player.depots)}. {counted(player.supply, 'Depot')} left to build.")


def _others(table: Table) -> Lines:
    """Where the others are and what they have; the rest is told by `players`."""
    seats = [seat for seat in range(len(table.view.players)) if seat != table.seat]
    return folded(f"Others: {'; '.join(_briefly(table.view, seat) for seat in seats)}.")


def _briefly(view: View, seat: int) -> str:
    player = view.table.players[seat]
    hold = f" with {goods_words(pile_of(player.hold))}" if player.hold else ""
    return f"{player_name(view, seat)} ({player.colour}) on {player.at}{hold}, ${player.cash}"


def _for_teams(table: Table) -> Iterator[Lines]:
    taken = {player.team for player in table.position.players}
    free = [team for team in table.board.teams if team.id not in taken]
    yield ["FREE TEAMS", *(line for team in free for line in folded(f"{team.name}: {team_words(table.board, team)}."))]


def _for_characters(table: Table) -> Iterator[Lines]:
    team = table.board.team[table.player.team]
    yield [
        f"OF {team.name.upper()}",
        *(line for who in team.characters for line in folded(f"{who.name}: {ability_words(table.board, who)}.")),
    ]


def _for_placement(table: Table) -> Iterator[Lines]:
    free = [link for link in table.rails.links.values() if link.id not in table.rails.depots]
    links = [f"{link_name(table.board, link)} {_in_a_row(link.spaces)}" for link in free if not link.is_stub]
    yield ["FREE LINKS", *folded("; ".join(links) + ".")]
    if has_stubs(table.view):
        by_city = {link.ends[0]: [other for other in free if other.ends == link.ends] for link in free if link.is_stub}
        words = [
            f"{table.board.city[city].name} {' | '.join(_in_a_row(stub.spaces) for stub in found)}"
            for city, found in by_city.items()
        ]
        yield ["FREE STUBS, dead ends of one City", *folded("; ".join(words) + ".")]
    yield _goods(table)


def _for_planning(table: Table) -> Iterator[Lines]:
    yield ["YOUR CARDS by letter, which says when your turn comes; d: a diamond", *_deck(table)]
    yield _you(table)
    yield _goods(table)
    yield _others(table)


def _goods(table: Table) -> Lines:
    """For each good its price, the Factories that have it, the nearest first, and the Cities that want it."""
    lines = ["GOODS: Factories (Goods there); Cities (slots filled)"]
    position, area = table.position, table.area
    for good, paid in table.view.table.prices.items():
        factories = [space for space, made in area.factory_at.items() if made == good]
        if table.player.at:
            factories.sort(key=lambda space: _away(table, space))
        there = several([f"{space} ({position.factories[space]})" for space in factories])
        wanted = [
            table.board.city[name].name + (f" ({filled}/{city.slots})" if filled else "")
            for name, city in table.view.table.cities.items()
            for filled in [sum(city.goods.values())]
            if city.good == good
        ]
        lines += folded(f"{good} ${paid}: {there}; {several(wanted)}.")
    return lines


def _for_flight(table: Table) -> Iterator[Lines]:
    yield _you(table)
    flight = Flight(table.board, table.view.settings)
    flight.version = table.view.version
    ends = flight.ends(position_of(table.board, table.view), table.seat)
    there = {end: table.on(end) for end in table.area.in_map_order(ends)}
    words = [f"{end}: {found}" for end, found in there.items() if found]
    yield [
        f"IN REACH, of {counted(len(ends), 'space')} where a turn may end",
        *folded(f"{'; '.join(words) or 'nothing'}."),
    ]
    yield folded(prices_line(table.view))


def _for_cargo(table: Table) -> Iterator[Lines]:
    at = table.player.at
    here = table.player.depots.get(at)
    there = f"your Depot with {goods_words(here)}" if here is not None else table.on(at)
    yield folded(f"Here, on {at}: {there}.")
    yield _you(table)
    yield folded(prices_line(table.view))


def _for_theft(table: Table) -> Iterator[Lines]:
    at, lines = table.player.at, ["HERE"]
    for seat, player in enumerate(table.position.players):
        if seat != table.seat and (player.at == at or at in player.depots):
            hold = goods_words(pile_of(player.hold)) if player.at == at else "none"
            stored = goods_words(player.depots.get(at, {}))
            lines += folded(f"{player_name(table.view, seat)}: hold {hold}; Depot {stored}.")
    yield lines
    yield _you(table)


def _for_action(table: Table) -> Iterator[Lines]:
    constants = table.board.constants
    discount = table.board.character[table.player.character].discount if table.player.character else 0
    first, later = constants.first_depot_on_link - discount, constants.later_depot_on_link - discount
    yield _you(table)
    yield [
        "COSTS",
        f"Depot: ${first} as the first on its Link, ${later} otherwise.",
        f"Airship: {airship_words(table.board, table.player)}.",
        f"Train: {train_words(table.board, table.player)}.",
    ]
    if shipments := list(_shipments(table)):
        yield ["YOU COULD SHIP", *shipments]
    yield folded(prices_line(table.view))


def _shipments(table: Table) -> Iterator[str]:
    """Deliveries that the rails allow, with what they pay."""
    position, player = table.position, table.player
    for start, goods in player.depots.items():
        if not goods:
            continue
        network = Network(table.board, position, table.rails, table.seat, start)
        cheapest = network.cheapest()
        for city, there in position.cities.items():
            if there.good in goods and city in cheapest and there.empty:
                paid = price(table.board, position, there.good)
                number = min(goods[there.good], there.empty)
                way = tolls_words(table, network, cheapest[city])
                yield from folded(
                    f"{number} {there.good} from {start} to {table.board.city[city].name}: ${paid} a Good, {way}."
                )


def _for_tiles(table: Table) -> Iterator[Lines]:
    yield _goods(table)
    yield _you(table)


def _for_upkeep(table: Table) -> Iterator[Lines]:
    constants, player = table.board.constants, table.player
    lots = {lot(HOLD, good): number for good, number in pile_of(player.hold).items()} | stored_lots(player)
    is_last = table.position.round == constants.rounds
    gains = clearance_gains(table.board, table.position, table.seat) if is_last else {}
    lines = [f"YOUR GOODS: ${constants.upkeep} for each you keep, of your ${player.cash}"]
    for item, number in lots.items():
        words = f"{number} {item}"
        if is_last:
            nothing = "worth nothing now" if split_lot(item)[0] == HOLD else "cannot be cleared"
            words += f": ${gains[item]} each at the Clearance" if item in gains else f": {nothing}"
        lines += folded(f"{words}.")
    yield lines
    yield folded(prices_line(table.view))


def _for_clearance(table: Table) -> Iterator[Lines]:
    gains = clearance_gains(table.board, table.position, table.seat)
    stored = stored_lots(table.player)
    yield [
        "YOUR GOODS",
        *(
            line
            for item, number in stored.items()
            for words in [f"${gains[item]} each after tolls" if item in gains else "cannot be cleared"]
            for line in folded(f"{number} {item}: {words}.")
        ),
    ]


NEEDS: Mapping[str, Callable[[Table], Iterator[Lines]]] = {
    "teams": _for_teams,
    "characters": _for_characters,
    "placement": _for_placement,
    "planning": _for_planning,
    "flight": _for_flight,
    "cargo": _for_cargo,
    "loading": _for_cargo,
    "theft": _for_theft,
    "sphinx_shipment": _for_action,
    "action": _for_action,
    "perpetual_motion": _for_action,
    "market_sense": _for_tiles,
    "upkeep": _for_upkeep,
    "clearance": _for_clearance,
}


def _deck(table: Table) -> Iterator[str]:
    """The viewer's cards, those of a letter in a line."""
    by_letter: dict[str, Lines] = {}
    for card, number in pile_of(list(table.player.deck)).items():
        found = table.board.card[card]
        words = f"{table.board.card_name(card)}{f' (x{number})' if number > 1 else ''}"
        if card in table.board.team:
            words += f" ({card_effect(found)}, {diamonds_words(found)})"
        by_letter.setdefault(found.letter, []).append(words)
    yield from folded("; ".join(f"{letter}: {several(by_letter[letter])}" for letter in sorted(by_letter)) + ".")


def _away(table: Table, space: str) -> int:
    return distance(table.area.place[table.player.at], table.area.place[space])


def _in_a_row(spaces: Sequence[str]) -> str:
    return NO_BREAK.join(spaces)
