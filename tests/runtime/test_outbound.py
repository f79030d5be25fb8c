"""Requests to addresses of strangers: to public machines alone, to the address that was checked, and bounded."""

import ipaddress
import socket
import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from runtime import outbound
from runtime.outbound import NoAnswer, Refused
from tests.receiver import Receiver, receiver

PRIVATE = [
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.8.8.8",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "203.0.113.9",
    "224.0.0.1",
    "239.1.1.1",
    "240.0.0.1",
    "255.255.255.255",
    "168.63.129.16",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:808:808::",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "ff0e::1",
]
PUBLIC = ["8.8.8.8", "1.1.1.1", "100.63.255.255", "172.32.0.1", "2606:4700:4700::1111", "2a00:1450:4001:800::200e"]


@pytest.mark.parametrize("address", PRIVATE)
def test_address_that_is_no_public_machines_is_refused(address: str) -> None:
    with pytest.raises(Refused):
        outbound.check(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_public_address_is_taken(address: str) -> None:
    outbound.check(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "url",
    [
        "http://bot.example.org/",
        "ftp://bot.example.org/",
        "https:///path",
        "https://user:secret@bot.example.org/",
        "https://bot.example.org/#part",
        "https://localhost/",
        "https://a.localhost/",
        "https://db.internal/",
        "https://printer.local/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://bot.example.org:99999/",
        "https://bot.example.org:0/",
        "https://bot.example.org/a b",
        "https://bot.example.org/\r\nHost: other",
        "https://bücher.example/",
        "https://bot.example.org/" + "a" * 500,
        "bot.example.org",
    ],
)
def test_url_that_cannot_be_right_is_refused_before_anybody_is_asked(url: str) -> None:
    with pytest.raises(Refused):
        outbound.target(url)


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "127.1", "0"])
def test_numbers_in_disguise_are_refused_when_resolved(host: str) -> None:
    with pytest.raises(Refused):
        outbound.post(f"https://{host}/", b"", {})


def answers(*addresses: str) -> Any:
    """What a name server says."""

    def resolve(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    return resolve


def test_name_with_one_private_address_among_public_ones_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", answers("8.8.8.8", "10.0.0.1"))
    with pytest.raises(Refused, match=r"10\.0\.0\.1"):
        outbound.post("https://rebind.example/", b"", {})


def test_name_that_means_another_machine_a_moment_later_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is asked for once, and what is connected to is the address that was checked."""
    asked, connected = [], []

    def resolve(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        asked.append(host)
        return answers("8.8.8.8" if len(asked) == 1 else "127.0.0.1")(host, port)

    def connect(address: tuple[str, int], *_: Any, **__: Any) -> socket.socket:
        connected.append(address)
        raise ConnectionRefusedError("as far as this goes")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(NoAnswer, match="as far as this goes"):
        outbound.post("https://rebind.example/", b"", {})
    assert (asked, connected) == (["rebind.example"], [("8.8.8.8", 443)])


@pytest.fixture
def program() -> Iterator[Receiver]:
    with receiver() as found:
        yield found


def test_loopback_is_for_operators_who_allow_it(program: Receiver) -> None:
    with pytest.raises(Refused):
        outbound.post(program.url, b"x", {})
    assert program.raw == []
    assert outbound.post(program.url, b"x", {"A": "b"}, allow_loopback=True).status == 204
    headers, body = program.raw[0]
    assert (body, headers["A"], headers["Host"]) == (b"x", "b", program.url.split("/")[2])
    with pytest.raises(Refused, match="public"):
        outbound.post("https://10.0.0.1/", b"", {}, allow_loopback=True)


def test_redirects_are_not_followed(program: Receiver) -> None:
    program.status, program.headers = 302, {"Location": program.url}
    assert outbound.post(program.url, b"", {}, allow_loopback=True).status == 302
    assert len(program.raw) == 1


def test_of_a_long_answer_the_beginning_is_read(program: Receiver) -> None:
    program.status, program.body = 200, b"\0a" * 10**7
    assert outbound.post(program.url, b"", {}, allow_loopback=True).body == "a" * 512


def test_answer_that_drips_is_cut_off(program: Receiver) -> None:
    """Each letter comes soon after the one before, and the answer never ends."""
    program.drips = True
    with pytest.raises(NoAnswer, match=r"within 0\.5 seconds"):
        outbound.post(program.url, b"", {}, allow_loopback=True, limit=0.5)


def test_tls_and_host_are_for_the_name_and_the_connection_for_the_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, certificate = make_certificate(tmp_path, "bot.example.org")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    asked: list[Any] = []
    context.sni_callback = lambda _, name, __: asked.append(name)
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        for _ in range(2):
            try:
                with context.wrap_socket(listening.accept()[0], server_side=True) as connection:
                    whole = b""
                    while not whole.endswith(b"\r\n\r\nx"):
                        whole += connection.recv(65536)
                    asked.append(whole)
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
            except (ssl.SSLError, ConnectionError):
                pass

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    port = listening.getsockname()[1]
    monkeypatch.setattr(socket, "getaddrinfo", answers("127.0.0.1"))
    trusting = ssl.create_default_context(cafile=str(certificate))
    monkeypatch.setattr(outbound, "_tls", lambda: trusting)
    assert outbound.post(f"https://bot.example.org:{port}/told?a=1", b"x", {}, allow_loopback=True).body == "hi"
    assert asked[0] == "bot.example.org"
    assert f"POST /told?a=1 HTTP/1.1\r\nHost: bot.example.org:{port}\r\n".encode() in asked[1]
    with pytest.raises(NoAnswer, match="TLS failed"):
        outbound.post(f"https://other.example.org:{port}/", b"x", {}, allow_loopback=True)
    thread.join(10)
    listening.close()


def make_certificate(folder: Path, name: str) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    key_file, certificate_file = folder / "key.pem", folder / "certificate.pem"
    key_file.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    certificate_file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return key_file, certificate_file
