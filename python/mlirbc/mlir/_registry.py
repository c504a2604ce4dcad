"""Classes of operations, builders of attributes, and casters that programs register."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute, Type
    from mlirbc.mlir._opview import OpView

__all__ = [
    "ATTRIBUTE_BUILDERS",
    "OPERATION_CLASSES",
    "TYPE_CASTERS",
    "VALUE_CASTERS",
    "AttrBuilder",
    "Dialect",
    "register_attribute_builder",
    "register_dialect",
    "register_operation",
    "register_type_caster",
    "register_value_caster",
]

OPERATION_CLASSES: "dict[str, type[OpView]]" = {}
"""The classes of operations, by the name of the operation."""
DIALECT_CLASSES: "dict[str, type[Dialect]]" = {}
"""The classes of dialects, by name."""
ATTRIBUTE_BUILDERS: "dict[str, Callable[..., Attribute]]" = {}
"""The builders of attributes, by the name of the constraint."""
VALUE_CASTERS: "dict[object, Callable[..., object]]" = {}
"""The casters of values, by the identifier of the class of their type."""
TYPE_CASTERS: "dict[object, Callable[..., Type]]" = {}
"""The casters of types, by the identifier of their class."""

_C = TypeVar("_C", bound=type)
_F = TypeVar("_F", bound=Callable[..., object])


class Dialect:
    """The base of the classes that stand for a dialect.

    >>> from mlirbc.mlir.dialects import arith
    >>> arith._Dialect.DIALECT_NAMESPACE
    'arith'
    """

    DIALECT_NAMESPACE = ""
    """The name of the dialect."""


def register_dialect(dialect: _C) -> _C:
    """Register the class of a dialect, by its `DIALECT_NAMESPACE`."""
    DIALECT_CLASSES[dialect.DIALECT_NAMESPACE] = dialect  # type: ignore[attr-defined]
    return dialect


def register_operation(dialect: type, *, replace: bool = False) -> Callable[[_C], _C]:
    """A decorator that makes a class the view of the operations with its `OPERATION_NAME`.

    Raises `RuntimeError` if the operation has another registered class and `replace` is false.
    """

    def register(view: _C) -> _C:
        name = view.OPERATION_NAME  # type: ignore[attr-defined]
        if not replace and name in OPERATION_CLASSES:
            raise RuntimeError(f"Operation '{name}' is already registered.")
        OPERATION_CLASSES[name] = view
        return view

    return register


def register_attribute_builder(kind: str, *, replace: bool = False) -> Callable[[_F], _F]:
    """A decorator for the function that makes attributes of a constraint, `kind`, from Python values.

    Raises `RuntimeError` if the constraint has another builder and `replace` is false.
    """

    def register(builder: _F) -> _F:
        if not replace and kind in ATTRIBUTE_BUILDERS:
            raise RuntimeError(
                f"Attribute builder for '{kind}' is already registered with func: {ATTRIBUTE_BUILDERS[kind]}"
            )
        ATTRIBUTE_BUILDERS[kind] = builder  # type: ignore[assignment]
        return builder

    return register


class AttrBuilder:
    """The builders of attributes by the name of the constraint.

    >>> AttrBuilder.contains("I32Attr"), AttrBuilder.contains("NoSuchAttr")
    (True, False)
    """

    @staticmethod
    def contains(attribute_kind: str) -> bool:
        """Whether a constraint has a builder."""
        return attribute_kind in ATTRIBUTE_BUILDERS

    @staticmethod
    def get(attribute_kind: str) -> "Callable[..., Attribute]":
        """The builder of a constraint. Raises `KeyError` if there is none."""
        return ATTRIBUTE_BUILDERS[attribute_kind]

    @staticmethod
    def insert(attribute_kind: str, attr_builder: "Callable[..., Attribute]", replace: bool = False) -> None:
        """Register a builder, as `register_attribute_builder` does."""
        register_attribute_builder(attribute_kind, replace=replace)(attr_builder)


def register_value_caster(typeid: object, *, replace: bool = False) -> Callable[[_F], _F]:
    """A decorator for the class of values whose type has this identifier.

    Raises `RuntimeError` if there is another one and `replace` is false.
    """
    return _caster(VALUE_CASTERS, typeid, replace, "Value")


def register_type_caster(typeid: object, *, replace: bool = False) -> Callable[[_F], _F]:
    """A decorator for the function that makes objects of types with this identifier.

    Raises `RuntimeError` if there is another one and `replace` is false.
    """
    return _caster(TYPE_CASTERS, typeid, replace, "Type")


def _caster(
    casters: "dict[object, Callable[..., object]] | dict[object, Callable[..., Type]]",
    typeid: object,
    replace: bool,
    kind: str,
) -> Callable[[_F], _F]:
    def register(caster: _F) -> _F:
        if not replace and typeid in casters:
            raise RuntimeError(f"{kind} caster is already registered: {casters[typeid]}")
        casters[typeid] = caster  # type: ignore[assignment]
        return caster

    return register
