//! Operations of the memref dialect (`mlir/lib/Dialect/MemRef/IR/MemRefOps.cpp`).

use crate::attr::text::lexer::TokenKind;

use super::super::frames::{AsmParser, Pending};
use super::{Custom, HandWritten, Step};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let form: HandWritten<'t> = match name {
        "memref.transpose" => AsmParser::memref_transpose,
        "memref.alloca_scope" => AsmParser::alloca_scope,
        "memref.generic_atomic_rmw" => AsmParser::generic_atomic,
        "memref.prefetch" => AsmParser::memref_prefetch,
        "memref.dma_start" => AsmParser::dma_start,
        _ => return None,
    };
    Some(form)
}

impl<'t> AsmParser<'t> {
    /// `%m (i, j) -> (j, i) : memref<2x3xf32> to memref<3x2xf32, strided<[1, 3]>>`
    fn memref_transpose(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        let value = self.reference()?;
        // The map is written without `affine_map`.
        let start = self.peek()?.start;
        let mut end = start;
        let mut open = 2;
        while open > 0 {
            let token = self.next()?;
            match token.kind {
                TokenKind::RightParen => (end, open) = (token.end, open - 1),
                TokenKind::End => return self.unexpected(token, "an affine map, as in `(i, j) -> (j, i)`"),
                _ => {}
            }
        }
        let text = self.text.text().get(start..end).unwrap_or_default();
        let map = format!("affine_map<{}>", String::from_utf8_lossy(text));
        self.set_text(pending, "permutation", &map)?;
        self.optional_attributes(pending)?;
        let from = self.colon_type()?;
        let to = match self.eat_word("to")? {
            true => self.parse_type()?,
            false => {
                let token = self.peek()?;
                return self.unexpected(token, "`to` and the type of the result");
            }
        };
        custom.give_at(0, vec![value], vec![from]);
        custom.result(vec![to]);
        Ok(None)
    }

    /// `-> (i32) {`
    fn alloca_scope(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        if phase > 0 {
            self.optional_attributes(pending)?;
            return Ok(None);
        }
        let results = self.optional_results()?;
        custom.result(results);
        custom.regions.push(0);
        self.open_region(Vec::new()).map(Some)
    }

    /// `%m[%i] : memref<4xf32> {`
    fn generic_atomic(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        if phase > 0 {
            self.optional_attributes(pending)?;
            return Ok(None);
        }
        let memref = self.reference()?;
        let indices = self.references_in_brackets()?;
        let r#type = self.colon_type()?;
        let index = self.index()?;
        let types = vec![index; indices.len()];
        let element = self.text.element_of(r#type)?.unwrap_or(r#type);
        custom.give_at(0, vec![memref], vec![r#type]);
        custom.give_at(1, indices, types);
        custom.result(vec![element]);
        custom.regions.push(0);
        self.open_region(Vec::new()).map(Some)
    }

    /// `%m[%i], read, locality<3>, data : memref<4xf32>`
    fn memref_prefetch(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        let memref = self.reference()?;
        let indices = self.references_in_brackets()?;
        self.prefetch_hints(pending)?;
        self.optional_attributes(pending)?;
        let r#type = self.colon_type()?;
        let index = self.index()?;
        let types = vec![index; indices.len()];
        custom.give_at(0, vec![memref], vec![r#type]);
        custom.give_at(1, indices, types);
        Ok(None)
    }

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
        let mut all = vec![index; values.len()];
        for (place, r#type) in [(first, from), (second, to), (last, tag)] {
            if let Some(slot) = all.get_mut(place) {
                *slot = r#type;
            }
        }
        custom.give_at(0, values, all);
        Ok(None)
    }
}
