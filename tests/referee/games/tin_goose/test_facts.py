"""Boards that contradict the rulebook: each fact has one that breaks it, and it alone says so."""

import msgspec
import pytest

from referee.games.tin_goose.facts import CONSTANTS, FACTS
from tests.referee.games.tin_goose.setups import BOARD

CARD, KIND = list(BOARD.card), list(BOARD.kind)
CITY = list(BOARD.city)
LINES = [{line.a, line.b} for line in BOARD.thick_lines]


def set_in(*path):
    *way, last, value = path

    def change(data):
        for step in way:
            data = data[step]
        data[last] = value

    return change


def without_line(a, b):
    return lambda data: data["thick_lines"].pop(LINES.index({a, b}))


def with_line(a, b):
    return lambda data: data["thick_lines"].append({"a": a, "b": b, "prov": "made up"})


def without(*path):
    def change(data):
        for step in path:
            data = data[step]
        data.pop()

    return change


# A sentence of the fact, and a change of the shipped board that breaks it; the findings' own boards among them.
BROKEN = {
    "has 48 cities": without("cities"),
    "twelve cities": set_in("cities", 0, "colour", "black"),
    "Ten cities are major": set_in("cities", 0, "major", True),
    "From San Francisco thick lines": without_line("san_francisco", "reno"),
    "From San Francisco a medium plane": set_in("cities", CITY.index("spokane"), "hex", [1, 1]),
    "joins Chicago and St. Louis": without_line("chicago", "st_louis"),
    "none joins Chicago and Kansas City": with_line("chicago", "kansas_city"),
    "reaches Kansas City": set_in("cities", CITY.index("kansas_city"), "hex", [2, 2]),
    "No thick line is longer": with_line("seattle", "miami"),
    "Rounds 1 and 2 open Havana": set_in("international", 1, "name", "Nassau"),
    "need a small plane": set_in("international", 2, "size", "S"),
    "Havana costs $10": set_in("international", 0, "cost", 70),
    "Each era deck has 23": set_in("era_cards", CARD.index("G27"), "kind", "oil"),
    "A crash costs": set_in("era_cards", CARD.index("G27"), "price", 9),
    "Oil costs": set_in("era_cards", CARD.index("R30"), "price", 4),
    "nine airmail cards": without("airmail_routes"),
    "twelve demand cards": without("demand_cards"),
    "36 silver demand tokens": set_in("demand", "tokens", "silver", 40),
    "The conditions are": set_in("conditions", 0, "name", "Bliss"),
    "The first fleet": set_in("ford_trimotor", "hazard", 2),
    "Boeing Stratoliner": set_in("fleet_kinds", KIND.index("boeing_stratoliner"), "size", "S"),
    "gold demand first": set_in("demand", "fixed_gold", ["chicago", "boston"]),
    "in this order": set_in("demand", "colours", ["black", "green", "magenta", "blue"]),
    "three cities get silver": set_in("demand", "chart", 0, "silver", [4, 2]),
    "removes one silver token": set_in("demand", "chart", 0, "removed", 1),
    "Gold cards are for": lambda data: data["eras"][0].update(id="green"),
    "three gold, four blue": set_in("eras", 0, "hand", 4),
    "In the variant": set_in("eras", 0, "fleets", 1),
    "Unproductive Investments pay": set_in("eras", 0, "investments", 20),
    "three tens": set_in("constants", "bills", [[10, 4]]),
    "one box with a 2": set_in("income_track", "boxes", 0, 3),
    "lowest box with a 3": set_in("income_track", "start", 2),
    "hazard marker": set_in("hazard_track", "start", 8),
    **{says: set_in("constants", name, number + 1) for number, name, _, says in CONSTANTS},
}


def said(change):
    """What the facts say to the shipped board after a change of its plain data."""
    data = msgspec.json.decode(msgspec.json.encode(BOARD))
    if change:
        change(data)
    board = msgspec.convert(data, type(BOARD))
    return [f"{fact.says} ({fact.id})" for fact in FACTS if not fact.holds(board)]


def test_the_shipped_board_agrees_with_the_rulebook():
    assert said(None) == []


@pytest.mark.rule(*sorted({fact.id for fact in FACTS}))
@pytest.mark.parametrize("words", BROKEN)
def test_a_board_that_contradicts_the_rulebook_is_told_the_fact(words):
    assert any(words in fact for fact in said(BROKEN[words]))


def test_every_fact_has_a_board_that_breaks_it():
    shown = {fact for change in BROKEN.values() for fact in said(change)}
    assert shown == {f"{fact.says} ({fact.id})" for fact in FACTS}
