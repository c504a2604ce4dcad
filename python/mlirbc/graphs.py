"""Graphs of a module for [networkx](https://networkx.org): references between symbols, and data flow.

`pip install 'mlirbc[graphs]'` installs networkx.

>>> module = mlirbc.open("examples/two_layers.mlirbc")
>>> sorted(mlirbc.graphs.symbols(module).edges)
[('main', 'dense', 0), ('main', 'dense', 1)]
"""

from typing import TYPE_CHECKING

from mlirbc import _mlirbc
from mlirbc._attributes import ArrayAttr, DictAttr, FlatSymbolRefAttr, SymbolRefAttr, string_value

if TYPE_CHECKING:
    import networkx

__all__ = ["data_flow", "symbols"]

_MISSING = "graphs need the package networkx: pip install 'mlirbc[graphs]'"


def symbols(module: _mlirbc.Module) -> "networkx.MultiDiGraph[str]":
    """The symbols of the module, with an edge for each reference of an operation to a symbol, such as a call.

    Nodes are the names of the symbols in the top-level operation; names that are referred to and not defined
    are nodes, too. A node that is defined has `op`, its operation. An edge goes from the symbol in which the
    reference is, and has `op`, the name of the operation that refers, and `attribute`, the name of its
    attribute. Nested references count as references to their root. Those of VHLO are strings, and not edges:
    `mlirbc.stablehlo.deserialize` makes references of them.

    Raises `ImportError` when networkx is not installed, and `ReadError` for a malformed file.

    >>> graph = mlirbc.graphs.symbols(mlirbc.open("examples/two_layers.mlirbc"))
    >>> [data["op"] for _, _, data in graph.edges(data=True)]
    ['func.call', 'func.call']
    """
    try:
        import networkx
    except ImportError as error:
        raise ImportError(_MISSING) from error
    graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
    roots: dict[_mlirbc.Attribute, list[str]] = {}
    for op in module.body.operations:
        name = string_value(op.attributes.get("sym_name"))
        if name is None:
            continue
        graph.add_node(name, op=op)
        for inner in _inside(op):
            for key, attribute in inner.attributes.items():
                # Many operations may share a large attribute.
                if (attribute_roots := roots.get(attribute)) is None:
                    attribute_roots = roots[attribute] = _roots(attribute)
                for root in attribute_roots:
                    graph.add_edge(name, root, op=inner.name, attribute=key)
    return graph


def data_flow(operation: _mlirbc.Operation) -> "networkx.MultiDiGraph[int]":
    """The operations in `operation`, with an edge for each use of a result, from its definition to its user.

    Nodes are numbers in the order of the text, with `op`; an edge has `result` and `operand`, the numbers of
    the result and of the operand. Block arguments have no node.

    Raises `ImportError` when networkx is not installed, and `ReadError` for a malformed file.

    >>> module = mlirbc.parse("%0 = arith.constant 1 : i32\\n%1 = arith.addi %0, %0 : i32")
    >>> list(mlirbc.graphs.data_flow(module.operation).edges(data="operand"))
    [(1, 2, 0), (1, 2, 1)]
    """
    try:
        import networkx
    except ImportError as error:
        raise ImportError(_MISSING) from error
    graph: networkx.MultiDiGraph[int] = networkx.MultiDiGraph()
    numbers: dict[_mlirbc.Operation, int] = {}
    for op in _inside(operation):
        numbers[op] = len(numbers)
        graph.add_node(numbers[op], op=op)
    for user, number in numbers.items():
        for place, value in enumerate(user.operands):
            if isinstance(value, _mlirbc.OpResult) and (owner := numbers.get(value.owner)) is not None:
                graph.add_edge(owner, number, result=value.result_number, operand=place)
    return graph


def _inside(operation: _mlirbc.Operation) -> list[_mlirbc.Operation]:
    """The operation and all operations in it, in the order of the text."""
    operations: list[_mlirbc.Operation] = []
    stack = [operation]
    while stack:
        op = stack.pop()
        operations.append(op)
        inner = [child for region in op.regions for block in region.blocks for child in block.operations]
        stack.extend(reversed(inner))
    return operations


def _roots(attribute: _mlirbc.Attribute) -> list[str]:
    """The roots of the symbol references in an attribute, in arrays and dictionaries, too."""
    names: list[str] = []
    stack = [attribute]
    while stack:
        item = stack.pop()
        if isinstance(item, FlatSymbolRefAttr):
            names.append(item.value)
        elif isinstance(item, SymbolRefAttr):
            names.append(item.value[0])
        elif isinstance(item, ArrayAttr):
            stack.extend(reversed(list(item)))
        elif isinstance(item, DictAttr):
            stack.extend(reversed(list(item.values())))
    return names
