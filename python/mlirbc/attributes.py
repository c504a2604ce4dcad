"""The classes of attributes; `mlirbc.Attribute` is their base.

>>> mlirbc.attributes.StringAttr.get("checked")
StringAttr("checked")
"""

from mlirbc._affine_attributes import AffineMapAttr, IntegerSetAttr, StridedLayoutAttr
from mlirbc._attributes import (
    ArrayAttr,
    BoolAttr,
    DictAttr,
    DistinctAttr,
    FlatSymbolRefAttr,
    FloatAttr,
    IntegerAttr,
    OpaqueAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
)
from mlirbc._dense_arrays import (
    DenseArrayAttr,
    DenseBoolArrayAttr,
    DenseF32ArrayAttr,
    DenseF64ArrayAttr,
    DenseI8ArrayAttr,
    DenseI16ArrayAttr,
    DenseI32ArrayAttr,
    DenseI64ArrayAttr,
)
from mlirbc._elements import DenseElementsAttr, DenseFPElementsAttr, DenseIntElementsAttr
from mlirbc._sparse_elements import (
    DenseResourceElementsAttr,
    DenseStringElementsAttr,
    SparseElementsAttr,
    TensorV1Attr,
)
from mlirbc._strings import StringAttr

__all__ = [
    "AffineMapAttr",
    "ArrayAttr",
    "BoolAttr",
    "DenseArrayAttr",
    "DenseBoolArrayAttr",
    "DenseElementsAttr",
    "DenseF32ArrayAttr",
    "DenseF64ArrayAttr",
    "DenseFPElementsAttr",
    "DenseI8ArrayAttr",
    "DenseI16ArrayAttr",
    "DenseI32ArrayAttr",
    "DenseI64ArrayAttr",
    "DenseIntElementsAttr",
    "DenseResourceElementsAttr",
    "DenseStringElementsAttr",
    "DictAttr",
    "DistinctAttr",
    "FlatSymbolRefAttr",
    "FloatAttr",
    "IntegerAttr",
    "IntegerSetAttr",
    "OpaqueAttr",
    "SparseElementsAttr",
    "StridedLayoutAttr",
    "StringAttr",
    "SymbolRefAttr",
    "TensorV1Attr",
    "TypeAttr",
    "UnitAttr",
]
