//! Attributes and types inside the text of a module: aliases, and parsing at the position of the scanner.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::table::unless_text;
use super::{Failure, Goal, Parsed, Parser, Step};
use crate::attr::table::Home;
use crate::attr::text::dense;
use crate::attr::text::dense::Element;
use crate::attr::text::entry::{EntryPrinter, EntryStyle};
use crate::attr::text::lexer::{Lexer, Token, TokenKind};
use crate::attr::text::out::Out;
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::{Field, Node, TableIndex};
use crate::dialect::table::{Encoding, Layout};
use crate::props::class::Class;
use crate::release::Llvm;
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind};
use crate::wire::limits::Limits;

/// The aliases of a module, and what was parsed already.
#[derive(Default)]
pub(crate) struct Aliases {
    attributes: HashMap<Vec<u8>, u32>,
    types: HashMap<Vec<u8>, u32>,
    /// Types of operation definitions by their text.
    fragments: HashMap<(bool, Box<str>), u32>,
    /// The dialects of the release, whose attributes and types MLIR prints anew.
    registered: Arc<HashSet<&'static str>>,
}

/// Types by their text in the module. They are few, and most values have one of them.
pub(crate) type KnownTypes<'t> = HashMap<&'t [u8], u32, foldhash::fast::RandomState>;

impl<'t> Parser<'t> {
    /// A parser at the start of the text of a module, whose affine expressions are simplified as in `release`.
    pub(crate) fn embedded(text: &'t [u8], limits: &Limits, release: Llvm) -> Self {
        Self { aliases: Some(Box::default()), release, ..Self::new(text, limits) }
    }

    /// Sets the dialects of the release; the text of others is kept as it is.
    pub(crate) fn register(&mut self, dialects: impl Iterator<Item = &'static str>) {
        if let Some(aliases) = &mut self.aliases {
            aliases.registered = Arc::new(dialects.collect());
        }
    }

    /// The text of a symbol as MLIR prints it, if its dialect is one of the release: with its usual spaces.
    ///
    /// MLIR prints each class with code of its own; this is what nearly all of them do.
    pub(super) fn respaced(&self, dialect: &[u8], symbol: Vec<u8>) -> Vec<u8> {
        let is_registered = self
            .aliases
            .as_ref()
            .zip(std::str::from_utf8(dialect).ok())
            .is_some_and(|(aliases, name)| aliases.registered.contains(name));
        match is_registered {
            true => {
                let text = respaced(&symbol, dialect == b"sparse_tensor");
                match dialect {
                    b"llvm" if is_llvm_type(&text) => without_prefix(&text),
                    b"spirv" => spirv_text(text),
                    b"dlti" => dlti_text(text, self.release),
                    b"sparse_tensor" => sparse_text(text),
                    _ => text,
                }
            }
            false => symbol,
        }
    }

    /// The scanner.
    pub(crate) fn lexer(&mut self) -> &mut Lexer<'t> {
        &mut self.lexer
    }

    /// The whole text.
    pub(crate) fn text(&self) -> &'t [u8] {
        self.text
    }

    /// The error with what was found at its position.
    pub(crate) fn error_of(&self, failure: Failure) -> Error {
        match failure {
            Failure::Text(error) => {
                let refused = self.refuse(&error);
                let found = refused.found().to_owned();
                Error::new(ErrorKind::AsmSyntax, error.expected, found).at(error.position as u64)
            }
            Failure::Other(error) => error,
        }
    }

    /// The tables of all attributes and types.
    pub(crate) fn finish(self) -> Home {
        self.builder.finish()
    }

    /// The attribute at this position.
    pub(crate) fn parse_attribute(&mut self) -> Parsed<u32> {
        self.parse_goal(Goal::Attribute)
    }

    /// The type at this position.
    pub(crate) fn parse_type(&mut self, known: &mut KnownTypes<'t>) -> Parsed<u32> {
        let token = self.lexer.peek()?;
        let is_named = matches!(token.kind, TokenKind::IntegerType | TokenKind::Identifier | TokenKind::Type);
        if !is_named {
            return self.parse_goal(Goal::Type);
        }
        let mut after = self.lexer.clone();
        after.seek(token.end);
        let Ok(body) = after.dialect_body() else { return self.parse_goal(Goal::Type) };
        let end = token.end + body.map_or(0, <[u8]>::len);
        let key = self.text.get(token.start..end).unwrap_or_default();
        if let Some(&index) = known.get(key) {
            self.lexer.seek(end);
            return Ok(index);
        }
        let index = self.parse_goal(Goal::Type)?;
        // The type may have ended elsewhere.
        let mut end_of_type = self.lexer.clone();
        end_of_type.seek(end);
        if end_of_type.peek().ok() == self.lexer.peek().ok() {
            known.insert(key, index);
        }
        Ok(index)
    }

    /// The location at this position, without `loc(` and `)`.
    pub(crate) fn parse_location(&mut self) -> Parsed<u32> {
        self.parse_goal(Goal::Location)
    }

    fn parse_goal(&mut self, goal: Goal) -> Parsed<u32> {
        let index = self.run_above(0, Step::Begin(goal));
        self.frames.clear();
        if !self.symbols.is_empty() {
            self.symbols.clear();
        }
        index
    }

    /// An attribute or a type of an operation definition.
    pub(crate) fn fragment(&mut self, is_type: bool, text: &str) -> Parsed<u32> {
        let key = (is_type, Box::from(text));
        if let Some(&known) = self.aliases.as_ref().and_then(|aliases| aliases.fragments.get(&key)) {
            return Ok(known);
        }
        let builder = std::mem::replace(&mut self.builder, crate::attr::table::Builder::new());
        let limits = Limits::default();
        let mut inner = Parser::new(text.as_bytes(), &limits);
        inner.builder = builder;
        // Symbols in it are written as in the text of the module.
        inner.aliases = self.aliases.as_ref().map(|aliases| {
            Box::new(Aliases { registered: aliases.registered.clone(), ..Aliases::default() })
        });
        inner.release = self.release;
        let index = inner.run(if is_type { Goal::Type } else { Goal::Attribute });
        let index = index.map_err(|failure| match failure {
            Failure::Text(error) => inner.refuse(&error),
            Failure::Other(error) => error,
        });
        self.builder = inner.builder;
        let index = index?;
        if let Some(aliases) = &mut self.aliases {
            aliases.fragments.insert(key, index);
        }
        Ok(index)
    }

    /// Defines an alias and returns whether it is new.
    pub(crate) fn define_alias(&mut self, is_type: bool, name: &[u8], index: u32) -> bool {
        let Some(aliases) = &mut self.aliases else { return true };
        let known = if is_type { &mut aliases.types } else { &mut aliases.attributes };
        known.insert(name.to_vec(), index).is_none()
    }

    /// The attribute of an alias, if it is defined.
    pub(crate) fn attribute_alias(&self, name: &[u8]) -> Option<u32> {
        self.aliases.as_ref()?.attributes.get(name).copied()
    }

    /// The entry of the alias that is `token`; `None` if it is not the name of an alias.
    pub(super) fn alias(&mut self, token: Token) -> Parsed<Option<u32>> {
        let Some(aliases) = &self.aliases else { return Ok(None) };
        let name = self.lexer.spelling(token).get(1..).unwrap_or_default();
        if name.contains(&b'.') || self.text.get(token.end) == Some(&b'<') {
            return Ok(None);
        }
        let is_type = token.kind == TokenKind::Type;
        let known = if is_type { &aliases.types } else { &aliases.attributes };
        match known.get(name) {
            Some(&index) => Ok(Some(index)),
            None if is_type => self.fail(token, "the alias of a type, defined before its use"),
            None => self.fail(token, "the alias of an attribute, defined before its use"),
        }
    }

    /// The text of a symbol of a dialect with a table, with the aliases in it replaced by what they stand for.
    pub(super) fn without_aliases(&mut self, dialect: &[u8], symbol: Vec<u8>) -> Parsed<Vec<u8>> {
        let Some(aliases) = &self.aliases else { return Ok(symbol) };
        if aliases.attributes.is_empty() && aliases.types.is_empty() {
            return Ok(symbol);
        }
        let is_registered =
            std::str::from_utf8(dialect).is_ok_and(|name| aliases.registered.contains(name));
        let dialect = self.builder.dialect(dialect);
        if self.builder.table_of(dialect).is_none() && !is_registered {
            return Ok(symbol);
        }
        let mut lexer = Lexer::new(&symbol);
        let (mut out, mut copied) = (Vec::with_capacity(symbol.len()), 0);
        // What the scanner does not know is not an alias either.
        while let Ok(token) = lexer.next() {
            let known = match token.kind {
                TokenKind::End => break,
                TokenKind::Attribute => &aliases.attributes,
                TokenKind::Type => &aliases.types,
                _ => continue,
            };
            let Some(&index) = known.get(lexer.spelling(token).get(1..).unwrap_or_default()) else {
                continue;
            };
            let of = match token.kind {
                TokenKind::Type => EntryRef::Type(index),
                _ => EntryRef::Attribute(index),
            };
            out.extend_from_slice(symbol.get(copied..token.start).unwrap_or_default());
            out.extend(self.entry_text(of)?);
            copied = token.end;
        }
        out.extend_from_slice(symbol.get(copied..).unwrap_or_default());
        let added = out.len().saturating_sub(symbol.len());
        self.charge(added)?;
        Ok(out)
    }

    /// The text of an entry.
    pub(crate) fn entry_text(&self, of: EntryRef) -> Parsed<Vec<u8>> {
        let style = EntryStyle { release: self.release, elide_elements: None };
        let limit = (self.text.len() as u64).saturating_mul(64).saturating_add(16 << 20);
        let mut printer = EntryPrinter::new(self.builder.entries(), style, limit);
        let mut out = Out::memory();
        match of {
            EntryRef::Attribute(index) => {
                printer.attribute(&mut out, index, crate::attr::text::entry::Elide::Never);
            }
            EntryRef::Type(index) => printer.r#type(&mut out, index),
        }
        match printer.faults.into_iter().next() {
            Some(fault) => Err(fault.into()),
            None => Ok(out.buffer),
        }
    }

    /// Whether an attribute is a location.
    pub(crate) fn is_location(&self, index: u32) -> bool {
        Class::Location.fits(index, self.builder.entries())
    }

    // ---- entries that operations are made with ----

    /// The bytes of a string literal or of a symbol name.
    pub(crate) fn string_of(&self, token: Token) -> Parsed<Vec<u8>> {
        let spelling = self.lexer.spelling(token);
        match token.kind {
            TokenKind::Symbol if spelling.get(1) == Some(&b'"') => {
                self.unquoted(Token { start: token.start + 1, ..token })
            }
            TokenKind::Symbol => Ok(spelling.get(1..).unwrap_or_default().to_vec()),
            _ => self.unquoted(token),
        }
    }

    /// A string attribute.
    pub(crate) fn string_value(&mut self, bytes: &[u8]) -> Parsed<u32> {
        self.string_attribute(bytes)
    }

    /// `unit`.
    pub(crate) fn unit_value(&mut self) -> Parsed<u32> {
        self.make(false, "UnitAttr", |_| {})
    }

    /// A line and a column of a file, which is a string attribute.
    pub(crate) fn position_value(&mut self, file: u32, line: u64, column: u64) -> Parsed<u32> {
        self.make(false, "FileLineColLoc", |fill| {
            fill.attribute(file).field(Field::Unsigned(line)).field(Field::Unsigned(column));
        })
    }

    /// An array of attributes.
    pub(crate) fn array_value(&mut self, items: &[u32]) -> Parsed<u32> {
        self.make(false, "ArrayAttr", |fill| {
            fill.attributes(items);
        })
    }

    /// A dictionary.
    pub(crate) fn dictionary_value(&mut self, entries: Vec<(Vec<u8>, u32)>) -> Parsed<u32> {
        match self.dictionary(entries)? {
            Step::Done(index) => Ok(index),
            Step::Begin(_) => self.run_above(0, Step::Begin(Goal::Attribute)),
        }
    }

    /// A type as an attribute.
    pub(crate) fn type_value(&mut self, r#type: u32) -> Parsed<u32> {
        self.make(false, "TypeAttr", |fill| {
            fill.r#type(r#type);
        })
    }

    /// A function type.
    pub(crate) fn function_value(&mut self, inputs: &[u32], results: &[u32]) -> Parsed<u32> {
        self.make(true, "FunctionType", |fill| {
            fill.types(inputs).types(results);
        })
    }

    /// The value of the token `literal` as an attribute of this type.
    pub(crate) fn number_value(&mut self, negative: bool, literal: Token, r#type: u32) -> Parsed<u32> {
        let step = match literal.kind {
            TokenKind::Float => self.float_attribute(literal, negative, r#type)?,
            _ => self.integer_attribute(literal, negative, r#type)?,
        };
        match step {
            Step::Done(index) => Ok(index),
            Step::Begin(_) => self.fail(literal, "a number"),
        }
    }

    /// The inputs and results of a function type.
    pub(crate) fn function_parts(&self, index: u32) -> Option<(Vec<u32>, Vec<u32>)> {
        self.decoded(EntryRef::Type(index), |form, _, node| {
            let types = |number| {
                let types = node.items(number).iter().map(|field| match field {
                    Field::Type(index, _) => Some(*index),
                    _ => None,
                });
                types.collect::<Option<Vec<u32>>>()
            };
            (&*form.name == "FunctionType").then(|| Some((types(0)?, types(1)?))).flatten()
        })
    }

    /// Calls `with` with the class, the layout and the fields of an entry that has a table.
    pub(crate) fn decoded<T>(
        &self,
        of: EntryRef,
        with: impl FnOnce(&Encoding, &Layout, &Node) -> Option<T>,
    ) -> Option<T> {
        let entries = self.builder.entries();
        let mut node = Node::default();
        let entry = entries.entry(of)?;
        let (form, layout) = entry.decode(of, entries, &mut node).ok()??;
        with(form, form.layouts.get(layout)?, &node)
    }

    /// The text of an attribute or a type of a dialect without its name, where an operation allows only this class.
    pub(crate) fn stripped(&mut self, is_type: bool, class: &str) -> Parsed<u32> {
        let token = self.lexer.peek()?;
        let Some((name, mnemonic)) = class.split_once('.') else {
            return self.fail(token, "an attribute or a type");
        };
        let dialect = self.builder.dialect(name.as_bytes());
        if let Some(table) = self.builder.table_of(dialect) {
            let forms = if is_type { &table.types } else { &table.attributes };
            let here = self.lexer.clone();
            for form in &forms.rows {
                if form.mnemonic.as_deref() != Some(mnemonic) {
                    continue;
                }
                self.lexer = here.clone();
                let made = self.form_entry(&table, dialect, form, is_type);
                self.frames.clear();
                if let Some(index) = unless_text(made)? {
                    return Ok(index);
                }
            }
            self.lexer = here;
        }
        let sigil = if is_type { "!" } else { "#" };
        self.lexer.seek(token.start);
        let text = match self.lexer.dialect_body()? {
            Some(body) => [sigil.as_bytes(), class.as_bytes(), body].concat(),
            None if token.kind == TokenKind::Identifier => {
                self.lexer.seek(token.end);
                let word = self.lexer.spelling(token);
                [sigil.as_bytes(), name.as_bytes(), b"<", mnemonic.as_bytes(), b" ", word, b">"].concat()
            }
            None => return self.fail(token, "the parameters of an attribute or a type, in `<` and `>`"),
        };
        let text = match text.split_at_checked(1) {
            Some((sigil, rest)) => [sigil, &self.respaced(name.as_bytes(), rest.to_vec())].concat(),
            None => text,
        };
        Ok(super::index_of(self.builder.text(is_type, dialect, &text)?))
    }

    /// Whether the dialect of `dialect.mnemonic` has a table.
    pub(crate) fn has_table(&mut self, class: &str) -> bool {
        let dialect = class.split_once('.').map_or(class, |(dialect, _)| dialect);
        let dialect = self.builder.dialect(dialect.as_bytes());
        self.builder.table_of(dialect).is_some()
    }

    /// An integer attribute of a type of at most 64 bits.
    pub(crate) fn integer_value(&mut self, value: i64, r#type: u32) -> Parsed<u32> {
        let bits = self.element(r#type).map_or(64, |element| element.bits()).min(64);
        let mask = if bits < 64 { (1_u64 << bits) - 1 } else { u64::MAX };
        self.make(false, "IntegerAttr", |fill| {
            fill.r#type(r#type).number(vec![value as u64 & mask], bits);
        })
    }

    /// The type of a typed attribute of the builtin dialect.
    pub(crate) fn type_of_attribute(&mut self, index: u32) -> Option<u32> {
        let of = EntryRef::Attribute(index);
        if self.builder.entries().entry(of)?.dialect != b"builtin" {
            return None;
        }
        let (name, first) = self.decoded(of, |form, _, node| {
            let first = node.all().iter().find_map(|field| match field {
                Field::Type(index, _) => Some(*index),
                _ => None,
            });
            Some((form.name.clone(), first))
        })?;
        match (&*name, first) {
            ("TypeAttr" | "DenseArrayAttr", _) => None,
            (_, Some(first)) => Some(first),
            ("UnitAttr" | "StringAttr" | "ArrayAttr" | "FlatSymbolRefAttr" | "SymbolRefAttr", None) => {
                self.none_type().ok()
            }
            _ => None,
        }
    }

    /// The type of a type attribute.
    pub(crate) fn type_of_type_attribute(&self, index: u32) -> Option<u32> {
        self.decoded(EntryRef::Attribute(index), |form, _, node| {
            (&*form.name == "TypeAttr").then(|| node.r#type(0)).flatten()
        })
    }

    // ---- shaped types ----

    /// Whether a type is a vector, a tensor or a memref.
    pub(crate) fn is_shaped(&self, index: u32) -> bool {
        self.is_builtin_type(index)
            && self.decoded(EntryRef::Type(index), |_, layout, _| layout.index("elementType")).is_some()
            && !matches!(self.element(index), Some(Element::Complex(_)))
    }

    /// The type of the elements of a shaped or complex type, or the only type that a type of a dialect has.
    pub(crate) fn element_of(&self, index: u32) -> Parsed<Option<u32>> {
        Ok(self.decoded(EntryRef::Type(index), |_, layout, node| {
            if let Some(place) = layout.index("elementType") {
                return node.r#type(place);
            }
            let mut types = node.all().iter().filter_map(|field| match field {
                Field::Type(index, _) => Some(*index),
                _ => None,
            });
            types.next().filter(|_| types.next().is_none())
        }))
    }

    /// The same shape with elements of another type.
    pub(crate) fn with_element(&mut self, index: u32, element: u32) -> Parsed<Option<u32>> {
        let of = EntryRef::Type(index);
        let entries = self.builder.entries();
        let mut node = Node::default();
        let Some(entry) = entries.entry(of) else { return Ok(None) };
        let Ok(Some((form, layout))) = entry.decode(of, entries, &mut node) else { return Ok(None) };
        let (name, layout) = (form.name.clone(), layout);
        node.renumber(|to| {
            Ok(match to {
                TableIndex::Type(_) => element,
                TableIndex::Attribute(index) | TableIndex::String(index) | TableIndex::Resource(index) => {
                    index
                }
            })
        })?;
        let Some(table) = self.table.clone() else { return Ok(None) };
        let form = table.types.code(&name).and_then(|code| table.types.by_code(code));
        let Some((form, layout)) = form.and_then(|form| Some((form, form.layouts.get(layout)?))) else {
            return Ok(None);
        };
        let builtin = self.builder.builtin();
        let made = self.builder.encoded(true, builtin, (form, layout), &node, &Bytes::new(), None)?;
        Ok(Some(super::index_of(made)))
    }

    /// The first dimension of a shaped type.
    pub(crate) fn first_dimension(&self, index: u32) -> Option<i64> {
        dense::shape(self.builder.entries(), index)?.first().copied()
    }

    /// The dimensions of a vector, whether each is scalable, and the type of its elements.
    pub(crate) fn vector_parts(&self, index: u32) -> Option<(Vec<i64>, Vec<bool>, u32)> {
        let shape = dense::shape(self.builder.entries(), index)?;
        self.decoded(EntryRef::Type(index), |form, layout, node| {
            let flags = match layout.index("scalable") {
                Some(place) => node.items(place).iter().map(|flag| *flag == Field::Bool(true)).collect(),
                None => vec![false; shape.len()],
            };
            let element = node.r#type(layout.index("elementType")?)?;
            form.name.starts_with("VectorType").then_some((shape, flags, element))
        })
    }

    /// A vector.
    pub(crate) fn vector_of(&mut self, shape: &[i64], scalable: &[bool], element: u32) -> Parsed<u32> {
        match scalable.contains(&true) {
            true => self.make(true, "VectorTypeWithScalableDims", |fill| {
                fill.list(scalable.iter().map(|&flag| Field::Bool(flag))).sizes(shape).r#type(element);
            }),
            false => self.make(true, "VectorType", |fill| {
                fill.sizes(shape).r#type(element);
            }),
        }
    }

    /// A vector without its first dimension, perhaps with other elements.
    pub(crate) fn without_first_dimension(
        &mut self,
        index: u32,
        element: Option<u32>,
    ) -> Parsed<Option<u32>> {
        let Some((shape, scalable, own)) = self.vector_parts(index) else { return Ok(None) };
        let (Some(shape), Some(scalable)) = (shape.get(1..), scalable.get(1..)) else { return Ok(None) };
        self.vector_of(shape, scalable, element.unwrap_or(own)).map(Some)
    }

    /// A vector with the first dimension of another one.
    pub(crate) fn vector_of_first_dimension(&mut self, index: u32, element: u32) -> Parsed<Option<u32>> {
        match self.first_dimension(index) {
            Some(size) => self.vector_of(&[size], &[false], element).map(Some),
            None => Ok(None),
        }
    }

    /// A vector with another first dimension.
    pub(crate) fn with_first_dimension(&mut self, index: u32, size: i64) -> Parsed<Option<u32>> {
        let Some((mut shape, scalable, element)) = self.vector_parts(index) else { return Ok(None) };
        match shape.first_mut() {
            Some(first) => *first = size,
            None => return self.vector_of(&[size], &[false], element).map(Some),
        }
        self.vector_of(&shape, &scalable, element).map(Some)
    }

    /// The number of elements of a dense array.
    pub(crate) fn array_length(&self, index: u32) -> Option<i64> {
        self.decoded(EntryRef::Attribute(index), |_, layout, node| {
            let size = layout.index("size").or_else(|| layout.index("length"))?;
            i64::try_from(node.number(size)).ok()
        })
    }

    /// The names and the values of a dictionary.
    pub(crate) fn dictionary_items(&self, index: u32) -> Option<Vec<(Vec<u8>, u32)>> {
        let pairs: Option<Vec<(u32, u32)>> = self.decoded(EntryRef::Attribute(index), |form, _, node| {
            if &*form.name != "DictionaryAttr" {
                return None;
            }
            let attribute = |field: &Field| match field {
                Field::Attribute(index, _) => Some(*index),
                _ => None,
            };
            node.items(0)
                .chunks(2)
                .map(|pair| Some((attribute(pair.first()?)?, attribute(pair.get(1)?)?)))
                .collect()
        });
        let named = pairs?.into_iter().map(|(name, value)| Some((self.string_bytes(name)?, value)));
        named.collect()
    }

    /// The bytes of a string attribute.
    pub(crate) fn string_bytes(&self, index: u32) -> Option<Vec<u8>> {
        self.decoded(EntryRef::Attribute(index), |form, _, node| {
            let string = node.all().iter().find_map(|field| match field {
                Field::String(index) => Some(*index),
                _ => None,
            });
            match form.name.starts_with("StringAttr") {
                true => Some(self.builder.entries().string(string?).to_vec()),
                false => None,
            }
        })
    }

    /// The number of bytes of a string attribute.
    pub(crate) fn string_length(&self, index: u32) -> Option<usize> {
        self.string_bytes(index).map(|bytes| bytes.len())
    }

    /// The dimensions of a shaped type with a rank.
    pub(crate) fn shape_of(&self, index: u32) -> Option<Vec<i64>> {
        dense::shape(self.builder.entries(), index)
    }

    /// The name of the class of an attribute or a type with a table, for example `RankedTensorType`.
    pub(crate) fn class_of(&self, of: EntryRef) -> Option<String> {
        self.decoded(of, |form, _, _| Some(form.name.to_string()))
    }

    /// The attributes of an array.
    pub(crate) fn array_items(&self, index: u32) -> Option<Vec<u32>> {
        self.decoded(EntryRef::Attribute(index), |form, _, node| {
            let item = |field: &Field| match field {
                Field::Attribute(index, _) => Some(*index),
                _ => None,
            };
            (&*form.name == "ArrayAttr").then(|| node.items(0).iter().map(item).collect()).flatten()
        })
    }

    /// The tensor with the shape and the elements of a memref.
    pub(crate) fn tensor_of_memref(&mut self, index: u32) -> Parsed<Option<u32>> {
        let Some(element) = dense::element_type(self.builder.entries(), index) else { return Ok(None) };
        let shape = dense::shape(self.builder.entries(), index);
        match self.any_tensor(shape, element)? {
            Step::Done(index) => Ok(Some(index)),
            Step::Begin(_) => Ok(None),
        }
    }

    /// The tables so far.
    pub(crate) fn entries(&self) -> &crate::attr::table::OwnedEntries {
        self.builder.entries()
    }
}

// One space after a comma and around an equals sign, none inside of brackets, and no line breaks or comments.
fn respaced(text: &[u8], has_spaced_braces: bool) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    let mut place = 0;
    while let Some(&byte) = text.get(place) {
        let rest = text.get(place + 1..).unwrap_or_default();
        match byte {
            b'"' => {
                let mut end = place + 1;
                while let Some(&inner) = text.get(end) {
                    end += if inner == b'\\' { 2 } else { 1 };
                    if inner == b'"' {
                        break;
                    }
                }
                out.extend_from_slice(text.get(place..end.min(text.len())).unwrap_or_default());
                place = end;
                continue;
            }
            b'/' if rest.first() == Some(&b'/') => {
                place += 1 + rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                continue;
            }
            b' ' | b'\t' | b'\n' | b'\r' => {
                if !matches!(out.last(), None | Some(b' ' | b'<' | b'(' | b'[')) {
                    out.push(b' ');
                }
            }
            b',' | b')' | b']' | b'>' => {
                let is_arrow = byte == b'>' && out.last() == Some(&b'-');
                if !is_arrow && out.last() == Some(&b' ') && !out.ends_with(b"- ") {
                    out.pop();
                }
                out.push(byte);
                if byte == b',' {
                    out.push(b' ');
                }
            }
            b'=' if !matches!(out.last(), Some(b'<' | b'>' | b'=' | b'!')) && rest.first() != Some(&b'=') => {
                if out.last() != Some(&b' ') {
                    out.push(b' ');
                }
                out.extend_from_slice(b"= ");
            }
            b'{' if has_spaced_braces => out.extend_from_slice(b"{ "),
            b'}' if has_spaced_braces => {
                if out.last() != Some(&b' ') {
                    out.push(b' ');
                }
                out.push(b'}');
            }
            byte => out.push(byte),
        }
        place += 1;
    }
    while out.last() == Some(&b' ') {
        out.pop();
    }
    out
}

fn is_llvm_type(text: &[u8]) -> bool {
    [&b"func<"[..], b"struct<", b"array<", b"vec<", b"ptr<", b"target<"].iter().any(|head| text.starts_with(head))
}

// Types of the llvm dialect inside of one of them have no prefix, unless one of another dialect is between them.
fn without_prefix(text: &[u8]) -> Vec<u8> {
    const PREFIX: &[u8] = b"!llvm.";
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    let mut place = 0;
    while let Some(&byte) = text.get(place) {
        let is_prefix = text.get(place..).is_some_and(|rest| rest.starts_with(PREFIX));
        if is_prefix && matches!(out.last(), Some(b'<' | b'(' | b' ')) {
            place += PREFIX.len();
            continue;
        }
        out.push(byte);
        place += 1;
    }
    out
}

// `array<4 x f32, stride=4>`
fn spirv_text(text: Vec<u8>) -> Vec<u8> {
    let Ok(text) = String::from_utf8(text) else { return Vec::new() };
    let text = text.replace("stride = ", "stride=").replace("api = ", "api=");
    // A space before the decorations of a member.
    let mut spaced = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter == '[' && spaced.ends_with(|last: char| last.is_ascii_alphanumeric() || last == '>') {
            spaced.push(' ');
        }
        spaced.push(letter);
    }
    let text = spaced;
    let mut out = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some((before, after)) = rest.split_once("array<") {
        out.push_str(before);
        out.push_str("array<");
        rest = after;
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let (count, element) = after.split_at(digits);
        if digits > 0 && element.starts_with('x') {
            out.push_str(count);
            out.push_str(" x ");
            rest = element.get(1..).unwrap_or_default().trim_start();
        }
    }
    out.push_str(rest);
    out.into_bytes()
}

// Entries with the types of their numbers, in the form of the release.
fn dlti_text(text: Vec<u8>, release: Llvm) -> Vec<u8> {
    let Ok(mut text) = String::from_utf8(text) else { return Vec::new() };
    // A number without a type has 64 bits.
    let mut typed = String::with_capacity(text.len());
    let mut brackets = 0_usize;
    let mut rest = &*text;
    while let Some(first) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let is_value = ["= ", ", ", "= -", ", -"].iter().any(|end| typed.ends_with(end));
        if is_value && digits > 0 && brackets == 0 {
            let (number, after) = rest.split_at(digits);
            typed.push_str(number);
            if after.starts_with([',', '>']) {
                typed.push_str(" : i64");
            }
            rest = after;
            continue;
        }
        match first {
            '[' => brackets += 1,
            ']' => brackets = brackets.saturating_sub(1),
            _ => {}
        }
        typed.push(first);
        rest = rest.get(first.len_utf8()..).unwrap_or_default();
    }
    text = typed;
    if release.0 >= 20 && !text.starts_with("dl_entry<") {
        // `#dlti.dl_entry<key, value>` is the older spelling of `key = value`.
        while let Some((before, after)) = text.split_once("#dlti.dl_entry<") {
            let (mut depth, mut comma, mut end) = (0_usize, None, after.len());
            for (place, letter) in after.char_indices() {
                match letter {
                    '<' | '(' | '[' => depth += 1,
                    '>' if depth == 0 => {
                        end = place;
                        break;
                    }
                    '>' | ')' | ']' => depth = depth.saturating_sub(1),
                    ',' if depth == 0 && comma.is_none() => comma = Some(place),
                    _ => {}
                }
            }
            let Some(comma) = comma else { break };
            let (key, value) = (after.get(..comma), after.get(comma + 1..end));
            let (Some(key), Some(value)) = (key, value) else { break };
            let tail = after.get(end + 1..).unwrap_or_default();
            text = format!("{before}{key} = {}{tail}", value.trim());
        }
    }
    text.into_bytes()
}

// Dimensions are numbered, whatever their names are.
fn sparse_text(text: Vec<u8>) -> Vec<u8> {
    let Ok(text) = String::from_utf8(text) else { return Vec::new() };
    let text = text.replace("dimLevelType = [\"", "dimLevelType = [ \"").replace("\"], ", "\" ], ").replace("\"] }", "\" ] }").replace(", }", " }");
    let text = with_numbered_maps(&text);
    let Some((before, after)) = text.split_once("map = ") else { return text.into_bytes() };
    let (levels, rest) = match after.strip_prefix("{ ") {
        Some(inner) => match inner.split_once(" } ") {
            Some((levels, rest)) => (levels.split(", ").collect(), rest),
            None => return text.into_bytes(),
        },
        None => (Vec::new(), after),
    };
    let Some(((head, results), tail)) = rest.split_once(") -> (").and_then(|(head, rest)| {
        let (results, tail) = rest.rsplit_once(')')?;
        Some(((head.strip_prefix('(')?, results), tail))
    }) else {
        return text.into_bytes();
    };
    let symbols = head.strip_prefix('[');
    if symbols.is_some() || head.contains("slice") || before.contains("map = ") {
        return text.into_bytes();
    }
    let names: Vec<&str> = head.split(", ").map(|one| one.split([' ', ':']).next().unwrap_or(one)).collect();
    let mut out = String::new();
    let renamed = |text: &str, out: &mut String| {
        let mut word = String::new();
        for letter in text.chars().chain(['\0']) {
            if letter.is_ascii_alphanumeric() || letter == '_' {
                word.push(letter);
                continue;
            }
            match names.iter().position(|name| *name == word) {
                Some(number) => out.push_str(&format!("d{number}")),
                None => out.push_str(&word),
            }
            word.clear();
            if letter != '\0' {
                out.push(letter);
            }
        }
    };
    let numbers: Vec<String> = (0..names.len()).map(|number| format!("d{number}")).collect();
    out.push_str(&format!("{before}map = ({}) -> (", numbers.join(", ")));
    let mut body = results.to_owned();
    for level in levels {
        let level: &str = level;
        body = body.replace(&format!("{level} = "), "");
    }
    renamed(&body, &mut out);
    out.push(')');
    out.push_str(tail);
    out.into_bytes()
}

// The maps of attributes, with numbered dimensions.
fn with_numbered_maps(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("affine_map<(") {
        out.push_str(before);
        out.push_str("affine_map<(");
        rest = after;
        let Some((head, tail)) = after.split_once(") -> (") else { continue };
        let Some((results, _)) = tail.split_once(")>") else { continue };
        if head.contains(['(', '[']) {
            continue;
        }
        let names: Vec<&str> = head.split(", ").collect();
        let number = |word: &str| names.iter().position(|name| *name == word);
        let heads: Vec<String> = (0..names.len()).map(|number| format!("d{number}")).collect();
        out.push_str(&heads.join(", "));
        out.push_str(") -> (");
        let mut word = String::new();
        for letter in results.chars().chain([')']) {
            if letter.is_ascii_alphanumeric() || letter == '_' {
                word.push(letter);
                continue;
            }
            match number(&word) {
                Some(number) => out.push_str(&format!("d{number}")),
                None => out.push_str(&word),
            }
            word.clear();
            out.push(letter);
        }
        rest = tail.get(results.len() + 1..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}
