"""Attributes to fill required fields with: a few of the builtin dialect, and as many of the others as parse.

The text of a dialect attribute is found by following what the parser asks for: it names the punctuation that
it misses and the keywords that it knows. What it does not explain well enough is written down.
"""

import re
from collections.abc import Iterable, Iterator

import isolated_calls
from builds import Build
from crafted import PROBE, template


def segment_sizes(count: int) -> str:
    """Segment sizes that differ."""
    return f"array<i32: {', '.join(str(size) for size in range(1, count + 1))}>"


BUILTIN = (
    "unit",
    '"text"',
    '"other text"',
    "true",
    "false",
    *(f"{value} : {width}" for width in ("i8", "i16", "i32", "i64", "index") for value in (0, 1, 2, 3)),
    "1 : i1",
    "1 : si32",
    "1 : ui32",
    "1.0 : f16",
    "1.0 : f32",
    "2.0 : f32",
    "1.0 : f64",
    "[]",
    '["a"]',
    "[1]",
    "{}",
    "{a}",
    "i32",
    "f32",
    "() -> ()",
    "@a",
    "@b",
    "@a::@b",
    "array<i1: true>",
    *(f"array<{element}: 1>" for element in ("i8", "i16", "i64")),
    "array<f32: 1.0>",
    "array<f64: 1.0>",
    "array<i64: 1, 2>",
    *(segment_sizes(count) for count in range(1, 33)),
    "dense<1> : tensor<1xi1>",
    "dense<1> : tensor<1xi32>",
    "dense<1> : tensor<2xi64>",
    "dense<1.0> : tensor<1xf32>",
    'dense<"a"> : tensor<1x!probe.type>',
    "dense_resource<probe> : tensor<1xi32>",
    "sparse<0, 1> : tensor<2xi32>",
    "affine_map<(d0) -> (d0)>",
    "affine_map<(d0) -> (d0 + 1)>",
    "affine_set<(d0) : (d0 == 0)>",
    "strided<[1]>",
)

WRITTEN_DOWN = (
    "#llvm.alias_scope<id = distinct[0]<>, domain = <id = distinct[1]<>>>",
    "#llvm.blockaddress<function = @a, tag = <id = 1>>",
    "#llvm.blocktag<id = 1>",
    '#llvm.di_label<scope = #llvm.di_file<"a" in "b">>',
    '#llvm.di_local_variable<scope = #llvm.di_file<"a" in "b">>',
    "#nvvm.ld_st_matrix_shape<m = 8, n = 8>",
    "#nvvm.shape<m = 16, n = 8, k = 16>",
    '#sdy.mesh<["x"=2]>',
    '#sdy.sharding<@mesh, [{"x"}]>',
    "#chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], "
    "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], "
    "rhs_group_dimensions = [0]>",
    *(
        f"#{dialect}{parameters}"
        for dialect in ("stablehlo", "mhlo")
        for parameters in (
            ".channel_handle<handle = 1, type = 0>",
            ".conv<[b, 0, f]x[0, i, o]->[b, 0, f]>",
            ".dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>",
            ".gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], "
            "index_vector_dim = 1>",
            ".scatter<update_window_dims = [1], inserted_window_dims = [0], "
            "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>",
            "<transpose NO_TRANSPOSE>",
        )
    ),
    "#mhlo.ragged_dot<dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], "
    "rhs_contracting_dimensions = [0]>, lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>",
    "#mosaic_gpu.TiledLayout<[[1]], warp_dims = [-1], lane_dims = [-1], vector_dim = -1>",
    "#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>]>",
    '#hal.executable.target<"a", "b">',
    "#iree_gpu.mma_semantics<distributed = true, opaque = false>",
    "#iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], "
    "thread_tile = [1], element_tile = [1], subgroup_strides = [0], thread_strides = [0]>",
    "#smt.bv<5> : !smt.bv<32>",
    "#hw.innerNameRef<@A::@B>",
    "#hw.enum.field<a, !hw.enum<a>>",
    "#msft.physloc<M20K, 0, 0, 0>",
    '#esi.blob<"AA==">',
    "#sv<macro.ident @a>",
    "#msft.location_vec<i1, [*]>",
    "#rtg<virtual_register_config [#rtgtest.t0]>",
    "#linalg.elementwise_kind<add>",
    "#acc.par_dim<block_x>",
    "#xevm.mma_shape<m = 8, n = 16, k = 16>",
    "#sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>",
    '#sdy<manual_axes{"a"}>',
    "#tpu.conv_dimension_numbers<0, 3, [1, 2], 2, 3, [0, 1], 0, 3, [1, 2]>",
)

_QUOTED = re.compile(r"expected (?:a )?[`']([^`' ]+)[`']")
_CHOICE = re.compile(r"to be one of: (.*)$|expected one of \[(.*)\]|one of the following keywords: (.*)")
_VALUES = (
    ("keyword", ("x",)),
    ("integer", ("1",)),
    ("string", ('"a"',)),
    ("symbol", ("@a",)),
    ("type", ("i32",)),
    ("attribute", ('"a"', "@a", "unit", "1 : i64", "[]")),
    ("float", ("1.0",)),
    ("bool", ("true",)),
    ("boolean", ("true",)),
)
_BUDGET = 60


def family(sample: str) -> str:
    """A key that all samples of a class share; integers stand alone, for an enumeration admits only some."""
    match = re.match(r"#\w+[.<][\w.]+|array<\w+", sample)
    return match[0] if match else sample


def mnemonics(build: Build, dialects: Iterable[str]) -> Iterator[str]:
    """Names of attributes that occur in the library of a build."""
    known_dialects = set(dialects)
    for mnemonic in sorted(build.strings):
        if mnemonic.partition(".")[0] in known_dialects and not build.is_registered(mnemonic):
            complaints = build.complaints(f"#{mnemonic}")
            if not any("unknown" in message or "hook" in message for message, _ in complaints[:1]):
                yield mnemonic


def samples(build: Build, dialects: Iterable[str]) -> list[str]:
    """Every sample that the build takes and can write."""
    texts: list[str] = []
    for _, completed in isolated_calls.results_of(
        list(mnemonics(build, dialects)), lambda mnemonic: complete(build, mnemonic)
    ):
        texts += completed or []
    candidates = list(dict.fromkeys([*BUILTIN, *WRITTEN_DOWN, *texts]))
    return [
        text
        for text, usable in isolated_calls.results_of(candidates, lambda text: _usable(build, text))
        if usable
    ]


def _usable(build: Build, text: str) -> bool:
    if build.complaints(text):
        return False
    written = build.write(template([text]), 6)
    return build.read(PROBE, written).complaint is None


def complete(build: Build, mnemonic: str) -> list[str]:
    """Attributes of one mnemonic: at most two, found by asking again and again."""
    completed: list[str] = []
    queue = [f"#{mnemonic.replace('.', '<', 1)}"]
    for _ in range(_BUDGET):
        if not queue or len(completed) == 2:
            break
        text = queue.pop()
        complaints = build.complaints(closed(text))
        if not complaints:
            completed.append(closed(text))
        elif len(text) < 200:
            queue += reversed([longer for longer in _longer(text, complaints[0][0]) if longer not in queue])
    return completed


_CLOSING = {"<": ">", "(": ")", "[": "]", "{": "}"}


def closed(text: str) -> str:
    """A text with every bracket closed; the parser wants that before it looks inside."""
    missing: list[str] = []
    for character in text.replace("->", ""):
        if character in _CLOSING:
            missing.append(_CLOSING[character])
        elif missing and character == missing[-1]:
            missing.pop()
    return text + "".join(reversed(missing))


def _longer(text: str, complaint: str) -> Iterator[str]:
    glue = "" if text.endswith(("<", "(", "[", "{")) else " "
    if choice := _CHOICE.search(complaint):
        words = [word.strip(" '`\"") for word in (choice[1] or choice[2] or choice[3]).split(",")]
        stem = re.sub(r"[\w.]+$", "", text)
        yield from (f"{stem}{word}" for word in words[:3] if word)
    elif quoted := _QUOTED.search(complaint):
        yield f"{text}{glue if quoted[1][0].isalnum() else ''}{quoted[1]}"
    else:
        for word, values in _VALUES:
            if re.search(rf"\b{word}\b", complaint):
                yield from (f"{text}{glue}{value}" for value in values)
