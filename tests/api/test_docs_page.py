"""The page of the document, in a real browser, and the guides beside it."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.browser import chromium
from tests.serving import served

VENDOR = Path(__file__).resolve().parents[2] / "api" / "vendor"


def test_what_is_vendored_is_what_it_was() -> None:
    for line in (VENDOR / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split()
        assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == digest, name
        assert name in (VENDOR / "README.md").read_text()


def test_the_guides_are_served_with_the_document(client: FlaskClient) -> None:
    guide = client.get("/v1/docs/api.md")
    assert (guide.status_code, guide.mimetype) == (200, "text/markdown")
    assert guide.text.startswith("# The API")
    for name in ("clocks", "notices", "stream", "engine"):
        assert f"({name}.md" in guide.text
        assert client.get(f"/v1/docs/{name}.md").status_code == 200
    for name in ("nothing", "..", "games", "%2e%2e%2fREADME"):
        assert client.get(f"/v1/docs/{name}.md").status_code == 404


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    with served(app) as address:
        yield address


def test_the_page_shows_every_operation_from_this_place_alone(address: str, client: FlaskClient) -> None:
    document = client.get("/v1/openapi.json").json
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        answered, wrong = [], []
        page.on("requestfinished", lambda request: answered.append(request.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
        page.goto(f"{address}/v1/docs")
        page.wait_for_selector("[data-section-id]", timeout=60_000)
        page.wait_for_function("document.querySelectorAll('[data-section-id]').length > 40", timeout=60_000)
        shown = page.content()
        titles = [one["summary"] for item in document["paths"].values() for one in item.values() if "summary" in one]
        assert len(titles) > 50
        assert [title for title in titles if title not in shown] == []
        if picture := os.environ.get("WAYBILL_PICTURES"):
            page.screenshot(path=f"{picture}/docs.png")
            page.evaluate("document.querySelector('[id$=sendMoves]').scrollIntoView()")
            page.screenshot(path=f"{picture}/docs-moves.png")
    # Redoc would show its maker's logo from elsewhere: the policy keeps it from asking.
    wrong = [one for one in wrong if "logo-mini.svg" not in one and "favicon" not in one]
    assert wrong == []
    assert len(answered) >= 3
    assert all(url.startswith((address, f"blob:{address}")) for url in answered), answered
