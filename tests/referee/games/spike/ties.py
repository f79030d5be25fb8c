"""Makes the golden games that a tie-break decides, on the tiny board: python -m tests.referee.games.spike.ties

Random players tie often where there is little to earn; the first game decided by each tie-break is kept.
"""

from pathlib import Path

import yaml

from commands.golden import GOLDEN, random_record
from referee.games import all_games, game_of, load_board, open_game
from referee.record import Record, export, load, transcript

FOLDER = GOLDEN / "spike"
BOARD = Path(__file__).parents[3] / "boards" / "spike-tiny.yaml"
TIE_BREAKS = ("cities", "tracks", "shared")


def decided_by(record: Record) -> str:
    """What the victory rests on: money, one of the tie-breaks, or nothing but sharing it."""
    assert record.end is not None
    first, second = record.end.standings[:2]
    if first["score"] != second["score"]:
        return "money"
    if second["place"] == 1:
        return "shared"
    cities = [standing["note"].split()[0] for standing in (first, second)]
    return "cities" if cities[0] != cities[1] else "tracks"


def file_of(tie_break: str) -> Path:
    (found,) = FOLDER.glob(f"*-tie-{tie_break}.jsonl")
    return found


def read(tie_break: str) -> Record:
    return load(file_of(tie_break).read_bytes())


def make() -> None:
    data = {**yaml.safe_load(BOARD.read_text("utf-8")), "name": "tiny-ties"}  # not to be replaced with those on tiny
    board = load_board(all_games()["spike"], yaml.safe_dump(data))
    for old in FOLDER.glob("*-tie-*"):
        old.unlink()
    missing = set(TIE_BREAKS)
    for number in range(500):
        seats = 2 + number % 3
        record = random_record(open_game("spike", seats, None, board), f"spike tie {number}", data)
        kind = decided_by(record)
        if kind in missing:
            missing.discard(kind)
            name = FOLDER / f"{seats}-players-tie-{kind}"
            name.with_suffix(".jsonl").write_bytes(export(record))
            name.with_suffix(".txt").write_text(transcript(game_of(record.header), record), encoding="utf-8")
            print(f"{name.name}: {len(record.entries)} rows")
        if not missing:
            return


if __name__ == "__main__":
    make()
