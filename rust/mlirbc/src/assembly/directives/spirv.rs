//! Directives of `spirv` (`mlir/lib/Dialect/SPIRV/IR`).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{DirectiveSyntax, Written};

use super::steps::DirectiveSteps;

directives! {
    ImageOperands: "ImageOperands" => image_operands,
    PrintableAttributes: "UnprintableAttributes" => unprintable_attributes,
    VariableDecorations: "VariableDecorations" => variable_decorations,
}

/// `["Bias|Lod"]`, or nothing.
fn image_operands<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_attribute = s.attribute_at(call, 0)?;
    if !s.optional_text("[", |_| Ok(known_attribute.is_some()))? {
        return Ok(());
    }
    let text = known_attribute.and_then(|known_attribute| s.text_of(known_attribute));
    let names =
        text.as_deref().and_then(|text| text.strip_prefix("#spirv.image_operands<")?.strip_suffix('>'));
    let names = s.quoted(names.map(str::as_bytes))?;
    s.text("]")?;
    s.set_text_at(call, 0, || format!("#spirv.image_operands<{}>", String::from_utf8_lossy(&names)))
}

/// ` bind(0, 1)` or ` built_in("…")`, and attributes (`printVariableDecorations`).
fn variable_decorations<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let mut elided = S::mentioned(call);
    let mut known_numbers = Vec::new();
    if let (Some(set), Some(binding)) = (s.any_attr("descriptor_set"), s.any_attr("binding")) {
        for attribute in [set, binding] {
            let number = s.integers_in(attribute).and_then(|numbers| numbers.first().copied());
            known_numbers.push(s.some(number)?);
        }
    }
    if s.optional_text(" bind(", |_| Ok(!known_numbers.is_empty()))? {
        for (place, name) in ["descriptor_set", "binding"].into_iter().enumerate() {
            s.text(if place > 0 { ", " } else { "" })?;
            let number = s.integer(known_numbers.get(place).copied())?;
            s.set_integer(name, number, "i32")?;
            elided.push(name);
        }
        s.text(")")?;
    }
    let built_in = s.any_attr("built_in");
    if s.optional_text(" built_in(", |_| Ok(built_in.is_some()))? {
        let known_text = built_in.and_then(|built_in| s.string(built_in));
        let text = s.unescaped(known_text.as_deref())?;
        // Printed without escapes.
        s.require(text.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') || !S::PRINTS)?;
        s.text(")")?;
        s.set_string("built_in", &text)?;
        elided.push("built_in");
    }
    s.attr_dict(&elided)
}

/// Attributes that a text may have before the operands, where MLIR would print them and the operands as one word.
fn unprintable_attributes<S: DirectiveSyntax>(s: &mut S, _: S::Call<'_>) -> Written<S> {
    let has_attributes = s.has_other_attributes(&[])?;
    s.require(!has_attributes)?;
    s.attr_dict(&[])
}
