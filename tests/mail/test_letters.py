"""What mails say: subjects that sort, text of 72 columns, HTML within its bounds, the same of both."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from mail.letters import Answer, GameNews, MenuLine, render, when, when_soon
from mail.pages import page_html, page_text
from referee.games import all_games
from referee.page import page_of
from runtime.config import ROOT
from service.mail_out import MOST_BYTES, board_picture, small
from tests.mail_gallery import mails, others, tables

TOLD_AT = datetime(2026, 11, 1, 9, 0, tzinfo=UTC)
NEWS = GameNews(
    game="Tin Goose",
    game_id="2147h2kq9mzr",
    title="",
    kind="your_turn",
    told_at=TOLD_AT,
    summary="It is your turn.",
    round=3,
    phase="auction",
    prompt="Bid, or pass.",
    due_at=datetime(2026, 11, 3, 17, 0, tzinfo=UTC),
    zone="Europe/Berlin",
)


@pytest.mark.parametrize(
    ("changes", "subject"),
    [
        ({}, "round 3 · auction: your move, due Tue 18:00 CET"),
        ({"sealed": True, "kind": "phase_opened"}, "round 3 · auction: your sealed move, due Tue 18:00 CET"),
        ({"kind": "reminder", "phase": "turn"}, "round 3 · reminder: your move, due Tue 18:00 CET"),
        ({"round": None, "due_at": None}, "auction: your move"),
        ({"due_at": TOLD_AT + timedelta(days=9)}, "round 3 · auction: your move, due 10 Nov 10:00 CET"),
        ({"kind": "press", "press_from": "Bob", "due_at": None, "prompt": ""}, "round 3 · press from Bob"),
        ({"kind": "game_over", "due_at": None, "prompt": ""}, "round 3 · game over"),
        ({"kind": "paused", "summary": "The game is paused.", "due_at": None}, "round 3 · The game is paused"),
    ],
)
def test_a_subject_sorts_and_says_what_is_asked_until_when(changes: dict, subject: str) -> None:
    found = render("game", msgspec.structs.replace(NEWS, **changes)).subject
    assert found == f"[Waybill] Tin Goose 2147 · {subject}"
    assert len(found) <= 82


def test_a_deadline_is_told_in_the_zone_of_the_player() -> None:
    due = datetime(2026, 11, 3, 17, 0, tzinfo=UTC)
    assert when(due, "Europe/Berlin") == "Tue 3 Nov, 18:00 CET"
    assert when_soon(due, "America/New_York", TOLD_AT) == "Tue 12:00 EST"


def test_what_is_in_a_mail_is_escaped_and_a_line_break_in_a_name_makes_no_header() -> None:
    evil = msgspec.structs.replace(NEWS, title="<script>", summary="a\r\nBcc: x@y", kind="paused", due_at=None)
    found = render("game", evil)
    assert "<script>" not in found.html
    assert "\n" not in found.subject


def test_a_link_is_never_broken() -> None:
    link = "https://games.example.org/v1/mail/confirm?token=" + "x" * 60
    assert link in render("answer", Answer(verdict="HELD: x.", link=link)).text


def test_a_menu_says_the_same_as_text_and_as_html() -> None:
    menu = [MenuLine("bid AMOUNT", "AMOUNT: 1 to 40", "bid 1"), MenuLine("pass")]
    found = render("game", msgspec.structs.replace(NEWS, menu=menu))
    for part in ("bid AMOUNT", "AMOUNT: 1 to 40", "bid 1", "pass", "Due", "Bid, or pass."):
        assert part in found.text
        assert part in found.html


@pytest.mark.parametrize("ruleset", all_games())
def test_every_mail_of_a_game_keeps_within_its_bounds(ruleset: str) -> None:
    for name, rendered, _ in mails(ruleset, with_pictures=False):
        assert max(map(len, rendered.text.splitlines())) <= 72, name
        assert len(rendered.html.encode()) < 100_000, name
        assert len(rendered.subject) <= 90, name


def test_every_other_mail_keeps_within_its_bounds() -> None:
    for name, rendered, _ in others():
        assert max(map(len, rendered.text.splitlines())) <= 72, name
        assert len(rendered.html.encode()) < 100_000, name


@pytest.mark.parametrize("ruleset", all_games())
def test_a_picture_fits_into_a_mail(ruleset: str) -> None:
    table = list(zip(range(2), tables(ruleset), strict=False))[-1][1]
    picture = board_picture(table, table.acting()[0] if not table.is_over else 0, small)
    assert picture.startswith(b"\x89PNG")
    assert len(picture) < MOST_BYTES


@pytest.mark.parametrize("ruleset", all_games())
def test_the_rules_fit_into_a_mail_whole(ruleset: str) -> None:
    page = page_of(all_games()[ruleset], "")
    assert page is not None
    text, html = page_text(page.markdown), page_html(page.markdown)
    assert max(map(len, text.splitlines())) <= 72
    assert len(html.encode()) < 90_000
    assert "./waybill" not in text
    assert "![" not in text
    assert "<img" not in html


def test_help_is_the_page_for_players() -> None:
    text = page_text((ROOT / "docs" / "mail.md").read_text("utf-8"))
    assert text.startswith("PLAYING BY MAIL")
    assert "`" not in text
    assert "|" not in text
