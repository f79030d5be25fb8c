"""Measure how fast it is.

Without arguments the benchmarks are listed; with a name one of them runs and gets the other arguments.
The exit code is 1 when a goal that a benchmark names is missed.

examples:
  ./waybill bench                              the list
  ./waybill bench engine                       the engine, every game
  ./waybill bench engine airlines-europe       the engine, one game
"""

import argparse
import importlib
import sys

from commands import ROOT
from commands.__main__ import summary


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help="which benchmark to run")
    parser.add_argument("rest", nargs=argparse.REMAINDER, metavar="ARGUMENT", help="passed on to it")


def run(args: argparse.Namespace) -> int:
    files = {file.stem: file for file in sorted((ROOT / "bench").glob("*.py")) if not file.stem.startswith("_")}
    if args.name is None:
        for name, file in files.items():
            print(f"{name:10} {summary(file)}")
        return 0
    if args.name not in files:
        print(f"There is no benchmark {args.name!r}; there are: {', '.join(files)}.", file=sys.stderr)
        return 2
    return int(importlib.import_module(f"bench.{args.name}").run(args.rest))
