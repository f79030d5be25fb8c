"""Whole games of each kind, played in a browser by one person against bots, from the first click to the result."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.web.conftest import House, Person, Visit

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
MOST_ORDERS = 200
READY = '.desk[aria-busy="false"]:is([data-state="asked"], [data-state="over"])'

# The game, its seats, its settings, and which order of the list is taken: chosen so that each ends soon.
GAMES: list[tuple[str, int, dict[str, Any], str]] = [
    ("airlines-europe", 2, {}, "last"),
    ("tin-goose", 3, {}, "last"),
    ("spike", 2, {}, "first"),
    ("kings-of-air-and-steam", 2, {}, "first"),
    ("airline-1975", 2, {"rounds": 10, "throws": "by_referee"}, "first"),
]


def open_table(person: Person, key: str, seats: int, settings: dict[str, Any]) -> str:
    return person.open_game(key, *[{"kind": "bot", "bot": "random"}] * (seats - 1), settings=settings)


def fill_form(page: Page) -> None:
    """Chooses the least that the form takes, as a person would: until it can be taken."""
    take = page.get_by_role("button", name="Take this")
    for _ in range(20):
        if take.is_enabled():
            take.click()
            return
        select = page.locator(".making select:not(:disabled)").first
        more = page.locator(
            '.making .step[aria-label^="One more"]:enabled, .making .chip[aria-pressed="false"]:enabled'
        ).first
        if more.count():
            more.click()
        else:
            select.select_option(index=1)
    raise AssertionError("the form cannot be filled")


def play_to_the_end(page: Page, which: str) -> int:
    """Takes one order after another from the list; how many it took."""
    for sent in range(MOST_ORDERS):
        page.wait_for_selector(READY)
        if page.locator('.desk[data-state="over"]').count():
            return sent
        orders = page.locator(".choices .order:not(.detail)")
        if orders.count():
            (orders.first if which == "first" else orders.last).click()
        if page.locator(".making").count():
            fill_form(page)
        page.locator("#send:enabled").click()
    raise AssertionError(f"not over after {MOST_ORDERS} orders")


@pytest.mark.parametrize(("key", "seats", "settings", "which"), GAMES[:4], ids=lambda value: str(value))
def test_a_whole_game_by_clicks_only(
    house: House, visit: Visit, key: str, seats: int, settings: dict[str, Any], which: str
) -> None:
    person = Person(house)
    game_id = open_table(person, key, seats, settings)
    options = PHONE if key == "airlines-europe" else {}
    page = visit(f"/games/{game_id}", person, **options)
    assert play_to_the_end(page, which) > 5
    expect(page.get_by_role("heading", name="The game is over")).to_be_visible()
    expect(page.locator(".ending li")).to_have_count(seats)
    game = person.ask("GET", f"/games/{game_id}")
    assert game["status"] == "over"
    log = person.ask("GET", f"/games/{game_id}/log?limit=500")["rows"]
    mine = [order for row in log for order in row["orders"] if order["seat"] == 0]
    assert {order["by"] for order in mine} == {"player"}


def tab_to_an_order(page: Page) -> None:
    for _ in range(60):
        focused = page.locator("*:focus")
        if focused.count() and "order" in (focused.get_attribute("class") or "").split():
            return
        page.keyboard.press("Tab")


def test_a_whole_game_by_keyboard_only(house: House, visit: Visit) -> None:
    """Tab to an order, Enter; the focus is on what comes next."""
    person = Person(house)
    key, seats, settings, _ = GAMES[4]
    game_id = open_table(person, key, seats, settings)
    page = visit(f"/games/{game_id}", person)
    for _ in range(MOST_ORDERS):
        page.wait_for_selector(READY)
        if page.locator('.desk[data-state="over"]').count():
            break
        tab_to_an_order(page)
        page.keyboard.press("Enter")
        try:
            page.wait_for_selector("#send:focus", timeout=5000)
        except PlaywrightTimeout:
            continue  # something happened at the table in just that moment: look again, as a person would
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="The game is over")).to_be_visible()
    assert re.search(r"\d", page.locator(".ending ol").inner_text())
