//! Attributes and types of dialects with a table, parsed by the templates that print them.
//!
//! An encoding is tried from the name of the symbol to its end. If no encoding matches, the symbol is kept as
//! text, as for a dialect without a table: the text may belong to another release. Encodings with the same
//! name are tried in order, so nested parts are cached by position and parsed once. Nesting of dialects
//! recurses, to a small depth; deeper symbols are kept as text.

mod candidate;
mod printer_dispatch;

pub(super) use candidate::{Candidate, ParsedField};

use std::sync::Arc;

use crate::attr::canonical::restated;
use crate::attr::text::float::Semantics;
use crate::attr::text::lexer::{Token, TokenKind};
use crate::attr::text::scan::class_of;
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::Field;
use crate::dialect::table::{DialectTable, Encoding, Omit, Primitive, Style};
use crate::dialect::template::{Template, TemplatePiece};
use crate::format::id::{AttrId, TypeId};
use crate::release::keeps_text;
use crate::wire::bytes::Bytes;
use crate::wire::error::ErrorKind;

use super::{DYNAMIC, Failure, Fill, Goal, Parsed, Parser, index_of};

/// The maximum nesting of dialect symbols; each level takes a few frames of the program's stack.
const MAX_DEPTH: u32 = 24;

impl<'t> Parser<'t> {
    /// Parses the symbol that starts with `token` and returns its entry, with the lexer after it; `None`,
    /// with the lexer unchanged, if no encoding of a table matches.
    ///
    /// # Errors
    /// Limits; a text that matches no encoding is not an error.
    pub(super) fn table_entry(&mut self, is_type: bool, token: Token) -> Parsed<Option<u32>> {
        let start = self.lexer.clone();
        if let Some((end, index)) = self.symbols.get(&token.start) {
            let index = *index;
            self.lexer = end.clone();
            return Ok(index);
        }
        if self.symbol_depth >= MAX_DEPTH {
            return Ok(None);
        }
        self.symbol_depth += 1;
        let index = self.find_form(is_type, token);
        self.symbol_depth -= 1;
        let index = index?;
        if index.is_none() {
            self.lexer = start;
        }
        self.symbols.insert(token.start, (self.lexer.clone(), index));
        Ok(index)
    }

    fn find_form(&mut self, is_type: bool, token: Token) -> Parsed<Option<u32>> {
        let spelling = self.lexer.spelling(token).get(1..).unwrap_or_default();
        let dot = spelling.iter().position(|&byte| byte == b'.');
        let name = spelling.get(..dot.unwrap_or(spelling.len())).unwrap_or_default();
        let dialect = self.builder.dialect(name);
        let Some(table) = self.builder.table_of(dialect).filter(|_| dialect != self.builder.builtin()) else {
            return Ok(None);
        };
        for target in self.readers_of(name) {
            if keeps_text(target, name, is_type)? {
                return Ok(None);
            }
        }
        let mnemonic = match dot {
            Some(dot) => spelling.get(dot + 1..).unwrap_or_default(),
            None => {
                if !self.text_piece("<") {
                    return Ok(None);
                }
                match self.word() {
                    Some(word) => word,
                    None => return Ok(None),
                }
            }
        };
        let forms = if is_type { &table.types } else { &table.attributes };
        let (after_name, frames) = (self.lexer.clone(), self.frames.len());
        for form in &forms.rows {
            if form.mnemonic.as_deref().map(str::as_bytes) != Some(mnemonic) {
                continue;
            }
            self.lexer = after_name.clone();
            let parsed = self.form_entry(&table, dialect, form, is_type);
            self.frames.truncate(frames);
            let Some(index) = unless_text(parsed)? else { continue };
            if dot.is_none() && !self.text_piece(">") {
                continue;
            }
            // A name followed by brackets or a type is another spelling.
            let next = self.lexer.peek()?;
            if next.kind == TokenKind::Less || !is_type && next.kind == TokenKind::Colon {
                continue;
            }
            return Ok(Some(index));
        }
        Ok(None)
    }

    /// Parses an entry of this encoding from the text after its name.
    pub(super) fn form_entry(
        &mut self,
        table: &Arc<DialectTable>,
        dialect: u32,
        form: &Encoding,
        is_type: bool,
    ) -> Parsed<Option<u32>> {
        let Some(layout) = form.layouts.first() else { return Ok(None) };
        let values = layout.fields.iter().map(|_| None).collect();
        let mut candidate = Candidate { table, dialect, form, layout, values, at: 0 };
        if !self.template(&form.asm, &mut candidate)? {
            return Ok(None);
        }
        self.finish_candidate(candidate, is_type)
    }

    fn template(&mut self, template: &Template, candidate: &mut Candidate<'_>) -> Parsed<bool> {
        for piece in &template.pieces {
            let fits = match piece {
                TemplatePiece::Text(text) => self.text_piece(text),
                TemplatePiece::Field(number, style) => self.field(candidate, *number, *style)?,
                TemplatePiece::Params(fields) => self.params(candidate, fields)?,
                TemplatePiece::Where(number, inner) if candidate.is_unset_flag(*number, inner) => {
                    let is_there = self.condition(inner, candidate)?;
                    candidate.set_flag(*number, is_there);
                    true
                }
                TemplatePiece::Unless(number, inner) if candidate.is_unset_flag(*number, inner) => {
                    let is_there = self.condition(inner, candidate)?;
                    candidate.set_flag(*number, !is_there);
                    true
                }
                TemplatePiece::Where(number, inner) => {
                    let (lexer, values) = (self.lexer.clone(), candidate.values.clone());
                    if !unless_text(self.template(inner, candidate).map(Some))?.unwrap_or(false)
                        || candidate.is_empty(*number)
                    {
                        (self.lexer, candidate.values) = (lexer, values);
                    }
                    true
                }
                TemplatePiece::Unless(number, inner) => {
                    !candidate.is_empty(*number) || self.template(inner, candidate)?
                }
                TemplatePiece::Print => self.printed(candidate)?,
            };
            if !fits {
                return Ok(false);
            }
        }
        Ok(true)
    }

    // Parses the text of a condition, if it is present.
    fn condition(&mut self, template: &Template, candidate: &mut Candidate<'_>) -> Parsed<bool> {
        let (lexer, values) = (self.lexer.clone(), candidate.values.clone());
        let is_there = unless_text(self.template(template, candidate).map(Some))?.unwrap_or(false);
        if !is_there {
            (self.lexer, candidate.values) = (lexer, values);
        }
        Ok(is_there)
    }

    /// Parses `name = value, name = value`, in any order, perhaps with a comma at the end.
    fn params(&mut self, candidate: &mut Candidate<'_>, fields: &[usize]) -> Parsed<bool> {
        if self.lexer.peek()?.kind == TokenKind::Greater {
            return Ok(true);
        }
        loop {
            let Some(name) = self.word() else { return Ok(false) };
            let is_it = |&&number: &&usize| {
                candidate.layout.fields.get(number).is_some_and(|spec| spec.name.as_bytes() == name)
            };
            let Some(&number) = fields.iter().find(is_it) else { return Ok(false) };
            let is_new = matches!(candidate.values.get(number), Some(None));
            if !is_new || !self.text_piece("=") || !self.field(candidate, number, None)? {
                return Ok(false);
            }
            // StableHLO's parser accepts a comma at the end.
            if !self.text_piece(",") || self.lexer.peek()?.kind == TokenKind::Greater {
                return Ok(true);
            }
        }
    }

    fn field(&mut self, candidate: &mut Candidate<'_>, number: usize, style: Option<Style>) -> Parsed<bool> {
        let layout = candidate.layout;
        let Some(spec) = layout.fields.get(number) else { return Ok(false) };
        let style = style.unwrap_or(spec.style);
        candidate.at = number;
        let field_value = match &spec.primitive {
            Primitive::List(items) | Primitive::OptionalList(items) => self.items(candidate, items, style)?,
            Primitive::Bits(_) => {
                let negative = self.lexer.eat(TokenKind::Minus)?;
                let token = self.lexer.next()?;
                Some(ParsedField::Number(negative, token))
            }
            Primitive::If(_, inner) => self.scalar(candidate, inner, style)?.map(ParsedField::One),
            other => self.scalar(candidate, other, style)?.map(ParsedField::One),
        };
        let is_there = field_value.is_some();
        if let Some(place) = candidate.values.get_mut(number) {
            *place = field_value;
        }
        Ok(is_there)
    }

    fn items(
        &mut self,
        candidate: &Candidate<'_>,
        items: &[Primitive],
        style: Style,
    ) -> Parsed<Option<ParsedField>> {
        let mut list = Vec::new();
        if style == Style::Dims {
            let sizes = self.lexer.dimensions()?;
            list.extend(sizes.into_iter().map(|size| Field::Signed(size.unwrap_or(DYNAMIC))));
            let count = list.len() as u32;
            return Ok(Some(ParsedField::List(list, count)));
        }
        if matches!(style, Style::Factors | Style::FactorProduct | Style::FactorSizes) {
            return self.factors(style);
        }
        let is_array = style == Style::Array;
        if is_array && !self.text_piece("[") {
            return Ok(None);
        }
        let inner = if matches!(style, Style::Array | Style::Pairs) { Style::Plain } else { style };
        let mut list_end = self.lexer.clone();
        'items: loop {
            let before = list.len();
            for (place, primitive) in items.iter().enumerate() {
                let joint = if style == Style::Pairs { "=" } else { "," };
                let fits = place == 0 || self.text_piece(joint);
                let frames = self.frames.len();
                let item = if fits { unless_text(self.scalar(candidate, primitive, inner))? } else { None };
                self.frames.truncate(frames);
                let Some(item) = item else {
                    // Text after the last item does not belong to the list.
                    list.truncate(before);
                    self.lexer = list_end;
                    break 'items;
                };
                list.push(item);
            }
            list_end = self.lexer.clone();
            if !self.text_piece(",") {
                break;
            }
        }
        if is_array && !self.text_piece("]") {
            return Ok(None);
        }
        let count = list.len() / items.len().max(1);
        Ok(Some(ParsedField::List(list, count as u32)))
    }

    fn scalar(
        &mut self,
        candidate: &Candidate<'_>,
        primitive: &Primitive,
        style: Style,
    ) -> Parsed<Option<Field>> {
        Ok(match primitive {
            Primitive::Varint | Primitive::OptionalVarint | Primitive::Byte => match style {
                Style::Enum(names) => self.named_number(candidate.table, names),
                Style::Flags(names) => self.flag_names(candidate.table, names)?,
                _ => {
                    let token = self.lexer.next()?;
                    Some(Field::Unsigned(self.unsigned(token, "a number")?))
                }
            },
            Primitive::Signed => match style {
                Style::Enum(names) => self.named_number(candidate.table, names).map(|number| match number {
                    Field::Unsigned(number) => Field::Signed(number as i64),
                    other => other,
                }),
                _ => self.signed_number()?.map(Field::Signed),
            },
            Primitive::Bool => match self.word() {
                Some(b"true") => Some(Field::Bool(true)),
                Some(b"false") => Some(Field::Bool(false)),
                _ => None,
            },
            Primitive::String => {
                let token = self.lexer.next()?;
                let bytes = match token.kind {
                    TokenKind::String => self.unquoted(token)?,
                    TokenKind::Identifier | TokenKind::IntegerType if style == Style::Keyword => {
                        self.lexer.spelling(token).to_vec()
                    }
                    _ => return Ok(None),
                };
                Some(Field::String(self.builder.string(&bytes)))
            }
            Primitive::Float(64) => {
                let negative = self.lexer.eat(TokenKind::Minus)?;
                let token = self.lexer.next()?;
                Some(Field::Bits(self.float_bits(token, negative, Semantics::F64)? as u64))
            }
            Primitive::Attribute(class) | Primitive::OptionalAttribute(class) => self
                .nested_attribute(candidate, class.as_deref(), style)?
                .map(|index| Field::Attribute(index, 0)),
            Primitive::Type | Primitive::OptionalType => match style {
                Style::AsBuiltin => {
                    self.as_builtin(candidate)?.map(|index| Field::Type(TypeId::new(index), 0))
                }
                _ => Some(Field::Type(TypeId::new(self.nested(Goal::Type)?), 0)),
            },
            _ => None,
        })
    }

    fn nested_attribute(
        &mut self,
        candidate: &Candidate<'_>,
        class: Option<&str>,
        style: Style,
    ) -> Parsed<Option<AttrId>> {
        if style == Style::Bare
            && let Some(class) = class
        {
            let start = self.lexer.clone();
            let frames = self.frames.len();
            for form in candidate.table.attributes.of_kind(class) {
                self.lexer = start.clone();
                let parsed = self.form_entry(candidate.table, candidate.dialect, form, false);
                self.frames.truncate(frames);
                if let Some(index) = unless_text(parsed)? {
                    return Ok(Some(AttrId::new(index)));
                }
            }
            self.lexer = start;
        }
        if style == Style::Bare && class.is_none() && self.lexer.peek()?.kind == TokenKind::Less {
            return self.of_parameter(candidate);
        }
        if style == Style::Elements {
            return self.elements(candidate);
        }
        if style == Style::Mnemonic && self.lexer.peek()?.kind == TokenKind::Identifier {
            return self.with_mnemonic(candidate);
        }
        if style == Style::Word && self.lexer.peek()?.kind == TokenKind::Identifier {
            return self.of_word(candidate);
        }
        if class == Some("Location") {
            return Ok(None);
        }
        let index = self.nested(Goal::Attribute)?;
        let form = self.builder.entries().entry(EntryRef::Attribute(AttrId::new(index)));
        let form = form.and_then(|entry| entry.form(EntryRef::Attribute(AttrId::new(index))).ok().flatten());
        let fits = match (form, class) {
            (Some(form), Some(class)) => form.classes.iter().any(|known| **known == *class),
            _ => true,
        };
        Ok(fits.then_some(AttrId::new(index)))
    }

    /// Parses `mnemonic<…>` of an attribute of the table.
    fn with_mnemonic(&mut self, candidate: &Candidate<'_>) -> Parsed<Option<AttrId>> {
        let start = self.lexer.clone();
        let word = self.word();
        let is_named = |form: &&Encoding| form.mnemonic.as_deref().map(str::as_bytes) == word;
        match candidate.table.attributes.rows.iter().filter(|_| word.is_some()).find(is_named) {
            Some(form) => self
                .form_entry(candidate.table, candidate.dialect, form, false)
                .map(|row| row.map(AttrId::new)),
            None => {
                self.lexer = start;
                Ok(None)
            }
        }
    }

    /// Parses `<…>`, if the table defines the attribute of this parameter. Some releases write such an
    /// attribute as text.
    fn of_parameter(&mut self, candidate: &Candidate<'_>) -> Parsed<Option<AttrId>> {
        let table = candidate.table;
        let name = candidate.layout.fields.get(candidate.at).map(|spec| spec.name.as_bytes());
        let rules = candidate.form.mnemonic.as_ref().and_then(|mnemonic| table.bare.get(mnemonic.as_bytes()));
        let mnemonic = name.and_then(|name| rules?.get(name)).filter(|mnemonic| !mnemonic.starts_with('!'));
        let Some(mnemonic) = mnemonic else { return Ok(None) };
        let (dialect, mnemonic) = class_of(mnemonic, table.dialect());
        let mut forms =
            table.attributes.rows.iter().filter(|form| form.mnemonic.as_deref() == Some(mnemonic));
        if let Some(form) = forms.next().filter(|_| dialect == table.dialect()) {
            return self.form_entry(table, candidate.dialect, form, false).map(|row| row.map(AttrId::new));
        }
        let token = self.lexer.peek()?;
        self.lexer.seek(token.start);
        let Some(body) = self.lexer.dialect_body()? else { return Ok(None) };
        let dialect = dialect.as_bytes();
        let symbol = self.without_aliases(dialect, [mnemonic.as_bytes(), body].concat())?;
        let symbol = self.respaced((b'#', dialect), symbol, token)?;
        let text = [b"#", dialect, b".", &symbol].concat();
        if text.contains(&0) {
            return Ok(None);
        }
        let dialect = self.builder.dialect(dialect);
        Ok(Some(index_of(self.builder.text(false, dialect, &text)?)))
    }

    /// Parses the word of the only field of an attribute stored as text.
    fn of_word(&mut self, candidate: &Candidate<'_>) -> Parsed<Option<AttrId>> {
        let name = candidate.layout.fields.get(candidate.at).map(|spec| spec.name.as_bytes());
        let rules = candidate
            .form
            .mnemonic
            .as_ref()
            .and_then(|mnemonic| candidate.table.words.get(mnemonic.as_bytes()));
        let Some(before) = name.and_then(|name| rules?.get(name)) else { return Ok(None) };
        let Some(word) = self.word() else { return Ok(None) };
        let dialect = candidate.table.dialect().as_bytes();
        let text = [b"#", dialect, b".", before.as_bytes(), word, b">"].concat();
        Ok(Some(index_of(self.builder.text(false, candidate.dialect, &text)?)))
    }

    /// Parses the elements of an array, each as in [`Self::of_parameter`] or in full.
    fn elements(&mut self, candidate: &Candidate<'_>) -> Parsed<Option<AttrId>> {
        let mut items = Vec::new();
        while items.is_empty() || self.text_piece(",") {
            if self.lexer.peek()?.kind == TokenKind::RightSquare && items.is_empty() {
                break;
            }
            let Some(item) = self.nested_attribute(candidate, None, Style::Bare)? else { return Ok(None) };
            items.push(Field::Attribute(item, 0));
        }
        let fill = |fill: &mut Fill| {
            fill.list(items);
        };
        self.make_attribute("ArrayAttr", fill).map(Some)
    }

    /// Parses an attribute or a type at this position, whatever follows it.
    pub(super) fn nested(&mut self, goal: Goal) -> Parsed<u32> {
        let base = self.frames.len();
        let index = self.run_above(base, super::ParseStep::Begin(goal));
        if index.is_err() {
            self.frames.truncate(base);
        }
        index
    }

    /// Parses a type of the dialect at this position, with its name in the builtin dialect.
    pub(super) fn as_builtin(&mut self, candidate: &Candidate<'_>) -> Parsed<Option<u32>> {
        let start = self.lexer.clone();
        if self.symbol_depth >= MAX_DEPTH {
            return Ok(None);
        }
        self.symbol_depth += 1;
        let mut parsed_type = Ok(None);
        for form in &candidate.table.types.rows {
            let (Some(template), Some(layout)) = (&form.as_builtin, form.layouts.first()) else { continue };
            self.lexer = start.clone();
            let values = layout.fields.iter().map(|_| None).collect();
            let (table, dialect) = (candidate.table, candidate.dialect);
            let mut inner = Candidate { table, dialect, form, layout, values, at: 0 };
            let fits = unless_text(self.template(template, &mut inner).map(Some));
            // `i1` must not match the beginning of `i16`.
            let is_whole = !self.lexer.stands_in_word();
            match fits {
                Ok(Some(true)) if is_whole => {
                    parsed_type = unless_text(self.finish_candidate(inner, true));
                    if !matches!(parsed_type, Ok(None)) {
                        break;
                    }
                }
                Err(failure) => {
                    parsed_type = Err(failure);
                    break;
                }
                _ => {}
            }
        }
        self.symbol_depth -= 1;
        match parsed_type {
            Ok(None) => {
                self.lexer = start;
                Ok(None)
            }
            parsed_type => parsed_type,
        }
    }

    /// Makes the entry, if all fields are known.
    fn finish_candidate(&mut self, mut candidate: Candidate<'_>, is_type: bool) -> Parsed<Option<u32>> {
        let flags: Vec<(usize, bool)> = (candidate.layout.fields.iter().enumerate())
            .filter_map(|(place, spec)| match &spec.primitive {
                Primitive::If(flag, _) => Some((*flag, !candidate.is_empty(place))),
                _ => None,
            })
            .collect();
        for (flag, is_there) in flags {
            let is_bool =
                candidate.layout.fields.get(flag).is_some_and(|spec| spec.primitive == Primitive::Bool);
            if let Some(place @ None) = candidate.values.get_mut(flag) {
                *place = Some(ParsedField::One(match is_bool {
                    true => Field::Bool(is_there),
                    false => Field::Unsigned(is_there.into()),
                }));
            }
        }
        let (mut fill, mut data) = (Fill(crate::dialect::node::Node::default()), Bytes::new());
        let mut held = Vec::new();
        for (spec, value) in candidate.layout.fields.iter().zip(&candidate.values) {
            match value {
                Some(ParsedField::One(field)) => fill.field(*field),
                Some(ParsedField::List(items, count)) => fill.items(items, *count),
                Some(ParsedField::Words(words, bits)) => fill.number(words.clone(), *bits),
                Some(ParsedField::Blob(bytes)) => {
                    data = bytes.clone();
                    fill.blob(bytes.len())
                }
                Some(ParsedField::Number(negative, token)) => {
                    let Primitive::Bits(at) = spec.primitive else { return Ok(None) };
                    let Some(Some(ParsedField::One(Field::Type(r#type, _)))) = candidate.values.get(at)
                    else {
                        return Ok(None);
                    };
                    let Some(element) = crate::attr::text::dense::element(self.builder.entries(), *r#type)
                    else {
                        return Ok(None);
                    };
                    let value = self.element_value(*negative, *token, element)?;
                    held.extend(self.hold_words(&value)?);
                    fill.integer(&value, element.bits())
                }
                None => match (&spec.primitive, spec.omit) {
                    (
                        Primitive::OptionalAttribute(_)
                        | Primitive::OptionalType
                        | Primitive::OptionalVarint
                        | Primitive::If(..),
                        _,
                    ) => fill.field(Field::Absent),
                    (Primitive::OptionalList(_), _)
                    | (Primitive::List(_), Some(Omit::Empty | Omit::Iota(_))) => fill.list([]),
                    (Primitive::String, Some(Omit::Empty)) => {
                        fill.field(Field::String(self.builder.string(b"")))
                    }
                    (Primitive::Signed, Some(Omit::Number(number))) => fill.field(Field::Signed(number)),
                    (Primitive::Bool, Some(Omit::Number(number))) => fill.field(Field::Bool(number != 0)),
                    (Primitive::Float(_), Some(Omit::Number(0))) => fill.field(Field::Bits(0)),
                    (Primitive::Varint | Primitive::Byte, Some(Omit::Number(number))) => {
                        fill.field(Field::Unsigned(number as u64))
                    }
                    _ => return Ok(None),
                },
            };
        }
        let restated =
            restated(candidate.table, candidate.form, candidate.layout, &fill.0, self.builder.entries());
        let (form, node) = restated.unwrap_or((candidate.form, fill.0));
        let Some(layout) = form.layouts.first() else { return Ok(None) };
        match self.builder.encoded(is_type, candidate.dialect, (form, layout), &node, &data, None) {
            Ok(entry_ref) => Ok(Some(index_of(entry_ref).number())),
            // The encoding cannot represent such values.
            Err(error) if error.kind() == ErrorKind::EntryEncode => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    // ---- pieces ----

    /// Consumes a text, ignoring white space.
    pub(super) fn text_piece(&mut self, text: &str) -> bool {
        let start = self.lexer.clone();
        for &byte in text.as_bytes().iter().filter(|byte| !byte.is_ascii_whitespace()) {
            if !self.lexer.eat_byte(byte) {
                self.lexer = start;
                return false;
            }
        }
        true
    }

    /// Consumes a word, if one comes next.
    pub(super) fn word(&mut self) -> Option<&'t [u8]> {
        let token = self.lexer.peek().ok()?;
        if !matches!(token.kind, TokenKind::Identifier | TokenKind::IntegerType) {
            return None;
        }
        self.lexer.seek(token.end);
        Some(self.lexer.spelling(token))
    }

    pub(super) fn signed_number(&mut self) -> Parsed<Option<i64>> {
        if self.lexer.eat(TokenKind::Question)? {
            return Ok(Some(DYNAMIC));
        }
        let negative = self.lexer.eat(TokenKind::Minus)?;
        let token = self.lexer.next()?;
        let number = self.unsigned(token, "a number")?;
        Ok(match negative {
            true => 0_i64.checked_sub_unsigned(number),
            false => i64::try_from(number).ok(),
        })
    }

    fn named_number(&mut self, table: &DialectTable, names: usize) -> Option<Field> {
        let word = self.word()?;
        let rows = &table.enums.get(names)?.rows;
        rows.iter().find(|(_, name)| name.as_bytes() == word).map(|&(number, _)| Field::Unsigned(number))
    }

    /// Parses `A`, or `"A|B"`.
    fn flag_names(&mut self, table: &DialectTable, names: usize) -> Parsed<Option<Field>> {
        let token = self.lexer.next()?;
        let text = match token.kind {
            TokenKind::String => self.unquoted(token)?,
            TokenKind::Identifier => self.lexer.spelling(token).to_vec(),
            _ => return Ok(None),
        };
        let Some(rows) = table.enums.get(names).map(|names| &names.rows) else { return Ok(None) };
        let number = |text: &[u8]| rows.iter().find(|row| row.1.as_bytes() == text).map(|row| row.0);
        if let Some(number) = number(&text) {
            return Ok(Some(Field::Unsigned(number)));
        }
        let parts: Vec<&[u8]> = text.split(|&byte| byte == b'|').map(<[u8]>::trim_ascii).collect();
        let (mut rest, mut all) = (&parts[..], 0);
        while !rest.is_empty() {
            // A name may represent several bits, and contain the names of these bits: the longest match is
            // used.
            let longest = rows.iter().filter_map(|(number, name)| {
                let count = name.split('|').count();
                let is_it = rest.get(..count)?.iter().copied().eq(name.split('|').map(str::as_bytes));
                is_it.then_some((count, *number))
            });
            let Some((count, number)) = longest.max() else { return Ok(None) };
            all |= number;
            rest = rest.get(count..).unwrap_or_default();
        }
        Ok(Some(Field::Unsigned(all)))
    }
}

/// Converts an error about the text to `None`; limits remain errors.
pub(super) fn unless_text<T>(result: Parsed<Option<T>>) -> Parsed<Option<T>> {
    match result {
        Err(Failure::Text(_)) => Ok(None),
        other => other,
    }
}
