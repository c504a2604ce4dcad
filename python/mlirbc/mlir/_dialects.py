"""Dialects as `Context.dialects` has them."""

import importlib
from functools import lru_cache
from types import ModuleType
from typing import TYPE_CHECKING

from mlirbc import _mlirbc

if TYPE_CHECKING:
    from mlirbc.mlir._context import Context

__all__ = ["Dialect", "DialectDescriptor", "Dialects"]

_load_on_create: list[str] = []


def get_load_on_create_dialects() -> list[str]:
    """The names that were passed to `append_load_on_create_dialect`."""
    return list(_load_on_create)


def append_load_on_create_dialect(name: str) -> None:
    """Add a name to the list of dialects to load; dialects need not be loaded."""
    if name not in _load_on_create:
        _load_on_create.append(name)


def imported_dialects() -> frozenset[str]:
    """The dialects whose modules the program imported."""
    from mlirbc.mlir.dialects._generated import _MODULES

    return frozenset(_MODULES)


@lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    names = set(_mlirbc._registered_dialects())
    for release in ("llvm-22", "jaxlib-0.9"):
        names.update(_mlirbc._generated_dialects(release))
    return frozenset(names)


def is_known(name: str) -> bool:
    """Whether mlirbc knows a dialect."""
    return name in _known()


class DialectDescriptor:
    """A dialect in a context.

    >>> from mlirbc.mlir import ir
    >>> ir.Context().get_dialect_descriptor("func")
    <DialectDescriptor func>
    """

    def __init__(self, context: "Context", namespace: str) -> None:
        self.context = context
        self.namespace = namespace

    def __repr__(self) -> str:
        return f"<DialectDescriptor {self.namespace}>"


class Dialect:
    """A dialect with the classes of its operations as attributes."""

    def __init__(self, descriptor: DialectDescriptor) -> None:
        self.descriptor = descriptor

    def __getattr__(self, name: str) -> object:
        return getattr(_classes_of(self.descriptor.namespace), name)

    def __repr__(self) -> str:
        namespace = self.descriptor.namespace
        return f"<Dialect {namespace} (class {_classes_of(namespace).__name__})>"


def _classes_of(namespace: str) -> ModuleType:
    return importlib.import_module(f"mlirbc.mlir.dialects.{namespace}")


class Dialects:
    """The dialects of a context, as attributes and by name."""

    def __init__(self, context: "Context") -> None:
        self._context = context

    def _find(self, name: str) -> Dialect | None:
        return Dialect(DialectDescriptor(self._context, name)) if is_known(name) else None

    def __getattr__(self, name: str) -> Dialect:
        dialect = None if name.startswith("__") else self._find(name)
        if dialect is None:
            raise AttributeError(f"Dialect '{name}' not found.")
        return dialect

    def __getitem__(self, name: str) -> Dialect:
        dialect = self._find(name)
        if dialect is None:
            raise IndexError(f"Dialect '{name}' not found.")
        return dialect
