"""The API's own documentation: the OpenAPI document, and the same as a page."""

from collections.abc import Iterator
from html import escape
from typing import Any

from flask import Blueprint, Response, current_app, jsonify

bp = Blueprint("docs", __name__, url_prefix="/v1")

INTRODUCTION = (
    "Waybill referees games played by post. Sign up with POST /v1/players, send the token as a bearer token, open a"
    " game, ask for your options, send moves. What is refused says why, as an RFC 9457 problem, and changes nothing."
)

STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "body{color:#1c2733;background:#fbf8f1}"
    "code{background:#efe9dc;padding:.1em .3em;border-radius:3px}h2{margin-top:2.5rem;border-bottom:1px solid #cfc6b2}"
    "h3{margin-bottom:0}b{display:inline-block;min-width:4.5rem}"
)


def document() -> dict[str, Any]:
    found: dict[str, Any] = current_app.extensions["waybill_api"].spec.to_dict()
    return found


@bp.get("/openapi.json")
def openapi() -> Response:
    """The OpenAPI 3.1 document."""
    return jsonify(document())


@bp.get("/docs")
def page() -> Response:
    """The document to read."""
    return Response("\n".join(_page(document())), content_type="text/html; charset=utf-8")


def _page(spec: dict[str, Any]) -> Iterator[str]:
    yield f"<!doctype html><html lang=en><meta charset=utf-8><title>Waybill API</title><style>{STYLE}</style>"
    yield f"<h1>Waybill API</h1><p>{escape(INTRODUCTION)}</p><p><a href='openapi.json'>openapi.json</a></p>"
    for tag in spec.get("tags", []):
        yield f"<h2>{escape(tag.get('description') or tag['name'])}</h2>"
        for path, item in spec["paths"].items():
            for method, operation in item.items():
                if isinstance(operation, dict) and tag["name"] in operation.get("tags", ()):
                    yield from _operation(method, path, item, operation)
    yield "</html>"


def _operation(method: str, path: str, item: dict[str, Any], operation: dict[str, Any]) -> Iterator[str]:
    yield f"<h3><b>{method.upper()}</b> <code>{escape(path)}</code></h3>"
    yield f"<p>{escape(operation.get('summary', ''))}</p><ul>"
    for parameter in operation.get("parameters", []):
        if isinstance(parameter, dict) and parameter.get("in") != "path":
            note = escape(parameter.get("description", ""))
            yield f"<li><code>{escape(parameter['name'])}</code> ({escape(parameter['in'])}) {note}</li>"
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        yield f"<li>sends {escape(kind)}: <code>{escape(_name(content['schema']))}</code></li>"
    for status, answer in operation.get("responses", {}).items():
        for kind, content in answer.get("content", {}).items() if isinstance(answer, dict) else ():
            yield f"<li>{escape(str(status))} {escape(kind)}: <code>{escape(_name(content['schema']))}</code></li>"
    yield "</ul>"


def _name(schema: dict[str, Any]) -> str:
    if "items" in schema:
        return f"list of {_name(schema['items'])}"
    return str(schema["$ref"].rpartition("/")[2] if "$ref" in schema else schema.get("type", "object"))
