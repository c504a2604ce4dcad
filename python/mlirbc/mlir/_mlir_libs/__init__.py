"""The package of upstream's extension modules: programs import some names from it."""

from mlirbc.mlir._context import DialectRegistry
from mlirbc.mlir._mlir_libs import _mlir, _mlirRegisterEverything

__all__ = ["_mlir", "_mlirRegisterEverything", "get_dialect_registry"]

_registry = DialectRegistry()


def get_dialect_registry() -> DialectRegistry:
    """The registry of all dialects, which is empty: dialects need no registration."""
    return _registry
