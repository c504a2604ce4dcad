//! The selection of the write mode, and the reasons against a stricter one.
//!
//! Bytes that cannot be decoded may contain indices of four tables: attributes, types, strings, resource
//! handles. If there are such bytes, these tables keep all indices.

use std::collections::HashMap;
use std::fmt;

use crate::dialect::entries::{Entries, EntryRef, why_opaque};
use crate::dialect::node::Node;
use crate::edit::Editor;
use crate::format::id::{AttrId, OpNameId, PropertyId, TypeId};
use crate::format::ir::{OpHead, OpSink};
use crate::ir::Module;
use crate::ir::module::{Inherent, PropertyReader};
use crate::wire::error::Result;
use crate::wire::limits::Budget;
use crate::wire::order::sort_by;
use crate::wire::progress::Progress;

use super::report::reason_of_changes;
use super::{Numbering, Pulse, WriteOptions};

/// The way in which the bytes of a module are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum WriteMode {
    /// The bytes of the file, unchanged.
    #[default]
    Verbatim,
    /// Everything is decoded and numbered as the writer of MLIR does.
    Renumbered,
    /// Attributes, types, strings and resource handles keep their indices; new ones are appended.
    AppendOnly,
}

impl fmt::Display for WriteMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Verbatim => "verbatim",
            Self::Renumbered => "renumbered",
            Self::AppendOnly => "append-only",
        })
    }
}

/// The kind of an [`Opaque`] row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OpaqueKind {
    /// Properties of operations.
    Properties,
    /// Encoded attributes of a dialect.
    Attribute,
    /// Encoded types of a dialect.
    Type,
}

impl fmt::Display for OpaqueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Properties => "properties",
            Self::Attribute => "attribute",
            Self::Type => "type",
        })
    }
}

/// Values of one operation or dialect whose bytes cannot be decoded.
///
/// ```
/// use mlirbc::write::OpaqueKind;
/// use mlirbc::{Module, ReadOptions};
/// let options = ReadOptions::default().unknown_dialects(vec!["func".into()]);
/// let module = Module::open_with("../../examples/two_layers.mlirbc", &options)?;
/// let opaque = module.opaque()?;
/// assert_eq!((opaque[0].kind, &*opaque[0].name, opaque[0].count), (OpaqueKind::Properties, "func.call", 2));
/// assert!(opaque[0].reason.contains("the caller declares the dialect `func` unknown"));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opaque {
    /// The kind of the values.
    pub kind: OpaqueKind,
    /// The operation, or the dialect of the attributes and types.
    pub name: String,
    /// The number of operations or entries.
    pub count: u64,
    /// The byte offset of the first value.
    pub offset: u64,
    /// The reason why the first value cannot be decoded.
    pub reason: String,
}

impl fmt::Display for Opaque {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} ({}, first at {:#x}): {}",
            self.kind, self.name, self.count, self.offset, self.reason
        )
    }
}

/// The selected write mode and the reason for it.
///
/// ```
/// use mlirbc::write::WriteMode;
/// use mlirbc::{Module, WriteOptions};
/// let module = Module::from_bytes(mlirbc::doc_example())?;
/// let plan = module.plan_write(&WriteOptions::default())?;
/// assert_eq!((plan.mode, plan.after_an_edit()), (WriteMode::Verbatim, WriteMode::Renumbered));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WritePlan {
    /// The mode for writing with the options of the plan.
    pub mode: WriteMode,
    /// The parts that cannot be decoded, and so cannot be renumbered.
    pub opaque: Vec<Opaque>,
}

impl WritePlan {
    /// The strictest mode for a changed module.
    #[doc(hidden)]
    pub fn after_an_edit(&self) -> WriteMode {
        if self.opaque.is_empty() { WriteMode::Renumbered } else { WriteMode::AppendOnly }
    }
}

/// The number of ops for each name and blob.
#[derive(Debug, Default)]
pub(crate) struct Shapes {
    pub(crate) with: HashMap<(u32, u32), u64, foldhash::fast::RandomState>,
    pub(crate) without: HashMap<u32, u64, foldhash::fast::RandomState>,
}

impl OpSink for Shapes {
    #[inline]
    fn op(&mut self, head: OpHead) {
        match head.properties {
            Some(blob) => *self.with.entry((head.name, blob)).or_default() += 1,
            None => *self.without.entry(head.name).or_default() += 1,
        }
    }

    // The table doubles, as a full table does.
    fn memory(&self) -> usize {
        2 * (self.with.capacity() * size_of::<((u32, u32), u64)>()
            + self.without.capacity() * size_of::<(u32, u64)>())
    }
}

impl Shapes {
    pub(crate) fn of(module: &Module, budget: &Budget) -> Result<Self> {
        let mut shapes = Self::default();
        module.stream_with(&mut shapes, budget, &Progress::default())?;
        Ok(shapes)
    }

    /// Returns the counts in the order of names and blobs.
    pub(crate) fn sorted(&self) -> Vec<((u32, u32), u64)> {
        let mut rows: Vec<_> = self.with.iter().map(|(&key, &count)| (key, count)).collect();
        sort_by(&mut rows, Ord::cmp);
        rows
    }
}

/// Returns the reason why properties are opaque, given the result of reading them.
fn opaque_properties_reason(
    reader: &PropertyReader<'_, '_>,
    (name, blob): (OpNameId, PropertyId),
    read: Result<Inherent>,
) -> String {
    let bytes = match read {
        Err(error) => return error.to_string(),
        Ok(Inherent::Opaque(bytes)) => bytes,
        Ok(_) => return "the declared encoding marks some of the bytes as opaque".to_owned(),
    };
    match reader.declared(name, &bytes, reader.offset(blob)) {
        Err(error) => error.to_string(),
        Ok(_) if reader.is_in_a_build(name) => reader.why_opaque(name, blob).sentence(),
        Ok(_) => "neither a property schema nor a declared encoding describes the properties".to_owned(),
    }
}

impl Module {
    /// Everything in the file that cannot be decoded, by op and dialect. Visits all ops and entries.
    ///
    /// # Errors
    /// If a table or the IR is malformed.
    #[doc(hidden)]
    pub fn opaque(&self) -> Result<Vec<Opaque>> {
        self.settle()?;
        let budget = self.tables().work_budget();
        let mut opaque = self.opaque_properties(&budget)?;
        let mut pulse = Pulse::default();
        let entries = self.tables().entries()?;
        let (bounds, mut node) = (entries.bounds(), Node::default());
        for kind in [OpaqueKind::Attribute, OpaqueKind::Type] {
            let mut rows: Vec<Opaque> = Vec::new();
            // By the address of the dialect's name, which is the same slice for all its entries; then by name.
            let mut row_of: HashMap<(usize, usize), usize> = HashMap::new();
            let mut row_of_name: HashMap<&[u8], usize> = HashMap::new();
            let is_type = kind == OpaqueKind::Type;
            for index in 0..if is_type { bounds.types } else { bounds.attributes } {
                let entry_ref = if is_type {
                    EntryRef::Type(TypeId::new(index))
                } else {
                    EntryRef::Attribute(AttrId::new(index))
                };
                pulse.beat(1, self.tables())?;
                let Some(entry) = entries.raw(entry_ref) else { continue };
                // Simple entries of known encodings have no opaque parts; whether they are well-formed is
                // checked on use.
                if entry.form(entry_ref).is_ok_and(|form| form.is_some_and(|form| form.has_fixed_layout)) {
                    continue;
                }
                let Some(reason) = why_opaque(&entry, entry_ref, &entries, &mut node) else { continue };
                let reason = entries.hook_error(entry_ref).cloned().unwrap_or(reason);
                let name = entry.dialect;
                let row = *row_of
                    .entry((name.as_ptr() as usize, name.len()))
                    .or_insert_with(|| *row_of_name.entry(name).or_insert(rows.len()));
                if let Some(row) = rows.get_mut(row) {
                    row.count += 1;
                    continue;
                }
                let reason = reason.sentence();
                budget.spend(size_of::<Opaque>() + name.len() + reason.len())?;
                let name = String::from_utf8_lossy(name).into_owned();
                rows.push(Opaque { kind, name, count: 1, offset: entry.offset, reason });
            }
            opaque.append(&mut rows);
        }
        Ok(opaque)
    }

    fn opaque_properties(&self, budget: &Budget) -> Result<Vec<Opaque>> {
        if !self.tables().bytecode().version().has_native_properties() {
            return Ok(Vec::new());
        }
        let (entries, shapes) = (self.tables().entries()?, Shapes::of(self, budget)?);
        let mut pulse = Pulse::default();
        let reader = PropertyReader::new(self, &entries)?;
        let mut inherent = Vec::new();
        let mut opaque: Vec<Opaque> = Vec::new();
        // Shapes are sorted by name, so that all blobs of a name are adjacent.
        let mut last = None;
        for ((name, blob), count) in shapes.sorted() {
            pulse.beat(1, self.tables())?;
            let (name, blob) = (OpNameId::new(name), PropertyId::new(blob));
            inherent.clear();
            let read = match reader.blob(name, reader.schema(name), blob, &mut inherent) {
                Ok(Inherent::Known | Inherent::Attribute(_)) => continue,
                Ok(Inherent::Declared(declared)) if !declared.is_opaque() => continue,
                read => read,
            };
            if last == Some(name)
                && let Some(row) = opaque.last_mut()
            {
                row.count += count;
                continue;
            }
            last = Some(name);
            let reason = opaque_properties_reason(&reader, (name, blob), read);
            let (kind, offset) = (OpaqueKind::Properties, reader.offset(blob));
            let op = self.op_name(name);
            let len = op.map_or(0, |name| name.dialect.len() + name.stem.len());
            budget.spend(size_of::<Opaque>() + len + reason.len())?;
            let name = op.map_or_else(String::new, |name| name.full().into_owned());
            opaque.push(Opaque { kind, name, count, offset, reason });
        }
        // A repeated name is merged into one row.
        sort_by(&mut opaque, |a, b| a.name.cmp(&b.name));
        opaque.dedup_by(|again, first| {
            let is_same = again.name == first.name;
            first.count += if is_same { again.count } else { 0 };
            is_same
        });
        Ok(opaque)
    }

    /// Selects the write mode for `options`, and lists the values that cannot be decoded. Nothing is written.
    ///
    /// # Errors
    /// As [`Self::opaque`].
    ///
    /// ```
    /// use mlirbc::write::{Numbering, WriteMode};
    /// use mlirbc::{Module, WriteOptions};
    /// let module = Module::from_bytes(mlirbc::doc_example())?;
    /// let options = WriteOptions::default().numbering(Numbering::Canonical);
    /// assert_eq!(module.plan_write(&options)?.mode, WriteMode::Renumbered);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn plan_write(&self, options: &WriteOptions) -> Result<WritePlan> {
        let opaque = self.opaque()?;
        let mode = if self.is_renumbered(options) { WriteMode::Renumbered } else { WriteMode::Verbatim };
        Ok(WritePlan { mode, opaque })
    }

    fn is_renumbered(&self, options: &WriteOptions) -> bool {
        let file_version = self.tables().bytecode().version();
        options.numbering == Numbering::Canonical
            || options.target.is_some()
            || options.strip_locations
            || options.strip_resources
            || options.version.is_some_and(|version| version != file_version)
    }
}

impl Editor {
    /// Selects the write mode for `options`, and lists the values in the file that cannot be decoded. Nothing
    /// is written.
    ///
    /// # Errors
    /// As [`Module::opaque`].
    ///
    /// ```
    /// use mlirbc::edit::Editor;
    /// use mlirbc::write::{Numbering, WriteMode};
    /// use mlirbc::{Attribute, Module, WriteOptions};
    /// let mut editor = Editor::new(Module::from_bytes(mlirbc::doc_example())?)?;
    /// let module = editor.operation()?;
    /// editor.set_location(module, &Attribute::parse("loc(\"x\")")?)?;
    /// assert_eq!(editor.plan_write(&WriteOptions::default())?.mode, WriteMode::AppendOnly);
    /// let options = WriteOptions::default().numbering(Numbering::Strictest);
    /// assert_eq!(editor.plan_write(&options)?.mode, WriteMode::Renumbered);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn plan_write(&self, options: &WriteOptions) -> Result<WritePlan> {
        let mut plan = self.base.plan_write(options)?;
        plan.mode = match (self.is_changed(), options.numbering) {
            (true, Numbering::Strictest) => plan.after_an_edit(),
            (true, _) if plan.mode == WriteMode::Verbatim => WriteMode::AppendOnly,
            _ => plan.mode,
        };
        Ok(plan)
    }

    /// Returns the options with the numbering of the strictest mode, and the reason for this mode, as far as
    /// changes are the reason.
    pub(crate) fn settled(&self, options: &WriteOptions) -> Result<(WriteOptions, Option<String>)> {
        let mut settled = options.clone();
        let mut opaque = Vec::new();
        let mut mode = self.spliced_mode();
        if options.numbering == Numbering::Strictest {
            let plan = self.plan_write(options)?;
            (mode, opaque) = (plan.mode, plan.opaque);
            let is_renumbered = mode == WriteMode::Renumbered;
            settled.numbering = if is_renumbered { Numbering::Canonical } else { Numbering::Preserve };
        }
        let is_reason = self.is_changed() && options.numbering != Numbering::Canonical;
        Ok((settled, is_reason.then(|| reason_of_changes(mode, options, &opaque)).flatten()))
    }

    /// Returns the mode of a file that is assembled from pieces.
    pub(crate) fn spliced_mode(&self) -> WriteMode {
        if self.is_changed() { WriteMode::AppendOnly } else { WriteMode::Verbatim }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::ReadOptions;

    const EXAMPLE: &str = "../../examples/two_layers.mlirbc";

    fn open(unknown: &[&str]) -> Module {
        let unknown_dialects = unknown.iter().map(|name| (*name).to_owned()).collect();
        Module::open_with(EXAMPLE, &ReadOptions { unknown_dialects, ..ReadOptions::default() }).unwrap()
    }

    #[test]
    fn one_opaque_value_keeps_every_number() {
        let decoded = open(&[]).plan_write(&WriteOptions::default()).unwrap();
        assert_eq!((decoded.mode, decoded.after_an_edit()), (WriteMode::Verbatim, WriteMode::Renumbered));
        let with_unknown = open(&["cf"]).plan_write(&WriteOptions::default()).unwrap();
        assert_eq!(with_unknown.after_an_edit(), WriteMode::AppendOnly);
        assert_eq!(with_unknown.opaque.iter().map(|row| &*row.name).collect::<Vec<_>>(), ["cf.cond_br"]);
    }

    #[test]
    fn the_strictest_way_is_taken_and_reported() {
        for (unknown, expected) in [(&[][..], WriteMode::Renumbered), (&["cf"], WriteMode::AppendOnly)] {
            let mut editor = Editor::new(open(unknown)).unwrap();
            let options = WriteOptions { numbering: Numbering::Strictest, ..WriteOptions::default() };
            assert_eq!(editor.write(&mut Vec::new(), &options).unwrap().mode, WriteMode::Verbatim);
            let module = editor.operation().unwrap();
            let location = crate::Attribute::parse("loc(\"here\")").unwrap();
            editor.set_location(module, &location).unwrap();
            let mut bytes = Vec::new();
            assert_eq!(editor.write(&mut bytes, &options).unwrap().mode, expected);
            assert_eq!(
                Module::from_bytes(bytes).unwrap().operation().unwrap().pre_order().count(),
                open(&[]).operation().unwrap().pre_order().count()
            );
        }
    }
}
