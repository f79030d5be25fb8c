"""Asking a person for an order: the menu, numbers, refusals and the commands beside the orders."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from string import ascii_lowercase

from commands._screen import Screen
from referee.errors import OrderError
from referee.moves import read_move
from referee.options import Move, Offer
from referee.orders.menu import Choice, Hinting, legend, menu, pattern
from referee.orders.notation import format_move, parse, pattern_of
from referee.orders.templates import AnyGame

HELP = """\
Write an order as below, or the number of a line of the menu. Where only a number is missing, the number is enough. Case
does not matter, and a word may be cut short as long as it is clear. Capitals stand for what you choose; what is in
[brackets] may be left out.

{orders}

board     news, and what you need now      options   every order you may give now
log       all that happened so far         back      the whole menu again
quit      {quit:<30}   There is no undo: moves stand.
board full is the whole table{parts}.
"""


class Quit(Exception):
    """The player has had enough."""


class InputEnded(Exception):
    """Nobody types any more."""


class Conversation(ABC):
    """One game at the terminal, wherever it is played: what is asked, and what is made of the lines typed."""

    quit_means: str

    def __init__(self, screen: Screen, game: AnyGame) -> None:
        self.screen = screen
        self.game = game
        self.choices: list[Choice] = []  # the lines last listed; those that can be chosen have numbers
        self.suggestions: list[str] = []  # orders that a refusal has proposed, by letters
        self.shown: dict[int | None, str] = {}  # the table as each seat has seen it last

    @abstractmethod
    def offers(self) -> list[Offer]:
        """What the person who is asked may order now."""

    @abstractmethod
    def send(self, order: str | Move) -> None:
        """Plays an order, or raises an OrderError."""

    @abstractmethod
    def table_text(self) -> str:
        """The table as the person who is asked sees it."""

    @abstractmethod
    def board_text(self, part: str) -> str:
        """What has happened since the last move of the person who is asked, and the table, all of it, or a part."""

    @abstractmethod
    def hints(self) -> Hinting:
        """What the offers mean."""

    @abstractmethod
    def story(self) -> Iterable[str]:
        """All that has happened so far."""

    def show_table(self, seat: int | None, text: str, whole: bool = True) -> None:
        """The table, or only what of it is not as this seat has seen it last."""
        before = self.shown.get(seat, "")
        self.shown[seat] = text
        said = text.strip("\n") if whole or not before else news(before, text)
        if said:
            self.screen.say(f"\n{said}\n")

    def tell(self, sentences: Iterable[str]) -> None:
        for sentence in sentences:
            self.screen.say(f"  {sentence}")

    def list_menu(self) -> None:
        self.list(menu(self.game, self.offers(), self.hints()))

    def list(self, choices: list[Choice]) -> None:
        """The lines that the next number refers to."""
        self.choices, self.suggestions = choices, []
        width = min(44, max((len(choice.text) for choice in choices), default=0))
        numbers = iter(range(1, len(choices) + 1))
        for choice in choices:
            mark = f"{next(numbers):3}" if choice.is_numbered else "   "
            note = f"{choice.note}; the number is enough" if choice.missing else choice.note
            self.screen.say(f"{mark}  {choice.text:<{width}}  {note}".rstrip())

    def ask(self) -> None:
        """Reads lines until one of them is an order that stands."""
        while True:
            typed = self.line("> ").strip()
            command = getattr(self, f"do_{typed.casefold()}", None) if typed.isalpha() else None
            letter = ascii_lowercase.find(typed.casefold()) if len(typed) == 1 else -1
            board, _, part = typed.casefold().partition(" ")
            if command:
                command()
            elif board == "board":
                self.show_board(part.strip())
            elif 0 <= letter < len(self.suggestions):
                order = self.suggestions[letter]
                self.screen.hint(f"  {order}")
                if self.attempt(order):
                    return
            elif typed.isdecimal() and len(typed) <= 9:
                if self.choose(int(typed)):
                    return
            elif typed and not typed.startswith("#") and self.attempt(typed):
                return

    def line(self, prompt: str) -> str:
        line = self.screen.ask(prompt)
        if line is None:
            raise InputEnded
        return line

    def choose(self, number: int) -> bool:
        """What a bare number means: an amount where only that is missing, else a line of the menu."""
        for choice in self.choices:
            if choice.missing:
                return self.attempt_aloud(choice.with_number(number))
        numbered = [choice for choice in self.choices if choice.is_numbered]
        if not 1 <= number <= len(numbered):
            have = f"The menu has the numbers 1 to {len(numbered)}." if numbered else "No line here has a number."
            self.screen.wrong(f"{have} You can also write an order, like: {self.example()}")
            return False
        choice = numbered[number - 1]
        if choice.move:
            return self.attempt_aloud(choice.move)
        self.list(menu(self.game, choice.offers, self.hints()))
        return False

    def example(self) -> str:
        first = next(move for offer in self.offers() for move in offer.moves())
        return format_move(self.game, first)

    def attempt_aloud(self, move: Move) -> bool:
        self.screen.hint(f"  {format_move(self.game, move)}")
        return self.attempt(move)

    def attempt(self, order: str | Move) -> bool:
        if self.would_leave(order) and not self.is_sure():
            return False
        try:
            self.send(order)
        except OrderError as error:
            self.explain(error)
            return False
        return True

    def would_leave(self, order: str | Move) -> bool:
        try:
            return (parse(self.game, self.offers(), order) if isinstance(order, str) else order).leaves_the_game
        except OrderError:
            return False

    def is_sure(self) -> bool:
        answer = self.line("You would be out of the game, and it cannot be undone. Write yes if you mean it: ")
        if answer.strip().casefold() in ("y", "yes"):
            return True
        self.screen.say("Nothing was done; you are still in the game.")
        return False

    def explain(self, error: OrderError) -> None:
        """What was wrong, the rule, and what would be right. The numbers of the menu stay as they are."""
        if not error.readings:
            self.screen.wrong(f"{error.message}{f' ({error.rule})' if error.rule else ''}")
        self.suggestions = list(error.readings[: len(ascii_lowercase)])
        if error.nearest:
            nearest = format_move(self.game, read_move(self.game, error.nearest))
            self.suggestions = list(dict.fromkeys([*self.suggestions, nearest]))
        if self.suggestions:
            self.screen.say("That can mean:" if error.readings else "Possible instead:")
            for letter, order in zip(ascii_lowercase, self.suggestions, strict=False):
                self.screen.say(f"  {letter}  {order}")

    def do_help(self) -> None:
        now = dict.fromkeys(offer.move for offer in self.offers())
        later = [kind for kind in self.game.move_types if kind not in now]
        orders = [f"  {pattern_of(kind)}" for kind in now] + [f"  {pattern_of(kind)}  (not now)" for kind in later]
        parts = f"; a part of it is board {', board '.join(self.game.parts)}" if self.game.parts else ""
        self.screen.say(HELP.format(orders="\n".join(orders), quit=self.quit_means, parts=parts))

    def do_options(self) -> None:
        """Every offer in full."""
        for offer in self.offers():
            self.screen.say(f"  {pattern(self.game, [offer])}")
            if values := legend(self.game, [offer]):
                self.screen.hint(f"      {values}")

    def do_back(self) -> None:
        self.list_menu()

    do_menu = do_back

    def do_board(self) -> None:
        self.show_board("")

    def show_board(self, part: str) -> None:
        parts = ("full", *self.game.parts)
        if part and part not in parts:
            self.screen.wrong(f"There is no {part!r} on the board; there is: {', '.join(parts)}.")
            return
        self.screen.say("\n" + self.board_text(part).strip("\n") + "\n")

    def do_log(self) -> None:
        self.tell(self.story())

    def do_undo(self) -> None:
        self.screen.say("Moves stand: there is no undo.")

    @abstractmethod
    def do_quit(self) -> None: ...


def news(before: str, text: str) -> str:
    """What of a text board is not as it was: below its title and the headings of its parts, the entries that differ.

    An entry is a line with the indented lines below it. A part laid out in columns is told whole, for its lines mean
    little without the others.
    """
    parts = {part.partition("\n")[0]: part for part in before.strip("\n").split("\n\n")}
    title, *changed = [part for part in text.strip("\n").split("\n\n") if part not in parts.values()] or [""]
    said = []
    for part in changed:
        heading, _, body = part.partition("\n")
        was = entries(parts.get(heading, ""))
        if not was or re.search(r"\S  +\S", body):
            said.append(part)
        elif different := [entry for entry in entries(part) if entry not in was]:
            said.append("\n".join([heading, *different]))
    return "\n\n".join([title, *said]) if said else ""  # the title tells the number of the move: it alone is no news


def entries(part: str) -> list[str]:
    return re.split(r"\n(?!  )", part)[1:]
