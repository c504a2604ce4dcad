//! Operations of the sparse_tensor dialect (`mlir/lib/Dialect/SparseTensor/IR/SparseTensorDialect.cpp`).

use crate::attr::text::lexer::TokenKind;

use super::super::frames::{AsmParser, NONE, Pending};
use super::{Custom, HandWritten, Step};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    (name == "sparse_tensor.iterate").then_some(AsmParser::sparse_iterate)
}

impl<'t> AsmParser<'t> {
    /// `%it in %space at(%c, _) iter_args(%x = %a) : !sparse_tensor.iter_space<…> -> i32 {`
    fn sparse_iterate(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        if phase > 0 {
            self.optional_attributes(pending)?;
            return Ok(None);
        }
        let mut iterator = self.argument_of(NONE)?;
        self.expect_literal("in")?;
        let space = self.reference()?;
        let index = self.index()?;
        let (mut coordinates, mut used, mut level) = (Vec::new(), 0_u64, 0_u32);
        if self.eat_word("at")? {
            self.expect(TokenKind::LeftParen, "`(` and the coordinates")?;
            self.list(TokenKind::RightParen, "`,` or `)` after a coordinate", |this| {
                if !this.eat_word("_")? {
                    coordinates.push(this.argument_of(index)?);
                    used |= 1_u64.checked_shl(level).unwrap_or(0);
                }
                level += 1;
                Ok(())
            })?;
        }
        if level > 64 {
            return Err(self.contents(pending, "there are at most 64 levels"));
        }
        self.set_text(pending, "crdUsedLvls", &format!("{used} : i64"))?;
        let (mut arguments, mut values) = (Vec::new(), Vec::new());
        let has_values = self.eat_word("iter_args")?;
        if has_values {
            (arguments, values) = self.assignments()?;
        }
        let of_space = self.colon_type()?;
        let text = self.whole_type(of_space)?;
        match text.strip_prefix("!sparse_tensor.iter_space<") {
            Some(rest) => iterator.r#type = self.type_named(&format!("!sparse_tensor.iterator<{rest}"))?,
            None => return Err(self.contents(pending, "it iterates over a `!sparse_tensor.iter_space`")),
        }
        let results = if has_values { self.optional_results()? } else { Vec::new() };
        self.same_count(pending, values.len(), results.len())?;
        for (argument, &r#type) in arguments.iter_mut().zip(&results) {
            argument.r#type = r#type;
        }
        // Before release 20, the values of the loop are the last arguments.
        let arguments = match self.release.0 {
            ..20 => [vec![iterator], coordinates, arguments].concat(),
            _ => [arguments, coordinates, vec![iterator]].concat(),
        };
        custom.give_at(0, vec![space], vec![of_space]);
        custom.give_at(1, values, results.clone());
        custom.result(results);
        custom.regions.push(0);
        self.open_region(arguments).map(Some)
    }
}
