"""The attributes and properties of an operation of an edited module, by name."""

from collections.abc import Mapping, MutableMapping
from typing import TYPE_CHECKING, TypeAlias

from mlirbc._mlirbc import Attribute, _DeclaredProperties, _EditedAttributes, _EditedProperties

if TYPE_CHECKING:
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


class DeclaredProperties(_DeclaredProperties, MutableMapping[str, object]):
    """The properties of an operation whose dialect declares them, see `Operation.declared_properties`.

    >>> table = {"dialect": "toy", "op": [{"name": "pad", "fields": ["by: varint", "exact: bool"]}]}
    >>> module = mlirbc.read(mlirbc.edit.Module.create().write(), dialects=[table]).edit()
    >>> pad = mlirbc.edit.Operation.create("toy.pad", ip=mlirbc.edit.InsertionPoint(module.body))
    >>> pad.declared_properties.replace({"by": 3, "exact": False})
    >>> pad.declared_properties["exact"] = True
    >>> dict(pad.declared_properties)
    {'by': 3, 'exact': True}
    """

    __slots__ = ()


class OpPropertyMap(_EditedProperties, Mapping[str, "_Property"]):
    """The inherent values of an edited operation by name, as they were when it was made.

    >>> op = mlirbc.open("examples/two_layers.mlirbc").edit().symbol("main")
    >>> op.properties["sym_name"]
    StringAttr("main")
    """

    __slots__ = ()
