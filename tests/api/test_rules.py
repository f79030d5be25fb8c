"""The rules of a game to read: for people in a browser, for programs and mails as Markdown, the same for everybody."""

import re
from html import escape

import pytest
from flask.testing import FlaskClient

from api.rules_page import POLICY
from referee.games import all_games

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"}


@pytest.mark.parametrize("key", sorted(all_games()))
def test_every_game_has_a_page_of_rules_in_both_forms(key: str, client: FlaskClient) -> None:
    markdown, page = client.get(f"/v1/rulesets/{key}/rules"), client.get(f"/v1/rulesets/{key}/rules", headers=BROWSER)
    assert markdown.content_type == "text/markdown; charset=utf-8"
    assert markdown.text.startswith("# ")
    title = markdown.text.partition("\n")[0].removeprefix("# ")
    assert page.content_type == "text/html; charset=utf-8"
    assert f"<title>{escape(title)}: the rules</title>" in page.text
    linked = set(re.findall(r'(?:href|src)="(?!https?:|#)([^"]*)"', page.text))
    assert linked == set(re.findall(r"!\[[^\]]*\]\(([^)]*)\)", markdown.text)), "nothing but pictures"
    for picture in linked:
        drawn = client.get(f"/v1/rulesets/{key}/{picture}")
        assert (drawn.status_code, drawn.content_type) == (200, "image/svg+xml")
    assert "Accept" in page.headers["Vary"].split(", ")


@pytest.mark.parametrize(
    ("accept", "query", "kind"),
    [
        ("*/*", "", "markdown"),
        ("text/markdown", "", "markdown"),
        ("text/markdown;q=0.5, text/html", "", "html"),
        ("application/json", "", "markdown"),
        ("text/html", "?format=markdown", "markdown"),
        ("*/*", "?format=html", "html"),
    ],
)
def test_the_form_is_the_one_asked_for(accept: str, query: str, kind: str, client: FlaskClient) -> None:
    answer = client.get(f"/v1/rulesets/spike/rules{query}", headers={"Accept": accept})
    assert answer.content_type.startswith(f"text/{kind}")


def test_the_page_runs_nothing_and_loads_nothing_from_elsewhere(client: FlaskClient) -> None:
    answer = client.get("/v1/rulesets/spike/rules?format=html")
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert "unsafe" not in POLICY
    assert POLICY.startswith("default-src 'none'")
    assert "<script" not in answer.text
    assert " style=" not in answer.text


@pytest.mark.parametrize("query", ["", "?format=html"])
def test_who_has_the_page_already_does_not_get_it_again(query: str, client: FlaskClient) -> None:
    first = client.get(f"/v1/rulesets/spike/rules{query}")
    assert first.headers["Cache-Control"] == "public, max-age=300"
    again = client.get(f"/v1/rulesets/spike/rules{query}", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    other = client.get("/v1/rulesets/tin-goose/rules", headers={"If-None-Match": first.headers["ETag"]})
    assert other.status_code == 200


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/rulesets/chess/rules", 404),
        ("/v1/rulesets/chess/rules/x.svg", 404),
        ("/v1/rulesets/spike/rules/no-such.svg", 404),
        ("/v1/rulesets/spike/rules/..%2F..%2F..%2Fx.svg", 404),
        ("/v1/rulesets/spike/rules?format=pdf", 422),
    ],
)
def test_what_is_not_there_is_said(path: str, status: int, client: FlaskClient) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.content_type) == (status, "application/problem+json")
