"""A module for each dialect, with the classes and functions of its operations, as in MLIR's Python bindings.

The modules are made when they are imported, from the operation definitions that mlirbc has; those of loaded
packs are among them.

>>> from mlirbc.mlir.dialects import arith, stablehlo
>>> arith.AddIOp.OPERATION_NAME, stablehlo.MulOp.OPERATION_NAME
('arith.addi', 'stablehlo.multiply')
"""

import importlib
import re
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

from mlirbc import _mlirbc
from mlirbc.mlir import _registry
from mlirbc.mlir._globals import GLOBALS
from mlirbc.mlir._opview import OpView

__all__ = ["load_class"]

# Dialects whose module has another name, because a keyword or a habit of upstream's is in the way.
_MODULE_NAMES = {"acc": "openacc", "async": "async_dialect", "dbg": "debug", "omp": "openmp"}
_DIALECTS = {module: dialect for dialect, module in _MODULE_NAMES.items()}


def _dialect_of(module: str) -> str:
    return _DIALECTS.get(module, module)


def load_class(operation: str) -> type[OpView] | None:
    """The class of an operation, whose module is imported; None if no definition is known."""
    from mlirbc.mlir.dialects import _generated

    dialect, separator, _ = operation.partition(".")
    if separator and len(GLOBALS.dialect_search_prefixes) > 1:
        GLOBALS.import_from_search_path(dialect)
        if operation in _registry.OPERATION_CLASSES:
            return _registry.OPERATION_CLASSES[operation]
    if not separator or not _is_defined(operation):
        return None
    _import_modules(dialect, operation)
    view_class = _registry.OPERATION_CLASSES.get(operation)
    if view_class is None and (names := _generated.names_of(operation)) is not None:
        view_class = names.class_of(operation)
    return view_class


def _is_defined(operation: str) -> bool:
    from mlirbc.mlir._definitions import definition_of

    return definition_of(operation) is not None


def _import_modules(dialect: str, operation: str) -> None:
    name = f"{__name__}.{_MODULE_NAMES.get(dialect, dialect)}"
    importlib.import_module(name)
    if dialect == "transform":
        from mlirbc.mlir.dialects.transform import extension_of

        if extension := extension_of(operation.partition(".")[2]):
            importlib.import_module(f"{name}.{extension}")


# The modules in which upstream keeps generated classes.
_GENERATED = re.compile(r"_(\w+)_(?:ops|enum)_gen")


def _generated_spec(fullname: str, part: str) -> ModuleSpec | None:
    """The module of generated names: of a dialect, or of an extension such as `_loop_transform_ops_gen`."""
    extension = part.removesuffix("_transform")
    name = part if extension == part else f"transform.{extension}"
    return ModuleSpec(fullname, _GeneratedPart(name)) if find_spec(f"{__name__}.{name}") else None


class _Finder(MetaPathFinder):
    """Finds the modules of dialects without a file; it is asked after the finders of files."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, name = fullname.rpartition(".")
        if package == __name__ and (generated := _GENERATED.fullmatch(name)):
            return _generated_spec(fullname, generated[1])
        if package == __name__ and _mlirbc._binding_operations(_dialect_of(name)):
            return ModuleSpec(fullname, _Generated(_dialect_of(name)), is_package=True)
        if package == f"{__name__}.transform":
            from mlirbc.mlir.dialects.transform import is_extension

            return ModuleSpec(fullname, _Generated("transform", name)) if is_extension(name) else None
        if name == "passes" and package.rpartition(".")[0] == __name__:
            # Upstream registers the passes of the dialect. mlirbc has no passes; the import is not an error.
            return ModuleSpec(fullname, _Empty())
        return None


class _Generated(Loader):
    def __init__(self, dialect: str, extension: str = "") -> None:
        self._dialect = dialect
        self._extension = extension

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Leave it to the import system."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Give the module the names of its dialect."""
        from mlirbc.mlir.dialects._generated import DialectNames

        names = DialectNames(self._dialect, module.__name__, self._contains)
        module.__doc__ = f"The operations of the dialect `{self._dialect}`."
        module.__getattr__ = names.get  # type: ignore[method-assign]
        module.__dir__ = names.all  # type: ignore[method-assign]

    def _contains(self, mnemonic: str) -> bool:
        if not self._extension:
            return True
        from mlirbc.mlir.dialects.transform import extension_of

        return extension_of(mnemonic) == self._extension


class _GeneratedPart(Loader):
    """Loads a module such as `_arith_ops_gen`, which has the generated names of `arith` alone."""

    def __init__(self, dialect_module: str) -> None:
        self._dialect_module = dialect_module

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Leave it to the import system."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Give the module the generated names."""
        dialect_module = importlib.import_module(f"{__name__}.{self._dialect_module}")
        names = getattr(dialect_module, "_names", None)
        get = dialect_module.__getattr__ if names is None else names.generated
        module.__getattr__ = get  # type: ignore[method-assign]
        module.__dir__ = dialect_module.__dir__  # type: ignore[method-assign]


class _Empty(Loader):
    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Leave it to the import system."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Leave the module empty."""


sys.meta_path.append(_Finder())


def __getattr__(name: str) -> object:
    if name.startswith("__") or find_spec(f"{__name__}.{name}") is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"{__name__}.{name}")
