//! The sizes of the parts of a file: sections, operations, symbols, attributes, strings, resources.
//!
//! Owns [`SizeReport`]. Every field that `file::trace_fields` finds is counted once, so the sizes of the
//! sections add up to the size of the file. Entries that only one symbol uses, directly or through other
//! entries, belong to this symbol.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};

use crate::dialect::entries::EntryRef;
use crate::file::trace_fields;
use crate::format::id::OpNameId;
use crate::format::resource::{ResourceOwner, ResourcePayload};
use crate::ir::Module;
use crate::props::op_name::shown_name;
use crate::wire::cursor::{Field, FieldValue, FieldVisitor};
use crate::wire::error::{Error, Result};
use crate::wire::limits::Budget;
use crate::wire::order;
use crate::wire::section::SectionId;

/// A row of a size report.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SizeRow {
    /// The name, cut after 200 bytes; empty for a symbol operation without a name.
    pub name: String,
    /// The number of occurrences.
    pub count: u64,
    /// The size without other rows.
    pub size: u64,
    /// The size with everything that only this row uses or contains: the bytes that a file loses without it.
    pub inclusive: u64,
}

/// The distribution of the bytes of a module. The lists are sorted by size, the largest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct SizeReport {
    /// The size of the file, after decompression; it is the sum of the sections.
    pub size: u64,
    /// The header and the sections, in file order; for a JAX export, also the bytes around the module and its
    /// other modules.
    pub sections: Vec<SizeRow>,
    /// Operations, attributes, types and resources by dialect.
    pub dialects: Vec<SizeRow>,
    /// Operations by name; inclusive with the operations in them.
    pub operations: Vec<SizeRow>,
    /// The operations in the top-level operation: functions, globals; inclusive with the attributes, types,
    /// properties, strings and resources that nothing else uses.
    pub symbols: Vec<SizeRow>,
    /// Attributes and types by class.
    pub kinds: Vec<SizeRow>,
    /// Constants with at least 1 KiB of elements in the file, by their names as [weights](super::Weights);
    /// the count is the number of their users.
    pub constants: Vec<SizeRow>,
    /// Strings.
    pub strings: Vec<SizeRow>,
    /// Resources with their alignment, padding and row in the directory; inclusive with their key.
    pub resources: Vec<SizeRow>,
    /// Resources, and attributes of 64 bytes or more, that occur several times with the same bytes: the first
    /// one, the number of occurrences, the bytes of one, and the bytes of all but one.
    pub duplicates: Vec<SizeRow>,
}

/// The user of an entry.
type Owner = u32;
const NOBODY: Owner = u32::MAX;
/// The file itself, or several symbols.
const SHARED: Owner = u32::MAX - 1;

/// Entries of all tables have consecutive numbers.
#[derive(Debug, Clone, Copy)]
struct Numbers {
    types: usize,
    blobs: usize,
    strings: usize,
    resources: usize,
    externals: usize,
    end: usize,
}

impl Numbers {
    fn of(module: &Module) -> Result<Self> {
        let counts = module.tables().entry_counts()?;
        let directory = module.tables().resource_directory()?;
        let types = counts.attributes as usize;
        let blobs = types + counts.types as usize;
        let strings = blobs + module.tables().properties()?.len();
        let resources = strings + module.tables().strings()?.len();
        let end = resources + directory.entries.len();
        Ok(Self { types, blobs, strings, resources, externals: directory.externals, end })
    }

    fn number(&self, table: &str, index: u64) -> Option<usize> {
        let (first, end) = match table {
            "an attribute" => (0, self.types),
            "a type" => (self.types, self.blobs),
            "a property blob" => (self.blobs, self.strings),
            "a string" => (self.strings, self.resources),
            "a resource" => (self.resources + self.externals, self.end),
            _ => return None,
        };
        let number = first.checked_add(usize::try_from(index).ok()?)?;
        (number < end).then_some(number)
    }
}

/// The subject of a group of fields.
enum Group {
    Entry(usize),
    Operation,
    Other,
}

struct OpenOp {
    name: usize,
    size: u64,
}

struct Sizer<'s> {
    numbers: Numbers,
    budget: &'s Budget,
    // By entry: bytes, owner, class.
    sizes: Vec<u64>,
    owners: Vec<Owner>,
    kinds: Vec<u32>,
    kind_names: HashMap<String, u32>,
    // Entry and the entry that it uses.
    uses: Vec<(u32, u32)>,
    sections: Vec<(Option<SectionId>, u64)>,
    groups: Vec<Group>,
    ops: Vec<OpenOp>,
    // By name: number, own bytes, bytes with nested operations, and the number of open operations.
    names: Vec<[u64; 4]>,
    units: Vec<u64>,
    // The number of operation rows read so far that do not belong to a group.
    rows: usize,
    blobs: usize,
    failed: Option<Error>,
}

impl FieldVisitor for Sizer<'_> {
    fn begin(&mut self, name: &str, _: u64) {
        let after = |prefix: &str, first: usize| {
            let suffix = name.strip_prefix(prefix)?;
            let digits = suffix.split(' ').next()?;
            Some((first + digits.parse::<usize>().ok()?, suffix.get(digits.len()..)?))
        };
        let entry = after("attribute ", 0).or_else(|| after("type ", self.numbers.types));
        if let Some((number, kind)) = entry {
            let kind = kind.trim_start_matches(" (").trim_end_matches(')');
            let next = self.kind_names.len() as u32;
            let kind = match self.kind_names.get(kind) {
                Some(&kind) => kind,
                None => *self.kind_names.entry(kind.to_owned()).or_insert(next),
            };
            if let Some(slot) = self.kinds.get_mut(number) {
                *slot = kind;
            }
            self.groups.push(Group::Entry(number));
        } else if name == "operation" {
            self.groups.push(Group::Operation);
            self.ops.push(OpenOp { name: usize::MAX, size: 0 });
            if self.ops.len() == 2 {
                self.spend(size_of::<u64>() * 2);
                self.units.push(0);
            }
        } else if let Some((number, _)) = after("resource ", self.numbers.resources) {
            self.groups.push(Group::Entry(number));
        } else if name == "property blob" {
            self.groups.push(Group::Entry(self.numbers.blobs + self.blobs));
            self.blobs += 1;
        } else {
            if name == "section" || name == "header" {
                self.sections.push((None, 0));
                self.rows = 0;
            }
            self.groups.push(Group::Other);
        }
    }

    fn title(&mut self, _: &str) {}

    fn end(&mut self, _: u64) {
        if let Some(Group::Operation) = self.groups.pop()
            && let Some(op) = self.ops.pop()
        {
            if let Some(outer) = self.ops.last_mut() {
                outer.size += op.size;
            }
            if let Some(row) = self.names.get_mut(op.name) {
                row[3] -= 1;
                // If operations of one name are nested, the size of the outermost includes the others.
                row[2] += if row[3] == 0 { op.size } else { 0 };
            }
        }
    }

    fn field(&mut self, field: &Field) {
        let size = field.end - field.offset;
        let Some(section) = self.sections.last_mut() else { return };
        section.1 += size;
        if field.name == "section id"
            && section.0.is_none()
            && self.ops.is_empty()
            && let FieldValue::Number(id) = field.value
        {
            section.0 = SectionId::from_byte(id as u8 & 0x7f);
            return;
        }
        let section = section.0;
        if let Some(op) = self.ops.last_mut() {
            op.size += size;
            if op.name == usize::MAX
                && let FieldValue::Index(_, name) = field.value
            {
                op.name = name as usize;
                if let Some(row) = self.names.get_mut(op.name) {
                    row[0] += 1;
                    row[3] += 1;
                }
            }
            if let Some(row) = self.names.get_mut(op.name) {
                row[1] += size;
            }
            let unit = if self.ops.len() > 1 { self.units.len() as u32 - 1 } else { SHARED };
            if let Some(bytes) = self.units.last_mut().filter(|_| unit != SHARED) {
                *bytes += size;
            }
            return self.mark(field, unit);
        }
        let entry = match (self.groups.last(), section) {
            (Some(&Group::Entry(number)), _) => Some(number),
            (_, Some(SectionId::String)) => {
                // Lengths are in reverse order.
                let index = match field.name.strip_prefix("string ") {
                    Some(digits) => digits.parse().ok(),
                    None if field.name == "length" => {
                        self.rows += 1;
                        (self.numbers.resources - self.numbers.strings).checked_sub(self.rows)
                    }
                    None => None,
                };
                index.map(|index: usize| self.numbers.strings + index)
            }
            (_, Some(SectionId::AttrTypeOffset)) if field.name == "size of an entry" => {
                self.rows += 1;
                Some(self.rows - 1)
            }
            (_, Some(SectionId::ResourceOffset)) if matches!(&*field.name, "key" | "size" | "kind") => {
                self.rows += usize::from(field.name == "key");
                Some(self.numbers.resources + self.rows.saturating_sub(1))
            }
            _ => None,
        };
        match entry.filter(|&number| number < self.sizes.len()) {
            Some(number) => {
                self.sizes[number] += size;
                if let Some(used) = self.used(field) {
                    self.spend(2 * size_of::<(u32, u32)>());
                    self.uses.push((number as u32, used as u32));
                }
            }
            None => self.mark(field, SHARED),
        }
    }

    fn fault(&mut self, error: &Error) {
        self.failed.get_or_insert_with(|| error.clone());
    }

    fn is_done(&self) -> bool {
        self.failed.is_some()
    }
}

impl Sizer<'_> {
    fn spend(&mut self, bytes: usize) {
        if let Err(error) = self.budget.spend(bytes) {
            self.failed.get_or_insert(error);
        }
    }

    fn used(&self, field: &Field) -> Option<usize> {
        let (table, index) = match field.value {
            FieldValue::Index(table, index) => (table, index),
            FieldValue::FlaggedIndex(table, index, flag) => {
                let is_required = matches!(&*field.name, "argument type" | "op name" | "dialect name");
                if !flag && !is_required {
                    return None;
                }
                (table, index)
            }
            _ => return None,
        };
        self.numbers.number(table, index)
    }

    // Records that a symbol, or the file, uses the entry that a field refers to.
    fn mark(&mut self, field: &Field, by: Owner) {
        if let Some(owner) = self.used(field).and_then(|used| self.owners.get_mut(used)) {
            *owner = joined(*owner, by);
        }
    }

    // Passes the owner of an entry on to the entries that it uses. An owner changes twice at most, so this is
    // linear.
    fn propagate(&mut self) {
        self.uses.sort_unstable();
        let mut pending: Vec<u32> = (0..self.owners.len() as u32).collect();
        while let Some(entry) = pending.pop() {
            let owner = self.owners[entry as usize];
            if owner == NOBODY {
                continue;
            }
            let start = self.uses.partition_point(|edge| edge.0 < entry);
            for &(_, used) in self.uses[start..].iter().take_while(|edge| edge.0 == entry) {
                let slot = &mut self.owners[used as usize];
                let new = joined(*slot, owner);
                if new != *slot {
                    *slot = new;
                    pending.push(used);
                }
            }
        }
    }
}

fn joined(one: Owner, other: Owner) -> Owner {
    match (one, other) {
        (NOBODY, other) => other,
        (one, NOBODY) => one,
        (one, other) if one == other => one,
        _ => SHARED,
    }
}

impl SizeReport {
    /// Counts the bytes of a module. Blobs are read only to find duplicates, and only if another blob has the
    /// same size.
    ///
    /// # Errors
    /// The first violated rule of the format.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let report = mlirbc::tool::SizeReport::of(&module, true)?;
    /// assert_eq!(report.size, 1474);
    /// assert_eq!(report.sections.iter().map(|row| row.size).sum::<u64>(), 1474);
    /// assert_eq!(report.symbols[0].name, "main");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn of(module: &Module, with_duplicates: bool) -> Result<Self> {
        let budget = module.tables().work_budget();
        let numbers = Numbers::of(module)?;
        let names = module.tables().dialect_section()?.op_names.len();
        let sizes = budget.filled(0, numbers.end)?;
        let owners = budget.filled(NOBODY, numbers.end)?;
        let kinds = budget.filled(0, numbers.blobs)?;
        let rows = budget.filled([0; 4], names)?;
        let mut sizer = Sizer {
            numbers,
            budget: &budget,
            sizes,
            owners,
            kinds,
            kind_names: HashMap::new(),
            uses: Vec::new(),
            sections: Vec::new(),
            groups: Vec::new(),
            ops: Vec::new(),
            names: rows,
            units: Vec::new(),
            rows: 0,
            blobs: 0,
            failed: None,
        };
        trace_fields(module.source(), module.limits(), Some(module.tables()), &mut sizer)?;
        if let Some(error) = sizer.failed.take() {
            return Err(error);
        }
        sizer.propagate();
        let mut report = sizer.report(module)?;
        report.constants = constants(module, &report.kinds)?;
        if with_duplicates {
            report.duplicates = duplicates(module, &budget)?;
        }
        Ok(report)
    }
}

impl Sizer<'_> {
    fn report(&self, module: &Module) -> Result<SizeReport> {
        let numbers = self.numbers;
        let row = |name: String, count, size, inclusive| -> Result<SizeRow> {
            self.budget.spend(name.capacity() + size_of::<SizeRow>())?;
            Ok(SizeRow { name, count, size, inclusive })
        };
        let section = module.tables().dialect_section()?;
        let mut dialects = self.budget.filled([0; 2], section.dialects.len())?;
        let mut add = |dialect: u32, count: u64, size: u64| {
            if let Some([all, bytes]) = dialects.get_mut(dialect as usize) {
                *all += count;
                *bytes += size;
            }
        };

        let mut operations = Vec::new();
        for (id, &[count, size, inclusive, _]) in self.names.iter().enumerate() {
            if let Some(name) = module.op_name(OpNameId::new(id as u32)).filter(|_| count > 0) {
                add(section.op_names[id].dialect, count, size);
                operations.push(row(name.shown(), count, size, inclusive)?);
            }
        }

        let mut kind_sizes: Vec<_> = self.kind_names.iter().map(|_| [0; 2]).collect();
        for (&kind, size) in self.kinds.iter().zip(&self.sizes) {
            if let Some(slot) = kind_sizes.get_mut(kind as usize) {
                slot[0] += 1;
                slot[1] += size;
            }
        }
        let mut kinds = Vec::new();
        for (name, &kind) in &self.kind_names {
            let [count, size] = kind_sizes[kind as usize];
            kinds.push(row(name.clone(), count, size, size)?);
        }
        module.tables().entries()?.each(|of, dialect, _| {
            let number = match of {
                EntryRef::Attribute(index) => index.index(),
                EntryRef::Type(index) => numbers.types + index.index(),
            };
            add(dialect, 1, self.sizes[number]);
        });

        let strings = module.tables().strings()?.iter().zip(&self.sizes[numbers.strings..]);
        let strings =
            strings.map(|(name, &size)| row(shown_name(name), 1, size, size)).collect::<Result<_>>()?;

        let mut resources = Vec::new();
        for (index, entry) in module.tables().resource_directory()?.entries.iter().enumerate() {
            let number = numbers.resources + index;
            let size = self.sizes[number];
            if let ResourceOwner::Dialect(dialect) = entry.owner {
                add(dialect, 1, size);
            }
            let key = entry.key as usize + numbers.strings;
            // The key belongs to the resource unless something else uses the same string.
            let is_own = self.owners[key] == self.owners[number] && self.owners[number] != SHARED;
            let key_size = if is_own { self.sizes[key] } else { 0 };
            let name = shown_name(module.tables().string(entry.key)?);
            resources.push(row(name, 1, size, size + key_size)?);
        }

        let mut symbols: Vec<SizeRow> =
            self.units.iter().map(|&size| row(String::new(), 1, size, size)).collect::<Result<_>>()?;
        for (&owner, size) in self.owners.iter().zip(&self.sizes) {
            if let Some(symbol) = symbols.get_mut(owner as usize) {
                symbol.inclusive += size;
            }
        }
        let mut names = Vec::new();
        for top in module.top_level_block()?.operations() {
            for region in top.regions()? {
                for op in region.blocks().flat_map(|block| block.operations()) {
                    let name = super::model::symbol_name(&op)?.unwrap_or_default();
                    let name = shown_name(name.as_bytes());
                    self.budget.spend(name.capacity() + size_of::<String>())?;
                    names.push(name);
                }
            }
        }
        symbols.iter_mut().zip(names).for_each(|(symbol, name)| symbol.name = name);

        let sections = self.sections.iter().map(|&(id, size)| {
            let name = id.map_or("header", SectionId::name);
            row(name.to_owned(), 1, size, size)
        });
        let mut dialect_rows = Vec::new();
        for (index, [count, size]) in dialects.into_iter().enumerate().filter(|(_, [count, _])| *count > 0) {
            let name = shown_name(module.tables().dialect_name(index as u32)?);
            dialect_rows.push(row(name, count, size, size)?);
        }
        let mut sections: Vec<SizeRow> = sections.collect::<Result<_>>()?;
        let mut size = module.tables().bytecode().size();
        if let Some(container) = module.container() {
            let modules = container.modules();
            let other_sizes: u64 = modules.iter().map(|module| module.size).sum::<u64>().saturating_sub(size);
            let around = container.content_size().saturating_sub(size + other_sizes);
            let rows = [("other modules", modules.len() as u64 - 1, other_sizes), ("container", 1, around)];
            for (name, count, size) in rows.into_iter().filter(|row| row.2 > 0) {
                sections.push(row(name.to_owned(), count, size, size)?);
            }
            size = container.content_size();
        }
        let mut report = SizeReport {
            size,
            sections,
            dialects: dialect_rows,
            operations,
            symbols,
            kinds,
            constants: Vec::new(),
            strings,
            resources,
            duplicates: Vec::new(),
        };
        for list in [&mut report.dialects, &mut report.operations, &mut report.kinds, &mut report.strings] {
            sort(list);
        }
        sort(&mut report.resources);
        sort(&mut report.symbols);
        Ok(report)
    }
}

fn sort(rows: &mut [SizeRow]) {
    order::sort_by(rows, |a, b| (b.inclusive, b.size, &a.name).cmp(&(a.inclusive, a.size, &b.name)));
}

/// The classes of attributes that hold elements.
pub(super) const ELEMENTS: [&str; 2] = ["builtin.DenseIntOrFPElementsAttr", "vhlo.TensorV1Attr"];
/// The least size of a constant with a row of its own.
const SMALL: u64 = 1 << 10;

/// Returns the constants whose elements are in the file, the largest first.
fn constants(module: &Module, kinds: &[SizeRow]) -> Result<Vec<SizeRow>> {
    // Searching for constants requires a walk over the operations.
    if kinds.iter().all(|row| row.size < SMALL || !ELEMENTS.contains(&&*row.name)) {
        return Ok(Vec::new());
    }
    let weights = super::Weights::of(module)?;
    let is_inline = |weight: &&super::Weight| weight.resource().is_none() && weight.size >= SMALL;
    let mut rows: Vec<SizeRow> = weights
        .rows()
        .iter()
        .filter(is_inline)
        .map(|weight| SizeRow {
            name: shown_name(weight.name.as_bytes()),
            count: weight.users,
            size: weight.size,
            inclusive: weight.size,
        })
        .collect();
    sort(&mut rows);
    Ok(rows)
}

/// The number of bytes of a blob that are hashed at a time.
const PIECE: u64 = 1 << 20;
/// The least size of an attribute that is compared.
const SHORT: usize = 64;

// Returns resources and long attributes with equal bytes. Blobs are read only if several have one size.
fn duplicates(module: &Module, budget: &Budget) -> Result<Vec<SizeRow>> {
    let mut by_size: HashMap<u64, Vec<(String, std::ops::Range<u64>)>> = HashMap::new();
    for (index, resource) in module.resources()?.enumerate() {
        let entry = module.tables().resource_directory()?.entries[index];
        if let Some(ResourcePayload::Blob { range, .. }) = module.tables().resource_payload(&entry)?
            && !range.is_empty()
        {
            let key = shown_name(resource.key());
            budget.spend(key.capacity() + 128)?;
            by_size.entry(range.end - range.start).or_default().push((key, range));
        }
    }
    let mut groups: HashMap<(u64, u64), (String, u64)> = HashMap::new();
    // The keys are random, so that no file can contain blobs with colliding hashes on purpose.
    let keys = RandomState::new();
    for (size, blobs) in by_size.into_iter().filter(|(_, blobs)| blobs.len() > 1) {
        for (key, range) in blobs {
            let mut hasher = keys.build_hasher();
            let mut at = range.start;
            while at < range.end {
                module.tables().check_interrupt()?;
                let end = range.end.min(at + PIECE);
                hasher.write(&module.source().get(at..end)?);
                at = end;
            }
            groups.entry((size, hasher.finish())).or_insert((key, 0)).1 += 1;
        }
    }
    let mut long: HashMap<(u32, &[u8]), (u32, u64)> = HashMap::new();
    module.tables().entries()?.each(|of, dialect, entry| {
        if entry.data.len() >= SHORT {
            long.entry((dialect, entry.data)).or_insert((of.index(), 0)).1 += 1;
        }
    });
    let resources = groups.into_iter().map(|((size, _), (name, count))| (name, count, size));
    let attributes = long
        .into_iter()
        .map(|((_, data), (index, count))| (format!("attribute or type {index}"), count, data.len() as u64));
    let mut rows: Vec<SizeRow> = resources
        .chain(attributes)
        .filter(|&(_, count, _)| count > 1)
        .map(|(name, count, size)| SizeRow { name, count, size, inclusive: size * (count - 1) })
        .collect();
    sort(&mut rows);
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::ReadOptions;
    use crate::test_module::TestFile;
    use crate::tool::{DumpOptions, dump};
    use crate::wire::steps;

    #[test]
    fn long_names_of_many_operations_are_not_copied() {
        let mut file = TestFile::new();
        let dialect = file.dialect(vec![b'd'; 40_000]);
        let unit = file.attribute(&[7]);
        for number in 0..400 {
            let name = file.op_name(dialect, format!("o{number}"), true);
            file.blobs.push(vec![1, unit as u8]);
            file.ops.push((name, None, Some(number)));
        }
        let bytes = file.bytes();
        let before = steps::taken();
        let report = SizeReport::of(&Module::from_bytes(bytes.clone()).unwrap(), true).unwrap();
        assert!(report.operations.iter().all(|row| row.name.len() < 500));
        assert!(report.dialects.iter().all(|row| row.name.len() < 500));
        assert_eq!(report.dialects.iter().map(|row| row.count).sum::<u64>(), 402);
        assert!(dump(&bytes.into(), &ReadOptions::default(), DumpOptions::default(), &mut |_| true).is_ok());
        let taken = steps::taken() - before;
        assert!(taken < 3_000_000, "{taken} steps");
    }
}
