"""Reduces a release file to its differences from another one, the form of most files in the repository.

release_differences.py full/llvm-21.json --like llvm-22 --data $DATA --out $DATA/llvm-21.json
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from schema import Release, keep_used_classes, load, save


def expanded(release: dict[str, Any], data: Path) -> Release:
    """A release file with everything that it takes over from others."""
    if "like" not in release:
        return release  # type: ignore[return-value]
    base = expanded(dict(load(data / f"{release['like']}.json")), data)
    gone = set(release.get("without", ()))
    ops = {name: op for name, op in base["ops"].items() if name not in gone} | release["ops"]
    classes = base["attribute_classes"] | release["attribute_classes"]
    entries = {key: value for key, value in release.items() if key not in ("like", "without")}
    return {**entries, "ops": ops, "attribute_classes": classes}  # type: ignore[typeddict-item]


def reduced(release: Release, like: str, data: Path) -> Release:
    """A release file without the facts of another one."""
    base = expanded(dict(load(data / f"{like}.json")), data)
    ops, classes = base["ops"], base["attribute_classes"]
    changed = {name: op for name, op in release["ops"].items() if ops.get(name) != op}
    small: Release = {
        **release,
        "like": like,
        "without": sorted(set(ops) - set(release["ops"])),
        "unmodelled": [entry for entry in release["unmodelled"] if entry["op"] in changed],
        "ops": changed,
        "attribute_classes": {
            name: facts for name, facts in release["attribute_classes"].items() if classes.get(name) != facts
        },
    }
    keep_used_classes(small)
    return small


def main(arguments: list[str] | None = None) -> int:
    """Write one reduced file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("full", type=Path)
    parser.add_argument("--like", required=True, help="the release that it resembles most")
    parser.add_argument("--data", required=True, type=Path, help="where the shipped files are")
    parser.add_argument("--out", required=True, type=Path)
    options = parser.parse_args(arguments)
    full = load(options.full)
    small = reduced(full, options.like, options.data)
    save(small, options.out)
    again = expanded(json.loads(options.out.read_text("utf-8")), options.data)
    if again["ops"] != full["ops"]:
        print("the reduced file does not say the same", file=sys.stderr)
        return 1
    counts = f"{len(small['ops'])} operations differ, {len(small['without'])} missing"
    print(f"{full['release']} like {options.like}: {counts}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
