"""A real sentinel with two servers to look after, for tests of what happens when one takes over from the other."""

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import redis

from runtime import programs
from runtime.processes import free_port, wait_or_kill
from tests.waiting import wait_until

PASSWORD = "open-sesame"
SERVICE = "waybill"


class Watched:
    """Two servers and one sentinel, which needs nobody's consent."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ports = [free_port(), free_port()]
        self.sentinel_port = free_port()
        self.processes: dict[int, subprocess.Popen[bytes]] = {}

    @property
    def url(self) -> str:
        # The first of the sentinels is not there, as it may happen.
        return f"sentinel://:{PASSWORD}@127.0.0.1:1,127.0.0.1:{self.sentinel_port}/{SERVICE}/0"

    def start(self) -> None:
        first, second = self.ports
        common = f"bind 127.0.0.1\nsave ''\nrequirepass {PASSWORD}\nmasterauth {PASSWORD}\nloglevel warning\n"
        common += "repl-diskless-sync-delay 0\n"
        self._launch(first, common)
        self._launch(second, f"{common}replicaof 127.0.0.1 {first}\n")
        # The sentinel looks for replicas when it starts, and then not for ten seconds.
        wait_until(self._is_in_step, what="the second server's copy")
        self._launch(
            self.sentinel_port,
            f"bind 127.0.0.1\nsentinel monitor {SERVICE} 127.0.0.1 {first} 1\nsentinel auth-pass {SERVICE} {PASSWORD}\n"
            f"sentinel down-after-milliseconds {SERVICE} 2000\nsentinel failover-timeout {SERVICE} 2000\n",
            "--sentinel",
        )
        wait_until(self._is_watched, what="the sentinel's knowing both servers")

    def _launch(self, port: int, settings: str, *options: str) -> None:
        settings_file = self.folder / f"{port}.conf"
        settings_file.write_text(f"port {port}\ndir {self.folder}\n{settings}")
        with open(self.folder / f"{port}.log", "wb") as log:
            command = [programs.newest_redis(), settings_file, *options]
            self.processes[port] = subprocess.Popen(command, stdout=log, stderr=log)

    def _is_watched(self) -> bool:
        with contextlib.suppress(redis.RedisError):
            return len(self._sentinel().sentinel_slaves(SERVICE)) == 1
        return False

    def _is_in_step(self) -> bool:
        with contextlib.suppress(redis.RedisError):
            client = redis.Redis.from_url(f"redis://:{PASSWORD}@127.0.0.1:{self.ports[1]}")
            return client.info("replication").get("master_link_status") == "up"
        return False

    def _sentinel(self) -> redis.Redis:
        return redis.Redis.from_url(f"redis://127.0.0.1:{self.sentinel_port}", socket_timeout=2)

    def kill_first(self) -> None:
        """And wait until the other has taken over."""
        self.processes[self.ports[0]].kill()

        def has_changed() -> bool:
            return self._sentinel().sentinel_get_master_addr_by_name(SERVICE)[1] == self.ports[1]

        wait_until(has_changed, what="the failover")

    def stop(self) -> None:
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            wait_or_kill(process)


@contextlib.contextmanager
def watched_redis(folder: Path) -> Iterator[Watched]:
    watched = Watched(folder)
    try:
        watched.start()
        yield watched
    finally:
        watched.stop()
