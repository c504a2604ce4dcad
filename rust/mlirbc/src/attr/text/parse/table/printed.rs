//! The counterparts of printers that a template cannot express.

use crate::attr::text::lexer::TokenKind;
use crate::dialect::entries::EntryRef;
use crate::dialect::node::Field;
use crate::dialect::table::{Encoding, Named};
use crate::dialect::template::Piece;
use crate::wire::bytes::Bytes;

use super::super::{Goal, Parsed, Parser, Step};
use super::{Given, Match};

impl Parser<'_> {
    /// Parses the output of a named printer.
    pub(super) fn printed(&mut self, of: &mut Match<'_>) -> Parsed<bool> {
        match of.form.print {
            Named::Integer => self.typed_integer(of),
            Named::DenseElements => self.typed_elements(of),
            Named::Convolution => self.convolution(of),
            Named::LlvmExpression => self.llvm_expression(of),
            Named::QuantAny | Named::QuantUniform | Named::QuantPerAxis | Named::QuantSubChannel => {
                self.quantized(of)
            }
            _ => Ok(false),
        }
    }

    /// `7 : i8`, `true`
    fn typed_integer(&mut self, of: &mut Match<'_>) -> Parsed<bool> {
        if let Some(word @ (b"true" | b"false")) = self.word() {
            let is_i1 = |form: &&Encoding| match form.as_builtin.as_ref().map(|template| &*template.pieces) {
                Some([Piece::Text(text)]) => &**text == "i1",
                _ => false,
            };
            let form = of.table.types.rows.iter().find(is_i1);
            let Some((form, layout)) = form.and_then(|form| Some((form, form.layouts.first()?))) else {
                return Ok(false);
            };
            let (table, dialect) = (of.table, of.dialect);
            let one = Match { table, dialect, form, layout, values: Vec::new(), at: 0 };
            let Some(r#type) = self.made(one, true)? else { return Ok(false) };
            return Ok(of.set("type", Given::One(Field::Type(r#type, 0)))
                && of.set("value", Given::Words(vec![u64::from(word == b"true")], 1)));
        }
        let negative = self.lexer.eat(TokenKind::Minus)?;
        let token = self.lexer.next()?;
        if token.kind != TokenKind::Integer || !self.text_piece(":") {
            return Ok(false);
        }
        let Some(r#type) = self.as_builtin(of)? else { return Ok(false) };
        Ok(of.set("type", Given::One(Field::Type(r#type, 0)))
            && of.set("value", Given::Number(negative, token)))
    }

    /// `dense<…> : tensor<…>`, parsed as the builtin attribute with a type of the dialect.
    fn typed_elements(&mut self, of: &mut Match<'_>) -> Parsed<bool> {
        let base = self.frames.len();
        let Step::Begin(Goal::Type) = self.attribute()? else { return Ok(false) };
        let at = self.lexer.clone();
        let index = self.run_above(base, Step::Begin(Goal::Type))?;
        let end = std::mem::replace(&mut self.lexer, at);
        let entries = self.builder.entries();
        let Some((entry, blob)) = entries.short(EntryRef::Attribute(index)) else { return Ok(false) };
        let mut node = crate::dialect::node::Node::default();
        let Ok(Some((form, _))) = entry.decode(EntryRef::Attribute(index), entries, &mut node) else {
            return Ok(false);
        };
        if form.print != Named::DenseElements {
            return Ok(false);
        }
        let data = match blob {
            Some(blob) => blob.clone(),
            None => Bytes::copy_from_slice(node.blob(node.field(1), entry.data)),
        };
        let Some(r#type) = self.as_builtin(of)? else { return Ok(false) };
        self.lexer = end;
        Ok(of.set("type", Given::One(Field::Type(r#type, 0))) && of.set("data", Given::Blob(data)))
    }
}
