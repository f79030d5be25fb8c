"""Makes the golden games that a tie-break decides, and one that comes to a standstill, on the tiny board:
python -m tests.referee.games.spike.ties

Random players tie often where there is little to earn; the first game decided by each tie-break is kept. A standstill
takes players who draw only when they can do nothing else.
"""

from pathlib import Path
from random import Random
from typing import Any

import yaml

from commands.golden import GOLDEN, random_record
from referee.games import all_games, game_of, load_board, open_game
from referee.games.spike.state import Draw, DrawDeck
from referee.options import sample
from referee.record import Record, close, export, load, transcript
from referee.table import open_table

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


def standstill(board: Any, data: Any) -> Record:
    """A game of players who never draw as long as they can do anything else."""
    for number in range(500):
        rng = Random(number)
        game = open_game("spike", 2, None, board)
        table, entry = open_table(game, ["Ann", "Bob"], bytes([number % 256]) * 32, board_data=data)
        entries = [entry]
        while not table.is_over:
            seat = table.decisions()[0].seat
            offers = table.offers(seat)
            busy = [offer for offer in offers if offer.move not in (Draw, DrawDeck)]
            entries += table.submit(seat, [sample(busy or offers, rng)]).entries
        if table.position.ending == "standstill":
            return close(table, tuple(entries))
    raise AssertionError("no game came to a standstill")


def write(name: str, record: Record) -> None:
    file = FOLDER / name
    file.with_suffix(".jsonl").write_bytes(export(record))
    file.with_suffix(".txt").write_text(transcript(game_of(record.header), record), encoding="utf-8")
    print(f"{name}: {len(record.entries)} rows")


def make() -> None:
    data = {**yaml.safe_load(BOARD.read_text("utf-8")), "name": "tiny-ties"}  # not to be replaced with those on tiny
    board = load_board(all_games()["spike"], yaml.safe_dump(data))
    for old in (*FOLDER.glob("*-tie-*"), *FOLDER.glob("*-standstill-*")):
        old.unlink()
    write("2-players-standstill-on-tiny-ties", standstill(board, data))
    missing = set(TIE_BREAKS)
    for number in range(500):
        seats = 2 + number % 3
        record = random_record(open_game("spike", seats, None, board), f"spike tie {number}", data)
        kind = decided_by(record)
        if kind in missing:
            missing.discard(kind)
            write(f"{seats}-players-tie-{kind}", record)
        if not missing:
            return


if __name__ == "__main__":
    make()
