"""A service on a Postgres cluster, to be treated badly: what can be done to nodes, etcd, HAProxy and their links."""

import itertools
import json
import random
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from commands._chaos_gates import GateKeeper, Relay
from commands._chaos_house import House, family, frozen, signal_all
from commands._cluster import HOST, MEMBERS, NODES, Cluster, Process
from runtime.processes import free_port
from runtime.servers import Servers
from runtime.supervision import Part

CHECK_EVERY = 0.2  # seconds
SUCCESSION_SECONDS = 60.0  # in which another node must lead
WHOLE_SECONDS = 240.0  # in which all must be well again, a standby perhaps copied anew
SHORT, LONG = (1.0, 8.0), (10.0, 20.0)  # seconds that something is away which need not be missed
# A request waits for a connection, a new one, and the watchdog: together less than a client's patience.
SETTINGS = {"WAYBILL_STATEMENT_TIMEOUT": "5", "WAYBILL_POOL_TIMEOUT": "3"}
CLIENT_SECONDS = 30.0


class ClusterHouse(House):
    """Use as a context; CLUSTER_FAULTS are what can be done to it. Each lasts until it has had its effect, and the next
    one comes when the cluster is whole again: two faults at a time are not what three nodes are for."""

    def __init__(self, folder: Path, rng: random.Random, patroni: Path, say: Callable[[str], None]) -> None:
        super().__init__(folder, rng)
        self.servers = Servers(folder / "servers", postgres=False)
        self.cluster = Cluster(folder, patroni, say)
        self.gates = GateKeeper(self._relays())
        self._open = ExitStack()

    def _relays(self) -> list[Relay]:
        """A way of its own to each node, and from each node to each member of etcd."""
        relays = []
        for node in self.cluster.nodes.values():
            node.postgres_address, node.rest_address = free_port(), free_port()
            node.etcd = [free_port() for _ in MEMBERS]
            relays += [
                Relay(node.postgres_address, node.postgres, node.name),
                Relay(node.rest_address, node.rest, node.name),
            ]
            for port, (client, _) in zip(node.etcd, self.cluster.members.values(), strict=True):
                relays.append(Relay(port, client, "etcd", node.name))
        return relays

    def _start_servers(self) -> dict[str, str]:
        self._open.enter_context(self.gates)
        self._open.enter_context(self.cluster)
        addresses = self._open.enter_context(self.servers)
        return {"DATABASE_URL": self.cluster.database_url, "REDIS_URL": addresses.redis_url, **SETTINGS}

    def _stop_servers(self) -> None:
        self._open.close()

    def _server_parts(self) -> list[Part]:
        return [Part(name, process, self._starter(name)) for name, process in self.cluster.processes.items()]

    def _starter(self, name: str) -> Callable[[], Process]:
        def start_again() -> Process:
            self.cluster.processes[name] = self.cluster.start(name)
            return self.cluster.processes[name]

        return start_again

    # Who is who

    def primary(self) -> str:
        return self.cluster.leader() or NODES[0]

    def standby(self) -> str:
        return self.rng.choice([name for name in NODES if name != self.primary()])

    def etcd_leader(self) -> str:
        for name, (client, _) in self.cluster.members.items():
            request = urllib.request.Request(f"http://{HOST}:{client}/v3/maintenance/status", b"{}")
            try:
                with urllib.request.urlopen(request, timeout=2) as answer:
                    status = json.load(answer)
            except (urllib.error.URLError, OSError, ValueError):
                continue
            if status["leader"] == status["header"]["member_id"]:
                return name
        return MEMBERS[0]

    def postgres_of(self, name: str) -> list[int]:
        return [pid for first in self.cluster.nodes[name].pids() for pid in family(first)]

    def node(self, name: str) -> list[int]:
        """All processes of a node: Patroni and Postgres."""
        return [*family(self.part(name).process.pid), *self.postgres_of(name)]

    # What can be done to it

    def until_another_leads(self, name: str) -> None:
        end = time.monotonic() + SUCCESSION_SECONDS
        while self.cluster.leader() in (name, None) and time.monotonic() < end:
            time.sleep(CHECK_EVERY)

    def wait(self, seconds: tuple[float, float]) -> None:
        time.sleep(self.rng.uniform(*seconds))

    @contextmanager
    def gone(self, names: Sequence[str], pids: Sequence[int]) -> Iterator[None]:
        """Killed, and not started again as long as this lasts."""
        self.held.update(names)
        signal_all(pids, signal.SIGKILL)
        yield
        self.held.difference_update(names)

    @contextmanager
    def cut_off(self, name: str) -> Iterator[None]:
        self.gates.cut(name)
        try:
            yield
        finally:
            self.gates.mend(name)

    def kill_primary(self) -> None:
        name = self.primary()
        with self.gone([name], self.node(name)):
            self.until_another_leads(name)

    def freeze_primary(self) -> None:
        name = self.primary()
        with frozen(self.node(name)):
            self.until_another_leads(name)
            self.wait(SHORT)  # it wakes up as one who still believes that it leads

    def cut_primary(self) -> None:
        name = self.primary()
        with self.cut_off(name):
            self.until_another_leads(name)
            self.wait(SHORT)

    def freeze_postgres(self) -> None:
        name = self.primary()
        with frozen(self.postgres_of(name)):
            self.until_another_leads(name)

    def freeze_patroni(self) -> None:
        name = self.primary()
        with frozen(family(self.part(name).process.pid)):
            self.until_another_leads(name)
            self.wait(SHORT)

    def kill_standby(self) -> None:
        name = self.standby()
        with self.gone([name], self.node(name)):
            self.wait(LONG)

    def freeze_standby(self) -> None:
        with frozen(self.node(self.standby())):
            self.wait(LONG)

    def cut_standby(self) -> None:
        with self.cut_off(self.standby()):
            self.wait(LONG)

    def kill_member(self) -> None:
        name = self.etcd_leader()
        with self.gone([name], [self.part(name).process.pid]):
            self.wait(SHORT)

    def freeze_member(self) -> None:
        with frozen([self.part(self.etcd_leader()).process.pid]):
            self.wait(LONG)

    def freeze_etcd(self) -> None:
        with frozen([self.part(name).process.pid for name in MEMBERS]):
            self.wait(LONG)

    def freeze_haproxy(self) -> None:
        with frozen([self.part("haproxy").process.pid]):
            self.wait(SHORT)

    def is_well(self) -> bool:
        """Whether it is whole, or becomes so in time."""
        end = time.monotonic() + WHOLE_SECONDS
        while not self.cluster.is_whole():
            if time.monotonic() > end:
                return False
            time.sleep(CHECK_EVERY)
        return True


def longest_pause(moments: Sequence[float], began: float, ended: float) -> float:
    """The longest time without an accepted order from one moment to another."""
    within = [began, *(moment for moment in moments if began < moment < ended), ended]
    return max(after - before for before, after in itertools.pairwise(within))


# By name: each does something bad, and undoes it when it has had its effect.
CLUSTER_FAULTS: dict[str, Callable[[ClusterHouse], None]] = {
    "primary killed": ClusterHouse.kill_primary,
    "primary frozen": ClusterHouse.freeze_primary,
    "primary cut off": ClusterHouse.cut_primary,
    "primary's Postgres killed": lambda house: signal_all(house.postgres_of(house.primary()), signal.SIGKILL),
    "primary's Postgres frozen": ClusterHouse.freeze_postgres,
    "primary's Patroni killed": lambda house: house.kill(house.primary()),
    "primary's Patroni frozen": ClusterHouse.freeze_patroni,
    "standby killed": ClusterHouse.kill_standby,
    "standby frozen": ClusterHouse.freeze_standby,
    "standby cut off": ClusterHouse.cut_standby,
    "etcd's leader killed": ClusterHouse.kill_member,
    "etcd's leader frozen": ClusterHouse.freeze_member,
    "etcd frozen, all of it": ClusterHouse.freeze_etcd,
    "HAProxy killed": lambda house: house.kill("haproxy"),
    "HAProxy frozen": ClusterHouse.freeze_haproxy,
}
