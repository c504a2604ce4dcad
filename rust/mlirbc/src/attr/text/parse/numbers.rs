//! Dense arrays and dense elements of integers that are given as numbers.

use crate::attr::text::dense::Element;
use crate::attr::text::int::Integer;
use crate::attr::text::lexer::{Token, TokenKind};
use crate::dialect::node::Field;
use crate::format::id::{AttrId, TypeId};
use crate::wire::bytes::Bytes;
use crate::wire::limits::{Budget, ChargedVec};

use super::element::push_number;
use super::{Goal, Literal, ParseFrame, ParseStep, Parsed, Parser};

/// Returns the bits of a number in an integer of this width.
fn integer(value: i64, width: u32, budget: &Budget) -> Parsed<Integer> {
    let sign = if value < 0 { u64::MAX } else { 0 };
    let mut words = budget.filled(sign, width.div_ceil(u64::BITS).max(1) as usize)?;
    if let Some(first) = words.first_mut() {
        *first = value as u64;
    }
    if let (Some(last), unused @ 1..) = (words.last_mut(), width % u64::BITS) {
        *last &= (1 << unused) - 1;
    }
    Ok(Integer::of_words(words, width))
}

/// Packs bits, eight to a byte; a single bit becomes a whole byte.
fn packed(values: &[i64], data: &mut ChargedVec<u8>) -> Parsed<()> {
    for bits in values.chunks(8) {
        let byte = bits.iter().enumerate().fold(0, |byte, (place, &bit)| byte | (bit as u8 & 1) << place);
        data.push(if values.len() == 1 { byte.wrapping_neg() } else { byte })?;
    }
    Ok(())
}

impl Parser<'_> {
    /// Makes a dense array of integers of a type; `None` if an integer does not fit the type.
    pub(crate) fn integers_value(&mut self, r#type: TypeId, values: &[i64]) -> Parsed<Option<u32>> {
        let element = self.element(r#type).unwrap_or(Element::Signless(64));
        if !values.iter().all(|&value| element.fits(value)) {
            return Ok(None);
        }
        let mut data = ChargedVec::new(&self.budget);
        for &value in values {
            push_number(&mut data, &integer(value, element.bits(), &self.budget)?, element.storage())?;
        }
        let (data, held) = data.into_parts();
        let data = Bytes::from(data);
        let index = self.make_holding(held, |this| {
            this.attribute_with("DenseArrayAttr", &data, None, |fill| {
                fill.r#type(r#type).field(Field::Unsigned(values.len() as u64)).blob(data.len());
            })
        })?;
        Ok(Some(index.number()))
    }

    /// Makes dense elements with these dimensions; `element` is the element type. `None` if an element does not
    /// fit that type.
    pub(crate) fn elements_value(
        &mut self,
        r#type: TypeId,
        element: TypeId,
        shape: Vec<i64>,
        values: &[i64],
    ) -> Parsed<Option<AttrId>> {
        let element = self.element(element).unwrap_or(Element::Signless(64));
        if !values.iter().all(|&value| element.fits(value)) {
            return Ok(None);
        }
        let mut data = ChargedVec::new(&self.budget);
        let is_splat = values.iter().all(|value| Some(value) == values.first());
        if element.is_bool() {
            packed(values, &mut data)?;
        } else {
            for &value in values.iter().take(if is_splat { 1 } else { values.len() }) {
                push_number(&mut data, &integer(value, element.bits(), &self.budget)?, element.storage())?;
            }
        }
        let at = self.lexer.peek()?;
        self.dense_attribute(at, r#type, element, shape, data).map(Some)
    }

    /// Parses `dense<…>`, `dense_resource<…>` or `sparse<…>` up to the type; the first word was consumed.
    pub(super) fn untyped_elements(&mut self, at: Token) -> Parsed<ParseFrame> {
        match self.lexer.spelling(at) {
            b"dense_resource" => {
                self.expect(TokenKind::Less, "`<` after `dense_resource`")?;
                let key = self.lexer.next()?;
                let bytes = match key.kind {
                    TokenKind::Identifier | TokenKind::IntegerType => self.lexer.spelling(key).to_vec(),
                    TokenKind::String => self.unquoted(key)?,
                    _ => return self.fail(key, "the key of a resource"),
                };
                self.expect(TokenKind::Greater, "`>` after the key")?;
                Ok(ParseFrame::DenseResource { at, key: self.builder.key(&bytes) })
            }
            b"sparse" => {
                self.expect(TokenKind::Less, "`<` after `sparse`")?;
                let mut literals = None;
                if !self.lexer.eat(TokenKind::Greater)? {
                    let indices = self.literal(false)?;
                    self.expect(TokenKind::Comma, "`,` after the indices")?;
                    let values = self.literal(true)?;
                    self.expect(TokenKind::Greater, "`>` after the values")?;
                    literals = Some(Box::new((indices, values)));
                }
                Ok(ParseFrame::Sparse { at, literals })
            }
            _ => {
                self.expect(TokenKind::Less, "`<` after `dense`")?;
                let mut literal = Literal::new(&self.budget);
                if !self.lexer.eat(TokenKind::Greater)? {
                    literal = self.literal(true)?;
                    self.expect(TokenKind::Greater, "`>` after the elements")?;
                }
                Ok(ParseFrame::DenseElements { at, literal })
            }
        }
    }

    /// Parses elements that may omit their type, which is then `r#type`, or any other attribute.
    pub(crate) fn elements_of_type(&mut self, r#type: TypeId) -> Parsed<AttrId> {
        let token = self.lexer.peek()?;
        if !matches!(self.lexer.spelling(token), b"dense" | b"dense_resource" | b"sparse") {
            return self.parse_attribute();
        }
        self.lexer.seek(token.end);
        let elements = self.untyped_elements(token)?;
        let r#type = match self.lexer.eat(TokenKind::Colon)? {
            true => self.parse_goal(Goal::Type)?,
            false => r#type.number(),
        };
        match self.resume(elements, r#type)? {
            ParseStep::Done(value) => Ok(AttrId::new(value)),
            ParseStep::Begin(_) => self.fail(token, "elements"),
        }
    }
}
