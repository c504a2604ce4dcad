"""How pickled modules, operations, attributes and types are made again."""

import os
from collections.abc import Callable
from typing import Literal, TypedDict

from mlirbc import _mlirbc

_Stamp = tuple[int, int]


class _Keywords(TypedDict, total=False):
    limits: _mlirbc.Limits
    release: str
    unknown_dialects: list[str]
    layouts: dict[str, str]
    module: int | str


class _OpenKeywords(_Keywords, total=False):
    backend: Literal["map", "read"]
    allow_redirects: bool


def open(source: str, stamp: "_Stamp | None", keywords: _OpenKeywords) -> _mlirbc.Module:
    """The module of a file that must be as it was when the module was opened."""
    if stamp is not None:
        status = os.stat(source)
        if (status.st_size, status.st_mtime_ns) != stamp:
            raise OSError(f"{source} has changed since the pickled module was opened; open the file instead")
    return _mlirbc.open(source, **keywords)


def read(data: bytes, keywords: _Keywords) -> _mlirbc.Module:
    """The module of these bytes."""
    return _mlirbc.read(data, **keywords)


def operation(module: _mlirbc.Module, steps: tuple[tuple[int, int, int], ...]) -> _mlirbc.Operation:
    """The operation at a position: region, block and number at each level, outermost first."""
    return _mlirbc._operation_at(module, steps)


def limits(
    max_depth: int, max_memory: int | None, max_text: int | None, max_decompressed: int | None
) -> _mlirbc.Limits:
    """Limits with these values."""
    return _mlirbc.Limits(
        max_depth=max_depth, max_memory=max_memory, max_text=max_text, max_decompressed=max_decompressed
    )


def reduced_entry(
    entry: _mlirbc.Attribute | _mlirbc.Type,
) -> tuple[Callable[[bytes], _mlirbc.Attribute | _mlirbc.Type], tuple[bytes]]:
    """The pickled form of an attribute or a type: a module with its value and its resource."""
    from mlirbc import edit

    edited = edit.Module.create()
    if isinstance(entry, _mlirbc.Attribute):
        edited.operation.attributes[_NAME] = entry
        return attribute, (bytes(edited.write(numbering="canonical")),)
    from mlirbc._attributes import TypeAttr

    edited.operation.attributes[_NAME] = TypeAttr.get(entry)
    return type, (bytes(edited.write(numbering="canonical")),)


_NAME = "mlirbc.pickled"


def attribute(data: bytes) -> _mlirbc.Attribute:
    """The attribute of a module that `reduced_entry` made."""
    return _mlirbc.read(data).operation.attributes[_NAME]


def type(data: bytes) -> _mlirbc.Type:
    """The type of a module that `reduced_entry` made."""
    from mlirbc._attributes import TypeAttr

    return TypeAttr(attribute(data)).value
