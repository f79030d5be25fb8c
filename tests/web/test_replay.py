"""Replay: any row, as each could see it then, and the proof in the browser, which finds a byte that was changed."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.waiting import wait_until
from tests.web.conftest import House, Person, Visit

ROOT = Path(__file__).resolve().parents[2]
FORKED = ROOT / "tests" / "referee" / "forked.jsonl"
GOLDEN = ROOT / "tests" / "golden" / "tin-goose" / "3-players-clear-win-rules-2.jsonl"


@pytest.fixture(scope="module")
def over(house: House) -> tuple[Person, str]:
    """A game that is over, played by the bots and a player whose defaults are played."""
    person = Person(house)
    game_id = person.open_game("airline-1975", {"kind": "bot"}, settings={"rounds": 10})
    wait_until(lambda: is_over(person, game_id), 120, what="the end of the game")
    return person, game_id


def is_over(person: Person, game_id: str) -> bool:
    """Plays what the referee would, as often as the game waits for it."""
    game = person.ask("GET", f"/games/{game_id}")
    if game["status"] == "running" and 0 in game["to_act"]:
        default = person.ask("GET", f"/games/{game_id}/options")["default"]
        person.ask("POST", f"/games/{game_id}/moves", {"moves": [default]})
    return bool(game["status"] == "over")


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
    page.goto("/")
    page.goto(f"/games/{game_id}/replay#row-99999")
    expect(page.get_by_text(re.compile(r"^(\d+) of \1$"))).to_be_visible()


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


def test_the_reasons_of_bots_stand_beside_their_moves_when_the_game_is_over(
    visit: Visit, over: tuple[Person, str]
) -> None:
    person, game_id = over
    first = person.ask("GET", f"/games/{game_id}/reasons")["reasons"][0]
    page = visit(f"/games/{game_id}/replay", person)
    row = page.locator(".log li").nth(first["row"])
    expect(row.locator(".why")).to_have_text(f"steady 2: {first['reason']}")


def test_scores_are_drawn_to_the_end_however_many_pages_they_have(visit: Visit, over: tuple[Person, str]) -> None:
    person, game_id = over
    rows = person.ask("GET", f"/games/{game_id}")["sequence"] + 1
    page = visit("/", person)
    page.route("**/scores?limit=500", lambda route: route.continue_(url=route.request.url.replace("500", "7")))
    page.goto(f"/games/{game_id}/replay")
    expect(page.locator(".scores polyline")).to_have_count(2)
    points = page.locator(".scores polyline").first.get_attribute("points") or ""
    assert len(points.split()) == rows > 14


def test_another_way_from_here_opens_a_copy_in_which_the_bots_wait(visit: Visit, over: tuple[Person, str]) -> None:
    person, game_id = over
    page = visit(f"/games/{game_id}/replay#row-3", person)
    page.get_by_text("Go another way from here").click()
    expect(page.get_by_text("as it stood after move 3, for you alone")).to_be_visible()
    expect(page.get_by_text("the same hands, decks and dice")).to_be_visible()
    page.get_by_role("button", name="Open the copy").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("after row 3")
    copy = page.url.rpartition("/")[2]
    assert copy != game_id
    assert person.ask("GET", f"/games/{copy}")["sandbox"]
    wait = page.get_by_role("button", name="Let the bots move")
    while not wait.is_visible():
        page.locator(".choices .order").first.click()
        page.locator("#send:enabled").click()
        expect(page.locator(".tray li")).to_have_count(0)
        expect(page.locator(".desk[aria-busy=false]")).to_be_visible()
    wait.click()
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()


def test_own_receipts_are_held_against_the_log(visit: Visit, over: tuple[Person, str]) -> None:
    person, game_id = over
    rows = [json.loads(line)["row"] for line in GOLDEN.read_text().splitlines()[1:-1]]
    sealed = [(row["row"], order) for row in rows for order in row["orders"] if order["seat"] == 0 and order["nonce"]]
    receipts = {row: {"seat": 0, "row": row, "commitment": order["commitment"]} for row, order in sealed}
    assert receipts
    page = visit(f"/games/{game_id}/replay", person)
    page.route("**/record", lambda route: route.fulfill(body=GOLDEN.read_text(), content_type="application/jsonl"))

    def proof() -> Locator:
        place = [f"waybill.receipts.{game_id}", json.dumps(receipts)]
        page.evaluate("([place, text]) => localStorage.setItem(place, text)", place)
        page.get_by_role("button", name="Check it in this browser").click()
        return page.locator(".proof [role=status]")

    expect(proof()).to_contain_text(f"All {len(receipts)} receipts that this browser kept of your sealed moves are in")
    row = next(iter(receipts))
    receipts[row]["commitment"] = "0" * 64
    expect(proof()).to_contain_text(f"your receipt for row {row} is not in the log")
