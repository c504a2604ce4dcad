"""Code in the documentation: finds the blocks of a page and runs them in order, as a reader would.

| info string | what is done |
|---|---|
| `python` | run, all blocks of a page in one namespace; blocks with `>>>` are doctests |
| `text` after a `python` block | compared with what the block printed |
| `console` | each `$ mlirbc ...` is run; output and exit status (`? N`) are compared |
| `toml`, `json` | parsed; tables and schemas are loaded; a first comment names a file to write |
| `mlir` | parsed; a first comment names a file to write |
| `rust,no_run` | compiled by the doctests of `rust/mlirbc/src/pages.rs` |
| `rust file=PATH` | compared with the file, which has the block as it is |
| `diff` | compared with the files: lines that it adds or shows are there, lines that it removes are not |
| anything followed by `norun` | not run; `test_docs.py` lists these blocks |

`python snippets.py PAGE` runs a page, in the current folder, to which it copies `examples`. Each page needs
a process of its own, because pages register dialects and schemas. With MLIRBC_REWRITE=1 the output in
`text` and `console` blocks is replaced by what was printed; review the difference.
"""

import contextlib
import doctest
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import mlirbc

ROOT = Path(__file__).parents[2]
FENCE = re.compile(
    r"^(?P<fence>```+)(?P<info>[^`\n]*)\n(?P<code>.*?)^(?P=fence)[ ]*$", re.DOTALL | re.MULTILINE
)
PICTURES = {"mermaid"}
REWRITE = bool(os.environ.get("MLIRBC_REWRITE"))
# Pages whose commands are compared, and rewritten, by `rust/mlirbc-cli/tests/golden.rs`.
GOLDEN = {"docs/reference/cli.md", "docs/reference/cli-output.md"}


def pages() -> list[str]:
    """Every page of the documentation, by its path from the root."""
    paths = [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        ROOT / "examples/README.md",
        ROOT / "tests/data/README.md",
    ]
    names = {path.relative_to(ROOT).as_posix() for path in paths}
    # Pages of the Python reference are made of docstrings, which `test_docstrings.py` runs.
    return sorted(name for name in names if not name.startswith(("docs/_build/", "docs/reference/api/")))


@dataclass
class Block:
    """A fenced block."""

    page: str
    number: int
    line: int
    language: str
    flags: list[str]
    code: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def is_run(self) -> bool:
        return "norun" not in self.flags


def blocks(page: str) -> list[Block]:
    """The fenced blocks of a page, directives of Sphinx left out."""
    text = (ROOT / page).read_text("utf-8")
    page_blocks = []
    for number, match in enumerate(FENCE.finditer(text)):
        language, *flags = match["info"].split() or [""]
        if not language.startswith("{"):
            line = text.count("\n", 0, match.start()) + 1
            page_blocks.append(Block(page, number, line, language, flags, match["code"]))
    return page_blocks


def run(page: str) -> None:
    """Runs all blocks of a page in the current folder."""
    reader = Reader(Path.cwd())
    for block in blocks(page):
        reader.run(block)


def rewrite(block: Block, code: str) -> None:
    """Replaces the code of a block in its page."""
    path = ROOT / block.page
    text = path.read_text("utf-8")
    match = list(FENCE.finditer(text))[block.number]
    path.write_text(text[: match.start("code")] + code + text[match.end("code") :], "utf-8")


class Reader:
    """A reader who follows a page, in a separate folder."""

    def __init__(self, folder: Path) -> None:
        shutil.copytree(ROOT / "examples", folder / "examples")
        shutil.copytree(ROOT / "tests" / "data" / "packs", folder / "tests" / "data" / "packs")
        shutil.copytree(ROOT / "tests" / "data" / "containers", folder / "tests" / "data" / "containers")
        self.folder = folder
        self.names: dict[str, object] = {"__name__": "__main__"}
        self.printed: str | None = None

    def run(self, block: Block) -> None:
        if block.language != "text":
            self.printed = None
        if not block.is_run or block.language in PICTURES:
            return
        action = getattr(self, f"run_{block.language.split(',')[0]}", None)
        assert action, f"{block}: no way to run `{block.language}`; say `norun` if it cannot be run"
        action(block)

    def run_python(self, block: Block) -> None:
        code = "\n" * block.line + block.code
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            if ">>> " in block.code:
                test = doctest.DocTestParser().get_doctest(
                    block.code, self.names, str(block), block.page, block.line
                )
                report: list[str] = []
                runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
                result = runner.run(test, out=report.append, clear_globs=False)
                assert result.attempted and not result.failed, "".join(report)
                self.names.update(test.globs)
                return
            exec(compile(code, block.page, "exec"), self.names)
        self.printed = out.getvalue()

    def run_text(self, block: Block) -> None:
        assert self.printed is not None, f"{block}: output without a `python` block right before it"
        if REWRITE:
            rewrite(block, self.printed)
        else:
            assert self.printed == block.code, f"{block}: printed\n{self.printed}"
        self.printed = None

    def run_console(self, block: Block) -> None:
        if block.page in GOLDEN:
            return
        written = ""
        for case in re.split(r"^(?=\$ )", block.code, flags=re.MULTILINE):
            if not case.strip():
                continue
            first, _, transcript = case.partition("\n")
            status = re.match(r"\? (\d+)\n", transcript)
            expected = transcript[status.end() :] if status else transcript
            program, *arguments = shlex.split(first.removeprefix("$ "))
            assert program == "mlirbc", f"{block}: only `mlirbc` can be run, not `{program}`"
            done = subprocess.run(
                [sys.executable, "-m", "mlirbc", *arguments],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                env={**os.environ, "PYTHONPATH": str(Path(mlirbc.__file__).parents[1])},
                check=False,
            )
            output = done.stdout.decode().replace("\r\n", "\n")
            written += (
                f"{first}\n" + (f"? {done.returncode}\n" if done.returncode else "") + output.rstrip("\n")
            )
            written += "\n\n" if output.strip() else ""
            if not REWRITE:
                assert output.strip() == expected.strip(), f"{block}: `{first}` printed\n{output}"
                assert done.returncode == (int(status[1]) if status else 0), f"{block}: {first}"
        if REWRITE:
            rewrite(block, written.rstrip("\n") + "\n")

    def run_toml(self, block: Block) -> None:
        table = tomllib.loads(block.code)
        self.write(block)
        if "dialect" in table:
            mlirbc.DialectTable.from_toml(block.code)
        elif "size_in_bits" in block.code:
            mlirbc.LayoutTable.from_toml(block.code)

    def run_mlir(self, block: Block) -> None:
        mlirbc.parse(block.code)
        self.write(block)

    def run_json(self, block: Block) -> None:
        value = json.loads(block.code)
        if isinstance(value, dict) and str(value.get("format", "")).startswith("mlirbc-properties/"):
            mlirbc.PropertySchema.from_json(block.code)

    def run_rust(self, block: Block) -> None:
        for flag in block.flags:
            if flag.startswith("file="):
                source = (ROOT / flag.removeprefix("file=")).read_text("utf-8")
                if REWRITE:
                    # The function has the same head, and ends where a line closes it.
                    start = source.index(block.code.splitlines(keepends=True)[0])
                    rewrite(block, source[start : source.index("\n}\n", start) + 3])
                else:
                    assert block.code in source, f"{block}: {flag.removeprefix('file=')} has other code"
                return
        listed = (ROOT / "rust/mlirbc/src/pages.rs").read_text("utf-8")
        assert f'/{block.page}");' in listed, f"{block}: rust/mlirbc/src/pages.rs does not have this page"

    def run_diff(self, block: Block) -> None:
        lines: list[str] = []
        for line in block.code.splitlines():
            if line.startswith("+++ b/"):
                lines = (ROOT / line.removeprefix("+++ b/")).read_text("utf-8").splitlines()
            elif line[:1] in {"+", " "}:
                assert line[1:] in lines, f"{block}: the file has no line `{line[1:]}`"
            elif line.startswith("-") and not line.startswith("--- a/"):
                assert line[1:] not in lines, f"{block}: the file has the line `{line[1:]}`"

    def write(self, block: Block) -> None:
        """Writes the block to the file that its first comment names, if it names one."""
        named = re.match(r"(?:#|//) ([\w./-]+\.(?:toml|mlir))\n", block.code)
        if named:
            (self.folder / named[1]).write_text(block.code, "utf-8")


if __name__ == "__main__":
    run(sys.argv[1])
