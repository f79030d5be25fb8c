"""Mail that a provider hands in: who may, what is kept, and that it is read like mail from the door."""

import base64
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api.application import LARGEST_REQUEST
from api.dev_mail import box_of
from app import create_app
from runtime.config import Config
from runtime.post import LocalBox
from service import mail_in, mail_out, preferences
from store.database import Database
from tests.api.conftest import Person, Service
from tests.service.test_mail_in import HOST, HOUSE, Table
from workers.app import configure

SECRET = "a provider's long secret, with an é"
PATH = "/v1/mail/inbound"


@pytest.fixture(scope="module")
def provider(config: Config) -> Iterator[FlaskClient]:
    """The service with a secret for a provider."""
    changed = config.replace(mail_secret=SECRET, mail_domain=HOST, requests_per_minute=10**9, log_level="error")
    yield create_app(changed).test_client()
    configure(config)


def hand_in(client: FlaskClient, raw: bytes, recipient: str | None, authorization: str | None = None) -> TestResponse:
    shown = f"Bearer {SECRET}".encode().decode("latin-1") if authorization is None else authorization
    query = {} if recipient is None else {"recipient": recipient, "sender": "ann@example.org"}
    return client.post(
        PATH, data=raw, query_string=query, headers={"Authorization": shown}, content_type="message/rfc822"
    )


def waiting(db: Database) -> int:
    with db.session() as session:
        return int(session.value("select count(*) from mail_in"))


def test_without_a_secret_in_the_settings_there_is_no_such_address(service: Service) -> None:
    for header in ("", "Bearer ", "Bearer x", "Basic Og=="):
        answer = hand_in(service.client, b"From: a@b\r\n\r\nhi", f"waybill@{HOST}", header)
        assert (answer.status_code, answer.json["type"]) == (404, "urn:waybill:problem:not-found")


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Bearer ", "Bearer wrong", SECRET.encode().decode("latin-1"), "Basic Og==", "Basic !!!", "Digest x"],
)
def test_without_the_secret_nothing_is_kept(provider: FlaskClient, db: Database, header: str) -> None:
    before = waiting(db)
    answer = hand_in(provider, b"From: a@b\r\n\r\nhi", f"waybill@{HOST}", header)
    assert (answer.status_code, answer.json["type"]) == (401, "urn:waybill:problem:unauthorized")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert waiting(db) == before


def test_a_players_token_is_not_the_secret(provider: FlaskClient, service: Service) -> None:
    person = service.sign_up()
    assert hand_in(provider, b"x", f"waybill@{HOST}", f"Bearer {person.token}").status_code == 401


def test_a_mail_that_is_handed_in_is_kept_once_and_moves_once(provider: FlaskClient, db: Database) -> None:
    table = Table(db)
    table.play_opening()
    before, seat = table.sequence, table.turn
    raw, _, recipient = table.mail(seat, "take money")
    basic = "Basic " + base64.b64encode(f"provider:{SECRET}".encode()).decode()
    answers = [hand_in(provider, raw, recipient), hand_in(provider, raw, recipient, basic)]
    assert [(answer.status_code, answer.json["status"]) for answer in answers] == [(202, "kept"), (202, "known")]
    with db.session() as session:
        mail_id = session.value("select id from mail_in where raw = %s", raw)
    mail_in.process(db, HOUSE, mail_id)
    assert table.sequence == before + 1
    assert table.answer_to(mail_id).startswith("ACCEPTED")


@pytest.mark.parametrize(
    "recipient",
    [None, "", "ann@example.org", f"ann@{HOST}", HOST, f"play+\0@{HOST}", f"play+é@{HOST}", f"play+{'x' * 300}@{HOST}"],
)
def test_a_recipient_that_is_none_of_ours_is_refused(
    provider: FlaskClient, db: Database, recipient: str | None
) -> None:
    before = waiting(db)
    answer = hand_in(provider, b"From: a@b\r\n\r\nhi", recipient)
    assert (answer.status_code, list(answer.json["errors"])) == (422, ["recipient"])
    assert waiting(db) == before


def test_a_message_that_is_empty_or_too_large_is_refused(provider: FlaskClient) -> None:
    assert hand_in(provider, b" \r\n", f"waybill@{HOST}").status_code == 422
    assert hand_in(provider, b"x" * (LARGEST_REQUEST + 1), f"waybill@{HOST}").status_code == 413


def test_a_mail_of_any_bytes_is_kept_as_it_came(provider: FlaskClient, db: Database) -> None:
    raw = bytes(range(256)) * 3
    assert hand_in(provider, raw, f"WAYBILL@{HOST.upper()}").status_code == 202
    with db.session() as session:
        assert session.value("select count(*) from mail_in where raw = %s", raw) == 1


def mails(db: Database, person: Person) -> bool:
    with db.session() as session:
        chosen = preferences.read(session, person.id)
    return any("mail" in chosen.choice(kind).channels for kind in preferences.KINDS)


def test_one_click_stops_the_mail_of_one_player_and_a_look_does_not(service: Service, db: Database) -> None:
    ann, bob = service.sign_up(), service.sign_up()
    with db.session() as session:
        link = mail_out.unsubscribe_link(session, "https://games.example.org/", ann.id)
    assert link.startswith("https://games.example.org/v1/mail/unsubscribe?token=")
    path = link.removeprefix("https://games.example.org")
    page = service.client.get(path)
    assert (page.status_code, mails(db, ann)) == (200, True)
    assert page.headers.getlist("Content-Security-Policy")[0].endswith("sandbox allow-forms")
    assert len(page.headers.getlist("Content-Security-Policy")) == 1
    answer = service.client.post(path, data={"List-Unsubscribe": "One-Click"})
    assert (answer.status_code, mails(db, ann), mails(db, bob)) == (200, False, True)
    for token in (path.partition("=")[2].replace(f"{ann.id}.", f"{bob.id}."), "", "1", "x.y", "é.1", "9" * 30 + ".a"):
        assert service.client.post("/v1/mail/unsubscribe", query_string={"token": token}).status_code == 404
    assert mails(db, bob)


# A mail that is held


def test_one_click_lets_a_held_mail_go_and_a_look_does_not(provider: FlaskClient, db: Database) -> None:
    table = Table(db)
    table.play_opening()
    before, seat = table.sequence, table.turn
    mail_id = mail_in.keep(db, *table.mail(seat, "take money", From="phone@example.net"))
    assert mail_id is not None
    mail_in.process(db, mail_in.House(HOST, url="https://games.example.org/"), mail_id)
    asked = table.answer_to(mail_id, "held")
    link = re.search(r"https://games\.example\.org(/v1/mail/confirm\?token=\S+)", asked)
    assert link
    assert provider.get(link[1]).status_code == 200
    mail_in.process(db, HOUSE, mail_id)
    assert table.sequence == before
    for token in ("", "wc_" + "a" * 43, "é"):
        assert provider.post("/v1/mail/confirm", query_string={"token": token}).status_code == 404
    assert provider.post(link[1]).status_code == 200
    mail_in.process(db, HOUSE, mail_id)
    assert table.sequence == before + 1
    assert provider.post(link[1]).status_code == 404


# /dev/mail


@pytest.fixture(scope="module")
def developer(config: Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    """A client of a service whose mail stays in a folder of the test's own."""
    folder = tmp_path_factory.mktemp("developer")
    LocalBox(folder / "mail").send(a_mail(), "waybill@x", "ann@example.org")
    yield create_app(config.replace(folder=folder, requests_per_minute=10**9, log_level="error")).test_client()
    configure(config)


def a_mail() -> EmailMessage:
    message = EmailMessage()
    message["To"], message["Subject"] = "ann@example.org", "Your <move>"
    message["Date"] = datetime(2026, 11, 3, tzinfo=UTC)
    message.set_content("Bid <35>?")
    message.add_alternative('<p>Bid</p><img src="cid:board@x">', subtype="html")
    html = message.get_body(("html",))
    assert html is not None
    html.add_related(b"PNG", "image", "png", cid="<board@x>")
    return message


def test_whoever_develops_reads_the_mails_of_the_local_mailbox(developer: FlaskClient) -> None:
    client = developer
    listed = client.get("/dev/mail")
    assert "Your &lt;move&gt;" in listed.text
    key = re.search(r'href="/dev/mail/([^"]+)"', listed.text)[1]  # type: ignore[index]
    page = client.get(f"/dev/mail/{key}")
    assert "Bid &lt;35&gt;?" in page.text
    inside = client.get(f"/dev/mail/{key}/html")
    assert f"data:image/png;base64,{base64.b64encode(b'PNG').decode()}" in inside.text
    assert inside.headers["Content-Security-Policy"].endswith("sandbox")
    for answer in (listed, page, inside):
        assert answer.headers["Access-Control-Allow-Origin"] == "http://localhost"  # and not *
    assert client.get("/dev/mail/nosuchmail").status_code == 404


@pytest.mark.parametrize(
    "changes",
    [{"smtp_url": "smtp://127.0.0.1:1"}, {"proxies": 1}, {"host": "0.0.0.0"}, {"host": "games.example.org"}],
)
def test_there_is_nothing_to_read_where_others_may_come(config: Config, changes: dict[str, Any]) -> None:
    assert box_of(config) is not None
    assert box_of(config.replace(**changes)) is None


def test_without_a_mailbox_to_show_there_is_no_such_page(developer: FlaskClient) -> None:
    shown = developer.application.extensions["dev_mail"]
    developer.application.extensions["dev_mail"] = None
    assert developer.get("/dev/mail").status_code == 404
    developer.application.extensions["dev_mail"] = shown


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-For": "127.0.0.1"},
        {"Forwarded": "for=127.0.0.1"},
        {"Host": "evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
    ],
)
def test_no_page_and_no_proxy_reads_them(developer: FlaskClient, headers: dict[str, str]) -> None:
    client = developer
    assert client.get("/dev/mail").status_code == 200
    assert client.get("/dev/mail", headers=headers).status_code == 404
    assert client.get("/dev/mail", environ_base={"REMOTE_ADDR": "192.0.2.1"}).status_code == 404
