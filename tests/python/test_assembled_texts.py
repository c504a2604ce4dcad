"""Texts are assembled to the bytes that `mlir-opt` writes."""

from pathlib import Path

import mlirbc
import pytest

from assembly.joined_texts import different, texts
from support import oracles

DATA = Path(__file__).parents[1] / "data"

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
    "attributes of dialects that the release does not have are text": """
        "stablehlo.gather"() {a = #stablehlo.gather<
          offset_dims = [0],>, b = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>} : () -> ()
    """,
    "an attribute keeps its type": '"u.a"() {value = #ml_program.extern : i32} : () -> ()',
}
TEXTS |= {
    "operands of a body may be none": """
        func.func @f() {
          %t = async.execute () {
            async.yield
          }
          %u, %v = async.execute [%t] () -> !async.value<i32> {
            %c = arith.constant 1 : i32
            async.yield %c : i32
          }
          return
        }
    """,
    "pairs of pairs stand for their numbers": """
        func.func @f() {
          %0 = arith.constant dense<(((0.0, 1.0), (4.0, 5.0)), ((2.0, 3.0), (6.0, 7.0)))> : tensor<2x2x2xf32>
          %1 = arith.constant dense<[(1, 2), (3, 4)]> : tensor<2xcomplex<i32>>
          return
        }
    """,
}
# The keyword may be a string.
ELSE = """
    wasmssa.func @f() -> i32 {
      %c = wasmssa.const 0 : i32
      wasmssa.if %c : {
        wasmssa.block_return
      } "else" {
        wasmssa.block_return
      } > ^bb1
    ^bb1:
      wasmssa.return %c : i32
    }
"""
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


# A value that occurs twice is one dimension of the map.
AGAIN = """
    module {
      func.func @f(%m: memref<?x?xi32>, %i: index, %j: index) {
        %0 = affine.load %m[%i, %j] : memref<?x?xi32>
        %1 = affine.load %m[%j, %i] : memref<?x?xi32>
        %2 = affine.load %m[%j, %j] : memref<?x?xi32>
        return
      }
    }
"""


def canonical(module: mlirbc.Module) -> bytes:
    return module.write(numbering="canonical", producer="p", strip_locations=True)


def assert_equal(release: int, text: str) -> None:
    expected = oracles.checked(oracles.run_mlir_opt(release, oracles.emit_args(release, 0)[:2], text))
    assembled = mlirbc.parse(text, target=f"llvm-{release}")
    theirs = mlirbc.read(expected, release=f"llvm-{release}")
    assert canonical(assembled) == canonical(theirs)


def test_a_keyword_may_be_a_string() -> None:
    oracles.require(22)
    assert_equal(22, ELSE)


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


@pytest.mark.parametrize("release", [16, 19, 22])
def test_a_text_means_the_same_among_others(release: int) -> None:
    # The parser remembers lines, so texts of one dialect are the ones to put together.
    all_texts = texts(DATA / "mlir") | texts(DATA / "dialects") | {"": AGAIN}
    count, names = different(all_texts, f"llvm-{release}")
    assert count > 50 and not names
