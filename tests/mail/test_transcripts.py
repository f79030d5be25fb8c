"""Mails in the shapes that mail programs give them, and what of each is read (transcripts.yaml)."""

from pathlib import Path

import pytest
import yaml

from mail.reading import read

HERE = Path(__file__).parent
EXPECTED = yaml.safe_load((HERE / "transcripts.yaml").read_text("utf-8"))


def test_every_mail_has_its_lines_and_there_are_sixty() -> None:
    assert {path.stem for path in HERE.glob("*.eml")} == set(EXPECTED)
    assert len(EXPECTED) >= 60


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_new_in_a_mail_is_read_and_nothing_else(name: str) -> None:
    raw = (HERE / f"{name}.eml").read_bytes()
    letter = read(raw)
    assert list(letter.lines) == EXPECTED[name]["lines"]
    assert letter.is_automatic == EXPECTED[name].get("is_automatic", False)
    assert letter.has_attachments == EXPECTED[name].get("has_attachments", False)
    assert read(raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")) == letter  # as it comes over the wire
