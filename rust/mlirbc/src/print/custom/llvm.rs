//! Operations of `llvm` with formats that are written by hand (`mlir/lib/Dialect/LLVMIR/IR/LLVMDialect.cpp`).

use super::HandWritten;
use super::draft::{Draft, Drafted, untyped};
use super::func::{SignatureType, body, name, signature};
use super::plan::RegionStyle;

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "alloca" => alloca,
        "call" => call,
        "fcmp" => compare,
        "func" => function,
        "icmp" => compare,
        "mlir.global" => global,
        _ => return None,
    })
}

/// The case of an enumeration, of an attribute that may be a number, or that has a default.
fn case(draft: &mut Draft<'_, '_, '_>, attribute: &str) -> Option<String> {
    let text = match draft.attr(attribute) {
        Some(index) => draft.plain_text(index),
        None => match draft.property(attribute) {
            Some(property) => property.default.unwrap_or_default().as_bytes().to_vec(),
            None => Vec::new(),
        },
    };
    let text = String::from_utf8(text).ok()?;
    if text.is_empty() {
        return Some(text);
    }
    if let Ok(number) = std::str::from_utf8(untyped(text.as_bytes())).ok()?.parse::<i64>() {
        let definition = draft.definition.attribute(attribute)?;
        return Some(definition.constraint()?.enumeration()?.text(number)?.into_owned());
    }
    Some(text.split_once('<')?.1.strip_suffix('>')?.to_owned())
}

// A word and a space, unless it is empty or the default.
fn word(draft: &mut Draft<'_, '_, '_>, attribute: &str, default: &str) -> Drafted {
    let text = case(draft, attribute)?;
    if !text.is_empty() && text != default {
        draft.text(&text);
        draft.text(" ");
    }
    Some(())
}

fn has_fast_math(draft: &mut Draft<'_, '_, '_>) -> bool {
    draft.attr("fastmathFlags").is_some_and(|flags| draft.plain_text(flags) != b"#llvm.fastmath<none>")
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
    let element = draft.attr("elem_type")?;
    draft.text(if draft.attr("inalloca").is_some() { " inalloca " } else { " " });
    draft.value(size);
    draft.text(" x ");
    draft.attribute(element);
    let alignment =
        draft.integers_of("alignment").and_then(|numbers| numbers.first().copied()).unwrap_or_default();
    let elided = ["elem_type", "inalloca", "alignment"];
    draft.attr_dict(if alignment != 0 { &elided[..2] } else { &elided })?;
    draft.text(" : ");
    let r#type = draft.body.type_of(size);
    draft.functional_type(&[r#type], &[result]);
    Some(())
}

fn compare(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let &[left, right] = draft.all_operands() else { return None };
    let predicate = case(draft, "predicate")?;
    draft.text(" ");
    draft.quoted(predicate.as_bytes());
    draft.text(" ");
    draft.values(&[left, right]);
    attr_dict(draft, &["predicate"])?;
    draft.text(" : ");
    draft.types_of(&[left]);
    Some(())
}

fn call(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let groups = draft.operand_groups()?;
    let operands = draft.all_operands();
    let callee_operands = operands.get(groups.first()?.clone())?;
    if operands.len() != callee_operands.len() {
        // Operand bundles.
        return None;
    }
    let callee = draft.attr("callee");
    draft.text(" ");
    word(draft, "CConv", "ccc")?;
    word(draft, "TailCallKind", "none")?;
    let arguments = match callee {
        Some(callee) => {
            draft.attribute(callee);
            callee_operands
        }
        None => {
            let (&pointer, arguments) = callee_operands.split_first()?;
            draft.value(pointer);
            arguments
        }
    };
    draft.text("(");
    draft.values(arguments);
    draft.text(")");
    let variadic = draft.attr("var_callee_type").or_else(|| draft.attr("callee_type"));
    if let Some(r#type) = variadic {
        let text = draft.plain_text(r#type);
        if draft.release.0 >= 19 && text.ends_with(b"...)>") {
            draft.text(" vararg(");
            draft.attribute(r#type);
            draft.text(")");
        }
    }
    let elided = [
        "callee",
        "TailCallKind",
        "var_callee_type",
        "callee_type",
        "CConv",
        "op_bundle_sizes",
        "op_bundle_tags",
        "arg_attrs",
        "res_attrs",
    ];
    attr_dict(draft, &elided)?;
    draft.text(" : ");
    if callee.is_none() {
        draft.types_of(callee_operands.get(..1)?);
        draft.text(", ");
    }
    let types = draft.operand_types(arguments);
    let argument_attributes = draft.attr("arg_attrs");
    let result_attributes = draft.attr("res_attrs");
    if argument_attributes.is_none() && result_attributes.is_none() {
        draft.functional_type(&types, draft.all_results());
        return Some(());
    }
    typed_with_attributes(draft, &types, argument_attributes)?;
    draft.text(" -> ");
    match (draft.all_results(), result_attributes) {
        (results @ [_], Some(attributes)) if !draft.pairs(*draft.items(attributes)?.first()?)?.is_empty() => {
            typed_with_attributes(draft, results, Some(attributes))
        }
        (results, _) => {
            draft.result_types(results);
            Some(())
        }
    }
}

fn typed_with_attributes(draft: &mut Draft<'_, '_, '_>, types: &[u32], attributes: Option<u32>) -> Drafted {
    let dictionaries = attributes.map_or(Some(Vec::new()), |index| draft.items(index))?;
    draft.text("(");
    draft.list(types.iter().enumerate(), |draft, (place, &r#type)| {
        draft.r#type(r#type);
        match dictionaries.get(place) {
            Some(&dictionary) => draft.dictionary_of(dictionary),
            None => Some(()),
        }
    })?;
    draft.text(")");
    Some(())
}

/// The result and the parameters of `!llvm.func<i32 (ptr, ...)>`.
struct Signature {
    result: Option<String>,
    parameters: Vec<String>,
    is_variadic: bool,
}

impl Signature {
    fn read(text: &str) -> Option<Self> {
        let inner = text.strip_prefix("!llvm.func<")?.strip_suffix(")>")?;
        let mut depth = 0usize;
        let mut open = None;
        // The last parenthesis at the top begins the parameters.
        for (at, byte) in inner.bytes().enumerate() {
            match byte {
                b'(' | b'<' | b'[' | b'{' => {
                    if byte == b'(' && depth == 0 {
                        open = Some(at);
                    }
                    depth += 1;
                }
                // Not that of an arrow.
                b'>' if at > 0 && inner.as_bytes().get(at - 1) == Some(&b'-') => {}
                b')' | b'>' | b']' | b'}' => depth = depth.checked_sub(1)?,
                _ => {}
            }
        }
        let (result, parameters) = (inner.get(..open?)?.trim_end(), inner.get(open? + 1..)?);
        let mut list: Vec<String> = split(parameters)?.into_iter().map(standalone).collect();
        let is_variadic = list.last().is_some_and(|last| last == "...");
        if is_variadic {
            list.pop();
        }
        let result = (result != "void").then(|| standalone(result));
        Some(Self { result, parameters: list, is_variadic })
    }
}

// The parts between commas that are in no brackets.
fn split(text: &str) -> Option<Vec<&str>> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0usize);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'<' | b'[' | b'{' => depth += 1,
            b'>' if at > 0 && text.as_bytes().get(at - 1) == Some(&b'-') => {}
            b')' | b'>' | b']' | b'}' => depth = depth.checked_sub(1)?,
            b',' if depth == 0 => {
                parts.push(text.get(start..at)?.trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !text.is_empty() {
        parts.push(text.get(start..)?.trim());
    }
    Some(parts)
}

// Within types of the dialect its own types have no prefix.
fn standalone(text: &str) -> String {
    const OWN: &[&str] = &[
        "array",
        "func",
        "label",
        "metadata",
        "ppc_fp128",
        "ptr",
        "struct",
        "target",
        "token",
        "vec",
        "void",
        "x86_amx",
    ];
    let word = text.split(['<', ' ']).next().unwrap_or(text);
    if OWN.contains(&word) { format!("!llvm.{text}") } else { text.to_owned() }
}

fn function(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    draft.text(" ");
    word(draft, "linkage", "external")?;
    word(draft, "visibility_", "default")?;
    word(draft, "unnamed_addr", "none")?;
    word(draft, "CConv", "ccc")?;
    name(draft)?;
    let r#type = draft.attr("function_type")?;
    let text = String::from_utf8(draft.plain_text(r#type)).ok()?;
    let types = Signature::read(&text)?;
    let inputs: Vec<_> = types.parameters.iter().map(|one| SignatureType::Text(one)).collect();
    let results: Vec<_> = types.result.iter().map(|one| SignatureType::Text(one)).collect();
    signature(draft, &inputs, types.is_variadic, &results)?;
    if let Some(range) = draft.attr("vscale_range") {
        let text = String::from_utf8(draft.plain_text(range)).ok()?;
        let mut bounds = text.split(['=', ',', ':', '>']).filter_map(|part| part.trim().parse::<i64>().ok());
        draft.text(" vscale_range(");
        draft.number(bounds.next()?);
        draft.text(", ");
        draft.number(bounds.next()?);
        draft.text(")");
    }
    comdat(draft);
    draft.attr_dict_with_keyword(&[
        "sym_name",
        "sym_visibility",
        "function_type",
        "arg_attrs",
        "res_attrs",
        "linkage",
        "CConv",
        "visibility_",
        "comdat",
        "unnamed_addr",
        "vscale_range",
    ])?;
    body(draft)
}

fn comdat(draft: &mut Draft<'_, '_, '_>) {
    if let Some(comdat) = draft.attr("comdat") {
        draft.text(" comdat(");
        draft.attribute(comdat);
        draft.text(")");
    }
}

fn global(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    draft.text(" ");
    word(draft, "linkage", "")?;
    word(draft, "visibility_", "default")?;
    draft.text(if draft.attr("thread_local_").is_some() { "thread_local " } else { "" });
    word(draft, "unnamed_addr", "none")?;
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
        "visibility_",
        "comdat",
    ])?;
    if value.is_some_and(|value| draft.string(value).is_some()) {
        return Some(());
    }
    draft.text(" : ");
    let r#type = draft.attr("global_type")?;
    draft.attribute(r#type);
    if !draft.regions()?.blocks(0).is_empty() {
        draft.text(" ");
        draft.region(0, RegionStyle::BODY);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn function_types_are_read_from_their_text() {
        let types =
            Signature::read("!llvm.func<struct<(i32, ptr)> (i32, ptr<3>, array<2 x i8>, ...)>").unwrap();
        assert_eq!(types.result.unwrap(), "!llvm.struct<(i32, ptr)>");
        assert_eq!(types.parameters, ["i32", "!llvm.ptr<3>", "!llvm.array<2 x i8>"]);
        assert!(types.is_variadic);
        let empty = Signature::read("!llvm.func<void ()>").unwrap();
        assert!(empty.result.is_none() && empty.parameters.is_empty() && !empty.is_variadic);
    }
}
