"""Summaries of models: the inputs, results and contents of a module of StableHLO or VHLO, and its readers.

>>> model = mlirbc.open("examples/mlp.jax").model_summary()
>>> for argument in model.entry.arguments:
...     print(argument.name, argument.type)
params['b0'] tensor<16xf32>
params['w0'] tensor<8x16xf32>
params['w1'] tensor<16x4xf32>
x tensor<2x8xf32>
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypedDict

__all__ = ["EntryFunction", "EntryValue", "ModelSummary", "Parameter", "Requirement", "StableHloVersions"]


class _Requirement(TypedDict):
    version: str | None
    feature: str


class _Versions(TypedDict):
    is_artifact: bool
    written_for: str | None
    minimum: str | None
    requirements: list[_Requirement]


class _Value(TypedDict):
    name: str | None
    type: str
    sharding: str | None


class _Entry(TypedDict):
    name: str
    arguments: list[_Value]
    results: list[_Value]


class _Parameter(TypedDict):
    kind: Literal["constant", "resource"]
    name: str | None
    type: str | None
    size: int


class _CustomCall(TypedDict):
    target: str
    count: int


class _Model(TypedDict):
    stablehlo: _Versions
    num_partitions: int | None
    num_replicas: int | None
    uses_shape_polymorphism: bool | None
    entry: _Entry | None
    parameters: list[_Parameter]
    custom_calls: list[_CustomCall]


@dataclass(frozen=True, slots=True)
class Requirement:
    """A feature that needs StableHLO `version` or later; None if no known version has the feature.

    >>> model = mlirbc.open("examples/mlp.jax").model_summary()
    >>> model.stablehlo.requirements[0]
    Requirement(version='1.10.0', feature='vhlo.tanh_v2')
    """

    version: str | None
    feature: str


@dataclass(frozen=True, slots=True)
class StableHloVersions:
    """The versions of StableHLO that read a portable artifact, or the artifact of a StableHLO module.

    `is_artifact` is false for a module of StableHLO itself. `written_for` is the version that the writer of
    an artifact aimed at. `minimum` is the lowest version that has everything in the module, None if there is
    no known one; `requirements` says why, the newest first.

    >>> versions = mlirbc.open("examples/mlp.jax").model_summary().stablehlo
    >>> versions.written_for, versions.minimum, versions.requirements[0].feature
    ('1.15.0', '1.10.0', 'vhlo.tanh_v2')
    """

    is_artifact: bool
    written_for: str | None
    minimum: str | None
    requirements: tuple[Requirement, ...]


@dataclass(frozen=True, slots=True)
class EntryValue:
    """An argument or a result: its name if it has one, its type as text, and its sharding as text.

    >>> model = mlirbc.open("examples/mlp.jax").model_summary()
    >>> model.entry.results[0]
    EntryValue(name="result['logits']", type='tensor<2x4xf32>', sharding=None)
    """

    name: str | None
    type: str
    sharding: str | None


@dataclass(frozen=True, slots=True)
class EntryFunction:
    """The function `main`, or the first public one.

    >>> model = mlirbc.open("examples/mlp.jax").model_summary()
    >>> model.entry.name, len(model.entry.arguments)
    ('main', 4)
    """

    name: str
    arguments: tuple[EntryValue, ...]
    results: tuple[EntryValue, ...]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A constant of more than 16 bytes, or a resource; a resource has its key as its name.

    >>> model = mlirbc.open("examples/mlp.jax").model_summary()
    >>> model.parameters[0]
    Parameter(kind='constant', name=None, type='tensor<8x4xf32>', size=128)
    """

    kind: Literal["constant", "resource"]
    name: str | None
    type: str | None
    size: int


@dataclass(frozen=True, slots=True)
class ModelSummary:
    """The inputs, results and contents of a module of StableHLO or VHLO, from `Module.model_summary`.

    `parameters` begin with the largest one, `custom_calls` have the numbers of calls by target.

    >>> model = mlirbc.open("tests/data/containers/cholesky.jax").model_summary()
    >>> dict(model.custom_calls)
    {'lapack_spotrf_ffi': 1}
    """

    stablehlo: StableHloVersions
    num_partitions: int | None
    num_replicas: int | None
    uses_shape_polymorphism: bool | None
    entry: EntryFunction | None
    parameters: tuple[Parameter, ...]
    custom_calls: Mapping[str, int]


def _made(text: str) -> ModelSummary:
    model: _Model = json.loads(text)
    versions, entry = model["stablehlo"], model["entry"]
    calls = {call["target"]: call["count"] for call in model["custom_calls"]}
    return ModelSummary(
        stablehlo=_versions(versions),
        num_partitions=model["num_partitions"],
        num_replicas=model["num_replicas"],
        uses_shape_polymorphism=model["uses_shape_polymorphism"],
        entry=None if entry is None else _entry(entry),
        parameters=tuple(Parameter(**parameter) for parameter in model["parameters"]),
        custom_calls=MappingProxyType(calls),
    )


def _versions(record: _Versions) -> StableHloVersions:
    requirements = tuple(Requirement(**requirement) for requirement in record["requirements"])
    return StableHloVersions(record["is_artifact"], record["written_for"], record["minimum"], requirements)


def _entry(record: _Entry) -> EntryFunction:
    def values(records: list[_Value]) -> tuple[EntryValue, ...]:
        return tuple(EntryValue(**value) for value in records)

    return EntryFunction(record["name"], values(record["arguments"]), values(record["results"]))
