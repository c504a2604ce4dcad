"""Operations that LLVM defines in another way after 22, as release 23 and JAX's build have them."""

import io
from pathlib import Path

import mlirbc

from support import jaxlib_oracle

DATA = Path(__file__).resolve().parents[1] / "data/llvm-23"

OF_JAXLIB = """\
module attributes {gpu.container_module, x.spec = #dlti.dl_spec<
  #dlti.dl_entry<i32,   32 : i32>>} {
  gpu.module @kernels {
    gpu.func @kernel(%arg0: f32, %arg1: memref<4xf32>) workgroup(%arg2 : memref<32xf32, 3>) kernel {
      %0 = gpu.all_reduce add %arg0 uniform {
      } : (f32) -> f32
      %1 = gpu.subgroup_reduce add %arg0 : (f32) -> f32
      gpu.barrier
      gpu.return
    }
  }
  func.func @launch(%a: index, %m: memref<4xf32>, %x: f32) {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %a, %gy = %a, %gz = %a)
        threads(%tx, %ty, %tz) in (%sx = %a, %sy = %a, %sz = %a) {
      gpu.terminator
    }
    gpu.launch_func @kernels::@kernel blocks in (%a, %a, %a) threads in (%a, %a, %a)
        args(%x : f32, %m : memref<4xf32>)
    return
  }
  func.func @numbers(
      %a: i8, %f: f32, %i: index, %m: memref<100xf32>, %n: memref<100xf32, 2>, %t: memref<1xi32>) -> i32 {
    %0 = arith.extui %a nneg : i8 to i32
    %1 = arith.addf %f, %f fastmath<fast> : f32
    %2:3 = affine.delinearize_index %i into (3, 5) : index, index, index
    affine.for %j = 0 to 10 {
      affine.dma_start %m[%j + 7], %n[%j + 11], %t[%i], %i
          : memref<100xf32>, memref<100xf32, 2>, memref<1xi32>
      affine.dma_wait %t[%i], %i : memref<1xi32>
    }
    %3 = vector.create_mask %i : vector<4xi1>
    return %0 : i32
  }
  func.func private @quantized() -> !quant.uniform<i8<-8:7>:f32,   0.99872:127  >
  llvm.func @callee(i32) -> i32
  llvm.func @calls(%x: i32, %p: !llvm.ptr) {
    %0 = llvm.call @callee(%x) : (i32) -> i32
    %1 = llvm.atomicrmw add %p, %x seq_cst : !llvm.ptr, i32
    llvm.return
  }
}
"""


def test_files_of_23_are_printed_as_23_prints_them() -> None:
    module = mlirbc.open(DATA / "forms.mlirbc")
    assert f"{module}\n" == (DATA / "forms.mlir").read_text()


def test_texts_become_the_bytes_that_23_writes() -> None:
    module = mlirbc.parse((DATA / "forms.mlir").read_text(), target="llvm-23", file="forms.mlir")
    assert bytes(module.write(numbering="canonical")) == (DATA / "forms.mlirbc").read_bytes()


def test_operations_in_a_build_of_jax_have_its_form() -> None:
    oracle = jaxlib_oracle.require()
    with oracle.context:
        module = oracle.ir.Module.parse(OF_JAXLIB)
        text = str(module)
        out = io.BytesIO()
        module.operation.write_bytecode(out)
    # The attribute of a dialect that the build does not have is kept as it is spelled.
    assert "#dlti.dl_entry<i32,   32 : i32>" in text
    # Builds of LLVM 23 have the operations in several forms.
    assert str(mlirbc.read(out.getvalue(), release="jaxlib-0.10")).rstrip() == text.rstrip()
    assembled = mlirbc.parse(OF_JAXLIB, target="jaxlib-0.10", file="-")
    assert bytes(assembled.write(numbering="canonical")) == out.getvalue()
