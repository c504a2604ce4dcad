"""Adds the operations of LLVM that a later build defines in another way than a release.

    python3 tools/operations/later.py --release rust/mlirbc/data/operations/llvm-22.jsonl \\
        --build rust/mlirbc/data/operations/iree-3.13.jsonl

IREE is built with a development version of LLVM. What its operations have that those of the release do
not was found by printing them with `iree-opt`; the tables below have it.
"""

import argparse
import copy
import json
import pathlib
from typing import Any

Row = dict[str, Any]

FLAGS = ["group", ["`fastmath", "`", "$fastmathFlags"], 2]
FLAGS_ATTRIBUTE = ["fastmathFlags", "LLVM_FastmathFlagsAttr", {"default": "#llvm.fastmath<none>"}]
ALIGNMENT = ["group", ["`,", "`alignment", "`(", "$alignment", "`)"], 3]
OPTIONAL_ALIGNMENT = ["alignment", "I64Attr", {"optional": True}]
CALL = ["`(", "operands", "`)", ALIGNMENT, "attr-dict", "`:"]
STORE = [*CALL, ["type", "$value"], "`,", ["type", "$mask"], "`into", ["qualified", ["type", "$data"]]]

GATHER = [
    *("$src", "`[", "$srcIndices", "`]", "`,", "$dst", "`[", "$dstIndices", "`]", "attr-dict", "`:"),
    *("$transferType", "`,", ["type", "$src"], "`,", ["type", "$dst"]),
]
ALLOCATION = [
    *("`(", "$dynamicSizes", "`)", ["group", ["`", "`[", "$symbolOperands", "`]"], 2]),
    *(["group", ["`alignment", "`=", "$alignment"], 2], "attr-dict", "`:", ["type", "$memref"]),
]

# Formats, with `attr-dict` as a mark of the place for flags where the operation has some.
FORMATS: dict[str, list[Any]] = {
    "llvm.fcmp": [
        ["custom", "QuotedCase", "$predicate"],
        "$lhs",
        "`,",
        "$rhs",
        "attr-dict",
        "`:",
        ["type", "$lhs"],
    ],
    "llvm.intr.masked.gather": [*CALL, ["functional-type", "operands", "results"]],
    "llvm.intr.masked.load": [*CALL, ["functional-type", "operands", "results"]],
    "llvm.intr.masked.scatter": [
        (["qualified", ["type", "$ptrs"]] if part == ["qualified", ["type", "$data"]] else part)
        for part in STORE
    ],
    "llvm.intr.masked.store": STORE,
    "llvm.intr.vector.reduce.fadd": [
        *("`(", "operands", "`)", "attr-dict", "`:", ["functional-type", "operands", "results"])
    ],
    "amdgpu.gather_to_lds": [["group", ["`async", "$async"], 1], *GATHER],
    "gpu.barrier": [
        ["group", ["`memfence", "$address_spaces"], 1],
        ["group", ["`scope", "$scope"], 1],
        "attr-dict",
    ],
    "memref.alloc": ALLOCATION,
    "memref.alloca": ALLOCATION,
    "nvvm.barrier": [
        ["group", ["`id", "`=", "$barrierId"], 2],
        ["group", ["`number_of_threads", "`=", "$numberOfThreads"], 2],
        ["group", ["`aligned", "`=", "$aligned"], 2],
        "attr-dict",
    ],
    "tosa.const": [
        *("` ", "` ", "`values", "`(", "$values", "`)", "attr-dict", "`:"),
        ["functional-type", "operands", "results"],
    ],
    "vector.extract_strided_slice": [
        *("$source", "`offsets", "`=", "$offsets", "`,", "`sizes", "`=", "$sizes", "`,"),
        *("`strides", "`=", "$strides", "attr-dict", "`:", ["type", "$source"], "`to", ["type", "results"]),
    ],
    "vector.insert_strided_slice": [
        *("$valueToStore", "`,", "$dest", "`offsets", "`=", "$offsets", "`,", "`strides", "`=", "$strides"),
        *("attr-dict", "`:", ["type", "$valueToStore"], "`into", ["type", "$dest"]),
    ],
    "vector.scan": [
        *("$kind", "`,", "$source", "`,", "$initial_value", "`reduction_dim", "`=", "$reduction_dim", "`,"),
        *("`inclusive", "`=", "$inclusive", "attr-dict", "`:", ["type", "$source"], "`,"),
        ["type", "$initial_value"],
    ],
    "rocdl.make.buffer.rsrc": [
        *(
            "operands",
            "attr-dict",
            "`:",
            ["type", "$base"],
            "`,",
            ["type", "$numRecords"],
            "`to",
            ["type", "$res"],
        )
    ],
}
FORMATS["llvm.intr.vector.reduce.fmul"] = FORMATS["llvm.intr.vector.reduce.fadd"]

# Lists of sizes that may be a single handle. The attribute `inner_tile_alignments` has a clause that is not here.
PACKED = "PackedOrDynamicIndexList"
TILED: dict[str, Row] = {
    "transform.structured.fuse": {
        "more": [["packed_tile_sizes", "TransformAnyParamTypeOrAnyHandle", "?"]],
        "first": [],
        "clauses": [
            ["`tile_sizes", ["custom", PACKED, "$packed_tile_sizes", "$tile_sizes", "$static_tile_sizes"]],
            ["`interchange", ["custom", "DynamicIndexList", "$tile_interchange", "$static_tile_interchange"]],
            ["`apply_cleanup", "$apply_cleanup"],
            ["`use_forall", "$use_forall"],
        ],
    },
    "transform.structured.tile_using_for": {
        "more": [
            ["interchange", "TransformAnyParamTypeOrAnyHandle", "*"],
            ["packed_tile_sizes", "TransformAnyParamTypeOrAnyHandle", "?"],
            ["packed_interchange", "TransformAnyParamTypeOrAnyHandle", "?"],
        ],
        "first": [
            "`tile_sizes",
            ["custom", PACKED, "$packed_tile_sizes", "$dynamic_sizes", "$static_sizes", "$scalable_sizes"],
        ],
        "clauses": [
            [
                *("`interchange", "`="),
                ["custom", PACKED, "$packed_interchange", "$interchange", "$static_interchange"],
            ],
        ],
    },
}

# Products of matrices, with parts that were operands of any number.
PRODUCT: Row = {
    "operands": [["a", "LLVM_Type"], ["b", "LLVM_Type"], ["c", "LLVM_Type"]],
    "attributes": [["cbsz", "I32Attr"], ["abid", "I32Attr"], ["blgp", "MFMAPermBAttr"]],
    "format": [
        *("$a", "`,", "$b", "`,", "$c", "`,", "$cbsz", "`,", "$abid", "`,", "$blgp", "attr-dict", "`:"),
        *(["functional-type", "operands", "results"],),
    ],
}
PERMUTATIONS = (
    *("none", "bcast_first_32", "bcast_second_32", "rotate_16_right"),
    *("bcast_first_16", "bcast_second_16", "bcast_third_16", "bcast_fourth_16"),
)
KINDS = (
    *("non_mem_non_sideeffect", "valu", "salu", "mfma_wmma", "all_vmem", "vmem_read", "vmem_write"),
    *("all_ds", "ds_read", "ds_write", "transcendental", "ldsdma"),
)
MODELS = ("localdynamic", "initialexec", "localexec")
CONSTRAINTS: list[Row] = [
    {
        "constraint": "ThreadLocalMode",
        "summary": "model of thread-local storage",
        "storage": "LLVM::ThreadLocalModeAttr",
        "text": "case",
        "type": "i64",
        "enum": {
            "cases": [
                [0, ""],
                [1, "thread_local"],
                *([2 + place, f"thread_local({model})"] for place, model in enumerate(MODELS)),
            ]
        },
    },
    {
        "constraint": "GPU_BarrierScopeAttr",
        "summary": "the work items that wait",
        "storage": "gpu::BarrierScopeAttr",
        "text": "stripped",
        "class": "gpu.barrier_scope",
    },
    {
        "constraint": "MFMAPermBAttr",
        "summary": "permutation of the lanes of an operand",
        "storage": "ROCDL::MFMAPermBAttr",
        "text": "stripped",
        "class": "rocdl.mfma_perm_b",
        "enum": {"cases": [[number, name] for number, name in enumerate(PERMUTATIONS)]},
    },
    {
        "constraint": "SchedGroupMaskAttr",
        "summary": "kinds of instructions that are scheduled",
        "storage": "ROCDL::SchedGroupMaskAttr",
        "text": "stripped",
        "class": "rocdl.sched_group_mask",
        "enum": {
            "cases": [
                [0, "none"],
                *([1 << place, kind] for place, kind in enumerate(KINDS)),
                [(1 << len(KINDS)) - 1, "all"],
            ],
            "separator": "|",
        },
    },
]


def attributes_of(row: Row) -> list[Any]:
    """The attributes of an operation, which may have none."""
    found: list[Any] = row.setdefault("attributes", [])
    return found


def changed(row: Row) -> Row | None:
    """The row of an operation in the build; `None` if it is that of the release."""
    name = row["op"]
    later = copy.deepcopy(row)
    if name in FORMATS:
        later["format"] = copy.deepcopy(FORMATS[name])
    if name in TILED:
        later["operands"] += copy.deepcopy(TILED[name]["more"])
        later["attributes"] = [
            ["static_interchange" if one[0] == "interchange" else one[0], *one[1:]]
            for one in later["attributes"]
        ]
        if "AttrSizedOperandSegments" not in later["traits"]:
            later["traits"].insert(0, "AttrSizedOperandSegments")
        results = later["format"][later["format"].index("attr-dict") :]
        first, clauses = copy.deepcopy(TILED[name]["first"]), copy.deepcopy(TILED[name]["clauses"])
        later["format"] = ["$target", *first, ["oilist", *clauses], *results]
    if name in ("llvm.fpext", "llvm.fptrunc"):
        attributes_of(later).append(FLAGS_ATTRIBUTE)
    if name.startswith("llvm.intr.masked.") and name in FORMATS:
        others = [one for one in attributes_of(later) if one[0] not in ("alignment", "nontemporal")]
        names = ("access_groups", "alias_scopes", "noalias_scopes", "tbaa")
        is_memory = name.endswith((".load", ".store"))
        later["attributes"] = [OPTIONAL_ALIGNMENT, *others]
        if is_memory:
            later["attributes"] += [["nontemporal", "UnitAttr", {"optional": True}]]
            later["attributes"] += [[one, "ArrayAttr", {"optional": True}] for one in names]
    if name in ("llvm.mlir.alias", "llvm.mlir.global"):
        mode = ["tls_mode", "ThreadLocalMode", {"default": "0 : i64"}]
        later["attributes"] = [mode if one[0] == "thread_local_" else one for one in later["attributes"]]
        more = {"sym_visibility": "StrAttr"}
        if name == "llvm.mlir.global":
            more |= {"absolute_symbol": "ArrayAttr", "associated": "FlatSymbolRefAttr"}
        later["attributes"] += [[one, kind, {"optional": True}] for one, kind in more.items()]
    if name == "amdgpu.gather_to_lds":
        attributes_of(later).append(["async", "UnitAttr", {"optional": True}])
    if name == "gpu.barrier":
        scope = ["scope", "GPU_BarrierScopeAttr", {"default": "#gpu.barrier_scope<workgroup>"}]
        later["attributes"] = [["address_spaces", "ArrayAttr", {"optional": True}], scope]
    if name == "nvvm.barrier":
        later["operands"] = [one for one in later["operands"] if one[0] != "reductionPredicate"]
        later["attributes"] = [["aligned", "BoolAttr", {"default": "true"}]]
        later.pop("results")
    if name == "nvvm.shfl.sync":
        place = later["format"].index("attr-dict")
        later["format"].insert(
            place, ["group", ["`return_value_and_is_valid", "$return_value_and_is_valid"], 1]
        )
    if name == "rocdl.make.buffer.rsrc":
        later["operands"] = [
            [part, "LLVM_Type" if part == "numRecords" else kind] for part, kind in later["operands"]
        ]
    if name in ("rocdl.sched.barrier", "rocdl.sched.group.barrier"):
        later["attributes"] = [
            [one, "SchedGroupMaskAttr" if one == "mask" else kind] for one, kind in later["attributes"]
        ]
    if name.startswith("rocdl.mfma.") and "scale" not in name:
        later |= copy.deepcopy(PRODUCT)
    has_flags = any(one[0] == "fastmathFlags" for one in later.get("attributes", ()))
    if has_flags and isinstance(later.get("format"), list):
        later["format"].insert(later["format"].index("attr-dict"), FLAGS)
    return None if later == row else later


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--release", type=pathlib.Path, required=True, help="the definitions of the release")
    parser.add_argument(
        "--build", type=pathlib.Path, required=True, help="those of the build, which are rewritten"
    )
    given = parser.parse_args()
    before = [json.loads(line) for line in given.release.read_text("utf-8").splitlines()[1:]]
    head, *own = given.build.read_text("utf-8").splitlines()
    rows = {tuple(next(iter(row.items()))): row for row in map(json.loads, own)}
    later = [row for row in map(changed, (row for row in before if "op" in row)) if row is not None]
    nmax = next(row for row in before if row.get("op") == "spirv.GL.FMax")
    later += [nmax | {"op": f"spirv.GL.{name}"} for name in ("NMax", "NMin")]
    for row in [*CONSTRAINTS, *later]:
        rows[tuple(next(iter(row.items())))] = row
    lines = [json.dumps(rows[key], separators=(",", ":"), ensure_ascii=False) for key in sorted(rows)]
    given.build.write_text("\n".join([head, *lines]) + "\n", "utf-8")


if __name__ == "__main__":
    main()
