"""The facts that the comparison of releases rests on, as `mlir-opt` of the releases has them."""

import functools
from pathlib import Path

import pytest

from support import oracles, spelling, spelling_facts
from support.spelling_facts import OPS, PROPERTIES, TERMINATORS, TEXTS, WORDS, Property, shown_attributes


def accepts(release: int, text: str) -> bool:
    """Whether the release reads an attribute, or leaves it as it is in a dialect that it does not know."""
    oracles.require(release)
    module = f'"t.op"() {{a = {text}}} : () -> ()'
    return oracles.run_mlir_opt(release, ["--allow-unregistered-dialect"], module).status == 0


def registers(release: int, op: str) -> bool:
    oracles.require(release)
    errors = oracles.run_mlir_opt(release, ["--allow-unregistered-dialect"], f'"{op}"() : () -> ()').stderr
    return (
        f"unregistered operation '{op}'" not in errors and "created with unregistered dialect" not in errors
    )


def knows(release: int, op: str, name: str) -> bool:
    """Whether a property has the name: the name is kept, or its class is found to be wrong."""
    oracles.require(release)
    text = f'"{op}"() <{{{name} = "of another class"}}> : () -> ()'
    errors = oracles.run_mlir_opt(release, ["--mlir-print-op-generic"], text).stderr
    return "invalid properties" in errors or name in shown_attributes(release, text)


def example_op(row: Property) -> str:
    return row.example or row.op


RENAMED = [row for row in PROPERTIES if row.since <= 22 and row.before != row.after]


CONVERSION = Path(__file__).parents[1] / "data" / "conversion"


@pytest.mark.parametrize("row", RENAMED, ids=lambda row: f"{row.op}-{row.before}")
def test_renamed_properties_have_their_name_in_the_release(row: Property) -> None:
    if row.since <= 19:
        # 16 has no properties: its names are discardable to look at.
        assert knows(19, example_op(row), row.after) and not knows(19, example_op(row), row.before)
        return
    assert knows(19, example_op(row), row.before) and not knows(19, example_op(row), row.after)
    assert knows(22, example_op(row), row.after) and not knows(22, example_op(row), row.before)


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("arith.maxf", 16, 19),
        ("arith.minf", 16, 19),
        ("bufferization.to_memref", 19, 22),
        ("tensor.pack", 19, 22),
        ("tensor.unpack", 19, 22),
        ("vector.splat", 19, None),
        ("nvvm.barrier0", 22, None),
        # The dialect of 19 allows unknown operations.
        ("llvm.mlir.null", 16, None),
        ("vector.warp_execute_on_lane_0", 19, 22),
        # Both names are older than the change.
        ("linalg.matmul_unsigned", 16, None),
        ("vector.extractelement", 19, None),
        ("vector.insertelement", 19, None),
    ],
)
def test_renamed_ops_are_registered_before_or_after(name: str, before: int, after: int | None) -> None:
    assert registers(before, name)
    assert registers(after or 22, OPS[name])
    if after is not None:
        assert not registers(after, name) and not registers(before, OPS[name])


def test_every_renamed_op_is_asked_for() -> None:
    assert set(OPS) == {
        "arith.maxf",
        "arith.minf",
        "bufferization.to_memref",
        "tensor.pack",
        "tensor.unpack",
        "vector.splat",
        "nvvm.barrier0",
        "llvm.mlir.null",
        "linalg.matmul_unsigned",
        "vector.extractelement",
        "vector.insertelement",
        "vector.warp_execute_on_lane_0",
    }


def test_operations_of_older_names_are_gone() -> None:
    assert not registers(19, "linalg.matmul_unsigned")
    assert not registers(22, "vector.extractelement") and not registers(22, "vector.insertelement")
    assert registers(16, "emitc.call") and not registers(16, "emitc.call_opaque")
    assert registers(19, "emitc.call_opaque")


COMMUTED = """func.func @f(%a: index, %b: index) -> index {
  %0 = affine.min affine_map<()[s0, s1] -> (s0 + s1, s1 + s0, s1 * s0)> ()[%a, %b]
  return %0 : index
}"""


@pytest.mark.parametrize(
    ("before", "older", "after", "newer"),
    [
        ("expand_shape.16", 16, "expand_shape.19", 19),
        ("pack.19", 19, "pack.22", 22),
        ("map_info", 19, "map_info", 22),
        ("declare_reduction", 19, "declare_reduction", 22),
        ("null.16", 16, "null.19", 19),
        ("emitc_call.16", 16, "emitc_call.22", 22),
        ("warp.16", 16, "warp.22", 22),
        ("lifetime.19", 19, "lifetime.22", 22),
        (COMMUTED, 19, COMMUTED, 22),
    ],
    ids=lambda value: str(value).partition(" ")[0],
)
def test_texts_that_say_the_same_have_one_spelling(before: str, older: int, after: str, newer: int) -> None:
    spellings = []
    for text, release, counterpart in ((before, older, newer), (after, newer, older)):
        oracles.require(release)
        source = text if "\n" in text else (CONVERSION / f"{text}.mlir").read_text()
        args = ["--mlir-print-op-generic", "--mlir-print-local-scope"]
        printed = oracles.checked(oracles.run_mlir_opt(release, args, source)).decode()
        spellings.append(spelling.normal(printed, f"llvm-{release}", f"llvm-{counterpart}"))
    assert spellings[0] == spellings[1]


def test_terminators_are_gone() -> None:
    for op in TERMINATORS:
        assert registers(16, op) and registers(19, op) and not registers(22, op)


def test_texts_are_read_by_the_release_that_has_them() -> None:
    for kind in ("maxf", "minf"):
        before = f"#vector.kind<{kind}>"
        assert accepts(16, before) and not accepts(19, before)
        assert accepts(19, TEXTS[before]) and not accepts(16, TEXTS[before])
    assert accepts(22, "#nvvm<redux_kind add>") and not accepts(22, "#nvvm<reduction_kind add>")
    samples = {
        "gpu": ("dim", "x"),
        "index": ("cmp_predicate", "eq"),
        "amdgpu": ("dpp_perm", "row_shl"),
        "nvgpu": ("swizzle", "none"),
        "nvvm": ("shfl_kind", "up"),
    }
    assert set(samples) == set(WORDS)
    for dialect, (name, value) in samples.items():
        before, after = f"#{dialect}<{name} {value}>", f"#{dialect}.{name}<{value}>"
        assert accepts(22, before) and not accepts(22, after), before
        assert spelling.respell(before) == spelling.respell(after) == after


def atomic_word(release: int, number: int) -> str:
    """The word for a number; some kinds are of integers, the others of floats."""
    oracles.require(release)
    for kind in ("f32", "i32"):
        text = f"""
        func.func @f(%m: memref<4x{kind}>, %v: {kind}, %i: index) {{
          %0 = "memref.atomic_rmw"(%v, %m, %i) <{{kind = {number} : i64}}>
            : ({kind}, memref<4x{kind}>, index) -> {kind}
          return
        }}"""
        output = oracles.run_mlir_opt(release, [], text)
        if output.status == 0:
            return output.stdout.decode().partition("memref.atomic_rmw ")[2].split()[0]
    # Some kinds no such op may have; the verifier has the word.
    return output.stderr.partition("with kind '")[2].partition("'")[0]


def test_atomic_kinds_have_the_word_that_the_number_had() -> None:
    for before, after in spelling_facts.ATOMIC_KINDS.items():
        assert atomic_word(19, before) == atomic_word(22, after), (before, after)
    assert "" not in map(functools.partial(atomic_word, 19), (0, 1, 2, 3, 4, 5, 6))


def test_flags_are_spelled_out_by_19_and_a_number_in_22() -> None:
    text = "llvm.func @f(%a: i32) {{ %0 = llvm.add %a, %a {} : i32 llvm.return }}"
    for words in ("", "overflow<nsw>", "overflow<nuw>", "overflow<nsw, nuw>"):
        printed_flags = []
        for release in (19, 22):
            oracles.require(release)
            args = ["--mlir-print-op-generic"]
            printed = oracles.checked(oracles.run_mlir_opt(release, args, text.format(words))).decode()
            printed_flags.append(printed.partition("overflowFlags = ")[2].partition("}>")[0])
        assert (
            printed_flags[0].startswith("#llvm.overflow<")
            and spelling.flags(printed_flags[0]) == printed_flags[1]
        )


def test_values_that_are_filled_in() -> None:
    for release in oracles.RELEASES:
        oracles.require(release)
    assert spelling_facts.defaults("llvm-16", "llvm.func")["linkage"] == "#llvm.linkage<external>"
    assert spelling_facts.defaults("llvm-19", "llvm.func")["visibility_"] == "0 : i64"
    assert spelling_facts.defaults("llvm-22", "arith.addf") == {"fastmath": "#arith.fastmath<none>"}
    assert spelling_facts.defaults("llvm-22", "func.func") == {}


def test_strings_are_left_alone() -> None:
    text = '{a = "#gpu<dim x>", b = #gpu<dim x>, c = "\\"#vector.kind<maxf>"}'
    assert spelling.respell(text) == '{a = "#gpu<dim x>", b = #gpu.dim<x>, c = "\\"#vector.kind<maxf>"}'
    assert spelling.integers("array<i64: 1, -2>") == spelling.integers("[1, -2]") == "[1, -2]"
