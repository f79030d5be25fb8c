"""The table under the circumstances of life: two players in secret, lost networks, restarts, earlier moments."""

import json
import re
from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.waiting import wait_until
from tests.web.conftest import House, Person, Visit

ASKED = '.desk[aria-busy="false"][data-state="asked"]'


class Traffic:
    """Everything that a browser was sent for a page: bodies of answers, and events of the stream."""

    def __init__(self, page: Page) -> None:
        self.bodies: list[str] = []
        self.session = page.context.new_cdp_session(page)
        self.session.send("Network.enable")
        self.session.on("Network.eventSourceMessageReceived", lambda event: self.bodies.append(event["data"]))
        page.on("requestfinished", self.note)

    def note(self, request: Any) -> None:
        kind = request.response().header_value("content-type") or ""
        if "/v1/" in request.url and "event-stream" not in kind:
            self.bodies.append(request.response().body().decode("utf-8", "replace"))

    def holds(self, text: str) -> bool:
        return any(text in body for body in self.bodies)


def of_two(house: House, **options: Any) -> tuple[str, Person, Person]:
    ann, bob = Person(house), Person(house)
    game_id = ann.open_game("airlines-europe", {"kind": "open"}, **options)
    bob.ask("POST", f"/games/{game_id}/seats", {})
    return game_id, ann, bob


def seal_first(page: Page) -> None:
    for button in page.get_by_role("button", name="One more").all()[:2]:
        button.click()
    page.get_by_role("button", name="Take this").click()
    page.locator("#send:enabled").click()


def test_two_browsers_in_a_sealed_phase_see_who_has_sealed_and_nothing_else(house: House, visit: Visit) -> None:
    game_id, ann, bob = of_two(house)
    hand = ann.ask("GET", f"/games/{game_id}/position")["table"]["players"][0]["hand"]
    anns, bobs = visit("/", ann), visit("/", bob)
    hers, his = Traffic(anns), Traffic(bobs)
    for page in (anns, bobs):
        page.goto(f"/games/{game_id}")
        page.wait_for_selector(ASKED)
    expect(bobs.locator(".player", has_text=ann.name)).to_contain_text("not yet sealed")
    seal_first(anns)
    expect(anns.get_by_text("In your envelope")).to_be_visible()
    expect(bobs.locator(".player", has_text=ann.name)).to_contain_text("has sealed")
    sealed = json.loads(anns.evaluate(f"localStorage.getItem('waybill.sealed.{game_id}')"))

    # Until the reveal: her hand, her move and its receipt went to her browser, and to no other.
    secrets = [json.dumps(hand, separators=(",", ":")), sealed["receipt"]["commitment"], sealed["label"]]
    for secret in secrets:
        assert hers.holds(secret), secret
        assert not his.holds(secret), secret

    # She may change her mind; then he seals, and both are told the same.
    seal_first(anns)
    expect(anns.get_by_text("In your envelope")).to_be_visible()
    last = json.loads(anns.evaluate(f"localStorage.getItem('waybill.sealed.{game_id}')"))["receipt"]
    seal_first(bobs)
    kept = json.loads(anns.evaluate(f"localStorage.getItem('waybill.receipts.{game_id}')"))
    assert [one["commitment"] for one in kept.values()] == [last["commitment"]], "the last one is held against the log"
    for page in (anns, bobs):
        expect(page.locator(".log").first).to_contain_text(f"{ann.name} ")
        page.wait_for_selector('.desk[aria-busy="false"]:is([data-state="asked"], [data-state="waiting"])')
    assert {anns.locator(".desk").get_attribute("data-state"), bobs.locator(".desk").get_attribute("data-state")} == {
        "asked",
        "waiting",
    }


def test_what_is_gathered_survives_a_reload_and_is_sent_once(house: House, visit: Visit, person: Person) -> None:
    game_id = person.open_game("spike", {"kind": "bot", "bot": "random"})
    page = visit(f"/games/{game_id}", person)
    page.locator(".choices .order").first.click()
    expect(page.get_by_text("this would stand")).to_be_visible()
    said = page.locator(".tray li b").text_content() or ""
    page.reload()
    expect(page.locator(".tray li b")).to_have_text(said)
    page.locator("#send:enabled").click()
    expect(page.locator(".tray li")).to_have_count(0)
    page.get_by_role("link", name="Lobby").click()
    page.wait_for_url("**/lobby")
    page.go_back()
    page.wait_for_selector(".desk")
    expect(page.locator(".tray li")).to_have_count(0)
    rows = person.ask("GET", f"/games/{game_id}/log")["rows"]
    assert sum(order["seat"] == 0 for row in rows for order in row["orders"]) == 1


def test_the_server_is_restarted_under_an_open_table(house: House, visit: Visit, person: Person) -> None:
    game_id = person.open_game("spike", {"kind": "bot", "bot": "random"})
    page = visit(f"/games/{game_id}", person, may_complain=True)
    page.locator(".choices .order").first.click()
    expect(page.get_by_text("this would stand")).to_be_visible()
    house.stop("api")
    house.stop("stream")
    try:
        expect(page.locator("p.offline")).to_be_visible()
        page.locator("#send").click()
        expect(page.get_by_text("Not sent: there is no connection")).to_be_visible()
    finally:
        house.start("api")
        house.start("stream")
        wait_until(house.answers, 60, what="the API")
    expect(page.locator("p.offline")).to_be_hidden()
    page.locator("#send:enabled").click()
    expect(page.locator(".tray li")).to_have_count(0)
    page.wait_for_selector(".link.live")
    rows = person.ask("GET", f"/games/{game_id}/log")["rows"]
    assert sum(order["seat"] == 0 for row in rows for order in row["orders"]) == 1


def test_an_answer_that_is_lost_is_asked_for_again_and_nothing_is_played_twice(
    house: House, visit: Visit, person: Person
) -> None:
    game_id = person.open_game("spike", {"kind": "bot", "bot": "random"})
    page = visit(f"/games/{game_id}", person, may_complain=True)
    keys: list[str] = []

    def lose_the_first(route: Route) -> None:
        keys.append(route.request.header_value("idempotency-key") or "")
        if len(keys) == 1:
            assert route.fetch().status == 201  # it was played, and nobody is told
            route.abort()
        else:
            route.continue_()

    page.route("**/moves", lose_the_first)
    page.locator(".choices .order").first.click()
    page.locator("#send:enabled").click()
    expect(page.locator(".tray li")).to_have_count(0)
    assert len(keys) == 2
    assert len(set(keys)) == 1
    rows = person.ask("GET", f"/games/{game_id}/log")["rows"]
    assert sum(order["seat"] == 0 for row in rows for order in row["orders"]) == 1


def test_without_the_stream_the_table_is_polled(house: House, visit: Visit) -> None:
    game_id, ann, bob = of_two(house)
    page = visit("/", bob, may_complain=True)
    page.route("**/events**", lambda route: route.abort())
    page.goto(f"/games/{game_id}")
    page.wait_for_selector(ASKED)
    default = ann.ask("GET", f"/games/{game_id}/options")["default"]
    ann.ask("POST", f"/games/{game_id}/moves", {"moves": [default]})
    expect(page.locator(".player", has_text=ann.name)).to_contain_text("has sealed")
    assert page.locator(".link.polling").count() == 1


def test_a_place_on_the_map_is_an_order(house: House, visit: Visit, person: Person) -> None:
    game_id = person.open_game("airline-1975", {"kind": "bot", "bot": "random"}, settings={"rounds": 10})
    page = visit(f"/games/{game_id}", person)
    page.wait_for_selector(ASKED)
    lit = page.locator('.map [data-mark^="city "].lit').first
    city = (lit.get_attribute("data-mark") or "").removeprefix("city ")
    lit.click()
    words = person.ask("GET", f"/games/{game_id}/options")["words"]["city"].get(city, city)
    expect(page.locator(".tray li b")).to_have_text(f"base {words}")


def test_the_board_of_an_earlier_moment_is_shown_and_left_again(house: House, visit: Visit, person: Person) -> None:
    game_id = person.open_game("spike", {"kind": "bot", "bot": "random"})
    page = visit(f"/games/{game_id}", person)
    page.wait_for_selector(ASKED)
    page.locator(".choices .order").first.click()
    page.locator("#send:enabled").click()
    page.wait_for_selector(ASKED)
    page.get_by_role("button", name="What happened").click()
    page.get_by_role("button", name="0: Show the board then", exact=True).click()
    expect(page.get_by_text("The board as it was after move 0")).to_be_visible()
    expect(page.locator(".map .lit")).to_have_count(0)
    page.get_by_role("button", name="Back to now").click()
    expect(page.get_by_text("The board as it was")).to_have_count(0)


def test_several_orders_are_gathered_into_one_turn(house: House, visit: Visit, person: Person) -> None:
    """Orders by text are put into the tray as the referee has read them, and go out as one submission."""
    game_id = person.open_game("spike", {"kind": "bot", "bot": "default"})
    page = visit(f"/games/{game_id}", person)
    for _ in range(12):
        page.wait_for_selector(ASKED)
        page.locator(".choices .order").first.click()
        expect(page.get_by_text("this would stand")).to_be_visible()
        if page.get_by_role("heading", name="And then, if you like").count():
            break
        page.locator("#send:enabled").click()
    page.locator(".choices .order").first.click()
    expect(page.locator(".tray li")).to_have_count(2)
    expect(page.get_by_text("this would stand")).to_be_visible()
    before = person.ask("GET", f"/games/{game_id}")["sequence"]
    page.locator("#send:enabled").click()
    expect(page.locator(".tray li")).to_have_count(0)
    rows = person.ask("GET", f"/games/{game_id}/log?after={before}")["rows"]
    assert [order["seat"] for row in rows[:2] for order in row["orders"]] == [0, 0]


def test_orders_by_text_are_read_and_refused_with_a_reason(house: House, visit: Visit, person: Person) -> None:
    game_id = person.open_game("spike", {"kind": "bot", "bot": "random"})
    page = visit(f"/games/{game_id}", person, may_complain=True)
    page.wait_for_selector(ASKED)
    page.get_by_text("Write your orders").click()
    page.get_by_label("One order a line, in the words").fill("give")
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".toast.error")).to_be_visible()
    page.get_by_label("One order a line, in the words").fill("GIV any")
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".tray li b")).to_have_text("give any")
    page.locator("#send:enabled").click()
    expect(page.locator(".tray li")).to_have_count(0)


def test_leaving_the_game_is_asked_back(house: House, visit: Visit, person: Person) -> None:
    game_id = person.open_game("airline-1975", {"kind": "bot", "bot": "random"}, settings={"rounds": 10})
    page = visit(f"/games/{game_id}", person)
    page.wait_for_selector(ASKED)
    page.locator(".choices .order", has_text="Resign").or_(
        page.locator(".choices .order", has_text="resign")
    ).last.click()
    page.locator("#send:enabled").click()
    expect(page.get_by_text("takes you out of the game")).to_be_visible()
    assert person.ask("GET", f"/games/{game_id}/log")["rows"][-1]["row"] < 3
    page.get_by_role("button", name="Yes, really").click()
    expect(page.get_by_role("heading", name="The game is over")).to_be_visible()


def test_players_talk_and_take_back(house: House, visit: Visit) -> None:
    game_id, ann, bob = of_two(house, undo="own")
    page = visit(f"/games/{game_id}", ann)
    page.get_by_label("Write to the others").fill("A good game to all.")
    page.get_by_role("button", name="Say it").click()
    expect(page.locator(".messages")).to_contain_text("A good game to all.")
    for one in (ann, bob):
        default = one.ask("GET", f"/games/{game_id}/options")["default"]
        one.ask("POST", f"/games/{game_id}/moves", {"moves": [default]})
    page.wait_for_selector('.desk[data-state="asked"], .desk[data-state="waiting"]')
    wait_until(lambda: ann.ask("GET", f"/games/{game_id}")["sequence"] == 1, what="the reveal")
    active = ann.ask("GET", f"/games/{game_id}")["to_act"][0]
    mover = (ann, bob)[active]
    table = visit(f"/games/{game_id}", mover)
    table.wait_for_selector(ASKED)
    table.locator(".choices .order", has_text="take money").or_(
        table.locator(".choices .order", has_text="Take money")
    ).first.click()
    table.locator("#send:enabled").click()
    expect(table.locator(".head").first).to_contain_text("move 2")
    table.get_by_text("More at this table").click()
    table.get_by_role("button", name="Take back my last move").click()
    expect(table.locator(".head").first).to_contain_text("move 3")
    table.wait_for_selector(ASKED)


def test_standing_orders_are_put_together_from_phases_and_facts_tried_and_kept(
    house: House, visit: Visit, person: Person
) -> None:
    game_id = person.open_game("airlines-europe", {"kind": "bot", "bot": "random"})
    page = visit(f"/games/{game_id}", person, may_complain=True)  # of what is refused below
    page.wait_for_selector(ASKED)
    page.get_by_text("Standing orders", exact=True).click()
    page.get_by_label("Only in a phase").select_option(index=1)
    page.get_by_label("Facts for a condition, and what they are now").select_option(index=1)
    orders = page.get_by_label("One order a line, such as")
    expect(orders).to_have_value(re.compile(r"in .+: \w+"))
    orders.fill("nonsense: take money")
    page.get_by_role("button", name="Try").click()
    expect(page.get_by_role("alert").filter(has_text="nonsense")).to_be_visible()
    orders.fill("next: take money")
    page.get_by_role("button", name="Try").click()
    expect(page.get_by_text("Now they would play")).to_be_visible()
    assert person.ask("GET", f"/games/{game_id}/standing-orders")["orders"] == []
    page.locator("form", has=orders).get_by_role("button", name="Save").click()
    wait_until(lambda: person.ask("GET", f"/games/{game_id}/standing-orders")["orders"], what="the orders")


def test_from_a_running_game_another_way_is_tried_with_everything_hidden_dealt_anew(
    house: House, visit: Visit, person: Person
) -> None:
    game_id = person.open_game("spike", {"kind": "bot", "bot": "random"})
    page = visit(f"/games/{game_id}", person)
    page.wait_for_selector(ASKED)
    hand = person.ask("GET", f"/games/{game_id}/position")["table"]
    page.get_by_text("More at this table").click()
    page.get_by_text("Go another way from here").click()
    expect(page.get_by_text("What you cannot see is dealt anew in the copy")).to_be_visible()
    page.get_by_role("button", name="Open the copy").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Spike, after row 0")
    page.wait_for_selector(ASKED)
    copy = page.url.rpartition("/")[2]
    assert person.ask("GET", f"/games/{copy}/position")["table"] == hand, "what she sees is the same"
    page.locator(".choices .order").first.click()
    page.locator("#send:enabled").click()
    expect(page.locator(".tray li")).to_have_count(0)
    assert person.ask("GET", f"/games/{game_id}")["sequence"] == 0, "the game itself stays as it is"
