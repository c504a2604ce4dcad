"""`mlirbc print` against the `mlir-opt` that wrote the file: the same text, byte for byte, in both forms.

Every file of `tests/data/bytecode`, and every module of `tests/data/dialects` in every version of bytecode
that its releases write. What is known to differ is in `DIFFERENCES`, and has to.
"""

import difflib
import itertools
from pathlib import Path
from typing import Any

import mlirbc
import pytest

from support import oracles
from support.printing import (
    GENERIC,
    File,
    Printed,
    bytecode_file,
    compare_all,
    compare_custom,
    dialect_files,
    kept_files,
)

ALL = frozenset(range(7))

RENAMED = "a resource that text names has another name once MLIR has read the text"
UNKNOWN = "no table describes the properties and aliases of LLVM's own test dialect"
SPECIFIER = "a storage specifier has an encoding that prints like another one and gets an alias of its own"
QUOTE = "MLIR writes a quote in the name of a struct as it is, which ends the name: no reader takes that text"

DIFFERENCES: dict[tuple[str, int], tuple[frozenset[int], str]] = {
    ("llvm_16_19_noread", 16): (ALL, QUOTE),
    ("llvm_16_19_noread", 19): (ALL, QUOTE),
    ("llvm_19_22", 19): (ALL, "locations within attributes that are text get no aliases"),
    ("resources_test_dialect", 16): (ALL, RENAMED),
    ("resources_test_dialect", 19): (ALL, RENAMED),
    ("resources_test_dialect", 22): (ALL, RENAMED),
    ("sparse_tensor_19_22", 19): (ALL, SPECIFIER),
    ("sparse_tensor_19_22", 22): (ALL, SPECIFIER),
    ("sparse_tensor_22", 22): (ALL, SPECIFIER),
    ("test", 16): (ALL, UNKNOWN),
    ("test", 19): (ALL, UNKNOWN),
    ("test", 22): (ALL, UNKNOWN),
    ("test_19_22", 19): (ALL, UNKNOWN),
    ("test_19_22", 22): (ALL, UNKNOWN),
    ("test_19_22_v5_6", 19): (ALL, UNKNOWN),
    ("test_19_22_v5_6", 22): (ALL, UNKNOWN),
    ("test_22", 22): (ALL, UNKNOWN),
    ("test_dialect_properties", 19): (ALL, UNKNOWN),
    ("test_dialect_properties", 22): (ALL, UNKNOWN),
}
"""By module and release: the versions, and why."""


def groups() -> list[list[File]]:
    """The files of one module of one release are one test."""
    files = sorted((*kept_files(), *dialect_files()), key=key)
    return [list(group) for _, group in itertools.groupby(files, key)]


def key(file: File) -> tuple[bool, str, int]:
    return file.stored is None, file.module, file.release


def group_id(group: list[File]) -> str:
    return f"{'kept' if group[0].stored else 'made'}-{group[0].module}-{group[0].release}"


@pytest.mark.parametrize("group", groups(), ids=group_id)
def test_the_text_is_that_of_the_release(group: list[File], tmp_path: Path) -> None:
    module, release = group[0].module, group[0].release
    oracles.require(release)
    versions, reason = DIFFERENCES.get((module, release), (frozenset(), ""))
    printed = compare_all(group, tmp_path)
    for result in printed:
        if result.file.version not in versions:
            assert result.is_equal, difference(result)
    differing = {result.file.version for result in printed if not result.is_equal}
    gone = versions & {file.version for file in group} - differing
    assert not gone, f"no longer different in versions {sorted(gone)}: {reason}"


def newest(group: list[File]) -> File:
    return max(group, key=lambda file: file.version)


@pytest.mark.parametrize("group", groups(), ids=group_id)
def test_the_default_is_the_custom_assembly_of_the_release(group: list[File], tmp_path: Path) -> None:
    file = newest(group)
    oracles.require(file.release)
    versions, _ = DIFFERENCES.get((file.module, file.release), (frozenset(), ""))
    if file.version in versions:
        pytest.skip("its generic form differs as well")
    printed = compare_custom(file, bytecode_file(file, tmp_path), tmp_path)
    different = [result for result in printed if result.theirs is not None and not result.is_equal]
    assert not different, difference(different[0])


LIMITS: list[tuple[list[str], dict[str, Any]]] = [
    (["--mlir-print-skip-regions"], {"skip_regions": True}),
    (
        ["--mlir-print-skip-regions", "--mlir-print-debuginfo"],
        {"skip_regions": True, "enable_debug_info": True},
    ),
    (
        ["--mlir-elide-elementsattrs-if-larger=2"],
        {"large_elements_limit": 2},
    ),
    *(
        ([f"--mlir-elide-resource-strings-if-larger={n}"], {"large_resource_limit": n})
        for n in (0, 5, 12, 40)
    ),
]
"""Flags that 16 does not have, and our keywords that leave out the same parts."""


@pytest.mark.parametrize("release", [19, 22])
@pytest.mark.parametrize(
    "module", ["cfg", "elements", "regions", "resources", "resources_external", "scopes"]
)
def test_what_is_left_out_is_left_out_by_the_release(module: str, release: int) -> None:
    oracles.require(release)
    file = next(file for file in kept_files() if (file.module, file.release) == (module, release))
    assert file.stored is not None
    opened = mlirbc.open(file.stored)
    for flags, keywords in LIMITS:
        for generic in (False, True):
            args = ["--allow-unregistered-dialect", *([GENERIC] if generic else []), *flags]
            output = oracles.run_mlir_opt(release, args, file.stored)
            text = opened.get_asm(binary=True, print_generic_op_form=generic, **keywords)
            assert text + b"\n" == oracles.checked(output), flags


def difference(result: Printed) -> str:
    """The first lines that differ."""
    head = f"v{result.file.version}, {result.mode}"
    if result.theirs is None:
        return f"{head}: the oracle refuses the file: {result.complaint}"
    theirs, mine = (
        text.decode("utf-8", "backslashreplace").splitlines() for text in (result.theirs, result.mine)
    )
    lines = difflib.unified_diff(theirs, mine, "mlir-opt", "mlirbc", lineterm="", n=0)
    return "\n".join([head, *(line[:300] for line in itertools.islice(lines, 12))])


def test_every_listed_difference_is_of_a_file() -> None:
    modules = {(group[0].module, group[0].release) for group in groups()}
    assert modules >= DIFFERENCES.keys()


@pytest.mark.parametrize("count", [20, 5000])
@pytest.mark.parametrize("place", [None, 0, 10, -1])
@pytest.mark.parametrize("other", ["é".encode(), b"\xff\xfe"])
def test_other_characters_anywhere_in_a_text(count: int, place: int | None, other: bytes) -> None:
    """A long text is made in place until a character is not ASCII."""
    ops = "\n".join(f'"t.op"() {{a = #t.x<v{at}AA>}} : () -> ()' for at in range(count))
    data = mlirbc.parse(ops, target="llvm-22").write()
    if place is not None:
        data = data.replace(b"<v%dAA>" % range(count)[place], b"<v%d%s>" % (range(count)[place], other))
    op = mlirbc.read(data).operation
    text = op.get_asm(print_generic_op_form=True)
    assert text == op.get_asm(print_generic_op_form=True, binary=True).decode("utf-8", "surrogateescape")
    assert text.count("#t.x<v") == count
    assert text.isascii() == (place is None)
    assert hash(text) == hash("".join(list(text)))
