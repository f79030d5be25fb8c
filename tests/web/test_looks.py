"""Every view as people see it: without violations by axe, within its width, and as pictures to be looked at.

The pictures are kept in tests/web/pictures/, which git does not know.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests import node_tools
from tests.waiting import wait_until
from tests.web.conftest import PATIENCE, House, Person

PICTURES = Path(__file__).parent / "pictures"
WIDTHS = {360: 740, 390: 844, 820: 1180, 1440: 900, 3840: 2160}
AXE = {(390, "light"), (1440, "dark")}  # both schemes and both layouts
MIDDLE = 60  # rows
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_every_view_is_for_everyone_and_fits(
    house: House, browser: Browser, places: tuple[Person, dict[str, str]], width: int, scheme: str
) -> None:
    person, games = places
    PICTURES.mkdir(exist_ok=True)
    context = browser.new_context(
        base_url=house.url,
        viewport={"width": width, "height": WIDTHS[width]},
        color_scheme=scheme,  # type: ignore[arg-type]
        reduced_motion="reduce",
        service_workers="block",
        has_touch=width < 500,
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.add_init_script(f"localStorage.setItem('waybill.token', '{person.token}')")
    found: list[str] = []
    for name, address in VIEWS.items():
        path = address.format(**games)
        page.goto(path)
        page.wait_for_selector(f'html[data-ready="{path}"]', state="attached")
        page.screenshot(path=PICTURES / f"{name}-{width}-{scheme}.png", full_page=True)
        overflow = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        if overflow > 0:
            found.append(f"{name} is {overflow} pixels too wide")
        if (width, scheme) in AXE:
            found += [f"{name}: {complaint}" for complaint in complaints(page)]
    context.close()
    assert not found, "\n".join(found)
