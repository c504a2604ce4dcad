"""The dialect `amdgpu`."""

from typing import TYPE_CHECKING

from mlirbc.mlir._dialect_types import DialectType, type_class
from mlirbc.mlir.dialects._generated import DialectNames

if TYPE_CHECKING:
    from mlirbc._mlirbc import Type

_names = DialectNames("amdgpu", __name__)


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


TDMDescriptorType = type_class("TDMDescriptorType", "amdgpu", "tdm_descriptor", __name__)


class TDMBaseType(DialectType):
    """The base of a descriptor of data movement."""

    __slots__ = ()
    _dialect = "amdgpu"
    _mnemonic = "tdm_base"

    @classmethod
    def get(cls, element_type: "Type", context: object = None) -> "TDMBaseType":
        """The type for the type of the elements."""
        return cls._parsed(f"<{element_type}>", context)


class TDMGatherBaseType(DialectType):
    """The base of a descriptor of gathering data movement."""

    __slots__ = ()
    _dialect = "amdgpu"
    _mnemonic = "tdm_gather_base"

    @classmethod
    def get(cls, element_type: "Type", index_type: "Type", context: object = None) -> "TDMGatherBaseType":
        """The type for the types of the elements and the indices."""
        return cls._parsed(f"<{element_type}, {index_type}>", context)
