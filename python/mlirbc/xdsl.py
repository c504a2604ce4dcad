"""Conversion to modules of [xDSL](https://xdsl.dev), and back; `pip install 'mlirbc[xdsl]'` installs it.

>>> module = mlirbc.parse("func.func @twice(%x: i32) -> i32 { %0 = arith.addi %x, %x : i32 return %0 : i32 }")
>>> translated = mlirbc.xdsl.from_module(module)
>>> [type(op).__name__ for op in translated.walk()]
['ModuleOp', 'FuncOp', 'AddiOp', 'ReturnOp']
>>> mlirbc.xdsl.to_module(translated).get_asm() == module.get_asm()
True
"""

import io
from typing import TYPE_CHECKING

from mlirbc import _mlirbc
from mlirbc._sparse_elements import DenseResourceElementsAttr

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

__all__ = ["from_module", "to_module"]

_MISSING = "translating to xDSL needs the package xdsl: pip install 'mlirbc[xdsl]'"


def from_module(module: _mlirbc.Module, context: "Context | None" = None) -> "ModuleOp":
    """The module in xDSL, by its generic text.

    `context` has the dialects; by default all of xDSL's, and operations and types of others are unregistered.
    xDSL keeps the keys of resources, but not their data: pass the module to `to_module` to have it back.

    Raises `ImportError` when xDSL is not installed, and its `ParseError` for text that it does not parse,
    such as attributes whose syntax differs in its version.

    >>> str(mlirbc.xdsl.from_module(mlirbc.parse("module @empty {}"))).split()
    ['builtin.module', '@empty', '{', '}']
    """
    try:
        from xdsl.parser import Parser
    except ImportError as error:
        raise ImportError(_MISSING) from error
    # Without the section of resources: their data would be text twice its size, which xDSL drops.
    return Parser(context or _context(), _operation_text(module)).parse_module()


def to_module(
    operation: "ModuleOp", *, target: str = "llvm-22", resources: _mlirbc.Module | None = None
) -> _mlirbc.Module:
    """The module of xDSL as bytecode of a release; `target` is as for `mlirbc.parse`.

    Resources that attributes refer to get the data that they have in the module `resources`; without it they
    have none. Raises `ImportError` when xDSL is not installed, `InvalidError` for text that the release does
    not parse, and `KeyError` for a resource that `resources` does not have.

    >>> from xdsl.dialects import builtin
    >>> mlirbc.xdsl.to_module(builtin.ModuleOp([])).op_counts()
    {'builtin.module': 1}
    """
    try:
        from xdsl.printer import Printer
    except ImportError as error:
        raise ImportError(_MISSING) from error
    text = io.StringIO()
    Printer(text, print_generic_format=True).print_op(operation)
    module = _mlirbc.parse(text.getvalue(), target=target, file="xdsl")
    if resources is None:
        return module
    edited = module.edit()
    for attribute in module.attributes:
        if isinstance(attribute, DenseResourceElementsAttr):
            data = resources.resources[attribute.key]
            edited.resources.replace(attribute.key, data, alignment=data.alignment)
    return _mlirbc.read(edited.write())


def _context() -> "Context":
    from xdsl.context import Context
    from xdsl.dialects import get_all_dialects

    context = Context(allow_unregistered=True)
    for name, dialect in get_all_dialects().items():
        context.register_dialect(name, dialect)
    return context


def _operation_text(module: _mlirbc.Module) -> str:
    return module.operation.get_asm(print_generic_op_form=True, use_local_scope=True)
