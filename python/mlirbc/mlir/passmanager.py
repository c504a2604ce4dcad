"""The names of `mlir.passmanager`. Passes need MLIR: using them raises an error that says so."""

from typing import NoReturn

from mlirbc.mlir import not_available

__all__ = ["PassManager"]


class PassManager:
    """A pass manager, which mlirbc does not have.

    >>> PassManager.parse("builtin.module(cse)")
    Traceback (most recent call last):
        ...
    mlirbc.UnsupportedError: a pass manager needs the C++ code of MLIR, which mlirbc does not have; ...
    """

    def __init__(self, anchor_op: str = "any", context: object = None) -> None:
        raise not_available("a pass manager")

    @staticmethod
    def parse(pipeline: str, context: object = None) -> NoReturn:
        """Raise `UnsupportedError`."""
        raise not_available("a pass manager")
