"""`./waybill chaos`: a short one. The long one is for whoever has changed what happens after the answer."""

import pytest

from commands.__main__ import main
from commands._chaos_house import FAULTS


@pytest.mark.xfail(
    strict=False,
    reason="in some runs the clock plays a row too early after it was set (seed 834052): the cause is to be found",
)
def test_nothing_is_lost_doubled_stalled_early_or_untold_after_each_fault(capsys: pytest.CaptureFixture[str]) -> None:
    """Worker, beat, API and stream killed; Postgres stopped, crashed, frozen; Redis flushed, stopped, frozen; tasks
    doubled; the clock set, both ways; a post that hangs, refuses, answers nonsense: while people play, with a seed of
    its own each time, which is in what it says."""
    status = main(["chaos", "--each"])
    said = capsys.readouterr().out
    assert status == 0, said
    assert all(fault in said for fault in FAULTS), said


def test_fault_that_there_is_not_is_refused_with_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chaos", "--only", "earthquake"]) == 2
    assert "Postgres frozen" in capsys.readouterr().err
