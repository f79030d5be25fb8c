"""What `./waybill` can do: one module a command, each with a docstring, `arguments(parser)` and `run(args)`.

One that needs more than requirements.lock holds says `NEEDS_DEVELOPER_TOOLS = True`; the waybill script looks for it.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
