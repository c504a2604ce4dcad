"""Properties of portable artifacts of modules that mlirbc itself makes, over all versions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import mlirbc
import mlirbc.edit
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mlirbc.edit import InsertionPoint, Operation

from support.sampling import examples

VERSIONS = [f"0.{minor}.0" for minor in range(9, 21)] + [f"1.{minor}.0" for minor in range(21)]

ACCURACY = (
    "#stablehlo.result_accuracy<atol = 1.0, rtol = 0.0, ulps = 2, "
    "mode = #stablehlo.result_accuracy_mode<TOLERANCE>>"
)

UNARY: list[tuple[str, dict[str, str]]] = [
    *((name, {}) for name in ("abs", "cosine", "exponential", "negate", "tan", "tanh", "sqrt", "cbrt")),
    ("exponential", {"result_accuracy": ACCURACY}),
    ("tan", {"result_accuracy": ACCURACY}),
    ("custom_call", {"call_target_name": '"f"'}),
    ("custom_call", {"call_target_name": '"f"', "api_version": "4 : i32", "backend_config": "{n = 3 : i64}"}),
    ("transpose", {"permutation": "array<i64: 0, 1>"}),
    ("optimization_barrier", {}),
]
BINARY = ["add", "divide", "maximum", "multiply", "power"]
TYPES = ["f32", "f64", "bf16", "f8E4M3FNUZ", "f8E3M4", "f4E2M1FN"]

DISCARDABLE = st.dictionaries(
    st.sampled_from(["a.flag", "a.list", "a.name", "a.number", "mhlo.sharding"]),
    st.sampled_from(
        [
            "true",
            '"text"',
            '[1 : i64, "x", {k = f32}]',
            "7 : i32",
            "dense<[1, 2]> : tensor<2xi64>",
            "2.5 : f64",
        ]
    ),
    max_size=2,
)
STEPS = st.lists(
    st.tuples(
        st.integers(0, len(UNARY) + len(BINARY) - 1), st.integers(0, 99), st.integers(0, 99), DISCARDABLE
    ),
    max_size=8,
)
LOCATIONS = st.sampled_from(["unknown", '"a.py":1:2', '"name"("b.py":3:4)', 'fused["x", "y"]'])


@dataclass(frozen=True)
class Program:
    """A function of arguments of one type: each step applies an operation to values before it."""

    element: str
    arguments: int
    steps: Sequence[tuple[int, int, int, dict[str, str]]]
    location: str

    def module(self) -> mlirbc.Module:
        """The module, in the form of a release with StableHLO."""
        tensor = mlirbc.Type.parse(f"tensor<2x4x{self.element}>")
        types = ", ".join([str(tensor)] * self.arguments)
        edited = mlirbc.edit.Module.create(release="jaxlib-0.10")
        location = mlirbc.Attribute.parse(f"loc({self.location})")
        parsed = mlirbc.Attribute.parse
        with InsertionPoint(edited.body):
            named = {"sym_name": parsed('"main"'), "function_type": parsed(f"({types}) -> {tensor}")}
            function = Operation.create("func.func", attributes=named, regions=1, loc=location)
        body = function.regions[0].blocks.append(*[tensor] * self.arguments)
        values = list(body.arguments)
        with InsertionPoint(body):
            for number, first, second, extra in self.steps:
                if number < len(UNARY):
                    name, attributes = UNARY[number]
                    operands = [values[first % len(values)]]
                else:
                    name, attributes = BINARY[number - len(UNARY)], {}
                    operands = [values[first % len(values)], values[second % len(values)]]
                all_attributes = {key: parsed(text) for key, text in {**attributes, **extra}.items()}
                operation = Operation.create(
                    f"stablehlo.{name}", [tensor], operands, all_attributes, loc=location
                )
                values.append(operation.results[0])
            Operation.create("func.return", [], [values[-1]], loc=location)
        return mlirbc.read(edited.write())


PROGRAMS = st.builds(Program, st.sampled_from(TYPES), st.integers(1, 3), STEPS, LOCATIONS)


def text(module: mlirbc.Module) -> str:
    return module.operation.get_asm(enable_debug_info=True, print_generic_op_form=True)


def number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


@settings(max_examples=20, deadline=None)
@given(program=PROGRAMS)
def test_an_artifact_of_any_version_is_the_module_again(program: Program) -> None:
    module = program.module()
    lowest = mlirbc.stablehlo.min_version(module)
    # Attributes of a class that VHLO has in another form come back in that form.
    once = mlirbc.stablehlo.deserialize(mlirbc.stablehlo.serialize(module))
    expected = text(once)
    assert set(once.op_counts()) == set(module.op_counts())
    for version in VERSIONS:
        if number(version) < number(lowest):
            with pytest.raises(mlirbc.UnsupportedError) as raised:
                mlirbc.stablehlo.serialize(module, version)
            assert {loss.kind for loss in raised.value.losses} == {"needs_stablehlo"}
            continue
        artifact = mlirbc.stablehlo.serialize(module, version)
        assert mlirbc.stablehlo.artifact_version(artifact) == version
        mlirbc.read(artifact).verify()
        again = mlirbc.stablehlo.deserialize(artifact)
        again.verify()
        assert text(again) == expected, version
        assert mlirbc.stablehlo.min_version(again) == lowest
        # The reverse: the module of an artifact has that artifact.
        assert mlirbc.stablehlo.serialize(again, version) == artifact, version
        summary = mlirbc.read(artifact).model_summary()
        assert summary is not None and summary.stablehlo.minimum is not None
        assert number(summary.stablehlo.minimum) <= number(version)


@settings(max_examples=40, deadline=None)
@given(program=PROGRAMS)
def test_the_summary_says_why_a_version_is_needed(program: Program) -> None:
    module = program.module()
    summary = module.model_summary()
    if summary is None:
        assert not any(name.startswith("stablehlo.") for name in module.op_counts())
        return
    assert not summary.stablehlo.is_artifact
    lowest = mlirbc.stablehlo.min_version(module)
    assert summary.stablehlo.minimum == lowest
    reasons = summary.stablehlo.requirements
    if lowest == VERSIONS[0]:
        assert reasons == ()
    else:
        assert reasons[0].version == lowest
        versions = [number(reason.version or "") for reason in reasons]
        assert versions == sorted(versions, reverse=True)


DAMAGED = [
    *(Path("examples") / name for name in ("mlp.jax", "artifact.mlirbc")),
    *(Path("tests/data/containers") / name for name in ("sharded.jax", "two_layers.mlirbc.gz")),
]
PLACES = st.floats(0, 1, exclude_max=True)
LENGTHS = st.sampled_from([b"\0", b"\xff", b"\xff" * 4, b"\0" + b"\xff" * 8, b"\xfe\x7f", b"\0\0\0\x80"])
PRODUCERS = st.sampled_from([b"v9.99.9", b"v1.99.0", b"v0.1.0", b"v-1.0.0", b"v" + b"9" * 30 + b".0.0"])


@settings(max_examples=examples(300), deadline=None)
@given(
    path=st.sampled_from(DAMAGED),
    lengths=st.lists(st.tuples(PLACES, LENGTHS), max_size=3),
    flips=st.lists(st.tuples(PLACES, st.integers(0, 7)), max_size=3),
    producer=st.none() | PRODUCERS,
    cut=st.floats(0, 1),
)
def test_damage_ends_in_an_error_with_an_offset(
    path: Path,
    lengths: list[tuple[float, bytes]],
    flips: list[tuple[float, int]],
    producer: bytes | None,
    cut: float,
) -> None:
    data = bytearray(path.read_bytes())
    for place, length in lengths:
        start = int(place * len(data))
        data[start : start + len(length)] = length
    for place, bit in flips:
        data[int(place * len(data))] ^= 1 << bit
    if producer is not None:
        data = data.replace(b"v1.15.0", producer)
    data = data[: max(1, int(cut * len(data)))]
    limits = mlirbc.Limits(max_memory=1 << 24, max_decompressed=1 << 22)
    try:
        module = mlirbc.read(data, limits=limits)
    except mlirbc.Error as error:
        assert_typed(error)
        return

    def convert() -> None:
        plain = mlirbc.stablehlo.deserialize(module)
        plain.verify()
        mlirbc.stablehlo.serialize(plain, "0.9.0")

    actions: list[Callable[[], object]] = [
        module.verify,
        module.model_summary,
        convert,
        lambda: mlirbc.fallback.compatibility(module, "jaxlib-0.9"),
        lambda: mlirbc.stablehlo.serialize(module),
        lambda: str(module.operation),
    ]
    for action in actions:
        try:
            action()
        except mlirbc.Error as error:
            assert_typed(error)
    # Contents that are not understood survive.
    assert mlirbc.read(module.write()).write() == module.write()


def assert_typed(error: mlirbc.Error) -> None:
    assert error.identifier.startswith("mlirbc.")
    if isinstance(error, mlirbc.ReadError):
        assert error.offset is not None
