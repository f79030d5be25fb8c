"""Links that can be cut: a process of relays between the parts of a cluster, on loopback and without being root.

A relay passes on what it gets. Cut, its sockets drop every packet before TCP sees it (a socket filter of the kernel):
nothing is acknowledged, nobody is told, and who waits for an answer has to find out, as with a cable that was pulled.
Mended, what was sent again arrives, if anybody still sends it.

The relays come as JSON in the first argument: port, port behind it, node that it leads to, node that it leads from.
Where several nodes use a relay, the first bytes tell who they are: a standby gives its name as its application_name.
Commands come as lines on standard input: `cut node1`, `mend node1`; each is answered by a line.
"""

import asyncio
import json
import os
import re
import socket
import struct
import subprocess
import sys
from contextlib import suppress
from ctypes import addressof, create_string_buffer
from typing import NamedTuple

from commands import ROOT

SO_ATTACH_FILTER, SO_DETACH_FILTER = 26, 27
DROP_ALL = create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0))  # one instruction: let nothing through
AT_ONCE = 256 * 1024  # bytes
CHECK_EVERY = 0.1  # seconds
HELLO = 3  # reads in which somebody may give their name
NAME = re.compile(rb"(?:application_name\0|\"name\": ?\")(node\d)")


class Relay(NamedTuple):
    port: int
    behind: int
    to: str
    source: str = ""  # empty: whoever says who they are


class Link:
    """A connection through a relay: a socket at either end."""

    def __init__(self, relay: Relay, ends: list[socket.socket]) -> None:
        self.ends = ends
        self.touches = {relay.to, relay.source}


class Gates:
    def __init__(self) -> None:
        self.cut: set[str] = set()
        self.doors: list[tuple[Relay, socket.socket]] = []
        self.links: set[Link] = set()
        self.tasks: set[asyncio.Task[None]] = set()

    def apply(self) -> None:
        """Lets the kernel drop what comes in at sockets of whoever is cut off, and at no others."""
        for relay, door in self.doors:
            silence(door, bool({relay.to, relay.source} & self.cut))
        for link in self.links:
            for end in link.ends:
                silence(end, bool(link.touches & self.cut))

    async def serve(self, relay: Relay) -> None:
        door = socket.create_server(("127.0.0.1", relay.port), backlog=100)
        door.setblocking(False)
        self.doors.append((relay, door))
        loop = asyncio.get_running_loop()
        while True:
            client, _ = await loop.sock_accept(door)
            task = loop.create_task(self.relay(relay, client))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def relay(self, relay: Relay, client: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        server = socket.socket()
        link = Link(relay, [client, server])
        try:
            for end in link.ends:
                end.setblocking(False)
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await loop.sock_connect(server, ("127.0.0.1", relay.behind))
            self.links.add(link)
            self.apply()
            done, rest = await asyncio.wait(
                [
                    loop.create_task(self.pump(link, client, server, HELLO)),
                    loop.create_task(self.pump(link, server, client)),
                ],
                return_when=asyncio.FIRST_COMPLETED,
            )
            for task in rest:
                task.cancel()
            await asyncio.gather(*done, *rest, return_exceptions=True)
        except OSError:
            pass
        finally:
            self.links.discard(link)
            client.close()
            server.close()

    async def pump(self, link: Link, source: socket.socket, target: socket.socket, hello: int = 0) -> None:
        loop = asyncio.get_running_loop()
        while data := await loop.sock_recv(source, AT_ONCE):
            if hello:
                hello -= 1
                if found := NAME.search(data):
                    link.touches.add(found[1].decode())
                    self.apply()
            while link.touches & self.cut:  # what is on its way, or has just told whose it is
                await asyncio.sleep(CHECK_EVERY)
            await loop.sock_sendall(target, data)


def silence(end: socket.socket, wanted: bool) -> None:
    with suppress(OSError):  # detaching what is not attached
        if wanted:
            program = struct.pack("HP", 1, addressof(DROP_ALL))
            end.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, program)
        else:
            end.setsockopt(socket.SOL_SOCKET, SO_DETACH_FILTER, 0)


async def main(relays: list[Relay]) -> None:
    gates = Gates()
    loop = asyncio.get_running_loop()
    serving = [loop.create_task(gates.serve(relay)) for relay in relays]
    commands = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    while len(gates.doors) < len(relays):
        for task in serving:
            if task.done():
                task.result()
        await asyncio.sleep(0.01)
    print("ready", flush=True)
    while line := (await commands.readline()).decode():
        word, name = line.split()
        (gates.cut.add if word == "cut" else gates.cut.discard)(name)
        gates.apply()
        print("done", flush=True)
    os._exit(0)


class GateKeeper:
    """The process of the relays, as its parent sees it. Use as a context."""

    def __init__(self, relays: list[Relay]) -> None:
        self.relays = relays

    def __enter__(self) -> "GateKeeper":
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "commands._chaos_gates", json.dumps(self.relays)],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._answer()
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()  # the end of its input is the end of it

    def cut(self, name: str) -> None:
        self._say(f"cut {name}")

    def mend(self, name: str) -> None:
        self._say(f"mend {name}")

    def _say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        self._answer()

    def _answer(self) -> None:
        assert self.process.stdout is not None
        if not self.process.stdout.readline():
            raise RuntimeError("The relays have ended.")


if __name__ == "__main__":
    asyncio.run(main([Relay(*relay) for relay in json.loads(sys.argv[1])]))
