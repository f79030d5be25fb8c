"""`./waybill soak`: its exit status, and that a failure says how to see it again."""

from typing import Any

import pytest

from commands.__main__ import main
from commands._endings import every_setting, values
from referee.games import all_games
from referee.games.airlines_europe import rules


def test_soak_succeeds_on_a_sound_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["soak", "airlines-europe", "--games", "2", "--players", "2", "--part", "course"]) == 0
    assert "2 games, no failures." in capsys.readouterr().out


def test_soak_tells_how_to_repeat_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nobody(self: Any, position: Any) -> tuple[int, ...]:
        return ()

    monkeypatch.setattr(rules.Turn, "seats", nobody)
    assert main(["soak", "airlines-europe", "--games", "1", "--seed", "7", "--players", "3", "--part", "course"]) == 1
    output = capsys.readouterr().out
    assert "waits for nobody" in output
    command = output.split("./waybill ")[1].splitlines()[0].split()
    assert main(command) == 1
    assert capsys.readouterr().out == output


def test_soak_refuses_a_number_of_players_the_game_has_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["soak", "airlines-europe", "--players", "9"]) == 2
    assert "2 to 5 players" in capsys.readouterr().err


def test_soak_says_of_every_setting_how_long_its_games_last(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["soak", "airlines-europe", "--endings", "--games", "3"]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    settings = list(every_setting(all_games()["airlines-europe"]))
    assert len(lines) == len(settings)
    assert all(": 3 games, the longest " in line and line.endswith("none met the cap") for line in lines)
    assert last == f"{len(settings)} settings, 3 games each, a cap of 5000 rows: none met it."


def test_a_game_that_does_not_end_is_found_under_its_setting(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["soak", "airlines-europe", "--endings", "--games", "2", "--cap", "50"]) == 1
    assert ": 2 games, the longest 50 rows (3 players, random, seed 2), 2 met the cap\n" in capsys.readouterr().out


@pytest.mark.parametrize("key", sorted(all_games()))
def test_every_value_of_every_setting_has_its_games(key: str) -> None:
    found = list(every_setting(all_games()[key]))
    assert set(all_games()[key].variants) <= set(found)
    names = all_games()[key].settings_type.__struct_fields__
    assert all(len({getattr(setting, name) for setting in found}) > 1 for name in names)


@pytest.mark.parametrize(
    ("field", "tried"),
    [
        ({"enum": ["a", "b"]}, ["a", "b"]),
        ({"type": "boolean"}, [False, True]),
        ({"type": "integer", "minimum": 2, "maximum": 5}, [2, 3, 4, 5]),
        ({"type": "integer", "minimum": 10, "maximum": 200}, [10, 200]),
    ],
)
def test_values_of_a_setting(field: dict[str, Any], tried: list[Any]) -> None:
    assert values(field) == tried


def test_a_setting_without_bounds_is_refused() -> None:
    with pytest.raises(ValueError, match="a setting without bounds"):
        values({"type": "integer", "minimum": 0})
