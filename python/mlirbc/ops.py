"""Definitions of operations in the releases of MLIR.

>>> print(mlirbc.ops.describe("arith.addi").syntax)
arith.addi $lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)
"""

from dataclasses import dataclass
from typing import Literal

from mlirbc import _mlirbc

__all__ = ["DefinitionPart", "OperationDescription", "describe"]


@dataclass(frozen=True, slots=True)
class DefinitionPart:
    """An operand, a result, an attribute, a region or a successor.

    >>> mlirbc.ops.describe("arith.addi").operands[0].name
    'lhs'
    """

    name: str
    """The name, for example `lhs`."""
    constraint: str
    """The constraint by its name in MLIR, for example `AnyType`."""
    summary: str
    """The description of the constraint in MLIR's words."""
    multiplicity: Literal["one", "optional", "variadic"]
    """How many values or attributes it stands for."""


@dataclass(frozen=True, slots=True)
class OperationDescription:
    """The definition of an operation in a release; `str` returns all its lines.

    >>> print(mlirbc.ops.describe("arith.addi", release="llvm-16").release)
    llvm-16
    """

    name: str
    """The full name."""
    release: str
    """The release whose definition it is."""
    summary: str
    """A summary of the operation in one line."""
    syntax: str | None
    """The assembly format; None if no format string describes it, or if there is only the generic form."""
    operands: tuple[DefinitionPart, ...]
    """The operands in their order."""
    results: tuple[DefinitionPart, ...]
    """The results in their order."""
    attributes: tuple[DefinitionPart, ...]
    """The inherent attributes and native properties."""
    regions: tuple[DefinitionPart, ...]
    """The regions."""
    successors: tuple[DefinitionPart, ...]
    """The successors."""
    traits: tuple[str, ...]
    """The traits and interfaces, with their arguments."""
    changes: dict[str, tuple[str, ...]]
    """The releases that have the operation, and the differences from the release before."""
    text: str
    """All of the definition in lines."""

    def __str__(self) -> str:
        return self.text


def describe(name: str, *, release: str | None = None) -> OperationDescription:
    """The definition of an operation in a release, by default in the newest release that has the operation.

    Raises `KeyError` if there is none.

    >>> addi = mlirbc.ops.describe("arith.addi")
    >>> [operand.name for operand in addi.operands], "SameOperandsAndResultType" in addi.traits
    (['lhs', 'rhs'], True)
    >>> addi.changes["llvm-19"][0]
    'new attribute `overflowFlags`: Arith_IntegerOverflowAttr, default #arith.overflow<none>'
    """
    definition = _mlirbc._operation_definition(name, release)
    if definition is None:
        message = f"{release or 'no release'} has {'no' if release else 'an'} operation `{name}`"
        near = _mlirbc._operation_suggestion(name)
        raise KeyError(message if near in (None, name) else f"{message}; did you mean `{near}`?")
    shown, (summary, syntax, text), parts, traits, changes = definition
    operands, results, attributes, regions, successors = (
        tuple(DefinitionPart(*part) for part in kind) for kind in parts
    )
    return OperationDescription(
        name,
        shown,
        summary or "",
        syntax,
        operands,
        results,
        attributes,
        regions,
        successors,
        tuple(traits),
        {release: tuple(sentences) for release, sentences in changes},
        text or "",
    )
