"""The configuration."""

import pytest

from runtime.config import ROOT, SETTINGS, ConfigError, read_config, table


def test_nothing_set_gives_the_defaults() -> None:
    config = read_config({})
    assert [getattr(config, setting.field) for setting in SETTINGS] == [setting.default for setting in SETTINGS]


def test_everything_wrong_is_named_at_once() -> None:
    with pytest.raises(ConfigError) as error:
        read_config({"WAYBILL_PORT": "0", "WAYBILL_LOG_LEVEL": "loud", "WAYBILL_PROT": "1", "REDIS_URL": "localhost"})
    assert str(error.value).splitlines() == [
        "REDIS_URL must be an address that begins with redis:// or rediss:// or sentinel://, not what it is set to.",
        "WAYBILL_PORT must be a whole number from 1 to 65535, not '0'.",
        "WAYBILL_LOG_LEVEL must be one of debug, info, warning, error, not 'loud'.",
        "WAYBILL_PROT is not a setting of Waybill.",
    ]


def test_password_in_an_address_is_not_repeated() -> None:
    with pytest.raises(ConfigError) as error:
        read_config({"DATABASE_URL": "mysql://u:hunter2@h/d"})
    assert "hunter2" not in str(error.value)


def test_misspelled_setting_in_the_program_is_an_error() -> None:
    with pytest.raises(AttributeError, match="no setting 'prot'"):
        _ = read_config({}).prot


def test_page_for_operators_has_the_table() -> None:
    assert table() in (ROOT / "docs" / "operate.md").read_text("utf-8")
