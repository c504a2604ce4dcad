//! Which operations name their results and block arguments, and how.

use crate::ops::OperationDefinition;

use super::{ArgumentNames, Computed, ResultNames};
use crate::print::custom::vm;

// Results of operations with a name in their C++.
const FIXED: &[(&str, &str)] = &[
    ("bufferization.clone", ""),
    ("complex.constant", "cst"),
    ("flow.channel.count", "channel_count"),
    ("flow.channel.default", "default_channel"),
    ("flow.channel.rank", "channel_rank"),
    ("flow.channel.split", "channel"),
    ("func.constant", "f"),
    ("gpu.subgroup_mma_constant_matrix", ""),
    ("hal.allocator.allocate", "buffer"),
    ("hal.buffer.allocation.discard", "was_terminal"),
    ("hal.buffer.allocation.is_terminal", "is_terminal"),
    ("hal.buffer.length", "length"),
    ("hal.buffer.subspan", "buffer"),
    ("hal.buffer_usage", "buffer_usage"),
    ("hal.buffer_view.buffer", "buffer"),
    ("hal.buffer_view.create", "view"),
    ("hal.channel.create", "channel"),
    ("hal.channel.split", "channel"),
    ("hal.command_buffer.create", "cmd"),
    ("hal.device.allocator", "allocator"),
    ("hal.device.queue.alloca", "transient_buffer"),
    ("hal.devices.count", "device_count"),
    ("hal.ex.file.from_memory", "memory_file"),
    ("hal.executable.create", "executable"),
    ("hal.executable.export.ordinal", "ordinal"),
    ("hal.executable.lookup", "exe"),
    ("hal.executable.lookup.function", "function_id"),
    ("hal.fence.await", "status"),
    ("hal.fence.create", "fence"),
    ("hal.fence.join", "fence"),
    ("hal.memory_type", "memory_type"),
    ("hal_inline.buffer.length", "length"),
    ("hal_inline.buffer.storage", "storage"),
    ("hal_inline.buffer.subspan", "buffer"),
    ("hal_inline.buffer.wrap", "mapped"),
    ("hal_inline.buffer_view.buffer", "buffer"),
    ("hal_inline.buffer_view.create", "view"),
    ("hal_loader.executable.export.ordinal", "ordinal"),
    ("hal_loader.executable.load", "exe"),
    ("hal_loader.executable.lookup", "exe"),
    ("hal_loader.executable.lookup.function", "function_id"),
    ("linalg.broadcast", "broadcasted"),
    ("linalg.map", "mapped"),
    ("linalg.pack", "pack"),
    ("linalg.reduce", "reduced"),
    ("linalg.transpose", "transposed"),
    ("linalg.unpack", "unpack"),
    ("memref.alloc", "alloc"),
    ("memref.alloca", "alloca"),
    ("memref.assume_alignment", "assume_align"),
    ("memref.cast", "cast"),
    ("memref.collapse_shape", "collapse_shape"),
    ("memref.dim", "dim"),
    ("memref.expand_shape", "expand_shape"),
    ("memref.extract_aligned_pointer_as_index", "intptr"),
    ("memref.memory_space_cast", "memspacecast"),
    ("memref.realloc", ""),
    ("memref.reinterpret_cast", "reinterpret_cast"),
    ("memref.reshape", "reshape"),
    ("memref.subview", "subview"),
    ("memref.transpose", "transpose"),
    ("memref.view", "view"),
    ("mesh.all_gather", "all_gather"),
    ("mesh.all_reduce", "all_reduce"),
    ("mesh.all_slice", "all_slice"),
    ("mesh.all_to_all", "all_to_all"),
    ("mesh.broadcast", "broadcast"),
    ("mesh.gather", "gather"),
    ("mesh.mesh_shape", "mesh_shape"),
    ("mesh.process_linear_index", "proc_linear_idx"),
    ("mesh.process_multi_index", "proc_linear_idx"),
    ("mesh.recv", "recv"),
    ("mesh.reduce", "reduce"),
    ("mesh.reduce_scatter", "reduce_scatter"),
    ("mesh.scatter", "scatter"),
    ("mesh.send", "send"),
    ("mesh.shard", "sharding_annotated"),
    ("mesh.shift", "shift"),
    ("shard.all_gather", "all_gather"),
    ("shard.all_reduce", "all_reduce"),
    ("shard.all_slice", "all_slice"),
    ("shard.all_to_all", "all_to_all"),
    ("shard.broadcast", "broadcast"),
    ("shard.gather", "gather"),
    ("shard.grid_shape", "grid_shape"),
    ("shard.process_linear_index", "proc_linear_idx"),
    ("shard.process_multi_index", "proc_linear_idx"),
    ("shard.recv", "recv"),
    ("shard.reduce", "reduce"),
    ("shard.reduce_scatter", "reduce_scatter"),
    ("shard.scatter", "scatter"),
    ("shard.send", "send"),
    ("shard.shard", "sharding_annotated"),
    ("shard.shard_shape", "shard_shape"),
    ("shard.sharding", "sharding"),
    ("shard.shift", "shift"),
    ("stream.async.constant", "cst"),
    ("stream.channel.count", "ccl_count"),
    ("stream.channel.create", "channel"),
    ("stream.channel.rank", "ccl_rank"),
    ("stream.channel.split", "channel"),
    ("stream.file.constant", "file"),
    ("stream.resource.is_terminal", "is_terminal"),
    ("stream.resource.release", "is_terminal"),
    ("stream.tensor.constant", "cst"),
    ("stream.tensor.empty", "empty"),
    ("tensor.bitcast", ""),
    ("tensor.cast", "cast"),
    ("tensor.collapse_shape", "collapsed"),
    ("tensor.concat", "concat"),
    ("tensor.dim", "dim"),
    ("tensor.expand_shape", "expanded"),
    ("tensor.extract", "extracted"),
    ("tensor.extract_slice", "extracted_slice"),
    ("tensor.from_elements", "from_elements"),
    ("tensor.gather", "gather"),
    ("tensor.generate", "generated"),
    ("tensor.insert", "inserted"),
    ("tensor.insert_slice", "inserted_slice"),
    ("tensor.pack", "pack"),
    ("tensor.pad", "padded"),
    ("tensor.rank", "rank"),
    ("tensor.reshape", "reshape"),
    ("tensor.scatter", "scatter"),
    ("tensor.splat", "splat"),
    ("tensor.unpack", "unpack"),
    ("util.buffer.alloc", "buffer"),
    ("util.buffer.size", "buffer_size"),
    ("util.buffer.slice", "buffer"),
    ("util.buffer.subspan", "buffer_span"),
    ("util.string.itoa", "itoa"),
    ("vector.vscale", "vscale"),
];

const COMPUTED: &[(&str, Computed)] = &[
    ("arith.constant", Computed::Constant),
    ("arith.muli", Computed::Scaled),
    ("flow.dispatch.workgroup.count", Computed::Workgroup),
    ("flow.dispatch.workgroup.id", Computed::Workgroup),
    ("flow.dispatch.workgroup.size", Computed::Workgroup),
    ("gpu.block_dim", Computed::Dimension),
    ("gpu.block_id", Computed::Dimension),
    ("gpu.cluster_block_id", Computed::Dimension),
    ("gpu.cluster_dim", Computed::Dimension),
    ("gpu.cluster_dim_blocks", Computed::Dimension),
    ("gpu.cluster_id", Computed::Dimension),
    ("gpu.global_id", Computed::Dimension),
    ("gpu.grid_dim", Computed::Dimension),
    ("gpu.thread_id", Computed::Dimension),
    ("hal.devices.get", Computed::Device),
    ("hal.element_type", Computed::Prefixed("element_type_", "type")),
    ("hal.encoding_type", Computed::Unless("encoding", "dense_row_major")),
    ("hal.interface.workgroup.count", Computed::Workgroup),
    ("hal.interface.workgroup.id", Computed::Workgroup),
    ("hal.interface.workgroup.size", Computed::Workgroup),
    ("index.bool.constant", Computed::Symbol),
    ("index.constant", Computed::Prefixed("idx", "value")),
    ("ml_program.global_load", Computed::Reference),
    ("ml_program.global_load_const", Computed::Reference),
    ("shape.const_size", Computed::Prefixed("c", "value")),
    ("smt.bv.constant", Computed::BitVector),
    ("smt.constant", Computed::Symbol),
    ("smt.declare_fun", Computed::Text("namePrefix")),
    ("smt.int.constant", Computed::SignedNumber),
    ("spirv.Constant", Computed::SpirvConstant),
    ("spirv.mlir.addressof", Computed::SpirvAddress),
    ("stablehlo.constant", Computed::TensorConstant),
    ("stream.dispatch.workgroup.count", Computed::Workgroup),
    ("stream.dispatch.workgroup.id", Computed::Workgroup),
    ("stream.dispatch.workgroup.size", Computed::Workgroup),
    ("util.buffer.constant", Computed::NameOr("buffer_cst")),
    ("util.global.address", Computed::PrefixedReference("ptr_", "global")),
    ("util.global.load", Computed::Reference),
    ("util.string.format", Computed::Filled),
    ("vm.const.i32", Computed::VmInteger),
    ("vm.const.i64", Computed::VmInteger),
    ("vm.const.ref.rodata", Computed::Rodata),
    ("vm.import.resolved", Computed::PrefixedReference("has_", "import")),
    ("vm.global.load.f32", Computed::Reference),
    ("vm.global.load.f64", Computed::Reference),
    ("vm.global.load.i32", Computed::Reference),
    ("vm.global.load.i64", Computed::Reference),
    ("vm.global.load.ref", Computed::Reference),
];

// Operations whose C++ names the results as the definition does.
const DECLARED: &[&str] =
    &["iree_codegen.extract_strided_metadata", "memref.extract_strided_metadata", "vm.rodata.table.inline"];

// Operations with several names of their own.
const PAIRS: &[(&str, &str, &str)] = &[
    ("hal.allocator.import", "did_import", "mapped"),
    ("hal.allocator.resolve_memory_properties", "memory_types", "buffer_usage"),
    ("hal.allocator.select", "device", "queue_affinity"),
    ("hal.channel.rank_and_count", "ccl_rank", "ccl_count"),
    ("hal_inline.buffer.allocate", "buffer", "storage"),
    ("hal_inline.buffer.allocate.initialized", "buffer", "storage"),
    ("shard.neighbors_linear_indices", "down_linear_idx", "up_linear_idx"),
    ("transform.foreach_match", "updated_root", "yielded"),
    ("util.buffer.storage", "buffer_storage", "buffer_offset"),
];

/// How the results of an operation are named in a release.
pub(in crate::print) fn results(definition: &OperationDefinition, release: u32) -> ResultNames {
    let name = definition.name();
    if !definition.result_names().is_empty() {
        return ResultNames::Templates;
    }
    if let Some((_, fixed)) = FIXED.iter().chain(vm::FIXED).find(|(known, _)| *known == name) {
        return match *fixed {
            "" => ResultNames::Numbered,
            "vscale" if release < 19 => ResultNames::Numbered,
            fixed => ResultNames::Fixed(fixed),
        };
    }
    if let Some((_, computed)) = COMPUTED.iter().find(|(known, _)| *known == name) {
        return match computed {
            Computed::Dimension | Computed::Scaled if release < 19 => ResultNames::Numbered,
            Computed::Reference if release < 19 => ResultNames::Numbered,
            computed => ResultNames::Computed(*computed),
        };
    }
    if let Some((_, first, others)) = PAIRS.iter().find(|(known, ..)| *known == name) {
        return ResultNames::Pair(first, others);
    }
    if DECLARED.contains(&name) {
        return ResultNames::Declared;
    }
    let is_named = definition.results().iter().any(|result| !result.name().is_empty());
    let has_own = definition.has_trait("OpAsmOpInterface");
    if name.starts_with("vm.") && !has_own {
        return ResultNames::Computed(Computed::VmReference);
    }
    if definition.results().len() > 1 && is_named && !has_own {
        ResultNames::Declared
    } else {
        ResultNames::Numbered
    }
}

/// How the arguments of the entry blocks of an operation are named in a release.
pub(in crate::print) fn arguments(definition: &OperationDefinition, release: u32) -> ArgumentNames {
    match definition.name() {
        "linalg.map" if release < 22 => ArgumentNames::Inputs("in", "in"),
        "linalg.map" | "linalg.reduce" => ArgumentNames::Inputs("in", "init"),
        name if name.starts_with("linalg.") && definition.has_trait("LinalgOp") => {
            ArgumentNames::Inputs("in", "out")
        }
        "chlo.scan" => ArgumentNames::Inputs("input", "carry"),
        "linalg.generic" => ArgumentNames::Inputs("in", "out"),
        "mpmd.for" => ArgumentNames::AfterOperands("index"),
        "pcf.generic" | "pcf.loop" => ArgumentNames::OfParallelBody,
        "stablehlo.while" => ArgumentNames::All("iterArg"),
        _ if !definition.argument_names().is_empty() => ArgumentNames::Templates,
        _ => ArgumentNames::Numbered,
    }
}
