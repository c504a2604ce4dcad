//! Operations of `rocdl` (`mlir/lib/Dialect/LLVMIR/IR/ROCDLDialect.cpp`).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Flow, Progress, Syntax};

forms! {
    Buffer: name if name.starts_with("raw.buffer.") || name.starts_with("buffer.") => buffer,
}

/// `%a, %b : type`, which is the type of the data; the others have types that the parser knows.
fn buffer<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let name = s.definition().name();
    let flags = if name.starts_with("rocdl.raw.") { "i32" } else { "i1" };
    let is_exchange = name.contains(".cmpswap");
    let has_result = !s.definition().results().is_empty();
    let count = s.definition().operands().len();
    let (known_operands, results) = (s.all_operands(), s.all_results());
    let known_types = s.types_of(&known_operands);
    s.text(" ")?;
    let values = s.values(&known_operands)?;
    let shown = if has_result { results.first() } else { known_types.first() };
    let r#type = s.type_after(" : ", shown.copied())?;
    let data = usize::from(!has_result) + usize::from(is_exchange);
    let mut types = vec![r#type; data];
    if let Some(data_types) = known_types.get(..data) {
        s.implies_same(data_types, r#type);
    }
    for (place, text) in ["vector<4xi32>", "i32", "i32", flags, flags].into_iter().enumerate() {
        if let Some(&one) = known_types.get(data + place) {
            s.implies(&[one], text);
        }
        if data + place < count {
            types.extend(s.named_type(text)?);
        }
    }
    s.same_count(values.len(), types.len())?;
    s.give_all(values, types);
    s.give_results(if has_result { vec![r#type] } else { Vec::new() });
    s.lose_discardable();
    Ok(Progress::Done)
}
