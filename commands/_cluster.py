"""Three nodes of Postgres under Patroni, three members of etcd and a HAProxy, all on this machine's loopback.

The configurations are those of deploy/cluster/, filled in. Everything is a child of this process and ends with it.
"""

import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request
import venv
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg2

from commands import ROOT
from commands._environment import PIP_OPTIONS
from runtime import programs
from runtime.errors import ServerError
from runtime.folders import make_folder
from runtime.postgres import NOBODY, OWNER, Home, make_database
from runtime.processes import die_with_parent, free_port, wait_or_kill
from runtime.programs import Program

SAMPLES = ROOT / "deploy" / "cluster"
HOST = "127.0.0.1"
NODES = ("node1", "node2", "node3")
MEMBERS = ("etcd1", "etcd2", "etcd3")
OLDEST_PATRONI = (4, 1)
NEEDED = ("postgres", "initdb", "pg_ctl", "pg_basebackup", "pg_rewind", "pg_controldata", "pg_isready")
START_SECONDS = 300.0
# What Waybill asks for at the start of a connection, for those that come through a pooler which drops it.
ROLE_SETTINGS = {"statement_timeout": "10s", "idle_in_transaction_session_timeout": "10s", "timezone": "UTC"}

Process = subprocess.Popen[bytes]


class Node:
    """Where a node listens and where others reach it; both are the same unless something stands in between."""

    def __init__(self, name: str, home: Home) -> None:
        self.name = name
        self.home = home
        self.postgres, self.rest = free_port(), free_port()
        self.postgres_address, self.rest_address = self.postgres, self.rest
        self.etcd: list[int] = []  # ports; empty: those of the members

    def pids(self) -> tuple[int, ...]:
        """Its Postgres, which is no child of Patroni."""
        with suppress(OSError, ValueError, IndexError):
            return (int((self.home.data / "postmaster.pid").read_text().splitlines()[0]),)
        return ()


class Cluster:
    """Use as a context. `say` is told how far its start is."""

    def __init__(self, folder: Path, patroni: Path, say: Callable[[str], None] = lambda _: None) -> None:
        self.folder = folder
        self.patroni = patroni
        self.say = say
        self.haproxy, self.etcd = program("haproxy"), program("etcd")
        self.postgres = whole_postgres()
        self.passwords = {role: secrets.token_hex(16) for role in ("SUPERUSER", "REPLICATION", "REWIND", OWNER)}
        for name in (*NODES, *MEMBERS):
            make_folder(folder / name)
        self.nodes = {name: Node(name, Home(folder / name / "postgres")) for name in NODES}
        self.members = {name: (free_port(), free_port()) for name in MEMBERS}
        self.primary_port, self.standby_port = free_port(), free_port()
        self.processes: dict[str, Process] = {}

    @property
    def database_url(self) -> str:
        return self._url(OWNER, self.primary_port)

    @property
    def read_url(self) -> str:
        return self._url(OWNER, self.standby_port)

    def _url(self, role: str, port: int, database: str = OWNER) -> str:
        user, password = (
            ("postgres", self.passwords["SUPERUSER"]) if role == "postgres" else (role, self.passwords[role])
        )
        return f"postgresql://{user}:{password}@{HOST}:{port}/{database}"

    def __enter__(self) -> "Cluster":
        try:
            for name in (*MEMBERS, *NODES, "haproxy"):
                self.say(f"starting {name}")
                self.processes[name] = self.start(name)
                if name == NODES[0]:
                    self._until(lambda: self.leader() is not None, "a node that leads")
            self.say("waiting for the standbys")
            self._until(self.is_whole, "two standbys that stream")
            self.say("making the database")
            self._until(self._make_database, "the database by way of HAProxy")
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self, name: str) -> Process:
        """A part, or the same part once more."""
        if name in self.nodes:
            node = self.nodes[name]
            written = self._write(node.home.folder / "patroni.yml", self._of_node(node))
            if not node.home.same_user:
                os.chown(written, NOBODY, NOBODY)
            return self._launch(name, [self.patroni, written], node.home.enter(signal.SIGTERM))
        if name in self.members:
            written = self._write(self.folder / name / "etcd.yml", self._of_member(name))
            return self._launch(name, [self.etcd, "--config-file", written], die_with_parent(signal.SIGTERM))
        written = self._write(self.folder / "haproxy.cfg", self._of_haproxy())
        return self._launch(name, [self.haproxy, "-db", "-f", written], die_with_parent(signal.SIGTERM))

    def stop(self) -> None:
        """HAProxy first, then the standbys, the primary and etcd, and whatever Postgres has lost its Patroni."""
        leader = self.leader()
        order = sorted(self.processes, key=lambda name: (name in self.members, name == leader, name in self.nodes))
        for name in order:
            process = self.processes.pop(name)
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGCONT)
                process.terminate()
            wait_or_kill(process)
        for node in self.nodes.values():
            for pid in node.pids():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGQUIT)

    def _launch(self, name: str, command: list[Any], enter: Callable[[], None]) -> Process:
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("PG", "PATRONI", "ETCD"))}
        with open(self.folder / f"{name}.log", "ab") as log:
            return subprocess.Popen(
                [*map(str, command)],
                cwd=self.folder,
                env={**clean, "LC_ALL": "C"},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=enter,
            )

    def _write(self, file: Path, values: dict[str, str]) -> Path:
        """The sample of the same name, filled in; it holds passwords."""
        file.touch(mode=0o600)
        file.write_text(filled_in((SAMPLES / file.name).read_text("utf-8"), values))
        return file

    def _of_node(self, node: Node) -> dict[str, str]:
        etcd = node.etcd or [client for client, _ in self.members.values()]
        return {
            "NAME": node.name,
            "FOLDER": str(node.home.folder),
            "PROGRAMS": str(node.home.readable(self.postgres).folder),
            "REST_LISTEN": f"{HOST}:{node.rest}",
            "REST_ADDRESS": f"{HOST}:{node.rest_address}",
            "POSTGRES_LISTEN": f"{HOST}:{node.postgres}",
            "POSTGRES_ADDRESS": f"{HOST}:{node.postgres_address}",
            "ETCD_HOSTS": ",".join(f"{HOST}:{port}" for port in etcd),
            "ETCD_BEHIND_PROXIES": str(bool(node.etcd)).lower(),
            "NETWORK": f"{HOST}/32",
            **{f"{role}_PASSWORD": password for role, password in self.passwords.items()},
        }

    def _of_member(self, name: str) -> dict[str, str]:
        client, peer = self.members[name]
        return {
            "NAME": name,
            "FOLDER": str(self.folder / name),
            "CLIENT": f"{HOST}:{client}",
            "PEER": f"{HOST}:{peer}",
            "MEMBERS": ",".join(f"{other}=http://{HOST}:{port}" for other, (_, port) in self.members.items()),
        }

    def _of_haproxy(self) -> dict[str, str]:
        lines = [
            f"    server {node.name} {HOST}:{node.postgres_address} check port {node.rest_address}"
            for node in self.nodes.values()
        ]
        return {
            "PRIMARY": f"{HOST}:{self.primary_port}",
            "STANDBYS": f"{HOST}:{self.standby_port}",
            "NODES": "\n".join(lines),
        }

    # What can be known of it

    def members_of(self, node: Node) -> list[dict[str, Any]]:
        """What a node says of the cluster; nothing if it does not answer."""
        try:
            with urllib.request.urlopen(f"http://{HOST}:{node.rest}/cluster", timeout=2) as answer:
                return list(json.load(answer)["members"])
        except (urllib.error.URLError, OSError, ValueError, KeyError):
            return []

    def leader(self) -> str | None:
        """The node that has the lead and takes writes, by its own word."""
        for node in self.nodes.values():
            try:
                with urllib.request.urlopen(f"http://{HOST}:{node.rest}/primary", timeout=1):
                    return node.name
            except (urllib.error.URLError, OSError):
                pass
        return None

    def is_whole(self) -> bool:
        """Whether one leads, and two stream from it who may take its place, by the leader's word."""
        leader = self.leader()
        states = sorted((one["role"], one["state"]) for one in (self.members_of(self.nodes[leader]) if leader else []))
        return states == [("leader", "running"), *[("quorum_standby", "streaming")] * 2]

    def _until(self, happened: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + START_SECONDS
        while not happened():
            ended = [name for name, process in self.processes.items() if process.poll() is not None]
            if ended or time.monotonic() > end:
                where = self.folder / f"{ended[0] if ended else NODES[0]}.log"
                last = "".join(where.read_text(errors="replace").splitlines(keepends=True)[-8:])
                raise ServerError(f"The cluster has not come to {what}; the end of {where}:\n{last}")
            time.sleep(0.2)

    def _make_database(self) -> bool:
        superuser_url = self._url("postgres", self.primary_port, "postgres")
        try:
            make_database(superuser_url, self.passwords[OWNER], ROLE_SETTINGS)
        except psycopg2.OperationalError:
            return False
        return True


def filled_in(sample: str, values: dict[str, str]) -> str:
    """A configuration of deploy/cluster/ with what stands between @ signs put in."""
    return re.sub(r"@([A-Z_]+)@", lambda found: values[found[1]], sample)


def program(name: str) -> Path:
    # Servers are often where only root's path leads to.
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin:/sbin")
    if not found:
        package = {"etcd": "etcd-server"}.get(name, name)
        raise ServerError(f"The cluster needs {name}, which is not on this machine; on Debian: apt install {package}")
    return Path(found)


def whole_postgres() -> Program:
    """The newest Postgres with everything that Patroni calls: a server alone does not do."""
    folders = sorted(Path("/").glob("usr/lib/postgresql/*/bin"), reverse=True)
    found = [Program(folder, programs.version_of(folder / "postgres")) for folder in folders if is_complete(folder)]
    if found and found[0].version >= (programs.OLDEST_POSTGRES,):
        return max(found, key=lambda one: one.version)
    wheel = programs.wheel_postgres()
    if not is_complete(wheel.folder):
        raise ServerError(f"The cluster needs {', '.join(NEEDED)} of one Postgres; on Debian: apt install postgresql")
    return wheel


def is_complete(folder: Path) -> bool:
    return all((folder / name).exists() for name in NEEDED)


def patroni_program(folder: Path, say: Callable[[str], None]) -> Path:
    """Patroni on the machine, if it is new enough, or else in an environment of its own below the folder."""
    own = folder / "patroni" / "bin" / "patroni"
    for found in (own, *map(Path, filter(None, [shutil.which("patroni")]))):
        if patroni_version(found) >= OLDEST_PATRONI:
            return found
    say("installing Patroni into an environment of its own")
    venv.create(folder / "patroni", with_pip=True)
    pip = [str(folder / "patroni" / "bin" / "python"), "-m", "pip", *PIP_OPTIONS, "install", "--quiet"]
    made = subprocess.run([*pip, "-r", str(SAMPLES / "requirements.txt")], capture_output=True, text=True)
    if made.returncode != 0:
        raise ServerError(f"Patroni cannot be installed: {made.stderr.strip()}")
    return own


def patroni_version(found: Path) -> tuple[int, ...]:
    try:
        said = subprocess.run([found, "--version"], capture_output=True, text=True, timeout=30).stdout
    except (OSError, subprocess.SubprocessError):
        return ()
    numbers = re.search(r"(\d+(?:\.\d+)+)", said)
    return tuple(map(int, numbers[1].split("."))) if numbers else ()
