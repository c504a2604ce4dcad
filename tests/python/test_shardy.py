"""Attributes and operations of Shardy: the text of jaxlib, its bytes, and the text that it drops."""

import functools

import mlirbc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import jaxlib_oracle
from support.assembler import File, Op, Region, varints

ATTRIBUTES = [
    "#sdy.mesh<[]>",
    "#sdy.mesh<[], device_ids=[3]>",
    '#sdy.mesh<["a"=2, "b"=3]>',
    '#sdy.mesh<["a"=3, "b"=2], device_ids=[0, 2, 4, 1, 3, 5]>',
    '#sdy.mesh<["a \\22\\\\ \\0A\\FF"=1]>',
    "#sdy<manual_axes{}>",
    '#sdy<manual_axes{"x", "y"}>',
    '#sdy<mesh_axis"x"=2>',
    "#sdy<sub_axis_info(1)2>",
    '#sdy<axis_ref"x">',
    '#sdy<axis_ref"x":(1)2>',
    "#sdy<dimension_sharding{}>",
    "#sdy<dimension_sharding{?}p0>",
    '#sdy<dimension_sharding{"a"}p12>',
    '#sdy<dimension_sharding{"a", "b":(2)3, ?}p3>',
    "#sdy.sharding<@mesh, []>",
    '#sdy.sharding<@"me sh", [{"a"}]>',
    '#sdy.sharding<@mesh, [{}, {?}, {"x"}p1, {"a":(1)2, ?}p12], replicated={"c"}, unreduced={"d", "e":(1)2}>',
    '#sdy.sharding<@mesh, [{}], replicated={"c", "d":(2)2}>',
    '#sdy.sharding<@mesh, [{}], unreduced={"d"}>',
    '#sdy.sharding<mesh<["a"=2]>, [{"a"}]>',
    '#sdy.sharding<mesh<["a"=2], device_ids=[1, 0]>, [{"a"}]>',
    "#sdy.sharding<mesh<[], device_ids=[0]>, []>",
    "#sdy.sharding_per_value<[]>",
    '#sdy.sharding_per_value<[<@mesh, [{}]>, <mesh<[]>, [], replicated={"c"}>]>',
    '#sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, [{}], unreduced={"x"}>]>',
    "#sdy<tensor_mapping[]>",
    "#sdy<tensor_mapping[i, jk, zz_1z_20]>",
    "#sdy.op_sharding_rule<([i, j], [k, l])->([i, l]) {i=2, j=3, k=4, l=5}>",
    "#sdy.op_sharding_rule<([i, j], [k, lm])->([i, l], []) {i=2, j=3, k=4, l=5, m=1} reduction={j} "
    "need_replication={i, k} permutation={l} blocked_propagation={m}, custom>",
    "#sdy.op_sharding_rule<([])->([]), custom>",
    "#sdy<axis_ref_list{}>",
    '#sdy<axis_ref_list{"x", "y":(2)4}>',
    "#sdy<list_of_axis_ref_lists[]>",
    '#sdy<list_of_axis_ref_lists[{}, {"x", "y":(2)4}]>',
    '#sdy<all_to_all_param{"x", "y"}: 0->1>',
    '#sdy<all_to_all_param_list[{"x"}: 0->1, {"y":(1)2}: 2->3]>',
    '#sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>',
]
"""As Shardy prints them; the last one has no code."""

REDUCED = '#sdy.sharding<@mesh, [{"x"}], unreduced=max{"y"}>'
"""Additions after jaxlib 0.10."""

PROGRAM = """
sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @inverse = <["x"=2, "y"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
sdy.mesh @one = <[], device_ids=[3]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {}], unreduced={"y"}>}) {
  %c = sdy.constant dense<1.0> : tensor<8x16xf32>
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {?}p1]> : tensor<8x16xf32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}, {"y"}]>]
      out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%b: tensor<4x4xf32>) {
    %d = stablehlo.add %b, %b : tensor<4x4xf32>
    sdy.return %d : tensor<4x4xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = sdy.all_gather [{"x"}, {}] %1 out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x16xf32>
  %3 = sdy.all_slice [{"x"}, {}] %2 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x16xf32>
  %4 = sdy.all_to_all [{"y"}: 1->0] %3 out_sharding=<@mesh, [{"x", "y"}, {}]> : tensor<8x16xf32>
  %5 = sdy.propagation_barrier %4 allowed_direction=FORWARD : tensor<8x16xf32>
  sdy.sharding_group %5 group_id=3 : tensor<8x16xf32>
  %6 = sdy.all_reduce {"y"} %c out_sharding=<@mesh, [{}, {}]> : tensor<8x16xf32>
  %7 = sdy.reduce_scatter [{"x", "y"}, {}] %c out_sharding=<@mesh, [{"x", "y"}, {}]> : tensor<8x16xf32>
  %8 = sdy.collective_permute %7 out_sharding=<@mesh, [{"x", "y"}, {}]> : tensor<8x16xf32>
  %9 = sdy.reshard %8 <@mesh, [{"x"}, {"y"}]> : tensor<8x16xf32>
  %10 = sdy.named_computation<"inner">(%9) (%b: tensor<8x16xf32>) {
    sdy.return %b : tensor<8x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %11 = stablehlo.add %10, %6 {
      sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=16}>,
      sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : tensor<8x16xf32>
  return %11 : tensor<8x16xf32>
}
"""


@functools.cache
def program() -> bytes:
    """The program as jaxlib writes it."""
    return jaxlib_oracle.require().write(PROGRAM)


def printed(data: bytes) -> list[str]:
    return mlirbc.read(data).operation.get_asm(print_generic_op_form=True).strip().splitlines()


def with_attribute(text: str) -> bytes:
    """A module of jaxlib's with that attribute."""
    return jaxlib_oracle.require().write(f"module attributes {{t.a = {text}}} {{}}")


@pytest.mark.parametrize("text", ATTRIBUTES)
def test_attributes_print_as_in_jaxlib_and_are_parsed(text: str) -> None:
    read = mlirbc.read(with_attribute(text)).operation.attributes["t.a"]
    assert str(read) == text
    parsed = mlirbc.Attribute.parse(text)
    assert (parsed, hash(parsed), str(parsed)) == (read, hash(read), text)
    assert parsed.is_text == read.is_text == text.startswith("#sdy.propagation_edges")


@pytest.mark.parametrize("text", ATTRIBUTES)
def test_attributes_get_the_code_that_jaxlib_writes(text: str) -> None:
    edited = mlirbc.read(with_attribute("1 : i32")).edit()
    edited.operation.attributes["t.a"] = mlirbc.Attribute.parse(text)
    data = bytes(edited.write())
    assert mlirbc.read(data).operation.attributes["t.a"] == mlirbc.Attribute.parse(text)
    assert bytes(mlirbc.read(data).write(numbering="canonical")) == with_attribute(text)


AXES = st.builds(
    lambda name, sub: f'"{name}"' + (f":({sub[0]}){sub[1]}" if sub else ""),
    st.sampled_from(["x", "y", "a b", "\\\\22"]),
    st.none() | st.tuples(st.integers(1, 2**40), st.integers(2, 2**40)),
)
AXIS_LISTS = st.lists(AXES, max_size=3).map(", ".join)
DIMENSIONS = st.builds(
    lambda axes, is_open, priority: (
        "{"
        + ", ".join([*axes, *(["?"] if is_open else [])])
        + "}"
        + ("" if priority is None else f"p{priority}")
    ),
    st.lists(AXES, max_size=2),
    st.booleans(),
    st.none() | st.integers(0, 2**62),
)
MESHES = st.sampled_from(["@mesh", '@"a b"', "mesh<[]>", 'mesh<["x"=2]>', "mesh<[], device_ids=[4]>"])


@st.composite
def shardings(draw: st.DrawFn, reductions: tuple[str, ...] = ("", "max", "min")) -> str:
    """The body of a sharding."""
    text = f"<{draw(MESHES)}, [{', '.join(draw(st.lists(DIMENSIONS, max_size=3)))}]"
    if axes := draw(AXIS_LISTS):
        text += f", replicated={{{axes}}}"
    if axes := draw(AXIS_LISTS):
        text += f", unreduced={draw(st.sampled_from(reductions))}{{{axes}}}"
    return text + ">"


@given(
    shardings().map("#sdy.sharding{}".format)
    | st.lists(shardings(), max_size=3).map(lambda all: f"#sdy.sharding_per_value<[{', '.join(all)}]>")
)
def test_any_sharding_is_parsed_from_its_text(text: str) -> None:
    parsed = mlirbc.Attribute.parse(text)
    assert not parsed.is_text
    assert str(parsed) == text
    assert mlirbc.Attribute.parse(str(parsed)) == parsed


@settings(max_examples=50, deadline=None)
@given(st.lists(shardings(reductions=("",)), max_size=3))
def test_jaxlib_writes_any_sharding_with_the_same_bytes(bodies: list[str]) -> None:
    text = f"#sdy.sharding_per_value<[{', '.join(bodies)}]>"
    edited = mlirbc.read(with_attribute("1 : i32")).edit()
    edited.operation.attributes["t.a"] = mlirbc.Attribute.parse(text)
    assert bytes(mlirbc.read(bytes(edited.write())).write(numbering="canonical")) == with_attribute(text)


def test_identifiers_of_a_mesh_in_their_order_are_left_out() -> None:
    mesh = mlirbc.Attribute.parse('#sdy.mesh<["x"=2], device_ids=[0, 1]>')
    assert str(mesh) == '#sdy.mesh<["x"=2]>'
    assert mesh == mlirbc.Attribute.parse('#sdy.mesh<["x"=2]>')
    assert str(mlirbc.Attribute.parse("#sdy.mesh<[], device_ids=[0]>")) == "#sdy.mesh<[], device_ids=[0]>"


def test_operations_print_as_in_jaxlib() -> None:
    oracle = jaxlib_oracle.require()
    assert printed(program()) == oracle.print(program()).decode().strip().splitlines()
    assert bytes(mlirbc.read(program()).write(numbering="canonical")) == program()


@pytest.mark.parametrize("version", ["1.11.0", "1.15.0", "1.17.0"])
def test_artifacts_with_shardings_print_as_in_jaxlib(version: str) -> None:
    oracle = jaxlib_oracle.require()
    from jaxlib import _jax

    data = _jax.mlir.serialize_portable_artifact(program(), version, True)
    assert printed(data) == oracle.print(data).decode().strip().splitlines()
    assert bytes(mlirbc.read(data).write(numbering="canonical")) == data


def test_a_dialect_version_that_lacks_reductions_is_refused() -> None:
    file = sharded_file(REDUCED)
    versions = {"sdy": "0.0.2"}
    assert b"sdy" in bytes(mlirbc.read(file).write(dialect_versions=versions))
    with pytest.raises(mlirbc.UnsupportedError, match=r"needs version 0\.0\.2 or later"):
        mlirbc.read(file).write(dialect_versions={"sdy": "0.0.1"})
    older = sharded_file('#sdy.sharding<@mesh, [{"x"}], unreduced={"y"}>')
    written = mlirbc.read(bytes(mlirbc.read(older).write(dialect_versions={"sdy": "0.0.1"})))
    assert printed(bytes(written.write())) == printed(older)


def test_a_release_that_lacks_reductions_is_told_so() -> None:
    with pytest.raises(mlirbc.UnsupportedError, match="unreduced=max"):
        mlirbc.read(sharded_file(REDUCED)).write(target="jaxlib-0.10")
    edited = mlirbc.read(program()).edit()
    with pytest.raises(
        mlirbc.UnsupportedError, match=r"jaxlib-0\.10, the release of the module, has no attribute"
    ):
        edited.operation.attributes["t.a"] = mlirbc.Attribute.parse(REDUCED)


def sharded_file(text: str) -> bytes:
    """An artifact with that attribute."""
    file = artifact()
    edited = mlirbc.read(file.encode().data).edit()
    edited.operation.attributes["t.a"] = mlirbc.Attribute.parse(text)
    return bytes(edited.write())


def artifact() -> File:
    """A module as an artifact of the newest StableHLO."""
    file = File(producer=b"StableHLO_v1.20.0")
    file.location = file.attribute(varints(15))
    file.top.append(Op(file.op_name("builtin.module", True), regions=[Region()], isolated=True))
    return file


def test_an_unknown_code_survives() -> None:
    file = artifact()
    unknown = file.attribute(varints(40) + b"\x01\x02\x03", "sdy")
    key = file.attribute(varints(2, file.string("t.a")))
    file.top[0].attributes = file.attribute(varints(1, 1, key, unknown))
    data = file.encode().data
    module = mlirbc.read(data)
    assert bytes(module.write()) == data
    edited = module.edit()
    edited.operation.attributes["t.b"] = mlirbc.Attribute.parse("unit")
    written = mlirbc.read(bytes(edited.write()))
    assert written.operation.attributes["t.a"].payload == varints(40) + b"\x01\x02\x03"
