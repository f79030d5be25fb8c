"""What mails say: subjects that sort, text of 72 columns, HTML within its bounds, the same of both."""

import re
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from mail.letters import LONGEST_SUBJECT, Answer, GameNews, MenuLine, render, when, when_soon
from mail.pages import page_html, page_text
from referee.contract import Phase
from referee.games import all_games
from referee.page import page_of
from runtime.config import ROOT
from service.feed import SUMMARIES
from service.mail_out import MOST_BYTES, board_picture, small
from service.preferences import KINDS
from tests.mail_gallery import mails, others, tables

GOLDEN = ROOT / "tests" / "golden"
TOLD_AT = datetime(2026, 11, 1, 9, 0, tzinfo=UTC)
NEWS = GameNews(
    game="Tin Goose",
    game_id="2147h2kq9mzr",
    title="",
    kind="your_turn",
    told_at=TOLD_AT,
    summary="It is your turn.",
    round=3,
    asks="your bid",
    prompt="Bid, or pass.",
    due_at=datetime(2026, 11, 3, 17, 0, tzinfo=UTC),
    zone="Europe/Berlin",
)


REMINDER = "reminder: your airmail route, due Tue 18:00 CET"  # without the round, for which there is no room


@pytest.mark.parametrize(
    ("changes", "subject"),
    [
        ({}, "round 3 · your bid, due Tue 18:00 CET"),
        ({"kind": "phase_opened", "asks": "your airmail bid"}, "round 3 · your airmail bid, due Tue 18:00 CET"),
        ({"kind": "reminder"}, "round 3 · reminder: your bid, due Tue 18:00 CET"),
        ({"kind": "reminder", "asks": "your airmail route", "round": 12}, REMINDER),
        ({"round": None, "due_at": None}, "your bid"),
        ({"asks": ""}, "round 3 · your move, due Tue 18:00 CET"),
        ({"due_at": TOLD_AT + timedelta(days=9)}, "round 3 · your bid, due 10 Nov 10:00 CET"),
        ({"kind": "press", "press_from": "Bob", "due_at": None, "prompt": ""}, "round 3 · press from Bob"),
        ({"kind": "game_over", "due_at": None, "prompt": ""}, "round 3 · game over"),
        ({"kind": "paused", "summary": "The game is paused.", "due_at": None}, "round 3 · paused"),
    ],
)
def test_a_subject_sorts_and_says_what_is_asked_until_when(changes: dict, subject: str) -> None:
    found = render("game", msgspec.structs.replace(NEWS, **changes)).subject
    assert found == f"[Waybill] Tin Goose 2147 · {subject}"
    assert len(found) <= LONGEST_SUBJECT


@pytest.mark.parametrize("ruleset", all_games())
def test_every_question_of_a_game_has_a_subject_in_its_own_words(ruleset: str) -> None:
    """Over the phases of the golden games. What a phase asks is the same for everybody, so it tells no secret."""
    usual, found = Phase.asks, set()
    for phase in all_games()[ruleset].phase_types:
        assert vars(phase).get("asks", usual) != usual, phase.name
    for record in (GOLDEN / ruleset).glob("*.jsonl"):
        phases = set(re.findall(r'"phase":"(\w+)"', record.read_text("utf-8")))
        found |= {phase for phase in all_games()[ruleset].phase_types if phase.name in phases and phase.required}
    assert len(found) >= 3
    for phase in found:
        for kind in ("your_turn", "reminder"):
            news = {"kind": kind, "asks": phase.asks, "game": all_games()[ruleset].name, "round": 10}
            subject = render("game", msgspec.structs.replace(NEWS, **news)).subject
            assert len(subject) <= LONGEST_SUBJECT, subject
            assert phase.asks in subject
            assert subject.endswith("Tue 18:00 CET")


def test_every_kind_of_notice_has_a_subject_that_fits() -> None:
    for kind in KINDS:
        name = "Kings of Air & Steam"
        news = {"kind": kind, "summary": SUMMARIES[kind], "asks": "", "due_at": None, "game": name, "press_from": "Bob"}
        subject = render("game", msgspec.structs.replace(NEWS, **news)).subject
        assert len(subject) <= LONGEST_SUBJECT, subject


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
        assert max(len(line) for line in rendered.text.splitlines() if "://" not in line) <= 72, name
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
