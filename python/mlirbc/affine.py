"""Affine expressions, maps and integer sets: the values of `AffineMapAttr` and `IntegerSetAttr`.

>>> d0 = mlirbc.affine.AffineDimExpr.get(0)
>>> mlirbc.affine.AffineMap.get(1, 0, [d0 * 2 + 1])
AffineMap((d0) -> (d0 * 2 + 1))
"""

from mlirbc._affine import AffineMap, IntegerSet, IntegerSetConstraint
from mlirbc._affine_expressions import (
    AffineAddExpr,
    AffineBinaryExpr,
    AffineCeilDivExpr,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineFloorDivExpr,
    AffineModExpr,
    AffineMulExpr,
    AffineSymbolExpr,
)

__all__ = [
    "AffineAddExpr",
    "AffineBinaryExpr",
    "AffineCeilDivExpr",
    "AffineConstantExpr",
    "AffineDimExpr",
    "AffineExpr",
    "AffineFloorDivExpr",
    "AffineMap",
    "AffineModExpr",
    "AffineMulExpr",
    "AffineSymbolExpr",
    "IntegerSet",
    "IntegerSetConstraint",
]
