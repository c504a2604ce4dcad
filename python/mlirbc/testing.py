"""Strategies for Hypothesis: valid modules, their parts, and damaged files.

Needs Hypothesis: `pip install mlirbc[testing]`.

>>> from hypothesis import given
>>> from mlirbc import testing
>>> @given(testing.modules(max_operations=4))
... def every_module_is_written_as_it_was_read(module):
...     assert mlirbc.read(module.edit().write()).op_counts() == module.op_counts()
>>> every_module_is_written_as_it_was_read()
"""

from collections.abc import Callable, Collection, Iterator
from functools import lru_cache, partial
from typing import Literal, TypeAlias, TypedDict, Unpack, get_args

import mlirbc
from mlirbc import _mlirbc

try:
    from hypothesis import note
    from hypothesis import strategies as st
except ImportError as error:
    raise ImportError(
        "mlirbc.testing needs Hypothesis; install it with `pip install mlirbc[testing]`"
    ) from error

__all__ = [
    "Damage",
    "Feature",
    "ModuleArguments",
    "PartArguments",
    "attributes",
    "bytecode",
    "damaged",
    "modules",
    "operations",
    "types",
]

Feature: TypeAlias = Literal[
    "attributes",
    "control_flow",
    "dialect_entries",
    "dialect_versions",
    "forward_references",
    "locations",
    "resources",
    "unregistered",
    "use_list_orders",
]
"""Features that modules may have besides modules, functions and operations of the dialects."""

Damage: TypeAlias = Literal[
    "byte",
    "cut",
    "number",
    "entry",
    "operation",
    "property",
    "resource",
    "use-list",
    "version",
    "section",
    "splice",
]
"""How files are damaged: `byte` and `cut` know nothing of the format; others correct sizes of sections."""


class PartArguments(TypedDict, total=False):
    """The scope of attributes and types, by default everything that is known."""

    releases: Collection[str] | None
    versions: Collection[int] | None
    features: Collection[Feature] | None


class ModuleArguments(PartArguments, total=False):
    """The scope and the size of modules: `max_operations` is 12 and `max_depth` 4 by default."""

    dialects: Collection[str] | None
    max_operations: int
    max_depth: int


_VERSIONS = range(7)


class _Generated:
    """A generated file, and the release that it is for."""

    def __init__(self, data: bytes, release: str, version: int) -> None:
        self.data = data
        self.release = release
        self.version = version

    def module(self) -> mlirbc.Module:
        return mlirbc.read(self.data, release=self.release)


class _Text:
    """The text of a generated module, made only when Hypothesis shows it."""

    def __init__(self, generated: _Generated) -> None:
        self.generated = generated

    def __repr__(self) -> str:
        release, version = self.generated.release, self.generated.version
        try:
            text = self.generated.module().operation.get_asm(print_generic_op_form=True)
        except Exception as error:  # The defect that the test is about may be in printing.
            text = f"It cannot be printed: {error}"
        return f"A module for {release}, bytecode version {version}:\n{text}"


class _Config:
    """The checked arguments of a strategy."""

    def __init__(
        self,
        *,
        releases: Collection[str] | None = None,
        versions: Collection[int] | None = None,
        features: Collection[Feature] | None = None,
        dialects: Collection[str] | None = None,
        max_operations: int = 12,
        max_depth: int = 4,
    ) -> None:
        # Examples shrink towards the first, the newest of LLVM.
        known_releases = sorted(_mlirbc._generated_releases(), key=lambda name: name.startswith("llvm-"))[
            ::-1
        ]
        self.releases = _chosen("releases", releases, known_releases)
        # The newest is the simplest.
        self.versions = sorted(_VERSIONS if versions is None else set(versions), reverse=True)
        if not self.versions or not set(self.versions) <= set(_VERSIONS):
            raise ValueError(f"expected bytecode versions of 0 to 6, found {versions!r}")
        self.features = _chosen("features", features, list(get_args(Feature)))
        self.dialects = None
        if dialects is not None:
            has = {name for release in self.releases for name in _mlirbc._generated_dialects(release)}
            self.dialects = _chosen("dialects", dialects, sorted(has)) if dialects else []
        if max_operations < 0 or max_depth < 0:
            raise ValueError("`max_operations` and `max_depth` must not be negative")
        self.max_operations = max_operations
        self.max_depth = max_depth


def _chosen(argument: str, names: Collection[str] | None, choices: list[str]) -> list[str]:
    if names is None:
        return choices
    if isinstance(names, str):
        raise TypeError(f"`{argument}` is a collection of names, not one: [{names!r}]")
    if argument == "releases" and not names:
        raise ValueError("`releases` must not be empty")
    for name in names:
        if name not in choices:
            raise ValueError(f"`{argument}` cannot have {name!r}; choose of {', '.join(choices)}")
    return [name for name in choices if name in names]


# Generating.

# An arbitrary label, which no other module uses.
_ONE_PART = 0x6D6C6972


@lru_cache(maxsize=4096)
def _numbers(last: int) -> st.SearchStrategy[int]:
    return st.integers(0, last)


def _marks(draw: st.DrawFn) -> tuple[Callable[[], object], Callable[[], object]]:
    """Functions that mark the beginning and the end of a part that Hypothesis may leave out as a whole.

    It has no public function for that. Without the marks, examples shrink more slowly and remain larger.
    """
    conjecture = draw(st.data()).conjecture_data
    begin = getattr(conjecture, "start_span", None)
    end = getattr(conjecture, "stop_span", None)
    if begin is None or end is None:
        return (lambda: None), (lambda: None)
    return partial(begin, _ONE_PART), end


@st.composite
def _generated(
    draw: st.DrawFn, config: _Config, kind: Literal["module", "attribute", "type"] = "module"
) -> _Generated:
    release = draw(st.sampled_from(config.releases))
    version = draw(st.sampled_from(config.versions))
    data = _mlirbc._generate_file(
        kind,
        lambda last: draw(_numbers(last)),
        *_marks(draw),
        release=release,
        version=version,
        dialects=config.dialects,
        features=set(config.features),
        max_operations=config.max_operations,
        max_depth=config.max_depth,
    )
    generated = _Generated(data, release, version)
    note(_Text(generated))
    return generated


# Composites and not `map`, which Hypothesis would show with the failing example.


@st.composite
def _data(draw: st.DrawFn, config: _Config) -> bytes:
    return draw(_generated(config)).data


@st.composite
def _modules(draw: st.DrawFn, config: _Config) -> mlirbc.Module:
    return draw(_generated(config)).module()


@st.composite
def _attributes(draw: st.DrawFn, config: _Config) -> mlirbc.Attribute:
    return draw(_generated(config, "attribute")).module().body.operations[0].attributes["value"]


@st.composite
def _types(draw: st.DrawFn, config: _Config) -> mlirbc.Type:
    return draw(_generated(config, "type")).module().body.operations[0].results[0].type


def bytecode(**arguments: Unpack[ModuleArguments]) -> st.SearchStrategy[bytes]:
    """Bytes of valid bytecode files.

    The files are accepted by `mlir-opt` of one of the `releases`, by default all that modules can be
    generated for, in one of the bytecode `versions`. Operations are of the `dialects`, or of any; modules,
    functions, branches and casts are generated in any case. `features` are further contents that modules may
    have, by default all; for `unregistered`, `mlir-opt` needs `--allow-unregistered-dialect`.
    `max_operations` does not count operations that operands, terminators and regions require.

    Shrinks to few operations and few parts of them, to the newest release, and to the newest version. With
    the failing example Hypothesis prints the text of the module.

    >>> from hypothesis import given
    >>> from mlirbc import testing
    >>> @given(testing.bytecode(versions=[5, 6], features=["locations"]))
    ... def every_file_verifies(data):
    ...     mlirbc.read(data).verify()
    >>> every_file_verifies()
    """
    return _data(_Config(**arguments))


def modules(**arguments: Unpack[ModuleArguments]) -> st.SearchStrategy[mlirbc.Module]:
    """Valid modules, each read for its release. The arguments are as for `bytecode()`.

    >>> from hypothesis import given
    >>> from mlirbc import testing
    >>> @given(testing.modules(dialects=[], features=["unregistered"]))
    ... def every_module_prints(module):
    ...     assert "module" in str(module)
    >>> every_module_prints()
    """
    return _modules(_Config(**arguments))


@st.composite
def _operations(draw: st.DrawFn, config: _Config) -> mlirbc.Operation:
    module = draw(_generated(config)).module()
    return draw(st.sampled_from(list(_walk(module))))


def _walk(module: mlirbc.Module) -> Iterator[mlirbc.Operation]:
    waiting = [module.operation]
    while waiting:
        op = waiting.pop()
        yield op
        waiting += [inner for region in op.regions for block in region for inner in block.operations]


def operations(**arguments: Unpack[ModuleArguments]) -> st.SearchStrategy[mlirbc.Operation]:
    """Operations of valid modules, including the modules themselves. The arguments are as for `bytecode()`.

    >>> from hypothesis import given
    >>> from mlirbc import testing
    >>> @given(testing.operations())
    ... def every_operation_has_a_location(op):
    ...     assert op.location is not None
    >>> every_operation_has_a_location()
    """
    return _operations(_Config(**arguments))


def attributes(**arguments: Unpack[PartArguments]) -> st.SearchStrategy[mlirbc.Attribute]:
    """Attributes of any kind, each from its own file. The arguments are as for `bytecode()`.

    With the feature `dialect_entries`, attributes of other dialects than builtin are included.

    >>> from hypothesis import given
    >>> from mlirbc import testing
    >>> @given(testing.attributes(features=[]))
    ... def every_attribute_has_a_text(attribute):
    ...     assert mlirbc.Attribute.parse(str(attribute)).class_name == attribute.class_name
    >>> every_attribute_has_a_text()
    """
    return _attributes(_Config(**arguments))


def types(**arguments: Unpack[PartArguments]) -> st.SearchStrategy[mlirbc.Type]:
    """Types of any kind, each from its own file. The arguments are as for `bytecode()`.

    >>> from hypothesis import given
    >>> from mlirbc import testing
    >>> @given(testing.types(features=[]))
    ... def every_type_is_its_text(type):
    ...     assert mlirbc.Type.parse(str(type)) == type
    >>> every_type_is_its_text()
    """
    return _types(_Config(**arguments))


# Damage.


def damaged(
    files: st.SearchStrategy[bytes] | None = None,
    *,
    kinds: Collection[Damage] | None = None,
    max_changes: int = 3,
    **arguments: Unpack[ModuleArguments],
) -> st.SearchStrategy[bytes]:
    """Bytes of files with one to `max_changes` changes, which may make them invalid, but need not.

    The files are `files`, by default files of `bytecode()` with the last six arguments. The changes are of
    some `kinds`, by default all. One that has no place in the file changes bytes instead.

    >>> from hypothesis import given
    >>> from mlirbc import testing
    >>> @given(testing.damaged(kinds=["byte", "entry", "operation"]))
    ... def a_damaged_file_is_read_or_refused(data):
    ...     try:
    ...         mlirbc.read(data).verify()
    ...     except mlirbc.Error as error:
    ...         assert error.identifier.startswith("mlirbc.")
    >>> a_damaged_file_is_read_or_refused()
    """
    if max_changes < 1:
        raise ValueError("`max_changes` must be at least 1")
    chosen = _chosen("kinds", kinds, list(get_args(Damage)))
    if not chosen:
        raise ValueError("`kinds` must not be empty")
    if files is None:
        files = _data(_Config(**arguments))
    return _damaged(files, chosen, max_changes)


@st.composite
def _damaged(draw: st.DrawFn, files: st.SearchStrategy[bytes], kinds: list[str], max_changes: int) -> bytes:
    file = draw(files)
    for kind in draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=max_changes)):
        if kind == "cut":
            file = file[: draw(st.integers(0, max(len(file) - 1, 0)))]
            continue
        changed = None
        if kind != "byte":
            donor = draw(files) if kind == "splice" else b""
            changed = _mlirbc._mutate(file, donor, kind, draw(st.integers(0, 0xFFFF)))
        file = _replaced(draw, file) if changed is None else changed
    return file


def _replaced(draw: st.DrawFn, file: bytes) -> bytes:
    """Another byte at one place, or other bytes for some."""
    start = draw(st.integers(0, len(file)))
    if draw(st.booleans()):
        return file[:start] + draw(st.binary(max_size=16)) + file[start + draw(st.integers(0, 16)) :]
    mask = draw(st.integers(1, 255))
    return file[:start] + bytes(byte ^ mask for byte in file[start : start + 1]) + file[start + 1 :]
