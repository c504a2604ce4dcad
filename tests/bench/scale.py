"""Time and memory for each operation, from a million to a hundred million, and 50 GiB of resources.

    scripts/bench --scale [--cache FOLDER] [--millions 1,10,100]

A hundred million operations are a file of 1.9 GB and take 4 GB of memory. The resources are a hole in a file.
"""

from pathlib import Path
from typing import Any

from bench import inputs

JOBS = [
    ("first symbol name, from opening", "first_symbol", "grown"),
    ("count by name", "counts", None),
    ("decode all bodies", "decode_1", None),
    ("… memory", "decode_memory", "grown"),
    ("one column of all operations", "name_column", "grown"),
    ("verify", "verified", None),
    ("write canonically, to a file", "saved", "grown"),
]
"""The name of a row, its measure, and the field with its memory."""


def report(cache: Path, millions: list[int], measure: Any) -> int:
    print("| | " + " | ".join(f"{number} M, each" for number in millions) + " |")
    print("|---" * (len(millions) + 1) + "|")
    files = {number: prepare(cache, number) for number in millions}
    faults = 0
    for name, job, memory in JOBS:
        shown = []
        for number in millions:
            numbers = measure(job, files[number])
            if isinstance(numbers, str):
                faults += 1
                shown.append(numbers)
                continue
            count = number * 1_000_000
            parts = [f"{numbers['seconds'] * 1e9 / count:.1f} ns"] if "seconds" in numbers else []
            shown.append(", ".join(parts + ([f"{numbers[memory] / count:.1f} B"] if memory else [])))
        print(f"| {name} | " + " | ".join(shown) + " |", flush=True)
    resources = cache / "resources_50gib.mlirbc"
    if not resources.exists():
        inputs.write_resources(resources, blobs=50, size=2**30)
    print(f"\nresources of {resources.stat().st_size / 2**30:.1f} GiB:")
    for job in ("sizes", "weights"):
        numbers = measure(job, resources)
        if isinstance(numbers, str):
            faults += 1
            print(f"- {job}: {numbers}")
        else:
            took, grown, touched = numbers["seconds"], numbers["grown"], numbers["touched"]
            print(f"- {job}: {took * 1e3:.1f} ms, {grown / 1e6:.1f} MB, {touched / 1024:.0f} KiB of the file")
    return 1 if faults else 0


def prepare(cache: Path, number: int) -> Path:
    cache.mkdir(parents=True, exist_ok=True)
    path = cache / f"{number}_million_ops.mlirbc"
    if not path.exists():
        unfinished = path.with_suffix(".unfinished")
        inputs.write_many_ops(unfinished, number * 1000)
        unfinished.rename(path)
    return path
