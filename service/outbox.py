"""Passing on what has happened."""

from store import outbox
from store.database import Database


def deliver(db: Database) -> None:
    """Empties the outbox. There is no channel to tell anybody by yet, so what it holds is dropped."""
    more = True
    while more:
        with db.transaction() as transaction:
            rows = outbox.waiting(transaction)
            outbox.drop(transaction, rows)
        more = len(rows) == outbox.DELIVERED_AT_ONCE
