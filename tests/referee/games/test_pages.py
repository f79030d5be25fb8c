"""The pages in docs/games are those that `./waybill pages` writes, and tell every rule that binds players."""

from pathlib import Path

import pytest
import yaml

from commands.pages import out_of_date, page_files
from referee.games import all_games, board_file
from referee.page import page_file, uncited

GAMES = sorted(key for key, game_type in all_games().items() if page_file(game_type).exists())


@pytest.mark.parametrize("key", GAMES)
def test_what_is_committed_is_what_would_be_written(key: str) -> None:
    files = [file.name for file in out_of_date(key, dict(page_files(key)))]
    assert files == [], f"./waybill pages {key} writes these anew"


@pytest.mark.parametrize("key", GAMES)
def test_every_rule_that_binds_players_is_on_the_page(key: str) -> None:
    folder: Path = board_file(all_games()[key]).parent
    rulings = yaml.safe_load((folder / "rulings.yaml").read_text("utf-8"))
    missing = uncited(page_file(all_games()[key]).read_text("utf-8"), rulings)
    assert missing == [], "tell them in page.md, or name there those that are <!-- not for players: … -->"
