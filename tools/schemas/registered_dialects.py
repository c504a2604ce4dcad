"""Which dialects a release registers, as `absent_dialects` and `optional_dialects` of `releases.toml`.

A schema says what the headers or the library of a release have. A reader takes the properties of an operation
that it does not register for one attribute, so what its programs register counts as well. The dialects of the
schema and of the releases that it includes are asked for. `absent_dialects` are in no program of the
release, `optional_dialects` in some of them: in the Python classes of IREE, but not in `iree-opt`.

    registered_dialects.py llvm-22=mlir-opt-22 llvm-23="ld.so --library-path lib mlir-opt" --write
    registered_dialects.py jaxlib-0.10 --write            in an environment with the build
    registered_dialects.py --derive llvm-20 --write       what the releases before and after it agree on
"""

import argparse
import importlib
import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import builds
from release_differences import expanded
from schema import load

DATA = Path(__file__).parents[2] / "rust" / "mlirbc" / "data"
# These have attributes and types only.
_WITHOUT_OPERATIONS = {"dlti"}
_OF_BUILDS = {"iree": {"iree_cpu", "iree_map"}}
_ERROR = re.compile(r"error: (?:unregistered operation|operation being parsed with an unregistered dialect)")
_BATCH = 256


def kind_of(name: str) -> str:
    """The kind of build that a release is; empty if it is none."""
    table = tomllib.loads(Path(__file__).with_name("packages.toml").read_text("utf-8"))
    return next((str(row["kind"]) for row in table["package"] if row["release"] == name), "")


def rows(data: Path) -> dict[str, dict[str, Any]]:
    """The rows of all releases, by their names."""
    table = tomllib.loads((data / "releases.toml").read_text("utf-8"))
    return {row["name"]: row for row in table["release"]}


def operations(name: str, data: Path) -> set[str]:
    """The operations of a release and of the releases that it includes."""
    row = rows(data)[name]
    included = set(row.get("includes", ()))
    if "stablehlo" in row:
        included.add("stablehlo-1.20")
    schema = expanded(dict(load(data / "releases" / f"{name}.json")), data / "releases")
    result = set(schema["ops"])
    definitions = data / "operations" / f"{name}.jsonl"
    if definitions.exists():
        lines = map(json.loads, definitions.read_text("utf-8").splitlines())
        result |= {str(line["op"]) for line in lines if "op" in line}
    return result.union(*(operations(included_name, data) for included_name in included - {name}))


def candidates(name: str, data: Path) -> list[str]:
    """The dialects that a release may register."""
    build_dialects = next((dialects for kind, dialects in _OF_BUILDS.items() if name.startswith(kind)), set())
    return sorted(
        {op.partition(".")[0] for op in operations(name, data)} | _WITHOUT_OPERATIONS | build_dialects
    )


def shown_by_tool(command: Sequence[str]) -> set[str]:
    """The dialects that a command-line tool has."""
    run = subprocess.run(
        [*command, "--show-dialects"], stdin=subprocess.DEVNULL, capture_output=True, check=True
    )
    _, _, names = run.stdout.decode().partition(":")
    return set(re.findall(r"\w+", names))


def unregistered(command: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    """The operations that a command-line tool does not register."""
    for start in range(0, len(names), _BATCH):
        yield from _unregistered(command, names[start : start + _BATCH])


def _unregistered(command: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    # Each operation has its own line, by which an error tells the operation that it is about.
    source = "\n// -----\n".join(f'"{name}"() : () -> ()' for name in names)
    run = subprocess.run(
        [*command, "--split-input-file"], input=source.encode(), capture_output=True, check=False
    )
    if run.returncode not in (0, 1) and len(names) > 1:
        half = len(names) // 2
        yield from _unregistered(command, names[:half])
        yield from _unregistered(command, names[half:])
        return
    for line in run.stderr.decode(errors="replace").splitlines():
        place = re.match(r"[^:]*:(\d+):\d+: (.*)", line)
        if place and _ERROR.match(place[2]):
            yield names[(int(place[1]) - 1) // 2]


def programs(kind: str, dialects: Sequence[str]) -> list[set[str]]:
    """The dialects of each program of an installed build."""
    whole = builds.BUILDS[kind]()
    result = [{name for name in dialects if whole.has_dialect(name)}]
    if kind == "jaxlib":
        plain = builds.jaxlib({})
        result.append({name for name in dialects if plain.has_dialect(name)})
        # Reading a portable artifact registers it, in a context that the Python classes do not show.
        result[0].add("vhlo")
    if kind == "iree":
        package = Path(str(importlib.import_module("iree.compiler").__file__)).parent
        result.append(shown_by_tool([str(package / "_mlir_libs" / "iree-opt")]) & set(dialects))
    return result


def described(dialects: Sequence[str], of_programs: Sequence[set[str]]) -> dict[str, list[str]]:
    """The keys of a row."""
    some, every = set.union(*of_programs), set.intersection(*of_programs)
    return {
        "absent_dialects": [name for name in dialects if name not in some],
        "optional_dialects": [name for name in dialects if name in some - every],
    }


def derived(name: str, data: Path) -> dict[str, list[str]]:
    """The keys of a release without a package, from the releases of LLVM before and after it."""
    number = int(name.rpartition("-")[2])
    around = [rows(data)[f"llvm-{neighbour}"] for neighbour in (number - 1, number + 1)]
    absent = set.intersection(*(set(row.get("absent_dialects", ())) for row in around))
    return {"absent_dialects": sorted(absent), "optional_dialects": []}


def rewritten(table: str, name: str, keys: dict[str, list[str]]) -> str:
    """The table with the keys of one row replaced, or added at its end."""
    head, start, following = table.partition(f'[[release]]\nname = "{name}"\n')
    if not start:
        raise SystemExit(f"releases.toml has no row for {name}")
    end = re.search(r"^(?=\[\[|#)", following, re.MULTILINE)
    row, after = (following[: end.start()], following[end.start() :]) if end else (following, "")
    blank = row[len(row.rstrip("\n")) + 1 :]
    for key, values in keys.items():
        row = re.sub(rf"^{key} = \[[^\]]*\]\n", "", row, flags=re.MULTILINE).rstrip("\n") + "\n"
        if values:
            row += f"{key} = {_array(key, values)}\n"
    return head + start + row + blank + after


def _array(key: str, values: Sequence[str]) -> str:
    line = ", ".join(f'"{value}"' for value in values)
    if len(key) + len(line) + 5 <= 120:
        return f"[{line}]"
    lines = [""]
    for value in values:
        item = f'"{value}",'
        if lines[-1] and len(lines[-1]) + len(item) + 5 > 120:
            lines.append("")
        lines[-1] += f" {item}" if lines[-1] else item
    return "[\n" + "".join(f"    {line}\n" for line in lines) + "]"


def main(arguments: list[str] | None = None) -> int:
    """Print the keys of each release, or write them into the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "releases", nargs="*", metavar="RELEASE[=COMMAND]", help="an installed build, or a tool"
    )
    parser.add_argument("--derive", action="append", default=[], metavar="RELEASE")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--write", action="store_true", help="replace the keys in releases.toml")
    options = parser.parse_args(arguments)
    for item in options.releases:
        name, _, command = item.partition("=")
        dialects = candidates(name, options.data)
        if command:
            tool = shlex.split(command)
            keys = described(dialects, [shown_by_tool(tool)])
            absent = {*keys["absent_dialects"]}
            names = sorted(op for op in operations(name, options.data) if op.partition(".")[0] not in absent)
            for operation in unregistered(tool, names):
                print(f"{name}: {operation} is not registered, although its dialect is", file=sys.stderr)
        else:
            kind = kind_of(name)
            if not kind:
                parser.error(f"{name} is not a build with Python classes; name its tool: {name}=COMMAND")
            keys = described(dialects, programs(kind, dialects))
        _finish(name, keys, options)
    for name in options.derive:
        _finish(name, derived(name, options.data), options)
    return 0


def _finish(name: str, keys: dict[str, list[str]], options: argparse.Namespace) -> None:
    print(
        f"{name}: absent {', '.join(keys['absent_dialects']) or 'none'}; optional "
        f"{', '.join(keys['optional_dialects']) or 'none'}"
    )
    if options.write:
        path = options.data / "releases.toml"
        path.write_text(rewritten(path.read_text("utf-8"), name, keys), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
