"""Secrets that are kept: sealed with a key that is not beside them."""

import base64
import threading
from pathlib import Path

import pytest

from runtime.config import Config, ConfigError, read_config
from runtime.vault import FILE, Broken, NoKey, Vault


def key(letter: bytes) -> str:
    return base64.b64encode(letter * 32).decode()


def config(folder: Path, setting: str = "") -> Config:
    return read_config({"WAYBILL_FOLDER": str(folder), "WAYBILL_SECRETS_KEY": setting})


def test_what_is_sealed_opens_for_its_own_thing_alone(tmp_path: Path) -> None:
    vault = Vault(config(tmp_path, key(b"a")))
    sealed = vault.seal(b"secret", "webhook 1")
    assert b"secret" not in sealed
    assert sealed != vault.seal(b"secret", "webhook 1")
    assert vault.open(sealed, "webhook 1") == b"secret"
    with pytest.raises(Broken):
        vault.open(sealed, "webhook 2")
    with pytest.raises(Broken):
        vault.open(sealed[:-1] + bytes([sealed[-1] ^ 1]), "webhook 1")


def test_older_keys_still_open_and_the_newest_seals(tmp_path: Path) -> None:
    old = Vault(config(tmp_path, key(b"a")))
    both = Vault(config(tmp_path, f"{key(b'b')}, {key(b'a')}"))
    assert both.open(old.seal(b"secret", ""), "") == b"secret"
    with pytest.raises(Broken):
        old.open(both.seal(b"secret", ""), "")


def test_without_a_setting_processes_share_a_file_that_its_owner_alone_reads(tmp_path: Path) -> None:
    start, sealed = threading.Barrier(8), []

    def work() -> None:
        start.wait()
        sealed.append(Vault(config(tmp_path)).seal(b"secret", ""))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [Vault(config(tmp_path)).open(one, "") for one in sealed] == [b"secret"] * 8
    assert [file.name for file in tmp_path.iterdir()] == [FILE]
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600


def test_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NoKey, match="WAYBILL_SECRETS_KEY"):
        Vault(config(tmp_path / "file")).seal(b"", "")


@pytest.mark.parametrize("setting", ["x", "YWJj", key(b"a") + ",", "a" * 44])
def test_key_that_is_none_is_refused_and_not_repeated(tmp_path: Path, setting: str) -> None:
    with pytest.raises(ConfigError, match="WAYBILL_SECRETS_KEY must be base64 of 32 random bytes") as error:
        config(tmp_path, setting)
    assert setting not in str(error.value)
