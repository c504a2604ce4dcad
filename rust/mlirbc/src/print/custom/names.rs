//! The names that operations suggest for their results and block arguments (`OpAsmOpInterface`).

use crate::ops::OperationDefinition;

use super::draft::Draft;

/// How the results of an operation are named.
#[derive(Debug, Clone, Copy)]
pub(in crate::print) enum ResultNames {
    Numbered,
    Fixed(&'static str),
    /// Each by its name in the definition.
    Declared,
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
    Reference,
    Dimension,
    Symbol,
}

/// How the arguments of entry blocks are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::print) enum ArgumentNames {
    Numbered,
    /// `in` for each input, the second name for the others.
    Inputs(&'static str),
}

// Results of operations with a name in their C++.
const FIXED: &[(&str, &str)] = &[
    ("bufferization.clone", ""),
    ("complex.constant", "cst"),
    ("func.constant", "f"),
    ("gpu.subgroup_mma_constant_matrix", ""),
    ("linalg.broadcast", "broadcasted"),
    ("linalg.map", "mapped"),
    ("linalg.pack", "pack"),
    ("linalg.reduce", "reduced"),
    ("linalg.transpose", "transposed"),
    ("linalg.unpack", "unpack"),
    ("memref.alloc", "alloc"),
    ("memref.alloca", "alloca"),
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
    ("vector.vscale", "vscale"),
];

const COMPUTED: &[(&str, Computed)] = &[
    ("arith.constant", Computed::Constant),
    ("gpu.block_dim", Computed::Dimension),
    ("gpu.block_id", Computed::Dimension),
    ("gpu.cluster_block_id", Computed::Dimension),
    ("gpu.cluster_dim", Computed::Dimension),
    ("gpu.cluster_dim_blocks", Computed::Dimension),
    ("gpu.cluster_id", Computed::Dimension),
    ("gpu.global_id", Computed::Dimension),
    ("gpu.grid_dim", Computed::Dimension),
    ("gpu.thread_id", Computed::Dimension),
    ("index.bool.constant", Computed::Symbol),
    ("index.constant", Computed::Prefixed("idx", "value")),
    ("ml_program.global_load", Computed::Reference),
    ("ml_program.global_load_const", Computed::Reference),
    ("shape.const_size", Computed::Prefixed("c", "value")),
    ("smt.bv.constant", Computed::Symbol),
    ("smt.int.constant", Computed::Prefixed("c", "value")),
    ("spirv.Constant", Computed::SpirvConstant),
    ("spirv.mlir.addressof", Computed::SpirvAddress),
];

// Operations whose C++ names the results as the definition does.
const DECLARED: &[&str] = &["memref.extract_strided_metadata"];

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
    if let Some((_, fixed)) = FIXED.iter().find(|(known, _)| *known == name) {
        return match *fixed {
            "" => ResultNames::Numbered,
            "vscale" if release < 19 => ResultNames::Numbered,
            fixed => ResultNames::Fixed(fixed),
        };
    }
    if let Some((_, computed)) = COMPUTED.iter().find(|(known, _)| *known == name) {
        return match computed {
            Computed::Dimension if release < 19 => ResultNames::Numbered,
            computed => ResultNames::Computed(*computed),
        };
    }
    if DECLARED.contains(&name) {
        return ResultNames::Declared;
    }
    let is_named = definition.results().iter().any(|result| !result.name().is_empty());
    let has_own = definition.has_trait("OpAsmOpInterface");
    if definition.results().len() > 1 && is_named && !has_own {
        ResultNames::Declared
    } else {
        ResultNames::Numbered
    }
}

/// How the arguments of the entry blocks of an operation are named in a release.
pub(in crate::print) fn arguments(definition: &OperationDefinition, release: u32) -> ArgumentNames {
    match definition.name() {
        "linalg.map" if release < 22 => ArgumentNames::Inputs("in"),
        "linalg.map" | "linalg.reduce" => ArgumentNames::Inputs("init"),
        name if name.starts_with("linalg.") && definition.has_trait("LinalgOp") => {
            ArgumentNames::Inputs("out")
        }
        "linalg.generic" => ArgumentNames::Inputs("out"),
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
            let text = draft.plain_text(value);
            number_name(&text, out);
        }
        Computed::Prefixed(prefix, attribute) => {
            let value = draft.attr(attribute)?;
            let text = draft.plain_text(value);
            out.extend_from_slice(prefix.as_bytes());
            out.extend_from_slice(text.split(|byte| *byte == b' ').next()?);
        }
        Computed::Symbol => {
            let value = draft.attr("value")?;
            let text = draft.plain_text(value);
            if matches!(&*text, b"true" | b"false") {
                out.extend_from_slice(&text);
            }
        }
        Computed::SpirvConstant => {
            let value = draft.attr("value")?;
            let text = draft.plain_text(value);
            let r#type = draft.plain_type(*draft.all_results().first()?);
            spirv_name(&text, &r#type, out);
        }
        Computed::SpirvAddress => {
            let variable = draft.attr("variable")?;
            let text = draft.plain_text(variable);
            out.extend_from_slice(text.strip_prefix(b"@")?);
            out.extend_from_slice(b"_addr");
        }
        Computed::Reference => {
            let global = draft.attr("global")?;
            let text = draft.plain_text(global);
            out.extend_from_slice(text.rsplit(|byte| *byte == b'@').next()?);
        }
        Computed::Dimension => {
            let dimension = draft.attr("dimension")?;
            let text = draft.plain_text(dimension);
            let letter = text.strip_suffix(b">")?.last()?;
            let name = draft.definition.name().strip_prefix("gpu.")?;
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(&[b'_', *letter]);
        }
    }
    Some(())
}

// `c5_i32`, `true`, `cst`
fn number_name(text: &[u8], out: &mut Vec<u8>) {
    if matches!(text, b"true" | b"false") {
        return out.extend_from_slice(text);
    }
    let at = text.windows(3).position(|window| window == b" : ");
    let parts = at.map(|at| (&text[..at], &text[at + 3..]));
    match parts {
        Some((digits, r#type)) if is_integer(digits) && is_integer_type(r#type) => {
            out.push(b'c');
            out.extend_from_slice(digits);
            if r#type != b"index" {
                out.push(b'_');
                out.extend_from_slice(r#type);
            }
        }
        _ => out.extend_from_slice(b"cst"),
    }
}

fn is_integer(digits: &[u8]) -> bool {
    let digits = digits.strip_prefix(b"-").unwrap_or(digits);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

fn is_integer_type(r#type: &[u8]) -> bool {
    let width = r#type.strip_prefix(b"i").or(r#type.strip_prefix(b"si")).or(r#type.strip_prefix(b"ui"));
    r#type == b"index" || width.is_some_and(|width| !width.is_empty() && width.iter().all(u8::is_ascii_digit))
}

// `ConstantOp::getAsmResultNames` in `mlir/lib/Dialect/SPIRV/IR/SPIRVOps.cpp`
fn spirv_name(text: &[u8], r#type: &[u8], out: &mut Vec<u8>) {
    if matches!(text, b"true" | b"false") {
        return out.extend_from_slice(text);
    }
    let digits = text.split(|byte| *byte == b' ').next().unwrap_or_default();
    out.extend_from_slice(b"cst");
    if is_integer(digits) && is_integer_type(r#type) {
        out.extend_from_slice(digits);
        out.push(b'_');
        out.extend_from_slice(r#type);
    } else if matches!(r#type, b"f16" | b"f32" | b"f64" | b"bf16") {
        out.push(b'_');
        out.extend_from_slice(r#type);
    } else if let Some(inner) = r#type.strip_prefix(b"vector<").and_then(|rest| rest.strip_suffix(b">")) {
        out.extend_from_slice(b"_vec_");
        out.extend_from_slice(inner);
    }
}

/// The number of block arguments that are named `in`.
pub(in crate::print) fn input_count(draft: &Draft<'_, '_, '_>) -> Option<usize> {
    let place = draft.definition.operands().iter().position(|one| one.name() == "inputs")?;
    Some(draft.operand_groups()?.get(place)?.len())
}
