"""StableHLO and its portable artifacts: operations, functions, constants, values between dialects."""

from collections.abc import Sequence

import mlirbc
from mlirbc.edit import Block, InsertionPoint, Module, Operation, Value

from complexity.build import family

TYPE = mlirbc.Type.parse("tensor<4xf32>")


def _function(name: str) -> Block:
    """The body of a new function of one value; it goes where the insertion point is."""
    named = {
        "sym_name": mlirbc.StringAttr.get(name),
        "function_type": mlirbc.Attribute.parse(f"({TYPE}) -> {TYPE}"),
    }
    function = Operation.create("func.func", attributes=named, regions=1)
    return function.regions[0].blocks.append(TYPE)


def _made(
    name: str, operands: Sequence[Value], attributes: dict[str, mlirbc.Attribute] | None = None
) -> Value:
    return Operation.create(name, [TYPE], operands, attributes).results[0]


def _flat(n: int) -> Module:
    edited = Module.create(release="jaxlib-0.10")
    with InsertionPoint(edited.body):
        body = _function("main")
    value = body.arguments[0]
    with InsertionPoint(body):
        for _ in range(n):
            value = _made("stablehlo.add", [value, value])
        Operation.create("func.return", [], [value])
    return edited


@family("stablehlo.flat", 2000)
def _(n: int) -> bytes:
    return _flat(n).write()


@family("artifacts.flat", 2000)
def _(n: int) -> bytes:
    return mlirbc.stablehlo.serialize(_flat(n), "1.15.0")


@family("artifacts.functions", 600)
def _(n: int) -> bytes:
    edited = Module.create(release="jaxlib-0.10")
    for number in range(n):
        with InsertionPoint(edited.body):
            body = _function(f"f{number}")
        with InsertionPoint(body):
            Operation.create("func.return", [], [_made("stablehlo.tanh", [body.arguments[0]])])
    return mlirbc.stablehlo.serialize(edited, "1.15.0")


@family("artifacts.constants", 1500)
def _(n: int) -> bytes:
    edited = Module.create(release="jaxlib-0.10")
    with InsertionPoint(edited.body):
        body = _function("main")
    with InsertionPoint(body):
        value = body.arguments[0]
        for number in range(n):
            data = mlirbc.Attribute.parse(f"dense<[{number}.0, 1.0, 2.0, 3.0]> : {TYPE}")
            value = _made("stablehlo.constant", [], {"value": data})
        Operation.create("func.return", [], [value])
    return mlirbc.stablehlo.serialize(edited, "1.15.0")


@family("artifacts.other_dialects", 1000)
def _(n: int) -> bytes:
    edited = Module.create(release="jaxlib-0.10")
    with InsertionPoint(edited.body):
        body = _function("main")
    with InsertionPoint(body):
        value = body.arguments[0]
        for _ in range(n):
            value = _made("stablehlo.negate", [_made("t.other", [value])])
        Operation.create("func.return", [], [value])
    return mlirbc.stablehlo.serialize(edited, "1.15.0")
