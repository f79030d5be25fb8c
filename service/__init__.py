"""What the house does with the rules: transactions and decisions. No SQL, no Flask, no Celery.

Functions take a `Database`, or the `Session` of a transaction that somebody else has begun; callers pass them on and
never ask them anything themselves.
"""

from store.database import Database as Database
from store.database import Session as Session
from store.database import role as role
