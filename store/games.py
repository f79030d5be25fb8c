"""Games and their seats: rows, and the statements that change them. Moves are written by `writing`."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, get_args

import msgspec

from referee.games import all_games
from store.database import Session, columns

Status = Literal["open", "running", "paused", "over"]


class GameRow(msgspec.Struct, frozen=True):
    """A game's row without its secrets and its position."""

    id: str
    ruleset: str
    version: str
    settings: str
    private: bool
    host: int | None
    title: str
    status: Status
    ending: str
    commitment: str
    sequence: int
    to_act: list[int]
    clock: int | None
    timing: str | None  # the clock as JSON; None where `clock` says it all
    undo: str
    demands: str | None  # of those who join, as JSON
    absences: str
    waits: list[int]
    bank: list[int] | None
    due_at: datetime | None
    created_at: datetime
    started_at: datetime | None
    moved_at: datetime | None
    press: str  # "all", "public" or "none"
    press_named: bool  # whether senders are named
    press_opens: bool  # to everybody, when the game is over
    sandbox: bool  # to try things out in: nothing happens by itself
    standing_pause: int  # seconds


class NewGameRow(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a game when it is opened."""

    id: str
    ruleset: str
    version: str
    settings: str
    board_data: str | None
    private: bool
    host: int
    title: str
    seed: bytes
    commitment: str
    clock: int | None
    timing: str | None
    bank: list[int] | None
    undo: str
    demands: str | None
    press: str = "all"
    press_named: bool = True
    press_opens: bool = False
    sandbox: bool = False
    standing_pause: int = 0


class SeatRow(msgspec.Struct, frozen=True):
    """A seat: a player's, a bot's, an invitation's (to a player, an address, or whoever has it), or open."""

    seat: int
    player_id: int | None
    bot: str | None
    name: str
    entropy: str
    invited_player: int | None
    invited_email: str | None
    is_invitation: bool
    left_by: int | None  # who had it, where a bot plays on
    offered: bool  # to a substitute
    substitute: int | None  # who takes it over
    takes_over_at: datetime | None

    @property
    def is_taken(self) -> bool:
        return self.player_id is not None or self.bot is not None


class NewSeatRow(msgspec.Struct, frozen=True, kw_only=True):
    game_id: str
    seat: int
    player_id: int | None
    bot: str | None
    name: str
    entropy: str
    invited_player: int | None
    invited_email: str | None
    invited_email_key: str | None
    invitation: bytes | None  # the digest of its secret


class Beginning(msgspec.Struct, frozen=True):
    """What a game is dealt from."""

    ruleset: str
    settings: str
    board_data: str | None
    seed: bytes


class Work(msgspec.Struct, frozen=True):
    """Something a worker has to do in a game that is at this sequence number."""

    game_id: str
    sequence: int
    kind: Literal["resolve", "bot", "clock", "standing"]


OWN = "select game_id from seats where player_id = %s and not is_over union select id from games where host = %s"
SEAT_COLUMNS = (
    "seat, player_id, bot, name, entropy, invited_player, invited_email, invitation is not null,"
    " left_by, offered, substitute, takes_over_at"
)


def insert(transaction: Session, game: NewGameRow) -> None:
    values = msgspec.structs.astuple(game)
    transaction.run(
        f"insert into games ({columns(NewGameRow)}) values ({', '.join(['%s'] * len(values))})",
        *values,
    )


def insert_seat(transaction: Session, seat: NewSeatRow) -> None:
    """A seat knows of its game what lists ask for."""
    values = msgspec.structs.astuple(seat)
    transaction.run(
        f"insert into seats ({columns(NewSeatRow)}, opened_at, is_private, is_over)"
        f" select {', '.join(['%s'] * len(values))}, created_at, private, status = 'over' from games where id = %s",
        *values,
        seat.game_id,
    )


def find(session: Session, game_id: str) -> GameRow | None:
    return session.one(GameRow, f"select {columns(GameRow)} from games where id = %s", game_id)


def lock(transaction: Session, game_id: str) -> GameRow | None:
    """A game, held until the transaction ends."""
    return transaction.one(GameRow, f"select {columns(GameRow)} from games where id = %s for update", game_id)


def beginning(session: Session, game_id: str) -> Beginning:
    found = session.one(Beginning, "select ruleset, settings, board_data, seed from games where id = %s", game_id)
    assert found is not None
    return found


def is_concerned(session: Session, game_id: str, player_id: int) -> bool:
    """Whether a player sits in a game or is invited to it by name."""
    return bool(
        session.value(
            "select exists(select from seats where game_id = %s and %s in (player_id, invited_player))",
            game_id,
            player_id,
        )
    )


def seats(session: Session, game_id: str) -> list[SeatRow]:
    return session.all(SeatRow, f"select {SEAT_COLUMNS} from seats where game_id = %s order by seat", game_id)


def seat_of(session: Session, game_id: str, player_id: int) -> int | None:
    found: int | None = session.value(
        "select seat from seats where game_id = %s and player_id = %s", game_id, player_id
    )
    return found


def seat_in_play(session: Session, game_id: str, player_id: int) -> int | None:
    """The seat of a player in a game that has begun. It hardly ever changes hands, so it may be cached for a moment by
    whoever checks it again with what they do."""
    found: int | None = session.value(
        "select seat from seats join games on id = game_id where game_id = %s and player_id = %s and status <> 'open'",
        game_id,
        player_id,
    )
    return found


def listing(
    session: Session,
    player_id: int | None = None,
    *,
    mine: bool = False,
    to_act: bool = False,
    status: str | None = None,
    ruleset: str | None = None,
    after: tuple[datetime, str] | None = None,
    limit: int = 50,
) -> list[GameRow]:
    """Games that the player may know of, newest first, beginning after the (created_at, id) of the last one seen.

    Each way in which a player knows of a game gives its newest off an index, and the newest of those are the page.
    """
    values: dict[str, Any] = {"player": player_id, "status": status, "ruleset": ruleset, "limit": limit}
    only = ["g.status = %(status)s"] if status is not None else []
    if ruleset is not None:
        only.append("g.ruleset = %(ruleset)s")
    if after is not None:
        values["moment"], values["id"] = after
    in_play = ["not s.is_over"] if to_act or status not in (None, "over") else []
    if to_act:
        asked = ["g.status = 'running'", "s.seat = any(g.to_act)"]
        ways = [_by_seat("player_id", in_play + asked + only, after)]
    elif mine:
        ways = [_by_seat("player_id", in_play + only, after), _hosted(only, after)]
    else:
        ways = _listed(status is not None, ruleset is not None, False, after)
        if player_id is not None:
            ways += [_by_seat(whose, ["s.is_private", *only], after) for whose in ("player_id", "invited_player")]
            ways.append(_hosted(["g.private", *only], after))
    return session.all(
        GameRow,
        f"select {columns(GameRow)} from games where id = any(array("
        f"select id from ({' union '.join(ways)}) known order by moment desc, id desc limit %(limit)s))"
        " order by created_at desc, id desc",
        **values,
    )


def _by_seat(whose: str, only: list[str], after: object) -> str:
    """The newest games in which a player has a seat, or is invited to one."""
    where = [f"s.{whose} = %(player)s", *only]
    return _newest("seats s join games g on g.id = s.game_id", "s.opened_at", "s.game_id", where, after)


def _hosted(only: list[str], after: object) -> str:
    return _newest("games g", "g.created_at", "g.id", ["g.host = %(player)s", *only], after)


def newest_ids(session: Session, status: str | None, player_id: int | None, limit: int) -> list[str]:
    """The newest games of all, private ones too: in a state, if one is named, or of a player."""
    values = {"player": player_id, "status": status, "limit": limit}
    if player_id is not None:
        only = ["g.status = %(status)s"] if status is not None else []
        ways = [_by_seat("player_id", only, None)]
    elif status is not None:
        ways = [way for private in (True, False) for way in _listed(True, False, private, None)]
    else:
        ways = [_newest("games g", "g.created_at", "g.id", ["true"], None)]
    return [
        game_id
        for _, game_id in session.rows(
            f"select moment, id from ({' union '.join(ways)}) known order by moment desc, id desc limit %(limit)s",
            **values,
        )
    ]


def _listed(is_of_one_status: bool, is_of_one_ruleset: bool, is_private: bool, after: object) -> list[str]:
    """The newest games: of each kind and status off the index that has them in order."""
    kinds = ["%(ruleset)s"] if is_of_one_ruleset else [f"'{kind}'" for kind in sorted(all_games())]
    states = ["%(status)s"] if is_of_one_status else [f"'{state}'" for state in get_args(Status)]
    private = "g.private" if is_private else "not g.private"
    return [
        _newest("games g", "g.created_at", "g.id", [f"g.ruleset = {kind}", f"g.status = {state}", private], after)
        for kind in kinds
        for state in states
    ]


def _newest(tables: str, moment: str, game_id: str, where: list[str], after: object) -> str:
    if after is not None:
        where = [*where, f"({moment}, {game_id}) < (%(moment)s, %(id)s)"]
    return (
        f"(select {moment} as moment, {game_id} as id from {tables} where {' and '.join(where)}"
        f" order by {moment} desc, {game_id} desc limit %(limit)s)"
    )


def finished(session: Session, ruleset: str, after: int, limit: int) -> list[tuple[int, str]]:
    """Public games of a ruleset that were played to their end, in the order in which they ended: number and id."""
    rows = session.rows(
        "select f.number, f.game_id from finished_games f join games g on g.id = f.game_id"
        " where f.ruleset = %s and f.number > %s and not g.private and not g.sandbox order by f.number limit %s",
        ruleset,
        after,
        limit,
    )
    return [(number, game_id) for number, game_id in rows]


COUNTED_UP_TO = 100_000  # games


def count_by_status(session: Session) -> dict[str, int]:
    """How many games there are in each state. Of very many, those that are over are as many as the server's statistics
    make of it: to count them takes longer with each."""
    about = int(session.value("select reltuples from pg_class where oid = 'games'::regclass"))
    if about <= COUNTED_UP_TO:
        return dict(session.rows("select status, count(*) from games group by status order by status"))
    in_play = [state for state in get_args(Status) if state != "over"]
    counted = [
        f"select status::text, count(*) from games where ruleset = '{kind}' and status = '{state}' group by 1"
        for kind in sorted(all_games())
        for state in in_play
    ]
    found = dict.fromkeys(in_play, 0)
    for state, number in session.rows(" union all ".join(counted)):
        found[state] += number
    return {**found, "over": max(0, about - sum(found.values()))}


def invited_seat(session: Session, game_id: str, invitation: bytes) -> int | None:
    """The seat of a game that an invitation is for, by the digest of its secret."""
    found: int | None = session.value(
        "select seat from seats where game_id = %s and invitation = %s", game_id, invitation
    )
    return found


def set_invitation(transaction: Session, game_id: str, seat: int, invitation: bytes) -> None:
    transaction.run("update seats set invitation = %s where game_id = %s and seat = %s", invitation, game_id, seat)


def withdraw_invitation(transaction: Session, game_id: str, seat: int) -> None:
    """Keeps a seat for nobody in particular any more: who holds its secret may still take it."""
    transaction.run(
        "update seats set invited_player = null, invited_email = null, invited_email_key = null"
        " where game_id = %s and seat = %s",
        game_id,
        seat,
    )


def take_seat(transaction: Session, game_id: str, seat: int, player_id: int, name: str, entropy: str) -> None:
    transaction.run(
        "update seats set player_id = %s, name = %s, entropy = %s, invited_email = null, invited_email_key = null,"
        " invitation = null where game_id = %s and seat = %s",
        player_id,
        name,
        entropy,
        game_id,
        seat,
    )


def free_seat(transaction: Session, game_id: str, seat: int) -> None:
    transaction.run(
        "update seats set player_id = null, name = '', entropy = '', invited_player = null, invited_email = null,"
        " invited_email_key = null where game_id = %s and seat = %s",
        game_id,
        seat,
    )


def seat_bot(transaction: Session, game_id: str, seat: int, bot: str, name: str, is_offered: bool = False) -> None:
    """Puts a bot on a seat in place of whoever has it. A name on the table stays, and goes where its player goes."""
    transaction.run(
        "update seats set left_by = player_id, player_id = null, bot = %s,"
        " name = case when name = '' then %s else name end, invited_player = null, invited_email = null,"
        " invited_email_key = null, invitation = null, offered = %s, substitute = null, takes_over_at = null"
        " where game_id = %s and seat = %s",
        bot,
        name,
        is_offered,
        game_id,
        seat,
    )


def seat_person(transaction: Session, game_id: str, seat: int, player_id: int, name: str) -> None:
    """Puts a person on a seat in place of a bot."""
    transaction.run(
        "update seats set player_id = %s, name = %s, bot = null, left_by = null, invited_player = null,"
        " offered = false, substitute = null, takes_over_at = null where game_id = %s and seat = %s",
        player_id,
        name,
        game_id,
        seat,
    )


def offer_seat(transaction: Session, game_id: str, seat: int, player_id: int | None) -> None:
    """Offers the seat of a bot to all, or to one player."""
    transaction.run(
        "update seats set offered = true, invited_player = %s where game_id = %s and seat = %s",
        player_id,
        game_id,
        seat,
    )


def set_substitute(
    transaction: Session, game_id: str, seat: int, player_id: int | None, takes_over_at: datetime | None
) -> None:
    transaction.run(
        "update seats set substitute = %s, takes_over_at = %s where game_id = %s and seat = %s",
        player_id,
        takes_over_at,
        game_id,
        seat,
    )


def due_take_overs(session: Session, moment: datetime) -> list[tuple[str, int]]:
    """The seats whose substitutes take them over by now, in games that are not over."""
    rows = session.rows(
        "select game_id, seat from seats join games on id = game_id"
        " where takes_over_at <= %s and status in ('running', 'paused') order by takes_over_at limit 200",
        moment,
    )
    return [(game_id, seat) for game_id, seat in rows]


def note_bots(transaction: Session, game_id: str, now: datetime) -> None:
    """Takes over into the game's row which seats are bots', and wakes a worker if it is a bot's turn. Whoever thinks
    that they sit where they sat has to look again (`terms`)."""
    transaction.run(
        "update games set bots ="
        " array(select seat from seats where game_id = id and bot is not null and not sandbox order by seat),"
        " terms = terms + 1 where id = %s",
        game_id,
    )
    transaction.run(
        "update games set wake_at = %s where id = %s and status = 'running' and to_act && bots", now, game_id
    )


def bots(session: Session, game_id: str) -> dict[int, str]:
    """The bots at a table, by seat."""
    return dict(session.rows("select seat, bot from seats where game_id = %s and bot is not null", game_id))


def set_host(transaction: Session, game_id: str, player_id: int) -> None:
    transaction.run("update games set host = %s where id = %s", player_id, game_id)


def begin(transaction: Session, game_id: str, header: str, version: str, head: str, now: datetime) -> None:
    """An open game is running from now on; its first row is still to be appended."""
    transaction.run(
        "update games set header = %s, version = %s, head = %s, status = 'running', started_at = %s where id = %s",
        header,
        version,
        head,
        now,
        game_id,
    )


def end(transaction: Session, game_id: str, ending: str) -> None:
    """Ends a game where it is, and throws sealed moves away unopened."""
    transaction.run(
        "update games set status = 'over', ending = %s, to_act = '{}', due_at = null, alarm_at = null,"
        " reveal_at = null, wake_at = null where id = %s",
        ending,
        game_id,
    )
    transaction.run("update seats set is_over = true where game_id = %s and not is_over", game_id)
    transaction.run("delete from sealed where game_id = %s", game_id)


def in_play_or_open(session: Session, player_id: int) -> list[tuple[str, bool]]:
    """The games that are not over in which a player has a seat or which they host, and whether they have a seat."""
    rows = session.rows(
        "select id, exists(select from seats where game_id = id and player_id = %s) from games"
        " where status <> 'over' and id in (" + OWN + ") order by id",
        player_id,
        player_id,
        player_id,
    )
    return [(game_id, has_seat) for game_id, has_seat in rows]


def played(session: Session, player_id: int) -> list[tuple[GameRow, int | None, str]]:
    """Every game that a player hosts, has a seat in or has left: with that seat and what they added to its seed."""
    rows = session.rows(
        f"select {columns(GameRow, 'g')}, s.seat, coalesce(s.entropy, '') from games g"
        " left join seats s on s.game_id = g.id and %s in (s.player_id, s.left_by)"
        " where g.host = %s or s.seat is not null order by g.created_at, g.id",
        player_id,
        player_id,
    )
    return [(GameRow(*row[:-2]), row[-2], row[-1]) for row in rows]


def forget_player(transaction: Session, player_id: int, names: Sequence[str]) -> None:
    """Takes a player off all seats, as one that was left; `names` is what each seat is called then."""
    transaction.run(
        "update seats set name = (%s::text[])[seat + 1], player_id = null, left_by = null,"
        " bot = coalesce(bot, 'default') where player_id = %s or left_by = %s",
        list(names),
        player_id,
        player_id,
    )
    transaction.run(
        "update seats set invited_player = null, invited_email = null, invited_email_key = null"
        " where invited_player = %s",
        player_id,
    )
    transaction.run(
        "update seats set substitute = null, takes_over_at = null where substitute = %s",
        player_id,
    )
    transaction.run("update games set host = null where host = %s", player_id)


def are_bots_alone(session: Session, game_id: str, rows: int) -> bool:
    """Whether no person has moved in so many rows."""
    return bool(
        session.value(
            "select sequence > %s and not exists(select from log where game_id = id"
            ' and log.sequence > games.sequence - %s and payload like \'%%"by":"player"%%\')'
            " from games where id = %s",
            rows,
            rows,
            game_id,
        )
    )
