//! Continues the frame of an outer attribute or type after its nested one.

use crate::dialect::node::Field;
use crate::dialect::table::BuiltinKind;
use crate::format::id::{AttrId, TypeId};

use super::super::dense;
use super::super::dense::Element;
use super::super::lexer::TokenKind;
use super::{Goal, MemRef, ParseFrame, ParseStep, Parsed, Parser, dlti, index_of};

impl Parser<'_> {
    pub(super) fn resume(&mut self, frame: ParseFrame, index: u32) -> Parsed<ParseStep> {
        // The frame decides which of the two the nested entry is.
        let (attribute, r#type) = (AttrId::new(index), TypeId::new(index));
        match frame {
            ParseFrame::Array(mut items) => {
                items.push(attribute);
                if self.goes_on(TokenKind::RightSquare, "`,` or `]`")? {
                    return self.begin(ParseFrame::Array(items), Goal::Attribute);
                }
                self.attribute_of("ArrayAttr", |fill| {
                    fill.attributes(&items);
                })
            }
            ParseFrame::Dictionary { mut entries, seen, key } => {
                entries.push((key, attribute));
                if self.goes_on(TokenKind::RightBrace, "`,` or `}`")? {
                    return self.dictionary_entry(entries, seen);
                }
                self.dictionary(entries)
            }
            ParseFrame::TypedString(string) => {
                if r#type == self.none_type()? {
                    return self.attribute_of("StringAttr", |fill| {
                        fill.field(Field::String(string));
                    });
                }
                self.attribute_of("StringAttrWithType", |fill| {
                    fill.field(Field::String(string)).r#type(r#type);
                })
            }
            ParseFrame::TypedFloat { literal, negative } => self.float_attribute(literal, negative, r#type),
            ParseFrame::TypedInteger { literal, negative } => {
                self.integer_attribute(literal, negative, r#type)
            }
            ParseFrame::DenseElements { at, literal } => {
                self.dense_elements(at, &literal, r#type).map(ParseStep::of_attribute)
            }
            ParseFrame::TypeBeforeElements { at } => {
                let elements = self.elements_after_type(at, TypeId::new(index))?;
                Ok(ParseStep::Done(elements.number()))
            }
            ParseFrame::DenseResource { at, key } => {
                if dense::shape(self.builder.entries(), r#type).is_none() {
                    return self.fail(at, "elements of a shaped type");
                }
                self.attribute_of("DenseResourceElementsAttr", |fill| {
                    fill.r#type(r#type).field(Field::Resource(key));
                })
            }
            ParseFrame::Sparse { at, literals } => {
                self.sparse(at, literals.map(|literals| *literals), r#type)
            }
            ParseFrame::DenseArray { at } => self.dense_array(at, r#type),
            ParseFrame::Distinct { at, number } => {
                self.expect(TokenKind::Greater, "`>` after what the attribute refers to")?;
                self.distinct(at, number, attribute).map(ParseStep::of_attribute)
            }
            ParseFrame::TypedDialect { dialect, mut text } => {
                if r#type != self.none_type()? {
                    text.extend_from_slice(b" : ");
                    let type_text = self.type_text(r#type)?;
                    self.charge(type_text.len())?;
                    text.extend(type_text);
                }
                Ok(ParseStep::Done(index_of(self.builder.text(false, dialect, &text)?).number()))
            }
            ParseFrame::TypeAttribute => self.attribute_of("TypeAttr", |fill| {
                fill.r#type(r#type);
            }),
            ParseFrame::InlineLocation => {
                self.expect(TokenKind::RightParen, "`)` after the location")?;
                Ok(ParseStep::Done(index))
            }
            ParseFrame::Complex { at } => {
                if matches!(self.element(r#type), None | Some(Element::Index | Element::Complex(_))) {
                    return self.fail(at, "an integer or float type");
                }
                self.expect(TokenKind::Greater, "`>` after the type")?;
                self.type_of("ComplexType", |fill| {
                    fill.r#type(r#type);
                })
            }
            ParseFrame::Inputs(mut inputs) => {
                inputs.push(r#type);
                if self.goes_on(TokenKind::RightParen, "`,` or `)`")? {
                    return self.begin(ParseFrame::Inputs(inputs), Goal::Type);
                }
                self.function_results(inputs)
            }
            ParseFrame::Results { inputs, mut results, in_parentheses } => {
                results.push(r#type);
                if in_parentheses && self.goes_on(TokenKind::RightParen, "`,` or `)`")? {
                    return self.begin(ParseFrame::Results { inputs, results, in_parentheses }, Goal::Type);
                }
                self.function(&inputs, &results)
            }
            ParseFrame::Tuple(mut types) => {
                types.push(r#type);
                if self.goes_on(TokenKind::Greater, "`,` or `>`")? {
                    return self.begin(ParseFrame::Tuple(types), Goal::Type);
                }
                self.type_of("TupleType", |fill| {
                    fill.types(&types);
                })
            }
            ParseFrame::Tensor { shape, at } => {
                self.check_element(at, r#type, BuiltinKind::RankedTensorType)?;
                match (self.goes_on(TokenKind::Greater, "`,` or `>`")?, shape) {
                    // A single comma is allowed.
                    (true, shape) if self.lexer.eat(TokenKind::Greater)? => self.any_tensor(shape, r#type),
                    (true, Some(shape)) => {
                        self.begin(ParseFrame::Encoding { shape, element: r#type }, Goal::Attribute)
                    }
                    (true, None) => self.fail(at, "no encoding, because the tensor is unranked"),
                    (false, shape) => self.any_tensor(shape, r#type),
                }
            }
            ParseFrame::Encoding { shape, element } => {
                self.expect(TokenKind::Greater, "`>` after the encoding")?;
                self.ranked_tensor(&shape, element, Some(attribute))
            }
            ParseFrame::Vector { shape, scalable, at } => {
                self.check_element(at, r#type, BuiltinKind::VectorType)?;
                self.expect(TokenKind::Greater, "`>` after the type of the elements")?;
                // Before flags existed, only trailing dimensions could be scalable.
                if self.release.counts_scalable_dims() && !scalable.is_sorted() {
                    return self.fail(at, "scalable dimensions after all others, as the release has them");
                }
                self.vector_of(&shape, &scalable, r#type).map(ParseStep::of_type)
            }
            ParseFrame::MemRef { shape, at } => {
                self.check_element(at, r#type, BuiltinKind::MemRefType)?;
                let memref = Box::new(MemRef { shape, element: r#type, layout: None, space: None });
                if self.goes_on(TokenKind::Greater, "`,` or `>`")? {
                    let at = self.lexer.peek()?;
                    return self.begin(ParseFrame::MemRefRest { memref, at }, Goal::Attribute);
                }
                self.memref(&memref)
            }
            ParseFrame::MemRefRest { memref, at } => self.memref_part(memref, at, attribute),
            ParseFrame::Callee => {
                self.lexer.expect_word("at")?;
                self.begin(ParseFrame::Caller(attribute), Goal::Location)
            }
            ParseFrame::Caller(callee) => {
                self.expect(TokenKind::RightParen, "`)` after the caller")?;
                self.attribute_of("CallSiteLoc", |fill| {
                    fill.attribute(callee).attribute(attribute);
                })
            }
            ParseFrame::Metadata => {
                self.expect(TokenKind::Greater, "`>` after the metadata")?;
                self.fused_parts(Some(attribute))
            }
            ParseFrame::Fused { metadata, mut locations } => {
                locations.push(attribute);
                if self.goes_on(TokenKind::RightSquare, "`,` or `]`")? {
                    return self.begin(ParseFrame::Fused { metadata, locations }, Goal::Location);
                }
                self.fused(metadata, &locations)
            }
            ParseFrame::DltiKey(frame) => self.dlti_value(frame, dlti::DltiIndex::Type(r#type)),
            ParseFrame::DltiValue(frame) => self.dlti_read(frame, attribute),
            ParseFrame::NamedLocation(name) => {
                self.expect(TokenKind::RightParen, "`)` after the location")?;
                self.attribute_of("NameLoc", |fill| {
                    fill.attribute(name).attribute(attribute);
                })
            }
        }
    }
}
