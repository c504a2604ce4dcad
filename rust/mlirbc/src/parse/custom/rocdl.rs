//! Operations of the rocdl dialect (`mlir/lib/Dialect/LLVMIR/IR/ROCDLDialect.cpp`).

use super::super::frames::{AsmParser, Pending};
use super::{Custom, HandWritten, Step};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let stem = name.strip_prefix("rocdl.")?;
    (stem.starts_with("raw.buffer.") || stem.starts_with("buffer.")).then_some(AsmParser::rocdl_buffer)
}

impl<'t> AsmParser<'t> {
    /// `%a, %b : type`, which is the type of the data.
    fn rocdl_buffer(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        let values = self.references()?;
        let r#type = self.colon_type()?;
        let (mut types, mut results) = (Vec::new(), Vec::new());
        match custom.definition.results().is_empty() {
            true => types.push(r#type),
            false => results.push(r#type),
        }
        // The others have the only type that they can have.
        let flags = if custom.definition.name().starts_with("rocdl.raw.") { "i32" } else { "i1" };
        if custom.definition.name().contains(".cmpswap") {
            types.push(r#type);
        }
        for text in ["vector<4xi32>", "i32", "i32", flags, flags] {
            if types.len() < custom.definition.operands().len() {
                types.push(self.type_named(text)?);
            }
        }
        self.same_count(pending, values.len(), types.len())?;
        custom.all_operands = Some(values);
        custom.all_operand_types = Some(types);
        custom.result(results);
        Ok(None)
    }
}
