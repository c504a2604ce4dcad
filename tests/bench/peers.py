"""The jobs of the table of peers: one for each row, in mlirbc and in every program that can do the job.

The jobs of MLIR's Python bindings are the same code for jaxlib and IREE. The environment says where three of
the peers are:

    MLIRBC_BENCH_IREE      a Python interpreter that has `iree-base-compiler`
    MLIRBC_BENCH_MLIRBCC   a program that reads a file with mlirbcc's parser, and ignores every event
    MLIRBC_BENCH_NETRON    the folder of the package `netron`, which `node` runs the reader of
"""

import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.measures import Numbers, clock, memory, timed

# Ours, where `bench.measures` has no measure of the same job.


def symbols(path: Path) -> Numbers:
    """The symbol names of all functions, from opening the file."""
    import mlirbc

    return {"seconds": timed(lambda: _symbols(mlirbc.open(path).body.operations))}


def _symbols(operations: Any) -> None:
    names = [op.attributes["sym_name"].value for op in operations]
    assert len(names) == 1000


def first_symbol(path: Path) -> Numbers:
    import mlirbc

    before = memory("VmRSS")
    seconds = timed(lambda: str(next(iter(mlirbc.open(path).body.operations)).attributes["sym_name"]))
    return {"seconds": seconds, "grown": memory("VmHWM") - before}


def name_column(path: Path) -> Numbers:
    import mlirbc

    module = mlirbc.open(path)
    module.decode_all()
    before = memory("VmRSS")
    seconds = timed(lambda: module.columns().name)
    return {"seconds": seconds, "grown": memory("VmHWM") - before}


def saved(path: Path) -> Numbers:
    """Written canonically beside the file, without decoding it before."""
    import mlirbc

    out = path.with_suffix(".saved")
    before = memory("VmRSS")
    try:
        seconds = timed(lambda: mlirbc.open(path).save(out, numbering="canonical"))
    finally:
        out.unlink(missing_ok=True)
    return {"seconds": seconds, "grown": memory("VmHWM") - before}


def visited(path: Path) -> Numbers:
    """A loop over name, operands and attributes of every operation."""
    import mlirbc

    module = mlirbc.read(path.read_bytes())
    module.decode_all(threads=1)
    return {"seconds": timed(lambda: _visit_all(module.body.operations))}


def _visit_all(functions: Any) -> None:
    for function in functions:
        for block in function.regions[0].blocks:
            for op in block.operations:
                _visit(op)


def _visit(op: Any) -> None:
    op.name  # noqa: B018
    for _ in op.operands:
        pass
    for _ in op.attributes:
        pass


def walked(path: Path) -> Numbers:
    import mlirbc

    module = mlirbc.read(path.read_bytes())
    module.decode_all(threads=1)
    return {"seconds": timed(lambda: module.operation.walk(_visit))}


def floor(path: Path) -> Numbers:
    """An empty loop over as many objects: no loop in Python takes less."""
    objects = [object() for _ in range(1_000_000)]

    def loop() -> None:
        for _ in objects:
            pass

    return {"seconds": timed(loop)}


def generic(path: Path) -> Numbers:
    import mlirbc

    module = mlirbc.open(path, release="llvm-22")
    return {"seconds": timed(lambda: module.operation.get_asm(print_generic_op_form=True))}


def written_first(path: Path) -> Numbers:
    import mlirbc

    module = mlirbc.read(path.read_bytes())
    return {"seconds": timed(lambda: module.write(numbering="canonical"))}


# MLIR's bindings. The clock starts when the dialects are loaded.


def _jaxlib() -> tuple[Any, Any]:
    ir = import_module("jaxlib.mlir.ir")
    for dialect in ("func", "arith"):
        import_module(f"jaxlib.mlir.dialects.{dialect}")
    registry = ir.DialectRegistry()
    import_module("jaxlib.mlir._mlir_libs._jax_mlir_ext").register_dialects(registry)
    context = ir.Context()
    context.append_dialect_registry(registry)
    return ir, context


def jaxlib_context() -> tuple[Any, Any]:
    """A context of jaxlib with all its dialects loaded."""
    ir, context = _jaxlib()
    for dialect in ("stablehlo", "chlo"):
        import_module(f"jaxlib.mlir.dialects.{dialect}").register_dialect(context)
    context.load_all_available_dialects()
    return ir, context


def _iree() -> tuple[Any, Any]:
    ir = import_module("iree.compiler.ir")
    return ir, ir.Context()


class Bindings:
    """The jobs, with the bindings of one project."""

    def __init__(self, start: Callable[[], tuple[Any, Any]]) -> None:
        self._start = start

    def _ready(self) -> tuple[Any, Any]:
        ir, context = self._start()
        context.allow_unregistered_dialects = True
        warm = "func.func @f(%a: f32) -> f32 {\n%0 = arith.negf %a : f32\nreturn %0 : f32\n}"
        ir.Module.parse(warm, context)
        return ir, context

    def _module(self, path: Path) -> Any:
        ir, context = self._ready()
        return ir.Module.parse(path.read_bytes(), context)

    def parsed(self, path: Path) -> Numbers:
        ir, context = self._ready()
        data = path.read_bytes()
        before = memory("VmRSS")
        start = clock()
        module = ir.Module.parse(data, context)
        seconds = clock() - start
        grown = memory("VmHWM") - before
        assert module.operation.name == "builtin.module"
        return {"seconds": seconds, "grown": grown}

    def symbols(self, path: Path) -> Numbers:
        ir, context = self._ready()

        def names() -> None:
            _symbols(ir.Module.parse(path.read_bytes(), context).body.operations)

        return {"seconds": timed(names)}

    def visited(self, path: Path) -> Numbers:
        module = self._module(path)
        return {"seconds": timed(lambda: _visit_all(module.body.operations))}

    def walked(self, path: Path) -> Numbers:
        ir, context = self._ready()
        module = ir.Module.parse(path.read_bytes(), context)

        def visit(op: Any) -> Any:
            _visit(op)
            return ir.WalkResult.ADVANCE

        return {"seconds": timed(lambda: module.operation.walk(visit))}

    def generic(self, path: Path) -> Numbers:
        module = self._module(path)
        return {"seconds": timed(lambda: module.operation.get_asm(print_generic_op_form=True))}

    def written(self, path: Path) -> Numbers:
        module = self._module(path)
        return {"seconds": timed(lambda: module.operation.write_bytecode(io.BytesIO()))}


# Other readers.


def mlirbcc(path: Path) -> Numbers:
    """The whole process."""
    return {"seconds": timed(lambda: subprocess.run([program("mlirbcc"), str(path)], check=True))}


_NETRON = """
const [folder, path] = process.argv.slice(1);
const mlir = await import(folder + '/mlir.js');
const base = await import(folder + '/base.js');
const fs = await import('node:fs');
const data = new Uint8Array(fs.readFileSync(path));
const metadata = fs.readFileSync(folder + '/mlir-metadata.json', 'utf-8');
const context = {
    type: 'mlir.binary',
    asset: async () => metadata,
    request: async () => metadata,
    read: async () => base.BinaryReader.open(data),
};
const before = process.cpuUsage();
const start = process.hrtime.bigint();
const model = await new mlir.ModelFactory().open(context);
const wall = Number(process.hrtime.bigint() - start) / 1e9;
const used = process.cpuUsage(before);
if (!model.format.startsWith('MLIR Bytecode')) throw new Error(model.format);
console.log(JSON.stringify({wall, cpu: (used.user + used.system) / 1e6}));
"""


def netron(path: Path) -> Numbers:
    """Reading and making netron's model, in a process of node that has loaded the code."""
    command = ["node", "--max-old-space-size=8000", "--input-type=module", "-e", _NETRON, "--"]
    done = subprocess.run(
        [*command, program("netron"), str(path)], capture_output=True, text=True, check=True
    )
    numbers = json.loads(done.stdout)
    return {"seconds": numbers["cpu" if os.environ.get("MLIRBC_BENCH_CLOCK") == "cpu" else "wall"]}


def xdsl_generic(path: Path) -> Numbers:
    """The generic text of a module that xDSL has read from its text."""
    context_module, parser, printer = (import_module(f"xdsl.{n}") for n in ("context", "parser", "printer"))
    builtin, func, arith = (import_module(f"xdsl.dialects.{n}") for n in ("builtin", "func", "arith"))
    context = context_module.Context(allow_unregistered=True)
    for dialect in (builtin.Builtin, func.Func, arith.Arith):
        context.load_dialect(dialect)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "text.mlir")
        printing = [sys.executable, "-m", "mlirbc", "print", "--release", "llvm-22", "--generic", str(path)]
        subprocess.run([*printing, "-o", str(source)], check=True)
        module = parser.Parser(context, source.read_text()).parse_module()
    out = io.StringIO()
    seconds = timed(lambda: printer.Printer(out, print_generic_format=True).print_op(module))
    assert out.getvalue().count('"func.return"') > 1
    return {"seconds": seconds}


def program(peer: str) -> str:
    return os.environ[f"MLIRBC_BENCH_{peer.upper()}"]


def missing(peer: str) -> str | None:
    """Why a peer cannot be measured here."""
    if peer in ("iree", "mlirbcc", "netron"):
        variable = f"MLIRBC_BENCH_{peer.upper()}"
        if variable not in os.environ:
            return f"{variable} is not set"
        return "`node` is not installed" if peer == "netron" and not shutil.which("node") else None
    if peer == "mlir-opt":
        return None if shutil.which("mlir-opt-22") else "`mlir-opt-22` is not installed"
    try:
        import_module(peer)
    except ImportError as error:
        return str(error)
    return None


def _all_of(name: str, bindings: Bindings) -> dict[str, Callable[[Path], Numbers]]:
    jobs = ("parsed", "symbols", "visited", "walked", "generic", "written")
    return {f"{name}_{job}": getattr(bindings, job) for job in jobs}


MEASURES: dict[str, Callable[[Path], Numbers]] = {
    "symbols": symbols,
    "first_symbol": first_symbol,
    "name_column": name_column,
    "saved": saved,
    "visited": visited,
    "walked": walked,
    "floor": floor,
    "generic": generic,
    "written_first": written_first,
    **_all_of("jaxlib", Bindings(_jaxlib)),
    **_all_of("iree", Bindings(_iree)),
    "mlirbcc": mlirbcc,
    "netron": netron,
    "xdsl_generic": xdsl_generic,
}
