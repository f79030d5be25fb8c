"""Every kind of mail of every game, to be looked at: `python -m tests.mail_gallery FOLDER` writes each as text, as HTML
and as a browser shows it, 360 and 800 pixels wide, light and dark."""

import argparse
import base64
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from mail.letters import Answer, GameNews, Invited, Notice, Rendered, render
from referee.contract import Viewer
from referee.games import all_games, open_game
from referee.options import sample
from referee.record import redacted
from referee.table import Table, open_table
from service.feed import SUMMARIES, PressTold, Told
from service.mail_orders import ACCEPTED, READ, REFUSED, UNFINISHED
from service.mail_out import ADVICE, Digest, board_picture, game_news, orders, small, welcome

NAMES = ("Ann", "Bob", "Cid", "Dot", "Eve")
TOLD_AT = datetime(2026, 11, 3, 9, 30, tzinfo=UTC)
WIDTHS = (360, 800)


def tables(ruleset: str) -> Iterator[Table]:
    """Early in a game, well into it, and at its end."""
    game = open_game(ruleset, min(all_games()[ruleset].seat_counts))
    table, _ = open_table(game, NAMES[: game.seats], bytes(range(32)), [""] * game.seats)
    rng = random.Random(3)
    for rows in (0, 30, 10**6):
        while table.sequence < rows and not table.is_over:
            if table.sealed_phase() and not table.missing():
                table.reveal()
                continue
            seat = table.acting()[0]
            offers = [offer for offer in table.offers(seat) if not offer.move.leaves_the_game]
            table.submit(seat, [sample(offers, rng) if offers else table.default(seat)])
        yield table


def told(table: Table, seat: int, kind: str, **more: Any) -> Told:
    entries = [redacted(table.game, entry, Viewer(seat), table.words).sentences for entry in more.pop("entries", ())]
    return Told(
        id=1, kind=kind, game_id="7h2kq9mzr4ab", ruleset=table.game.key, game=table.game.name, title="", seat=seat,
        about=1, sequence=table.sequence, summary=SUMMARIES[kind].format(who="Bob"),
        sentences=tuple(sentence for row in entries for sentence in row), omitted=0,
        prompt=next((one.prompt for one in table.decisions(seat)), ""),
        due_at=TOLD_AT + timedelta(days=2) if kind in ("your_turn", "phase_opened", "reminder") else None,
        detail=more.pop("detail", {}), press=more.pop("press", None), created_at=TOLD_AT, read_at=None,
    )  # fmt: skip


def picture_of(table: Table, seat: int) -> bytes:
    return board_picture(table, seat, small)


def mails(ruleset: str, with_pictures: bool = True) -> Iterator[tuple[str, Rendered, bytes]]:
    for stage, table in zip(("begin", "middle", "end"), tables(ruleset), strict=True):
        seat = table.acting()[0] if not table.is_over else 0
        zone = "Europe/Berlin"
        if table.is_over:
            last = told(table, seat, "game_over", detail={"how": table.game.endings[table.ending]})
            news = game_news(table, last, [last], zone)
            yield f"{stage}-game_over", render("game", news, "board"), picture_of(table, seat) if with_pictures else b""
            continue
        kind = "phase_opened" if table.sealed_phase() else "your_turn"
        last = told(table, seat, kind)
        news = game_news(table, last, [last], zone)
        if stage == "begin":
            news = msgspec.structs.replace(news, welcome=welcome(last))
        yield f"{stage}-{kind}", render("game", news, "board"), picture_of(table, seat) if with_pictures else b""
        if stage == "middle":
            lines, _ = orders(table, seat)
            answer = Answer(
                game=last.game, game_id=last.game_id, verdict=REFUSED,
                parts=["This line: fly to the moon", "“fly to the moon” is no order here."], menu=lines,
                board=table.game.text(table.view(seat)).strip(), due_at=last.due_at, zone=zone, head=table.head,
                sequence=table.sequence,
            )  # fmt: skip
            yield f"{stage}-refused", render("answer", answer), b""
            for name, verdict in (("accepted", ACCEPTED), ("unfinished", UNFINISHED)):
                said = msgspec.structs.replace(answer, verdict=verdict, parts=["Read as:\n  take money", "Ann moves."])
                yield f"{stage}-{name}", render("answer", said), b""


def others() -> Iterator[tuple[str, Rendered, bytes]]:
    """Mails that are much the same in all games."""
    table = next(tables("tin-goose"))
    for kind in SUMMARIES:
        if kind in ("your_turn", "phase_opened", "game_over", "invited"):
            continue
        press = PressTold("x", 1, "Shall we share the west?\nI bid no more than 12.") if kind == "press" else None
        one = told(table, 0, kind, press=press)
        news: GameNews = msgspec.structs.replace(
            game_news(table, one, [one], "Europe/Berlin"), advice=ADVICE.get(kind, ())
        )
        yield kind, render("game", news), b""
    notice = Notice(name="Ann", secret="wl_4f1y…", game="Tin Goose", game_id="7h2kq9mzr4ab", host="Bob", can_reply=True)
    for folder in ("invited", "proof", "sign_in", "nobody"):
        yield folder, render(folder, msgspec.structs.replace(notice, can_reply=folder == "invited")), b""
    linked = msgspec.structs.replace(notice, link="https://games.example.org/sign-in#wl_4f1y…", can_reply=False)
    for folder in ("proof", "sign_in", "nobody"):
        yield f"{folder}-linked", render(folder, linked), b""
    guest = Invited(
        host="Bob", game="Tin Goose", game_id="7h2kq9mzr4ab", summary=all_games()["tin-goose"].about.summary, seats=3,
        time="3 days", link="https://games.example.org/v1/mail/invitation?token=1.abcdefghijklmnopqrst",
    )  # fmt: skip
    yield "invited_guest", render("invited_guest", guest), b""
    press = PressTold("x", 1, "Shall we share the west?\nI bid no more than 12.")
    some = [told(table, 0, kind, press=press if kind == "press" else None) for kind in ("joined", "press", "paused")]
    yield "digest", render("digest", Digest([game_news(None, one, [one], "Europe/Berlin") for one in some])), b""
    from referee.page import page_of
    from runtime.config import ROOT

    page = page_of(all_games()["tin-goose"], "")
    assert page is not None
    yield "rules", render("answer", Answer(verdict=READ, page=page.markdown)), b""
    yield "help", render("answer", Answer(verdict=READ, page=(ROOT / "docs" / "mail.md").read_text("utf-8"))), b""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="a part of the names")
    arguments = parser.parse_args()
    from tests.browser import chromium  # which takes a while

    arguments.folder.mkdir(parents=True, exist_ok=True)
    found = [(f"{ruleset}-{name}", *rest) for ruleset in all_games() for name, *rest in mails(ruleset)]
    found += [(name, *rest) for name, *rest in others()]
    with chromium() as browser:
        for name, rendered, picture in found:
            if arguments.only not in name:
                continue
            html = rendered.html.replace("cid:board", f"data:image/png;base64,{base64.b64encode(picture).decode()}")
            file = arguments.folder / name
            file.with_suffix(".txt").write_text(f"Subject: {rendered.subject}\n\n{rendered.text}")
            file.with_suffix(".html").write_text(html)
            print(f"{name}: {len(rendered.html.encode())} bytes of HTML, {len(picture)} of picture", flush=True)
            for width in WIDTHS:
                for scheme in ("light", "dark"):
                    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
                    page.set_default_timeout(120_000)
                    page.set_content(html)
                    wide = page.evaluate("document.documentElement.scrollWidth")
                    if wide > width:
                        print(f"  {wide} pixels wide at {width}", flush=True)
                    page.screenshot(path=f"{file}-{width}-{scheme}.png", full_page=True)
                    page.close()


if __name__ == "__main__":
    main()
