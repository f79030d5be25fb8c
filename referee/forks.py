"""A new game that goes on from another one, as far as somebody could see that: what they could not is dealt anew."""

from collections.abc import Sequence

import msgspec

from referee.chance import Draws, hmac_sha256
from referee.contract import canonical
from referee.log import Entry, Forked
from referee.table import Table, open_table


def fork(
    table: Table, seat: int | None, game_id: str, seed: bytes, names: Sequence[str], entropy: Sequence[str] = ()
) -> tuple[Table, Entry]:
    """A game of its own, from what a seat of this one, or a spectator, may know: a function of their view and of the
    new seed alone. What was hidden is imagined with numbers of that seed, and so is all chance from there on. Sealed
    moves that wait are no part of a view, so everybody is asked anew."""
    numbers = Draws(hmac_sha256(seed, b"waybill fork\n"), table.sequence)
    position = table.game.imagine(table.view(seat), numbers)
    start = Forked(game_id, table.sequence, seat, msgspec.json.decode(canonical(position)))
    return open_table(table.game, names, seed, entropy, table.header.board_data, start)
