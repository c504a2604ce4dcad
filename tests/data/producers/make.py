"""Makes the files here from their texts: `python tests/data/producers/make.py CACHE [NAME.mlir...]`.

A text is named after the build, PACKAGE-VERSION, and what it holds. From `BUILD_what.mlir`, the build makes
`BUILD_what.mlirbc`, and of that `BUILD_what.generic`, its generic text. CACHE is that of `scripts/producers`,
and `tests` has to be on PYTHONPATH.
"""

from __future__ import annotations

import sys
from pathlib import Path

from producers.bindings import NEWEST
from producers.fetch import Build, install
from producers.producer import Producer

HERE = Path(__file__).parent


def make(text: Path, cache: Path) -> None:
    package, _, version = text.stem.rpartition("_")[0].rpartition("-")
    build = Build(package, version)
    producer = Producer(install(build, cache), cache / "make.log")
    (file,) = producer.products(text.read_bytes(), NEWEST)
    (HERE / f"{text.stem}.mlirbc").write_bytes(file)
    (HERE / f"{text.stem}.generic").write_bytes(producer.products(file, "generic")[0])
    producer.close()


if __name__ == "__main__":
    for path in [Path(name) for name in sys.argv[2:]] or sorted(HERE.glob("*.mlir")):
        make(path, Path(sys.argv[1]))
