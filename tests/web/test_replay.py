"""Replay: any row, as each could see it then, and the proof in the browser, which finds a byte that was changed."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.web.conftest import House, Person, Visit

ROOT = Path(__file__).resolve().parents[2]
FORKED = ROOT / "tests" / "referee" / "forked.jsonl"
GOLDEN = ROOT / "tests" / "golden" / "tin-goose" / "3-players-clear-win-rules-2.jsonl"


@pytest.fixture(scope="module")
def over(house: House) -> tuple[Person, str]:
    """A game that is over, played by the bots and a player whose defaults are played."""
    person = Person(house)
    game_id = person.open_game("airline-1975", {"kind": "bot"}, settings={"rounds": 10})
    for _ in range(200):
        game = person.ask("GET", f"/games/{game_id}")
        if game["status"] == "over":
            break
        if 0 in game["to_act"]:
            default = person.ask("GET", f"/games/{game_id}/options")["default"]
            person.ask("POST", f"/games/{game_id}/moves", {"moves": [default]})
    return person, game_id


def test_any_row_by_slider_keys_and_address(visit: Visit, over: tuple[Person, str]) -> None:
    person, game_id = over
    page = visit(f"/games/{game_id}/replay#row-2", person)
    expect(page.get_by_text(re.compile(r"^2 of \d+$"))).to_be_visible()
    page.locator("body").press("ArrowRight")
    expect(page.get_by_text(re.compile(r"^3 of \d+$"))).to_be_visible()
    assert page.url.endswith("#row-3")
    page.locator("body").press("Home")
    expect(page.get_by_text(re.compile(r"^0 of \d+$"))).to_be_visible()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_text(re.compile(r"^1 of \d+$"))).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".scores polyline")).to_have_count(2)
    page.get_by_label("As seen then by").select_option(index=1)
    expect(page.locator(".log .shown")).to_be_visible()


def test_a_finished_game_is_proved_in_the_browser(visit: Visit, over: tuple[Person, str]) -> None:
    person, game_id = over
    page = visit(f"/games/{game_id}/replay", person)
    page.get_by_role("button", name="Check it in this browser").click()
    expect(page.get_by_text(re.compile(r"✓ Proved: all \d+ rows"))).to_be_visible()


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (GOLDEN, "", "", "✓ Proved"),
        (GOLDEN, '"phase":"airmail"', '"phase":"airmai1"', "was changed after it was written"),
        (GOLDEN, '"seed":"', '"seed":"0', "not the one that was committed to"),
        (FORKED, "", "", "It begins after row 80 of game origin"),
        (FORKED, '"bank":', '"bank":1', "was changed after it was written"),
    ],
)
def test_a_golden_game_is_proved_and_a_changed_byte_is_found(
    visit: Visit, over: tuple[Person, str], file: Path, old: str, new: str, said: str
) -> None:
    person, game_id = over
    record = file.read_text()
    assert old in record
    changed = record.replace(old, new, 1)
    page = visit(f"/games/{game_id}/replay", person)

    def answer(route: Route) -> None:
        route.fulfill(body=changed, content_type="application/jsonl")

    page.route("**/record", answer)
    page.get_by_role("button", name="Check it in this browser").click()
    expect(page.locator(".proof [role=status]")).to_contain_text(said)
