"""Threads that read their first struct together."""

import subprocess
import sys

THREADS_THAT_READ_BOARDS = """
import sys, threading
from referee.board_file import read_yaml
from referee.contract import read_board
from referee.games import all_games, board_text
from referee.structs import preload_decoders

boards = {game.board_type: read_yaml(board_text(game)) for game in all_games().values()}
start = threading.Barrier(8)

def read():
    for board_type, data in boards.items():
        start.wait()
        read_board(board_type, data)

if sys.argv[1] == "learned":
    preload_decoders()
sys.setswitchinterval(1e-6)
threads = [threading.Thread(target=read) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def read_by_threads(how: str) -> int:
    command = [sys.executable, "-c", THREADS_THAT_READ_BOARDS, how]
    return subprocess.run(command, capture_output=True, check=False).returncode


def test_structs_that_are_learned_beforehand_can_be_read_by_threads() -> None:
    assert read_by_threads("learned") == 0


def test_msgspec_still_needs_it() -> None:
    """If this fails, msgspec has been mended, and `preload_decoders` can go."""
    assert any(read_by_threads("not learned") < 0 for _ in range(20))
