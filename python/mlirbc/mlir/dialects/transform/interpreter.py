"""The interpreter of transformations, which needs MLIR's C++ code."""

from typing import NoReturn

from mlirbc.mlir import not_available

__all__ = ["TransformOptions", "apply_named_sequence"]


class TransformOptions:
    """Options of the interpreter."""

    expensive_checks = False
    """Whether handles are checked."""
    enforce_single_top_level_transform_op = True
    """Whether there must be one top-level transformation."""


def apply_named_sequence(
    payload_root: object,
    transform_root: object,
    transform_module: object,
    transform_options: object = None,
) -> NoReturn:
    """Raises the error that says which packages have an interpreter."""
    raise not_available("the interpreter of the transform dialect")
