"""A game on this machine: asks the persons, moves the others, says what happens."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

from commands._conversation import Conversation, InputEnded, Quit
from commands._screen import Screen
from referee.bots import random_move, take_turn, waiting_for
from referee.contract import Decision
from referee.log import Entry
from referee.news import news, unseen
from referee.options import Move, Offer
from referee.orders.menu import Hinting
from referee.record import close, export, redacted
from referee.table import Table

PERSON = "me"


class TerminalGame(Conversation):
    quit_means = "stop here; you may save"

    def __init__(
        self, screen: Screen, table: Table, first: Entry, kinds: list[str], rng: Random, record: Path | None
    ) -> None:
        super().__init__(screen, table.game)
        self.table = table
        self.entries = [first]
        self.kinds = kinds
        self.rng = rng
        self.record = record
        self.seen = [0] * len(kinds)  # entries that each seat has been shown
        self.seat = 0  # who is asked
        self.at_screen: int | None = None

    def play(self) -> int:
        header = self.table.header
        self.screen.say(f"{self.game.name}: {', '.join(self.table.names)}", "bold")
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
        self.seat = decision.seat
        if self.kinds[self.seat] == PERSON:
            self.show(decision)
            self.ask()
        else:
            self.submit(random_move(self.table, self.seat, self.rng), "bot")

    def show(self, decision: Decision) -> None:
        """What a player needs to decide. Of the table only what somebody else has changed, unless the screen is new."""
        seat = decision.seat
        cleared = seat != self.at_screen
        if cleared:
            if self.kinds.count(PERSON) > 1 and not self.screen.hand_over(self.name(seat)):
                raise InputEnded
            self.at_screen = seat
        since = self.entries[self.seen[seat] :]
        if cleared or any(order.seat != seat for entry in since for order in entry.row.orders):
            self.show_table(seat, self.table_text(), whole=cleared)
        self.catch_up(seat)
        sealed = " Nobody sees your answer until all have given theirs." if decision.kind == "sealed" else ""
        self.screen.say(f"\n{self.name(seat)}: {decision.prompt}{sealed}", "bold")
        self.list_menu()

    def catch_up(self, seat: int) -> None:
        """Says what has happened since the seat was last at the screen."""
        since = self.entries[self.seen[seat] :]
        self.seen[seat] = len(self.entries)
        self.tell(self.sentences(seat, since))

    def sentences(self, seat: int | None, entries: list[Entry]) -> Iterator[str]:
        table = self.table
        for entry in entries:
            yield from redacted(table.game, entry, table.viewer(seat), table.words).sentences

    def offers(self) -> list[Offer]:
        return self.table.offers(self.seat)

    def hints(self) -> Hinting:
        return self.table.hints(self.seat)

    def send(self, order: str | Move) -> None:
        self.submit(order)

    def table_text(self) -> str:
        return self.game.text(self.table.view(self.seat))

    def board_text(self, part: str) -> str:
        text = self.game.text(self.table.view(self.seat), part)
        if part not in ("", "full"):
            return text
        rows, viewer = unseen(self.entries, self.seat), self.table.viewer(self.seat)
        return news(self.game, rows, viewer, self.table.words) + text

    def story(self) -> Iterable[str]:
        return self.sentences(self.seat, self.entries)

    def submit(self, order: str | Move, by: str = "player") -> None:
        outcome, entries = take_turn(self.table, self.seat, [order], by)
        self.entries += entries
        if by != "player":
            return
        if isinstance(order, str) and outcome.readings[0].casefold() != order.casefold():
            self.screen.hint(f"  Read as: {outcome.readings[0]}")
        if outcome.receipt:
            self.screen.hint(f"  Sealed. The commitment to your order is {outcome.receipt.commitment[:16]}…")

    def do_quit(self) -> None:
        self.offer_to_save()
        raise Quit

    def finish(self) -> None:
        table = self.table
        viewer = self.kinds.index(PERSON) if self.kinds.count(PERSON) == 1 else None
        since = self.seen[viewer] if viewer is not None else max(self.seen)
        self.tell(self.sentences(viewer, self.entries[since:]))
        self.show_table(viewer, table.game.text(table.view(viewer)))
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
