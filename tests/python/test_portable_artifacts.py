"""Portable artifacts against `serialize_portable_artifact` and `deserialize_portable_artifact` of jaxlib."""

from pathlib import Path

import mlirbc
import pytest

from support import jaxlib_oracle, stablehlo_ops
from support.sampling import WHOLE

MODULES = dict(stablehlo_ops.modules())

# All versions take minutes: `python -m support.stablehlo_ops` prints the table of every version.
SAMPLE = ["0.9.0", "0.14.0", "0.20.0", "1.4.0", "1.9.0", "1.17.0"]
SAMPLED = stablehlo_ops.VERSIONS if WHOLE else SAMPLE

ARTIFACT = Path("examples/artifact.mlirbc")

NO_MODULE = {"async_done", "async_start", "return", "uniform_dequantize", "uniform_quantize"}
"""`return` is in every module; jaxlib does not parse the types of the others."""


@pytest.mark.parametrize("name", MODULES)
def test_every_operation_is_written_and_read_as_jaxlib_does(name: str) -> None:
    oracle = jaxlib_oracle.require()
    kinds = set()
    for version in SAMPLED:
        answer = stablehlo_ops.Answer(oracle, MODULES[name], version)
        assert answer.kind in ("same", "refused"), version
        kinds.add(answer.kind)
        if answer.wanted is not None:
            again = mlirbc.stablehlo.deserialize(mlirbc.read(answer.wanted))
            text = again.operation.get_asm(print_generic_op_form=True, enable_debug_info=True)
            assert text.strip() == stablehlo_ops.deserialized(oracle, answer.wanted).strip()
    assert "same" in kinds


def test_every_operation_has_a_module() -> None:
    names = {name.rpartition(".")[0] for name in MODULES}
    schema = mlirbc.schemas.shipped("jaxlib-0.10") if hasattr(mlirbc.schemas, "shipped") else None
    assert schema is None or not names - {op.removeprefix("stablehlo.") for op in schema.ops}


def test_the_lowest_version_is_the_first_that_is_written() -> None:
    oracle = jaxlib_oracle.require()
    for name in ("tan.1", "tan.2", "gather.2", "custom_call.2", "reduce.2", "composite.1", "constant.9"):
        module = mlirbc.read(oracle.write(MODULES[name]))
        lowest = mlirbc.stablehlo.min_version(module)
        first = stablehlo_ops.VERSIONS.index(lowest)
        mlirbc.stablehlo.serialize(module, lowest)
        if first > 0:
            with pytest.raises(mlirbc.UnsupportedError):
                mlirbc.stablehlo.serialize(module, stablehlo_ops.VERSIONS[first - 1])


def test_what_a_version_cannot_hold_is_listed_by_operation() -> None:
    oracle = jaxlib_oracle.require()
    module = mlirbc.read(oracle.write(MODULES["tan.2"]))
    with pytest.raises(mlirbc.UnsupportedError) as raised:
        mlirbc.stablehlo.serialize(module, "1.9.0")
    [loss] = raised.value.losses
    assert (loss.op, loss.kind, loss.count) == ("stablehlo.tan", "needs_stablehlo", 1)
    assert "1.10.0" in str(raised.value)


RANGES = """
func.func @main(%x: tensor<2xf32> loc("a.py":1:2 to :9)) -> tensor<2xf32> {
  %0 = stablehlo.abs %x : tensor<2xf32> loc("name"("a.py":1:2 to 3:4))
  %1 = stablehlo.abs %0 : tensor<2xf32> loc(callsite("a.py":1:2 to :5 at "b.py":3:1 to :4))
  %2 = stablehlo.abs %1 : tensor<2xf32> loc(fused["a.py":1:2 to :5, "a.py":1:2 to :6])
  %3 = stablehlo.abs %2 : tensor<2xf32> loc("a.py":1:2 to :7)
  return %3 : tensor<2xf32> loc("a.py":1:2)
} loc("a.py":1:2 to :8)
"""


@pytest.mark.parametrize("version", ["0.9.0", "1.0.0", "1.8.0", "1.8.12", "1.9.0", "1.17.0"])
def test_location_ranges_are_shortened_as_jaxlib_does(version: str) -> None:
    oracle = jaxlib_oracle.require()
    answer = stablehlo_ops.Answer(oracle, RANGES, version, by_jax=True)
    assert answer.kind == "same"
    assert answer.wanted is not None
    text = mlirbc.read(answer.wanted).operation.get_asm(enable_debug_info=True)
    assert (" to " in text) == (version in ("1.9.0", "1.17.0"))


def test_shardings_of_hlo() -> None:
    text = """
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = sdy.sharding_constraint %x <@mesh, [{"y", ?}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}"""
    module = mlirbc.stablehlo.to_hlo_shardings(mlirbc.parse(text, target="jaxlib-0.10"))
    assert "sdy" not in str(module)
    assert "{devices=[2,4]<=[8] last_tile_dim_replicate}" in str(module)
    with pytest.raises(mlirbc.UnsupportedError) as raised:
        refused = text.replace('"y", ?', '"y":(1)2')
        mlirbc.stablehlo.to_hlo_shardings(mlirbc.parse(refused, target="jaxlib-0.10"))
    [loss] = raised.value.losses
    assert (loss.op, loss.kind, loss.name) == ("sdy.sharding_constraint", "no_hlo_form", "a sub-axis")


def test_casts_of_a_type_that_a_file_has_as_text_are_removed() -> None:
    oracle = jaxlib_oracle.require()
    text = """
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xf4E2M1FN>, f4E2M1FN) -> (), sym_name = "main"}> ({
  ^bb0(%x: tensor<2xf4E2M1FN>, %y: f4E2M1FN):
    "other.use"(%x, %y) : (tensor<2xf4E2M1FN>, f4E2M1FN) -> ()
    %0 = "other.make"() : () -> tensor<2xf4E2M1FN>
    %1 = "stablehlo.abs"(%0) : (tensor<2xf4E2M1FN>) -> tensor<2xf4E2M1FN>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
"""
    artifact = mlirbc.stablehlo.serialize(mlirbc.parse(text), "1.17.0")
    assert mlirbc.read(artifact).op_counts()["builtin.unrealized_conversion_cast"] == 3
    with oracle.context:
        oracle.context.allow_unregistered_dialects = True
        assert "unrealized_conversion_cast" not in stablehlo_ops.deserialized(oracle, artifact)
    assert "builtin.unrealized_conversion_cast" not in mlirbc.stablehlo.deserialize(artifact).op_counts()


def test_casts_stand_where_dialects_meet() -> None:
    oracle = jaxlib_oracle.require()
    text = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  %1 = chlo.erf_inv %0 : tensor<4xf32> -> tensor<4xf32>
  %2 = stablehlo.multiply %1, %1 : tensor<4xf32>
  %3 = stablehlo.add %2, %0 : tensor<4xf32>
  return %3 : tensor<4xf32>
}
"""
    answer = stablehlo_ops.Answer(oracle, text, "1.17.0")
    assert answer.kind == "same" and answer.found is not None
    assert mlirbc.read(answer.found).op_counts()["builtin.unrealized_conversion_cast"] == 2
    module = mlirbc.stablehlo.deserialize(answer.found)
    assert "builtin.unrealized_conversion_cast" not in module.op_counts()
    again = module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True)
    assert again.strip() == stablehlo_ops.deserialized(oracle, answer.found).strip()
    native = mlirbc.read(oracle.write(text))
    with pytest.raises(mlirbc.UnsupportedError) as raised:
        mlirbc.stablehlo.serialize(native, allow_other_dialects=False)
    assert [loss.kind for loss in raised.value.losses] == ["other_dialect"]


@pytest.mark.parametrize("version", ["1.20.0", "0.9.0", "1.9.0"])
def test_what_was_serialized_is_deserialized(version: str) -> None:
    module = mlirbc.stablehlo.deserialize(ARTIFACT.read_bytes())
    artifact = mlirbc.stablehlo.serialize(module, version)
    assert mlirbc.stablehlo.artifact_version(artifact) == version
    again = mlirbc.stablehlo.deserialize(artifact)
    assert again.operation.get_asm(
        print_generic_op_form=True, enable_debug_info=True
    ) == module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True)
    # An artifact is converted to another version as well.
    assert mlirbc.stablehlo.serialize(artifact, "1.9.0") == mlirbc.stablehlo.serialize(module, "1.9.0")


@pytest.mark.parametrize("version", ["", "1", "1.2", "a.b.c", "1.2.3.4", "0.8.0", "99.0.0", "-1.0.0"])
def test_an_unknown_version_is_refused(version: str) -> None:
    with pytest.raises(ValueError, match="StableHLO"):
        mlirbc.stablehlo.serialize(ARTIFACT.read_bytes(), version)


def test_damage_gives_typed_errors() -> None:
    artifact = ARTIFACT.read_bytes()
    for place in range(len(artifact)):
        for value in (0, 0xFF, artifact[place] ^ 1):
            damaged = artifact[:place] + bytes([value]) + artifact[place + 1 :]
            try:
                module = mlirbc.stablehlo.deserialize(damaged)
                mlirbc.stablehlo.serialize(module, "0.9.0")
            except mlirbc.Error:
                pass
