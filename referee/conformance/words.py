"""Orders that can be written and read back, and events that are sentences."""

import re

from referee.conformance.playing import Broken, Moment, accept, moments, plain, where
from referee.contract import EVERYTHING, Viewer
from referee.options import Move, Rng
from referee.orders.notation import format_move
from referee.table import AnyGame, Table, read_event, read_move


def check_words(game: AnyGame, rng: Rng, every: int = 1) -> None:
    """Every order can be written and read back, and every event is a sentence."""
    for moment, close_look in moments(game, rng, every):
        table = moment.table
        for seat in (None, *range(game.seats)) if close_look else (None,):
            check_sentences(moment, Viewer(seat))
        check_sentences(moment, EVERYTHING)
        if moment.before:
            for order in moment.entry.row.orders:
                check_notation(moment.before, order.seat, read_move(game, order.move))
        if close_look:
            for seat in sorted({decision.seat for decision in table.decisions()}):
                for offer in table.offers(seat):
                    check_notation(table, seat, offer.sample(rng))


def check_notation(table: Table, seat: int, move: Move) -> None:
    """parse(format(move)) == move, in capitals too."""
    text = format_move(table.game, move)
    for line in (text, text.upper()):
        read = accept(table, seat, line, f"writes {move} as")
        if read != move:
            raise Broken(f"{where(table)}: seat {seat}: {move} is written “{line}”, which is read as {read}")


def check_sentences(moment: Moment, viewer: Viewer) -> None:
    game, table = moment.table.game, moment.table
    for event in moment.entry.row.events:
        seen = event.seen_by(viewer)
        try:
            sentence = seen.sentence(table.words)
        except Exception as error:
            raise Broken(f"{where(table)}: {seen} has no sentence: {error!r}") from error
        check_sentence(table, str(seen), sentence)
        if type(event) not in game.event_types:
            raise Broken(f"{type(event).__name__} is not among the event_types of {game.name}")
        if read_event(game, plain(event)) != event:
            raise Broken(f"{where(table)}: {event} is read back from the log as {read_event(game, plain(event))}")


def check_sentence(table: Table, what: str, sentence: str) -> None:
    wrong = re.search(r"[{}]|\bNone\b|\w_\w|\s\s|\s[.,;]|^\s|^$", sentence)
    if wrong or not sentence.endswith((".", "?", "!")):
        reason = f"contains {wrong[0]!r}" if wrong and wrong[0] else "is empty or does not end with a full stop"
        raise Broken(f"{where(table)}: {what}: the sentence {reason}: “{sentence}”")
