"""Places a build among the known releases: how many layouts of LLVM's operations it shares with each.

The `revision` of a release is the day of its LLVM, about, but the order of releases has to be exact: the layouts
of a file are determined by the releases around it. A build is next to the releases that it differs least from.

    release_order.py full/jaxlib-0.12.json
"""

import argparse
import sys
import tomllib
from pathlib import Path

from derive import same_layout
from registered_dialects import DATA
from release_differences import expanded
from schema import load


def main(arguments: list[str] | None = None) -> int:
    """Print a line for each release, the oldest first."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("schema", type=Path)
    options = parser.parse_args(arguments)
    folder = DATA / "releases"
    rows = tomllib.loads((DATA / "releases.toml").read_text("utf-8"))["release"]
    known_ops = {
        row["name"]: expanded(dict(load(folder / f"{row['name']}.json")), folder)["ops"]
        for row in sorted(rows, key=lambda row: str(row["revision"]))
    }
    upstream = {
        op.partition(".")[0] for name, ops in known_ops.items() if name.startswith("llvm-") for op in ops
    }
    build_ops = expanded(dict(load(options.schema)), folder)["ops"]
    build_ops = {name: op for name, op in build_ops.items() if name.partition(".")[0] in upstream}
    dialects = {name.partition(".")[0] for name in build_ops}
    for row in sorted(rows, key=lambda row: str(row["revision"])):
        ops = known_ops[row["name"]]
        shared = [
            name for name in build_ops if name in ops and "custom" not in {**build_ops[name], **ops[name]}
        ]
        differing = [name for name in shared if not same_layout(build_ops[name], ops[name])]
        release_dialects = {name.partition(".")[0] for name in ops}
        only_here = [
            name for name in build_ops if name not in ops and name.partition(".")[0] in release_dialects
        ]
        only_there = [name for name in ops if name not in build_ops and name.partition(".")[0] in dialects]
        print(
            f"{row['revision']} {row['name']}: {len(differing)} of {len(shared)} differ, "
            f"{len(only_here)} only here, {len(only_there)} only there"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
