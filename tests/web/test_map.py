"""The map under a mouse, two fingers and the keyboard: it grows around what one looks at, and stays in its frame."""

from typing import Any

from playwright.sync_api import Page

from tests.web.conftest import Person, Visit
from tests.web.test_table import ASKED


def box(page: Page) -> list[float]:
    """What of the map is seen: x, y, width, height."""
    return [float(number) for number in (page.locator(".map > svg").get_attribute("viewBox") or "").split()]


def touch(session: Any, kind: str, *places: tuple[float, float]) -> None:
    points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_the_map_is_zoomed_and_moved_by_keyboard_and_mouse(visit: Visit, person: Person) -> None:
    game_id = person.open_game("airlines-europe", {"kind": "bot", "bot": "random"})
    page = visit(f"/games/{game_id}", person)
    page.wait_for_selector(ASKED)
    whole = box(page)
    page.locator(".map").focus()
    page.keyboard.press("ArrowRight")
    assert box(page) == whole, "there is nowhere to go"
    page.keyboard.press("+")
    page.keyboard.press("+")
    closer = box(page)
    assert closer[2] < whole[2] / 1.9
    page.keyboard.press("ArrowRight")
    assert box(page)[0] > closer[0]
    frame = page.locator(".map").bounding_box()
    assert frame
    middle = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2
    before = box(page)
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] + 60, middle[1] + 40, steps=4)
    page.mouse.up()
    assert box(page)[0] < before[0]
    assert box(page)[1] < before[1]
    page.keyboard.press("0")
    assert box(page) == whole


def test_two_fingers_zoom_the_map_and_one_moves_it(visit: Visit, person: Person) -> None:
    game_id = person.open_game("airlines-europe", {"kind": "bot", "bot": "random"})
    page = visit(f"/games/{game_id}", person, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.wait_for_selector(ASKED)
    whole, frame = box(page), page.locator(".map").bounding_box()
    assert frame
    x, y = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2
    session = page.context.new_cdp_session(page)
    touch(session, "touchStart", (x - 20, y), (x + 20, y))
    for step in range(1, 6):
        touch(session, "touchMove", (x - 20 - 12 * step, y), (x + 20 + 12 * step, y))
    touch(session, "touchEnd")
    closer = box(page)
    assert closer[2] < whole[2] / 2
    touch(session, "touchStart", (x, y))
    for step in range(1, 6):
        touch(session, "touchMove", (x - 12 * step, y))
    touch(session, "touchEnd")
    moved = box(page)
    assert moved[0] > closer[0]
    assert moved[2] == closer[2]
