"""The families, one module for each part of the format. Importing this registers them all."""

from . import (
    artifacts,
    assembly,
    attributes,
    control,
    elements,
    grammar_constructs,
    layouts,
    locations,
    operations,
    tables,
    text,
    types,
    values,
)

__all__ = [
    "artifacts",
    "assembly",
    "attributes",
    "control",
    "elements",
    "grammar_constructs",
    "layouts",
    "locations",
    "operations",
    "tables",
    "text",
    "types",
    "values",
]
