"""A real Postfix of a test's own, where one is installed and may be run: it listens and delivers on loopback alone."""

import contextlib
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from runtime.processes import free_port
from tests.waiting import wait_until

MAIN = """\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
command_directory = /usr/sbin
daemon_directory = {daemons}
mail_owner = postfix
setgid_group = postdrop
myhostname = mx.example.net
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
alias_maps =
alias_database =
local_recipient_maps =
smtp_dns_support_level = disabled
smtpd_relay_restrictions = permit_mynetworks, reject
recipient_delimiter =
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_queue_lifetime = 2s
bounce_queue_lifetime = 2s
relay_domains = {domains}
transport_maps = inline:{{ {routes} }}
"""
SERVICES = (
    ("cleanup", "unix", "0", "cleanup"),
    ("qmgr", "unix", "1", "qmgr"),
    ("rewrite", "unix", "-", "trivial-rewrite"),
    ("bounce", "unix", "0", "bounce"),
    ("defer", "unix", "0", "bounce"),
    ("trace", "unix", "0", "bounce"),
    ("verify", "unix", "1", "verify"),
    ("proxymap", "unix", "-", "proxymap"),
    ("smtp", "unix", "-", "smtp"),
    ("lmtp", "unix", "-", "lmtp"),
    ("relay", "unix", "-", "smtp"),
    ("error", "unix", "-", "error"),
    ("retry", "unix", "-", "error"),
    ("anvil", "unix", "1", "anvil"),
    ("scache", "unix", "1", "scache"),
    ("postlog", "unix-dgram", "1", "postlogd"),
)
PUBLIC = ("cleanup", "qmgr", "postlog")


def is_here() -> bool:
    """Whether Postfix is installed and we may start it: only root may."""
    return shutil.which("postfix") is not None and os.geteuid() == 0


@contextlib.contextmanager
def running(folder: Path, routes: Mapping[str, str]) -> Iterator[int]:
    """The port of a Postfix that brings the mail of each domain where `routes` says, `smtp:[127.0.0.1]:2525`."""
    port, etc = free_port(), folder / "etc"
    for made in (etc, folder / "queue", folder / "data"):
        made.mkdir(parents=True)
    shutil.chown(folder / "data", "postfix")
    for above in (folder, *folder.parents):  # its parts run as another user
        if not above.stat().st_mode & 0o001:
            above.chmod(above.stat().st_mode | 0o011)
    daemons = subprocess.run(["postconf", "-h", "daemon_directory"], capture_output=True, text=True, check=True).stdout
    (etc / "main.cf").write_text(
        MAIN.format(
            folder=folder,
            daemons=daemons.strip(),
            domains=", ".join(routes),
            routes=", ".join(f"{{ {domain} = {route} }}" for domain, route in routes.items()),
        )
    )
    lines = [f"127.0.0.1:{port} inet n - n - - smtpd"]
    lines += [
        f"{name} {kind} {'n' if name in PUBLIC else '-'} - n - {most} {program}"
        for name, kind, most, program in SERVICES
    ]
    (etc / "master.cf").write_text("\n".join(lines) + "\n")
    subprocess.run(["postfix", "-c", etc, "start"], check=True, capture_output=True)
    try:
        wait_until(lambda: _answers(port), what="Postfix")
        yield port
    finally:
        subprocess.run(["postfix", "-c", etc, "stop"], check=True, capture_output=True)


def _answers(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False
