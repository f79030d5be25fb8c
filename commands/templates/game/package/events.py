"""What happens in a game of Mail Run, each thing in one sentence."""

from typing import ClassVar

from referee.contract import Event, Words, and_list, counted


class Dealt(Event, frozen=True):
    hidden: ClassVar = ("letters",)
    seat: int
    number: int
    letters: tuple[str, ...] | None

    def sentence(self, words: Words) -> str:
        letters = f": {words.several('city', self.letters)}" if self.letters else ""
        return f"{words.player(self.seat)} is dealt {counted(self.number, 'letter')}{letters}."


class BidsRevealed(Event, frozen=True):
    seat: int
    bids: tuple[int, ...]

    def sentence(self, words: Words) -> str:
        bids = and_list([f"{words.player(seat)} {coins}" for seat, coins in enumerate(self.bids)])
        return f"The bids are {bids}: {words.player(self.seat)} pays and flies first."


class Flew(Event, frozen=True):
    seat: int
    city: str
    delivered: int

    def sentence(self, words: Words) -> str:
        letters = f" and delivers {counted(self.delivered, 'letter')}" if self.delivered else ""
        return f"{words.player(self.seat)} flies to {words('city', self.city)}{letters}."


class Collected(Event, frozen=True):
    hidden: ClassVar = ("letter",)
    seat: int
    letter: str | None

    def sentence(self, words: Words) -> str:
        letter = f" for {words('city', self.letter)}" if self.letter else ""
        return f"{words.player(self.seat)} collects a letter{letter}."


class RoundEnded(Event, frozen=True):
    round: int

    def sentence(self, words: Words) -> str:
        return f"Round {self.round} is over."


EVENTS = (Dealt, BidsRevealed, Flew, Collected, RoundEnded)
