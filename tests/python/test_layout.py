"""Data layout: against `mlir-opt` of LLVM 22, against its recorded vectors, and additions to MLIR."""

import contextlib
import gc
import re
import subprocess
import sys
import threading
from pathlib import Path

import hypothesis.strategies as st
import mlirbc
import pytest
from hypothesis import HealthCheck, given, settings
from mlirbc import DataLayout
from mlirbc.layout import RFC_MEMREF_LAYOUT, DltiAttr, TypeSize

from support import layout_questions, layout_vectors, oracles
from support.sampling import examples

EXAMPLE = Path(__file__).parents[2] / "examples" / "layout.mlirbc"


def example() -> tuple[mlirbc.Module, mlirbc.Operation, mlirbc.Operation]:
    """The module, the module for the GPU in it, and the function in that."""
    module = mlirbc.open(EXAMPLE)
    kernels = module.body.operations[1]
    return module, kernels, kernels.regions[0].blocks[0].operations[0]


def identifier(work: object) -> str:
    with pytest.raises(mlirbc.InvalidError) as caught:
        work()  # type: ignore[operator]
    return caught.value.identifier.removeprefix("mlirbc.layout.")


# ---- the same as MLIR ----


@pytest.mark.parametrize("strict", [False, True])
def test_all_vectors_are_equal(strict: bool) -> None:
    vectors = layout_vectors.load()
    assert len(vectors) == 585
    assert [
        complaint for vector in vectors if (complaint := layout_vectors.judge(vector, strict=strict))
    ] == []


def test_a_wrong_answer_would_be_seen() -> None:
    vector = next(vector for vector in layout_vectors.load() if vector["id"] == "default_int/i33")
    vector["expected"]["size"] += 1
    assert layout_vectors.judge(vector) is not None
    vector["expected"] = {"rejected": {"stage": "verify", "mode": "diagnostic", "code": "entry-kind"}}
    assert layout_vectors.judge(vector) is not None


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", [1])
def test_generated_questions_are_answered_as_mlir_does(seed: int) -> None:
    oracles.require(22)
    questions = layout_questions.questions(seed, examples(800))
    replies = layout_questions.ask(questions)
    parsed = [question for question, reply in zip(questions, replies, strict=True) if reply.parsed]
    module = mlirbc.read(layout_questions.bytecode(parsed))
    cases = {op.attributes["sym_name"].value: op for op in module.body.operations}
    counts = {"answered": 0, "refused": 0, "died": 0, "not parsed": 0}
    for question, reply in zip(questions, replies, strict=True):
        if not reply.parsed:
            counts["not parsed"] += 1
            with pytest.raises(mlirbc.InvalidError):
                layout_vectors.answer(DataLayout.from_specs(list(question.specs)), question.type)
            continue
        op = next(
            op
            for op in layout_vectors.walk(cases[f"case_{question.number}"])
            if op.name == "test.data_layout_query"
        )
        queried_type = op.result.type
        if reply.answer is not None:
            counts["answered"] += 1
            for strict in (False, True):
                answers = layout_vectors.answer(DataLayout(op, strict=strict), queried_type)
                assert answers == reply.answer, question.text
            continue
        counts["died" if reply.died else "refused"] += 1
        # Types on which the tool crashes are refused with `strict`, except one crash that has an obvious
        # answer.
        if "vector<i8>" in question.type:
            continue
        with pytest.raises(mlirbc.InvalidError) as caught:
            layout_vectors.answer(DataLayout(op, strict=reply.died), queried_type)
        error = caught.value
        assert error.identifier.startswith("mlirbc.layout.") and str(error)
        if not reply.died:
            # The op, the attribute, and the key or the value that is wrong.
            assert error.path is not None and "`dlti.dl_spec`" in error.path
    assert counts["answered"] >= 120 and counts["refused"] >= 60 and counts["died"] >= 2, counts


# ---- from a module ----


def test_a_nested_scope_sees_what_is_around_it() -> None:
    module, kernels, step = example()
    outer, inner = DataLayout(module.operation), DataLayout(step)
    assert (outer.get_type_size("!llvm.ptr"), inner.get_type_size("!llvm.ptr")) == (8, 4)
    assert inner.get_type_size("index") == 8 and inner.stack_alignment == 128
    assert outer.alloca_memory_space is None and str(inner.alloca_memory_space) == "5 : ui64"
    assert [scope for scope, _, _ in inner.scopes] == ["builtin.module @host", "gpu.module @kernels"]
    where = {str(entry.key): entry.scope for entry in inner.entries}
    assert where["!llvm.struct<()>"] == "gpu.module @kernels" and where["index"] == "builtin.module @host"
    assert str(inner.get_device_property("gpu", "lanes")) == "32 : i32"
    assert inner.get_device_property("gpu", "cores") is None and inner.get_device_property("x", "y") is None
    assert repr(DataLayout(kernels)) == "<mlirbc.DataLayout with 10 entries from 2 scopes>"


def test_the_nearest_module_describes_the_target() -> None:
    text = '#dlti.target_system_spec<"cpu" = #dlti.target_device_spec<"cores" = {} : i32>>'
    edited = mlirbc.edit.Module.create()
    modules = [edited.operation]
    for _ in range(2):
        inner = edited.detached("builtin.module", regions=1)
        modules[-1].regions[0].blocks[0].append(inner)
        inner.regions[0].blocks.append()
        modules.append(inner)
    outer, middle, _ = modules
    outer.attributes["dlti.target_system_spec"] = mlirbc.Attribute.parse(text.format(8))
    middle.attributes["dlti.target_system_spec"] = mlirbc.Attribute.parse(text.format(4))

    def cores(op: mlirbc.edit.Operation) -> str:
        return str(DataLayout(op).get_device_property("cpu", "cores"))

    # A module without a description hides the one around it.
    assert [cores(op) for op in modules] == ["8 : i32", "4 : i32", "None"]
    assert [DataLayout(op).target_system_spec is None for op in modules] == [False, False, True]


def test_types_are_asked_in_any_form() -> None:
    module, _, step = example()
    layout = DataLayout(step)
    in_file = step.regions[0].blocks[0].arguments[1].type
    assert str(in_file) == "vector<3xf64>"
    alone = mlirbc.VectorType.get([3], mlirbc.F64Type.get())
    assert [layout.get_type_size(form) for form in (in_file, alone, "vector<3xf64>")] == [32, 32, 32]
    with pytest.raises(TypeError):
        layout.get_type_size(3)  # type: ignore[arg-type]
    with pytest.raises(mlirbc.InvalidError):
        layout.get_type_size("vector<")
    assert DataLayout(module).get_type_size("!llvm.ptr") == 8
    assert DataLayout(module.edit()).get_type_size("!llvm.ptr") == 8
    with pytest.raises(TypeError):
        DataLayout(module.body)  # type: ignore[arg-type]


# ---- edits ----


def test_an_edited_specification_changes_the_answers() -> None:
    module, kernels, step = example()
    edited = module.edit()
    layout, frozen = DataLayout(edited[step]), DataLayout(step)
    assert layout.get_type_size("!llvm.ptr") == frozen.get_type_size("!llvm.ptr") == 4
    spec = mlirbc.Attribute.parse("#dlti.dl_spec<!llvm.ptr = dense<16> : vector<3xi64>>")
    edited[kernels].attributes["dlti.dl_spec"] = spec
    assert layout.get_type_size("!llvm.ptr") == 2 and frozen.get_type_size("!llvm.ptr") == 4
    assert layout.alloca_memory_space is None
    del edited[kernels].attributes["dlti.dl_spec"]
    assert layout.get_type_size("!llvm.ptr") == 8 and len(layout.scopes) == 1
    edited[kernels].attributes["dlti.dl_spec"] = mlirbc.Attribute.parse("#dlti.dl_spec<index = 1.0 : f32>")
    assert identifier(lambda: layout.get_type_size("i8")) == "index_entry_kind"
    edited[kernels].attributes["dlti.dl_spec"] = spec
    assert layout.get_type_size("!llvm.ptr") == 2
    # An op that moves gets the layout of where it is.
    edited[step].move_before(edited[module.body.operations[0]])
    assert layout.get_type_size("!llvm.ptr") == 8
    assert DataLayout(mlirbc.read(edited.write()).body.operations[0]).get_type_size("!llvm.ptr") == 8


def test_other_edits_leave_the_answers_alone() -> None:
    module, _, step = example()
    edited = module.edit()
    layout = DataLayout(edited[step])
    before = layout.entries[0].value
    edited[step].attributes["example.note"] = mlirbc.UnitAttr.get()
    assert layout.get_type_size("!llvm.ptr") == 4 and layout.entries[0].value == before
    edited[step].erase()
    with pytest.raises(mlirbc.InvalidError) as caught:
        layout.get_type_size("i8")
    assert caught.value.identifier == "mlirbc.invalid.erased"


# ---- bad input ----


@pytest.mark.parametrize(
    ("specs", "code", "named"),
    [
        (["#dlti.dl_spec<i32 = 3>"], "entry_kind", "i32"),
        (['#dlti.dl_spec<"dlti.stack_alignment" = "x">'], "stack_alignment_value", "dlti.stack_alignment"),
        (['#dlti.dl_spec<"dlti.foo" = 1>'], "unknown_dlti_key", "dlti.foo"),
        (["#dlti.dl_spec<memref<1xi8> = 1>"], "builtin_key_not_supported", "memref<1xi8>"),
        (["#dlti.dl_spec<!toy.t = 1>"], "type_without_layout_hooks", "!toy.t"),
        (['#dlti.dl_spec<"a" = 1>', '#dlti.dl_spec<"a" = 2>'], "specs_do_not_combine", '"a"'),
        (["#dlti.map<>"], "wrong_attribute_kind", "MapAttr"),
    ],
)
def test_an_error_names_the_op_the_entry_and_the_rule(specs: list[str], code: str, named: str) -> None:
    with pytest.raises(mlirbc.InvalidError) as caught:
        DataLayout.from_specs(specs)
    error = caught.value
    assert error.identifier == f"mlirbc.layout.{code}" and named in str(error)
    assert error.path == f"specification {len(specs) - 1}, attribute `dlti.dl_spec`"


def test_a_specification_on_an_unknown_op_is_an_error_until_somebody_knows() -> None:
    oracles.require(22)
    text = """module { "zoo.module"() ({ "zoo.end"() : () -> () })
        {dlti.dl_spec = #dlti.dl_spec<index = 32 : i32>} : () -> () }"""
    args = ["--emit-bytecode", "--allow-unregistered-dialect"]
    module = mlirbc.read(oracles.checked(oracles.run_mlir_opt(22, args, text)))
    zoo = module.body.operations[0]
    with pytest.raises(mlirbc.InvalidError) as caught:
        DataLayout(zoo)
    assert caught.value.identifier == "mlirbc.layout.unknown_scope"
    assert "zoo.module" in str(caught.value) and "register_scope" in str(caught.value.hint)
    with pytest.raises(mlirbc.InvalidError):
        mlirbc.layout.verify(module)
    mlirbc.layout.register_scope("zoo.module")
    assert DataLayout(zoo.regions[0].blocks[0].operations[0]).get_type_size("index") == 4
    mlirbc.layout.register_scope("zoo.module", False)
    assert DataLayout(zoo).get_type_size("index") == 8
    mlirbc.layout.verify(module)


def test_sizes_that_do_not_fit_are_errors() -> None:
    layout = DataLayout.from_specs([])
    huge = f"!llvm.array<{2**40} x array<{2**40} x i64>>"
    assert identifier(lambda: layout.get_type_size(huge)) == "overflow"
    assert layout.get_type_abi_alignment(huge) == 4
    layout = DataLayout.from_specs(["#dlti.dl_spec<i32 = dense<-8> : vector<1xi64>>"])
    assert layout.get_type_abi_alignment("i32") == 2**61 - 1  # as MLIR has it: the numbers have no sign
    assert identifier(lambda: layout.get_type_size("!llvm.array<9 x i32>")) == "overflow"


def test_depth_costs_no_stack() -> None:
    layout = DataLayout.from_specs([])
    deep = f"!llvm.{'array<1 x ' * 100_000}i8{'>' * 100_000}"
    assert layout.get_type_size(deep) == 1
    deep = f"!llvm.{'struct<(' * 100_000}i8{')>' * 100_000}"
    assert layout.get_type_size(deep) == 1


# ---- open types ----


class Matrix:
    """Rows of elements, without room between them, aligned as entries say."""

    def __init__(self) -> None:
        self.asked = 0

    def size_in_bits(self, type: mlirbc.Type, layout: DataLayout, entries: object) -> int:
        self.asked += 1
        rows, columns, element = str(type).removeprefix("!zoo.matrix<").removesuffix(">").split("x", 2)
        size = layout.get_type_size_in_bits(element)
        assert isinstance(size, int)
        return int(rows) * int(columns) * size

    def abi_alignment(self, type: mlirbc.Type, layout: DataLayout, entries: list) -> int:
        return entries[0][1].value if entries else 16

    def verify_entries(self, entries: list) -> None:
        for key, value in entries:
            if not isinstance(value, mlirbc.IntegerAttr):
                raise ValueError(f"{key} wants an integer")

    def are_compatible(self, outer: list, inner: list) -> bool:
        return outer[0][1].value % inner[0][1].value == 0


def test_a_python_object_gives_a_type_its_layout() -> None:
    matrix = Matrix()
    layout = DataLayout.from_specs([], types={"zoo.matrix": matrix})
    matrix_type = mlirbc.Type.parse("!zoo.matrix<3x5xf16>")
    assert [layout.get_type_size(matrix_type) for _ in range(3)] == [30, 30, 30] and matrix.asked == 1
    assert (
        layout.get_type_preferred_alignment(matrix_type) == layout.get_type_abi_alignment(matrix_type) == 16
    )
    assert layout.get_type_size("!llvm.struct<(i8, !zoo.matrix<3x5xf16>)>") == 48
    assert layout.get_type_index_bitwidth(matrix_type) is None
    assert identifier(lambda: DataLayout.from_specs([]).get_type_size(matrix_type)) == "no_layout_for_type"


def test_a_registered_layout_sees_and_judges_its_entries() -> None:
    def layout(*values: str) -> DataLayout:
        specs = [f"#dlti.dl_spec<!zoo.matrix<1x1xi8> = {value}>" for value in values]
        return DataLayout.from_specs(specs, types={"zoo.matrix": Matrix()})

    assert layout("4 : i64").get_type_abi_alignment("!zoo.matrix<2x2xi8>") == 4
    assert layout("8 : i64", "4 : i64").get_type_abi_alignment("!zoo.matrix<2x2xi8>") == 4
    assert identifier(lambda: layout("4 : i64", "8 : i64")) == "specs_do_not_combine"
    with pytest.raises(mlirbc.InvalidError, match="wants an integer"):
        layout("unit")


def test_what_a_registered_layout_raises_comes_out() -> None:
    class Broken:
        calls = 0

        def size_in_bits(self, *_: object) -> int:
            self.calls += 1
            raise ZeroDivisionError("no")

        def abi_alignment(self, *_: object) -> str:
            return "four"

    broken = Broken()
    layout = DataLayout.from_specs([], types={"zoo.broken": broken})
    for _ in range(2):  # it is not kept
        with pytest.raises(ZeroDivisionError):
            layout.get_type_size("!llvm.array<2 x !zoo.broken>")
    assert broken.calls == 2
    with pytest.raises(TypeError, match="abi_alignment"):
        layout.get_type_abi_alignment("!zoo.broken")


def test_a_layout_that_asks_for_itself_ends() -> None:
    class Loop:
        def size_in_bits(self, type: mlirbc.Type, layout: DataLayout, entries: object) -> int:
            return layout.get_type_size_in_bits(type)  # type: ignore[return-value]

        def abi_alignment(self, *_: object) -> int:
            return 1

    layout = DataLayout.from_specs([], types={"zoo.loop": Loop()})
    with pytest.raises(mlirbc.LimitError):
        layout.get_type_size("!zoo.loop")
    with pytest.raises(mlirbc.LimitError):
        layout.get_type_size("!zoo.loop")


def test_a_table_gives_types_a_layout_in_terms_of_their_parameters() -> None:
    table = mlirbc.layout.table(
        {
            "type": [
                {"name": "zoo.handle", "size_in_bits": 64, "abi_alignment": 8, "preferred_alignment": 16},
                {
                    "name": "zoo.grid",
                    "parameters": ["rows x columns x element", "pitch"],
                    "size_in_bits": "rows * align_to(columns * size_in_bits(element), 8 * pitch)",
                    "abi_alignment": "max(pitch, abi_alignment(element))",
                },
            ]
        }
    )
    layout = DataLayout.from_specs([], types=table)
    assert layout.get_type_size("!zoo.grid<3x5xf32, 16>") == 96
    assert layout.get_type_abi_alignment("!zoo.grid<3x5x!zoo.handle, 4>") == 8
    assert layout.get_type_preferred_alignment("!zoo.handle") == 16
    assert identifier(lambda: layout.get_type_size("!zoo.grid<3>")) == "no_layout_for_type"
    assert (
        identifier(lambda: DataLayout.from_specs(["#dlti.dl_spec<!zoo.handle = 1>"], types=table))
        == "entry_kind"
    )


@pytest.mark.parametrize("rank", range(4))
@pytest.mark.parametrize("width", [32, 64])
def test_the_rfc_memref_layout(rank: int, width: int) -> None:
    # The numbers are worked out from the RFC's words: (3 + 2·rank) times the width of `index`.
    memref = f"memref<{'?x' * rank}memref<4xf32>>"
    specs = [f"#dlti.dl_spec<index = {width} : i32>"]
    layout = DataLayout.from_specs(specs, types=RFC_MEMREF_LAYOUT)
    assert layout.get_type_size(memref) == (3 + 2 * rank) * width // 8
    assert layout.get_type_abi_alignment(memref) == 4  # that of `index`
    assert layout.get_type_preferred_alignment(memref) == width // 8
    bare = [f'#dlti.dl_spec<index = {width} : i32, memref<1xi8> = {{model = "bare"}}>']
    assert DataLayout.from_specs(bare, types=RFC_MEMREF_LAYOUT).get_type_size(memref) == width // 8
    # MLIR has no such thing, and so mlirbc has not unless it is asked to.
    assert identifier(lambda: DataLayout.from_specs(specs).get_type_size(memref)) == "no_layout_for_type"
    assert identifier(lambda: DataLayout.from_specs(bare)) == "builtin_key_not_supported"


def test_the_entries_of_the_rfc_memref_layout_are_checked() -> None:
    def layout(entries: str) -> DataLayout:
        return DataLayout.from_specs([f"#dlti.dl_spec<{entries}>"], types=RFC_MEMREF_LAYOUT)

    assert identifier(lambda: layout('memref<1xi8> = {model = "fat"}')) == "entry_kind"
    assert identifier(lambda: layout('memref<1xi8> = "bare"')) == "entry_kind"
    two = 'memref<1xi8> = {model = "bare"}, memref<2xi8> = {model = "bare"}'
    assert identifier(lambda: layout(two)) == "entry_arity"

    def nested(outer: str, inner: str) -> DataLayout:
        specs = [
            f'#dlti.dl_spec<{key} = {{model = "{model}"}}>'
            for key, model in (("memref<1xi8>", outer), ("memref<2xi8>", inner))
        ]
        return DataLayout.from_specs(specs, types=RFC_MEMREF_LAYOUT)

    assert nested("bare", "bare").get_type_size("memref<4xi8>") == 8
    for models in (("bare", "descriptor"), ("descriptor", "bare")):
        assert identifier(lambda models=models: nested(*models)) == "specs_do_not_combine"
    assert identifier(lambda: layout("").get_type_size("memref<*xf32>")) == "no_layout_for_type"


def test_keys_lead_into_the_innermost_specification() -> None:
    outer, inner = '#dlti.dl_spec<"a" = 1 : i8, "b" = 2 : i8>', '#dlti.dl_spec<"c" = #dlti.map<"d" = 4 : i8>>'
    outer_only = DataLayout.from_specs([outer])
    assert str(outer_only.query("a")) == "1 : i8" and str(outer_only.query("b")) == "2 : i8"
    with_inner = DataLayout.from_specs([outer, inner])
    assert str(with_inner.query("c", "d")) == "4 : i8"
    # As in a module, where the nearest attribute counts.
    assert identifier(lambda: with_inner.query("a")) == "key_not_found"
    assert identifier(lambda: DataLayout.from_specs([]).query("a")) == "no_queryable_attribute"


# ---- specifications before and after, and casts ----


def test_a_transformation_may_let_alignments_grow() -> None:
    def layout(entries: str) -> DataLayout:
        return DataLayout.from_specs([f"#dlti.dl_spec<{entries}>"])

    def change(before: str, after: str) -> None:
        layout(before).check_compatible(layout(after))

    f64 = "f64 = dense<{}> : vector<2xi64>"
    change(f64.format(32), f64.format(64))
    change("", f64.format(64))
    assert identifier(lambda: change(f64.format(64), f64.format(32))) == "incompatible_change"
    assert identifier(lambda: change(f64.format(128), "")) == "incompatible_change"
    assert identifier(lambda: change("index = 32", "index = 64")) == "incompatible_change"
    assert identifier(lambda: change('"a" = 1', '"a" = 2')) == "incompatible_change"
    assert identifier(lambda: change('"a" = 1', "")) == "incompatible_change"
    change("", '"a" = 1')


def test_bit_casts_follow_the_layout() -> None:
    layout = DataLayout.from_specs(["#dlti.dl_spec<index = 32 : i32>"], types=RFC_MEMREF_LAYOUT)
    assert layout.can_bitcast("index", "f32") and not layout.can_bitcast("index", "i64")
    assert layout.can_bitcast("memref<4xf32>", "!llvm.array<5 x i32>")
    assert not layout.can_bitcast("tensor<1xi8>", "i8")
    assert not layout.can_bitcast("vector<[4]xi8>", "i32") and layout.can_bitcast(
        "vector<[4]xi8>", "vector<[1]xi32>"
    )
    with pytest.raises(ValueError, match="unknown bit cast operation"):
        layout.can_bitcast("i8", "i8", op="arith.addi")


# ---- properties ----

INTEGERS = st.integers(0, 300).map(lambda width: f"i{width}")
ELEMENTS = INTEGERS | st.sampled_from(["f16", "f32", "f64", "f80", "index", "!llvm.ptr", "!llvm.ptr<3>"])
TYPES = st.recursive(
    ELEMENTS | st.tuples(st.integers(1, 9), ELEMENTS).map(lambda parts: f"vector<{parts[0]}x{parts[1]}>"),
    lambda inner: (
        st.tuples(st.integers(0, 5), inner).map(lambda parts: f"!llvm.array<{parts[0]} x {parts[1]}>")
        | st.lists(inner, max_size=4).map(lambda parts: f"!llvm.struct<({', '.join(parts)})>")
    ),
    max_leaves=6,
)
POWERS = st.sampled_from([8, 16, 32, 64, 128])
ENTRIES = st.dictionaries(
    st.sampled_from(["i8", "i32", "i64", "f32", "f64", "!llvm.struct<()>", "!llvm.ptr", "!llvm.ptr<3>"]),
    POWERS,
).map(
    lambda entries: [
        f"{key} = dense<[{'64, ' * key.startswith('!llvm.ptr')}{value}, {2 * value}]> : "
        f"vector<{2 + key.startswith('!llvm.ptr')}xi64>"
        for key, value in entries.items()
    ]
)
# A busy machine is slow, which says nothing about the code.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
SPECS = st.tuples(ENTRIES, st.sampled_from([[], ["index = 32 : i32"], ["index = 16 : i32"]])).map(
    lambda parts: f"#dlti.dl_spec<{', '.join(parts[0] + parts[1])}>"
)


@unhurried
@given(SPECS, TYPES)
def test_sizes_cover_their_bits_and_alignments_are_powers_of_two(spec: str, of: str) -> None:
    layout = DataLayout.from_specs([spec])
    try:
        size, bits = layout.get_type_size(of), layout.get_type_size_in_bits(of)
    except mlirbc.InvalidError as error:
        # An integer without bits has no alignment, and types that contain it have no size.
        assert error.identifier == "mlirbc.layout.zero_alignment" and "i0" in of
        return
    assert isinstance(size, int) and isinstance(bits, int)
    assert 0 <= 8 * size - bits < 8
    for alignment in (layout.get_type_abi_alignment(of), layout.get_type_preferred_alignment(of)):
        assert alignment.bit_count() == 1 or (alignment == 0 and size == 0)


@unhurried
@given(SPECS, TYPES)
def test_an_inner_specification_that_repeats_the_outer_one_changes_nothing(spec: str, of: str) -> None:
    once, twice = DataLayout.from_specs([spec]), DataLayout.from_specs([spec, spec])
    none = DataLayout.from_specs(["#dlti.dl_spec<>", spec, "#dlti.dl_spec<>"])
    assert [str(e.key) for e in once.entries] == [str(e.key) for e in twice.entries]
    for layout in (twice, none):
        for question in ("get_type_size", "get_type_abi_alignment", "get_type_preferred_alignment"):
            try:
                expected = getattr(once, question)(of)
            except mlirbc.InvalidError as error:
                assert identifier(lambda: getattr(layout, question)(of)) == error.identifier.rsplit(".", 1)[1]  # noqa: B023
            else:
                assert getattr(layout, question)(of) == expected
    once.check_compatible(twice)


@unhurried
@given(st.text(max_size=60) | st.text('<>(){}[]"=,x 0123456789!#i.dltispecstructarayllvmp', max_size=80))
def test_no_text_does_more_than_raise(text: str) -> None:
    for start in ("", "#dlti.", "#dlti.dl_spec<", "!llvm.", "!llvm.struct<"):
        for make in (DltiAttr, DataLayout.from_specs([]).get_type_size):
            with contextlib.suppress(mlirbc.Error, UnicodeError):
                make(start + text)


# ---- the package ----


def test_answers_are_shared_by_threads() -> None:
    layout = DataLayout(example()[2])
    types = [f"!llvm.struct<(i{n}, vector<{n}xf64>)>" for n in range(1, 200)]
    expected = [layout.get_type_size(text) for text in types]
    failed: list[object] = []

    def work() -> None:
        for _ in range(20):
            if [layout.get_type_size(text) for text in types] != expected:
                failed.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_a_layout_outlives_its_module() -> None:
    layout = DataLayout(example()[1])
    gc.collect()
    assert layout.get_type_size("!llvm.ptr") == 4


def test_layout_is_imported_when_it_is_asked_for() -> None:
    code = (
        "import sys, mlirbc; assert 'mlirbc.layout' not in sys.modules; mlirbc.layout.register_scope('a.b')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_scalable_sizes_are_no_numbers() -> None:
    size = DataLayout.from_specs([]).get_type_size("vector<[4]xi32>")
    assert size == TypeSize(16) and size != 16 and hash(size) == hash(TypeSize(16))
    assert isinstance(size, TypeSize) and size.is_scalable and size.known_min_value == 16
    with pytest.raises(TypeError):
        size + 1  # type: ignore[operator]


def test_the_guide_shows_what_happens(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Path(__file__).parents[2]
    monkeypatch.chdir(root)
    text = (root / "docs" / "reference" / "data-layout.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 11
    for source, output in blocks:
        exec(compile(source, "data-layout.md", "exec"), {})
        assert capsys.readouterr().out == output
    (table,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    layout = DataLayout.from_specs([], types=mlirbc.LayoutTable.from_toml(table))
    assert layout.get_type_size("!toy.grid<3x5xf32, 16>") == 96
