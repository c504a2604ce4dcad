"""The features in `tests/data/features.tsv` name calls and tests that exist."""

import ast
import functools
import importlib
import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "tests/data/features.tsv"
HEADER = ["feature", "section", "calls", "tests"]
VECTORS = "vectors/"


def rows(text: str) -> list[tuple[int, list[str]]]:
    """The rows of the table with their line numbers."""
    header, *lines = text.splitlines()
    assert header.split("\t") == HEADER
    return [(number, [cell.strip() for cell in line.split("\t")]) for number, line in enumerate(lines, 2)]


# ---- tests ----


@functools.cache
def python_functions(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


@functools.cache
def rust_functions(path: Path) -> frozenset[str]:
    return frozenset(re.findall(r"^ *fn (\w+)", path.read_text("utf-8"), re.MULTILINE))


@functools.cache
def hostile_cases() -> dict[str, bool]:
    """Whether each file is refused."""
    index = json.loads((ROOT / "tests/data/hostile/index.json").read_text("utf-8"))
    return {name.removesuffix(".mlirbc"): "identifier" in row for name, row in index.items()}


@functools.cache
def vector_groups() -> frozenset[str]:
    vectors = json.loads((ROOT / "tests/data/layout/data_layout.json").read_text("utf-8"))["vectors"]
    return frozenset(vector["id"].partition("/")[0] for vector in vectors)


@functools.cache
def encodings(dialect: str) -> frozenset[str]:
    """The rows of a dialect table: attribute or type, and the code."""
    path = ROOT / f"rust/mlirbc/data/dialects/{dialect}.toml"
    table = tomllib.loads(path.read_text("utf-8")) if path.exists() else {}
    return frozenset(f"{kind}/{row['code']}" for kind in ("attribute", "type") for row in table.get(kind, ()))


def is_case(function: str, case: str) -> bool:
    """Whether a test that runs over a table has the case."""
    match function:
        case "test_what_is_wrong_is_named_with_its_place":
            return hostile_cases().get(case, False)
        case "test_unusual_files_are_read":
            return not hostile_cases().get(case, True)
        case "test_entries_are_what_the_oracle_reads":
            dialect, _, row = case.partition("/")
            return row.rpartition("/")[0] in encodings(dialect)
    return False


def wrong_in_tests(cell: str) -> list[str]:
    entries = cell.split(" ; ")
    groups = [entry.removeprefix(VECTORS) for entry in entries if entry.startswith(VECTORS)]
    wrong = [f"no vectors {group}" for group in groups if group not in vector_groups()]
    tests = [entry for entry in entries if not entry.startswith(VECTORS)]
    if not tests:
        wrong.append("no test")
    for test in tests:
        named = re.fullmatch(r"((?:tests|rust)/[\w/-]+\.(?:py|rs))::(\w+)(?:\[(.+)\])?", test)
        if not named or not (ROOT / named[1]).is_file():
            wrong.append(f"no file of {test}")
            continue
        functions = python_functions if named[1].endswith(".py") else rust_functions
        if named[2] not in functions(ROOT / named[1]):
            wrong.append(f"no function {test}")
        elif named[3] and not is_case(named[2], named[3]):
            wrong.append(f"no case {test}")
    return wrong


# ---- calls ----


@functools.cache
def rust_names() -> frozenset[str]:
    """The public names of the crate."""
    pattern = r"\bpub (?:const )?(?:fn|struct|enum|trait) (\w+)"
    sources = (ROOT / "rust/mlirbc/src").rglob("*.rs")
    return frozenset(name for path in sources for name in re.findall(pattern, path.read_text("utf-8")))


@functools.cache
def command_help() -> dict[str, str]:
    """The part of the page about each command."""
    text = (ROOT / "docs/reference/cli.md").read_text("utf-8")
    parts = re.split(r"^## `mlirbc (\w+)`$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def is_python_name(name: str) -> bool:
    """Whether a dotted name belongs to the package, including its modules that nothing has imported yet."""
    value: object = importlib.import_module("mlirbc")
    for part in name.split(".")[1:]:
        if not hasattr(value, part):
            return False
        value = getattr(value, part)
    return True


def wrong_in_calls(cell: str) -> list[str]:
    wrong = []
    for call in cell.split(" ; "):
        if name := re.fullmatch(r"(mlirbc(?:\.\w+)+)(?:\(\w+=.*\))?", call):
            is_there = is_python_name(name[1])
        elif name := re.fullmatch(r"mlirbc(?:::\w+)*::(\w+)", call):
            is_there = name[1] in rust_names()
        elif name := re.fullmatch(r"mlirbc (\w+)((?: --[\w-]+)*)", call):
            text = command_help().get(name[1])
            is_there = text is not None and all(
                re.search(rf"^ +(?:-\w, )?{option}\b", text, re.MULTILINE) for option in name[2].split()
            )
        else:
            is_there = False
        if not is_there:
            wrong.append(f"no call {call}")
    return wrong


def wrong_in(text: str) -> list[str]:
    messages = []
    for number, cells in rows(text):
        wrong = []
        if len(cells) != len(HEADER) or not all(cells):
            wrong.append(f"not {len(HEADER)} cells with something in them")
        else:
            wrong += wrong_in_calls(cells[2]) + wrong_in_tests(cells[3])
        messages += [f"line {number}: {problem}" for problem in wrong]
    return messages


def test_every_row_names_a_call_and_a_test_that_exist() -> None:
    text = TABLE.read_text("utf-8")
    assert len(rows(text)) > 350
    assert wrong_in(text) == []


def test_no_feature_is_listed_twice() -> None:
    features = [(cells[0], cells[1]) for _, cells in rows(TABLE.read_text("utf-8"))]
    assert sorted(set(features)) == sorted(features)


GOOD = ["a", "b", "mlirbc.open", "tests/python/test_features.py::test_no_feature_is_listed_twice"]
HOSTILE = "tests/python/test_hostile.py::test_what_is_wrong_is_named_with_its_place"


@pytest.mark.parametrize(
    ("column", "cell", "found"),
    [
        (0, "", "not 4 cells"),
        (1, "b\tc", "not 4 cells"),
        (2, "open", "no call"),
        (2, "mlirbc.open, mlirbc.read", "no call"),
        (2, "mlirbc.no_such_call", "no call"),
        (2, "mlirbc.edit.Module.no_such_call(a=1)", "no call"),
        (2, "mlirbc::ir::NoSuchName", "no call"),
        (2, "mlirbc nothing", "no call"),
        (2, "mlirbc info --nothing", "no call"),
        (3, "none", "no file"),
        (3, "vectors/carrier", "no test"),
        (3, "tests/python/test_nothing.py::test_a", "no file"),
        (3, "tests/python/test_features.py::test_nothing", "no function"),
        (3, "rust/mlirbc/tests/edit.rs::nothing", "no function"),
        (3, f"{HOSTILE}[section.nothing]", "no case"),
        (3, f"{HOSTILE}[section.order_reversed]", "no case"),
        (3, f"{GOOD[3]} ; vectors/nothing", "no vectors"),
    ],
)
def test_a_wrong_row_is_found(column: int, cell: str, found: str) -> None:
    def table(cells: list[str]) -> str:
        return "\t".join(HEADER) + "\n" + "\t".join(cells) + "\n"

    assert wrong_in(table(GOOD)) == []
    (message,) = wrong_in(table([cell if at == column else good for at, good in enumerate(GOOD)]))
    assert message.startswith(f"line 2: {found}")
