"""The configuration: everything that can be set, by environment variables, in one table."""

import base64
import binascii
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from runtime.sentinels import FORM, is_sentinel, read_service
from runtime.web_push import from_base64url, private_key

ROOT = Path(__file__).resolve().parent.parent


class ConfigError(Exception):
    """A variable is set to something that cannot be used; the message names it."""


class Setting(msgspec.Struct, frozen=True):
    """A row of the table: the variable, what it must look like, its default and what it is for."""

    name: str
    read: Callable[[str], Any]
    default: Any
    help: str

    @property
    def field(self) -> str:
        return self.name.removeprefix("WAYBILL_").lower()


def whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return int(text)

    return read


def one_of(*choices: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in choices:
            raise ValueError("one of " + ", ".join(choices))
        return text

    return read


def address(*schemes: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        try:
            scheme = urlsplit(text).scheme
        except ValueError:
            scheme = ""
        if scheme not in schemes:
            raise ValueError("an address that begins with " + " or ".join(f"{scheme}://" for scheme in schemes))
        return text

    return read


def redis_address(text: str) -> str:
    if is_sentinel(text):
        try:
            read_service(text)
        except ValueError:
            raise ValueError(f"an address like {FORM}") from None
        return text
    return address("redis", "rediss", "sentinel")(text)


def folder(text: str) -> Path:
    path = Path(text)
    if not path.is_absolute():
        raise ValueError("an absolute path")
    return path


def secret_keys(text: str) -> tuple[bytes, ...]:
    found = []
    for part in text.split(","):
        try:
            key = base64.b64decode(part.strip(), validate=True)
        except (binascii.Error, ValueError):
            key = b""
        if len(key) != KEY_BYTES:
            raise ValueError("base64 of 32 random bytes, or several of these with commas between, the newest first")
        found.append(key)
    return tuple(found)


def vapid_key(text: str) -> bytes:
    try:
        key = from_base64url(text)
        private_key(key)
    except ValueError:
        raise ValueError("a key as ./waybill admin push-key makes it") from None
    return key


def contact(text: str) -> str:
    if not text.startswith(("mailto:", "https://")) or not text.isprintable():
        raise ValueError("an address that begins with mailto: or https://")
    return text


def switch(text: str) -> bool:
    if text not in ("0", "1"):
        raise ValueError("1 or 0")
    return text == "1"


KEY_BYTES = 32  # of AES-256
SETTINGS = (
    Setting("DATABASE_URL", address("postgresql", "postgres"), "", "Postgres 15 or newer; empty: a private one"),
    Setting(
        "WAYBILL_READ_URL",
        address("postgresql", "postgres"),
        "",
        "a standby of it, for games that are over and rows of the past; empty: none",
    ),
    Setting("REDIS_URL", redis_address, "", "Redis 6.2 or newer, or sentinels; empty: a private one"),
    Setting("WAYBILL_FOLDER", folder, ROOT / ".waybill", "where private servers keep their data, and logs and mail go"),
    Setting("WAYBILL_HOST", str, "127.0.0.1", "the address that the API listens on"),
    Setting("WAYBILL_PORT", whole(1, 65535), 8000, "the port that the API listens on"),
    Setting("WAYBILL_STREAM_PORT", whole(0, 65535), 0, "the port of the stream; 0: the next after WAYBILL_PORT"),
    Setting(
        "WAYBILL_STREAM_URL",
        address("http", "https"),
        "",
        "where clients find the stream; empty: at its port of the host that they asked",
    ),
    Setting("WAYBILL_STREAM_HEARTBEAT", whole(1, 300), 15, "seconds of silence after which a stream sends a comment"),
    Setting(
        "WAYBILL_URL", address("http", "https"), "", "where players reach the API, for links in mails; empty: none"
    ),
    Setting("WAYBILL_MAIL_DOMAIN", str, "waybill.localhost", "the domain of our mail addresses"),
    Setting("WAYBILL_MAIL_PORT", whole(0, 65535), 0, "the port of the door for mail; 0: the next after the stream's"),
    Setting("WAYBILL_MAIL_PROTOCOL", one_of("smtp", "lmtp"), "smtp", "what is spoken at the door for mail"),
    Setting(
        "WAYBILL_MAIL_SERVER",
        str,
        "",
        "the mail server before the door, by its name in Authentication-Results; empty: none",
    ),
    Setting("WAYBILL_MAIL_SECRET", str, "", "that a mail provider sends to POST /v1/mail/inbound; empty: nobody may"),
    Setting("WAYBILL_SMTP_URL", address("smtp", "smtps"), "", "the relay for our mail; empty: a mailbox in the folder"),
    Setting("WAYBILL_API_PROCESSES", whole(1, 256), 2, "processes of the API"),
    Setting("WAYBILL_API_THREADS", whole(1, 256), 8, "threads of each of them"),
    Setting("WAYBILL_CONNECTIONS_PER_ADDRESS", whole(1, 4096), 64, "with each API process; not counted behind proxies"),
    Setting("WAYBILL_WORKER_PROCESSES", whole(1, 256), 2, "processes of the worker"),
    Setting("WAYBILL_POOL_SIZE", whole(1, 256), 8, "database connections of a process"),
    Setting("WAYBILL_POOL_TIMEOUT", whole(1, 300), 5, "seconds to wait for a free one before answering 503"),
    Setting("WAYBILL_STATEMENT_TIMEOUT", whole(1, 3600), 10, "seconds that one database call may take"),
    Setting("WAYBILL_SWEEP_SECONDS", whole(1, 3600), 2, "how often deadlines and lost work are looked for"),
    Setting("WAYBILL_KEEP_NOTICES_DAYS", whole(1, 3650), 90, "how long notices are kept, read or not"),
    Setting("WAYBILL_KEEP_KEYS_HOURS", whole(1, 8760), 24, "how long idempotency keys are remembered"),
    Setting(
        "WAYBILL_REQUESTS_PER_MINUTE", whole(1, 10**9), 600, "that a player, or an address without a token, may make"
    ),
    Setting("WAYBILL_PROXIES", whole(0, 8), 0, "proxies in front of the API that say for whom they ask"),
    Setting(
        "WAYBILL_SECRETS_KEY",
        secret_keys,
        (),
        "seals the secrets of webhooks and browsers: base64 of 32 random bytes; empty: a file in the folder",
    ),
    Setting("WAYBILL_VAPID_KEY", vapid_key, b"", "signs messages to browsers (web push); empty: none are sent"),
    Setting(
        "WAYBILL_VAPID_CONTACT",
        contact,
        "mailto:postmaster@waybill.localhost",
        "whom push services ask about our messages: mailto:… or https://…",
    ),
    Setting("WAYBILL_WEBHOOK_LOOPBACK", switch, False, "1: webhooks and push may go to this machine, for tests"),
    Setting("WAYBILL_LOG_LEVEL", one_of("debug", "info", "warning", "error"), "info", "what is worth a line of log"),
)


class Config:
    """The settings by name: `config.pool_size`."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_values"][name]
        except KeyError:
            raise AttributeError(f"there is no setting {name!r}") from None

    @property
    def port_of_stream(self) -> int:
        return int(self.stream_port or self.port + 1)

    @property
    def port_of_mail(self) -> int:
        return int(self.mail_port or self.port_of_stream + 1)

    def replace(self, **changes: Any) -> "Config":
        return Config({**self._values, **changes})


def read_config(environment: Mapping[str, str] | None = None) -> Config:
    """The settings of the environment, or a ConfigError that names everything wrong with them."""
    environment = os.environ if environment is None else environment
    values: dict[str, Any] = {}
    problems = []
    for setting in SETTINGS:
        text = environment.get(setting.name, "")
        try:
            values[setting.field] = setting.read(text) if text else setting.default
        except ValueError as expected:
            # A database address holds a password: it is not repeated.
            shown = "what it is set to" if setting.name.endswith(("_URL", "_SECRET", "_KEY")) else repr(text)
            problems.append(f"{setting.name} must be {expected}, not {shown}.")
    known = {setting.name for setting in SETTINGS}
    strays = [name for name in environment if name.startswith("WAYBILL_") and name not in known]
    problems += [f"{name} is not a setting of Waybill." for name in sorted(strays)]
    if problems:
        raise ConfigError("\n".join(problems))
    return Config(values)


def service_config(environment: Mapping[str, str] | None = None) -> Config:
    """The settings for a process of the service by itself, which needs its servers to be there."""
    config = read_config(environment)
    if not (config.database_url and config.redis_url):
        raise ConfigError("DATABASE_URL and REDIS_URL must be set: only ./waybill up starts private servers.")
    return config


def table() -> str:
    """The table as Markdown, for docs/operate.md."""
    rows = [f"| `{setting.name}` | {_shown(setting.default)} | {setting.help} |" for setting in SETTINGS]
    return "\n".join(["| variable | default | meaning |", "| --- | --- | --- |", *rows]) + "\n"


def _shown(default: Any) -> str:
    if isinstance(default, Path):
        return str(default.relative_to(ROOT))
    if isinstance(default, bool):
        return str(int(default))
    return "" if default in ((), b"") else str(default)
