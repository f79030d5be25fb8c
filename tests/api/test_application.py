"""The shorter ways of api/application.py lead to the same as Flask's own."""

from io import BytesIO
from typing import Any

import pytest
from flask import Flask, Response, request, url_for
from flask.testing import FlaskClient

from api.application import LARGEST_REQUEST, ApiApp, RawResponse


def app_with(kind: type[Flask], response: type[Response]) -> FlaskClient:
    app = kind(__name__)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_REQUEST

    @app.post("/echo/<word>")
    def echo(word: str) -> Response:
        body = request.get_data()
        headers = {"Content-Type": "application/octet-stream", "Content-Length": str(len(body)), "X-Word": word}
        return response([body], 201, headers)

    @app.get("/place/")
    def place() -> str:
        return str({"here": url_for("place"), "there": url_for("echo", word="ü/x", more=1), "root": request.url_root})

    return app.test_client()


@pytest.fixture(scope="module")
def clients() -> list[FlaskClient]:
    return [app_with(ApiApp, RawResponse), app_with(Flask, Response)]


@pytest.mark.parametrize(
    ("method", "path", "options"),
    [
        ("POST", "/echo/a", {"data": b"some bytes"}),
        ("POST", "/echo/a", {"data": b""}),
        ("POST", "/echo/%C3%BC", {"data": b"\0" * 1000}),
        ("POST", "/echo/a", {"data": b"x" * (LARGEST_REQUEST + 1)}),
        ("POST", "/echo/a", {"input_stream": BytesIO(b"chunks"), "environ_overrides": {"wsgi.input_terminated": True}}),
        (
            "POST",
            "/echo/a",
            {"data": b"x", "headers": {"Content-Length": "1"}, "base_url": "http://other.example:81/x"},
        ),
        ("GET", "/echo/a", {}),
        ("GET", "/nothing", {}),
        ("GET", "/place/", {}),
        ("GET", "/place/", {"base_url": "https://elsewhere.example/waybill"}),
        ("GET", "/place/", {"headers": {"Host": "a.example:8000"}}),
        ("GET", "/place", {}),
        ("HEAD", "/place/", {}),
        ("OPTIONS", "/place/", {}),
    ],
)
def test_answers_are_those_of_flask(
    clients: list[FlaskClient], method: str, path: str, options: dict[str, Any]
) -> None:
    answers = []
    for client in clients:
        stream = options.get("input_stream")
        given = {**options, "input_stream": BytesIO(stream.getvalue())} if stream else options
        answers.append(client.open(path, method=method, **given))
    ours, theirs = answers
    assert (ours.status, ours.data) == (theirs.status, theirs.data)
    assert sorted(ours.headers) == sorted(theirs.headers)
