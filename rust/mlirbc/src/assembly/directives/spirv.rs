//! Directives of `spirv` (`mlir/lib/Dialect/SPIRV/IR`).

use crate::assembly::{DirectiveSyntax, Written};

use super::clauses::ClauseSteps;

directives! {
    ImageOperands: "ImageOperands" => image_operands,
}

/// `["Bias|Lod"]`, or nothing.
fn image_operands<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known = s.attribute_at(call, 0)?;
    if !s.optional_text("[", |_| Ok(known.is_some()))? {
        return Ok(());
    }
    let text = known.and_then(|known| s.text_of(known));
    let names = text.as_deref().and_then(|text| text.strip_prefix("#spirv.image_operands<")?.strip_suffix('>'));
    let names = s.quoted(names.map(str::as_bytes))?;
    s.text("]")?;
    s.make_text_at(call, 0, || format!("#spirv.image_operands<{}>", String::from_utf8_lossy(&names)))
}
