//! Converts attributes and types of one dialect to the other, within the pool of a written module.
//!
//! Every entry is converted once, after everything that it refers to, and nothing is recursive.

mod class_conversions;
mod fields;
pub(super) mod values;

use std::collections::HashMap;

use crate::attr::table::{Builder, OwnedEntries};
use crate::dialect::entries::EntryRef;
use crate::dialect::node::{Field, Node, TableIndex};
use crate::dialect::table::Encoding;
use crate::format::id::TypeId;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Budget;

use self::class_conversions::ClassConversion;
use self::values::{parse, string_of, symbol};
use super::rules::Rules;
use crate::convert::rules::Only;
use crate::convert::rules::VhloVersion;

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
    /// The other dialect has no such entry.
    Nothing,
}

/// Converts entries of a pool.
pub(super) struct EntryConverter {
    pub(super) direction: Direction,
    allows_others: bool,
    /// Rows by dialect and class of the source entry.
    plans: HashMap<(bool, Box<str>, Box<str>), Vec<usize>>,
    list: Vec<ClassConversion>,
    /// Types without fields.
    simple: HashMap<EntryRef, EntryRef>,
    known: HashMap<EntryRef, Converted, foldhash::fast::RandomState>,
    /// The encoded entries of texts; `None` if an entry exists as text only.
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
        for (is_type, rows) in [(true, &rules.rows.r#type), (false, &rules.rows.attribute)] {
            for row in rows {
                this.add_row(is_type, row, builder)?;
            }
        }
        Ok(this)
    }

    /// Converts an entry of the pool.
    ///
    /// # Errors
    /// If the memory limit is exceeded, or an entry is malformed.
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

    /// Converts an entry, or pushes the entries that must be converted before it.
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
                return Ok(self.without_row(of, entry.dialect));
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
            let Some(parsed) = parsed else { return Ok(self.without_row(of, b"builtin")) };
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
            return Ok(self.without_row(of, entry.dialect));
        };
        // Older layouts of StableHLO do not occur in entries that have rows.
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
        let is_older_layout = layout > 0;
        let key = (is_type, Box::from(dialect), form.name.clone());
        let without_row = self.without_row(of, entry.dialect);
        let result = match self.plans.get(&key).filter(|_| !is_older_layout).cloned() {
            None if self.has_new_parts(builder.entries(), of, &node) && !is_older_layout => {
                node.renumber(|index| Ok(self.renumbered(index)))?;
                let (dialect, table) = values::dialect(builder, "builtin")?;
                let form = values::form_of(&table, true, &key.2)?;
                Converted::To(values::make(builder, (true, dialect), form, &node, &data)?, ANY)
            }
            None => without_row,
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
                    // Dense arrays of other elements have no row; StableHLO's bounds are not an attribute.
                    None if places.iter().any(|&place| self.list[place].row.only.is_some()) && !is_type => {
                        match places.iter().any(|&place| self.list[place].row.is_array) {
                            true => without_row,
                            false => Converted::Nothing,
                        }
                    }
                    None => without_row,
                    Some(place) => self.build(builder, place, (&node, data, blob), own_since)?,
                }
            }
        };
        self.node = node;
        Ok(result)
    }

    /// Whether builtin types in a builtin type have another entry in StableHLO: MLIR has one type for both.
    fn has_new_parts(&self, entries: &OwnedEntries, of: EntryRef, node: &Node) -> bool {
        let is_builtin = |of| {
            matches!(of, EntryRef::Type(_))
                && entries.short(of).is_some_and(|(entry, _)| entry.dialect == b"builtin")
        };
        let is_new = |field: &Field| match *field {
            Field::Type(index, _) => {
                let parameter = EntryRef::Type(index);
                is_builtin(parameter)
                    && matches!(self.known.get(&parameter), Some(Converted::To(to, _)) if *to != parameter)
            }
            _ => false,
        };
        self.direction == Direction::FromVhlo && is_builtin(of) && node.all().iter().any(is_new)
    }

    /// Returns the converted index of a builtin type in a builtin type; other indices remain.
    fn renumbered(&self, index: TableIndex) -> u32 {
        match index {
            TableIndex::Type(source) => match self.known.get(&EntryRef::Type(TypeId::new(source))) {
                Some(Converted::To(to, _)) => to.index(),
                _ => source,
            },
            TableIndex::Attribute(source) | TableIndex::String(source) | TableIndex::Resource(source) => {
                source
            }
        }
    }

    /// Converts an entry that has no row in the rules.
    fn without_row(&self, of: EntryRef, dialect: &[u8]) -> Converted {
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

    /// Converts the encoding of a tensor type.
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

    /// Charges memory for the numbers that one element stands for.
    ///
    /// # Errors
    /// If the memory limit is exceeded.
    pub(super) fn charge(&self, bytes: u64) -> Result<()> {
        self.budget.spend(usize::try_from(bytes).unwrap_or(usize::MAX))
    }

    /// Converts an entry, and makes a symbol of a string.
    pub(super) fn symbol(&mut self, builder: &mut Builder, of: EntryRef) -> Result<Option<EntryRef>> {
        let Converted::To(to, _) = self.convert(builder, of)? else { return Ok(None) };
        let Some(text) = string_of(builder.entries(), to) else { return Ok(Some(to)) };
        symbol(builder, &text).map(Some)
    }
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
