"""Writes the file of a family: `generate.py FAMILY N OUT`, in a process of its own, so that the memory that
Python takes for it is not that of the process whose children are measured."""

import gc
import sys
from pathlib import Path

import complexity.families  # noqa: F401 (registers them)
from complexity.build import FAMILIES

# Regions nest deeper than Python calls may.
sys.setrecursionlimit(10_000_000)
# A few hundred thousand small objects, all of which live to the end.
gc.disable()


def main() -> None:
    name, n, out = sys.argv[1:]
    Path(out).write_bytes(FAMILIES[name].build(int(n)))


if __name__ == "__main__":
    main()
