"""Standing orders: read and written alike, decided on the seat's own view, and never against the rules."""

import random

import msgspec
import pytest

from referee import record
from referee.bots import answers_beside, random_move, take_turn, waiting_for
from referee.games import all_games, open_game
from referee.orders import conditions
from referee.orders.checking import problems_of
from referee.orders.deciding import Outlook, answer_all
from referee.orders.standing import Kept, StandingOrder, seconds_of
from referee.orders.standing_format import format_order
from referee.orders.standing_text import parse_order, parse_orders
from referee.table import AnyGame, open_table
from tests.referee.standing_orders import Maker, play

KEYS = sorted(all_games())
# Facts that have no value in games by lot, in which nobody makes offers.
SELDOM = {"airline-1975": {"deal", "deal gives", "deal wants", "deal price"}}


@pytest.mark.parametrize("key", KEYS)
def test_what_is_written_is_read_as_it_was_meant(key: str) -> None:
    game = open_game(key, all_games()[key].seat_counts[-1])
    maker = Maker(game, 1)
    for _ in range(60):
        order = maker.order()
        assert not list(problems_of(game, order))
        text = format_order(game, order)
        assert parse_order(game, text, [f"P{seat}" for seat in range(game.seats)]) == order, text
        assert msgspec.json.decode(msgspec.json.encode(order), type=StandingOrder) == order


@pytest.mark.parametrize("key", KEYS)
def test_presets_read_and_say_what_they_do(key: str) -> None:
    game = open_game(key, all_games()[key].seat_counts[0])
    for preset in game.standing.presets:
        order = parse_order(game, preset.text)
        assert parse_order(game, format_order(game, order)) == order
        assert preset.says.endswith(".")


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("key", KEYS)
def test_games_with_random_standing_orders_on_all_seats_end_and_are_proved(key: str, seed: int) -> None:
    game = open_game(key, all_games()[key].seat_counts[seed % len(all_games()[key].seat_counts)])
    table, entries, answered = play(game, seed, check_worlds=seed == 0)
    assert table.is_over
    assert answered > 0
    closed = record.close(table, tuple(entries))
    assert record.verify(game, closed).head == table.head
    assert sum(order.by == "standing" for entry in entries for order in entry.row.orders) == answered


@pytest.mark.parametrize("key", KEYS)
def test_the_same_choices_by_hand_give_the_same_rows_but_for_by(key: str) -> None:
    game = open_game(key, all_games()[key].seat_counts[0])
    table, entries, _ = play(game, 7)
    by_hand, first = open_table(game, [f"P{seat}" for seat in range(game.seats)], (7).to_bytes(32))
    assert first.row_json == entries[0].row_json
    for entry in entries[1:]:
        for order in entry.row.orders:
            outcome = by_hand.submit(order.seat, [order.move])
        made = by_hand.reveal() if entry.row.is_reveal else outcome.entries[0]
        assert made.row_json == entry.row_json.replace(b'"by":"standing"', b'"by":"player"')
    assert by_hand.position_json == table.position_json


@pytest.mark.parametrize("key", KEYS)
def test_facts_are_of_their_kind_and_no_two_are_called_alike(key: str) -> None:
    game = open_game(key, all_games()[key].seat_counts[-1])
    spellings = {
        (conditions.plain(name), fact.name) for fact in game.standing.facts for name in (fact.name, *fact.also)
    }
    assert len({spelling for spelling, _ in spellings}) == len(spellings)
    table, _ = open_table(game, [f"P{seat}" for seat in range(game.seats)], bytes(32))
    rng, kinds = random.Random(2), {"number": int, "word": str, "flag": bool, "list": tuple}
    seen: set[str] = set()
    while not table.is_over:
        outlook = Outlook(table, waiting_for(table)[0].seat)
        for name, value in outlook.facts().items():
            assert value is None or type(value) is kinds[game.standing.fact(name).kind], name
            seen |= {name} if value is not None else set()
            if game.standing.fact(name).words and value is not None:
                known = set(conditions.values_by_words(game, game.standing.fact(name)).values())
                assert set(value if isinstance(value, tuple) else (value,)) <= known, name
        seat = next(iter(answers_beside(table)), waiting_for(table)[0].seat)
        take_turn(table, seat, [random_move(table, seat, rng)])
    assert seen >= {fact.name for fact in game.standing.facts} - SELDOM.get(key, set())


def test_seats_with_rules_against_each_other_are_stopped() -> None:
    game = open_game("airlines-europe", 2)
    table, _ = open_table(game, ["Ann", "Bob"], bytes(32))
    orders = {seat: kept(game, "in turn: take money\nin opening: choose any") for seat in (0, 1)}
    answer_all(table, orders)
    table.reveal()
    done = answer_all(table, orders, most=5)
    assert (len(done.answers), done.is_bounded) == (5, True)
    assert {answer.seat for answer in done.answers} == {0, 1}


def kept(game: AnyGame, text: str) -> tuple[Kept, ...]:
    return tuple(Kept(number, *one) for number, one in enumerate(parse_orders(game, text), 1))


@pytest.mark.parametrize(
    ("text", "moment"),
    [("2026-12-31", 1798675200), ("1970-01-01 00:00:01Z", 1), ("2000-02-29T12:30", 951827400)],
)
def test_moments_are_the_calendars(text: str, moment: int) -> None:
    order = parse_order(open_game("spike", 2), f"in turn: pass; until {text}")
    assert order.until is not None
    assert seconds_of(order.until) == moment


@pytest.mark.parametrize("key", KEYS)
def test_whatever_is_written_is_read_or_refused_with_its_place(key: str) -> None:
    """Words and signs of standing orders in any order: never anything but an order or a StandingError."""
    game = open_game(key, all_games()[key].seat_counts[0])
    maker, rng = Maker(game, 5), random.Random(5)
    orders = [format_order(game, maker.order()).split() for _ in range(60)]
    signs = [
        "(",
        ")",
        ";",
        ":",
        ",",
        "else",
        "if",
        "unless",
        "not",
        "until",
        "after",
        "any",
        "of",
        "all",
        "0",
        "-",
        "\0",
    ]
    words = [word for order in orders for word in order] + 5 * signs
    texts = [" ".join(rng.choice(words) for _ in range(rng.randrange(1, 18))) for _ in range(80)]
    for order in orders:
        order[rng.randrange(len(order))] = rng.choice(words)  # a slip
    texts += [" ".join(order) for order in orders]
    refused = [(text, error) for text, error in ((text, refusal(game, text)) for text in texts) if error]
    assert 50 < len(refused) < len(texts)
    for text, error in refused:
        assert 0 <= error.start <= error.end <= len(text), text
        assert error.message
        assert "zz" not in error.message


def refusal(game: AnyGame, text: str) -> conditions.StandingError | None:
    """Why a text is no standing order; what is one can be written and read again."""
    try:
        order = parse_order(game, text)
    except conditions.StandingError as error:
        return error
    assert not list(problems_of(game, order)), text
    assert parse_order(game, format_order(game, order)) == order, text
    return None
