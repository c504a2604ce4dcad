"""Every public class, property and function has an example, and the examples show the real results."""

import doctest
import enum
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import mlirbc
import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = re.compile(r"^\s*>>> ", re.MULTILINE)


def members(owner: type) -> Iterator[tuple[str, str | None]]:
    """The functions and properties that `owner` defines itself; plain values have no docstrings."""
    if issubclass(owner, enum.Enum):
        return
    for name, member in vars(owner).items():
        is_value = member is None or isinstance(member, str | int | tuple | enum.Enum)
        if not name.startswith("_") and not is_value and not isinstance(member, type):
            is_static = isinstance(member, staticmethod)
            yield f"{owner.__name__}.{name}", inspect.getdoc(getattr(owner, name) if is_static else member)


def public() -> Iterator[tuple[str, str | None]]:
    yield "mlirbc", inspect.getdoc(mlirbc)
    for name in [*mlirbc.__all__, "hash", "open"]:
        thing = getattr(mlirbc, name)
        if name == "__version__":
            continue
        yield name, inspect.getdoc(thing)
        if isinstance(thing, type):
            yield from members(thing)
        if inspect.ismodule(thing):
            for inner in thing.__all__:
                part = getattr(thing, inner)
                yield f"{name}.{inner}", inspect.getdoc(part)
                if isinstance(part, type) and inner in mlirbc._FORMER.get(name, "").split():
                    yield from members(part)


DOCSTRINGS = dict(public())


def test_the_search_finds_classes_properties_methods_and_functions() -> None:
    for name in ["Module", "Module.bytecode", "Module.walk", "Dialect.name", "Table.index", "open", "Error"]:
        assert name in DOCSTRINGS


@pytest.mark.parametrize("name", sorted(DOCSTRINGS))
def test_it_is_documented_with_an_example(name: str) -> None:
    text = DOCSTRINGS[name]
    assert text, f"{name} has no docstring"
    assert not text.startswith(">>>"), f"the docstring of {name} says nothing in words"
    assert EXAMPLE.search(text), f"{name} has no example"


@pytest.mark.parametrize("name", sorted(DOCSTRINGS))
def test_its_example_shows_what_happens(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    parsed = doctest.DocTestParser().get_doctest(DOCSTRINGS[name] or "", {"mlirbc": mlirbc}, name, None, None)
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(parsed, out=report.append)
    assert result.failed == 0, "".join(report)
