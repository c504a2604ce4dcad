"""Texts are assembled to the bytes that `mlir-opt` writes."""

import mlirbc
import pytest

from support import oracles

TEXTS = {
    "names in generic regions keep the default dialect": """
        func.func private @c(i32) -> i32
        func.func @f(%a: i32) -> i32 {
          %r = "builtin.unrealized_conversion_cast"(%a) : (i32) -> i32
          "scf.execute_region"() ({
            "scf.execute_region"() ({
              %0 = call @c(%r) : (i32) -> i32
              "scf.yield"() : () -> ()
            }) : () -> ()
            "scf.yield"() : () -> ()
          }) : () -> ()
          return %r : i32
        }
    """,
    "an attribute keeps its type": '"u.a"() {value = #ml_program.extern : i32} : () -> ()',
}
LOOP = """
    func.func @f(%a: i32) {{
      omp.wsloop schedule({schedule}) {{
        omp.loop_nest (%i) : i32 = (%a) to (%a) step (%a) {{
          omp.yield
        }}
        {end}
      }}
      return
    }}
"""
OLD_LOOP = """
    func.func @f(%a: i32) {{
      omp.wsloop schedule({schedule}) for (%i) : i32 = (%a) to (%a) step (%a) {{
        omp.yield
      }}
      return
    }}
"""


def canonical(module: mlirbc.Module) -> bytes:
    return module.write(numbering="canonical", producer="p", strip_locations=True)


def assert_equal(release: int, text: str) -> None:
    expected = oracles.checked(oracles.run_mlir_opt(release, oracles.emit_args(release, 0)[:2], text))
    found = mlirbc.parse(text, target=f"llvm-{release}")
    theirs = mlirbc.read(expected, release=f"llvm-{release}")
    assert canonical(found) == canonical(theirs)


@pytest.mark.parametrize("release", [16, 19, 22])
@pytest.mark.parametrize("name", sorted(TEXTS))
def test_a_text_has_the_bytes_of_mlir(release: int, name: str) -> None:
    oracles.require(release)
    assert_equal(release, TEXTS[name])


@pytest.mark.parametrize("release", [16, 19, 22])
@pytest.mark.parametrize("schedule", ["guided, simd", "guided, none, simd", "dynamic, monotonic", "static"])
def test_a_schedule_has_the_bytes_of_mlir(release: int, schedule: str) -> None:
    oracles.require(release)
    loop = OLD_LOOP if release == 16 else LOOP
    assert_equal(release, loop.format(schedule=schedule, end="omp.terminator" if release == 19 else ""))


@pytest.mark.parametrize("schedule", ["guided, simd, simd", "guided, none, none", "guided, none, simd, none"])
def test_a_wrong_schedule_is_refused(schedule: str) -> None:
    oracles.require(22)
    text = LOOP.format(schedule=schedule, end="")
    assert oracles.run_mlir_opt(22, ["--emit-bytecode"], text).status != 0
    with pytest.raises(mlirbc.InvalidError, match="`simd` once after it"):
        mlirbc.parse(text, target="llvm-22")
