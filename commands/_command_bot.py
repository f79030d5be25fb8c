"""A program as a bot: questions on its standard input, answers on its standard output, a line of JSON each."""

import json
import selectors
import shlex
import subprocess
from typing import Any

import msgspec

from referee.errors import OrderError
from referee.moves import read_move
from referee.options import NO_HINTS
from referee.playout import AnyGame
from referee.situation import Choice, Situation

PROTOCOL = 1
SECONDS = 60.0  # for an answer


class BotError(Exception):
    """A program that does not play along: what it said, and what would be right."""


class CommandBot:
    """Plays as a program says. The program is started for the first question and stays for all games."""

    def __init__(self, command: str, game: AnyGame) -> None:
        self.command = command
        self.game = game
        self._process: subprocess.Popen[str] | None = None

    def __call__(self, situation: Situation[Any, Any]) -> Choice | None:
        question = {
            "type": "question",
            "you": situation.seat,
            "phase": situation.phase,
            "required": situation.required,
            "table": msgspec.to_builtins(situation.view),
            "options": [offer.listing(NO_HINTS) for offer in situation.offers()],
            "beside": [offer.listing(NO_HINTS) for offer in situation.beside()],
        }
        answer = self._asked(question)
        move, reason = answer.get("move"), answer.get("reason", "")
        if move is None and not situation.required:
            return None
        try:
            return Choice(read_move(self.game, move), str(reason)[:200])
        except OrderError as error:
            raise BotError(f"{self.command}: {error.message} It answered {json.dumps(answer)[:300]}") from None

    def close(self) -> None:
        if self._process and self._process.stdin:
            self._process.stdin.close()
            try:
                self._process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self._process.kill()
        self._process = None

    def _asked(self, question: dict[str, Any]) -> dict[str, Any]:
        if self._process is None:
            self._process = self._started()
            self._send(self._greeting())
        self._send(question)
        line = self._line()
        try:
            answer = json.loads(line)
        except ValueError:
            raise BotError(f"{self.command} answered {line[:200]!r}, which is not JSON on one line") from None
        if not isinstance(answer, dict) or "move" not in answer:
            raise BotError(f'{self.command} answered {line[:200]!r}; an answer is {{"move": {{"type": …}}}}') from None
        return answer

    def _started(self) -> subprocess.Popen[str]:
        try:
            return subprocess.Popen(
                shlex.split(self.command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
        except OSError as error:
            raise BotError(f"{self.command} cannot be started: {error.strerror}") from None

    def _greeting(self) -> dict[str, Any]:
        game = self.game
        return {
            "type": "game",
            "protocol": PROTOCOL,
            "game": game.key,
            "version": game.version,
            "seats": game.seats,
            "settings": msgspec.to_builtins(game.settings),
            "board": msgspec.to_builtins(game.board),
        }

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise BotError(f"{self.command} has ended; it must go on reading questions till its input ends") from None

    def _line(self) -> str:
        assert self._process is not None
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            if not selector.select(SECONDS):
                raise BotError(f"{self.command} has not answered within {SECONDS:.0f} seconds")
        line = self._process.stdout.readline()
        if not line:
            raise BotError(f"{self.command} has ended without an answer")
        return line
