"""What a stream tells of a game: its rows and its state as one viewer may know them. The log is the truth."""

from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from referee import record
from referee.contract import EVERYTHING, Viewer
from referee.log import Entry, Row
from referee.table import Table
from service import feed, games, positions, replays
from service.errors import NotFound
from service.players import signed_in
from service.tokens import digest
from store import notices, watching
from store import positions as positions_in_store
from store.database import Database, Session
from store.watching import GameState as GameState
from store.watching import Seated

NO_SUCH_GAME = "There is no such game, or it is private."


class Person(msgspec.Struct, frozen=True):
    """Who watches: a player by a token, of which the digest is kept, or nobody in particular."""

    player_id: int | None = None
    token: bytes | None = None


Watched = tuple[Person, str, int | None]  # who, a game, and the seat through whose eyes


class Rows(msgspec.Struct, frozen=True):
    """Rows of a game's log, and the game as it is now, which tells who is called how and whether all is open; and who
    sat where when the last of them had been written."""

    table: Table
    entries: Sequence[Entry]
    names: Sequence[str] = ()
    people: Sequence[int | None] = ()


def person(session: Session, secret: str) -> Person | None:
    """Whose token it is; None if it is not known. Raises Banned."""
    found = signed_in(session, secret)
    return Person(found.player.id, digest(secret)) if found else None


def seat_to_watch(session: Session, game_id: str, who: Person) -> int | None:
    """The seat through whose eyes somebody watches a game, or None for a spectator. Raises NotFound."""
    game = games.find(session, game_id)
    if game is None or not games.may_see(session, game, who.player_id):
        raise NotFound(NO_SUCH_GAME)
    for place in watching.seated(session, [game_id]):
        if who.player_id is not None and place.player_id == who.player_id:
            return place.seat
    return None


def lost(session: Session, watched: Collection[Watched]) -> set[Watched]:
    """Those who may no longer watch as they did: a seat is theirs no more, or now is, or they may not see the game."""
    places: dict[str, list[Seated]] = {}
    for place in watching.seated(session, {game_id for _, game_id, _ in watched}):
        places.setdefault(place.game_id, []).append(place)
    return {one for one in watched if one[1] in places and not _may_still_watch(session, places[one[1]], *one)}


def _may_still_watch(session: Session, places: Iterable[Seated], who: Person, game_id: str, seat: int | None) -> bool:
    mine = [place.seat for place in places if who.player_id is not None and place.player_id == who.player_id]
    if mine or seat is not None:
        return seat in mine
    if not any(place.is_private for place in places):
        return True
    # Of those without a seat, the host and the invited may watch.
    game = games.find(session, game_id)
    return game is not None and games.may_see(session, game, who.player_id)


def rows_after(db: Database, game_id: str, after: int, limit: int, known: Rows | None = None) -> Rows:
    """Rows that follow one of a started game; the table is as new as they are, or newer.

    With what is known it may be older: of a game in play only what everybody is called matters, and a whole position
    need not be read for every row.
    """
    entries = replays.entries(db, game_id, after, limit)
    with db.session() as session:
        mark, _ = positions_in_store.mark(session, game_id)
        names, people = (mark.names, mark.people) if mark else ([], [])
        if known and mark and mark.status != "over" and known.names == names and not known.table.is_over:
            return Rows(known.table, entries, names, people)
        table, _ = positions.look(session, game_id)
    return Rows(table, entries, names, people)


class GameNews(msgspec.Struct, frozen=True):
    """Where a game is, and its rows after one that was known, as far as they were asked for."""

    state: GameState
    names: Sequence[str]
    people: Sequence[int | None]
    entries: Sequence[Entry]


def news(session: Session, places: Mapping[str, int], limit: int) -> list[GameNews]:
    """Of all games that were hinted at in one question: two for each row would cost more than the row itself."""
    return [
        GameNews(
            one.state,
            one.names,
            one.people,
            [Entry(msgspec.json.decode(payload, type=Row), payload.encode(), hash) for payload, hash in one.rows],
        )
        for one in watching.news(session, places, limit)
    ]


def visible(table: Table, entry: Entry, seat: int | None) -> record.VisibleRow:
    viewer = EVERYTHING if table.is_over else Viewer(seat)
    return record.redacted(table.game, entry, viewer, table.words)


def notices_after(session: Session, player_id: int, after: int) -> list[feed.Told]:
    """A player's notices after one of them, in words, oldest first."""
    numbers = watching.notices_after(session, player_id, after)
    return feed.in_words(session, notices.some(session, numbers)) if numbers else []


def states(session: Session, game_ids: Collection[str]) -> dict[str, GameState]:
    return {state.id: state for state in watching.states(session, game_ids)}


games_of = watching.games_of
live_tokens = watching.live_tokens
newest_notices = watching.newest_notices
