"""Makes the file of a release that no package has from the releases before and after it.

An operation has the layout that the last known release before and the first one after have, if it is the
same. Where they differ, it is unmodelled; where only one of them has it, so may the release or not, and it is
left out. Operations of dialects that no release of LLVM has, which builds bring along, are left out, too.

    derive.py --release llvm-20 --version 20.1.8 --producer MLIR20. \\
        --before jaxlib-0.5.json --before llvm-19.json --after jaxlib-0.6.json \\
        --after llvm-21.json --out llvm-20.json
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from schema import Op, Release, Unmodelled, described, load, properties, release_arguments, save


def nearest(name: str, releases: Sequence[Release]) -> tuple[str, Op] | None:
    """The operation in the first release that knows its layout."""
    for release in releases:
        op = release["ops"].get(name)
        if op is not None and "custom" not in op:
            return release["release"], op
    return None


def same_layout(first: Op, second: Op) -> bool:
    """Whether two operations are written alike; texts of defaults and names of operands do not count."""
    return [
        (field["name"], field["kind"], field.get("count"), field.get("v5_index"), field.get("bits"))
        for field in properties(first)
    ] == [
        (field["name"], field["kind"], field.get("count"), field.get("v5_index"), field.get("bits"))
        for field in properties(second)
    ]


def dialect_of(name: str) -> str:
    """The dialect of an operation."""
    return name.partition(".")[0]


def most_detailed(name: str, op: Op, releases: Sequence[Release]) -> Op:
    """The operation as the headers of a release describe it, which say more than a build shows."""
    of_headers = (release["ops"].get(name) for release in releases if release["release"].startswith("llvm-"))
    return next(
        (candidate for candidate in of_headers if candidate is not None and same_layout(op, candidate)), op
    )


def derive(before: Sequence[Release], after: Sequence[Release]) -> tuple[dict[str, Op], list[Unmodelled]]:
    """The operations on which both sides agree, and those on which they do not."""
    ops: dict[str, Op] = {}
    unmodelled: list[Unmodelled] = []
    llvm = [release for release in (*before, *after) if release["release"].startswith("llvm-")]
    dialects = {dialect_of(name) for release in llvm for name in release["ops"]}
    names = {name for release in after for name in release["ops"]}
    for name in sorted(name for name in names if dialect_of(name) in dialects):
        older, newer = nearest(name, before), nearest(name, after)
        if not older or not newer:
            continue
        if same_layout(older[1], newer[1]):
            ops[name] = most_detailed(name, newer[1], [*after, *before])
        else:
            ops[name] = {"custom": True}
            unmodelled.append({"op": name, "reason": f"{older[0]} and {newer[0]} differ"})
    return ops, unmodelled


def main(arguments: list[str] | None = None) -> int:
    """Write one release file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    release_arguments(parser)
    parser.add_argument("--before", action="append", type=Path, required=True, help="the latest first")
    parser.add_argument("--after", action="append", type=Path, required=True, help="the earliest first")
    options = parser.parse_args(arguments)
    before, after = ([load(path) for path in paths] for paths in (options.before, options.after))
    ops, unmodelled = derive(before, after)
    classes = {name: facts for side in reversed(after) for name, facts in side["attribute_classes"].items()}
    release = described(options, ops, unmodelled, classes)
    save(release, options.out)
    print(f"{options.release}: {len(ops)} operations, {len(unmodelled)} differ", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
