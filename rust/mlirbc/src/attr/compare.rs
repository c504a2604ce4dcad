//! Structural equality and hashes of attributes and types in any tables, without recursion.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::canonical::is_omitted;
use super::text::dense;
use super::text::dense::{Dense, Element};
use super::text::float::Semantics;
use super::text::lexer::{Lexer, TokenKind};
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::{Field, Node};
use crate::dialect::primitive;
use crate::dialect::table::{BuiltinKind, Encoding, Layout, Named, Primitive};
use crate::format::id::TypeId;
use crate::wire::error::Result;
use crate::wire::limits::Limits;
use crate::wire::order::sort_by;
use crate::wire::steps;

use super::table::{Home, Identity, View, is_distinct};
use super::{Attribute, Handle, Type, native_text};
use crate::file::entry_classes::{Blobs, EntryClasses, fresh_class};

/// Returns whether two values are the same attribute or type. In a file that lost bytes, an entry equals only
/// itself. The same applies to entries that contain themselves, which no valid file has.
pub(crate) fn equal(left: &Handle, right: &Handle) -> bool {
    let same_home = left.home.is(&right.home);
    if same_home && left.of == right.of {
        return true;
    }
    if std::mem::discriminant(&left.of) != std::mem::discriminant(&right.of) {
        return false;
    }
    if left.settle_deeply().and_then(|()| right.settle_deeply()).is_err() {
        return false;
    }
    let (l, r) = (left.home.marks(), right.home.marks());
    if equal_if_known(l.class(left.of), r.class(right.of)) == Some(true) {
        return true;
    }
    // Only hashes that are already known are compared: most values differ at the first comparison anyway.
    if equal_if_known(l.hash(left.of, Blobs::Ends), r.hash(right.of, Blobs::Ends)) == Some(false) {
        return false;
    }
    let mut classes = Classes::default();
    let is_equal = try_equal(left, right, same_home, &mut classes, 0);
    let is_equal = left.home.unless_lost(right.home.unless_lost(is_equal)).unwrap_or(false);
    if is_equal {
        classes.keep(l, r);
    }
    is_equal
}

/// Compares two marks, if both are known.
fn equal_if_known(left: Option<u64>, right: Option<u64>) -> Option<bool> {
    Some(left? == right?)
}

/// The maximum nesting of text within parsed text.
const MAX_TEXTS: u32 = 4;

/// Parses a text entry of a dialect with a table, into separate tables; `None` if parsing adds nothing.
/// Releases encode different entries, so an entry that is text in one file may be encoded in another.
pub(super) fn read_text(view: &View<'_>, entry_ref: EntryRef) -> Option<Handle> {
    let (entry, _) = view.short(entry_ref)?;
    let text = entry.text().filter(|_| entry.dialect != b"builtin")?;
    // Only names that occur in a table are parsed.
    let table = crate::dialect::registry::find_dialect(std::str::from_utf8(entry.dialect).ok()?)?;
    // The entry is text: its mnemonic is in `#dialect.mnemonic` or `#dialect<mnemonic …>`.
    let mut lexer = Lexer::new(text);
    let symbol = lexer.next().ok()?;
    let name = match lexer.spelling(symbol).get(1..)?.strip_prefix(entry.dialect)?.split_first() {
        Some((b'.', name)) => name,
        Some(_) => return None,
        None => {
            lexer.expect(TokenKind::Less, "`<`").ok()?;
            let name = lexer.next().ok()?;
            lexer.spelling(name)
        }
    };
    let forms = if matches!(entry_ref, EntryRef::Type(_)) { &table.types } else { &table.attributes };
    if !forms.rows.iter().any(|form| form.mnemonic.as_deref().map(str::as_bytes) == Some(name)) {
        return None;
    }
    let value = match entry_ref {
        EntryRef::Attribute(_) => Attribute::parse_with(text, &Limits::default()).ok()?.0,
        EntryRef::Type(_) => Type::parse_with(text, &Limits::default()).ok()?.0,
    };
    let is_text = value.home.view().ok()?.raw(value.of)?.is_text;
    (!is_text).then_some(value)
}

/// The number of pairs and bytes that are compared before hashes are computed: most values are small or
/// differ early.
const UNHASHED: usize = 256;
const PAIR: usize = 32;

fn try_equal(
    left: &Handle,
    right: &Handle,
    same_home: bool,
    classes: &mut Classes,
    texts: u32,
) -> Result<bool> {
    let (views, homes) = ((left.home.view()?, right.home.view()?), (&left.home, &right.home));
    let marks = (left.home.marks(), right.home.marks());
    let mut node = Node::default();
    let mut pairs = vec![(left.of, right.of)];
    let (mut weight, mut is_hashed) = (0, false);
    while let Some((l, r)) = pairs.pop() {
        if same_home && l == r {
            continue;
        }
        let is_new = classes.unite((false, l), (!same_home, r));
        if is_new && equal_if_known(marks.0.class(l), marks.1.class(r)) == Some(true) {
            continue;
        }
        // Hashes are cached, so that values that differ deep inside are not traversed repeatedly.
        let size = |view: &View<'_>, entry_ref| view.raw(entry_ref).map_or(0, |entry| entry.data.len());
        weight += PAIR + size(&views.0, l) + size(&views.1, r);
        // An entry that contains itself leads to an earlier pair, and has a separate hash.
        if !is_hashed && (!is_new || weight > UNHASHED) {
            is_hashed = true;
            // The two modules may have visited different entries.
            let blobs = if marks.0.blobs() == Blobs::Whole { Blobs::Whole } else { marks.1.blobs() };
            if try_hash(left, blobs)? != try_hash(right, blobs)? {
                return Ok(false);
            }
        }
        // Pairs that are assumed to be equal are not compared again: they are equal if all other pairs are.
        if !is_new {
            continue;
        }
        let differ = |blobs| equal_if_known(marks.0.hash(l, blobs), marks.1.hash(r, blobs)) == Some(false);
        if differ(Blobs::Ends) || differ(Blobs::Whole) {
            return Ok(false);
        }
        let pair = (l, r);
        let (l, r) =
            (Shape::new(homes.0, &views.0, l, &mut node), Shape::new(homes.1, &views.1, r, &mut node));
        if l.is_text != r.is_text && texts < MAX_TEXTS {
            let read = if l.is_text { read_text(&views.0, pair.0) } else { read_text(&views.1, pair.1) };
            let Some(read) = read else { return Ok(false) };
            let (index, home) = if l.is_text { (pair.1, homes.1) } else { (pair.0, homes.0) };
            let encoded = Handle { home: home.clone(), of: index };
            if !try_equal(&read, &encoded, false, &mut Classes::default(), texts + 1)? {
                return Ok(false);
            }
            continue;
        }
        if is_hashed && l.blob.len() == r.blob.len() && l.blob != r.blob {
            // The hashes were equal, so the blobs differ in the middle. From now on, whole blobs are hashed.
            marks.0.set_whole();
            marks.1.set_whole();
            return Ok(false);
        }
        let is_same_text = l.head == r.head && l.table == r.table && l.names.len() == r.names.len();
        if !is_same_text || l.blob != r.blob || l.identity != r.identity || l.parts.len() != r.parts.len() {
            return Ok(false);
        }
        // Equal names of one table are the same slice.
        if l.names.iter().zip(&r.names).any(|(l, r)| !std::ptr::eq(*l, *r) && l != r) {
            return Ok(false);
        }
        let sorts = l.parts.iter().zip(&r.parts);
        if sorts.clone().any(|(l, r)| std::mem::discriminant(l) != std::mem::discriminant(r)) {
            return Ok(false);
        }
        pairs.extend(sorts.map(|(&l, &r)| (l, r)));
    }
    Ok(true)
}

/// Equivalence classes of entries, so that at most as many pairs are compared as there are entries.
#[derive(Default)]
struct Classes {
    rows: HashMap<(bool, EntryRef), usize>,
    parents: Vec<usize>,
}

impl Classes {
    fn root(&mut self, entry: (bool, EntryRef)) -> usize {
        let next = self.parents.len();
        let row = *self.rows.entry(entry).or_insert(next);
        if row == next {
            self.parents.push(row);
        }
        self.top(row)
    }

    fn top(&mut self, mut row: usize) -> usize {
        while self.parents[row] != row {
            self.parents[row] = self.parents[self.parents[row]];
            row = self.parents[row];
        }
        row
    }

    /// Unites two classes; `false` if the entries are already in one class.
    fn unite(&mut self, left: (bool, EntryRef), right: (bool, EntryRef)) -> bool {
        let (left_root, right_root) = (self.root(left), self.root(right));
        self.parents[left_root] = right_root;
        left_root != right_root
    }

    /// Records the classes of equal entries. An entry that was in another class moves to the new one, which
    /// is valid for both.
    fn keep(mut self, left: &EntryClasses, right: &EntryClasses) {
        let mut classes: HashMap<usize, u64> = HashMap::new();
        for ((is_right, entry_ref), row) in std::mem::take(&mut self.rows) {
            let class = *classes.entry(self.top(row)).or_insert_with(fresh_class);
            (if is_right { right } else { left }).set_class(entry_ref, class);
        }
    }
}

/// Returns a hash that equal values share; constant for entries of a file that lost bytes.
pub(crate) fn hash(value: &Handle) -> u64 {
    let hash = value.settle_deeply().and_then(|()| try_hash(value, Blobs::Ends));
    value.home.unless_lost(hash).unwrap_or(0)
}

/// An entry whose parts are being hashed.
struct OpenEntry<'v> {
    entry_ref: EntryRef,
    shape: Shape<'v>,
    /// The number of visited parts.
    parts: usize,
    /// The index of the entry among the entries without a hash, and the first index that the entry refers
    /// back to.
    place: usize,
    first: usize,
}

/// Hashes a value. Entries that contain themselves are found with Tarjan's algorithm. Their structure is not
/// hashed: the hash of a cycle must not depend on where the cycle is entered, and many entries may differ
/// only far along it.
fn try_hash(value: &Handle, blobs: Blobs) -> Result<u64> {
    let marks = value.home.marks();
    if let Some(hash) = marks.hash(value.of, blobs) {
        return Ok(hash);
    }
    let view = value.home.view()?;
    let mut node = Node::default();
    // The marks may not have memory for all hashes.
    let mut hashes: HashMap<EntryRef, u64> = HashMap::new();
    let mut places: HashMap<EntryRef, usize> = HashMap::new();
    let mut without: Vec<EntryRef> = Vec::new();
    let mut open: Vec<OpenEntry<'_>> = Vec::new();
    let mut next = Some(value.of);
    loop {
        if let Some(entry_ref) = next.take() {
            let shape = Shape::new(&value.home, &view, entry_ref, &mut node);
            // A text entry has the hash of the encoded entry.
            if shape.is_text
                && let Some(read) = read_text(&view, entry_ref)
            {
                let hash = try_hash(&read, blobs)?;
                marks.set_hash(entry_ref, blobs, hash);
                hashes.insert(entry_ref, hash);
            } else {
                let place = without.len();
                places.insert(entry_ref, place);
                without.push(entry_ref);
                open.push(OpenEntry { entry_ref, shape, parts: 0, place, first: place });
            }
        }
        let Some(last) = open.last_mut() else { break };
        if let Some(&part) = last.shape.parts.get(last.parts) {
            last.parts += 1;
            if let Some(&place) = places.get(&part) {
                last.first = last.first.min(place);
            } else if let Entry::Vacant(unknown) = hashes.entry(part) {
                match marks.hash(part, blobs) {
                    Some(hash) => drop(unknown.insert(hash)),
                    None => next = Some(part),
                }
            }
            continue;
        }
        let Some(done) = open.pop() else { break };
        if done.first < done.place {
            // The entry is in the cycle of an entry that is still open.
            if let Some(outer) = open.last_mut() {
                outer.first = outer.first.min(done.first);
            }
            continue;
        }
        let is_cyclic = without.len() > done.place + 1 || done.shape.parts.contains(&done.entry_ref);
        for entry_ref in without.drain(done.place..) {
            let mut hasher = DefaultHasher::new();
            match is_cyclic {
                true => (value.home.address(), entry_ref).hash(&mut hasher),
                false => done.shape.hash(marks, &hashes, blobs, &mut hasher),
            }
            let hash = hasher.finish().max(1);
            places.remove(&entry_ref);
            marks.set_hash(entry_ref, blobs, hash);
            hashes.insert(entry_ref, hash);
        }
    }
    Ok(hashes.get(&value.of).copied().unwrap_or(0))
}

// Only both ends of a large blob are hashed.
fn hash_blob(blob: &[u8], hasher: &mut DefaultHasher) {
    const END: usize = 4096;
    blob.len().hash(hasher);
    blob.get(..END).unwrap_or(blob).hash(hasher);
    blob.get(blob.len().saturating_sub(END)..).hash(hasher);
}

/// The content of an entry and its references, without its position.
pub(super) struct Shape<'v> {
    /// Whether the entry is text of a dialect other than the builtin one.
    pub(super) is_text: bool,
    pub(super) head: Vec<u8>,
    /// Long names of dialects, strings and resources, which many entries may share.
    pub(super) names: Vec<&'v [u8]>,
    pub(super) blob: &'v [u8],
    /// The table of an entry with unknown references: such an entry can only equal entries of its table.
    table: Option<usize>,
    identity: Option<Identity>,
    pub(super) parts: Vec<EntryRef>,
    /// The numbers of the resources whose keys the entry contains.
    pub(super) resources: Vec<u32>,
}

const BLOB_IN_HEAD: usize = 256;
const NAME_IN_HEAD: usize = 256;

impl<'v> Shape<'v> {
    pub(super) fn new(home: &Home, view: &'v View<'v>, entry_ref: EntryRef, node: &mut Node) -> Self {
        let mut this = Self {
            is_text: false,
            head: Vec::new(),
            names: Vec::new(),
            blob: &[],
            table: None,
            identity: None,
            parts: Vec::new(),
            resources: Vec::new(),
        };
        steps::count(1);
        let Some((entry, blob)) = view.short(entry_ref) else { return this };
        this.name(entry.dialect);
        if let Some(text) = entry.text() {
            this.is_text = entry.dialect != b"builtin";
            this.head.push(0);
            this.piece(text);
            return this;
        }
        let Ok(Some((form, number))) = entry.decode(entry_ref, view, node) else {
            this.head.push(2);
            this.table = Some(home.address());
            this.piece(entry.data);
            return this;
        };
        if let Some(text) = native_text(form, node, entry.data) {
            this.head.push(0);
            this.piece(&text);
            return this;
        }
        this.head.push(1);
        this.piece(form.kind.as_bytes());
        if let Some(value) = form.value.as_ref().filter(|value| !value.constants.is_empty()) {
            this.piece(&value.constants);
        }
        if is_distinct(form) {
            this.identity = home.identity(entry_ref);
        }
        let Some(layout) = form.layouts.get(number) else { return this };
        let at = |name: &str| layout.index(name).unwrap_or(usize::MAX);
        match (form.builtin, form.print) {
            (BuiltinKind::VectorType, _) => {
                let rank = node.items(at("shape")).len();
                let counted = node.number(at("numScalable")) as usize;
                let scalable = node.items(at("scalable"));
                for (place, dim) in node.items(at("shape")).iter().enumerate() {
                    let is_scalable = scalable.get(place) == Some(&Field::Bool(true))
                        || place >= rank.saturating_sub(counted);
                    this.head.push(is_scalable.into());
                    this.number(match dim {
                        Field::Signed(size) => *size as u64,
                        _ => 0,
                    });
                }
                this.parts.extend(node.r#type(at("elementType")).map(EntryRef::Type));
            }
            (BuiltinKind::FileLineColLoc, _) => {
                let numbers: Vec<u64> = match form.print {
                    Named::Range => node.items(1).iter().map(|&field| number_of(field)).collect(),
                    _ => vec![node.number(1), node.number(2)],
                };
                for number in range(&numbers) {
                    this.number(number);
                }
                this.parts.extend(node.attribute(0).map(EntryRef::Attribute));
            }
            (BuiltinKind::DenseIntOrFPElementsAttr, _) => {
                this.parts.extend(node.r#type(0).map(EntryRef::Type));
                let data = blob.map_or_else(|| node.blob(node.field(1), entry.data), |blob| &**blob);
                match node.r#type(0).and_then(|r#type| repacked(view, r#type, data)) {
                    Some(packed) => this.piece(&packed),
                    None => this.blob = data,
                }
            }
            _ => {
                let sorted = sorted_by_name(form, layout, node);
                let (layout, node) =
                    sorted.as_ref().map_or((layout, &*node), |(layout, node)| (layout, node));
                for (place, spec) in layout.fields.iter().enumerate() {
                    // Another encoding of the kind may lack the field.
                    let is_default = form.is_restated && is_omitted(spec, node, place);
                    if is_default || node.field(place) == Field::Absent {
                        continue;
                    }
                    this.piece(spec.name.as_bytes());
                    if matches!(spec.primitive, Primitive::Blob) {
                        // Bytes are stored outside the entry only if the entry itself has no blob.
                        let data =
                            blob.map_or_else(|| node.blob(node.field(place), entry.data), |blob| &**blob);
                        if data.len() >= BLOB_IN_HEAD && this.blob.is_empty() {
                            this.blob = data;
                        } else {
                            this.piece(data);
                        }
                        continue;
                    }
                    this.field(node, view, entry.data, node.field(place));
                    for &item in node.items(place) {
                        this.field(node, view, entry.data, item);
                    }
                }
                primitive::references(layout, node, |to, _, _| this.parts.push(to));
            }
        }
        this
    }

    /// Hashes the content and the hashes of the references.
    fn hash(
        &self,
        marks: &EntryClasses,
        parts: &HashMap<EntryRef, u64>,
        blobs: Blobs,
        hasher: &mut DefaultHasher,
    ) {
        (&self.head, self.table, &self.identity).hash(hasher);
        match blobs {
            Blobs::Ends => hash_blob(self.blob, hasher),
            Blobs::Whole => {
                steps::count(self.blob.len());
                self.blob.hash(hasher);
            }
        }
        for name in &self.names {
            marks.name_hash(name).hash(hasher);
        }
        for part in &self.parts {
            parts.get(part).hash(hasher);
        }
    }

    fn number(&mut self, number: u64) {
        steps::count(1);
        self.head.extend_from_slice(&number.to_le_bytes());
    }

    fn piece(&mut self, bytes: &[u8]) {
        steps::count(bytes.len());
        self.number(bytes.len() as u64);
        self.head.extend_from_slice(bytes);
    }

    /// Adds a name of a table. The address of the name does not change while the table exists.
    fn name(&mut self, name: &'v [u8]) {
        if name.len() < NAME_IN_HEAD {
            return self.piece(name);
        }
        self.number(name.len() as u64);
        self.names.push(name);
    }

    fn field(&mut self, node: &Node, view: &'v View<'v>, data: &[u8], field: Field) {
        match field {
            Field::Unsigned(number) => self.number(number),
            Field::Signed(number) => self.number(number as u64),
            Field::Bool(value) => self.head.push(value.into()),
            Field::String(index) => self.name(view.string(index)),
            Field::Resource(index) => {
                self.resources.push(index);
                self.name(view.resource_key(index));
            }
            Field::Absent => self.head.push(b'-'),
            Field::Attribute(..) | Field::Type(..) => self.head.push(b'+'),
            Field::Blob(_) => self.piece(node.blob(field, data)),
            Field::Bits(_) | Field::Words { .. } => {
                let words = node.words(field);
                let used = words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
                self.number(used as u64);
                for &word in words.iter().take(used) {
                    self.number(word);
                }
            }
            Field::List(count) => self.number(count.into()),
        }
    }
}

/// Returns the fields of an entry by name, if the version of its dialect decides their order.
fn sorted_by_name(form: &Encoding, layout: &Layout, node: &Node) -> Option<(Layout, Node)> {
    if form.gates.is_empty() {
        return None;
    }
    let mut order: Vec<usize> = (0..layout.fields.len()).collect();
    sort_by(&mut order, |&left, &right| layout.fields[left].name.cmp(&layout.fields[right].name));
    let fields = order.iter().map(|&number| layout.fields[number].clone()).collect();
    Some((Layout { fields }, node.picked(&order)?))
}

/// Converts elements with several encodings to a single encoding: one-bit elements are packed, tf32 has three
/// bytes.
fn repacked<'d>(view: &View<'_>, r#type: TypeId, data: &'d [u8]) -> Option<Cow<'d, [u8]>> {
    let dense = Dense::new(view, r#type, data)?;
    let element = dense::element_of(view, r#type)?;
    if element.part() == Element::Float(Semantics::TF32) {
        let (count, storage) = (if dense.is_splat { 1 } else { dense.count }, element.part().storage());
        if data.len() as u64 == count.saturating_mul(element.storage() as u64) {
            return Some(Cow::Borrowed(data));
        }
        steps::count(data.len());
        return Some(data.chunks(4).flat_map(|part| part.iter().copied().take(storage)).collect());
    }
    if !element.is_bool() || dense.is_splat {
        return None;
    }
    if dense.is_packed {
        return Some(Cow::Borrowed(data));
    }
    steps::count(dense.count as usize);
    Some(Cow::Owned(dense.packed_bits()))
}

fn number_of(field: Field) -> u64 {
    match field {
        Field::Unsigned(number) => number,
        Field::Signed(number) => number as u64,
        _ => 0,
    }
}

/// Returns the first line and column and the last line and column of a location, from its stored numbers.
fn range(numbers: &[u64]) -> [u64; 4] {
    match *numbers {
        [] => [0; 4],
        [line] => [line, 0, line, 0],
        [line, column] => [line, column, line, column],
        [line, column, end] => [line, column, line, end],
        [line, column, end_line, end_column, ..] => [line, column, end_line, end_column],
    }
}
