"""The dialect `nvgpu`."""

from typing import TYPE_CHECKING

from mlirbc.mlir._dialect_types import DialectType
from mlirbc.mlir.dialects._generated import DialectNames

if TYPE_CHECKING:
    from mlirbc._mlirbc import Type

_names = DialectNames("nvgpu", __name__)


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


class TensorMapDescriptorType(DialectType):
    """The descriptor of a tensor map."""

    __slots__ = ()
    _dialect = "nvgpu"
    _mnemonic = r"tensormap\.descriptor"

    @classmethod
    def get(
        cls,
        tensor_type: "Type",
        swizzle: object,
        l2promo: object,
        oob_fill: object,
        interleave: object,
        context: object = None,
    ) -> "TensorMapDescriptorType":
        """The type for a buffer and the kinds of access, which are cases of enumerations."""
        return cls._parsed(
            f"<tensor = {tensor_type}, swizzle = {swizzle}, l2promo = {l2promo}, oob = {oob_fill}, "
            f"interleave = {interleave}>",
            context,
        )
