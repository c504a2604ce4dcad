"""Runs a measurement: `python measurement.py NAME PATH` prints its numbers as JSON.

A program of its own, because the processes of a scan import the program that starts them.
"""

import json
import sys
from pathlib import Path

from bench.measures import MEASURES


def main(name: str, path: str) -> None:
    measures = MEASURES
    if name not in measures:
        from bench import loops, peers

        measures = peers.MEASURES | loops.MEASURES
    print(json.dumps(measures[name](Path(path))))


if __name__ == "__main__":
    main(*sys.argv[1:])
