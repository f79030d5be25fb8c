"""Golden games replay byte for byte. When rules change on purpose: raise the version, ./waybill golden GAME, review."""

from pathlib import Path

import pytest

from commands.golden import GOLDEN, missing
from referee.games import all_games, game_of
from referee.record import export, load, transcript, verify

FILES = sorted(GOLDEN.glob("*/*.jsonl"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_golden_game_replays_exactly(file: Path) -> None:
    data = file.read_bytes()
    record = load(data)
    game = game_of(record.header)
    assert game.key == file.parent.name
    verify(game, record)
    assert export(record) == data
    assert transcript(game, record) == file.with_suffix(".txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("key", all_games())
def test_every_player_count_variant_and_end_condition_has_a_golden_game(key: str) -> None:
    assert not missing(key), f"no golden game of {key} for: {', '.join(missing(key))}; see ./waybill golden --help"


def test_every_transcript_has_its_record() -> None:
    assert sorted(GOLDEN.glob("*/*.txt")) == [file.with_suffix(".txt") for file in FILES]
