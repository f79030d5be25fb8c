"""The whole OpenAPI document, tried out by schemathesis: what it promises holds, and nothing makes the API stumble.

Bounded here; longer with `WAYBILL_EXAMPLES=1000 ./waybill test tests/api/test_contract.py`.
"""

import os
from collections.abc import Collection
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, settings
from schemathesis import Case
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.api.conftest import Service

EXAMPLES = int(os.environ.get("WAYBILL_EXAMPLES", "6"))

# Of these no schema can say everything: whether a move is legal, a key is new, or a cursor came from a page.
BEYOND_SCHEMAS = ("POST", "PATCH", "DELETE", "PUT")


@pytest.fixture
def document(app: Flask) -> schemathesis.schemas.BaseSchema:
    """The document, in which conditions of standing orders hold no conditions that hold conditions: of a schema that
    holds itself it takes minutes to draw."""
    raw = app.test_client().get("/v1/openapi.json").json
    for name in HOLD_CONDITIONS:
        raw["components"]["schemas"][name] = without(raw["components"]["schemas"][name], HOLD_CONDITIONS)
    found = schemathesis.openapi.from_dict(raw)
    found.app = app
    return found


HOLD_CONDITIONS = ("Not", "AllOf", "AnyOf")


def without(schema: Any, names: Collection[str]) -> Any:
    """A schema without references to some others."""
    if isinstance(schema, list):
        parts = [part for part in schema if not (isinstance(part, dict) and _refers(part.get("$ref"), names))]
        return [without(part, names) for part in parts]
    if isinstance(schema, dict):
        return {key: without(part, names) for key, part in schema.items() if not _refers(part, names)}
    return schema


def _refers(part: Any, names: Collection[str]) -> bool:
    return isinstance(part, str) and part.startswith("#/") and part.rpartition("/")[2] in names


schema = schemathesis.pytest.from_fixture("document")


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_the_api_keeps_what_its_document_promises(case: Case, service: Service) -> None:
    game_id, persons = _game(service)
    if "game_id" in case.path_parameters:
        case.path_parameters["game_id"] = game_id
    # What schemathesis calls without a server between it would not be unpacked.
    headers = {"Accept-Encoding": "identity"}
    if case.operation.path != "/v1/players":  # whoever signs up has no token
        headers["Authorization"] = f"Bearer {persons[0].token}"
    is_beyond = case.method in BEYOND_SCHEMAS or "after" in (case.query or {})
    case.call_and_validate(headers=headers, excluded_checks=[positive_data_acceptance] if is_beyond else [])


def _game(service: Service, kept: list = []) -> tuple:  # noqa: B006 - one game for all examples
    if not kept:
        game_id, persons = service.open_game()
        service.play_opening(game_id, persons)
        kept.append((game_id, persons))
    return kept[0]
