//! The fields of a file, in the order of its bytes, as the readers of the sections read them.
//!
//! Owns [`trace_fields`], which runs each reader with an observer. Does not know the grammar of any section,
//! and does not resolve names. Every byte is in one field; bytes that no reader reads are a field without
//! structure.

use std::sync::atomic::Ordering;

use crate::dialect::entries::{Entries, EntryRef, RawEntry};
use crate::dialect::node::Node;
use crate::dialect::primitive;
use crate::format::attr_type::EntryTable;
use crate::format::container::{Section, read_head, read_section_header};
use crate::format::dialect::DialectSection;
use crate::format::id::OpNameId;
use crate::format::ir::{IrBounds, IrReader, IsolatedRegions, Meter, OpHead, OpSink, Root};
use crate::format::properties::PropertyTable;
use crate::format::resource::{ResourceBounds, ResourceDirectory, ResourceKind, ResourcePayload};
use crate::format::string::StringTable;
use crate::props::codec;
use crate::props::op_name::shown_name;
use crate::wire::bytes::{Bytes, Source};
use crate::wire::cursor::{Cursor, FieldValue, FieldVisitor, Recorder, Trace};
use crate::wire::error::Result;
use crate::wire::limits::{Budget, Limits};
use crate::wire::progress::Progress;
use crate::wire::section::SectionId;
use crate::wire::version::BytecodeVersion;

use super::{FileEntries, FileTables};

/// Passes the fields of a file to `visitor`, in the order of the bytes. Faults are passed, too, and end their
/// group. Without `tables`, names and layouts that depend on other sections are unknown.
///
/// # Errors
/// If the source cannot be read, or memory does not suffice.
pub fn trace_fields(
    source: &Source,
    limits: &Limits,
    tables: Option<&FileTables>,
    visitor: &mut dyn FieldVisitor,
) -> Result<()> {
    let recorder = Recorder::new(visitor, 0);
    let file = Tracer { source, tables, recorder: &recorder, budget: limits.budget(source.len()), limits };
    file.trace()?;
    recorder.finish();
    source.check()
}

struct Tracer<'t, 'v> {
    source: &'t Source,
    limits: &'t Limits,
    tables: Option<&'t FileTables>,
    recorder: &'t Recorder<'v>,
    budget: Budget,
}

impl Tracer<'_, '_> {
    fn trace(&self) -> Result<()> {
        let len = self.source.len();
        self.recorder.begin("header", 0);
        let head = read_head(self.source, self.recorder);
        let (version, mut offset) = match head {
            Ok((version, _, end)) => (version, end),
            Err(error) => {
                self.recorder.fault(error)?;
                return self.rest("not decoded", len);
            }
        };
        self.recorder.end(offset);
        while offset < len {
            self.recorder.begin("section", offset);
            let header = read_section_header(self.source, offset, self.recorder);
            let section = match header {
                Ok(section) => section,
                Err(error) => {
                    self.recorder.fault(error)?;
                    return self.rest("not decoded", len);
                }
            };
            let complete = section.check_size(len);
            offset = section.offset.saturating_add(section.size).min(len);
            self.section(&section, offset, version, complete)?;
            self.recorder.close(0);
        }
        Ok(())
    }

    // Passes the rest of a range whose fields were observed.
    fn rest(&self, name: &str, end: u64) -> Result<()> {
        let start = self.recorder.position();
        if start < end {
            self.recorder.label(name);
            self.recorder.field(start, end, FieldValue::Bytes);
        }
        self.recorder.close(0);
        Ok(())
    }

    fn section(
        &self,
        section: &Section,
        end: u64,
        version: BytecodeVersion,
        complete: Result<()>,
    ) -> Result<()> {
        if !self.recorder.wants(section.offset, end) {
            return self.rest("data", end);
        }
        let read = self.section_data(section, end, version);
        self.recorder.close(1);
        let name = match complete.and(read) {
            Ok(()) => "unused",
            Err(error) => {
                self.recorder.fault(error)?;
                "not decoded"
            }
        };
        self.rest(name, end)
    }

    fn section_data(&self, section: &Section, end: u64, version: BytecodeVersion) -> Result<()> {
        let (base, trace, budget) = (section.offset, self.recorder, &self.budget);
        if section.id == SectionId::Resource {
            return self.payloads(section);
        }
        let data = self.source.get(base..end)?;
        let strings = self.tables.and_then(|tables| tables.string_count().ok()).unwrap_or(u32::MAX);
        let dialects = self.tables.and_then(|tables| tables.dialect_section().ok());
        let dialects = dialects.map_or(u32::MAX, |section| section.dialects.len() as u32);
        match section.id {
            SectionId::String => StringTable::read_traced(data, base, budget, trace).map(drop),
            SectionId::Dialect => {
                DialectSection::read_traced(&data, base, version, strings, (budget, trace)).map(drop)
            }
            SectionId::AttrTypeOffset => {
                let payloads = self.tables.and_then(|tables| tables.bytecode().section(SectionId::AttrType));
                let payloads = payloads.map_or(usize::MAX >> 1, |section| section.size as usize);
                EntryTable::read_traced(data, base, payloads, dialects, (budget, trace)).map(drop)
            }
            SectionId::AttrType => self.entries(),
            SectionId::Ir => self.ir(&data, base, version),
            SectionId::ResourceOffset => {
                let payloads = self.tables.and_then(|tables| tables.bytecode().section(SectionId::Resource));
                let payloads = payloads.map_or(u64::MAX >> 1, |section| section.size);
                let bounds = ResourceBounds { strings, dialects, payloads };
                ResourceDirectory::read_traced(&data, base, bounds, (budget, trace)).map(drop)
            }
            SectionId::Properties => self.properties(data, base),
            SectionId::Resource | SectionId::DialectVersions => Ok(()),
        }
    }

    // ---- attributes and types ----

    fn entries(&self) -> Result<()> {
        let Some(tables) = self.tables else { return Ok(()) };
        let entries = tables.entries()?;
        let mut node = Node::default();
        let mut done = Ok(());
        entries.each(|of, _, entry| {
            if done.is_ok() {
                done = self.entry(of, entry, &entries, &mut node);
            }
        });
        done
    }

    fn entry(
        &self,
        of: EntryRef,
        entry: &RawEntry<'_>,
        entries: &FileEntries<'_>,
        node: &mut Node,
    ) -> Result<()> {
        let (recorder, end) = (self.recorder, entry.offset + entry.data.len() as u64);
        let form = if entry.is_text { Ok(None) } else { entry.form(of) };
        let (sort, index) = match of {
            EntryRef::Attribute(index) => ("attribute", index.number()),
            EntryRef::Type(index) => ("type", index.number()),
        };
        let dialect = shown_name(entry.dialect);
        let kind = match &form {
            Ok(Some(form)) => format!(".{}", form.name),
            _ => String::new(),
        };
        recorder.begin(&format!("{sort} {index} ({dialect}{kind})"), entry.offset);
        let depth = recorder.depth();
        if recorder.wants(entry.offset, end) {
            let read = match form {
                Err(error) => Err(error),
                Ok(None) if entry.is_text => {
                    recorder.label("assembly");
                    let mut cursor =
                        Cursor::traced(entry.data, entry.offset, Some(SectionId::AttrType), recorder);
                    cursor.zero_terminated("the assembly text").map(drop)
                }
                Ok(None) => Ok(()),
                Ok(Some(form)) if entry.may_deviate() => {
                    let layout = entry.decode(of, entries, node).ok().flatten();
                    let layout = layout.and_then(|(_, layout)| form.layouts.get(layout));
                    // Bytes of unknown layout are shown as data.
                    layout.map_or(Ok(()), |layout| {
                        let observed = (entries as &dyn Entries, node, recorder);
                        primitive::trace(form, layout, entry.data, entry.offset, observed)
                    })
                }
                Ok(Some(form)) => {
                    let layout = primitive::decode(form, entry.data, entry.offset, entries, node);
                    let layout = form.layouts.get(layout.unwrap_or_default());
                    let observed = (entries as &dyn Entries, node, recorder);
                    layout.map_or(Ok(()), |layout| {
                        primitive::trace(form, layout, entry.data, entry.offset, observed)
                    })
                }
            };
            recorder.close(depth);
            if let Err(error) = read {
                recorder.fault(error)?;
            }
        }
        let start = recorder.position();
        if start < end {
            recorder.label("data");
            recorder.field(start, end, FieldValue::Bytes);
        }
        recorder.end(end);
        Ok(())
    }

    // ---- operations ----

    fn ir(&self, data: &[u8], base: u64, version: BytecodeVersion) -> Result<()> {
        // Indices of tables that cannot be read are not checked.
        let unknown =
            IrBounds { op_names: u32::MAX, attributes: u32::MAX, types: u32::MAX, properties: u32::MAX };
        let bounds =
            self.tables.and_then(|tables| tables.ir().ok()).map_or(unknown, |section| section.bounds);
        let depth = (0, self.limits.max_depth);
        let mut reader = IrReader::traced(data, base, 0..data.len(), version, bounds, depth, self.recorder);
        let (tables, is_done) = (self.tables, &self.recorder.is_done);
        let interrupted =
            || is_done.load(Ordering::Relaxed) || tables.is_some_and(FileTables::is_interrupted);
        let progress = Progress::default();
        let meter = Meter { budget: &self.budget, interrupted: &interrupted, progress: &progress };
        reader.read(Root::TopLevel, &mut Wanted { recorder: self.recorder, base }, &meter)
    }

    // ---- properties ----

    fn properties(&self, data: Bytes, base: u64) -> Result<()> {
        let schemas = self.tables.and_then(|tables| {
            let release = tables.release().ok()?;
            Some((tables, release, tables.entries().ok()?, tables.blob_owners().ok()?))
        });
        let version = self.tables.map_or(BytecodeVersion::MAX, |tables| tables.bytecode().version());
        PropertyTable::read_traced(data, base, &self.budget, self.recorder, |index, offset, blob| {
            let recorder = self.recorder;
            let end = offset + blob.len() as u64;
            recorder.title(&format!(" {index}"));
            if let Some((tables, release, entries, owners)) = &schemas
                && let Some(name) = owners.get(index as usize).and_then(|&name| tables.op_name(name?))
            {
                recorder.title(&format!(" of {}", name.shown()));
                let mut values = Vec::new();
                // A trial shows whether the layout is known; blobs of unknown layout are bytes.
                if !recorder.wants(offset, end) {
                } else if name.is_registered == Some(false) {
                    let mut cursor = Cursor::traced(blob, offset, Some(SectionId::Properties), recorder);
                    let _ = codec::attribute_index(&mut cursor, u32::MAX, false);
                } else if let Some(op) = release.op(name.id)
                    && codec::decode(op, version, blob, offset, entries, &mut values).is_ok()
                {
                    let observed = (blob, offset, recorder);
                    let _ = codec::decode_traced(op, version, observed, entries, &mut Vec::new());
                }
            }
            let start = recorder.position();
            if start < end {
                recorder.label("data");
                recorder.field(start, end, FieldValue::Bytes);
            }
        })
        .map(drop)
    }

    // ---- resources ----

    fn payloads(&self, section: &Section) -> Result<()> {
        let Some(tables) = self.tables else { return Ok(()) };
        let (directory, strings) = (tables.resource_directory()?, tables.string_count()?);
        for (index, entry) in directory.entries.iter().enumerate().filter(|(_, entry)| entry.has_data()) {
            let start = section.offset + entry.position;
            let end = start + entry.size;
            let recorder = self.recorder;
            let key = shown_name(tables.string(entry.key)?);
            recorder.begin(&format!("resource {index} {key:?}"), start);
            let depth = recorder.depth();
            if recorder.wants(start, end)
                && let Some(kind) = ResourceKind::from_byte(entry.kind)
            {
                let read = ResourcePayload::read_traced(self.source, (start, end), kind, strings, recorder);
                recorder.close(depth);
                if let Err(error) = read {
                    recorder.fault(error)?;
                }
            }
            let position = recorder.position();
            if position < end {
                recorder.label("data");
                recorder.field(position, end, FieldValue::Bytes);
            }
            recorder.end(end);
        }
        Ok(())
    }
}

// Declines isolated regions in which the visitor is not interested.
struct Wanted<'t, 'v> {
    recorder: &'t Recorder<'v>,
    base: u64,
}

impl OpSink for Wanted<'_, '_> {
    fn enter(&mut self, regions: IsolatedRegions) -> bool {
        let (start, end) = (regions.range.start as u64, regions.range.end as u64);
        self.recorder.wants(self.base + start, self.base + end)
    }
}

// Collects the name of the first operation with each property blob.
struct BlobOwners(Vec<Option<OpNameId>>);

impl OpSink for BlobOwners {
    fn op(&mut self, head: OpHead) {
        if let Some(owner) = head.properties.and_then(|index| self.0.get_mut(index as usize)) {
            owner.get_or_insert(OpNameId::new(head.name));
        }
    }
}

impl FileTables {
    /// Passes the fields of a range of the IR section to `visitor`; `sink` may decline isolated regions.
    ///
    /// # Errors
    /// The first violated rule.
    pub(crate) fn trace_ir(
        &self,
        range: std::ops::Range<usize>,
        root: Root,
        depth: u32,
        visitor: &mut dyn FieldVisitor,
        sink: &mut impl OpSink,
    ) -> Result<()> {
        let (ir, max_depth) = (self.ir()?, self.limits().max_depth);
        let recorder = Recorder::new(visitor, ir.base + range.start as u64);
        let version = self.bytecode().version();
        let mut reader =
            IrReader::traced(&ir.data, ir.base, range, version, ir.bounds, (depth, max_depth), &recorder);
        let interrupted = || self.is_interrupted();
        let (budget, progress) = (self.work_budget(), Progress::default());
        reader.read(root, sink, &Meter { budget: &budget, interrupted: &interrupted, progress: &progress })
    }

    /// The name of the first operation with each property blob; `None` for blobs that are not in use.
    fn blob_owners(&self) -> Result<Vec<Option<OpNameId>>> {
        let blobs = self.ir()?.bounds.properties as usize;
        let budget = self.work_budget();
        let mut owners = budget.vec(blobs)?;
        owners.resize(blobs, None);
        let mut owners = BlobOwners(owners);
        let end = self.ir()?.data.len();
        let mut reader = self.ir_reader(0..end, 0)?;
        // The names up to an error are valid.
        let _ =
            self.read_ir(&mut reader, Root::TopLevel, &mut owners, (&budget, &Progress::default()), |_| {
                String::new()
            });
        Ok(owners.0)
    }
}
