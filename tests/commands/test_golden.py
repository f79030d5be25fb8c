"""`./waybill golden`: it writes what is missing, the same every time, and overwrites only when told to."""

from pathlib import Path

import pytest

from commands import ROOT, golden
from commands.__main__ import main

TINY = str(ROOT / "tests" / "boards" / "airlines-europe-tiny.yaml")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(golden, "GOLDEN", tmp_path)
    monkeypatch.setattr(golden, "TRIES", 1)
    monkeypatch.setattr(golden, "MOST_GAMES", 20)
    return tmp_path / "airlines-europe"


def test_golden_games_are_made_once_and_replaced_by_force_only(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["golden", "airlines-europe"]) == 1
    assert "Still missing: ending blocked." in capsys.readouterr().out
    first = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert len(first) == 8  # a record and a transcript for 2, 3, 4 and 5 players

    assert main(["golden", "airlines-europe"]) == 1
    assert "--force" in capsys.readouterr().err
    assert main(["golden", "airlines-europe", "--board", TINY]) == 0
    assert (folder / "2-players-blocked-on-tiny-rules-2.jsonl").exists()

    (folder / "2-players-third-scoring-rules-2.txt").write_text("spoiled")
    main(["golden", "airlines-europe", "--force"])
    assert {name: (folder / name).read_bytes() for name in first} == first
    assert (folder / "2-players-blocked-on-tiny-rules-2.jsonl").exists()


def test_golden_says_what_is_wrong_with_a_board(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = tmp_path / "board.yaml"
    board.write_text("game: tin-goose\n")
    assert main(["golden", "airlines-europe", "--board", str(board)]) == 2
    assert "this is a board for 'tin-goose'" in capsys.readouterr().err


def test_one_more_golden_game_shows_what_is_asked_for_and_survives_force(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ["golden", "airlines-europe", "--showing", "traded,-bank_bankrupt", "--name", "a-trade"]
    assert main(more) == 0
    (record,) = folder.glob("*-a-trade.jsonl")
    assert b'"type":"traded"' in record.read_bytes()
    assert b'"type":"bank_bankrupt"' not in record.read_bytes()
    assert record.with_suffix(".txt").exists()
    main(["golden", "airlines-europe", "--force"])
    assert record.exists()
    assert main([*more[:-2]]) == 2
    assert "give a --name" in capsys.readouterr().err
    assert main(["golden", "airlines-europe", "--showing", "rain", "--name", "rain"]) == 2
    assert "there is no event 'rain'" in capsys.readouterr().err
