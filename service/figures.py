"""Numbers that tell how the service is doing."""

from service.work import LEASE_SECONDS
from store import figures
from store.database import Database
from store.figures import Figures as Figures


def read(db: Database) -> Figures:
    with db.session() as session:
        return figures.read(session, LEASE_SECONDS)
