"""The families, one module for each part of the format. Importing this registers them all."""

from . import (
    artifacts,
    attributes,
    control,
    elements,
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
    "attributes",
    "control",
    "elements",
    "layouts",
    "locations",
    "operations",
    "tables",
    "text",
    "types",
    "values",
]
