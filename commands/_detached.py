"""`./waybill up --detach`: the same `up` in the background, where no terminal ends it."""

import subprocess
import sys
import time

from commands import ROOT
from commands._service import place, running
from runtime.config import Config
from runtime.errors import ServerError
from runtime.folders import make_folder
from runtime.log_files import open_log

CHECK_EVERY = 0.1  # seconds


def start_detached(config: Config) -> int:
    """Starts `up` on the configured port and waits until it is at work, or has said why not."""
    make_folder(config.folder)
    log = config.folder / "up.log"
    with open_log(log) as output:
        begin = log.stat().st_size
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", "commands", "up", "--port", str(config.port)],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    while (up := running(config)) is None or up.pid != child.pid:
        if child.poll() is not None:
            said = log.read_bytes()[begin:].decode(errors="replace").replace("waybill: ", "")
            raise ServerError(said.strip() or f"It ended with status {child.returncode}.")
        time.sleep(CHECK_EVERY)
    print(f"Waybill is at {up.url}, as process {up.pid}. What it says goes to {place(log)}; ./waybill stop stops it.")
    return 0
