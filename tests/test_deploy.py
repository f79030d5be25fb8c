"""The samples under deploy/: they can be read, agree with the service, and name only metrics that there are."""

import configparser
import json
import re
import shutil
import subprocess
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml

from api.application import LARGEST_REQUEST
from api.stream import LONGEST_WAIT
from commands.stop import STOP_SECONDS
from mail.reading import MOST_BYTES
from runtime.config import SETTINGS, read_config

ROOT = Path(__file__).resolve().parents[1]
DEPLOY = ROOT / "deploy"
PARTS_OF_A_HISTOGRAM = ("_bucket", "_count", "_sum")


def documented_metrics() -> dict[str, str]:
    """By name, their kind. tests/api/test_metrics.py compares this table with what the service tells."""
    found = {}
    for line in (ROOT / "docs" / "operate.md").read_text("utf-8").splitlines():
        if line.startswith("| `waybill_"):
            names, kind = line.split("|")[1:3]
            found |= dict.fromkeys(re.findall(r"`(waybill_\w+)`", names), kind.strip())
    return found


def queryable() -> set[str]:
    """The names that a query may use."""
    names: set[str] = set()
    for name, kind in documented_metrics().items():
        names |= {name + part for part in PARTS_OF_A_HISTOGRAM} if kind == "histogram" else {name}
    return names


def rules() -> list[dict[str, Any]]:
    document = yaml.safe_load((DEPLOY / "alerts.yml").read_text("utf-8"))
    return [rule for group in document["groups"] for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((DEPLOY / "grafana-dashboard.json").read_text("utf-8"))["panels"]
    return found


def expressions() -> list[str]:
    return [rule["expr"] for rule in rules()] + [target["expr"] for panel in panels() for target in panel["targets"]]


@pytest.mark.parametrize("expression", expressions())
def test_query_names_only_metrics_that_there_are(expression: str) -> None:
    used = set(re.findall(r"\bwaybill_\w+", expression))
    assert used <= queryable()
    assert used or expression.startswith("up{")
    for opening, closing in ("()", "[]", "{}"):
        assert expression.count(opening) == expression.count(closing)


def test_every_metric_is_on_the_dashboard() -> None:
    shown = " ".join(target["expr"] for panel in panels() for target in panel["targets"])
    assert [name for name in documented_metrics() if name not in shown] == []


def test_every_alert_says_what_is_wrong_and_what_to_do() -> None:
    names = [rule["alert"] for rule in rules()]
    assert len(names) == len(set(names)) > 10
    for rule in rules():
        assert rule["labels"]["severity"] in ("page", "warn")
        assert rule["annotations"]["summary"]
        assert rule["annotations"]["description"]
        assert re.fullmatch(r"\d+[smh]", rule["for"])


def test_dashboard_has_each_panel_in_a_place_of_its_own() -> None:
    taken: set[tuple[int, int]] = set()
    assert len({panel["id"] for panel in panels()}) == len(panels())
    for panel in panels():
        place = panel["gridPos"]
        columns, lines = range(place["x"], place["x"] + place["w"]), range(place["y"], place["y"] + place["h"])
        cells = set(product(columns, lines))
        assert not cells & taken
        assert max(x for x, _ in cells) < 24
        taken |= cells


def test_prometheus_reads_the_rules_from_the_right_file() -> None:
    document = yaml.safe_load((DEPLOY / "prometheus.yml").read_text("utf-8"))
    assert [(DEPLOY / file).exists() for file in document["rule_files"]] == [True]
    (job,) = document["scrape_configs"]
    assert f'up{{job="{job["job_name"]}"}}' in rules()[0]["expr"]


def test_unit_starts_what_there_is_and_waits_long_enough_at_the_end() -> None:
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # names as they are written
    text = (DEPLOY / "waybill.service").read_text("utf-8")
    unit.read_string(text)
    assert unit.sections() == ["Unit", "Service", "Install"]
    service = unit["Service"]
    assert service["ExecStart"] == f"{service['WorkingDirectory']}/waybill up"
    assert int(service["TimeoutStopSec"]) >= STOP_SECONDS
    set_here = set(re.findall(r"^Environment=(\w+)=", text, re.M))
    assert set_here <= {setting.name for setting in SETTINGS}


def test_nginx_sample_is_well_formed() -> None:
    text = re.sub(r"#.*", "", (DEPLOY / "nginx.conf").read_text("utf-8"))
    for line in filter(None, map(str.strip, text.splitlines())):
        assert line.endswith((";", "{", "}")), line
    assert text.count("{") == text.count("}")


def test_proxies_buffer_limit_and_hide_alike() -> None:
    nginx, caddy = ((DEPLOY / name).read_text("utf-8") for name in ("nginx.conf", "Caddyfile"))
    assert caddy.count("{") == caddy.count("}")
    kilobytes = LARGEST_REQUEST // 1024
    for words in (
        ("proxy_request_buffering on;", f"client_max_body_size {kilobytes}k;", "client_body_timeout"),
        ("client_header_timeout",),
        ("proxy_buffering on;", "proxy_read_timeout", "limit_conn ", "X-Forwarded-For $remote_addr;", "/metrics"),
    ):
        assert [word for word in words if word not in nginx] == []
    for words in (
        (f"request_buffers {kilobytes}KB", f"max_size {kilobytes}KB", "read_body", "read_header", "response_buffers"),
        ("response_header_timeout", "X-Forwarded-For {remote_host}", "path /metrics /v1/metrics"),
    ):
        assert [word for word in words if word not in caddy] == []


def test_proxies_pass_the_stream_on_unbuffered_and_wait_longer_than_it_is_silent() -> None:
    nginx, caddy = ((DEPLOY / name).read_text("utf-8") for name in ("nginx.conf", "Caddyfile"))
    places = {found for text in (nginx, caddy) for found in re.findall(r"\^/v1\S+events\$", text)}
    assert len(places) == 1
    (place,) = places
    for path in ("/v1/events", "/v1/games/k3mzq8w2hp4x/events"):
        assert re.search(place, path)
    assert not re.search(place, "/v1/events/tickets")
    port = read_config({}).port_of_stream
    in_nginx = nginx.partition(f"location ~ {place}")[2].partition("}")[0]
    assert f"upstream waybill_stream {{\n    server 127.0.0.1:{port};" in nginx
    assert all(word in in_nginx for word in ("http://waybill_stream;", "proxy_buffering off;", "gzip off;"))
    in_caddy = caddy.partition(f"reverse_proxy @stream 127.0.0.1:{port}")[2].partition("reverse_proxy")[0]
    assert "flush_interval -1" in in_caddy
    assert not re.search(r"^\s*write ", caddy, re.M)
    for text, pattern in ((in_nginx, r"proxy_read_timeout (\d+)s"), (in_caddy, r"read_timeout (\d+)s")):
        (seconds,) = re.findall(pattern, text)
        assert int(seconds) > LONGEST_WAIT + read_config({}).stream_heartbeat - 1
    for name in ("nginx.conf", "Caddyfile", "waybill.service"):
        assert "WAYBILL_STREAM_URL=https://games.example.org" in (DEPLOY / name).read_text("utf-8")


def test_postfix_sample_is_well_formed_and_agrees_with_the_door() -> None:
    lines = (DEPLOY / "postfix-main.cf").read_text("utf-8").splitlines()
    said = [line for line in lines if line and not line.startswith("#")]
    assert [line for line in said if not re.fullmatch(r"[a-z_]+ =( \S.*)?", line)] == []
    values = {name.strip(): value.strip() for name, _, value in (line.partition("=") for line in said)}
    assert len(values) == len(said)
    assert int(values["message_size_limit"]) == MOST_BYTES
    assert f"lmtp:inet:127.0.0.1:{read_config({}).port_of_mail}" in values["transport_maps"]
    assert values["recipient_delimiter"] == ""
    page = (ROOT / "docs" / "mail-operate.md").read_text("utf-8")
    assert set(re.findall(r"WAYBILL_\w+", page + "\n".join(lines))) <= {setting.name for setting in SETTINGS}


if shutil.which("postconf"):

    def test_postfix_itself_reads_the_sample(tmp_path: Path) -> None:
        sample = (DEPLOY / "postfix-main.cf").read_text("utf-8")
        (tmp_path / "main.cf").write_text(f"compatibility_level = 3.6\n{sample}")
        (tmp_path / "master.cf").write_text("smtp inet n - y - - smtpd\nlmtp unix - - y - - lmtp\n")
        read = subprocess.run(["postconf", "-c", tmp_path, "-n"], capture_output=True, text=True, check=True)
        assert read.stderr == ""
        names = re.findall(r"^(\w+) =", sample, re.M)
        assert [name for name in names if not re.search(rf"^{name} =", read.stdout, re.M)] == []


@pytest.mark.parametrize("name", ["opendkim.conf", "opendmarc.conf"])
def test_samples_beside_postfix_are_well_formed_and_use_one_name(name: str) -> None:
    lines = (DEPLOY / name).read_text("utf-8").splitlines()
    said = [line for line in lines if line and not line.startswith("#")]
    assert [line for line in said if not re.fullmatch(r"[A-Z]\w+ \S.*", line)] == []
    values = dict(line.split(" ", 1) for line in said)
    assert len(values) == len(said)
    page = (ROOT / "docs" / "mail-operate.md").read_text("utf-8")
    assert f"WAYBILL_MAIL_SERVER={values['AuthservID']}" in page
    port, _, host = values["Socket"].removeprefix("inet:").partition("@")
    assert f"inet:{host}:{port}" in page


def test_every_sample_is_listed() -> None:
    listed = re.findall(r"^\| `([\w.-]+)/?`", (DEPLOY / "README.md").read_text("utf-8"), re.M)
    assert sorted(listed) == sorted(file.name for file in DEPLOY.iterdir() if file.name != "README.md")


def test_nginx_takes_the_sample_for_several_installations(tmp_path: Path) -> None:
    nginx = shutil.which("nginx")
    if nginx is None:
        pytest.skip("nginx is not installed")
    main = tmp_path / "nginx.conf"
    main.write_text(
        f"pid {tmp_path}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\n    access_log off;\n"
        f"    include {DEPLOY}/installations.conf;\n    server {{\n        listen 127.0.0.1:8099;\n"
        "        location / { proxy_pass http://$waybill; }\n    }\n}\n"
    )
    checked = subprocess.run([nginx, "-t", "-q", "-c", main], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
