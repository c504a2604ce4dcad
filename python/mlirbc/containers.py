"""Files that hold modules within something else: JAX exports, SavedModels, and compressed files.

`mlirbc.open` recognises them, and `module.container` describes the one that a module was read from.

>>> module = mlirbc.open("examples/mlp.jax")
>>> module.container
<mlirbc.containers.Container jax.export, module 0 of 2>
>>> print(*module.container.exported.in_avals)
float32[16] float32[8,16] float32[16,4] float32[2,8]
"""

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NotRequired, TypedDict

from mlirbc import _mlirbc

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["Aval", "ContainedModule", "Container", "Exported", "MeshAxis", "NamedSharding"]


class _Aval(TypedDict):
    shape: list[str]
    dtype: str
    memory_space: str | None


class _Axis(TypedDict):
    name: str
    size: int
    type: str | None


class _Sharding(TypedDict):
    mesh: list[_Axis]
    spec: list[list[str]]
    reduced: list[str]
    unreduced: list[str]
    memory_kind: str | None


class _Exported(TypedDict):
    fun_name: str
    serialization_version: int
    oldest_serialization: int
    newest_serialization: int
    jax_version: str | None
    calling_convention_version: int
    platforms: list[str]
    nr_devices: int
    in_paths: list[str]
    in_avals: list[_Aval]
    in_shardings: list[_Sharding | None]
    out_paths: list[str]
    out_avals: list[_Aval]
    out_shardings: list[_Sharding | None]
    has_hlo_shardings: bool
    module_kept_var_idx: list[int]
    ordered_effects: list[str]
    unordered_effects: list[str]
    disabled_safety_checks: list[str]
    uses_global_constants: bool
    vjp_order: int


class _Module(TypedDict):
    path: str
    name: str
    offset: int
    size: int


class _Attribute(TypedDict):
    name: str
    text: str


class _Summary(TypedDict):
    kind: Literal["bytecode", "jax.export", "tf.saved_model", "orbax.manifest"]
    compression: Literal["gzip", "zstd"] | None
    file_size: int
    content_size: int
    module: int
    modules: list[_Module]
    exported: _Exported | None
    attributes: NotRequired[list[_Attribute]]


@dataclass(frozen=True, slots=True)
class Aval:
    """The type of an argument or a result of an exported function; JAX calls it an abstract value.

    A dimension is an `int`, or the text of an expression of variables.

    >>> module = mlirbc.open("tests/data/containers/norm.jax")
    >>> module.container.exported.in_avals[0]
    Aval(shape=('batch', 8), dtype='bfloat16', memory_space=None)
    """

    shape: tuple[int | str, ...]
    dtype: str
    memory_space: str | None = None

    def __str__(self) -> str:
        if self.dtype == "token":
            return "token"
        return f"{self.dtype}[{','.join(map(str, self.shape))}]"


@dataclass(frozen=True, slots=True)
class MeshAxis:
    """An axis of a mesh of devices.

    Its type is `auto`, `explicit` or `manual`, or None if the file does not say.

    >>> mlirbc.open("tests/data/containers/sharded.jax").container.exported.in_shardings[0].mesh[0]
    MeshAxis(name='x', size=2, type='auto')
    """

    name: str
    size: int
    type: str | None = None


@dataclass(frozen=True, slots=True)
class NamedSharding:
    """How an argument or a result is distributed: `spec` has the names of mesh axes for each dimension.

    >>> module = mlirbc.open("tests/data/containers/sharded.jax")
    >>> module.container.exported.in_shardings[0].spec
    (('x',), ('y',))
    """

    mesh: tuple[MeshAxis, ...]
    spec: tuple[tuple[str, ...], ...]
    reduced: tuple[str, ...] = ()
    unreduced: tuple[str, ...] = ()
    memory_kind: str | None = None


@dataclass(frozen=True, slots=True)
class Exported:
    """The description of a function in a JAX export; fields have the names of `jax.export.Exported`.

    `in_paths` and `out_paths` name the leaves of the trees of arguments and results. Exports of JAX before
    2026 have their shardings as protocol buffers of HLO, which are not decoded: then `has_hlo_shardings` is
    true. `serialization_version` is the number in the file, which stands for the versions from
    `oldest_serialization` to `newest_serialization`; `jax_version` is None in files that do not store it.

    >>> exported = mlirbc.open("examples/mlp.jax").container.exported
    >>> exported.fun_name, exported.platforms, exported.calling_convention_version
    ('mlp', ('cpu',), 10)
    >>> exported.in_paths[1], str(exported.in_avals[1])
    ("args[0]['w0']", 'float32[8,16]')
    """

    fun_name: str
    serialization_version: int
    oldest_serialization: int
    newest_serialization: int
    jax_version: str | None
    calling_convention_version: int
    platforms: tuple[str, ...]
    nr_devices: int
    in_paths: tuple[str, ...]
    in_avals: tuple[Aval, ...]
    in_shardings: tuple[NamedSharding | None, ...]
    out_paths: tuple[str, ...]
    out_avals: tuple[Aval, ...]
    out_shardings: tuple[NamedSharding | None, ...]
    has_hlo_shardings: bool
    module_kept_var_idx: tuple[int, ...]
    ordered_effects: tuple[str, ...]
    unordered_effects: tuple[str, ...]
    disabled_safety_checks: tuple[str, ...]
    uses_global_constants: bool
    vjp_order: int


@dataclass(frozen=True, slots=True)
class ContainedModule:
    """A module of a container: `content[offset : offset + size]` is its bytecode.

    `path` is `main`, and `vjp`, `vjp/vjp` for the derivatives of a JAX export.

    Offsets of a module (of sections, resources, errors) count from its own first byte.

    >>> mlirbc.open("examples/mlp.jax").container.modules[0]
    ContainedModule(path='main', name='mlp', offset=3728, size=1203)
    """

    path: str
    name: str
    offset: int
    size: int


@dataclass(frozen=True, slots=True, repr=False)
class Container:
    """The container of a module: `kind` is `jax.export`, `tf.saved_model`, `orbax.manifest`, or `bytecode`
    for a module that is only compressed.

    `module` is the index of the module that was opened, among `modules`. `file_size` is the size of the file,
    and `content_size` the size after decompression, in bytes. `attributes` are the facts of a SavedModel or
    an Orbax manifest about the call of the module.

    >>> container = mlirbc.open("tests/data/containers/two_layers.mlirbc.gz").container
    >>> container.kind, container.compression, container.content_size
    ('bytecode', 'gzip', 1474)
    >>> container = mlirbc.open("tests/data/containers/saved_model.pb").container
    >>> container.kind, container.attributes["version"], container.attributes["platforms"]
    ('tf.saved_model', '10', 'CPU')
    """

    kind: Literal["bytecode", "jax.export", "tf.saved_model", "orbax.manifest"]
    compression: Literal["gzip", "zstd"] | None
    file_size: int
    content_size: int
    module: int
    modules: tuple[ContainedModule, ...]
    exported: Exported | None
    attributes: dict[str, str]
    _module: _mlirbc.Module = field(compare=False)

    def with_module(self, data: "Buffer") -> bytes:
        """The container with the bytecode `data` in the place of the module, without compression.

        Nothing of the old module remains. In a JAX export everything else is kept, so that
        `jax.export.deserialize` reads the result.

        >>> module = mlirbc.open("examples/mlp.jax")
        >>> export = module.container.with_module(module.write(strip_locations=True))
        >>> mlirbc.read(export).container.exported == module.container.exported
        True
        """
        return _mlirbc._with_module(self._module, data)

    def __repr__(self) -> str:
        compressed = f", {self.compression}" if self.compression else ""
        place = f"module {self.module} of {len(self.modules)}"
        return f"<mlirbc.containers.Container {self.kind}{compressed}, {place}>"


def _made(module: _mlirbc.Module, text: str) -> Container:
    summary: _Summary = json.loads(text)
    exported = summary["exported"]
    return Container(
        kind=summary["kind"],
        compression=summary["compression"],
        file_size=summary["file_size"],
        content_size=summary["content_size"],
        module=summary["module"],
        modules=tuple(ContainedModule(**module) for module in summary["modules"]),
        exported=None if exported is None else _exported(exported),
        attributes={field["name"]: field["text"] for field in summary.get("attributes", [])},
        _module=module,
    )


def _exported(record: _Exported) -> Exported:
    return Exported(
        fun_name=record["fun_name"],
        serialization_version=record["serialization_version"],
        oldest_serialization=record["oldest_serialization"],
        newest_serialization=record["newest_serialization"],
        jax_version=record["jax_version"],
        calling_convention_version=record["calling_convention_version"],
        platforms=tuple(record["platforms"]),
        nr_devices=record["nr_devices"],
        in_paths=tuple(record["in_paths"]),
        in_avals=tuple(map(_aval, record["in_avals"])),
        in_shardings=tuple(map(_sharding, record["in_shardings"])),
        out_paths=tuple(record["out_paths"]),
        out_avals=tuple(map(_aval, record["out_avals"])),
        out_shardings=tuple(map(_sharding, record["out_shardings"])),
        has_hlo_shardings=record["has_hlo_shardings"],
        module_kept_var_idx=tuple(record["module_kept_var_idx"]),
        ordered_effects=tuple(record["ordered_effects"]),
        unordered_effects=tuple(record["unordered_effects"]),
        disabled_safety_checks=tuple(record["disabled_safety_checks"]),
        uses_global_constants=record["uses_global_constants"],
        vjp_order=record["vjp_order"],
    )


def _aval(record: _Aval) -> Aval:
    shape = tuple(int(size) if size.isdecimal() and len(size) < 20 else size for size in record["shape"])
    return Aval(shape, record["dtype"], record["memory_space"])


def _sharding(record: _Sharding | None) -> NamedSharding | None:
    if record is None:
        return None
    return NamedSharding(
        mesh=tuple(MeshAxis(**axis) for axis in record["mesh"]),
        spec=tuple(tuple(axes) for axes in record["spec"]),
        reduced=tuple(record["reduced"]),
        unreduced=tuple(record["unreduced"]),
        memory_kind=record["memory_kind"],
    )
