"""The table of Kings of Air & Steam in words, for terminals and screen readers: the decision first, then one subject
after another. Made from a view and the board alone."""

from collections.abc import Iterator, Sequence
from string import digits

from referee.contract import View, counted
from referee.games.kings_of_air_and_steam.board import Board
from referee.games.kings_of_air_and_steam.play_area import PlayArea, assemble
from referee.games.kings_of_air_and_steam.state import CLOSED, Goods
from referee.pictures.drawing import PAINTS
from referee.pictures.wording import (
    NO_BREAK,
    final_standings,
    folded,
    headline,
    player_name,
    seat_notes,
    sections,
    several,
)
from referee.piles import pile_of


def text_board(board: Board, view: View) -> str:
    area = assemble(board, view.table.layout)
    return sections(
        [
            f"KINGS OF AIR & STEAM, after move {view.sequence}",
            *folded(headline(view, points)),
            *folded(_situation(board, view)),
        ],
        ["FINAL STANDINGS", *final_standings(view, points)] if view.ending else [],
        ["MARKET", *_market(board, view)],
        ["PLAYERS", *_players(board, view)],
        ["CITIES", *_cities(board, view, area)],
        ["FACTORIES", *_factories(view, area)],
        ["LINKS, with their railway spaces and Depots", *_links(board, view, area)],
        ["MAP", *_map(board, view, area)],
        [fidelity_line(view)],
    )


# Sentences that the picture has too


def points(score: int) -> str:
    return f"{score} points"


def round_line(board: Board, view: View) -> str:
    table, rounds = view.table, board.constants.rounds
    if view.ending:
        return f"All {rounds} rounds are played."
    if not table.round:
        return "The table is being set up."
    if view.phase == "clearance":
        return f"The Clearance, after {rounds} rounds."
    steps = {"planning": "planning", "upkeep": "Upkeep"}
    step = steps.get(view.phase, f"cycle {table.cycle} of {board.constants.cycles}")
    return f"Round {table.round} of {rounds}, {step}."


def order_line(view: View) -> str:
    """Who is still to come in this cycle, or at the setup after whoever is asked."""
    later = view.table.order if view.table.round else view.table.order[1:]
    names = [player_name(view, seat) for seat in later]
    return f"Then: {', '.join(names)}." if names and not view.ending else ""


def fidelity_line(view: View) -> str:
    published = view.board.fidelity == "rulebook"
    return f"Boards {view.board.name}: {'as published' if published else 'not the published boards'}."


def crew_line(board: Board, view: View, seat: int) -> str:
    """Team, character and tokens; nothing in the Basic game."""
    player = view.table.players[seat]
    if not player.team:
        return ""
    words = f"{board.team[player.team].name} (priority {board.team[player.team].priority})"
    words += f", {board.character[player.character].name}" if player.character else ""
    return words + (f", {counted(player.tokens, 'token')}" if player.tokens else "")


# Sections


def _situation(board: Board, view: View) -> str:
    table = view.table
    marker = f" {player_name(view, table.first)} holds the First-player marker." if table.first is not None else ""
    you = f" You are {player_name(view, view.you)}." if view.you is not None else ""
    return f"{round_line(board, view)}{marker} {order_line(view)}".rstrip() + you


def _market(board: Board, view: View) -> Iterator[str]:
    table = view.table
    yield from folded("Prices: " + ", ".join(f"{good} ${price}" for good, price in table.prices.items()) + ".")
    yield from folded(f"In the bins: {goods_words(pile_of(table.bins))}. Still to be drawn: {table.draw_pile} tiles.")
    yield from folded(f"Demand stack: {goods_words(pile_of(table.demand))}.")


def _players(board: Board, view: View) -> Iterator[str]:
    for seat, player in enumerate(view.table.players):
        notes = list(seat_notes(view, seat))
        who = f"{player_name(view, seat)}, {player.colour}" + (f" ({', '.join(notes)})" if notes else "")
        yield from folded(f"{who}: ${player.cash}, {player.score} points, {counted(player.supply, 'Depot')} left.")
        if player.team:
            yield from folded(f"{crew_line(board, view, seat).rstrip('.')}.", "  ")
        yield from folded(
            f"Airship level {player.airship_level} on {player.at or 'no space'}:"
            f" {player.exposed} of {player.diamonds} diamonds,"
            f" {len(player.hold)} of {player.capacity} aboard: {goods_words(pile_of(player.hold))}."
            f" Train level {player.train_level}, rating {player.rating}.",
            "  ",
        )
        stored = [f"{space} ({goods_words(goods)})" for space, goods in player.depots.items()]
        yield from folded(f"Depots: {several(stored)}.", "  ")
        cards = [f"now {board.card_name(player.card)}"] * bool(player.card)
        cards += [f"shown {_cards(board, player.shown)}"] * bool(player.shown)
        if player.planned:
            face_down = player.plan is None
            cards.append(f"{player.planned} face down" if face_down else f"planned {_cards(board, player.plan)}")
        if cards:
            yield from folded(f"Cards: {'; '.join(cards)}.", "  ")


def _cards(board: Board, cards: tuple[str, ...]) -> str:
    return several([board.card_name(card) for card in cards], " ")


def _cities(board: Board, view: View, area: PlayArea) -> Iterator[str]:
    for name, city in view.table.cities.items():
        there = sum(city.goods.values())
        if city.good != CLOSED:
            wants = f"wants {city.good}, {there} of {city.slots} slots filled"
        else:
            wants = "takes no more deliveries" if city.tile else "waits for a Demand tile"
        yield from folded(f"{board.city[name].name} {area.place_of_city[name]}: {wants}.")


def _factories(view: View, area: PlayArea) -> Iterator[str]:
    waiting = [f"{area.factory_at[space]} {space}: {goods}" for space, goods in view.table.factories.items()]
    yield from folded("; ".join(word.replace(" ", NO_BREAK) for word in waiting) + ".")


def _links(board: Board, view: View, area: PlayArea) -> Iterator[str]:
    owners = {space: player.colour for player in view.table.players for space in player.depots}
    for link in area.links_with(view.table.built).values():
        spaces = [f"{space} {owners[space]}" if space in owners else space for space in link.spaces]
        ends = "-".join(board.city[end].name for end in link.ends)
        yield from folded(f"{link.id}, {ends}: {several(spaces)}.")


def _map(board: Board, view: View, area: PlayArea) -> Iterator[str]:
    """A line for each row; two characters a space, and what they mean below."""
    colours = [player.colour for player in view.table.players]
    # The same letters as in the picture.
    letters = {colour: PAINTS[colour].letter.lower() if colour in PAINTS else colour[0] for colour in colours}
    owners = {space: letters[player.colour] for player in view.table.players for space in player.depots}
    cities = _city_signs([board.city[city].name for city in area.city_at.values()])
    rails = {space for link in area.links_with(view.table.built).values() for space in link.spaces}
    places = area.name.items()
    left = min(2 * q + r for q, r in area.name)
    rows: dict[str, list[tuple[int, str]]] = {}
    for (q, r), name in places:
        if name in area.city_at:
            sign = cities[board.city[area.city_at[name]].name]
        elif name in area.factory_at:
            sign = "f" + area.factory_at[name][0]
        elif name in owners:
            sign = "d" + owners[name]
        else:
            sign = "==" if name in rails else "##" if name in area.partial else "--" if name in area.stubs else ".."
        rows.setdefault(name.rstrip(digits), []).append((2 * (2 * q + r - left), sign))
    for letter, cells in rows.items():
        drawn = ""
        for column, sign in sorted(cells):
            drawn = drawn.ljust(column) + sign
        first = min(int(name.removeprefix(letter)) for name in area.place if name.rstrip(digits) == letter)
        yield f"{letter}{first}".ljust(4) + drawn
    odd = "".join(f" ({letter} {colour})" for colour, letter in letters.items() if letter != colour[0])
    yield from folded(
        "Each row begins with the name of its first space. Cities by two letters, f factory and d Depot with the first"
        f" letter of the good or the colour{odd}, == rails, -- stubs, ## partial hexes."
    )


def _city_signs(names: Sequence[str]) -> dict[str, str]:
    """For each City two letters of its name that no other has."""
    signs: dict[str, str] = {}
    for name in sorted(names):
        letters = [letter for letter in name[1:] if letter.isalpha()]
        free = (name[0] + letter for letter in letters if (name[0] + letter).upper() not in signs.values())
        signs[name] = next(free, name[:2]).upper()
    return signs


def goods_words(goods: Goods) -> str:
    return several([f"{number} {good}" for good, number in sorted(goods.items())])
