// Forms of IREE 3.13 and of the LLVM that it is built with; iree.mlirbc and iree.txt are what IREE makes of this file, run in this
// folder with the package iree-base-compiler 3.13:
//   iree-opt --allow-unregistered-dialect --emit-bytecode iree.mlir -o iree.mlirbc
//   iree-opt --allow-unregistered-dialect iree.mlirbc -o iree.txt
#ro = #hal.pipeline.binding<storage_buffer, "ReadOnly">
#indirect = #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">
#empty = #hal.executable.target<"llvm-cpu", "embedded", {}>
#target = #hal.executable.target<"llvm-cpu", "embedded", { vector_size = 64, cpu_features = "", resolver = #iree_cpu.cpu_encoding_resolver<configuration = { b = 2, a = 1 }> }>
#gpu = #iree_gpu.target<features = "", arch = "gfx942", wgp = <compute = fp32, storage = b32, subgroup = none, dot = none, mma = [], max_workgroup_sizes = [64, 64, 64], subgroup_size_choices = [64], max_thread_count_per_workgroup = 64, max_workgroup_memory_bytes = 64, max_workgroup_counts = [1, 1, 1]>>
#encoding = #iree_encoding.encoding<operand_index = 0, op_type = matmul, element_types = [f32, f32, f32], user_indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]>
module attributes {t.a = #empty, t.b = #target, t.c = #gpu, t.d = #iree_codegen.workgroup_mapping<z:0>} {
  util.func private @layouts() attributes {
    config = #iree_cpu.lowering_config<vector_reduction = [0, 1],
                                       distribution =  {sizes = [4], interchange = [0]}>,
    objects = #hal.executable.objects<{ #empty = [#hal.executable.object<{path = "a.o"}>] }>,
    layout = #hal.pipeline.layout<constants = 0, bindings = [#ro, #indirect]>
  } {
    %0 = hal.interface.constant.load layout(<constants = 1, bindings = [#indirect, #ro], flags = Indirect>) ordinal(0) : i32
    %1 = util.unfoldable_constant {a = 1 : i32} dense<1> : tensor<2xi32>
    %2 = util.unfoldable_constant @layouts : i64
    %3 = util.unfoldable_constant 5 : index
    util.return
  }
  func.func private @encoded(tensor<4x4xf32, #encoding>, memref<?x?x?x?xf32, #iree_tensor_ext.ragged_shape<1>>)
  func.func @later(%a: vector<16xf32>, %b: vector<f32>, %c: vector<4xf16>, %l: vector<2x3xf32>, %r: vector<3x2xf32>, %m: vector<2x2xf32>) {
    gpu.barrier
    gpu.barrier memfence [#gpu.address_space<workgroup>]
    gpu.barrier memfence [] scope <cluster> {a}
    %0 = tosa.const values(dense<1> : tensor<1xi8>) : () -> tensor<1xi8>
    %1 = memref.alloca() alignment = 64 : memref<8x32xf32>
    %2 = memref.alloc() alignment = 32 {b} : memref<8x32xf32>
    %3:2 = vector.scan <add>, %a, %b reduction_dim = 0, inclusive = false {q} : vector<16xf32>, vector<f32>
    %4 = vector.extract_strided_slice %a offsets = [1], sizes = [4], strides = [1] : vector<16xf32> to vector<4xf32>
    %5 = vector.insert_strided_slice %4, %a offsets = [0], strides = [1] : vector<4xf32> into vector<16xf32>
    %6 = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %l, %r, %m : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32>
    %7 = util.hoistable_conversion "there" inverts("back") (%x = %c) : (vector<4xf16>) -> vector<4xf16> {
      util.return %x : vector<4xf16>
    } {b}
    %8 = util.hoistable_conversion "" inverts("") () : () -> vector<4xf16> {
      util.return %c : vector<4xf16>
    }
    %9 = gpu.thread_id x
    return
  }
  func.func @stablehlo(%a: tensor<1x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<1x4xf32> {
    %0 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 1>} : (tensor<1x4xf32>, tensor<4xf32>) -> tensor<1x4xf32>
    %output, %mean, %var = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 1.0 : f32, feature_index = 1 : i64}> : (tensor<1x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<1x4xf32>, tensor<4xf32>, tensor<4xf32>)
    %1 = stablehlo.add %0, %output : tensor<1x4xf32>
    return %1 : tensor<1x4xf32>
  }
  util.global private mutable @g : tensor<4xf32>
  util.func @flow(%t: tensor<?x4xf32>, %d: index) -> tensor<?x4xf32> attributes {
    layout = #iree_vector_ext.nested_layout<subgroup_tile = [1, 2], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 1], element_tile = [1, 4], subgroup_strides = [7, 1], thread_strides = [1, 7]>
  } {
    %p = util.global.address @g : !util.ptr<tensor<4xf32>>
    %k = util.string.format "blk.{}.x-y{{z}}"(%d) : (index) -> !util.buffer
    %r:2 = flow.dispatch.region[%d, %d] -> (tensor<?x4xf32>{%d}, tensor<?x4xf32>{%d}) attributes {x = 1 : i32} {
      flow.return %t, %t : tensor<?x4xf32>, tensor<?x4xf32>
    } count(%a: index, %b: index) -> (index, index, index) {
      flow.return %a, %b, %a : index, index, index
    }
    flow.dispatch.region -> () {
      flow.return
    }
    util.return %r#0 : tensor<?x4xf32>
  }
  module attributes {transform.with_named_sequence} {
    transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
      transform.apply_patterns to %root {
        transform.apply_patterns.iree.lower_barrier_region
      } : !transform.any_op
      transform.yield
    }
  }
  util.func @transfers(%k0: !util.buffer, %k1: !util.buffer, %scope: !util.buffer, %o: i64, %n: index, %r: !stream.resource<transient>) {
    %a:2, %at = stream.cmd.parameter.load {
      %scope::%k0[%o] : !stream.resource<constant>{%n},
      %scope::%k1[%o] : !stream.resource<constant>{%n}
    } => !stream.timepoint
    %b = stream.cmd.parameter.gather await(%at) => {
      %k0[%o] -> %r[%n for %n] : !stream.resource<transient>{%n}
    } => !stream.timepoint
    %c = stream.cmd.parameter.scatter {
      %r[%n for %n] : !stream.resource<transient>{%n} -> %scope::%k0[%o],
      %r[%n for %n] : !stream.resource<transient>{%n} -> %scope::%k1[%o]
    } => !stream.timepoint
    %d, %dt = stream.async.parameter.gather {
      %k0[%o] -> %r[%n to %n for %n] : !stream.resource<transient>{%n}
    } : !stream.resource<transient> => !stream.timepoint
    %e, %et = stream.async.parameter.scatter {
      %r[%n to %n for %n] : !stream.resource<transient>{%n} -> %k0[%o]
    } : !stream.resource<transient> => !stream.timepoint
    %f:2, %ft = stream.resource.constants :
      !stream.resource<constant>{%n} = dense<100> : tensor<1xi32>,
      !stream.resource<constant>{%n} = #stream.parameter.named<"model"::"weights"> : tensor<10xf32>
      => !stream.timepoint
    %g:3 = stream.resource.pack slices({
      [0, 9] = %n,
      [3, 8] = %n
    }) : index
    util.return
  }
  util.func @lists(%l: !util.list<?>, %m: !util.list<i32>, %i: index, %x: i32, %t: tensor<5xi32>) {
    %0 = util.list.construct [%x : i32, %t : tensor<5xi32>] : !util.list<?>
    %1 = util.list.construct [] : !util.list<i32>
    %2 = util.list.get %l[%i] : !util.list<?> -> i32
    %3 = util.list.get %m[%i] : !util.list<i32>
    util.list.set %l[%i], %x : i32 -> !util.list<?>
    util.list.set %m[%i], %x : !util.list<i32>
    util.return
  }
  util.func @queues(%d: !hal.device, %q: i64, %types: i32, %usage: i32, %w: !hal.fence, %s: !hal.fence, %b: !hal.buffer, %k: !util.buffer, %o: i64, %n: index) {
    %0, %1 = hal.allocator.select from([
      (%d, %q : !hal.device, i64),
      (%d, %q : !hal.device, i64)
    ]) type(%types) usage(%usage) : !hal.device, i64
    %2 = io_parameters.load<%d : !hal.device> affinity(%q) wait(%w) signal(%s) type(%types) usage(%usage) {
      %k::%k[%o] : !hal.buffer{%n}
    }
    io_parameters.gather<%d : !hal.device> affinity(%q) wait(%w) signal(%s) {
      %k[%o] -> %b[%n for %n] : !hal.buffer
    }
    io_parameters.scatter<%d : !hal.device> affinity(%q) wait(%w) signal(%s) {
      %b[%n for %n] : !hal.buffer -> %k[%o]
    }
    util.return
  }
}
