"""Tells the workers that a game may have something for them. They would find it anyway, a little later."""

from flask import current_app


def wake(game_id: str) -> None:
    current_app.extensions["wake"](game_id)
