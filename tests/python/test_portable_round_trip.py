"""Properties of portable artifacts of modules that mlirbc itself makes, over all versions."""

from collections.abc import Sequence
from dataclasses import dataclass

import mlirbc
import mlirbc.edit
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mlirbc.edit import InsertionPoint, Operation

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
        of = mlirbc.Type.parse(f"tensor<2x4x{self.element}>")
        types = ", ".join([str(of)] * self.arguments)
        edited = mlirbc.edit.Module.create(release="jaxlib-0.10")
        location = mlirbc.Attribute.parse(f"loc({self.location})")
        parsed = mlirbc.Attribute.parse
        with InsertionPoint(edited.body):
            named = {"sym_name": parsed('"main"'), "function_type": parsed(f"({types}) -> {of}")}
            function = Operation.create("func.func", attributes=named, regions=1, loc=location)
        body = function.regions[0].blocks.append(*[of] * self.arguments)
        values = list(body.arguments)
        with InsertionPoint(body):
            for number, first, second, extra in self.steps:
                if number < len(UNARY):
                    name, attributes = UNARY[number]
                    operands = [values[first % len(values)]]
                else:
                    name, attributes = BINARY[number - len(UNARY)], {}
                    operands = [values[first % len(values)], values[second % len(values)]]
                given = {key: parsed(text) for key, text in {**attributes, **extra}.items()}
                made = Operation.create(f"stablehlo.{name}", [of], operands, given, loc=location)
                values.append(made.results[0])
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
    wanted = text(once)
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
        assert text(again) == wanted, version
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
