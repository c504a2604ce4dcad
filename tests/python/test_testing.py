"""The strategies of `mlirbc.testing`: the examples that they generate, and how far failures shrink."""

import doctest
import inspect
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, get_args

import mlirbc
import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from mlirbc import _mlirbc, testing

from support import oracles
from support.walks import outcome, walk_everything

T = TypeVar("T")

ROOT = Path(__file__).parents[2]
some = settings(
    deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def shrunk(strategy: st.SearchStrategy[T], condition: Callable[[T], bool]) -> T:
    """The example with that property to which Hypothesis shrinks; the same each time."""
    quiet = settings(some, max_examples=2000, database=None, phases=(Phase.generate, Phase.shrink))
    return find(strategy, condition, settings=quiet, random=random.Random(1))


def names(module: mlirbc.Module) -> list[str]:
    op_names: list[str] = []
    module.walk(lambda op: op_names.append(op.name), mlirbc.WalkOrder.PRE_ORDER)
    return op_names


# Generated examples.


@some
@given(st.data(), st.sampled_from(_mlirbc._generated_releases()), st.integers(0, 6))
def test_modules_are_of_the_release_and_version(data: st.DataObject, release: str, version: int) -> None:
    module = data.draw(testing.modules(releases=[release], versions=[version]))
    assert module.bytecode.version == version
    module.verify()


@some
@given(testing.modules(features=[], dialects=[], max_operations=8))
def test_without_features_there_are_only_modules_functions_and_casts(module: mlirbc.Module) -> None:
    dialects = {name.split(".")[0] for name in names(module)}
    assert dialects <= {"builtin", "func", "scf", "cf"}
    assert not module.resources
    assert all("loc(unknown)" in str(op.location) for op in module.body.operations)


def test_operations_of_chosen_dialects_are_generated() -> None:
    strategy = testing.modules(releases=["llvm-19"], dialects=["math"], features=[])
    assert any(name.startswith("math.") for name in names(shrunk(strategy, has_dialect("math"))))
    every = {"builtin", "func", "scf", "cf", "math"}

    @settings(some, max_examples=15)
    @given(strategy)
    def only_these(module: mlirbc.Module) -> None:
        assert {name.split(".")[0] for name in names(module)} <= every

    only_these()


def has_dialect(dialect: str) -> Callable[[mlirbc.Module], bool]:
    return lambda module: any(name.startswith(f"{dialect}.") for name in names(module))


@some
@given(testing.operations(max_operations=5))
def test_operations_are_those_of_modules(op: mlirbc.Operation) -> None:
    while op.parent is not None:
        op = op.parent
    assert op.name == "builtin.module"


@some
@given(testing.attributes(features=[]))
def test_builtin_attributes_are_their_texts(attribute: mlirbc.Attribute) -> None:
    # Each text of a distinct attribute is another one.
    assert "distinct" in str(attribute) or mlirbc.Attribute.parse(str(attribute)) == attribute


@some
@given(testing.types())
def test_types_have_texts_and_payloads(type: mlirbc.Type) -> None:
    assert str(type) and (type.payload or type.text)


def test_attributes_and_types_are_of_other_dialects_too() -> None:
    assert shrunk(testing.attributes(), lambda attribute: attribute.dialect != "builtin").payload
    assert shrunk(testing.types(), lambda kind: kind.dialect not in ("builtin", "smith")).payload


@settings(some, max_examples=100)
@given(testing.damaged(max_operations=6))
def test_damaged_files_are_read_or_refused(data: bytes) -> None:
    outcome(lambda: walk_everything(mlirbc.read(data)))


@pytest.mark.parametrize("kind", get_args(testing.Damage))
def test_each_kind_of_damage_changes_files(kind: testing.Damage) -> None:
    base = (ROOT / "examples/two_layers.mlirbc").read_bytes()
    changed = shrunk(testing.damaged(st.just(base), kinds=[kind], max_changes=1), lambda data: data != base)
    assert changed != base


@settings(some, max_examples=15)
@given(testing.bytecode(releases=["llvm-19"], max_operations=6))
def test_the_release_accepts_the_files(data: bytes) -> None:
    oracles.require(19)
    oracles.checked(oracles.run_mlir_opt(19, ["--allow-unregistered-dialect", "-o", "/dev/null"], data))


# Refused arguments.


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: testing.modules(releases=["llvm-5"]), "`releases` cannot have 'llvm-5'; choose of llvm-"),
        (lambda: testing.modules(releases=[]), "`releases` must not be empty"),
        (lambda: testing.modules(versions=[7]), "expected bytecode versions of 0 to 6, found "),
        (lambda: testing.modules(versions=[]), "expected bytecode versions of 0 to 6, found "),
        (lambda: testing.modules(dialects=["aryth"]), "`dialects` cannot have 'aryth'; choose of "),
        (lambda: testing.modules(features=["speed"]), "`features` cannot have 'speed'; choose of attr"),  # type: ignore[list-item]
        (lambda: testing.damaged(kinds=["wave"]), "`kinds` cannot have 'wave'; choose of byte, cut"),  # type: ignore[list-item]
        (lambda: testing.damaged(kinds=[]), "`kinds` must not be empty"),
        (lambda: testing.damaged(max_changes=0), "`max_changes` must be at least 1"),
        (lambda: testing.modules(max_depth=-1), "`max_operations` and `max_depth` must not be negative"),
    ],
)
def test_arguments_are_checked(make: Callable[[], object], says: str) -> None:
    with pytest.raises(ValueError) as caught:
        make()
    assert str(caught.value).startswith(says)


def test_one_name_is_no_collection() -> None:
    with pytest.raises(TypeError, match="`releases` is a collection of names"):
        testing.modules(releases="llvm-19")


def test_exceptions_of_decisions_pass_through() -> None:
    def number(last: int) -> int:
        raise KeyError(last)

    with pytest.raises(KeyError):
        _mlirbc._generate_file(
            "module",
            number,
            print,
            print,
            release="llvm-19",
            version=6,
            dialects=None,
            features=set(),
            max_operations=5,
            max_depth=2,
        )


def test_without_hypothesis_the_error_says_what_to_install() -> None:
    program = "import sys; sys.modules['hypothesis'] = None; import mlirbc; import mlirbc.testing"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stderr.endswith(
        "ImportError: mlirbc.testing needs Hypothesis; install it with `pip install mlirbc[testing]`\n"
    )


# Shrinking.


def test_the_simplest_module_is_empty() -> None:
    assert names(shrunk(testing.modules(), lambda module: True)) == ["builtin.module"]


def test_two_resources_need_no_operation() -> None:
    module = shrunk(testing.modules(), lambda module: len(module.resources) >= 2)
    assert len(module.resources) == 2 and names(module) == ["builtin.module"]


def test_an_operation_with_a_region_shrinks_to_itself() -> None:
    def has_region(module: mlirbc.Module) -> bool:
        return any(len(op.regions) > 0 for op in module.body.operations)

    assert len(names(shrunk(testing.modules(), has_region))) == 2


def test_a_value_with_two_uses_shrinks_to_two_operations() -> None:
    def has_two_uses(module: mlirbc.Module) -> bool:
        return any(len(list(result.uses)) > 1 for op in module.body.operations for result in op.results)

    assert len(names(shrunk(testing.modules(), has_two_uses))) <= 3


# A defect that is planted in the reader.

PLANTED = '''
import mlirbc
import pytest
from hypothesis import HealthCheck, given, settings
from mlirbc import testing

numbers = mlirbc.Module.op_counts

def planted(self):
    """Counts without the operations of branches, as a reader would that skips blocks with two successors."""
    counts = numbers(self)
    counts.pop("cf.cond_br", None)
    return counts

@settings(
    deadline=None, database=None, derandomize=True, max_examples=1000, suppress_health_check=list(HealthCheck)
)
@given(testing.modules())
def test_operations_are_counted(module):
    walked = []
    module.walk(lambda op: walked.append(op.name))
    assert sum(planted(module).values()) == len(walked)
'''


def test_a_planted_defect_is_found_and_shrunk_to_a_few_operations(tmp_path: Path) -> None:
    (tmp_path / "test_planted.py").write_text(PLANTED, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    text = done.stdout[done.stdout.index("A module for ") :].replace("\nE   ", "\n")
    text = text[: text.index("Failing test case")]
    operations = [line for line in text.splitlines() if ") : (" in line]
    assert "cf.cond_br" in text
    assert len(operations) <= 5, text


# Examples.


@pytest.mark.parametrize("name", ["", *testing.__all__])
def test_docstrings_show_what_happens(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    thing = getattr(testing, name) if name else testing
    if name and not inspect.isfunction(thing):
        return
    text = inspect.getdoc(thing) or ""
    assert ">>> " in text
    parsed = doctest.DocTestParser().get_doctest(text, {"mlirbc": mlirbc}, name, None, None)
    report: list[str] = []
    assert doctest.DocTestRunner(verbose=False).run(parsed, out=report.append).failed == 0, "".join(report)
