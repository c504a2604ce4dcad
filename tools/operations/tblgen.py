"""Reads the records of `.td` files through `llvm-tblgen --dump-json`."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class Records:
    """The records of one run of tblgen. Names of anonymous records are unique in one run only."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.raw = raw

    def named(self, reference: Any) -> dict[str, Any] | None:
        """The record that a value refers to, or None for a value of another kind."""
        if isinstance(reference, dict) and reference.get("kind") == "def":
            return self.raw.get(reference["def"])
        return None

    def instances(self, class_name: str) -> list[dict[str, Any]]:
        return [self.raw[name] for name in self.raw["!instanceof"].get(class_name, ())]


def classes(record: dict[str, Any] | None) -> set[str]:
    """The names of the classes that a record derives from."""
    return set(record["!superclasses"]) if record else set()


def arguments(dag: Any) -> list[tuple[Any, str]]:
    """The values and names of a dag such as `(ins I32:$a)`."""
    return [(value, name or "") for value, name in (dag or {}).get("args", ())]


def code(value: Any) -> Any:
    """Text for a value that is a reference or a dag; numbers, strings and lists stay."""
    if isinstance(value, dict):
        return value.get("def") or value.get("printable")
    if isinstance(value, list):
        return [code(item) for item in value]
    return value


def run(tblgen: str, file: Path, includes: list[Path]) -> Records | None:
    """The records of a file, or None if tblgen does not accept it on its own."""
    command = [tblgen, "--dump-json", str(file), "-I", str(file.parent)]
    for folder in includes:
        command += ["-I", str(folder)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return Records(json.loads(result.stdout)) if result.returncode == 0 else None


def files(folder: Path) -> Iterator[Path]:
    """Every `.td` file below a folder, in a stable order."""
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".td"):
                yield Path(parent, name)
