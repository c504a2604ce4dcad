"""The families, one module for each part of the format. Importing this registers them all."""

from . import (
    artifacts,
    assembly,
    attributes,
    control,
    custom_forms,
    elements,
    grammar_constructs,
    layouts,
    locations,
    operations,
    shared,
    structure,
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
    "custom_forms",
    "elements",
    "grammar_constructs",
    "layouts",
    "locations",
    "operations",
    "shared",
    "structure",
    "tables",
    "text",
    "types",
    "values",
]
