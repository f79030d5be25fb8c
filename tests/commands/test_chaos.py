"""`./waybill chaos`: a short one. The long one is for whoever has changed what happens after the answer."""

import pytest

from commands.__main__ import main


def test_nothing_is_lost_in_a_short_while_of_faults(capsys: pytest.CaptureFixture[str]) -> None:
    only = [word for fault in ("worker killed", "Redis flushed", "tasks doubled") for word in ("--only", fault)]
    status = main(["chaos", "--minutes", "0.1", *only])
    said = capsys.readouterr().out
    assert status == 0, said
    assert "orders accepted" in said


def test_fault_that_there_is_not_is_refused_with_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chaos", "--only", "earthquake"]) == 2
    assert "Postgres frozen" in capsys.readouterr().err
