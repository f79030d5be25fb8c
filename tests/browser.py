"""A real Chromium for tests: the machine's own, or the one of the package `@sparticuz/chromium`."""

import contextlib
import fcntl
import functools
import json
import os
import shutil
import subprocess
from collections.abc import Iterator

from playwright.sync_api import Browser, sync_playwright

from tests import node_tools

# Not the package's own list of arguments: that one switches off what the tests are to judge, such as the same origin.
ARGUMENTS = ("--no-sandbox", "--no-zygote", "--disable-gpu", "--disable-dev-shm-usage", "--font-render-hinting=none")


@functools.cache
def program() -> tuple[str, dict[str, str]]:
    """Where Chromium is, and the environment that it needs."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path, {}
    folder = node_tools.packages() / ".chromium"
    with (node_tools.FOLDER / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        unpacked = subprocess.run(
            [node_tools.NODE, "browser.mjs", folder], cwd=node_tools.FOLDER, capture_output=True, check=True
        )
    found = json.loads(unpacked.stdout)
    # The package's own file of fonts names a folder outside of this one.
    (folder / "fonts.conf").write_text(
        f"<fontconfig><dir>{folder}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>{folder}</cachedir></fontconfig>"
    )
    return found["path"], {"LD_LIBRARY_PATH": found["libraries"], "FONTCONFIG_FILE": f"{folder}/fonts.conf"}


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    path, environment = program()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=list(ARGUMENTS), env={**os.environ, **environment}
        )
        try:
            yield browser
        finally:
            browser.close()
