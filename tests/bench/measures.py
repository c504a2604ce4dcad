"""The measures: each runs in a process of its own and returns named numbers, seconds or bytes."""

import io
import os
import resource
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

Numbers = dict[str, float]


def memory(key: str) -> int:
    """`VmRSS` or `VmHWM` of this process in bytes; 0 where the system does not tell."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{key}:")), 0)


def mapped(path: Path) -> int:
    """How much of a mapped file is resident, in bytes."""
    resident, inside = 0, False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        words = line.split()
        if not words[0].endswith(":"):
            inside = len(words) > 5 and words[-1] == str(path)
        elif inside and words[0] == "Rss:":
            resident += int(words[1]) * 1024
    return resident


def clock() -> float:
    """Seconds; with `MLIRBC_BENCH_CLOCK=cpu`, of the processor, for all threads and ended processes."""
    if os.environ.get("MLIRBC_BENCH_CLOCK") != "cpu":
        return time.perf_counter()
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def timed(action: Callable[[], object]) -> float:
    start = clock()
    action()
    return clock() - start


# Ours.


def open_resources(path: Path) -> Numbers:
    import mlirbc

    path = path.resolve()
    first = timed(lambda: mlirbc.open(path))
    usual = median(timed(lambda: mlirbc.open(path)) for _ in range(50))
    module = mlirbc.open(path)
    touched = mapped(path)
    assert len(module.resources) == 16
    # The memory of a program that does nothing else: this process has the benchmark's imports in memory, too.
    program = (
        "import sys, mlirbc; module = mlirbc.open(sys.argv[1]); "
        "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmRSS')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )
    resident = int(done.stdout) * 1024
    return {"first": first, "seconds": usual, "resident": resident, "touched": touched}


def _saved(path: Path, suffix: str, statements: str) -> Numbers:
    """The time of statements that save to `sys.argv[2]` in another process, and the memory of the process."""
    program = (
        f"import sys, time, mlirbc; start = time.perf_counter(); {statements}; "
        "print(time.perf_counter() - start); "
        "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )
    copy = path.with_suffix(suffix)
    try:
        command = [sys.executable, "-c", program, str(path), str(copy)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        # The copy is complete, except that either file may store something in fewer bytes.
        assert copy.stat().st_size > path.stat().st_size - 1024
    finally:
        copy.unlink(missing_ok=True)
    seconds, resident = done.stdout.split()
    return {"seconds": float(seconds), "resident": int(resident) * 1024}


def edited(path: Path) -> Numbers:
    """Changes a location and a symbol name, and saves beside the file."""
    return _saved(
        path,
        ".edited",
        "edited = mlirbc.open(sys.argv[1]).edit(); op = edited.operation; "
        "op.location = mlirbc.Location.file('new.py', 1, 1); "
        "op.attributes['sym_name'] = mlirbc.StringAttr.get('renamed'); edited.save(sys.argv[2])",
    )


def converted(path: Path) -> Numbers:
    """Saved beside the file for another bytecode version."""
    save = "mlirbc.open(sys.argv[1]).save(sys.argv[2], version=4)"
    return _saved(path, ".converted", save)


def copied(path: Path) -> Numbers:
    """Copies the file with `cp`, and syncs the copy to the disk as a saved file."""
    copy = path.with_suffix(".copied")

    def action() -> None:
        subprocess.run(["cp", "--reflink=never", str(path), str(copy)], check=True)
        subprocess.run(["sync", "--data", str(copy)], check=True)

    try:
        return {"seconds": timed(action)}
    finally:
        copy.unlink(missing_ok=True)


def blob_as_array(path: Path) -> Numbers:
    import mlirbc
    import numpy as np

    module = mlirbc.open(path)

    def array() -> Any:
        return np.frombuffer(module.resources["weight_7"].value, np.uint64)  # type: ignore[call-overload]

    np.frombuffer(module.resources["weight_3"].value, np.uint8)  # type: ignore[call-overload]
    before = memory("VmRSS")
    seconds = timed(array)
    grown = memory("VmRSS") - before
    assert array()[0] == 7
    return {"seconds": seconds, "grown": grown}


def decode(threads: int, path: Path) -> Numbers:
    import mlirbc

    data = path.read_bytes()
    module = mlirbc.read(data)
    return {"seconds": timed(lambda: module.decode_all(threads=threads))}


def decode_again(threads: int, path: Path) -> Numbers:
    """Decodes in a process that has decoded before: its memory is in place, so the work itself shows."""
    import mlirbc

    data = path.read_bytes()
    times = [timed(lambda: mlirbc.read(data).decode_all(threads=threads)) for _ in range(12)]
    return {"seconds": median(times[2:])}


def decode_memory(path: Path) -> Numbers:
    import mlirbc

    before = memory("VmRSS")
    module = mlirbc.open(path)
    module.decode_all(threads=1)
    return {"grown": memory("VmHWM") - before, "file": mapped(path.resolve())}


def counts(path: Path) -> Numbers:
    import mlirbc

    data = path.read_bytes()
    module = mlirbc.read(data)
    count_by_name: dict[str, int] = {}
    seconds = timed(lambda: count_by_name.update(module.op_counts()))
    assert sum(count_by_name.values()) > 1_000_000
    return {"seconds": seconds}


def sizes(path: Path) -> Numbers:
    import mlirbc

    module = mlirbc.open(path)
    before = memory("VmHWM")
    report: list[int] = []
    seconds = timed(lambda: report.append(mlirbc.tools.size(module).size))
    assert report == [path.stat().st_size]
    return {"seconds": seconds, "grown": memory("VmHWM") - before, "touched": mapped(path.resolve())}


def weights(path: Path) -> Numbers:
    import mlirbc

    module = mlirbc.open(path)
    before = memory("VmHWM")
    names: list[str] = []
    seconds = timed(lambda: names.extend(module.weights))
    assert len(names) == len(set(names))
    return {"seconds": seconds, "grown": memory("VmHWM") - before, "touched": mapped(path.resolve())}


def hashed(path: Path) -> Numbers:
    import mlirbc

    data = path.read_bytes()
    seconds = timed(lambda: mlirbc.hash(mlirbc.read(data)))
    return {"seconds": seconds}


def hashed_file(path: Path) -> Numbers:
    import mlirbc

    return {"seconds": timed(lambda: mlirbc.hash(path))}


def extracted(path: Path) -> Numbers:
    import mlirbc

    data = path.read_bytes()
    [name, *_] = [op.attributes["sym_name"] for op in mlirbc.read(data).body.operations]
    assert isinstance(name, mlirbc.StringAttr)
    names = [name.value]
    return {"seconds": timed(lambda: mlirbc.extract(mlirbc.read(data), names))}


def merged(path: Path) -> Numbers:
    import mlirbc

    data = path.read_bytes()
    return {"seconds": timed(lambda: mlirbc.merge([mlirbc.read(data), mlirbc.read(data)], rename=True))}


def split(path: Path) -> Numbers:
    import mlirbc

    data = path.read_bytes()
    return {"seconds": timed(lambda: mlirbc.split(mlirbc.read(data)))}


def _decoded_both(path: Path) -> Numbers:
    import mlirbc

    data = path.read_bytes()
    seconds = timed(lambda: [mlirbc.read(data).decode_all(threads=1) for _ in range(2)])
    return {"seconds": seconds}


def diffed(path: Path) -> Numbers:
    import mlirbc

    data = path.read_bytes()
    edited = mlirbc.read(data).edit()
    operations = edited.operation.regions[0].blocks[0].operations[0].regions[0].blocks[0].operations
    operations[len(operations) // 2].attributes["note"] = mlirbc.StringAttr.get("changed")
    changed = edited.write()
    del edited, operations
    all_counts: list[dict[str, int]] = []
    seconds = timed(lambda: all_counts.append(mlirbc.diff(mlirbc.read(data), mlirbc.read(changed)).counts))
    assert sum(all_counts[0].values()) == all_counts[0]["changed"] == 1
    return {"seconds": seconds}


def top_level_names(path: Path) -> Numbers:
    import mlirbc

    def names() -> None:
        module = mlirbc.open(path)
        read_names = [module.operation.name, *(op.name for op in module.body.operations)]
        assert len(read_names) == 1001

    return {"first": timed(names), "seconds": median(timed(names) for _ in range(15))}


def loop(path: Path) -> Numbers:
    import mlirbc

    module = mlirbc.read(path.read_bytes())
    module.decode_all(threads=1)
    seconds = timed(lambda: _loop(module))
    assert _sizes(module) == (1_000_000, 1_300_000)
    return {"seconds": seconds}


def _loop(module: Any) -> None:
    for function in module.body.operations:
        for block in function.regions[0].blocks:
            for op in block.operations:
                op.name  # noqa: B018
                for _ in op.operands:
                    pass


def _sizes(module: Any) -> tuple[int, int]:
    """Operations and operands that the loop meets, counted apart so that counting is not timed."""
    blocks = [block for function in module.body.operations for block in function.regions[0].blocks]
    ops = [op for block in blocks for op in block.operations]
    return len(ops), sum(len(op.operands) for op in ops)


def columns(path: Path) -> Numbers:
    import mlirbc
    import numpy as np

    module = mlirbc.read(path.read_bytes())
    module.decode_all(threads=1)

    def arrays() -> None:
        table = module.columns()
        fields = [np.asarray(field) for field in (table.name, table.operand_offsets, table.operands)]
        assert len(fields[0]) == len(table) > 1_000_000

    return {"seconds": timed(arrays)}


def layout_first(path: Path) -> Numbers:
    """The first question about data layout, at a function of a module with a specification."""
    import mlirbc

    edited = mlirbc.open(path).edit()
    edited.operation.attributes["dlti.dl_spec"] = mlirbc.Attribute.parse("#dlti.dl_spec<index = 32 : i32>")
    data = edited.write()

    def ask() -> None:
        function = mlirbc.read(data).body.operations[500]
        assert mlirbc.DataLayout(function).get_type_size("index") == 4

    return {"first": timed(ask), "seconds": median(timed(ask) for _ in range(15))}


def layout_queries(path: Path) -> Numbers:
    """A million questions about a thousand types in one scope."""
    import mlirbc

    layout = mlirbc.DataLayout(mlirbc.open(path).operation)
    types = [mlirbc.Type.parse(f"!llvm.struct<(i{n % 64 + 1}, vector<{n + 1}xf64>)>") for n in range(1000)]

    def ask() -> None:
        get = layout.get_type_size
        for _ in range(1000):
            for kind in types:
                get(kind)

    return {"seconds": timed(ask)}


def many_small(path: Path) -> Numbers:
    import mlirbc

    from bench import inputs

    files = inputs.read_small_modules(path)

    def names() -> None:
        for data in files:
            mlirbc.read(data).operation.name  # noqa: B018

    return {"seconds": min(timed(names) for _ in range(5)) / len(files)}


def nested(path: Path) -> Numbers:
    """Decodes in a thread whose stack has room for nothing but a loop."""
    import mlirbc

    seconds: list[float] = []
    data = path.read_bytes()

    def decoded() -> None:
        def action() -> None:
            module = mlirbc.read(data)
            module.decode_all(threads=1)
            module.verify()
            assert sum(module.op_counts().values()) > 1000

        seconds.append(timed(action))

    threading.stack_size(256 * 1024)
    thread = threading.Thread(target=decoded)
    thread.start()
    thread.join()
    return {"seconds": seconds[0]}


def verified(path: Path) -> Numbers:
    import mlirbc

    data = path.read_bytes()
    return {"seconds": timed(lambda: mlirbc.read(data).verify())}


def imported(path: Path) -> Numbers:
    """A process that imports the package, less one that does nothing."""
    import subprocess

    def run(code: str) -> float:
        return min(timed(lambda: subprocess.run([sys.executable, "-c", code], check=True)) for _ in range(5))

    return {"seconds": run("import mlirbc") - run("pass")}


def first_print(path: Path) -> Numbers:
    """The time that tables and schemas add to the first text of a small module."""
    import mlirbc

    data = path.read_bytes()
    first = timed(lambda: str(mlirbc.read(data)))
    return {"seconds": first - min(timed(lambda: str(mlirbc.read(data))) for _ in range(5))}


def printed(path: Path, *flags: str) -> Numbers:
    """The whole process of the command, text to a file."""
    command = [sys.executable, "-m", "mlirbc", "print", "--release", "llvm-22"]
    return _process([*command, *flags, str(path), "-o"])


def for_jaxlib(path: Path) -> Numbers:
    """The whole process of a conversion to the release of jaxlib."""
    return _process([sys.executable, "-m", "mlirbc", "convert", "--target", "jaxlib-0.10", str(path), "-o"])


def to_version_4(path: Path) -> Numbers:
    """The whole process of a conversion to an older version of the format."""
    return _process([sys.executable, "-m", "mlirbc", "convert", "--bytecode-version", "4", str(path), "-o"])


def oracle_to_version_4(path: Path) -> Numbers:
    """MLIR has no conversion to another release, so this is compared with both."""
    binary = shutil.which("mlir-opt-22") or "mlir-opt-22"
    options = ["--allow-unregistered-dialect", "--emit-bytecode", "--emit-bytecode-version=4"]
    return _process([binary, *options, str(path), "-o"])


def oracle_printed(path: Path, *flags: str) -> Numbers:
    binary = shutil.which("mlir-opt-22") or "mlir-opt-22"
    return _process([binary, "--allow-unregistered-dialect", *flags, str(path), "-o"])


def _process(command: list[str]) -> Numbers:
    import subprocess
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder, "text.mlir")
        seconds = timed(lambda: subprocess.run([*command, str(text)], check=True))
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
        return {"seconds": seconds, "text": text.stat().st_size, "peak": peak}


def assembled(path: Path, *flags: str) -> Numbers:
    """The whole process of the command that makes bytecode of the text of a module."""
    return _assembled(path, [sys.executable, "-m", "mlirbc", "assemble"], *flags)


def oracle_assembled(path: Path, *flags: str) -> Numbers:
    binary = shutil.which("mlir-opt-22") or "mlir-opt-22"
    return _assembled(path, [binary, "--allow-unregistered-dialect", "--emit-bytecode"], *flags)


def _assembled(path: Path, command: list[str], *flags: str) -> Numbers:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        text, out = Path(folder, "text.mlir"), Path(folder, "out.mlirbc")
        printing = [sys.executable, "-m", "mlirbc", "print", "--release", "llvm-22", *flags, str(path)]
        subprocess.run([*printing, "-o", str(text)], check=True)
        peak = 0

        def run() -> None:
            nonlocal peak
            with subprocess.Popen([*command, str(text), "-o", str(out)]) as child:
                _, status, usage = os.wait4(child.pid, 0)
                child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode != 0:
                raise subprocess.CalledProcessError(child.returncode, command)
            peak = usage.ru_maxrss * 1024

        seconds = timed(run)
        return {"seconds": seconds, "text": text.stat().st_size, "peak": peak}


def text(path: Path) -> Numbers:
    """Text of a module that is open."""
    import mlirbc

    module = mlirbc.open(path, release="llvm-22")
    return {"seconds": timed(lambda: str(module))}


# The peer: MLIR's own reader and printer, as JAX ships them.


def peer_text(path: Path) -> Numbers:
    ir, context = _peer()
    module = ir.Module.parse(path.read_bytes(), context)
    return {"seconds": timed(lambda: module.operation.get_asm())}


def _peer() -> Any:
    from importlib import import_module

    ir = import_module("jaxlib.mlir.ir")
    for dialect in ("func", "arith"):
        import_module(f"jaxlib.mlir.dialects.{dialect}")
    registry = ir.DialectRegistry()
    import_module("jaxlib.mlir._mlir_libs._jax_mlir_ext").register_dialects(registry)
    context = ir.Context()
    context.append_dialect_registry(registry)
    context.allow_unregistered_dialects = True
    # The dialects are loaded before the clock runs.
    ir.Module.parse("func.func @f(%a: f32) -> f32 {\n%0 = arith.negf %a : f32\nreturn %0 : f32\n}", context)
    return ir, context


def peer_parse(path: Path) -> Numbers:
    ir, context = _peer()
    data = path.read_bytes()
    before = memory("VmRSS")
    start = clock()
    module = ir.Module.parse(data, context)
    seconds = clock() - start
    grown = memory("VmHWM") - before
    assert module.operation.name == "builtin.module"
    return {"seconds": seconds, "grown": grown}


def written(path: Path) -> Numbers:
    """In MLIR's order, to memory: the first time, when tables are read, too, and once they are."""
    import mlirbc

    module = mlirbc.read(path.read_bytes())
    first, *later = (timed(lambda: module.write(numbering="canonical")) for _ in range(4))
    return {"first": first, "seconds": median(later)}


def peer_written(path: Path) -> Numbers:
    ir, context = _peer()
    module = ir.Module.parse(path.read_bytes(), context)
    first, *later = (timed(lambda: module.operation.write_bytecode(io.BytesIO())) for _ in range(4))
    return {"first": first, "seconds": median(later)}


def _in_fresh_memory(action: Callable[[], object]) -> Numbers:
    """How long the first call takes, and the memory that it takes."""
    before = memory("VmRSS")
    seconds = timed(action)
    return {"seconds": seconds, "grown": memory("VmHWM") - before}


def deserialized(path: Path) -> Numbers:
    """The StableHLO module of a portable artifact."""
    import mlirbc

    data = path.read_bytes()
    return _in_fresh_memory(lambda: mlirbc.stablehlo.deserialize(data))


def serialized(path: Path) -> Numbers:
    """The portable artifact of a StableHLO module."""
    import mlirbc

    from bench import inputs

    module = mlirbc.read(path.read_bytes())
    return _in_fresh_memory(lambda: mlirbc.stablehlo.serialize(module, inputs.PORTABLE_VERSION))


def peer_deserialized(path: Path) -> Numbers:
    oracle = _stablehlo_oracle()
    data = path.read_bytes()
    with oracle.context:
        deserialize = oracle.stablehlo.deserialize_portable_artifact
        return _in_fresh_memory(lambda: deserialize(oracle.context, data))


def peer_serialized(path: Path) -> Numbers:
    from bench import inputs

    oracle = _stablehlo_oracle()
    with oracle.context:
        module = oracle.ir.Module.parse(path.read_bytes())
        serialize = oracle.stablehlo.serialize_portable_artifact
        return _in_fresh_memory(lambda: serialize(module, inputs.PORTABLE_VERSION))


def _stablehlo_oracle() -> Any:
    from support import jaxlib_oracle

    return jaxlib_oracle.find()


def peer_loop(path: Path) -> Numbers:
    ir, context = _peer()
    module = ir.Module.parse(path.read_bytes(), context)
    seconds = timed(lambda: _loop(module))
    assert _sizes(module) == (1_000_000, 1_300_000)
    return {"seconds": seconds}


def peer_many_small(path: Path) -> Numbers:
    from bench import inputs

    ir, context = _peer()
    files = inputs.read_small_modules(path)[:2000]

    def names() -> None:
        for data in files:
            ir.Module.parse(data, context).operation.name  # noqa: B018

    return {"seconds": min(timed(names) for _ in range(3)) / len(files)}


def _scan(path: Path, workers: int | None) -> Numbers:
    """All files of a folder from the disk, and the operations of each counted; workers are started before."""
    import mlirbc
    from mlirbc import corpus

    paths = sorted(path.iterdir())
    ok: list[bool] = []

    def scan() -> None:
        results = corpus.scan(paths, mlirbc.Module.op_counts, workers=workers)
        ok.extend(result.error is None for result in results)

    list(corpus.scan(paths[:10], mlirbc.Module.op_counts))
    seconds = timed(scan)
    assert ok == [True] * len(paths)
    return {"seconds": seconds / len(paths)}


def scanned(path: Path) -> Numbers:
    """By two processes, which are started in that time."""
    return _scan(path, 2)


def scanned_here(path: Path) -> Numbers:
    return _scan(path, None)


def scanned_by_command(path: Path) -> Numbers:
    """The whole process of the command, which reads on all cores."""
    command = [sys.executable, "-m", "mlirbc", "ops", "--count", "--json", str(path)]
    seconds = timed(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))
    return {"seconds": seconds / sum(1 for _ in path.iterdir())}


def peer_scanned(path: Path) -> Numbers:
    """Reads the same files with jaxlib, one after the other, without counting."""
    from support import jaxlib_oracle

    oracle = jaxlib_oracle.find()
    assert oracle is not None
    paths = sorted(path.iterdir())[:2000]

    def scan() -> None:
        for file in paths:
            oracle.ir.Module.parse(file.read_bytes()).operation.name  # noqa: B018

    with oracle.context:
        oracle.ir.Module.parse(paths[0].read_bytes())
        return {"seconds": timed(scan) / len(paths)}


MEASURES: dict[str, Callable[[Path], Numbers]] = {
    "open_resources": open_resources,
    "edited": edited,
    "converted": converted,
    "for_jaxlib": for_jaxlib,
    "to_version_4": to_version_4,
    "oracle_to_version_4": oracle_to_version_4,
    "written": written,
    "peer_written": peer_written,
    "deserialized": deserialized,
    "peer_deserialized": peer_deserialized,
    "serialized": serialized,
    "peer_serialized": peer_serialized,
    "copied": copied,
    "sizes": sizes,
    "weights": weights,
    "hashed": hashed,
    "hashed_file": hashed_file,
    "extracted": extracted,
    "merged": merged,
    "split": split,
    "diffed": diffed,
    "decoded_both": _decoded_both,
    "blob_as_array": blob_as_array,
    "decode_1": lambda path: decode(1, path),
    "decode_2": lambda path: decode(2, path),
    "decode_again_1": lambda path: decode_again(1, path),
    "decode_again_2": lambda path: decode_again(2, path),
    "decode_memory": decode_memory,
    "counts": counts,
    "top_level_names": top_level_names,
    "loop": loop,
    "columns": columns,
    "layout_first": layout_first,
    "layout_queries": layout_queries,
    "many_small": many_small,
    "scanned": scanned,
    "scanned_here": scanned_here,
    "scanned_by_command": scanned_by_command,
    "peer_scanned": peer_scanned,
    "nested": nested,
    "verified": verified,
    "imported": imported,
    "first_print": first_print,
    "printed": printed,
    "printed_generic": lambda path: printed(path, "--generic"),
    "oracle_printed": oracle_printed,
    "assembled": assembled,
    "assembled_generic": lambda path: assembled(path, "--generic"),
    "oracle_assembled": oracle_assembled,
    "oracle_assembled_generic": lambda path: oracle_assembled(path, "--generic"),
    "oracle_printed_generic": lambda path: oracle_printed(path, "--mlir-print-op-generic"),
    "text": text,
    "peer_text": peer_text,
    "peer_parse": peer_parse,
    "peer_loop": peer_loop,
    "peer_many_small": peer_many_small,
}
