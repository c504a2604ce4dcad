//! Operations of `llvm` with formats that are written by hand (`mlir/lib/Dialect/LLVMIR/IR/LLVMDialect.cpp`).

mod calls;

use super::HandWritten;
use super::blocks::case;
use super::directives::CustomDirective;
use super::draft::{Draft, Drafted};
use super::func::{SignatureType, body, name, signature};
use super::plan::RegionStyle;

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "alloca" => alloca,
        "atomicrmw" => read_modify_write,
        "call" => calls::call,
        "call_intrinsic" => calls::intrinsic,
        "cmpxchg" => compare_exchange,
        "fence" => fence,
        "func" => function,
        "invoke" => calls::invoke,
        "landingpad" => calls::landing_pad,
        "load" => load,
        "mlir.alias" => alias,
        "mlir.global" => global,
        "store" => store,
        _ => return None,
    })
}

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "IndirectBrOpSucessors" => calls::indirect_successors,
        "OpBundles" => calls::bundles_of_directive,
        "TBAAMembers" => alias_members,
        _ => return None,
    })
}

// A word and a space, unless it is empty or the default.
fn word(draft: &mut Draft<'_, '_, '_>, attribute: &str, default: &str) -> Drafted {
    let text = case(draft, attribute)?;
    // A parser stores the default.
    let is_stored = draft.attr(attribute).is_some() || draft.definition.attribute(attribute).is_none();
    if !default.is_empty() && !is_stored {
        draft.lost.get_or_insert("that it has no attribute for a word that is the default");
    }
    if !text.is_empty() && text != default {
        draft.text(&text);
        draft.text(" ");
    }
    Some(())
}

fn has_fast_math(draft: &mut Draft<'_, '_, '_>) -> bool {
    draft.attr("fastmathFlags").is_some_and(|flags| !draft.is_written(flags, "#llvm.fastmath<none>"))
}

// As `attr_dict`, without fast-math flags that are none.
fn attr_dict(draft: &mut Draft<'_, '_, '_>, elided: &[&str]) -> Drafted {
    let mut elided = elided.to_vec();
    if !has_fast_math(draft) {
        elided.push("fastmathFlags");
    }
    draft.attr_dict(&elided)
}

fn alloca(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let (&[size], &[result]) = (draft.all_operands(), draft.all_results()) else { return None };
    let element = draft.attr("elem_type");
    draft.text(if draft.attr("inalloca").is_some() { " inalloca " } else { " " });
    draft.value(size);
    draft.text(" x ");
    match element {
        Some(element) => draft.attribute(element),
        // That of the pointer, before release 17.
        None => {
            draft.write_llvm_pointee(result)?;
        }
    }
    let alignment =
        draft.integers_of("alignment").and_then(|numbers| numbers.first().copied()).unwrap_or_default();
    let elided = ["elem_type", "inalloca", "alignment"];
    draft.attr_dict(if alignment != 0 { &elided[..2] } else { &elided })?;
    draft.text(" : ");
    let r#type = draft.body.type_of(size);
    draft.functional_type(&[r#type], &[result]);
    Some(())
}

fn function(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    draft.text(" ");
    word(draft, "linkage", "external")?;
    word(draft, "visibility_", "default")?;
    word(draft, "unnamed_addr", "none")?;
    word(draft, "CConv", "ccc")?;
    name(draft)?;
    let r#type = draft.attr("function_type")?;
    let types = draft.llvm_function(draft.type_in(r#type)?)?;
    let inputs: Vec<_> = types.inputs.iter().map(SignatureType::Part).collect();
    let results: Vec<_> = types.results.iter().map(SignatureType::Part).collect();
    signature(draft, &inputs, types.is_variadic, &results)?;
    if let Some(range) = draft.attr("vscale_range") {
        let text = String::from_utf8(draft.word(range)?).ok()?;
        let mut bounds = text.split(['=', ',', ':', '>']).filter_map(|part| part.trim().parse::<i64>().ok());
        let (least, most) = (bounds.next()?, bounds.next()?);
        draft.text(" vscale_range(");
        draft.number(least);
        draft.text(", ");
        draft.number(most);
        draft.text(")");
        if text != format!("#llvm.vscale_range<minRange = {least} : i32, maxRange = {most} : i32>") {
            draft.lost.get_or_insert("the type of the bounds of a range");
        }
    }
    comdat(draft);
    let mut shown = vec!["sym_name", "function_type", "arg_attrs", "res_attrs", "linkage", "CConv"];
    // In releases whose operation does not define these, they are attributes like any other.
    let later = ["visibility_", "comdat", "unnamed_addr", "vscale_range"];
    shown.extend(later.into_iter().filter(|name| draft.definition.attribute(name).is_some()));
    draft.attr_dict_with_keyword(&shown)?;
    body(draft)
}

fn comdat(draft: &mut Draft<'_, '_, '_>) {
    if let Some(comdat) = draft.attr("comdat") {
        draft.text(" comdat(");
        draft.attribute(comdat);
        draft.text(")");
    }
}

// `printCommonGlobalAndAlias`
fn linkage(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    draft.text(" ");
    word(draft, "linkage", "")?;
    word(draft, "visibility_", "default")?;
    draft.text(if draft.attr("thread_local_").is_some() { "thread_local " } else { "" });
    word(draft, "tls_mode", "")?;
    word(draft, "unnamed_addr", "none")
}

fn alias(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    linkage(draft)?;
    name(draft)?;
    draft.attr_dict(&[
        "sym_name",
        "alias_type",
        "linkage",
        "unnamed_addr",
        "thread_local_",
        "tls_mode",
        "visibility_",
    ])?;
    draft.text(" : ");
    let r#type = draft.attr("alias_type")?;
    draft.attribute(r#type);
    draft.text(" ");
    draft.region(0, RegionStyle::BODY);
    Some(())
}

fn global(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    linkage(draft)?;
    draft.text(if draft.attr("constant").is_some() { "constant " } else { "" });
    name(draft)?;
    let value = draft.attr("value");
    draft.text("(");
    if let Some(value) = value {
        draft.attribute(value);
    }
    draft.text(")");
    comdat(draft);
    draft.attr_dict(&[
        "sym_name",
        "global_type",
        "constant",
        "value",
        "linkage",
        "unnamed_addr",
        "thread_local_",
        "tls_mode",
        "visibility_",
        "comdat",
    ])?;
    let r#type = draft.attr("global_type")?;
    if let Some(length) = value.and_then(|value| draft.string(value)).map(<[u8]>::len) {
        // The parser makes the type of the string (`parseGlobalOp`).
        let of_type = draft.type_in(r#type).and_then(|index| draft.llvm_string_length(index));
        if of_type != u64::try_from(length).ok() {
            draft.lost.get_or_insert("the type of its string attribute");
        }
        return Some(());
    }
    draft.text(" : ");
    draft.attribute(r#type);
    if !draft.regions()?.blocks(0).is_empty() {
        draft.text(" ");
        draft.region(0, RegionStyle::BODY);
    }
    Some(())
}

// ---- of 16 ----

fn volatile(draft: &mut Draft<'_, '_, '_>) {
    draft.text(if draft.attr("volatile_").is_some() { " volatile " } else { " " });
}

fn load(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let &[address] = draft.all_operands() else { return None };
    volatile(draft);
    draft.value(address);
    draft.attr_dict(&["volatile_", "elem_type"])?;
    draft.text(" : ");
    draft.types_of(&[address]);
    if draft.is_opaque_pointer(draft.body.type_of(address)) {
        draft.text(" -> ");
        draft.types(draft.all_results());
    }
    Some(())
}

fn store(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let &[value, address] = draft.all_operands() else { return None };
    volatile(draft);
    draft.values(&[value, address]);
    draft.attr_dict(&["volatile_"])?;
    draft.text(" : ");
    if draft.is_opaque_pointer(draft.body.type_of(address)) {
        draft.types_of(&[value]);
        draft.text(", ");
    }
    draft.types_of(&[address]);
    Some(())
}

fn read_modify_write(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let operator = case(draft, "bin_op")?;
    let ordering = case(draft, "ordering")?;
    draft.text(" ");
    draft.text(&operator);
    draft.text(" ");
    draft.values(draft.all_operands());
    draft.text(" ");
    draft.text(&ordering);
    draft.text(" ");
    draft.attr_dict(&["bin_op", "ordering"])?;
    draft.text(" : ");
    draft.types(draft.all_results());
    Some(())
}

fn compare_exchange(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let &[_, _, value] = draft.all_operands() else { return None };
    draft.text(" ");
    draft.values(draft.all_operands());
    for attribute in ["success_ordering", "failure_ordering"] {
        let ordering = case(draft, attribute)?;
        draft.text(" ");
        draft.text(&ordering);
    }
    draft.attr_dict(&["success_ordering", "failure_ordering"])?;
    draft.text(" : ");
    draft.types_of(&[value]);
    Some(())
}

fn fence(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let scope = draft.attr("syncscope")?;
    draft.text(" ");
    if !draft.string(scope)?.is_empty() {
        draft.text("syncscope(");
        draft.attribute(scope);
        draft.text(") ");
    }
    let ordering = case(draft, "ordering")?;
    draft.text(&ordering);
    if !draft.discardable.is_empty() {
        *draft.lost = Some("its discardable attributes");
    }
    Some(())
}

fn alias_members(draft: &mut Draft<'_, '_, '_>, call: &super::format::Call<'_>) -> Drafted {
    let members = super::directives::attr(draft, call, 0)??;
    let (members, offsets) = (draft.items(members)?, super::directives::integers(draft, call, 1)?);
    draft.list(members.into_iter().zip(offsets), |draft, (member, offset)| {
        draft.text("<");
        draft.attribute(member);
        draft.text(", ");
        draft.number(offset);
        draft.text(">");
        Some(())
    })
}
