"""The examples of the OpenAPI document: answers that the tests have got, kept in api/examples.json.

They are recorded anew by `WAYBILL_RECORD=1 ./waybill test tests/api`, which takes for each operation and status the
answer that tells most and is not too long. tests/api/test_examples.py says when they do not fit the document any more.
"""

import fcntl
import gzip
import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any

from werkzeug.test import TestResponse

KEPT = Path(__file__).resolve().parents[1] / "api" / "examples.json"
FILE = KEPT if os.environ.get("WAYBILL_RECORD") else None

LONGEST = 5000  # of an answer in bytes, if there is a shorter one
LINES = 40  # of a text
WITHOUT = {"getRulesetSchema"}  # a schema, whose references would be taken for the document's own
TEXTS = ("text/plain", "text/markdown")
SECRET = re.compile(r"\b(w[a-z]|whsec)_[0-9A-Za-z+/=]{16,}")
NAME = re.compile(r"\b[a-z]+ \d+-\d+")
ADDRESS = re.compile(r"[\w.+-]+@example\.org")  # no test may meet that of another among the examples of the document
NAMES = ("Ann", "Bob", "Cid", "Dora", "Emil", "Fay", "Gus")


def note(name: str, response: TestResponse, request: Any) -> None:
    """Keeps an answer, if it makes a better example than what there is."""
    body = response.get_data()
    if response.headers.get("Content-Encoding") == "gzip":
        body = gzip.decompress(body)
    status, kind = str(response.status_code), response.content_type
    if response.mimetype.endswith("json"):
        answer = json.loads(body)
        if response.mimetype == "application/problem+json":
            place = ("problems", status, answer["type"].rpartition(":")[2])
            keep(place, plain(answer))
            return
    elif response.mimetype in TEXTS:
        answer = "".join(body.decode().splitlines(keepends=True)[:LINES])
    elif response.mimetype == "application/jsonl":
        lines = body.decode().splitlines()[:2]
        answer = "".join(line if len(line) < LONGEST // 2 else line[: LONGEST // 5] + "…" for line in lines)
    else:
        return
    if not answer or response.status_code >= 300 or name in WITHOUT:
        return
    if len(json.dumps(answer)) > LONGEST:
        answer = shortened(answer)
    found = {"type": kind, "answer": answer}
    if request is not None:
        found["request"] = request
    keep(("operations", name, status), plain(found))


def shortened(answer: Any) -> Any:
    """Lists that are too long to be read, by their first items."""
    if isinstance(answer, dict):
        return {key: shortened(one) for key, one in answer.items()}
    return [shortened(one) for one in answer[:2]] if isinstance(answer, list) else answer


def plain(found: Any, names: dict[str, str] | None = None) -> Any:
    """Without the secrets and the names of a test."""
    names = {} if names is None else names
    if isinstance(found, dict):
        return {key: plain(one, names) for key, one in found.items()}
    if isinstance(found, list):
        return [plain(one, names) for one in found]
    if not isinstance(found, str):
        return found
    text = SECRET.sub(lambda secret: f"{secret[1]}_" + "0123456789abcdef" * 2, found)
    text = ADDRESS.sub("ann@example.org", text)
    return NAME.sub(lambda name: names.setdefault(name[0], NAMES[len(names) % len(NAMES)]), text)


def keep(place: tuple[str, ...], found: Any) -> None:
    """All processes of a test run keep the same file."""
    assert FILE is not None
    with (Path(tempfile.gettempdir()) / "waybill-examples.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        kept = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
        part = kept
        for step in place[:-1]:
            part = part.setdefault(step, {})
        if place[-1] in part and not is_better(found, part[place[-1]]):
            return
        part[place[-1]] = found
        FILE.write_text(json.dumps(kept, ensure_ascii=False, indent=1, sort_keys=True) + "\n", "utf-8")


def is_better(new: Any, old: Any) -> bool:
    """The longest of those that are not too long; of those that are, the shortest."""
    sizes = len(json.dumps(new)), len(json.dumps(old))
    if max(sizes) <= LONGEST:
        return sizes[0] > sizes[1]
    return sizes[0] < sizes[1]
