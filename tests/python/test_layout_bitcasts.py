"""Bit casts are accepted exactly where `mlir-opt` accepts the operation."""

import itertools
import re

import pytest
from mlirbc import DataLayout

from support import oracles

SCALARS = [
    "i1",
    "i8",
    "i16",
    "i32",
    "i64",
    "si32",
    "ui32",
    "index",
    "bf16",
    "f16",
    "f32",
    "f64",
    "f80",
    "f128",
]
SCALARS += ["tf32", "f8E4M3FN", "none", "complex<f32>", "complex<f16>", "complex<i16>", "tuple<i32>"]
VECTORS = ["vector<4xi32>", "vector<4xf32>", "vector<2xi64>", "vector<[4]xi32>", "vector<2x4xf32>"]
VECTORS += ["vector<[2]x4xf32>", "vector<2x[4]xi32>", "vector<i32>", "vector<f32>", "vector<4xindex>"]
VECTORS += ["vector<4xsi32>", "vector<2x!llvm.ptr>", "vector<2x!llvm.ptr<1>>", "vector<[2]x!llvm.ptr>"]
RANKED = [
    "tensor<4xi32>",
    "tensor<4xf32>",
    "tensor<?xi32>",
    "tensor<?xf32>",
    "tensor<2x?xf32>",
    "tensor<?x4xi32>",
]
RANKED += [
    "tensor<4xsi32>",
    "tensor<4xindex>",
    'tensor<4xi32, "a">',
    'tensor<4xf32, "a">',
    'tensor<4xf32, "b">',
]
RANKED += ["tensor<i32>", "tensor<4xi64>", "tensor<4xcomplex<f32>>", "tensor<?x?xf32>"]
UNRANKED = ["tensor<*xi32>", "tensor<*xf32>", "tensor<*xi64>"]
MEMREFS = [
    "memref<4xi32>",
    "memref<4xf32>",
    "memref<?xf32>",
    "memref<4xf32, 1>",
    "memref<*xf32>",
    "memref<f32>",
]
MEMREFS += ["memref<4xi32, strided<[1], offset: 2>>", "memref<8xf32>", "memref<2x2xf32>", "memref<4xsi32>"]
LLVM = ["!llvm.ptr", "!llvm.ptr<1>", "!llvm.ppc_fp128", "!llvm.struct<(i32)>", "!llvm.array<4 x i32>"]
LLVM += ["!llvm.void", "!llvm.token", "!llvm.metadata", '!llvm.target<"a">', '!llvm.struct<"o", opaque>']
FEW = ["i32", "f32", "vector<4xi32>", "tensor<4xi32>", "memref<4xi32>", "!llvm.ptr", "complex<f16>"]
TYPES = {
    "arith.bitcast": [*FEW, *VECTORS[:9], *RANKED, *MEMREFS, "i16", "bf16", "si32", "index"],
    "complex.bitcast": [*FEW, *SCALARS],
    "llvm.bitcast": [*FEW, *SCALARS, *VECTORS[::2], *LLVM],
    "tensor.bitcast": [*FEW, *RANKED, *UNRANKED],
    "vector.bitcast": [*FEW, *VECTORS],
}
CASE = (
    '"test.f"() ({{\n^bb0(%a: {0}):\n%0 = "{2}"(%a) : ({0}) -> {1}\n"test.end"() : () -> ()\n}}) : () -> ()\n'
)
LINES = CASE.count("\n") + 1


@pytest.mark.timeout(300)
def test_bit_casts_are_accepted_where_mlir_accepts_them() -> None:
    oracles.require(22)
    # Not `arith.bitcast` of tensors without a rank, which ends the process of `mlir-opt`.
    cases = [
        (op, source, target)
        for op, types in TYPES.items()
        for source, target in itertools.product(dict.fromkeys(types), repeat=2)
    ]
    text = "// -----\n".join(CASE.format(source, target, op) for op, source, target in cases)
    options = ["--split-input-file", "--allow-unregistered-dialect", "-o", "/dev/null"]
    done = oracles.run_mlir_opt(22, options, text)
    errors = re.findall(r"^<stdin>:(\d+):\d+: error: ", done.stderr, re.MULTILINE)
    refused = {(int(line) - 1) // LINES for line in errors}
    assert done.status in (0, 1) and len(cases) // 2 < len(refused) < len(cases)
    layout = DataLayout.from_specs([])
    differ = [
        case
        for number, case in enumerate(cases)
        if layout.can_bitcast(case[1], case[2], op=case[0]) != (number not in refused)
    ]
    assert differ == []
    assert {op for number, (op, *_) in enumerate(cases) if number not in refused} == TYPES.keys()
