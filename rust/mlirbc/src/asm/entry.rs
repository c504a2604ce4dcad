//! Attributes and types as text (`AsmPrinter::Impl` in `mlir/lib/IR/AsmPrinter.cpp`).
//!
//! Entries nest as deep as a file likes, so what is still to print lies on a stack of our own.

use std::collections::{HashMap, HashSet};

use crate::codec::entries::{Entries, EntryRef, RawEntry};
use crate::codec::node::{Field, Node};
use crate::codec::table::{BuiltinKind, FieldSpec, Form, Layout, Named, Omit, Primitive, Style};
use crate::codec::template::{Piece, Template};
use crate::cursor::Cursor;
use crate::error::{Error, ErrorKind};
use crate::section::SectionId;

use super::affine::{self, AffineMap, IntegerSet};
use super::alias::{Aliases, MAX_TEXT_DEPTH, TextKey, instance};
use super::dense::{self, Element};
use super::escape;
use super::out::Out;
use super::style::TextStyle;
use super::text::{Found, Scan};

/// Whether an attribute says its type (`AttrTypeElision`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Elide {
    Never,
    /// Left out where the parser would guess it.
    May,
}

/// What is still to print.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Item<'e> {
    Text(&'e str),
    Bytes(&'e [u8]),
    Quoted(&'e [u8]),
    Keyword(&'e [u8]),
    Unsigned(u64),
    Signed(i64),
    Float64(u64),
    Attribute(u32, Elide),
    /// An attribute's text without what names its dialect and class.
    Bare(u32),
    /// A location within another one.
    Location(u32),
    Type(u32),
    /// A type as the builtin dialect would call it.
    AsBuiltin(u32),
    /// The name of a symbol: an attribute that is a string.
    Symbol(u32),
    /// The key of a named attribute, and its value when it has one that is printed.
    Named(u32, u32),
    /// Text from [`EntryPrinter::emit_owned`].
    Made(u32),
    /// What was begun at this position is complete.
    End(EntryRef, u64, bool),
}

/// How one release prints, and what is left out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EntryStyle {
    pub(crate) release: TextStyle,
    /// Dense elements beyond so many are left out.
    pub(crate) elide_elements: Option<u64>,
}

/// Prints entries of one table.
pub(crate) struct EntryPrinter<'e, E> {
    entries: &'e E,
    pub(crate) style: EntryStyle,
    pub(crate) aliases: Aliases,
    /// Numbers of distinct attributes, in the order of their first appearance.
    distinct: HashMap<DistinctKey, u64>,
    /// Resources in the order of their first appearance.
    pub(crate) resources: Vec<u32>,
    seen_resources: HashSet<u32>,
    stack: Vec<Item<'e>>,
    // Items of the entry at hand, moved to the stack once they are all known.
    pending: Vec<Item<'e>>,
    node: Node,
    open: HashSet<EntryRef>,
    cache: Cache,
    /// The longest text that one entry may become, in bytes.
    limit: u64,
    /// What could not be read.
    pub(crate) faults: Vec<Error>,
    identity_layouts: HashMap<u32, bool>,
    // Elsewhere it is its alias that is printed.
    is_definition: bool,
    made: Vec<Vec<u8>>,
}

/// What makes a distinct attribute itself: its entry, or its number in one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum DistinctKey {
    Entry(u64),
    Text(u32, u64),
}

/// Texts of entries that were printed before.
#[derive(Default)]
struct Cache {
    // Where in `text` the text of an entry lies; a length of 0 means not there.
    attributes: Vec<(u32, u32)>,
    types: Vec<(u32, u32)>,
    text: Vec<u8>,
    /// For one text alone, a table of all entries would cost more than it saves.
    is_off: bool,
}

// Longer texts are rare and are rendered again.
const CACHED_TEXT: usize = 512;
const CACHE_BYTES: usize = 64 << 20;
const KEPT_FAULTS: usize = 100;

impl Cache {
    fn row(&self, of: EntryRef) -> (u32, u32) {
        let row = match of {
            EntryRef::Attribute(index) => self.attributes.get(index as usize),
            EntryRef::Type(index) => self.types.get(index as usize),
        };
        row.copied().unwrap_or_default()
    }

    #[inline]
    fn get(&self, of: EntryRef) -> Option<&[u8]> {
        let (start, len) = self.row(of);
        if len == 0 {
            return None;
        }
        self.text.get(start as usize..(start + len) as usize)
    }

    fn put(&mut self, of: EntryRef, text: &[u8]) {
        if self.is_off || text.len() > CACHED_TEXT || self.text.len() + text.len() > CACHE_BYTES {
            return;
        }
        let row = (self.text.len() as u32, text.len() as u32);
        let (rows, index) = match of {
            EntryRef::Attribute(index) => (&mut self.attributes, index as usize),
            EntryRef::Type(index) => (&mut self.types, index as usize),
        };
        if rows.len() <= index {
            rows.resize((index + 1).max(rows.len() * 2), (0, 0));
        }
        rows[index] = row;
        self.text.extend_from_slice(text);
    }
}

impl<'e, E: Entries> EntryPrinter<'e, E> {
    pub(crate) fn new(entries: &'e E, style: EntryStyle, limit: u64) -> Self {
        Self {
            entries,
            style,
            aliases: Aliases::default(),
            distinct: HashMap::new(),
            resources: Vec::new(),
            seen_resources: HashSet::new(),
            stack: Vec::new(),
            pending: Vec::new(),
            node: Node::default(),
            open: HashSet::new(),
            cache: Cache::default(),
            limit,
            faults: Vec::new(),
            identity_layouts: HashMap::new(),
            is_definition: false,
            made: Vec::new(),
        }
    }

    /// For few texts: keeps none.
    pub(crate) fn without_cache(mut self) -> Self {
        self.cache.is_off = true;
        self
    }

    /// An attribute, or its alias.
    #[inline]
    pub(crate) fn attribute(&mut self, out: &mut Out<'_>, index: u32, elide: Elide) {
        if elide == Elide::Never
            && let Some(text) = self.cache.get(EntryRef::Attribute(index))
        {
            out.bytes(text);
            return;
        }
        self.run(out, Item::Attribute(index, elide));
    }

    /// A type, or its alias.
    #[inline]
    pub(crate) fn r#type(&mut self, out: &mut Out<'_>, index: u32) {
        if let Some(text) = self.cache.get(EntryRef::Type(index)) {
            out.bytes(text);
            return;
        }
        self.run(out, Item::Type(index));
    }

    /// `key = value`, or the key alone for a unit attribute.
    pub(crate) fn named(&mut self, out: &mut Out<'_>, key: &[u8], value: u32) {
        escape::write_keyword_or_string(&mut out.buffer, key);
        if !self.is_unit(value) {
            out.text(" = ");
            self.attribute(out, value, Elide::Never);
        }
    }

    /// ` loc(…)`
    pub(crate) fn trailing_location(&mut self, out: &mut Out<'_>, index: u32, may_be_alias: bool) {
        out.text(" loc(");
        if may_be_alias {
            self.run(out, Item::Location(index));
        } else {
            self.body(out, EntryRef::Attribute(index), Elide::Never, true);
            self.drain(out, 0, out.position());
        }
        out.text(")");
    }

    /// An attribute or a type that has an alias, spelled out where the alias is defined.
    pub(crate) fn definition(&mut self, out: &mut Out<'_>, of: EntryRef) {
        let start = out.position();
        self.is_definition = true;
        self.body(out, of, Elide::Never, false);
        self.is_definition = false;
        self.drain(out, 0, start);
    }

    fn run(&mut self, out: &mut Out<'_>, item: Item<'e>) {
        let start = out.position();
        let base = self.stack.len();
        self.stack.push(item);
        self.drain(out, base, start);
    }

    fn drain(&mut self, out: &mut Out<'_>, base: usize, start: u64) {
        while self.stack.len() > base
            && let Some(item) = self.stack.pop()
        {
            self.item(out, item);
            out.flush_if_large();
            if out.position() - start > self.limit || self.stack.len() as u64 > self.limit {
                self.stack.truncate(base);
                self.open.clear();
                out.text("<<TEXT TOO LONG>>");
                let found = "an attribute or a type that nests into more";
                self.fault(Error::new(
                    ErrorKind::MemoryLimit,
                    format!("at most {} bytes of text", self.limit),
                    found,
                ));
                return;
            }
            if out.has_failed() {
                self.stack.truncate(base);
                self.open.clear();
                return;
            }
        }
    }

    pub(crate) fn fault(&mut self, error: Error) {
        if self.faults.len() < KEPT_FAULTS {
            self.faults.push(error);
        }
    }

    fn item(&mut self, out: &mut Out<'_>, item: Item<'e>) {
        match item {
            Item::Text(text) => out.text(text),
            Item::Bytes(bytes) => out.bytes(bytes),
            Item::Quoted(bytes) => escape::write_string(&mut out.buffer, bytes),
            Item::Keyword(bytes) => escape::write_keyword_or_string(&mut out.buffer, bytes),
            Item::Unsigned(number) => out.number(number),
            Item::Signed(number) => out.number(number),
            Item::Float64(bits) => {
                super::float::write_float(&mut out.buffer, super::float::Semantics::F64, bits.into());
            }
            Item::Attribute(index, elide) => {
                let of = EntryRef::Attribute(index);
                if elide == Elide::Never
                    && let Some(text) = self.cache.get(of)
                {
                    return out.bytes(text);
                }
                if !self.aliases.write(out, self.entries, of) {
                    self.body(out, of, elide, false);
                }
            }
            Item::Location(index) => {
                let of = EntryRef::Attribute(index);
                if !self.aliases.write(out, self.entries, of) {
                    self.body(out, of, Elide::Never, true);
                }
            }
            Item::Bare(index) => {
                let of = EntryRef::Attribute(index);
                if !self.aliases.write(out, self.entries, of) {
                    self.bare(out, of);
                }
            }
            Item::Type(index) => {
                let of = EntryRef::Type(index);
                if let Some(text) = self.cache.get(of) {
                    return out.bytes(text);
                }
                if !self.aliases.write(out, self.entries, of) {
                    self.body(out, of, Elide::Never, false);
                }
            }
            Item::AsBuiltin(index) => self.as_builtin(out, index),
            Item::Symbol(index) => {
                let entries = self.entries;
                let name = string_of(entries, index).unwrap_or_default();
                if name.is_empty() && self.style.release.quotes_empty_symbols() {
                    return out.text("@\"\"");
                }
                escape::write_symbol_name(&mut out.buffer, name);
            }
            Item::Named(key, value) => {
                let entries = self.entries;
                let key = string_of(entries, key).unwrap_or_default();
                escape::write_keyword_or_string(&mut out.buffer, key);
                if !self.is_unit(value) {
                    out.text(" = ");
                    self.stack.push(Item::Attribute(value, Elide::Never));
                }
            }
            Item::Made(place) => {
                // Made last, printed first or not at all: nothing later is left behind.
                out.bytes(self.made.get(place as usize).map_or(&[], |text| text));
                if self.made.len() == place as usize + 1 {
                    self.made.pop();
                }
            }
            Item::End(of, start, is_cacheable) => {
                self.open.remove(&of);
                if is_cacheable && let Some(text) = out.since(start) {
                    self.cache.put(of, text);
                }
            }
        }
    }

    /// Whether that attribute is `unit`.
    fn is_unit(&self, index: u32) -> bool {
        let of = EntryRef::Attribute(index);
        let form = self.entries.entry(of).and_then(|entry| entry.form(of).ok().flatten());
        form.is_some_and(|form| form.builtin == BuiltinKind::UnitAttr)
    }

    fn distinct_number(&mut self, key: DistinctKey) -> u64 {
        let next = self.distinct.len() as u64;
        *self.distinct.entry(key).or_insert(next)
    }

    /// An entry's text, with aliases for what is nested in it and numbers for its distinct attributes.
    pub(crate) fn text(&mut self, out: &mut Out<'_>, text: &[u8], instance: u32) {
        let has_distinct = text.windows(9).any(|window| window == b"distinct[");
        if !has_distinct && !self.aliases.has_texts() {
            return out.bytes(text);
        }
        let entries = self.entries;
        let mut scan = Scan::new(text, |dialect| entries.table(dialect)).inside();
        let mut done = 0;
        while let Some(found) = scan.next() {
            let (range, key) = match &found {
                Found::Distinct(range, number) => {
                    out.bytes(&text[done..range.start]);
                    let number = self.distinct_number(DistinctKey::Text(instance, *number));
                    out.text("distinct[");
                    out.number(number);
                    out.text("]");
                    done = range.end;
                    scan.pass(&found);
                    continue;
                }
                Found::Written(range) => (range, TextKey::new(&text[range.clone()], instance)),
                Found::Bare(range, name) => {
                    (range, TextKey::new([b"#", &name[..], &text[range.clone()]].concat(), instance))
                }
            };
            let before = out.position();
            if scan.depth() > MAX_TEXT_DEPTH {
                scan.pass(&found);
                continue;
            }
            out.bytes(&text[done..range.start]);
            if self.aliases.write_text(out, &key) {
                done = range.end;
                scan.pass(&found);
            } else {
                out.rewind(before);
                scan.descend(&found);
            }
        }
        out.bytes(&text[done..]);
    }

    /// The text of an entry itself. Prints what it can and leaves the rest on the stack.
    fn body(&mut self, out: &mut Out<'_>, of: EntryRef, elide: Elide, is_nested_location: bool) {
        let entries = self.entries;
        let Some(entry) = entries.entry(of) else {
            return out.text("<<NO SUCH ENTRY>>");
        };
        if let Some(text) = entry.text() {
            return self.text(out, text, instance(of));
        }
        let mut node = std::mem::take(&mut self.node);
        match entry.decode(of, entries, &mut node) {
            Ok(None) => self.encoded(out, of, &entry),
            Err(error) => self.unreadable(out, of, error),
            Ok(Some(_)) if !self.open.insert(of) => {
                out.text("<<CYCLE>>");
                let found = format!("{of:?} inside itself");
                let error =
                    Error::new(ErrorKind::EntryCycle, "no attribute or type to contain itself", found);
                self.fault(error.at(entry.offset).in_section(SectionId::AttrType));
            }
            Ok(Some((form, layout))) => {
                // Aliases within a text are good as long as aliases are, that is, for this printer.
                let is_cacheable = elide == Elide::Never && !is_nested_location && !self.is_definition;
                let end = Item::End(of, out.position(), is_cacheable);
                self.form(out, of, &entry, form, &form.layouts[layout], &node, elide, is_nested_location);
                self.stack.push(end);
                self.stack.extend(self.pending.drain(..).rev());
            }
        }
        self.node = node;
    }

    pub(crate) fn entries(&self) -> &'e E {
        self.entries
    }

    /// Text that was made for this place and is in no table.
    pub(crate) fn emit_owned(&mut self, out: &mut Out<'_>, text: Vec<u8>) {
        if self.pending.is_empty() {
            return out.bytes(&text);
        }
        self.pending.push(Item::Made(self.made.len() as u32));
        self.made.push(text);
    }

    // Emits at once what comes before the first nested entry, the rest later.
    pub(crate) fn emit(&mut self, out: &mut Out<'_>, item: Item<'e>) {
        let is_leaf = matches!(
            item,
            Item::Text(_)
                | Item::Bytes(_)
                | Item::Quoted(_)
                | Item::Keyword(_)
                | Item::Unsigned(_)
                | Item::Signed(_)
                | Item::Float64(_)
        );
        if is_leaf && self.pending.is_empty() {
            self.item(out, item);
        } else {
            self.pending.push(item);
        }
    }

    #[allow(clippy::too_many_arguments)] // one entry, seen from all sides
    fn form(
        &mut self,
        out: &mut Out<'_>,
        of: EntryRef,
        entry: &RawEntry<'e>,
        form: &'e Form,
        layout: &'e Layout,
        node: &Node,
        elide: Elide,
        is_nested_location: bool,
    ) {
        let context = Context { entry, form, layout, node };
        let Some(mnemonic) = &form.mnemonic else {
            let wraps = form.builtin.is_location() && !is_nested_location;
            if wraps {
                self.emit(out, Item::Text("loc("));
            }
            self.template(out, &form.asm, &context, elide);
            if wraps {
                self.emit(out, Item::Text(")"));
            }
            return;
        };
        let sigil = if matches!(of, EntryRef::Type(_)) { "!" } else { "#" };
        self.emit(out, Item::Text(sigil));
        self.emit(out, Item::Bytes(entry.dialect));
        let start = out.position();
        let is_bracketed = form.asm.is_bracketed();
        self.emit(out, Item::Text(if is_bracketed { "." } else { "<" }));
        self.emit(out, Item::Text(mnemonic));
        self.template(out, &form.asm, &context, elide);
        if is_bracketed {
            return;
        }
        // What has no brackets may still be a plain word (`printDialectSymbol` in AsmPrinter.cpp).
        let symbol = out.since(start).and_then(|text| text.get(1..)).unwrap_or_default();
        if self.pending.is_empty() && escape::is_pretty_dialect_symbol(symbol) {
            out.replace(start, b'.');
        } else {
            self.emit(out, Item::Text(">"));
        }
    }

    fn bare(&mut self, out: &mut Out<'_>, of: EntryRef) {
        let entries = self.entries;
        let Some(entry) = entries.entry(of) else { return };
        if let Some(text) = entry.text() {
            // `#dialect.mnemonic<…>` without its head.
            let start = out.position();
            let head = text.iter().position(|&byte| byte == b'<').unwrap_or(0);
            self.text(out, text, instance(of));
            return out.cut(start, head);
        }
        let mut node = std::mem::take(&mut self.node);
        match entry.decode(of, entries, &mut node) {
            Ok(Some((form, layout))) if form.mnemonic.is_some() => {
                if self.open.insert(of) {
                    let end = Item::End(of, out.position(), false);
                    let context = Context { entry: &entry, form, layout: &form.layouts[layout], node: &node };
                    self.template(out, &form.asm, &context, Elide::Never);
                    self.stack.push(end);
                    self.stack.extend(self.pending.drain(..).rev());
                } else {
                    out.text("<<CYCLE>>");
                }
                self.node = node;
            }
            _ => {
                self.node = node;
                self.body(out, of, Elide::Never, false);
            }
        }
    }

    fn as_builtin(&mut self, out: &mut Out<'_>, index: u32) {
        let of = EntryRef::Type(index);
        let entries = self.entries;
        let mut node = std::mem::take(&mut self.node);
        let decoded = entries.entry(of).and_then(|entry| {
            let (form, layout) = entry.decode(of, entries, &mut node).ok().flatten()?;
            Some((entry, form, layout, form.as_builtin.as_ref()?))
        });
        match decoded {
            Some((entry, form, layout, template)) if self.open.insert(of) => {
                let context = Context { entry: &entry, form, layout: &form.layouts[layout], node: &node };
                let end = Item::End(of, out.position(), false);
                self.template(out, template, &context, Elide::Never);
                self.stack.push(end);
                self.stack.extend(self.pending.drain(..).rev());
                self.node = node;
            }
            _ => {
                self.node = node;
                self.body(out, of, Elide::Never, false);
            }
        }
    }

    // ---- templates ----

    fn template(
        &mut self,
        out: &mut Out<'_>,
        template: &'e Template,
        context: &Context<'_, 'e>,
        elide: Elide,
    ) {
        for piece in &template.pieces {
            match piece {
                Piece::Text(text) => self.emit(out, Item::Text(text)),
                Piece::Field(number, style) => self.field(out, context, context.here(*number), *style),
                Piece::Params(fields) => self.params(out, context, fields),
                Piece::Where(number, inner) if !context.is_empty(context.here(*number)) => {
                    self.template(out, inner, context, elide);
                }
                Piece::Unless(number, inner) if context.is_empty(context.here(*number)) => {
                    self.template(out, inner, context, elide);
                }
                Piece::Where(..) | Piece::Unless(..) => {}
                Piece::Print => self.content(out, context, elide),
            }
        }
    }

    fn params(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>, fields: &'e [usize]) {
        let mut is_first = true;
        for &number in fields {
            let number = context.here(number);
            if context.is_left_out(number) {
                continue;
            }
            if !std::mem::take(&mut is_first) {
                self.emit(out, Item::Text(", "));
            }
            if let Some(spec) = context.layout.fields.get(number) {
                self.emit(out, Item::Text(&spec.name));
                self.emit(out, Item::Text(" = "));
            }
            self.field(out, context, number, None);
        }
    }

    fn field(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>, number: usize, style: Option<Style>) {
        let Some(spec) = context.layout.fields.get(number) else { return };
        let style = style.unwrap_or(spec.style);
        match context.node.field(number) {
            Field::List(_) => {
                let items = context.node.items(number);
                if style == Style::Dims {
                    for &item in items {
                        self.emit(out, dimension(item));
                        self.emit(out, Item::Text("x"));
                    }
                    return;
                }
                if style == Style::Pairs {
                    for (number, pair) in items.chunks(2).enumerate() {
                        if number > 0 {
                            self.emit(out, Item::Text(", "));
                        }
                        for (place, &item) in pair.iter().enumerate() {
                            if place > 0 {
                                self.emit(out, Item::Text(" = "));
                            }
                            self.value(out, context, spec, item, Style::Plain);
                        }
                    }
                    return;
                }
                if style == Style::Array {
                    self.emit(out, Item::Text("["));
                }
                let mut is_first = true;
                for &item in items {
                    if !std::mem::take(&mut is_first) {
                        self.emit(out, Item::Text(", "));
                    }
                    self.value(out, context, spec, item, style);
                }
                if style == Style::Array {
                    self.emit(out, Item::Text("]"));
                }
            }
            value => self.value(out, context, spec, value, style),
        }
    }

    fn value(
        &mut self,
        out: &mut Out<'_>,
        context: &Context<'_, 'e>,
        spec: &'e FieldSpec,
        value: Field,
        style: Style,
    ) {
        let entries = self.entries;
        if let (Primitive::Bits(of), Field::Bits(_) | Field::Words { .. }) = (&spec.primitive, value) {
            return self.number_of_type(out, context, *of, value);
        }
        let item = match (value, style) {
            (Field::Unsigned(number), Style::Enum(table)) => match context.names(table, number) {
                Some(name) => Item::Text(name),
                // As generated printers do.
                None => return,
            },
            (Field::Unsigned(number), Style::Flags(table)) => return self.flags(out, context, table, number),
            (Field::Unsigned(number), _) => Item::Unsigned(number),
            (Field::Signed(_), Style::Sizes) => dimension(value),
            (Field::Signed(number), _) => Item::Signed(number),
            (Field::Bool(value), _) => Item::Text(if value { "true" } else { "false" }),
            (Field::String(index), Style::Keyword) => Item::Keyword(entries.string(index)),
            (Field::String(index), Style::Verbatim) => Item::Bytes(entries.string(index)),
            (Field::String(index), _) => Item::Quoted(entries.string(index)),
            (Field::Attribute(index, _), Style::Bare) => Item::Bare(index),
            (Field::Attribute(index, _), Style::Elements) => return self.elements(out, index),
            (Field::Attribute(index, _), Style::Elided) => Item::Attribute(index, Elide::May),
            (Field::Attribute(index, _), _) if spec.primitive.wants("Location") => Item::Location(index),
            (Field::Attribute(index, _), _) if context.form.builtin == BuiltinKind::FileLineColLoc => {
                return self.location_name(out, Some(index));
            }
            (Field::Attribute(index, _), _) => Item::Attribute(index, Elide::Never),
            (Field::Type(index, _), Style::AsBuiltin) => Item::AsBuiltin(index),
            (Field::Type(index, _), _) => Item::Type(index),
            (Field::Bits(bits), _) => Item::Float64(bits),
            (Field::Resource(index), _) => return self.resource_key(out, index),
            _ => return,
        };
        self.emit(out, item);
    }

    // A number as wide as the type in another field.
    fn number_of_type(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>, of: usize, value: Field) {
        let element = context.node.r#type(of).and_then(|index| dense::element(self.entries, index));
        let words = context.node.words(value);
        let mut text = Vec::new();
        match element {
            Some(Element::Float(semantics)) => {
                super::float::write_float(&mut text, semantics, dense::to_u128(&words));
            }
            Some(element) => dense::write_integer(&mut text, &words, element),
            None => text.extend_from_slice(b"<<VALUE>>"),
        }
        self.emit_owned(out, text);
    }

    fn flags(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>, table: usize, number: u64) {
        let Some(rows) = context.entry.table.and_then(|t| t.enums.get(table)).map(|table| &table.rows) else {
            return;
        };
        if let Some((_, name)) = rows.iter().find(|(value, _)| number == *value) {
            return self.emit(out, Item::Text(name));
        }
        // Rows of several bits take theirs first; what is joined stands in quotes.
        let mut names = Vec::new();
        let mut left = number;
        let several = rows.iter().filter(|(value, _)| value.count_ones() > 1);
        for (value, name) in several.chain(rows.iter().filter(|(value, _)| value.count_ones() == 1)) {
            if left & value == *value {
                left &= !value;
                names.push(&**name);
            }
        }
        let is_quoted = number.count_ones() > 1;
        for (place, name) in names.into_iter().enumerate() {
            self.emit(
                out,
                Item::Text(match (place, is_quoted) {
                    (0, true) => "\"",
                    (0, false) => "",
                    _ => "|",
                }),
            );
            self.emit(out, Item::Text(name));
        }
        if is_quoted {
            self.emit(out, Item::Text("\""));
        }
    }

    // The elements of an array attribute.
    fn elements(&mut self, out: &mut Out<'_>, index: u32) {
        let of = EntryRef::Attribute(index);
        let mut node = Node::default();
        let entry = self.entries.entry(of);
        if !matches!(entry.map(|entry| entry.decode(of, self.entries, &mut node)), Some(Ok(Some(_)))) {
            return self.emit(out, Item::Attribute(index, Elide::Never));
        }
        for (number, item) in node.items(0).iter().enumerate() {
            let &Field::Attribute(element, _) = item else { continue };
            if number > 0 {
                self.emit(out, Item::Text(", "));
            }
            self.emit(out, Item::Bare(element));
        }
    }

    fn resource_key(&mut self, out: &mut Out<'_>, index: u32) {
        if self.seen_resources.insert(index) {
            self.resources.push(index);
        }
        let entries = self.entries;
        let key = entries.resource_key(index);
        let item =
            if self.style.release.quotes_resource_keys() { Item::Keyword(key) } else { Item::Bytes(key) };
        self.emit(out, item);
    }

    // ---- what templates cannot say ----

    fn content(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>, elide: Elide) {
        let node = context.node;
        match context.form.print {
            Named::Template => {}
            Named::Dictionary => self.dictionary(out, node),
            Named::Text => {
                self.field(out, context, 0, None);
                self.typed(out, node.r#type(1));
            }
            Named::SymbolRef => {
                self.pending.extend(node.attribute(0).map(Item::Symbol));
                for item in node.items(1) {
                    let &Field::Attribute(nested, _) = item else { continue };
                    self.pending.push(Item::Text("::"));
                    self.pending.extend(self.symbol_name(nested).map(Item::Symbol));
                }
            }
            Named::Integer => self.integer(out, context, elide),
            Named::Float => self.float(out, context, elide),
            Named::NameLoc => {
                self.location_name(out, node.attribute(0));
                let child = node.attribute(1).filter(|&child| !self.is_unknown_location(child));
                if let Some(child) = child {
                    self.emit(out, Item::Text("("));
                    self.emit(out, Item::Location(child));
                    self.emit(out, Item::Text(")"));
                }
            }
            Named::Range => self.range(out, node),
            Named::Resource => {
                self.emit(out, Item::Text("dense_resource<"));
                if let Field::Resource(index) = node.field(1) {
                    self.resource_key(out, index);
                }
                self.emit(out, Item::Text(">"));
                self.typed(out, node.r#type(0));
            }
            Named::DenseArray => self.dense_array(out, context),
            Named::DenseElements => self.dense_elements(out, context),
            Named::DenseStrings => self.dense_strings(out, context),
            Named::Sparse => self.sparse(out, context),
            Named::Distinct => {
                // Its place in the file is its identity: equal ones are distinct.
                let number = self.distinct_number(DistinctKey::Entry(context.entry.offset));
                self.emit(out, Item::Text("distinct["));
                self.emit(out, Item::Unsigned(number));
                self.emit(out, Item::Text("]<"));
                if let Some(referenced) = node.attribute(0).filter(|&index| !self.is_unit(index)) {
                    self.emit(out, Item::Attribute(referenced, Elide::Never));
                }
                self.emit(out, Item::Text(">"));
            }
            Named::AffineMap | Named::IntegerSet => self.affine(out, context),
            Named::StridedLayout => self.strided_layout(out, context),
            Named::IntegerType => {
                let width_and_sign = node.number(0);
                let prefix = match width_and_sign & 3 {
                    1 => "si",
                    2 => "ui",
                    _ => "i",
                };
                self.emit(out, Item::Text(prefix));
                self.emit(out, Item::Unsigned(width_and_sign >> 2));
            }
            Named::FunctionType => {
                self.emit(out, Item::Text("("));
                self.field(out, context, 0, None);
                self.emit(out, Item::Text(") -> "));
                let results = node.items(1);
                match results {
                    &[Field::Type(only, _)] if !self.is_function(only) => self.emit(out, Item::Type(only)),
                    _ => {
                        self.emit(out, Item::Text("("));
                        self.field(out, context, 1, None);
                        self.emit(out, Item::Text(")"));
                    }
                }
            }
            Named::MemRef => self.memref(out, context),
            Named::Vector => self.vector(out, context),
            Named::LlvmExpression => self.llvm_expression(out, context),
            Named::Convolution => self.convolution(out, context),
            Named::QuantAny | Named::QuantUniform | Named::QuantPerAxis | Named::QuantSubChannel => {
                self.quantized(out, context);
            }
        }
    }

    // ` : type`, unless it is none.
    fn typed(&mut self, out: &mut Out<'_>, r#type: Option<u32>) {
        if let Some(index) = r#type.filter(|&index| self.kind_of_type(index) != BuiltinKind::NoneType) {
            self.emit(out, Item::Text(" : "));
            self.emit(out, Item::AsBuiltin(index));
        }
    }

    fn kind_of_type(&self, index: u32) -> BuiltinKind {
        let of = EntryRef::Type(index);
        let form = self.entries.entry(of).and_then(|entry| entry.form(of).ok().flatten());
        form.map_or(BuiltinKind::Other, |form| form.builtin)
    }

    fn is_function(&self, index: u32) -> bool {
        self.kind_of_type(index) == BuiltinKind::FunctionType
    }

    /// Whether the result types of an op need parentheses although there is only one.
    pub(crate) fn needs_parentheses(&self, index: u32) -> bool {
        match self.cache.get(EntryRef::Type(index)) {
            // The text of a function type begins with one, unless it has an alias.
            Some([first, ..]) if !matches!(first, b'(' | b'!') => false,
            _ => self.is_function(index),
        }
    }

    fn is_unknown_location(&self, index: u32) -> bool {
        let of = EntryRef::Attribute(index);
        let form = self.entries.entry(of).and_then(|entry| entry.form(of).ok().flatten());
        form.is_some_and(|form| form.builtin == BuiltinKind::UnknownLoc)
    }

    // The string within a flat symbol reference.
    fn symbol_name(&self, index: u32) -> Option<u32> {
        let of = EntryRef::Attribute(index);
        let entry = self.entries.entry(of)?;
        let mut node = Node::default();
        entry.decode(of, self.entries, &mut node).ok()??;
        node.attribute(0)
    }

    fn dictionary(&mut self, out: &mut Out<'_>, node: &Node) {
        self.emit(out, Item::Text("{"));
        let mut is_first = true;
        // MLIR sorts what it reads (`DictionaryAttr::get` in BuiltinAttributes.cpp).
        let sorted = crate::value::canonical::sorted(node, self.entries);
        for pair in sorted.as_ref().unwrap_or(node).items(0).chunks_exact(2) {
            let [Field::Attribute(key, _), Field::Attribute(value, _)] = *pair else { continue };
            if !std::mem::take(&mut is_first) {
                self.emit(out, Item::Text(", "));
            }
            self.pending.push(Item::Named(key, value));
        }
        self.emit(out, Item::Text("}"));
    }

    fn integer(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>, elide: Elide) {
        let Some(r#type) = context.node.r#type(0) else { return };
        let value = context.node.field(1);
        let element = dense::element(self.entries, r#type);
        let Some(element) = element.filter(|_| !matches!(value, Field::Blob(_))) else {
            // A type of another dialect: how its values are stored is not known.
            out.text("<<VALUE>>");
            return self.typed(out, Some(r#type));
        };
        debug_assert!(self.pending.is_empty());
        dense::write_integer(&mut out.buffer, &context.node.words(value), element);
        let is_i64 = element == Element::Signless(64);
        if element == Element::Signless(1) || elide == Elide::May && is_i64 {
            return;
        }
        self.typed(out, Some(r#type));
    }

    fn float(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>, elide: Elide) {
        let Some(r#type) = context.node.r#type(0) else { return };
        let value = context.node.field(1);
        match dense::element(self.entries, r#type) {
            Some(Element::Float(semantics)) if !matches!(value, Field::Blob(_)) => {
                let words = context.node.words(value);
                let start = out.buffer.len();
                super::float::write_float(&mut out.buffer, semantics, dense::to_u128(&words));
                let is_hex = out.buffer.get(start..).is_some_and(|text| text.starts_with(b"0x"));
                let is_guessed = !(is_hex && self.style.release.types_hexadecimal_floats());
                if elide == Elide::May && semantics == super::float::Semantics::F64 && is_guessed {
                    return;
                }
            }
            _ => out.text("<<VALUE>>"),
        }
        self.typed(out, Some(r#type));
    }

    // The string alone, whatever its type (`printLocationInternal` in AsmPrinter.cpp).
    fn location_name(&mut self, out: &mut Out<'_>, name: Option<u32>) {
        let index = name.unwrap_or(u32::MAX);
        let entries = self.entries;
        let text = string_of(entries, index);
        self.emit(out, text.map_or(Item::Attribute(index, Elide::Never), Item::Quoted));
    }

    // `FileLineColRange` in AsmPrinter.cpp; numbers are start line, start column, end line, end column.
    fn range(&mut self, out: &mut Out<'_>, node: &Node) {
        self.location_name(out, node.attribute(0));
        let numbers: Vec<u64> = node.items(1).iter().map(|&field| number_of(field)).collect();
        let (line, column, end_line, end_column) = match *numbers {
            [] => (0, 0, 0, 0),
            [line] => (line, 0, line, 0),
            [line, column] => (line, column, line, column),
            [line, column, end] => (line, column, line, end),
            [line, column, end_line, end_column, ..] => (line, column, end_line, end_column),
        };
        self.pending.extend([Item::Text(":"), Item::Unsigned(line), Item::Text(":"), Item::Unsigned(column)]);
        if (line, column) != (end_line, end_column) {
            if line == end_line {
                self.pending.extend([Item::Text(" to :"), Item::Unsigned(end_column)]);
            } else {
                self.pending.push(Item::Text(" to "));
                self.pending.extend([Item::Unsigned(end_line), Item::Text(":"), Item::Unsigned(end_column)]);
            }
        }
    }

    fn dense_array(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>) {
        let Some(r#type) = context.node.r#type(0) else { return };
        out.text("array<");
        self.with_type(out, r#type);
        let count = context.node.number(1);
        let data = context.node.blob(context.node.field(2), context.entry.data);
        if count > 0 {
            out.text(": ");
            match dense::element(self.entries, r#type) {
                Some(element) => dense::write_array(out, data, count, element),
                None => out.text("<<ELEMENTS>>"),
            }
        }
        out.text(">");
    }

    // A type that must stand in the text before something that is written at once.
    fn with_type(&mut self, out: &mut Out<'_>, index: u32) {
        debug_assert!(self.pending.is_empty());
        let pending = std::mem::take(&mut self.pending);
        let node = std::mem::take(&mut self.node);
        self.run(out, Item::Type(index));
        self.node = node;
        self.pending = pending;
    }

    fn elides(&self, count: u64, is_splat: bool) -> bool {
        !is_splat && self.style.elide_elements.is_some_and(|limit| count > limit)
    }

    fn dense_elements(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>) {
        let Some(r#type) = context.node.r#type(0) else { return };
        let data = context.node.blob(context.node.field(1), context.entry.data);
        match self.dense(r#type, data) {
            Some(dense) if self.elides(dense.count, dense.is_splat) => out.text("dense_resource<__elided__>"),
            Some(dense) => {
                out.text("dense<");
                dense.write(out, true, self.style.release);
                out.text(">");
            }
            None => out.text("dense<<<ELEMENTS>>>"),
        }
        self.typed(out, Some(r#type));
    }

    fn dense<'d>(&self, r#type: u32, data: &'d [u8]) -> Option<dense::Dense<'d>> {
        dense::Dense::new(self.entries, r#type, data).map(dense::Dense::collapsed)
    }

    fn dense_strings(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>) {
        let Some(r#type) = context.node.r#type(0) else { return };
        let shape = dense::shape(self.entries, r#type).unwrap_or_default();
        let strings = context.node.items(2);
        let is_splat = self.are_one(context.node);
        if self.elides(strings.len() as u64, is_splat) {
            out.text("dense_resource<__elided__>");
        } else {
            out.text("dense<");
            self.strings(out, &shape, strings, is_splat);
            out.text(">");
        }
        self.typed(out, Some(r#type));
    }

    // Whether dense strings are a splat: said so, or all of them equal.
    fn are_one(&self, node: &Node) -> bool {
        let strings = node.items(2);
        let text = |field: &Field| match *field {
            Field::String(index) => Some(self.entries.string(index)),
            _ => None,
        };
        node.number(1) != 0
            || !strings.is_empty() && strings.iter().all(|field| text(field) == text(&strings[0]))
    }

    fn strings(&mut self, out: &mut Out<'_>, shape: &[i64], strings: &[Field], is_splat: bool) {
        dense::write_nested(out, shape, strings.len() as u64, is_splat, |out, at| {
            if let Some(&Field::String(index)) = strings.get(at as usize) {
                escape::write_string(&mut out.buffer, self.entries.string(index));
            }
        });
    }

    // Indices are never hexadecimal; values may be.
    fn sparse(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>) {
        let (indices, values) = (context.node.attribute(1), context.node.attribute(2));
        let r#type = context.node.r#type(0);
        let is_elided = [indices, values].into_iter().flatten().any(|index| self.is_elided_dense(index));
        if is_elided {
            out.text("dense_resource<__elided__>");
        } else {
            out.text("sparse<");
            if indices.is_some_and(|index| self.dense_count(index) != Some(0)) {
                self.raw_elements(out, indices, false);
                out.text(", ");
                self.raw_elements(out, values, true);
            }
            out.text(">");
        }
        self.typed(out, r#type);
    }

    fn dense_count(&self, index: u32) -> Option<u64> {
        let of = EntryRef::Attribute(index);
        let entry = self.entries.entry(of)?;
        let mut node = Node::default();
        let (form, _) = entry.decode(of, self.entries, &mut node).ok()??;
        match form.print {
            Named::DenseElements => {
                let data = node.blob(node.field(1), entry.data);
                Some(dense::Dense::new(self.entries, node.r#type(0)?, data)?.count)
            }
            _ => Some(dense::count(&dense::shape(self.entries, node.r#type(0)?)?)),
        }
    }

    fn is_elided_dense(&self, index: u32) -> bool {
        let of = EntryRef::Attribute(index);
        let Some(entry) = self.entries.entry(of) else { return false };
        let mut node = Node::default();
        let Ok(Some((form, _))) = entry.decode(of, self.entries, &mut node) else { return false };
        let Some(r#type) = node.r#type(0) else { return false };
        if form.print == Named::DenseElements {
            let data = node.blob(node.field(1), entry.data);
            return self.dense(r#type, data).is_some_and(|dense| self.elides(dense.count, dense.is_splat));
        }
        false
    }

    // The elements of a dense attribute without `dense<>` and type.
    fn raw_elements(&mut self, out: &mut Out<'_>, index: Option<u32>, may_be_hex: bool) {
        let Some(index) = index else { return };
        let of = EntryRef::Attribute(index);
        let entries = self.entries;
        let Some(entry) = entries.entry(of) else { return };
        let mut node = Node::default();
        let Ok(Some((form, _))) = entry.decode(of, entries, &mut node) else {
            return out.text("<<ELEMENTS>>");
        };
        let Some(r#type) = node.r#type(0) else { return };
        match form.print {
            Named::DenseElements => {
                let data = node.blob(node.field(1), entry.data);
                match self.dense(r#type, data) {
                    Some(dense) => dense.write(out, may_be_hex, self.style.release),
                    None => out.text("<<ELEMENTS>>"),
                }
            }
            Named::DenseStrings => {
                let shape = dense::shape(entries, r#type).unwrap_or_default();
                self.strings(out, &shape, node.items(2), self.are_one(&node));
            }
            _ => out.text("<<ELEMENTS>>"),
        }
    }

    fn affine(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>) {
        let data = context.node.blob(context.node.field(0), context.entry.data);
        let mut cursor = Cursor::new(data, context.entry.offset, Some(SectionId::AttrType));
        let written = match context.form.print {
            Named::AffineMap => AffineMap::decode(&mut cursor).map(|map| {
                out.text("affine_map<");
                affine::write_map(&mut out.buffer, &map);
            }),
            _ => IntegerSet::decode(&mut cursor).map(|set| {
                out.text("affine_set<");
                affine::write_set(&mut out.buffer, &set);
            }),
        };
        match written {
            Ok(()) => out.text(">"),
            Err(error) => {
                out.text("<<AFFINE>>");
                self.fault(error);
            }
        }
    }

    // `StridedLayoutAttr::print` in BuiltinAttributes.cpp
    fn strided_layout(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>) {
        self.emit(out, Item::Text("strided<["));
        for (number, &item) in context.node.items(1).iter().enumerate() {
            if number > 0 {
                self.emit(out, Item::Text(", "));
            }
            self.emit(out, dimension(item));
        }
        self.emit(out, Item::Text("]"));
        let offset = context.node.field(0);
        if offset != Field::Signed(0) {
            self.emit(out, Item::Text(", offset: "));
            self.emit(out, dimension(offset));
        }
        self.emit(out, Item::Text(">"));
    }

    fn memref(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>) {
        let layout = context.layout;
        let at = |name: &str| layout.index(name).unwrap_or(usize::MAX);
        self.emit(out, Item::Text("memref<"));
        self.field(out, context, at("shape"), Some(Style::Dims));
        self.field(out, context, at("elementType"), None);
        if let Some(index) = context.node.attribute(at("layout"))
            && !self.is_identity(index)
        {
            self.emit(out, Item::Text(", "));
            self.emit(out, Item::Attribute(index, Elide::May));
        }
        if let Some(space) = context.node.attribute(at("memorySpace")) {
            self.emit(out, Item::Text(", "));
            self.emit(out, Item::Attribute(space, Elide::May));
        }
        self.emit(out, Item::Text(">"));
    }

    /// Whether a layout is the identity map, which memrefs leave out.
    pub(crate) fn is_identity(&mut self, index: u32) -> bool {
        if let Some(&known) = self.identity_layouts.get(&index) {
            return known;
        }
        let is_identity = is_identity_layout(self.entries, index);
        self.identity_layouts.insert(index, is_identity);
        is_identity
    }

    fn vector(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>) {
        let (layout, node) = (context.layout, context.node);
        let at = |name: &str| layout.index(name).unwrap_or(usize::MAX);
        let shape = node.items(at("shape"));
        let scalable = node.items(at("scalable"));
        // Before 18 only the last dimensions could be scalable, and their number was written.
        let counted = layout.index("numScalable").map_or(0, |field| node.number(field));
        let first_counted = (shape.len() as u64).saturating_sub(counted);
        self.emit(out, Item::Text("vector<"));
        for (number, &dim) in shape.iter().enumerate() {
            let is_scalable =
                scalable.get(number) == Some(&Field::Bool(true)) || number as u64 >= first_counted;
            if counted > 0 {
                // One pair of brackets around all of them: `vector<2x[4x8]xf32>`.
                if number as u64 == first_counted {
                    self.emit(out, Item::Text("["));
                }
                self.emit(out, dimension(dim));
                self.emit(out, Item::Text(if number + 1 == shape.len() { "]x" } else { "x" }));
                continue;
            }
            let (open, close) = if is_scalable { ("[", "]x") } else { ("", "x") };
            self.emit(out, Item::Text(open));
            self.emit(out, dimension(dim));
            self.emit(out, Item::Text(close));
        }
        self.field(out, context, at("elementType"), None);
        self.emit(out, Item::Text(">"));
    }

    // ---- what cannot be read ----

    // An entry that a codec of its dialect made, without a table for the dialect.
    fn encoded(&mut self, out: &mut Out<'_>, of: EntryRef, entry: &RawEntry<'_>) {
        let sigil = if matches!(of, EntryRef::Type(_)) { '!' } else { '#' };
        let dialect = String::from_utf8_lossy(entry.dialect);
        out.text("<<ENCODED ");
        out.text(&format!("{sigil}{dialect} 0x"));
        out.hex(entry.data);
        out.text(">>");
        let found = format!("an encoding of the {dialect} dialect, for which there is no table");
        let error = Error::new(ErrorKind::EntryNoTable, "a dialect with a table", found);
        self.fault(error.at(entry.offset).in_section(SectionId::AttrType));
    }

    fn unreadable(&mut self, out: &mut Out<'_>, of: EntryRef, error: Error) {
        let (sort, index) = match of {
            EntryRef::Attribute(index) => ("ATTRIBUTE", index),
            EntryRef::Type(index) => ("TYPE", index),
        };
        out.text(&format!("<<UNREADABLE {sort} {index}>>"));
        self.fault(error);
    }
}

/// An entry that is being printed.
pub(crate) struct Context<'c, 'e> {
    entry: &'c RawEntry<'e>,
    pub(crate) form: &'e Form,
    layout: &'e Layout,
    pub(crate) node: &'c Node,
}

impl<'e> Context<'_, 'e> {
    /// The name of a number in a table of the dialect.
    pub(crate) fn named(&self, table: &str, number: u64) -> Option<&'e str> {
        let tables = &self.entry.table?.enums;
        tables.iter().find(|known| *known.name == *table)?.text(number)
    }

    fn names(&self, table: usize, number: u64) -> Option<&'e str> {
        self.entry.table?.enums.get(table)?.text(number)
    }

    /// The place in this layout of a field of the newest one, which templates are written for.
    fn here(&self, number: usize) -> usize {
        match self.form.layouts.first() {
            Some(newest) if !std::ptr::eq(newest, self.layout) => {
                let name = newest.fields.get(number).map(|field| &*field.name);
                name.and_then(|name| self.layout.index(name)).unwrap_or(usize::MAX)
            }
            _ => number,
        }
    }

    pub(crate) fn field(&self, name: &str) -> usize {
        self.layout.index(name).unwrap_or(usize::MAX)
    }

    /// Whether there is nothing that conditions of templates would print.
    fn is_empty(&self, number: usize) -> bool {
        self.is_left_out(number) || self.node.field(number) == Field::List(0)
    }

    /// Whether `{params}` leaves out that field.
    fn is_left_out(&self, number: usize) -> bool {
        let Some(spec) = self.layout.fields.get(number) else { return true };
        let is_empty_list = matches!(self.node.field(number), Field::List(0));
        match (self.node.field(number), spec.omit) {
            (Field::Absent, _) => true,
            (Field::List(0), _) if matches!(spec.primitive, Primitive::OptionalList(_)) => true,
            (_, Some(Omit::Empty)) => is_empty_list,
            (Field::Signed(value), Some(Omit::Number(omitted))) => value == omitted,
            (Field::Bits(bits), Some(Omit::Number(0))) => f64::from_bits(bits) == 0.0,
            (_, Some(Omit::Number(omitted))) => self.node.number(number) == omitted as u64,
            (_, None) => false,
        }
    }
}

fn number_of(field: Field) -> u64 {
    match field {
        Field::Unsigned(value) => value,
        Field::Signed(value) => value as u64,
        _ => 0,
    }
}

// Dynamic sizes are the smallest 64-bit integer (`ShapedType::kDynamic`).
fn dimension(field: Field) -> Item<'static> {
    match field {
        Field::Signed(i64::MIN) => Item::Text("?"),
        Field::Signed(value) => Item::Signed(value),
        other => Item::Unsigned(number_of(other)),
    }
}

/// The bytes of a string attribute.
pub(crate) fn string_of<E: Entries>(entries: &E, index: u32) -> Option<&[u8]> {
    let of = EntryRef::Attribute(index);
    let entry = entries.entry(of)?;
    let mut node = Node::default();
    let (form, _) = entry.decode(of, entries, &mut node).ok()??;
    match node.field(0) {
        Field::String(string) if form.builtin == BuiltinKind::StringAttr => Some(entries.string(string)),
        _ => None,
    }
}

/// Whether a layout is the identity map.
pub(crate) fn is_identity_layout(entries: &impl Entries, index: u32) -> bool {
    let of = EntryRef::Attribute(index);
    let Some(entry) = entries.entry(of) else { return false };
    if let Some(text) = entry.text() {
        let map = text.strip_prefix(b"affine_map<").and_then(|rest| rest.strip_suffix(b">"));
        let llvm = TextStyle::NEWEST.llvm;
        return map.and_then(|map| AffineMap::parse(map, llvm).ok()).is_some_and(|map| map.is_identity());
    }
    let mut node = Node::default();
    match entry.decode(of, entries, &mut node) {
        Ok(Some((form, _))) if form.print == Named::AffineMap => {
            let data = node.blob(node.field(0), entry.data);
            AffineMap::decode(&mut Cursor::new(data, 0, None)).is_ok_and(|map| map.is_identity())
        }
        _ => false,
    }
}
