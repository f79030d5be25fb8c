"""Two worlds that a player cannot tell apart give the same mails, byte for byte."""

import random
from typing import Any

import pytest

from mail.letters import render
from referee.contract import canonical
from referee.games import all_games, open_game
from referee.options import sample
from referee.table import Table, open_table
from service.mail_out import game_news, orders
from tests.mail_gallery import NAMES, told

KINDS = ("your_turn", "phase_opened", "reminder", "revealed", "late", "press", "undone")


def what_is_mailed(table: Table, seat: int) -> list[Any]:
    """Every kind of mail as text and HTML, the picture before it is drawn, and the menus of answers."""
    found: list[Any] = [table.game.picture(table.view(seat)), orders(table, seat, 300)]
    for kind in KINDS:
        one = told(table, seat, kind)
        rendered = render("game", game_news(table, one, [one], "UTC"))
        found += [rendered.subject, rendered.text, rendered.html]
    found.append(table.game.text(table.view(seat), "full"))
    return found


@pytest.mark.parametrize("ruleset", all_games())
def test_what_a_player_cannot_know_changes_nothing_in_their_mail(ruleset: str) -> None:
    game = open_game(ruleset, min(all_games()[ruleset].seat_counts))
    table, _ = open_table(game, NAMES[: game.seats], bytes(range(32)), [""] * game.seats)
    rng = random.Random(5)
    differed = 0
    for number in range(24):
        if table.is_over:
            break
        if number % 4 == 0:
            for seat in range(game.seats):
                other = canonical(game.imagine(table.view(seat), rng))
                differed += other != table.position_json
                world = Table(
                    game, table.header, table.seed, other, table.sequence, table.head, table.sealed, table.names
                )
                assert what_is_mailed(world, seat) == what_is_mailed(table, seat)
        if table.sealed_phase() and not table.missing():
            table.reveal()
            continue
        seat = table.acting()[0]
        offers = [offer for offer in table.offers(seat) if not offer.move.leaves_the_game]
        table.submit(seat, [sample(offers, rng) if offers else table.default(seat)])
    assert differed or ruleset == "airline-1975", "or there was nothing to hide"
