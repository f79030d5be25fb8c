"""The client against a real `./waybill up`, with everything that belongs to it."""

import os
from collections.abc import Callable, Iterator

import httpx
import pytest
from waybill_client import Client

from runtime.processes import free_port
from tests.commands.test_up import Up
from tests.contract import contract_at


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("client") / "waybill"
    settings = {"WAYBILL_REQUESTS_PER_MINUTE": "1000000", "WAYBILL_WEBHOOK_LOOPBACK": "1"}
    up = Up(folder, "--port", str(free_port()), **settings)
    try:
        yield up.wait().url
    finally:
        up.stop()


@pytest.fixture
def sign_up(url: str) -> Iterator[Callable[..., Client]]:
    """Clients of new players."""
    clients: list[Client] = []

    def hold(answer: httpx.Response) -> None:
        """Whatever a real server answers is held against its document."""
        is_json = "json" in answer.headers.get("Content-Type", "")
        body = answer.read() if is_json else b""
        headers = {name: value for name, value in answer.headers.items() if name != "content-encoding"}  # httpx unpacks
        contract_at(url).check(answer.request.method, answer.url.path, answer.status_code, httpx.Headers(headers), body)

    def make(**options: object) -> Client:
        clients.append(Client(url, **options))  # type: ignore[arg-type]  # whatever a test wants
        clients[-1]._http.event_hooks["response"].append(hold)
        clients[-1].sign_up(f"client {os.urandom(5).hex()}")
        return clients[-1]

    yield make
    for client in clients:
        client.close()
