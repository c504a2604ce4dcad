"""The table of public scripts that use the bindings, which `scripts/bindings-scripts` runs."""

import re

import pytest

from bindings import scripts


def test_the_table_names_sources_and_licences() -> None:
    rows = scripts.load_scripts()
    assert len({row.name for row in rows}) == len(rows)
    assert all(re.fullmatch("[0-9a-f]{40}", row.commit) and row.licence and row.files for row in rows)
    assert all((scripts.PACKS / row.pack).exists() for row in rows if row.pack)


def test_twenty_scripts_of_five_projects_have_the_same_output() -> None:
    same = [row for row in scripts.load_scripts() if not row.reason]
    assert len(same) >= 20
    assert len({row.repository for row in same}) >= 5


@pytest.mark.parametrize(
    ("old", "source", "changed"),
    [
        ("mlir", "from mlir import ir", "from mlirbc.mlir import ir"),
        ("mlir", "import mlir.dialects.func as func", "import mlirbc.mlir.dialects.func as func"),
        ("mlir", "x = 'a.mlir.ir'", "x = 'a.mlir.ir'"),
        ("circt", "import circt\ncirct.register(1)", "import mlirbc.mlir as circt\ncirct.register(1)"),
        ("iree.compiler", "from iree.compiler.ir import Context", "from mlirbc.mlir.ir import Context"),
        ("iree.compiler", "import iree.compiler as ireec", "import mlirbc.mlir as ireec"),
        ("iree.compiler", "from iree import compiler", "import mlirbc.mlir as compiler"),
    ],
)
def test_the_prefix_is_replaced_in_imports(old: str, source: str, changed: str) -> None:
    assert scripts.with_prefix(source, old, scripts.OURS) == changed
