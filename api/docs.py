"""The API's own documentation: the OpenAPI document, the same as a page, and the guides that go with it."""

import hashlib
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

import msgspec
from flask import Blueprint, Response, current_app

import referee
from api.document import finished
from api.problems import refuse
from api.responses import fill, tagged

bp = Blueprint("docs", __name__, url_prefix="/v1")

REDOC = Path(__file__).parent / "vendor" / "redoc.standalone.js"
GUIDES = Path(referee.__file__).parents[1] / "docs"
JAVASCRIPT, MARKDOWN = "text/javascript; charset=utf-8", "text/markdown; charset=utf-8"

# Redoc, from this place alone. It puts its styles into the page, and searches in a worker of its own.
POLICY = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:; style-src 'unsafe-inline';"
    " worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waybill API</title>
<style>body{margin:0}img[src^="https:"]{display:none}
noscript{font:17px/1.5 system-ui,sans-serif;display:block;padding:2rem}</style>
<redoc spec-url="openapi.json" disable-telemetry hide-download-button native-scrollbars expand-responses="200,201"
 json-sample-expand-level="3" generated-payload-samples-max-depth="4" path-in-middle-panel></redoc>
<noscript>This page is made by JavaScript. The document itself is <a href="openapi.json">openapi.json</a>, and
<a href="docs/api.md">the guide</a> can be read without.</noscript>
<script src="docs/redoc.js"></script>
</html>
"""


def document() -> dict[str, Any]:
    """The document, made once: neither the views nor the games change while a process runs."""
    if "openapi" not in current_app.extensions:
        spec = current_app.extensions["waybill_api"].spec.to_dict()
        current_app.extensions["openapi"] = finished(spec, current_app)
    found: dict[str, Any] = current_app.extensions["openapi"]
    return found


@bp.get("/openapi.json")
def openapi() -> Response:
    """The OpenAPI 3.1 document."""
    return _static(msgspec.json.encode(document()) + b"\n", "application/json")


@bp.get("/docs")
def page() -> Response:
    """The document to read."""
    return Response(PAGE, content_type="text/html; charset=utf-8", headers={"Content-Security-Policy": POLICY})


@bp.get("/docs/redoc.js")
def redoc() -> Response:
    """What the page is made by."""
    return _static(_file(REDOC), JAVASCRIPT)


@bp.get("/docs/<name>.md")
def guide(name: str) -> Response:
    """A guide: `api.md`, and those that it leads to."""
    if name not in _guides():
        known = ", ".join(sorted(_guides()))
        refuse(HTTPStatus.NOT_FOUND, "not-found", f"There is no guide of this name; there are: {known}.")
    return _static(_file(GUIDES / f"{name}.md"), MARKDOWN)


@cache
def _guides() -> frozenset[str]:
    return frozenset(file.stem for file in GUIDES.glob("*.md"))


@cache
def _file(path: Path) -> bytes:
    return path.read_bytes()


def _static(body: bytes, content_type: str) -> Response:
    """What is the same for everybody until the service is renewed."""
    response = tagged(hashlib.sha256(body).hexdigest(), content_type, final=True, public=True)
    if response.status_code != HTTPStatus.NOT_MODIFIED:
        fill(response, body)
    return response
