"""The documentation shows what really happens, and its links have targets."""

import json
import os
import re
import runpy
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import mlirbc
import pytest

from support import snippets
from support.snippets import GOLDEN, ROOT, blocks, pages

SNIPPETS = Path(snippets.__file__)
PAGES = pages()
# Blocks that cannot be run, by page and language. They need another program, a network, or hours.
NOT_RUN = Counter(
    {
        ("CONTRIBUTING.md", "text"): 1,  # a list of folders
        ("docs/howto/corpus.md", "python"): 1,  # needs Dask and Ray
        ("README.md", "sh"): 2,  # installs from registries, builds everything
        ("docs/howto/build-with-dialects.md", "sh"): 1,  # writes into the package
        ("docs/howto/corpus.md", "sh"): 1,  # needs find and jq
        ("docs/howto/own-dialect.md", "sh"): 3,  # needs llvm-tblgen, and a text of the reader
        ("docs/howto/own-dialect.md", "text"): 2,  # a definition, and the output of these commands
        ("docs/security-review.md", "sh"): 1,  # fuzzing
        ("examples/README.md", "sh"): 1,  # needs one release of mlir-opt
        ("tests/data/README.md", "sh"): 2,  # rewrites the test data
    }
)


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub and MyST make them."""
    slugs = set()
    for heading in re.findall(
        r"^#+ +(.+)$", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE), re.MULTILINE
    ):
        slugs.add(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-"))
    return slugs


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)])
def test_snippets_do_what_the_page_says(page: str, tmp_path: Path) -> None:
    if any("numpy" in block.code for block in blocks(page)):
        pytest.importorskip("numpy")
    paths = [str(Path(mlirbc.__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, "-W", "error", str(SNIPPETS), page],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONUTF8": "1"},
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_blocks_that_are_not_run_are_listed() -> None:
    not_run = Counter(
        (block.page, block.language) for page in PAGES for block in blocks(page) if not block.is_run
    )
    assert not_run == NOT_RUN, "add the block to NOT_RUN, or better, make it one that can be run"


def test_blocks_are_many_and_most_are_run() -> None:
    languages = Counter(block.language for page in PAGES for block in blocks(page) if block.is_run)
    assert languages["python"] >= 30 and languages["console"] >= 20 and languages["rust,no_run"] >= 2
    assert sum(NOT_RUN.values()) <= 15


def test_json_in_examples_is_json() -> None:
    documents = 0
    for page in PAGES:
        for block in blocks(page):
            for case in (
                re.split(r"^\$ ", block.code, flags=re.MULTILINE)[1:] if block.language == "console" else []
            ):
                command, _, output = case.partition("\n")
                output = re.sub(r"\A\? \d+\n", "", output).strip()
                if "--json" in command and "--help" not in command:
                    documents += 1
                    # The output is an object in each line, or a single object in several lines.
                    lines = output.splitlines()
                    is_one_each = all(line.startswith("{") and line.endswith("}") for line in lines)
                    for document in lines if is_one_each else [output]:
                        json.loads(document)
    assert documents >= 3


def test_no_code_hides_in_indented_blocks() -> None:
    """Only fences say in which language a block is, and whether it is run."""
    for page in PAGES:
        text = re.sub(r"^```.*?^```", "", (ROOT / page).read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        for match in re.finditer(r"(?:^|\n)([^\n]*)\n\n( {4,}\S[^\n]*)", text):
            is_list = re.match(r"\s*(?:[-*]|\d+\.) ", match[1]) or match[1].startswith("  ")
            assert is_list, f"{page}: {match[2]}"


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = re.sub(r"^```.*?^```", "", (ROOT / page).read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for target in re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|href)="([^"]+)"', text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (ROOT / page).parent / path if path else ROOT / page
        if "reference/api/" in file.resolve().as_posix():
            continue  # made when the site is built, which checks the link
        assert file.exists(), f"{page} links to {target}"
        if anchor and file.suffix == ".md":
            assert anchor in anchors(file.read_text("utf-8")), f"{page} links to {target}"


def test_every_command_has_its_help_on_the_page() -> None:
    text = (ROOT / "docs/reference/cli.md").read_text("utf-8")
    listed = re.search(r"^Commands:\n(.*?)\n\n", text, re.DOTALL | re.MULTILINE)
    assert listed
    commands = re.findall(r"^  (\w+) ", listed[1], re.MULTILINE)
    assert len(commands) >= 9
    for command in commands:
        assert f"\n## `mlirbc {command}`\n\n```console\n$ mlirbc {command} --help\n" in text


def test_pages_of_the_command_line_are_golden_files() -> None:
    golden = (ROOT / "rust/mlirbc-cli/tests/golden.rs").read_text("utf-8")
    for page in GOLDEN:
        assert f'"{page}"' in golden


def test_every_page_is_in_the_table_of_contents() -> None:
    index = (ROOT / "docs/index.md").read_text("utf-8")
    for page in PAGES:
        name = page.removeprefix("docs/").removesuffix(".md")
        if page.startswith("docs/") and name != "index":
            assert re.search(rf"^{re.escape(name)}$", index, re.MULTILINE), (
                f"docs/index.md does not list {name}"
            )


def test_paths_of_pages_in_messages_and_comments_exist() -> None:
    sources = [
        path
        for folder in ("rust", "python", "scripts", "tools", "tests", "fuzz")
        for path in (ROOT / folder).rglob("*")
    ]
    for path in sources:
        if path.suffix in {".rs", ".py", ".pyi", ".toml", ".md"} or (
            path.parent.name == "scripts" and path.is_file()
        ):
            for named in re.findall(r"\bdocs/[\w/-]+\.md\b", path.read_text("utf-8")):
                assert (ROOT / named).exists(), f"{path.relative_to(ROOT)} names {named}"


def test_the_files_of_the_glossary_exist() -> None:
    lines = [
        line
        for line in (ROOT / "docs/explanation/glossary.md").read_text("utf-8").splitlines()
        if line.startswith("- **")
    ]
    assert len(lines) >= 100
    for line in lines:
        files = re.findall(r"`([\w/.-]+)`", line.rpartition(". `")[1] + line.rpartition(". `")[2])
        assert files, line
        for file in files:
            assert (ROOT / "rust/mlirbc/src" / file).exists() or (ROOT / file).exists(), line


def test_the_table_of_supported_releases_is_up_to_date() -> None:
    path = ROOT / "docs/reference/supported.md"
    page = runpy.run_path(str(ROOT / "tools/supported.py"))["page"]()
    if os.environ.get("MLIRBC_REWRITE"):
        path.write_text(page, "utf-8")
    assert path.read_text("utf-8").replace("\r\n", "\n") == page, (
        "set MLIRBC_REWRITE=1 and run this test again"
    )


def bindings_counts(file: str, build: str) -> tuple[int, int, int]:
    """The functions of a table, those that pass, and those that pass with a build's bindings."""
    lines = (ROOT / "tests/bindings" / file).read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    passing = sum(not "".join(row[2:]) for row in rows)
    return len(rows), passing, sum(build in row[1] for row in rows)


def words_of(page: str) -> str:
    return " ".join((ROOT / page).read_text("utf-8").split())


def test_numbers_about_the_tests_of_the_bindings_are_counted() -> None:
    functions, passing, upstream = bindings_counts("ir.tsv", "iree-3.12")
    page = words_of("docs/reference/python.md")
    assert f"Of the {functions} functions of MLIR 22's own tests" in page
    assert f"{passing} pass; the bindings of IREE 3.12 pass {upstream}." in page
    assert f"{passing} of the {functions} functions of MLIR 22's tests of `ir` pass" in words_of("README.md")
    functions, passing, upstream = bindings_counts("dialects.tsv", "iree-3.13")
    page = words_of("docs/howto/build-with-dialects.md")
    assert f"Of the {functions} functions of MLIR 22's tests of dialects" in page
    assert f"{passing} pass; with the bindings of IREE 3.13, {upstream} (" in page


def test_numbers_about_scripts_of_other_projects_are_counted() -> None:
    scripts = tomllib.loads((ROOT / "tests/bindings/scripts.toml").read_text("utf-8"))["script"]
    same = sum("reason" not in script for script in scripts)
    page = words_of("docs/reference/python.md")
    assert f"Of {len(scripts)} scripts and test files of public projects" in page
    assert f"{same} have the same output" in page


@pytest.mark.parametrize(
    ("page", "sentence", "file", "constant"),
    [
        ("explanation/performance", "run on up to {} cores", "wire/parallel.rs", "MOST_THREADS"),
        ("explanation/performance", "verification on {}", "ir/verify/sweep.rs", "MOST_THREADS"),
        ("reference/dialect-tables", "below {}; `", "dialect/table/load.rs", "MAX_CODE"),
        (
            "reference/limits",
            "by default {} bytes per byte of the file plus 16",
            "wire/limits.rs",
            "MEMORY_PER_BYTE",
        ),
        (
            "reference/limits",
            "per byte of the file plus {} MiB, at most",
            "wire/limits.rs",
            "MEMORY_AT_LEAST",
        ),
        (
            "reference/limits",
            "by default {} bytes per byte of the file plus 64",
            "wire/limits.rs",
            "TEXT_PER_BYTE",
        ),
        ("reference/limits", "plus {} MiB (`mlirbc.limit.text`)", "wire/limits.rs", "TEXT_AT_LEAST"),
        ("reference/limits", "otherwise {} bytes per byte", "wire/limits.rs", "DECOMPRESSED_PER_BYTE"),
        ("reference/limits", "plus {} MiB, at most a quarter", "wire/limits.rs", "DECOMPRESSED_AT_LEAST"),
        ("reference/limits", "one inside the other: {} (", "container/jax/read.rs", "MOST_DERIVATIVES"),
        ("reference/nested-modules", "At most {} levels", "artifact/nested/mod.rs", "DEPTH"),
        ("reference/packs", "up to {}, the oldest first", "pack/header.rs", "MOST_RELEASES"),
        ("reference/packs", "more than {} nested groups", "ops/packs.rs", "DEEPEST"),
        ("reference/packs", "more than {} MiB", "pack/row.rs", "LONGEST_LINE"),
    ],
)
def test_numbers_on_pages_are_those_of_the_code(page: str, sentence: str, file: str, constant: str) -> None:
    code = (ROOT / "rust/mlirbc/src" / file).read_text("utf-8")
    [number, shift] = re.findall(rf"const {constant}: \w+ = (\d+)(?: << (\d+))?;", code)[0]
    shown = int(number) << max(0, int(shift or 0) - 20)
    assert sentence.format(f"{shown:,}" if constant != "MAX_CODE" else shown) in words_of(f"docs/{page}.md")
