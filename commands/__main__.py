"""Finds the command named on the command line and runs it."""

import argparse
import ast
import difflib
import importlib
import inspect
import os
import sys
from pathlib import Path


def main(argv: list[str]) -> int:
    if not argv or argv[0] in ("-h", "--help", "help"):
        print(listing())
        return 0
    name, *rest = argv
    if name not in command_files():
        print(unknown(name), file=sys.stderr)
        return 2
    return run(name, rest)


def command_files() -> dict[str, Path]:
    files = sorted(Path(__file__).parent.glob("*.py"))
    return {file.stem.replace("_", "-"): file for file in files if not file.stem.startswith("_")}


def summary(file: Path) -> str:
    """The first line of a command's docstring, read without importing what the command needs."""
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return docstring.partition("\n")[0]


def listing() -> str:
    files = command_files()
    width = max(map(len, files), default=0)
    lines = [f"  {name:<{width}}  {summary(file)}" for name, file in files.items()]
    return "\n".join(
        [
            "usage: ./waybill COMMAND [ARGUMENTS]",
            "",
            "Waybill is a referee for games played by post.",
            "",
            *lines,
            "",
            "./waybill COMMAND --help explains a command, with examples.",
        ]
    )


def unknown(name: str) -> str:
    nearest = difflib.get_close_matches(name, command_files(), n=1, cutoff=0.5)
    hint = f"Did you mean {nearest[0]!r}?" if nearest else "./waybill --help lists the commands."
    return f"waybill: there is no command {name!r}. {hint}"


def run(name: str, argv: list[str]) -> int:
    module = importlib.import_module(f"commands.{name.replace('-', '_')}")
    parser = argparse.ArgumentParser(
        prog=f"./waybill {name}",
        description=inspect.getdoc(module),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.arguments(parser)
    # argparse cannot collect options that it does not know in their order, as a wrapper of another tool has to.
    if getattr(module, "PASSES_ARGUMENTS_ON", False) and argv[:1] not in (["-h"], ["--help"]):
        args = argparse.Namespace(rest=argv)
    else:
        args = parser.parse_args(argv)
    return int(module.run(args))


if __name__ == "__main__":
    try:
        status = main(sys.argv[1:])
        sys.stdout.flush()
    except KeyboardInterrupt:
        status = 130
    except BrokenPipeError:
        # The reader has gone (`./waybill ... | head`); the interpreter's own flush at exit must not complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 141
    sys.exit(status)
