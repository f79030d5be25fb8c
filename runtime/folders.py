"""The folder that private servers and logs live in."""

import os
import pwd
import shlex
from pathlib import Path

from runtime.errors import ServerError


def make_folder(folder: Path) -> None:
    """Makes the folder where it is not there, and says what to do where it cannot be used."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ServerError(
            f"{folder} cannot be made: {error.strerror}. Set WAYBILL_FOLDER to a folder that you may write to."
        ) from None
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise unusable(folder)


def unusable(folder: Path) -> ServerError:
    """What to say of a folder that is there but not for us."""
    owner = folder.stat().st_uid
    if owner == os.geteuid():
        return ServerError(f"{folder} is read-only. Set WAYBILL_FOLDER to a folder that you may write to.")
    take_over = shlex.join(["sudo", "chown", "-R", str(os.geteuid()), str(folder)])
    return ServerError(
        f"{folder} belongs to {user_name(owner)}, who has used it before. Run waybill as {user_name(owner)}, or set"
        f" WAYBILL_FOLDER to a folder of your own, or take this one over: {take_over}"
    )


def user_name(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"
