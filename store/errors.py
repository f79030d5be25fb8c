"""What a query can meet that says nothing about the query itself."""


class Unavailable(Exception):
    """The database does not answer now. Whether a write happened is not known: its idempotency key tells."""

    code = "unavailable"
    retry_after = 1  # seconds

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Taken(Exception):
    """What must be unique is there already; `constraint` is the name of the index that says so."""

    def __init__(self, constraint: str) -> None:
        super().__init__(constraint)
        self.constraint = constraint
