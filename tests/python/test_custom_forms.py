"""Custom forms that few files have are parsed and printed as `mlir-opt` does."""

from pathlib import Path

import mlirbc
import pytest

from support import oracles

DATA = Path(__file__).parents[1] / "data" / "assembly"
RELEASES = [16, 19, 22]


def parts(release: int) -> list[str]:
    return (DATA / f"llvm-{release}.mlir").read_text("utf-8").split("// -----\n")


@pytest.mark.parametrize("release", RELEASES)
def test_the_bytes_are_those_of_mlir(release: int) -> None:
    oracles.require(release)
    for text in parts(release):
        expected = oracles.checked(oracles.run_mlir_opt(release, ["--emit-bytecode"], text))
        assert mlirbc.parse(text, target=f"llvm-{release}", file="<stdin>").write() == expected


@pytest.mark.filterwarnings("ignore::mlirbc.OmissionWarning")
@pytest.mark.parametrize("release", RELEASES)
def test_they_are_printed_as_by_mlir(release: int) -> None:
    oracles.require(release)
    for text in parts(release):
        expected = oracles.checked(oracles.run_mlir_opt(release, [], text)).decode()
        printed = str(mlirbc.parse(text, target=f"llvm-{release}"))
        assert printed.rstrip("\n").splitlines() == expected.rstrip("\n").splitlines()


@pytest.mark.parametrize("release", RELEASES)
def test_lossless_text_has_the_same_bytes(release: int) -> None:
    for text in parts(release):
        module = mlirbc.parse(text, target=f"llvm-{release}")
        printed = module.operation.get_asm(lossless=True, enable_debug_info=True)
        again = mlirbc.parse(printed, target=f"llvm-{release}")
        assert again.write(numbering="canonical") == module.write(numbering="canonical")


@pytest.mark.parametrize(
    ("release", "text", "message"),
    [
        (16, "llvm.fence sometimes", "expected one of `not_atomic`"),
        (16, "omp.target_exit_data map((always release))", "expected `->`"),
        (19, '"a.b"() ({ irdl.operands(single) }) : () -> ()', "expected"),
        (
            22,
            '"a.b"() ({ ^bb0(%p: !llvm.ptr): llvm.indirectbr %p : !llvm.ptr, [^bb0 %p] }) : () -> ()',
            "expected `]`",
        ),
    ],
)
def test_mistakes_are_reported(release: int, text: str, message: str) -> None:
    with pytest.raises(mlirbc.InvalidError, match=message):
        mlirbc.parse(text, target=f"llvm-{release}")
