"""Why a move is against the rules of Spike: what was wrong, with which numbers, and by which rule."""

from collections.abc import Sequence

from referee.contract import and_list
from referee.errors import IllegalOrder
from referee.games.spike.board import Board, Part
from referee.games.spike.building import Site, count, name, tracks
from referee.games.spike.movement import BOOST
from referee.games.spike.payment import cheapest, pays
from referee.games.spike.state import Build, Cards, Player, Position

MOVEMENT = "Rulebook, Explanation of train movement"


def missing(field: str, wanted: Sequence[str], hand: Cards) -> IllegalOrder | None:
    """The reason when someone names rail cards that are not in the hand."""
    for card in dict.fromkeys(wanted):
        needed, there = wanted.count(card), hand.get(card, 0)
        if needed > there:
            message = f"{needed} {card} named, but {there or 'none'} in your hand."
            return IllegalOrder("no_such_card", message, field=field, numbers={"named": needed, "there": there})
    return None


def not_face_up(board: Board, position: Position, card: str) -> IllegalOrder:
    if not position.display:
        return IllegalOrder("not_face_up", "No card is face up.", field="card", rule="Rulebook, A; SP-R20")
    there = and_list([rail.id for rail in board.rail_types if rail.id in position.display])
    message = f"No {card} card is face up; you can draw {there}."
    return IllegalOrder("not_face_up", message, field="card", rule="Rulebook, A")


def not_aboard(board: Board, commodity: str, rule: str) -> IllegalOrder:
    message = f"You have no {board.goods.get(commodity, commodity)} aboard."
    return IllegalOrder("not_aboard", message, field="commodity", rule=rule)


def load(board: Board, player: Player, commodity: str) -> IllegalOrder | None:
    rule = "Rulebook, Loading"
    city = board.city.get(player.at)
    goods = board.goods.get(commodity, commodity)
    contract = player.contracts.get(commodity)
    if city is None:
        return IllegalOrder("not_in_a_city", "Cargo is loaded in a city; your train is on the tracks.", rule=rule)
    if contract is None:
        return IllegalOrder("no_contract", f"You have no contract for {goods}.", field="commodity", rule=rule)
    if contract.delivered:
        message = f"You have delivered your {goods} already."
        return IllegalOrder("delivered_already", message, field="commodity", rule=rule)
    if contract.aboard:
        return IllegalOrder("aboard_already", f"You have your {goods} aboard already.", field="commodity", rule=rule)
    if city.commodity != commodity:
        message = f"{city.name} supplies {board.goods[city.commodity]}, not {goods}."
        return IllegalOrder("wrong_city", message, field="commodity", rule=rule)
    cars = board.levels("cargo")[player.cargo]
    message = f"Your {cars} freight car{'s are' if cars > 1 else ' is'} full: dump something first."
    return IllegalOrder("train_full", message, rule=rule, numbers={"cars": cars})


def deliver(board: Board, player: Player, commodity: str) -> IllegalOrder | None:
    rule = "Rulebook, Delivery"
    city = board.city.get(player.at)
    contract = player.contracts.get(commodity)
    if city is None:
        return IllegalOrder("not_in_a_city", "Cargo is delivered in a city; your train is on the tracks.", rule=rule)
    if contract is None or not contract.aboard:
        return not_aboard(board, commodity, rule)
    values = board.contract[contract.card].side(contract.side)
    if city.id not in values:
        listed = and_list([board.city[one].name for one in values])
        message = f"Your contract for {board.goods[commodity]} lists {listed}, not {city.name}."
        return IllegalOrder("not_listed", message, field="commodity", rule=rule)
    earlier = and_list([board.goods[goods] for goods, one in player.contracts.items() if one.delivered == city.id])
    message = f"You have delivered {earlier} to {city.name}; you may deliver only once to a city."
    return IllegalOrder("delivered_here", message, rule="Rulebook, Delivery; SP-R39")


def free_movement(board: Board, position: Position, seat: int, space: str) -> IllegalOrder | None:
    player = position.players[seat]
    if player.at in board.city and not position.moved:
        message = "Your train is in a city; to move it takes the action to set it in motion."
        return IllegalOrder("not_in_motion", message, rule="Rulebook, Free Train Movement")
    if position.moved:
        return IllegalOrder("moved_already", "Your train has had its free movement.", rule="Rulebook, Playing the game")
    return too_far(board, position, seat, space, board.levels("speed")[player.speed])


def set_in_motion(board: Board, position: Position, seat: int, space: str) -> IllegalOrder | None:
    player = position.players[seat]
    if player.at not in board.city:
        message = "Your train is in motion already; boost it, or move it at the start of your turn."
        return IllegalOrder("in_motion", message, rule="Rulebook, C")
    if position.moved:
        message = "Your train has come to this city in this turn; it is restarted in a later one."
        return IllegalOrder("just_arrived", message, rule="SP-R27")
    return too_far(board, position, seat, space, board.levels("speed")[player.speed])


def boost(board: Board, position: Position, seat: int, space: str) -> IllegalOrder | None:
    player = position.players[seat]
    if player.at in board.city:
        return IllegalOrder("not_in_motion", "Only a train on a track space can be boosted.", rule="SP-R28")
    return too_far(board, position, seat, space, BOOST)


def too_far(board: Board, position: Position, seat: int, space: str, spaces: int) -> IllegalOrder | None:
    if space not in board.city and space not in board.segment:
        return IllegalOrder("no_such_space", f"There is no space {space}.", field="space")
    if space in board.segment and board.segment[space] not in tracks(board, position, seat):
        return IllegalOrder("not_your_track", "You move on your own tracks only.", field="space", rule=MOVEMENT)
    message = f"Your train cannot get there within {spaces} space{'s' * (spaces > 1)} on your tracks."
    return IllegalOrder("too_far", message, field="space", numbers={"spaces": spaces}, rule=f"{MOVEMENT}; SP-R32")


def upgrade(player: Player, part: Part, cost: int | None) -> IllegalOrder | None:
    if cost is None:
        message = f"Your {part} has been upgraded as often as possible."
        return IllegalOrder("fully_upgraded", message, field="part", rule="Rulebook, E")
    message = f"Upgrading your {part} costs ${cost}; you have ${player.score}."
    numbers = {"cost": cost, "money": player.score}
    return IllegalOrder("too_expensive", message, field="part", rule="Rulebook, E; SP-R42", numbers=numbers)


def build(board: Board, position: Position, seat: int, move: Build) -> IllegalOrder | None:
    site = Site(board, position, seat)
    if not site.tracks:
        return IllegalOrder("no_tracks", "All your tracks are placed: you cannot build.", rule="Rulebook, B")
    if move.city not in board.city:
        return IllegalOrder("no_such_city", f"There is no city {move.city}.", field="city")
    city = board.city[move.city].name
    if move.city in site.network:
        message = f"{city} is in your network already; a path must connect a new city."
        return IllegalOrder("not_new", message, field="city", rule="Rulebook, B; SP-R07")
    named = missing("cards", move.cards, position.players[seat].hand)
    if named:
        return named
    if move.path:
        path = whole_path(site, move)
        if isinstance(path, IllegalOrder):
            return path
        return wrong_path(site, move, path) or unpaid(site, move, path)
    if move.cards:
        message = f"No path to {city} is found that just these cards pay: name the path, or other cards."
        return IllegalOrder("cannot_pay", message, field="cards", rule="Rulebook, B; SP-R14, SP-R59")
    message = f"No path of free spaces to {city} can be paid with your cards and {site.tracks} tracks."
    return IllegalOrder("out_of_reach", message, field="city", rule="Rulebook, B", numbers={"tracks": site.tracks})


def whole_path(site: Site, move: Build) -> tuple[str, ...] | IllegalOrder:
    """The path with the place where it leaves the network."""
    exits, path = site.board.exits, move.path
    unknown = [place for place in path if place not in exits]
    if unknown:
        return IllegalOrder("no_such_place", f"There is no city or junction {unknown[0]}.", field="path")
    if path[0] in site.network:
        return path
    starts = [place for place in exits[path[0]] if place in site.network]
    free = [place for place in starts if exits[place][path[0]].id not in site.taken]
    if starts:
        return (free or starts)[0], *path
    message = f"{site.board.place[path[0]].name} is not next to your network; you build on from your own track only."
    return IllegalOrder("not_connected", message, field="path", rule="Rulebook, B; SP-R10")


def wrong_path(site: Site, move: Build, path: tuple[str, ...]) -> IllegalOrder | None:
    board = site.board
    places = (*path, move.city)
    for a, b in zip(path, places[1:], strict=True):
        name_a, name_b = board.place[a].name, board.place[b].name
        if b not in board.exits[a]:
            return IllegalOrder("no_segment", f"There is no space between {name_a} and {name_b}.", field="path")
        if board.exits[a][b].id in site.taken:
            message = f"The space {name_a}-{name_b} has track already."
            return IllegalOrder("space_taken", message, field="path", rule="SP-R08")
        if b in site.network or places.count(b) > 1:
            message = f"The path comes to {name_b} again; it touches your network only where it begins."
            return IllegalOrder("loop", message, field="path", rule="SP-R07, SP-R60")
        if b in board.city and b != move.city:
            message = f"The path meets {name_b}, a new city, and ends there: build {name_b}."
            return IllegalOrder("two_cities", message, field="path", rule="SP-R06")
    if len(path) > site.tracks:
        message = f"The path has {len(path)} spaces; you have {site.tracks} tracks."
        numbers = {"spaces": len(path), "tracks": site.tracks}
        return IllegalOrder("too_few_tracks", message, field="path", rule="SP-R11", numbers=numbers)
    return None


def unpaid(site: Site, move: Build, path: tuple[str, ...]) -> IllegalOrder | None:
    board, need = site.board, site.need(path, move.city)
    rails = ", ".join(name(board, need))
    payment = cheapest(need, site.hand)
    if payment is None:
        message = f"The path needs {rails}; your hand cannot pay that."
        return IllegalOrder("cannot_pay", message, field="cards", rule="Rulebook, B, Wild; SP-R12")
    if move.cards and not pays(count(board, move.cards), need):
        enough = ", ".join(name(board, payment))
        message = f"The path needs {rails}; the cards named do not pay just that. {enough} would."
        return IllegalOrder("wrong_cards", message, field="cards", rule="Rulebook, B, Wild; SP-R12, SP-R14, SP-R59")
    return None
