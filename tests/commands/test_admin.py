"""What an operator can look up and do, on the database of a running service or another."""

import os
from collections.abc import Callable

import pytest

from app import create_app
from commands.__main__ import run
from runtime.config import Config, read_config
from service import games, players
from service.games import NewGame, NewSeat
from store.database import Database
from tests.api.conftest import Service
from tests.factories import make_game, make_player

Admin = Callable[..., str]


@pytest.fixture
def admin(config: Config, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Admin:
    """Runs `./waybill admin ...` and gives what it prints."""
    monkeypatch.setenv("DATABASE_URL", config.database_url)
    monkeypatch.setenv("REDIS_URL", config.redis_url)

    def call(*arguments: str) -> str:
        assert run("admin", [*arguments]) == 0
        return capsys.readouterr().out

    return call


def rows(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.splitlines()]


def test_games_are_listed_with_who_plays_and_whom_they_wait_for(db: Database, admin: Admin) -> None:
    game_id, (ann, bob) = make_game(db)
    headings, line = rows(admin("games", "--player", ann.name))
    found = dict(zip(headings, line, strict=True))
    assert found["game"] == game_id
    assert (found["status"], found["row"]) == ("running", "0")
    assert found["players"] == found["waits for"] == f"{ann.name}, {bob.name}"
    assert len(rows(admin("games", "--player", ann.name, "--status", "over"))) == 1


def test_players_are_found_by_a_part_of_their_name(db: Database, admin: Admin) -> None:
    name = f"Zaphod {os.getpid()}"
    player = make_player(db, name)
    headings, line = rows(admin("players", "zaphod"))
    found = dict(zip(headings, line, strict=True))
    assert (found["player"], found["name"], found["tokens"], found["banned"]) == (str(player.id), name, "0", "-")


def test_banned_player_is_told_so_until_the_ban_is_lifted(config: Config, db: Database, admin: Admin) -> None:
    service = Service(create_app(config.replace(requests_per_minute=10**9, log_level="error")), db)
    game_id, (ann, bob) = service.open_game()
    cache = service.app.extensions["cache"]
    said = admin("ban", ann.name, "--reason", "sent threats")
    assert f"The game {game_id} (airlines-europe) keeps the seat" in said
    cache.clear()
    for answer in (ann.get("/v1/me"), ann.post("/v1/me/tokens", {"label": "x"}), ann.get(f"/v1/games/{game_id}")):
        assert (answer.status_code, answer.json["type"]) == (403, "urn:waybill:problem:banned")
        assert answer.json["detail"].startswith("You are banned from this service (sent threats).")
    assert bob.get("/v1/me").status_code == 200
    assert "banned sent threats" in admin("players", ann.name)
    admin("ban", ann.name, "--lift")
    assert ann.get("/v1/me").status_code == 200


def test_ban_that_is_not_there_cannot_be_lifted(db: Database, admin: Admin, capsys: pytest.CaptureFixture[str]) -> None:
    name = make_player(db).name
    with pytest.raises(SystemExit):
        admin("ban", name, "--lift")
    assert f"{name} is not banned." in capsys.readouterr().err


def test_rename_shows_in_every_game(db: Database, admin: Admin) -> None:
    begun, (ann, _) = make_game(db)
    new = f"{ann.name} II"
    with db.transaction() as transaction:
        seats = (NewSeat("me"), NewSeat("open"))
        waiting = games.create(transaction, ann, NewGame("airlines-europe", seats)).game.id
    said = admin("rename", ann.name, new)
    assert f"{ann.name} is now {new}" in said
    with db.session() as session:
        assert players.by_name(session, ann.name) is None
        assert games.seats(session, begun)[0].name == new
        assert games.seats(session, waiting)[0].name == new


def test_name_that_somebody_has_is_not_given_again(
    db: Database, admin: Admin, capsys: pytest.CaptureFixture[str]
) -> None:
    ann, bob = make_player(db), make_player(db)
    with pytest.raises(SystemExit):
        admin("rename", ann.name, bob.name.upper())
    assert "There is a player with this name already" in capsys.readouterr().err


def test_tokens_are_listed_and_games_ended(db: Database, admin: Admin) -> None:
    game_id, (ann, _) = make_game(db)
    assert "wb_" in admin("token", ann.name, "--label", "laptop")
    assert "valid  laptop" in admin("tokens", ann.name)
    assert admin("end", game_id) == f"The game {game_id} has been ended.\n"
    assert rows(admin("games", "--player", ann.name))[1][2] == "over"


def test_push_key_is_one_that_the_configuration_takes(admin: Admin) -> None:
    name, _, key = admin("push-key").strip().partition("=")
    assert len(read_config({name: key}).vapid_key) == 32
    assert admin("push-key") != admin("push-key")
