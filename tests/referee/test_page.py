"""A game's page: numbers from the board, pictures from golden games, and HTML that nobody can put anything into."""

from types import SimpleNamespace

import pytest

from referee.page import PageError, Picture, html, rendered, uncited, without_links_elsewhere

BOARD = SimpleNamespace(setup=SimpleNamespace(hand=8))


def page(source, **tables):
    return rendered(source, BOARD, tables, "pictures/")


def test_numbers_and_tables_come_from_the_board():
    assert page("Deal {board.setup.hand} cards.\n\n{tables[fares]}\n\n{{as it is}}\n", fares="| a |").markdown == (
        "Deal 8 cards.\n\n| a |\n\n{as it is}\n"
    )


@pytest.mark.parametrize(
    "line", ["{board.setup.hat}", "{tables[fares]}", "{players}", "{", "{0}", "{board.setup.hand:q}"]
)
def test_what_cannot_be_filled_in_is_told_with_its_line(line):
    with pytest.raises(PageError, match=r"^line 4: .* cannot be filled in"):
        page(f"<!-- of\ntwo lines -->\n\n{line}\n")


def test_a_picture_is_named_after_the_moment_it_shows():
    shown = page("![A map](golden/2-players.jsonl?row=42&seat=0&part=map) ![All](golden/2-players.jsonl?row=7)")
    assert shown.markdown == "![A map](pictures/2-players-42-seat-1-map.svg) ![All](pictures/2-players-7.svg)\n"
    assert shown.pictures == (Picture("2-players", 42, 0, "map"), Picture("2-players", 7))


@pytest.mark.parametrize(
    "address",
    [
        "x.jsonl", "x.jsonl?row=", "x.jsonl?row=-1", "x.jsonl?row=1&seat=a", "x.jsonl?row=1&part=mop",
        "x.jsonl?row=1&width=3", "../x.jsonl?row=1", "x.txt?row=1", "a/b.jsonl?row=1",
    ],
)  # fmt: skip
def test_an_address_that_is_no_picture_is_refused(address):
    with pytest.raises(PageError, match="golden/"):
        page(f"![x](golden/{address})")


def test_comments_are_not_shown():
    assert page("A\n\n<!-- not for players: X-1 -->\n\nB").markdown == "A\n\nB\n"


SOURCE = """\
A rule (X-R1) and two more (X-R2, X-R3). <!-- X-R4: to do -->
<!-- not for players: X-F1 (what is in the box),
X-F2 -->
"""


def test_every_id_is_on_the_page_or_named_as_not_for_players():
    assert uncited(SOURCE, ["X-R1", "X-R2", "X-R3", "X-F1", "X-F2"]) == []
    assert uncited(SOURCE, ["X-R1", "X-R4", "X-R", "X-R11", "X-F3"]) == ["X-R4", "X-R", "X-R11", "X-F3"]


def test_links_into_the_repository_are_words_for_readers_without_it():
    text = "[a](../x.md) [b](https://example.org) [c](#d) ![e](rules/f.svg)"
    assert without_links_elsewhere(text) == "a [b](https://example.org) [c](#d) ![e](rules/f.svg)"


def test_html_has_a_title_and_headings_that_links_can_lead_to():
    made = html("# Spike & Co\n\n## A turn\n\ntext\n\n## A turn\n\n## `Orders` by post\n\n### Deeper\n")
    assert made.title == "Spike & Co"
    assert made.headings == (("a-turn", "A turn"), ("a-turn-2", "A turn"), ("orders-by-post", "Orders by post"))
    assert '<h2 id="a-turn-2">A turn</h2>' in made.body
    assert '<h3 id="deeper">' in made.body


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>", "a <img src=x onerror=alert(1)> b", "[a](javascript:alert(1))",
        "![a](javascript:alert(1))", '[a](x"onmouseover="y)', "[a](data:text/html,x)", "<b>\n\n<style>*{}</style>",
    ],
)  # fmt: skip
def test_nothing_in_the_text_becomes_markup_of_its_own(text):
    body = html(text).body
    for harm in ("<script", "<img src=x", 'href="javascript', 'src="javascript', '"onmouseover', "data:text", "<style"):
        assert harm not in body.replace("[a](data:text/html,x)", "")


def test_the_id_of_a_rule_is_kept_in_one_piece():
    made = html("A rule (TG-F25, A75-X1) & `SP-R01`; not x-1, a-b, 2-3.").body
    assert '(<span class="rule">TG-F25</span>, <span class="rule">A75-X1</span>) &amp; <code>SP-R01</code>' in made
    assert made.count("<span") == 2


def test_a_picture_leads_to_itself_and_a_table_can_be_moved_sideways():
    made = html("![A “map” & more](rules/x.svg)\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n").body
    assert '<a class="picture" href="rules/x.svg"><img src="rules/x.svg" alt="A “map” &amp; more" /></a>' in made
    assert '<div class="wide" tabindex="0"' in made
    assert "</table></div>" in made
