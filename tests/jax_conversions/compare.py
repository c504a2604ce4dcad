"""Converts exports for older releases of JAX, calls them there, and prints a table.

`python -m jax_conversions.compare FOLDER PYTHON...`: the folder has what `programs` writes, and each
interpreter a release of JAX, for which the programs are converted with mlirbc.
"""

import argparse
import json
import subprocess
import sys
import warnings
from pathlib import Path

import mlirbc

HERE = Path(__file__).parent
# Programs that some releases cannot hold, with the first release that can.
FIRST = {"key_in": (0, 6, 0), "key_out": (0, 6, 0)}
TOLERANCE = 1e-5


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:3])


def version_of(python: str) -> str:
    answer = subprocess.run(
        [python, "-c", "import jax; print(jax.__version__)"], capture_output=True, text=True
    )
    return answer.stdout.strip() or sys.exit(f"{python} has no JAX: {answer.stderr.strip()[-200:]}")


def converted(source: Path, version: str, target: Path) -> tuple[str, list[str]]:
    """The error or an empty text, and the notes."""
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        try:
            mlirbc.open_artifact(source).for_jax(version).save(target / source.name)
        except mlirbc.UnsupportedError as error:
            return str(error), []
    (target / source.name).with_suffix(".npz").write_bytes(source.with_suffix(".npz").read_bytes())
    return "", [str(note.message) for note in notes]


def called(python: str, folder: Path, names: list[str]) -> dict[str, dict[str, object]]:
    command = [python, str(HERE / "call.py"), str(folder), *names]
    run = subprocess.run(command, capture_output=True, text=True)
    records = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    record_by_name = {str(record["name"]): record for record in records}
    for name in names:
        record_by_name.setdefault(
            name, {"error": f"the process ended with {run.returncode}: {run.stderr[-200:]}"}
        )
    return record_by_name


def row(name: str, version: str, refusal: str, record: dict[str, object]) -> tuple[str, bool]:
    """The text for a program, and whether it is as it should be."""
    if refusal:
        return f"refused: {refusal}", numbers(version) < FIRST.get(name, (0, 0, 0))
    if error := record.get("error"):
        return f"FAILS: {error}", False
    worst = max(float(str(record[key])) for key in ("difference", "vjp", "second") if key in record)
    text = f"called, largest difference {worst:.1e}, {record['shardings']} shardings"
    return text, worst < TOLERANCE and numbers(version) >= FIRST.get(name, (0, 0, 0))


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/jax-conversions")
    parser.add_argument("folder", type=Path)
    parser.add_argument("python", nargs="+")
    options = parser.parse_args()
    sources = sorted(options.folder.glob("*.jax"))
    if not sources:
        sys.exit(f"no exports in {options.folder}")
    failures = 0
    for python in options.python:
        version = version_of(python)
        target = options.folder / f"for-{version}"
        target.mkdir(exist_ok=True)
        outcomes = {source.stem: converted(source, version, target) for source in sources}
        names = [name for name, (refusal, _) in outcomes.items() if not refusal]
        records = called(python, target, names)
        for name, (refusal, notes) in outcomes.items():
            text, is_right = row(name, version, refusal, records.get(name, {}))
            failures += not is_right
            print(f"{version:8} {name:20} {'' if is_right else 'WRONG '}{text}")
            for note in notes:
                print(f"{'':29} note: {note}")
    print(f"{failures} wrong")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
