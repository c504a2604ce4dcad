//! Attributes (`mlir/lib/AsmParser/AttributeParser.cpp`), and the symbols of dialects (`DialectSymbolParser.cpp`).

use crate::attr::strided_text;
use crate::attr::table::Identity;
use crate::attr::text::affine;
use crate::attr::text::affine::MapOrSet;
use crate::attr::text::dense::Element;
use crate::attr::text::entry::{EntryPrinter, EntryStyle};
use crate::attr::text::escape;
use crate::attr::text::float;
use crate::attr::text::float::Semantics;
use crate::attr::text::int;
use crate::attr::text::int::Integer;
use crate::attr::text::lexer::{Lexer, Sign, Token, TokenKind};
use crate::attr::text::out::Out;
use crate::dialect::entries::Entries;
use crate::dialect::node::Field;
use crate::format::id::{AttrId, TypeId};
use crate::release::Llvm;
use crate::wire::bytes::Bytes;
use crate::wire::cursor::ByteSink;
use crate::wire::error::{Error, ErrorKind};
use crate::wire::limits::HeldMemory;
use crate::wire::order::sort_by;
use std::collections::HashSet;

use super::{DYNAMIC, Failure, Goal, ParseFrame, ParseStep, Parsed, Parser, index_of, is_type_keyword};

/// The length above which literals of integers are charged.
const LONG_LITERAL: usize = 64;

/// The maximum size of a word in the encoding of an integer, in bytes.
const MAX_WORD_BYTES: usize = 9;

impl<'t> Parser<'t> {
    pub(super) fn attribute(&mut self) -> Parsed<ParseStep> {
        let token = self.lexer.peek()?;
        let mut next = self.lexer.clone();
        next.seek(token.end);
        match token.kind {
            TokenKind::LeftSquare => {
                self.lexer = next;
                if self.lexer.eat(TokenKind::RightSquare)? {
                    return self.attribute_of("ArrayAttr", |fill| {
                        fill.attributes(&[]);
                    });
                }
                self.begin(ParseFrame::Array(Vec::new()), Goal::Attribute)
            }
            TokenKind::LeftBrace => {
                self.lexer = next;
                if self.lexer.eat(TokenKind::RightBrace)? {
                    return self.dictionary(Vec::new());
                }
                self.dictionary_entry(Vec::new(), HashSet::new())
            }
            TokenKind::Attribute => {
                self.lexer = next;
                self.dialect_attribute(token)
            }
            TokenKind::Integer | TokenKind::Float => {
                self.lexer = next;
                self.number(token, false)
            }
            TokenKind::Minus => {
                self.lexer = next;
                let token = self.lexer.next()?;
                match token.kind {
                    TokenKind::Integer | TokenKind::Float => self.number(token, true),
                    _ => self.fail(token, "a number after `-`"),
                }
            }
            TokenKind::String => {
                self.lexer = next;
                let bytes = self.unquoted(token)?;
                if self.lexer.eat(TokenKind::Colon)? {
                    let index = self.builder.string(&bytes);
                    return self.begin(ParseFrame::TypedString(index), Goal::Type);
                }
                self.string_attribute(&bytes).map(ParseStep::of_attribute)
            }
            TokenKind::Symbol => {
                self.lexer = next;
                self.symbol_reference(token)
            }
            TokenKind::Identifier => {
                let word = self.lexer.spelling(token);
                if let Some(step) = self.keyword_attribute(token, word, next)? {
                    return Ok(step);
                }
                self.type_attribute(token)
            }
            _ => self.type_attribute(token),
        }
    }

    fn type_attribute(&mut self, token: Token) -> Parsed<ParseStep> {
        let is_type = match token.kind {
            TokenKind::IntegerType | TokenKind::Type | TokenKind::LeftParen => true,
            TokenKind::Identifier => is_type_keyword(self.lexer.spelling(token)),
            _ => false,
        };
        if !is_type {
            return self.fail(token, "an attribute");
        }
        self.begin(ParseFrame::TypeAttribute, Goal::Type)
    }

    /// Parses an attribute that starts with a word; `None` if the word starts no attribute.
    fn keyword_attribute(&mut self, token: Token, word: &[u8], next: Lexer<'t>) -> Parsed<Option<ParseStep>> {
        let before = std::mem::replace(&mut self.lexer, next);
        let step = match word {
            b"true" | b"false" => {
                let r#type = self.integer_type(1, Sign::Signless)?;
                let value = u64::from(word == b"true");
                self.attribute_of("IntegerAttr", |fill| {
                    fill.r#type(r#type).number(vec![value], 1);
                })?
            }
            b"unit" => self.attribute_of("UnitAttr", |_| {})?,
            b"loc" => {
                self.expect(TokenKind::LeftParen, "`(` after `loc`")?;
                self.begin(ParseFrame::InlineLocation, Goal::Location)?
            }
            b"dense" if self.begins_with_type()? => {
                self.expect(TokenKind::Less, "`<` after `dense`")?;
                self.begin(ParseFrame::TypeBeforeElements { at: token }, Goal::Type)?
            }
            b"dense" | b"dense_resource" | b"sparse" => {
                let elements = self.untyped_elements(token)?;
                self.expect(TokenKind::Colon, "`:` and the type of the elements")?;
                self.begin(elements, Goal::Type)?
            }
            b"array" => {
                self.expect(TokenKind::Less, "`<` after `array`")?;
                let at = self.lexer.peek()?;
                self.begin(ParseFrame::DenseArray { at }, Goal::Type)?
            }
            b"affine_map" | b"affine_set" => ParseStep::Done(self.affine(word)?.number()),
            b"strided" => ParseStep::Done(self.strided()?.number()),
            b"distinct" => {
                self.expect(TokenKind::LeftSquare, "`[` after `distinct`")?;
                let number = self.lexer.next()?;
                let number = self.unsigned(number, "a number below 2^64")?;
                self.expect(TokenKind::RightSquare, "`]` after the number")?;
                self.expect(TokenKind::Less, "`<` and what the attribute refers to")?;
                if self.lexer.eat(TokenKind::Greater)? {
                    let unit = self.make_attribute("UnitAttr", |_| {})?;
                    ParseStep::Done(self.distinct(token, number, unit)?.number())
                } else {
                    self.begin(ParseFrame::Distinct { at: token, number }, Goal::Attribute)?
                }
            }
            _ => {
                self.lexer = before;
                return Ok(None);
            }
        };
        Ok(Some(step))
    }

    pub(super) fn dictionary_entry(
        &mut self,
        mut entries: Vec<(Vec<u8>, AttrId)>,
        mut seen: HashSet<Vec<u8>>,
    ) -> Parsed<ParseStep> {
        loop {
            let token = self.lexer.next()?;
            let key = match token.kind {
                TokenKind::String => self.unquoted(token)?,
                TokenKind::Identifier | TokenKind::IntegerType => self.lexer.spelling(token).to_vec(),
                _ => return self.fail(token, "the name of an attribute"),
            };
            if key.is_empty() {
                return self.fail(token, "a nonempty name");
            }
            if !seen.insert(key.clone()) {
                return self.fail(token, "a name that does not occur twice");
            }
            if self.lexer.eat(TokenKind::Equal)? {
                return self.begin(ParseFrame::Dictionary { entries, seen, key }, Goal::Attribute);
            }
            let unit = self.make_attribute("UnitAttr", |_| {})?;
            entries.push((key, unit));
            if !self.goes_on(TokenKind::RightBrace, "`=`, `,` or `}`")? {
                return self.dictionary(entries);
            }
        }
    }

    pub(super) fn dictionary(&mut self, mut entries: Vec<(Vec<u8>, AttrId)>) -> Parsed<ParseStep> {
        sort_by(&mut entries, Ord::cmp);
        let mut fields = Vec::new();
        for (key, value) in entries {
            let key = self.string_attribute(&key)?;
            fields.extend([Field::Attribute(key, 0), Field::Attribute(value, 0)]);
        }
        self.attribute_of("DictionaryAttr", |fill| {
            fill.0.begin_field();
            let at = fill.0.begin_list();
            fields.iter().for_each(|&field| fill.0.push(field));
            fill.0.end_list(at, (fields.len() / 2) as u32);
        })
    }

    /// Parses a literal and its type, if there is one.
    fn number(&mut self, literal: Token, negative: bool) -> Parsed<ParseStep> {
        let is_typed = self.lexer.eat(TokenKind::Colon)?;
        if literal.kind == TokenKind::Float {
            if is_typed {
                return self.begin(ParseFrame::TypedFloat { literal, negative }, Goal::Type);
            }
            let r#type = self.make_type("Float64Type", |_| {})?;
            return self.float_attribute(literal, negative, r#type);
        }
        if is_typed {
            return self.begin(ParseFrame::TypedInteger { literal, negative }, Goal::Type);
        }
        let r#type = self.integer_type(64, Sign::Signless)?;
        self.integer_attribute(literal, negative, r#type)
    }

    pub(super) fn float_attribute(
        &mut self,
        literal: Token,
        negative: bool,
        r#type: TypeId,
    ) -> Parsed<ParseStep> {
        let Some(Element::Float(semantics)) = self.element(r#type) else {
            return self.fail(literal, "an integer, because the type is not a float type");
        };
        let bits = self.float_bits(literal, negative, semantics)?;
        self.attribute_of("FloatAttr", |fill| {
            fill.r#type(r#type).number(vec![bits as u64, (bits >> 64) as u64], semantics.bits());
        })
    }

    pub(super) fn integer_attribute(
        &mut self,
        literal: Token,
        negative: bool,
        r#type: TypeId,
    ) -> Parsed<ParseStep> {
        let element = match self.element(r#type) {
            Some(Element::Float(_)) => return self.float_attribute(literal, negative, r#type),
            Some(element) if !matches!(element, Element::Complex(_)) => element,
            _ => return self.fail(literal, "a value of the type"),
        };
        let value = self.integer_value_of(literal, negative, element)?;
        let _held = self.hold_words(&value)?;
        self.attribute_of("IntegerAttr", |fill| {
            fill.r#type(r#type).integer(&value, element.bits());
        })
    }

    /// Holds the memory of the words of a wide number and of their encoding.
    pub(super) fn hold_words(&self, value: &Integer) -> Parsed<Option<HeldMemory>> {
        let bytes = value.used_len() * (size_of::<u64>() + MAX_WORD_BYTES);
        Ok(if value.used_len() > 2 { Some(self.budget.hold(bytes)?) } else { None })
    }

    pub(super) fn integer_value_of(
        &self,
        literal: Token,
        negative: bool,
        element: Element,
    ) -> Parsed<Integer> {
        // An index has no unsigned range, unlike a signless integer.
        let sign = match element {
            Element::Signed(_) | Element::Index => Sign::Signed,
            Element::Unsigned(_) => Sign::Unsigned,
            _ => Sign::Signless,
        };
        let digits = self.lexer.spelling(literal);
        // Converting takes about as much memory as the digits.
        let _held =
            if digits.len() > LONG_LITERAL { Some(self.budget.hold(4 * digits.len())?) } else { None };
        match int::parse_int(negative, digits, element.bits(), sign) {
            Some(value) => Ok(value),
            None => self.fail(literal, "an integer that fits the type"),
        }
    }

    /// Parses a decimal literal, or the bits as a hexadecimal literal (`Parser::parseFloatFromLiteral`).
    pub(super) fn float_bits(&self, literal: Token, negative: bool, semantics: Semantics) -> Parsed<u128> {
        let digits = self.lexer.spelling(literal);
        if literal.kind == TokenKind::Float {
            let bits = if negative {
                float::parse_literal(&[b"-", digits].concat(), semantics)
            } else {
                float::parse_literal(digits, semantics)
            };
            return match bits {
                Some(bits) => Ok(bits),
                None => self.fail(literal, "a float that the type can represent"),
            };
        }
        if literal.kind != TokenKind::Integer || negative || !digits.starts_with(b"0x") {
            return self.fail(literal, "a float: digits with a decimal point, or its bits as `0x…`");
        }
        match int::parse_int(false, digits, semantics.bits(), Sign::Signless) {
            Some(value) if semantics == Semantics::F80 => Ok(canonical_x87(value.low_bits())),
            Some(value) => Ok(value.low_bits()),
            None => self.fail(literal, "as many bits as the type has"),
        }
    }

    fn symbol_reference(&mut self, root: Token) -> Parsed<ParseStep> {
        let root = self.symbol_name(root)?;
        let mut nested = Vec::new();
        loop {
            let before = self.lexer.clone();
            if !(self.lexer.eat(TokenKind::Colon)? && self.lexer.eat(TokenKind::Colon)?) {
                self.lexer = before;
                break;
            }
            let token = self.expect(TokenKind::Symbol, "`@` and the name of a nested symbol")?;
            let name = self.symbol_name(token)?;
            nested.push(self.make_attribute("FlatSymbolRefAttr", |fill| {
                fill.attribute(name);
            })?);
        }
        if nested.is_empty() {
            return self.attribute_of("FlatSymbolRefAttr", |fill| {
                fill.attribute(root);
            });
        }
        self.attribute_of("SymbolRefAttr", |fill| {
            fill.attribute(root).attributes(&nested);
        })
    }

    fn symbol_name(&mut self, token: Token) -> Parsed<AttrId> {
        let name = self.lexer.spelling(token).get(1..).unwrap_or_default();
        if name.starts_with(b"\"") {
            let name = self.unquoted(Token { start: token.start + 1, ..token })?;
            return self.string_attribute(&name);
        }
        self.string_attribute(name)
    }

    fn affine(&mut self, word: &[u8]) -> Parsed<AttrId> {
        self.expect(TokenKind::Less, "`<` after the keyword")?;
        let start = self.lexer.peek()?;
        let parsed = affine::parse_map_or_set(&mut self.lexer, self.release)?;
        let mut text = [word, b"<"].concat();
        match (&parsed, word) {
            (MapOrSet::Map(map), b"affine_map") => affine::write_map(&mut text, map),
            (MapOrSet::Set(set), b"affine_set") => affine::write_set(&mut text, set),
            (MapOrSet::Map(_), _) => return self.fail(start, "an integer set, not an affine map"),
            (MapOrSet::Set(_), _) => return self.fail(start, "an affine map, not an integer set"),
        }
        text.push(b'>');
        self.expect(TokenKind::Greater, "`>` after the map or set")?;
        let mut sink = ByteSink::new();
        match &parsed {
            MapOrSet::Map(map) => map.encode(&mut sink),
            MapOrSet::Set(set) => set.encode(&mut sink),
        }
        let grouped = sink.into_bytes();
        if let Some(index) = self.coded(false, &text, Some(&grouped))? {
            return Ok(AttrId::new(index));
        }
        let index = self.builtin_text(false, &text)?;
        if self.aliases.is_some() {
            let release = self.release;
            if affine::restated(&text, || release).is_some() {
                return Err(Self::ambiguous(start, "is read as another one when it is printed"));
            }
            let groupings = self.aliases.as_mut().map(|aliases| &mut aliases.maps);
            if groupings.is_some_and(|groupings| {
                *groupings.entry(index).or_insert_with(|| grouped.clone()) != grouped
            }) {
                return Err(Self::ambiguous(
                    start,
                    "prints as another one that has its sums in another order",
                ));
            }
        }
        Ok(AttrId::new(index))
    }

    // Bytecode has the printed text of maps, which the writer cannot distinguish.
    #[cold]
    fn ambiguous(at: Token, why: &str) -> Failure {
        let message = format!("this affine map or set {why}, so its bytecode is not known");
        let help = "write its sums in the order in which MLIR prints them";
        Error::message(ErrorKind::AsmForm, message).with_hint(help).at(at.start as u64).into()
    }

    fn strided(&mut self) -> Parsed<AttrId> {
        self.expect(TokenKind::Less, "`<` after `strided`")?;
        self.expect(TokenKind::LeftSquare, "`[` and the strides")?;
        let mut strides = Vec::new();
        if !self.lexer.eat(TokenKind::RightSquare)? {
            loop {
                strides.push(self.stride()?);
                if !self.goes_on(TokenKind::RightSquare, "`,` or `]`")? {
                    break;
                }
            }
        }
        let mut offset = 0;
        if self.goes_on(TokenKind::Greater, "`,` or `>`")? {
            self.lexer.expect_word("offset")?;
            self.expect(TokenKind::Colon, "`:` after `offset`")?;
            offset = self.stride()?;
            self.expect(TokenKind::Greater, "`>` after the offset")?;
        }
        self.builtin_text(false, &strided_text(&strides, offset)).map(AttrId::new)
    }

    fn stride(&mut self) -> Parsed<i64> {
        if self.lexer.eat(TokenKind::Question)? {
            return Ok(DYNAMIC);
        }
        let negative = self.lexer.eat(TokenKind::Minus)?;
        let token = self.lexer.next()?;
        let expected = "a 64-bit integer or `?`";
        match i64::try_from(self.unsigned(token, expected)?) {
            Ok(number) => Ok(if negative { -number } else { number }),
            Err(_) => self.fail(token, expected),
        }
    }

    pub(super) fn distinct(&mut self, at: Token, number: u64, referenced: AttrId) -> Parsed<AttrId> {
        if let Some(&(index, other)) = self.distinct.get(&number) {
            if other != referenced {
                return self.fail(at, "the attribute that this distinct attribute referred to before");
            }
            return Ok(index);
        }
        let identity = Some(Identity::fresh());
        let index = self.attribute_with("DistinctAttr", &Bytes::new(), identity, |fill| {
            fill.attribute(referenced);
        })?;
        self.distinct.insert(number, (index, referenced));
        Ok(index)
    }

    /// Returns the dialect and the text of `#dialect.symbol<…>` or `#dialect<…>`, as printed
    /// (`printDialectSymbol` in `mlir/lib/IR/AsmPrinter.cpp`).
    pub(super) fn dialect_symbol(&mut self, token: Token) -> Parsed<(u32, Vec<u8>)> {
        let spelling = self.lexer.spelling(token);
        let (sigil, name) = spelling.split_at(1);
        let body = self.lexer.dialect_body()?;
        let (dialect, symbol) = match name.iter().position(|&byte| byte == b'.') {
            Some(dot) => (
                name.get(..dot).unwrap_or_default(),
                [name.get(dot + 1..), body].map(Option::unwrap_or_default).concat(),
            ),
            None => match body {
                Some(body) => (name, body.get(1..body.len() - 1).unwrap_or_default().to_vec()),
                None => {
                    return self.fail(token, "`dialect.name` or `dialect<…>`; aliases are not defined here");
                }
            },
        };
        let symbol = self.without_aliases(dialect, symbol)?;
        let symbol = self.respaced((*sigil.first().unwrap_or(&b'#'), dialect), symbol, token)?;
        let (open, close): (&[u8], &[u8]) =
            if escape::is_pretty_dialect_symbol(&symbol) { (b".", b"") } else { (b"<", b">") };
        let text = [sigil, dialect, open, &symbol, close].concat();
        if dialect == b"builtin" {
            return self.fail(token, "the builtin dialect without its name, as in `i32` or `unit`");
        }
        // A comment may have hidden the end of the symbol.
        if self.aliases.is_some() && super::skim::skim_value(&text, sigil == b"!").is_err() {
            return self.fail(token, "balanced brackets in the symbol of a dialect");
        }
        if !is_namespace(dialect) || text.contains(&0) {
            return self.fail(token, "the name of a dialect, and no zero bytes");
        }
        Ok((self.builder.dialect(dialect), text))
    }

    fn dialect_attribute(&mut self, token: Token) -> Parsed<ParseStep> {
        if let Some(index) = self.alias(token)? {
            return Ok(ParseStep::Done(index));
        }
        if self.dlti.is_some() && self.lexer.spelling(token).starts_with(b"#dlti.") {
            return self.dlti_attribute(token);
        }
        if self.dlti.is_none()
            && let Some(index) = self.table_entry(false, token)?
        {
            return Ok(ParseStep::Done(index));
        }
        let (dialect, text) = self.dialect_symbol(token)?;
        if self.lexer.eat(TokenKind::Colon)? {
            let name = text.get(1..).unwrap_or_default();
            let end = name.iter().position(|byte| matches!(byte, b'.' | b'<')).unwrap_or(name.len());
            if self.drops_type(name.get(..end).unwrap_or_default()) {
                self.nested(Goal::Type)?;
                return Ok(ParseStep::Done(index_of(self.builder.text(false, dialect, &text)?).number()));
            }
            // The text of a complex number already contains the type.
            if !text.starts_with(b"#complex.number<") || !text.windows(4).any(|part| part == b"> : ") {
                return self.begin(ParseFrame::TypedDialect { dialect, text }, Goal::Type);
            }
            self.nested(Goal::Type)?;
        }
        let text = self.with_value_type(text);
        Ok(ParseStep::Done(index_of(self.builder.text(false, dialect, &text)?).number()))
    }

    pub(super) fn type_text(&self, index: TypeId) -> Parsed<Vec<u8>> {
        let style = EntryStyle { release: Llvm::NEWEST, elide_elements: None };
        let entries: &dyn Entries = self.builder.entries();
        let mut printer = EntryPrinter::new(&entries, style, self.longest_text()).without_cache();
        let mut out = Out::memory();
        printer.r#type(&mut out, index);
        match printer.faults.into_iter().next() {
            Some(fault) => Err(fault.into()),
            None => Ok(out.buffer),
        }
    }
}

/// Whether this is a valid dialect name (`Dialect::isValidNamespace` in `mlir/lib/IR/Dialect.cpp`).
fn is_namespace(name: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    name.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_')
        && name.iter().all(is_part)
}

/// Returns the bits of an `f80` after conversion to a number (`initFromF80LongDoubleAPInt` and
/// `convertF80LongDoubleAPFloatToAPInt` in `llvm/lib/Support/APFloat.cpp`): the leading bit is stored, and a
/// contradiction becomes a NaN, or a number with the smallest exponent.
fn canonical_x87(bits: u128) -> u128 {
    const LEADING_ONE: u128 = 1 << 63;
    const EXPONENT: u128 = 0x7fff << 64;
    match (bits & EXPONENT, bits & LEADING_ONE) {
        (0, LEADING_ONE) => bits | 1 << 64,
        (1.., 0) => bits | EXPONENT,
        _ => bits,
    }
}
