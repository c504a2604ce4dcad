"""Summaries of models against JAX and jaxlib: the entry function, the versions that read an artifact."""

import mlirbc
import pytest

from support import jaxlib_oracle

# Without Shardy, which that context does not load.
EXPORTS = ("examples/mlp.jax", "tests/data/containers/norm.jax")


def summary(path: str) -> mlirbc.models.ModelSummary:
    model = mlirbc.open(path).model_summary()
    assert model is not None
    return model


@pytest.mark.parametrize("name", EXPORTS)
def test_the_entry_function_has_the_types_that_jaxlib_shows(name: str) -> None:
    jaxlib = jaxlib_oracle.require()
    module = mlirbc.open(name)
    theirs = jaxlib.stablehlo.deserialize_portable_artifact(jaxlib.context, module.write())
    (main,) = [op for op in theirs.body.operations if getattr(op, "name", None) and op.name.value == "main"]
    entry = summary(name).entry
    assert entry is not None
    assert [value.type for value in entry.arguments] == list(map(str, main.type.inputs))
    assert [value.type for value in entry.results] == list(map(str, main.type.results))


def test_an_artifact_is_read_from_its_minimum_on() -> None:
    """An artifact that jaxlib writes for a version needs nothing newer, except locations, which stay as they
    are.
    """
    jaxlib = jaxlib_oracle.require()
    from jaxlib._jax import mlir as tools

    for name in EXPORTS:
        data = mlirbc.open(name).write()
        with jaxlib.context:
            text = str(jaxlib.stablehlo.deserialize_portable_artifact(jaxlib.context, data))
        for target in ("0.9.0", "0.14.0", "1.0.0", "1.5.0", "1.9.0", "1.15.0"):
            try:
                artifact = tools.serialize_portable_artifact(text, target)
            except Exception:
                # The version lacks something.
                continue
            model = mlirbc.read(artifact).model_summary()
            assert model is not None and model.stablehlo is not None
            assert model.stablehlo.written_for == target
            minimum = model.stablehlo.minimum
            assert minimum is not None
            later = [
                requirement.version
                for requirement in model.stablehlo.requirements
                if numbers(requirement.version) > numbers(target)
            ]
            # Locations are not converted for the target.
            ranges = "a location that is a range of a file"
            newer = [
                requirement
                for requirement in model.stablehlo.requirements
                if requirement.version in later and requirement.feature != ranges
            ]
            assert not newer, (name, target, newer)


def numbers(version: str | None) -> tuple[int, ...]:
    assert version is not None
    return tuple(map(int, version.split(".")))


def test_constants_and_resources_are_parameters() -> None:
    model = summary("examples/mlp.jax")
    assert [(parameter.kind, parameter.type, parameter.size) for parameter in model.parameters] == [
        ("constant", "tensor<8x4xf32>", 128)
    ]


def test_a_module_of_other_dialects_has_no_summary() -> None:
    assert mlirbc.open("examples/two_layers.mlirbc").model_summary() is None
