"""Clones a function with its weights from one StableHLO artifact into another, which then calls it.

    python examples/clone_function.py library.mlirbc dense model.mlirbc out.mlirbc

The two are portable artifacts (VHLO). The public function of the model gets a call of the clone before its
return, so that it returns what the clone makes of its results.
"""

import sys

import mlirbc
from mlirbc.edit import InsertionPoint, Operation

VHLO = mlirbc.dialects.dialect("vhlo")


def clone_function(library: mlirbc.Module, name: str, model: mlirbc.Module) -> mlirbc.edit.Module:
    """The model with a clone of the function `name`, applied to the results of its public function."""
    function = library.edit().symbol(name)
    if function is None:
        raise SystemExit(f"the library has no function @{name}")
    with model.edit() as edited:
        main = next(op for op in edited.body if "public" in str(op.attributes["sym_visibility"]))
        clone = function.clone(into=edited, ip=InsertionPoint.before(main))
        clone.attributes["sym_visibility"] = VHLO.attribute("string_v1", "private")
        body = main.regions[0].blocks[0]
        end = body.operations[-1]
        clone_end = clone.regions[0].blocks[0].operations[-1]
        call = Operation.create(
            "vhlo.call_v1",
            results=[value.type for value in clone_end.operands],
            operands=list(end.operands),
            attributes={"callee": clone.attributes["sym_name"]},
            ip=InsertionPoint.before(end),
        )
        end.operands = list(call.results)
        main.attributes["function_type"] = function_type(main, end)
    return edited


def function_type(function: Operation, end: Operation) -> mlirbc.Attribute:
    """The type of a function by its arguments and results, as an attribute of VHLO."""
    inputs = [value.type for value in function.regions[0].blocks[0].arguments]
    results = [value.type for value in end.operands]
    return VHLO.attribute("type_v1", VHLO.type("func_v1", inputs, results))


if __name__ == "__main__":
    source, name, target, out = sys.argv[1:]
    edited = clone_function(mlirbc.open(source), name, mlirbc.open(target))
    print(edited.save(out))
