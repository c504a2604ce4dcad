# ruff: noqa: E501, one operation is one row
"""A module with each operation of StableHLO, and the artifacts of jaxlib and mlirbc for every version.

Run as a program it prints a table: each operation, and for how many versions both gave the same bytes, both refused, or
differed, and whether what both read again is the same.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import mlirbc

from support import jaxlib_oracle

VERSIONS = [f"0.{minor}.0" for minor in range(9, 21)] + [f"1.{minor}.0" for minor in range(18)]
"""The versions of StableHLO that jaxlib 0.10.2 knows."""

F = "tensor<2x4xf32>"
S = "tensor<f32>"
INT = "tensor<i32>"

UNARY = [
    "abs",
    "cbrt",
    "ceil",
    "cosine",
    "exponential",
    "exponential_minus_one",
    "floor",
    "log",
    "log_plus_one",
    "logistic",
    "negate",
    "round_nearest_afz",
    "round_nearest_even",
    "rsqrt",
    "sign",
    "sine",
    "sqrt",
    "tan",
    "tanh",
    "optimization_barrier",
]
BINARY = ["add", "atan2", "divide", "maximum", "minimum", "multiply", "power", "remainder", "subtract"]
INTEGERS = ["and", "or", "xor", "shift_left", "shift_right_arithmetic", "shift_right_logical"]
WITH_ACCURACY = [
    "cbrt",
    "cosine",
    "exponential",
    "exponential_minus_one",
    "log",
    "log_plus_one",
    "logistic",
    "rsqrt",
    "sine",
    "sqrt",
    "tan",
    "tanh",
]

ADD = f"({{^bb0(%l: {S}, %r: {S}): %s = stablehlo.add %l, %r : {S} stablehlo.return %s : {S}}})"
TO_F64 = (
    "({^bb0(%l: tensor<f64>, %r: tensor<f64>): %s = stablehlo.add %l, %r : tensor<f64>"
    " stablehlo.return %s : tensor<f64>})"
)
GREATER = (
    f"({{^bb0(%l: {S}, %r: {S}): %s = stablehlo.compare GE, %l, %r : ({S}, {S}) -> tensor<i1>"
    " stablehlo.return %s : tensor<i1>})"
)
GROUPS = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 3, type = 0>"
SEND = "channel_handle = #stablehlo.channel_handle<handle = 3, type = 2>, is_host_transfer = true"
CONV = "dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>"
COUNTS = "batch_group_count = 1 : i64, feature_group_count = 1 : i64"
GATHER = "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>"
SCATTER = (
    "#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], "
    "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>"
)
ALGORITHM = (
    "#stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, "
    "lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, "
    "allow_imprecise_accumulation = false>"
)
DOT = "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"
TOKEN = "!stablehlo.token"

# The name, the types of the arguments, the operation with its attributes and regions, and the types of its results. The
# same name occurs again with what other versions refuse.
_ROWS: list[tuple[str, str, str, str]] = [
    *((name, F, "", F) for name in UNARY),
    *(
        (
            name,
            F,
            "<{result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = "
            "#stablehlo.result_accuracy_mode<TOLERANCE>>}>",
            F,
        )
        for name in WITH_ACCURACY
    ),
    *((name, f"{F}, {F}", "", F) for name in BINARY),
    *((name, f"{INT}, {INT}", "", INT) for name in INTEGERS),
    *((name, INT, "", INT) for name in ("not", "popcnt", "count_leading_zeros")),
    ("after_all", f"{TOKEN}, {TOKEN}", "", TOKEN),
    ("all_gather", F, f"<{{all_gather_dim = 1 : i64, {GROUPS}}}>", "tensor<2x8xf32>"),
    (
        "all_gather",
        F,
        f"<{{all_gather_dim = 1 : i64, {GROUPS}, {CHANNEL}, use_global_device_ids}}>",
        "tensor<2x8xf32>",
    ),
    (
        "all_gather",
        f"{F}, {F}",
        f"<{{all_gather_dim = 1 : i64, {GROUPS}}}>",
        "tensor<2x8xf32>, tensor<2x8xf32>",
    ),
    ("all_reduce", F, f"<{{{GROUPS}}}> {ADD}", F),
    ("all_reduce", F, f"<{{{GROUPS}, {CHANNEL}, use_global_device_ids}}> {ADD}", F),
    ("all_reduce", f"{F}, {F}", f"<{{{GROUPS}}}> {ADD}", f"{F}, {F}"),
    ("all_reduce", F, f"<{{{GROUPS}}}> {TO_F64}", "tensor<2x4xf64>"),
    (
        "all_to_all",
        F,
        f"<{{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, {GROUPS}}}>",
        "tensor<4x2xf32>",
    ),
    (
        "all_to_all",
        f"{F}, {F}",
        f"<{{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, {GROUPS}, {CHANNEL}}}>",
        "tensor<4x2xf32>, tensor<4x2xf32>",
    ),
    (
        "batch_norm_grad",
        "tensor<2x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2x2x2xf32>",
        "<{epsilon = 1.0e-3 : f32, feature_index = 0 : i64}>",
        "tensor<2x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>",
    ),
    (
        "batch_norm_inference",
        "tensor<4x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>",
        "<{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}>",
        "tensor<4x256xf32>",
    ),
    (
        "batch_norm_training",
        "tensor<2x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>",
        "<{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}>",
        "tensor<2x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>",
    ),
    ("bitcast_convert", F, "", "tensor<2x4xi32>"),
    ("broadcast", S, "<{broadcast_sizes = array<i64: 1, 2>}>", "tensor<1x2xf32>"),
    ("broadcast_in_dim", "tensor<4xf32>", "<{broadcast_dimensions = array<i64: 1>}>", F),
    (
        "case",
        INT,
        f"({{%c = stablehlo.constant dense<1.0> : {S} stablehlo.return %c : {S}}}, "
        f"{{%c = stablehlo.constant dense<2.0> : {S} stablehlo.return %c : {S}}})",
        S,
    ),
    ("cholesky", "tensor<4x4xf32>", "", "tensor<4x4xf32>"),
    ("cholesky", "tensor<4x4xf32>", "<{lower = true}>", "tensor<4x4xf32>"),
    ("clamp", f"{F}, {F}, {F}", "", F),
    ("collective_broadcast", F, f"<{{{GROUPS}}}>", F),
    ("collective_permute", F, "<{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}>", F),
    (
        "compare",
        f"{F}, {F}",
        "<{comparison_direction = #stablehlo<comparison_direction LT>}>",
        "tensor<2x4xi1>",
    ),
    (
        "compare",
        f"{F}, {F}",
        "<{comparison_direction = #stablehlo<comparison_direction LT>, "
        "compare_type = #stablehlo<comparison_type TOTALORDER>}>",
        "tensor<2x4xi1>",
    ),
    ("complex", f"{F}, {F}", "", "tensor<2x4xcomplex<f32>>"),
    (
        "composite",
        F,
        '<{name = "a.b", decomposition = @other, version = 2 : i32, '
        'composite_attributes = {a = 1 : i64, b = [1.0 : f32, "x"]}}>',
        F,
    ),
    ("composite", F, '<{name = "a.b", decomposition = @other}>', F),
    ("concatenate", f"{F}, {F}", "<{dimension = 0 : i64}>", "tensor<4x4xf32>"),
    ("constant", "", "<{value = dense<[1, 2, 3]> : tensor<3xi8>}>", "tensor<3xi8>"),
    ("constant", "", "<{value = dense<true> : tensor<i1>}>", "tensor<i1>"),
    ("constant", "", "<{value = dense<[true, false, true]> : tensor<3xi1>}>", "tensor<3xi1>"),
    ("constant", "", "<{value = dense<(1.0, 2.0)> : tensor<2xcomplex<f64>>}>", "tensor<2xcomplex<f64>>"),
    *(
        ("constant", "", f"<{{value = dense<1.0> : tensor<2x{kind}>}}>", f"tensor<2x{kind}>")
        for kind in [
            "f16",
            "bf16",
            "f64",
            "f8E4M3FN",
            "f8E5M2",
            "f8E4M3FNUZ",
            "f8E5M2FNUZ",
            "f8E4M3B11FNUZ",
            "f8E4M3",
            "f8E3M4",
            "f8E8M0FNU",
            "f4E2M1FN",
            "f6E2M3FN",
            "f6E3M2FN",
        ]
    ),
    *(
        ("constant", "", f"<{{value = dense<1> : tensor<2x{kind}>}}>", f"tensor<2x{kind}>")
        for kind in ["i2", "i4", "i16", "i32", "i64", "ui2", "ui4", "ui8", "ui16", "ui32", "ui64"]
    ),
    ("convert", F, "", "tensor<2x4xi64>"),
    (
        "convolution",
        "tensor<1x8x8x4xf32>, tensor<3x3x4x5xf32>",
        f"<{{{CONV}, {COUNTS}}}>",
        "tensor<1x6x6x5xf32>",
    ),
    (
        "convolution",
        "tensor<1x8x8x4xf32>, tensor<3x3x4x5xf32>",
        f"<{{{CONV}, {COUNTS}, window_strides = array<i64: 2, 2>, padding = dense<1> : tensor<2x2xi64>, "
        "lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 2>, window_reversal = array<i1: false, true>, "
        "precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGHEST>]}>",
        "tensor<1x4x3x5xf32>",
    ),
    ("create_token", "", "", TOKEN),
    ("cross-replica-sum", F, f"<{{{GROUPS}}}>", F),
    ("custom_call", F, '<{call_target_name = "f"}>', F),
    (
        "custom_call",
        F,
        '<{call_target_name = "f", api_version = 4 : i32, backend_config = {a = 1 : i32}}>',
        F,
    ),
    (
        "custom_call",
        F,
        '<{call_target_name = "f", api_version = 2 : i32, backend_config = "c", '
        "has_side_effect = true, called_computations = [@other], operand_layouts = [dense<[1, 0]> : tensor<2xindex>], "
        "result_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<"
        'output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> {mhlo.x = "y"}',
        F,
    ),
    ("dot", "tensor<2x4xf32>, tensor<4x3xf32>", "", "tensor<2x3xf32>"),
    (
        "dot_general",
        "tensor<2x4xf32>, tensor<4x3xf32>",
        f"<{{dot_dimension_numbers = {DOT}}}>",
        "tensor<2x3xf32>",
    ),
    (
        "dot_general",
        "tensor<2x4xf32>, tensor<4x3xf32>",
        f"<{{dot_dimension_numbers = {DOT}, algorithm = {ALGORITHM}}}>",
        "tensor<2x3xf32>",
    ),
    (
        "dynamic_broadcast_in_dim",
        "tensor<4xf32>, tensor<2xi64>",
        "<{broadcast_dimensions = array<i64: 1>}>",
        "tensor<?x?xf32>",
    ),
    (
        "dynamic_broadcast_in_dim",
        "tensor<4xf32>, tensor<2xi64>",
        "<{broadcast_dimensions = array<i64: 1>, known_expanding_dimensions = array<i64>, "
        "known_nonexpanding_dimensions = array<i64: 0>}>",
        "tensor<?x?xf32>",
    ),
    (
        "dynamic_conv",
        "tensor<1x8x8x4xf32>, tensor<3x3x4x5xf32>, tensor<2x2xi64>",
        f"<{{{CONV}, {COUNTS}}}>",
        "tensor<1x?x?x5xf32>",
    ),
    (
        "dynamic_gather",
        "tensor<3x4xf32>, tensor<2x1xi64>, tensor<2xi64>",
        f"<{{dimension_numbers = {GATHER}}}>",
        "tensor<2x4xf32>",
    ),
    ("dynamic_iota", "tensor<1xi64>", "<{iota_dimension = 0 : i64}>", "tensor<?xf32>"),
    (
        "dynamic_pad",
        "tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>",
        "",
        "tensor<?xf32>",
    ),
    ("dynamic_reshape", "tensor<8xf32>, tensor<2xi64>", "", "tensor<?x?xf32>"),
    (
        "dynamic_slice",
        f"{F}, tensor<i64>, tensor<i64>",
        "<{slice_sizes = array<i64: 1, 2>}>",
        "tensor<1x2xf32>",
    ),
    ("dynamic_update_slice", f"{F}, tensor<1x2xf32>, tensor<i64>, tensor<i64>", "", F),
    ("einsum", "tensor<2x4xf32>, tensor<4x3xf32>", '<{einsum_config = "ab,bc->ac"}>', "tensor<2x3xf32>"),
    (
        "fft",
        "tensor<8xcomplex<f32>>",
        "<{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8>}>",
        "tensor<8xcomplex<f32>>",
    ),
    (
        "gather",
        "tensor<3x4xf32>, tensor<2x1xi64>",
        f"<{{dimension_numbers = {GATHER}, slice_sizes = array<i64: 1, 4>}}>",
        "tensor<2x4xf32>",
    ),
    (
        "gather",
        "tensor<2x4x5xf32>, tensor<2x1xi64>",
        "<{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], operand_batching_dims = [0], "
        "start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, "
        "slice_sizes = array<i64: 1, 1, 5>, indices_are_sorted = true}>",
        "tensor<2x5xf32>",
    ),
    ("get_dimension_size", F, "<{dimension = 1 : i64}>", INT),
    ("get_tuple_element", f"tuple<{F}, {INT}>", "<{index = 1 : i32}>", INT),
    (
        "if",
        "tensor<i1>",
        f"({{%c = stablehlo.constant dense<1.0> : {S} stablehlo.return %c : {S}}}, "
        f"{{%c = stablehlo.constant dense<2.0> : {S} stablehlo.return %c : {S}}})",
        S,
    ),
    ("imag", "tensor<2xcomplex<f32>>", "", "tensor<2xf32>"),
    ("real", "tensor<2xcomplex<f32>>", "", "tensor<2xf32>"),
    ("infeed", TOKEN, "", f"{F}, {TOKEN}"),
    ("infeed", TOKEN, '<{infeed_config = "c", layout = [[0, 1]]}>', f"{F}, {TOKEN}"),
    ("iota", "", "<{iota_dimension = 0 : i64}>", F),
    ("is_finite", F, "", "tensor<2x4xi1>"),
    ("map", f"{F}, {F}", f"<{{dimensions = array<i64: 0, 1>}}> {ADD}", F),
    ("outfeed", f"{F}, {TOKEN}", "", TOKEN),
    ("outfeed", f"{F}, {TOKEN}", '<{outfeed_config = "c"}>', TOKEN),
    (
        "pad",
        f"{F}, {S}",
        "<{edge_padding_low = array<i64: 0, 1>, edge_padding_high = array<i64: 1, 0>, "
        "interior_padding = array<i64: 0, 1>}>",
        "tensor<3x8xf32>",
    ),
    ("partition_id", "", "", "tensor<ui32>"),
    ("replica_id", "", "", "tensor<ui32>"),
    ("real_dynamic_slice", "tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>", "", "tensor<?xf32>"),
    ("recv", TOKEN, f"<{{{SEND.replace('type = 2', 'type = 3')}}}>", f"{F}, {TOKEN}"),
    ("send", f"{F}, {TOKEN}", f"<{{{SEND}}}>", TOKEN),
    (
        "send",
        f"{F}, {TOKEN}",
        "<{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, "
        "source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}>",
        TOKEN,
    ),
    ("reduce", f"{F}, {S}", f"<{{dimensions = array<i64: 1>}}> {ADD}", "tensor<2xf32>"),
    ("reduce", f"{F}, {S}", f"<{{dimensions = array<i64: 1>}}> {TO_F64}", "tensor<2xf64>"),
    ("reduce_precision", F, "<{exponent_bits = 8 : i32, mantissa_bits = 10 : i32}>", F),
    ("reduce_scatter", F, f"<{{scatter_dimension = 1 : i64, {GROUPS}}}> {ADD}", "tensor<2x2xf32>"),
    ("reduce_window", f"{F}, {S}", f"<{{window_dimensions = array<i64: 1, 2>}}> {ADD}", "tensor<2x3xf32>"),
    (
        "reduce_window",
        f"{F}, {S}",
        "<{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>, "
        "base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, "
        f"padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}}> {ADD}",
        "tensor<2x3xf32>",
    ),
    ("reshape", F, "", "tensor<8xf32>"),
    ("reverse", F, "<{dimensions = array<i64: 1>}>", F),
    ("rng", f"{S}, {S}, tensor<2xi64>", "<{rng_distribution = #stablehlo<rng_distribution UNIFORM>}>", F),
    (
        "rng_bit_generator",
        "tensor<2xui64>",
        "<{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}>",
        "tensor<2xui64>, tensor<4xui32>",
    ),
    (
        "scatter",
        "tensor<3x4xf32>, tensor<2x1xi64>, tensor<2x4xf32>",
        f"<{{scatter_dimension_numbers = {SCATTER}}}> {ADD}",
        "tensor<3x4xf32>",
    ),
    (
        "scatter",
        "tensor<3x4xf32>, tensor<2x1xi64>, tensor<2x4xf32>",
        f"<{{scatter_dimension_numbers = {SCATTER}, indices_are_sorted = true, unique_indices = true}}> {ADD}",
        "tensor<3x4xf32>",
    ),
    ("select", f"tensor<2x4xi1>, {F}, {F}", "", F),
    (
        "select_and_scatter",
        f"tensor<4x4xf32>, tensor<2x2xf32>, {S}",
        f"<{{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}}> ({GREATER[1:-1]}, {ADD[1:-1]})",
        "tensor<4x4xf32>",
    ),
    (
        "set_dimension_size",
        f"{F}, {INT}",
        "<{dimension = 1 : i64}>",
        "tensor<2x?xf32, #stablehlo.bounds<?, 4>>",
    ),
    (
        "slice",
        F,
        "<{start_indices = array<i64: 0, 1>, limit_indices = array<i64: 2, 4>, strides = array<i64: 1, 2>}>",
        "tensor<2x2xf32>",
    ),
    ("sort", F, f"<{{dimension = 0 : i64, is_stable = true}}> {GREATER}", F),
    ("sort", F, f" {GREATER}", F),
    (
        "torch_index_select",
        "tensor<5x1x5xi32>, tensor<2xi32>",
        "<{batch_dims = 0 : i64, dim = 0 : i64}>",
        "tensor<2x1x5xi32>",
    ),
    ("transpose", F, "<{permutation = array<i64: 1, 0>}>", "tensor<4x2xf32>"),
    (
        "triangular_solve",
        "tensor<4x4xf32>, tensor<4x3xf32>",
        "<{left_side = true, lower = true, "
        "transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}>",
        "tensor<4x3xf32>",
    ),
    ("tuple", f"{F}, {INT}", "", f"tuple<{F}, {INT}>"),
    ("unary_einsum", "tensor<8x16xf32>", '<{einsum_config = "ab->a"}>', "tensor<8xf32>"),
    (
        "while",
        INT,
        "({^bb0(%w: tensor<i32>): %t = stablehlo.constant dense<false> : tensor<i1> "
        "stablehlo.return %t : tensor<i1>}, {^bb0(%w: tensor<i32>): stablehlo.return %w : tensor<i32>})",
        INT,
    ),
]


def modules() -> Iterator[tuple[str, str]]:
    """A name and the text of a module for each row; every module has `call`, `func` and `return`."""
    counts: Counter[str] = Counter()
    for name, arguments, tail, results in _ROWS:
        types = split(arguments)
        signature = ", ".join(f"%a{number}: {kind}" for number, kind in enumerate(types))
        operands = ", ".join(f"%a{number}" for number in range(len(types)))
        result_types = split(results)
        names = ", ".join(f"%r{number}" for number in range(len(result_types)))
        text = f"""
func.func private @other(%x: {F}) -> {F} {{ return %x : {F} }}
func.func @main({signature}) -> ({results}) attributes {{mhlo.a = [1 : i32]}} {{
  {names} = "stablehlo.{name}"({operands}) {tail} : ({arguments}) -> ({results})
  return {names} : {results}
}}
"""
        counts[name] += 1
        yield f"{name}.{counts[name]}", text


def split(types: str) -> Sequence[str]:
    """The types between commas that are in no brackets."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(types):
        depth += (letter in "<{(") - (letter in ">})")
        if letter == "," and depth == 0:
            parts.append(types[start:place].strip())
            start = place + 1
    last = types[start:].strip()
    return [*parts, last] if last else parts


class Answer:
    """The artifacts of both for a version, made from a module.

    `by_jax` takes the function that JAX exports with, which replaces what the version does not have before it serializes.
    """

    def __init__(
        self, oracle: jaxlib_oracle.Jaxlib, text: str, version: str, *, by_jax: bool = False
    ) -> None:
        native = oracle.write(text)
        if by_jax:
            self.wanted: bytes | None = oracle.export_portable(native, version)
        else:
            self.wanted = _serialized(oracle, text, version)
        try:
            self.found: bytes | None = mlirbc.stablehlo.serialize(mlirbc.read(native), version)
        except mlirbc.UnsupportedError:
            self.found = None

    @property
    def kind(self) -> str:
        """`same`, `refused` by both, or `different`."""
        if self.wanted is None and self.found is None:
            return "refused"
        return "same" if self.wanted == self.found else "different"


def _serialized(oracle: jaxlib_oracle.Jaxlib, text: str, version: str) -> bytes | None:
    with oracle.context:
        module: Any = oracle.ir.Module.parse(text)
        try:
            artifact = oracle.stablehlo.serialize_portable_artifact(module, version, True)
        except Exception:  # the binding raises what it has
            return None
        return bytes(artifact)


def deserialized(oracle: jaxlib_oracle.Jaxlib, artifact: bytes) -> str:
    """The generic text, with locations, of the module that jaxlib finds in an artifact."""
    with oracle.context:
        module = oracle.stablehlo.deserialize_portable_artifact(oracle.context, artifact)
        return str(module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True))


def main() -> int:
    """Print the table."""
    oracle = jaxlib_oracle.find()
    if oracle is None:
        print("jaxlib is not installed")
        return 1
    total: Counter[str] = Counter()
    for name, text in modules():
        counts: Counter[str] = Counter()
        for version in VERSIONS:
            answer = Answer(oracle, text, version)
            counts[answer.kind] += 1
            if answer.wanted is not None:
                module = mlirbc.stablehlo.deserialize(mlirbc.read(answer.wanted))
                again = module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True)
                is_same = again.strip() == deserialized(oracle, answer.wanted).strip()
                counts["read again" if is_same else "READ DIFFERENTLY"] += 1
        total.update(counts)
        print(name, dict(counts), flush=True)
    print("total", dict(total))
    return int(total["different"] + total["READ DIFFERENTLY"] > 0)


if __name__ == "__main__":
    sys.exit(main())
