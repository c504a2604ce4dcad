"""The data layout vectors, and how mlirbc answers each: equal, or why not.

`tests/data/layout/data_layout.json` is made by the script beside it from what `mlir-opt` of LLVM 22 says.
Nothing here computes an expected value.
"""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mlirbc

VECTORS = Path(__file__).parents[1] / "data" / "layout" / "data_layout.json"

# Where `mlir-opt` crashes, mlirbc does what it was meant to do. With `strict` it refuses all but the first.
ANSWERED = {"rank0-vector", "nested-builtin-class", "nested-pointer-same-space"}


def load() -> list[dict[str, Any]]:
    return json.loads(VECTORS.read_text(encoding="utf-8"))["vectors"]


def walk(root: mlirbc.Operation) -> Iterator[mlirbc.Operation]:
    """An operation and all in it."""
    operations: list[mlirbc.Operation] = []

    def keep(op: mlirbc.Operation) -> mlirbc.WalkResult:
        operations.append(op)
        return mlirbc.WalkResult.ADVANCE

    root.walk(keep, mlirbc.WalkOrder.PRE_ORDER)
    yield from operations


def size(value: int | mlirbc.layout.TypeSize) -> object:
    if isinstance(value, int):
        return value
    return {"min": value.known_min_value, "scalable": value.is_scalable}


def answer(layout: mlirbc.DataLayout, queried_type: mlirbc.Type | str) -> dict[str, object]:
    """The answers to all questions of the test pass of `mlir-opt`."""

    def text(value: mlirbc.Attribute | None) -> str | None:
        return None if value is None else str(value)

    return {
        "size": size(layout.get_type_size(queried_type)),
        "bitsize": size(layout.get_type_size_in_bits(queried_type)),
        "alignment": layout.get_type_abi_alignment(queried_type),
        "preferred": layout.get_type_preferred_alignment(queried_type),
        "index_bitwidth": layout.get_type_index_bitwidth(queried_type) or 0,
        "endianness": text(layout.endianness),
        "default_memory_space": text(layout.default_memory_space),
        "alloca_memory_space": text(layout.alloca_memory_space),
        "program_memory_space": text(layout.program_memory_space),
        "global_memory_space": text(layout.global_memory_space),
        "stack_alignment": layout.stack_alignment,
        "function_pointer_alignment": text(layout.function_pointer_alignment),
        "mangling_mode": text(layout.mangling_mode),
        "legal_int_widths": text(layout.legal_int_widths),
    }


def module_of(vector: dict[str, Any]) -> mlirbc.Module | None:
    code = vector["bytecode_base64"]
    return None if code is None else mlirbc.read(base64.b64decode(code))


def ask(vector: dict[str, Any], *, strict: bool) -> object:
    """The answer in the form that the vector has it; raises `mlirbc.Error` where mlirbc refuses."""
    module = module_of(vector)
    if vector["kind"] == "print":
        printed = str(mlirbc.layout.DltiAttr(vector["attr"]))
        if module is not None:
            stored = module.operation.attributes["test.attr"]
            assert str(mlirbc.layout.DltiAttr(stored)) == printed
        return {"printed": printed}
    if vector["kind"] == "query":
        assert module is not None
        op = next(op for op in walk(module.operation) if "test.target" in op.attributes)
        keys = [key if isinstance(key, str) else mlirbc.Type.parse(key["type"]) for key in vector["keys"]]
        return {"value": str(mlirbc.DataLayout(op).query(*keys))}
    if vector["kind"] == "cast":
        if module is None:  # the op itself is refused when it is parsed
            specs = [layer["dl_spec"] for layer in vector["layers"] if layer["dl_spec"]]
            layout = mlirbc.DataLayout.from_specs(specs, strict=strict)
        else:
            layout = mlirbc.DataLayout(next(op for op in walk(module.operation) if op.name == vector["op"]))
        layout.check_bitcast(vector["from"], vector["to"], op=vector["op"])
        return {"accepted": True}
    queried_type = mlirbc.Type.parse(vector["type"])
    if module is None:
        specs = [layer["dl_spec"] for layer in vector["layers"] if layer["dl_spec"]]
        return answer(mlirbc.DataLayout.from_specs(specs, strict=strict), queried_type)
    op = next(op for op in walk(module.operation) if op.name == "test.data_layout_query")
    layout = mlirbc.DataLayout(op, strict=strict)
    answers = answer(layout, queried_type)
    # By the type of the file, by another that says the same, and by text: the same answers.
    assert answers == answer(layout, op.result.type) == answer(layout, vector["type"])
    return answers


def judge(vector: dict[str, Any], *, strict: bool = False) -> str | None:
    """Nothing when mlirbc gives the same answers; else the difference."""
    expected = vector["expected"]
    rejected = expected.get("rejected")
    try:
        answers = ask(vector, strict=strict)
    except mlirbc.Error as error:
        code = error.identifier.rsplit(".", 1)[1].replace("_", "-")
        if rejected is None:
            if vector.get("reports_error"):
                return None
            return f"{vector['id']}: refused: {error}"
        same = code == rejected["code"] or (code == "text" and rejected["code"] in ("syntax", "bad-type"))
        return None if same else f"{vector['id']}: {code} for {rejected['code']}: {error}"
    if rejected is None:
        return None if answers == expected else f"{vector['id']}: {answers} for {expected}"
    is_answered = rejected["code"] == "rank0-vector" or (rejected["code"] in ANSWERED and not strict)
    if rejected["mode"] == "crash" and is_answered:
        return None
    return f"{vector['id']}: {answers} for {rejected}"
