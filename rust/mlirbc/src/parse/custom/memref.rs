//! Operations of the memref dialect (`mlir/lib/Dialect/MemRef/IR/MemRefOps.cpp`).

use crate::attr::text::lexer::TokenKind;

use super::super::frames::{AsmParser, Pending};
use super::parts::same_types;
use super::{Custom, HandWritten, Step};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let form: HandWritten<'t> = match name {
        "memref.dma_start" => AsmParser::dma_start,
        _ => return None,
    };
    Some(form)
}

impl<'t> AsmParser<'t> {
    /// `%a[%i], %b[%j], %n, %tag[%k], %s, %e : memref<…>, memref<…>, memref<…>`
    fn dma_start(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        let mut values = Vec::new();
        let mut places = Vec::new();
        for part in 0..4 {
            if part > 0 {
                self.comma()?;
            }
            places.push(values.len());
            values.push(self.reference()?);
            if part != 2 {
                values.extend(self.references_in_brackets()?);
            }
        }
        while self.eat(TokenKind::Comma)? {
            values.push(self.reference()?);
        }
        let types = self.colon_types()?;
        let (&[from, to, tag], &[first, second, _, last]) = (&*types, &*places) else {
            return Err(self.contents(pending, "three types are needed"));
        };
        let index = self.index()?;
        let mut all = same_types(index, &values);
        for (place, r#type) in [(first, from), (second, to), (last, tag)] {
            if let Some(slot) = all.get_mut(place) {
                *slot = r#type;
            }
        }
        custom.give_at(0, values, all);
        Ok(None)
    }
}
