"""Files with all their modules: a JAX export is a container, a function and its derivatives.

`mlirbc.open` returns one module of a file; `open_artifact` returns the file.

>>> artifact = mlirbc.open_artifact("examples/mlp.jax")
>>> [module.path for module in artifact.modules]
['main', 'vjp']
>>> len(artifact.write(strip_locations=True)) < len(artifact.write())
True
"""

import json
import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NotRequired, TypedDict, Unpack

import mlirbc
from mlirbc import _mlirbc
from mlirbc.containers import ContainedModule, Container

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from typing_extensions import Buffer

    from mlirbc._interface import BytecodeDialectInterface

__all__ = [
    "Artifact",
    "ArtifactDifference",
    "EmbeddedObject",
    "FieldChange",
    "JaxReader",
    "NestedModule",
    "open_artifact",
]


class _OpenKeywords(TypedDict):
    backend: NotRequired[Literal["map", "read"]]
    release: NotRequired[str | None]
    dialects: "NotRequired[Iterable[_mlirbc._Table | BytecodeDialectInterface] | None]"
    schemas: "NotRequired[Iterable[_mlirbc._Schema] | None]"
    unknown_dialects: "NotRequired[Sequence[str] | None]"
    layouts: NotRequired[dict[str, str] | None]
    require_known: NotRequired[bool]
    allow_redirects: NotRequired[bool]


class _WriteKeywords(TypedDict):
    numbering: NotRequired[Literal["preserve", "canonical", "strictest"] | None]
    version: NotRequired[int | None]
    target: NotRequired[str | None]
    producer: NotRequired[str | bytes | None]
    drop_unsupported: NotRequired[bool]
    strip_locations: NotRequired[bool]
    strip_resources: NotRequired[bool]


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field of a container that differs; `before` or `after` is None if there is no such field.

    >>> mlirbc.artifacts.FieldChange("main", "platforms", "cpu", "tpu").field
    'platforms'
    """

    module: str
    field: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class ArtifactDifference:
    """The differences between two artifacts: fields, and the paths of modules.

    `changed` has modules of both artifacts; `added` and `removed` have modules of one.

    >>> artifact = mlirbc.open_artifact("examples/mlp.jax")
    >>> artifact.diff(artifact)
    ArtifactDifference(fields=(), changed=(), added=(), removed=())
    """

    fields: tuple[FieldChange, ...]
    changed: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]

    @property
    def equal(self) -> bool:
        """Whether nothing differs."""
        return not (self.fields or self.changed or self.added or self.removed)


@dataclass(frozen=True, slots=True)
class JaxReader:
    """The behaviour of a release of JAX with an export.

    It calls the export if there are no `reasons`; `notes` say what is lost without an error. A release that
    was not probed is `like` the one before it.

    >>> reader = mlirbc.open_artifact("examples/mlp.jax").jax_reader("0.8.0")
    >>> reader.calls
    False
    >>> print(*reader.reasons)
    it expects the number of devices in `nr_devices_short`, and the file has it in `nr_devices` only
    """

    version: str
    like: str | None
    reasons: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def calls(self) -> bool:
        """Whether the release calls the export."""
        return not self.reasons


@dataclass(frozen=True, slots=True)
class NestedModule:
    """A module in an attribute: the kernel of a custom call, for example.

    `host` is the target of the custom call or the name of the operation, `version` the attribute with the
    version of the stable dialect of the module, and `hash_matches` whether the hash that is stored with the
    module is its own; None where there is none.

    >>> kernel = mlirbc.open_artifact("tests/data/containers/tpu_kernel.jax").nested[0]
    >>> kernel.path, kernel.host, kernel.is_text, kernel.version
    ('main/kernels/blocked_dot', 'tpu_custom_call', False, ('stable_mosaic.version', 11))
    """

    path: str
    host: str
    is_text: bool
    data: bytes
    version: tuple[str, int] | None
    hash_matches: bool | None


@dataclass(frozen=True, slots=True)
class EmbeddedObject:
    """Something in an attribute that holds modules elsewhere, but that is not MLIR, such as `a zip archive`.

    >>> mlirbc.open_artifact("examples/mlp.jax").objects
    ()
    """

    path: str
    host: str
    kind: str
    data: bytes


class Artifact:
    """A file with its container and all its modules, each of which is opened when it is asked for.

    >>> artifact = mlirbc.open_artifact("examples/mlp.jax")
    >>> artifact
    <mlirbc.artifacts.Artifact with main, vjp>
    >>> artifact.module("vjp").container.module
    1
    """

    __slots__ = ("_main",)

    def __init__(self, main: _mlirbc.Module) -> None:
        self._main = main

    @property
    def container(self) -> Container | None:
        """The container around the modules; None for a file that is bytecode from its first byte."""
        return self._main.container

    @property
    def modules(self) -> tuple[ContainedModule, ...]:
        """The modules, of which the first one is `main`."""
        container = self.container
        if container is None:
            return (ContainedModule("main", "", 0, self._main.bytecode.size),)
        return container.modules

    @property
    def nested(self) -> tuple[NestedModule, ...]:
        """The modules in attributes of all modules, at any depth.

        Raises `ReadError` if an attribute does not hold what it should, and `LimitError` if more than 16
        modules are in one another.
        """
        return tuple(NestedModule(*row) for row in _mlirbc._nested_contents(self._main)[0])

    @property
    def objects(self) -> tuple[EmbeddedObject, ...]:
        """Objects in attributes that hold modules, but are not MLIR, found as for `nested`."""
        return tuple(EmbeddedObject(*row) for row in _mlirbc._nested_contents(self._main)[1])

    def module(self, path: str | int = "main") -> _mlirbc.Module:
        """The module with a path, such as `vjp` or `main/kernels/matmul`, or else with a name or an index.

        A nested module that is stored as text is parsed. Raises `InvalidError` if there is none.

        >>> artifact = mlirbc.open_artifact("tests/data/containers/tpu_kernel.jax")
        >>> artifact.module("main/kernels/blocked_dot").bytecode.version
        0
        """
        if isinstance(path, int):
            if not 0 <= path < len(self.modules):
                raise _mlirbc.InvalidError(f"expected an index below {len(self.modules)}, found {path}")
            path = self.modules[path].path
        if "/kernels/" in path:
            return _mlirbc._open_nested(self._main, path)
        return self._main if path == "main" else _mlirbc._sibling(self._main, path)

    def with_modules(self, modules: "Mapping[str, Buffer | _mlirbc.Module]") -> "Artifact":
        """The artifact with other modules, or bytes of modules, at some paths; all else is kept.

        The attribute that holds a nested module keeps everything else, operations that share it share the new
        one, and a hash that was its own is computed again.

        Raises `InvalidError` if there is no module with a path, and `ReadError` if bytes are not a module.

        >>> artifact = mlirbc.open_artifact("tests/data/containers/tpu_kernel.jax")
        >>> kernel = artifact.module("main/kernels/blocked_dot").write(strip_locations=True)
        >>> changed = artifact.with_modules({"main/kernels/blocked_dot": kernel})
        >>> changed.nested[0].data == kernel, len(changed.write()) < len(artifact.write())
        (True, True)
        """
        written = {
            path: module.write() if isinstance(module, _mlirbc.Module) else module
            for path, module in modules.items()
        }
        return Artifact(_mlirbc._with_modules(self._main, written))

    def __iter__(self) -> "Iterator[_mlirbc.Module]":
        return (self.module(module.path) for module in self.modules)

    def get_asm(self, path: str = "main") -> str:
        """The text of a module, with its kernels as comments below the operations that hold them.

        It is the text of `mlirbc print --nested`; that of `mlirbc.Module.get_asm` has no kernels.

        >>> artifact = mlirbc.open_artifact("tests/data/containers/tpu_kernel.jax")
        >>> next(line for line in artifact.get_asm().splitlines() if "// kernel" in line).strip()
        '// kernel main/kernels/blocked_dot: tpu_custom_call, stable_mosaic 11, 1506 bytes'
        """
        return _mlirbc._nested_text(self.module(path), path)

    def verify(self) -> dict[str, _mlirbc.Verification]:
        """Verify all modules and the kernels in them, by path, and read the fields of the container.

        Raises the errors of `mlirbc.Module.verify`.

        >>> list(mlirbc.open_artifact("examples/mlp.jax").verify())
        ['main', 'vjp']
        """
        return dict(_mlirbc._verify_artifact(self._main))

    def hash(self, *, locations: bool = False, stored_facts: bool = False) -> str:
        """A key of the content: of all modules, and of the fields of the container.

        For a file of bytecode it is the key of the module; `mlirbc.hash` has the keywords.

        >>> artifact = mlirbc.open_artifact("examples/mlp.jax")
        >>> artifact.hash() == mlirbc.hash(artifact.module())
        False
        """
        return _mlirbc._artifact_key(self._main, locations, stored_facts)

    def diff(self, other: "Artifact", *, locations: bool = False) -> ArtifactDifference:
        """The differences to another artifact; `mlirbc.diff` shows how two modules differ."""
        record = json.loads(_mlirbc._artifact_difference(self._main, other._main, locations))
        modules = record["modules"]
        return ArtifactDifference(
            fields=tuple(FieldChange(**change) for change in record["fields"]),
            changed=tuple(
                row["path"] for row in modules if row["difference"] and not row["difference"]["equal"]
            ),
            added=tuple(row["path"] for row in modules if row["only"] == "added"),
            removed=tuple(row["path"] for row in modules if row["only"] == "removed"),
        )

    def jax_reader(self, version: str) -> JaxReader:
        """How a release of JAX, such as `0.8.3`, reads the export.

        Raises `ValueError` if the file is not a JAX export, and `InvalidError` for an unknown release.
        """
        text = _mlirbc._jax_reader(self._main, version)
        if text is None:
            raise ValueError("the file is not a JAX export")
        record = json.loads(text)
        return JaxReader(record["version"], record["like"], tuple(record["reasons"]), tuple(record["notes"]))

    def for_jax(self, version: str) -> "Artifact":
        """The artifact for a release of JAX, such as `0.7.2`: modules and container as it reads them.

        Newer releases read it, too. What is lost is a `UserWarning`. Raises `UnsupportedError` if the release
        has no form for something, and `InvalidError` for an unknown release.

        >>> older = mlirbc.open_artifact("examples/mlp.jax").for_jax("0.7.2")
        >>> older.jax_reader("0.7.2").calls
        True
        """
        written, like, notes = _mlirbc._for_jax(self._main, version)
        if like is not None:
            notes = [f"JAX {version} is not known; the file is for {like}", *notes]
        for note in notes:
            warnings.warn(note, UserWarning, stacklevel=2)
        return Artifact(mlirbc.open(written))

    def specialize(
        self, dims: Mapping[str, int] | None = None, inputs: Mapping[str, str] | None = None
    ) -> "Artifact":
        """The artifact with static shapes: modules, derivatives, and the types in the container.

        `dims` gives sizes to symbolic dimensions; `arg0.1` is the open dimension 1 of argument 0 of a module
        outside a JAX export. `inputs` gives types to arguments by name. Raises `UnsupportedError` with the
        operation whose shape cannot be computed, and `InvalidError` for a missing size and for an assertion
        about shapes that does not hold.

        >>> artifact = mlirbc.open_artifact("tests/data/containers/norm.jax")
        >>> [str(aval) for aval in artifact.specialize({"batch": 4}).container.exported.in_avals]
        ['bfloat16[4,8]']
        """
        written = _mlirbc._specialize(self._main, list((dims or {}).items()), list((inputs or {}).items()))
        return Artifact(mlirbc.open(written))

    def write(self, **keywords: Unpack[_WriteKeywords]) -> bytes:
        """The file with all modules as `mlirbc.Module.write` writes them; the container is kept.

        `strip_locations` and `strip_resources` apply to nested modules, too.

        >>> from pathlib import Path
        >>> mlirbc.open_artifact("examples/mlp.jax").write() == Path("examples/mlp.jax").read_bytes()
        True
        """
        written = self._write(None, keywords)
        assert written is not None
        return written

    def save(self, path: str | os.PathLike[str], **keywords: Unpack[_WriteKeywords]) -> None:
        """As `write`, to a file that appears or is replaced in one step."""
        self._write(path, keywords)

    def _write(self, path: str | os.PathLike[str] | None, keywords: _WriteKeywords) -> bytes | None:
        return _mlirbc._write_artifact(
            self._main,
            path,
            keywords.pop("numbering", None),
            keywords.pop("version", None),
            keywords.pop("target", None),
            keywords.pop("producer", None),
            keywords.pop("drop_unsupported", False),
            keywords.pop("strip_locations", False),
            keywords.pop("strip_resources", False),
        )

    def __repr__(self) -> str:
        return f"<mlirbc.artifacts.Artifact with {', '.join(module.path for module in self.modules)}>"


def open_artifact(
    source: "str | os.PathLike[str] | Buffer",
    *,
    limits: "_mlirbc.Limits | None" = None,
    hosts: "Iterable[str | os.PathLike[str]] | None" = None,
    **keywords: Unpack[_OpenKeywords],
) -> Artifact:
    """Open a file with all its modules; `mlirbc.open` has the same keywords, except for `module`.

    `hosts` are files with tables of operations and custom calls that hold modules in attributes; those that
    mlirbc brings along apply, too. A table that is invalid raises `InvalidError` with the line.

    >>> mlirbc.open_artifact("examples/two_layers.mlirbc").modules[0].path
    'main'
    """
    main = mlirbc.open(source, limits=limits, **keywords)
    if hosts is not None:
        main = _mlirbc._with_hosts(main, [Path(table).read_text(encoding="utf-8") for table in hosts])
    return Artifact(main)
