"""Compares `mlirbc check`, for files as they are and converted, with the readers of the files."""

import pytest

from support import acceptance, acceptance_checks, acceptance_texts, oracles

TEXTS = {
    # The number of trailing scalable dimensions became a flag for each dimension.
    "scalable vectors": (16, 19, "func.func private @f(vector<[4]xf32>)", False),
    # These dialects accept any operation, also where unknown dialects are not allowed.
    "open dialects": (16, 22, '"llvm.frobnicate"() : () -> ()\n"spirv.frobnicate"() : () -> ()', True),
    "other dialects": (
        16,
        22,
        "func.func @f(%a: f32) -> f32 {\n %0 = arith.maxf %a, %a : f32\n return %0 : f32\n}",
        False,
    ),
    # The region has an argument for the output in 22.
    "arguments of regions": (
        16,
        22,
        "func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {\n"
        " %0 = linalg.map ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) (%x: f32) {\n"
        "  linalg.yield %x : f32\n }\n return %0 : tensor<4xf32>\n}",
        False,
    ),
    # 22 has a property with another name, and keeps `inbounds` as an attribute without a meaning.
    "attributes by name": (
        16,
        22,
        "llvm.func @f(%p: !llvm.ptr) -> !llvm.ptr {\n"
        " %0 = llvm.getelementptr inbounds %p[1] : (!llvm.ptr) -> !llvm.ptr, i32\n"
        " llvm.return %0 : !llvm.ptr\n}",
        False,
    ),
    # 19 has the default features `+ptx60`, and 22 has an empty default.
    "fields with another default": (19, 22, "module attributes {a.b = #nvvm.target} {}", False),
    "known operations": (16, 19, "func.func private @f(vector<4xf32>)", True),
}


def emitted(text: str, release: int) -> acceptance.BytecodeFile:
    """The file of a text, also if the operations in it are not registered."""
    output = oracles.run_mlir_opt(release, oracles.emit_args(release, 0), text)
    data = oracles.checked(output)
    printed, complaint = acceptance.peers()[f"llvm-{release}"].print(data)
    assert printed is not None, complaint
    return acceptance.BytecodeFile("text", f"llvm-{release}", 0, data, printed)


@pytest.mark.parametrize("name", TEXTS)
def test_check_is_right_about_a_file_as_it_is(name: str) -> None:
    source, target, text, is_read = TEXTS[name]
    for release in (source, target):
        oracles.require(release)
    verdict = acceptance_checks.verdicts(emitted(text, source), f"llvm-{target}")[0]
    assert verdict.kind == ("right: read" if is_read else "right: refused"), verdict


def test_a_sample_has_no_misses() -> None:
    """`scripts/acceptance --texts FOLDER --check` checks complete samples."""
    for release in (19, 22):
        oracles.require(release)
    path = acceptance.DATA / "mlir" / "cfg.mlir"
    text = acceptance_texts.Text(path.name, 0, path.read_text("utf-8"))
    for source, target in ((19, 22), (22, 19)):
        file = acceptance_texts.compiled(text, f"llvm-{source}")
        assert file is not None
        verdicts = acceptance_checks.verdicts(file, f"llvm-{target}")
        assert [verdict.way for verdict in verdicts] == list(acceptance_checks.WAYS)
        assert {verdict.kind for verdict in verdicts} <= {"right: read", "right: refused"}
