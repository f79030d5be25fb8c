"""The page as an app: it can be installed, and shows what was last seen where there is no network."""

from playwright.sync_api import expect

from tests.waiting import wait_until
from tests.web.conftest import House, Person, Visit


def test_without_a_network_the_table_last_seen_is_there(house: House, visit: Visit, person: Person) -> None:
    game_id = person.open_game("spike", {"kind": "bot", "bot": "random"})
    page = visit(f"/games/{game_id}", person, may_complain=True, service_workers="allow")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.reload()  # now under the service worker: what is asked for is kept
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    wait_until(lambda: page.evaluate("() => caches.keys().then((names) => names.length)") == 2, what="two caches")
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    expect(page.locator("p.offline")).to_be_visible()
    page.context.set_offline(False)
    page.reload()
    expect(page.locator("p.offline")).to_have_count(0)
    page.locator(".choices .order").first.click()
    page.locator("#send:enabled").click()
    expect(page.locator(".tray li")).to_have_count(0)


def test_the_manifest_names_icons_that_are_there(house: House, person: Person) -> None:
    manifest = person.client.get(f"{house.url}/manifest.webmanifest").json()
    assert manifest["start_url"] == "/games"
    for icon in manifest["icons"]:
        assert person.client.get(house.url + icon["src"]).headers["content-type"] == icon["type"]
