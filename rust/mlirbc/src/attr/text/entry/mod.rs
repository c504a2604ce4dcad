//! Attributes and types as text (`AsmPrinter::Impl` in `mlir/lib/IR/AsmPrinter.cpp`).
//!
//! Entries may nest to any depth, so the remaining items are on an explicit stack.

mod body;
mod cache;
mod content;
mod context;
mod template;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::{Field, Node};
use crate::dialect::table::{BuiltinKind, Named};
use crate::format::id::{AttrId, TypeId};
use crate::wire::cursor::Cursor;
use crate::wire::error::{Error, ErrorKind};
use crate::wire::limits::{Budget, HeldMemory};

use super::affine::AffineMap;
use super::alias::{Aliases, MAX_TEXT_DEPTH, TextKey};
use super::escape;
use super::out::Out;
use super::scan::{NestedText, Scan};
use crate::release::Llvm;

use cache::{CACHED_TEXT, Cache, Key};

pub(crate) use context::Context;

const MAX_FAULTS: usize = 100;
// The size of an encoded number above which its digits cost more than a cache lookup.
const LARGE_NUMBER: usize = 128;

/// The mark at which a truncated text ends.
pub(crate) const TOO_LONG: &str = "<<TEXT TOO LONG>>";

/// Whether the type of an attribute is printed (`AttrTypeElision`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Elide {
    Never,
    /// The type is omitted if it is the parser's default.
    May,
}

/// An item that remains to be printed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Item<'e> {
    Text(&'e str),
    Bytes(&'e [u8]),
    Quoted(&'e [u8]),
    Keyword(&'e [u8]),
    /// A name that the release never quotes.
    Plain(&'e [u8]),
    Unsigned(u64),
    Signed(i64),
    Float64(u64),
    Attribute(u32, Elide),
    /// The text of an attribute without the name of its dialect and class.
    Bare(u32),
    /// A location within another one.
    Location(u32),
    Type(u32),
    /// A type with its name in the builtin dialect.
    AsBuiltin(u32),
    /// The name of a symbol: an attribute that is a string.
    Symbol(AttrId),
    /// The key of a named attribute, and its value if that is printed.
    Named(u32, u32),
    /// Quantization scales and their zero points, in braces that follow their shape.
    Scales(u32, u32),
    /// Text from [`EntryPrinter::emit_owned`].
    Made(u32),
    /// The end of the item that was started at this position.
    End(EntryRef, u64, Option<Key>),
}

/// The printing rules of a release, and the rules of elision.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EntryStyle {
    pub(crate) release: Llvm,
    /// The number of dense elements above which they are elided.
    pub(crate) elide_elements: Option<u64>,
}

/// Prints entries of one table.
pub(crate) struct EntryPrinter<'e, E> {
    entries: &'e E,
    pub(crate) style: EntryStyle,
    pub(crate) aliases: Arc<Aliases>,
    /// Numbers of distinct attributes, in the order of first use.
    distinct: HashMap<DistinctKey, u64>,
    /// Resources in the order of first use.
    pub(crate) resources: Vec<u32>,
    seen_resources: HashSet<u32>,
    stack: Vec<Item<'e>>,
    // Items of the current entry, moved to the stack when all are known.
    pending: Vec<Item<'e>>,
    node: Node,
    open: HashSet<EntryRef, foldhash::fast::RandomState>,
    cache: Cache,
    // The number of bytes copied from the cache, and the number at the start of each open text.
    copied: u64,
    begun: Vec<u64>,
    /// The maximum length of the text of one entry, in bytes.
    limit: u64,
    // The memory of the stack, if there is a budget.
    held: Option<HeldMemory>,
    // Text entries that are valid attributes or types.
    checked: HashSet<EntryRef>,
    /// The errors of unreadable parts.
    pub(crate) faults: Vec<Error>,
    identity_layouts: HashMap<AttrId, bool>,
    // Whether the entry is printed in full; elsewhere its alias is printed.
    is_definition: bool,
    // Whether the type of the entry that is being begun is omitted.
    drops_type: bool,
    // Texts that are not printed yet.
    owned_texts: Vec<Option<Vec<u8>>>,
    was_cut: bool,
    /// Whether only the beginning of a long text is printed if the text was printed before.
    is_abridged: bool,
}

/// The length up to which a text is always printed in full, and the length of the beginning of a longer text.
pub(crate) const ABRIDGED_ABOVE: usize = 200;
const BEGINNING: usize = 100;

/// The identity of a distinct attribute: its entry, or its number in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum DistinctKey {
    Entry(u64),
    Text(u32, u64),
}

impl<'e, E: Entries> EntryPrinter<'e, E> {
    pub(crate) fn new(entries: &'e E, style: EntryStyle, limit: u64) -> Self {
        Self {
            entries,
            style,
            aliases: Arc::default(),
            distinct: HashMap::new(),
            resources: Vec::new(),
            seen_resources: HashSet::new(),
            stack: Vec::new(),
            pending: Vec::new(),
            node: Node::default(),
            open: HashSet::default(),
            cache: Cache::default(),
            copied: 0,
            begun: Vec::new(),
            limit,
            held: None,
            checked: HashSet::new(),
            faults: Vec::new(),
            identity_layouts: HashMap::new(),
            is_definition: false,
            drops_type: false,
            owned_texts: Vec::new(),
            was_cut: false,
            is_abridged: false,
        }
    }

    /// Disables the cache, for few texts.
    pub(crate) fn without_cache(mut self) -> Self {
        self.cache.is_off = true;
        self
    }

    /// Prints only the beginning of a long text that is in the cache, for readers who have seen it: otherwise
    /// every operation with a wide type would repeat the whole type.
    pub(crate) fn abridge(&mut self) {
        self.is_abridged = true;
    }

    /// Charges cached texts to `budget`.
    pub(crate) fn with_kept_texts(mut self, budget: &Budget) -> Self {
        self.cache.charge_to(budget);
        self
    }

    /// Whether a distinct attribute was printed; its number depends on all text before it.
    pub(crate) fn has_distinct(&self) -> bool {
        !self.distinct.is_empty()
    }

    /// Adds resources that another printer used next.
    pub(crate) fn add_resources(&mut self, resources: &[u32]) {
        for &resource in resources {
            if self.seen_resources.insert(resource) {
                self.resources.push(resource);
            }
        }
    }

    /// Whether a text was truncated at the limit.
    pub(crate) fn was_cut(&self) -> bool {
        self.was_cut
    }

    /// Sets the maximum length of the text of one entry, in bytes.
    pub(crate) fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    /// Charges memory to `budget`; the length of texts is limited by the output.
    pub(crate) fn with_budget(mut self, budget: &Budget) -> Self {
        self.limit = u64::MAX;
        self.held = budget.hold(0).ok();
        self.cache.charge_to(budget);
        self
    }

    /// Prints an attribute, or its alias.
    #[inline]
    pub(crate) fn attribute(&mut self, out: &mut Out<'_>, index: AttrId, elide: Elide) {
        if elide == Elide::Never && self.cached(out, Key::whole(EntryRef::Attribute(index))) {
            return;
        }
        self.run(out, Item::Attribute(index.number(), elide));
    }

    /// Returns the text of an attribute, or its alias, unless the text is longer than `most`.
    ///
    /// The result that a text is longer is cached: operations that share a large attribute do not each pay
    /// for its size.
    pub(crate) fn short_text(&mut self, index: AttrId, most: usize) -> Option<Vec<u8>> {
        let key = Key::whole(EntryRef::Attribute(index));
        if self.cache.is_longer(key, most) {
            return None;
        }
        let mut out = Out::excerpt(most as u64);
        // The caller reads the text, so it must be complete.
        let is_abridged = std::mem::take(&mut self.is_abridged);
        self.attribute(&mut out, index, Elide::Never);
        self.is_abridged = is_abridged;
        if out.buffer.len() > most {
            self.cache.note_longer(key, most);
            return None;
        }
        Some(out.buffer)
    }

    /// Prints a type, or its alias.
    #[inline]
    pub(crate) fn r#type(&mut self, out: &mut Out<'_>, index: TypeId) {
        if self.cached(out, Key::whole(EntryRef::Type(index))) {
            return;
        }
        self.run(out, Item::Type(index.number()));
    }

    /// Returns the text of a type, unless it is longer than `most`.
    pub(crate) fn short_type(&mut self, index: TypeId, most: usize) -> Option<String> {
        let mut out = Out::excerpt(most as u64);
        let is_abridged = std::mem::take(&mut self.is_abridged);
        self.r#type(&mut out, index);
        self.is_abridged = is_abridged;
        if out.buffer.len() > most { None } else { String::from_utf8(out.buffer).ok() }
    }

    /// Prints a type with its name in the builtin dialect, if the table of its dialect has one.
    pub(crate) fn builtin_type(&mut self, out: &mut Out<'_>, index: TypeId) {
        self.run(out, Item::AsBuiltin(index.number()));
    }

    /// Prints `key = value`, or only the key for a unit attribute.
    pub(crate) fn named(&mut self, out: &mut Out<'_>, key: &[u8], value: AttrId) {
        escape::write_keyword_or_string(&mut out.buffer, key);
        if !self.is_unit(value) {
            out.text(" = ");
            self.attribute(out, value, Elide::Never);
        }
    }

    /// Prints ` = value` after the name, or nothing for a unit attribute.
    pub(crate) fn value_of_named(&mut self, out: &mut Out<'_>, value: AttrId) {
        if !self.is_unit(value) {
            out.text(" = ");
            self.attribute(out, value, Elide::Never);
        }
    }

    /// Prints an attribute without its own type, or its alias (`AsmPrinter::printAttributeWithoutType`).
    pub(crate) fn attribute_without_type(&mut self, out: &mut Out<'_>, index: AttrId) {
        let entry_ref = EntryRef::Attribute(index);
        if self.aliases.write(out, self.entries, entry_ref) {
            return;
        }
        let start = out.position();
        self.is_definition = true;
        self.drops_type = true;
        self.body(out, entry_ref, Elide::Never, false);
        self.drops_type = false;
        self.is_definition = false;
        self.drain(out, 0, start);
    }

    /// Prints ` loc(…)`.
    pub(crate) fn trailing_location(&mut self, out: &mut Out<'_>, index: AttrId, may_be_alias: bool) {
        out.text(" loc(");
        if may_be_alias {
            self.run(out, Item::Location(index.number()));
        } else {
            // An alias may be printed elsewhere.
            self.is_definition = true;
            self.body(out, EntryRef::Attribute(index), Elide::Never, true);
            self.is_definition = false;
            self.drain(out, 0, out.position());
        }
        out.text(")");
    }

    /// Prints an attribute or a type with an alias in full, in the definition of the alias.
    pub(crate) fn definition(&mut self, out: &mut Out<'_>, entry_ref: EntryRef) {
        let start = out.position();
        self.is_definition = true;
        self.body(out, entry_ref, Elide::Never, false);
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
        let mut is_cut = false;
        while self.stack.len() > base
            && let Some(item) = self.stack.pop()
        {
            self.item(out, item);
            out.flush_if_large();
            self.charge(out);
            // With very many items, the oldest ones come after more text than the limit allows.
            let waiting = self.stack.len() - base;
            if waiting as u64 / 2 > self.limit {
                self.stack.drain(base..base + waiting - self.limit as usize);
                is_cut = true;
            }
            if out.position() - start > self.limit || is_cut && self.stack.len() == base {
                self.stack.truncate(base);
                self.open.clear();
                self.begun.clear();
                if base == 0 {
                    self.owned_texts.clear();
                }
                out.text(TOO_LONG);
                self.was_cut = true;
                let message = format!("the text of an attribute or type is longer than {} bytes", self.limit);
                self.fault(Error::message(ErrorKind::TextLimit, message));
                return;
            }
            if out.has_enough() {
                self.stack.truncate(base);
                self.open.clear();
                self.begun.clear();
                if base == 0 {
                    self.owned_texts.clear();
                }
                return;
            }
        }
    }

    // Charges the remaining and the open items.
    #[inline]
    fn charge(&mut self, out: &mut Out<'_>) {
        if let Some(held) = &mut self.held {
            let bytes = 2 * size_of::<Item<'_>>() * (self.stack.capacity() + self.pending.capacity());
            if let Err(error) = held.grow_to(bytes) {
                out.fail(error);
            }
        }
    }

    /// Whether another fault would be reported.
    pub(crate) fn keeps_faults(&self) -> bool {
        self.faults.len() < MAX_FAULTS
    }

    /// Whether the text of an entry is cached, and is not the text of an empty dictionary.
    pub(crate) fn has_text(&self, entry_ref: EntryRef) -> bool {
        self.cache.get(Key::whole(entry_ref)).is_some_and(|text| text != b"{}")
    }

    pub(crate) fn fault(&mut self, error: Error) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(error);
        }
    }

    // Truncates bytes; only text beyond the limit is lost.
    fn cut<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        let most = usize::try_from(self.limit).map_or(usize::MAX, |limit| limit.saturating_add(1));
        bytes.get(..most).unwrap_or(bytes)
    }

    fn item(&mut self, out: &mut Out<'_>, item: Item<'e>) {
        match item {
            Item::Text(text) => out.text(text),
            Item::Bytes(bytes) => out.bytes(self.cut(bytes)),
            Item::Quoted(bytes) => {
                let needed = self.cut(out.needed(bytes));
                escape::write_string(&mut out.buffer, needed);
            }
            Item::Keyword(bytes) => escape::write_keyword_or_string(&mut out.buffer, bytes),
            Item::Plain(bytes) => escape::write_plain_or_string(&mut out.buffer, bytes),
            Item::Unsigned(number) => out.number(number),
            Item::Signed(number) => out.number(number),
            Item::Float64(bits) => {
                super::float::write_float(&mut out.buffer, super::float::Semantics::F64, bits.into());
            }
            Item::Attribute(index, elide) => {
                let entry_ref = EntryRef::Attribute(AttrId::new(index));
                if self.key(entry_ref, elide).is_some_and(|key| self.cached(out, key)) {
                    return;
                }
                if !self.aliases.write(out, self.entries, entry_ref) {
                    self.body(out, entry_ref, elide, false);
                }
            }
            Item::Location(index) => {
                let entry_ref = EntryRef::Attribute(AttrId::new(index));
                if self.cached(out, Key::location(AttrId::new(index))) {
                    return;
                }
                if !self.aliases.write(out, self.entries, entry_ref) {
                    self.body(out, entry_ref, Elide::Never, true);
                }
            }
            Item::Bare(index) => {
                let entry_ref = EntryRef::Attribute(AttrId::new(index));
                if self.cached(out, Key::bare(AttrId::new(index))) {
                    return;
                }
                if !self.aliases.write(out, self.entries, entry_ref) {
                    self.bare(out, AttrId::new(index));
                }
            }
            Item::Type(index) => {
                let entry_ref = EntryRef::Type(TypeId::new(index));
                if self.cached(out, Key::whole(entry_ref)) {
                    return;
                }
                if !self.aliases.write(out, self.entries, entry_ref) {
                    self.body(out, entry_ref, Elide::Never, false);
                }
            }
            Item::AsBuiltin(index) => self.as_builtin(out, TypeId::new(index)),
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
                let key = string_of(entries, AttrId::new(key)).unwrap_or_default();
                escape::write_keyword_or_string(&mut out.buffer, key);
                if !self.is_unit(AttrId::new(value)) {
                    out.text(" = ");
                    self.stack.push(Item::Attribute(value, Elide::Never));
                }
            }
            Item::Made(place) => {
                let text = self.owned_texts.get_mut(place as usize).and_then(Option::take);
                out.bytes(text.as_deref().unwrap_or_default());
                while self.owned_texts.pop_if(|text| text.is_none()).is_some() {}
            }
            Item::Scales(scales, zeros) => self.nested_scales(out, AttrId::new(scales), AttrId::new(zeros)),
            Item::End(entry_ref, start, key) => {
                self.open.remove(&entry_ref);
                if let Some(key) = key {
                    self.end(out, key, start);
                }
            }
        }
    }

    /// Writes a cached text; `false` if there is none.
    #[inline]
    fn cached(&mut self, out: &mut Out<'_>, key: Key) -> bool {
        let Some(text) = self.cache.get(key) else { return false };
        if self.is_abridged && text.len() > ABRIDGED_ABOVE {
            let is_within_letter = |place: &usize| text.get(*place).is_some_and(|byte| byte & 0xC0 == 0x80);
            let end = (0..=BEGINNING).rev().find(|place| !is_within_letter(place)).unwrap_or_default();
            self.copied += (end + '…'.len_utf8()) as u64;
            out.bytes(text.get(..end).unwrap_or_default());
            out.text("…");
            return true;
        }
        self.copied += text.len() as u64;
        out.bytes(out.needed(text));
        true
    }

    // Starts a text that may be cached; a long text stays in the buffer until its end.
    fn begin(&mut self, out: &mut Out<'_>, key: Option<Key>) -> Option<Key> {
        let key = key.filter(|_| !self.is_definition)?;
        if let Some(len) = self.cache.long_text_len(key) {
            out.keep(len);
        }
        self.begun.push(self.copied);
        Some(key)
    }

    // Ends the last started text, which began at `start`.
    fn end(&mut self, out: &Out<'_>, key: Key, start: u64) {
        let copied = self.copied - self.begun.pop().unwrap_or(self.copied).min(self.copied);
        // A complete excerpt may end within the text.
        if out.has_enough() {
            return;
        }
        let len = out.position() - start;
        // In a chain of nested entries, each text is little longer than the previous one, so their total
        // length is quadratic.
        if len > CACHED_TEXT as u64 && len.saturating_sub(copied) < len / 32 {
            return;
        }
        match out.since(start) {
            Some(text) => self.cache.put(key, text),
            None => self.cache.note(key, len),
        }
    }

    // Whether an attribute omits its type if that is the parser's default.
    fn may_elide(&self, entry_ref: EntryRef) -> bool {
        let form = self.entries.entry(entry_ref).and_then(|entry| entry.form(entry_ref).ok().flatten());
        form.is_some_and(|form| matches!(form.print, Named::Integer | Named::Float))
    }

    // Returns the cache key of the text of an entry; only large numbers are cached.
    fn key(&self, entry_ref: EntryRef, elide: Elide) -> Option<Key> {
        if self.cache.is_off {
            return None;
        }
        if elide == Elide::Never || !self.may_elide(entry_ref) {
            return Some(Key::whole(entry_ref));
        }
        let is_large = self.entries.entry(entry_ref).is_some_and(|entry| entry.data.len() > LARGE_NUMBER);
        is_large.then(|| Key::untyped(entry_ref))
    }

    /// Whether an attribute is `unit`.
    fn is_unit(&self, index: AttrId) -> bool {
        let entry_ref = EntryRef::Attribute(index);
        let form = self.entries.entry(entry_ref).and_then(|entry| entry.form(entry_ref).ok().flatten());
        form.is_some_and(|form| form.builtin == BuiltinKind::UnitAttr)
    }

    fn distinct_number(&mut self, key: DistinctKey) -> u64 {
        let next = self.distinct.len() as u64;
        *self.distinct.entry(key).or_insert(next)
    }

    /// Prints the text of an entry, with aliases for nested parts and numbers for its distinct attributes.
    pub(crate) fn text(&mut self, out: &mut Out<'_>, text: &[u8], instance: u32) {
        self.text_from(out, text, 0, instance);
    }

    // As [`Self::text`], without the text before `from`, which is at most its name.
    fn text_from(&mut self, out: &mut Out<'_>, text: &[u8], from: usize, instance: u32) {
        if !self.aliases.has_texts() {
            let needed = out.needed(&text[from..]);
            if !needed.windows(9).any(|window| window == b"distinct[") {
                return out.bytes(needed);
            }
        }
        let entries = self.entries;
        let mut scan = Scan::new(text, |dialect| entries.table(dialect)).inside();
        let mut done = from;
        while let Some(nested) = scan.next() {
            let (range, key) = match &nested {
                NestedText::Distinct(range, number) => {
                    out.bytes(&text[done..range.start]);
                    let number = self.distinct_number(DistinctKey::Text(instance, *number));
                    out.text("distinct[");
                    out.number(number);
                    out.text("]");
                    done = range.end;
                    scan.pass(&nested);
                    continue;
                }
                NestedText::Written(range) => (range, TextKey::new(&text[range.clone()], instance)),
                NestedText::Bare(range, name) => {
                    (range, TextKey::new([&name[..], &text[range.clone()]].concat(), instance))
                }
            };
            if scan.depth() > MAX_TEXT_DEPTH {
                scan.pass(&nested);
                continue;
            }
            let Some(alias) = self.aliases.of_text(&key) else {
                scan.descend(&nested);
                continue;
            };
            out.bytes(&text[done..range.start]);
            alias.write(out);
            done = range.end;
            scan.pass(&nested);
        }
        out.bytes(&text[done..]);
    }

    pub(crate) fn entries(&self) -> &'e E {
        self.entries
    }

    /// The maximum length of the text of one entry.
    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// Prints text that was created for this position and is in no table.
    pub(crate) fn emit_owned(&mut self, out: &mut Out<'_>, text: Vec<u8>) {
        if self.pending.is_empty() {
            return out.bytes(&text);
        }
        self.pending.push(Item::Made(self.owned_texts.len() as u32));
        self.owned_texts.push(Some(text));
    }

    // Emits the items before the first nested entry at once, and all others later.
    pub(crate) fn emit(&mut self, out: &mut Out<'_>, item: Item<'e>) {
        let is_leaf = matches!(
            item,
            Item::Text(_)
                | Item::Bytes(_)
                | Item::Quoted(_)
                | Item::Keyword(_)
                | Item::Plain(_)
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
}

fn number_of(field: Field) -> u64 {
    match field {
        Field::Unsigned(value) => value,
        Field::Signed(value) => value as u64,
        _ => 0,
    }
}

// Dynamic sizes are the minimum 64-bit integer (`ShapedType::kDynamic`).
fn dimension(field: Field) -> Item<'static> {
    match field {
        Field::Signed(i64::MIN) => Item::Text("?"),
        Field::Signed(value) => Item::Signed(value),
        other => Item::Unsigned(number_of(other)),
    }
}

/// Returns the bytes of a string attribute.
pub(crate) fn string_of<E: Entries>(entries: &E, index: AttrId) -> Option<&[u8]> {
    let entry_ref = EntryRef::Attribute(index);
    let entry = entries.entry(entry_ref)?;
    let mut node = Node::default();
    let (form, _) = entry.decode(entry_ref, entries, &mut node).ok()??;
    match node.field(0) {
        Field::String(string) if form.builtin == BuiltinKind::StringAttr => Some(entries.string(string)),
        _ => None,
    }
}

/// Returns the type of a string attribute, if there is one.
pub(crate) fn type_of_string(entries: &impl Entries, index: AttrId) -> Option<TypeId> {
    let entry_ref = EntryRef::Attribute(index);
    let entry = entries.entry(entry_ref)?;
    let place = match entry.form(entry_ref).ok()?? {
        form if form.builtin == BuiltinKind::StringAttr => form.layouts.first()?.index("type")?,
        _ => return None,
    };
    let mut node = Node::default();
    entry.decode(entry_ref, entries, &mut node).ok()??;
    node.r#type(place)
}

/// Whether a layout is the identity map.
pub(crate) fn is_identity_layout(entries: &impl Entries, index: AttrId) -> bool {
    let entry_ref = EntryRef::Attribute(index);
    let Some(entry) = entries.entry(entry_ref) else { return false };
    if let Some(text) = entry.text() {
        let map = text.strip_prefix(b"affine_map<").and_then(|rest| rest.strip_suffix(b">"));
        let llvm = Llvm::NEWEST;
        return map.and_then(|map| AffineMap::parse(map, llvm).ok()).is_some_and(|map| map.is_identity());
    }
    let mut node = Node::default();
    match entry.decode(entry_ref, entries, &mut node) {
        Ok(Some((form, _))) if form.print == Named::AffineMap => {
            let data = node.blob(node.field(0), entry.data);
            AffineMap::decode(&mut Cursor::new(data, 0, None)).is_ok_and(|map| map.is_identity())
        }
        _ => false,
    }
}
