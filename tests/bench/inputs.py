"""The files that benchmarks read, made on the spot: too large for the tree, and made in seconds.

PYTHONPATH=tests python -m bench.inputs --cache FOLDER [--scale 0.01] [NAME ...]
"""

import argparse
import importlib
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bench import exported
from support.assembler import (
    Block,
    Buffer,
    File,
    Framing,
    Op,
    Region,
    SectionId,
    Wire,
    flagged,
    varint,
    varints,
)

Bytes = npt.NDArray[np.uint8]


def varint_columns(values: npt.NDArray[np.uint64]) -> tuple[Bytes, npt.NDArray[np.bool_]]:
    """A row of up to 5 bytes for each value below 2^35, and a flag for each byte that counts."""
    sizes = np.ones(len(values), np.uint64)
    for size in range(1, 5):
        sizes += values >= np.uint64(1 << (7 * size))
    words = ((values << np.uint64(1)) | np.uint64(1)) << (sizes - np.uint64(1))
    rows = words.astype("<u8").view(np.uint8).reshape(-1, 8)[:, :5]
    return rows, np.arange(5) < sizes[:, None].astype(np.int64)


class ByteColumns:
    """Columns of bytes side by side, some of which are absent in some rows."""

    def __init__(self, length: int) -> None:
        self.length = length
        self.bytes: list[Bytes] = []
        self.present: list[npt.NDArray[np.bool_]] = []

    def fixed(self, data: bytes) -> None:
        self.bytes.append(np.broadcast_to(np.frombuffer(data, np.uint8), (self.length, len(data))))
        self.present.append(np.ones((self.length, len(data)), np.bool_))

    def number(self, values: npt.NDArray[np.uint64], present: npt.NDArray[np.bool_] | None = None) -> None:
        rows, counts = varint_columns(values)
        self.bytes.append(rows)
        self.present.append(counts if present is None else counts & present[:, None])

    def joined(self) -> tuple[bytes, npt.NDArray[np.int64]]:
        """The rows back to back, and the size of each."""
        present = np.concatenate(self.present, axis=1)
        return np.concatenate(self.bytes, axis=1)[present].tobytes(), present.sum(axis=1)


class Functions:
    """Functions of `ops` operations each; every operation has its own location, and 1.3 operands on average.

    If `is_func`, these are `func.func` with `arith.addf` and `arith.negf`, all attributes in dictionaries, so
    the version has to be below 5. Otherwise the same shape in an unregistered dialect.
    """

    def __init__(self, version: int, functions: int, ops: int, *, is_func: bool) -> None:
        self.version, self.count, self.ops = version, functions, ops
        self.file = file = File(version=version, producer=b"benchmark")
        func, arith = ("func", "arith") if is_func else ("f", "a")
        self.module = file.op_name("builtin.module", registered=version >= 5)
        self.function, self.result = file.op_name(f"{func}.func"), file.op_name(f"{func}.return")
        self.unary, self.binary = file.op_name(f"{arith}.negf"), file.op_name(f"{arith}.addf")
        self.unknown = file.attribute(varints(15))
        self.source = file.attribute(varints(2, file.string("model.py")))
        self.f32 = f32 = file.type(varints(5))
        signature = file.type(varints(2, 2, f32, f32, 1, f32))
        keys = [file.attribute(varints(2, file.string(key))) for key in ("function_type", "sym_name")]
        type_attribute = file.attribute(varints(6, signature))
        self.dictionaries = []
        for number in range(functions):
            file.strings.values.append(b"f%d" % number)
            name = file.attribute(varints(2, len(file.strings.values) - 1))
            self.dictionaries.append(file.attribute(varints(1, 2, keys[0], type_attribute, keys[1], name)))
        self.attributes = file.entries.attributes[0]
        self.first_location = len(self.attributes.entries)

    def locations(self, first: int, functions: int) -> tuple[bytes, bytes]:
        """The payloads of the locations of some functions, and their sizes as the directory has them."""
        index = np.arange(first * self.ops, (first + functions) * self.ops, dtype=np.uint64)
        rows = ByteColumns(len(index))
        rows.fixed(varints(11, self.source))
        rows.number(index + np.uint64(1))
        rows.number(index % np.uint64(90) + np.uint64(1))
        payloads, sizes = rows.joined()
        rows = ByteColumns(len(index))
        rows.number((sizes.astype(np.uint64) << np.uint64(1)) | np.uint64(1))
        return payloads, rows.joined()[0]

    def code(self, first: int, functions: int) -> bytes:
        """Some functions: the bodies are the same in each but for the locations."""
        ops, total = self.ops, functions * self.ops
        index = np.arange(first * ops, (first + functions) * ops, dtype=np.uint64)
        place = np.tile(np.arange(ops, dtype=np.uint64), functions)
        is_last = place == ops - 1
        is_binary = (place * np.uint64(3) % np.uint64(10) < 3) & ~is_last
        rows = ByteColumns(total)
        names = np.where(is_last, self.result, np.where(is_binary, self.binary, self.unary))
        rows.number(names.astype(np.uint64))
        rows.bytes.append(np.where(is_last, 0x04, 0x06).astype(np.uint8)[:, None])
        rows.present.append(np.ones((total, 1), np.bool_))
        rows.number(index + np.uint64(self.first_location))
        rows.number(np.ones(total, np.uint64), ~is_last)
        rows.number(np.full(total, self.f32, np.uint64), ~is_last)
        rows.number(np.where(is_binary, 2, 1).astype(np.uint64))
        rows.number(place + np.uint64(1))
        rows.number(place, is_binary)
        code, code_sizes = rows.joined()
        ends = np.cumsum(code_sizes.reshape(functions, ops).sum(axis=1))
        out = Buffer()
        start = 0
        for number, end in enumerate(ends.tolist(), first):
            inner = Buffer()
            # A block, values for two arguments and all results; the arguments have no locations.
            inner.raw(varints(1, ops + 1, flagged(ops, True), 2))
            inner.raw(varints(flagged(self.f32, False), flagged(self.f32, False)) + b"\0")
            inner.raw(code[start:end])
            start = end
            head = varints(self.unknown, self.dictionaries[number], flagged(1, True))
            out.raw(varint(self.function) + b"\x11" + head)
            out.section(SectionId.IR, inner, Framing())
        return bytes(out.data)

    def around_code(self, size: int) -> bytes:
        """The bytes before `size` bytes of functions in the IR section."""
        region = varints(1, 0, flagged(self.count, False))
        top = Buffer()
        top.raw(varint(flagged(1, False)) + varint(self.module))
        top.raw(b"\x50" if self.version >= 5 else b"\x10")
        top.raw(varint(self.unknown))
        if self.version >= 5:
            top.raw(varint(self.file.property(b"\x01\x01")))
        top.raw(varint(flagged(1, True)) + bytes([SectionId.IR]) + varint(len(region) + size) + region)
        return bytes(top.data)

    def around_sizes(self) -> tuple[bytes, bytes]:
        """The bytes before and after the sizes of the locations in the directory."""
        payloads, types = self._payloads()
        dialect = group_dialect(self.attributes.dialect)
        attributes = len(payloads) + self.count * self.ops
        sizes = [
            b"".join(varint(flagged(len(payload), True)) for payload in some) for some in (payloads, types)
        ]
        before = varints(attributes, len(types), dialect, attributes) + sizes[0]
        return before, varints(dialect, len(types)) + sizes[1]

    def around_locations(self) -> tuple[bytes, bytes]:
        payloads, types = self._payloads()
        return b"".join(payloads), b"".join(types)

    def _payloads(self) -> tuple[list[bytes], list[bytes]]:
        types = self.file.entries.types[0].entries
        return [entry.payload for entry in self.attributes.entries], [entry.payload for entry in types]


def million_ops(version: int = 4, functions: int = 1000, ops: int = 1000, is_func: bool = True) -> bytes:
    maker = Functions(version, functions, ops, is_func=is_func)
    locations, sizes = maker.locations(0, functions)
    code = maker.code(0, functions)
    replaced = maker.file.replaced
    replaced[SectionId.IR] = maker.around_code(len(code)) + code
    replaced[SectionId.ATTR_TYPE_OFFSET] = sizes.join(maker.around_sizes())
    replaced[SectionId.ATTR_TYPE] = locations.join(maker.around_locations())
    return maker.file.encode().data


def write_many_ops(path: Path, functions: int, ops: int = 1000, at_once: int = 1000) -> None:
    """Writes `million_ops` in version 4 with so many operations that they do not fit into memory."""
    maker = Functions(4, functions, ops, is_func=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        names = ("locations", "sizes", "code")
        parts = {name: Path(folder, name) for name in names}
        files = [part.open("wb") for part in parts.values()]
        for first in range(0, functions, at_once):
            count = min(at_once, functions - first)
            for file, data in zip(
                files, (*maker.locations(first, count), maker.code(first, count)), strict=True
            ):
                file.write(data)
        for file in files:
            file.close()
        around = {
            SectionId.ATTR_TYPE: (maker.around_locations(), parts["locations"]),
            SectionId.ATTR_TYPE_OFFSET: (maker.around_sizes(), parts["sizes"]),
            SectionId.IR: ((maker.around_code(parts["code"].stat().st_size), b""), parts["code"]),
        }
        maker.file.order = [SectionId.DIALECT]
        head = maker.file.encode().data
        maker.file.order = [SectionId.STRING]
        encoded = maker.file.encode()
        with path.open("wb") as out:
            out.write(head)
            for number, ((before, after), part) in around.items():
                out.write(bytes([number]) + varint(len(before) + part.stat().st_size + len(after)) + before)
                with part.open("rb") as source:
                    shutil.copyfileobj(source, out, 1 << 22)
                out.write(after)
                part.unlink()
            out.write(encoded.data[encoded.marks["producer"][1] :])


def group_dialect(dialect: int | Wire) -> int:
    assert isinstance(dialect, int)
    return dialect


def write_resources(
    path: Path, blobs: int = 16, size: int = 2**28, alignment: int = 64, symbols: int = 0
) -> None:
    """A module with `blobs` blobs, as holes: the file is large, the disk stays empty."""
    file = File(producer=b"benchmark")
    module = file.op_name("builtin.module", registered=True)
    file.attribute(varints(15))
    # The module refers to each blob, because unreferenced blobs are not written again.
    i8 = file.type(varints(0, 8 << 2))
    tensor = file.type(varints(13, 1, size << 1, i8))
    pairs = []
    for number in range(blobs):
        name = file.attribute(varints(2, file.string(f"bench.w{number:02}")))
        pairs += [name, file.attribute(varints(16, tensor, number))]
    attributes = file.attribute(varints(1, blobs, *pairs))
    ops = []
    if symbols:
        function = file.op_name("t.function")
        key = file.attribute(varints(2, file.string("sym_name")))
        names = [file.attribute(varints(2, file.string(f"f{number}"))) for number in range(symbols)]
        ops = [Op(function, 0, file.attribute(varints(1, 1, key, name))) for name in names]
    block = Region([Block(ops)])
    properties = file.property(b"\x01\x01")
    file.top.append(Op(module, 0, attributes, properties, regions=[block], isolated=True))
    keys = [file.string(f"weight_{number}") for number in range(blobs)]

    header = varints(alignment, size)
    offsets, position = [], 0
    for _ in keys:
        position += len(header)
        position += -position % alignment
        offsets.append(position)
        position += size
    starts = [0, *(offset + size for offset in offsets)]
    directory = varints(0, file.dialect("builtin"), blobs)
    for number, key in enumerate(keys):
        directory += varints(key, starts[number + 1] - starts[number]) + b"\0"

    # The bytes before the payloads and the bytes after them, from files that have only those sections.
    file.order = [1, 3, 2, 4, 6]
    file.replaced[SectionId.RESOURCE_OFFSET] = directory
    before = file.encode().data
    file.order = [0, 8]
    after = file.encode().data[file.encode().marks["producer"][1] :]
    before += bytes([SectionId.RESOURCE | 0x80]) + varints(position, alignment)
    before += b"\xcb" * (-len(before) % alignment)
    with path.open("wb") as out:
        out.write(before)
        for number, offset in enumerate(offsets):
            start = len(before) + starts[number]
            out.seek(start)
            out.write(header + b"\xcb" * (offset - starts[number] - len(header)))
            # A word at the start of each, so that a reader of the right place finds it.
            out.write(struct.pack("<Q", number))
        out.seek(len(before) + position)
        out.write(after)


def write_dense_resources(path: Path, size: int = 2**28) -> None:
    """Writes the resources with every byte on the disk, for readers that copy them."""
    holes = path.with_suffix(".holes")
    write_resources(holes, size=size)
    with holes.open("rb") as source, path.open("wb") as out:
        shutil.copyfileobj(source, out, 1 << 22)
    holes.unlink()


def small_modules(count: int = 10_000) -> list[bytes]:
    """Modules of a few ops, all different."""
    modules = []
    for number in range(count):
        file = File(producer=b"benchmark")
        module = file.op_name("builtin.module", registered=True)
        definition, used = file.op_name("t.made"), file.op_name("t.used")
        file.attribute(varints(15))
        name = file.attribute(varints(2, file.string(f"file_{number}.mlir")))
        places = [file.attribute(varints(11, name, number + 1, column)) for column in range(3)]
        i32 = file.type(varints(0, 32 << 2))
        ops = [Op(definition, places[0], results=[i32]), Op(definition, places[1], results=[i32])]
        ops += [Op(used, places[2], operands=[0, 1])] * (number % 3 + 1)
        blob = file.property(b"\x01\x01")
        file.top.append(Op(module, properties=blob, regions=[Region([Block(ops)])], isolated=True))
        modules.append(file.encode().data)
    return modules


def write_small_modules(path: Path, count: int = 10_000) -> None:
    with path.open("wb") as out:
        for data in small_modules(count):
            out.write(struct.pack("<I", len(data)) + data)


def read_small_modules(path: Path) -> list[bytes]:
    data, position, modules = path.read_bytes(), 0, []
    while position < len(data):
        (size,) = struct.unpack_from("<I", data, position)
        modules.append(data[position + 4 : position + 4 + size])
        position += 4 + size
    return modules


def write_stablehlo_files(folder: Path, count: int, ops: range, different: int = 50) -> None:
    """A folder of modules of StableHLO with sizes spread over a range; every `different` files repeat."""
    import mlirbc

    folder.mkdir(parents=True)
    sizes = [ops[(len(ops) - 1) * number // max(1, different - 1)] for number in range(different)]
    modules = [mlirbc.parse(stablehlo_text(1, size), target="jaxlib-0.10").write() for size in sizes]
    for number in range(count):
        (folder / f"{number:05}.mlirbc").write_bytes(modules[number % different])


def nested_regions(depth: int = 100_000, shape: str = "plain") -> bytes:
    """Regions in regions: `plain`, `inside` of one isolated op, or every region `isolated`."""
    file = File(producer=b"benchmark")
    module = file.op_name("builtin.module", registered=True)
    name = file.op_name("t.nested")
    file.attribute(varints(15))
    blob = file.property(b"\x01\x01")
    # A block without values, with one op.
    region = varints(1, 0, flagged(1, False))
    leaf = varint(name) + b"\0" + varint(0)
    is_isolated = shape == "isolated"
    head = varint(name) + b"\x10" + varints(0, flagged(1, is_isolated))
    pieces, size = [leaf], len(leaf)
    for _ in range(depth):
        piece = head + region
        if is_isolated:
            piece = head + bytes([SectionId.IR]) + varint(len(region) + size) + region
        pieces.append(piece)
        size += len(piece)
    if shape == "inside":
        pieces.append(
            varint(name)
            + b"\x10"
            + varints(0, flagged(1, True))
            + bytes([SectionId.IR])
            + varint(len(region) + size)
            + region
        )
    body = Wire(b"".join(reversed(pieces)), "nest")
    top = Region([Block([Op(name, raw=body)])])
    # `plain` nests in an op that is not isolated either, so that no section frames it.
    file.top.append(Op(module, properties=blob, regions=[top], isolated=shape != "plain"))
    return file.encode().data


def chain(kind: str, depth: int) -> bytes:
    """A module whose one op has `depth` entries that each refer to the next: types, attributes, locations."""
    file = File(producer=b"benchmark")
    module = file.op_name("builtin.module", registered=True)
    name = file.op_name("t.op")
    file.attribute(varints(15))
    key = file.attribute(varints(2, file.string("k")))
    innermost = file.type(varints(0, 8 << 2))
    op = Op(name)
    attributes, types = file.entries.attributes[0].entries, file.entries.types[0].entries
    if kind == "types":
        for _ in range(depth):
            file.type(varints(15, 1, len(types) - 1))
        op.results = [len(types) - 1]
    elif kind == "attributes":
        index = file.attribute(varints(6, innermost))
        for _ in range(depth):
            index = file.attribute(varints(0, 1, len(attributes) - 1))
        op.attributes = file.attribute(varints(1, 1, key, index))
    else:
        index = 0
        for _ in range(depth):
            index = file.attribute(varints(14, key, index))
        op.location = index
    blob = file.property(b"\x01\x01")
    file.top.append(Op(module, properties=blob, regions=[Region([Block([op])])], isolated=True))
    return file.encode().data


def distinct_entries(count: int = 200_000) -> bytes:
    """A module of `count` attributes, types and locations, which are all different and all used."""
    file = File(producer=b"benchmark")
    module = file.op_name("builtin.module", registered=True)
    name = file.op_name("t.op", registered=False)
    file.attribute(varints(15))
    word, single = file.type(varints(0, 64 << 2)), file.type(varints(5))
    filename = file.attribute(varints(2, file.string("model.py")))
    share = count // 3
    # Integers are zigzag, sizes of tensors too; both are far below 2^63.
    numbers = [file.attribute(varints(8, word, 2 * value)) for value in range(share)]
    types = [file.type(varints(13, 1, 2 * (size + 1), single)) for size in range(share)]
    locations = [file.attribute(varints(11, filename, line, line % 80)) for line in range(share)]
    array = file.attribute(varints(0, len(numbers), *numbers))
    dictionary = file.attribute(varints(1, 1, file.attribute(varints(2, file.string("values"))), array))
    ops = []
    for kind, location in zip(types, locations, strict=True):
        op = Op(name, location=location)
        op.results = [kind]
        ops.append(op)
    ops[0].attributes = dictionary
    blob = file.property(b"\x01\x01")
    file.top.append(Op(module, properties=blob, regions=[Region([Block(ops)])], isolated=True))
    return file.encode().data


def _scaled(number: int, scale: float) -> int:
    return max(1, int(number * scale))


Maker = Callable[[Path, float], object]
"""Writes the input to a path, scaled down by a factor."""


def _million(functions: int, ops: int, version: int = 4) -> Maker:
    def make(path: Path, scale: float) -> None:
        sizes = (_scaled(functions, scale), ops) if functions > 1 else (1, _scaled(ops, scale))
        path.write_bytes(million_ops(version, *sizes, is_func=version < 5))

    return make


def _written_by_jaxlib(maker: Maker) -> Maker:
    """Writes the input in MLIR's own order and newest version."""

    def make(path: Path, scale: float) -> None:
        ir = importlib.import_module("jaxlib.mlir.ir")
        maker(path, scale)
        context = ir.Context()
        context.allow_unregistered_dialects = True
        module = ir.Module.parse(path.read_bytes(), context)
        with path.open("wb") as file:
            module.operation.write_bytecode(file)

    return make


def _written_by_llvm_22(maker: Maker) -> Maker:
    """Writes the input with `mlir-opt`, with the properties of LLVM 22."""

    def make(path: Path, scale: float) -> None:
        source = path.with_suffix(".source")
        maker(source, scale)
        binary = shutil.which("mlir-opt-22") or "mlir-opt-22"
        subprocess.run([binary, "--emit-bytecode", str(source), "-o", str(path)], check=True)
        source.unlink()

    return make


def stablehlo_text(functions: int, ops: int) -> str:
    """Functions of StableHLO of about `ops` operations each; every operation has its own location."""
    small, line = "tensor<8x128xf32>", 0
    out: list[str] = []
    for function in range(functions):
        out.append(f"func.func @f{function}(%0: {small}, %1: {small}) -> {small} {{\n")
        a, b, value = 0, 1, 2
        while value <= ops:
            first, second = f"%{a}", f"%{b}"
            steps = [
                f'"stablehlo.add"({first}, {second}) : ({small}, {small}) -> {small}',
                f'"stablehlo.multiply"({first}, {second}) : ({small}, {small}) -> {small}',
                f'"stablehlo.tanh"({first}) : ({small}) -> {small}',
                f'"stablehlo.constant"() <{{value = dense<{value}.0> : tensor<f32>}}> : () -> tensor<f32>',
                f'"stablehlo.broadcast_in_dim"(%{value + 3}) <{{broadcast_dimensions = array<i64>}}> :'
                f" (tensor<f32>) -> {small}",
                f'"stablehlo.transpose"({first}) <{{permutation = array<i64: 1, 0>}}> :'
                f" ({small}) -> tensor<128x8xf32>",
                f'"stablehlo.reshape"(%{value + 5}) : (tensor<128x8xf32>) -> {small}',
                f'"stablehlo.slice"({first}) <{{start_indices = array<i64: 0, 0>, limit_indices ='
                f" array<i64: 8, 1>, strides = array<i64: 1, 1>}}> : ({small}) -> tensor<8x1xf32>",
                f'"stablehlo.broadcast_in_dim"(%{value + 7}) <{{broadcast_dimensions = array<i64: 0, 1>}}> :'
                f" (tensor<8x1xf32>) -> {small}",
                f'"stablehlo.compare"({first}, {second}) <{{comparison_direction = #stablehlo'
                f"<comparison_direction LT>}}> : ({small}, {small}) -> tensor<8x128xi1>",
                f'"stablehlo.select"(%{value + 9}, %{value}, %{value + 8}) :'
                f" (tensor<8x128xi1>, {small}, {small}) -> {small}",
            ]
            for step in steps:
                line += 1
                out.append(f'%{value} = {step} loc("model.py":{line}:{line % 90 + 1})\n')
                value += 1
            a, b = value - 1, value - 11
        line += 1
        out.append(f'return %{a} : {small} loc("model.py":{line}:1)\n}}\n')
    return "".join(out)


def _stablehlo(functions: int, ops: int, *, is_artifact: bool) -> Maker:
    """A StableHLO module, or its portable artifact, by jaxlib."""

    def make(path: Path, scale: float) -> None:
        from support import jaxlib_oracle

        oracle = jaxlib_oracle.find()
        assert oracle is not None, "no jaxlib; install the dependency group `test`"
        text = stablehlo_text(_scaled(functions, scale), ops)
        with oracle.context, path.open("wb") as file:
            module = oracle.ir.Module.parse(text)
            if is_artifact:
                file.write(oracle.stablehlo.serialize_portable_artifact(module, PORTABLE_VERSION))
            else:
                module.operation.write_bytecode(file)

    return make


PORTABLE_VERSION = "1.9.0"
"""The version of StableHLO that artifacts of the benchmarks are for."""


def _nested(shape: str, depth: int) -> Maker:
    return lambda path, scale: path.write_bytes(nested_regions(_scaled(depth, scale), shape))


def _chain(kind: str, depth: int) -> Maker:
    return lambda path, scale: path.write_bytes(chain(kind, _scaled(depth, scale)))


INPUTS: dict[str, Maker] = {
    "million_ops": _million(1000, 1000),
    "million_ops_of_jaxlib": _written_by_jaxlib(_million(1000, 1000)),
    "million_ops_of_llvm_22": _written_by_llvm_22(_million(1000, 1000)),
    "artifact_of_million_ops": _stablehlo(1000, 1000, is_artifact=True),
    "stablehlo_of_million_ops": _stablehlo(1000, 1000, is_artifact=False),
    "million_ops_one_function": _million(1, 1_000_000),
    "million_ops_v6": _million(1000, 1000, version=6),
    "resources_4gib": lambda path, scale: write_resources(path, size=_scaled(2**28, scale)),
    "resources_4gib_dense": lambda path, scale: write_dense_resources(path, _scaled(2**28, scale)),
    "distinct_entries": lambda path, scale: path.write_bytes(distinct_entries(_scaled(200_000, scale))),
    "small_files": lambda path, scale: write_stablehlo_files(path, _scaled(10_000, scale), range(300, 1500)),
    "tiny_files": lambda path, scale: write_stablehlo_files(path, _scaled(10_000, scale), range(10, 110)),
    "exported_transformer": exported.write_transformer,
    "llvm_properties": exported.write_llvm,
    "small_modules": lambda path, scale: write_small_modules(path, _scaled(10_000, scale)),
}
for _shape in ("plain", "inside", "isolated"):
    for _depth in (25_000, 50_000, 100_000):
        INPUTS[f"nested_regions_{_shape}_{_depth}"] = _nested(_shape, _depth)
for _kind in ("types", "attributes", "locations"):
    for _depth in (1000, 10_000, 100_000):
        INPUTS[f"chain_{_kind}_{_depth}"] = _chain(_kind, _depth)


def prepare(folder: Path, name: str, scale: float = 1.0) -> Path:
    """The path of the input, made if it is not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (f"{name}.mlirbc" if scale == 1.0 else f"{name}-x{scale:g}.mlirbc")
    if not path.exists():
        unfinished = path.with_suffix(".unfinished")
        INPUTS[name](unfinished, scale)
        unfinished.rename(path)
    return path


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"of {', '.join(INPUTS)}; all if none is given"
    )
    parser.add_argument("--cache", type=Path, help="folder to put them into; a temporary one if not given")
    parser.add_argument("--scale", type=float, default=1.0, help="make everything smaller by this factor")
    options = parser.parse_args()
    folder = options.cache or Path(tempfile.mkdtemp(prefix="mlirbc-bench-"))
    for name in options.names or INPUTS:
        path = prepare(folder, name, options.scale)
        size = sum(file.stat().st_size for file in path.iterdir()) if path.is_dir() else path.stat().st_size
        print(f"{size:>12} {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
