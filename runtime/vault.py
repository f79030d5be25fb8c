"""Secrets that have to be kept because they are used again: sealed with a key that is not in the database."""

import base64
import os
import secrets
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from runtime.config import KEY_BYTES, Config, secret_keys

NONCE_BYTES = 12
FILE = "secrets.key"


class NoKey(Exception):
    """There is no key, and none can be made; the message is for operators."""


class Broken(Exception):
    """What was sealed cannot be opened: with another key, or not by us."""


class Vault:
    """Seals with the newest key and opens with any. Without a setting the key is a file in the service's folder."""

    def __init__(self, config: Config) -> None:
        self._set: tuple[bytes, ...] = config.secrets_key
        self._file: Path = config.folder / FILE

    def seal(self, secret: bytes, about: str) -> bytes:
        """`about` is what the secret belongs to: it cannot be opened as another's."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + AESGCM(self._keys()[0]).encrypt(nonce, secret, about.encode())

    def open(self, sealed: bytes, about: str) -> bytes:
        for key in self._keys():
            try:
                return AESGCM(key).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], about.encode())
            except InvalidTag:
                continue
        raise Broken("It was sealed with another key.")

    def _keys(self) -> tuple[bytes, ...]:
        if self._set:
            return self._set
        try:
            return secret_keys((self._file if self._file.exists() else self._make()).read_text("ascii"))
        except OSError as error:
            raise NoKey(f"Set WAYBILL_SECRETS_KEY: {self._file} cannot be used ({error.strerror}).") from error
        except ValueError as error:
            raise NoKey(f"{self._file} holds no key: {error}.") from error

    def _make(self) -> Path:
        """The file, with one key for all processes that want to make it at this moment."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        draft = self._file.with_name(f"{FILE}.{secrets.token_hex(8)}")
        with open(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode())
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(draft, self._file)
        draft.unlink()
        return self._file
