"""Which codes of attributes and types a build writes, for the `[[code]]` rows of `releases.toml`.

A build reads the codes that it writes, and writes all others as text. The samples stand for the groups of codes
that came in one change.

    entry_codes.py iree-3.12               in an environment with the build
"""

import argparse
import sys
from collections.abc import Mapping

import builds
import isolated_calls
import mlirbc
from crafted import read_varint
from registered_dialects import kind_of

_TOLERANCE = "#stablehlo.result_accuracy_mode<TOLERANCE>"
# By dialect and code.
ATTRIBUTES: Mapping[tuple[str, int], str] = {
    ("builtin", 23): "affine_map<(d0) -> (d0)>",
    ("builtin", 24): "affine_set<(d0) : (d0 >= 0)>",
    ("builtin", 25): "strided<[1], offset: 2>",
    ("llvm", 0): (
        '#llvm.di_basic_type<tag = DW_TAG_base_type, name = "a", sizeInBits = 32, encoding = DW_ATE_signed>'
    ),
    ("llvm", 6): '#llvm.di_file<"a" in "b">',
    ("llvm", 18): "#llvm.loop_annotation<disableNonforced = true>",
    ("stablehlo", 2): "#stablehlo<comparison_direction EQ>",
    ("stablehlo", 15): (
        "#stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, "
        "accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, "
        "allow_imprecise_accumulation = false>"
    ),
    ("stablehlo", 16): "#stablehlo.result_accuracy_mode<DEFAULT>",
    ("stablehlo", 17): f"#stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 1, mode = {_TOLERANCE}>",
    ("stablehlo", 22): '#stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "a", size = 2>]>',
    ("chlo", 0): "#chlo<comparison_direction EQ>",
    ("mhlo", 2): "#mhlo<comparison_direction EQ>",
    ("mhlo", 17): "#mhlo.result_accuracy_mode<DEFAULT>",
    ("sdy", 2): '#sdy.mesh<["a"=2]>',
    ("sdy", 6): '#sdy.sharding<@mesh, [{"a"}]>',
    ("sdy", 10): "#sdy.op_sharding_rule<([i])->([i]) {i=2}>",
    ("sdy", 17): '#sdy.sharding<@mesh, [{"a"}], unreduced=max{"b"}>',
}
TYPES: Mapping[tuple[str, int], str] = {
    ("builtin", 20): "vector<[4]xf32>",
    ("builtin", 21): "tf32",
    ("builtin", 22): "f8E5M2",
    ("builtin", 29): "f4E2M1FN",
    ("builtin", 32): "f8E8M0FNU",
    ("quant", 4): "!quant.uniform<i8:f32, 1.0>",
    ("quant", 5): "!quant.uniform<i8:f32:0, {1.0,2.0}>",
    ("quant", 6): "!quant.uniform<i8:f32:{0:1}, {{1.0},{2.0}}>",
    ("stablehlo", 0): "!stablehlo.token",
    ("stablehlo", 1): "!stablehlo.future<tensor<1xf32>>",
    ("mhlo", 0): "!mhlo.token",
    ("mhlo", 1): "!mhlo.async_bundle<tensor<1xf32>>",
}
SOURCE = '"probe.op"() {a = %s} : () -> ()'
RANGE = '"probe.op"() : () -> () loc("a":1:2 to 3:4)'


def written(build: builds.Build, source: str, *, types: bool) -> set[tuple[str, int]]:
    """The codes of the entries of a file with one operation."""
    module = mlirbc.read(build.write(source, 6))
    entries = module.types if types else module.attributes
    return {(entry.dialect, read_varint(entry.payload, 0)[0]) for entry in entries if not entry.is_text}


def main(arguments: list[str] | None = None) -> int:
    """Print the codes that the build writes, the codes that it writes as text, and its unknown codes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("release")
    options = parser.parse_args(arguments)
    build = builds.BUILDS[kind_of(options.release)]()
    jobs = [(key, SOURCE % text, False) for key, text in ATTRIBUTES.items()]
    jobs += [(key, SOURCE % text, True) for key, text in TYPES.items()]
    jobs.append((("builtin", 22), RANGE, False))
    answers: dict[str, list[str]] = {"encoded": [], "text": [], "unknown": []}
    for (key, _, types), codes in isolated_calls.results_of(
        jobs, lambda job: written(build, job[1], types=job[2])
    ):
        answer = "unknown" if codes is None else "encoded" if key in codes else "text"
        answers[answer].append(f"{key[0]} {'type' if types else 'attribute'} {key[1]}")
    for answer, names in answers.items():
        print(f"{options.release}: {answer}: {', '.join(names) or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
