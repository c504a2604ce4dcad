"""Compares the texts that IREE and mlirbc print of IREE's own files.

    PYTHONPATH=tests python -m support.iree_corpus --bin DIRECTORY --out DIRECTORY [TEXT.mlir ...]

`--bin` is the directory of `iree-compile` and `iree-opt`. Each text, or each program below, is compiled for
each target as far as it goes; the module at every phase becomes bytecode, which both print in generic form.
Texts given with `--as-they-are`, such as those of IREE's tests, are not compiled but split at their marks.
The last line says how many are equal, the others are listed. `--out` keeps everything, so that a second run
compares only.
"""

import argparse
import difflib
import itertools
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import mlirbc

TARGETS = {
    "cpu": ["--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=generic"],
    "tiled": [
        "--iree-hal-target-backends=llvm-cpu",
        "--iree-llvmcpu-target-cpu=znver4",
        "--iree-opt-data-tiling",
    ],
    "vmvx": ["--iree-hal-target-backends=vmvx"],
    "vulkan": ["--iree-hal-target-backends=vulkan-spirv"],
    "cuda": ["--iree-hal-target-backends=cuda", "--iree-cuda-target=sm_80"],
    "rocm": ["--iree-hal-target-backends=rocm", "--iree-rocm-target=gfx942"],
    "two": [
        "--iree-hal-target-device=a=local[0]",
        "--iree-hal-target-device=b=local[1]",
        "--iree-hal-local-target-device-backends=llvm-cpu",
        "--iree-llvmcpu-target-cpu=generic",
    ],
}


def matmul(m: str, k: str, n: str, element: str, result: str, zero: str, dims: str = "") -> str:
    """A product of two matrices; `?` is a size that only the program knows."""
    lhs, rhs, out = f"tensor<{m}x{k}x{element}>", f"tensor<{k}x{n}x{element}>", f"tensor<{m}x{n}x{result}>"
    sizes = "%m, %n" if dims else ""
    return f"""
func.func @f(%a: {lhs}, %b: {rhs}) -> {out} {{
  %z = arith.constant {zero} : {result}
{dims}  %e = tensor.empty({sizes}) : {out}
  %i = linalg.fill ins(%z : {result}) outs(%e : {out}) -> {out}
  %r = linalg.matmul ins(%a, %b : {lhs}, {rhs}) outs(%i : {out}) -> {out}
  return %r : {out}
}}
"""


DIMS = """\
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
"""

PROGRAMS = {
    "matmul": matmul("16", "32", "64", "f32", "f32", "0.0"),
    "mixed": matmul("256", "512", "256", "f16", "f32", "0.0"),
    "integers": matmul("64", "64", "64", "i8", "i32", "0"),
    "dynamic": matmul("?", "?", "?", "f32", "f32", "0.0", DIMS),
    "softmax": """
func.func @f(%a: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %e = tensor.empty() : tensor<8x128xf32>
  %r = linalg.softmax dimension(1)
      ins(%a : tensor<8x128xf32>) outs(%e : tensor<8x128xf32>) -> tensor<8x128xf32>
  return %r : tensor<8x128xf32>
}
""",
    "globals": """
util.global private mutable @g = dense<0.0> : tensor<4xf32>
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %w = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %g = util.global.load @g : tensor<4xf32>
  %x = arith.addf %a, %w : tensor<4xf32>
  %y = arith.addf %x, %g : tensor<4xf32>
  util.global.store %y, @g : tensor<4xf32>
  return %y : tensor<4xf32>
}
""",
}


def compiled(programs: dict[str, str], tools: Path, out: Path) -> Iterator[Path]:
    """The texts of all phases."""
    for (name, text), (target, flags) in itertools.product(programs.items(), TARGETS.items()):
        folder = out / f"{name}-{target}"
        if not folder.exists():
            folder.mkdir(parents=True)
            source = folder / "source.mlir"
            source.write_text(text, "utf-8")
            command: list[str | Path] = [
                tools / "iree-compile",
                source,
                *flags,
                f"--dump-compilation-phases-to={folder}",
            ]
            # A target that cannot compile the program has the phases before that.
            subprocess.run([*command, "-o", folder / "module.vmfb"], capture_output=True, check=False)
        yield from sorted(folder.glob("source.*.mlir"))


def split(paths: list[Path], out: Path) -> Iterator[Path]:
    """The modules of texts."""
    out.mkdir(parents=True, exist_ok=True)
    for number, path in enumerate(paths):
        parts = re.split(r"(?m)^// -----.*$", path.read_text("utf-8", "replace"))
        for place, part in enumerate(parts):
            text = out / f"{number}-{path.stem}-{place}.mlir"
            text.write_text(part, "utf-8")
            yield text


def verdict(text: Path, tools: Path) -> str:
    """`equal`, `refused` by IREE, or the first lines that differ."""
    bytecode, generic = text.with_suffix(".mlirbc"), text.with_suffix(".generic")
    if not generic.exists():
        opt: list[str | Path] = [tools / "iree-opt", "--allow-unregistered-dialect"]
        for command in (
            [*opt, "--emit-bytecode", text, "-o", bytecode],
            [*opt, "--mlir-print-op-generic", bytecode, "-o", generic],
        ):
            if subprocess.run(command, capture_output=True, check=False).returncode != 0:
                return "refused"
    theirs = generic.read_text("utf-8", "backslashreplace").strip().splitlines()
    mine = mlirbc.open(bytecode).operation.get_asm(print_generic_op_form=True).strip().splitlines()
    lines = difflib.unified_diff(theirs, mine, "iree", "mlirbc", lineterm="", n=0)
    return "\n".join(line[:300] for line in itertools.islice(lines, 8)) or "equal"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--bin", type=Path, required=True, help="the directory of IREE's programs")
    parser.add_argument("--out", type=Path, required=True, help="where everything is kept")
    parser.add_argument("--as-they-are", action="store_true", help="do not compile the texts")
    parser.add_argument("texts", nargs="*", type=Path)
    options = parser.parse_args()
    if options.as_they_are:
        texts = split(options.texts, options.out)
    else:
        programs = {path.stem: path.read_text("utf-8") for path in options.texts} or PROGRAMS
        texts = compiled(programs, options.bin, options.out)
    counts: Counter[str] = Counter()
    for text in texts:
        text_verdict = verdict(text, options.bin)
        counts[text_verdict if text_verdict in ("equal", "refused") else "different"] += 1
        if text_verdict not in ("equal", "refused"):
            print(f"{text}\n{text_verdict}")
    print(", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    return 1 if counts["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
