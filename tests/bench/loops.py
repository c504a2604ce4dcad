"""Loops over the operations of a model: the same for an opened module, an edited one, and jaxlib's bindings.

Each runs once before the clock starts, so that what a module keeps after the first access is in place.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench.measures import Numbers, timed


def _names(operations: Any) -> None:
    for op in operations:
        op.name  # noqa: B018


def _attribute_names(operations: Any) -> None:
    for op in operations:
        for _ in op.attributes:
            pass


def _items(operations: Any) -> None:
    for op in operations:
        for _, _ in op.attributes.items():
            pass


def _contains(operations: Any) -> None:
    for op in operations:
        "value" in op.attributes  # noqa: B015


def _attribute_counts(operations: Any) -> None:
    for op in operations:
        len(op.attributes)


def _types(operations: Any) -> None:
    for op in operations:
        for value in op.results:
            value.type  # noqa: B018


def _type_texts(operations: Any) -> None:
    for op in operations:
        for value in op.results:
            str(value.type)


def _shapes(operations: Any) -> None:
    for op in operations:
        for value in op.results:
            value.type.shape  # noqa: B018


def _operands(operations: Any) -> None:
    for op in operations:
        for _ in op.operands:
            pass


def _owners(operations: Any) -> None:
    for op in operations:
        for value in op.operands:
            value.owner  # noqa: B018


def _locations(operations: Any) -> None:
    for op in operations:
        str(op.location)


LOOPS: dict[str, Callable[[Any], None]] = {
    "names": _names,
    "attribute_names": _attribute_names,
    "items": _items,
    "contains": _contains,
    "attribute_counts": _attribute_counts,
    "types": _types,
    "type_texts": _type_texts,
    "shapes": _shapes,
    "operands": _operands,
    "owners": _owners,
    "locations": _locations,
}


def _blocks(module: Any) -> Iterator[Any]:
    for function in module.operation.regions[0].blocks[0].operations:
        for region in function.operation.regions:
            yield from region.blocks


def _measured(module: Any, loop: Callable[[Any], None]) -> Numbers:
    """The time of a loop; `first` is the time of the first run."""
    lists = [block.operations for block in _blocks(module)]

    def run() -> None:
        for operations in lists:
            loop(operations)

    first, *later = (timed(run) for _ in range(4))
    return {"first": first, "seconds": min(later)}


def _opened(path: Path) -> Any:
    import mlirbc

    module = mlirbc.read(path.read_bytes())
    module.decode_all(threads=1)
    return module


def _edited(path: Path) -> Any:
    """A module with a change that is not about the operations of the loop."""
    import mlirbc

    module = _opened(path).edit()
    module.operation.attributes["note"] = mlirbc.UnitAttr.get()
    return module


def _of_jaxlib(path: Path) -> Any:
    from bench import peers

    ir, context = peers.jaxlib_context()
    return ir.Module.parse(path.read_bytes(), context)


def _text(module: Any) -> Numbers:
    first, *later = (timed(lambda: str(module)) for _ in range(3))
    return {"first": first, "seconds": min(later)}


def held(path: Path) -> Numbers:
    """The memory of the handles of all operations, held in a list."""
    from bench.measures import memory

    module = _opened(path)
    before = memory("VmRSS")
    operations = [op for block in _blocks(module) for op in block.operations]
    grown = memory("VmRSS") - before
    for loop in LOOPS.values():
        loop(operations)
    after = memory("VmRSS") - before
    return {"held": grown / len(operations), "after_loops": after / len(operations)}


def verified_operations(path: Path) -> Numbers:
    """The whole process of the command."""
    command = [sys.executable, "-m", "mlirbc", "verify", "--ops", str(path)]
    return {"seconds": timed(lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=True))}


def jaxlib_verified(path: Path) -> Numbers:
    """A whole process that parses and verifies."""
    program = (
        "import os, sys; from bench import peers; ir, context = peers.jaxlib_context(); "
        "assert ir.Module.parse(open(sys.argv[1], 'rb').read(), context).operation.verify(); os._exit(0)"
    )
    command = [sys.executable, "-c", program, str(path)]
    return {"seconds": timed(lambda: subprocess.run(command, check=True))}


def _loop_of(make: Callable[[Path], Any], loop: Callable[[Any], None]) -> Callable[[Path], Numbers]:
    return lambda path: _measured(make(path), loop)


def _text_of(make: Callable[[Path], Any]) -> Callable[[Path], Numbers]:
    return lambda path: _text(make(path))


MAKERS = {"opened": _opened, "edited": _edited, "jaxlib": _of_jaxlib}
MEASURES: dict[str, Callable[[Path], Numbers]] = {
    "held": held,
    "verified_operations": verified_operations,
    "jaxlib_verified": jaxlib_verified,
    **{
        f"{kind}_{name}": _loop_of(make, loop)
        for kind, make in MAKERS.items()
        for name, loop in LOOPS.items()
    },
    **{f"{kind}_module_text": _text_of(make) for kind, make in MAKERS.items()},
}
