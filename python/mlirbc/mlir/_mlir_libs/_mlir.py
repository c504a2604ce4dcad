"""The names of upstream's extension module."""

from mlirbc.mlir import ir, passmanager, rewrite
from mlirbc.mlir._globals import GLOBALS as globals
from mlirbc.mlir._registry import (
    register_dialect,
    register_operation,
    register_type_caster,
    register_value_caster,
)

__all__ = [
    "globals",
    "ir",
    "passmanager",
    "register_dialect",
    "register_operation",
    "register_type_caster",
    "register_value_caster",
    "rewrite",
]
