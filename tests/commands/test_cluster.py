"""The cluster: its configurations are those that people copy, and where its programs are it starts, plays and stops."""

import os
import re
import shutil
import socket
import subprocess
from pathlib import Path

import pytest
import yaml

from commands.__main__ import main
from commands._chaos_cluster import CLUSTER_FAULTS, longest_pause
from commands._chaos_gates import GateKeeper, Relay
from commands._cluster import OLDEST_PATRONI, SAMPLES, Cluster, filled_in, patroni_version
from runtime.config import read_config
from runtime.processes import free_port
from store.database import Database, role
from store.migrate import migrate, pending
from tests.waiting import wait_until

PLACES = "/usr/sbin:/usr/local/sbin:/sbin"


def found(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path=PLACES)


def known_patroni() -> Path | None:
    """One that is installed already: a test fetches nothing."""
    places = [read_config().folder / "patroni" / "bin" / "patroni", *map(Path, filter(None, [shutil.which("patroni")]))]
    return next((place for place in places if patroni_version(place) >= OLDEST_PATRONI), None)


def values(sample: str) -> dict[str, str]:
    """Something for each gap of a sample: addresses of this machine where one is needed."""
    names = re.findall(r"@([A-Z_]+)@", (SAMPLES / sample).read_text("utf-8"))
    return {name: "127.0.0.1:5432" if name.endswith(("LISTEN", "ADDRESS")) else name.lower() for name in names}


def test_patroni_is_configured_to_lose_nothing() -> None:
    settings = yaml.safe_load(filled_in((SAMPLES / "patroni.yml").read_text("utf-8"), values("patroni.yml")))
    dcs = settings["bootstrap"]["dcs"]
    assert (dcs["synchronous_mode"], dcs["synchronous_mode_strict"]) == ("quorum", True)
    assert dcs["loop_wait"] + 2 * dcs["retry_timeout"] <= dcs["ttl"]  # or Patroni changes them itself
    assert dcs["postgresql"]["parameters"]["synchronous_commit"] == "on"
    assert all("scram-sha-256" in line for line in settings["postgresql"]["pg_hba"])


def test_etcd_lets_patroni_in() -> None:
    settings = yaml.safe_load(filled_in((SAMPLES / "etcd.yml").read_text("utf-8"), values("etcd.yml")))
    assert settings["enable-grpc-gateway"] is True
    assert settings["election-timeout"] >= 5 * settings["heartbeat-interval"]  # or it refuses to start


@pytest.mark.skipif(not found("haproxy"), reason="HAProxy is not installed")
def test_haproxy_takes_its_configuration(tmp_path: Path) -> None:
    nodes = "    server node1 127.0.0.1:5432 check port 8008"
    given = {"PRIMARY": "127.0.0.1:5000", "STANDBYS": "127.0.0.1:5001", "NODES": nodes}
    written = tmp_path / "haproxy.cfg"
    written.write_text(filled_in((SAMPLES / "haproxy.cfg").read_text("utf-8"), given))
    checked = subprocess.run([found("haproxy"), "-c", "-f", written], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


@pytest.mark.skipif(
    not (found("etcd") and found("haproxy") and known_patroni()), reason="etcd, HAProxy or Patroni 4.1 is not installed"
)
def test_cluster_starts_takes_the_tables_to_a_standby_and_is_gone_at_the_end(tmp_path: Path) -> None:
    patroni = known_patroni()
    assert patroni is not None
    with Cluster(tmp_path, patroni) as cluster:
        primary, standby = Database(cluster.database_url), Database(cluster.read_url)
        assert role(primary) == "primary"
        migrate(primary)

        def has_all() -> bool:
            return not pending(standby)

        wait_until(has_all, what="the tables on a standby")
        processes = [*cluster.processes.values()]
        postgres = [pid for node in cluster.nodes.values() for pid in node.pids()]
        assert len(postgres) == 3
        primary.close()
        standby.close()
    assert all(process.poll() is not None for process in processes)
    wait_until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in postgres), what="the end of Postgres")


def test_cut_link_passes_nothing_and_a_mended_one_what_was_sent_again() -> None:
    port, behind = free_port(), free_port()
    with (
        socket.create_server(("127.0.0.1", behind)) as door,
        GateKeeper([Relay(port, behind, "node1")]) as gates,
        socket.create_connection(("127.0.0.1", port), timeout=30) as near,
    ):
        far, _ = door.accept()
        far.settimeout(30)
        near.sendall(b"before")
        assert far.recv(100) == b"before"
        gates.cut("node2")  # somebody else
        near.sendall(b"still")
        assert far.recv(100) == b"still"
        gates.cut("node1")
        near.sendall(b"after")
        far.settimeout(0.5)
        with pytest.raises(TimeoutError):
            far.recv(100)
        gates.mend("node1")
        far.settimeout(30)
        assert far.recv(100) == b"after"
        far.close()


def test_pause_is_the_longest_time_without_an_order() -> None:
    assert longest_pause([1.0, 5.0, 6.0, 20.0], began=4.0, ended=15.0) == 9.0
    assert longest_pause([], began=1.0, ended=3.0) == 2.0


def test_cluster_has_faults_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chaos", "--cluster", "--only", "worker killed"]) == 2
    said = capsys.readouterr().err
    assert all(fault in said for fault in CLUSTER_FAULTS)
