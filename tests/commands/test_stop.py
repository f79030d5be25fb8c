"""In the background and back: `./waybill up --detach` and `./waybill stop`."""

import json
import urllib.request
from pathlib import Path

from runtime.processes import free_port, is_busy
from tests.commands.test_up import command, left_over


def test_service_goes_to_the_background_and_is_stopped_from_anywhere(tmp_path: Path) -> None:
    folder, port = tmp_path / "home", free_port()
    assert command(folder, "stop").returncode == 3
    for start in (1, 2):
        begun = command(folder, "up", "--port", str(port), "--detach")
        try:
            assert begun.returncode == 0, begun.stderr
            assert f"Waybill is at http://127.0.0.1:{port}" in begun.stdout
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz") as answer:
                assert answer.status == 200
            second = command(folder, "up", "--port", str(port), "--detach")
            assert second.returncode == 1
            assert "running here already" in second.stderr
        finally:
            stopped = command(folder, "stop")
        assert (stopped.returncode, stopped.stdout) == (0, "stopped.\n")
        assert left_over(folder) == []
        # What was logged before is still there.
        lines = [json.loads(line) for line in (folder / "api.log").read_text().splitlines()]
        assert len([line for line in lines if line.get("route") == "/readyz"]) == start
        assert (folder / "up.log").read_text().count("stopped.") == start


def test_token_of_a_demo_does_not_go_into_a_log(tmp_path: Path) -> None:
    done = command(tmp_path / "home", "up", "--detach", "--demo")
    assert done.returncode == 2
    assert "not allowed with argument" in done.stderr


def test_what_keeps_it_from_starting_in_the_background_is_said(tmp_path: Path) -> None:
    folder, port = tmp_path / "home", free_port()
    folder.mkdir()
    (folder / "postgres").touch()  # in the way of a folder
    done = command(folder, "up", "--port", str(port), "--detach")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "is not a folder of" in done.stderr
    assert not is_busy("127.0.0.1", port)
