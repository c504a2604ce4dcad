"""Dialect modules of `mlirbc.mlir`: classes, builders and accessors from definitions."""

import importlib
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import mlirbc
import pytest
from mlirbc.mlir import ir
from mlirbc.mlir.dialects import arith, builtin, cf, func, gpu, linalg, memref, pdl, scf, stablehlo, transform
from mlirbc.mlir.extras import types as T
from mlirbc.mlir.extras.meta import region_op

HERE = Path(__file__).parent
SIGNATURES = [
    line.split("\t")
    for line in (HERE.parent / "data/bindings/signatures.tsv").read_text("utf-8").splitlines()
]


@pytest.fixture
def module() -> Iterator[ir.Module]:
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            yield module


def _lines(module: ir.Module) -> list[str]:
    return [line.strip() for line in str(module).splitlines()[1:-1] if line.strip()]


@pytest.mark.parametrize("row", SIGNATURES, ids=[row[0] for row in SIGNATURES])
def test_names_and_arguments_are_those_of_the_generator(row: list[str]) -> None:
    """`mlir-tblgen-22 -gen-python-op-bindings` generated the rows."""
    name, cls, function, positional, keywords, accessors = row
    dialect = name.split(".")[0]
    names = importlib.import_module(
        f"mlirbc.mlir.dialects.{'async_dialect' if dialect == 'async' else dialect}"
    )
    generated = names._names.generated_class(name) if hasattr(names, "_names") else getattr(names, cls)
    assert (generated.OPERATION_NAME, generated.__name__) == (name, cls)
    signature = inspect.signature(generated)
    required = [one.name for one in signature.parameters.values() if one.default is one.empty]
    optional = {one.name for one in signature.parameters.values()} - {*required, "loc", "ip"}
    assert required == positional.split()
    assert optional == set(keywords.split())
    assert {part for part in accessors.split() if not hasattr(generated, part)} == set()
    if not hasattr(names, "_names"):
        assert callable(getattr(names, function))


def test_a_result_type_follows_from_traits(module: ir.Module) -> None:
    two = arith.constant(T.vector(2, T.i32()), ir.Attribute.parse("dense<2> : vector<2xi32>"))
    total = arith.addi(two, two)
    assert str(arith.cmpi(arith.CmpIPredicate.slt, total, two).type) == "vector<2xi1>"
    assert str(total.type) == "vector<2xi32>"


def test_types_that_do_not_follow_are_asked_for(module: ir.Module) -> None:
    from mlirbc.mlir.dialects import tosa

    value = arith.constant(T.f32(), 1.0)
    with pytest.raises(ValueError, match="pass them as results="):
        tosa.concat([value], 0)


def test_flags_become_attributes(module: ir.Module) -> None:
    number = arith.constant(T.f32(), 1.0)
    flags = arith.FastMathFlags.nnan | arith.FastMathFlags.ninf
    added = arith.AddFOp(number, number, fastmath=flags)
    assert str(added) == "%0 = arith.addf %cst, %cst fastmath<nnan,ninf> : f32"
    assert str(arith.AddFOp(number, number).fastmath) == "#arith.fastmath<none>"


def test_attributes_are_read_set_and_deleted(module: ir.Module) -> None:
    buffer = memref.AllocOp(T.memref(4, T.f32()), [], [], alignment=16)
    assert buffer.alignment == ir.IntegerAttr.get(T.i64(), 16)
    buffer.alignment = 32
    assert buffer.alignment.value == 32
    del buffer.alignment
    assert buffer.alignment is None
    with pytest.raises(ValueError, match="mandatory"):
        arith.ConstantOp(T.i32(), 1).value = None


def test_operands_are_found_by_group(module: ir.Module) -> None:
    @func.FuncOp.from_py_func(T.i1() if hasattr(T, "i1") else T.bool(), T.i32(), T.f32())
    def branch(condition: ir.Value, whole: ir.Value, real: ir.Value) -> None:
        block = ir.InsertionPoint.current.block.region.blocks.append(T.i32(), T.f32())
        other_block = block.region.blocks.append()
        operation_view = cf.CondBranchOp(condition, [whole, real], [], block, other_block)
        assert [str(one.type) for one in operation_view.trueDestOperands] == ["i32", "f32"]
        assert len(operation_view.falseDestOperands) == 0
        assert operation_view.condition == condition
        operation_view.operation.erase()
        other_block.erase()
        block.erase()


def test_views_have_the_class_of_their_operation(module: ir.Module) -> None:
    three = arith.ConstantOp(T.i32(), 3)
    assert isinstance(module.body.operations[0], arith.ConstantOp)
    match three.operation.opview:
        case arith.ConstantOp():
            matched = True
        case _:
            matched = False
    assert matched
    assert three == three.operation
    assert three.literal_value == 3
    assert not isinstance(three, ir.Operation)


def test_a_module_is_parsed_into_views() -> None:
    with ir.Context():
        module = ir.Module.parse("func.func private @f(i32) -> f32")
    function = module.body.operations[0]
    assert isinstance(function, func.FuncOp)
    assert (function.name.value, str(function.type), function.is_external) == ("f", "(i32) -> f32", True)


def test_hand_written_classes_derive_from_generated_ones(module: ir.Module) -> None:
    operation_view = builtin.ModuleOp.__base__(sym_name="inner")
    assert len(operation_view.regions[0].blocks) == 0
    assert "module @inner" in str(operation_view)


def test_functions_and_calls(module: ir.Module) -> None:
    @func.FuncOp.from_py_func(T.f32())
    def double(value: ir.Value) -> object:
        return arith.addf(value, value)

    @func.FuncOp.from_py_func(T.f32())
    def twice(value: ir.Value) -> object:
        return double(value)

    assert _lines(module) == [
        "func.func @double(%arg0: f32) -> f32 {",
        "%0 = arith.addf %arg0, %arg0 : f32",
        "return %0 : f32",
        "}",
        "func.func @twice(%arg0: f32) -> f32 {",
        "%0 = call @double(%arg0) : (f32) -> f32",
        "return %0 : f32",
        "}",
    ]
    assert module.operation.verify()


def test_loops(module: ir.Module) -> None:
    @func.FuncOp.from_py_func(T.index())
    def count(end: ir.Value) -> None:
        start = arith.constant(T.index(), 0)
        for index, total, _result in scf.for_(0, end, 1, [start]):  # type: ignore[misc]
            scf.yield_([arith.addi(total, index)])
        assert str(_result.type) == "index"
        for _ in scf.for_(end):
            scf.yield_([])

    assert module.operation.verify()
    assert sum("scf.for" in line for line in _lines(module)) == 2


def test_structured_operations_have_their_region(module: ir.Module) -> None:
    @func.FuncOp.from_py_func(T.tensor(2, 3, T.f32()), T.tensor(3, 2, T.f32()), T.tensor(2, 2, T.f32()))
    def multiply(a: ir.Value, b: ir.Value, c: ir.Value) -> object:
        zero = arith.constant(T.f32(), 0.0)
        return linalg.matmul(a, b, outs=[linalg.fill(zero, outs=[c])])

    assert module.operation.verify()
    assert any(line.startswith("%1 = linalg.matmul ins(%arg0, %arg1") for line in _lines(module))


def test_transformations(module: ir.Module) -> None:
    sequence = transform.SequenceOp(transform.FailurePropagationMode.Propagate, [], transform.AnyOpType.get())
    with ir.InsertionPoint(sequence.body):
        transform.structured.TileUsingForOp(sequence.bodyTarget, sizes=[4, 8])
        transform.YieldOp()
    assert "tile_sizes [4, 8]" in str(module)


def test_types_of_dialects_are_recognized() -> None:
    with ir.Context():
        assert isinstance(ir.Type.parse("!pdl.range<value>"), pdl.RangeType)
        assert not isinstance(ir.Type.parse("!pdl.value"), pdl.RangeType)
        assert str(pdl.RangeType.get(pdl.ValueType.get()).element_type) == "!pdl.value"
        assert transform.OperationType.get("a.b").operation_name == "a.b"
        with pytest.raises(ValueError, match="Cannot cast"):
            pdl.ValueType(ir.Type.parse("!pdl.type"))
    assert gpu.AsyncTokenType.static_typeid == gpu.AsyncTokenType.static_typeid


def test_other_projects_have_their_classes(module: ir.Module) -> None:
    number = arith.constant(T.tensor(2, T.f32()), ir.Attribute.parse("dense<1.0> : tensor<2xf32>"))
    product = stablehlo.MulOp(number, number)
    assert (product.operation.name, str(product.result.type)) == ("stablehlo.multiply", "tensor<2xf32>")


def test_classes_are_registered(module: ir.Module) -> None:
    @ir.register_dialect
    class Toy:
        DIALECT_NAMESPACE = "toy"

    @ir.register_operation(Toy)
    class PairOp(ir.OpView):
        OPERATION_NAME = "toy.pair"
        _ODS_OPERAND_SEGMENTS = [1, -1]  # noqa: RUF012

    number = arith.constant(T.i32(), 1)
    operation_view = PairOp.build_generic(results=[], operands=[number, [number, number]])
    assert isinstance(operation_view.operation.opview, PairOp)
    assert str(operation_view.attributes["operandSegmentSizes"]) == "array<i32: 1, 2>"
    with pytest.raises(RuntimeError, match="already registered"):
        ir.register_operation(Toy)(PairOp)
    with pytest.raises(ValueError, match="requires 2 operand segments"):
        PairOp.build_generic(results=[], operands=[number])


def test_wrong_calls_say_so(module: ir.Module) -> None:
    number = arith.constant(T.i32(), 1)
    for arguments, keywords, complaint in [
        ((number,), {}, "missing required arguments: 'rhs'"),
        ((number, number, number, number), {}, "takes 2 positional arguments but 4"),
        ((number, number), {"lhs": number}, "multiple values for argument 'lhs'"),
        ((number, number), {"colour": 1}, "unexpected keyword argument 'colour'"),
    ]:
        with pytest.raises(TypeError, match=complaint):
            arith.addi(*arguments, **keywords)
    with pytest.raises(AttributeError, match="no attribute 'frobnicate'"):
        arith.frobnicate  # noqa: B018
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("mlirbc.mlir.dialects.frobnicate")


def test_values_can_have_classes_of_their_own(module: ir.Module) -> None:
    from mlirbc.mlir import _registry

    before = dict(_registry.VALUE_CASTERS)
    try:

        @ir.register_value_caster(ir.F64Type.static_typeid)
        class Number(ir.Value):
            def __add__(self, other: "Number") -> object:
                return arith.addf(self, other)

        number = arith.constant(T.f64(), 1.0)
        assert isinstance(number, Number)
        assert isinstance(number + number, Number)
    finally:
        _registry.VALUE_CASTERS.clear()
        _registry.VALUE_CASTERS.update(before)


def test_regions_are_functions(module: ir.Module) -> None:
    def execute(results: list[ir.Type]) -> ir.OpView:
        return scf.ExecuteRegionOp(results)

    @region_op(execute, terminator=lambda values: scf.YieldOp(values))([T.i32()])  # type: ignore[operator]
    def seven() -> object:
        return arith.constant(T.i32(), 7)

    assert str(seven.type) == "i32"


def test_importing_the_package_imports_no_dialect() -> None:
    script = (
        "import sys, mlirbc; assert not [name for name in sys.modules if name.startswith('mlirbc.mlir')]\n"
        "from mlirbc.mlir.dialects import arith\n"
        "assert 'AddIOp' not in vars(arith) and arith.AddIOp is arith.AddIOp and 'AddIOp' in vars(arith)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_operations_of_a_pack_are_data() -> None:
    assert mlirbc._mlirbc._binding_definition("no.such") is None
    assert mlirbc._mlirbc._binding_operations("no") == []


_INFERRED = [
    ("add", ["tensor<2xf32>", "tensor<2xf32>"], {}),
    ("abs", ["tensor<2xcomplex<f32>>"], {}),
    ("imag", ["tensor<?xcomplex<f64>>"], {}),
    ("complex", ["tensor<2xf32>", "tensor<2xf32>"], {}),
    ("is_finite", ["tensor<3x?xf32>"], {}),
    ("select", ["tensor<2xi1>", "tensor<2xf32>", "tensor<2xf32>"], {}),
    ("clamp", ["tensor<f32>", "tensor<2xf32>", "tensor<f32>"], {}),
    ("transpose", ["tensor<1x2x?xf32>"], {"permutation": [2, 0, 1]}),
    ("slice", ["tensor<9xf32>"], {"start_indices": [1], "limit_indices": [8], "strides": [3]}),
    (
        "pad",
        ["tensor<4x?xf32>", "tensor<f32>"],
        {"edge_padding_low": [1, 0], "edge_padding_high": [2, 0], "interior_padding": [3, 0]},
    ),
    ("broadcast", ["tensor<2xf32>"], {"broadcast_sizes": [3, 4]}),
    ("reverse", ["tensor<2x3xf32>"], {"dimensions": [0]}),
    ("get_dimension_size", ["tensor<2x3xf32>"], {"dimension": 0}),
    ("create_token", [], {}),
    ("replica_id", [], {}),
]


@pytest.mark.parametrize(("name", "types", "attributes"), _INFERRED, ids=[row[0] for row in _INFERRED])
def test_types_are_those_that_jaxlib_infers(
    name: str, types: list[str], attributes: dict[str, object]
) -> None:
    theirs = pytest.importorskip("jaxlib.mlir.ir")
    hlo = pytest.importorskip("jaxlib.mlir.dialects.stablehlo")

    def built(bindings: object, dialect: object) -> str:
        with bindings.Context() as context, bindings.Location.unknown():  # type: ignore[attr-defined]
            if dialect is hlo:
                hlo.register_dialect(context)
            context.allow_unregistered_dialects = True
            module = bindings.Module.create()  # type: ignore[attr-defined]
            with bindings.InsertionPoint(module.body):  # type: ignore[attr-defined]
                parsed = [bindings.Type.parse(text) for text in types]  # type: ignore[attr-defined]
                source = bindings.Operation.create("test.source", results=parsed)  # type: ignore[attr-defined]
                operation_view = getattr(dialect, name)(*source.results, **attributes)
                return str(operation_view.type)

    assert built(ir, stablehlo) == built(theirs, hlo)


def test_generated_modules_have_the_generated_names_alone() -> None:
    from mlirbc.mlir.dialects import _arith_enum_gen, _arith_ops_gen, _structured_transform_ops_gen

    assert _arith_ops_gen.ConstantOp in arith.ConstantOp.__mro__
    assert _arith_ops_gen.ConstantOp is not arith.ConstantOp
    assert _arith_enum_gen.CmpIPredicate is arith.CmpIPredicate
    assert _arith_enum_gen._arith_cmpipredicateattr(arith.CmpIPredicate.eq, None) is not None
    assert _structured_transform_ops_gen.MatchOp.OPERATION_NAME == "transform.structured.match"
    with pytest.raises(ImportError, match="_no_such_ops_gen"):
        importlib.import_module("mlirbc.mlir.dialects._no_such_ops_gen")


@pytest.mark.parametrize(
    ("attribute", "text", "values"),
    [
        # The bindings of jaxlib 0.12 gave the texts and the values.
        (("PrecisionAttr", "HIGH"), "#stablehlo<precision HIGH>", {"value": "HIGH"}),
        (
            ("ResultAccuracyModeAttr", "HIGHEST"),
            "#stablehlo.result_accuracy_mode<HIGHEST>",
            {"value": "HIGHEST"},
        ),
        (
            ("ChannelHandle", 0, 0),
            "#stablehlo.channel_handle<handle = 0, type = 0>",
            {"handle": 0, "channel_type": 0},
        ),
        (
            ("DotDimensionNumbers", [], [], [1], [0]),
            "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>",
            {"lhs_batching_dimensions": [], "lhs_contracting_dimensions": [1]},
        ),
        (
            ("GatherDimensionNumbers", [1, 2], [], [], [], [0], 0),
            "#stablehlo.gather<offset_dims = [1, 2], start_index_map = [0]>",
            {"offset_dims": [1, 2], "start_index_map": [0], "index_vector_dim": 0},
        ),
        (
            ("ScatterDimensionNumbers", [1], [], [], [], [2], 1),
            "#stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [2], "
            "index_vector_dim = 1>",
            {"scattered_dims_to_operand_dims": [2], "index_vector_dim": 1},
        ),
        (
            ("ConvDimensionNumbers", 0, 3, [1, 2], 2, 3, [0, 1], 0, 3, [2, 1]),
            "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 1, 0, f]>",
            {"output_spatial_dimensions": [2, 1], "kernel_input_feature_dimension": 2},
        ),
    ],
)
def test_attributes_of_stablehlo_have_classes(
    attribute: tuple[object, ...], text: str, values: dict[str, object], module: ir.Module
) -> None:
    name, *arguments = attribute
    cls = getattr(stablehlo, str(name))
    created = cls.get(*arguments)
    assert str(created) == text
    assert {field: getattr(created, field) for field in values} == values
    assert isinstance(ir.Attribute.parse(text), cls)


def test_new_modules_are_for_the_release_with_the_imported_dialects() -> None:
    program = (
        "from mlirbc.mlir import ir\n"
        "with ir.Context(), ir.Location.unknown():\n"
        "    print(ir.Module.create().snapshot().release.name)\n"
        "from mlirbc.mlir.dialects import stablehlo, func\n"
        "with ir.Context(), ir.Location.unknown():\n"
        "    print(ir.Module.create().snapshot().release.name)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    parsed = mlirbc.parse("%0 = stablehlo.constant dense<1> : tensor<i32>").release.name
    assert done.stdout.split() == ["llvm-22", parsed]
