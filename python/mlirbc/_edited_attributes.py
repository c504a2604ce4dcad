"""The attributes and properties of an operation of an edited module, by name."""

from collections.abc import ItemsView, Iterator, KeysView, Mapping, MutableMapping, ValuesView
from typing import TYPE_CHECKING, TypeVar, overload

from mlirbc import _mlirbc
from mlirbc._mlirbc import Attribute, NamedAttribute

if TYPE_CHECKING:
    from mlirbc.edit import Operation

_D = TypeVar("_D")

__all__ = ["DeclaredProperties", "DiscardableAttributes", "OpAttributeMap"]


class OpAttributeMap(Mapping[str, Attribute]):
    """Attributes of an operation by name: properties and discardable attributes.

    >>> op = mlirbc.open("examples/two_layers.mlirbc").edit().symbol("main")
    >>> del op.attributes["example.entry"]
    >>> op.attributes["sym_name"] = mlirbc.attributes.StringAttr.get("start")
    >>> dict(op.attributes)["sym_name"]
    StringAttr("start")
    """

    __slots__ = ("_op",)

    def __init__(self, op: "Operation") -> None:
        self._op = op

    def _values(self) -> dict[str, Attribute]:
        """The attributes by name, sorted; operations may share the dictionary, which nothing changes."""
        editor = self._op._editor
        values = editor.attribute_dict(self._op._id)
        if values is not None:
            return values
        # The writer did not know the operation: its properties are one dictionary.
        names = editor.attribute_names(self._op._id)
        properties = self._of_unregistered()
        return {name: self[name] for name in sorted({*names, *properties})}

    def _of_unregistered(self) -> dict[str, Attribute]:
        """The properties of an operation that its writer did not know: one dictionary."""
        if self._op.property_state != "attribute":
            return {}
        properties = self._op.properties.items()
        return {name: value for name, value in properties if isinstance(value, Attribute)}

    @overload
    def get(self, key: str, default: None = None) -> Attribute | None: ...
    @overload
    def get(self, key: str, default: Attribute) -> Attribute: ...
    @overload
    def get(self, key: str, default: "_D") -> "Attribute | _D": ...
    def get(self, key: str, default: object = None) -> object:
        """The attribute with this name; `default` if there is none."""
        if not isinstance(key, str):
            raise TypeError(f"expected the name of an attribute, found {type(key).__name__}")
        try:
            return self[key]
        except KeyError:
            return default

    def __len__(self) -> int:
        return len(self._values())

    def __iter__(self) -> Iterator[str]:
        return iter(self._values())

    def __contains__(self, name: object) -> bool:
        return name in self._values()

    def keys(self) -> KeysView[str]:
        """The names, sorted."""
        return self._values().keys()

    def values(self) -> ValuesView[Attribute]:
        """The attributes in the order of their names."""
        return self._values().values()

    def items(self) -> ItemsView[str, Attribute]:
        """Names and attributes, sorted by name."""
        return self._values().items()

    @overload
    def __getitem__(self, name: str) -> Attribute: ...
    @overload
    def __getitem__(self, name: int) -> NamedAttribute: ...
    def __getitem__(self, name: str | int) -> Attribute | NamedAttribute:
        if isinstance(name, int):
            name = list(self._values())[name]
            return NamedAttribute(name, self[name])
        value = self._op._editor.attribute(self._op._id, name) if isinstance(name, str) else None
        if value is None:
            return self._of_unregistered()[name]
        return value

    def __setitem__(self, name: str, value: Attribute) -> None:
        self._op._editor.set_attribute(self._op._id, name, value)

    def __delitem__(self, name: str) -> None:
        if not self._op._editor.remove_attribute(self._op._id, name):
            raise KeyError(name)

    def __repr__(self) -> str:
        try:
            return _mlirbc._printable(f"<mlirbc.edit.OpAttributeMap of {list(self)}>")
        except _mlirbc.Error:
            return "<mlirbc.edit.OpAttributeMap>"


class DiscardableAttributes(OpAttributeMap):
    """The attributes of an operation that are not properties."""

    __slots__ = ()

    def _values(self) -> dict[str, Attribute]:
        names = set(_mlirbc._edit_properties(self._op._editor, self._op._id)[2])
        return {name: value for name, value in super()._values().items() if name in names}

    @overload
    def __getitem__(self, name: str) -> Attribute: ...
    @overload
    def __getitem__(self, name: int) -> NamedAttribute: ...
    def __getitem__(self, name: str | int) -> Attribute | NamedAttribute:
        if isinstance(name, str) and name not in _mlirbc._edit_properties(self._op._editor, self._op._id)[2]:
            raise KeyError(name)
        return super().__getitem__(name)

    def __setitem__(self, name: str, value: Attribute) -> None:
        if name in self._op.properties:
            raise KeyError(f"{name} is a property of {self._op.name}: set it in `attributes`")
        super().__setitem__(name, value)

    def __delitem__(self, name: str) -> None:
        self[name]
        super().__delitem__(name)


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
        return _mlirbc._edit_declared_properties(self._op._editor, self._op._id) or {}

    def _set(self, properties: Mapping[str, object]) -> None:
        op = (self._op._id, self._op.name)
        _mlirbc._edit_set_declared_properties(self._op._editor, op, properties)

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
