"""Running a private Postgres.

Postgres refuses to run as root, so there it gets a user namespace in which root's files are nobody's; where the kernel
does not allow that, it runs as nobody from a folder that nobody can read.
"""

import ctypes
import hashlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import psycopg2

from runtime import programs
from runtime.errors import ServerError
from runtime.folders import user_name
from runtime.processes import die_with_parent, libc, wait_for_answer
from runtime.programs import Program

NOBODY = 65534
SHARED = Path("/var/tmp")  # where everybody may make a folder, which is there again after a restart
SOCKET = ".s.PGSQL.5432"
LONGEST_SOCKET = 100  # bytes of a path; the kernel's limit is 107
GOODBYE = signal.SIGINT  # SIGTERM would have it wait for its clients
SUPERUSER = "postgres"
OWNER = "waybill"  # of the database; no superuser, so that grants mean something to it
CLONE_NEWUSER = 0x10000000


class Postgres:
    """The private Postgres of a folder: its data below it, its log and its socket beside the data."""

    def __init__(self, folder: Path, *, durable: bool = True, namespaces: bool = True) -> None:
        self.folder = folder
        self.durable = durable
        self.home = Home(folder / "postgres", namespaces)
        self.sockets = _socket_folder(self.home)

    @property
    def superuser_url(self) -> str:
        return self._url(SUPERUSER, "postgres")

    @property
    def database_url(self) -> str:
        return self._url(OWNER, OWNER)

    def _url(self, role: str, database: str) -> str:
        return f"postgresql://{role}@/{database}?host={quote(str(self.sockets))}"

    def start(self, lock: int) -> subprocess.Popen[bytes]:
        """Starts it on its data, which are made if there are none. It holds the lock as long as it runs."""
        data = self.home.data
        program = self.home.readable(_matching(data, programs.newest_postgres()))
        if not (data / "PG_VERSION").exists():
            self._make_cluster(program)
        # Nobody else holds our lock, and Postgres does while it runs: these files are left over from a crash.
        for stale in (data / "postmaster.pid", self.sockets / SOCKET, self.sockets / f"{SOCKET}.lock"):
            stale.unlink(missing_ok=True)
        options = [text for name, value in self._settings().items() for text in ("-c", f"{name}={value}")]
        with open(self.folder / "postgres.log", "ab") as log:
            return subprocess.Popen(
                [program.folder / "postgres", "-D", data, *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=data,
                pass_fds=[lock],
                start_new_session=True,
                preexec_fn=self.home.enter(GOODBYE),
                env=_clean_environment(),
            )

    def wait(self, child: subprocess.Popen[bytes]) -> None:
        """Until it answers and the database is there."""
        wait_for_answer(
            child, lambda: psycopg2.connect(self.superuser_url).close(), psycopg2.Error, "Postgres", self.folder
        )
        make_database(self.superuser_url)

    def forget_sockets(self) -> None:
        """Removes the folder of the socket if it is not among our own."""
        if not self.sockets.is_relative_to(self.folder):
            shutil.rmtree(self.sockets, ignore_errors=True)

    def _settings(self) -> dict[str, str]:
        return {
            "listen_addresses": "",
            # A list, in which a name may stand between quotes.
            "unix_socket_directories": '"{}"'.format(str(self.sockets).replace('"', '""')),
            "unix_socket_permissions": "0700" if self.home.same_user else "0777",
            "max_connections": "200",
            "shared_buffers": "256MB" if self.durable else "64MB",
            "fsync": "on" if self.durable else "off",
            "full_page_writes": "on" if self.durable else "off",
            "synchronous_commit": "on" if self.durable else "off",
            "max_wal_size": "2GB",
            "log_min_messages": "warning",
            "log_line_prefix": "%m [%p] ",
            # What a statement was called with, and the details of an error, hold names and addresses.
            "log_min_error_statement": "panic",
            "log_error_verbosity": "terse",
            "log_parameter_max_length": "0",
            "log_parameter_max_length_on_error": "0",
            "log_statement": "none",
            "log_min_duration_statement": "-1",
        }

    def _make_cluster(self, program: Program) -> None:
        """initdb into a folder beside the final one, so that an interrupted one is not taken for a finished one."""
        draft = self.home.data.with_name("new")
        shutil.rmtree(draft, ignore_errors=True)
        self.home.make(draft)
        command = [
            program.folder / "initdb",
            *("-D", draft, "-U", SUPERUSER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"),
        ]
        made = subprocess.run(
            [*map(str, command)],
            capture_output=True,
            text=True,
            cwd=draft,
            preexec_fn=self.home.enter(signal.SIGTERM),
            env=_clean_environment(),
        )
        if made.returncode != 0:
            raise ServerError(f"initdb failed: {made.stderr.strip() or made.stdout.strip()}")
        if self.durable:
            os.sync()
        draft.rename(self.home.data)


def make_database(superuser_url: str, password: str | None = None, settings: Mapping[str, str] | None = None) -> None:
    """The role that owns the database, with its settings, and the database itself, as far as they are not there."""
    with closing(psycopg2.connect(superuser_url, connect_timeout=3)) as raw:
        raw.autocommit = True
        with raw.cursor() as cursor:
            cursor.execute("select (select count(*) from pg_roles where rolname = %s)", (OWNER,))
            if cursor.fetchone() == (0,):
                cursor.execute(f"create role {OWNER} login password %s", (password,))
            for setting, value in (settings or {}).items():
                cursor.execute(f"alter role {OWNER} set {setting} = %s", (value,))
            cursor.execute("select (select count(*) from pg_database where datname = %s)", (OWNER,))
            if cursor.fetchone() == (0,):
                cursor.execute(f"create database {OWNER} owner {OWNER}")


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
            if folder.is_symlink() or not folder.is_dir() or folder.stat().st_uid != owner:
                raise ServerError(
                    f"{folder} is not a folder of {user_name(owner)}'s; move it away, or set DATABASE_URL."
                ) from None

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

        def become() -> None:
            if self.in_namespace:
                _become_nobody_in_namespace()
            elif not self.same_user:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            die()

        return become


def _matching(data: Path, program: Program) -> Program:
    """A data folder can be opened by its own major version alone."""
    stamp = data / "PG_VERSION"
    if not stamp.exists() or int(stamp.read_text()) == program.version[0]:
        return program
    wanted = int(stamp.read_text())
    if other := programs.postgres_of_major(wanted):
        return other
    raise ServerError(
        f"{data} was made by Postgres {wanted}, and here is only Postgres {program.version[0]}."
        f" Install Postgres {wanted}, or move the folder away to begin anew."
    )


def _socket_folder(home: Home) -> Path:
    sockets = home.folder / "run"
    # In an address a comma parts hosts.
    if "," in str(sockets) or len(str(sockets).encode()) > LONGEST_SOCKET - len(f"/{SOCKET}"):
        name = hashlib.sha256(str(sockets).encode()).hexdigest()[:16]
        sockets = SHARED / f"waybill-run-{name}"
    home.make(sockets)
    return sockets


def _nobody_reaches(path: Path) -> bool:
    return all(folder.stat().st_mode & 0o001 for folder in (path, *path.resolve().parents) if folder.exists())


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
    if libc().unshare(CLONE_NEWUSER) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{NOBODY} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{NOBODY} {group} 1")


def _clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")} | {"LC_ALL": "C"}
