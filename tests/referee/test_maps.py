"""Maps: names that keep out of each other's way, bent lines, and the ground."""

import itertools

import pytest

from referee.pictures.drawing import Box, document
from referee.pictures.maps import bend_point, covered, map_picture, on_curve, place_names, places_around, written

FRAME = Box(30, 150, 600, 400)
CITIES = {"a": (200.0, 300.0), "b": (230.0, 300.0), "c": (215.0, 325.0), "d": (40.0, 160.0)}
NAMES = {"a": "Alexandria", "b": "Baltimore", "c": "Casablanca", "d": "Dresden"}


def test_names_of_crowded_cities_cover_neither_each_other_nor_a_city_and_stay_in_the_frame():
    signs = [Box.around(x, y, 8) for x, y in CITIES.values()]
    costs = {
        city: [
            (dislike + covered(name.box, FRAME, signs, ()), name)
            for dislike, name in places_around(NAMES[city], at, 8, 17)
        ]
        for city, at in CITIES.items()
    }
    names = place_names(costs)
    assert names.keys() == CITIES.keys()
    assert all(FRAME.holds(name.box) for name in names.values())
    for first, other in itertools.combinations([name.box for name in names.values()], 2):
        assert not first.overlaps(other)
    for name, sign in itertools.product(names.values(), signs):
        assert not name.box.overlaps(sign)
    assert all(f">{word}</text>" in "".join(written(names, NAMES, 17)) for word in NAMES.values())


def test_a_bent_line_begins_and_ends_at_its_cities_and_leaves_the_straight_one():
    start, end = (0.0, 0.0), (100.0, 0.0)
    bend = bend_point(start, end, 0.2)
    assert on_curve(start, bend, end, 0) == start
    assert on_curve(start, bend, end, 1) == end
    assert on_curve(start, bend, end, 0.5) == pytest.approx((50, -10))
    assert on_curve(start, bend_point(start, end, 0), end, 0.5) == (50, 0)


def test_a_map_is_ground_then_layers_then_its_frame_with_paper_around():
    svg = document(
        Box(0, 0, 1200, 600), "", "", *map_picture(FRAME, ["first"], ["second"], land=[[(0, 0), (9, 9)]], height=600)
    )
    places = [svg.index(word) for word in ("#efe3c4", "first", "second", "evenodd", 'stroke-width="2.5"')]
    assert places == sorted(places)
    assert "evenodd" not in "".join(map_picture(FRAME))
