//! Operations of the ptr dialect (`mlir/include/mlir/Dialect/Ptr/IR/PtrOps.td`).

use super::super::frames::{AsmParser, Pending};
use super::{Custom, HandWritten, Step};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    (name == "ptr.ptr_add").then_some(AsmParser::ptr_add)
}

// `PtrAddFlags` in `PtrEnums.td`, by number.
const FLAGS: [&str; 4] = ["none", "nusw", "nuw", "inbounds"];

impl<'t> AsmParser<'t> {
    /// `nuw %base, %offset : !ptr.ptr<…>, index`
    fn ptr_add(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        let mut flags = 0;
        for (number, word) in FLAGS.iter().enumerate() {
            if self.eat_word(word)? {
                flags = number;
                break;
            }
        }
        self.set_text(pending, "flags", &format!("{flags} : i32"))?;
        let base = self.reference()?;
        self.comma()?;
        let offset = self.reference()?;
        self.optional_attributes(pending)?;
        let r#type = self.colon_type()?;
        self.comma()?;
        let of_offset = self.parse_type()?;
        custom.give_at(0, vec![base], vec![r#type]);
        custom.give_at(1, vec![offset], vec![of_offset]);
        custom.result(vec![r#type]);
        Ok(None)
    }
}
