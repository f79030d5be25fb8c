"""`./waybill arena`: bots against bots, and what it says of them."""

import json
import shlex
import sys
from pathlib import Path
from random import Random

import pytest

from commands import ROOT
from commands.__main__ import main
from commands._arena_figures import Played, Use, by_seat, ratings, standings, uses, wilson
from commands._arena_report import rare
from referee.arena import Result, play_game, seated, steady_bot
from referee.games import open_game
from tests.node_tools import NODE

FAST = ["--games", "4", "--jobs", "1"]


def test_a_tournament_counts_wins_with_their_intervals(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    command = ["arena", "airlines-europe", "--bots", "steady,random", "--seats", "3", "--html", str(page)]
    assert main([*command, *FAST]) == 0
    output = capsys.readouterr().out
    assert "Airlines Europe, 3 players, 4 games" in output
    assert "100 % (51 to 100)" in output
    assert "stopped by the cap on rows: 0" in output
    assert "route reykjavik-lisbon" in page.read_text()
    assert "<script" not in page.read_text()


def test_kept_games_are_not_played_again_and_more_are_added(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    kept, whole = tmp_path / "some.jsonl", tmp_path / "whole.jsonl"
    command = ["arena", "tin-goose", "--bots", "random", "--seats", "3", "--jobs", "2", "--keep"]
    assert main([*command, str(kept), "--games", "3"]) == 0
    first = kept.read_bytes()
    kept.write_bytes(first + b'{"number":3,"bots":["ran')  # killed while it wrote
    assert main([*command, str(kept), "--games", "6"]) == 0
    assert kept.read_bytes().startswith(first)
    assert main([*command, str(whole), "--games", "6"]) == 0
    assert sorted(kept.read_bytes().splitlines()) == sorted(whole.read_bytes().splitlines())
    capsys.readouterr()
    assert main([*command, str(kept), "--games", "6", "--seed", "2"]) == 2
    assert "keeps games of another kind" in capsys.readouterr().err


def test_ratings_take_other_tournaments_into_account(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Steady against random, and random against easy: the easy bot's rating is one on the same scale."""
    weak = tmp_path / "weak.jsonl"
    assert main(["arena", "tin-goose", "--bots", "easy,random", "--seats", "3", "--keep", str(weak), *FAST]) == 0
    capsys.readouterr()
    command = ["arena", "tin-goose", "--bots", "steady,easy", "--seats", "3", *FAST]
    assert main(command) == 0
    assert " 1000 ±" not in capsys.readouterr().out  # nobody there has the rating that is fixed
    assert main([*command, "--with", str(weak)]) == 0
    rated = [line for line in capsys.readouterr().out.splitlines() if "│ easy" in line]
    assert int(rated[0].split("│")[-2].split("±")[0]) > 1000
    assert main(["arena", "spike", "--bots", "steady", *FAST, "--with", str(weak)]) == 2
    assert "keeps games of another kind" in capsys.readouterr().err


def test_a_thinker_that_counts_its_playouts_plays_the_same_game_again(tmp_path: Path) -> None:
    games = []
    for name in ("first", "second"):
        command = ["arena", "airlines-europe", "--bots", "thinker,steady", "--seats", "2", "--iterations", "40"]
        assert main([*command, "--games", "1", "--cap", "12", "--jobs", "1", "--keep", str(tmp_path / name)]) == 0
        games.append((tmp_path / name).read_bytes())
    assert games[0] == games[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--bots", "steadfast"],
            "there is no bot 'steadfast'; there are random, easy, steady, thinker and command:PROGRAM",
        ),
        ([], "name at least one bot"),
        (["--bots", "random", "--seats", "9"], "Airlines Europe is for 2 to 5 players, not 9"),
        (["--bots", "random", "--settings", '{"jitter": 3}'], "Expected `bool`"),
        (["--bots", "random,steady,thinker", "--seats", "2"], "3 bots do not fit on 2 seats"),
    ],
)
def test_what_cannot_be_played_is_said(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "airlines-europe", *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("game", ["airlines-europe", "kings-of-air-and-steam", "airline-1975"])
def test_a_program_in_another_language_plays(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    program = f"command:{shlex.quote(str(NODE))} {shlex.quote(str(ROOT / 'docs' / 'examples' / 'bot.mjs'))}"
    assert (
        main(["arena", game, "--bot", program, "--bots", "random", "--games", "1", "--cap", "60", "--jobs", "1"]) == 0
    )
    assert "command:" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("print('hello')", "which is not JSON on one line"),
        ("print('{}')", "an answer is"),
        ("""print('{"move": {"type": "fly"}}')""", "There is no move of this type"),
        ("""print('{"move": {"type": "choose", "shares": ["red", "red"]}}')""", "is not on offer to seat"),
        ("", "has ended"),
    ],
)
def test_a_program_that_does_not_play_along_is_told_why(
    program: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = f"command:{shlex.quote(sys.executable)} -c {shlex.quote(f'import sys; sys.stdin.readline(); {program}')}"
    assert main(["arena", "airlines-europe", "--bot", command, "--games", "1", "--jobs", "1"]) == 1
    assert message in capsys.readouterr().err


def test_the_first_bot_has_one_seat_and_the_seats_go_round() -> None:
    assert seated(["a", "b"], 4, 0) == ["a", "b", "b", "b"]
    assert seated(["a", "b"], 4, 3) == ["b", "a", "b", "b"]
    assert seated(["a", "b", "c"], 5, 0) == ["a", "b", "c", "b", "c"]
    assert seated(["a"], 3, 1) == ["a", "a", "a"]


def test_parts_of_the_board_are_used_by_what_happens_too() -> None:
    """Who buys in Airline (1975) names no city: it is the one where the token stands."""
    game = open_game("airline-1975", 2)
    result = play_game(game, [steady_bot(game)] * 2, Random(3))
    bought = sum(count for used in result.parts for part, count in used.items() if part.startswith("city "))
    assert bought >= sum(used.get("buy", 0) for used in result.moves) > 0


def test_what_is_hardly_ever_used_is_named_by_field() -> None:
    never = [Use(f"city c{number}", 0.0, 0, wilson(0, 0)) for number in range(14)]
    often = [Use("city paris", 2.0, 9, wilson(3, 9)), Use("way a", 0.0, 0, wilson(0, 0))]
    assert list(rare([*often, *never])) == [
        "city c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13 and 2 more (14 of 15)"
    ]


def played(number: int, bots: tuple[str, ...], places: tuple[int, ...]) -> Played:
    winners = places.count(1)
    wins = tuple((place == 1) / winners for place in places)
    used = tuple({"buy": place} for place in places)
    return Played(number, bots, Result(wins, places, places, 10, 5, True, used, used))


def test_figures_of_a_small_tournament() -> None:
    games = [played(number, ("good", "random"), (1, 2)) for number in range(9)]
    games.append(played(9, ("good", "random"), (2, 1)))
    games.append(played(10, ("good", "random"), (1, 1)))
    good, bad = standings(games)
    assert (good.bot, good.wins, bad.wins) == ("good", 9.5, 1.5)
    assert good.rate.low < 9.5 / 11 < good.rate.high <= 1
    assert good.share == 0.5
    rating = ratings(games)
    assert rating["random"].value == 1000
    assert 1250 < rating["good"].value < 1350  # (9.5 + 0.5) : (1.5 + 0.5), five to one
    assert rating["good"].low < rating["good"].value < rating["good"].high
    assert [rate.value for rate in by_seat(games, 2)] == [9.5 / 11, 1.5 / 11]
    (buy, never) = uses(games, "moves", ["never"])
    assert (buy.name, never.name, never.a_game) == ("buy", "never", 0)
    assert json.dumps(wilson(0, 0)) == "[0.0, 0.0, 1.0]"
