"""The terminal, or what stands for it in a pipe."""

import importlib
import sys
from contextlib import suppress
from types import ModuleType

from rich.console import Console

readline: ModuleType | None = None
with suppress(ImportError):  # not on every system
    readline = importlib.import_module("readline")  # gives input() its line editing

CLEAR = "\033[H\033[2J\033[3J"  # the screen and what scrolled off it


class Screen:
    """Says and asks. On a terminal with colours; in a pipe plain text, with what was read repeated after its prompt."""

    def __init__(self) -> None:
        self.is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        self._console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)

    def say(self, text: str = "", style: str = "") -> None:
        self._console.print(text, style=style or None)

    def wrong(self, text: str) -> None:
        self.say(text, "red")

    def hint(self, text: str) -> None:
        self.say(text, "dim")

    def ask(self, prompt: str) -> str | None:
        """A line typed, or None at the end of the input."""
        if self.is_terminal:
            try:
                return input(prompt)
            except EOFError:
                return None
        line = sys.stdin.readline()
        if line:
            self.say(prompt + line.rstrip("\n"))
        return line.rstrip("\n") if line else None

    def hand_over(self, name: str) -> bool:
        """Clears away what the last player saw and waits for the next one; False at the end of the input."""
        if not self.is_terminal:
            self.say(f"\n== {name}")
            return True
        sys.stdout.write(CLEAR)
        if readline:
            readline.clear_history()  # the arrow keys would bring the last player's orders back
        answer = self.ask(f"{name}, please press Enter when nobody else looks. ")
        sys.stdout.write(CLEAR)
        return answer is not None
