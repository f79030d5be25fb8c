"""What every game must keep, tried out on random games. See tests/conformance for the tests, `./waybill soak` for more.

Each of `PARTS` plays a random game to its end and examines the positions and rows on the way; what does not hold is
raised as `Broken`, in words for the author of the game. All chance comes from the `Rng` handed in.
"""

from collections.abc import Callable

from referee.conformance.course import check_course
from referee.conformance.imagining import check_imagining
from referee.conformance.marks import check_marks
from referee.conformance.options import check_options
from referee.conformance.pictures import check_pictures
from referee.conformance.playing import play
from referee.conformance.records import check_records
from referee.conformance.secrets import channels, check_secrets
from referee.conformance.words import check_words
from referee.contract import digest
from referee.options import Rng
from referee.record import close, export, transcript
from referee.table import AnyGame

PARTS: dict[str, Callable[[AnyGame, Rng, int], None]] = {
    "course": check_course,
    "imagining": check_imagining,
    "marks": check_marks,
    "options": check_options,
    "pictures": check_pictures,
    "records": check_records,
    "secrets": check_secrets,
    "words": check_words,
}


def fingerprint(game: AnyGame, rng: Rng) -> str:
    """A digest of everything a game shows: the same in every process for the same random source."""
    entries, shown = [], []
    for moment in play(game, rng):
        entries.append(moment.entry)
        viewers = (None, *range(game.seats))
        seat = viewers[moment.table.sequence % len(viewers)]
        shown_now = channels(moment.table, seat, moment.before is None)
        shown.append(digest([*map(bytes.decode, shown_now.values()), game.text(moment.table.view(seat))]))
    record = close(moment.table, tuple(entries))
    return digest([export(record).decode(), transcript(game, record), shown])
