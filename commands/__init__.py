"""What `./waybill` can do: one module a command, each with a docstring, `arguments(parser)` and `run(args)`."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
