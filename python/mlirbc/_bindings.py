"""Properties of attributes and types that exist for compatibility with MLIR's bindings."""

import sys
from typing import TYPE_CHECKING, NoReturn

from mlirbc._mlirbc import Attribute, Type

if TYPE_CHECKING:
    from mlirbc.mlir._context import Context

__all__ = ["TypeID"]


class TypeID:
    """The identifier of a class of attributes or types in MLIR, for dictionaries.

    >>> mlirbc.types.F32Type.static_typeid == mlirbc.types.F32Type.get().typeid
    True
    """

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TypeID) and self._name == other._name

    def __hash__(self) -> int:
        return hash(self._name)

    def __repr__(self) -> str:
        return f"TypeID({self._name})"


# Names in MLIR that do not follow from the name of the Python class.
_NAMES = {
    "AffineMapAttr": "builtin.affine_map",
    "BF16Type": "builtin.bf16",
    "BoolAttr": "builtin.integer",
    "DenseElementsAttr": "builtin.dense_typed_elements",
    "DenseFPElementsAttr": "builtin.dense_typed_elements",
    "DenseIntElementsAttr": "builtin.dense_typed_elements",
    "DenseStringElementsAttr": "builtin.dense_string_elements",
    "DictAttr": "builtin.dictionary",
    "FileLineColLoc": "builtin.file_line_range",
    "FlatSymbolRefAttr": "builtin.symbol_ref",
    "FloatTF32Type": "builtin.tf32",
    "IntegerSetAttr": "builtin.integer_set",
    "MemRefType": "builtin.memref",
    "RankedTensorType": "builtin.tensor",
    "UnrankedMemRefType": "builtin.unranked_memref",
    "UnrankedTensorType": "builtin.unranked_tensor",
}
_WITHOUT_NAMES = ("Attribute", "DenseArrayAttr", "FloatType", "Location", "ShapedType", "Type")


def _snake_case(name: str) -> str:
    words = ""
    for place, letter in enumerate(name):
        words += "_" * (place > 0 and letter.isupper()) + letter.lower()
    return words


def name_of_class(cls: type) -> str:
    """The name of a class in MLIR. Raises `AttributeError` for classes that combine several."""
    name = next((base.__name__ for base in cls.__mro__ if base.__module__.startswith("mlirbc")), "")
    if name in _WITHOUT_NAMES:
        kind = "type_name" if issubclass(cls, Type) else "attr_name"
        raise AttributeError(f"{name} has no {kind}.")
    if name in _NAMES:
        return _NAMES[name]
    if name.startswith("Dense") and name.endswith("ArrayAttr"):
        return "builtin.dense_array"
    if name.startswith(("F", "BF")) and name.removesuffix("Type")[1:].isdigit():
        return f"builtin.{name.removesuffix('Type').lower()}"
    if name.startswith("Float") and name.endswith("Type"):
        return f"builtin.f{name.removeprefix('Float').removesuffix('Type')}"
    return "builtin." + _snake_case(name.removesuffix("Type" if issubclass(cls, Type) else "Attr"))


def static_typeid(cls: type) -> TypeID:
    """The identifier of a class. Raises `AttributeError` for classes that combine several."""
    try:
        return TypeID(name_of_class(cls))
    except AttributeError:
        raise AttributeError(f"{cls.__name__} has no typeid.") from None


def typeid_of(value: Attribute | Type) -> TypeID:
    """The identifier of the most derived class of a value."""
    if value.dialect != "builtin" and (dialect_types := sys.modules.get("mlirbc.mlir._dialect_types")):
        cls = dialect_types.class_of(value)
        if cls is not None:
            identifier: TypeID = cls.static_typeid
            return identifier
    exact = value.maybe_downcast()
    if type(exact).__name__ in ("OpaqueAttr", "OpaqueType", "Attribute", "Type"):
        # A class of another dialect, or an opaque value of an unknown dialect.
        name = exact.class_name or str(exact).partition("<")[0]
        is_opaque = type(exact).__name__.startswith("Opaque") and exact.class_name is None
        return TypeID("builtin.opaque" if is_opaque else f"{exact.dialect}.{name}")
    return TypeID(name_of_class(type(exact)))


def context_of(value: Attribute | Type) -> "Context":
    """The context of a value."""
    from mlirbc.mlir._context import context_of_value

    return context_of_value()


def capsule() -> NoReturn:
    """Raises the error for capsules, which hold pointers of MLIR."""
    from mlirbc.mlir import not_available

    raise not_available("a capsule")
