"""Messages while the page is closed: from the switch in the settings to what the service worker shows.

A headless Chromium has neither a push service nor a system that shows anything: these are the test's, all else is real.
"""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.push import Browser
from tests.receiver import Receiver, receiver
from tests.waiting import wait_until
from tests.web.conftest import House, Person, Visit

SUBSCRIBE = """
  const made = { toJSON: () => (%s), unsubscribe: async () => { window.isSubscribed = false; return true; } };
  PushManager.prototype.subscribe = async (options) => {
    window.serverKey = options.applicationServerKey;
    window.isSubscribed = true;
    return made;
  };
  PushManager.prototype.getSubscription = async () => (window.isSubscribed ? made : null);
"""


@pytest.fixture
def push_service() -> Iterator[Receiver]:
    with receiver() as found:
        found.status = 201
        yield found


def show(page: Page, house: House, data: str) -> None:
    """What a push service does: hands the message to the browser."""
    session = page.context.new_cdp_session(page)
    registrations: list[dict[str, str]] = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda told: registrations.extend(told["registrations"]))
    session.send("ServiceWorker.enable")
    wait_until(lambda: page.evaluate("1") and bool(registrations), what="the registration")
    where = {"origin": house.url, "registrationId": registrations[0]["registrationId"]}
    session.send("ServiceWorker.deliverPushMessage", {**where, "data": data})


# Chromium without a head dies of asking the system for a notification or a badge: what the worker asks for is noted.
NOTED = """() => {
  self.shown = [];
  registration.showNotification = async (...asked) => { shown.push(asked); };
  navigator.setAppBadge = async (number) => { self.badge = number; };
}"""
CLICKED = """(data) => new Promise((done) => {
  const notification = { data, close: () => done(true) };
  dispatchEvent(Object.assign(new Event("notificationclick"), { notification, waitUntil: () => {} }));
})"""


def test_switched_on_in_the_settings_a_browser_is_told_and_a_click_opens_the_game(
    house: House, visit: Visit, person: Person, push_service: Receiver
) -> None:
    browser = Browser(push_service.url)
    page = visit("/settings", person, service_workers="allow", permissions=["notifications"])
    page.add_init_script(SUBSCRIBE % json.dumps(browser.subscription()))
    page.reload()
    page.get_by_role("button", name="Tell me in this browser").click()
    expect(page.get_by_role("button", name="Tell me in this browser no more")).to_be_visible()
    listed = person.ask("GET", "/push-subscriptions")
    assert page.evaluate("() => window.serverKey") == listed["key"]
    assert [one["label"] for one in listed["subscriptions"]] == ["Chrome on Linux"]

    game_id = person.open_game("spike", {"kind": "bot", "bot": "random"}, title="By night")
    wait_until(lambda: bool(push_service.raw), what="a message")
    message = browser.messages(push_service)[-1]
    assert (message["title"], message["url"], message["waiting"]) == ("By night", f"/games/{game_id}", 1)

    (worker,) = page.context.service_workers
    worker.evaluate(NOTED)
    show(page, house, json.dumps(message))
    wait_until(lambda: bool(worker.evaluate("() => shown.length")), what="a notification")
    ((title, options),) = worker.evaluate("() => shown")
    assert (title, options["body"], options["tag"]) == ("By night", message["body"], game_id)
    assert person.client.get(house.url + options["icon"]).headers["content-type"] == "image/png"
    assert worker.evaluate("() => badge") == 1
    assert worker.evaluate(CLICKED, options["data"])
    page.wait_for_url(f"**/games/{game_id}")
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()


def test_who_signs_out_is_told_nothing_there_any_more(visit: Visit, person: Person, push_service: Receiver) -> None:
    page = visit("/settings", person, service_workers="allow", permissions=["notifications"])
    page.add_init_script(SUBSCRIBE % json.dumps(Browser(push_service.url + "/2").subscription()))
    page.reload()
    page.get_by_role("button", name="Tell me in this browser").click()
    expect(page.locator("#push-off")).to_be_visible()
    page.get_by_role("button", name="Sign out of this browser").click()
    page.wait_for_selector('html[data-ready="/"]', state="attached")
    assert person.ask("GET", "/push-subscriptions")["subscriptions"] == []
    assert page.evaluate("() => window.isSubscribed") is False


def test_browser_that_allows_no_messages_is_told_what_to_do(visit: Visit, person: Person) -> None:
    page = visit("/settings", person, service_workers="allow")
    page.evaluate("() => { Notification.requestPermission = async () => 'denied'; }")
    page.locator("#push-on").click()
    expect(page.locator(".toast", has_text="Allow notifications in its settings")).to_be_visible()
    assert person.ask("GET", "/push-subscriptions")["subscriptions"] == []
