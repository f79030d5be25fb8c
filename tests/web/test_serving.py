"""How the page is served, and what it is made of."""

import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest
from flask import Flask

from api import page
from api.docs import document as openapi_document
from app import create_app
from runtime.config import Config
from service.preferences import KINDS
from tests import node_tools

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
LIT_HTML = ("3.3.3", "b878e7f95dec8a9b6e9b217faca6b6a11bad82ebc44c0caa77419ed83edd81f2")  # of npm's lit-html.js
FIRST_VIEW = 150 * 1024


@pytest.fixture(scope="module")
def app(config: Config) -> Flask:
    return create_app(config.replace(requests_per_minute=10**9, log_level="error"))


def test_the_vendored_library_is_the_published_one_and_has_its_licence() -> None:
    assert hashlib.sha256((WEB / "vendor" / "lit-html.js").read_bytes()).hexdigest() == LIT_HTML[1]
    assert "Google LLC" in (WEB / "vendor" / "lit-html.LICENSE").read_text()


def test_every_address_of_the_page_answers_with_the_document_under_a_strict_policy(app: Flask) -> None:
    client = app.test_client()
    for address in page.VIEWS:
        answer = client.get(re.sub(r"<\w+>", "x", address))
        assert (answer.status_code, answer.content_type) == (200, "text/html; charset=utf-8"), address
        policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'self'; script-src 'self'; style-src 'self';")
        assert "unsafe" not in policy
        assert answer.headers["Cache-Control"] == "no-cache"


def test_the_page_knows_the_same_addresses_as_the_server() -> None:
    known = re.findall(r'^  \["(/[^"]*)", \(\) =>', (WEB / "app.js").read_text(), re.M)
    assert tuple(known) == page.VIEWS


def test_files_are_kept_for_ever_under_names_that_change_with_them(app: Flask) -> None:
    client = app.test_client()
    document = client.get("/").text
    named = re.findall(r'(?:href|src)="(/web/[^"]+)"', document)
    assert len(named) > 5
    for address in named:
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    stale = client.get(named[0].replace(page.digest(), "0" * 16))
    assert (stale.status_code, stale.headers["Cache-Control"]) == (200, "no-store")
    assert client.get(f"/web/{page.digest()}/../app.py").status_code == 404
    assert client.get(f"/web/{page.digest()}/index.html").status_code == 404


def test_files_come_gzipped_and_are_asked_for_once(app: Flask) -> None:
    client = app.test_client()
    address = f"/web/{page.digest()}/app.js"
    squeezed = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert squeezed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(squeezed.data) == (WEB / "app.js").read_bytes()
    again = client.get(address, headers={"Accept-Encoding": "gzip", "If-None-Match": squeezed.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_the_first_view_is_small(app: Flask) -> None:
    client = app.test_client()
    headers = {"Accept-Encoding": "gzip"}
    document = client.get("/", headers=headers)
    named = set(re.findall(r'(?:href|src)="(/[^"]+)"', gzip.decompress(document.data).decode())) - {"/v1/docs"}
    sizes = {address: len(client.get(address, headers=headers).data) for address in [*named, "/v1/rulesets"]}
    assert len(document.data) + sum(sizes.values()) < FIRST_VIEW, sizes


def test_nothing_is_inline_and_nothing_is_evaluated() -> None:
    document = (WEB / "index.html").read_text()
    assert not re.search(r"<style|\son\w+=|javascript:", document)
    assert re.findall(r"<script[^>]*>([^<]*)</script>", document) == [""]
    for file in WEB.rglob("*.js"):
        if "vendor" not in file.parts:
            assert not re.search(r"\beval\(|new Function|innerHTML|style=\"", file.read_text()), file


def test_words_stand_in_one_module_and_every_key_is_there() -> None:
    words = (WEB / "words.js").read_text()
    known = set(re.findall(r'^  "?([\w.]+)"?: ', words, re.M))
    assert len(known) > 150
    families = set()
    for file in [*WEB.glob("*.js"), *WEB.glob("views/*.js")]:
        text = file.read_text()
        used = set(re.findall(r'\bt\("([\w.]+)"', text))
        assert used <= known, (file.name, used - known)
        families.update(re.findall(r"\bt\(`([\w.]+)\$\{", text))
    assert all(any(key.startswith(family) for key in known) for family in families)
    assert {f"settings.kind.{kind}" for kind in KINDS} <= known


def test_types_of_the_page_fit_the_api(app: Flask, tmp_path: Path) -> None:
    """tsc reads the modules with the types that openapi-typescript makes from the API's own document."""
    with app.app_context():
        described = openapi_document()
    source = tmp_path / "openapi.json"
    source.write_text(json.dumps(described))
    folder = tmp_path / "web"
    for file in [*WEB.rglob("*.js"), *WEB.rglob("*.d.ts")]:
        copy = folder / file.relative_to(WEB)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.read_bytes())
    made = node_tools.run("openapi-typescript", str(source), "--output", str(folder / "types.d.ts"))
    assert made.returncode == 0, made.stderr
    (folder / "tsconfig.json").write_text((ROOT / "tests" / "web" / "tsconfig.json").read_text())
    checked = node_tools.run("tsc", "--project", str(folder))
    assert checked.returncode == 0, checked.stdout
