"""The dialect `chlo`: its generated names, and the classes of its attributes."""

from typing import ClassVar

from mlirbc.mlir.dialects._field_attributes import FieldAttr, KeywordAttr
from mlirbc.mlir.dialects._generated import DialectNames

_names = DialectNames("chlo", __name__)


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


class ComparisonDirectionAttr(KeywordAttr):
    """How values are compared."""

    __slots__ = ()
    _dialect = "chlo"
    _mnemonic = "chlo<comparison_direction"


class ComparisonTypeAttr(KeywordAttr):
    """The numbers that are compared."""

    __slots__ = ()
    _dialect = "chlo"
    _mnemonic = "chlo<comparison_type"


class PrecisionAttr(KeywordAttr):
    """The precision of a multiplication."""

    __slots__ = ()
    _dialect = "chlo"
    _mnemonic = "chlo<precision"


class RaggedDotDimensionNumbers(FieldAttr):
    """The dimensions of a multiplication with groups of different sizes."""

    __slots__ = ()
    _dialect = "chlo"
    _mnemonic = "ragged_dot"
    _fields: ClassVar = {
        "lhs_batching_dimensions": "dims",
        "rhs_batching_dimensions": "dims",
        "lhs_contracting_dimensions": "dims",
        "rhs_contracting_dimensions": "dims",
        "lhs_ragged_dimensions": "dims",
        "rhs_group_dimensions": "dims",
    }
