//! Continues the frame of an outer attribute or type after its nested one.

use crate::dialect::node::Field;
use crate::dialect::table::BuiltinKind;

use super::super::dense;
use super::super::dense::Element;
use super::super::lexer::TokenKind;
use super::{Goal, MemRef, ParseFrame, ParseStep, Parsed, Parser, dlti, index_of};

impl Parser<'_> {
    pub(super) fn resume(&mut self, frame: ParseFrame, index: u32) -> Parsed<ParseStep> {
        match frame {
            ParseFrame::Array(mut items) => {
                items.push(index);
                if self.goes_on(TokenKind::RightSquare, "`,` or `]`")? {
                    return self.begin(ParseFrame::Array(items), Goal::Attribute);
                }
                self.attribute_of("ArrayAttr", |fill| {
                    fill.attributes(&items);
                })
            }
            ParseFrame::Dictionary { mut entries, seen, key } => {
                entries.push((key, index));
                if self.goes_on(TokenKind::RightBrace, "`,` or `}`")? {
                    return self.dictionary_entry(entries, seen);
                }
                self.dictionary(entries)
            }
            ParseFrame::TypedString(string) => {
                if index == self.none_type()? {
                    return self.attribute_of("StringAttr", |fill| {
                        fill.field(Field::String(string));
                    });
                }
                self.attribute_of("StringAttrWithType", |fill| {
                    fill.field(Field::String(string)).r#type(index);
                })
            }
            ParseFrame::TypedFloat { literal, negative } => self.float_attribute(literal, negative, index),
            ParseFrame::TypedInteger { literal, negative } => {
                self.integer_attribute(literal, negative, index)
            }
            ParseFrame::DenseElements { at, literal } => {
                self.dense_elements(at, &literal, index).map(ParseStep::Done)
            }
            ParseFrame::TypeBeforeElements { at } => self.elements_after_type(at, index).map(ParseStep::Done),
            ParseFrame::DenseResource { at, key } => {
                if dense::shape(self.builder.entries(), index).is_none() {
                    return self.fail(at, "elements of a shaped type");
                }
                self.attribute_of("DenseResourceElementsAttr", |fill| {
                    fill.r#type(index).field(Field::Resource(key));
                })
            }
            ParseFrame::Sparse { at, literals } => self.sparse(at, literals.map(|literals| *literals), index),
            ParseFrame::DenseArray { at } => self.dense_array(at, index),
            ParseFrame::Distinct { at, number } => {
                self.expect(TokenKind::Greater, "`>` after what the attribute refers to")?;
                self.distinct(at, number, index).map(ParseStep::Done)
            }
            ParseFrame::TypedDialect { dialect, mut text } => {
                if index != self.none_type()? {
                    text.extend_from_slice(b" : ");
                    let r#type = self.type_text(index)?;
                    self.charge(r#type.len())?;
                    text.extend(r#type);
                }
                Ok(ParseStep::Done(index_of(self.builder.text(false, dialect, &text)?)))
            }
            ParseFrame::TypeAttribute => self.attribute_of("TypeAttr", |fill| {
                fill.r#type(index);
            }),
            ParseFrame::InlineLocation => {
                self.expect(TokenKind::RightParen, "`)` after the location")?;
                Ok(ParseStep::Done(index))
            }
            ParseFrame::Complex { at } => {
                if matches!(self.element(index), None | Some(Element::Index | Element::Complex(_))) {
                    return self.fail(at, "an integer or float type");
                }
                self.expect(TokenKind::Greater, "`>` after the type")?;
                self.type_of("ComplexType", |fill| {
                    fill.r#type(index);
                })
            }
            ParseFrame::Inputs(mut inputs) => {
                inputs.push(index);
                if self.goes_on(TokenKind::RightParen, "`,` or `)`")? {
                    return self.begin(ParseFrame::Inputs(inputs), Goal::Type);
                }
                self.function_results(inputs)
            }
            ParseFrame::Results { inputs, mut results, in_parentheses } => {
                results.push(index);
                if in_parentheses && self.goes_on(TokenKind::RightParen, "`,` or `)`")? {
                    return self.begin(ParseFrame::Results { inputs, results, in_parentheses }, Goal::Type);
                }
                self.function(&inputs, &results)
            }
            ParseFrame::Tuple(mut types) => {
                types.push(index);
                if self.goes_on(TokenKind::Greater, "`,` or `>`")? {
                    return self.begin(ParseFrame::Tuple(types), Goal::Type);
                }
                self.type_of("TupleType", |fill| {
                    fill.types(&types);
                })
            }
            ParseFrame::Tensor { shape, at } => {
                self.check_element(at, index, BuiltinKind::RankedTensorType)?;
                match (self.goes_on(TokenKind::Greater, "`,` or `>`")?, shape) {
                    // A single comma is allowed.
                    (true, shape) if self.lexer.eat(TokenKind::Greater)? => self.any_tensor(shape, index),
                    (true, Some(shape)) => {
                        self.begin(ParseFrame::Encoding { shape, element: index }, Goal::Attribute)
                    }
                    (true, None) => self.fail(at, "no encoding, because the tensor is unranked"),
                    (false, shape) => self.any_tensor(shape, index),
                }
            }
            ParseFrame::Encoding { shape, element } => {
                self.expect(TokenKind::Greater, "`>` after the encoding")?;
                self.ranked_tensor(&shape, element, Some(index))
            }
            ParseFrame::Vector { shape, scalable, at } => {
                self.check_element(at, index, BuiltinKind::VectorType)?;
                self.expect(TokenKind::Greater, "`>` after the type of the elements")?;
                // Before flags existed, only trailing dimensions could be scalable.
                if self.release.counts_scalable_dims() && !scalable.is_sorted() {
                    return self.fail(at, "scalable dimensions after all others, as the release has them");
                }
                self.vector_of(&shape, &scalable, index).map(ParseStep::Done)
            }
            ParseFrame::MemRef { shape, at } => {
                self.check_element(at, index, BuiltinKind::MemRefType)?;
                let memref = Box::new(MemRef { shape, element: index, layout: None, space: None });
                if self.goes_on(TokenKind::Greater, "`,` or `>`")? {
                    let at = self.lexer.peek()?;
                    return self.begin(ParseFrame::MemRefRest { memref, at }, Goal::Attribute);
                }
                self.memref(&memref)
            }
            ParseFrame::MemRefRest { memref, at } => self.memref_part(memref, at, index),
            ParseFrame::Callee => {
                self.lexer.expect_word("at")?;
                self.begin(ParseFrame::Caller(index), Goal::Location)
            }
            ParseFrame::Caller(callee) => {
                self.expect(TokenKind::RightParen, "`)` after the caller")?;
                self.attribute_of("CallSiteLoc", |fill| {
                    fill.attribute(callee).attribute(index);
                })
            }
            ParseFrame::Metadata => {
                self.expect(TokenKind::Greater, "`>` after the metadata")?;
                self.fused_parts(Some(index))
            }
            ParseFrame::Fused { metadata, mut locations } => {
                locations.push(index);
                if self.goes_on(TokenKind::RightSquare, "`,` or `]`")? {
                    return self.begin(ParseFrame::Fused { metadata, locations }, Goal::Location);
                }
                self.fused(metadata, &locations)
            }
            ParseFrame::DltiKey(frame) => self.dlti_value(frame, dlti::DltiIndex::Type(index)),
            ParseFrame::DltiValue(frame) => self.dlti_read(frame, index),
            ParseFrame::NamedLocation(name) => {
                self.expect(TokenKind::RightParen, "`)` after the location")?;
                self.attribute_of("NameLoc", |fill| {
                    fill.attribute(name).attribute(index);
                })
            }
        }
    }
}
