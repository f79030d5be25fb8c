"""Whether an order is legal: the move that it means among the offers to its seat, or the reason why there is none."""

from collections.abc import Iterable
from typing import Any

import msgspec

from referee.contract import Game, Phase, Words, and_list
from referee.errors import IllegalOrder
from referee.moves import read_move
from referee.options import Move, Offer, nearest
from referee.orders.menu import in_words
from referee.orders.notation import parse, pattern_of, patterns
from referee.orders.reader import EMPTY

AnyGame = Game[Any, Any, Any]
Listing = list[tuple[Phase[Any, Any], list[Offer]]]  # the offers to a seat, by the phase that makes them

NAMED_IN_A_REFUSAL = 20


def check(words: Words, position: Any, seat: int, order: dict[str, Any] | str | Move) -> tuple[Phase[Any, Any], Move]:
    """The phase and the canonical move of an order, or the reason why there is none."""
    phases = words.game.open_phases(position)
    if not is_asked(phases, position, seat):
        raise _not_asked(words, position, seat)
    if isinstance(order, str):
        return _check_text(words, position, seat, order)
    move = read_move(words.game, order)
    for phase in phases:
        if type(move) in phase.moves and seat in phase.seats(position):
            for offer in phase.offers_like(position, seat, move):
                if offer.accepts(move):
                    return phase, offer.canonical(move)
    raise _illegal(words, _listing(words, position, seat), position, seat, move)


def _check_text(words: Words, position: Any, seat: int, line: str) -> tuple[Phase[Any, Any], Move]:
    """The same for a line of text: reading it takes all offers, and the move is checked against that list."""
    listing = _listing(words, position, seat)
    move = parse(words.game, (offer for _, offers in listing for offer in offers), line, words.players)
    for phase, offers in listing:
        for offer in offers:
            if offer.accepts(move):
                return phase, offer.canonical(move)
    raise _illegal(words, listing, position, seat, move)


def _listing(words: Words, position: Any, seat: int) -> Listing:
    return [(phase, list(phase.offers(position, seat))) for phase in asking(words.game, position, seat)]


def _not_asked(words: Words, position: Any, seat: int) -> IllegalOrder:
    if position.ending:
        return IllegalOrder("game_over", "The game is over.")
    asked = words.game.decisions(position)
    waiting = [words.player(decision.seat) for decision in asked if decision.required]
    return IllegalOrder("not_your_turn", f"It is not your turn; the game waits for {and_list(waiting)}.")


def _illegal(words: Words, listing: Listing, position: Any, seat: int, move: Move) -> IllegalOrder:
    offers = [offer for _, offered in listing for offer in offered]
    alike = [offer for offer in offers if offer.move is type(move)]
    reasons = (phase.why_not(position, seat, move) for phase, _ in listing)
    error = next(filter(None, reasons), None)
    defaults = [phase.default(position, seat) for phase, _ in listing if phase.required]
    if error is None:
        error = (
            _not_offered(words.game, offers, alike, move) if alike or defaults else _not_asked(words, position, seat)
        )
    error.message = words.named(error.message)
    if error.nearest is None:
        near = None if error.nothing_near else nearest(alike, move)
        if near is not None and not all(phase.suggests(position, seat, near) for phase, _ in listing):
            near = None
        proposed = (move for move in defaults if all(phase.suggests(position, seat, move) for phase, _ in listing))
        legal = near or (None if error.nothing_near else next(proposed, None))
        error.nearest = msgspec.to_builtins(legal) if legal else None  # nothing that need not be done is proposed
    return error


def _not_offered(game: AnyGame, offers: list[Offer], alike: list[Offer], move: Move) -> IllegalOrder:
    """The reason when the game has no better one: which field is not on offer, and what is."""
    written = pattern_of(type(move))
    if not alike:
        message = f"“{written}” is not possible now. You can write: {patterns(offers)}."
        return IllegalOrder("not_now", message, field="type")
    best = min(alike, key=lambda offer: len(offer.wrong_fields(move)))
    field = best.wrong_fields(move)[0]
    possible = in_words(game, field, best.domains[field], NAMED_IN_A_REFUSAL) or EMPTY
    message = f"This {field.upper()} is not possible in “{written}”; possible: {possible}."
    return IllegalOrder("not_on_offer", message, field=field)


def asking(game: AnyGame, position: Any, seat: int) -> list[Phase[Any, Any]]:
    """The open phases that ask a seat something."""
    return [phase for phase in game.open_phases(position) if seat in phase.seats(position)]


def is_asked(phases: Iterable[Phase[Any, Any]], position: Any, seat: int) -> bool:
    for phase in phases:  # noqa: SIM110 (half the time of any(), for every move)
        if seat in phase.seats(position):
            return True
    return False
