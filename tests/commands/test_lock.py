"""The lock files, and how `./waybill lock` tells one from the other."""

import pytest

from commands._environment import DEV_LOCK, LOCK
from commands.lock import LockError, additions, pins, version

SERVICE = """\
flask==3.1 \\
    --hash=sha256:aa \\
    --hash=sha256:bb
click==8.2 ; sys_platform == 'win32' \\
    --hash=sha256:cc
"""


def test_no_package_is_locked_twice() -> None:
    service, tools = (pins(lock.read_text("utf-8")) for lock in (LOCK, DEV_LOCK))
    assert service
    assert tools
    assert not set(service) & set(tools)
    versions = dict(map(version, service))
    assert all(versions.get(name, number) == number for name, number in map(version, tools))


def test_locks_hold_hashes_and_no_address() -> None:
    for lock in (LOCK, DEV_LOCK):
        text = lock.read_text("utf-8")
        assert all("--hash=sha256:" in block for block in pins(text).values())
        assert "".join(pins(text).values()) == text
        assert "://" not in text


def test_developers_lock_holds_only_what_the_service_lacks() -> None:
    tool = "pytest==9 \\\n    --hash=sha256:dd\n"
    assert additions(SERVICE + tool, SERVICE) == tool


def test_package_for_more_platforms_is_in_both_at_one_version() -> None:
    everywhere = "click==8.2 \\\n    --hash=sha256:cc\n"
    assert additions(SERVICE + everywhere, SERVICE) == everywhere
    with pytest.raises(LockError, match=r"click==8\.3 is not what the service has: click==8\.2"):
        additions(SERVICE + everywhere.replace("8.2", "8.3"), SERVICE)
