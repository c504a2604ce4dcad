"""The Python fuzz target on a sample of files, and its detection of planted faults."""

import importlib.util
from pathlib import Path
from types import ModuleType

import mlirbc
import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
FILES = sorted(
    path for path in (ROOT / "tests/data/bytecode").rglob("*.mlirbc") if path.stat().st_size < 20_000
)
HOSTILE = sorted(path for path in (ROOT / "tests/data/hostile").iterdir() if path.is_file())


@pytest.fixture(scope="module")
def surface() -> ModuleType:
    spec = importlib.util.spec_from_file_location("surface", ROOT / "fuzz/python/surface.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def _scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Calls may save files under any of the names that are arguments.
    monkeypatch.chdir(tmp_path)


def test_any_calls_end_in_a_value_or_an_error(
    surface: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    returned = 0
    for number in range(1500):
        files = HOSTILE if number % 5 == 0 else FILES
        returned += surface.run(surface.seed(files[number % len(files)].read_bytes(), number))
    # Otherwise the calls would test nothing.
    assert returned > 10_000


def test_most_methods_are_called(surface: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    called = set()
    names_of = surface.names_of

    class Names(list[str]):
        """Notes each name that is chosen."""

        kind: type

        def __getitem__(self, index: int) -> str:  # type: ignore[override]
            name = super().__getitem__(index)
            called.add(f"{self.kind.__name__}.{name}")
            return name

    def recorded(kind: type, cache: dict[type, list[str]]) -> list[str]:
        names = Names(names_of(kind, cache))
        names.kind = kind
        return names

    monkeypatch.setattr(surface, "names_of", recorded)
    for number in range(1500):
        surface.run(surface.seed(FILES[number % len(FILES)].read_bytes(), number))
    for kind in (mlirbc.Module, mlirbc.Operation, mlirbc.Block, mlirbc.Region):
        names = {f"{kind.__name__}.{name}" for name in dir(kind) if not name.startswith("_")}
        assert names - called == set()


@pytest.mark.parametrize(
    "planted", [SystemError("planted"), RecursionError("planted"), BaseException("a panic")]
)
def test_a_wrong_exception_is_reported(
    surface: ModuleType, monkeypatch: pytest.MonkeyPatch, planted: BaseException
) -> None:
    def fail(session: object, cache: object) -> None:
        raise planted

    monkeypatch.setattr(surface.Session, "call", fail)
    with pytest.raises(type(planted), match=r"planted|a panic"):
        surface.run(surface.seed(FILES[0].read_bytes(), 1))


def test_an_error_without_a_place_in_the_file_is_reported(surface: ModuleType) -> None:
    with pytest.raises(mlirbc.ReadError) as caught:
        mlirbc.read(b"ML\xefR")
    with pytest.raises(AssertionError, match="offset"):
        surface.check(caught.value, -1, surface.IDENTIFIERS)
    with pytest.raises(AssertionError, match="unknown identifier"):
        surface.check(caught.value, 4, frozenset())
