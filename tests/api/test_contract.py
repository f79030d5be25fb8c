"""The whole OpenAPI document, tried out by schemathesis: what it promises holds, and nothing makes the API stumble.

Bounded here; longer with `WAYBILL_EXAMPLES=1000 ./waybill test tests/api/test_contract.py`.
"""

import os

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, settings
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from tests.api.conftest import Service

EXAMPLES = int(os.environ.get("WAYBILL_EXAMPLES", "12"))
CHECKS = [
    not_a_server_error,
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
]


@pytest.fixture
def document(app: Flask) -> schemathesis.schemas.BaseSchema:
    return schemathesis.openapi.from_wsgi("/v1/openapi.json", app)


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
    headers = {"Authorization": f"Bearer {persons[0].token}"}
    case.call_and_validate(headers=headers, checks=CHECKS)


def _game(service: Service, kept: list = []) -> tuple:  # noqa: B006 - one game for all examples
    if not kept:
        game_id, persons = service.open_game()
        service.play_opening(game_id, persons)
        kept.append((game_id, persons))
    return kept[0]
