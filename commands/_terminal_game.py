"""A game at the terminal: asks the persons, moves the others, says what happens."""

import re
from pathlib import Path
from random import Random

from commands._screen import Screen
from referee.bots import random_move, take_turn, waiting_for
from referee.contract import Decision
from referee.errors import OrderError
from referee.log import Entry
from referee.options import Move
from referee.orders.menu import Choice, legend, menu, pattern
from referee.orders.notation import format_move, parse
from referee.record import close, export, redacted
from referee.table import Table, read_move

PERSON = "me"
HELP = """\
Write an order as below, or the number of a line of the menu. Case does not matter, and a word may be cut short as long
as it is clear. Capitals stand for what you choose; what is in [brackets] may be left out.

{orders}

board     the table as you see it          options   every order you may give now
log       all that happened so far         back      the whole menu again
quit      stop here; you may save          There is no undo: moves stand.
"""


class Quit(Exception):
    """The player has had enough."""


class InputEnded(Exception):
    """Nobody types any more."""


class TerminalGame:
    def __init__(
        self, screen: Screen, table: Table, first: Entry, kinds: list[str], rng: Random, record: Path | None
    ) -> None:
        self.screen = screen
        self.table = table
        self.entries = [first]
        self.kinds = kinds
        self.rng = rng
        self.record = record
        self.seen = [0] * len(kinds)  # entries that each seat has been shown
        self.at_screen: int | None = None
        self.choices: list[Choice] = []  # what numbers refer to: the lines last listed

    def play(self) -> int:
        game, header = self.table.game, self.table.header
        self.screen.say(f"{game.name}: {', '.join(self.table.names)}", "bold")
        self.screen.hint(f"Board: {header.board.name}, fidelity {header.board.fidelity}. Type help for help.")
        try:
            while not self.table.is_over:
                self.next_decision(waiting_for(self.table)[0])
        except InputEnded:
            self.screen.wrong("\nThe input ended before the game did.")
            self.save()
            return 1
        self.finish()
        return 0

    def next_decision(self, decision: Decision) -> None:
        seat = decision.seat
        if self.kinds[seat] == PERSON:
            self.show(decision)
            self.ask(seat)
        else:
            self.submit(seat, random_move(self.table, seat, self.rng), "bot")

    def show(self, decision: Decision) -> None:
        """What a player needs to decide. The board comes again only when somebody else has moved it."""
        seat = decision.seat
        if seat != self.at_screen:
            if self.kinds.count(PERSON) > 1 and not self.screen.hand_over(self.name(seat)):
                raise InputEnded
            self.at_screen = seat
        since = self.entries[self.seen[seat] :]
        if not self.seen[seat] or any(order.seat != seat for entry in since for order in entry.row.orders):
            self.board(seat)
        self.catch_up(seat)
        sealed = " Nobody sees your answer until all have given theirs." if decision.kind == "sealed" else ""
        self.screen.say(f"\n{self.name(seat)}: {decision.prompt}{sealed}", "bold")
        self.list(menu(self.table.game, self.table.offers(seat)))

    def catch_up(self, seat: int) -> None:
        """Says what has happened since the seat was last at the screen."""
        since = self.entries[self.seen[seat] :]
        self.seen[seat] = len(self.entries)
        self.sentences(seat, since)

    def sentences(self, seat: int | None, entries: list[Entry]) -> None:
        table = self.table
        for entry in entries:
            for sentence in redacted(table.game, entry, table.viewer(seat), table.words).sentences:
                self.screen.say(f"  {sentence}")

    def board(self, seat: int | None) -> None:
        text = self.table.game.text(self.table.view(seat))
        if text:
            self.screen.say("\n" + text.rstrip("\n") + "\n")

    def list(self, choices: list[Choice]) -> None:
        """The numbered lines that the next number refers to."""
        self.choices = choices
        width = min(44, max(len(choice.text) for choice in choices))
        for number, choice in enumerate(choices, 1):
            mark = f"{number:3}" if choice.move or choice.offers else "   "
            self.screen.say(f"{mark}  {choice.text:<{width}}  {choice.note}".rstrip())

    def ask(self, seat: int) -> None:
        """Reads lines until one of them is a legal order."""
        while True:
            line = self.screen.ask("> ")
            if line is None:
                raise InputEnded
            typed = line.strip()
            command = getattr(self, f"do_{typed.casefold()}", None) if typed.isalpha() else None
            if command:
                command(seat)
            elif typed.isdigit():
                if self.choose(seat, int(typed)):
                    return
            elif typed and not typed.startswith("#") and self.attempt(seat, typed):
                return

    def choose(self, seat: int, number: int) -> bool:
        if not 1 <= number <= len(self.choices):
            self.screen.wrong(f"The menu has the numbers 1 to {len(self.choices)}.")
            return False
        choice = self.choices[number - 1]
        if choice.move:
            self.screen.hint(f"  {choice.text}")
            return self.attempt(seat, choice.move)
        if choice.offers:
            self.list(menu(self.table.game, choice.offers))
        else:
            self.screen.wrong(f"Too many to number; please write it: {choice.text}")
        return False

    def attempt(self, seat: int, order: str | Move) -> bool:
        try:
            self.submit(seat, order)
        except OrderError as error:
            self.explain(seat, error)
            return False
        return True

    def submit(self, seat: int, order: str | Move, by: str = "player") -> None:
        outcome, entries = take_turn(self.table, seat, [order], by)
        self.entries += entries
        if by != "player":
            return
        if isinstance(order, str) and outcome.readings[0].casefold() != order.casefold():
            self.screen.hint(f"  Read as: {outcome.readings[0]}")
        if outcome.receipt:
            self.screen.hint(f"  Sealed. The commitment to your order is {outcome.receipt.commitment[:16]}…")

    def explain(self, seat: int, error: OrderError) -> None:
        """What was wrong, the rule, and what would be right."""
        if not error.readings:
            self.screen.wrong(f"{error.message}{f' ({error.rule})' if error.rule else ''}")
        game = self.table.game
        moves = [parse(game, self.table.offers(seat), reading) for reading in error.readings]
        if error.nearest:
            moves.append(read_move(game, error.nearest))
        if moves:
            self.screen.say("That can mean:" if error.readings else "Possible instead:")
            self.list([Choice(format_move(game, move), move) for move in moves])

    def do_help(self, seat: int) -> None:
        kinds = dict.fromkeys(offer.move for offer in self.table.offers(seat))
        later = [kind for kind in self.table.game.move_types if kind not in kinds]
        orders = [f"  {in_capitals(kind)}" for kind in kinds] + [f"  {in_capitals(kind)}  (not now)" for kind in later]
        self.screen.say(HELP.format(orders="\n".join(orders)))

    def do_options(self, seat: int) -> None:
        """Every offer in full."""
        game = self.table.game
        for offer in self.table.offers(seat):
            self.screen.say(f"  {pattern(game, [offer])}")
            if values := legend(game, [offer]):
                self.screen.hint(f"      {values}")

    def do_back(self, seat: int) -> None:
        self.list(menu(self.table.game, self.table.offers(seat)))

    do_menu = do_back

    def do_board(self, seat: int) -> None:
        self.board(seat)

    def do_log(self, seat: int) -> None:
        self.sentences(seat, self.entries)

    def do_undo(self, seat: int) -> None:
        self.screen.say("Moves stand: there is no undo.")

    def do_quit(self, seat: int) -> None:
        self.offer_to_save()
        raise Quit

    def finish(self) -> None:
        table = self.table
        viewer = self.kinds.index(PERSON) if self.kinds.count(PERSON) == 1 else None
        since = self.seen[viewer] if viewer is not None else max(self.seen)
        self.sentences(viewer, self.entries[since:])
        self.board(viewer)
        self.screen.say(f"\n{table.game.endings[table.position.ending]}", "bold")
        for standing in table.view(viewer).standings:
            note = f"  ({standing.note})" if standing.note else ""
            self.screen.say(f"  {standing.place}. {self.name(standing.seat)}: {standing.score}{note}")
        self.screen.hint(f"Head hash {table.head}")
        self.offer_to_save()

    def offer_to_save(self) -> None:
        if self.record is None and self.screen.is_terminal:
            answer = self.screen.ask("Save the record? A file name, or just Enter for no: ")
            if answer and answer.strip():
                self.record = Path(answer.strip())
        self.save()

    def save(self) -> None:
        """A record of a game that is not over holds no seed, so it can be read but not verified."""
        if self.record is None:
            self.screen.hint(f"Not saved. The same deal again: --seed {self.table.seed.hex()}")
            return
        try:
            with self.record.open("xb") as file:
                file.write(export(close(self.table, tuple(self.entries))))
        except OSError as error:
            self.screen.wrong(f"{self.record} cannot be written: {error.strerror}.")
            return
        over = "" if self.table.is_over else " The game is not over, so its seed is not in it."
        self.screen.say(f"Saved as {self.record}.{over}")

    def name(self, seat: int) -> str:
        return self.table.words.player(seat)


def in_capitals(kind: type[Move]) -> str:
    """`buy {route} for {airline}` -> `buy ROUTE for AIRLINE`."""
    return re.sub(r"\{(\w+)\}", lambda field: field[1].upper(), kind.notation)
