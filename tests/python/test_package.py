"""Guarantees of the package beyond single values: identity, lifetime, threads, signals, files."""

import gc
import mmap
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import mlirbc
import pytest
from mlirbc import WalkOrder, WalkResult

from bench import inputs
from support import examples

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "two_layers.mlirbc"


@pytest.fixture
def module() -> mlirbc.Module:
    return mlirbc.open(EXAMPLE)


def loop_of(module: mlirbc.Module) -> mlirbc.Operation:
    loops: list[mlirbc.Operation] = []
    module.walk(lambda op: loops.append(op) if op.name == "scf.for" else None, WalkOrder.PRE_ORDER)
    return loops[0]


# Identity.


def test_handles_of_the_same_thing_are_equal_and_hash_alike(module: mlirbc.Module) -> None:
    loop, again = loop_of(module), loop_of(module)
    assert loop == again and hash(loop) == hash(again)
    assert loop.result == again.results[0] and hash(loop.result) == hash(again.results[0])
    assert loop.block == again.block and len({loop.block, again.block}) == 1
    assert loop.regions[0] == again.regions[0]
    assert loop.operands[0] == again.operands[0]
    assert loop.op_operands[1] == again.op_operands[1]


def test_things_of_another_module_are_different(module: mlirbc.Module) -> None:
    second = mlirbc.open(EXAMPLE)
    assert module.operation != second.operation
    # Attributes and types are values: equal wherever they are.
    assert module.attributes[0] == second.attributes[0]
    assert module != second


def test_kinds_do_not_mix(module: mlirbc.Module) -> None:
    op = module.operation
    assert op != op.regions[0]
    assert op != 0
    assert op.regions[0].blocks[0] != "block"


def test_handles_that_are_kept_are_never_reused(module: mlirbc.Module) -> None:
    block = module.body.operations[0].regions[0].blocks[0]
    operations = list(block.operations)
    assert len(set(operations)) == len(operations) == len(block.operations)
    assert [op.name for op in operations] == [op.name for op in block.operations]
    values = [list(op.operands) for op in block.operations]
    assert values == [[op.operands[i] for i in range(len(op.operands))] for op in operations]


def test_two_loops_over_the_same_list_do_not_disturb_each_other(module: mlirbc.Module) -> None:
    call = next(op for op in module.body.operations[1].regions[0].blocks[0] if op.name == "func.call")
    operands = call.operands
    pairs = [(a, b) for a in operands for b in operands]
    assert len(pairs) == len(operands) ** 2
    assert pairs[1] == (operands[0], operands[1])
    first = iter(operands)
    second = iter(operands)
    assert next(first) == next(second) == operands[0]


def test_operand_lists_taken_from_one_handle_stay_apart(module: mlirbc.Module) -> None:
    ops = module.body.operations[0].regions[0].blocks[0].operations
    lists = [op.operands for op in ops]
    assert [len(operands) for operands in lists] == [len(op.operands) for op in list(ops)]


# Navigation.


def test_parents_lead_to_the_top(module: mlirbc.Module) -> None:
    op: mlirbc.Operation | None = loop_of(module)
    names = []
    while op is not None:
        names.append(op.name)
        op = op.parent
    assert names == ["scf.for", "func.func", "builtin.module"]
    assert module.operation.parent is None
    assert module.operation.block.owner is None


def test_values_know_where_they_come_from(module: mlirbc.Module) -> None:
    loop = loop_of(module)
    assert isinstance(loop.result, mlirbc.OpResult)
    assert loop.result.owner == loop and loop.result.result_number == 0
    argument = loop.regions[0].blocks[0].arguments[0]
    assert isinstance(argument, mlirbc.BlockArgument)
    assert argument.owner == loop.regions[0].blocks[0] and argument.arg_number == 0
    for value in loop.operands:
        uses = [(use.owner, use.operand_number) for use in value.uses]
        assert any(owner == loop for owner, _ in uses)
        for owner, number in uses:
            assert owner.operands[number] == value


def test_lists_behave_like_sequences(module: mlirbc.Module) -> None:
    ops = module.body.operations
    assert ops[-1] == list(ops)[-1] and ops[0:2] == list(ops)[0:2]
    with pytest.raises(IndexError):
        ops[len(ops)]
    assert ops[0] in ops and ops.index(ops[1]) == 1
    loop = loop_of(module)
    assert loop.operands.index(loop.operands[1]) == 1
    assert list(reversed(loop.operands)) == list(loop.operands)[::-1]
    assert loop.operands + loop.results == [*loop.operands, *loop.results]
    assert [t.index for t in loop.results.types] == [v.type.index for v in loop.results]


def test_result_wants_exactly_one(module: mlirbc.Module) -> None:
    with pytest.raises(ValueError, match="0 results"):
        _ = module.operation.result


# Walking.


def test_orders_and_results_of_walks(module: mlirbc.Module) -> None:
    pre: list[mlirbc.Operation] = []
    post: list[mlirbc.Operation] = []
    module.walk(pre.append, WalkOrder.PRE_ORDER)
    module.walk(post.append, WalkOrder.POST_ORDER)
    assert set(pre) == set(post) and len(pre) == len(post) == len(set(pre))
    assert pre[0] == module.operation == post[-1]
    for op in pre:
        if op.parent is not None:
            assert pre.index(op.parent) < pre.index(op)
            assert post.index(op.parent) > post.index(op)
    upstream_default: list[mlirbc.Operation] = []
    module.operation.walk(upstream_default.append)
    assert upstream_default == post


def test_skip_leaves_out_what_is_inside(module: mlirbc.Module) -> None:
    names: list[str] = []

    def visit(op: mlirbc.Operation) -> WalkResult:
        names.append(op.name)
        return WalkResult.SKIP if op.name == "func.func" else WalkResult.ADVANCE

    assert module.walk(visit, WalkOrder.PRE_ORDER) is WalkResult.ADVANCE
    assert names == ["builtin.module", "func.func", "func.func"]


def test_interrupt_ends_the_walk(module: mlirbc.Module) -> None:
    names: list[str] = []

    def visit(op: mlirbc.Operation) -> WalkResult:
        names.append(op.name)
        return WalkResult.INTERRUPT

    assert module.walk(visit) is WalkResult.INTERRUPT
    assert names == ["arith.constant"]


def test_what_a_callback_raises_comes_out(module: mlirbc.Module) -> None:
    def visit(op: mlirbc.Operation) -> None:
        raise LookupError(op.name)

    with pytest.raises(LookupError, match=r"builtin\.module"):
        module.walk(visit, WalkOrder.PRE_ORDER)
    with pytest.raises(TypeError, match="WalkResult"):
        module.walk(lambda op: 1)  # type: ignore[arg-type,return-value]


# Lifetime.


def test_handles_keep_the_file(tmp_path: Path) -> None:
    op = mlirbc.open(EXAMPLE).operation
    blob = mlirbc.open(EXAMPLE).resources["layer0.weight"].value
    gc.collect()
    assert op.regions[0].blocks[0].operations[0].name == "func.func"
    assert isinstance(blob, mlirbc.Blob) and len(bytes(blob)) == 48


def test_closing_pulls_nothing_from_under_anyone() -> None:
    with mlirbc.open(EXAMPLE) as module:
        op, resource = module.operation, module.resources["layer0.weight"]
        view = memoryview(resource)
    assert module.closed
    for name in ("operation", "dialects", "resources", "attributes", "strings"):
        with pytest.raises(ValueError, match="closed"):
            getattr(module, name)
    assert op.regions[0].blocks[0].operations[1].name == "func.func"
    assert len(view) == 48
    del module, op, resource
    gc.collect()
    assert view[3] == 63


# Resources.


def test_blobs_are_views_of_the_map() -> None:
    numpy = pytest.importorskip("numpy")
    module = mlirbc.open(EXAMPLE)
    data = EXAMPLE.read_bytes()
    for resource in module.resources.values():
        if resource.kind != "blob":
            continue
        array = numpy.asarray(resource.value)
        assert array.dtype == numpy.uint8 and not array.flags.writeable
        assert resource.offset is not None and resource.alignment is not None
        assert resource.offset % resource.alignment == 0
        assert array.tobytes() == data[resource.offset : resource.offset + resource.size]
        again = numpy.asarray(resource.value)
        assert again.ctypes.data == array.ctypes.data, "two arrays of one blob share their memory"
        assert numpy.frombuffer(resource, numpy.float32).size == resource.size // 4


def test_resources_are_a_mapping_whose_keys_may_repeat() -> None:
    resources = mlirbc.open(EXAMPLE).resources
    assert list(resources) == resources.keys() and len(resources) == len(resources.values())
    assert "note" in resources and "nothing" not in resources
    assert resources["note"].value == "weights chosen by hand" and resources["note"].is_external
    assert resources["trained"].value is False
    assert resources["example", "note"].key == "note"
    assert ("example", "note") in resources and ("builtin", "note") not in resources and 7 not in resources
    assert resources.get("nothing") is None and resources.get("nothing", 1) == 1
    assert resources["note"] == resources.get("note") and len({resources["note"], resources[0]}) == 1
    with pytest.raises(KeyError):
        resources["builtin", "note"]
    with pytest.raises(KeyError):
        resources["nothing"]
    with pytest.raises(BufferError):
        memoryview(resources["note"])
    assert [r.key for r in resources.get_all("layer0.bias")] == ["layer0.bias"]


# Buffers and files.


def test_any_contiguous_buffer_is_read() -> None:
    import array

    data = EXAMPLE.read_bytes()
    for buffer in (data, bytearray(data), memoryview(data), array.array("H", data)):
        assert mlirbc.read(buffer).operation.name == "builtin.module"
    with pytest.raises(BufferError):
        mlirbc.read(memoryview(data)[::2])
    with pytest.raises(TypeError):
        mlirbc.read("text")  # type: ignore[arg-type]
    with mmap.mmap(os.open(EXAMPLE, os.O_RDONLY), 0, access=mmap.ACCESS_READ) as mapped:
        module = mlirbc.read(mapped)
        with pytest.raises(BufferError):  # held, because nothing was copied
            mapped.close()
        del module
        gc.collect()


def test_paths_of_every_kind_and_both_backends(tmp_path: Path) -> None:
    for path in (EXAMPLE, str(EXAMPLE)):
        mapped = mlirbc.open(path)
        on_demand = mlirbc.open(path, backend="read")
        assert mapped.op_counts() == on_demand.op_counts()
        weights = [bytes(memoryview(module.resources["layer1.weight"])) for module in (mapped, on_demand)]
        assert weights[0] == weights[1]
    with pytest.raises(FileNotFoundError):
        mlirbc.open(tmp_path / "missing.mlirbc")
    with pytest.raises(IsADirectoryError):
        mlirbc.open(tmp_path)
    with pytest.raises(ValueError, match="backend"):
        mlirbc.open(EXAMPLE, backend="guess")  # type: ignore[arg-type]


@pytest.mark.skipif(os.name != "posix", reason="only there a mapped file can be cut")
def test_a_file_cut_under_us_is_an_error_and_not_the_end(tmp_path: Path) -> None:
    """The file is read in another process, so that a crash is recognised."""
    program = """
import sys, mlirbc
path = sys.argv[1]
module = mlirbc.open(path)
view = memoryview(module.resources["k"])
with open(path, "r+b") as file:
    file.truncate(5000)
lost = view[300000]
assert lost == 0, lost
try:
    module.operation
except mlirbc.ReadError as error:
    assert error.identifier == "mlirbc.read.shrunk", error.identifier
    print("noticed")
"""
    path = tmp_path / "cut.mlirbc"
    path.write_bytes(examples.with_blob("k", b"\x07" * 400_000))
    command = [sys.executable, "-c", program, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "noticed\n"), done.stderr


# Threads and signals.


def test_threads_share_a_module() -> None:
    module = mlirbc.open(EXAMPLE)
    expected = mlirbc.open(EXAMPLE).op_counts()
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(20):
                names: list[str] = []
                module.walk(lambda op, names=names: names.append(op.name), WalkOrder.PRE_ORDER)
                assert {name: names.count(name) for name in names} == expected
                for op in module.body.operations[0].regions[0].blocks[0].operations:
                    for value in op.operands:
                        assert value in [use.value for use in value.uses]
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_long_work_lets_other_threads_run(large_module: bytes) -> None:
    """The interpreter is given away while the core works: another thread counts meanwhile."""
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0)

    thread = threading.Thread(target=tick)
    thread.start()
    before = ticks
    mlirbc.read(large_module).verify()
    counted = ticks - before
    done.set()
    thread.join()
    assert counted > 10


@pytest.mark.skipif(os.name != "posix", reason="signals are sent the POSIX way")
@pytest.mark.parametrize(
    "work",
    [
        "op_counts()",
        "decode_all()",
        "decode_all(threads=2)",
        "verify()",
        "get_asm()",
        "print(file=Nowhere())",
    ],
)
def test_ctrl_c_is_heard(large_module: bytes, tmp_path: Path, work: str) -> None:
    path = tmp_path / "large.mlirbc"
    path.write_bytes(large_module)
    program = f"""
import mlirbc, sys
class Nowhere:
    def write(self, text):
        pass
data = open({str(path)!r}, "rb").read()
print("ready", flush=True)
try:
    while True:
        mlirbc.read(data).{work}
except KeyboardInterrupt:
    print("stopped")
"""
    # Who runs tests in the background has them ignore the signal, and passes that on.
    heeds = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    process = subprocess.Popen([sys.executable, "-c", heeds + program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    try:
        out, _ = process.communicate(timeout=30)
    finally:
        process.kill()
    assert (process.returncode, out) == (0, "stopped\n")


@pytest.fixture(scope="module")
def large_module(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return inputs.prepare(tmp_path_factory.mktemp("large"), "million_ops").read_bytes()


# Limits and errors.


def test_limits_are_kept() -> None:
    data = EXAMPLE.read_bytes()
    with pytest.raises(mlirbc.LimitError) as caught:
        mlirbc.read(data, limits=mlirbc.Limits(max_depth=1)).verify()
    assert caught.value.identifier == "mlirbc.limit.depth"
    with pytest.raises(mlirbc.LimitError) as caught:
        mlirbc.read(data, limits=mlirbc.Limits(max_memory=100)).decode_all()
    assert caught.value.identifier == "mlirbc.limit.memory"
    mlirbc.read(data, limits=mlirbc.Limits(max_depth=10, max_memory=1 << 20)).verify()


def test_errors_carry_what_and_where() -> None:
    data = EXAMPLE.read_bytes()
    section = mlirbc.read(data).bytecode.sections[3]
    broken = bytearray(data)
    broken[section.offset + 1] = 0xFF
    with pytest.raises(mlirbc.ReadError) as caught:
        mlirbc.read(broken).verify()
    error = caught.value
    assert error.identifier == "mlirbc.read.index" and error.section == "IR"
    assert error.offset == section.offset + 1
    assert error.expected and error.found == "`127`" and error.hint
    assert error.path == "block 0, op 0"
    assert hex(error.offset) in str(error)
    assert isinstance(error, mlirbc.Error)


def test_every_identifier_is_listed_once() -> None:
    listed = [identifier for identifier, *_ in mlirbc.error_identifiers()]
    assert len(listed) == len(set(listed)) and all(name.startswith("mlirbc.") for name in listed)


def test_columns_agree_with_a_walk() -> None:
    numpy = pytest.importorskip("numpy")
    module = mlirbc.open(EXAMPLE)
    columns = module.columns()
    ops: list[mlirbc.Operation] = []
    module.walk(ops.append, WalkOrder.PRE_ORDER)
    assert len(columns) == len(ops)
    assert [columns.op_names[i] for i in numpy.asarray(columns.name)] == [op.name for op in ops]
    assert numpy.asarray(columns.location).tolist() == [op.location.index for op in ops]
    none = 0xFFFFFFFF
    parents = [none if op.parent is None else ops.index(op.parent) for op in ops]
    assert numpy.asarray(columns.parent).tolist() == parents
    results = [value for op in ops for value in op.results]
    types = numpy.asarray(columns.result_types)
    assert types.dtype == numpy.uint32 and types.tolist() == [value.type.index for value in results]
    start = numpy.asarray(columns.operand_offsets)
    operands = numpy.asarray(columns.operands)
    argument_types = numpy.asarray(columns.argument_types)
    for row, op in enumerate(ops):
        named = operands[start[row] : start[row + 1]]
        for number, value in zip(named, op.operands, strict=True):
            if isinstance(value, mlirbc.OpResult):
                assert results[number] == value
            else:
                assert argument_types[number - len(results)] == value.type.index


ALONE = """
import sys
for name in ("typing_extensions", "numpy", "ml_dtypes"):
    sys.modules[name] = None
import mlirbc
assert "mlirbc.edit" not in sys.modules and "mlirbc._affine" not in sys.modules
# The module with the class of strings is imported, without the classes of other attributes.
assert mlirbc.open(sys.argv[1]).body.operations[0].attributes["sym_name"].value
assert "mlirbc._strings" in sys.modules
assert not {"mlirbc._attributes", "mlirbc._elements", "mlirbc._locations"} & set(sys.modules)
mlirbc.edit
mlirbc.AffineMap
print(mlirbc.open(sys.argv[1]).edit().write() == open(sys.argv[1], "rb").read())
"""


def test_the_package_needs_no_other_and_imports_what_is_asked_for() -> None:
    example = Path(__file__).resolve().parents[2] / "examples" / "two_layers.mlirbc"
    done = subprocess.run(
        [sys.executable, "-c", ALONE, str(example)], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "True\n"
