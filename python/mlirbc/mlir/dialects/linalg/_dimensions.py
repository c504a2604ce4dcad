"""Maps of structured operations, and the dimensions of contractions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlirbc.mlir import ir

if TYPE_CHECKING:
    from mlirbc.mlir._operation import OperationBase

__all__ = [
    "ContractionDimensions",
    "get_indexing_maps",
    "infer_contraction_dimensions",
    "infer_contraction_dimensions_from_maps",
    "isa_contraction_op",
]


@dataclass(frozen=True, slots=True)
class ContractionDimensions:
    """The dimensions of a contraction by their places in its operands."""

    batch: tuple[int, ...]
    """Dimensions of both inputs and the output."""
    m: tuple[int, ...]
    """Dimensions of the first input and the output."""
    n: tuple[int, ...]
    """Dimensions of the second input and the output."""
    k: tuple[int, ...]
    """Dimensions of both inputs alone."""


def get_indexing_maps(op: "OperationBase") -> "ir.ArrayAttr | None":
    """The attribute with the maps of an operation; None if the operation lacks it.

    Named operations of fixed maps, such as `linalg.fill`, do not have the attribute.
    """
    maps = op.attributes.get("indexing_maps")
    return maps if isinstance(maps, ir.ArrayAttr) else None


def _dimensions(map: "ir.AffineMap") -> "set[int] | None":
    """The dimensions of a map whose results are dimensions, each once; None for other maps."""
    positions = [
        expression.position for expression in map.results if isinstance(expression, ir.AffineDimExpr)
    ]
    is_projection = len(positions) == len(map.results) == len(set(positions))
    return set(positions) if is_projection else None


def infer_contraction_dimensions_from_maps(
    indexing_maps: "Sequence[ir.AffineMap]",
) -> ContractionDimensions | None:
    """The dimensions of a contraction with these maps of two inputs and an output; None for other maps."""
    if len(indexing_maps) != 3:
        return None
    first, second, output = (_dimensions(map) for map in indexing_maps)
    if first is None or second is None or output is None:
        return None
    return ContractionDimensions(
        tuple(sorted(first & second & output)),
        tuple(sorted((first & output) - second)),
        tuple(sorted((second & output) - first)),
        tuple(sorted((first & second) - output)),
    )


def isa_contraction_op(op: "OperationBase") -> bool:
    """Whether an operation with maps multiplies two inputs and sums the products."""
    positions = _of(op)
    return positions is not None and bool(positions.k) and _multiplies_and_adds(op)


def infer_contraction_dimensions(op: "OperationBase") -> ContractionDimensions | None:
    """The dimensions of a contraction; None if the operation is none."""
    return _of(op) if isa_contraction_op(op) else None


def _of(op: "OperationBase") -> ContractionDimensions | None:
    maps = get_indexing_maps(op)
    if maps is None:
        return None
    return infer_contraction_dimensions_from_maps([one.value for one in maps])  # type: ignore[attr-defined]


_PRODUCTS = ("arith.mulf", "arith.muli", "arith.andi", "complex.mul")
_SUMS = ("arith.addf", "arith.addi", "arith.ori", "complex.add")


def _multiplies_and_adds(op: "OperationBase") -> bool:
    blocks = op.regions[0].blocks if len(op.regions) else ()
    names = [one.operation.name for block in blocks for one in block.operations]
    return any(name in _PRODUCTS for name in names) and any(name in _SUMS for name in names)
