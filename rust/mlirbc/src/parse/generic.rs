//! Operations in the generic form (`parseGenericOperationAfterOpName` in `mlir/lib/AsmParser/Parser.cpp`).

use std::collections::HashSet;

use crate::attr::EntryValues;
use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::dialect::entries::EntryRef;
use crate::format::id::{AttrId, TypeId};
use crate::wire::error::ErrorKind;

use super::frames::{AsmParser, Next, Pending, wrong};
use super::region::OpenRegion;

impl<'t> AsmParser<'t> {
    /// Parses the part of an operation before its regions.
    pub(super) fn begin_generic(
        &mut self,
        pending: &mut Pending<'t>,
        mut outer: Option<&mut OpenRegion<'t>>,
    ) -> Parsed<()> {
        self.expect(TokenKind::LeftParen, "`(` and the operands")?;
        self.list(TokenKind::RightParen, "`,` or `)` after an operand", |this| {
            let reference = this.reference()?;
            pending.operands.push(reference);
            Ok(())
        })?;
        if self.eat(TokenKind::LeftSquare)? {
            loop {
                let block = self.successor(outer.as_deref_mut())?;
                pending.successors.push(block);
                if !self.goes_on(TokenKind::RightSquare, "`,` or `]` after a successor")? {
                    break;
                }
            }
        }
        let token = self.peek()?;
        if token.kind == TokenKind::Less && !pending.info.is_registered && !self.release.has_properties() {
            return self.unexpected(
                token,
                "regions, attributes or `:`, because releases before 17 have no properties",
            );
        }
        if self.eat(TokenKind::Less)? {
            // The properties of a registered operation are its inherent attributes.
            if pending.info.is_registered && self.eat(TokenKind::LeftBrace)? {
                self.attributes(&mut pending.attributes)?;
                self.keep_properties(pending);
            } else {
                pending.properties = self.text.parse_attribute()?.number();
            }
            self.expect(TokenKind::Greater, "`>` after the properties")?;
        }
        Ok(())
    }

    // Drops unknown properties: MLIR reads only the properties that an operation has.
    fn keep_properties(&self, pending: &mut Pending<'t>) {
        let schema = self.schema_of(&pending.info).filter(|known| !known.is_opaque());
        let Some(schema) = schema.filter(|_| self.release.has_properties()) else { return };
        pending.attributes.retain(|&(name, _)| {
            let name = self.attribute_names.get(name as usize).map(Vec::as_slice).unwrap_or_default();
            let name = String::from_utf8_lossy(name);
            name.ends_with("_segment_sizes") || schema.field(&name).is_some()
        });
    }

    /// Parses a region, or the part after the regions.
    pub(super) fn generic(&mut self, pending: &mut Pending<'t>) -> Parsed<Next<'t>> {
        let has_more = match pending.regions.is_empty() {
            true => self.eat(TokenKind::LeftParen)?,
            false => self.goes_on(TokenKind::RightParen, "`,` or `)` after a region")?,
        };
        if has_more {
            return Ok(Next::Region(self.open_region(Vec::new())?));
        }
        if self.eat(TokenKind::LeftBrace)? {
            self.attributes(&mut pending.attributes)?;
        }
        self.expect(TokenKind::Colon, "`:` and the type of the operation")?;
        let (operands, results) = self.function_type()?;
        Ok(Next::Done(operands, results))
    }

    /// Parses the types of operands and results, `(…) -> …`.
    pub(super) fn function_type(&mut self) -> Parsed<(Vec<TypeId>, Vec<TypeId>)> {
        let token = self.peek()?;
        if token.kind == TokenKind::Type {
            let index = self.parse_type()?;
            return match self.text.entries().function_parts(index) {
                Some(parts) => Ok(parts),
                None => self.unexpected(token, "a function type"),
            };
        }
        self.expect(TokenKind::LeftParen, "a function type, `(…) -> …`")?;
        let mut operands = self.spare_lists.pop().unwrap_or_default();
        self.list(TokenKind::RightParen, "`,` or `)` after a type", |this| {
            operands.push(this.parse_type()?);
            Ok(())
        })?;
        self.expect(TokenKind::Arrow, "`->` and the types of the results")?;
        Ok((operands, self.result_types()?))
    }

    /// Parses the types after `->`: one, or several in parentheses.
    pub(super) fn result_types(&mut self) -> Parsed<Vec<TypeId>> {
        let mut results = self.spare_lists.pop().unwrap_or_default();
        if !self.eat(TokenKind::LeftParen)? {
            results.push(self.parse_type()?);
            return Ok(results);
        }
        self.list(TokenKind::RightParen, "`,` or `)` after a type", |this| {
            results.push(this.parse_type()?);
            Ok(())
        })?;
        Ok(results)
    }

    /// Parses the attributes up to `}`; the opening brace was consumed.
    pub(super) fn attributes(&mut self, list: &mut Vec<(u32, u32)>) -> Parsed<()> {
        let first = list.len();
        // Short lists are searched, long ones have an index.
        let mut seen: HashSet<u32> = HashSet::new();
        self.list(TokenKind::RightBrace, "`,` or `}` after an attribute", |this| {
            let token = this.next()?;
            let name = match token.kind {
                TokenKind::String => {
                    let name = this.text.string_of(token)?;
                    this.attribute_name(&name)
                }
                TokenKind::Identifier | TokenKind::IntegerType => {
                    let name = this.spelling(token);
                    this.attribute_name(name)
                }
                _ => return this.unexpected(token, "the name of an attribute"),
            };
            let own_attributes = list.get(first..).unwrap_or_default();
            let is_known = match own_attributes.len() {
                ..16 => own_attributes.iter().any(|&(known, _)| known == name),
                count => {
                    if seen.is_empty() || count != seen.len() {
                        seen = own_attributes.iter().map(|&(known, _)| known).collect();
                    }
                    seen.contains(&name)
                }
            };
            let text = this.attribute_names.get(name as usize);
            if text.is_none_or(|text| text.is_empty()) {
                return this.unexpected(token, "the name of an attribute, which is not empty");
            }
            if is_known {
                let text = String::from_utf8_lossy(text.map_or(&[], |text| text)).into_owned();
                let message = format!("attribute `{text}` occurs twice");
                return Err(wrong(ErrorKind::AsmContents, token.start, message));
            }
            let value = match this.eat(TokenKind::Equal)? {
                true => this.text.parse_attribute()?,
                false => AttrId::new(this.text.unit_value()?.number()),
            };
            list.push((name, value.number()));
            if !seen.is_empty() {
                seen.insert(name);
            }
            Ok(())
        })
    }

    /// Returns the number of an attribute name.
    pub(super) fn attribute_name(&mut self, name: &[u8]) -> u32 {
        if let Some(&known) = self.attribute_name_ids.get(name) {
            return known;
        }
        let index = self.attribute_names.len() as u32;
        self.attribute_names.push(name.to_vec());
        self.attribute_name_ids.insert(name.to_vec(), index);
        index
    }

    /// Returns the text of a type, for messages.
    pub(super) fn type_text(&self, r#type: TypeId) -> String {
        let text = self.text.entry_text(EntryRef::Type(r#type)).unwrap_or_default();
        crate::wire::error::cut(&String::from_utf8_lossy(&text), 200)
    }
}
