"""Where the generic text of releases differs: facts for `spelling.py`, without the product and its data.

`tests/python/test_spelling.py` asks `mlir-opt` of 16, 19 and 22 about those that these releases can answer.
Those since 23 and 24 are from what jaxlib 0.10 and IREE 3.13 print: their MLIR is a development version.
"""

import functools
import json
import re
from pathlib import Path
from typing import NamedTuple

from support import generic_text, oracles

LLVM = {
    "llvm-16": 16,
    "llvm-19": 19,
    "llvm-22": 22,
    "iree-3.0": 20,
    "jaxlib-0.5": 20,
    "jaxlib-0.6": 21,
    "jaxlib-0.10": 23,
    "iree-3.13": 24,
    "circt": 22,
}
"""The major version in the producer string of each; CIRCT has its own numbers."""

WORDS = ("gpu", "index", "amdgpu", "nvgpu", "nvvm")
"""Dialects whose `#gpu<dim x>` is `#gpu.dim<x>` in IREE 3.13; up to 23 the newer text is refused."""

WORD_SINCE = {"redux_kind": "reduction_kind"}
"""The mnemonic of `NVVM::ReductionKindAttr`: 22 refuses the second, jaxlib 0.10 the first."""

TEXTS = {
    # `vector::CombiningKind`: 16 refuses the second, 19 the first.
    "#vector.kind<maxf>": "#vector.kind<maximumf>",
    "#vector.kind<minf>": "#vector.kind<minimumf>",
    # jaxlib 0.10 prints the second for the first of 22.
    "!llvm.token": "token",
    # 22 does not have the operations of the first.
    '!transform.op<"tensor.pack">': '!transform.op<"linalg.pack">',
    '!transform.op<"tensor.unpack">': '!transform.op<"linalg.unpack">',
}

OPS = {
    # 16 registers the first and not the second, 19 the other way round.
    "arith.maxf": "arith.maximumf",
    "arith.minf": "arith.minimumf",
    # 19 registers the first and not the second, 22 the other way round.
    "bufferization.to_memref": "bufferization.to_buffer",
    # 19 registers the first and not the second, 22 the other way round.
    "tensor.pack": "linalg.pack",
    "tensor.unpack": "linalg.unpack",
    # 22 has both, with the same meaning where the first exists; newer releases have the second only.
    "nvvm.barrier0": "nvvm.barrier",
    # 19 has both, 22 the second only: a splat is a broadcast of a scalar.
    "vector.splat": "vector.broadcast",
    # 16 registers the first and not the second, 19 the other way round.
    "llvm.mlir.null": "llvm.mlir.zero",
    # 16 registers the first, 19 does not; `cast` says the same.
    "linalg.matmul_unsigned": "linalg.matmul",
    # 19 registers the first, 22 does not: a position that is an index is a dynamic one.
    "vector.extractelement": "vector.extract",
    "vector.insertelement": "vector.insert",
    # 19 registers the first and not the second, 22 the other way round.
    "vector.warp_execute_on_lane_0": "gpu.warp_execute_on_lane_0",
}

OPAQUE_CALLS_SINCE = 18
"""The release from which on `emitc.call` of 16 is `emitc.call_opaque`, and `emitc.call` another operation."""

OPAQUE_POINTERS_SINCE = 18
"""The release from which on pointers have no element type."""

ELEMENT_TYPES = {
    "llvm.alloca": ("elem_type", "result"),
    "llvm.getelementptr": ("elem_type", "operand"),
    "omp.atomic.read": ("element_type", "operand"),
}
"""Ops that have the element type of their first operand or result as a property in newer releases."""

IMPLIED = {
    "linalg.matmul_unsigned": ("cast", "#linalg.type_fn<cast_unsigned>"),
    "vector.extractelement": ("static_position", "array<i64: -9223372036854775808>"),
    "vector.insertelement": ("static_position", "array<i64: -9223372036854775808>"),
}
"""Properties with which an op of a newer name expresses the meaning of the older name."""

TERMINATORS = ("gpu.module_end",)
"""Ops at the end of blocks in 16 and 19 that 22 does not register."""

LOOP_WRAPPERS = ("omp.distribute", "omp.simd", "omp.taskloop", "omp.wsloop")
"""Ops whose blocks have no `omp.terminator` in 22."""

EXCHANGED_SINCE = {"llvm.intr.vector.insert": 17}
"""Ops whose two operands have the other order from a release on; only the generic form shows it."""

OTHER_WIDTHS = (
    ("tosa.*", "axis"),
    ("tosa.mul", "shift"),
    ("nvvm.wgmma.wait.group.sync.aligned", "group"),
    ("llvm.intr.masked.*", "alignment"),
)
"""Integers whose width releases have changed: 8, 32 or 64 bits."""

DATA_LAYOUT_WIDTH_SINCE = 19
"""The release from which on sizes and alignments in data layouts are 64-bit integers; they had 32 bits."""

EMPTY_REDUCE = "scf.reduce"
"""The terminator of `scf.parallel` without reductions, in place of `scf.yield` in 16."""

TARGET_DEFAULTS = {
    # jaxlib 0.10 prints the attribute with this chip without it.
    "nvvm.target": {
        "features": {16: "", 19: "+ptx60", 22: ""},
        "chip": {16: "sm_50", 23: "sm_75"},
    },
    # IREE 3.0 leaves out the abi 500, IREE 3.4 the abi 600.
    "rocdl.target": {"abi": {16: "400", 19: "500", 21: "600"}},
}
"""Fields of attributes that are not printed if they have their default, and the default of each release."""

GROUPS = {
    "if_expr_var": "if_expr",
    "num_threads_var": "num_threads",
    "allocators_vars": "allocator_vars",
    "map_operands": "map_vars",
    "use_device_ptr": "use_device_ptr_vars",
    "use_device_addr": "use_device_addr_vars",
    "is_device_ptr": "is_device_ptr_vars",
    "has_device_addr": "has_device_addr_vars",
    "final_expr": "final",
    "grain_size": "grainsize",
    "schedule_chunk_var": "schedule_chunk",
    "chunk_size": "dist_schedule_chunk_size",
}
"""The newer names of groups of operands of OpenMP."""

GROUPED_SINCE = (
    "llvm.call",
    "llvm.call_intrinsic",
    "affine.for",
    "amx.tile_load",
    "amx.tile_store",
    "nvvm.barrier0",
    "transform.sequence",
    "transform.structured.fuse",
)
"""Ops whose operands are in groups in newer releases only."""

FLAGS = {
    "#llvm.overflow<": {"none": 0, "nsw": 1, "nuw": 2},
    "#omp<clause_map_flags ": {
        "to": 1,
        "from": 2,
        "always": 4,
        "del": 8,
        "implicit": 512,
        "close": 1024,
        "present": 4096,
    },
}
"""Spelled out by one of 19 and 22, a number in the other: what each prints for
`llvm.add %a, %b overflow<nsw, nuw>`, and for `map_clauses(tofrom)` and others of `omp.map.info`."""

EMPTY_REGIONS = ("omp.declare_reduction",)
"""Ops whose regions need no block: 19 has four, and 22 one more before and one after these."""

SHAPED_BY_RESULT = ("memref.expand_shape", "tensor.expand_shape")
"""Ops whose `static_output_shape` 16 works out: 19 has the sizes of the result as an attribute."""

_MATMUL = "(d0, d1, d2) -> "
_BATCH = "(d0, d1, d2, d3) -> "


def _maps(head: str, *results: str) -> str:
    return f"[{', '.join(f'affine_map<{head}({result})>' for result in results)}]"


ADDED = (
    # 22 has these maps as properties that the custom form leaves out; 19 does not have the properties.
    ("linalg.matmul", "indexing_maps", _maps(_MATMUL, "d0, d2", "d2, d1", "d0, d1")),
    ("linalg.batch_matmul", "indexing_maps", _maps(_BATCH, "d0, d1, d3", "d0, d3, d2", "d0, d1, d2")),
    ("linalg.batch_reduce_matmul", "indexing_maps", _maps(_BATCH, "d0, d1, d3", "d0, d3, d2", "d1, d2")),
    ("llvm.call", "op_bundle_sizes", "array<i32>"),
    ("llvm.call_intrinsic", "op_bundle_sizes", "array<i32>"),
    ("llvm.invoke", "op_bundle_sizes", "array<i32>"),
    ("llvm.getelementptr", "noWrapFlags", "0 : i32"),
    # 19 prints it, 22 has no such attribute.
    ("llvm.intr.lifetime.*", "size", "-1 : i64"),
    ("omp.critical.declare", "hint", "0 : i64"),
    # A text became a dictionary.
    ("transform.apply_registered_pass", "options", '""'),
    ("transform.apply_registered_pass", "options", "{}"),
    # 16 has no such attribute: `mlir-opt-19` prints it for every `llvm.func`.
    ("llvm.func", "unnamed_addr", "0 : i64"),
    # jaxlib 0.10 fills it in: `"gpu.barrier"() : () -> ()` is printed with it.
    ("gpu.barrier", "scope", "#gpu.barrier_scope<workgroup>"),
    # IREE 3.13 fills them in: 3.0 compares with these numbers.
    ("check.expect_almost_eq*", "atol", "9.99999974E-5 : f32"),
    ("check.expect_almost_eq*", "rtol", "0.000000e+00 : f32"),
    # The first case of 24, which older releases have no attribute for.
    ("llvm.mlir.global", "tls_mode", "0 : i64"),
    # Builds of 23 and 24 fill in values that 22 leaves out.
    ("vector.contract", "fastmath", "#arith.fastmath<none>"),
    ("gpu.spmv", "modeA", "#gpu.mat_transpose_mode<NON_TRANSPOSE>"),
    ("llvm.mlir.alias", "tls_mode", "0 : i64"),
    ("gpu.spmv_buffer_size", "modeA", "#gpu.mat_transpose_mode<NON_TRANSPOSE>"),
    ("transform.structured.specialize", "emit_category", "false"),
    ("gpu.create_2to4_spmat", "pruneFlag", "#gpu.prune_2to4_spmat_flag<PRUNE_AND_CHECK>"),
    ("amdgpu.mfma", "blgp", "#rocdl.mfma_perm_b<none>"),
    ("nvvm.convert.bf16x2.to.f8x2", "relu", "false"),
    ("nvvm.tcgen05.commit", "smem_a_read", "false"),
)
"""Op, property, and the value that stands for the behaviour before the property existed."""


class Property(NamedTuple):
    """A property with another name or other values since a release."""

    since: int
    op: str
    before: str
    after: str
    values: dict[str, str] = {}  # noqa: RUF012 (never changed)
    numbers: dict[int, int] = {}  # noqa: RUF012
    example: str = ""
    """The op that `mlir-opt` is given, where `op` is a pattern."""


ATOMIC_KINDS = {
    0: 0, 1: 1, 12: 2, 2: 3, 3: 4, 13: 5, 4: 6, 5: 7, 6: 8, 14: 9, 7: 10, 8: 11, 9: 12, 10: 13, 11: 14
}  # fmt: skip
"""`arith::AtomicRMWKind` of 19 and of 22: each prints the word of a number in `memref.atomic_rmw`."""

REASSOC = {"true": "#llvm.fastmath<reassoc>", "false": "#llvm.fastmath<none>"}
"""The flag of 16 that became one of several flags."""

PROPERTIES: tuple[Property, ...] = (
    Property(18, "affine.for", "lower_bound", "lowerBoundMap"),
    Property(18, "affine.for", "upper_bound", "upperBoundMap"),
    Property(18, "llvm.intr.vector.reduce.fadd", "reassoc", "fastmathFlags", values=REASSOC),
    Property(18, "llvm.intr.vector.reduce.fmul", "reassoc", "fastmathFlags", values=REASSOC),
    Property(22, "llvm.getelementptr", "inbounds", "noWrapFlags", values={"unit": "3 : i32"}),
    Property(22, "tosa.const", "value", "values"),
    Property(22, "spirv.ImageDrefGather", "imageoperands", "image_operands"),
    Property(22, "acc.update", "async", "asyncOnly"),
    Property(20, "llvm.func", "memory", "memory_effects"),
    Property(22, "omp.atomic.*", "hint_val", "hint", example="omp.atomic.read"),
    Property(22, "omp.atomic.*", "memory_order_val", "memory_order", example="omp.atomic.read"),
    Property(22, "omp.cancel*", "cancellation_construct_type_val", "cancel_directive", example="omp.cancel"),
    Property(22, "omp.critical.declare", "hint_val", "hint"),
    Property(22, "omp.*", "order_val", "order", example="omp.simd"),
    Property(22, "omp.loop_nest", "inclusive", "loop_inclusive"),
    Property(22, "omp.ordered", "depend_type_val", "doacross_depend_type"),
    Property(22, "omp.ordered", "num_loops_val", "doacross_num_loops"),
    Property(22, "omp.ordered.region", "simd", "par_level_simd"),
    Property(22, "omp.*", "privatizers", "private_syms", example="omp.parallel"),
    Property(22, "omp.parallel", "proc_bind_val", "proc_bind_kind"),
    Property(22, "omp.*", "reduction_vars_byref", "reduction_byref", example="omp.parallel"),
    Property(22, "omp.*", "reductions", "reduction_syms", example="omp.parallel"),
    Property(22, "omp.simd", "alignment_values", "alignments"),
    Property(22, "omp.single", "copyprivate_funcs", "copyprivate_syms"),
    Property(22, "omp.*", "depends", "depend_kinds", example="omp.task"),
    Property(22, "omp.*", "in_reduction_vars_byref", "in_reduction_byref", example="omp.taskloop"),
    Property(22, "omp.*", "in_reductions", "in_reduction_syms", example="omp.taskloop"),
    Property(22, "omp.taskgroup", "task_reduction_vars_byref", "task_reduction_byref"),
    Property(22, "omp.taskgroup", "task_reductions", "task_reduction_syms"),
    Property(22, "omp.wsloop", "ordered_val", "ordered"),
    Property(22, "omp.wsloop", "schedule_modifier", "schedule_mod"),
    Property(22, "omp.wsloop", "schedule_val", "schedule_kind"),
    Property(22, "omp.wsloop", "simd_modifier", "schedule_simd"),
    Property(17, "gpu.func", "gpu.known_block_size", "known_block_size"),
    Property(17, "gpu.func", "gpu.known_grid_size", "known_grid_size"),
    Property(23, "gpu.func", "gpu.kernel", "kernel"),
    Property(17, "llvm.br", "llvm.loop", "loop_annotation"),
    Property(17, "llvm.cond_br", "llvm.loop", "loop_annotation"),
    Property(
        24, "llvm.func", "rocdl.uniform_work_group_size", "uniform_work_group_size", values={"true": "unit"}
    ),
    Property(17, "llvm.*", "llvm.tbaa", "tbaa", example="llvm.load"),
    Property(22, "memref.atomic_rmw", "kind", "kind", numbers=ATOMIC_KINDS),
    Property(22, "affine.parallel", "reductions", "reductions", numbers=ATOMIC_KINDS),
    Property(18, "vector.extract", "position", "static_position"),
    Property(18, "vector.insert", "position", "static_position"),
    Property(18, "vector.transpose", "transp", "permutation"),
)


_RECORDS = Path(__file__).parents[2] / "rust" / "mlirbc" / "data" / "operations"


@functools.cache
def _groups(release: str) -> dict[str, dict[str, list[str]]]:
    file = _RECORDS / f"{release}.jsonl"
    if not file.exists():
        return {}
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    row_by_op = {row["op"]: row for row in rows if "op" in row}
    newest = {OPS.get(name, name): row for name, row in row_by_op.items()}
    return {
        name: {kind: [group[0] for group in row.get(kind, [])] for kind in ("operands", "results")}
        for name, row in {**newest, **row_by_op}.items()
    }


def groups(release: str, op: str, kind: str) -> list[str]:
    """The names of the groups of `operands` or `results`; none if the definition is not known.

    They are those of LLVM's records, of which the product has a copy.
    """
    return _groups(release).get(op, {}).get(kind, [])


def defaults(release: str, op: str) -> dict[str, str]:
    """The attributes that an op gets by itself; other builds are taken for LLVM 22."""
    number = LLVM[release]
    return _defaults(number if number in oracles.RELEASES else 22, op)


@functools.cache
def _defaults(release: int, op: str) -> dict[str, str]:
    if not re.fullmatch(r"[\w.$-]+", op):
        return {}
    shown = shown_attributes(release, f'"{op}"() : () -> ()')
    return {name: value for name, value in shown.items() if not name.endswith("SegmentSizes")}


def shown_attributes(release: int, text: str) -> dict[str, str]:
    """The attributes of an op as `mlir-opt` shows it, also where its verifier refuses the op.

    The text of the first op counts.
    """
    args = ["--allow-unregistered-dialect", "--mlir-print-op-generic", "--mlir-print-local-scope"]
    output = oracles.run_mlir_opt(release, [*args, "--mlir-print-op-on-diagnostic"], text)
    shown = output.stdout.decode()
    if output.status:
        shown = output.stderr.partition("see current operation:")[2]
    try:
        ops = [op for op in generic_text.parse(shown.strip() + "\n").walk() if op.name != "builtin.module"]
    except generic_text.GenericTextError:
        return {}
    parts = [
        part for op in ops[:1] for part in (op.properties, op.attributes) if part and part.startswith("{")
    ]
    return {name: value or "unit" for part in parts for name, value in generic_text.dictionary(part).items()}
