"""The words of walking, with the values that upstream's bindings give them."""

import enum


class WalkOrder(enum.Enum):
    """When an operation is visited: before its contents, or after.

    >>> module = mlirbc.open("examples/two_layers.mlirbc")
    >>> names = []
    >>> module.walk(lambda op: names.append(op.name), mlirbc.WalkOrder.PRE_ORDER)
    <WalkResult.ADVANCE: 0>
    >>> names[0]
    'builtin.module'
    """

    PRE_ORDER = 0
    POST_ORDER = 1


class WalkResult(enum.Enum):
    """The result of a walk's callback: go on, stop, or skip the contents (in pre-order).

    >>> module = mlirbc.open("examples/two_layers.mlirbc")
    >>> def visit(op):
    ...     print(op.name)
    ...     return mlirbc.WalkResult.SKIP if op.name == "func.func" else mlirbc.WalkResult.ADVANCE
    >>> module.walk(visit, mlirbc.WalkOrder.PRE_ORDER)
    builtin.module
    func.func
    func.func
    <WalkResult.ADVANCE: 0>
    """

    ADVANCE = 0
    INTERRUPT = 1
    SKIP = 2
