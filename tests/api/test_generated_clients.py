"""Clients that are generated from the document play every game to its end, knowing no rules."""

import importlib
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from flask import Flask

from app import create_app
from referee.games import all_games
from runtime.config import Config
from schemas.game_types import title_of
from service import bot_turns, phases
from service.work import Work
from store.database import Database
from tests import node_tools
from tests.serving import served

# What openapi-python-client does not take for text or bytes by itself; docs/api.md has the same.
PYTHON_CONFIG = """\
content_type_overrides:
  application/jsonl: text/plain
  image/svg+xml: text/plain
  image/png: application/octet-stream
"""

EXAMPLES_ALONE = 'extends: [["spectral:oas", "off"]]\nrules: {oas3-valid-media-example: error}\n'


@pytest.fixture(scope="module")
def playing(config: Config, db: Database) -> Iterator[tuple[Flask, str]]:
    """The API by a socket. What workers would do in a moment is done before the answer."""
    app = create_app(config.replace(requests_per_minute=10**9, log_level="error"))

    def do(work: Work | None) -> None:
        while work:
            if work.kind == "bot":
                work = bot_turns.play(db, work.game_id)
            else:
                done = phases.resolve(db, work.game_id)
                work = done.work if done else None

    app.extensions["enqueue_work"] = do
    with served(app) as address:
        yield app, address


@pytest.fixture(scope="module")
def document(app: Flask, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("document") / "openapi.json"
    file.write_bytes(app.test_client().get("/v1/openapi.json").data)
    return file


def test_the_document_gives_spectral_nothing_to_say(document: Path) -> None:
    assert_spectral_is_silent(document, 'extends: ["spectral:oas"]\nrules: {oas3-valid-media-example: off}\n')


def test_spectral_finds_every_example_to_fit(document: Path) -> None:
    """By the one rule that is off above. It looks at an example wherever that is referred to, so at a problem's from
    every operation. To show it each once takes a sixth of the time."""
    spec = json.loads(document.read_text())
    for operation in (one for item in spec["paths"].values() for verb, one in item.items() if verb != "parameters"):
        responses = operation["responses"]
        operation["responses"] = {status: one for status, one in responses.items() if "$ref" not in one}
    once = document.with_name("examples-once.json")
    once.write_text(json.dumps(spec))
    assert_spectral_is_silent(once, EXAMPLES_ALONE)
    answer = spec["paths"]["/v1/me"]["get"]["responses"]["200"]["content"]["application/json"]["examples"]["recorded"]
    answer["value"]["id"] = "no number"
    once.write_text(json.dumps(spec))
    with pytest.raises(AssertionError, match="oas3-valid-media-example"):
        assert_spectral_is_silent(once, EXAMPLES_ALONE)


def assert_spectral_is_silent(document: Path, rules: str) -> None:
    ruleset = document.with_name("spectral.yaml")
    ruleset.write_text(rules)
    judged = node_tools.run("spectral", "lint", str(document), "--ruleset", str(ruleset), "--fail-severity", "hint")
    assert judged.returncode == 0, judged.stdout[-3000:] + judged.stderr[-3000:]


@pytest.fixture(scope="module")
def generated(document: Path) -> Iterator[ModuleType]:
    """A client made by openapi-python-client."""
    folder = document.parent
    (folder / "config.yaml").write_text(PYTHON_CONFIG + "post_hooks: []\n")  # to format it takes twenty seconds
    made = subprocess.run(
        [
            *(sys.executable, "-m", "openapi_python_client", "generate", "--path", str(document), "--meta", "none"),
            *("--config", str(folder / "config.yaml"), "--output-path", str(folder / "waybill_generated")),
        ],
        capture_output=True,
        text=True,
        cwd=folder,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    assert "WARNING" not in made.stdout, "something of the document is not in the client:\n" + made.stdout
    sys.path.insert(0, str(folder))
    yield importlib.import_module("waybill_generated")
    sys.path.remove(str(folder))


class PythonPlayer:
    """Draws from the offers of the generated client's types."""

    def __init__(self, generated: ModuleType, address: str, name: str) -> None:
        self.models = importlib.import_module(f"{generated.__name__}.models")
        self.generated, self.rng = generated, random.Random(3)
        stranger = generated.Client(base_url=address)
        signed_up = self.call("players.sign_up", stranger, body=self.models.NewPlayer(name=name))
        self.client = generated.AuthenticatedClient(base_url=address, token=signed_up.token)

    def call(self, operation: str, client: Any = None, **arguments: Any) -> Any:
        module = importlib.import_module(f"{self.generated.__name__}.api.{operation}")
        answer = module.sync(client=client or self.client, **arguments)
        assert not isinstance(answer, self.models.Problem), answer.detail
        return answer

    def draw(self, domain: Any) -> Any:
        models, rng = self.models, self.rng
        match domain:
            case models.OneOfDomain():
                return rng.choice(domain.one_of)
            case models.RangeDomain():
                return rng.randint(domain.from_, domain.to)
            case models.PickDomain():
                return rng.sample(domain.pick_from, rng.randint(domain.at_least, domain.at_most))
            case models.BagDomain():
                bag = [item for item, limit in domain.bag_of.additional_properties.items() for _ in range(limit)]
                return rng.sample(bag, rng.randint(domain.at_least, domain.at_most))
            case models.WayDomain():
                return rng.choice(list(domain.way_to.additional_properties.values()))
        raise AssertionError(f"no such domain: {domain}")

    def move(self, title: str, offer: Any) -> Any:
        """A move of the type that the offer names, as the client has it."""
        kind = getattr(self.models, title + "".join(word.capitalize() for word in offer.type_.split("_")))
        fields = {name: self.draw(offer.fields[name]) for name in offer.required}
        return kind.from_dict({"type": offer.type_, **fields})


def test_a_client_made_by_openapi_python_client_plays_every_game_to_the_end(
    generated: ModuleType, playing: tuple[Flask, str]
) -> None:
    for ruleset in all_games():
        play_to_the_end(ruleset, generated, playing[1])


def play_to_the_end(ruleset: str, generated: ModuleType, address: str) -> None:
    player = PythonPlayer(generated, address, f"generated {ruleset[:10]}")
    models, title = player.models, title_of(ruleset)
    bots = [models.SeatRequest(kind=models.SeatRequestKind.BOT)] * (all_games()[ruleset].seat_counts[0] - 1)
    seats = [models.SeatRequest(kind=models.SeatRequestKind.ME), *bots]
    game_id = player.call("games.open_game", body=models.NewGame(ruleset=ruleset, seats=seats)).game.id
    while player.call("games.get_game", game_id=game_id).status != "over":
        options = player.call("moves.list_options", game_id=game_id)
        # Who cannot pay any more has no other choice than to leave.
        offers = [offer for offer in options.offers if offer.leaves_the_game is not True] or options.offers
        body = models.NewMoves(moves=[player.move(title, player.rng.choice(offers))])
        sent = player.call("moves.send_moves", game_id=game_id, body=body, if_match=f'"{options.sequence}"')
        assert isinstance(sent, models.Played | models.SealedAnswer)
    view = player.call("replays.get_position", game_id=game_id)
    assert type(view).__name__ == f"{title}View"
    assert type(view.table).__name__ == f"{title}Table"
    assert view.ending in all_games()[ruleset].endings
    log = player.call("replays.get_log", game_id=game_id, limit=500)
    assert [row.row for row in log.rows] == list(range(min(500, view.row + 1)))
    assert all(event.type_ for row in log.rows for event in row.events)


def test_a_client_made_by_openapi_typescript_plays_every_game_to_the_end(
    document: Path, playing: tuple[Flask, str], tmp_path: Path
) -> None:
    (tmp_path / "node_modules").symlink_to(node_tools.packages())
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "play.ts").write_text((node_tools.FOLDER / "play.ts").read_text())
    made = node_tools.run("openapi-typescript", str(document), "-o", str(tmp_path / "schema.d.ts"))
    assert made.returncode == 0, made.stdout + made.stderr
    options = ["--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--module", "nodenext"]
    libraries = ["--lib", "es2022,dom,dom.iterable", "--types", "node", "--typeRoots", "node_modules/@types"]
    checked = node_tools.run("tsc", *options, *libraries, "play.ts", cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout[-3000:]
    played = subprocess.run(
        [node_tools.NODE, "play.js", playing[1], *all_games()],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert played.returncode == 0, played.stdout[-2000:] + played.stderr[-2000:]
    results = [json.loads(line) for line in played.stdout.splitlines()]
    assert [one["ruleset"] for one in results] == list(all_games())
    assert all(one["ending"] in all_games()[one["ruleset"]].endings and one["events"] for one in results)
