"""A mapped file that is cut: every public member answers as before, or raises `mlirbc.read.shrunk`.

The members are found by introspection, so that new ones are tried as well; what needs arguments is in
`ARGUMENTS`, and a member that is in no table fails the test.
"""

import inspect
import io
import mmap
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import mlirbc
import pytest

ROOT = Path(__file__).parents[2]
SMALL = ROOT / "examples" / "two_layers.mlirbc"
LAYOUT = ROOT / "examples" / "layout.mlirbc"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="only there a mapped file can be cut")


def large(folder: Path) -> Path:
    """The module with so much in front of the resources that whole pages of tables can be lost."""
    path = folder / "large.mlirbc"
    if not path.exists():
        edited = mlirbc.open(SMALL).edit()
        for number in range(4):
            edited.operation.attributes[f"example.{number}"] = mlirbc.StringAttr.get(str(number) * 4000)
        edited.operation.attributes["example.last"] = mlirbc.Attribute.parse(
            f"dense<{list(range(3000))}> : tensor<3000xi32>"
        )
        edited.save(path)
    return path


def operations(module: mlirbc.Module) -> dict[str, mlirbc.Operation]:
    by_name: dict[str, mlirbc.Operation] = {}
    module.walk(lambda op: by_name.setdefault(op.name, op) and None, mlirbc.WalkOrder.PRE_ORDER)
    # Handles that a walk hands out are used again for the next operation.
    return {name: op.operation for name, op in by_name.items()}


def handles(module: mlirbc.Module) -> Iterator[tuple[str, Any]]:
    """An object of each class, and several where members do different things."""
    yield "module", module
    yield "bytecode", module.bytecode
    yield "columns", module.columns()
    yield "release", module.release
    yield "resources", module.resources
    for table in ("strings", "attributes", "types", "properties"):
        yield table, getattr(module, table)
    for name, op in operations(module).items():
        yield name, op
        yield f"{name} attributes", op.attributes
        yield f"{name} properties", op.properties
        yield f"{name} discardable", op.discardable_attributes
    func = module.body.operations[0]
    block = func.regions[0].blocks[0]
    loop = block.operations[5]
    yield "layout", mlirbc.DataLayout(func)
    yield "regions", func.regions
    yield "region", func.regions[0]
    yield "blocks", func.regions[0].blocks
    yield "block", block
    yield "operations", block.operations
    yield "arguments", block.arguments
    yield "argument", block.arguments[0]
    yield "results", loop.results
    yield "result", loop.result
    yield "operands", loop.operands
    yield "op_operands", loop.op_operands
    yield "op_operand", loop.op_operands[0]
    yield "named", func.attributes[0]
    yield "dialect", module.dialects[0]
    yield "op_name", module.op_names[0]
    for key in ("note", "trained", "layer0.weight"):
        yield f"resource {key}", module.resources[key]
    yield "blob", module.resources["layer0.weight"].value
    seen: set[type] = set()
    for entries in (module.attributes, module.types):
        for entry in entries:
            if type(entry) not in seen:
                seen.add(type(entry))
                yield f"{type(entry).__name__} {entry.index}", type(entry)(entry)


Arguments = Callable[[Any, mlirbc.Module], tuple[Any, ...]]


def first(handle: Any, _: mlirbc.Module) -> tuple[Any, ...]:
    if isinstance(handle, mlirbc.Resource):
        return (slice(0, 8),)
    return (next(iter(handle.keys()), "none") if isinstance(handle, Mapping) else 0,)


def same(handle: Any, other: mlirbc.Module) -> tuple[Any, ...]:
    return (TWINS.get(id(handle), handle),)


# The other side of comparisons: the same object of a file that is whole.
TWINS: dict[int, Any] = {}

ARGUMENTS: dict[str, Arguments] = {
    "operand": lambda _, __: ("lhs",),
    "__eq__": same,
    "__ne__": same,
    "__lt__": same,
    "__le__": same,
    "__gt__": same,
    "__ge__": same,
    "__contains__": same,
    "__getitem__": first,
    "__add__": lambda _, __: ([],),
    "__radd__": lambda _, __: ([],),
    "__array__": lambda _, __: (),
    "__deepcopy__": lambda _, __: ({},),
    "__buffer__": lambda _, __: (inspect.BufferFlags.SIMPLE,),
    "walk": lambda _, __: (lambda op: None,),
    "print": lambda _, __: (None, None, False, True, False, io.StringIO()),
    "get": lambda handle, module: (first(handle, module)[0], None),
    "isinstance": lambda handle, _: (handle,),
    "emit_error": lambda _, __: ("a message",),
    "get_all": lambda _, __: ("note",),
    "index": lambda _, __: (0,),
    "count": lambda _, __: (0,),
    "read_into": lambda _, __: (bytearray(8),),
    "get_named": lambda _, __: ("name",),
    "get_named_or_none": lambda _, __: ("name",),
    "is_before_in_block": lambda handle, _: (handle,),
    "query": lambda _, __: ("index",),
    "access_alignment": lambda _, __: ("i32",),
    "can_bitcast": lambda _, __: ("i32", "f32"),
    "check_bitcast": lambda _, __: ("i32", "f32"),
    "check_compatible": lambda handle, _: (handle,),
    "get_device_property": lambda _, __: ("CPU", "key"),
    "get_dim_size": lambda _, __: (0,),
    "is_dynamic_dim": lambda _, __: (0,),
    "is_dynamic_size": lambda _, __: (0,),
    "is_static_dim": lambda _, __: (0,),
    "is_static_size": lambda _, __: (0,),
    "is_static_stride_or_offset": lambda _, __: (0,),
    "is_dynamic_stride_or_offset": lambda _, __: (0,),
    "is_scalable_dim": lambda _, __: (0,),
    "is_fixed_dim": lambda _, __: (0,),
    "get_type": lambda _, __: (0,),
    "get_result": lambda _, __: (0,),
    "get_input": lambda _, __: (0,),
    "has_layout": lambda _, __: ("i32",),
    "is_memory_reference": lambda _, __: ("i32",),
    **{
        f"get_type_{question}": lambda _, __: ("i32",)
        for question in ("size", "size_in_bits", "abi_alignment", "preferred_alignment", "index_bitwidth")
    },
}
# Members that change something, or that are about classes and not about the contents of a file.
LEFT_OUT = {
    "get_unchecked",
    "__class__",
    "__class_getitem__",
    "__delattr__",
    "__dir__",
    # A location or an insertion point that is entered stays current.
    "__enter__",
    "__exit__",
    "__format__",
    "__getattribute__",
    "__getstate__",
    "__init__",
    "__init_subclass__",
    "__new__",
    "__reduce__",
    "__reduce_ex__",
    "__release_buffer__",
    "__setattr__",
    "__sizeof__",
    "__subclasshook__",
    "close",
    "save",
}


def members(handle: Any) -> list[str]:
    def is_tried(name: str) -> bool:
        attribute = inspect.getattr_static(type(handle), name)
        is_ours = not name.startswith("_") or name.startswith("__")
        is_data = not callable(attribute) and not hasattr(type(attribute), "__get__")
        return is_ours and not is_data and not isinstance(attribute, staticmethod | classmethod | type)

    return [name for name in dir(type(handle)) if name not in LEFT_OUT and is_tried(name)]


def plain(answer: Any) -> Any:
    """An answer as values that can be compared without reading the file once more."""
    if isinstance(answer, str):
        return re.sub("object at 0x[0-9a-f]+>", "object>", answer)
    if answer is None or isinstance(answer, bool | int | float | complex | bytes):
        return answer
    if isinstance(answer, list | tuple):
        return [plain(item) for item in answer]
    if isinstance(answer, dict):
        return {name: plain(value) for name, value in answer.items()}
    if isinstance(answer, memoryview):
        return "memoryview", answer.nbytes
    if isinstance(answer, Iterator):
        return [plain(item) for item in answer]
    if isinstance(answer, mlirbc.Attribute | mlirbc.Type):
        return type(answer).__name__, answer.index
    return type(answer).__name__


def ask(handle: Any, name: str, other: mlirbc.Module) -> Any:
    """The answer of the member, or the exception that it raises."""
    attribute = inspect.getattr_static(type(handle), name)
    try:
        if not callable(attribute) or isinstance(attribute, property):
            return plain(getattr(handle, name))
        arguments = ARGUMENTS.get(name, lambda _, __: ())(handle, other)
        if name == "__hash__":
            # Some hashes depend on places in memory.
            return type(hash(handle)).__name__
        return plain(getattr(handle, name)(*arguments))
    except Exception as error:
        return "raised", type(error).__name__, str(error), getattr(error, "identifier", None)


def test_every_member_needs_no_argument_or_is_in_the_table() -> None:
    module = mlirbc.open(SMALL)
    missing = set()
    for label, handle in handles(module):
        for name in members(handle):
            match ask(handle, name, module):
                case ("raised", "TypeError", message, _) if "argument" in message:
                    missing.add((label, name, message))
    assert not missing


def cuts(path: Path) -> list[int]:
    size = path.stat().st_size
    pages = [size // mmap.PAGESIZE * mmap.PAGESIZE, mmap.PAGESIZE, mmap.PAGESIZE + 100]
    return sorted({cut for cut in [0, 10, size // 2, size - 1, *pages] if cut < size})


@pytest.mark.parametrize("which", ["small", "large"])
@pytest.mark.parametrize("is_warm", [False, True])
def test_a_cut_file_never_becomes_content(tmp_path: Path, which: str, is_warm: bool) -> None:
    original = SMALL if which == "small" else large(tmp_path)
    whole = mlirbc.open(original)
    twins = dict(handles(whole))
    expected = {}
    for label, handle in handles(mlirbc.open(original)):
        TWINS[id(handle)] = twins[label]
        expected |= {(label, name): ask(handle, name, whole) for name in members(handle)}
    assert len(expected) > 1000
    wrong, shrunk = [], 0
    for cut in cuts(original):
        path = tmp_path / "cut.mlirbc"
        shutil.copy(original, path)
        module = mlirbc.open(path)
        subjects = dict(handles(module))
        if is_warm:
            for handle in subjects.values():
                for name in members(handle):
                    ask(handle, name, whole)
        os.truncate(path, cut)
        TWINS.clear()
        TWINS.update({id(handle): twins[label] for label, handle in subjects.items()})
        for label, handle in subjects.items():
            for name in members(handle):
                answer = ask(handle, name, whole)
                if isinstance(answer, tuple) and answer[-1] == "mlirbc.read.shrunk":
                    shrunk += 1
                elif answer != expected[label, name]:
                    wrong.append((cut, label, name, str(answer)[:200]))
        path.unlink()
    assert not wrong, f"{len(wrong)}, e.g. {wrong[:10]}"
    assert shrunk > 1000


@pytest.mark.parametrize("member", ["name", "__str__", "__repr__", "__hash__", "attributes", "location"])
def test_the_first_call_after_a_cut_knows_of_it(tmp_path: Path, member: str) -> None:
    """No earlier call has touched a lost page."""
    for cut in (0, 700, SMALL.stat().st_size - 1):
        path = tmp_path / "cut.mlirbc"
        shutil.copy(SMALL, path)
        module = mlirbc.open(path)
        handle = module.attributes[0] if member == "__hash__" else module.body.operations[0]
        os.truncate(path, cut)
        with pytest.raises(mlirbc.ReadError, match="can no longer be read completely") as caught:
            call = getattr(handle, member)
            _ = call() if callable(call) else call
        assert caught.value.identifier == "mlirbc.read.shrunk"


def test_comparing_with_an_entry_of_a_cut_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "cut.mlirbc"
    shutil.copy(SMALL, path)
    whole, module = mlirbc.open(SMALL), mlirbc.open(path)
    pairs = list(zip(whole.attributes, module.attributes, strict=True))
    assert all(left == right for left, right in pairs)
    os.truncate(path, 0)
    for left, right in pairs:
        for first, second in ((left, right), (right, left)):
            with pytest.raises(mlirbc.ReadError):
                _ = first == second


def test_a_signal_that_is_not_a_fault_ends_the_process_as_ever() -> None:
    program = (
        f"import os, signal, mlirbc; mlirbc.open({str(SMALL)!r}); "
        "os.kill(os.getpid(), signal.SIGBUS); print('here')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert done.returncode == -signal.SIGBUS and not done.stdout
    ignoring = "import signal; signal.signal(signal.SIGBUS, signal.SIG_IGN); " + program
    done = subprocess.run([sys.executable, "-c", ignoring], capture_output=True, check=False)
    assert done.returncode == 0 and done.stdout == b"here\n"


def test_buffers_that_can_be_written_to_are_copied() -> None:
    data = SMALL.read_bytes()
    changing = bytearray(data)
    for buffer in (changing, memoryview(changing), memoryview(changing).toreadonly()):
        module = mlirbc.read(buffer)
        changing[:] = bytes(len(changing))
        assert str(module) == str(mlirbc.open(SMALL))
        changing[:] = data
    del buffer
    changing.append(0)  # nothing holds it
    edited = mlirbc.open(SMALL).edit()
    blob = bytearray(b"\x01" * 64)
    edited.resources.replace("layer0.bias", memoryview(blob).toreadonly(), resize=True)
    blob[:] = bytes(64)
    assert bytes(mlirbc.read(edited.write()).resources["layer0.bias"].value) == b"\x01" * 64
