"""Every view as people see it: without violations by axe, within its width, and as pictures to be looked at.

The pictures are kept in tests/web/pictures/, which git does not know.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests import node_tools
from tests.waiting import wait_until
from tests.web.conftest import PATIENCE, House, Person

PICTURES = Path(__file__).parent / "pictures"
WIDTHS = {390: 844, 820: 1180, 1440: 900}
EXTREMES = {360: 740, 3840: 2160}  # from the smallest phone to the largest screen
AXE = {(390, "light"), (1440, "dark")}  # both schemes and both layouts
MIDDLE = 60  # rows
# Links of the bar that one would have to look for beyond the edge.
CUT_OFF = """() => [...document.querySelectorAll("header nav a")]
  .filter((link) => link.getBoundingClientRect().right > innerWidth).map((link) => link.textContent)"""
VIEWS = {
    "welcome": "/",
    "sign-in": "/sign-in",
    "games": "/games",
    "new": "/games/new",
    "lobby": "/lobby",
    "table": "/games/{table}",
    "form": "/games/{form}",
    "middle": "/games/{middle}",
    "waiting": "/games/{open}",
    "replay": "/games/{over}/replay",
    "over": "/games/{over}",
    "settings": "/settings",
    "help": "/help",
    "rules": "/help/airlines-europe",
    "missing": "/games/nothing-here",
}


@pytest.fixture(scope="module")
def places(house: House) -> tuple[Person, dict[str, str]]:
    """Somebody who has a game of every state."""
    person = Person(house)
    other = Person(house)
    table = person.open_game("spike", {"kind": "bot"}, title="A railway by post", clock="daily")
    form = person.open_game("airlines-europe", {"kind": "bot"}, {"kind": "bot"})
    waiting = other.open_game("tin-goose", {"kind": "open"}, {"kind": "open"}, clock="live")
    over = person.open_game("airline-1975", {"kind": "bot"}, settings={"rounds": 10})
    person.ask("POST", f"/games/{over}/moves", {"orders": "resign"})
    person.ask("POST", f"/games/{table}/press", {"text": "A good game to all."})
    middle = person.open_game("airlines-europe", {"kind": "bot"}, {"kind": "bot"}, title="Friday evening")
    wait_until(lambda: has_come_to_the_middle(person, middle), what="the middle of a game")
    return person, {"table": table, "form": form, "open": waiting, "over": over, "middle": middle}


def has_come_to_the_middle(person: Person, game_id: str) -> bool:
    """Plays what the referee would, as often as the game waits for it."""
    game = person.ask("GET", f"/games/{game_id}")
    if 0 not in game["to_act"]:
        return False
    if game["sequence"] > MIDDLE:
        return True
    default = person.ask("GET", f"/games/{game_id}/options")["default"]
    person.ask("POST", f"/games/{game_id}/moves", {"moves": [default]})
    return False


def complaints(page: Page) -> list[str]:
    axe = node_tools.packages() / "axe-core" / "axe.min.js"
    page.evaluate(axe.read_text())
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{violation['id']}: {violation['help']}: {node['html'][:200]}"
        for violation in found["violations"]
        for node in violation["nodes"][:3]
    ]


def open_views(
    browser: Browser, house: House, person: Person, games: dict[str, str], **options: Any
) -> Iterator[tuple[str, Page]]:
    """Each view after the other, by name, in a window of this kind."""
    context = browser.new_context(base_url=house.url, reduced_motion="reduce", service_workers="block", **options)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.add_init_script(f"localStorage.setItem('waybill.token', '{person.token}')")
    for name, address in VIEWS.items():
        path = address.format(**games)
        page.goto(path)
        page.wait_for_selector(f'html[data-ready="{path}"]', state="attached")
        yield name, page
    context.close()


def too_wide(page: Page) -> int:
    """By how many pixels."""
    return int(page.evaluate("() => document.documentElement.scrollWidth - innerWidth"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_every_view_is_for_everyone_and_fits(
    house: House, browser: Browser, places: tuple[Person, dict[str, str]], width: int, scheme: str
) -> None:
    PICTURES.mkdir(exist_ok=True)
    window = {"width": width, "height": WIDTHS[width]}
    found: list[str] = []
    for name, page in open_views(browser, house, *places, viewport=window, color_scheme=scheme, has_touch=width < 500):
        page.screenshot(path=PICTURES / f"{name}-{width}-{scheme}.png", full_page=True)
        if too_wide(page) > 0:
            found.append(f"{name} is {too_wide(page)} pixels too wide")
        if (width, scheme) in AXE:
            found += [f"{name}: {complaint}" for complaint in complaints(page)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("width", EXTREMES)
def test_every_view_fits_the_smallest_phone_and_the_largest_screen(
    house: House, browser: Browser, places: tuple[Person, dict[str, str]], width: int
) -> None:
    window = {"width": width, "height": EXTREMES[width]}
    for name, page in open_views(browser, house, *places, viewport=window):
        assert too_wide(page) <= 0, name
        assert page.evaluate(CUT_OFF) == [], name
