"""The page: one document for all its addresses, and the files of web/ under a name that changes with their content.

It is a client of the public API like any other. All files are read once, and kept as they are sent.
"""

import gzip
import hashlib
import json
import mimetypes
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

from flask import Blueprint, Response, request

from api.events import stream_address
from api.problems import refuse

bp = Blueprint("page", __name__)

FOLDER = Path(__file__).resolve().parents[1] / "web"
# The addresses of the page's views: web/app.js has the same list, and a test compares them.
VIEWS = (
    "/",
    "/games",
    "/games/new",
    "/games/<game_id>",
    "/games/<game_id>/replay",
    "/lobby",
    "/settings",
    "/help",
    "/help/<topic>",
    "/sign-in",
    "/prove",
)
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
FOR_EVER = "public, max-age=31536000, immutable"
SMALLEST_GZIPPED = 256  # bytes
FIRST = ("app.js", "views/welcome.js")  # and what they import: asked for with the document, not one after another


class File(NamedTuple):
    body: bytes
    gzipped: bytes | None
    content_type: str


@cache
def files() -> dict[str, File]:
    """By their paths within the folder."""
    found = {}
    for path in sorted(FOLDER.rglob("*")):
        if path.is_file() and not path.name.endswith(".d.ts"):
            body = path.read_bytes()
            kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "text/plain; charset=utf-8"
            is_text = not kind.startswith(("image/png", "font/"))
            squeezed = gzip.compress(body, 9, mtime=0) if is_text and len(body) >= SMALLEST_GZIPPED else None
            found[path.relative_to(FOLDER).as_posix()] = File(body, squeezed, kind)
    return found


@cache
def digest() -> str:
    """Of all files together: they refer to one another by relative addresses."""
    total = hashlib.sha256()
    for name, file in files().items():
        total.update(f"{name} {len(file.body)}\n".encode() + file.body)
    return total.hexdigest()[:16]


@cache
def document() -> File:
    """index.html with the addresses of this version's files."""
    base = f"/web/{digest()}"
    preloads = "\n".join(f'<link rel="modulepreload" href="{base}/{name}">' for name in modules(*FIRST))
    page = files()["index.html"].body.decode().replace("{base}", base).replace("{preloads}", preloads)
    return File(page.encode(), gzip.compress(page.encode(), 9, mtime=0), TYPES[".html"])


def modules(*names: str) -> list[str]:
    """These modules and all that they import from the beginning, each once."""
    found: list[str] = []
    left = list(names)
    while left:
        name = left.pop(0)
        if name not in found:
            found.append(name)
            for line in files()[name].body.decode().splitlines():
                if line.startswith(("import ", "export ", "} from ")) and ' from "' in line:
                    target = line.rpartition(' from "')[2].split('"')[0]
                    place = (FOLDER / name).parent / target
                    left.append(place.resolve().relative_to(FOLDER).as_posix())
    return found


def policy() -> str:
    """Everything from here, nothing inline, nothing evaluated; the stream may be at a port of its own."""
    return (
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        f"connect-src 'self' {stream_address()}; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    )


def show_page(**_: str) -> Response:
    """The document: which view it shows is said by the address."""
    response = _send(document(), "no-cache")
    response.headers["Content-Security-Policy"] = policy()
    return response


for _address in VIEWS:
    bp.add_url_rule(_address, "page", show_page)


@bp.get("/web/<version>/<path:name>")
def page_file(version: str, name: str) -> Response:
    """A file of the page. Under the name of another version it may not be kept: it may not be what was asked for."""
    file = files().get(name)
    if file is None or name == "index.html":
        refuse(HTTPStatus.NOT_FOUND, "not-found", "The page has no such file.")
    return _send(file, FOR_EVER if version == digest() else "no-store")


@bp.get("/favicon.ico")
def favicon() -> Response:
    return _send(files()["icon.svg"], "public, max-age=86400")


@bp.get("/<any('sw.js', 'manifest.webmanifest'):name>")
def root_file(name: str) -> Response:
    """What browsers want at the root: a service worker may serve no more than is below its address."""
    file = files().get(name)
    if file is None:
        refuse(HTTPStatus.NOT_FOUND, "not-found", "The page has no such file.")
    base = f"/web/{digest()}"
    kept = [f"{base}/{one}" for one in files() if one.endswith((".js", ".css", ".svg", ".png")) and one != "sw.js"]
    body = file.body.replace(b"{base}", base.encode()).replace(b"{files}", json.dumps(kept).encode())
    response = _send(File(body, None, file.content_type), "no-cache")
    response.headers["Content-Security-Policy"] = policy()
    return response


def _send(file: File, cache_control: str) -> Response:
    squeezed = file.gzipped if file.gzipped and request.accept_encodings["gzip"] > 0 else None
    response = Response(squeezed or file.body, content_type=file.content_type)
    response.headers["Cache-Control"] = cache_control
    response.vary.add("Accept-Encoding")
    if squeezed:
        response.headers["Content-Encoding"] = "gzip"
    response.set_etag(hashlib.sha256(squeezed or file.body).hexdigest()[:16])
    response.make_conditional(request)
    return response
