"""From the first page into a game, by one click; and back to it."""

from playwright.sync_api import expect

from tests.web.conftest import Visit


def test_one_click_on_the_first_page_is_a_game_against_bots(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("button", name="Play now against bots").click()
    page.wait_for_url("**/games/*")
    expect(page.get_by_role("heading", name="Everybody chooses in secret")).to_be_visible()
    for button in page.get_by_role("button", name="One more").all()[:2]:
        button.click()
    page.get_by_role("button", name="Take this").click()
    expect(page.get_by_text("this would stand")).to_be_visible()
    page.get_by_role("button", name="Seal and send").click()
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    page.get_by_role("link", name="My games").click()
    page.wait_for_url("**/games")
    page.go_back()
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
