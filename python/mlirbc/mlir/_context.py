"""Contexts, and the stack of open `with` statements.

A context has no attributes, types and dialects of its own: those of mlirbc belong to the process. It knows
what its user decided (unregistered dialects, handlers of diagnostics), and the modules that were made in it.
"""

import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import TracebackType
from typing import TYPE_CHECKING, ClassVar, Self

from mlirbc import _locations, _mlirbc
from mlirbc.mlir import not_available
from mlirbc.mlir._static import StaticProperty

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from mlirbc.mlir._diagnostics import Diagnostic, DiagnosticHandler
    from mlirbc.mlir._dialects import DialectDescriptor, Dialects
    from mlirbc.mlir._insertion import InsertionPoint
    from mlirbc.mlir._module import Module

__all__ = [
    "Context",
    "DialectRegistry",
    "ThreadPool",
    "context_of_value",
    "current_context",
    "resolve_context",
]


@dataclass(frozen=True, slots=True)
class ContextFrame:
    """The context, insertion point and location of an open `with` statement."""

    context: "Context"
    insertion_point: "InsertionPoint | None" = None
    location: "_locations.Location | None" = None


class _Thread(threading.local):
    def __init__(self) -> None:
        self.frames: list[ContextFrame] = []
        # The context that was used last, for values, which do not know theirs.
        self.last: weakref.ref[Context] | None = None


_thread = _Thread()


def top_frame() -> ContextFrame | None:
    """The innermost `with` statement of this thread."""
    return _thread.frames[-1] if _thread.frames else None


def push(
    context: "Context",
    insertion_point: "InsertionPoint | None" = None,
    location: "_locations.Location | None" = None,
) -> None:
    """Enters a `with` statement. Insertion point and location stay unless given, if the context stays."""
    top = top_frame()
    if top is not None and top.context is context:
        insertion_point = insertion_point or top.insertion_point
        location = location or top.location
    _thread.frames.append(ContextFrame(context, insertion_point, location))
    _thread.last = weakref.ref(context)


def pop() -> None:
    """Leaves the innermost `with` statement."""
    _thread.frames.pop()


class ThreadPool:
    """A number of threads; contexts accept it, and nothing uses it.

    >>> ThreadPool().get_max_concurrency() > 0
    True
    """

    def get_max_concurrency(self) -> int:
        """The number of processors."""
        import os

        return os.cpu_count() or 1

    def _mlir_thread_pool_ptr(self) -> str:
        return hex(id(self))


class DialectRegistry:
    """A set of dialects. mlirbc knows its dialects without one, so this is empty.

    >>> Context().append_dialect_registry(DialectRegistry())
    """


class Context:
    """The surroundings in which modules are made.

    >>> with Context() as context:
    ...     Context.current is context
    True
    """

    _live: ClassVar["weakref.WeakSet[Context]"] = weakref.WeakSet()

    def __init__(
        self,
        *_: object,
        load_on_create_dialects: Sequence[str] | None = None,
        thread_pool: ThreadPool | None = None,
    ) -> None:
        self.allow_unregistered_dialects = False
        """Whether operations of unknown dialects are valid."""
        self.emit_error_diagnostics = False
        """Whether errors go to the handlers of diagnostics rather than into exceptions."""
        self.enable_traceback = False
        self._release: str | None = None
        # The dialects that are loaded; None for all.
        self._loaded = None if load_on_create_dialects is None else {"builtin", *load_on_create_dialects}
        self._handlers: list[DiagnosticHandler] = []
        self._modules: weakref.WeakSet[Module] = weakref.WeakSet()
        self._thread_pool = thread_pool or ThreadPool()
        # Buffers of `DenseResourceElementsAttr.get_from_buffer` and their alignments, by key.
        self._blobs: dict[str, tuple[Buffer, int]] = {}
        Context._live.add(self)
        if _thread.last is None or _thread.last() is None:
            _thread.last = weakref.ref(self)

    current: "StaticProperty[Context | None]" = StaticProperty(lambda: current_context())

    def __enter__(self) -> Self:
        push(self)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        pop()

    @property
    def release(self) -> str:
        """The release that new modules are for, as in `mlirbc.edit.Module.create`; can be set.

        By default it is LLVM 22, or the release that has the dialects whose modules were imported, as
        `mlirbc.parse` chooses it: that of JAX after `from mlirbc.mlir.dialects import stablehlo`.
        """
        from mlirbc.mlir._dialects import imported_dialects

        return self._release or _release_with(imported_dialects())

    @release.setter
    def release(self, release: str) -> None:
        self._release = release

    @property
    def dialects(self) -> "Dialects":
        """The dialects with classes for their operations, by name."""
        from mlirbc.mlir._dialects import Dialects

        return Dialects(self)

    @property
    def d(self) -> "Dialects":
        """A short name of `dialects`."""
        return self.dialects

    def get_dialect_descriptor(self, dialect_name: str) -> "DialectDescriptor":
        """The dialect with this name. Raises `ValueError` if no release has it."""
        from mlirbc.mlir._dialects import DialectDescriptor, is_known

        if not is_known(dialect_name):
            raise ValueError(f"Dialect '{dialect_name}' not found.")
        return DialectDescriptor(self, dialect_name)

    def is_registered_operation(self, operation_name: str) -> bool:
        """Whether a release, or a pack that was loaded, has the operation."""
        return is_registered_operation(operation_name)

    def is_dialect_loaded(self, dialect_name: str) -> bool:
        """Whether operations of the dialect are registered in this context."""
        from mlirbc.mlir._dialects import is_known

        is_loaded = self._loaded is None or dialect_name in self._loaded
        return is_loaded and is_known(dialect_name)

    def append_dialect_registry(self, registry: object) -> None:
        """Accept a registry of other bindings or of `DialectRegistry`; dialects need no registration."""

    def load_all_available_dialects(self) -> None:
        """Do nothing: dialects need not be loaded."""

    def enable_multithreading(self, enable: bool) -> None:
        """Do nothing: no passes run."""

    def set_thread_pool(self, pool: ThreadPool) -> None:
        """Keep a pool of threads, which nothing uses."""
        self._thread_pool = pool

    def get_num_threads(self) -> int:
        """The number of threads of the pool."""
        return self._thread_pool.get_max_concurrency()

    def _mlir_thread_pool_ptr(self) -> str:
        return self._thread_pool._mlir_thread_pool_ptr()

    def attach_diagnostic_handler(self, callback: "Callable[[Diagnostic], bool]") -> "DiagnosticHandler":
        """Call `callback` for each diagnostic. It returns whether it handled the diagnostic; otherwise the
        handler that was attached before is asked.
        """
        from mlirbc.mlir._diagnostics import DiagnosticHandler

        handler = DiagnosticHandler(self, callback)
        self._handlers.append(handler)
        return handler

    def _add_blob(self, name: str, data: "Buffer", alignment: int) -> str:
        """Keeps a buffer, and returns the key of its resource."""
        key, number = name, 0
        while key in self._blobs:
            number += 1
            key = f"{name}_{number}"
        self._blobs[key] = data, alignment
        return key

    def _get_context_again(self) -> "Context":
        return self

    @staticmethod
    def _get_live_count() -> int:
        return len(Context._live)

    def _get_live_module_count(self) -> int:
        return len(self._modules)

    @property
    def _CAPIPtr(self) -> object:
        raise not_available("a capsule of a context")

    @staticmethod
    def _CAPICreate(capsule: object) -> "Context":
        raise not_available("a capsule of a context")


_NEWEST = "llvm-22"


@lru_cache(maxsize=256)
def _release_with(dialects: frozenset[str]) -> str:
    """The release that `mlirbc.parse` chooses for operations of these dialects."""
    newest_dialects = {"builtin", *_mlirbc._generated_dialects(_NEWEST)}
    release = _mlirbc._release_of_dialects(sorted(dialects - newest_dialects), _NEWEST)
    if release is None:
        return _NEWEST
    # A pack includes the dialects of its release of LLVM.
    if release not in _mlirbc._generated_releases():
        return release
    # The properties of the other dialects must be known there, too.
    known_dialects = {"builtin", *_mlirbc._generated_dialects(release)}
    return release if dialects & newest_dialects <= known_dialects else _NEWEST


def register_jax_dialect(context: Context | None = None, load: bool = True) -> None:
    """Make new modules of a context for the release of JAX, which has the dialects of StableHLO."""
    resolve_context(context).release = _release_with(frozenset(("stablehlo",)))


def current_context() -> Context | None:
    """The context of the innermost `with` statement."""
    top = top_frame()
    return None if top is None else top.context


_NO_CONTEXT = (
    "An MLIR function requires a Context but none was provided in the call or from the surrounding "
    "environment. Either pass to the function with a 'context=' argument or establish a default using "
    "'with Context():'"
)


def resolve_context(context: object = None) -> Context:
    """The context that was passed, or the current one. Raises `RuntimeError` if there is none."""
    if isinstance(context, Context):
        return context
    if context is not None:
        raise TypeError(f"expected a Context, found {type(context).__name__}")
    current = current_context()
    if current is None:
        raise RuntimeError(_NO_CONTEXT)
    return current


_fallback: list[Context] = []


def context_of_value() -> Context:
    """The context of an attribute or a type, which do not know theirs: the current one, or the one that this
    thread used last.
    """
    context = current_context() or (_thread.last() if _thread.last else None)
    if context is None:
        if not _fallback:
            _fallback.append(Context())
        context = _fallback[0]
    return context


def remembered_context(context: object) -> Context | None:
    """The context to remember for a new location: the one that was passed, or the current one."""
    return context if isinstance(context, Context) else current_context()


@lru_cache(maxsize=4096)
def traits_of(name: str) -> tuple[str, ...] | None:
    """The traits of an operation, by the newest definition; None for an unknown operation."""
    definition = _mlirbc._operation_definition(name)
    return None if definition is None else tuple(definition[3])


def is_registered_operation(name: str) -> bool:
    """Whether a release has the operation."""
    return traits_of(name) is not None


_locations.remembered_context = remembered_context
_locations.context_of_value = context_of_value
_locations.enter_location = lambda location: push(location.context, None, location)
_locations.leave_location = pop


class _GlobalDebug:
    """Upstream's flag for the output of LLVM's debugging; nothing reads it here."""

    flag = False
    types: str | list[str] = ""

    @staticmethod
    def set_types(types: str | list[str]) -> None:
        """Keep the types of debugging output."""
        _GlobalDebug.types = types
