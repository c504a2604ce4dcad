"""Adds the operations of LLVM that a later build defines in another way than a release.

    python3 tools/operations/newer_operations.py --release rust/mlirbc/data/operations/llvm-23.jsonl \\
        --schemas rust/mlirbc/data/releases/iree-3.13.json --build rust/mlirbc/data/operations/iree-3.13.jsonl

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
ALIGNMENT = ["group", ["`,", "`alignment", "`(", "$alignment", "`)"], 3]
OPTIONAL_ALIGNMENT = ["alignment", "I64Attr", {"optional": True}]
CALL = ["`(", "operands", "`)", ALIGNMENT, "attr-dict", "`:"]
STORE = [*CALL, ["type", "$value"], "`,", ["type", "$mask"], "`into", ["qualified", ["type", "$data"]]]

ALLOCATION = [
    *("`(", "$dynamicSizes", "`)", ["group", ["`", "`[", "$symbolOperands", "`]"], 2]),
    *(["group", ["`alignment", "`=", "$alignment"], 2], "attr-dict", "`:", ["type", "$memref"]),
]

TOSA = ["attr-dict", "`:", ["functional-type", "operands", "results"]]
NAN_MODE = ["group", ["`nan_mode", "`", "$nan_mode"], 2]


def parameter(name: str) -> list[str]:
    return [f"`{name}", "`(", f"${name}", "`)"]


CONVOLUTION = [
    *("operands", *parameter("pad"), *parameter("stride"), *parameter("dilation"), *parameter("acc_type")),
    *(["custom", "NamedFlag", "$local_bound"], *TOSA),
]

# Formats, with `attr-dict` as a mark of the place for flags where the operation has some.
FORMATS: dict[str, list[Any] | str] = {
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
    "gpu.all_reduce": [
        *(
            "`",
            ["custom", "AllReduceOperation", "$op"],
            "$value",
            ["group", ["`uniform", "$uniform"], 1],
        ),
        *("$body", "attr-dict", "`:", ["functional-type", "operands", "results"]),
    ],
    "tosa.apply_scale": ["operands", "`rounding_mode", "`", "$rounding_mode", *TOSA],
    "tosa.argmax": ["operands", *parameter("axis"), NAN_MODE, *TOSA],
    "tosa.avg_pool2d": [
        *(
            "operands",
            *parameter("kernel"),
            *parameter("stride"),
            *parameter("pad"),
            *parameter("acc_type"),
            *TOSA,
        ),
    ],
    "tosa.cast": ["operands", ["custom", "NamedFlag", "$input_unsigned"], *TOSA],
    "tosa.concat": ["operands", *parameter("axis"), *TOSA],
    "tosa.const_shape": ["` ", "` ", *parameter("values"), *TOSA],
    "tosa.clamp": ["operands", *parameter("min_val"), *parameter("max_val"), NAN_MODE, *TOSA],
    "tosa.conv2d": CONVOLUTION,
    "tosa.conv3d": CONVOLUTION,
    "tosa.depthwise_conv2d": CONVOLUTION,
    "tosa.rescale": [
        *(
            "operands",
            *parameter("scale32"),
            "`rounding_mode",
            "`",
            "$rounding_mode",
            *parameter("per_channel"),
        ),
        *(*parameter("input_unsigned"), *parameter("output_unsigned"), *TOSA),
    ],
    "tosa.resize": ["operands", "`mode", "`", "$mode", *TOSA],
    "tosa.transpose_conv2d": [
        *("operands", *parameter("out_pad"), *parameter("stride"), *parameter("acc_type")),
        *(["custom", "NamedFlag", "$local_bound"], *TOSA),
    ],
    "tosa.custom": [
        *(
            "operands",
            *parameter("operator_name"),
            *parameter("domain_name"),
            *parameter("implementation_attrs"),
            *TOSA,
        ),
    ],
    "tosa.fft2d": ["operands", *parameter("inverse"), ["custom", "NamedFlag", "$local_bound"], *TOSA],
    "tosa.max_pool2d": [
        *("operands", *parameter("kernel"), *parameter("stride"), *parameter("pad"), NAN_MODE, *TOSA),
    ],
    "tosa.maximum": ["operands", NAN_MODE, *TOSA],
    "tosa.minimum": ["operands", NAN_MODE, *TOSA],
    "tosa.reduce_all": ["operands", *parameter("axis"), *TOSA],
    "tosa.reduce_any": ["operands", *parameter("axis"), *TOSA],
    "tosa.reduce_max": ["operands", *parameter("axis"), NAN_MODE, *TOSA],
    "tosa.reduce_min": ["operands", *parameter("axis"), NAN_MODE, *TOSA],
    "tosa.reduce_product": ["operands", *parameter("axis"), *TOSA],
    "tosa.reduce_sum": ["operands", *parameter("axis"), *TOSA],
    "tosa.reverse": ["operands", *parameter("axis"), *TOSA],
    "tosa.rfft2d": ["operands", ["custom", "NamedFlag", "$local_bound"], *TOSA],
    "tosa.transpose": ["operands", *parameter("perms"), *TOSA],
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
# `dso_local, addr_space = 3`: its attributes are a list now.
FORMATS["llvm.mlir.ifunc"] = "custom"
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
]


SYMBOLS = {"sym_name": "SymbolNameAttr", "sym_visibility": "StrAttr"}


def attributes_of(row: Row) -> list[Any]:
    """The attributes of an operation; an operation without attributes gets an empty list."""
    attributes: list[Any] = row.setdefault("attributes", [])
    return attributes


def changed(row: Row, schema: Row) -> Row | None:
    """The row of an operation in the build, which has this property schema; `None` if the release has the
    same row.
    """
    name = row["op"]
    later = copy.deepcopy(row)
    # The names of symbols are inherent in more operations.
    for symbol, kind in SYMBOLS.items():
        field = next((field for field in schema.get("properties", ()) if field["name"] == symbol), None)
        if field is not None and all(attribute[0] != symbol for attribute in later.get("attributes", ())):
            optional = [{"optional": True}] if field["kind"] == "optional_attr" else []
            attributes_of(later).append([symbol, kind, *optional])
    if name in FORMATS:
        later["format"] = copy.deepcopy(FORMATS[name])
    if name in TILED:
        operand_names = [operand[0] for operand in later["operands"]]
        later["operands"] += [
            copy.deepcopy(operand) for operand in TILED[name]["more"] if operand[0] not in operand_names
        ]
        later["attributes"] = [
            ["static_interchange" if attribute[0] == "interchange" else attribute[0], *attribute[1:]]
            for attribute in later["attributes"]
        ]
        if "AttrSizedOperandSegments" not in later["traits"]:
            later["traits"].insert(0, "AttrSizedOperandSegments")
        results = later["format"][later["format"].index("attr-dict") :]
        first, clauses = copy.deepcopy(TILED[name]["first"]), copy.deepcopy(TILED[name]["clauses"])
        later["format"] = ["$target", *first, ["oilist", *clauses], *results]
    if name.startswith("llvm.intr.masked.") and name in FORMATS:
        remaining = [
            attribute
            for attribute in attributes_of(later)
            if attribute[0] not in ("alignment", "nontemporal")
        ]
        names = ("access_groups", "alias_scopes", "noalias_scopes", "tbaa")
        is_memory = name.endswith((".load", ".store"))
        later["attributes"] = [OPTIONAL_ALIGNMENT, *remaining]
        if is_memory:
            later["attributes"] += [["nontemporal", "UnitAttr", {"optional": True}]]
            later["attributes"] += [[field, "ArrayAttr", {"optional": True}] for field in names]
    if name in ("llvm.mlir.alias", "llvm.mlir.global"):
        mode = ["tls_mode", "ThreadLocalMode", {"default": "0 : i64"}]
        later["attributes"] = [
            mode if attribute[0] == "thread_local_" else attribute for attribute in later["attributes"]
        ]
        more = {"sym_visibility": "StrAttr"}
        if name == "llvm.mlir.global":
            more |= {"absolute_symbol": "ArrayAttr", "associated": "FlatSymbolRefAttr"}
        later["attributes"] += [[attribute, kind, {"optional": True}] for attribute, kind in more.items()]
    if name == "tosa.cast":
        later["attributes"] = [["input_unsigned", "UnitAttr", {"optional": True}]]
    if name == "vector.contract":
        flags = ["fastmath", "Arith_FastMathAttr", {"default": "#arith.fastmath<none>"}]
        attributes_of(later).append(flags)
    if name == "gpu.launch":
        later["operands"].append(["asyncObject", "AnyType", "?"])
    if name == "nvvm.shfl.sync":
        place = later["format"].index("attr-dict")
        later["format"].insert(
            place, ["group", ["`return_value_and_is_valid", "$return_value_and_is_valid"], 1]
        )
    if name == "rocdl.make.buffer.rsrc":
        later["operands"] = [
            [part, "LLVM_Type" if part == "numRecords" else kind] for part, kind in later["operands"]
        ]
    has_flags = any(attribute[0] == "fastmathFlags" for attribute in later.get("attributes", ()))
    if has_flags and isinstance(later.get("format"), list):
        later["format"].insert(later["format"].index("attr-dict"), FLAGS)
    return None if later == row else later


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--release", type=pathlib.Path, required=True, help="the definitions of the release")
    parser.add_argument(
        "--build", type=pathlib.Path, required=True, help="the definitions of the build, which are rewritten"
    )
    parser.add_argument(
        "--schemas", type=pathlib.Path, required=True, help="the property schemas of the build"
    )
    options = parser.parse_args()
    schemas = json.loads(options.schemas.read_text("utf-8"))["ops"]
    before = [json.loads(line) for line in options.release.read_text("utf-8").splitlines()[1:]]
    head, *build_lines = options.build.read_text("utf-8").splitlines()
    rows = {tuple(next(iter(row.items()))): row for row in map(json.loads, build_lines)}
    operations = [row for row in before if "op" in row]
    rewritten = (changed(row, schemas.get(row["op"], {})) for row in operations)
    later = [row for row in rewritten if row is not None]
    nmax = next(row for row in before if row.get("op") == "spirv.GL.FMax")
    later += [nmax | {"op": f"spirv.GL.{name}"} for name in ("NMax", "NMin")]
    for row in [*CONSTRAINTS, *later]:
        rows[tuple(next(iter(row.items())))] = row
    lines = [json.dumps(rows[key], separators=(",", ":"), ensure_ascii=False) for key in sorted(rows)]
    options.build.write_text("\n".join([head, *lines]) + "\n", "utf-8")


if __name__ == "__main__":
    main()
