//! Operations of `spirv` with formats that are written by hand (`mlir/lib/Dialect/SPIRV/IR`).

use crate::ir::ValueId;

use super::HandWritten;
use super::blocks::case;
use super::directives::{CustomDirective, attr};
use super::draft::{Draft, Drafted};
use super::format::Call;
use super::func::{SignatureType, body, name, signature, signature_of_type};
use super::plan::Piece;

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "Constant" => constant,
        "GlobalVariable" => global_variable,
        "Variable" => variable,
        "func" => function,
        "ARM.Graph" => graph,
        "AccessChain" | "InBoundsPtrAccessChain" | "PtrAccessChain" => access_chain,
        "CopyMemory" => copy_memory,
        "GL.FClamp" | "GL.Fma" | "GL.SClamp" | "GL.UClamp" => one_result,
        "IAddCarry" | "ISubBorrow" | "SMulExtended" | "UMulExtended" => extended,
        "INTEL.SubgroupBlockRead" => block_read,
        "INTEL.SubgroupBlockWrite" => block_write,
        "SpecConstantOperation" => constant_operation,
        _ => return None,
    })
}

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    (name == "ImageOperands").then_some(image_operands)
}

fn image_operands(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let Some(index) = attr(draft, call, 0)? else { return Some(()) };
    let text = draft.word(index)?;
    let names = text.strip_prefix(b"#spirv.image_operands<")?.strip_suffix(b">")?.to_vec();
    draft.text("[");
    draft.quoted(&names);
    draft.text("]");
    Some(())
}

fn quoted_case(draft: &mut Draft<'_, '_, '_>, attribute: &str) -> Drafted {
    let text = case(draft, attribute)?;
    draft.quoted(text.as_bytes());
    Some(())
}

fn function(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    draft.text(" ");
    name(draft)?;
    signature_of_type(draft, "function_type")?;
    draft.text(" ");
    quoted_case(draft, "function_control")?;
    draft.attr_dict_with_keyword(&[
        "sym_name",
        "function_type",
        "arg_attrs",
        "res_attrs",
        "function_control",
    ])?;
    body(draft)
}

// `printVariableDecorations`
fn decorations(draft: &mut Draft<'_, '_, '_>, mut elided: Vec<&str>) -> Drafted {
    let find = |draft: &Draft<'_, '_, '_>, name| draft.attr(name).or_else(|| draft.discardable_attr(name));
    if let (Some(set), Some(binding)) = (find(draft, "descriptor_set"), find(draft, "binding")) {
        elided.extend(["descriptor_set", "binding"]);
        let (set, binding) = (*draft.integers(set)?.first()?, *draft.integers(binding)?.first()?);
        draft.text(" bind(");
        draft.number(set);
        draft.text(", ");
        draft.number(binding);
        draft.text(")");
    }
    if let Some(built_in) = find(draft, "built_in") {
        elided.push("built_in");
        let text = draft.string(built_in)?;
        if text.iter().any(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_')) {
            // Printed without escapes.
            return None;
        }
        draft.text(" built_in(\"");
        draft.bytes(text);
        draft.text("\")");
    }
    draft.attr_dict(&elided)
}

fn global_variable(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    draft.text(" ");
    name(draft)?;
    if let Some(initializer) = draft.attr("initializer") {
        draft.text(" initializer(");
        draft.attribute(initializer);
        draft.text(")");
    }
    decorations(draft, vec!["sym_name", "initializer", "type"])?;
    draft.text(" : ");
    let r#type = draft.attr("type")?;
    draft.attribute(r#type);
    Some(())
}

fn variable(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    if let Some(&initializer) = draft.all_operands().first() {
        draft.text(" init(");
        draft.value(initializer);
        draft.text(")");
    }
    decorations(draft, vec!["storage_class"])?;
    draft.text(" : ");
    draft.types(draft.all_results());
    Some(())
}

fn constant(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let value = draft.attr("value")?;
    let &[result] = draft.all_results() else { return None };
    draft.text(" ");
    draft.attribute(value);
    let is_array = draft.is_dialect_type(result, "spirv.array");
    let of_value = draft.type_of_elements(value).filter(|_| draft.type_in(value).is_none());
    let has_type = of_value.is_some_and(|index| draft.is_same_type(index, result));
    // The parser wants a type after a tensor, and only there (`ConstantOp::parse`).
    if !(has_type || is_array && of_value.is_none_or(|index| draft.is_tensor(index))) {
        draft.lost.get_or_insert("that its value and its result have different types");
    }
    if is_array {
        draft.text(" : ");
        draft.r#type(result);
    }
    Some(())
}

// `"Function" %p`
pub(super) fn pointer(draft: &mut Draft<'_, '_, '_>, pointer: ValueId) -> Drafted {
    let class = draft.spirv_pointer(draft.body.type_of(pointer))?.storage_class();
    draft.text(" ");
    draft.quoted(class.as_bytes());
    draft.text(" ");
    draft.value(pointer);
    Some(())
}

// ` ["Aligned", 4]`, or nothing (`printMemoryAccessAttribute`).
fn memory_access(draft: &mut Draft<'_, '_, '_>) -> Option<Vec<&'static str>> {
    let mut elided = vec!["storage_class"];
    if draft.attr("memory_access").is_some() {
        elided.push("memory_access");
        let text = case(draft, "memory_access")?;
        draft.text(" [");
        draft.quoted(text.as_bytes());
        if text.split('|').any(|one| one == "Aligned")
            && let Some(alignment) = draft.integers_of("alignment")
        {
            elided.push("alignment");
            draft.text(", ");
            draft.number(*alignment.first()?);
        }
        draft.text("]");
    }
    Some(elided)
}

// ---- operations that print nothing but their operands and types ----

fn note_discardable(draft: &mut Draft<'_, '_, '_>) {
    if !draft.discardable.is_empty() {
        *draft.lost = Some("its discardable attributes");
    }
}

// `printOneResultOp`
fn one_result(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let operands = draft.all_operands();
    let &[result] = draft.all_results() else { return None };
    if !operands.iter().all(|&value| draft.is_same_type(draft.body.type_of(value), result)) {
        return None;
    }
    draft.text(" ");
    draft.values(operands);
    draft.attr_dict(&[])?;
    draft.text(" : ");
    draft.r#type(result);
    Some(())
}

// `printArithmeticExtendedBinaryOp`
fn extended(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    if !draft.discardable.is_empty() {
        // The dictionary and the operands would be one word.
        return None;
    }
    draft.text(" ");
    draft.values(draft.all_operands());
    draft.text(" : ");
    draft.types(draft.all_results());
    Some(())
}

// MLIR prints the pointer of these without its storage class, but does not parse that.
const LOST_CLASS: &str = "the storage class of its pointer";

fn block_read(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    draft.text(" ");
    draft.values(draft.all_operands());
    draft.text(" : ");
    draft.types(draft.all_results());
    draft.lost.get_or_insert(LOST_CLASS);
    note_discardable(draft);
    Some(())
}

fn block_write(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let operands @ [_, value] = draft.all_operands() else { return None };
    draft.text(" ");
    draft.values(operands);
    draft.text(" : ");
    draft.types_of(&[*value]);
    draft.lost.get_or_insert(LOST_CLASS);
    note_discardable(draft);
    Some(())
}

fn access_chain(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let &[base, ref indices @ ..] = draft.all_operands() else { return None };
    draft.text(" ");
    draft.value(base);
    draft.text("[");
    draft.values(indices);
    draft.text("] : ");
    draft.types_of(&[base]);
    draft.text(", ");
    if indices.is_empty() {
        // MLIR prints nothing here, but does not parse a list without types.
        draft.lost.get_or_insert("that a list of types is empty");
    }
    draft.types_of(indices);
    note_discardable(draft);
    Some(())
}

fn copy_memory(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let &[target, source] = draft.all_operands() else { return None };
    draft.text(" ");
    pointer(draft, target)?;
    draft.text(", ");
    pointer(draft, source)?;
    let mut elided = memory_access(draft)?;
    draft.text(", ");
    // Those of the target stand for those of the source, if it has none.
    let access =
        ["source_memory_access", "memory_access"].into_iter().find(|name| draft.attr(name).is_some());
    if let Some(access) = access {
        elided.push("source_memory_access");
        if access == "memory_access" {
            draft.lost.get_or_insert("that it has no access to its source");
        }
        let text = case(draft, access)?;
        draft.text(" [");
        draft.quoted(text.as_bytes());
        if text.split('|').any(|one| one == "Aligned")
            && let Some(alignment) =
                draft.integers_of("source_alignment").or_else(|| draft.integers_of("alignment"))
        {
            elided.push("source_alignment");
            draft.text(", ");
            draft.number(*alignment.first()?);
        }
        draft.text("]");
    }
    draft.attr_dict(&elided)?;
    let target = draft.spirv_pointer(draft.body.type_of(target))?;
    draft.text(" : ");
    target.pointee().write(draft);
    Some(())
}

fn graph(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    draft.text(" ");
    name(draft)?;
    let r#type = draft.attr("function_type")?;
    let types = draft.spirv_graph(draft.type_in(r#type)?)?;
    let inputs: Vec<_> = types.inputs.iter().map(SignatureType::Part).collect();
    let results: Vec<_> = types.results.iter().map(SignatureType::Part).collect();
    signature(draft, &inputs, false, &results)?;
    draft.attr_dict_with_keyword(&["sym_name", "function_type", "arg_attrs", "res_attrs"])?;
    body(draft)
}

// Its body is one operation, in generic form and without its result, and a terminator.
fn constant_operation(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let regions = draft.regions()?;
    let block = regions.entry(0)?;
    let first = block.first_op;
    if block.ops != 2 || regions.body.detail(crate::ir::OpId(first)).is_some() {
        return None;
    }
    draft.text(" wraps ");
    draft.push(Piece::InlineGeneric(first));
    note_discardable(draft);
    Some(())
}
