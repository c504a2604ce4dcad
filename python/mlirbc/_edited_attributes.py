"""The attributes and properties of an operation of an edited module, by name."""

from collections.abc import Iterator, Mapping, MutableMapping
from typing import TYPE_CHECKING, TypeAlias

from mlirbc import _mlirbc
from mlirbc._mlirbc import Attribute, _EditedAttributes

if TYPE_CHECKING:
    from mlirbc.edit import Operation

    _Property: TypeAlias = "Attribute | int | str | list[_Property] | None"

__all__ = ["DeclaredProperties", "DiscardableAttributes", "OpAttributeMap", "OpPropertyMap"]


class OpAttributeMap(_EditedAttributes, Mapping[str, Attribute]):
    """Attributes of an operation by name: properties and discardable attributes.

    >>> op = mlirbc.open("examples/two_layers.mlirbc").edit().symbol("main")
    >>> del op.attributes["example.entry"]
    >>> op.attributes["sym_name"] = mlirbc.attributes.StringAttr.get("start")
    >>> dict(op.attributes)["sym_name"]
    StringAttr("start")
    """

    __slots__ = ()


class DiscardableAttributes(OpAttributeMap):
    """The attributes of an operation that are not properties."""

    __slots__ = ()


class DeclaredProperties(MutableMapping[str, object]):
    """The properties of an operation whose dialect declares them, see `Operation.declared_properties`.

    >>> table = {"dialect": "toy", "op": [{"name": "pad", "fields": ["by: varint", "exact: bool"]}]}
    >>> module = mlirbc.read(mlirbc.edit.Module.create().write(), dialects=[table]).edit()
    >>> pad = mlirbc.edit.Operation.create("toy.pad", ip=mlirbc.edit.InsertionPoint(module.body))
    >>> pad.declared_properties.replace({"by": 3, "exact": False})
    >>> pad.declared_properties["exact"] = True
    >>> dict(pad.declared_properties)
    {'by': 3, 'exact': True}
    """

    __slots__ = ("_op",)

    def __init__(self, op: "Operation") -> None:
        self._op = op

    def _all(self) -> dict[str, object]:
        return self._op._declared_properties() or {}

    def _set(self, properties: Mapping[str, object]) -> None:
        self._op._set_declared_properties(properties)

    def __getitem__(self, name: str) -> object:
        return self._all()[name]

    def __setitem__(self, name: str, value: object) -> None:
        self._set(self._all() | {name: value})

    def __delitem__(self, name: str) -> None:
        properties = self._all()
        del properties[name]
        self._set(properties)

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def replace(self, properties: Mapping[str, object]) -> None:
        """Set all properties at once, for operations that are valid only with the complete set."""
        self._set(properties)

    def __repr__(self) -> str:
        return _mlirbc._printable(repr(self._all()))


class OpPropertyMap(Mapping[str, "_Property"]):
    """The inherent values of an edited operation by name, as they were when it was made.

    >>> op = mlirbc.open("examples/two_layers.mlirbc").edit().symbol("main")
    >>> op.properties["sym_name"]
    StringAttr("main")
    """

    __slots__ = ("_values", "opaque")

    opaque: bytes | None
    """The bytes of properties whose layout is not known; else None."""

    def __init__(self, values: "dict[str, _Property]", opaque: bytes | None) -> None:
        self._values = values
        self.opaque = opaque

    def __getitem__(self, name: str) -> "_Property":
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        if self.opaque is not None:
            return f"<mlirbc.edit.OpPropertyMap of {len(self.opaque)} opaque bytes>"
        return f"<mlirbc.edit.OpPropertyMap of {list(self._values)}>"
