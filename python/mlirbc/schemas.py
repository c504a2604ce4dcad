"""Schemas of the native properties that releases write; `docs/reference/properties.md` explains their keys.

>>> mlirbc.open("examples/two_layers.mlirbc").release.name in mlirbc.known_releases()
True
"""

import os
from collections.abc import Mapping
from typing import TypeAlias

from mlirbc._mlirbc import PropertySchema, _register_schema
from mlirbc._source import text_of_file

__all__ = ["PropertySchema", "register", "schema"]

_Source: TypeAlias = PropertySchema | str | os.PathLike[str] | Mapping[str, object]


def schema(source: _Source) -> PropertySchema:
    """Make a schema from a JSON file, or from a mapping with the same keys.

    Raises `InvalidError` that names the operation and the field which are wrong.

    >>> mlirbc.schemas.schema({
    ...     "format": "mlirbc-properties/1", "release": "toy-1", "version": "1.0", "producers": ["TOY1."],
    ...     "ops": {"toy.print": {"properties": [{"name": "loud", "kind": "bool"}]}},
    ... })
    <mlirbc.PropertySchema of toy-1>
    """
    if isinstance(source, PropertySchema):
        return source
    if isinstance(source, Mapping):
        import json

        return PropertySchema.from_json(json.dumps(source, indent=1, default=dict))
    return PropertySchema.from_json(text_of_file(source))


def register(source: _Source) -> None:
    """Use a schema for all modules that are opened from now on, in place of another one for its release.

    Takes the same sources as `schema`.

    >>> mlirbc.schemas.register({
    ...     "format": "mlirbc-properties/1", "release": "toy-1", "version": "1.0", "producers": [], "ops": {},
    ... })
    >>> "toy-1" in mlirbc.known_releases()
    True
    """
    _register_schema(schema(source))
