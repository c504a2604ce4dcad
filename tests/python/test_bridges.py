"""`mlirbc.xdsl`, `mlirbc.upstream` and `mlirbc.graphs`: modules of other packages, and graphs."""

import sys
from pathlib import Path

import mlirbc
import pytest
from mlirbc import graphs, upstream

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples"

# Operations of each dialect that the translation supports, and operations and types that no dialect has.
PROGRAM = """
func.func @program(%n: index, %flag: i1, %memory: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.000000e+00 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%total = %zero) -> (f32) {
    %x = memref.load %memory[%i] : memref<?xf32>
    %next = arith.addf %total, %x : f32
    scf.yield %next : f32
  }
  cf.cond_br %flag, ^bb1(%sum : f32), ^bb2
^bb1(%given: f32):
  %other = "unknown.op"(%given) <{level = 3 : i64}> ({
    "unknown.inner"() : () -> ()
  }) {unit, "odd name" = [1 : i8, "text"]} : (f32) -> !unknown.type<"a", 2>
  return %given : f32
^bb2:
  return %zero : f32
}
"""


def generic(module):
    return module.get_asm(print_generic_op_form=True)


def test_xdsl_both_ways():
    pytest.importorskip("xdsl", reason="the extra `xdsl` is not installed")
    module = mlirbc.parse(PROGRAM)
    translated = mlirbc.xdsl.from_module(module)
    translated.verify()
    assert generic(mlirbc.xdsl.to_module(translated)) == generic(module)


def test_a_pass_of_xdsl():
    pytest.importorskip("xdsl", reason="the extra `xdsl` is not installed")
    from xdsl.context import Context
    from xdsl.transforms.dead_code_elimination import DeadCodeElimination

    module = mlirbc.parse("func.func @f() { %0 = arith.constant 1 : i32 return }")
    translated = mlirbc.xdsl.from_module(module)
    DeadCodeElimination().apply(Context(), translated)
    assert mlirbc.xdsl.to_module(translated).op_counts() == {
        "builtin.module": 1,
        "func.func": 1,
        "func.return": 1,
    }


def test_resources_come_back_from_the_module():
    pytest.importorskip("xdsl", reason="the extra `xdsl` is not installed")
    module = mlirbc.open(EXAMPLES / "two_layers.mlirbc")
    translated = mlirbc.xdsl.from_module(module)
    again = mlirbc.xdsl.to_module(translated, resources=module)
    for key in ("layer0.weight", "layer1.bias"):
        assert bytes(again.resources[key]) == bytes(module.resources[key])
    # xDSL does not keep resources that no attribute refers to.
    assert again.get_asm().partition("{-#")[0] == module.get_asm().partition("{-#")[0]


def test_jaxlib_both_ways():
    mlir = pytest.importorskip("jax._src.interpreters.mlir", reason="jax is not installed")
    module = mlirbc.parse(PROGRAM)
    # A context of jaxlib alone has no dialects.
    with mlir.make_ir_context() as context:
        context.allow_unregistered_dialects = True
        translated = upstream.to_ir(module, context)
        assert translated.operation.verify()
        again = upstream.from_ir(translated)
    assert generic(again) == generic(module)


def test_iree_both_ways():
    ir = pytest.importorskip("iree.compiler.ir", reason="IREE is not installed")
    module = mlirbc.parse(PROGRAM)
    with ir.Context() as context:
        context.allow_unregistered_dialects = True
        again = upstream.from_ir(upstream.to_ir(module, context))
    assert generic(again) == generic(module)


def test_bindings_that_are_not_known_need_a_target():
    class Context:
        __module__ = "vendor.mlir._mlir_libs._mlir.ir"

    with pytest.raises(ValueError, match=r"vendor\.mlir is not known; name it with `target`"):
        upstream.to_ir(mlirbc.parse(""), Context())
    with pytest.raises(TypeError, match="found int"):
        upstream.to_ir(mlirbc.parse(""), 3)


@pytest.mark.parametrize(
    ("version", "release"),
    [
        ("0.7.0", "jaxlib-0.7.0"),
        # `jaxlib-0.7` is 0.7.2, whose LLVM is the next one.
        ("0.7.1", "jaxlib-0.7"),
        ("0.7.2", "jaxlib-0.7"),
        ("0.4.33", "jaxlib-0.4.31"),
        ("0.12.0.1", "jaxlib-0.12"),
        ("0.99.0", "jaxlib-0.12"),
    ],
)
def test_a_package_has_the_release_of_its_series(monkeypatch, version, release):
    monkeypatch.setattr(upstream.metadata, "version", lambda distribution: version)
    assert upstream._release("jaxlib.mlir") == release


def test_the_graph_of_symbols():
    pytest.importorskip("networkx", reason="the extra `graphs` is not installed")
    module = mlirbc.parse("""
      func.func @a() { call @b() : () -> () "t.op"() {to = [@c::@inner, {d = @b}]} : () -> () return }
      func.func private @b()
      module @c { func.func private @inner() }
    """)
    graph = graphs.symbols(module)
    assert sorted(graph.nodes) == ["a", "b", "c"]
    assert sorted(
        (source, target, data["op"], data["attribute"]) for source, target, data in graph.edges(data=True)
    ) == [
        ("a", "b", "func.call", "callee"),
        ("a", "b", "t.op", "to"),
        ("a", "c", "t.op", "to"),
    ]
    assert graph.nodes["a"]["op"].name == "func.func"


def test_the_graph_of_data_flow():
    networkx = pytest.importorskip("networkx", reason="the extra `graphs` is not installed")
    module = mlirbc.open(EXAMPLES / "two_layers.mlirbc")
    graph = graphs.data_flow(module.operation)
    assert graph.number_of_nodes() == 34
    uses = sum(
        isinstance(value, mlirbc.OpResult) for row in graph.nodes for value in graph.nodes[row]["op"].operands
    )
    assert graph.number_of_edges() == uses
    assert networkx.is_directed_acyclic_graph(graph)


@pytest.mark.parametrize(
    ("package", "extra", "call"),
    [
        ("xdsl.parser", "xdsl", lambda module: mlirbc.xdsl.from_module(module)),
        ("xdsl.printer", "xdsl", lambda module: mlirbc.xdsl.to_module(None)),
        ("networkx", "graphs", graphs.symbols),
        ("networkx", "graphs", lambda module: graphs.data_flow(module.operation)),
    ],
)
def test_a_missing_package_is_named_with_its_extra(monkeypatch, package, extra, call):
    module = mlirbc.parse("")
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=rf"mlirbc\[{extra}\]"):
        call(module)


def test_lazy_names_are_listed():
    assert {"corpus", "edit", "graphs", "tools", "upstream", "xdsl", "dump", "affine"} <= set(dir(mlirbc))
