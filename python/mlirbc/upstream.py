"""Modules in the MLIR Python bindings of jaxlib, IREE or another build of MLIR, and back.

>>> from jaxlib.mlir import ir
>>> module = mlirbc.parse('"my.op"() {level = 3 : i32} : () -> ()')
>>> with ir.Context() as context:
...     context.allow_unregistered_dialects = True
...     translated = mlirbc.upstream.to_ir(module, context)
...     print(translated.body.operations[0].attributes["level"])
3 : i32
"""

import importlib
import io
import re
from importlib import metadata
from typing import Protocol, TypeVar, cast

from mlirbc import _mlirbc

__all__ = ["HasOperation", "from_ir", "to_ir"]


class _Bytecode(Protocol):
    def write_bytecode(self, file: io.BytesIO, /) -> object: ...


class HasOperation(Protocol):
    """A module of the bindings: it has an operation that writes bytecode.

    >>> from jaxlib.mlir import ir
    >>> hasattr(ir.Module, "operation")
    True
    """

    @property
    def operation(self) -> _Bytecode:
        """The operation of the module."""
        ...


# The packages with bindings that mlirbc knows the releases of: the distribution, and the prefix of its
# releases.
_PACKAGES = {"jaxlib": ("jaxlib", "jaxlib-"), "iree": ("iree-base-compiler", "iree-")}

_Context = TypeVar("_Context")


def to_ir(module: _mlirbc.Module, context: object, *, target: str | None = None) -> HasOperation:
    """The module as `ir.Module` of the bindings that `context` belongs to.

    It is written as bytecode of the release that the bindings read, `target` or that of the installed
    package, and read by the bindings. The context needs the dialects of the module, or
    `allow_unregistered_dialects`.

    Raises `TypeError` for an object that is no context; `ValueError` when the release is not known, so that
    `target` must say it; `UnsupportedError` for contents that the release cannot represent; and `MLIRError`
    of the bindings for contents that they refuse.

    >>> from jaxlib.mlir import ir
    >>> str(mlirbc.upstream.to_ir(mlirbc.parse("module @empty {}"), ir.Context())).split()
    ['module', '@empty', '{', '}']
    """
    package = _package(context)
    data = module.write(target=target or _release(package))
    ir = importlib.import_module(f"{package}.ir")
    return cast(HasOperation, ir.Module.parse(bytes(data), context))


def from_ir(module: HasOperation, *, release: str | None = None) -> _mlirbc.Module:
    """The module of the bindings, by the bytecode that they write.

    `release` is that of `mlirbc.open`; by default it is detected.

    >>> from jaxlib.mlir import ir
    >>> mlirbc.upstream.from_ir(ir.Module.parse("module @empty {}", ir.Context())).op_counts()
    {'builtin.module': 1}
    """
    file = io.BytesIO()
    module.operation.write_bytecode(file)
    return _mlirbc.read(file.getvalue(), release=release)


def _package(context: object) -> str:
    """The package of the bindings: a context may be of a class that extends theirs."""
    for base in type(context).__mro__:
        package, separator, _ = base.__module__.partition("._mlir_libs")
        if separator:
            return package
    raise TypeError(f"expected a context of MLIR's Python bindings, found {type(context).__name__}")


def _release(package: str) -> str:
    names = _PACKAGES.get(package.split(".")[0])
    if names is None:
        raise ValueError(f"the release of MLIR in {package} is not known; name it with `target`")
    distribution, prefix = names
    version = _numbers(metadata.version(distribution))
    releases = [name for name in _mlirbc.known_releases() if name.startswith(prefix)]
    release = _nearest(version, {_numbers(name.removeprefix(prefix)): name for name in releases})
    if release is None:
        raise ValueError(f"{distribution} {metadata.version(distribution)} is older than {min(releases)}")
    return release


def _nearest(version: tuple[int, ...], releases: dict[tuple[int, ...], str]) -> str | None:
    """The release of a version, or of its series (`jaxlib-0.7`), or the newest one that is not newer."""
    same = [numbers for numbers in releases if version[: len(numbers)] == numbers]
    older = [numbers for numbers in releases if numbers <= version]
    if not older:
        return None
    return releases[max(same, key=len) if same else max(older)]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version.split("rc")[0]))
