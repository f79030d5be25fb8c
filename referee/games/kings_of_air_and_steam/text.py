"""The table of Kings of Air & Steam in words, for phones, terminals and screen readers: the decision and what it needs,
or one subject after another. Made from a view and the board alone."""

from collections.abc import Iterator, Sequence
from string import digits

from referee.contract import View, counted
from referee.games.kings_of_air_and_steam.board import Board
from referee.games.kings_of_air_and_steam.hints import airship_words, position_of, train_words
from referee.games.kings_of_air_and_steam.needs import Lines, needed
from referee.games.kings_of_air_and_steam.play_area import Link, PlayArea, assemble
from referee.games.kings_of_air_and_steam.sentences import (
    bins_line,
    card_label,
    crew_line,
    depots_words,
    factory_lines,
    fidelity_line,
    goods_words,
    has_stubs,
    marker_holder,
    order_line,
    points,
    prices_line,
    round_line,
    score_line,
)
from referee.games.kings_of_air_and_steam.state import CLOSED
from referee.pictures.drawing import PAINTS
from referee.pictures.wording import final_standings, folded, headline, player_name, seat_notes, sections, several
from referee.piles import pile_of


def text_board(board: Board, view: View, part: str = "") -> str:
    area = assemble(board, view.table.layout)
    market = ["MARKET", *_market(board, view)]
    players = ["PLAYERS", *_players(board, view)]
    map_lines = [
        ["CITIES", *_cities(board, view, area)],
        ["FACTORIES", *factory_lines(view, area)],
        ["LINKS, with their railway spaces and Depots", *_links(board, view, area)],
        ["STUBS, each a dead end of one City", *_stubs(board, view, area)] if has_stubs(view) else [],
        ["MAP", *_map(board, view, area)],
    ]
    parts = {"market": [market], "players": [_results(board, view), players], "map": map_lines}
    if part in parts:
        return sections(*parts[part])
    head = [
        f"KINGS OF AIR & STEAM, after move {view.sequence}",
        *folded(headline(view, points)),
        *folded(_situation(board, view)),
        *folded(order_line(view)),
    ]
    if part == "full":
        return sections(head, _results(board, view), market, players, *map_lines, folded(fidelity_line(view)))
    return sections(head, _results(board, view), *([] if view.ending else needed(board, view)))


def _situation(board: Board, view: View) -> str:
    first = marker_holder(view)
    marker = f" {player_name(view, first)} holds the First-player marker." if first is not None else ""
    you = f" You are {player_name(view, view.you)}." if view.you is not None else ""
    return f"{round_line(board, view)}{marker}{you}"


def _results(board: Board, view: View) -> Lines:
    if not view.ending:
        return []
    lines = ["FINAL STANDINGS"]
    for standing, line in zip(view.standings, final_standings(view, points), strict=True):
        lines += folded(f"{line}: {score_line(board, view, standing.seat)}.")
    return lines


def _market(board: Board, view: View) -> Iterator[str]:
    yield from folded(prices_line(view))
    yield from folded("Drawers: " + ", ".join(f"${drawer}" for drawer in board.market.drawers) + ".")
    yield from folded(bins_line(view))
    yield from folded(f"Still to be drawn: {view.table.draw_pile} tiles.")


def _players(board: Board, view: View) -> Iterator[str]:
    position = position_of(board, view)
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
            f" Next {airship_words(board, position.players[seat])}.",
            "  ",
        )
        yield from folded(
            f"Train level {player.train_level}, rating {player.rating}."
            f" Next {train_words(board, position.players[seat])}.",
            "  ",
        )
        yield from folded(f"Depots: {depots_words(player.depots)}.", "  ")
        cards = [f"now {card_label(board, player.card)}"] if player.card else []
        cards += [f"shown {_cards(board, player.shown)}"] * bool(player.shown)
        if player.planned:
            face_down = player.plan is None
            cards.append(f"{player.planned} face down" if face_down else f"planned {_cards(board, player.plan)}")
        if cards:
            yield from folded(f"Cards: {'; '.join(cards)}.", "  ")


def _cards(board: Board, cards: Sequence[str]) -> str:
    return several([card_label(board, card) for card in cards], ", ")


def _cities(board: Board, view: View, area: PlayArea) -> Iterator[str]:
    for name, city in view.table.cities.items():
        there = sum(city.goods.values())
        if city.good != CLOSED:
            wants = f"wants {city.good}, {there} of {city.slots} slots filled"
        else:
            wants = "takes no more deliveries" if city.tile else "waits for a Demand tile"
        yield from folded(f"{board.city[name].name} {area.place_of_city[name]}: {wants}.")


def _links(board: Board, view: View, area: PlayArea) -> Iterator[str]:
    for link in area.links_with(view.table.built).values():
        yield from folded(_link_words(board, view, link))


def _stubs(board: Board, view: View, area: PlayArea) -> Iterator[str]:
    for stub in area.stub_links.values():
        yield from folded(_link_words(board, view, stub).removeprefix("stub "))


def _link_words(board: Board, view: View, link: Link) -> str:
    owners = {space: player.colour for player in view.table.players for space in player.depots}
    spaces = [f"{space} {owners[space]}" if space in owners else space for space in link.spaces]
    ends = "-".join(board.city[end].name for end in link.ends)
    return f"{link.id}, {ends}: {several(spaces)}."


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
        rows.setdefault(name.rstrip(digits), []).append((3 * (2 * q + r - left) // 2, sign))
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
