"""`./waybill soak`: its exit status, and that a failure says how to see it again."""

from typing import Any

import pytest

from commands.__main__ import main
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
