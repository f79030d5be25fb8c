"""What the commands that deal with the service share: where its parts are, and errors in plain words."""

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import msgspec

from runtime.config import Config, ConfigError, read_config
from runtime.errors import ServerError
from runtime.folders import unusable
from runtime.servers import Servers, check_configured
from runtime.supervision import Restarts
from service.errors import ServiceError, Unavailable
from store.database import Database
from store.migrate import MigrationError

STATE = "up.json"


class Running(msgspec.Struct, frozen=True):
    """What a running `./waybill up` leaves for other commands to find it by."""

    pid: int
    url: str
    database_url: str
    redis_url: str
    parts: dict[str, int] = {}  # name -> process id
    restarts: dict[str, Restarts] = {}  # of those that have ended at some time


@contextmanager
def plain_errors() -> Iterator[None]:
    """Ends the command with a sentence where a traceback would not help anybody."""
    try:
        yield
    except (ConfigError, ServerError, MigrationError, ServiceError, Unavailable) as error:
        print(*(f"waybill: {line}" for line in str(error).splitlines()), sep="\n", file=sys.stderr)
        sys.exit(1)


def running(config: Config) -> Running | None:
    """The `up` of this folder, if one is at work. It holds a lock on its file, which goes when it goes."""
    try:
        with open(config.folder / STATE, "rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return msgspec.json.decode(file.read(), type=Running)
    except (FileNotFoundError, NotADirectoryError):
        pass
    except PermissionError:
        raise unusable(config.folder) from None
    return None


class Announcement:
    """Lets `running` find us as long as this lasts. Use as a context; `update` tells what has changed."""

    def __init__(self, config: Config, state: Running) -> None:
        self.path, self.draft = config.folder / STATE, config.folder / f"{STATE}.new"
        self.state = state
        self._held: IO[bytes] | None = None  # its lock says that what it holds is true

    def __enter__(self) -> "Announcement":
        self.update(self.state)
        return self

    def __exit__(self, *_: object) -> None:
        self.path.unlink()
        if self._held:
            self._held.close()

    def update(self, state: Running) -> None:
        self.draft.unlink(missing_ok=True)
        file = open(os.open(self.draft, os.O_CREAT | os.O_WRONLY, 0o600), "wb")  # noqa: SIM115 - held until the next
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(msgspec.json.encode(state))
        file.flush()
        self.draft.rename(self.path)
        if self._held:
            self._held.close()
        self._held = file


@contextmanager
def servers(config: Config, postgres: bool = True, redis: bool = True) -> Iterator[tuple[Config, Servers]]:
    """The configuration with the addresses of private servers, which run as long as this lasts, where none are set."""
    check_configured(config.database_url, config.redis_url)
    private = Servers(
        config.folder, postgres=postgres and not config.database_url, redis=redis and not config.redis_url
    )
    if not any(private.wants):
        yield config, private
        return
    with private as addresses:
        found = config.replace(
            database_url=config.database_url or addresses.database_url,
            redis_url=config.redis_url or addresses.redis_url,
        )
        yield found, private


@contextmanager
def database() -> Iterator[Database]:
    """The database for a short command: configured, of the running `up`, or started for the moment."""
    config = read_config()
    up = None if config.database_url else running(config)
    if up:
        config = config.replace(database_url=up.database_url)
    with servers(config, redis=False) as (found, _):
        db = Database.of(found)
        try:
            yield db
        finally:
            db.close()


def place(path: Path) -> str:
    """A path as short as it can be written."""
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)
