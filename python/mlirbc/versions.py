"""Versions of dialects: read, set, upgraded, downgraded; and attributes and types in other encodings.

A dialect that changes its operations increments its version, and hooks convert between versions.
A `mlirbc.dialects.BytecodeDialectInterface` has these hooks. They are called with values, after decoding
and before encoding.

>>> module = mlirbc.open("examples/two_layers.mlirbc")
>>> mlirbc.versions.dialect_versions(module)
{}
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, Never, Protocol, TypeAlias, TypeVar, cast

from mlirbc import _mlirbc, edit
from mlirbc._interface import BytecodeDialectInterface, Version
from mlirbc._mlirbc import (
    Attribute,
    Dialect,
    DialectBytecodeReader,
    DialectBytecodeWriter,
    DialectTable,
    Type,
    UnsupportedError,
)

__all__ = [
    "DialectCodec",
    "OpaqueVersion",
    "dialect_version",
    "dialect_versions",
    "downgrade",
    "override_attributes",
    "override_types",
    "read_version",
    "set_dialect_version",
    "upgrade",
    "write_version",
]


@dataclass(frozen=True, slots=True)
class OpaqueVersion:
    """A version whose bytes have no reader, or do not match the declaration in the table of the dialect.

    >>> mlirbc.versions.OpaqueVersion(b"\\x05").data
    b'\\x05'
    """

    data: bytes


class DialectCodec(BytecodeDialectInterface):
    """An interface made from functions, for versions only; every function is optional.

    - `read_version(data)`: the version from its bytes; it rejects them by raising.
    - `write_version(version)`: the bytes.
    - `upgrade(root, version)`: converts the contents of the editable operation `root` from that version to
      the current one, in place. It rejects a version by raising.
    - `downgrade(root, version)`: the reverse; returns problems as text, none on success.

    Without functions for the bytes, the version is a tuple of numbers, as the table of the dialect declares
    it. `Never` in the type of a function stands for the type of the versions that this codec reads.

    >>> codec = mlirbc.versions.DialectCodec("toy", read_version=lambda data: data[0])
    >>> codec.dialect
    'toy'
    """

    def __init__(
        self,
        dialect: str,
        read_version: Callable[[bytes], Version] | None = None,
        write_version: Callable[[Never], bytes] | None = None,
        upgrade: Callable[[edit.Operation, Never], None] | None = None,
        downgrade: Callable[[edit.Operation, Never], Sequence[str] | None] | None = None,
    ) -> None:
        self.dialect = dialect
        self._read = read_version
        self._write = write_version
        self._upgrade = upgrade
        self._downgrade = downgrade

    def read_version(self, reader: DialectBytecodeReader) -> Version | None:
        """Read the version with the function."""
        return None if self._read is None else self._read(reader.read_rest())

    def write_version(self, writer: DialectBytecodeWriter) -> bool | None:
        """Write the version with the function."""
        if self._write is None:
            return False
        writer.write_rest(self._write(cast(Never, writer.dialect_version(self.dialect))))
        return True

    def upgrade(self, root: edit.Operation, version: Version) -> None:
        """Upgrade with the function."""
        if self._upgrade is not None:
            self._upgrade(root, cast(Never, version))

    def downgrade(self, root: edit.Operation, version: Version) -> Sequence[str] | None:
        """Downgrade with the function."""
        return None if self._downgrade is None else self._downgrade(root, cast(Never, version))

    def _writes_versions(self) -> bool:
        return self._write is not None


Codecs: TypeAlias = Sequence[BytecodeDialectInterface]


def read_version(interface: BytecodeDialectInterface, data: bytes) -> Version | OpaqueVersion:
    """The version that the hook of a dialect reads from these bytes; `OpaqueVersion` without such a hook.

    Raises the errors of the hook, and `InvalidError` when it leaves bytes.

    >>> codec = mlirbc.versions.DialectCodec("toy", read_version=lambda data: data[0])
    >>> mlirbc.versions.read_version(codec, b"\\x05")
    5
    """
    version: Version | None = _mlirbc._read_interface_version(interface, data, None)
    return OpaqueVersion(data) if version is None else version


def write_version(interface: BytecodeDialectInterface, version: Version | None = None) -> bytes:
    """The bytes that the hook of a dialect writes for a version, or for the current one.

    Raises the errors of the hook.

    >>> codec = mlirbc.versions.DialectCodec("toy", write_version=lambda version: bytes([version]))
    >>> mlirbc.versions.write_version(codec, 5)
    b'\\x05'
    """
    return _mlirbc._interface_version_bytes(interface, version)


def dialect_version(
    module: _mlirbc.Module | edit.Module, dialect: str, codec: BytecodeDialectInterface | None = None
) -> Version | OpaqueVersion | None:
    """The version of a dialect in a file: the result of the codec, or else the numbers that the table of the
    dialect declares, or else an `OpaqueVersion`, also if the bytes do not match the declaration in the table;
    None if the file has none.

    Raises the errors of the codec.

    >>> mlirbc.versions.dialect_version(mlirbc.open("examples/two_layers.mlirbc"), "func") is None
    True
    """
    module = _read(module)
    # If several dialects have one name, the last one counts, as in MLIR.
    rows = [row for row in module.dialects if row.name == dialect]
    return _version(module, rows[-1], codec) if rows else None


def _read(module: _mlirbc.Module | edit.Module) -> _mlirbc.Module:
    return module.snapshot() if isinstance(module, edit.Module) else module


def _version(
    module: _mlirbc.Module, row: Dialect, codec: BytecodeDialectInterface | None
) -> Version | OpaqueVersion | None:
    if row.version is None:
        return None
    if codec is not None:
        version: Version | None = _mlirbc._read_interface_version(codec, row.version, module)
        if version is not None:
            return version
    # Asking for numbers goes through all dialects, and few have a table.
    has_table = _mlirbc._find_table(module, row.name) is not None
    numbers = _mlirbc._version_numbers(module, row.name) if has_table else None
    return OpaqueVersion(row.version) if numbers is None else tuple(numbers)


def dialect_versions(
    module: _mlirbc.Module | edit.Module, codecs: Codecs = ()
) -> dict[str, Version | OpaqueVersion]:
    """The versions of all dialects that have one, in file order.

    >>> mlirbc.versions.dialect_versions(mlirbc.open("examples/two_layers.mlirbc"))
    {}
    """
    module = _read(module)
    codec_by_dialect = {codec.dialect: codec for codec in codecs}
    last = {row.name: row for row in module.dialects}
    versions = {name: _version(module, row, codec_by_dialect.get(name)) for name, row in last.items()}
    return {name: version for name, version in versions.items() if version is not None}


def set_dialect_version(
    edited: edit.Module,
    dialect: str,
    version: Version | OpaqueVersion | bytes | None,
    *,
    codec: BytecodeDialectInterface | None = None,
    table: DialectTable | None = None,
    keep_opaque: bool = False,
    add: bool = False,
) -> bool:
    """Set the version of a dialect for writing; None removes it. Returns False if the module does not use the
    dialect; with `add` the dialect is added, but canonical numbering writes only dialects that are used.

    `version` is bytes, an `OpaqueVersion`, a value that the codec writes, or the numbers that the table of
    the dialect declares. Attributes and types whose encoding depends on the version, according to the table,
    are encoded again, and so are properties that a table declares; the caller changes the operations first.
    Properties, attributes and types of unknown layout may depend on the version, too; pass `keep_opaque` if
    they do not.

    Raises `UnsupportedError` below bytecode version 1 and for values of unknown layout, and `ValueError` if
    neither a codec nor a table can write the version.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> mlirbc.versions.set_dialect_version(edited, "arith", b"\\x03")
    True
    >>> mlirbc.versions.dialect_versions(mlirbc.read(edited.write()))
    {'arith': OpaqueVersion(data=b'\\x03')}
    """
    data = _bytes(dialect, version, codec, table)
    if add:
        _mlirbc._EditedTables(edited._editor).add_dialect(dialect)
    return _mlirbc._EditedTables(edited._editor).set_dialect_version(dialect, data, keep_opaque)


def _bytes(
    dialect: str,
    version: Version | OpaqueVersion | bytes | None,
    codec: BytecodeDialectInterface | None,
    table: DialectTable | None,
) -> bytes | None:
    if version is None or isinstance(version, bytes):
        return version
    if isinstance(version, OpaqueVersion):
        return version.data
    if codec is not None and codec._writes_versions():
        return _mlirbc._interface_version_bytes(codec, version)
    table = table or _mlirbc._find_table(None, dialect)
    if table is None or not isinstance(version, tuple):
        raise ValueError(
            f"cannot encode the version {version!r} of dialect {dialect}: pass a DialectCodec with"
            " `write_version`, or register a table with `version`"
        )
    return _mlirbc._version_bytes(table, list(version))


def upgrade(
    edited: edit.Module,
    module: _mlirbc.Module,
    codecs: Codecs,
    *,
    root: edit.Operation | None = None,
    unknown: Literal["pass", "refuse"] = "pass",
) -> dict[str, Version | OpaqueVersion]:
    """Run the upgrades of all dialects of the file that have a version and a codec, in file order, on
    `root`: the whole module, or an operation whose body was loaded later. Returns the versions that were
    read.

    A dialect with version bytes and no codec is accepted, or rejected with `unknown="refuse"`.

    >>> module = mlirbc.open("examples/two_layers.mlirbc")
    >>> mlirbc.versions.upgrade(module.edit(), module, [])
    {}
    """
    codec_by_dialect = {codec.dialect: codec for codec in codecs}
    versions: dict[str, Version | OpaqueVersion] = {}
    for row in module.dialects:
        if row.version is None:
            continue
        codec = codec_by_dialect.get(row.name)
        if codec is None and unknown == "refuse":
            raise UnsupportedError(f"no codec reads the version {row.version.hex()} of dialect {row.name}")
        versions[row.name] = dialect_version(module, row.name, codec)
    # MLIR reads all versions first, and upgrades when all operations exist.
    upgraded = [
        (codec_by_dialect[name], version) for name, version in versions.items() if name in codec_by_dialect
    ]
    upgraded = [(codec, version) for codec, version in upgraded if not _is_newer(codec, version)]
    current = {codec.dialect: _current_bytes(codec) for codec, _ in upgraded if _writes_current(codec)}
    with _writing_for(edited, current):
        for codec, version in upgraded:
            codec.upgrade(edited.operation if root is None else root, version)
    return versions


def _writes_current(codec: BytecodeDialectInterface) -> bool:
    """Whether the bytes of the current version are known; a `DialectCodec` needs a version to write."""
    is_codec = isinstance(codec, DialectCodec)
    return codec._writes_versions() and (codec.current_version is not None or not is_codec)


def _current_bytes(codec: BytecodeDialectInterface) -> bytes | None:
    version = codec.current_version if isinstance(codec, DialectCodec) else None
    return _mlirbc._interface_version_bytes(codec, version) or None


class _Ordered(Protocol):
    """A version that can be compared with another one of its dialect."""

    def __gt__(self, other: object, /) -> bool: ...


def _is_newer(codec: BytecodeDialectInterface, version: Version | OpaqueVersion) -> bool:
    """Whether a version is newer than all versions that a dialect knows, and passes.

    Raises `UnsupportedError` when the dialect refuses newer versions.
    """
    current = codec.current_version
    if current is None or isinstance(version, OpaqueVersion) or not cast(_Ordered, version) > current:
        return False
    if codec.newer_versions == "refuse":
        raise UnsupportedError(f"version {version} of {codec.dialect} is newer than {current}")
    return True


def _upgraded(module: _mlirbc.Module, interfaces: Codecs) -> bytes | None:
    """The bytes of a module after the upgrades of its interfaces; None when nothing changes.

    The versions of dialects that were upgraded become the current ones.
    """
    last = {interface.dialect: interface for interface in interfaces}
    upgrades = [interface for interface in last.values() if interface._has("upgrade")]
    attribute_hooks = [
        interface.override_attribute_on_read
        for interface in last.values()
        if interface._has("override_attribute_on_read")
    ]
    type_hooks = [
        interface.override_type_on_read
        for interface in last.values()
        if interface._has("override_type_on_read")
    ]
    refuses = [interface for interface in last.values() if interface.current_version is not None]
    has_version = {row.name for row in module.dialects if row.version is not None}
    upgrades = [interface for interface in upgrades if interface.dialect in has_version]
    for interface in refuses:
        if interface.dialect in has_version:
            _is_newer(interface, dialect_version(module, interface.dialect, interface))
    if not upgrades and not attribute_hooks and not type_hooks:
        return None
    edited = edit.Module(module)
    if type_hooks:
        override_types(edited, *type_hooks)
    if attribute_hooks:
        override_attributes(edited, *attribute_hooks)
    versions = upgrade(edited, module, upgrades)
    for interface in upgrades:
        version = versions[interface.dialect]
        if interface._writes_versions() and not _is_newer(interface, version):
            set_dialect_version(edited, interface.dialect, _current_bytes(interface), keep_opaque=True)
    return edited.write() if edited.is_changed else None


def downgrade(
    edited: edit.Module, versions: Mapping[str, Version], codecs: Codecs, *, keep_opaque: bool = False
) -> list[str]:
    """Convert a module to older versions of its dialects and set them for writing; returns problems, none on
    success. If there are problems no version is set, but codecs may have changed operations.

    Properties, attributes and types of unknown layout are problems; pass `keep_opaque` if they do not depend
    on the version.

    While the codecs run, properties that are set by name are written for the older versions.

    Raises `ValueError` for a version that neither a codec nor a table can write.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> codec = mlirbc.versions.DialectCodec("func", write_version=lambda version: bytes([version]),
    ...     downgrade=lambda root, version: ["func has had no version 0"] if version == 0 else None)
    >>> mlirbc.versions.downgrade(edited, {"func": 0}, [codec])
    ['func has had no version 0']
    """
    codec_by_dialect = {codec.dialect: codec for codec in codecs}
    problems: list[str] = []
    encoded = {
        name: _bytes(name, version, codec_by_dialect.get(name), None) for name, version in versions.items()
    }
    with _writing_for(edited, encoded):
        for name, version in versions.items():
            codec = codec_by_dialect.get(name)
            if codec is not None:
                problems += codec.downgrade(edited.operation, version) or ()
    on_write = [codec for codec in codec_by_dialect.values() if codec._has("override_type_on_write")]
    if on_write:
        override_types(edited, *(codec.override_type_on_write for codec in on_write))
    on_write = [codec for codec in codec_by_dialect.values() if codec._has("override_attribute_on_write")]
    if on_write:
        override_attributes(edited, *(codec.override_attribute_on_write for codec in on_write))
    for name, data in encoded.items():
        if not keep_opaque and data != _mlirbc._EditedTables(edited._editor).dialect_version(name):
            opaque = _mlirbc._EditedTables(edited._editor).opaque_for_version(name, data)
            problems += [
                f"{contents}: their layout is unknown and may depend on the version" for contents in opaque
            ]
    if not problems:
        for name, data in encoded.items():
            _mlirbc._EditedTables(edited._editor).set_dialect_version(name, data, keep_opaque)
    return problems


@contextmanager
def _writing_for(edited: edit.Module, versions: Mapping[str, bytes | None]) -> Iterator[None]:
    """Properties are written for these versions, while operations are converted to them."""
    _mlirbc._EditedTables(edited._editor).set_target_versions(list(versions.items()))
    try:
        yield
    finally:
        _mlirbc._EditedTables(edited._editor).set_target_versions([])


# ---- other encodings ----


def override_types(edited: edit.Module, *hooks: Callable[[Type], Type | None]) -> int:
    """Replace the types for which a hook returns another type; the first hook that does so decides.

    The callbacks of MLIR's writer and reader do the same: a type of a made-up dialect, whose encoding a table
    declares, replaces another one in the file. Hooks run once for each type, on values. What refers to the
    type refers to the new one. Returns how many were replaced.

    Raises `InvalidError` if a type would contain itself.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> f32, f64 = mlirbc.types.F32Type.get(), mlirbc.types.F64Type.get()
    >>> mlirbc.versions.override_types(edited, lambda type: f64 if type == f32 else None)
    1
    """
    editor = edited._editor
    values = [
        _mlirbc._EditedTables(editor).type_at(index)
        for index in range(_mlirbc._EditedTables(editor).type_count())
    ]
    return _override(values, hooks, lambda index, new: _mlirbc._EditedTables(editor).replace_type(index, new))


def override_attributes(edited: edit.Module, *hooks: Callable[[Attribute], Attribute | None]) -> int:
    """Replace the attributes for which a hook returns another attribute; the first such hook decides.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> old, new = mlirbc.attributes.StringAttr.get("main"), mlirbc.attributes.StringAttr.get("entry")
    >>> mlirbc.versions.override_attributes(edited, lambda attribute: new if attribute == old else None)
    1
    """
    editor = edited._editor
    count = _mlirbc._EditedTables(editor).attribute_count()
    values = [_mlirbc._EditedTables(editor).attribute_at(index) for index in range(count)]
    return _override(
        values, hooks, lambda index, new: _mlirbc._EditedTables(editor).replace_attribute(index, new)
    )


_T = TypeVar("_T")


def _override(
    values: list[_T], hooks: Sequence[Callable[[_T], _T | None]], replace: Callable[[int, _T], None]
) -> int:
    # All hooks run before any type is replaced, so a hook never sees the result of another one.
    hook_results = ((index, (hook(value) for hook in hooks)) for index, value in enumerate(values))
    answers = [(index, next((new for new in news if new is not None), None)) for index, news in hook_results]
    replacements = [(index, new) for index, new in answers if new is not None]
    for index, new in replacements:
        replace(index, new)
    return len(replacements)
