//! Generates valid entries from noise, for the tests of the tables.
//!
//! An entry is generated field by field from its row, after the entries that it refers to, so that references
//! are acyclic. Rules that rows do not contain, because only MLIR's verifiers need them, are in [`values`]:
//! which types have values of which width, how many bytes a shape needs.
//!
//! Bytes are built without the encoder, which is one of the tested parts.

mod values;

use std::collections::HashMap;
use std::sync::Arc;

use crate::wire::cursor::ByteSink;

use crate::dialect::entries::{Bounds, Entries, EntryRef, RawEntry, bits_of};
use crate::dialect::node::Node;
use crate::dialect::registry;
use crate::dialect::table::{DialectTable, Encoding, FieldSpec, Primitive, Style};

/// Deeper references are avoided where possible.
const DEEP: u32 = 4;

/// The number of attempts if another layout of its encoding also matches its bytes.
const ATTEMPTS: u8 = 16;

/// The bytes of the decisions; zeros follow.
#[derive(Debug, Clone)]
pub(crate) struct Noise<'n> {
    bytes: &'n [u8],
    // Makes different decisions from the same bytes.
    salt: u8,
}

impl<'n> Noise<'n> {
    pub(crate) fn new(bytes: &'n [u8]) -> Self {
        Self { bytes, salt: 0 }
    }

    fn byte(&mut self) -> u8 {
        match self.bytes.split_first() {
            Some((&first, rest)) => {
                self.bytes = rest;
                first ^ self.salt
            }
            None => self.salt,
        }
    }

    /// A number below `bound`, which is not 0.
    fn below(&mut self, bound: usize) -> usize {
        let low = usize::from(self.byte());
        let number = if bound > 256 { low | usize::from(self.byte()) << 8 } else { low };
        number % bound
    }

    /// True once in this number of times on average; never without noise.
    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> Option<T> {
        choices.get(self.below(choices.len().max(1))).copied()
    }

    fn word(&mut self) -> u64 {
        let mut bytes = [0; 8];
        bytes.fill_with(|| self.byte());
        u64::from_le_bytes(bytes)
    }

    /// A number, often a boundary value.
    fn number(&mut self) -> u64 {
        const EDGES: [u64; 12] = [
            0,
            1,
            2,
            0x7f,
            0x80,
            0x3fff,
            0x4000,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_ffff,
            u64::MAX >> 1,
            u64::MAX,
        ];
        let choice = self.below(EDGES.len() + 4);
        match EDGES.get(choice) {
            Some(&edge) => edge,
            None => self.word() >> (self.byte() & 63),
        }
    }

    fn signed(&mut self) -> i64 {
        const EDGES: [i64; 10] = [0, 1, -1, 63, -64, 64, 0x7fff_ffff, -0x8000_0000, i64::MAX, i64::MIN];
        let choice = self.below(EDGES.len() + 4);
        match EDGES.get(choice) {
            Some(&edge) => edge,
            None => self.word() as i64 >> (self.byte() & 63),
        }
    }
}

/// A generated entry.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Draft {
    /// Its place in [`Generator::dialects`].
    pub(crate) dialect: u32,
    pub(crate) is_text: bool,
    pub(crate) data: Vec<u8>,
}

/// A generated field: a list with its items flat, as in a [`Node`].
#[derive(Debug, Clone, PartialEq, Eq)]
enum Value {
    Number(u64),
    Signed(i64),
    Bool(bool),
    String(u32),
    Resource(u32),
    Attribute(u32),
    Type(u32),
    Absent,
    /// This number of items, each with as many values as the list has primitives.
    List(u32, Vec<Value>),
    Blob(Vec<u8>),
    /// An integer or the bits of a float, low word first.
    Words(Vec<u64>),
}

/// Fixed fields, by name; the row determines the others.
type Given = Vec<(&'static str, Value)>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    Attribute,
    Type,
}

/// Generates entries, and owns their tables.
#[derive(Debug)]
pub(crate) struct Generator<'n> {
    noise: Noise<'n>,
    builtin: Arc<DialectTable>,
    pub(crate) dialects: Vec<(Box<str>, Option<Arc<DialectTable>>)>,
    pub(crate) attributes: Vec<Draft>,
    pub(crate) types: Vec<Draft>,
    pub(crate) strings: Vec<Vec<u8>>,
    /// Blobs of the builtin dialect: the string of the key, and the data.
    pub(crate) resources: Vec<(u32, Vec<u8>)>,
    known: HashMap<(bool, Draft), u32>,
    depth: u32,
    /// Whether additions after LLVM 22 may be used.
    is_newest: bool,
}

/// A row that entries are made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'t> {
    pub(crate) table: &'t Arc<DialectTable>,
    pub(crate) sort: Sort,
    pub(crate) form: &'t Encoding,
    pub(crate) layout: usize,
}

/// Whether an encoding of the builtin dialect was added after LLVM 22.
pub(crate) fn is_after_22(sort: Sort, dialect: &str, code: u64) -> bool {
    let last = if sort == Sort::Type { 20 } else { 22 };
    dialect == "builtin" && code > last
}

impl<'n> Generator<'n> {
    /// Tables with an entry of that row, and its position.
    pub(crate) fn generate(wanted: Wanted<'_>, noise: Noise<'n>) -> (Self, EntryRef) {
        let mut attempt = 0;
        loop {
            let mut this = Self {
                noise: Noise { salt: attempt, ..noise.clone() },
                builtin: registry::builtin(),
                dialects: Vec::new(),
                attributes: Vec::new(),
                types: Vec::new(),
                strings: Vec::new(),
                resources: Vec::new(),
                known: HashMap::new(),
                depth: 0,
                is_newest: is_after_22(wanted.sort, wanted.table.dialect(), wanted.form.code),
            };
            let index = this.add(wanted, Vec::new());
            let made = match wanted.sort {
                Sort::Attribute => EntryRef::Attribute(index),
                Sort::Type => EntryRef::Type(index),
            };
            attempt += 1;
            if attempt == ATTEMPTS || this.has_layout(made, wanted.layout) {
                return (this, made);
            }
        }
    }

    fn has_layout(&self, of: EntryRef, layout: usize) -> bool {
        let mut node = Node::default();
        let decoded = self.entry_of(of).map(|entry| entry.decode(of, self, &mut node));
        matches!(decoded, Some(Ok(Some((_, found)))) if found == layout)
    }

    fn add(&mut self, wanted: Wanted<'_>, given: Given) -> u32 {
        self.depth += 1;
        let mut given = if given.is_empty() { self.plan(wanted) } else { given };
        let layout = wanted.form.layouts.get(wanted.layout);
        let fields = layout.map_or(&[][..], |layout| &layout.fields);
        let mut values: Vec<Value> = Vec::with_capacity(fields.len());
        for spec in fields {
            let settled = given.iter().position(|(name, _)| **name == *spec.name);
            let value = match settled {
                Some(at) => given.swap_remove(at).1,
                None => self.value(wanted, spec, &spec.primitive, &values),
            };
            values.push(value);
        }
        debug_assert!(given.is_empty(), "{} has no such fields: {given:?}", wanted.form.name);
        let mut sink = ByteSink::new();
        sink.varint(wanted.form.code);
        for (spec, value) in fields.iter().zip(&values) {
            self.write(&mut sink, &spec.primitive, value, &values);
        }
        self.depth -= 1;
        let dialect = self.dialect(wanted.table.dialect());
        let draft = Draft { dialect, is_text: false, data: sink.into_bytes() };
        self.intern(wanted.sort, draft, &*wanted.form.name == "DistinctAttr")
    }

    /// An entry as text.
    fn text(&mut self, sort: Sort, dialect: &str, text: &str) -> u32 {
        let mut data = text.as_bytes().to_vec();
        data.push(0);
        let dialect = self.dialect(dialect);
        self.intern(sort, Draft { dialect, is_text: true, data }, false)
    }

    /// An entry of the row with this name, the newest layout.
    fn make(&mut self, sort: Sort, dialect: &str, name: &str, given: Given) -> u32 {
        let Some(table) = registry::find_dialect(dialect) else { return 0 };
        let forms = if sort == Sort::Type { &table.types } else { &table.attributes };
        match forms.rows.iter().find(|form| *form.name == *name) {
            Some(form) => self.add(Wanted { table: &table, sort, form, layout: 0 }, given),
            None => self.text(sort, "builtin", name),
        }
    }

    // Equal entries are one, as in MLIR; distinct attributes never are.
    fn intern(&mut self, sort: Sort, draft: Draft, is_distinct: bool) -> u32 {
        let drafts = if sort == Sort::Type { &mut self.types } else { &mut self.attributes };
        let next = drafts.len() as u32;
        if !is_distinct {
            match self.known.entry((sort == Sort::Type, draft.clone())) {
                std::collections::hash_map::Entry::Occupied(known) => return *known.get(),
                std::collections::hash_map::Entry::Vacant(free) => free.insert(next),
            };
        }
        drafts.push(draft);
        next
    }

    /// The place of a dialect in the list of them.
    pub(crate) fn dialect(&mut self, name: &str) -> u32 {
        let known = self.dialects.iter().position(|row| *row.0 == *name);
        let place = known.unwrap_or_else(|| {
            self.dialects.push((name.into(), registry::find_dialect(name)));
            self.dialects.len() - 1
        });
        place as u32
    }

    /// The place of a string in the list of them.
    pub(crate) fn intern_string(&mut self, string: &[u8]) -> u32 {
        let known = self.strings.iter().position(|known| known == string);
        let place = known.unwrap_or_else(|| {
            self.strings.push(string.to_vec());
            self.strings.len() - 1
        });
        place as u32
    }

    fn entry_of(&self, of: EntryRef) -> Option<RawEntry<'_>> {
        let draft = match of {
            EntryRef::Attribute(index) => self.attributes.get(index as usize)?,
            EntryRef::Type(index) => self.types.get(index as usize)?,
        };
        let (dialect, table) = self.dialects.get(draft.dialect as usize)?;
        Some(RawEntry {
            dialect: dialect.as_bytes(),
            table: table.as_deref(),
            is_text: draft.is_text,
            data: &draft.data,
            offset: 0,
        })
    }

    fn is_deep(&self) -> bool {
        self.depth >= DEEP
    }

    // ---- fields of which the row says all ----

    fn value(
        &mut self,
        wanted: Wanted<'_>,
        spec: &FieldSpec,
        primitive: &Primitive,
        before: &[Value],
    ) -> Value {
        let dialect = wanted.table.dialect();
        match primitive {
            Primitive::Varint => Value::Number(self.number(wanted.table, spec)),
            Primitive::OptionalVarint if self.noise.one_in(2) => {
                Value::Number(self.number(wanted.table, spec))
            }
            Primitive::OptionalVarint => Value::Absent,
            Primitive::Signed => Value::Signed(self.noise.signed()),
            Primitive::Byte => Value::Number(self.noise.byte().into()),
            Primitive::Bool => Value::Bool(self.noise.one_in(2)),
            Primitive::String => Value::String(self.any_string()),
            Primitive::Resource => Value::Resource(self.resource()),
            Primitive::Blob | Primitive::Opaque | Primitive::Rest => {
                let len = self.noise.below(20);
                Value::Blob((0..len).map(|_| self.noise.byte()).collect())
            }
            Primitive::AffineMap => Value::Blob(self.affine_map()),
            Primitive::IntegerSet => Value::Blob(self.integer_set()),
            Primitive::Attribute(class) => Value::Attribute(self.attribute(wanted.table, class.as_deref())),
            Primitive::OptionalAttribute(class) => {
                // MLIR writes lists with holes, but aborts when it prints them.
                let rarely = if matches!(spec.primitive, Primitive::OptionalAttribute(_)) { 3 } else { 16 };
                if self.is_deep() || self.noise.one_in(rarely) {
                    return Value::Absent;
                }
                Value::Attribute(self.attribute(wanted.table, class.as_deref()))
            }
            Primitive::Type => Value::Type(self.any_type(dialect)),
            Primitive::List(items) | Primitive::OptionalList(items) => {
                let count = if self.is_deep() { 0 } else { self.noise.below(4) };
                let mut values = Vec::new();
                for _ in 0..count {
                    values.extend(items.iter().map(|item| self.value(wanted, spec, item, before)));
                }
                Value::List(count as u32, values)
            }
            Primitive::Bits(field) => {
                let bits = match before.get(*field) {
                    Some(&Value::Type(index)) => bits_of(self, index),
                    _ => None,
                };
                Value::Words(self.words(bits.unwrap_or(8)))
            }
            Primitive::Float(bits) => Value::Words(self.words(*bits)),
            Primitive::Splat(_) => Value::List(1, vec![Value::String(self.any_string())]),
            Primitive::If(flag, inner) => {
                let is_there = !matches!(before.get(*flag), Some(Value::Number(0) | Value::Bool(false)));
                if is_there { self.value(wanted, spec, inner, before) } else { Value::Absent }
            }
            // Shipped tables, the only ones used here, have none of these.
            Primitive::OptionalType
            | Primitive::VarintWithFlag
            | Primitive::Sparse(_)
            | Primitive::Switch(_) => Value::Absent,
        }
    }

    // Named numbers use those names; others fit the 32 bits that most members have in memory.
    fn number(&mut self, table: &DialectTable, spec: &FieldSpec) -> u64 {
        let rows = |number: usize| table.enums.get(number).map_or(&[][..], |table| &table.rows);
        match spec.style {
            Style::Enum(number) => {
                let rows = rows(number);
                rows.get(self.noise.below(rows.len().max(1))).map_or(0, |row| row.0)
            }
            Style::Flags(number) => {
                let rows = rows(number);
                let count = self.noise.below(4);
                let row =
                    |noise: &mut Noise<'_>| rows.get(noise.below(rows.len().max(1))).map_or(0, |row| row.0);
                (0..count).map(|_| row(&mut self.noise)).fold(0, |all, one| all | one)
            }
            _ if WIDE.contains(&&*spec.name) => self.noise.number(),
            // Signed in memory.
            _ if table.dialect() == "test" => self.noise.number() & 0x7fff_ffff,
            _ => self.noise.number() & 0xffff_ffff,
        }
    }

    /// An attribute of a class.
    fn attribute(&mut self, table: &Arc<DialectTable>, class: Option<&str>) -> u32 {
        let Some(class) = class else { return self.any_attribute(table.dialect()) };
        if class == "StringAttr" {
            // Those with a type satisfy the class too, but are not used as names.
            return self.make(Sort::Attribute, "builtin", class, Vec::new());
        }
        let builtin = self.builtin.clone();
        for table in [table, &builtin] {
            let fits = |form: &&Encoding| {
                let has_class = form.classes.iter().any(|known| **known == *class);
                let is_after = is_after_22(Sort::Attribute, table.dialect(), form.code);
                has_class && (self.is_newest || !is_after)
            };
            let mut forms: Vec<&Encoding> = table.attributes.rows.iter().filter(fits).collect();
            if self.is_deep() && forms.iter().any(|form| is_leaf(form)) {
                forms.retain(|form| is_leaf(form));
            }
            if !forms.is_empty() {
                let form = forms[self.noise.below(forms.len())];
                return self.add(Wanted { table, sort: Sort::Attribute, form, layout: 0 }, Vec::new());
            }
        }
        0
    }

    /// Any entry of a dialect that [`is_after_22`] does not forbid.
    fn any_of(&mut self, sort: Sort, dialect: &str) -> u32 {
        let Some(table) = registry::find_dialect(dialect) else { return 0 };
        let forms = if sort == Sort::Type { &table.types } else { &table.attributes };
        let fits = |form: &&Encoding| self.is_newest || !is_after_22(sort, dialect, form.code);
        let mut forms: Vec<&Encoding> = forms.rows.iter().filter(fits).collect();
        if self.is_deep() {
            forms.retain(|form| is_leaf(form));
        }
        if forms.is_empty() {
            return 0;
        }
        let form = forms[self.noise.below(forms.len())];
        self.add(Wanted { table: &table, sort, form, layout: 0 }, Vec::new())
    }

    // ---- bytes ----

    fn write(&self, sink: &mut ByteSink, primitive: &Primitive, value: &Value, fields: &[Value]) {
        match (primitive, value) {
            (Primitive::If(_, inner), value) if *value != Value::Absent => {
                self.write(sink, inner, value, fields)
            }
            (Primitive::If(..), _) => {}
            (Primitive::OptionalVarint, Value::Number(number)) => sink.varint_with_flag(*number, true),
            (Primitive::Byte, Value::Number(number)) => sink.byte(*number as u8),
            (_, Value::Number(number)) => sink.varint(*number),
            (_, Value::Signed(number)) => sink.signed_varint(*number),
            (_, Value::Bool(flag)) => sink.byte((*flag).into()),
            (Primitive::OptionalAttribute(_), Value::Attribute(index)) => {
                sink.varint_with_flag((*index).into(), true);
            }
            (
                _,
                Value::String(index) | Value::Resource(index) | Value::Attribute(index) | Value::Type(index),
            ) => {
                sink.varint((*index).into());
            }
            (_, Value::Absent) => sink.varint(0),
            (Primitive::OptionalList(_), Value::List(0, _)) => sink.byte(0),
            (Primitive::Splat(_), Value::List(_, values)) => {
                values.iter().for_each(|value| self.write(sink, &Primitive::String, value, fields));
            }
            (Primitive::List(items) | Primitive::OptionalList(items), Value::List(count, values)) => {
                if matches!(primitive, Primitive::OptionalList(_)) {
                    sink.byte(1);
                }
                sink.varint((*count).into());
                for (item, value) in items.iter().cycle().zip(values) {
                    self.write(sink, item, value, fields);
                }
            }
            (_, Value::List(..)) => {}
            (Primitive::Blob, Value::Blob(bytes)) => {
                sink.varint(bytes.len() as u64);
                sink.bytes(bytes);
            }
            (_, Value::Blob(bytes)) => sink.bytes(bytes),
            (Primitive::Bits(field), Value::Words(words)) => {
                let bits = match fields.get(*field) {
                    Some(&Value::Type(index)) => bits_of(self, index),
                    _ => None,
                };
                write_words(sink, bits.unwrap_or(8), words);
            }
            (_, Value::Words(words)) => write_words(sink, 64, words),
        }
    }
}

/// Members that have 64 bits in memory.
const WIDE: [&str; 3] = ["sizeInBits", "offsetInBits", "arguments"];

fn write_words(sink: &mut ByteSink, bits: u64, words: &[u64]) {
    let first = words.first().copied().unwrap_or_default();
    match bits {
        0..=8 => sink.byte(first as u8),
        9..=64 => sink.signed_varint(first as i64),
        _ => {
            let used = words.iter().rposition(|&word| word != 0).map_or(1, |last| last + 1);
            sink.varint(used as u64);
            words.iter().take(used).for_each(|&word| sink.signed_varint(word as i64));
        }
    }
}

// Whether it can be generated without going deeper.
fn is_leaf(form: &Encoding) -> bool {
    let is_leaf = |primitive: &Primitive| match primitive {
        Primitive::Attribute(class) => class.as_deref() == Some("StringAttr"),
        Primitive::Type => {
            matches!(&*form.name, "IntegerAttr" | "FloatAttr" | "FloatV1Attr" | "IntegerV1Attr")
        }
        _ => true,
    };
    form.layouts.first().is_none_or(|layout| layout.fields.iter().all(|spec| is_leaf(&spec.primitive)))
}

impl Entries for Generator<'_> {
    fn bounds(&self) -> Bounds {
        Bounds {
            attributes: self.attributes.len() as u32,
            types: self.types.len() as u32,
            strings: self.strings.len() as u32,
            resources: self.resources.len() as u32,
        }
    }

    fn entry(&self, of: EntryRef) -> Option<RawEntry<'_>> {
        self.entry_of(of)
    }

    fn string(&self, index: u32) -> &[u8] {
        self.strings.get(index as usize).map_or(&[], |string| string)
    }

    fn resource_key(&self, index: u32) -> &[u8] {
        self.resources.get(index as usize).map_or(&[], |&(key, _)| self.string(key))
    }

    fn table(&self, dialect: &[u8]) -> Option<&DialectTable> {
        self.dialects.iter().find(|row| row.0.as_bytes() == dialect)?.1.as_deref()
    }

    fn builtin(&self) -> &DialectTable {
        &self.builtin
    }
}
