"""What can go wrong before the service runs."""


class ServerError(Exception):
    """A server cannot be found, started or reached; the message says what to do."""
