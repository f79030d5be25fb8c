"""Say whether the service runs here and whether each of its parts answers.

The exit status is 0 if all is well, 1 if a part does not answer, 3 if nothing runs here.

examples:
  ./waybill status
"""

import argparse
import os
import urllib.error
import urllib.request

import redis

from commands._service import Running, plain_errors, running
from runtime.config import read_config
from runtime.redis_server import ping_redis
from runtime.supervision import Restarts
from service.errors import Unavailable
from store import migrate
from store.database import Database, server_version
from store.games import count_by_status

NOT_RUNNING = 3


def arguments(parser: argparse.ArgumentParser) -> None:
    pass


def run(args: argparse.Namespace) -> int:
    with plain_errors():
        up = running(read_config())
        if up is None:
            print("Waybill does not run in this folder. Start it with ./waybill up")
            return NOT_RUNNING
        findings = {"API": api(up), "Postgres": postgres(up), "Redis": cache(up)}
        findings |= {name: process(pid) for name, pid in up.parts.items() if name != "api"}
    print(f"Waybill runs here as process {up.pid}, at {up.url}")
    for name, (is_well, finding) in findings.items():
        print(f"  {name:<9} {'' if is_well else 'NOT WELL: '}{finding}{story(up.restarts.get(name.lower()))}")
    return 0 if all(is_well for is_well, _ in findings.values()) else 1


def story(restarts: Restarts | None) -> str:
    """How often a part was started again, and why the last time."""
    if restarts is None:
        return ""
    times = "once" if restarts.count == 1 else f"{restarts.count} times"
    waiting = ", and waits to be started" if restarts.is_waiting else ""
    return f"; started again {times}{waiting}, last at {restarts.last} UTC: {restarts.reason}"


def api(up: Running) -> tuple[bool, str]:
    try:
        with urllib.request.urlopen(f"{up.url}/readyz", timeout=5):
            return True, "answers"
    except (urllib.error.URLError, OSError) as error:
        return False, str(error)


def postgres(up: Running) -> tuple[bool, str]:
    db = Database(up.database_url)
    try:
        with db.session() as session:
            version, counts = server_version(session), count_by_status(session)
        missing = migrate.pending(db)
    except Unavailable as error:
        return False, error.message
    finally:
        db.close()
    if missing:
        return False, f"{version}, {len(missing)} migrations missing: ./waybill migrate"
    return True, f"{version}; games: " + (", ".join(f"{n} {status}" for status, n in counts.items()) or "none yet")


def cache(up: Running) -> tuple[bool, str]:
    try:
        return True, ping_redis(up.redis_url)
    except redis.RedisError as error:
        return False, str(error)


def process(pid: int) -> tuple[bool, str]:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False, f"process {pid} is gone"
    except PermissionError:
        pass
    return True, f"process {pid}"
