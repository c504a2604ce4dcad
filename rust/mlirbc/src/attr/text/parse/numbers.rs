//! Dense arrays and dense elements of integers that are known as numbers.

use crate::attr::text::dense::Element;
use crate::attr::text::int::Integer;
use crate::attr::text::lexer::{Token, TokenKind};
use crate::dialect::node::Field;
use crate::wire::bytes::Bytes;
use crate::wire::limits::{Budget, ChargedVec};

use super::element::push_number;
use super::{Frame, Goal, Literal, Parsed, Parser, Step};

/// The bits of a number in an integer of this width.
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

/// Bits, eight to a byte; one that is set is a byte of them.
fn packed(values: &[i64], data: &mut ChargedVec<u8>) -> Parsed<()> {
    for bits in values.chunks(8) {
        let byte = bits.iter().enumerate().fold(0, |byte, (place, &bit)| byte | (bit as u8 & 1) << place);
        data.push(if values.len() == 1 { byte.wrapping_neg() } else { byte })?;
    }
    Ok(())
}

impl Parser<'_> {
    /// A dense array of integers of a type; `None` if the type has no room for one of them.
    pub(crate) fn integers_value(&mut self, r#type: u32, values: &[i64]) -> Parsed<Option<u32>> {
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
        let made = self.make_holding(held, |this| {
            this.make_with(false, "DenseArrayAttr", &data, None, |fill| {
                fill.r#type(r#type).field(Field::Unsigned(values.len() as u64)).blob(data.len());
            })
        })?;
        Ok(Some(made))
    }

    /// Dense elements of one dimension, whose type has elements of `element`; `None` if that has no room for one of them.
    pub(crate) fn elements_value(
        &mut self,
        r#type: u32,
        element: u32,
        values: &[i64],
    ) -> Parsed<Option<u32>> {
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
        self.dense_attribute(at, r#type, element, vec![values.len() as i64], data).map(Some)
    }

    /// `dense<…>`, `dense_resource<…>` or `sparse<…>`, whose word was consumed, up to the type.
    pub(super) fn untyped_elements(&mut self, at: Token) -> Parsed<Frame> {
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
                Ok(Frame::DenseResource { at, key: self.builder.key(&bytes) })
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
                Ok(Frame::Sparse { at, literals })
            }
            _ => {
                self.expect(TokenKind::Less, "`<` after `dense`")?;
                let mut literal = Literal::new(&self.budget);
                if !self.lexer.eat(TokenKind::Greater)? {
                    literal = self.literal(true)?;
                    self.expect(TokenKind::Greater, "`>` after the elements")?;
                }
                Ok(Frame::DenseElements { at, literal })
            }
        }
    }

    /// Elements that may lack their type, which is then this one; another attribute as it is.
    pub(crate) fn elements_of_type(&mut self, r#type: u32) -> Parsed<u32> {
        let token = self.lexer.peek()?;
        if !matches!(self.lexer.spelling(token), b"dense" | b"dense_resource" | b"sparse") {
            return self.parse_attribute();
        }
        self.lexer.seek(token.end);
        let elements = self.untyped_elements(token)?;
        let r#type = match self.lexer.eat(TokenKind::Colon)? {
            true => self.parse_goal(Goal::Type)?,
            false => r#type,
        };
        match self.resume(elements, r#type)? {
            Step::Done(value) => Ok(value),
            Step::Begin(_) => self.fail(token, "elements"),
        }
    }
}
