"""The page at the root."""

import re
from html import escape, unescape

from flask.testing import FlaskClient

from api.front_page import LINKS
from referee.games import all_games
from tests.test_docs import ROOT, blocks


def test_root_says_what_this_is_and_leads_on(client: FlaskClient) -> None:
    answer = client.get("/")
    assert (answer.status_code, answer.content_type) == (200, "text/html; charset=utf-8")
    assert "A referee for board games played by post." in answer.text
    for path, _, _ in LINKS:
        assert f'href="{path}"' in answer.text
        assert client.get(path).status_code == 200


def test_root_has_the_first_commands_of_the_readme_at_its_own_address(client: FlaskClient) -> None:
    page = client.get("/", headers={"Host": "127.0.0.1:8000"}).text
    commands = unescape(re.search(r"<code>(.*?)</code></pre>", page, re.S)[1])
    assert commands.strip() in blocks(ROOT / "README.md", "sh")[1]


def test_root_repeats_no_markup_from_the_host_header(client: FlaskClient) -> None:
    assert "<script" not in client.get("/", headers={"Host": "<script>x</script>"}).text


def test_root_fits_light_and_dark_and_narrow(client: FlaskClient) -> None:
    page = client.get("/").text
    assert "prefers-color-scheme:dark" in page
    assert 'name="viewport"' in page


def test_every_game_can_be_learned_from_the_front_page(client: FlaskClient) -> None:
    page = client.get("/").text
    for key, game_type in all_games().items():
        assert f'<a href="/v1/rulesets/{key}/rules">{escape(game_type.name)}</a>' in page
        assert client.get(f"/v1/rulesets/{key}/rules").status_code == 200
