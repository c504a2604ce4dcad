"""The names of `mlir.rewrite`. Patterns need MLIR's drivers: using them raises an error that says so."""

from typing import NoReturn

from mlirbc.mlir import not_available

__all__ = ["FrozenRewritePatternSet", "PDLModule", "RewritePatternSet", "apply_patterns_and_fold_greedily"]


class RewritePatternSet:
    """A set of patterns, which mlirbc cannot apply."""

    def __init__(self, *_: object, **__: object) -> None:
        raise not_available("a set of patterns")


class FrozenRewritePatternSet(RewritePatternSet):
    """A set of patterns that is ready to be applied, which mlirbc cannot do."""


class PDLModule:
    """Patterns in PDL, which mlirbc cannot apply."""

    def __init__(self, *_: object, **__: object) -> None:
        raise not_available("PDL")


def apply_patterns_and_fold_greedily(*_: object, **__: object) -> NoReturn:
    """Raise `UnsupportedError`."""
    raise not_available("applying patterns")
