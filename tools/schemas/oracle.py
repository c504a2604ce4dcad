"""Asks mlir-opt for the texts of properties that are not set.

An operation without operands and results is hardly ever valid, but the complaint about it shows the operation
in the generic form, defaults included. So no release needs its verifier switched off, and many operations fit
into one run. An operation that brings the tool down is found by halving the run.
"""

import re
import subprocess
from collections.abc import Iterator, Sequence

import text
from schema import ATTRIBUTES, Field, Op, properties

_SHOWN = re.compile(r'^(?:.* note: see current operation: | *)"([\w.$-]+)"\(\) <(\{.*)$', re.MULTILINE)
_BATCH = 256


def fill_in_defaults(ops: dict[str, Op], tool: str) -> Iterator[str]:
    """Put the text of defaults into `ops`; report contradictions to the C++, and unknown defaults."""
    with_default = [name for name, op in ops.items() if any(_has_default(field) for field in properties(op))]
    shown = ask(with_default, tool)
    for name in with_default:
        if name not in shown:
            yield f"{name}: {tool} does not show it"
            continue
        for field in properties(ops[name]):
            if not _has_default(field):
                continue
            value = shown[name].get(field["name"])
            default = field.get("default", True)
            if value is None:
                if default is not True:
                    yield f"{name}: default of {field['name']} not shown"
                elif field["kind"] in ATTRIBUTES:
                    yield f"{name}: default of {field['name']} is not an attribute"
                    del field["default"]
                continue
            if default not in (True, value):
                yield f"{name}: default of {field['name']} should be {default} and is {value}"
            field["default"] = value


def _has_default(field: Field) -> bool:
    return "default" in field or field["kind"] not in (*ATTRIBUTES, "segment_sizes")


def ask(names: Sequence[str], tool: str) -> dict[str, dict[str, str]]:
    """The properties that each operation shows when none was given."""
    result: dict[str, dict[str, str]] = {}
    for start in range(0, len(names), _BATCH):
        result |= _ask(names[start : start + _BATCH], tool)
    return result


def _ask(names: Sequence[str], tool: str) -> dict[str, dict[str, str]]:
    source = "\n// -----\n".join(f'"{name}"() : () -> ()' for name in names)
    command = [tool, "--split-input-file", "--mlir-print-op-generic"]
    run = subprocess.run(command, input=source.encode(), capture_output=True, check=False)
    if run.returncode in (0, 1):
        output = (run.stdout + run.stderr).decode(errors="replace")
        return {match[1]: text.entries(match[2]) for match in _SHOWN.finditer(output) if match[1] in names}
    if len(names) == 1:
        return {}
    half = len(names) // 2
    return _ask(names[:half], tool) | _ask(names[half:], tool)
