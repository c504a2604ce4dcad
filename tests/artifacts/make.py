"""Makes the corpus below a folder: `python -m artifacts.make FOLDER`; `scripts/artifacts` says how."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
# Locations name files as from this folder, wherever it lies.
os.environ.setdefault(
    "JAX_HLO_SOURCE_FILE_CANONICALIZATION_REGEX", ".*/(?=tests/artifacts/)|.*/site-packages/"
)

from artifacts import products, sources


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="programs whose names have this in them")
    parser.add_argument("--part", action="append", help="jax, jax-old, stablehlo, shardy; all by default")
    parser.add_argument(
        "--old-exports", type=Path, help="a folder of JAX's old exports; those in the package"
    )
    parser.add_argument("--stablehlo", type=Path, help="a Git repository of StableHLO")
    parser.add_argument("--shardy", type=Path, help="a Git repository of Shardy")
    options = parser.parse_args()
    parts = options.part or ["jax", "jax-old", "stablehlo", "shardy"]
    root: Path = options.folder
    refused: dict[str, list[tuple[str, str]]] = {part: [] for part in parts}
    if "jax" in parts:
        refused["jax"] += sources.programs(root / "jax", options.only)
    if "jax-old" in parts:
        sources.old_exports(root / "jax-old", options.old_exports)
    if "stablehlo" in parts and options.stablehlo:
        sources.tests_of(options.stablehlo, root / "stablehlo", "stablehlo/tests")
    if "shardy" in parts and options.shardy:
        sources.tests_of(options.shardy, root / "shardy", "shardy/dialect")
    for part in parts:
        stems = sorted({_stem(path) for path in (root / part).glob("*") if _stem(path)})
        stems = [stem for stem in stems if options.only in stem.name]
        refused[part] += [(stem.name, why) for stem, why in products.make(stems)]
        lines = [f"{name}\t{' '.join(why.split())[:500]}\n" for name, why in refused[part]]
        (root / f"{part}.refused.tsv").write_text("".join(lines))
        print(f"{part}: {len(stems)} modules, {len(lines)} refused by JAX or jaxlib", flush=True)


def _stem(path: Path) -> Path | None:
    """The module that a source belongs to; nothing for products."""
    if path.suffix == ".mlir":
        return path.with_suffix("")
    products_of = ("native", "deserialized", *(f"v{version}" for version in products.VERSIONS))
    if path.suffix == ".mlirbc" and not path.stem.endswith(tuple(f".{name}" for name in products_of)):
        return path.with_suffix("")
    return None


if __name__ == "__main__":
    main()
