"""Portable artifacts of StableHLO and JAX: the StableHLO module in them, and the reverse, for every version.

An artifact contains VHLO, a versioned copy of StableHLO that is meant for storage. `deserialize` gives the
module that StableHLO's own tools give, and `serialize` gives the bytes that they write for a version,
without them.

>>> artifact = mlirbc.open("examples/artifact.mlirbc")
>>> mlirbc.stablehlo.artifact_version(artifact)
'1.9.0'
>>> module = mlirbc.stablehlo.deserialize(artifact)
>>> [op.name for op in module.body.operations[0].regions[0].blocks[0]]
['stablehlo.tanh', 'stablehlo.add', 'func.return']
"""

import os

from mlirbc import _mlirbc, edit

__all__ = [
    "artifact_version",
    "deserialize",
    "min_version",
    "serialize",
    "to_hlo_shardings",
    "version_range",
]


def version_range() -> tuple[str, str]:
    """Return the oldest and the newest version that `serialize` writes.

    >>> mlirbc.stablehlo.version_range()
    ('0.9.0', '1.20.0')
    """
    return _mlirbc._stablehlo_versions()


def deserialize(
    artifact: _mlirbc.Module | edit.Module | bytes, *, limits: _mlirbc.Limits | None = None
) -> _mlirbc.Module:
    """Return the StableHLO module of a portable artifact.

    It is the one that `stablehlo.deserialize_portable_artifact` gives.

    Operations of other dialects, such as Shardy's, remain; the casts around them disappear. The data of
    constants is shared with the artifact. `limits` are those of bytes that are read.

    Raises `UnsupportedError` for contents that are newer than the newest known version.

    >>> module = mlirbc.stablehlo.deserialize(mlirbc.open("examples/artifact.mlirbc"))
    >>> module.op_counts()["stablehlo.tanh"]
    1
    """
    return _mlirbc._stablehlo_deserialize(_module(artifact, limits))


def serialize(
    module: _mlirbc.Module | edit.Module | bytes,
    version: str | None = None,
    *,
    allow_other_dialects: bool = True,
    limits: _mlirbc.Limits | None = None,
) -> bytes:
    """Return the portable artifact of a StableHLO module for a version of StableHLO.

    The version is the newest known one by default. The bytes equal the result of
    `stablehlo.serialize_portable_artifact`.

    Other dialects are written as they are, whatever the version; with `allow_other_dialects=False` they are
    an error. `limits` are those of bytes that are read.

    Raises `UnsupportedError` for contents that the version cannot hold; its `losses` list all, by operation.
    Raises `ValueError` if the version is not three numbers, or not among the known versions.

    >>> import pathlib
    >>> module = mlirbc.stablehlo.deserialize(mlirbc.open("examples/artifact.mlirbc"))
    >>> artifact = mlirbc.stablehlo.serialize(module, "1.9.0")
    >>> artifact == pathlib.Path("examples/artifact.mlirbc").read_bytes()
    True
    >>> mlirbc.read(mlirbc.stablehlo.serialize(module, "0.14.0")).bytecode.version
    4
    """
    return _mlirbc._stablehlo_serialize(_module(module, limits), version, allow_other_dialects)


def to_hlo_shardings(
    module: _mlirbc.Module | edit.Module | bytes, *, limits: _mlirbc.Limits | None = None
) -> _mlirbc.Module:
    """Return the module with shardings of HLO in place of Shardy's, for JAX before 0.7.

    Arguments and results get `mhlo.sharding`, and constraints and manual computations become the calls
    that JAX writes with Shardy turned off. A portable artifact remains one of its version. `limits` are
    those of bytes that are read.

    Raises `UnsupportedError` for contents that HLO does not have, such as sub-axes and priorities; its
    `losses` list all, by operation.

    >>> text = '''
    ... sdy.mesh @mesh = <["x"=2, "y"=4]>
    ... func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    ...   %0 = sdy.sharding_constraint %x <@mesh, [{"y"}]> : tensor<8xf32>
    ...   return %0 : tensor<8xf32>
    ... }'''
    >>> module = mlirbc.stablehlo.to_hlo_shardings(mlirbc.parse(text, target="jaxlib-0.10"))
    >>> call = module.body.operations[0].regions[0].blocks[0].operations[0]
    >>> call.attributes["mhlo.sharding"]
    StringAttr("{devices=[4,2]<=[2,4]T(1,0) last_tile_dim_replicate}")
    """
    return _mlirbc._stablehlo_to_hlo_shardings(_module(module, limits))


def min_version(module: _mlirbc.Module | edit.Module | bytes, *, limits: _mlirbc.Limits | None = None) -> str:
    """Return the lowest version of StableHLO whose artifacts can hold a StableHLO module.

    `limits` are those of bytes that are read. Raises `UnsupportedError` if no version can.

    >>> module = mlirbc.stablehlo.deserialize(mlirbc.open("examples/artifact.mlirbc"))
    >>> mlirbc.stablehlo.min_version(module)
    '0.9.0'
    """
    return _mlirbc._stablehlo_min_version(_module(module, limits))


def artifact_version(
    artifact: _mlirbc.Module | bytes | str | os.PathLike[str],
    *,
    limits: _mlirbc.Limits | None = None,
) -> str | None:
    """Return the version of StableHLO of an artifact; None if it is not a portable artifact.

    `limits` are those of a file that is opened, or of bytes that are read.

    >>> mlirbc.stablehlo.artifact_version("examples/artifact.mlirbc")
    '1.9.0'
    >>> mlirbc.stablehlo.artifact_version("examples/two_layers.mlirbc") is None
    True
    """
    if isinstance(artifact, (str, os.PathLike)):
        with _mlirbc.open(artifact, limits=limits) as module:
            return _mlirbc._stablehlo_artifact_version(module)
    return _mlirbc._stablehlo_artifact_version(_module(artifact, limits))


def _module(source: _mlirbc.Module | edit.Module | bytes, limits: _mlirbc.Limits | None) -> _mlirbc.Module:
    if isinstance(source, edit.Module):
        return source.snapshot()
    return _mlirbc.read(source, limits=limits) if isinstance(source, bytes) else source
