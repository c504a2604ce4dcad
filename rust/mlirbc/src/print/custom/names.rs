//! The names that operations suggest for their results and block arguments (`OpAsmOpInterface`).

use crate::attr::text::dense;
use crate::attr::text::dense::Element;
use crate::ir::BodyId;
use crate::ir::OpId;
use crate::ir::body::Body;
use crate::ir::module::PropertyReader;
use crate::ops::OperationDefinition;

use super::Custom;
use super::draft::{Container, Draft, Grouping};
use super::shapes::Shapes;

/// How the results of an operation are named.
#[derive(Debug, Clone, Copy)]
pub(in crate::print) enum ResultNames {
    Numbered,
    Fixed(&'static str),
    /// Each by its name in the definition.
    Declared,
    /// The first, and each of the others.
    Pair(&'static str, &'static str),
    Computed(Computed),
}

/// Names that depend on an attribute.
#[derive(Debug, Clone, Copy)]
pub(in crate::print) enum Computed {
    Constant,
    /// A prefix and the text of an attribute without its type.
    Prefixed(&'static str, &'static str),
    SpirvConstant,
    SpirvAddress,
    BitVector,
    /// `c` and the number in `value` of any type, whose first bit is a sign.
    SignedNumber,
    /// `workgroup_id_x` by the number in `dimension`.
    Workgroup,
    /// The string in `name`, or a text.
    NameOr(&'static str),
    /// `c` for tensors of integers without a sign, otherwise `cst`.
    TensorConstant,
    /// `c4_vscale` for a product of a constant and `vector.vscale`.
    Scaled,
    /// The string in an attribute.
    Text(&'static str),
    Reference,
    /// A prefix and the symbol in an attribute.
    PrefixedReference(&'static str, &'static str),
    /// The letters of the string in `format`, with `N` for what is filled in.
    Filled,
    /// The symbol in `rodata`.
    Rodata,
    /// `c5`, or `zero`.
    VmInteger,
    Dimension,
    Symbol,
    /// `device_0`, or `device_n` for a number that is not constant.
    Device,
    /// A text, unless the operation has an attribute.
    Unless(&'static str, &'static str),
    /// What a reference of the virtual machine of IREE refers to.
    VmReference,
}

/// How the arguments of entry blocks are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::print) enum ArgumentNames {
    Numbered,
    All(&'static str),
    /// The first name for each input, the second one for the others.
    Inputs(&'static str, &'static str),
    /// Those after one argument for each operand.
    AfterOperands(&'static str),
    /// Names that depend on the operation.
    OfParallelBody,
}

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

// The operations whose regions have a default dialect, which is their own.
const DEFAULT_DIALECT: &[&str] = &[
    "async.func",
    "builtin.module",
    "emitc.do",
    "emitc.expression",
    "emitc.file",
    "emitc.for",
    "emitc.func",
    "emitc.if",
    "emitc.switch",
    "func.func",
    "pdl.pattern",
    "pdl.rewrite",
    "shape.func",
    "shape.function_library",
    "transform.sequence",
    "transform.with_pdl_patterns",
];

/// How the results of an operation are named in a release.
pub(in crate::print) fn results(definition: &OperationDefinition, release: u32) -> ResultNames {
    let name = definition.name();
    if let Some((_, fixed)) = FIXED.iter().chain(super::vm::FIXED).find(|(known, _)| *known == name) {
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
        _ => ArgumentNames::Numbered,
    }
}

/// The default dialect in the regions of an operation; empty if it has none.
pub(in crate::print) fn default_dialect(name: &str, release: u32) -> &'static str {
    let is_newer = name.starts_with("emitc.") && release < 22;
    let found = DEFAULT_DIALECT.iter().find(|known| **known == name && !is_newer);
    found.and_then(|known| known.split('.').next()).unwrap_or("")
}

/// The name of the only result of an operation.
pub(in crate::print) fn computed(
    draft: &mut Draft<'_, '_, '_>,
    rule: Computed,
    out: &mut Vec<u8>,
) -> Option<()> {
    match rule {
        Computed::Constant => {
            let value = draft.attr("value")?;
            number_name(draft, value, out);
        }
        Computed::Prefixed(prefix, attribute) => {
            let value = draft.attr(attribute)?;
            out.extend_from_slice(prefix.as_bytes());
            if draft.write_digits(value, out).is_none() {
                let text = draft.word(value)?;
                out.extend_from_slice(text.split(|byte| *byte == b' ').next()?);
            }
        }
        Computed::Device => {
            let &[index] = draft.all_operands() else { return None };
            match draft.constant(index) {
                Some(number) => out.extend_from_slice(format!("device_{number}").as_bytes()),
                None => out.extend_from_slice(b"device_n"),
            }
        }
        Computed::Unless(attribute, name) => {
            if draft.attr(attribute).is_none() {
                out.extend_from_slice(name.as_bytes());
            }
        }
        Computed::VmReference => {
            out.extend_from_slice(super::vm::reference_name(draft, *draft.all_results().first()?));
        }
        Computed::Symbol => {
            let value = draft.attr("value")?;
            if let Some(value) = draft.boolean(value) {
                out.extend_from_slice(if value { b"true" } else { b"false" });
            }
        }
        Computed::SpirvConstant => {
            let value = draft.attr("value")?;
            spirv_name(draft, value, *draft.all_results().first()?, out);
        }
        Computed::SpirvAddress => {
            let variable = draft.attr("variable")?;
            out.extend_from_slice(draft.symbol_in(variable)?);
            out.extend_from_slice(b"_addr");
        }
        // `#smt.bv<5> : !smt.bv<8>`
        Computed::SignedNumber => {
            let value = draft.attr("value")?;
            let number = crate::assembly::signed_digits(draft, value)?;
            out.push(b'c');
            out.extend_from_slice(number.as_bytes());
        }
        Computed::BitVector => {
            let value = draft.attr("value")?;
            let text = String::from_utf8(draft.word(value)?).ok()?;
            let (value, r#type) = text.strip_prefix("#smt.bv<")?.split_once('>')?;
            let width = r#type.strip_suffix('>')?.rsplit('<').next()?;
            out.extend_from_slice(format!("c{value}_bv{width}").as_bytes());
        }
        Computed::Scaled => {
            let &[left, right] = draft.all_operands() else { return None };
            let is_index = draft.is_index(draft.body.type_of(left));
            for (base, scale) in [(left, right), (right, left)] {
                let op = draft.defining_op(scale);
                let is_scale = op.is_some_and(|op| draft.name_of(draft.body, op) == "vector.vscale");
                if is_index
                    && is_scale
                    && let Some(number) = draft.constant(base)
                {
                    out.extend_from_slice(format!("c{number}_vscale").as_bytes());
                    break;
                }
            }
        }
        Computed::TensorConstant => {
            let element = draft.element_type(*draft.all_results().first()?)?;
            let is_integer = draft.number_type(element).is_some_and(Element::is_integer);
            out.extend_from_slice(if is_integer { b"c" } else { b"cst" });
        }
        Computed::Workgroup => {
            let number = *draft.integers_of("dimension")?.first()?;
            let (name, kind) = draft.definition.name().rsplit_once('.')?;
            // Those of flow and stream have the number, those of hal its letter.
            let letters =
                if name.starts_with("flow.") || name.starts_with("stream.") { *b"012" } else { *b"xyz" };
            let letter = *letters.get(usize::try_from(number).ok()?)?;
            out.extend_from_slice(b"workgroup_");
            out.extend_from_slice(kind.as_bytes());
            out.extend_from_slice(&[b'_', letter]);
        }
        Computed::NameOr(other) => match draft.attr("name") {
            Some(name) => out.extend_from_slice(draft.string(name)?),
            None => out.extend_from_slice(other.as_bytes()),
        },
        Computed::Text(attribute) => {
            let text = draft.string(draft.attr(attribute)?)?;
            out.extend_from_slice(text);
        }
        Computed::VmInteger => {
            let value = draft.attr("value")?;
            super::vm::integer_name(draft, value, out);
        }
        Computed::Reference | Computed::Rodata => {
            let is_rodata = matches!(rule, Computed::Rodata);
            let global = draft.attr(if is_rodata { "rodata" } else { "global" })?;
            out.extend_from_slice(draft.last_symbol_in(global)?);
        }
        Computed::PrefixedReference(prefix, attribute) => {
            out.extend_from_slice(prefix.as_bytes());
            out.extend_from_slice(draft.last_symbol_in(draft.attr(attribute)?)?);
        }
        Computed::Filled => {
            let format = draft.string(draft.attr("format")?)?;
            filled_name(format, out);
        }
        Computed::Dimension => {
            let dimension = draft.attr("dimension")?;
            let text = draft.word(dimension)?;
            let letter = text.strip_suffix(b">")?.last()?;
            let name = draft.definition.name().strip_prefix("gpu.")?;
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(&[b'_', *letter]);
        }
    }
    Some(())
}

/// `blk_N_weight` for `blk.{}.weight` (`StringFormatOp::getAsmResultNames` in `UtilOps.cpp` of IREE).
fn filled_name(format: &[u8], out: &mut Vec<u8>) {
    const ENOUGH: usize = 32;
    let (start, mut rest) = (out.len(), format);
    while let (Some((&byte, after)), true) = (rest.split_first(), out.len() - start < ENOUGH) {
        let is_doubled = after.first() == Some(&byte);
        rest = match byte {
            b'{' | b'}' if is_doubled => after.get(1..).unwrap_or_default(),
            b'{' => match after.iter().position(|&other| other == b'}') {
                Some(end) => {
                    out.push(b'N');
                    after.get(end + 1..).unwrap_or_default()
                }
                None => break,
            },
            b'.' | b'-' | b'/' => {
                out.push(b'_');
                after
            }
            byte => {
                if byte.is_ascii_alphanumeric() || byte == b'_' {
                    out.push(byte);
                }
                after
            }
        };
    }
    if out.len() == start {
        out.extend_from_slice(b"formatted");
    }
}

impl<'m, 'e> Custom<'m, 'e> {
    /// The names of the results of an op: of its first result, and of others that begin a group, by their numbers.
    pub(in crate::print) fn result_names(
        &mut self,
        reader: &PropertyReader<'m, 'e>,
        id: BodyId,
        body: &'m Body,
        op: u32,
        groups: &mut Vec<(u32, u32)>,
    ) -> u32 {
        let name = body.op_name.get(op as usize).copied().unwrap_or(u32::MAX);
        match self.know(name).map(|known| known.results) {
            None | Some(ResultNames::Numbered) => self.scopes.number(),
            Some(ResultNames::Fixed(fixed)) => self.scopes.named(fixed.as_bytes()),
            Some(ResultNames::Pair(name, others)) => {
                let first = self.scopes.named(name.as_bytes());
                for start in 1..body.results(OpId(op)).len() {
                    groups.push((start as u32, self.scopes.named(others.as_bytes())));
                }
                first
            }
            Some(ResultNames::Computed(rule)) => {
                let key = Shapes::name_key(body, op);
                if let Some(name) = key.and_then(|key| self.shapes.name(key)) {
                    return self.scopes.named(name);
                }
                let mut text = std::mem::take(&mut self.name);
                text.clear();
                let mark = self.plan.mark();
                self.with_draft(reader, id, body, op, |draft, _| computed(draft, rule, &mut text));
                self.plan.rewind(mark);
                let name = self.scopes.named(&text);
                if let Some(key) = key {
                    self.shapes.keep_name(key, &text);
                }
                self.name = text;
                name
            }
            Some(ResultNames::Declared) => {
                let mut found = None;
                self.with_draft(reader, id, body, op, |draft, _| {
                    found = Some(draft.results_by(&Grouping::of_results(draft.definition))?);
                    Some(())
                });
                let definition = self.know(name).and_then(|known| known.definition().cloned());
                let Some((ranges, definition)) = found.zip(definition) else { return self.scopes.number() };
                let mut first = None;
                for (range, result) in ranges.iter().zip(definition.results()) {
                    if range.is_empty() {
                        continue;
                    }
                    let name = self.scopes.named(result.name().as_bytes());
                    match range.start {
                        0 => first = Some(name),
                        start => groups.push((start as u32, name)),
                    }
                }
                first.unwrap_or_else(|| self.scopes.number())
            }
        }
    }

    /// The name of an argument of the entry block of an op, by its number and the number of inputs of the op.
    pub(in crate::print) fn argument_name(&mut self, name: u32, number: usize, inputs: usize) -> u32 {
        match self.know(name).map(|known| known.arguments) {
            Some(ArgumentNames::All(name)) => self.scopes.named(name.as_bytes()),
            Some(ArgumentNames::Inputs(input, _)) if number < inputs => self.scopes.named(input.as_bytes()),
            Some(ArgumentNames::Inputs(_, other)) => self.scopes.named(other.as_bytes()),
            Some(ArgumentNames::AfterOperands(name)) if number >= inputs => {
                self.scopes.named(name.as_bytes())
            }
            _ => self.scopes.argument(),
        }
    }

    /// How many arguments of its entry block are inputs.
    pub(in crate::print) fn input_count(
        &mut self,
        reader: &PropertyReader<'m, 'e>,
        id: BodyId,
        body: &'m Body,
        op: u32,
    ) -> usize {
        let name = body.op_name.get(op as usize).copied().unwrap_or(u32::MAX);
        match self.know(name).map(|known| known.arguments) {
            None | Some(ArgumentNames::Numbered | ArgumentNames::OfParallelBody) => return 0,
            Some(ArgumentNames::AfterOperands(_)) => return body.operand_rows(OpId(op)).len(),
            Some(ArgumentNames::All(_) | ArgumentNames::Inputs(..)) => {}
        }
        let mut count = None;
        self.with_draft(reader, id, body, op, |draft, _| {
            count = input_count(draft);
            Some(())
        });
        count.unwrap_or_default()
    }
}

// `c5_i32`, `true`, `cst`
fn number_name(draft: &Draft<'_, '_, '_>, value: u32, out: &mut Vec<u8>) {
    let Some((element, words)) = draft.integer_words(value) else { return out.extend_from_slice(b"cst") };
    if element != Element::Signless(1) {
        out.push(b'c');
    }
    dense::write_integer(out, &words, element);
    let (sign, width) = match element {
        Element::Signless(1) | Element::Index => return,
        Element::Signed(width) => ("_si", width),
        Element::Unsigned(width) => ("_ui", width),
        element => ("_i", element.bits()),
    };
    out.extend_from_slice(sign.as_bytes());
    out.extend_from_slice(itoa::Buffer::new().format(width).as_bytes());
}

// `ConstantOp::getAsmResultNames` in `mlir/lib/Dialect/SPIRV/IR/SPIRVOps.cpp`
fn spirv_name(draft: &mut Draft<'_, '_, '_>, value: u32, r#type: u32, out: &mut Vec<u8>) {
    let number = draft.integer_words(value);
    if let Some((element @ Element::Signless(1), words)) = &number {
        return dense::write_integer(out, words, *element);
    }
    out.extend_from_slice(b"cst");
    match draft.number_type(r#type) {
        Some(float @ Element::Float(_)) => {
            out.push(b'_');
            float.write_name(out);
        }
        Some(Element::Complex(_)) => {}
        Some(of_result) => {
            if let Some((element, words)) = number {
                dense::write_integer(out, &words, element);
                out.push(b'_');
                of_result.write_name(out);
            }
        }
        None => write_vector(draft, r#type, out),
    }
}

// `_vec_4xf32`
fn write_vector(draft: &mut Draft<'_, '_, '_>, r#type: u32, out: &mut Vec<u8>) {
    let Some(shaped) = draft.shaped(r#type).filter(|shaped| shaped.container == Container::Vector) else {
        return;
    };
    let (Some(number), Some((sizes, _))) = (draft.number_type(shaped.element), draft.shape(r#type)) else {
        return;
    };
    out.extend_from_slice(b"_vec_");
    for size in sizes {
        out.extend_from_slice(itoa::Buffer::new().format(size).as_bytes());
        out.push(b'x');
    }
    number.write_name(out);
}

/// The number of block arguments that have the name of inputs.
pub(in crate::print) fn input_count(draft: &Draft<'_, '_, '_>) -> Option<usize> {
    let place = draft.definition.operands().iter().position(|one| one.name() == "inputs")?;
    Some(draft.operand_groups()?.get(place)?.len())
}
