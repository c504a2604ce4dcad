"""Settings of the process, as upstream's extension module has them."""

import importlib
from importlib.util import find_spec

from mlirbc.mlir import _registry

__all__ = ["GLOBALS", "Globals"]


class Globals:
    """Settings of the process.

    >>> GLOBALS._check_dialect_module_loaded("no_such_dialect")
    False
    """

    def __init__(self) -> None:
        self.dialect_search_prefixes = ["mlirbc.mlir.dialects"]
        """The packages in which the modules of dialects are looked for."""
        self.loc_tracebacks_enabled = False
        """Whether new operations without a location get the location of the Python code."""
        self.loc_tracebacks_frame_limit = 10
        """The maximum number of frames in such a location."""
        self.included_files: list[str] = []
        """Prefixes of files whose frames are shown, though they would be hidden."""
        self.excluded_files: list[str] = []
        """Prefixes of files whose frames are hidden."""

    def append_dialect_search_prefix(self, module_name: str) -> None:
        """Look for modules of dialects in another package, too."""
        self.dialect_search_prefixes.append(module_name)

    def _check_dialect_module_loaded(self, dialect_namespace: str) -> bool:
        if dialect_namespace in _registry.DIALECT_CLASSES:
            return True
        return any(
            [self._imported(f"{prefix}.{dialect_namespace}") for prefix in self.dialect_search_prefixes]
        )

    @staticmethod
    def _imported(name: str) -> bool:
        if find_spec(name.rpartition(".")[0]) is None or find_spec(name) is None:
            return False
        importlib.import_module(name)
        return True

    def import_from_search_path(self, dialect_namespace: str) -> None:
        """Import the module of a dialect from packages that were added, which registers its classes."""
        for prefix in self.dialect_search_prefixes[1:]:
            self._imported(f"{prefix}.{dialect_namespace}")

    def register_traceback_file_inclusion(self, filename: str) -> None:
        """Show frames of a file in locations from tracebacks."""
        self.included_files.append(filename)

    def register_traceback_file_exclusion(self, filename: str) -> None:
        """Hide frames of a file in locations from tracebacks."""
        self.excluded_files.append(filename)

    def set_loc_tracebacks_frame_limit(self, n: int | None) -> None:
        """Set the maximum number of frames in a location; None stands for the default."""
        self.loc_tracebacks_frame_limit = 10 if n is None else n


GLOBALS = Globals()
"""The settings of this process."""
