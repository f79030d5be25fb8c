"""The client is a package of its own: built as a wheel, installed where nothing of this project is, and imported."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import httpx
import msgspec

CLIENT = Path(__file__).resolve().parents[2] / "client"
LIBRARIES = {Path(library.__file__).parents[1] for library in (httpx, msgspec)}

PROGRAM = """
import sys
import waybill_client
from waybill_client import AsyncClient, Client, verify
assert waybill_client.__file__.startswith(sys.argv[1]), waybill_client.__file__
found = verify(open(sys.argv[2], "rb").read())
print(found.game, found.is_whole)
ours = {"referee", "service", "store", "api", "runtime", "schemas", "workers", "commands"}
assert not ours & set(sys.modules)
"""


def test_wheel_is_built_installed_and_used_without_this_repository(tmp_path: Path) -> None:
    source, wheels, target, elsewhere = (tmp_path / name for name in ("source", "wheels", "target", "elsewhere"))
    shutil.copytree(CLIENT, source, ignore=shutil.ignore_patterns("examples", "__pycache__"))
    elsewhere.mkdir()
    run("-m", "build", "--wheel", "--no-isolation", "--outdir", str(wheels), str(source))
    (wheel,) = wheels.glob("waybill_client-*-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        metadata = packed.read(next(name for name in names if name.endswith("METADATA"))).decode()
    assert "waybill_client/py.typed" in names
    assert {line for line in metadata.splitlines() if line.startswith("Requires-Dist")} == {
        "Requires-Dist: httpx>=0.27",
        "Requires-Dist: msgspec>=0.19",
    }
    assert "# waybill-client" in metadata
    run("-m", "venv", "--without-pip", str(target))
    python = target / "bin" / "python"
    run("-m", "pip", "--python", str(python), "install", "--no-deps", "--no-index", "--quiet", str(wheel))
    (site,) = (target / "lib").glob("python*/site-packages")
    (site / "libraries.pth").write_text("".join(f"{folder}\n" for folder in LIBRARIES))  # what --no-deps leaves out
    record = CLIENT / "examples" / "fixtures" / "spike" / "record.jsonl"
    assert run("-P", "-c", PROGRAM, str(target), str(record), python=python, cwd=elsewhere) == "spike True\n"


def run(*arguments: str, python: Path = Path(sys.executable), cwd: Path | None = None) -> str:
    done = subprocess.run([python, *arguments], cwd=cwd, env={}, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
