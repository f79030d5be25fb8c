import pytest

from commands import ROOT
from commands.__main__ import command_files


@pytest.mark.parametrize("name", command_files())
def test_the_help_of_every_command_has_an_example(waybill, name):
    done = waybill(name, "--help")
    assert done.returncode == 0
    assert "examples:\n" in done.stdout
    assert f"./waybill {name}" in done.stdout.partition("examples:")[2]


def test_every_command_is_listed_with_a_summary(waybill):
    listed = waybill().stdout
    assert all(f"  {name} " in listed for name in command_files())


def test_an_unknown_command_names_the_nearest(waybill):
    done = waybill("verfy", "x")
    assert (done.returncode, done.stderr) == (2, "waybill: there is no command 'verfy'. Did you mean 'verify'?\n")


def test_benchmarks_are_listed_and_an_unknown_one_is_refused(waybill):
    names = sorted(file.stem for file in (ROOT / "bench").glob("[a-z]*.py"))
    assert [line.split()[0] for line in waybill("bench").stdout.splitlines()] == names
    done = waybill("bench", "motor")
    assert (done.returncode, done.stderr) == (2, f"There is no benchmark 'motor'; there are: {', '.join(names)}.\n")
