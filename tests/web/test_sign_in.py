"""A guest who adds an address keeps everything, and comes back from anywhere by a link."""

import email
import email.policy
import re
import uuid

from playwright.sync_api import Page, expect

from tests.waiting import wait_until
from tests.web.conftest import House, Visit


def link_in_letter(house: House, address: str, place: str) -> str:
    """The link of the last letter to an address, as somebody would follow it."""
    found: list[str] = []

    def has_come() -> bool:
        for file in sorted(house.folder.rglob("mail/new/*"), key=lambda file: file.stat().st_mtime):
            message = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
            text = message.get_body(("plain",)).get_content()  # type: ignore[union-attr]
            if message["To"] == address:
                found.extend(re.findall(rf"{re.escape(house.url)}{place}#wl_\w+", text))
        return bool(found)

    wait_until(has_come, what="the letter")
    return found[-1].removeprefix(house.url)


def test_a_guest_keeps_the_games_by_an_address(house: House, visit: Visit) -> None:
    address = f"ann-{uuid.uuid4().hex[:8]}@example.org"
    page = visit("/")
    page.get_by_role("button", name="Play now against bots").click()
    page.wait_for_url("**/games/*")
    expect(page.locator(".bar .me")).to_contain_text("guest")
    page.goto("/settings")
    page.get_by_label("Add an address").fill(address)
    page.get_by_role("button", name="Send a letter there").click()
    expect(page.get_by_text("A letter is on its way")).to_be_visible()
    page.goto(link_in_letter(house, address, "/prove"))
    expect(page.get_by_text(f"Your address is {address}.")).to_be_visible()
    expect(page.locator(".bar .me")).not_to_contain_text("guest")
    elsewhere = sign_in_elsewhere(house, visit, address)
    expect(elsewhere.get_by_role("link", name="Airlines Europe").first).to_be_visible()


def sign_in_elsewhere(house: House, visit: Visit, address: str) -> Page:
    page = visit("/sign-in")
    page.get_by_label("Your e-mail address").fill(address)
    page.get_by_role("button", name="Send me a link").click()
    expect(page.get_by_text("a letter is on its way")).to_be_visible()
    page.goto(link_in_letter(house, address, "/sign-in"))
    page.wait_for_url("**/games")
    return page


def test_signing_up_with_a_name_and_out_again(visit: Visit) -> None:
    page = visit("/sign-in")
    name = f"Ann {uuid.uuid4().hex[:8]}"
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sign up").click()
    page.wait_for_url("**/games")
    expect(page.get_by_text("You have no games yet.")).to_be_visible()
    page.get_by_role("link", name=name).click()
    page.get_by_role("button", name="Sign out of this browser").click()
    expect(page.get_by_role("link", name="Sign in", exact=True)).to_be_visible()
