//! Implements [`BodySyntax`] for the parser: affine maps, and short forms of bodies.

use crate::assembly::{AttributeSyntax, BodySyntax, Bracket, MapShape, StructuredOperands};
use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::format::id::{AttrId, TypeId};

use super::super::dialects::linalg::Payload;
use super::super::operands::Reference;
use super::FormReader;

impl<'t> BodySyntax for FormReader<'_, 't> {
    fn map_shape(&mut self, _: AttrId) -> Option<MapShape> {
        None
    }

    fn map_of_values(&mut self, _: Bracket, name: &str, _: &[Reference<'t>]) -> Parsed<Vec<Reference<'t>>> {
        let (map, values) = self.parser.map_of_values(TokenKind::LeftSquare, TokenKind::RightSquare)?;
        self.set(name, AttrId::new(map));
        Ok(values)
    }

    fn grouped_bounds(
        &mut self,
        keyword: &str,
        map: &str,
        groups: &str,
        _: &[Reference<'t>],
    ) -> Parsed<Vec<Reference<'t>>> {
        self.parser.parallel_bound(self.pending, keyword, map, groups)
    }

    fn reduction(&mut self, _: Option<AttrId>) -> Parsed<i64> {
        self.parser.reduction()
    }

    fn iteration_traits(&mut self, _: &[&str], class: &str, _: bool) -> Parsed<()> {
        let token = self.parser.peek()?;
        let dictionary = self.parser.text.parse_attribute()?;
        if !self.parser.dictionary_entries(self.pending, dictionary) {
            return self.parser.unexpected(token, "a dictionary of attributes");
        }
        self.parser.iterator_types(self.pending, class)
    }

    fn properties(&mut self) -> Parsed<()> {
        if self.parser.eat(TokenKind::Less)? {
            self.parser.expect(TokenKind::LeftBrace, "`{` and the properties")?;
            self.parser.attributes(&mut self.pending.attributes)?;
            self.parser.expect(TokenKind::Greater, "`>` after the properties")?;
        }
        Ok(())
    }

    fn dense_array(&mut self, name: &str) -> Parsed<()> {
        let numbers = self.parser.numbers_in_brackets()?;
        self.set_integers(name, "i64", &numbers)
    }

    fn make_structured_body(
        &mut self,
        name: &str,
        kind: Option<AttrId>,
        operands: &StructuredOperands<Self>,
    ) -> Parsed<()> {
        let kind = kind.map(|kind| self.parser.whole_attribute(kind)).transpose()?;
        let region = self.parser.structured_body(self.pending, name, kind.as_deref(), operands)?;
        self.custom.regions.push(0);
        self.pending.regions.push(region);
        Ok(())
    }

    fn make_copying_body(&mut self, operands: &StructuredOperands<Self>) -> Parsed<()> {
        self.parser.copying_body(self.pending, self.custom, operands)
    }

    fn payload(&mut self, _: bool, _: bool) -> Parsed<Option<Payload>> {
        self.parser.payload()
    }

    fn make_payload_body(
        &mut self,
        payload: Payload,
        is_reduce: bool,
        operands: &StructuredOperands<Self>,
    ) -> Parsed<()> {
        self.parser.payload_body(self.pending, self.custom, payload, is_reduce, operands)
    }

    fn complete_transfer(&mut self, shaped: TypeId, vector: TypeId) -> Parsed<Option<TypeId>> {
        self.parser.transfer_attributes(self.pending, self.custom, shaped, vector).map(Some)
    }

    fn place_here(&mut self) -> Parsed<()> {
        let position = self.parser.peek()?.start;
        self.pending.location = self.parser.location_at(position)?;
        Ok(())
    }

    fn reducer(&mut self, _: &[Reference<'t>]) -> Parsed<Option<String>> {
        self.parser.reducer()
    }

    fn make_reducer_body(&mut self, region: usize, name: &str, r#type: Option<TypeId>) -> Parsed<()> {
        let body = self.parser.reducer_body(self.pending, name, r#type)?;
        self.custom.regions.push(region);
        self.pending.regions.push(body);
        Ok(())
    }

    fn wrapped_operation(&mut self, region: usize) -> Parsed<Vec<TypeId>> {
        let (operation, results) = self.parser.wrapped_operation(self.pending)?;
        self.custom.regions.push(region);
        self.pending.regions.push(operation);
        Ok(results)
    }

    fn bare_map(&mut self, _: Option<AttrId>) -> Parsed<AttrId> {
        let start = self.parser.peek()?.start;
        let (mut end, mut open) = (start, 2);
        while open > 0 {
            let token = self.parser.next()?;
            match token.kind {
                TokenKind::RightParen => (end, open) = (token.end, open - 1),
                TokenKind::End => {
                    return self.parser.unexpected(token, "an affine map, as in `(i, j) -> (j, i)`");
                }
                _ => {}
            }
        }
        let text = self.parser.text.text().get(start..end).unwrap_or_default();
        let map = format!("affine_map<{}>", String::from_utf8_lossy(text));
        self.parser.text.fragment(false, &map).map(AttrId::new)
    }
}
