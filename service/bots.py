"""Who sits on a seat that no person has."""

from referee.bots import answers_beside, random_move
from referee.chance import Chance, derive, game_key
from referee.options import Move
from referee.table import Table

BOTS = ("random", "default")  # `default` plays what the referee plays for a seat whose time is up


class Draws:
    """Random numbers for a bot's choice: from the game's key, so that the same position gives the same move again."""

    def __init__(self, table: Table, seat: int) -> None:
        key = bytes.fromhex(derive(game_key(table.seed, table.header.entropy), "bot", seat))
        self._chance = Chance(key, table.sequence + 1)

    def randrange(self, stop: int, /) -> int:
        return self._chance.below(str(len(self._chance.draws)), stop)


def bot_name(bot: str, seat: int) -> str:
    return f"{bot} {seat + 1}"


def choose(bot: str, table: Table, seat: int) -> tuple[Move, str]:
    """A bot's move, and by whom the log says it is: `default` is not a player but the referee."""
    if bot == "default":
        return answers_beside(table).get(seat) or table.default(seat), "clock"
    return random_move(table, seat, Draws(table, seat)), "bot"
