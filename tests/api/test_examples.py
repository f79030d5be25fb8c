"""The recorded examples are what the API answers today: they fit the document to the last field."""

import json

from flask import Flask

from api.document import PROBLEMS
from tests import examples
from tests.contract import contract_of, spec
from tests.examples import KEPT

# Pictures, and what leads elsewhere: there is nothing to show.
WITHOUT = examples.WITHOUT | {"getBoardSvg", "getBoardPng", "getRulesPicture", "streamGame", "streamAllGames"}
# By hand: no test meets them through its own client, for they are made before the API is reached.
BEFORE_THE_API = {"too-slow"}


def test_every_example_fits_the_document(app: Flask) -> None:
    kept = json.loads(KEPT.read_text("utf-8"))
    for name, by_status in kept["operations"].items():
        for status, one in by_status.items():
            if one["type"].partition(";")[0].endswith("json"):
                error = next(contract_of(app).validator(name, status, one["type"]).iter_errors(one["answer"]), None)
                assert error is None, f"{name} {status}: {str(error)[:500]}: record the examples anew"
    problem = contract_of(app).validator("getMe", "401", "application/problem+json")
    for status, kinds in kept["problems"].items():
        for kind, one in kinds.items():
            assert problem.is_valid(one), f"{status} {kind}: record the examples anew"
            assert kind in PROBLEMS[int(status)], f"{status} {kind} is not in the document"


def test_every_operation_has_an_example_of_each_answer(app: Flask) -> None:
    kept = json.loads(KEPT.read_text("utf-8"))["operations"]
    lacking = [
        (operation["operationId"], status)
        for item in spec(app)["paths"].values()
        for verb, operation in item.items()
        if verb != "parameters" and operation["operationId"] not in WITHOUT
        for status, response in operation["responses"].items()
        if status.startswith("2") and "content" in response and status not in kept.get(operation["operationId"], {})
    ]
    assert lacking == [], "record the examples anew, or test what is lacking"


def test_every_problem_has_an_example(app: Flask) -> None:
    kept = json.loads(KEPT.read_text("utf-8"))["problems"]
    lacking = [
        (status, kind) for status, kinds in PROBLEMS.items() for kind in kinds if kind not in kept.get(str(status), {})
    ]
    assert [one for one in lacking if one[1] not in BEFORE_THE_API] == []
