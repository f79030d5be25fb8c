"""Run a Postgres cluster on this machine: three nodes under Patroni, three members of etcd, a HAProxy.

For trying things out: the configurations are those of deploy/cluster/, the data are gone when it ends. It needs etcd
and HAProxy (on Debian: apt install etcd-server haproxy postgresql); Patroni gets an environment of its own. It prints
the addresses to use, says who leads when that changes, and runs until Ctrl-C.

examples:
  ./waybill cluster
  ./waybill chaos --cluster          one that is treated badly, with people who play on it
"""

import argparse
import signal
import tempfile
import threading
from pathlib import Path

from commands._cluster import Cluster, patroni_program
from commands._service import plain_errors
from runtime.config import read_config
from runtime.folders import make_folder

CHECK_EVERY = 2.0  # seconds, at who leads


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=float, metavar="N", help="end after so many seconds (at Ctrl-C)")


def run(args: argparse.Namespace) -> int:
    ending = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ending.set())
    with plain_errors(), tempfile.TemporaryDirectory(prefix="waybill-cluster-") as folder:
        home = read_config().folder
        make_folder(home)
        patroni = patroni_program(home, say)
        with Cluster(Path(folder), patroni, say) as cluster:
            say(f"DATABASE_URL={cluster.database_url}")
            say(f"WAYBILL_READ_URL={cluster.read_url}")
            watch(cluster, ending, args.seconds)
            say("stopping")
    say("stopped")
    return 0


def watch(cluster: Cluster, ending: threading.Event, seconds: float | None) -> None:
    led = ""
    waited = 0.0
    while not ending.is_set() and (seconds is None or waited < seconds):
        leader = cluster.leader() or "nobody"
        if leader != led:
            say(f"{leader} leads")
            led = leader
        ending.wait(CHECK_EVERY)
        waited += CHECK_EVERY


def say(text: str) -> None:
    print(text, flush=True)
