"""The container files cannot be built by the tests; what can be checked without Docker is."""

import json
import re
import tomllib
from pathlib import Path

import yaml

from commands.up import commands
from runtime.config import SETTINGS, read_config

ROOT = Path(__file__).resolve().parent.parent


def test_compose_runs_the_same_commands_as_up() -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]
    parts = commands(read_config({}))
    image_runs = f"CMD {json.dumps(['python', '-m', *parts['api']])}"
    assert (ROOT / "Dockerfile").read_text("utf-8").splitlines()[-1] == image_runs
    for part in ("stream", "mail"):
        assert services[part]["command"] == ["python", "-m", *parts[part]]
    assert services["worker"]["command"] == parts["worker"]
    assert services["beat"]["command"] == parts["beat"]
    assert {name: services[name].get("deploy", {}).get("replicas", 1) for name in ("api", "worker", "beat")} == {
        "api": 2,
        "worker": 2,
        "beat": 1,
    }


def test_compose_opens_the_ports_of_api_stream_and_mail_and_leads_clients_to_the_stream() -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]
    config = read_config({})
    inside = {name: services[name]["ports"][0].rpartition(":")[2] for name in ("api", "stream", "mail")}
    assert inside == {
        "api": str(config.port),
        "stream": str(config.port_of_stream),
        "mail": str(config.port_of_mail),
    }
    outside = services["stream"]["ports"][0].rpartition(":")[0]
    assert services["api"]["environment"]["WAYBILL_STREAM_URL"] == f"${{WAYBILL_STREAM_URL:-http://{outside}}}"
    assert f":{config.port_of_stream}/healthz" in services["stream"]["healthcheck"]["test"][-1]
    known = {setting.name for setting in SETTINGS}
    assert {
        name for part in services.values() for name in part.get("environment", ()) if "POSTGRES" not in name
    } <= known
    assert set(parts_of_up()) <= set(services)


def parts_of_up() -> dict[str, list[str]]:
    return commands(read_config({}))


def test_image_holds_every_package_that_the_service_needs() -> None:
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    admitted = {line[1:] for line in lines if line.startswith("!")}
    packages = {file.parent.name for file in ROOT.glob("*/__init__.py")} - {"bench", "tests"}
    assert packages | {"app.py", "docs/games", "requirements.lock"} <= admitted
    assert "COPY . ./" in (ROOT / "Dockerfile").read_text("utf-8").splitlines()


def test_image_has_no_private_servers() -> None:
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    names = [re.split(r"[<>=]", requirement)[0] for requirement in groups["servers"]]
    assert f"pip uninstall --yes {' '.join(names)}\n" in (ROOT / "Dockerfile").read_text("utf-8")
