//! Writing edited modules: changed parts are encoded, all others are copied as ranges.
//!
//! Every index of the file keeps its meaning, so that unchanged ops, entries and blobs remain valid. New rows
//! are appended to their tables; of the IR, changed bodies are encoded, and the lengths of the enclosing
//! sections updated. Resource blobs are aligned by file offset, so their heads are written again if something
//! before them changed its length.

use std::collections::HashMap;
use std::io::Write;
use std::ops::Range;
use std::path::Path;

use crate::dialect::entries::EntryRef;
use crate::edit::Editor;
use crate::edit::ResourceContent;
use crate::edit::arena::{Arena, NONE, ROOT, Step, Walker};
use crate::file::FileTables;
use crate::format::attr_type::{EntryEncoding, EntryTable};
use crate::format::container::{Bytecode, Section};
use crate::format::dialect::DialectEntry;
use crate::format::ir::{BlockHead, IrWriter, OpHead, OpSink, RegionHead, Root, UseListOrder, ValueRef};
use crate::format::properties::PropertyTable;
use crate::format::resource::{
    ResourceDirectory, ResourceEntry, ResourceKind, ResourceOwner, ResourcePayload,
};
use crate::format::string::StringTable;
use crate::ir::Module;
use crate::wire::bytes::{Backend, Source};
use crate::wire::cursor::ByteSink;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::{Budget, Held};
use crate::wire::progress::Progress;
use crate::wire::section::SectionId;
use crate::wire::version::BytecodeVersion;

use super::pieces::{Piece, Pieces};
use super::report::reason_of_options;
use super::{Numbering, Pulse, WriteOptions, WriteReport};

/// Shorter ranges are cheaper to copy into memory than with a system call each.
const SMALL: u64 = 64 << 10;
/// Files up to this size are spliced in memory if they are converted afterwards.
const IN_MEMORY: u64 = 64 << 20;

impl Editor {
    /// Writes the module with its changes.
    ///
    /// Without changes, writes the bytes of the file. Another numbering, version or target is handled by
    /// [`Module::write`] of the edited module.
    ///
    /// # Errors
    /// [`ErrorKind::Ir`] if the changes are invalid, and as [`Module::write`]. Nothing is written before all
    /// checks have passed.
    pub fn write(&mut self, writer: &mut dyn Write, options: &WriteOptions) -> Result<WriteReport> {
        let (options, reason) = &self.settled(options)?;
        if self.is_spliced_only(options) {
            let pieces = self.spliced(options)?;
            pieces.write(self.base.source(), writer, &|done, all| {
                options.progress.report(done, all);
                self.base.check_interrupt()
            })?;
            return Ok(self.spliced_report(&pieces, options, reason));
        }
        let report = self.reopened(None, &options.progress)?.write(writer, options)?;
        Ok(self.converted_report(report, options, reason))
    }

    /// Writes the module with its changes to a file atomically: the file is created or replaced in one step,
    /// and an old file remains unchanged after any error, even if the module was read from it.
    ///
    /// # Errors
    /// As [`Self::write`], and what the system reports.
    ///
    /// ```
    /// use mlirbc::{Attribute, Module, WriteOptions, edit::Editor};
    /// # let path = std::env::temp_dir().join(format!("mlirbc-edit-save-{}", std::process::id()));
    /// # std::fs::write(&path, mlirbc::doc_example()).unwrap();
    /// let mut editor = Editor::new(Module::open(&path)?)?;
    /// let module = editor.operation()?;
    /// editor.set_location(module, &Attribute::parse("loc(\"here\")")?)?;
    /// editor.save(&path, &WriteOptions::default())?;
    /// let location = Editor::new(Module::open(&path)?)?;
    /// assert_eq!(location.location(location.operation()?)?.to_string(), "loc(\"here\")");
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn save(&mut self, path: impl AsRef<Path>, options: &WriteOptions) -> Result<WriteReport> {
        let path = path.as_ref();
        let (options, reason) = &self.settled(options)?;
        if self.is_spliced_only(options) {
            let pieces = self.spliced(options)?;
            self.base.save_pieces(&pieces, path, &options.progress)?;
            return Ok(self.spliced_report(&pieces, options, reason));
        }
        let report = self.reopened(path.parent(), &options.progress)?.save(path, options)?;
        Ok(self.converted_report(report, options, reason))
    }

    fn spliced_report(
        &self,
        pieces: &Pieces,
        options: &WriteOptions,
        reason: &Option<String>,
    ) -> WriteReport {
        let (mode, own) = (self.spliced_mode(), self.base.bytecode().version());
        let reason = reason.clone().unwrap_or_else(|| reason_of_options(mode, options, own));
        WriteReport::new(pieces, mode, reason, Vec::new())
    }

    // The report of writing the edited module once more. Changes decide only between the modes of this version
    // and release.
    fn converted_report(
        &self,
        mut report: WriteReport,
        options: &WriteOptions,
        reason: &Option<String>,
    ) -> WriteReport {
        let is_converted = self.is_converted(options);
        if let Some(reason) =
            reason.as_ref().filter(|_| !is_converted && options.numbering != Numbering::Preserve)
        {
            report.reason.clone_from(reason);
        }
        report
    }

    fn is_spliced_only(&self, options: &WriteOptions) -> bool {
        options.numbering == Numbering::Preserve && !self.is_converted(options)
    }

    /// Whether the options ask for what only a conversion of the whole module does.
    pub(crate) fn is_converted(&self, options: &WriteOptions) -> bool {
        let own = self.base.bytecode().version();
        options.target.is_some()
            || options.strip_locations
            || options.strip_resources
            || !options.dialect_versions.is_empty()
            || options.version.is_some_and(|version| version != own)
    }

    /// The edited module as one of its own; large ones are spliced to a file that has no name, in `folder`.
    pub(crate) fn reopened(&mut self, folder: Option<&Path>, progress: &Progress) -> Result<Module> {
        if !self.is_changed() {
            return Ok(self.base.clone());
        }
        let pieces = self.spliced(&WriteOptions::default())?;
        let base = &self.base;
        let report = |done, all| {
            progress.report(done, all);
            base.check_interrupt()
        };
        if pieces.len() <= IN_MEMORY {
            let mut bytes = Vec::with_capacity(pieces.len() as usize);
            pieces.write(base.source(), &mut bytes, &report)?;
            return base.like(bytes.into());
        }
        let failed = |error| Error::io("cannot make a temporary file", error);
        let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
        let file = match folder {
            Some(folder) => tempfile::tempfile_in(folder),
            None => tempfile::tempfile(),
        };
        let mut file = file.map_err(failed)?;
        pieces.write(base.source(), &mut file, &report)?;
        // It has no name, so that nothing is left of it however the process ends.
        let source = Source::opened(file, Path::new("a temporary file"), Backend::default())?;
        base.like(source)
    }

    /// The pieces of the new file.
    pub(crate) fn spliced(&mut self, options: &WriteOptions) -> Result<Pieces> {
        let base = self.base.clone();
        base.source().check()?;
        let bytecode = base.bytecode();
        let producer = options.producer.as_deref().unwrap_or(bytecode.producer());
        let mut file = Pieces::default();
        if !self.is_changed() && producer == bytecode.producer() {
            file.push(Piece::Copied(0..bytecode.size()));
            return Ok(file);
        }
        self.encode_drafts()?;
        let changed = self.checked_plan()?;
        let budget = base.work_budget();
        let mut made: HashMap<SectionId, Pieces> = HashMap::new();
        let is_ir_changed = changed.last() == Some(&ROOT)
            && self.arena.detail(ROOT).is_some_and(|detail| !detail.is_as_in_file());
        if is_ir_changed {
            made.insert(SectionId::Ir, Bodies::new(self, &budget)?.ir(&changed)?);
        }
        // New strings may come from any of these, so strings are last.
        let resources = self.resource_rows(&budget)?;
        self.tables(&mut made, &budget)?;
        let mut header = ByteSink::new();
        Bytecode::write_header(bytecode.version(), producer, &mut header);
        let sections = self.sections();
        let is_moved = is_moved(&sections, &made, header.len() as u64, resources.is_some());
        let mut resources = match (resources, is_moved) {
            (Some(rows), _) => Some(rows),
            (None, true) => Some(self.all_resource_rows(&budget)?),
            (None, false) => None,
        };
        if let Some(rows) = resources.take() {
            let (directory, payloads) = self.resources(rows)?;
            made.insert(SectionId::ResourceOffset, directory.into());
            made.insert(SectionId::Resource, payloads);
        }
        file.bytes(header.as_bytes());
        for (id, section) in sections {
            match (made.remove(&id), section) {
                (Some(pieces), _) => file.section(id, pieces),
                (None, Some(section)) => {
                    let whole = section.header_offset..section.offset + section.size;
                    if file.len() == whole.start {
                        file.push(Piece::Copied(whole));
                    } else {
                        let data = section.offset..section.offset + section.size;
                        file.section(id, Pieces::copied(data, section.alignment.unwrap_or(1)));
                    }
                }
                (None, None) => {}
            }
        }
        Ok(file)
    }

    // The sections in the order of the file, then new ones.
    fn sections(&self) -> Vec<(SectionId, Option<Section>)> {
        let bytecode = self.base.bytecode();
        let mut sections: Vec<_> =
            bytecode.sections().iter().map(|section| (section.id, Some(*section))).collect();
        for id in Bytecode::writing_order(bytecode.version()) {
            if bytecode.section(id).is_none() {
                sections.push((id, None));
            }
        }
        sections
    }

    // ---- tables ----

    fn tables(&mut self, made: &mut HashMap<SectionId, Pieces>, budget: &Budget) -> Result<()> {
        let base = &self.base;
        let tables = &self.tables;
        let version = base.bytecode().version();
        if !tables.dialect_names.is_empty() || !tables.op_names.is_empty() || !tables.versions.is_empty() {
            let mut section = base.dialect_section()?.clone();
            let new = tables.dialect_names.iter().map(|&name| DialectEntry { name, version: None });
            section.dialects.extend(new);
            section.op_names.extend(tables.op_names.iter().copied());
            let mut data = base.section_bytes(SectionId::Dialect)?.to_vec();
            for (&dialect, bytes) in &tables.versions {
                let Some(row) = section.dialects.get_mut(dialect as usize) else { continue };
                row.version = bytes.as_deref().map(|bytes| {
                    data.extend_from_slice(bytes);
                    data.len() - bytes.len()..data.len()
                });
            }
            let mut sink = ByteSink::new();
            section.write(version, &data, &mut sink);
            made.insert(SectionId::Dialect, sink.into());
        }
        if !tables.attributes.is_empty() || !tables.types.is_empty() || !tables.replaced.is_empty() {
            let (directory, payloads) = self.entries(budget)?;
            made.insert(SectionId::AttrTypeOffset, directory);
            made.insert(SectionId::AttrType, payloads);
        }
        if !tables.strings.is_empty() {
            made.insert(SectionId::String, self.strings()?);
        }
        if !tables.blobs.is_empty() {
            made.insert(SectionId::Properties, self.properties()?);
        }
        Ok(())
    }

    fn strings(&self) -> Result<Pieces> {
        let section = self.base.bytecode().section(SectionId::String);
        let (offset, size) = section.map_or((0, 0), |section| (section.offset, section.size));
        let strings = self.base.strings()?;
        let new = self.tables.strings.iter().map(|string| &**string);
        let mut head = ByteSink::new();
        StringTable::write_head(strings.len() + new.len(), new.clone(), &mut head);
        let mut pieces = Pieces::from(head);
        if size > 0 {
            let lengths = StringTable::lengths_at(&self.base.section_bytes(SectionId::String)?, offset)?;
            pieces.push(Piece::Copied(offset + lengths as u64..offset + size));
        }
        let mut data = ByteSink::new();
        StringTable::write_data(new, &mut data);
        pieces.push(Piece::Made(data.into_bytes()));
        Ok(pieces)
    }

    fn properties(&self) -> Result<Pieces> {
        let section = self.base.bytecode().section(SectionId::Properties);
        let (offset, size) = section.map_or((0, 0), |section| (section.offset, section.size));
        let new = &self.tables.blobs;
        let mut head = ByteSink::new();
        PropertyTable::write_count(u64::from(self.tables.counts.blobs) + new.len() as u64, &mut head);
        let mut pieces = Pieces::from(head);
        if size > 0 {
            let blobs = PropertyTable::blobs_at(&self.base.section_bytes(SectionId::Properties)?, offset)?;
            pieces.push(Piece::Copied(offset + blobs as u64..offset + size));
        }
        let mut sink = ByteSink::new();
        PropertyTable::write_blobs(new.iter().map(|blob| &**blob), &mut sink);
        pieces.bytes(sink.as_bytes());
        Ok(pieces)
    }

    // Sections 3 and 2. New attributes come between the old ones and the types.
    fn entries(&self, budget: &Budget) -> Result<(Pieces, Pieces)> {
        let tables = &self.tables;
        let section = self.base.entry_table()?;
        let mut payloads = Pieces::default();
        let mut at = section.base;
        let mut pulse = Pulse::default();
        // Its row, a piece of its own, and what the directory has of it.
        let count = tables.attributes.len() + tables.types.len() + tables.replaced.len();
        let all = (tables.counts.attributes as usize + tables.counts.types as usize).saturating_add(count);
        let of_row = size_of::<(u32, EntryEncoding, u64)>() + size_of::<u64>();
        budget.spend(all.saturating_mul(of_row) + 2 * count * size_of::<Piece>())?;
        let mut rows: [Vec<(u32, EntryEncoding, u64)>; 2] = [Vec::new(), Vec::new()];
        let halves = [
            (tables.counts.attributes, &tables.attributes, EntryRef::Attribute as fn(u32) -> EntryRef),
            (tables.counts.types, &tables.types, EntryRef::Type as fn(u32) -> EntryRef),
        ];
        for (half, (count, new, of)) in halves.into_iter().enumerate() {
            let mut start = at;
            for index in 0..count {
                pulse.beat(1, &self.base)?;
                let of = of(index);
                let entry = match of {
                    EntryRef::Attribute(index) => section.table.attribute(index),
                    EntryRef::Type(index) => section.table.r#type(index),
                };
                let Some(entry) = entry else { continue };
                let end = at + entry.payload.len() as u64;
                match tables.replaced.get(&of) {
                    Some(row) => {
                        payloads.push(Piece::Copied(start..at));
                        payloads.push(Piece::Shared(row.data.clone()));
                        rows[half].push((row.dialect, row.encoding, row.data.len() as u64));
                        start = end;
                    }
                    None => rows[half].push((entry.dialect, entry.encoding, entry.payload.len() as u64)),
                }
                at = end;
            }
            payloads.push(Piece::Copied(start..at));
            for row in new {
                payloads.push(Piece::Shared(row.data.clone()));
                rows[half].push((row.dialect, row.encoding, row.data.len() as u64));
            }
        }
        let mut directory = ByteSink::new();
        EntryTable::write(&rows[0], &rows[1], &mut directory);
        Ok((directory.into(), payloads))
    }

    // ---- resources ----

    // All rows, if something about resources must be written again.
    fn resource_rows(&mut self, budget: &Budget) -> Result<Option<Vec<Row>>> {
        let is_changed = self.resources.is_changed() || !self.tables.keys.is_empty();
        if is_changed { self.all_resource_rows(budget).map(Some) } else { Ok(None) }
    }

    fn all_resource_rows(&mut self, budget: &Budget) -> Result<Vec<Row>> {
        let base = self.base.clone();
        let count = base.resources()?.len() + self.resources.external.len() + self.tables.keys.len();
        // Including what precedes the blob.
        const PER_RESOURCE: usize = size_of::<Row>() + size_of::<ResourceEntry>() + 2 * size_of::<Piece>();
        budget.spend(count.saturating_mul(PER_RESOURCE))?;
        let (mut rows, mut dialect) = (Vec::new(), Vec::new());
        for resource in base.resources()? {
            let (entry, index) = (resource.entry, resource.index());
            let content = match self.edited_resource(index).cloned() {
                Some(Some(content)) => self.new_content(content, Some(index))?,
                Some(None) if resource.is_external() => continue,
                Some(None) => Content::None,
                None if resource.has_data() => Content::InFile(index),
                None => Content::None,
            };
            let row = Row { owner: entry.owner, key: entry.key, kind: entry.kind, content };
            if resource.is_external() { rows.push(row) } else { dialect.push(row) }
        }
        for new in self.resources.external.clone() {
            let owner =
                ResourceOwner::External(self.tables.string(new.group.as_deref().unwrap_or_default())?);
            let key = self.tables.string(&new.key)?;
            // After the others of its group.
            let is_same = |row: &Row| match (row.owner, owner) {
                (ResourceOwner::External(a), ResourceOwner::External(b)) => {
                    self.tables.string_bytes(a) == self.tables.string_bytes(b)
                }
                _ => false,
            };
            let place = rows.iter().rposition(is_same);
            let owner = place.and_then(|place| rows.get(place)).map_or(owner, |row| row.owner);
            let content = self.new_content(new.content.clone(), None)?;
            rows.insert(place.map_or(rows.len(), |place| place + 1), Row { owner, key, kind: 0, content });
        }
        rows.append(&mut dialect);
        if self.tables.keys.is_empty() {
            return Ok(rows);
        }
        let owner = self.tables.owner_of_keys()?;
        for place in 0..self.tables.keys.len() {
            let key = self.tables.keys[place].clone();
            let key = self.tables.string(&key)?;
            let content = self.resources.dialect.get(&(self.tables.counts.keys + place as u32)).cloned();
            let content = match content {
                Some(content) => self.new_content(content, None)?,
                None => match self.tables.brought_blob(self.tables.counts.keys + place as u32)? {
                    Some((module, range, alignment)) => Content::Foreign(module, range, alignment),
                    None => Content::None,
                },
            };
            rows.push(Row { owner, key, kind: 0, content });
        }
        Ok(rows)
    }

    fn new_content(&mut self, content: ResourceContent, old: Option<usize>) -> Result<Content> {
        Ok(match content {
            ResourceContent::String(text) => Content::String(self.tables.string(&text)?),
            content => Content::New(content, old),
        })
    }

    fn resources(&self, rows: Vec<Row>) -> Result<(ByteSink, Pieces)> {
        let mut payloads = Pieces::default();
        let mut entries = Vec::with_capacity(rows.len());
        for row in rows {
            let before = payloads.len();
            let mut kind = row.kind;
            match row.content {
                Content::None => {}
                Content::InFile(index) => {
                    if let Some(payload) =
                        self.base.resource(index)?.map(|old| old.payload()).transpose()?.flatten()
                    {
                        payloads.payload(payload);
                    }
                }
                Content::String(index) => {
                    kind = ResourceKind::String as u8;
                    payloads.payload(ResourcePayload::String(index));
                }
                Content::Foreign(module, range, alignment) => {
                    kind = ResourceKind::Blob as u8;
                    payloads.blob(Piece::Foreign(module, range), alignment);
                }
                Content::New(content, old) => {
                    kind = content.kind() as u8;
                    self.new_payload(content, old, &mut payloads)?;
                }
            }
            let size = payloads.len() - before;
            entries.push(ResourceEntry {
                owner: row.owner,
                key: row.key,
                kind,
                position: 0,
                size,
                offset: 0,
            });
        }
        let mut directory = ByteSink::new();
        ResourceDirectory::write(&entries, &mut directory);
        Ok((directory, payloads))
    }

    fn new_payload(&self, content: ResourceContent, old: Option<usize>, out: &mut Pieces) -> Result<()> {
        let (piece, alignment) = match content {
            ResourceContent::Bool(value) => {
                out.bytes(&[value.into()]);
                return Ok(());
            }
            ResourceContent::String(_) => return Ok(()),
            ResourceContent::Blob { bytes, alignment } => (Piece::Shared(bytes), alignment),
            ResourceContent::File { path, range, alignment } => {
                let failed = |error| Error::io(format!("cannot read `{}`", path.display()), error);
                let size = std::fs::metadata(&path).map_err(failed)?.len();
                let range = range.unwrap_or(0..size);
                (Piece::File(path.clone().into(), range), alignment)
            }
        };
        let before = old.map(|index| self.base.resource(index)).transpose()?.flatten();
        let before = match before.map(|old| old.payload()).transpose()?.flatten() {
            Some(ResourcePayload::Blob { alignment, .. }) => Some(alignment),
            _ => None,
        };
        out.blob(piece, alignment.or(before).unwrap_or(1));
        Ok(())
    }
}

/// A resource to write.
struct Row {
    owner: ResourceOwner,
    key: u32,
    kind: u8,
    content: Content,
}

enum Content {
    None,
    InFile(usize),
    /// A string of the table.
    String(u32),
    /// A blob of another module, and its alignment.
    Foreign(FileTables, Range<u64>, u64),
    /// Replaces that of the file.
    New(ResourceContent, Option<usize>),
}

// Whether the payloads of resources come to stand elsewhere, so that their blobs need other padding.
fn is_moved(
    sections: &[(SectionId, Option<Section>)],
    made: &HashMap<SectionId, Pieces>,
    header: u64,
    is_changed: bool,
) -> bool {
    if is_changed {
        return true;
    }
    let mut at = header;
    for (id, section) in sections {
        match section {
            Some(section) if *id == SectionId::Resource => return at != section.header_offset,
            Some(section) if !made.contains_key(id) && at == section.header_offset => {
                at = section.offset + section.size;
            }
            // A section of another length or position: what follows it moves too.
            Some(_) => {
                return sections.iter().any(|(id, section)| *id == SectionId::Resource && section.is_some());
            }
            None => {}
        }
    }
    false
}

/// Encodes bodies.
struct Bodies<'e> {
    editor: &'e Editor,
    version: BytecodeVersion,
    /// The number of each value in its scope.
    numbers: Vec<u32>,
    /// The regions of changed isolated ops.
    done: HashMap<u32, Pieces>,
    /// The place of each op in the file to be, if there are orders of uses that may have to change.
    places: Vec<u32>,
    budget: Budget,
    /// The memory of the current body.
    held: Held,
}

impl<'e> Bodies<'e> {
    fn new(editor: &'e Editor, budget: &Budget) -> Result<Self> {
        let version = editor.base.bytecode().version();
        let arena = &editor.arena;
        budget.spend(arena.values.len().saturating_mul(size_of::<u32>()))?;
        let numbers = vec![NONE; arena.values.len()];
        let mut places = Vec::new();
        if !arena.orders.is_empty() {
            budget.spend(arena.ops.len().saturating_mul(size_of::<u32>()))?;
            places = vec![NONE; arena.ops.len()];
            let mut next = 0;
            let mut walker = Walker::inside(ROOT);
            while let Some(step) = walker.next(arena) {
                if let Step::Enter(op) = step {
                    places[op as usize] = next;
                    next += 1;
                }
            }
        }
        let (budget, held) = (budget.clone(), budget.hold(0)?);
        Ok(Self { editor, version, numbers, done: HashMap::new(), places, budget, held })
    }

    fn arena(&self) -> &'e Arena {
        &self.editor.arena
    }

    /// The IR section; `changed` are the isolated ops to encode, inner ones first.
    fn ir(mut self, changed: &[u32]) -> Result<Pieces> {
        if !self.version.has_region_sections() {
            return self.body(ROOT);
        }
        for &op in changed {
            self.editor.base.check_interrupt()?;
            let pieces = match self.reframed(op)? {
                Some(pieces) => pieces,
                None => self.body(op)?,
            };
            self.budget.spend(pieces.made())?;
            self.done.insert(op, pieces);
        }
        Ok(self.done.remove(&ROOT).unwrap_or_default())
    }

    fn copied(&self, range: Range<u64>, out: &mut Pieces) -> Result<()> {
        if range.end - range.start < SMALL {
            out.bytes_of_source(&self.editor.base.source().get(range)?);
        } else {
            out.push(Piece::Copied(range));
        }
        Ok(())
    }

    // A body in which only nested bodies changed: its bytes, with new lengths of these.
    fn reframed(&mut self, op: u32) -> Result<Option<Pieces>> {
        let Some(detail) = self.arena().detail(op) else { return Ok(None) };
        let Some(origin) = detail.origin.filter(|_| !detail.is_dirty && !detail.is_new) else {
            return Ok(None);
        };
        let base = &self.editor.base;
        let Some(range) = base.body_range(origin)? else { return Ok(None) };
        let mut out = Pieces::default();
        let mut at = range.start;
        for child in &base.body(origin)?.children {
            let op = detail.first_op + child.op;
            if !self.done.contains_key(&op) {
                continue;
            }
            let Some(inner) = base.body_range(child.body)? else { return Ok(None) };
            // The header before it, if it is the one that this writer makes.
            let mut head = ByteSink::new();
            head.section_head(SectionId::Ir, inner.end - inner.start, None);
            let header = inner.start - head.len() as u64;
            if header < at || base.source().get(header..inner.start)? != head.as_bytes() {
                return Ok(None);
            }
            self.copied(at..header, &mut out)?;
            if let Some(pieces) = self.done.remove(&op) {
                out.section(SectionId::Ir, pieces);
            }
            at = inner.end;
        }
        self.copied(at..range.end, &mut out)?;
        Ok(Some(out))
    }

    // Encodes the regions of an isolated op, or the top level.
    fn body(&mut self, root: u32) -> Result<Pieces> {
        let arena = self.arena();
        let regions = arena.loaded_regions(root).len() as u32;
        let kind = if root == ROOT { Root::TopLevel } else { Root::Regions(regions) };
        let mut writer = IrWriter::new(self.version, kind);
        let mut holes: Vec<(usize, Pieces)> = Vec::new();
        self.held = self.budget.hold(0)?;
        let mut pulse = Pulse::default();
        let mut walker = Walker::inside(root);
        // The first numbers of the regions of each open op, and of those inside each open region.
        let mut starts: Vec<u64> = vec![0];
        let mut block = NONE;
        let mut blocks = Vec::new();
        while let Some(step) = walker.next(arena) {
            match step {
                Step::BeginRegion(region) => {
                    let first = starts.last().copied().unwrap_or_default();
                    let is_top = arena.region(region).op == ROOT;
                    let values = if is_top { 0 } else { self.number(region, first)? };
                    writer.begin_region(RegionHead {
                        blocks: arena.region(region).blocks.len() as u64,
                        values,
                    });
                    starts.push(first + values);
                    blocks.push(block);
                }
                Step::EndRegion(_) => {
                    starts.pop();
                    block = blocks.pop().unwrap_or(NONE);
                    writer.end_region();
                }
                Step::BeginBlock(next) => {
                    block = next;
                    self.begin_block(block, &mut writer);
                }
                Step::EndBlock => writer.end_block(),
                Step::Enter(op) => {
                    self.op(op, &mut writer);
                    self.held.grow_to(writer.memory())?;
                    pulse.beat(1, &self.editor.base)?;
                    let count = arena.region_count(op);
                    if count == 0 {
                        walker.skip();
                        continue;
                    }
                    let detail = arena.detail(op);
                    let is_isolated = detail.is_some_and(|detail| detail.is_isolated);
                    if !is_isolated || !self.version.has_region_sections() {
                        writer.regions(count, is_isolated);
                        let first = starts.last().copied().unwrap_or_default();
                        starts.push(if is_isolated { 0 } else { first });
                        continue;
                    }
                    let place = writer.regions_apart(count);
                    let pieces = match (self.done.remove(&op), detail.and_then(|detail| detail.origin)) {
                        (Some(pieces), _) => pieces,
                        (None, Some(origin)) => {
                            let mut pieces = Pieces::default();
                            if let Some(range) = self.editor.base.body_range(origin)? {
                                self.copied(range, &mut pieces)?;
                            }
                            pieces
                        }
                        (None, None) => Pieces::default(),
                    };
                    holes.push((place, pieces));
                    walker.skip();
                }
                Step::Leave(op) => {
                    let detail = arena.detail(op).filter(|_| op != root);
                    let is_apart = |is_isolated| is_isolated && self.version.has_region_sections();
                    if detail.is_some_and(|detail| !is_apart(detail.is_isolated))
                        && arena.region_count(op) > 0
                    {
                        starts.pop();
                        writer.end_regions();
                    }
                }
            }
        }
        let bytes = writer.finish().into_bytes();
        let mut out = Pieces::default();
        let mut at = 0;
        for (place, pieces) in holes {
            out.bytes(&bytes[at..place]);
            out.section(SectionId::Ir, pieces);
            at = place;
        }
        out.bytes(&bytes[at..]);
        Ok(out)
    }

    // Numbers the values of a region; returns their number.
    fn number(&mut self, region: u32, first: u64) -> Result<u64> {
        let arena = self.arena();
        let mut next = first;
        let mut take = |value: u32| {
            self.numbers[value as usize] = next as u32;
            next += 1;
        };
        for &block in &arena.region(region).blocks {
            arena.block(block).arguments.iter().copied().for_each(&mut take);
            arena.ops_of(block).for_each(|op| arena.results(op).for_each(&mut take));
        }
        if next >= u64::from(NONE) {
            return Err(Error::message(ErrorKind::MemoryLimit, "an isolated region cannot have 2^32 values"));
        }
        Ok(next - first)
    }

    fn begin_block(&self, block: u32, writer: &mut IrWriter) {
        let arena = self.arena();
        let row = arena.block(block);
        let arguments = row.arguments.len() as u64;
        writer
            .begin_block(BlockHead { ops: row.ops.into(), arguments: (arguments > 0).then_some(arguments) });
        for &argument in &row.arguments {
            let value = arena.value(argument);
            writer.argument(value.r#type, (value.location != NONE).then_some(value.location));
        }
        if !arena.orders.is_empty() {
            self.orders(row.arguments.iter().copied(), writer);
        }
        writer.begin_ops();
    }

    fn op(&self, op: u32, writer: &mut IrWriter) {
        let arena = self.arena();
        let row = arena.op(op);
        let optional = |index: u32| (index != NONE).then_some(index);
        writer.op(OpHead {
            name: row.name,
            location: row.location,
            attributes: optional(row.attributes),
            properties: optional(row.properties),
        });
        for value in arena.results(op) {
            writer.result(arena.value(value).r#type);
        }
        for value in arena.operands(op) {
            let number = self.numbers[value as usize].into();
            writer.operand(ValueRef { number, depth: 0, index: number, is_forward: false });
        }
        for &block in arena.successors(op) {
            writer.successor(arena.block(block).number);
        }
        if row.results > 0 && !arena.orders.is_empty() {
            self.orders(arena.results(op), writer);
        }
    }

    // The stored orders of values whose uses are unchanged, in the same order.
    fn orders(&self, values: impl ExactSizeIterator<Item = u32>, writer: &mut IrWriter) {
        let arena = self.arena();
        let count = values.len() as u64;
        let mut kept: Vec<_> = values
            .enumerate()
            .filter_map(|(number, value)| Some((number as u64, value, arena.orders.get(&value)?)))
            .filter(|(_, value, order)| self.is_kept(*value, &order.uses))
            .collect();
        kept.sort_by_key(|kept| kept.2.rank);
        let entries = kept.len() as u64;
        for (value, _, order) in kept {
            let order = UseListOrder { value, is_pairs: order.is_pairs, indices: &order.indices, offset: 0 };
            writer.use_list(order, count, entries);
        }
    }

    fn is_kept(&self, value: u32, uses: &[u32]) -> bool {
        let arena = self.arena();
        let place = |slot: u32| self.places[arena.uses[slot as usize].op as usize];
        let mut now: Vec<u32> = arena.uses_of(value).filter(|&slot| place(slot) != NONE).collect();
        now.sort_unstable_by_key(|&slot| (place(slot), slot));
        now == uses
    }
}
