"""Networks as they are on a train: slow, and gone for a while. Nothing chosen is lost, nothing is played twice."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.web.conftest import House, Person, Visit
from tests.web.test_table import ASKED, of_two

SLOW = {"offline": False, "latency": 300, "downloadThroughput": 50_000, "uploadThroughput": 20_000}  # bytes a second


def own_orders(person: Person, game_id: str) -> list[dict[str, Any]]:
    rows = person.ask("GET", f"/games/{game_id}/log")["rows"]
    return [order for row in rows for order in row["orders"] if order["seat"] == 0]


def choose_one_more(page: Page, times: int) -> None:
    for _ in range(times):
        page.get_by_role("button", name="One more").first.click()


def test_on_a_slow_network_one_sees_what_is_under_way_and_pressing_twice_sends_once(
    visit: Visit, person: Person
) -> None:
    game_id = person.open_game("spike", {"kind": "bot", "bot": "random"})
    page = visit("/", person)
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW)
    page.goto(f"/games/{game_id}")
    page.wait_for_selector(ASKED)
    page.locator(".choices .order").first.click()
    expect(page.get_by_text("Checking with the referee")).to_be_visible()
    expect(page.locator("#send")).to_be_disabled()
    page.locator("#send:enabled").dblclick()
    expect(page.locator("#send")).to_have_text("Sending …")
    expect(page.locator(".tray li")).to_have_count(0)
    assert len(own_orders(person, game_id)) == 1


def test_lost_network_at_every_step_of_a_turn_loses_nothing(visit: Visit, person: Person) -> None:
    game_id = person.open_game("spike", {"kind": "bot", "bot": "random"})
    page = visit(f"/games/{game_id}", person, may_complain=True)
    page.wait_for_selector(ASKED)
    network = page.context
    # Before anything is chosen: the list stays, and what is chosen is kept unchecked.
    network.set_offline(True)
    expect(page.locator("p.offline")).to_be_visible()
    page.locator(".choices .order").first.click()
    expect(page.get_by_text("Not sent: there is no connection")).to_be_visible()
    # While it is sent.
    page.locator("#send:enabled").click()
    expect(page.locator("#send")).to_have_text("Sending …")
    expect(page.get_by_text("Not sent: there is no connection")).to_be_visible()
    expect(page.locator("#send:enabled")).to_have_text("Send")
    assert own_orders(person, game_id) == []
    # It is back: nothing has to be chosen anew.
    network.set_offline(False)
    page.locator("#send:enabled").click()
    expect(page.locator(".tray li")).to_have_count(0)
    expect(page.locator("p.offline")).to_have_count(0)
    page.wait_for_selector(".link.live")
    assert len(own_orders(person, game_id)) == 1


def test_reload_and_back_at_every_step_of_a_sealed_turn(house: House, visit: Visit) -> None:
    game_id, ann, _ = of_two(house)
    page = visit(f"/games/{game_id}", ann)

    def come_back() -> None:
        page.reload()
        page.wait_for_selector(".desk")
        page.get_by_role("link", name="Lobby").click()
        page.wait_for_url("**/lobby")
        page.go_back()
        page.wait_for_selector(".desk")

    # Half chosen.
    choose_one_more(page, 1)
    expect(page.get_by_text("chosen: 1")).to_be_visible()
    come_back()
    expect(page.get_by_text("chosen: 1")).to_be_visible()
    # Chosen, and not sent.
    page.get_by_role("button", name="One more").nth(1).click()
    page.get_by_role("button", name="Take this").click()
    said = page.locator(".tray li b").text_content() or ""
    come_back()
    expect(page.locator(".tray li b")).to_have_text(said)
    expect(page.get_by_text("this would stand")).to_be_visible()
    # Sealed.
    page.locator("#send:enabled").click()
    expect(page.get_by_text("In your envelope")).to_be_visible()
    come_back()
    expect(page.get_by_text("In your envelope")).to_be_visible()
    expect(page.locator(".tray li")).to_have_count(0)
    # To be replaced, and not yet sent.
    for button in page.get_by_role("button", name="One more").all()[-2:]:
        button.click()
    page.get_by_role("button", name="Take this").click()
    come_back()
    expect(page.locator(".tray li")).to_have_count(1)
    page.get_by_role("button", name="Replace my sealed move").click()
    expect(page.locator(".tray li")).to_have_count(0)
    assert ann.ask("GET", f"/games/{game_id}/position")["sealed"] == [0]
