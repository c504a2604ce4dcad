//! Bundles of operands (`mlir/lib/Dialect/LLVMIR/IR/LLVMDialect.cpp`).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, Pending};
use super::{Custom, HandWritten, Step};

/// The function for a format that has bundles and nothing else that is hand-written.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    (name == "llvm.intr.assume").then_some(AsmParser::llvm_assume)
}

impl<'t> AsmParser<'t> {
    /// `["tag"(%a : i32), "other"()]`, if it comes next and the operation may have bundles.
    pub(super) fn bundles(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>) -> Parsed<()> {
        if !custom.has_attribute("op_bundle_sizes") {
            return Ok(());
        }
        let (mut tags, mut sizes) = (Vec::new(), Vec::new());
        let (mut values, mut types) = (Vec::new(), Vec::new());
        if self.eat(TokenKind::LeftSquare)? {
            let pending = &*pending;
            self.list(TokenKind::RightSquare, "`,` or `]` after a bundle", |this| {
                let tag = this.string("the tag of a bundle")?;
                tags.push(this.text.string_value(tag.as_bytes())?);
                let (own, own_types) = this.typed_in_parentheses(pending)?;
                sizes.push(own.len() as i64);
                values.extend(own);
                types.extend(own_types);
                Ok(())
            })?;
        }
        if !tags.is_empty() {
            let tags = self.text.array_value(&tags)?;
            self.set_named(pending, "op_bundle_tags", tags);
        }
        let sizes = self.numbers_value("i32", &sizes)?;
        self.set_named(pending, "op_bundle_sizes", sizes);
        custom.give("op_bundle_operands", values, types);
        Ok(())
    }

    /// `%a ["tag"(%b : i32)] : i1`
    fn llvm_assume(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        let condition = self.reference()?;
        self.bundles(pending, custom)?;
        let r#type = self.colon_type()?;
        self.optional_attributes(pending)?;
        custom.give_at(0, vec![condition], vec![r#type]);
        Ok(None)
    }
}
