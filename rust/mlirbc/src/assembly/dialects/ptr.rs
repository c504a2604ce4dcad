//! Operations of `ptr` (`mlir/include/mlir/Dialect/Ptr/IR/PtrOps.td`).

use crate::assembly::steps::Steps;
use crate::assembly::{Flow, Step, Syntax, Values};

forms! {
    Add: "ptr_add" => add,
}

/// `PtrAddFlags` in `PtrEnums.td`, by number.
const FLAGS: &[&str] = &["none", "nusw", "nuw", "inbounds"];

/// `nuw %base, %offset : !ptr.ptr<…>, index`, whose flags are a native property.
fn add<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    s.require(!S::PRINTS)?;
    let word = s.optional_word(None, FLAGS)?;
    let number = FLAGS.iter().position(|flag| Some(*flag) == word).unwrap_or(0);
    s.set_integer("flags", number as i64, "i32")?;
    let base = s.value(None)?;
    s.text(", ")?;
    let offset = s.value(None)?;
    s.attr_dict(&["flags"])?;
    let r#type = s.type_after(" : ", None)?;
    let of_offset = s.type_after(", ", None)?;
    s.give(0, vec![base], vec![r#type]);
    s.give(1, vec![offset], vec![of_offset]);
    s.set_types(Values::Result(0), vec![r#type]);
    Ok(Step::Done)
}
