//! Elements of dense and sparse attributes and of arrays (`TensorLiteralParser` in
//! `mlir/lib/AsmParser/AttributeParser.cpp`).

use crate::attr::build::{canonical_elements, static_shape};
use crate::attr::text::dense;
use crate::attr::text::dense::{Dense, Element};
use crate::attr::text::int::Integer;
use crate::attr::text::lexer::{Sign, Token, TokenKind};
use crate::dialect::node::Field;
use crate::format::id::{AttrId, TypeId};
use crate::wire::bytes::Bytes;
use crate::wire::error::{Result, counted};
use crate::wire::limits::{Budget, ChargedVec, HeldMemory};

use super::{Literal, ParseStep, Parsed, Parser};

impl Literal {
    pub(super) fn new(budget: &Budget) -> Self {
        Self { shape: Vec::new(), elements: ChargedVec::new(budget), string: None }
    }
}

/// The literal has another length than its type; the parser stores both lengths.
pub(super) const LENGTH: &str = "elements of the length of the type";

/// The number of elements in each dimension, for people.
fn shown_shape(shape: &[i64]) -> String {
    match shape {
        [] => "one element".to_owned(),
        &[length] => counted(length.unsigned_abs() as usize, "element"),
        _ => {
            let lengths: Vec<_> = shape.iter().map(i64::to_string).collect();
            format!("{} elements", lengths.join("x"))
        }
    }
}

/// The length of the lists at one depth, and whether they contain lists.
#[derive(Default)]
struct ListDepth {
    length: Option<i64>,
    holds_lists: Option<bool>,
}

impl<'t> Parser<'t> {
    /// Parses elements in nested lists, a single element, or a string (`TensorLiteralParser`).
    pub(super) fn literal(&mut self, may_be_string: bool) -> Parsed<Literal> {
        let mut literal = Literal::new(&self.budget);
        let first = self.lexer.peek()?;
        if first.kind == TokenKind::String && may_be_string {
            literal.string = Some(self.lexer.next()?);
            return Ok(literal);
        }
        if first.kind != TokenKind::LeftSquare {
            self.literal_element(&mut literal)?;
            return Ok(literal);
        }
        const INCONSISTENT: &str = "lists of one length at each depth";
        let mut depths: ChargedVec<ListDepth> = ChargedVec::new(&self.budget);
        // The number of items so far, for each open list.
        let mut open: ChargedVec<i64> = ChargedVec::new(&self.budget);
        loop {
            // The token is an item, or the end of an empty list.
            let token = self.lexer.peek()?;
            let is_list = token.kind == TokenKind::LeftSquare;
            if let Some(depth) = open.len().checked_sub(1)
                && *depths[depth].holds_lists.get_or_insert(is_list) != is_list
            {
                return self.fail(token, INCONSISTENT);
            }
            if is_list {
                self.lexer.next()?;
                open.push(0)?;
                if depths.len() < open.len() {
                    depths.push(ListDepth::default())?;
                }
                if self.lexer.peek()?.kind != TokenKind::RightSquare {
                    continue;
                }
            } else {
                self.literal_element(&mut literal)?;
                if let Some(items) = open.last_mut() {
                    *items += 1;
                }
            }
            // After an item, lists end, or the innermost list continues.
            loop {
                let token = self.lexer.next()?;
                let is_empty = is_list && open.last() == Some(&0);
                match token.kind {
                    TokenKind::Comma if !is_empty => break,
                    TokenKind::RightSquare => {}
                    _ => return self.fail(token, "`,` or `]`"),
                }
                let Some(items) = open.pop() else { return self.fail(token, "an element") };
                if *depths[open.len()].length.get_or_insert(items) != items {
                    return self.fail(token, INCONSISTENT);
                }
                match open.last_mut() {
                    Some(outer) => *outer += 1,
                    None => {
                        literal.shape = depths.iter().map(|depth| depth.length.unwrap_or_default()).collect();
                        return Ok(literal);
                    }
                }
            }
        }
    }

    /// Parses a number, a Boolean, a string, or two elements in parentheses, which stand for their numbers in
    /// order (`TensorLiteralParser::parseElement` in `mlir/lib/AsmParser/AttributeParser.cpp`).
    fn literal_element(&mut self, literal: &mut Literal) -> Parsed<()> {
        if self.lexer.peek()?.kind != TokenKind::LeftParen {
            return self.literal_part(literal);
        }
        // Whether the first element is complete, for each open parenthesis.
        let mut open: ChargedVec<bool> = ChargedVec::new(&self.budget);
        loop {
            while self.lexer.eat(TokenKind::LeftParen)? {
                open.push(false)?;
            }
            self.literal_part(literal)?;
            while let Some(true) = open.last() {
                self.expect(TokenKind::RightParen, "`)` after the parts of a complex number")?;
                open.pop();
            }
            match open.last_mut() {
                Some(has_first) => *has_first = true,
                None => return Ok(()),
            }
            self.expect(TokenKind::Comma, "`,` between the parts of a complex number")?;
        }
    }

    /// Whether a type follows the next token, `<`, in a release that reads types before elements.
    pub(super) fn begins_with_type(&self) -> Parsed<bool> {
        let mut ahead = self.lexer.clone();
        if !self.release.has_types_before_elements() || !ahead.eat(TokenKind::Less)? {
            return Ok(false);
        }
        // Elements that are not tokens have errors of their own.
        let Ok(first) = ahead.peek() else { return Ok(false) };
        Ok(match first.kind {
            TokenKind::Type => true,
            TokenKind::Identifier => matches!(ahead.spelling(first), b"tensor" | b"vector"),
            _ => false,
        })
    }

    /// Parses `: [1 : i32, 2 : i32]>` after the type of the elements (`parseDenseElementsAttr` in
    /// `mlir/lib/AsmParser/AttributeParser.cpp`).
    pub(super) fn elements_after_type(&mut self, at: Token, r#type: TypeId) -> Parsed<AttrId> {
        self.expect(TokenKind::Colon, "`:` and the elements")?;
        self.repeated_type = dense::element_type(self.builder.entries(), r#type);
        let literal = self.literal(false);
        self.repeated_type = None;
        let literal = literal?;
        self.expect(TokenKind::Greater, "`>` after the elements")?;
        self.dense_elements(at, &literal, r#type)
    }

    /// Parses the type of an element in a list after the type of the list. Numbers without a type have the types of
    /// attributes.
    fn repeated_type(&mut self, element: Token, r#type: TypeId) -> Parsed<()> {
        let expected = self.type_text(r#type)?;
        let (place, written): (Token, &[u8]) = if self.lexer.eat(TokenKind::Colon)? {
            let place = self.lexer.next()?;
            (place, self.lexer.spelling(place))
        } else {
            let default: &[u8] = match element.kind {
                TokenKind::Integer => b"i64",
                TokenKind::Float => b"f64",
                _ => b"i1",
            };
            (element, default)
        };
        if *written != *expected {
            return self.fail(place, "an element with the element type after it");
        }
        Ok(())
    }

    fn literal_part(&mut self, literal: &mut Literal) -> Parsed<()> {
        let negative = self.lexer.eat(TokenKind::Minus)?;
        let token = self.lexer.next()?;
        let is_element = match token.kind {
            TokenKind::Integer | TokenKind::Float => true,
            TokenKind::String => !negative,
            TokenKind::Identifier => !negative && matches!(self.lexer.spelling(token), b"true" | b"false"),
            _ => false,
        };
        if !is_element {
            return self.fail(token, "an element");
        }
        literal.elements.push((negative, token))?;
        match self.repeated_type {
            Some(r#type) => self.repeated_type(token, r#type),
            None => Ok(()),
        }
    }

    /// Makes a dense attribute whose elements precede its type (`TensorLiteralParser::getAttr`).
    pub(super) fn dense_elements(&mut self, at: Token, literal: &Literal, r#type: TypeId) -> Parsed<AttrId> {
        let count = self.static_count(at, r#type)?;
        let shape = dense::shape(self.builder.entries(), r#type).unwrap_or_default();
        let element = match dense::element_type(self.builder.entries(), r#type) {
            Some(index) => self.element(index),
            None => dense::element_of(self.builder.entries(), r#type),
        };
        if let (Some(string), Some(element)) = (literal.string, element) {
            let data = self.hex_bytes(string)?;
            return self.dense_attribute(at, r#type, element, shape, data);
        }
        if !literal.shape.is_empty() && literal.shape != shape {
            return self.fail_lengths(at, shown_shape(&shape), shown_shape(&literal.shape));
        }
        if literal.string.is_none() && literal.elements.is_empty() && count > 0 {
            return self.fail(at, "elements");
        }
        let Some(element) = element else { return self.dense_strings(at, literal, r#type, count) };
        let parts = if matches!(element, Element::Complex(_)) { 2 } else { 1 };
        let number_count = literal.elements.len() as u64;
        if number_count != parts && Some(number_count) != count.checked_mul(parts) {
            let expected = counted(count.saturating_mul(parts) as usize, "number");
            return self.fail_lengths(at, expected, counted(number_count as usize, "number"));
        }
        let data = if element.is_bool() {
            self.packed_elements(literal, element)?
        } else {
            self.element_bytes(literal, element)?
        };
        self.dense_attribute(at, r#type, element, shape, data)
    }

    /// Packs one-bit elements, eight to a byte.
    fn packed_elements(&self, literal: &Literal, element: Element) -> Parsed<ChargedVec<u8>> {
        let mut data = ChargedVec::new(&self.budget);
        for elements in literal.elements.chunks(8) {
            let mut byte = 0;
            for (place, &(negative, token)) in elements.iter().enumerate() {
                byte |= (self.element_value(negative, token, element)?.low_word() as u8 & 1) << place;
            }
            data.push(byte)?;
        }
        if let ([_], [byte @ 1]) = (&*literal.elements, &mut *data) {
            *byte = 0xff;
        }
        Ok(data)
    }

    /// Returns the bytes of elements. Equal elements are stored once, because a type of a few characters may
    /// be 2 MiB wide.
    fn element_bytes(&self, literal: &Literal, element: Element) -> Parsed<ChargedVec<u8>> {
        let (part, parts) = (element.part(), if matches!(element, Element::Complex(_)) { 2 } else { 1 });
        let mut data = ChargedVec::new(&self.budget);
        let first_text = literal.elements.get(..parts).unwrap_or_default();
        let (mut first, mut values) = (Vec::new(), Vec::new());
        let mut is_splat = true;
        for (place, numbers) in literal.elements.chunks(parts).enumerate() {
            if is_splat && place > 0 && self.are_written_alike(numbers, first_text) {
                continue;
            }
            values.clear();
            for &(negative, token) in numbers {
                values.push(self.element_value(negative, token, part)?);
            }
            if place == 0 {
                first.clone_from(&values);
            } else if is_splat {
                if values == first {
                    continue;
                }
                is_splat = false;
                data.reserve_exact((literal.elements.len() - parts).saturating_mul(part.storage()))?;
                for value in (1..place).flat_map(|_| &first) {
                    push_number(&mut data, value, part.storage())?;
                }
            }
            for value in &values {
                push_number(&mut data, value, part.storage())?;
            }
        }
        Ok(data)
    }

    fn are_written_alike(&self, some: &[(bool, Token)], others: &[(bool, Token)]) -> bool {
        let text = |&(negative, token): &(bool, Token)| (negative, token.kind, self.lexer.spelling(token));
        some.iter().map(text).eq(others.iter().map(text))
    }

    pub(super) fn element_value(&self, negative: bool, token: Token, element: Element) -> Parsed<Integer> {
        if let Element::Float(semantics) = element {
            let bits = self.float_bits(token, negative, semantics)?;
            return Ok(Integer::of_words(vec![bits as u64, (bits >> 64) as u64], semantics.bits()));
        }
        match token.kind {
            TokenKind::Integer => self.integer_value_of(token, negative, element),
            TokenKind::Identifier if element.is_bool() => {
                Ok(Integer::of_words(vec![u64::from(self.lexer.spelling(token) == b"true")], 1))
            }
            _ => self.fail(token, "an integer that fits the type"),
        }
    }

    /// Returns the bytes of `"0x…"`.
    fn hex_bytes(&self, token: Token) -> Parsed<ChargedVec<u8>> {
        const EXPECTED: &str = "`0x` and an even number of hexadecimal digits";
        let spelling = self.lexer.spelling(token);
        let digits = spelling.strip_prefix(b"\"0x").and_then(|rest| rest.strip_suffix(b"\""));
        let Some(digits) = digits.filter(|digits| digits.len() % 2 == 0) else {
            return self.fail(token, EXPECTED);
        };
        let digit = |&byte: &u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
        let mut bytes = ChargedVec::new(&self.budget);
        bytes.reserve_exact(digits.len() / 2)?;
        for pair in digits.chunks_exact(2) {
            let Some((high, low)) = pair.first().and_then(digit).zip(pair.last().and_then(digit)) else {
                return self.fail(token, EXPECTED);
            };
            bytes.push(high << 4 | low)?;
        }
        Ok(bytes)
    }

    pub(super) fn dense_attribute(
        &mut self,
        at: Token,
        r#type: TypeId,
        element: Element,
        shape: Vec<i64>,
        data: ChargedVec<u8>,
    ) -> Parsed<AttrId> {
        let (data, held) = data.into_parts();
        let data = Bytes::from(data);
        let length = data.len();
        let Some(dense) = Dense::from_parts(element, shape, &data) else {
            let count = self.static_count(at, r#type)?;
            let expected = match element.is_bool() {
                true => counted(count.div_ceil(8) as usize, "byte"),
                false => counted((count as usize).saturating_mul(element.storage()), "byte"),
            };
            return self.fail_lengths(at, expected, counted(length, "byte"));
        };
        let data = canonical_elements(&dense, &data);
        self.make_holding(held, |this| {
            this.attribute_with("DenseIntOrFPElementsAttr", &data, None, |fill| {
                fill.r#type(r#type).blob(data.len());
            })
        })
    }

    /// Makes an attribute. If it is new, the memory of its bytes stays held for as long as the tables exist.
    pub(super) fn make_holding(
        &mut self,
        held: HeldMemory,
        make: impl FnOnce(&mut Self) -> Parsed<AttrId>,
    ) -> Parsed<AttrId> {
        let count_before = self.builder.attribute_count();
        let index = make(self)?;
        if self.builder.attribute_count() > count_before {
            held.keep();
        }
        Ok(index)
    }

    fn dense_strings(&mut self, at: Token, literal: &Literal, r#type: TypeId, count: u64) -> Parsed<AttrId> {
        let tokens = literal.string.iter().chain(literal.elements.iter().map(|(_, token)| token));
        let mut strings = Vec::new();
        for &token in tokens {
            if token.kind != TokenKind::String {
                return self.fail(token, "a string, because the element type is not a number");
            }
            let bytes = self.unquoted(token)?;
            strings.push(self.builder.string(&bytes));
        }
        if strings.len() != 1 && strings.len() as u64 != count {
            return self.fail(at, "as many strings as the type has elements");
        }
        let is_splat = strings.first().is_some_and(|first| strings.iter().all(|string| string == first));
        if is_splat {
            strings.truncate(1);
        }
        self.make_attribute("DenseStringElementsAttr", |fill| {
            fill.r#type(r#type).field(Field::Unsigned(is_splat.into()));
            fill.list(strings.iter().map(|&string| Field::String(string)));
        })
    }

    /// Returns the number of elements of a type, which must be a static tensor or vector.
    /// Fails with the length that the type has, and the length of the literal.
    #[cold]
    fn fail_lengths<T>(&mut self, at: Token, of_type: String, of_literal: String) -> Parsed<T> {
        self.lengths = Some((format!("{of_type} for the type"), of_literal));
        self.fail(at, LENGTH)
    }

    fn static_count(&self, at: Token, r#type: TypeId) -> Parsed<u64> {
        match static_shape(&self.builder, r#type) {
            Ok(count) => Ok(count),
            Err(_) => self.fail(at, "elements of a type with a static shape"),
        }
    }

    pub(super) fn sparse(
        &mut self,
        at: Token,
        literals: Option<(Literal, Literal)>,
        r#type: TypeId,
    ) -> Parsed<ParseStep> {
        self.static_count(at, r#type)?;
        let shape = dense::shape(self.builder.entries(), r#type).unwrap_or_default();
        let rank = shape.len() as i64;
        let Some(element) = dense::element_type(self.builder.entries(), r#type) else {
            return self.fail(at, "sparse elements of a tensor or a vector");
        };
        let (indices, values) = literals.unwrap_or_else(|| {
            let none = |shape: Vec<i64>| Literal { shape, ..Literal::new(&self.budget) };
            (none(vec![0, rank]), none(vec![0]))
        });
        let indices_shape = if indices.shape.is_empty() { vec![1, rank] } else { indices.shape.clone() };
        let count = indices_shape.first().copied().unwrap_or_default();
        let values_shape = if values.shape.is_empty() { vec![count] } else { values.shape.clone() };
        // `SparseElementsAttr::verify` in `mlir/lib/IR/BuiltinAttributes.cpp`
        let is_matrix =
            matches!(*indices_shape, [_, width] if width == rank) || (indices_shape.len() == 1 && rank == 1);
        if !is_matrix || values_shape.len() != 1 {
            return self.fail(at, "one row of indices for each value, with one index for each dimension");
        }
        if values_shape.first() != Some(&count) {
            return self.fail(at, "as many values as rows of indices");
        }
        self.check_indices(&indices, &shape)?;
        let i64_type = self.integer_type(64, Sign::Signless)?;
        let indices_type = self.tensor(&indices_shape, i64_type)?;
        let values_type = self.tensor(&values_shape, element)?;
        let indices = self.dense_elements(at, &indices, indices_type)?;
        let values = self.dense_elements(at, &values, values_type)?;
        self.attribute_of("SparseElementsAttr", |fill| {
            fill.r#type(r#type).attribute(indices).attribute(values);
        })
    }

    fn check_indices(&self, indices: &Literal, shape: &[i64]) -> Parsed<()> {
        for (place, &(negative, token)) in indices.elements.iter().enumerate() {
            let index = self.element_value(negative, token, Element::Signless(64))?.low_word() as i64;
            // A single index is used for all dimensions.
            let sizes = match indices.shape.is_empty() {
                true => shape,
                false => shape
                    .get(place % shape.len().max(1)..)
                    .and_then(|sizes| sizes.get(..1))
                    .unwrap_or_default(),
            };
            if sizes.iter().any(|&size| index < 0 || index >= size) {
                return self.fail(token, "an index below the size of its dimension");
            }
        }
        Ok(())
    }

    pub(crate) fn tensor(&mut self, shape: &[i64], element: TypeId) -> Parsed<TypeId> {
        self.make_type("RankedTensorType", |fill| {
            fill.sizes(shape).r#type(element);
        })
    }

    pub(super) fn dense_array(&mut self, at: Token, r#type: TypeId) -> Parsed<ParseStep> {
        let element = match self.element(r#type) {
            Some(Element::Index | Element::Complex(_)) | None => {
                return self.fail(at, "an integer or float type");
            }
            Some(element) if !element.is_bool() && element.bits() % 8 != 0 => {
                return self.fail(at, "a type with a whole number of bytes, or `i1`");
            }
            Some(element) => element,
        };
        let (mut data, mut count) = (ChargedVec::new(&self.budget), 0_u64);
        let mut goes_on = false;
        if !self.lexer.eat(TokenKind::Greater)? {
            self.expect(TokenKind::Colon, "`:` and elements, or `>`")?;
            goes_on = true;
        }
        while goes_on {
            let negative = self.lexer.eat(TokenKind::Minus)?;
            let token = self.lexer.next()?;
            // Values of one bit are accepted by name only.
            if element.is_bool() && token.kind != TokenKind::Identifier {
                return self.fail(token, "`true` or `false`");
            }
            if token.kind == TokenKind::Identifier
                && !matches!(self.lexer.spelling(token), b"true" | b"false")
            {
                return self.fail(token, "an element");
            }
            let value = self.element_value(negative, token, element)?;
            push_number(&mut data, &value, element.storage())?;
            count += 1;
            goes_on = self.goes_on(TokenKind::Greater, "`,` or `>`")?;
        }
        let (data, held) = data.into_parts();
        let data = Bytes::from(data);
        let index = self.make_holding(held, |this| {
            this.attribute_with("DenseArrayAttr", &data, None, |fill| {
                fill.r#type(r#type).field(Field::Unsigned(count)).blob(data.len());
            })
        })?;
        Ok(ParseStep::of_attribute(index))
    }
}

/// Appends the lowest `size` bytes of a number.
pub(super) fn push_number(data: &mut ChargedVec<u8>, value: &Integer, size: usize) -> Result<()> {
    if size <= size_of::<u64>() {
        let bytes = value.low_word().to_le_bytes();
        return data.extend_from_slice(bytes.get(..size).unwrap_or(&bytes));
    }
    let bytes = value.words().flat_map(u64::to_le_bytes).chain(std::iter::repeat(0));
    data.extend(bytes, size)
}
