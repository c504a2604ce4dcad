"""The public classes that are written in Python, imported together when the first of them is needed."""

from mlirbc import (
    _affine_attributes,
    _attributes,
    _elements,
    _locations,
    _shaped,
    _types,
    _walk,
    _weights,
)
from mlirbc._mlirbc import Attribute, Type

_REGISTERED = (_affine_attributes, _attributes, _elements, _locations, _shaped, _types)

OF_ENTRIES: list[tuple[str, type[Attribute] | type[Type]]] = [
    row for module in _REGISTERED for row in module.CLASSES
]
"""The table for the extension module: each class of attributes and types with its name in dialect tables."""

BY_NAME: dict[str, type] = {
    name: value
    for module in (*_REGISTERED, _walk, _weights)
    for name, value in vars(module).items()
    if isinstance(value, type) and value.__module__ == module.__name__ and not name.startswith("_")
}
"""By the name that the package gives them."""
