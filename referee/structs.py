"""What programs with threads must do before they start them."""

from collections.abc import Iterator

import msgspec

from referee.games import all_games


def preload_decoders() -> None:
    """Lets msgspec look at every struct there is, those of the games included.

    It does so anyway when it first reads something into one; and if two threads come to that moment together, the whole
    process crashes.
    """
    all_games()
    for kind in set(_kinds(msgspec.Struct)):
        msgspec.json.Decoder(kind)


def _kinds(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for narrower in kind.__subclasses__():
        yield narrower
        yield from _kinds(narrower)
