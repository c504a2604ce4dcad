"""The names of `mlir.execution_engine`. Compiling needs MLIR: using it raises an error that says so."""

from mlirbc.mlir import not_available

__all__ = ["ExecutionEngine"]


class ExecutionEngine:
    """An execution engine, which mlirbc does not have."""

    def __init__(self, module: object, *_: object, **__: object) -> None:
        raise not_available("an execution engine")
