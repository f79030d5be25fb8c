"""Running a private Redis. It keeps nothing that matters, so nothing of it is written down."""

import functools
import secrets
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import redis

from runtime import programs
from runtime.errors import ServerError
from runtime.processes import die_with_parent, free_port, stop, wait_for_answer
from runtime.redis_client import connect

GOODBYE = signal.SIGTERM
TRIES = 5  # someone else may take a port between our finding it free and using it


def start_redis(folder: Path, again: str = "") -> tuple[subprocess.Popen[bytes], str]:
    """A Redis for this machine alone, with a password: its process and its address; `again`: at an address it had."""
    program, old = programs.newest_redis(), urlsplit(again)
    password = old.password or secrets.token_hex(16)
    for _ in range(TRIES):
        port = old.port or free_port()
        url = f"redis://:{password}@127.0.0.1:{port}/0"
        child = _launch(program, port, password, folder)
        try:
            wait_for_answer(child, functools.partial(ping_redis, url), redis.RedisError, "Redis", folder)
        except ServerError as error:
            if child.poll() is None:
                stop(child, signal.SIGKILL)
                raise
            failure = error
            continue
        return child, url
    raise failure


def _launch(program: Path, port: int, password: str, folder: Path) -> subprocess.Popen[bytes]:
    settings = (
        f"bind 127.0.0.1\nport {port}\nrequirepass {password}\nsave ''\nappendonly no\ndaemonize no\n"
        f"databases 64\nloglevel warning\n"
    )
    with open(folder / "redis.log", "ab") as log:
        # Settings come by standard input: a command line can be read by everybody.
        child = subprocess.Popen(
            [program, "-"],
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            cwd=folder,
            start_new_session=True,
            preexec_fn=die_with_parent(GOODBYE),
        )
    assert child.stdin is not None
    with suppress(BrokenPipeError):  # it has ended already; whoever waits for it says so
        child.stdin.write(settings.encode())
        child.stdin.close()
    return child


def ping_redis(url: str) -> str:
    """The version of a Redis that answers."""
    client = connect(url, socket_connect_timeout=3, socket_timeout=3)
    try:
        found: Any = client.info("server")  # its type allows for the asynchronous client too
        return str(found["redis_version"])
    finally:
        client.close()
