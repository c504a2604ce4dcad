"""The names and signatures of the package change only on purpose.

`tests/data/python_api.txt` has them as the reference shows them. After an intended change, review the
difference:

    MLIRBC_REWRITE=1 .venv/bin/python -m pytest tests/python/test_api.py
"""

import importlib
import os
import re
import sys
from pathlib import Path

import mlirbc
import pytest

ROOT = Path(__file__).parents[2]
SNAPSHOT = ROOT / "tests/data/python_api.txt"

_ITEM = re.compile(r"(:{4,6})\{py:(\w+)\} (.*)")
_MODULE = re.compile(r"```\{py:(?:current)?module\} (\S+)")


def signatures(page: str) -> list[str]:
    """The items of a page of the reference, each with the classes around it."""
    items: list[str] = []
    owners: dict[int, str] = {}
    module = ""
    for line in page.splitlines():
        if match := _MODULE.match(line):
            module = match[1]
        elif match := _ITEM.match(line):
            depth = len(match[1])
            around = [name for colons, name in sorted(owners.items(), reverse=True) if colons > depth]
            owners = {colons: name for colons, name in owners.items() if colons > depth}
            owners[depth] = re.split(r"[(\s]", match[3], maxsplit=1)[0]
            items.append(f"{match[2]} {'.'.join([module, *around, match[3]])}")
        elif line.startswith(":type: ") and items:
            items[-1] += f": {line.removeprefix(':type: ')}"
    return items


def test_names_and_signatures_are_those_of_the_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(ROOT / "docs/_ext"), *sys.path])
    pages = importlib.import_module("python_reference").Writer().pages()
    lines = sorted(item for page in pages.values() for item in signatures(page))
    text = "".join(f"{line}\n" for line in lines)
    if os.environ.get("MLIRBC_REWRITE"):
        SNAPSHOT.write_text(text, "utf-8")
    assert text.splitlines() == SNAPSHOT.read_text("utf-8").splitlines()


def test_items_of_a_page_have_their_path() -> None:
    page = """
```{py:module} mlirbc.toy
```
::::::{py:class} Shop(name: str)
::::{py:property} name
:type: str

The name.
::::
:::::{py:class} Door
::::{py:method} open() -> None
::::
:::::
::::::
::::::{py:function} visit(shop: Shop) -> int
::::::
"""
    assert signatures(page) == [
        "class mlirbc.toy.Shop(name: str)",
        "property mlirbc.toy.Shop.name: str",
        "class mlirbc.toy.Shop.Door",
        "method mlirbc.toy.Shop.Door.open() -> None",
        "function mlirbc.toy.visit(shop: Shop) -> int",
    ]


FORMER = {name: module for module, names in mlirbc._FORMER.items() for name in names.split()}


@pytest.mark.parametrize("name", FORMER)
def test_former_names_of_the_package_remain(name: str) -> None:
    module = importlib.import_module(f"mlirbc.{FORMER[name]}")
    assert getattr(mlirbc, name) is getattr(module, name)
    assert name in module.__all__
    assert name not in mlirbc.__all__ and name not in dir(mlirbc)


def test_the_package_lists_few_names() -> None:
    assert len(mlirbc.__all__) < 80
    assert all(hasattr(mlirbc, name) for name in mlirbc.__all__)
    with pytest.raises(AttributeError, match="no attribute 'NoSuchName'"):
        mlirbc.NoSuchName  # noqa: B018
