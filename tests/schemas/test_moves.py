"""Moves as they are sent."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marshmallow import Schema, ValidationError

from schemas.fields import MOST_MOVES
from schemas.moves import NewMovesSchema

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.lists(st.dictionaries(st.text(max_size=5), JSON, max_size=3), max_size=4)
BODIES = (
    st.fixed_dictionaries({"moves": OBJECTS})
    | st.fixed_dictionaries({"moves": OBJECTS | JSON}, optional={"orders": JSON, "x": JSON})
    | JSON
)


def read(load: Any, body: Any) -> Any:
    try:
        return load(body)
    except ValidationError as error:
        return error.messages


@given(BODIES)
def test_moves_are_read_as_marshmallow_reads_them(body: Any) -> None:
    schema = NewMovesSchema()
    assert read(schema.load, body) == read(lambda data: Schema.load(schema, data), body)


@pytest.mark.parametrize("number", [0, 1, MOST_MOVES, MOST_MOVES + 1])
def test_as_many_moves_as_marshmallow_allows(number: int) -> None:
    schema, body = NewMovesSchema(), {"moves": [{"type": "pass"}] * number}
    assert read(schema.load, body) == read(lambda data: Schema.load(schema, data), body)
