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
    compare_all,
    compare_custom,
    dialect_files,
    kept_files,
    made,
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
    ("sparse_tensor_16", 16): (ALL, "the maps of an encoding are spelled out, by its own printer"),
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
    return file.kept is None, file.module, file.release


def group_id(group: list[File]) -> str:
    return f"{'kept' if group[0].kept else 'made'}-{group[0].module}-{group[0].release}"


@pytest.mark.parametrize("group", groups(), ids=group_id)
def test_the_text_is_that_of_the_release(group: list[File], tmp_path: Path) -> None:
    module, release = group[0].module, group[0].release
    oracles.require(release)
    versions, reason = DIFFERENCES.get((module, release), (frozenset(), ""))
    printed = compare_all(group, tmp_path)
    for one in printed:
        if one.file.version not in versions:
            assert one.is_equal, difference(one)
    found = {one.file.version for one in printed if not one.is_equal}
    gone = versions & {file.version for file in group} - found
    assert not gone, f"no longer different in versions {sorted(gone)}: {reason}"


PREFIX = "an optional list without elements is printed with the punctuation of one that has some"
CLAUSE = "the clause `type` of operands is printed as in another release"
PRIVATE = "the visibility is not printed"
POINTER = "a type with parameters is parsed as the only type of its constraint"
UNTYPED = "`transform.print` without operands is followed by a line that its parser takes for one"
INLINE = "an operation on the line of another one has no location in text"

CUSTOM_DIFFERENCES: dict[tuple[str, int], str] = {
    ("acc_19_22", 22): CLAUSE,
    ("acc_22", 22): CLAUSE,
    ("emitc_19", 19): PRIVATE,
    ("emitc_19_22", 19): PRIVATE,
    ("emitc_19_22", 22): PRIVATE,
    ("emitc_22", 22): "the cases of a switch are not printed",
    ("llvm", 16): POINTER,
    ("pdl", 16): PREFIX,
    ("pdl", 19): PREFIX,
    ("pdl", 22): PREFIX,
    ("shape", 16): PREFIX,
    ("shape", 19): PREFIX,
    ("shape", 22): PREFIX,
    ("spirv_more", 22): PREFIX,
    ("transform_16", 16): UNTYPED,
    ("transform_19_22", 19): UNTYPED,
    ("transform_19_22", 22): UNTYPED,
    ("vector", 16): INLINE,
}
"""What MLIR reads in another way than mlirbc prints it by default, and why."""


def newest(group: list[File]) -> File:
    return max(group, key=lambda file: file.version)


@pytest.mark.parametrize("group", groups(), ids=group_id)
def test_the_default_is_the_custom_assembly_of_the_release(group: list[File], tmp_path: Path) -> None:
    file = newest(group)
    oracles.require(file.release)
    versions, _ = DIFFERENCES.get((file.module, file.release), (frozenset(), ""))
    if file.version in versions:
        pytest.skip("its generic form differs as well")
    printed = compare_custom(file, made(file, tmp_path), tmp_path)
    different = [one for one in printed if one.theirs is not None and not one.is_equal]
    reason = CUSTOM_DIFFERENCES.get((file.module, file.release))
    if reason is None:
        assert not different, difference(different[0])
    else:
        assert different, f"no longer different: {reason}"


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
"""What is left out: flags that 16 does not have, and our keywords."""


@pytest.mark.parametrize("release", [19, 22])
@pytest.mark.parametrize(
    "module", ["cfg", "elements", "regions", "resources", "resources_external", "scopes"]
)
def test_what_is_left_out_is_left_out_by_the_release(module: str, release: int) -> None:
    oracles.require(release)
    file = next(file for file in kept_files() if (file.module, file.release) == (module, release))
    assert file.kept is not None
    opened = mlirbc.open(file.kept)
    for flags, keywords in LIMITS:
        for generic in (False, True):
            args = ["--allow-unregistered-dialect", *([GENERIC] if generic else []), *flags]
            output = oracles.run_mlir_opt(release, args, file.kept)
            text = opened.get_asm(binary=True, print_generic_op_form=generic, **keywords)
            assert text + b"\n" == oracles.checked(output), flags


def difference(one: Printed) -> str:
    """The first lines that differ."""
    head = f"v{one.file.version}, {one.mode}"
    if one.theirs is None:
        return f"{head}: the oracle refuses the file: {one.complaint}"
    theirs, mine = (text.decode("utf-8", "backslashreplace").splitlines() for text in (one.theirs, one.mine))
    lines = difflib.unified_diff(theirs, mine, "mlir-opt", "mlirbc", lineterm="", n=0)
    return "\n".join([head, *(line[:300] for line in itertools.islice(lines, 12))])


def test_every_listed_difference_is_of_a_file() -> None:
    known = {(group[0].module, group[0].release) for group in groups()}
    assert known >= DIFFERENCES.keys()
