"""Lists for whoever looks after the service. They show everything, private games and addresses too."""

from datetime import datetime

import msgspec

from store.database import Session
from store.games import newest_ids


class GameLine(msgspec.Struct, frozen=True):
    id: str
    ruleset: str
    status: str
    sequence: int
    players: str
    waits_for: str
    due_at: datetime | None
    moved_at: datetime | None


class PlayerLine(msgspec.Struct, frozen=True):
    id: int
    name: str
    email: str | None
    tokens: int
    in_play: int
    created_at: datetime
    ban: str | None


def games(session: Session, status: str | None, player_id: int | None, limit: int) -> list[GameLine]:
    """Newest first."""
    ids = newest_ids(session, status, player_id, limit)
    return session.all(
        GameLine,
        "select g.id, g.ruleset, g.status, g.sequence,"
        " (select coalesce(string_agg(coalesce(nullif(s.name, ''), '(free)'), ', ' order by s.seat), '')"
        "  from seats s where s.game_id = g.id),"
        " (select coalesce(string_agg(s.name, ', ' order by s.seat), '')"
        "  from seats s where s.game_id = g.id and g.status = 'running' and s.seat = any(g.to_act)),"
        " g.due_at, g.moved_at from games g where g.id = any(%s) order by g.created_at desc, g.id desc",
        ids,
    )


def players(session: Session, text: str, limit: int) -> list[PlayerLine]:
    """Those whose name or address has this in it, newest first."""
    return session.all(
        PlayerLine,
        "select p.id, p.name, p.email,"
        " (select count(*) from tokens t where t.player_id = p.id and t.revoked_at is null),"
        " (select count(*) from seats s join games g on g.id = s.game_id"
        "  where s.player_id = p.id and g.status in ('running', 'paused')),"
        " p.created_at, b.reason from players p left join bans b on b.player_id = p.id"
        " where strpos(lower(p.name), lower(%s)) > 0 or strpos(lower(coalesce(p.email, '')), lower(%s)) > 0"
        " order by p.created_at desc, p.id desc limit %s",
        *(text, text, limit),
    )
