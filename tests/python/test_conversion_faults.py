"""Conversions between releases that lost or changed a meaning in silence: translated, or refused by name.

`tests/data/conversion` has the texts and what the `mlir-opt` of a release makes of them.
"""

import json
import random
import subprocess
from pathlib import Path

import pytest

from support import acceptance, acceptance_texts, generic_text, oracles, spelling

DATA = Path(__file__).parents[1] / "data" / "conversion"

TRANSLATED = [
    # The decoration is a property in 22, and an attribute that older releases do not declare.
    ("spirv_built_in.16", 22),
    ("spirv_built_in.16", 19),
    ("spirv_built_in.19", 16),
    ("spirv_built_in.19", 22),
    ("spirv_built_in.22", 16),
    ("spirv_built_in.22", 19),
    # The operands were in the other order.
    ("vector_insert.16", 19),
    ("vector_insert.16", 22),
    ("vector_insert.19", 16),
    ("vector_insert.22", 16),
    ("reduce_fadd.16", 19),
    ("reduce_fadd.16", 22),
    ("memory_effects_19.19", 22),
    ("memory_effects_22.22", 19),
    ("di_recursive.19", 22),
    ("di_recursive_22.22", 19),
    ("targets.22", 19),
    ("scf_parallel.16", 19),
    ("scf_parallel.16", 22),
    ("scf_parallel.19", 16),
    ("scf_parallel.22", 16),
    # The default of newer releases is what 16 always means.
    ("unnamed_addr.19", 16),
    ("unnamed_addr.22", 16),
    # The axis was a 64-bit integer.
    ("tosa_axis.22", 16),
    ("tosa_axis.19", 16),
    # 16 writes version 0, which has no place for `noWrapFlags`, and 22 has no place for `inbounds`.
    ("call_gep.16", 22),
    ("call_gep.22", 16),
    ("sparse.16", 19),
    ("sparse.16", 22),
    ("sparse.19", 16),
    ("sparse_blocks.22", 19),
    ("loop_wrapper.19", 22),
    ("loop_wrapper.22", 19),
    # A dimension that is broadcast has to be in bounds until 20.
    ("broadcast.16", 22),
    ("broadcast.22", 16),
    ("broadcast.22", 19),
    ("data_layout.19", 16),
    # The operations have another name.
    ("pack.19", 22),
    ("pack.22", 19),
    # 16 works the sizes of the result out.
    ("expand_shape.16", 19),
    ("expand_shape.16", 22),
    ("expand_shape.19", 16),
    ("expand_shape.22", 16),
    # A number became names.
    ("map_info.19", 22),
    ("map_info.22", 19),
    # 22 has a region without blocks before and after the regions of 19.
    ("declare_reduction.19", 22),
    ("declare_reduction.22", 19),
    # Groups of operands have other names and other places.
    ("groups.19", 22),
    ("omp_if.16", 19),
    ("task_final.19", 22),
    # Pointers have no element type, and operations have it.
    ("typed_pointer.16", 19),
    ("pointers.16", 19),
    ("pointers.16", 22),
    # The operations have another name.
    ("null.16", 19),
    ("null.19", 16),
    ("emitc_call.16", 19),
    ("emitc_call.16", 22),
    ("emitc_call.22", 16),
    ("unsigned.16", 19),
    ("unsigned.16", 22),
    ("element.19", 22),
    # The terminator, too.
    ("warp.16", 22),
    ("warp.19", 22),
    ("warp.22", 16),
    ("warp.22", 19),
    # 22 has no size.
    ("lifetime.19", 22),
    ("lifetime.22", 16),
    ("lifetime.22", 19),
    # `tf32` is a type that 16 does not have, and a case of an enumeration that it has.
    ("mma_type.19", 16),
]

REFUSED = [
    ("acc_loop.16", 19, "acc.loop operation: the target has no property `exec_mapping`"),
    ("acc_loop.16", 22, "acc.loop operation: the target has no property `exec_mapping`"),
    ("memory_effects_errno.22", 19, "cannot read `#llvm.memory_effects<other = none, argMem = read"),
    ("cases.22", 16, "the target cannot read `#vector.kind<minnumf>`"),
    ("cases.22", 16, "the target cannot read `#gpu<all_reduce_op minnumf>`"),
    ("atomicrmw.22", 19, "llvm.atomicrmw operation: the target has no case `usub_cond` of property `bin_op`"),
    ("assume_alignment.22", 19, "operation of the target cannot have 1 result"),
    ("negate.19", 22, "tosa.negate operation: the operation of the target cannot have 1 operand"),
    ("targets.22", 16, "the target cannot read `#omp.declaretarget"),
    (
        "sparse_blocks.22",
        16,
        "the target cannot read `#sparse_tensor.encoding<{ map = (d0, d1) -> (d0 floordiv",
    ),
    ("linalg_map.19", 22, "the target refuses it: its region has an argument for `init`"),
    ("zero.19", 16, "llvm.mlir.null operation: the target refuses it: result 0 (`res`) is not LLVM pointer"),
    ("element_i32.19", 22, "vector.extract operation: the target refuses it: operand 1 (`dynamic_position`)"),
    ("element_0d.19", 22, "vector.extract operation: the operation of the target cannot have 1 operand"),
    ("lifetime_size.19", 22, "llvm.intr.lifetime.start operation: the target has no property `size`"),
    ("capability.22", 19, "the target cannot read `#spirv.vce<v1.0, [Shader, ReplicatedCompositesEXT], []>`"),
    ("address_space.22", 19, "the target cannot read `#amdgpu.address_space<fat_raw_buffer>`"),
    # Rules of the definitions.
    ("loop_of_i32.22", 16, "scf.for operation: the target refuses it: operand 0 (`lowerBound`) is not index"),
    (
        "scalable.22",
        16,
        "vector.extract operation: the target refuses it: has the type `vector<[4]xf32>` in place",
    ),
    (
        "acc_loop.19",
        22,
        "the target refuses it: requires one of the attributes `auto_`, `independent`, `seq`",
    ),
    # In 19 these fields say that the type refers to itself.
    ("di_recursive.22", 19, "the target cannot read `#llvm.di_composite_type<"),
    ("empty_mask.22", 16, "vector.mask operation: the target refuses it: must have an operation to mask"),
    ("declare_alloc.22", 19, "has a region with blocks that it does not have in the target release"),
    # Sizes that are not static are operands.
    ("dynamic_shape.16", 19, "the target requires property `static_output_shape`, which has no value"),
    # Rules of verifiers that not all releases have.
    ("slice.19", 22, "tensor.extract_slice operation: the target refuses it: the slice ends at 4"),
    ("view.19", 16, "memref.subview operation: the target refuses it: the offset of the result is 0"),
    ("constant.16", 19, "llvm.mlir.constant operation: the target refuses it: the type of an integer"),
    ("parameter.16", 19, "llvm.func operation: the target refuses it: the attribute `llvm.readonly` of"),
    ("position.22", 19, "vector.extract operation: the target refuses it: the position -1 is outside"),
    ("unmapped.19", 22, "omp.target_data operation: the target refuses it: operand 0 must be a result of"),
    ("complex.22", 19, "llvm.mlir.constant operation: the target refuses it: a struct must be a complex"),
    ("indexed.16", 19, "llvm.getelementptr operation: the target refuses it: index 1 is one of `i32`"),
    ("indexed.16", 22, "llvm.getelementptr operation: the target refuses it: index 1 is one of `i32`"),
    (
        "empty_tensor.19",
        22,
        "tosa.add operation: the target refuses it: operand 0 (`input1`) is not tosa-con",
    ),
    ("elements.22", 16, "tosa.identity operation: the target refuses it: `tensor<1xf64>` has elements"),
    ("alignstack.22", 19, "the attribute `llvm.alignstack` of parameter 0 is one of pointers"),
    # The first region allocated the variable, and initializes it since 21.
    ("private.19", 22, "the target refuses it: its first region initializes the variable"),
    ("private.22", 19, "the target refuses it: its first region allocates the variable"),
    ("rank.19", 22, "the target refuses it: requires the same rank for all operands and results"),
]


KNOWN_SILENCE = {
    # An attribute of another dialect that 16 allows on any operation.
    "dialects/bufferization_16.mlir#0",
    # 16 does not have the dialect, and 19 has it without the attribute.
    "dialects/enums_16_22.mlir#0",
    # Verifiers in C++ that are stricter in newer releases.
    "dialects/spirv_more_16.mlir#0",
    "types/llvm-22.mlir#0",
    # An operation that 16 has not registered and whose dialect 22 has.
    "dialects/arm_sme_more_16_19.mlir#0",
}


def converted(name: str, target: str) -> bytes:
    data, complaint = acceptance.convert((DATA / f"{name}.mlirbc").read_bytes(), target)
    assert data is not None, complaint
    return data


def printed(release: int, data: bytes | Path) -> str:
    args = ["--allow-unregistered-dialect", "--mlir-print-op-generic", "--mlir-print-local-scope"]
    return oracles.checked(oracles.run_mlir_opt(release, args, data)).decode()


@pytest.mark.parametrize(("name", "target"), TRANSLATED)
def test_the_reader_of_the_target_reads_what_it_was(name: str, target: int) -> None:
    release = int(name.rpartition(".")[2])
    data = converted(name, f"llvm-{target}")
    for number in (release, target):
        oracles.require(number)
    mine = spelling.normal(printed(release, DATA / f"{name}.mlirbc"), f"llvm-{release}", f"llvm-{target}")
    assert spelling.normal(printed(target, data), f"llvm-{target}", f"llvm-{release}") == mine


@pytest.mark.parametrize(("name", "target", "reason"), REFUSED)
def test_what_the_target_does_not_have_is_refused_by_name(name: str, target: int, reason: str) -> None:
    data, complaint = acceptance.convert((DATA / f"{name}.mlirbc").read_bytes(), f"llvm-{target}")
    assert data is None
    assert reason in complaint


@pytest.mark.parametrize(("name", "target"), [*TRANSLATED, *((name, target) for name, target, _ in REFUSED)])
def test_check_says_what_convert_does(name: str, target: int) -> None:
    words = [
        acceptance.command(),
        "check",
        "--json",
        str(DATA / f"{name}.mlirbc"),
        "--target",
        f"llvm-{target}",
    ]
    output = subprocess.run(words, capture_output=True, check=False, timeout=60).stdout
    answer = json.loads(output)["convert"]
    data, complaint = acceptance.convert((DATA / f"{name}.mlirbc").read_bytes(), f"llvm-{target}")
    assert answer["is_possible"] == (data is not None)
    assert all(loss in complaint for loss in answer["losses"])


def test_harmless_losses_are_notes_unless_strict() -> None:
    module = (DATA.parent / "bytecode" / "llvm-19" / "v6" / "uses_one_result.mlirbc").read_bytes()
    data, complaint = acceptance.convert(module, "llvm-16")
    assert data is not None and "left out: a use-list order" in complaint
    data, complaint = acceptance.convert(module, "llvm-16", "--strict")
    assert data is None and "a use-list order needs bytecode version 3 or later" in complaint


def test_operands_have_the_order_of_the_target() -> None:
    """Source and destination have one type here, so no reader notices that they are exchanged."""
    oracles.require(22)
    (insert,) = (
        op
        for op in generic_text.parse(printed(22, converted("vector_insert.16", "llvm-22"))).walk()
        if op.name == "llvm.intr.vector.insert"
    )
    # The function inserts its first argument into its second one, and 22 has the destination first.
    assert [operand.number for operand in insert.operands] == [1, 0]


@pytest.mark.parametrize(
    ("name", "target", "text", "answer"),
    [
        ("memory_effects_22.22", 19, "#llvm.memory_effects<", "refused"),
        ("memory_effects_19.19", 22, "#llvm.memory_effects<", "refused"),
        # 19 parses the text, and fills in features that the file does not have.
        ("targets.22", 19, "#nvvm.target<", "misread"),
        ("cases.22", 16, "#vector.kind<minnumf>", "refused"),
        # 19 has the decoration as a discardable attribute.
        ("spirv_built_in.22", 19, "`built_in`", "misread"),
        ("scalable.22", 16, "vector<[4]xf32>", "refused"),
    ],
)
def test_check_says_which_texts_the_receiver_does_not_read(
    name: str, target: int, text: str, answer: str
) -> None:
    words = [acceptance.command(), "check", str(DATA / f"{name}.mlirbc"), "--target", f"llvm-{target}"]
    output = subprocess.run(words, capture_output=True, check=False, timeout=60).stdout.decode()
    assert any(text in line and answer in line for line in output.splitlines()), output


@pytest.mark.parametrize("target", ["llvm-21", "jaxlib-0.6"])
def test_rules_have_the_day_of_a_change(target: str) -> None:
    """21 has `noWrapFlags`, and `op_bundle_sizes` of `llvm.call`, before 22."""
    converted("call_gep.22", target)
    converted("call_gep.19", target)


def test_no_text_is_changed_or_left_to_the_reader_in_silence() -> None:
    """As `scripts/acceptance --texts` draws them, with all pairs of releases."""
    for release in oracles.RELEASES:
        oracles.require(release)
    pairs = [acceptance_texts.pair(text) for text in acceptance_texts.PAIRS]
    judged = list(acceptance_texts.results(DATA, pairs, number=40, seed=random.randrange(1000), workers=2))
    assert {(result.source, result.target) for result in judged} == set(pairs)
    silent = ("refused by the reader after silence", "read as something else")
    assert not [result for result in judged if result.kind in silent and result.name not in KNOWN_SILENCE]


def test_a_sample_is_that_of_its_seed() -> None:
    oracles.require(22)
    pairs = [("llvm-22", "llvm-19")]
    names = [
        [result.name for result in acceptance_texts.results(DATA, pairs, number=4, seed=seed, workers=1)]
        for seed in (1, 1, 2)
    ]
    assert names[0] == names[1] != names[2]
