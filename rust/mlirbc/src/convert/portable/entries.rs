//! Attributes and types of one dialect as those of the other, within the pool of a written module.
//!
//! Every entry is converted once, after everything that it refers to, and nothing is recursive.

use std::collections::HashMap;
use std::sync::Arc;

use crate::attr::table::{Builder, OwnedEntries};
use crate::attr::text::dense::Dense;
use crate::attr::{Attribute, Type};
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::{Field, Node};
use crate::dialect::table::{BuiltinKind, DialectTable, Encoding, Named, Primitive};
use crate::dialect::template::Piece;
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Budget;

use super::rules::{EntryRow, Only, Rules};
use super::version::VhloVersion;

/// The direction of a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    ToVhlo,
    FromVhlo,
}

/// The result of converting an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Converted {
    /// The entry, and the version of VHLO that introduced it and everything inside.
    To(EntryRef, VhloVersion),
    /// There is none.
    Nothing,
}

/// A source of a field of the new entry.
#[derive(Debug, Clone)]
enum Source {
    /// This field of the old entry.
    Field(usize),
    /// As above; the encoding of a tensor.
    Encoding(usize),
    /// As above; a string becomes a symbol.
    Symbol(usize),
    /// A type.
    Fixed(EntryRef),
    /// Whether this field of the new entry is there.
    IsThere(usize),
    /// The identity map for the number of items of this field.
    IdentityMap(usize),
}

/// A row in one direction.
#[derive(Debug)]
struct Plan {
    row: &'static EntryRow,
    dialect: u32,
    table: Arc<DialectTable>,
    /// The new encoding, by its number.
    form: usize,
    is_type: bool,
    /// By field of the new encoding.
    sources: Vec<Source>,
    /// Fields of the old entry that must have this type.
    required: Vec<(usize, EntryRef)>,
}

impl Plan {
    fn form(&self) -> Option<&Encoding> {
        let forms = if self.is_type { &self.table.types } else { &self.table.attributes };
        forms.rows.get(self.form)
    }
}

/// Converts entries of a pool.
pub(super) struct EntryConverter {
    pub(super) direction: Direction,
    allows_others: bool,
    /// By dialect and class of the old entry.
    plans: HashMap<(bool, Box<str>, Box<str>), Vec<usize>>,
    list: Vec<Plan>,
    /// Types without fields.
    simple: HashMap<EntryRef, EntryRef>,
    known: HashMap<EntryRef, Converted, foldhash::fast::RandomState>,
    /// What a text stands for.
    parsed: HashMap<EntryRef, Option<EntryRef>>,
    budget: Budget,
    stack: Vec<EntryRef>,
    node: Node,
}

/// Bytes for each converted entry in the indices.
const PER_ENTRY: usize = 4 * size_of::<(EntryRef, Converted)>();

const ANY: VhloVersion = VhloVersion { major: 0, minor: 0, patch: 0 };

impl EntryConverter {
    /// # Errors
    /// If the rules do not fit the dialect tables, which tests exclude.
    pub(super) fn new(
        rules: &'static Rules,
        direction: Direction,
        allows_others: bool,
        builder: &mut Builder,
        budget: &Budget,
    ) -> Result<Self> {
        let mut this = Self {
            direction,
            allows_others,
            plans: HashMap::new(),
            list: Vec::new(),
            simple: HashMap::new(),
            known: HashMap::default(),
            parsed: HashMap::new(),
            budget: budget.clone(),
            stack: Vec::new(),
            node: Node::default(),
        };
        this.add_simple(builder)?;
        for (is_type, rows) in [(true, &rules.types), (false, &rules.attributes)] {
            for row in rows {
                this.add_row(is_type, row, builder)?;
            }
        }
        Ok(this)
    }

    /// The types of VHLO without fields and their builtin types.
    fn add_simple(&mut self, builder: &mut Builder) -> Result<()> {
        let (vhlo, table) = dialect(builder, "vhlo")?;
        let (builtin, builtin_table) = dialect(builder, "builtin")?;
        for form in &table.types.rows {
            let Some(template) = form.as_builtin.as_ref() else { continue };
            let (true, [Piece::Text(text)]) = (no_fields(form), &*template.pieces) else { continue };
            let own = make(builder, (true, vhlo), form, &Node::default(), &Bytes::new())?;
            let as_text = builder.text(true, builtin, text.as_bytes())?;
            let as_code = builtin_table.types.rows.iter().find(|form| {
                no_fields(form) && matches!(&*form.asm.pieces, [Piece::Text(asm)] if asm == text)
            });
            let other = match as_code {
                Some(form) => make(builder, (true, builtin), form, &Node::default(), &Bytes::new())?,
                None => import(builder, &Type::parse(&**text)?.0)?,
            };
            match self.direction {
                Direction::ToVhlo => {
                    self.simple.insert(as_text, own);
                    self.simple.insert(other, own);
                }
                Direction::FromVhlo => drop(self.simple.insert(own, other)),
            }
        }
        Ok(())
    }

    fn add_row(&mut self, is_type: bool, row: &'static EntryRow, builder: &mut Builder) -> Result<()> {
        let is_to = self.direction == Direction::ToVhlo;
        let is_other_way = match row.only {
            Some(Only::FromVhlo) => is_to,
            Some(Only::ToVhlo | Only::Never) => !is_to,
            Some(Only::Encoding) | None => false,
        };
        if is_other_way {
            return Ok(());
        }
        let (vhlo, vhlo_table) = dialect(builder, "vhlo")?;
        let own = form_of(&vhlo_table, is_type, &row.vhlo)?;
        if let Some([other, text]) = &row.text {
            let own = make(builder, (is_type, vhlo), own, &Node::default(), &Bytes::new())?;
            let other = builder.dialect(other.as_bytes());
            let other = builder.text(is_type, other, text.as_bytes())?;
            let (from, to) = if is_to { (other, own) } else { (own, other) };
            self.simple.insert(from, to);
            return Ok(());
        }
        let name = row.other.as_deref().unwrap_or_default();
        let (other_dialect, class) = name.split_once('.').ok_or_else(|| bad_row(&row.vhlo))?;
        let (other_id, other_table) = dialect(builder, other_dialect)?;
        let other = form_of(&other_table, is_type, class)?;
        let (from, to) = if is_to { (other, own) } else { (own, other) };
        let layout_of = |form: &Encoding| form.layouts.first().cloned().ok_or_else(|| bad_row(&row.vhlo));
        let (from_layout, to_layout) = (layout_of(from)?, layout_of(to)?);
        let fixed_type = |builder: &mut Builder, text: &str| import(builder, &Type::parse(text)?.0);
        let mut sources = Vec::new();
        for spec in &to_layout.fields {
            let name = &spec.name;
            let renamed = match is_to {
                true => row.fields.get(name),
                false => row.fields.iter().find(|(_, other)| *other == name).map(|(own, _)| own),
            };
            let from_name = renamed.unwrap_or(name);
            let place = from_layout.index(from_name);
            let is_flag_of = to_layout.fields.iter().position(|other| {
                matches!(&other.primitive, Primitive::If(flag, _) if to_layout.fields.get(*flag) == Some(spec))
            });
            let fixed = row.fixed.get(name).filter(|_| !is_to);
            sources.push(match (place, is_flag_of, fixed) {
                (_, Some(field), _) => Source::IsThere(field),
                (_, _, Some(text)) => Source::Fixed(fixed_type(builder, text)?),
                (Some(place), ..) if row.encoding.as_ref() == Some(name) => Source::Encoding(place),
                (Some(place), ..) if row.symbol.as_ref() == Some(name) && !is_to => Source::Symbol(place),
                (Some(place), ..) => Source::Field(place),
                (None, ..) if row.identity_map.as_ref() == Some(name) => {
                    Source::IdentityMap(from_layout.index("shape").ok_or_else(|| bad_row(&row.vhlo))?)
                }
                _ if row.is_array => Source::Field(0),
                (None, ..) => return Err(bad_row(&row.vhlo)),
            });
        }
        let mut required = Vec::new();
        if is_to {
            for (name, text) in &row.fixed {
                let place = from_layout.index(name).ok_or_else(|| bad_row(&row.vhlo))?;
                required.push((place, fixed_type(builder, text)?));
            }
        }
        let (dialect, table) =
            if is_to { (vhlo, vhlo_table.clone()) } else { (other_id, other_table.clone()) };
        let forms = if is_type { &table.types } else { &table.attributes };
        let form =
            forms.rows.iter().position(|form| form.name == to.name).ok_or_else(|| bad_row(&row.vhlo))?;
        let from_dialect = if is_to { other_dialect } else { "vhlo" };
        let key = (is_type, Box::from(from_dialect), from.name.clone());
        self.plans.entry(key).or_default().push(self.list.len());
        self.list.push(Plan { row, dialect, table, form, is_type, sources, required });
        Ok(())
    }

    /// Converts an entry of the pool.
    ///
    /// # Errors
    /// If there is no memory left, or an entry is malformed.
    pub(super) fn convert(&mut self, builder: &mut Builder, root: EntryRef) -> Result<Converted> {
        if let Some(&known) = self.known.get(&root) {
            return Ok(known);
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        stack.push(root);
        let done = self.convert_all(builder, &mut stack);
        self.stack = stack;
        done?;
        Ok(self.known.get(&root).copied().unwrap_or(Converted::Nothing))
    }

    fn convert_all(&mut self, builder: &mut Builder, stack: &mut Vec<EntryRef>) -> Result<()> {
        while let Some(&of) = stack.last() {
            if self.known.contains_key(&of) {
                stack.pop();
                continue;
            }
            let depth = stack.len();
            let result = self.step(builder, of, stack)?;
            if stack.len() > depth {
                continue;
            }
            self.budget.spend(PER_ENTRY)?;
            self.known.insert(of, result);
            stack.pop();
        }
        Ok(())
    }

    /// Converts an entry, or adds those that must be converted before it.
    fn step(&mut self, builder: &mut Builder, of: EntryRef, stack: &mut Vec<EntryRef>) -> Result<Converted> {
        if let Some(&to) = self.simple.get(&of) {
            let since =
                since_of(builder.entries(), if self.direction == Direction::ToVhlo { to } else { of });
            return Ok(Converted::To(to, since));
        }
        let Some((entry, blob)) = builder.entries().short(of) else { return Ok(Converted::Nothing) };
        if let Some(text) = entry.text() {
            let is_converted = matches!(entry.dialect, b"builtin" | b"quant");
            if !is_converted {
                return Ok(self.other(of, entry.dialect));
            }
            let text = text.to_vec();
            let parsed = match self.parsed.get(&of) {
                Some(&known) => known,
                None => {
                    let parsed = parse(builder, of, &text)?;
                    self.budget.spend(PER_ENTRY)?;
                    self.parsed.insert(of, parsed);
                    parsed
                }
            };
            let Some(parsed) = parsed else { return Ok(self.other(of, b"builtin")) };
            match self.known.get(&parsed) {
                Some(&known) => return Ok(known),
                None => stack.push(parsed),
            }
            return Ok(Converted::Nothing);
        }
        let blob = blob.cloned();
        let mut node = std::mem::take(&mut self.node);
        let decoded = entry.decode(of, builder.entries(), &mut node)?;
        let Some((form, layout)) = decoded else {
            self.node = node;
            return Ok(self.other(of, entry.dialect));
        };
        // An older layout of StableHLO's own does not occur in entries that rows have.
        let start = stack.len();
        for field in node.all() {
            let to = match *field {
                Field::Attribute(index, _) => EntryRef::Attribute(index),
                Field::Type(index, _) => EntryRef::Type(index),
                _ => continue,
            };
            if !self.known.contains_key(&to) {
                stack.push(to);
            }
        }
        if stack.len() > start {
            self.node = node;
            return Ok(Converted::Nothing);
        }
        let is_type = matches!(of, EntryRef::Type(_));
        let dialect = std::str::from_utf8(entry.dialect).unwrap_or_default();
        let data = builder.entries().short_payload(of);
        let own_since = version_of(form);
        let is_opaque_here = layout > 0;
        let key = (is_type, Box::from(dialect), form.name.clone());
        let other = self.other(of, entry.dialect);
        let result = match self.plans.get(&key).filter(|_| !is_opaque_here).cloned() {
            None => other,
            Some(places) => {
                let fits = |plan: &&usize| {
                    let plan = &self.list[**plan];
                    !matches!(plan.row.only, Some(Only::Encoding | Only::Never))
                        && plan
                            .required
                            .iter()
                            .all(|(field, r#type)| node.r#type(*field).map(EntryRef::Type) == Some(*r#type))
                };
                match places.iter().find(fits).copied() {
                    // Dense arrays of other elements have no row; StableHLO's bounds are no attribute.
                    None if places.iter().any(|&place| self.list[place].row.only.is_some()) && !is_type => {
                        match places.iter().any(|&place| self.list[place].row.is_array) {
                            true => other,
                            false => Converted::Nothing,
                        }
                    }
                    None => other,
                    Some(place) => self.build(builder, place, (&node, data, blob), own_since)?,
                }
            }
        };
        self.node = node;
        Ok(result)
    }

    /// An entry without a row.
    fn other(&self, of: EntryRef, dialect: &[u8]) -> Converted {
        let is_kept = match (self.direction, dialect, of) {
            (Direction::ToVhlo, b"vhlo", _) => true,
            (Direction::ToVhlo, b"stablehlo", _) => false,
            (Direction::ToVhlo, b"builtin", EntryRef::Type(_)) => false,
            (Direction::ToVhlo, _, EntryRef::Type(_)) => true,
            (Direction::ToVhlo, _, EntryRef::Attribute(_)) => self.allows_others,
            (Direction::FromVhlo, dialect, _) => dialect != b"vhlo",
        };
        if is_kept { Converted::To(of, ANY) } else { Converted::Nothing }
    }

    fn build(
        &mut self,
        builder: &mut Builder,
        place: usize,
        (node, data, blob): (&Node, Bytes, Option<Bytes>),
        own_since: VhloVersion,
    ) -> Result<Converted> {
        let (dialect, table) = (self.list[place].dialect, self.list[place].table.clone());
        let (sources, row) = (self.list[place].sources.clone(), self.list[place].row);
        let is_type = self.list[place].is_type;
        let Some(form) = self.list[place].form() else { return Ok(Converted::Nothing) };
        let form_number = form.code;
        let forms = if is_type { &table.types } else { &table.attributes };
        let Some(form) = forms.by_code(form_number) else { return Ok(Converted::Nothing) };
        let Some(layout) = form.layouts.first() else { return Ok(Converted::Nothing) };
        if row.is_array {
            return self.array(builder, node, &data, blob);
        }
        let mut since = match self.direction {
            Direction::ToVhlo => version_of(form),
            Direction::FromVhlo => own_since,
        };
        let mut new = Node::default();
        let mut elements: Option<Bytes> = None;
        for (spec, source) in layout.fields.iter().zip(&sources) {
            new.begin_field();
            let is_done = match source {
                Source::Fixed(of) => {
                    new.push(Field::Type(of.index(), 0));
                    true
                }
                Source::IsThere(_) => {
                    // Set below, when the field is known.
                    new.push(match spec.primitive {
                        Primitive::Bool => Field::Bool(false),
                        _ => Field::Unsigned(0),
                    });
                    true
                }
                Source::IdentityMap(shape) => {
                    let map = identity_map(builder, node.items(*shape).len())?;
                    new.push(Field::Attribute(map.index(), 0));
                    true
                }
                Source::Encoding(from) => match node.attribute(*from) {
                    Some(index) => match self.encoding(builder, EntryRef::Attribute(index))? {
                        Some((of, inner)) => {
                            since = since.max(inner);
                            new.push(Field::Attribute(of.index(), 0));
                            true
                        }
                        None => false,
                    },
                    None => false,
                },
                Source::Symbol(from) => match node.attribute(*from) {
                    Some(index) => match self.symbol(builder, EntryRef::Attribute(index))? {
                        Some(of) => {
                            new.push(Field::Attribute(of.index(), 0));
                            true
                        }
                        None => false,
                    },
                    None => false,
                },
                Source::Field(from) if matches!(spec.primitive, Primitive::Blob) => {
                    let bytes = match &blob {
                        Some(blob) => blob.clone(),
                        None => data.slice(node.blob_range(node.field(*from))),
                    };
                    new.push_blob(0..bytes.len());
                    elements = Some(bytes);
                    true
                }
                Source::Field(from) => {
                    let (inner, is_done) = self.put(builder, node, *from, &spec.primitive, &mut new)?;
                    since = since.max(inner);
                    is_done
                }
            };
            if !is_done {
                return Ok(Converted::Nothing);
            }
        }
        let new = with_flags(new, &sources);
        let mut bytes = elements.unwrap_or_default();
        let mut new = new;
        if form.print == Named::DenseElements {
            let Some(canonical) = self.elements(builder.entries(), node, &new, &bytes) else {
                return Ok(Converted::Nothing);
            };
            bytes = canonical;
            let r#type = new.field(0);
            new = Node::default();
            new.begin_field();
            new.push(r#type);
            new.begin_field();
            new.push_blob(0..bytes.len());
        }
        if form.builtin == BuiltinKind::DictionaryAttr
            && let Some(sorted) = crate::attr::canonical::sorted(&new, builder.entries())
        {
            new = sorted;
        }
        let to = builder.encoded(is_type, dialect, (form, layout), &new, &bytes, None)?;
        if row.is_opaque {
            since = match self.direction {
                Direction::ToVhlo => version_of(form),
                Direction::FromVhlo => own_since,
            };
        }
        Ok(Converted::To(to, since))
    }

    /// The elements of a tensor as the new entry stores them.
    fn elements(&self, entries: &OwnedEntries, old: &Node, new: &Node, data: &Bytes) -> Option<Bytes> {
        let builtin = match self.direction {
            Direction::ToVhlo => old.r#type(0)?,
            Direction::FromVhlo => new.r#type(0)?,
        };
        let dense = Dense::new(entries, builtin, data)?;
        let canonical = crate::attr::build::canonical_elements(&dense, data);
        // VHLO packs one boolean, or none, like several.
        if self.direction == Direction::ToVhlo && dense.element.is_bool() && dense.count <= 1 {
            let packed: &[u8] = match dense.count {
                0 => &[],
                _ if dense.bit(0) => &[1],
                _ => &[0],
            };
            return Some(Bytes::from_static(packed));
        }
        Some(canonical)
    }

    /// Adds one field, converted for a primitive; whether it could be.
    fn put(
        &self,
        builder: &mut Builder,
        node: &Node,
        from: usize,
        to: &Primitive,
        new: &mut Node,
    ) -> Result<(VhloVersion, bool)> {
        let field = node.field(from);
        let to = if let Primitive::If(_, inner) = to { inner } else { to };
        let mut since = ANY;
        let is_done = match (field, to) {
            (Field::Absent, _) => {
                new.push(Field::Absent);
                true
            }
            (Field::List(count), Primitive::List(_)) => {
                let at = new.begin_list();
                let mut is_done = true;
                for &item in node.items(from) {
                    match self.item(node, item) {
                        Some((item, inner, words)) => {
                            since = since.max(inner);
                            match words {
                                Some(words) => new.push_words(words),
                                None => new.push(item),
                            }
                        }
                        None => is_done = false,
                    }
                }
                new.end_list(at, count);
                is_done
            }
            // An array is its items in the other class, or the reverse.
            (Field::Attribute(index, _), Primitive::List(_)) => {
                let Some(&Converted::To(to, inner)) = self.known.get(&EntryRef::Attribute(index)) else {
                    return Ok((since, false));
                };
                since = inner;
                let items = items_of(builder.entries(), to)?;
                let at = new.begin_list();
                items.iter().for_each(|&item| new.push(Field::Attribute(item, 0)));
                new.end_list(at, items.len() as u32);
                true
            }
            (Field::List(_), Primitive::Attribute(_)) => {
                let mut items = Vec::new();
                for &item in node.items(from) {
                    let Some((Field::Attribute(index, _), inner, _)) = self.item(node, item) else {
                        return Ok((since, false));
                    };
                    since = since.max(inner);
                    items.push(index);
                }
                let array = self.array_of(builder, &items)?;
                new.push(Field::Attribute(array.index(), 0));
                true
            }
            // As is a name, which is an attribute of its own in VHLO.
            (Field::Attribute(index, _), Primitive::String) => {
                let Some(text) = string_of(builder.entries(), EntryRef::Attribute(index)) else {
                    return Ok((since, false));
                };
                let text = builder.string(&text);
                new.push(Field::String(text));
                true
            }
            (Field::String(index), Primitive::Attribute(_)) => {
                let text = builder.entries().string(index).to_vec();
                let name = self.string_attribute(builder, &text)?;
                new.push(Field::Attribute(name.index(), 0));
                true
            }
            (field, primitive) => match self.item(node, field) {
                Some((field, inner, words)) => {
                    since = inner;
                    match words {
                        Some(words) => new.push_words(words),
                        None => new.push(as_primitive(field, primitive)),
                    }
                    true
                }
                None => false,
            },
        };
        Ok((since, is_done))
    }

    /// A reference to what was converted, or a number.
    fn item(&self, node: &Node, field: Field) -> Option<(Field, VhloVersion, Option<Vec<u64>>)> {
        let converted = |of| match self.known.get(&of) {
            Some(&Converted::To(to, since)) => Some((to, since)),
            _ => None,
        };
        Some(match field {
            Field::Attribute(index, at) => {
                let (to, since) = converted(EntryRef::Attribute(index))?;
                (Field::Attribute(to.index(), at), since, None)
            }
            Field::Type(index, at) => {
                let (to, since) = converted(EntryRef::Type(index))?;
                (Field::Type(to.index(), at), since, None)
            }
            Field::Words { .. } => (field, ANY, Some(node.words(field).to_vec())),
            other => (other, ANY, None),
        })
    }

    /// The encoding of a tensor.
    fn encoding(&mut self, builder: &mut Builder, of: EntryRef) -> Result<Option<(EntryRef, VhloVersion)>> {
        let Some((entry, _)) = builder.entries().short(of) else { return Ok(None) };
        let dialect = std::str::from_utf8(entry.dialect).unwrap_or_default();
        let name = entry.form(of)?.map(|form| form.name.clone()).unwrap_or_default();
        let place = self.plans.get(&(false, Box::from(dialect), name));
        let place = place.and_then(|places| {
            places.iter().find(|&&place| self.list[place].row.only == Some(Only::Encoding)).copied()
        });
        let Some(place) = place else {
            // StableHLO has all encodings.
            return Ok(match (self.direction, dialect) {
                (Direction::FromVhlo, _) | (_, "vhlo") => Some((of, ANY)),
                _ => None,
            });
        };
        let (mut node, data) = (Node::default(), builder.entries().short_payload(of));
        let Some((entry, blob)) = builder.entries().short(of) else { return Ok(None) };
        let blob = blob.cloned();
        let Some((form, 0)) = entry.decode(of, builder.entries(), &mut node)? else { return Ok(None) };
        let since = version_of(form);
        Ok(match self.build(builder, place, (&node, data, blob), since)? {
            Converted::To(to, since) => Some((to, since)),
            Converted::Nothing => None,
        })
    }

    /// Charges memory for numbers that one element stands for.
    ///
    /// # Errors
    /// If there is none left.
    pub(super) fn charge(&self, bytes: u64) -> Result<()> {
        self.budget.spend(usize::try_from(bytes).unwrap_or(usize::MAX))
    }

    /// A converted string as a symbol; anything else as it is.
    pub(super) fn symbol(&mut self, builder: &mut Builder, of: EntryRef) -> Result<Option<EntryRef>> {
        let Converted::To(to, _) = self.convert(builder, of)? else { return Ok(None) };
        let Some(text) = string_of(builder.entries(), to) else { return Ok(Some(to)) };
        symbol(builder, &text).map(Some)
    }

    /// A string in the target.
    pub(super) fn string_attribute(&self, builder: &mut Builder, text: &[u8]) -> Result<EntryRef> {
        let (dialect_name, class) = match self.direction {
            Direction::ToVhlo => ("vhlo", "StringV1Attr"),
            Direction::FromVhlo => ("builtin", "StringAttr"),
        };
        let (id, table) = dialect(builder, dialect_name)?;
        let index = builder.string(text);
        let mut node = Node::default();
        node.begin_field();
        node.push(Field::String(index));
        make(builder, (false, id), form_of(&table, false, class)?, &node, &Bytes::new())
    }

    /// An array in the target.
    pub(super) fn array_of(&self, builder: &mut Builder, items: &[u32]) -> Result<EntryRef> {
        let (dialect_name, class) = match self.direction {
            Direction::ToVhlo => ("vhlo", "ArrayV1Attr"),
            Direction::FromVhlo => ("builtin", "ArrayAttr"),
        };
        let (id, table) = dialect(builder, dialect_name)?;
        let mut node = Node::default();
        node.begin_field();
        let at = node.begin_list();
        items.iter().for_each(|&item| node.push(Field::Attribute(item, 0)));
        node.end_list(at, items.len() as u32);
        make(builder, (false, id), form_of(&table, false, class)?, &node, &Bytes::new())
    }

    /// A dense array as a tensor of VHLO.
    fn array(
        &mut self,
        builder: &mut Builder,
        node: &Node,
        data: &Bytes,
        blob: Option<Bytes>,
    ) -> Result<Converted> {
        let bytes = match blob {
            Some(blob) => blob,
            None => data.slice(node.blob_range(node.field(2))),
        };
        let Some(element) = node.r#type(0) else { return Ok(Converted::Nothing) };
        let count = node.number(1);
        self.tensor(builder, EntryRef::Type(element), &[count as i64], bytes).map(|of| match of {
            Some(of) => Converted::To(of, VhloVersion::OLDEST),
            None => Converted::Nothing,
        })
    }

    /// A tensor of VHLO with elements of this builtin type; one-bit elements are bytes.
    pub(super) fn tensor(
        &mut self,
        builder: &mut Builder,
        element: EntryRef,
        shape: &[i64],
        bytes: Bytes,
    ) -> Result<Option<EntryRef>> {
        let (builtin, table) = dialect(builder, "builtin")?;
        let mut node = Node::default();
        node.begin_field();
        let at = node.begin_list();
        shape.iter().for_each(|&size| node.push(Field::Signed(size)));
        node.end_list(at, shape.len() as u32);
        node.begin_field();
        node.push(Field::Type(element.index(), 0));
        let r#type =
            make(builder, (true, builtin), form_of(&table, true, "RankedTensorType")?, &node, &Bytes::new())?;
        let Some(dense) = Dense::new(builder.entries(), r#type.index(), &bytes) else { return Ok(None) };
        let elements = match dense.element.is_bool() {
            // Bytes, which might be taken for bits.
            true => packed(&bytes),
            false => crate::attr::build::canonical_elements(&dense, &bytes),
        };
        let mut node = Node::default();
        node.begin_field();
        node.push(Field::Type(r#type.index(), 0));
        node.begin_field();
        node.push_blob(0..elements.len());
        let form = form_of(&table, false, "DenseIntOrFPElementsAttr")?;
        let dense = make(builder, (false, builtin), form, &node, &elements)?;
        Ok(match self.convert(builder, dense)? {
            Converted::To(to, _) => Some(to),
            Converted::Nothing => None,
        })
    }
}

/// Booleans of a byte each, packed as dense elements.
fn packed(bytes: &[u8]) -> Bytes {
    if let Some(&first) = bytes.first()
        && bytes.iter().all(|&byte| byte == first)
    {
        return Bytes::from_static(if first != 0 { &[0xff] } else { &[0] });
    }
    let mut bits = vec![0u8; bytes.len().div_ceil(8)];
    for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte != 0) {
        bits[at / 8] |= 1 << (at % 8);
    }
    bits.into()
}

/// With the flags of optional fields.
fn with_flags(mut node: Node, sources: &[Source]) -> Node {
    for (place, source) in sources.iter().enumerate() {
        let Source::IsThere(field) = source else { continue };
        let is_there = node.field(*field) != Field::Absent;
        let flag = match node.field(place) {
            Field::Bool(_) => Field::Bool(is_there),
            _ => Field::Unsigned(is_there.into()),
        };
        node.set(place, flag);
    }
    node
}

/// A number as the primitive has it.
fn as_primitive(field: Field, primitive: &Primitive) -> Field {
    let number = match field {
        Field::Unsigned(number) | Field::Bits(number) => number,
        Field::Signed(number) => number as u64,
        Field::Bool(value) => value.into(),
        other => return other,
    };
    match primitive {
        Primitive::Varint | Primitive::Byte => Field::Unsigned(number),
        Primitive::Signed => Field::Signed(number as i64),
        Primitive::Bool => Field::Bool(number != 0),
        Primitive::Bits(_) | Primitive::Float(_) => Field::Bits(number),
        _ => field,
    }
}

/// A text as an encoded entry; `None` if it is one only as text.
fn parse(builder: &mut Builder, of: EntryRef, text: &[u8]) -> Result<Option<EntryRef>> {
    let parsed = match of {
        EntryRef::Attribute(_) => Attribute::parse(text).map(|value| value.0),
        EntryRef::Type(_) => Type::parse(text).map(|value| value.0),
    };
    match parsed {
        Ok(value) => import(builder, &value).map(|to| Some(to).filter(|&to| to != of)),
        Err(error) if error.class() == crate::wire::error::ErrorClass::Limit => Err(error),
        Err(_) => Ok(None),
    }
}

fn import(builder: &mut Builder, value: &crate::attr::Handle) -> Result<EntryRef> {
    builder.import(&value.home, value.of)
}

/// The dialect of the builder with its shipped table.
pub(super) fn dialect(builder: &mut Builder, name: &str) -> Result<(u32, Arc<DialectTable>)> {
    let id = builder.dialect(name.as_bytes());
    match builder.table_of(id) {
        Some(table) => Ok((id, table)),
        None => Err(Error::message(ErrorKind::EntryNoTable, format!("there is no table for dialect {name}"))),
    }
}

/// The encoding of a class.
pub(super) fn form_of<'t>(table: &'t DialectTable, is_type: bool, class: &str) -> Result<&'t Encoding> {
    let forms = if is_type { &table.types } else { &table.attributes };
    forms.rows.iter().find(|form| *form.name == *class).ok_or_else(|| bad_row(class))
}

/// Adds an entry.
pub(super) fn make(
    builder: &mut Builder,
    (is_type, dialect): (bool, u32),
    form: &Encoding,
    node: &Node,
    data: &Bytes,
) -> Result<EntryRef> {
    let layout = form.layouts.first().ok_or_else(|| bad_row(&form.name))?;
    builder.encoded(is_type, dialect, (form, layout), node, data, None)
}

/// A symbol.
pub(super) fn symbol(builder: &mut Builder, text: &[u8]) -> Result<EntryRef> {
    let (id, table) = dialect(builder, "builtin")?;
    let index = builder.string(text);
    let mut node = Node::default();
    node.begin_field();
    node.push(Field::String(index));
    let root = make(builder, (false, id), form_of(&table, false, "StringAttr")?, &node, &Bytes::new())?;
    let mut node = Node::default();
    node.begin_field();
    node.push(Field::Attribute(root.index(), 0));
    make(builder, (false, id), form_of(&table, false, "FlatSymbolRefAttr")?, &node, &Bytes::new())
}

/// The text of a string attribute of either dialect.
pub(super) fn string_of(entries: &OwnedEntries, of: EntryRef) -> Option<Vec<u8>> {
    let (entry, _) = entries.short(of)?;
    let form = entry.form(of).ok()??;
    if !matches!(&*form.name, "StringAttr" | "StringV1Attr") {
        return None;
    }
    let mut node = Node::default();
    entry.decode(of, entries, &mut node).ok()??;
    match node.field(0) {
        Field::String(index) => Some(entries.string(index).to_vec()),
        _ => None,
    }
}

/// The items of an array of either dialect; none of anything else.
pub(super) fn items_of(entries: &OwnedEntries, of: EntryRef) -> Result<Vec<u32>> {
    let mut node = Node::default();
    let Some((entry, _)) = entries.short(of) else { return Ok(Vec::new()) };
    if entry.decode(of, entries, &mut node)?.is_none() {
        return Ok(Vec::new());
    }
    let items = node.items(0).iter().filter_map(|field| match field {
        Field::Attribute(index, _) => Some(*index),
        _ => None,
    });
    Ok(items.collect())
}

fn identity_map(builder: &mut Builder, dims: usize) -> Result<EntryRef> {
    let names: Vec<String> = (0..dims).map(|dim| format!("d{dim}")).collect();
    let names = names.join(", ");
    import(builder, &Attribute::parse(format!("affine_map<({names}) -> ({names})>"))?.0)
}

fn no_fields(form: &Encoding) -> bool {
    form.layouts.first().is_some_and(|layout| layout.fields.is_empty())
}

fn version_of(form: &Encoding) -> VhloVersion {
    form.since.as_deref().and_then(VhloVersion::of_numbers).unwrap_or(ANY)
}

fn since_of(entries: &OwnedEntries, of: EntryRef) -> VhloVersion {
    let form = entries.short(of).and_then(|(entry, _)| entry.form(of).ok().flatten());
    form.map_or(ANY, version_of)
}

#[cold]
fn bad_row(class: &str) -> Error {
    Error::message(ErrorKind::DialectTable, format!("the row of {class} does not fit its dialect table"))
}
