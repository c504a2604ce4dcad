//! Parsers of the output of named printers, which templates cannot express.

use crate::attr::text::lexer::TokenKind;
use crate::dialect::entries::EntryRef;
use crate::dialect::node::Field;
use crate::dialect::table::{Encoding, Named};
use crate::dialect::template::TemplatePiece;
use crate::format::id::{AttrId, TypeId};
use crate::wire::bytes::Bytes;

use super::super::{Goal, ParseStep, Parsed, Parser};
use super::{Candidate, ParsedField};

impl Parser<'_> {
    /// Parses the output of a named printer.
    pub(super) fn printed(&mut self, candidate: &mut Candidate<'_>) -> Parsed<bool> {
        match candidate.form.print {
            Named::Integer => self.typed_integer(candidate),
            Named::DenseElements => self.typed_elements(candidate),
            Named::Convolution => self.convolution(candidate),
            Named::LlvmExpression => self.llvm_expression(candidate),
            Named::QuantAny | Named::QuantUniform | Named::QuantPerAxis | Named::QuantSubChannel => {
                self.quantized(candidate)
            }
            _ => Ok(false),
        }
    }

    /// Parses `7 : i8` or `true`.
    fn typed_integer(&mut self, candidate: &mut Candidate<'_>) -> Parsed<bool> {
        if let Some(word @ (b"true" | b"false")) = self.word() {
            let is_i1 = |form: &&Encoding| match form.as_builtin.as_ref().map(|template| &*template.pieces) {
                Some([TemplatePiece::Text(text)]) => &**text == "i1",
                _ => false,
            };
            let form = candidate.table.types.rows.iter().find(is_i1);
            let Some((form, layout)) = form.and_then(|form| Some((form, form.layouts.first()?))) else {
                return Ok(false);
            };
            let (table, dialect) = (candidate.table, candidate.dialect);
            let type_candidate = Candidate { table, dialect, form, layout, values: Vec::new(), at: 0 };
            let Some(r#type) = self.finish_candidate(type_candidate, true)? else { return Ok(false) };
            return Ok(candidate.set("type", ParsedField::One(Field::Type(TypeId::new(r#type), 0)))
                && candidate.set("value", ParsedField::Words(vec![u64::from(word == b"true")], 1)));
        }
        let negative = self.lexer.eat(TokenKind::Minus)?;
        let token = self.lexer.next()?;
        if token.kind != TokenKind::Integer || !self.text_piece(":") {
            return Ok(false);
        }
        let Some(r#type) = self.as_builtin(candidate)? else { return Ok(false) };
        Ok(candidate.set("type", ParsedField::One(Field::Type(TypeId::new(r#type), 0)))
            && candidate.set("value", ParsedField::Number(negative, token)))
    }

    /// Parses `dense<…> : tensor<…>` as the builtin attribute with a type of the dialect.
    fn typed_elements(&mut self, candidate: &mut Candidate<'_>) -> Parsed<bool> {
        let base = self.frames.len();
        let ParseStep::Begin(Goal::Type) = self.attribute()? else { return Ok(false) };
        let at = self.lexer.clone();
        let index = self.run_above(base, ParseStep::Begin(Goal::Type))?;
        let end = std::mem::replace(&mut self.lexer, at);
        let entries = self.builder.entries();
        let Some((entry, blob)) = entries.short(EntryRef::Attribute(AttrId::new(index))) else {
            return Ok(false);
        };
        let mut node = crate::dialect::node::Node::default();
        let Ok(Some((form, _))) = entry.decode(EntryRef::Attribute(AttrId::new(index)), entries, &mut node)
        else {
            return Ok(false);
        };
        if form.print != Named::DenseElements {
            return Ok(false);
        }
        let data = match blob {
            Some(blob) => blob.clone(),
            None => Bytes::copy_from_slice(node.blob(node.field(1), entry.data)),
        };
        let Some(r#type) = self.as_builtin(candidate)? else { return Ok(false) };
        self.lexer = end;
        Ok(candidate.set("type", ParsedField::One(Field::Type(TypeId::new(r#type), 0)))
            && candidate.set("data", ParsedField::Blob(data)))
    }
}
