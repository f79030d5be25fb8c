"""What a backup cannot bring back by itself, and what tells whether it may be brought back."""

from store.database import Session

# A dump without owners and grants fits every role; so what the migrations have taken from the application's role is
# taken from it once more. The faster compression is used where the server has it.
SECURE = """
do $$
declare
    part regclass;
begin
    for part in
        select 'log'::regclass union all
        select inhrelid::regclass from pg_inherits where inhparent = 'log'::regclass
    loop
        execute format('revoke all on %s from public', part);
        execute format('revoke update, delete, truncate on %s from current_user', part);
    end loop;
    begin
        alter table games alter column position set compression lz4;
    exception when feature_not_supported then
        null;
    end;
end $$
"""


def server_major(session: Session) -> int:
    return int(session.raw.server_version) // 10000


def tables(session: Session) -> list[str]:
    """The tables that are there already."""
    found = session.rows(
        "select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace"
        " where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname not in ('pg_catalog', 'information_schema')"
        " and n.nspname not like 'pg\\_toast%' order by 1"
    )
    return [name for (name,) in found]


def secure(session: Session) -> None:
    session.run(SECURE)


def games_with_a_log(session: Session, sample: int | None = None) -> list[str]:
    """The games that have begun, oldest first; or some of them, at random."""
    order, limit = ("created_at, id", None) if sample is None else ("random()", sample)
    return [
        name for (name,) in session.rows(f"select id from games where sequence >= 0 order by {order} limit %s", limit)
    ]
