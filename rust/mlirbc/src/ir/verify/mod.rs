//! Verification: everything that lazy reading does not check, and the first violated rule.
//!
//! The tables come first, in the order of MLIR; then the IR in one pass, with use-list orders and references;
//! then every attribute and type reachable from there. Entries without references may contain anything, as in
//! MLIR. Nothing decoded here is kept.

mod encodings;
mod entries;

use std::collections::HashSet;

use crate::dialect::entries::EntryRef;
use crate::dialect::node::Node;
use crate::dialect::table::Encoding;
use crate::file::release::DetectedRelease;
use crate::format::attr_type::EntryCounts;
use crate::format::ir::{BlockHead, IsolatedRegions, OpHead, OpSink, RegionHead, UseListOrder, ValueRef};
use crate::format::resource::ResourceKind;
use crate::props::check::check;
use crate::props::schema::Kind;
use crate::props::{OpSchema, PropertyField};
use crate::wire::cursor::Cursor;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::options::setters;
use crate::wire::progress::Progress;
use crate::wire::section::SectionId;

pub(crate) mod operations;
mod reader;
mod recent_entries;
mod report;
mod sweep;

pub use operations::OperationChecks;
pub use report::{Unchecked, UncheckedKind, Verification};

use super::body::{BodyBuilder, ColumnBlock};
use super::module::Module;
use crate::file::FileEntries;
use crate::format::id::{AttrId, OpNameId, TypeId};
use encodings::EncodingLookup;
use entries::{EntryWalk, has_class, row};
use reader::Reader;
use sweep::Sweep;

const BUILTIN: &[u8] = b"builtin";
// The dialects of LLVM that accept resources.
const WITH_RESOURCES: &[&[u8]] = &[BUILTIN, b"test"];
// The dialects with an `OpAsmDialectInterface` in some release. The reader looks for it when a group of resources begins, and
// refuses a key later (`parseResourceSection` in `mlir/lib/Bytecode/Reader/BytecodeReader.cpp`).
const WITH_RESOURCE_GROUPS: &[&[u8]] = &[BUILTIN, b"llvm", b"ml_program", b"sparse_tensor", b"test"];

/// Options for the verification of a module.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct VerifyOptions {
    /// Receives the number of bytes of IR done, and the total.
    pub progress: Progress,
}

setters! {
    VerifyOptions {
        progress: Progress,
    }
}

impl Module {
    /// Verifies the whole file; `progress` receives the number of bytes of IR done, and the total.
    ///
    /// Attributes and types are checked if their encoding is known: entries of unknown dialects are accepted,
    /// and text must be one attribute or one type, whatever its brackets contain. If the file or the caller
    /// names a released LLVM, native properties, operation names and codes must belong to that release. Forks
    /// add values to properties, so an operation may have more of them than in the release. The result lists the
    /// parts that were not checked.
    ///
    /// # Errors
    /// The first violated rule.
    ///
    /// ```
    /// let mut bytes = mlirbc::doc_example();
    /// mlirbc::Module::from_bytes(bytes.clone()).unwrap().verify().unwrap();
    /// bytes[40] = 0x13; // the value in the dictionary becomes attribute 9 of 4
    /// let error = mlirbc::Module::from_bytes(bytes).unwrap().verify().unwrap_err();
    /// assert_eq!(error.identifier(), "mlirbc.read.index");
    /// ```
    pub fn verify(&self) -> Result<Verification> {
        self.verify_with(&VerifyOptions::default())
    }

    /// Verifies the whole file as [`Self::verify`] does; returns what was not checked, and which attributes
    /// and types without references are malformed.
    ///
    /// # Errors
    /// As [`Self::verify`].
    ///
    /// ```
    /// use mlirbc::ir::VerifyOptions;
    /// use mlirbc::progress::Progress;
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let progress = Progress::new(|done, all| assert!(done <= all));
    /// let verification = module.verify_with(&VerifyOptions::default().progress(progress))?;
    /// assert_eq!(verification.release(), Some("llvm-22"));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn verify_with(&self, options: &VerifyOptions) -> Result<Verification> {
        self.source().check()?;
        self.tables().strings()?;
        self.settle()?;
        self.tables().properties()?;
        self.tables().dialect_section()?;
        let claimed = self.tables().claimed_release()?;
        let reader = Reader::new(self, claimed.as_ref())?;
        let mut report = Verification::new(reader.release().and_then(DetectedRelease::name));
        self.verify_resources(&reader, &mut report)?;
        self.note_versions(&reader, &mut report)?;
        let entries = self.tables().entries()?;
        let mut reach = Reach::new(self, &reader)?;
        let mut read = || {
            let mut sink = VerifySink { bodies: None, reach: &mut reach, has_use_lists: false };
            self.verify_ir(&reader, &mut sink, &options.progress)?;
            // Most files have no use-list orders and need no bodies here.
            if sink.has_use_lists {
                sink.bodies = Some(BodyBuilder::checker());
                self.verify_ir(&reader, &mut sink, &Progress::default())?;
            }
            if let Some(bodies) = sink.bodies {
                bodies.finish(&mut ColumnBlock::default())?;
            }
            self.verify_op_names(&reader, &reach)?;
            self.verify_properties(&reader, &entries, &mut reach, &mut report)
        };
        let sweep = Sweep::new(&entries, &reader, self.limits().max_depth.into());
        let is_fine = match &sweep {
            Some(sweep) => sweep.beside(read)?,
            None => read().map(|()| false)?,
        };
        let forms = sweep.as_ref().filter(|_| is_fine).map(Sweep::forms);
        if !forms.is_some_and(|forms| reach.has_classes(&entries, forms, &reader)) {
            reach.check(&entries, &reader, &mut report)?;
        }
        if !forms.is_some_and(EncodingLookup::are_complete) {
            note_unchecked(&entries, &mut report);
        }
        self.source().check()?;
        Ok(report)
    }

    fn verify_ir(
        &self,
        reader: &Reader<'_>,
        sink: &mut VerifySink<'_, '_>,
        progress: &Progress,
    ) -> Result<()> {
        let budget = self.tables().work_budget();
        match reader.numbers_all_results() {
            true => self.stream_numbered(sink, &budget, progress),
            false => self.stream_with(sink, &budget, progress).map(drop),
        }
    }

    fn verify_resources(&self, reader: &Reader<'_>, report: &mut Verification) -> Result<()> {
        // The current group, usually the only one of its dialect, and its number of resources.
        let (mut group, mut unknown): (&[u8], u64) = (&[], 0);
        for resource in self.resources()? {
            resource.payload()?;
            if !resource.is_external() && !WITH_RESOURCES.contains(&resource.group()) {
                if reader.knows(resource.group()) {
                    let dialect = String::from_utf8_lossy(resource.group());
                    let message =
                        format!("dialect {dialect} does not accept resources, but the file has one");
                    return Err(Error::message(ErrorKind::ResourceKind, message)
                        .at(resource.entry.offset)
                        .in_section(SectionId::ResourceOffset));
                }
                if resource.group().as_ptr() != group.as_ptr() {
                    report.add(UncheckedKind::Resources, group, std::mem::take(&mut unknown));
                    group = resource.group();
                }
                unknown += 1;
            }
            let is_builtin = !resource.is_external() && resource.group() == BUILTIN;
            if is_builtin && resource.has_data() && resource.kind() != Some(ResourceKind::Blob) {
                let kind = resource.kind().map_or("another kind", ResourceKind::name);
                return Err(Error::new(
                    ErrorKind::ResourceKind,
                    "a blob as a resource of dialect builtin",
                    kind,
                )
                .at(resource.entry.offset)
                .in_section(SectionId::ResourceOffset));
            }
        }
        report.add(UncheckedKind::Resources, group, unknown);
        self.verify_empty_groups(reader)
    }

    fn verify_empty_groups(&self, reader: &Reader<'_>) -> Result<()> {
        // Adjacent groups are often of one dialect, whose name may be long.
        let mut last = None;
        for group in &self.tables().resource_directory()?.empty_groups {
            if last.replace(group.dialect) == Some(group.dialect) {
                continue;
            }
            let section = self.tables().dialect_section()?;
            let name = section
                .dialects
                .get(group.dialect as usize)
                .map(|dialect| self.tables().string(dialect.name));
            let Some(name) = name.transpose()? else { continue };
            if reader.knows(name) && !WITH_RESOURCE_GROUPS.contains(&name) {
                let dialect = String::from_utf8_lossy(name);
                let message =
                    format!("dialect {dialect} does not accept resources, but the file has a group of them");
                return Err(Error::message(ErrorKind::ResourceKind, message)
                    .at(group.offset)
                    .in_section(SectionId::ResourceOffset));
            }
        }
        Ok(())
    }

    // Lists the versions that cannot be checked, in the order of the file.
    fn note_versions(&self, reader: &Reader<'_>, report: &mut Verification) -> Result<()> {
        for dialect in self.dialects()?.filter(|dialect| dialect.version.is_some()) {
            if reader.is_unversioned(dialect.name) {
                report.add(UncheckedKind::Versions, dialect.name, 1);
            }
        }
        Ok(())
    }

    // The dialect of an operation is loaded with its version when MLIR reads the operation.
    fn verify_op_names(&self, reader: &Reader<'_>, reach: &Reach<'_>) -> Result<()> {
        for name in reach.op_names.iter().flat_map(BitSet::ones) {
            if let Some(name) = self.op_name(OpNameId::new(name))
                && let Some(offset) = reader.version_offset(name.dialect)
            {
                return Err(reader.no_version(name.dialect).at(offset).in_section(SectionId::Dialect));
            }
        }
        Ok(())
    }

    fn verify_properties(
        &self,
        reader: &Reader<'_>,
        entries: &FileEntries<'_>,
        reach: &mut Reach<'_>,
        report: &mut Verification,
    ) -> Result<()> {
        let (properties, base) = (self.tables().properties()?, self.tables().properties_base());
        let version = self.tables().bytecode().version();
        let ambiguous: HashSet<OpNameId> = reader.ambiguous_ops().collect();
        let mut blobs: Vec<(u32, u32)> = std::mem::take(&mut reach.blobs).into_iter().collect();
        blobs.sort_unstable();
        for of_name in blobs.chunk_by(|left, right| left.0 == right.0) {
            let name = of_name.first().map_or(0, |first| first.0);
            let is_unregistered = reach.unregistered.get(AttrId::new(name).number());
            let op = reader.op(name);
            if let Some(op) = op.filter(|op| op.fields().len() == 0 && !op.is_opaque())
                && (reader.is_certain() || op.never_changes())
                && !is_unregistered
            {
                let message = format!("{} has a property blob, but no properties", op.name());
                let blob = of_name.first().and_then(|first| properties.position(first.1));
                return Err(Error::message(ErrorKind::PropertyBlob, message)
                    .at(base + blob.unwrap_or_default())
                    .in_section(SectionId::Properties));
            }
            let mut unchecked = 0;
            for &(_, index) in of_name {
                let Some(blob) = properties.get(index) else { continue };
                let offset = base + properties.position(index).unwrap_or_default();
                let mut checked = Ok(());
                if let Some(op) = op.filter(|op| !op.is_opaque()) {
                    checked = check(op, version, &blob, offset, entries, &mut |index| {
                        reach.attributes.set(index.number())
                    });
                    if checked.is_ok() {
                        continue;
                    }
                }
                // The blob of an op that was unregistered in the writer is one attribute reference.
                if is_unregistered {
                    let mut cursor = Cursor::new(&blob, offset, Some(SectionId::Properties));
                    match cursor.index("an attribute", reach.counts.attributes) {
                        Ok(attribute) => reach.attributes.set(AttrId::new(attribute).number()),
                        Err(error) => return Err(checked.err().unwrap_or(error)),
                    }
                } else if checked.is_err()
                    && (op.is_some_and(OpSchema::never_changes)
                        || reader.is_certain() && !op.is_some_and(|op| has_more_values(op, &blob)))
                {
                    return checked;
                } else {
                    unchecked += 1;
                }
            }
            if unchecked > 0
                && let name_id = OpNameId::new(name)
                && let Some(name) = self.op_name(name_id)
            {
                let kind = if ambiguous.contains(&name_id) {
                    UncheckedKind::Ambiguous
                } else {
                    UncheckedKind::Properties
                };
                report.add(kind, &name.full_bytes(), unchecked);
            }
        }
        Ok(())
    }
}

// Counts entries of unknown encoding, used or not.
fn note_unchecked(entries: &FileEntries<'_>, report: &mut Verification) {
    let mut counts: Vec<(&[u8], u64, u64)> = Vec::new();
    let mut node = Node::default();
    entries.each(|of, dialect, entry| {
        let is_opaque = match entry.may_deviate() {
            true => matches!(entry.decode(of, entries, &mut node), Ok(None)),
            false => !entry.is_text && matches!(entry.form(of), Ok(None)),
        };
        // Text of the builtin dialect, and of a dialect unknown to the writer, may have any brackets.
        if !entry.is_text && !is_opaque {
            return;
        }
        let row = dialect as usize;
        if counts.len() <= row {
            counts.resize(row + 1, (&[], 0, 0));
        }
        if let Some(count) = counts.get_mut(row) {
            count.0 = entry.dialect;
            count.1 += u64::from(entry.is_text);
            count.2 += u64::from(is_opaque);
        }
    });
    for (dialect, texts, opaque) in counts {
        report.add(UncheckedKind::Text, dialect, texts);
        report.add(UncheckedKind::Entries, dialect, opaque);
    }
}

/// The references of ops.
struct Reach<'m> {
    module: &'m Module,
    counts: EntryCounts,
    unregistered: BitSet,
    locations: BitSet,
    dictionaries: BitSet,
    attributes: BitSet,
    types: BitSet,
    /// Names of operations, if they are checked.
    op_names: Option<BitSet>,
    /// Names and property blobs of the ops with a blob.
    blobs: HashSet<(u32, u32)>,
    last_blob: (u32, u32),
}

impl<'m> Reach<'m> {
    fn new(module: &'m Module, reader: &Reader<'_>) -> Result<Self> {
        let counts = module.tables().entry_table()?.table.counts();
        let names = module.tables().dialect_section()?.op_names.iter();
        let mut unregistered = BitSet::default();
        for (id, name) in names.enumerate() {
            if name.is_registered == Some(false) {
                unregistered.set(AttrId::new(id as u32).number());
            }
        }
        Ok(Self {
            module,
            counts,
            unregistered,
            locations: BitSet::with_capacity(counts.attributes as usize),
            dictionaries: BitSet::with_capacity(counts.attributes as usize),
            attributes: BitSet::with_capacity(counts.attributes as usize),
            types: BitSet::with_capacity(counts.types as usize),
            op_names: reader.refuses_versions().then(BitSet::default),
            blobs: HashSet::new(),
            last_blob: (u32::MAX, u32::MAX),
        })
    }

    /// The referenced attributes, with the class that the reference requires.
    fn roots(&self) -> [(&BitSet, Option<&'static str>); 3] {
        [
            (&self.locations, Some("Location")),
            (&self.dictionaries, Some("DictionaryAttr")),
            (&self.attributes, None),
        ]
    }

    /// Whether references of ops have the required classes.
    fn has_classes(
        &self,
        entries: &FileEntries<'m>,
        forms: &EncodingLookup<'_, 'm>,
        reader: &Reader<'m>,
    ) -> bool {
        self.roots().into_iter().filter(|(_, class)| class.is_some()).all(|(set, class)| {
            let mut last: Option<&Encoding> = None;
            set.ones().map(|index| EntryRef::Attribute(AttrId::new(index))).all(|of| {
                let Some(form) = forms.of(of) else { return false };
                // Most references have targets of one encoding.
                if form.is_some_and(|form| last.is_some_and(|last| std::ptr::eq(last, form))) {
                    return true;
                }
                last = form;
                has_class(form, class) && !(form.is_none() && reader.is_other(entries.raw(of), class))
            })
        })
    }

    /// Verifies all reachable entries.
    fn check(&self, entries: &FileEntries<'m>, reader: &Reader<'m>, report: &mut Verification) -> Result<()> {
        let mut walk = EntryWalk::new(self, entries, reader);
        for (set, class) in self.roots() {
            for index in set.ones() {
                walk.visit(EntryRef::Attribute(AttrId::new(index)), class)?;
            }
        }
        for index in self.types.ones() {
            walk.visit(EntryRef::Type(TypeId::new(index)), None)?;
        }
        walk.examine_unreferenced(self.counts, report);
        Ok(())
    }
}

/// Records references, and whether there are use-list orders; feeds the builder of bodies, if there is one.
struct VerifySink<'r, 'm> {
    bodies: Option<BodyBuilder>,
    reach: &'r mut Reach<'m>,
    has_use_lists: bool,
}

impl OpSink for VerifySink<'_, '_> {
    fn op(&mut self, head: OpHead) {
        self.reach.locations.set(AttrId::new(head.location).number());
        if let Some(names) = &mut self.reach.op_names {
            names.set(AttrId::new(head.name).number());
        }
        if let Some(attributes) = head.attributes {
            self.reach.dictionaries.set(AttrId::new(attributes).number());
        }
        if let Some(properties) = head.properties
            && self.reach.last_blob != (head.name, properties)
        {
            self.reach.last_blob = (head.name, properties);
            self.reach.blobs.insert(self.reach.last_blob);
        }
        if let Some(bodies) = &mut self.bodies {
            bodies.op(head);
        }
    }

    fn result(&mut self, r#type: TypeId) {
        self.reach.types.set(r#type.number());
        if let Some(bodies) = &mut self.bodies {
            bodies.result(r#type);
        }
    }

    fn operand(&mut self, value: ValueRef) {
        if let Some(bodies) = &mut self.bodies {
            bodies.operand(value);
        }
    }

    fn successor(&mut self, block: u32) {
        if let Some(bodies) = &mut self.bodies {
            bodies.successor(block);
        }
    }

    fn use_list(&mut self, order: UseListOrder<'_>, values: u64, entries: u64) {
        self.has_use_lists = true;
        if let Some(bodies) = &mut self.bodies {
            bodies.use_list(order, values, entries);
        }
    }

    fn regions(&mut self, count: u32, is_isolated: bool) {
        if let Some(bodies) = &mut self.bodies {
            bodies.regions(count, is_isolated);
        }
    }

    fn enter(&mut self, regions: IsolatedRegions) -> bool {
        self.bodies.as_mut().is_none_or(|bodies| bodies.enter(regions))
    }

    fn begin_region(&mut self, head: RegionHead) {
        if let Some(bodies) = &mut self.bodies {
            bodies.begin_region(head);
        }
    }

    fn begin_block(&mut self, head: BlockHead) {
        if let Some(bodies) = &mut self.bodies {
            bodies.begin_block(head);
        }
    }

    fn argument(&mut self, r#type: TypeId, location: Option<AttrId>) {
        self.reach.types.set(r#type.number());
        if let Some(location) = location {
            self.reach.locations.set(location.number());
        }
        if let Some(bodies) = &mut self.bodies {
            bodies.argument(r#type, location);
        }
    }

    fn begin_ops(&mut self) {
        if let Some(bodies) = &mut self.bodies {
            bodies.begin_ops();
        }
    }

    fn end_block(&mut self) {
        if let Some(bodies) = &mut self.bodies {
            bodies.end_block();
        }
    }

    fn end_region(&mut self) {
        if let Some(bodies) = &mut self.bodies {
            bodies.end_region();
        }
    }

    fn end_regions(&mut self) {
        if let Some(bodies) = &mut self.bodies {
            bodies.end_regions();
        }
    }

    // Bodies are dropped when they are complete, so only open ones are charged.
    fn memory(&self) -> usize {
        let bodies = self.bodies.as_ref().map_or(0, BodyBuilder::memory);
        bodies + self.reach.blobs.capacity() * 2 * size_of::<(u32, u32)>()
    }
}

/// A set of small numbers whose size grows with its largest number.
#[derive(Debug, Default, Clone)]
struct BitSet(Vec<u64>);

impl BitSet {
    fn set(&mut self, index: u32) {
        let word = index as usize / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (index % 64);
    }

    fn with_capacity(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    fn clear(&mut self, index: u32) {
        if let Some(word) = self.0.get_mut(index as usize / 64) {
            *word &= !(1 << (index % 64));
        }
    }

    fn get(&self, index: u32) -> bool {
        self.0.get(index as usize / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    fn ones(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| (i * 64 + bit) as u32)
        })
    }
}

/// Whether a blob has more values than an operation has properties. A damaged blob has other values, and rarely more.
fn has_more_values(op: &OpSchema, blob: &[u8]) -> bool {
    let is_attribute = |field: &PropertyField| matches!(field.kind, Kind::Attribute { .. });
    let mut cursor = Cursor::new(blob, 0, Some(SectionId::Properties));
    let mut count = 0;
    while !cursor.is_at_end() && cursor.varint().is_ok() {
        count += 1;
    }
    // Only an attribute takes one number each.
    cursor.is_at_end() && op.fields().all(is_attribute) && count > op.fields().len()
}
