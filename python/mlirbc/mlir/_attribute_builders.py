"""Attributes made from Python values, by the constraint of the definition."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from mlirbc import _attributes, _dense_arrays, _elements
from mlirbc._affine import AffineMap, IntegerSet
from mlirbc._affine_attributes import AffineMapAttr, IntegerSetAttr
from mlirbc._mlirbc import Attribute, Type
from mlirbc._strings import StringAttr
from mlirbc._types import F32Type, F64Type, IndexType, IntegerType
from mlirbc.mlir._registry import ATTRIBUTE_BUILDERS

if TYPE_CHECKING:
    from mlirbc.mlir._definitions import AttributePart

__all__ = ["built_attribute", "default_attribute", "unit_attribute"]


def built_attribute(part: "AttributePart", value: object) -> Attribute:
    """The attribute of a part for a Python value; attributes stay.

    Raises `TypeError` if the constraint has no builder for values.
    """
    if isinstance(value, Attribute):
        return value
    builder = ATTRIBUTE_BUILDERS.get(part.constraint) or _by_storage(part.storage, part.constraint)
    if builder is None:
        raise TypeError(
            f"no attribute of {part.constraint} can be made from {type(value).__name__}; "
            "pass an attribute, or register a builder with register_attribute_builder"
        )
    return builder(value, context=None)


@lru_cache(maxsize=1)
def unit_attribute() -> Attribute:
    """The unit attribute."""
    return _attributes.UnitAttr.get()


@lru_cache(maxsize=512)
def _parsed(text: str) -> Attribute:
    return Attribute.parse(text)


def default_attribute(part: "AttributePart") -> Attribute | None:
    """The default of a part; None if its text is not known."""
    return None if part.default is None else _parsed(part.default)


def _integer(type: Type, value: int, context: object = None) -> Attribute:
    return _attributes.IntegerAttr.get(type, value)


def _boolean(value: object, context: object = None) -> Attribute:
    return _attributes.BoolAttr.get(bool(value))


def _float(type: Type, value: float, context: object = None) -> Attribute:
    return _attributes.FloatAttr.get(type, value)


def _string(value: str, context: object = None) -> Attribute:
    return StringAttr.get(value)


def _symbol(value: "str | list[str]", context: object = None) -> Attribute:
    if isinstance(value, str):
        return _attributes.FlatSymbolRefAttr.get(value)
    return _attributes.SymbolRefAttr.get(value)


def _map(value: AffineMap, context: object = None) -> Attribute:
    return AffineMapAttr.get(value)


def _set(value: IntegerSet, context: object = None) -> Attribute:
    return IntegerSetAttr.get(value)


def _type(value: Type, context: object = None) -> Attribute:
    return _attributes.TypeAttr.get(value)


def _dictionary(value: "Mapping[str, Attribute]", context: object = None) -> Attribute:
    return _attributes.DictAttr.get(value)


def _unit(value: object, context: object = None) -> Attribute | None:
    return unit_attribute() if value else None


def _any(value: Attribute, context: object = None) -> Attribute:
    return value


def _array(
    element: "Callable[..., Attribute | None]", values: Iterable[object], context: object = None
) -> Attribute:
    items = [one if isinstance(one, Attribute) else element(one) for one in values]
    return _attributes.ArrayAttr.get([item for item in items if item is not None])


def _dense_array(kind: str, values: Iterable[object], context: object = None) -> Attribute:
    cls = getattr(_dense_arrays, f"Dense{kind}ArrayAttr")
    attribute: Attribute = cls.get(list(values))
    return attribute


def _elements_of(type: Type | None, values: object, context: object = None) -> Attribute:
    import numpy as np

    array = np.asarray(values, dtype=np.int64)
    return _elements.DenseIntElementsAttr.get(array, type=type)


def _register() -> None:
    for width in (1, 8, 16, 32, 64):
        for prefix, make in (
            ("I", IntegerType.get_signless),
            ("SI", IntegerType.get_signed),
            ("UI", IntegerType.get_unsigned),
        ):
            _BUILT_IN[f"{prefix}{width}Attr"] = partial(_integer, make(width))
            _BUILT_IN[f"{prefix}{width}ArrayAttr"] = partial(_array, partial(_integer, make(width)))
    for name, builder in _simple().items():
        _BUILT_IN[f"{name}Attr"] = builder
        _BUILT_IN.setdefault(f"{name}ArrayAttr", partial(_array, builder))
    for kind in ("Bool", "I8", "I16", "I32", "I64", "F32", "F64"):
        _BUILT_IN[f"Dense{kind}ArrayAttr"] = partial(_dense_array, kind)
    _BUILT_IN["APIntAttr"] = _BUILT_IN["I64Attr"]
    _BUILT_IN["ArrayAttr"] = partial(_array, _any)
    _BUILT_IN["IndexListArrayAttr"] = partial(_array, _BUILT_IN["I64ArrayAttr"])
    _BUILT_IN["I64SmallVectorArrayAttr"] = _BUILT_IN["I64ArrayAttr"]
    _BUILT_IN["IndexElementsAttr"] = partial(_elements_of, IndexType.get())
    _BUILT_IN["AnyI64ElementsAttr"] = partial(_elements_of, IntegerType.get_signless(64))
    _BUILT_IN["I64ElementsAttr"] = _BUILT_IN["AnyI64ElementsAttr"]
    _BUILT_IN["AnyIntElementsAttr"] = partial(_elements_of, None)
    _BUILT_IN["I32ElementsAttr"] = partial(_elements_of, IntegerType.get_signless(32))


def _simple() -> "dict[str, Callable[..., Attribute | None]]":
    return {
        "AffineMap": _map,
        "Bool": _boolean,
        "Dict": _dictionary,
        "Dictionary": _dictionary,
        "F32": partial(_float, F32Type.get()),
        "F64": partial(_float, F64Type.get()),
        "FlatSymbolRef": _symbol,
        "Index": partial(_integer, IndexType.get()),
        "IntegerSet": _set,
        "Str": _string,
        "String": _string,
        "SymbolName": _string,
        "SymbolRef": _symbol,
        "Type": _type,
        "Unit": _unit,
    }


_BUILT_IN: "dict[str, Callable[..., Attribute | None]]" = {}
_register()
for _name, _builder in _BUILT_IN.items():
    ATTRIBUTE_BUILDERS.setdefault(_name, _builder)  # type: ignore[arg-type]

_STORAGE = {
    "AffineMapAttr": "AffineMapAttr",
    "BoolAttr": "BoolAttr",
    "DenseBoolArrayAttr": "DenseBoolArrayAttr",
    "DenseI32ArrayAttr": "DenseI32ArrayAttr",
    "DenseI64ArrayAttr": "DenseI64ArrayAttr",
    "DictionaryAttr": "DictionaryAttr",
    "FlatSymbolRefAttr": "FlatSymbolRefAttr",
    "IntegerSetAttr": "IntegerSetAttr",
    "StringAttr": "StrAttr",
    "SymbolRefAttr": "SymbolRefAttr",
    "TypeAttr": "TypeAttr",
    "UnitAttr": "UnitAttr",
}


@lru_cache(maxsize=1024)
def _by_storage(storage: str, constraint: str) -> "Callable[..., Attribute] | None":
    """The builder for the class of an attribute, and for the width that the words of a constraint say."""
    if storage == "IntegerAttr":
        words = re.match(r"(\d+)-bit (signless|signed|unsigned) integer", constraint)
        if words is None:
            return None
        prefix = {"signless": "I", "signed": "SI", "unsigned": "UI"}[words[2]]
        return ATTRIBUTE_BUILDERS.get(f"{prefix}{words[1]}Attr")
    return ATTRIBUTE_BUILDERS.get(_STORAGE.get(storage.rsplit("::", 1)[-1], ""))
