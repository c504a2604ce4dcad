"""Upstream's language for structured operations.

mlirbc has the operations that upstream makes by it, such as `linalg.matmul`, and not the language.
"""

from typing import NoReturn

from mlirbc.mlir import ir, not_available

__all__ = ["ir"]


def __getattr__(name: str) -> NoReturn:
    if name.startswith("__"):
        raise AttributeError(name)
    raise not_available("linalg's language for operations (opdsl)")
