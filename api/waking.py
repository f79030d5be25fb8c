"""Tells the workers that a game has something for them. What gets lost on the way they find a little later."""

from contextlib import suppress

from flask import current_app

from store.errors import Unavailable


def wake(game_id: str, work: str, row: int) -> None:
    """The store has said what is to be done next: resolve a sealed phase, or play for a bot."""
    current_app.extensions["wake"](game_id, work, row)


def look(game_id: str) -> None:
    """A game was started, joined, left or resumed: there may be something to do."""
    with suppress(Unavailable):
        current_app.extensions["look"](game_id)
