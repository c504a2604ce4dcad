//! Selects the attributes and types that get an alias, in a walk in the order of the printer.

use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;
use std::sync::Arc;

use crate::attr::canonical;
use crate::dialect::entries::{Entries, EntryRef, RawEntry};
use crate::dialect::node::{Field, Node};
use crate::dialect::table::{Alias, BuiltinKind, Encoding, Named};
use crate::format::id::{AttrId, TypeId};
use crate::release::Llvm;
use crate::wire::error::{Error, Result};
use crate::wire::limits::{Budget, HeldMemory};

use super::super::affine;
use super::super::entry::{Elide, EntryPrinter, EntryStyle, is_identity_layout};
use super::super::out::Out;
use super::super::parse::skim;
use super::super::scan::{NestedText, Scan, is_identifier};
use super::name;
use super::{AliasRow, Aliases, Symbol, TextKey, contains, ends_with_digit};

const UNKNOWN_LOCATION: &[u8] = b"loc(unknown)";

// Deeper texts are printed in full; no release nests texts by more than a few levels.
pub(crate) const MAX_TEXT_DEPTH: usize = 64;

// Longer texts of encoded attributes are not searched within other texts.
const MAX_ENCODED_TEXT: u64 = 1 << 20;

/// Visits the entries that will be printed, and names them.
pub(crate) struct AliasBuilder<'e, E> {
    entries: &'e E,
    style: Llvm,
    visited: Vec<VisitedSymbol>,
    // The index in `visited` plus one, by entry.
    attributes: Vec<u32>,
    types: Vec<u32>,
    texts: HashMap<TextKey, u32>,
    // Encoded entries that can have aliases, by the hash of their bytes.
    same: HashMap<u64, EntryRef>,
    path: Vec<WalkFrame>,
    dictionaries: HashSet<u32>,
    // Encoded attributes with aliases, by the hash and the length of their text; created when a text within
    // an entry is first found. The texts may be far longer than the file.
    encoded: Option<HashMap<(u64, usize), Vec<u32>>>,
    hasher: RandomState,
    budget: Budget,
    // The memory of all tables in bytes; a part of the budget is returned.
    bytes: usize,
    held: HeldMemory,
    failure: Option<Error>,
    // Texts that are equal to an encoded attribute.
    synonyms: Vec<(TextKey, u32)>,
    node: Node,
    // Dialects whose texts have no aliases.
    absent: Vec<&'static str>,
}

#[derive(Debug)]
struct VisitedSymbol {
    symbol: Symbol,
    alias: Option<Box<str>>,
    depth: u32,
    is_type: bool,
    is_deferrable: bool,
    children: Vec<u32>,
}

struct WalkFrame {
    visited: u32,
    children: Vec<(Symbol, bool)>,
    next: usize,
    depth: u32,
}

impl WalkFrame {
    fn memory(&self) -> usize {
        2 * size_of::<Self>() + self.children.capacity() * size_of::<(Symbol, bool)>()
    }
}

impl<'e, E: Entries> AliasBuilder<'e, E> {
    /// # Errors
    /// If the budget has no memory for a number for each entry.
    pub(crate) fn new(entries: &'e E, style: Llvm, budget: &Budget) -> Result<Self> {
        let bounds = entries.bounds();
        // The memory is counted twice, because the resulting aliases have tables of the same size.
        let bytes = 2 * size_of::<u32>() * (bounds.attributes as usize + bounds.types as usize);
        let held = budget.hold(bytes)?;
        Ok(Self {
            entries,
            style,
            visited: Vec::new(),
            attributes: vec![0; bounds.attributes as usize],
            types: vec![0; bounds.types as usize],
            texts: HashMap::new(),
            same: HashMap::new(),
            path: Vec::new(),
            dictionaries: HashSet::new(),
            encoded: None,
            hasher: RandomState::new(),
            budget: budget.clone(),
            bytes,
            held,
            failure: None,
            synonyms: Vec::new(),
            node: Node::default(),
            absent: Vec::new(),
        })
    }

    /// Excludes dialects from aliases, as a build without these dialects does.
    pub(crate) fn leave_out(&mut self, dialects: Vec<&'static str>) {
        self.absent = dialects;
    }

    // Charges memory; beyond the limit, the search ends.
    fn charge(&mut self, bytes: usize) {
        self.bytes += bytes;
        if let Err(error) = self.held.grow_to(self.bytes) {
            self.failure.get_or_insert(error);
            self.path.clear();
        }
    }

    /// Whether any entry can have an alias; most modules need no walk.
    pub(crate) fn can_find_any(&self, with_locations: bool) -> bool {
        if with_locations {
            return true;
        }
        // Most attributes are locations with one encoding: the code and the dialect of the last location are
        // remembered.
        let mut location = None;
        let mut is_found = false;
        self.entries.each_entry(&mut |entry_ref, entry| {
            if is_found {
                return;
            }
            // A code of one byte.
            let first = entry.data.first().filter(|&byte| !entry.is_text && byte & 1 == 1);
            let begins = first.and_then(|&byte| Some((std::ptr::from_ref(entry.table?), byte)));
            let is_attribute = matches!(entry_ref, EntryRef::Attribute(_));
            if is_attribute && begins.is_some() && begins == location {
                return;
            }
            if is_attribute && matches!(entry.form(entry_ref), Ok(Some(form)) if form.builtin.is_location()) {
                location = begins;
                return;
            }
            is_found = self.could_have_alias(entry_ref, entry);
        });
        is_found
    }

    fn could_have_alias(&self, entry_ref: EntryRef, entry: &RawEntry<'_>) -> bool {
        if let Some(text) = entry.text() {
            return contains(text, b"affine_")
                || self.alias_of_text(text).is_some()
                || entry.table.is_some_and(|table| !table.aliases.is_empty())
                || contains(&text[text.len().min(1)..], b"#");
        }
        match entry.form(entry_ref) {
            Ok(Some(form)) if form.builtin.is_location() => false,
            Ok(Some(form)) => form.alias.is_some() || self.holds_location(entry_ref, entry),
            _ => false,
        }
    }

    // Every file has locations, but only locations in the position of attributes are named without
    // `--locations`.
    fn holds_location(&self, entry_ref: EntryRef, entry: &RawEntry<'_>) -> bool {
        let mut node = Node::default();
        if !matches!(entry.decode(entry_ref, self.entries, &mut node), Ok(Some(_))) {
            return false;
        }
        node.all().iter().any(|&field| {
            let Field::Attribute(index, _) = field else { return false };
            let entry_ref = EntryRef::Attribute(index);
            let form = self.entries.entry(entry_ref).and_then(|entry| entry.form(entry_ref).ok().flatten());
            form.is_some_and(|form| form.builtin.is_location())
        })
    }

    #[inline]
    pub(crate) fn visit(&mut self, entry_ref: EntryRef, is_deferrable: bool) {
        if self.failure.is_some() {
            return;
        }
        let slot = match entry_ref {
            EntryRef::Attribute(index) => self.attributes.get(index.index()),
            EntryRef::Type(index) => self.types.get(index.index()),
        };
        if let Some(&slot) = slot
            && slot > 0
            && (is_deferrable || !self.visited[slot as usize - 1].is_deferrable)
        {
            return;
        }
        self.walk(Symbol::Entry(entry_ref), matches!(entry_ref, EntryRef::Type(_)), is_deferrable);
    }

    /// Visits the values of the dictionary of an op; the dictionary itself is not printed as an attribute.
    pub(crate) fn visit_dictionary(&mut self, index: AttrId) {
        if !self.dictionaries.insert(index.number()) {
            return;
        }
        let entry_ref = EntryRef::Attribute(index);
        let mut node = std::mem::take(&mut self.node);
        let entry = self.entries.entry(entry_ref);
        let decoded = entry.and_then(|entry| entry.decode(entry_ref, self.entries, &mut node).ok().flatten());
        // MLIR sorts the dictionaries that it reads (`DictionaryAttr::get` in BuiltinAttributes.cpp).
        let values: Vec<AttrId> = match decoded {
            Some(_) => canonical::sorted(&node, self.entries)
                .as_ref()
                .unwrap_or(&node)
                .items(0)
                .iter()
                .skip(1)
                .step_by(2)
                .filter_map(|&field| match field {
                    Field::Attribute(index, _) => Some(index),
                    _ => None,
                })
                .collect(),
            None => Vec::new(),
        };
        self.node = node;
        for value in values {
            self.visit(EntryRef::Attribute(value), false);
        }
    }

    /// Visits the unknown location of a block argument that the file omits.
    pub(crate) fn visit_unknown_location(&mut self) {
        self.walk(Symbol::Text(TextKey::new(UNKNOWN_LOCATION, 0)), false, false);
    }

    // Returns the row of a symbol, added on first use, and whether it is new; texts are shared between
    // entries.
    fn place(&mut self, symbol: Symbol, is_type: bool) -> (u32, bool) {
        let entries = self.entries;
        let (slot, symbol) = match symbol {
            Symbol::Entry(entry_ref) => {
                let slot = match entry_ref {
                    EntryRef::Attribute(index) => self.attributes.get(index.index()).copied(),
                    EntryRef::Type(index) => self.types.get(index.index()).copied(),
                };
                if let Some(slot) = slot.filter(|&slot| slot > 0) {
                    return (slot - 1, false);
                }
                // An invalid attribute has no parts and no name; the printer reports it.
                let entry = entries.entry(entry_ref).filter(|entry| entry.is_text);
                match entry
                    .filter(|entry| skim::check_text(entry, entry_ref).is_ok())
                    .and_then(|entry| entry.text())
                {
                    Some(text) => {
                        let restated = affine::restated(text, || self.style);
                        let text = restated.as_deref().unwrap_or(text);
                        (Some(entry_ref), Symbol::Text(TextKey::of_entry(text, entry_ref)))
                    }
                    None => {
                        if let Some(slot) = self.slot_of_equal(entry_ref) {
                            self.set_slot(entry_ref, slot);
                            return (slot - 1, false);
                        }
                        (Some(entry_ref), symbol)
                    }
                }
            }
            Symbol::Text(_) => (None, symbol),
        };
        let existing = match &symbol {
            Symbol::Text(text) => self.texts.get(text).copied(),
            Symbol::Entry(_) => None,
        };
        let place = existing.unwrap_or(self.visited.len() as u32);
        if let Some(entry_ref) = slot {
            self.set_slot(entry_ref, place + 1);
        }
        if existing.is_none() {
            // The memory of a row of `visited` and a row of the resulting aliases.
            let mut bytes = size_of::<VisitedSymbol>() + size_of::<AliasRow>() + 32;
            if let Symbol::Text(text) = &symbol {
                bytes += text.text.len() + 3 * size_of::<TextKey>();
                self.texts.insert(text.clone(), place);
            }
            self.charge(bytes);
            let (depth, is_deferrable, children) = (0, false, Vec::new());
            self.visited.push(VisitedSymbol { symbol, alias: None, depth, is_type, is_deferrable, children });
        }
        (place, existing.is_none())
    }

    fn set_slot(&mut self, entry_ref: EntryRef, slot: u32) {
        let stored_slot = match entry_ref {
            EntryRef::Attribute(index) => self.attributes.get_mut(index.index()),
            EntryRef::Type(index) => self.types.get_mut(index.index()),
        };
        if let Some(stored_slot) = stored_slot {
            *stored_slot = slot;
        }
    }

    // Returns the slot of an earlier entry with the same bytes. MLIR writes an attribute once, other writers
    // may not; equal attributes are one attribute for the printer, but distinct attributes differ.
    fn slot_of_equal(&mut self, entry_ref: EntryRef) -> Option<u32> {
        let entry = self.entries.entry(entry_ref)?;
        let form = entry.form(entry_ref).ok()??;
        if form.alias.is_none() || form.builtin == BuiltinKind::DistinctAttr {
            return None;
        }
        let key = (matches!(entry_ref, EntryRef::Type(_)), entry.dialect, entry.data);
        let hash = self.hasher.hash_one(key);
        let Some(&earlier) = self.same.get(&hash) else {
            self.same.insert(hash, entry_ref);
            self.charge(size_of::<(u64, EntryRef)>() + 16);
            return None;
        };
        let earlier_entry = self.entries.entry(earlier)?;
        if (matches!(earlier, EntryRef::Type(_)), earlier_entry.dialect, earlier_entry.data) != key {
            return None;
        }
        let slot = match earlier {
            EntryRef::Attribute(index) => self.attributes.get(index.index()),
            EntryRef::Type(index) => self.types.get(index.index()),
        };
        slot.copied().filter(|&slot| slot > 0)
    }

    // Finds an encoded entry whose text also occurs within another entry: both are the same attribute.
    fn encoded(&mut self, key: &TextKey) -> Option<u32> {
        if self.encoded.is_none() {
            let encoded = self.print_encoded();
            self.encoded = Some(encoded);
        }
        let hash = self.hasher.hash_one(&*key.text);
        let alike = self.encoded.as_ref()?.get(&(hash, key.text.len()))?;
        let mut printer = self.text_printer();
        alike.iter().copied().find(|&index| {
            let mut out = Out::memory();
            printer.attribute(&mut out, AttrId::new(index), Elide::Never);
            out.buffer == *key.text
        })
    }

    fn text_printer(&self) -> EntryPrinter<'e, E> {
        let style = EntryStyle { release: self.style, elide_elements: None };
        EntryPrinter::new(self.entries, style, MAX_ENCODED_TEXT)
    }

    // The texts are printed one at a time: together they may be as long as the printed text.
    fn print_encoded(&mut self) -> HashMap<(u64, usize), Vec<u32>> {
        let entries = self.entries;
        let budget = self.budget.for_work();
        let mut printer = self.text_printer();
        let mut encoded: HashMap<_, Vec<u32>> = HashMap::new();
        for index in 0..entries.bounds().attributes {
            let entry_ref = EntryRef::Attribute(AttrId::new(index));
            let form = entries.entry(entry_ref).and_then(|entry| entry.form(entry_ref).ok().flatten());
            // Maps and sets occur in texts in full, attributes of dialects by their names.
            let is_map = |form: &Encoding| matches!(form.print, Named::AffineMap | Named::IntegerSet);
            if form.is_none_or(|form| form.alias.is_none() || form.mnemonic.is_none() && !is_map(form)) {
                continue;
            }
            let mut out = Out::memory();
            printer.attribute(&mut out, AttrId::new(index), Elide::Never);
            if let Err(error) = budget.spend_text(out.buffer.len() as u64) {
                self.failure.get_or_insert(error);
                break;
            }
            encoded.entry((self.hasher.hash_one(&*out.buffer), out.buffer.len())).or_default().push(index);
            self.charge(size_of::<((u64, usize), Vec<u32>)>() + 48);
        }
        encoded
    }

    // Walks the parts of a symbol like `AliasInitializer::visitImpl`, without its recursion.
    fn walk(&mut self, root: Symbol, is_type: bool, is_deferrable: bool) {
        self.enter(root, is_type, is_deferrable);
        while let Some(frame) = self.path.last_mut() {
            if let Some((child, is_type)) = frame.children.get(frame.next).cloned() {
                frame.next += 1;
                self.enter(child, is_type, is_deferrable);
                continue;
            }
            let Some(frame) = self.path.pop() else { break };
            self.bytes -= frame.memory();
            let this = &mut self.visited[frame.visited as usize];
            if frame.depth > 0 {
                this.depth = frame.depth + 1;
            }
            let depth = this.depth;
            self.record(frame.visited, depth);
        }
    }

    // Updates the enclosing entry with one of its parts.
    fn record(&mut self, child: u32, depth: u32) {
        if let Some(frame) = self.path.last_mut() {
            frame.depth = frame.depth.max(depth);
            self.visited[frame.visited as usize].children.push(child);
            self.charge(2 * size_of::<u32>());
        }
    }

    fn enter(&mut self, symbol: Symbol, is_type: bool, is_deferrable: bool) {
        let symbol = match symbol {
            Symbol::Text(key) => match self.encoded(&key) {
                Some(index) => {
                    self.synonyms.push((key, index));
                    Symbol::Entry(EntryRef::Attribute(AttrId::new(index)))
                }
                None => Symbol::Text(key),
            },
            entry => entry,
        };
        let (place, is_new) = self.place(symbol, is_type);
        if !is_new {
            if !is_deferrable {
                self.settle(place);
            }
            let depth = self.visited[place as usize].depth;
            return self.record(place, depth);
        }
        let symbol = self.visited[place as usize].symbol.clone();
        if let Some(alias) = self.alias_of(&symbol) {
            let this = &mut self.visited[place as usize];
            this.alias = Some(alias);
            this.depth = 1;
            this.is_deferrable = is_deferrable;
        }
        let children = self.children(&symbol);
        if children.is_empty() {
            let depth = self.visited[place as usize].depth;
            return self.record(place, depth);
        }
        let frame = WalkFrame { visited: place, children, next: 0, depth: 0 };
        let bytes = frame.memory();
        self.path.push(frame);
        self.charge(bytes);
    }

    // Marks aliases that must precede their uses (`markAliasNonDeferrable`).
    fn settle(&mut self, place: u32) {
        let mut open = vec![place];
        while let Some(place) = open.pop() {
            let this = &mut self.visited[place as usize];
            if std::mem::take(&mut this.is_deferrable) {
                open.extend_from_slice(&this.children);
            }
        }
    }

    fn alias_of(&self, symbol: &Symbol) -> Option<Box<str>> {
        let name = match symbol {
            Symbol::Text(key) => return Some(self.marked(self.alias_of_text(&key.text)?)),
            &Symbol::Entry(entry_ref) => {
                let entry = self.entries.entry(entry_ref)?;
                let form = entry.form(entry_ref).ok()??;
                let alias = form.alias.as_ref().filter(|alias| self.is_current(alias))?;
                let is_named = match form.builtin {
                    BuiltinKind::DistinctAttr => !self.refers_to_unit(entry_ref),
                    BuiltinKind::TupleType => self.items(entry_ref) > 16,
                    _ => true,
                };
                is_named.then_some(alias.name.fixed()?)?
            }
        };
        Some(self.marked(name.into()))
    }

    // Appends an underscore to a name that ends with a digit, which would be ambiguous with the numeric
    // suffix (`sanitizeIdentifier`).
    fn marked(&self, name: Box<str>) -> Box<str> {
        let is_marked = ends_with_digit(&name) && !self.style.separates_alias_suffixes();
        if is_marked { format!("{name}_").into() } else { name }
    }

    fn is_current(&self, alias: &Alias) -> bool {
        (alias.since..=alias.until).contains(&self.style.0)
    }

    fn alias_of_text(&self, text: &[u8]) -> Option<Box<str>> {
        self.alias_of_inner_text(text, 0)
    }

    // The name of an alias may contain the aliases of parameters; `depth` aliases are around this text.
    fn alias_of_inner_text(&self, text: &[u8], depth: usize) -> Option<Box<str>> {
        if depth > MAX_TEXT_DEPTH {
            return None;
        }
        let builtin = self.entries.builtin();
        if text == UNKNOWN_LOCATION {
            let form = builtin.attributes.of_kind("UnknownLoc").next()?;
            return form.alias.as_ref()?.name.fixed().map(Into::into);
        }
        let head = |head: &[u8], kind: &str| {
            let form = builtin.attributes.of_kind(kind).next()?;
            text.starts_with(head).then_some(form.alias.as_ref()?.name.fixed()?)
        };
        if let Some(name) =
            head(b"affine_map<", "AffineMapAttr").or_else(|| head(b"affine_set<", "IntegerSetAttr"))
        {
            return Some(name.into());
        }
        let (&sigil, rest) = text.split_first()?;
        if !matches!(sigil, b'#' | b'!') {
            return None;
        }
        // `dialect.mnemonic<` or `dialect<mnemonic `
        let end = rest.iter().position(|&byte| !is_identifier(byte)).unwrap_or(rest.len());
        let name = &rest[..end];
        let dialect = name.iter().position(|&byte| byte == b'.').unwrap_or(end);
        let mnemonic = match name.get(dialect + 1..) {
            Some(mnemonic) => mnemonic,
            None => {
                let inner = rest.get(end + 1..)?;
                let len = inner.iter().position(|&byte| !is_identifier(byte)).unwrap_or(inner.len());
                &inner[..len]
            }
        };
        if self.absent.iter().any(|absent| absent.as_bytes() == &name[..dialect]) {
            return None;
        }
        let alias = self
            .entries
            .table(&name[..dialect])?
            .aliases
            .get(mnemonic)
            .filter(|alias| self.is_current(alias))?;
        name::of_text(&alias.name, text, &|inner| self.alias_of_inner_text(inner, depth + 1))
    }

    fn refers_to_unit(&self, entry_ref: EntryRef) -> bool {
        let mut node = Node::default();
        let entry = self.entries.entry(entry_ref);
        let decoded = entry.and_then(|entry| entry.decode(entry_ref, self.entries, &mut node).ok().flatten());
        let Some(referenced) = decoded.and_then(|_| node.attribute(0)).map(EntryRef::Attribute) else {
            return false;
        };
        let form = self.entries.entry(referenced).and_then(|entry| entry.form(referenced).ok().flatten());
        form.is_some_and(|form| form.builtin == BuiltinKind::UnitAttr)
    }

    fn items(&self, entry_ref: EntryRef) -> usize {
        let mut node = Node::default();
        let entry = self.entries.entry(entry_ref);
        let decoded = entry.and_then(|entry| entry.decode(entry_ref, self.entries, &mut node).ok().flatten());
        decoded.map_or(0, |_| node.items(0).len())
    }

    // Returns the nested parts in printing order (`printAndVisitNestedAliasesImpl`), and whether each is a
    // type.
    fn children(&mut self, symbol: &Symbol) -> Vec<(Symbol, bool)> {
        let entry_ref = match symbol {
            Symbol::Text(key) => return self.nested(key),
            Symbol::Entry(entry_ref) => *entry_ref,
        };
        let entries = self.entries;
        let Some(entry) = entries.entry(entry_ref) else { return Vec::new() };
        let mut node = std::mem::take(&mut self.node);
        let decoded = entry.decode(entry_ref, entries, &mut node);
        let mut children = Vec::new();
        if let Ok(Some((form, layout))) = decoded {
            if form.builtin == BuiltinKind::DictionaryAttr
                && let Some(sorted) = canonical::sorted(&node, entries)
            {
                node = sorted;
            }
            let attribute = |index: AttrId| (Symbol::Entry(EntryRef::Attribute(index)), false);
            let r#type = |index: TypeId| (Symbol::Entry(EntryRef::Type(index)), true);
            match form.print {
                Named::Integer | Named::Float | Named::DenseArray | Named::SymbolRef | Named::Range => {}
                Named::AffineMap | Named::IntegerSet => {}
                Named::Sparse | Named::Resource | Named::DenseElements | Named::DenseStrings => {
                    children.extend(node.r#type(0).map(r#type));
                }
                Named::NameLoc => {
                    let child = node.attribute(1).map(EntryRef::Attribute).filter(|&child| {
                        let form = entries.entry(child).and_then(|entry| entry.form(child).ok().flatten());
                        form.is_none_or(|form| form.builtin != BuiltinKind::UnknownLoc)
                    });
                    children.extend(child.map(|child| (Symbol::Entry(child), false)));
                }
                Named::MemRef => {
                    let layout = &form.layouts[layout];
                    let field = |name: &str| layout.index(name).unwrap_or(usize::MAX);
                    children.extend(node.r#type(field("elementType")).map(r#type));
                    let map = node.attribute(field("layout"));
                    children.extend(map.filter(|&map| !is_identity_layout(entries, map)).map(attribute));
                    children.extend(node.attribute(field("memorySpace")).map(attribute));
                }
                _ if form.builtin == BuiltinKind::FileLineColLoc => {}
                _ => {
                    let references = node.all().iter().filter_map(|&field| match field {
                        Field::Attribute(index, _) => Some(attribute(index)),
                        Field::Type(index, _) => Some(r#type(index)),
                        _ => None,
                    });
                    children.extend(references);
                    if form.builtin == BuiltinKind::FusedLoc && node.len() == 2 {
                        // The metadata is printed before the locations.
                        children.rotate_right(1);
                    }
                }
            }
        }
        self.node = node;
        children
    }

    // The direct nested parts of a text.
    fn nested(&self, key: &TextKey) -> Vec<(Symbol, bool)> {
        let mut nested = Vec::new();
        // Each level of nesting scans its text again.
        if self.path.len() > MAX_TEXT_DEPTH {
            return nested;
        }
        let mut scan = Scan::new(&key.text, |dialect| self.entries.table(dialect)).inside();
        while let Some(found) = scan.next() {
            let text: Arc<[u8]> = match &found {
                NestedText::Written(range) => key.text[range.clone()].into(),
                NestedText::Bare(range, name) => [&name[..], &key.text[range.clone()]].concat().into(),
                NestedText::Distinct(..) => Arc::default(),
            };
            if !text.is_empty() {
                let is_type = text[0] == b'!';
                nested.push((Symbol::Text(TextKey::new(text, key.instance)), is_type));
            }
            scan.pass(&found);
        }
        nested
    }

    /// Returns the aliases of the visited entries.
    ///
    /// # Errors
    /// If the budget is spent.
    pub(crate) fn finish(self) -> Result<Aliases> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        let mut order: Vec<u32> = (0..self.visited.len() as u32).collect();
        let visited = &self.visited;
        order.retain(|&place| visited[place as usize].alias.is_some());
        // Aliases are sorted by depth, types first, then by name; otherwise in the order of visits.
        order.sort_by(|&a, &b| {
            let (a, b) = (&visited[a as usize], &visited[b as usize]);
            (a.depth, !a.is_type, &a.alias).cmp(&(b.depth, !b.is_type, &b.alias))
        });
        let mut aliases = Aliases::default();
        let mut counts: HashMap<&str, u32> = HashMap::new();
        let mut rows: Vec<_> = visited.iter().map(|_| 0).collect();
        for &place in &order {
            let this = &visited[place as usize];
            let Some(name) = &this.alias else { continue };
            let count = counts.entry(name).or_default();
            aliases.rows.push(AliasRow {
                name: name.clone(),
                suffix: *count,
                is_type: this.is_type,
                is_deferred: this.is_deferrable,
                symbol: this.symbol.clone(),
            });
            *count += 1;
            rows[place as usize] = aliases.rows.len() as u32;
        }
        let row_of = |slot: u32| slot.checked_sub(1).map_or(0, |place| rows[place as usize]);
        if !aliases.rows.is_empty() {
            aliases.attributes = self.attributes.iter().map(|&slot| row_of(slot)).collect();
            aliases.types = self.types.iter().map(|&slot| row_of(slot)).collect();
            let texts = self.texts.iter().map(|(text, &place)| (text.clone(), rows[place as usize]));
            let synonyms = self.synonyms.iter().filter_map(|(text, index)| {
                let slot = self.attributes.get(*index as usize)?;
                Some((text.clone(), row_of(*slot)))
            });
            let texts = texts.chain(synonyms);
            aliases.texts = texts.filter(|&(_, row)| row > 0).map(|(text, row)| (text, row - 1)).collect();
        }
        Ok(aliases)
    }
}
