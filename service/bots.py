"""Who sits on a seat that no person has."""

import time
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from referee.arena import easy_bot, random_bot, steady_bot
from referee.bots import answers_beside
from referee.chance import Draws, derive, game_key
from referee.games import all_games
from referee.options import Move
from referee.playout import ask
from referee.situation import Bot, Choice
from referee.table import AnyGame, Table
from referee.thinker import Thinker

SPARE_BOT = "steady"  # what plays in place of people who are late or have left
THINKING_SECONDS = 1.0  # of CPU, that a strong bot has for a move
MOST_ITERATIONS = 3000  # that it plays in them


class Rating(NamedTuple):
    """How strong a bot was measured to be (docs/bots.md): its Elo, where random moves have 1000, and half of the 95 %
    interval around it."""

    elo: int
    uncertainty: int


class Strength(NamedTuple):
    """A bot by its name: what it is like, and its rating in each game where that was measured."""

    summary: str
    ratings: dict[str, Rating]


BOTS = {
    "easy": Strength("Plays steadily half of the time, and any legal move else: for a first game.", {}),
    "steady": Strength(
        "Follows the advice that a beginner would be given, without looking ahead.",
        {
            "airline-1975": Rating(1680, 110),
            "tin-goose": Rating(1950, 190),
        },
    ),
    "strong": Strength("Looks for something better than the steady move in worlds that may be true.", {}),
    "random": Strength("Any legal move.", dict.fromkeys(all_games(), Rating(1000, 0))),
    "default": Strength("Plays what the referee plays for a seat whose time is up.", {}),
}


def bot_name(bot: str, seat: int) -> str:
    return f"{bot} {seat + 1}"


def choose(bot: str, table: Table, seat: int) -> tuple[Move, str]:
    """The move of a bot that the game waits for, and by whom the log says it is."""
    choice, by = choose_and_say(bot, table, seat)
    if choice is None:
        raise ValueError(f"nothing is asked of seat {seat}")
    return choice.move, by


def choose_and_say(bot: str, table: Table, seat: int) -> tuple[Choice | None, str]:
    """A bot's move with its reason, and by whom the log says it is: `default` is not a player but the referee. None:
    it lets be what was put to it. Its random numbers come from the game's key, so that the same position gives the same
    move again."""
    game, position = table.game, table.position
    due = answers_beside(table).get(seat)
    is_awaited = seat in table.acting()
    if bot == "default":
        move = due or (table.default(seat) if is_awaited else None)
        return Choice(move, "") if move else None, "clock"
    if due:
        return Choice(due, "I claim what is due to me."), "bot"
    numbers = Draws(bytes.fromhex(derive(game_key(table.seed, table.header.entropy), "bot", seat)), table.sequence + 1)
    asking = [phase for phase in game.open_phases(position) if seat in phase.seats(position)]
    asking = [phase for phase in asking if (is_awaited if phase.required else phase.is_put_to(position, seat))]
    for phase in sorted(asking, key=lambda phase: phase.required):  # first what somebody has put to the seat
        choice = PLAYERS[bot](game)(ask(game, position, phase, seat, numbers))
        if choice is not None:
            return choice, "bot"
    return None, "bot"


def is_put_to(table: Table, seat: int) -> bool:
    """Whether somebody has put something to a seat, a deal perhaps, though the game does not wait for it."""
    position = table.position
    phases = table.game.open_phases(position)
    return any(not phase.required and phase.is_put_to(position, seat) for phase in phases)


def _strong(game: AnyGame) -> Bot:
    return Thinker(game, Random, iterations=MOST_ITERATIONS, clock=time.thread_time, seconds=THINKING_SECONDS)


PLAYERS: dict[str, Callable[[AnyGame], Bot]] = {
    "easy": easy_bot,
    "steady": steady_bot,
    "strong": _strong,
    "random": lambda game: random_bot,
}
