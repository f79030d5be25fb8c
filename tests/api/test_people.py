"""Who is who: proved addresses, signing in again, names that can be told apart, scopes, being forgotten."""

import json
import os
import re
import secrets
from pathlib import Path
from typing import Any

import pytest

from app import create_app
from runtime.config import Config
from runtime.logs import REQUEST_LOG, log_as_json
from runtime.post import LocalBox
from service import players, replays
from service.addresses import MOST_LETTERS
from store.players import set_email
from tests.api.conftest import Person, Service
from tests.factories import play_some

SECRET = re.compile(r"wl_[0-9A-Za-z]+")


def letters(service: Service, address: str) -> list[str]:
    """What has come to an address."""
    mailbox: LocalBox = service.app.extensions["mailbox"].transport
    found = [letter.get_body(("plain",)) for letter in mailbox.letters() if letter["To"] == address]
    return [body.get_content() for body in found if body]


def secret_in(service: Service, address: str) -> str:
    """What the only letter to an address asks to be sent back."""
    (letter,) = letters(service, address)
    found = SECRET.search(letter)
    assert found
    return found[0]


def prove(service: Service, person: Person, address: str) -> None:
    assert person.post("/v1/me/email", {"email": address}).status_code == 202
    answer = person.post("/v1/me/email/confirm", {"token": secret_in(service, address)})
    assert (answer.status_code, answer.json["email"]) == (200, address)


def invite(host: Person, address: str) -> str:
    """A private game to which an address is invited."""
    seats = [{"kind": "me"}, {"kind": "invite", "email": address}]
    answer = host.post("/v1/games", {"ruleset": "airlines-europe", "seats": seats, "private": True})
    assert answer.status_code == 201, answer.text
    return str(answer.json["game"]["id"])


def sees(person: Person, game_id: str) -> bool:
    listed = game_id in [game["id"] for game in person.get("/v1/games?status=open").json]
    found = person.get(f"/v1/games/{game_id}").status_code == 200
    assert listed == found
    return found


@pytest.mark.parametrize("method", ["sign-up", "PATCH", "POST"])
def test_who_only_names_an_address_does_not_get_what_comes_to_it(service: Service, method: str) -> None:
    address = f"victim.{method}@example.org".lower()
    game_id = invite(service.sign_up(), address)
    if method == "sign-up":
        made = service.client.post("/v1/players", json={"name": f"named {os.getpid()}-0", "email": address}).json
        stranger = Person(service.client, made["player"]["name"], made["token"], made["player"]["id"])
    else:
        stranger = service.sign_up()
        path = "/v1/me" if method == "PATCH" else "/v1/me/email"
        assert stranger.send(method, path, json={"email": address}).status_code in (200, 202)
    me = stranger.get("/v1/me").json
    assert (me["email"], me["unproved_email"]) == (None, address)
    assert not sees(stranger, game_id)
    assert stranger.post(f"/v1/games/{game_id}/seats", {}).status_code == 404
    assert not sees(stranger, invite(service.sign_up(), address))
    owner = service.sign_up()
    # The owner has what was sent, but is not the stranger: a careless click proves nothing for the stranger.
    assert owner.post("/v1/me/email/confirm", {"token": secret_in(service, address)}).status_code == 409
    assert stranger.get("/v1/me").json["email"] is None


def test_an_invitation_by_address_is_good_for_whoever_proves_it_later(service: Service) -> None:
    address = "late@example.org"
    game_id, person = invite(service.sign_up(), address), service.sign_up()
    assert not sees(person, game_id)
    prove(service, person, address.upper().replace("EXAMPLE.ORG", "example.org"))
    assert sees(person, game_id)
    assert person.post(f"/v1/games/{game_id}/seats", {}).status_code == 201


def test_an_invitation_goes_with_the_address(service: Service) -> None:
    first, second = service.sign_up(), service.sign_up()
    prove(service, first, "moves@example.org")
    game_id = invite(service.sign_up(), "moves@example.org")
    assert sees(first, game_id)
    assert first.send("PATCH", "/v1/me", json={"email": None}).json["email"] is None
    assert not sees(first, game_id)
    service.client.post("/v1/sign-in", json={"email": "moves@example.org"})
    assert second.post("/v1/me/email", {"email": "moves@example.org"}).status_code == 202
    (secret,) = [SECRET.search(text)[0] for text in letters(service, "moves@example.org") if second.name in text]
    assert second.post("/v1/me/email/confirm", {"token": secret}).status_code == 200
    assert sees(second, game_id)


def test_who_proves_an_address_has_it_whoever_had_it_before(service: Service) -> None:
    before, now = service.sign_up(), service.sign_up()
    prove(service, before, "handed.on@example.org")
    assert now.post("/v1/me/email", {"email": "handed.on@example.org"}).status_code == 202
    (secret,) = [SECRET.search(text)[0] for text in letters(service, "handed.on@example.org") if now.name in text]
    assert now.post("/v1/me/email/confirm", {"token": secret}).json["email"] == "handed.on@example.org"
    with service.db.session() as session:
        assert session.value("select email from players where id = %s", before.id) is None


def test_answers_tell_nothing_of_the_addresses_of_others(service: Service) -> None:
    prove(service, service.sign_up(), "known@example.org")
    answers: dict[str, list[Any]] = {"sign-up": [], "sign-in": [], "name": [], "change": []}
    for address in ("known@example.org", "unknown@example.org"):
        person = service.sign_up()
        signed_up = service.client.post("/v1/players", json={"name": f"Curious {address[:5]}", "email": address})
        answers["sign-up"].append((signed_up.status_code, signed_up.json["player"]["email"]))
        answer = service.client.post("/v1/sign-in", json={"email": address})
        answers["sign-in"].append((answer.status_code, answer.data))
        answer = person.post("/v1/me/email", {"email": address})
        answers["name"].append((answer.status_code, answer.data))
        answer = person.send("PATCH", "/v1/me", json={"email": address})
        answers["change"].append((answer.status_code, answer.json["email"]))
    for known, unknown in answers.values():
        assert known == unknown
    # The same work too: a letter for each of the four, and one that proved the address.
    assert len(letters(service, "known@example.org")) == 1 + 4
    assert len(letters(service, "unknown@example.org")) == 4


def test_who_has_lost_their_token_signs_in_by_their_address(service: Service) -> None:
    person = service.sign_up()
    prove(service, person, "lost@example.org")
    assert service.client.post("/v1/sign-in", json={"email": "Lost@Example.org"}).status_code == 202
    # It goes to the address as it was proved, however it was spelled now.
    (secret,) = [SECRET.search(text)[0] for text in letters(service, "lost@example.org") if "sign-in" in text]
    body = {"token": secret}
    answer = service.client.post("/v1/sign-in/confirm", json=body)
    assert (answer.status_code, answer.json["player"]["id"]) == (201, person.id)
    again = Person(service.client, person.name, answer.json["token"], person.id)
    assert again.send("PATCH", "/v1/me", json={}).status_code == 200
    assert service.client.post("/v1/sign-in/confirm", json=body).status_code == 404


def test_who_is_banned_does_not_get_in_by_a_letter(service: Service) -> None:
    person = service.sign_up()
    prove(service, person, "banned@example.org")
    service.client.post("/v1/sign-in", json={"email": "banned@example.org"})
    (secret,) = [SECRET.search(text)[0] for text in letters(service, "banned@example.org") if "sign-in" in text]
    with service.db.transaction() as transaction:
        players.ban(transaction, players.known(transaction, person.id), "sent threats")
    answer = service.client.post("/v1/sign-in/confirm", json={"token": secret})
    assert (answer.status_code, answer.json["type"]) == (403, "urn:waybill:problem:banned")
    with service.db.session() as session:
        assert len(players.tokens(session, person.id)) == 1


@pytest.mark.parametrize("like_it", ["loſt.too@example.org", "ｌost.too@example.org", "lost.too@example.οrg"])
def test_an_address_that_only_looks_like_it_is_another_one(service: Service, like_it: str) -> None:
    owner, stranger = service.sign_up(), service.sign_up()
    with service.db.transaction() as transaction:
        set_email(transaction, owner.id, "lost.too@example.org", "lost.too@example.org")
    assert service.client.post("/v1/sign-in", json={"email": like_it}).status_code in (202, 422)
    assert stranger.post("/v1/me/email", {"email": like_it}).status_code in (202, 422)
    assert not [text for text in letters(service, like_it) if owner.name in text]
    assert owner.get("/v1/me").json["email"] == "lost.too@example.org"
    assert not letters(service, "lost.too@example.org")


@pytest.mark.parametrize(
    "address",
    ["=?utf-8?q?x?=@example.org", '"=?utf-8?q?x=0aBcc:y?="@example.org', '"a b"@example.org', "ü@example.org"],
)
def test_an_address_that_mail_programs_read_as_another_is_refused(service: Service, address: str) -> None:
    for path in ("/v1/sign-in", "/v1/me/email"):
        answer = service.sign_up().post(path, {"email": address})
        assert (answer.status_code, list(answer.json["errors"]["json"])) == (422, ["email"])


def test_nobody_signs_in_by_an_address_that_is_not_proved(service: Service) -> None:
    person = service.sign_up()
    person.post("/v1/me/email", {"email": "not.proved@example.org"})
    service.client.post("/v1/sign-in", json={"email": "not.proved@example.org"})
    texts = letters(service, "not.proved@example.org")
    assert len(texts) == 2
    (secret,) = [found[0] for text in texts if (found := SECRET.search(text))]
    assert service.client.post("/v1/sign-in/confirm", json={"token": secret}).status_code == 404


def test_what_a_letter_asks_for_is_good_once_and_not_for_ever(service: Service) -> None:
    person = service.sign_up()
    person.post("/v1/me/email", {"email": "late.proof@example.org"})
    body = {"token": secret_in(service, "late.proof@example.org")}
    with service.db.session() as session:
        session.run("update links set expires_at = now() where email_key = 'late.proof@example.org'")
    assert person.post("/v1/me/email/confirm", body).status_code == 404
    with service.db.session() as session:
        session.run(
            "update links set expires_at = now() + interval '1 hour' where email_key = 'late.proof@example.org'"
        )
    assert person.post("/v1/me/email/confirm", body).status_code == 200
    assert person.post("/v1/me/email/confirm", body).status_code == 404
    for nonsense in ("wl_nonsense", person.token):
        assert person.post("/v1/me/email/confirm", {"token": nonsense}).status_code == 404


def test_an_address_gets_few_letters_an_hour_and_nobody_is_told(service: Service) -> None:
    answers = {
        service.client.post("/v1/sign-in", json={"email": "flooded@example.org"}).data for _ in range(MOST_LETTERS + 2)
    }
    assert len(answers) == 1
    assert len(letters(service, "flooded@example.org")) == MOST_LETTERS


def test_without_a_mailbox_a_sign_up_stands_and_who_wants_a_letter_is_told(
    config: Config, tmp_path: Path, service: Service
) -> None:
    (tmp_path / "mail").write_text("no folder")
    client = create_app(config.replace(folder=tmp_path, log_level="critical")).test_client()
    made = client.post("/v1/players", json={"name": "Without Mail", "email": "without@example.org"})
    assert made.status_code == 201
    person = Person(client, "Without Mail", made.json["token"], made.json["player"]["id"])
    for answer in (
        person.post("/v1/me/email", {"email": "without@example.org"}),
        client.post("/v1/sign-in", json={"email": "without@example.org"}),
    ):
        assert (answer.status_code, answer.json["type"]) == (503, "urn:waybill:problem:unavailable")
        assert answer.headers["Retry-After"] == "60"
    log_as_json("error")


def test_what_was_sent_cannot_be_read_from_the_database(service: Service) -> None:
    person = service.sign_up()
    person.post("/v1/me/email", {"email": "hashed@example.org"})
    secret = secret_in(service, "hashed@example.org")
    with service.db.session() as session:
        assert not session.value("select count(*) from links l where l::text like %s", f"%{secret[3:]}%")


@pytest.mark.parametrize(
    "name",
    ["Ann\u200bLee", "Ann\u3164", "Ann\u034fLee", "\u2800", "Ann\ufe0f", "Аnn", "Annο", "Ann\u00ad", "Ann  Lee", "…"],
    ids=[
        "zero width",
        "filler",
        "joiner",
        "blank",
        "selector",
        "Cyrillic",
        "Greek",
        "soft hyphen",
        "two spaces",
        "dots",
    ],
)
def test_a_name_shows_what_it_is(service: Service, name: str) -> None:
    answer = service.client.post("/v1/players", json={"name": name})
    assert (answer.status_code, answer.json["type"]) == (422, "urn:waybill:problem:invalid-request"), name
    assert service.sign_up().send("PATCH", "/v1/me", json={"name": name}).status_code == 422


@pytest.mark.parametrize(
    ("name", "like_it"),
    [
        ("ÄNNCHEN", "ännchen"),
        ("Sasha Popov", "sаshа рopov".replace("а", "a").replace("р", "p").upper()),
        ("Poco", "Росо"),
        ("Bob Dolo", "ꓐꓳꓐ ꓓꓳꓡꓳ"),  # Lisu
        ("Deb Wag", "ꭰꭼᏼ ᏔᎪᏀ".upper()),  # Cherokee
        ("Tom Marner", "Torn Mamer"),
        ("Bill Gill", "BiII GiII"),
        ("Olo 10", "O1O l0"),
        ("Straße", "STRASSE"),
        ("Zoë", "Zoe\u0308"),
        ("Ken", "Ｋｅｎ"),
        ("ΣΟΦΟΣ", "σοφος"),
    ],
)
def test_names_that_look_alike_are_not_both_given(service: Service, name: str, like_it: str) -> None:
    assert service.client.post("/v1/players", json={"name": name}).status_code == 201
    answer = service.client.post("/v1/players", json={"name": like_it})
    assert (answer.status_code, answer.json["type"]) == (409, "urn:waybill:problem:conflict")


def test_names_that_differ_in_an_accent_are_different(service: Service) -> None:
    for name in ("Rene Accent", "René Accent", "Jose Accent", "Jofe Accent"):
        assert service.client.post("/v1/players", json={"name": name}).status_code == 201


def test_nobody_is_invited_by_a_name_that_only_looks_like_theirs(service: Service) -> None:
    service.sign_up("Invited Torn")
    seats = [{"kind": "me"}, {"kind": "invite", "name": "Invited Tom"}]
    answer = service.sign_up().post("/v1/games", {"ruleset": "airlines-europe", "seats": seats})
    assert answer.status_code == 422
    seats[1]["name"] = "INVITED TORN"
    answer = service.sign_up().post("/v1/games", {"ruleset": "airlines-europe", "seats": seats})
    assert answer.status_code == 201


def test_a_name_given_up_stays_taken_for_a_year(service: Service) -> None:
    person, other = service.sign_up("Given Up"), service.sign_up()

    def rename(who: Person, name: str) -> int:
        return who.send("PATCH", "/v1/me", json={"name": name}).status_code

    assert rename(person, "Taken Instead") == 200
    assert rename(other, "Given Up") == 409
    assert rename(person, "given up") == 200  # their own, so they may have it back
    assert rename(person, "Taken Instead") == 200
    with service.db.session() as session:
        session.run("update names set given_up_at = now() - interval '366 days' where given_up_at is not null")
    assert rename(other, "Given Up") == 200
    assert rename(person, "Given Up") == 409


def test_names_from_before_are_kept_from_others_too(service: Service) -> None:
    person = service.sign_up("From Before")
    with service.db.session() as session:
        session.run("delete from names where player_id = %s", person.id)
        session.run("update players set name_key = null where id = %s", person.id)
    assert service.client.post("/v1/players", json={"name": "FR0M BEF0RE"}).status_code == 409


def test_seats_show_whose_they_are(service: Service) -> None:
    game_id, persons = service.open_game(people=2, bots=1)
    seats = service.client.get(f"/v1/games/{game_id}").json["seats"]
    assert [seat["player"] for seat in seats] == [persons[0].id, persons[1].id, None]


PLACES = ("", "/position", "/log", "/board.txt", "/board.svg", "/record")


def shown(service: Service, game_id: str, person: Person | None = None) -> str:
    """Everything that is shown of a game."""
    ask = person.get if person else service.client.get
    return "\n".join(ask(f"/v1/games/{game_id}{place}").text for place in PLACES)


def test_a_new_name_is_shown_everywhere_and_no_hash_changes(service: Service) -> None:
    game_id, (person, other) = service.open_game()
    service.play_opening(game_id, [person, other])
    play_some(service.db, game_id, 10)
    assert person.name in shown(service, game_id)
    head = service.client.get(f"/v1/games/{game_id}/log").json["rows"][-1]["hash"]
    new = f"Renamed {person.id}"
    assert person.send("PATCH", "/v1/me", json={"name": new}).status_code == 200
    assert person.name not in shown(service, game_id)
    assert new in shown(service, game_id)
    assert service.client.get(f"/v1/games/{game_id}/log").json["rows"][-1]["hash"] == head
    assert replays.rebuild(service.db, game_id).head == head
    assert other.send("DELETE", f"/v1/games/{game_id}/seats/me").status_code == 200
    left = f"Left {other.id}"
    assert other.send("PATCH", "/v1/me", json={"name": left}).status_code == 200
    assert left in shown(service, game_id)
    assert other.name not in shown(service, game_id)


def test_who_is_forgotten_is_shown_nowhere(service: Service) -> None:
    person = service.sign_up("Soon Forgotten")
    prove(service, person, "soon.forgotten@example.org")
    friends = [service.sign_up() for _ in range(2)]
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]

    def open_game(host: Person, *guests: Person) -> str:
        game_id = str(host.post("/v1/games", {"ruleset": "airlines-europe", "seats": seats}).json["game"]["id"])
        for guest in guests:
            assert guest.post(f"/v1/games/{game_id}/seats", {}).status_code == 201
        return game_id

    running, over = open_game(person, *friends), open_game(friends[0], friends[1], person)
    left, opened = open_game(friends[1], person, friends[0]), open_game(person, friends[0])
    alone, invited = open_game(person), invite(friends[0], "soon.forgotten@example.org")
    play_some(service.db, running, 6)
    play_some(service.db, over, 10_000)
    assert person.send("DELETE", f"/v1/games/{left}/seats/me").status_code == 200
    assert person.send("DELETE", "/v1/me").status_code == 204
    assert person.get("/v1/me").status_code == 401
    for game_id in (running, over, left, opened, alone):
        assert "Forgotten" not in shown(service, game_id), game_id
        assert person.id not in [seat["player"] for seat in service.client.get(f"/v1/games/{game_id}").json["seats"]]
    games = {game_id: friends[0].get(f"/v1/games/{game_id}").json for game_id in (running, opened, alone, invited)}
    assert (games[running]["status"], games[running]["host"]) == ("running", friends[0].id)
    seat = games[running]["seats"][0]
    assert (seat["kind"], seat["name"], seat["player"], seat["record"]) == ("bot", "Seat 1", None, None)
    assert [gone["player"] for gone in games[running]["departures"]] == [None]
    assert (games[opened]["status"], games[opened]["host"]) == ("open", friends[0].id)
    assert (games[alone]["status"], games[invited]["status"]) == ("over", "open")
    assert replays.rebuild(service.db, running).head
    with service.db.session() as session:
        tables = [row[0] for row in session.rows("select tablename from pg_tables where schemaname = 'public'")]
        for table in set(tables) - {"names"}:  # that keeps the name from others, for a year
            assert not session.value(f"select count(*) from {table} t where t::text ilike '%%soon%%forgotten%%'"), table
    assert service.client.post("/v1/players", json={"name": "soon forgotten"}).status_code == 409
    service.client.post("/v1/sign-in", json={"email": "Soon.Forgotten@example.org"})
    (letter,) = letters(service, "Soon.Forgotten@example.org")  # nobody's, so it goes where it was asked for
    assert not SECRET.search(letter)


def test_who_is_forgotten_does_not_come_back_by_a_process_that_has_not_heard_of_it(
    service: Service, config: Config
) -> None:
    elsewhere = create_app(config.replace(log_level="error")).test_client()
    person = service.sign_up()
    same = Person(elsewhere, person.name, person.token, person.id)
    assert same.get("/v1/me").status_code == 200
    host = service.sign_up()
    seats = [{"kind": "me"}, {"kind": "open"}]
    game_id = host.post("/v1/games", {"ruleset": "airlines-europe", "seats": seats}).json["game"]["id"]
    assert person.send("DELETE", "/v1/me").status_code == 204
    assert same.post(f"/v1/games/{game_id}/seats", {}).status_code == 404
    assert same.post("/v1/games", {"ruleset": "airlines-europe", "seats": seats}).status_code == 404
    assert same.send("PATCH", "/v1/me", json={"name": "Back Again", "email": "back@example.org"}).status_code == 404
    assert same.post("/v1/me/email", {"email": "back@example.org"}).status_code == 404
    assert same.post("/v1/me/tokens", {}).status_code == 404
    assert not letters(service, "back@example.org")


def test_everything_that_is_kept_about_someone_is_told_to_them(service: Service) -> None:
    game_id, (person, other) = service.open_game()
    prove(service, person, "curious@example.org")
    person.send("PATCH", "/v1/me", json={"name": f"Curious {person.id}"})
    told = person.get("/v1/me/export")
    assert told.status_code == 200
    assert told.headers["Cache-Control"] == "private, no-store"
    assert told.json["player"]["email"] == "curious@example.org"
    assert [token["label"] for token in told.json["tokens"]] == ["sign-up"]
    assert len(told.json["names_given_up"]) == 1
    assert [(game["game"]["id"], game["seat"]) for game in told.json["games"]] == [(game_id, 0)]
    assert other.name not in told.text
    assert "seed" not in told.json["games"][0]["game"]


OPENED = {"ruleset": "airlines-europe", "seats": [{"kind": "me"}, {"kind": "bot"}]}
WRITES: dict[str, list[tuple[str, str, Any]]] = {
    "account": [
        ("PATCH", "/v1/me", {}),
        ("DELETE", "/v1/me", None),
        ("GET", "/v1/me/export", None),
        ("POST", "/v1/me/email", {"email": "a@example.org"}),
        ("POST", "/v1/me/email/confirm", {"token": "x"}),
        ("GET", "/v1/me/tokens", None),
        ("POST", "/v1/me/tokens", {}),
        ("DELETE", "/v1/me/tokens/1", None),
    ],
    "host": [
        ("POST", "/v1/games", OPENED),
        *[("POST", f"/v1/games/GAME/{word}", None) for word in ("start", "pause", "resume")],
    ],
    "play": [
        ("POST", "/v1/games/GAME/moves", {"orders": "take money"}),
        ("POST", "/v1/games/GAME/seats", {}),
        ("DELETE", "/v1/games/GAME/seats/me", None),
    ],
}


@pytest.mark.parametrize("scope", WRITES)
def test_a_token_does_what_it_is_for_and_no_more(
    service: Service, running: tuple[str, list[Person]], scope: str
) -> None:
    game_id, (person, _) = running
    others = [other for other in WRITES if other != scope]
    issued = person.post("/v1/me/tokens", {"scopes": others})
    assert set(issued.json["scopes"]) == {"read", *others}
    limited = Person(service.client, person.name, issued.json["token"], person.id)
    assert limited.get(f"/v1/games/{game_id}/options").status_code == 200
    for method, path, body in WRITES[scope]:
        answer = limited.send(method, path.replace("GAME", game_id), json=body)
        assert (answer.status_code, answer.json["type"]) == (403, "urn:waybill:problem:missing-scope"), path
        assert answer.json["scope"] == scope


def test_the_log_knows_people_by_their_numbers(config: Config, capfd: pytest.CaptureFixture[str]) -> None:
    client = create_app(config.replace(log_level="info")).test_client()
    name = f"Logged Person {secrets.token_hex(3)}"  # others may have signed up with an example that was recorded here
    made = client.post("/v1/players", json={"name": name, "email": "logged@example.org"}).json
    headers = {"Authorization": f"Bearer {made['token']}", "X-Request-ID": "a-known-person"}
    assert client.get("/v1/me", headers=headers).status_code == 200
    REQUEST_LOG.write()
    log_as_json("error")
    told = capfd.readouterr().err
    (line,) = [json.loads(line) for line in told.splitlines() if "a-known-person" in line]
    assert line["player"] == made["player"]["id"]
    assert "ogged" not in told.replace('"logger"', "")


def test_the_token_of_a_program_leaves_the_account_alone_unless_asked_to(service: Service) -> None:
    person = service.sign_up()
    issued = person.post("/v1/me/tokens", {"label": "bot"}).json
    assert issued["scopes"] == ["read", "play", "host"]
    bot = Person(service.client, person.name, issued["token"], person.id)
    assert bot.send("PATCH", "/v1/me", json={"email": "taken.over@example.org"}).status_code == 403
    assert person.get("/v1/me").json["unproved_email"] is None
