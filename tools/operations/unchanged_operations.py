"""Lists the operations of a release that a later build prints in the same way.

    python3 tools/operations/unchanged_operations.py --release rust/mlirbc/data/operations/llvm-23.jsonl \\
        --build rust/mlirbc/data/operations/iree-3.13.jsonl --out rust/mlirbc/data/operations/unchanged.txt \\
        --text tests/data/iree/forms.custom.mlir FOLDER=DIFFERENCES ...

Make corpora of texts that the build reads (`scripts/assembly make`), write all operations to the file (`--all`), build
mlirbc, and compare (`scripts/assembly FOLDER --differences DIFFERENCES`). An operation is in the list if it is in a part
that is printed like the build prints it, and in no line in custom form that differs. Operations that the build defines
itself need no entry.
"""

import argparse
import json
import pathlib
import re

HEAD = """\
# Operations of LLVM 23 that the build of LLVM in IREE 3.13 prints in the same way (tools/operations/unchanged_operations.py).
# `properties` follows those whose formats still leave inherent attributes to `attr-dict`.
"""
# The lines of these operations differ by an attribute, or by the operation that contains them.
KEPT = {"arith.constant", "func.func", "linalg.generic", "llvm.call", "spirv.Constant", "tensor.empty"}
KEPT |= {"bufferization.alloc_tensor"}
KEPT |= {f"emitc.{name}" for name in ("add", "call", "cmp", "div", "load", "mul", "unary_minus", "yield")}
# Operations that one class defines: all are alike if one is.
FAMILIES = (re.compile(r"rocdl\.mfma\.(?!scale)"),)
OPERATION = re.compile(r'"([a-z_][\w]*\.[\w.]+)"\(')
CUSTOM = re.compile(r"(?:^\+ *|= )([a-z_]\w*\.[\w.]+)(?=[ (\[<]|$)")


def names(path: pathlib.Path) -> set[str]:
    rows = (json.loads(line) for line in path.read_text("utf-8").splitlines()[1:])
    return {row["op"] for row in rows if "op" in row}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--release", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--all", action="store_true", help="list every operation, to find those that differ")
    parser.add_argument(
        "--text",
        type=pathlib.Path,
        action="append",
        default=[],
        help="a text of the build that tests compare",
    )
    parser.add_argument("corpora", nargs="*", metavar="FOLDER=DIFFERENCES")
    options = parser.parse_args()
    candidates = names(options.release) - names(options.build)
    rows = (line.split() for line in options.out.read_text("utf-8").splitlines() if not line.startswith("#"))
    marks = {row[0]: row[1] for row in rows if len(row) > 1}
    proven: set[str] = set()
    wrong: set[str] = set()
    for path in options.text:
        for line in path.read_text("utf-8").splitlines():
            proven.update(CUSTOM.findall("+" + line))
    for corpus in options.corpora:
        folder, _, differences = corpus.partition("=")
        blocks = pathlib.Path(differences).read_text("utf-8", "replace").split("\n=== ")
        parts: set[str] = set()
        for block in blocks:
            head, _, lines = block.removeprefix("=== ").partition("\n")
            name, _, kind = head.partition(" ")
            if kind.startswith("printed "):
                parts.add(name)
                for line in lines.splitlines():
                    if line.startswith("+"):
                        wrong.update(CUSTOM.findall(line))
        for path in pathlib.Path(folder).glob("*.generic"):
            if path.stem not in parts:
                proven.update(OPERATION.findall(path.read_text("utf-8", "replace")))
    for family in filter(lambda pattern: any(pattern.match(name) for name in proven), FAMILIES):
        proven.update(name for name in candidates if family.match(name))
    unchanged = candidates if options.all else (candidates & proven) - (wrong - KEPT)
    text = "".join(f"{name}{' ' + marks[name] if name in marks else ''}\n" for name in sorted(unchanged))
    options.out.write_text(HEAD + text, "utf-8")
    differing = sorted(candidates & wrong)
    print(f"{len(unchanged)} of {len(candidates)}, {len(differing)} differ: {' '.join(differing)}")


if __name__ == "__main__":
    main()
