"""Mail that a provider hands in: who may, what is kept, and that it is read like mail from the door."""

import base64
import re
import time
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
from service import guests, mail_in, mail_out, notices, preferences
from service.channels import Channels
from store import players as player_rows
from store.database import Database
from tests.api.conftest import Person, Service
from tests.service.test_guests import Invitation
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


def link_of(invitation: Invitation) -> str:
    body = invitation.letter.get_body(("plain",))
    assert body is not None
    found = re.search(r"https://games\.example\.org(/v1/mail/invitation\?token=\S+)", body.get_content())
    assert found is not None
    return found[1]


def test_an_invitation_is_answered_by_its_link_and_a_look_does_not(service: Service, db: Database) -> None:
    invitation, name = Invitation(db), f"Link {time.time_ns()}"
    link = link_of(invitation)
    page = service.client.get(link)
    assert "Airlines Europe" in page.text
    assert "form-action 'self'" in page.headers["Content-Security-Policy"]
    assert not invitation.seat.is_taken
    taken = service.client.post(link, data={"name": f"{invitation.host.name}"})
    assert (taken.status_code, "with this name already" in taken.text) == (409, True)
    assert service.client.post(link, data={"name": "<b>" * 20}).status_code == 409
    assert service.client.post(link, data={}).status_code == 409
    assert f"Welcome, {name}" in service.client.post(link, data={"name": name}).text
    assert invitation.player is not None
    assert invitation.seat.player_id == invitation.player.id
    assert service.client.post(link, data={"name": "Somebody Else"}).status_code == 409, "it is good once"


def test_an_invitation_is_declined_by_its_link_or_by_one_click(service: Service, db: Database) -> None:
    declined, stopped = Invitation(db), Invitation(db)
    assert "no mail comes" in service.client.post(link_of(declined), data={"decline": "1"}).text
    header = stopped.letter["List-Unsubscribe"].strip("<> ").removeprefix("https://games.example.org")
    assert service.client.get(header).status_code == 200
    assert stopped.seat.invited_email is not None
    assert service.client.post(header, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    for invitation in (declined, stopped):
        assert invitation.seat.invited_email is None
        assert Invitation(db, email=invitation.email).raw == b""


@pytest.mark.parametrize("token", ["", "1", "1.aaaa", f"1.{'a' * 20}", f"1.{'ſ' * 20}", "9" * 200, "i1.x"])
def test_no_link_of_an_invitation_is_guessed(service: Service, token: str) -> None:
    for way in (service.client.get, service.client.post):
        assert way("/v1/mail/invitation", query_string={"token": token}).status_code == 404
    assert service.client.post("/v1/mail/unsubscribe", query_string={"token": f"i{token}"}).status_code == 404


def test_a_host_cannot_tell_whether_an_address_is_known_here(service: Service, db: Database) -> None:
    """Two worlds: in one the address is a player's. The host's answers, game and feed are the same, byte for byte."""
    host, known, address = service.sign_up(), service.sign_up(), f"world.{time.time_ns()}@example.org"
    said = []
    for is_known in (False, True):
        if is_known:
            with db.transaction() as transaction:
                player_rows.set_email(transaction, int(known.get("/v1/me").json["id"]), address, address)
        body = {"ruleset": "airlines-europe", "seats": [{"kind": "me"}, {"kind": "invite", "email": address}]}
        opened = host.post("/v1/games", body)
        game_id = opened.json["game"]["id"]
        guests.write_letters(db, HOST, "https://games.example.org")
        notices.pass_on(db, Channels())
        shown = [opened.text, host.get(f"/v1/games/{game_id}").text, host.get(f"/v1/notices?game={game_id}").text]
        shown += [str(sorted(opened.headers.keys()))]
        text = "\n".join(shown).replace(game_id, "")
        text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)|wi_\w+|[0-9a-f]{64}", "", text)
        said.append(re.sub(r'(?<="unread":)\d+', "", text))
    assert said[0] == said[1]


def test_more_invitations_than_a_day_has_are_refused(service: Service) -> None:
    host = service.sign_up()
    seats = [{"kind": "me"}, *({"kind": "invite", "email": f"a{n}.{time.time_ns()}@example.org"} for n in range(4))]
    answers = [host.post("/v1/games", {"ruleset": "airlines-europe", "seats": seats}) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [201] * 5 + [429]
    assert int(answers[-1].headers["Retry-After"]) > 80_000


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
