//! Writing edited modules: changed parts are encoded, all other parts are copied as ranges.
//!
//! Every index of the file keeps its meaning, so that unchanged ops, entries and blobs remain valid. New rows
//! are appended to their tables. Changed bodies of the IR are encoded, and the lengths of the enclosing
//! sections are updated. Resource blobs are aligned by file offset, so their heads are written again if
//! something before them changed its length.

mod bodies;
mod resources;

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use crate::dialect::entries::EntryRef;
use crate::edit::Editor;
use crate::edit::arena::ROOT;
use crate::edit::tables::MovedTables;
use crate::format::attr_type::{EntryEncoding, EntryTable};
use crate::format::container::{Bytecode, Section};
use crate::format::dialect::DialectEntry;
use crate::format::properties::PropertyTable;
use crate::format::string::StringTable;
use crate::ir::Module;
use crate::wire::bytes::{Backend, Source};
use crate::wire::cursor::ByteSink;
use crate::wire::error::{Error, Result};
use crate::wire::limits::{Budget, Limits};
use crate::wire::progress::Progress;
use crate::wire::section::SectionId;

use super::file_pieces::{FilePiece, FilePieces};
use super::report::reason_of_options;
use super::{Numbering, PreparedWrite, Pulse, WriteOptions, WriteReport};
use bodies::Bodies;

/// Shorter ranges are copied into memory, which is cheaper than a system call for each range.
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
    /// [`ErrorKind::Ir`](crate::ErrorKind::Ir) if the changes are invalid, [`ErrorKind::Edit`](crate::ErrorKind::Edit) if
    /// properties were written for versions that were not set, and as [`Module::write`]. Nothing is written before
    /// all checks have passed.
    pub fn write(&mut self, writer: &mut dyn Write, options: &WriteOptions) -> Result<WriteReport> {
        self.check_written_versions()?;
        let (options, reason) = &self.settled(options)?;
        if self.is_spliced_only(options) {
            let pieces = self.spliced(options)?;
            pieces.write(self.base.source(), writer, &|done, all| {
                options.progress.report(done, all);
                self.base.tables().check_interrupt()
            })?;
            return Ok(self.spliced_report(&pieces, options, reason));
        }
        let report = self.reopened(None, &options.progress)?.write(writer, options)?;
        Ok(self.converted_report(report, options, reason))
    }

    /// Does all work that can fail before the first byte of the module with its changes is written.
    ///
    /// # Errors
    /// As [`Self::write`], except for errors of the writer.
    ///
    /// ```
    /// use mlirbc::{Module, WriteOptions, edit::Editor};
    /// let mut editor = Editor::new(Module::from_bytes(mlirbc::doc_example())?)?;
    /// assert_eq!(editor.prepare_write(&WriteOptions::default())?.len(), 131);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn prepare_write(&mut self, options: &WriteOptions) -> Result<PreparedWrite> {
        self.check_written_versions()?;
        let (options, reason) = &self.settled(options)?;
        if self.is_spliced_only(options) {
            let pieces = self.spliced(options)?;
            let report = self.spliced_report(&pieces, options, reason);
            let (module, progress) = (self.base.clone(), options.progress.clone());
            return Ok(PreparedWrite { module, pieces, report, progress, is_of_other_release: false });
        }
        let mut prepared = self.reopened(None, &options.progress)?.prepare_write(options)?;
        prepared.report = self.converted_report(prepared.report, options, reason);
        Ok(prepared)
    }

    /// Writes the module with its changes to a file atomically: the file is created or replaced in one step,
    /// and an old file remains unchanged after any error, even if the module was read from it.
    ///
    /// # Errors
    /// As [`Self::write`], and the errors of the system.
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
        self.check_written_versions()?;
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
        pieces: &FilePieces,
        options: &WriteOptions,
        reason: &Option<String>,
    ) -> WriteReport {
        let (mode, own) = (self.spliced_mode(), self.base.tables().bytecode().version());
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

    /// Whether the options require a conversion of the whole module.
    pub(crate) fn is_converted(&self, options: &WriteOptions) -> bool {
        let file_version = self.base.tables().bytecode().version();
        options.target.is_some()
            || options.strip_locations
            || options.strip_resources
            || !options.dialect_versions.is_empty()
            || options.version.is_some_and(|version| version != file_version)
    }

    /// Returns the edited module as a module of its own; a large module is spliced to a file without a name,
    /// in `folder`.
    pub(crate) fn reopened(&mut self, folder: Option<&Path>, progress: &Progress) -> Result<Module> {
        if !self.is_changed() {
            return Ok(self.base.clone());
        }
        let pieces = self.spliced(&WriteOptions::default())?;
        joined(&self.base, pieces, folder, progress)
    }

    /// Returns the edited module as [`Self::reopened`] does, and frees the memory of the editor.
    pub(crate) fn into_module(mut self) -> Result<Module> {
        if !self.is_changed() {
            return Ok(self.base.clone());
        }
        let pieces = self.spliced(&WriteOptions::default())?;
        let base = self.base.clone();
        drop(self);
        joined(&base, pieces, None, &Progress::default())
    }

    /// The pieces of the new file.
    pub(crate) fn spliced(&mut self, options: &WriteOptions) -> Result<FilePieces> {
        let base = self.base.clone();
        base.source().check()?;
        let bytecode = base.tables().bytecode();
        let producer = options.producer.as_deref().unwrap_or(bytecode.producer());
        let mut file = FilePieces::default();
        if !self.is_changed() && producer == bytecode.producer() {
            file.push(FilePiece::Copied(0..bytecode.size()));
            return Ok(file);
        }
        self.encode_drafts()?;
        let changed = self.checked_plan()?;
        let budget = base.tables().work_budget();
        let mut new_sections: HashMap<SectionId, FilePieces> = HashMap::new();
        let is_ir_changed = changed.last() == Some(&ROOT)
            && self.arena.detail(ROOT).is_some_and(|detail| !detail.is_as_in_file());
        if is_ir_changed {
            new_sections.insert(SectionId::Ir, Bodies::new(self, &budget)?.ir(&changed)?);
        }
        // Strings come last, because the other sections may add some.
        let resources = self.resource_rows(&budget)?;
        self.tables(&mut new_sections, &budget)?;
        let mut header = ByteSink::new();
        Bytecode::write_header(bytecode.version(), producer, &mut header);
        let sections = self.sections();
        let is_moved = is_moved(&sections, &new_sections, header.len() as u64, resources.is_some());
        let mut resources = match (resources, is_moved) {
            (Some(rows), _) => Some(rows),
            (None, true) => Some(self.all_resource_rows(&budget)?),
            (None, false) => None,
        };
        if let Some(rows) = resources.take() {
            let (directory, payloads) = self.resources(rows)?;
            new_sections.insert(SectionId::ResourceOffset, directory.into());
            new_sections.insert(SectionId::Resource, payloads);
        }
        file.bytes(header.as_bytes());
        for (id, section) in sections {
            match (new_sections.remove(&id), section) {
                (Some(pieces), _) => file.section(id, pieces),
                (None, Some(section)) => {
                    let whole = section.header_offset..section.offset + section.size;
                    if file.len() == whole.start {
                        file.push(FilePiece::Copied(whole));
                    } else {
                        let data = section.offset..section.offset + section.size;
                        file.section(id, FilePieces::copied(data, section.alignment.unwrap_or(1)));
                    }
                }
                (None, None) => {}
            }
        }
        Ok(file)
    }

    // The sections in the order of the file, then new ones.
    fn sections(&self) -> Vec<(SectionId, Option<Section>)> {
        let bytecode = self.base.tables().bytecode();
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

    fn tables(&mut self, made: &mut HashMap<SectionId, FilePieces>, budget: &Budget) -> Result<()> {
        let base = &self.base;
        let tables = &self.tables;
        let version = base.tables().bytecode().version();
        if !tables.dialect_names.is_empty() || !tables.op_names.is_empty() || !tables.versions.is_empty() {
            let mut section = base.tables().dialect_section()?.clone();
            let new = tables.dialect_names.iter().map(|&name| DialectEntry { name, version: None });
            section.dialects.extend(new);
            section.op_names.extend(tables.op_names.iter().copied());
            let mut data = base.tables().section_bytes(SectionId::Dialect)?.to_vec();
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
        let has_attributes = !tables.attributes.is_empty() || !tables.packed.is_empty();
        if has_attributes
            || tables.moved_tables.is_some()
            || !tables.types.is_empty()
            || !tables.replaced.is_empty()
        {
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

    fn strings(&self) -> Result<FilePieces> {
        let section = self.base.tables().bytecode().section(SectionId::String);
        let (offset, size) = section.map_or((0, 0), |section| (section.offset, section.size));
        let strings = self.base.tables().strings()?;
        let new = self.tables.strings.iter().map(|string| &**string);
        let mut head = ByteSink::new();
        StringTable::write_head(strings.len() + new.len(), new.clone(), &mut head);
        let mut pieces = FilePieces::from(head);
        if size > 0 {
            let lengths =
                StringTable::lengths_at(&self.base.tables().section_bytes(SectionId::String)?, offset)?;
            pieces.push(FilePiece::Copied(offset + lengths as u64..offset + size));
        }
        let mut data = ByteSink::new();
        StringTable::write_data(new, &mut data);
        pieces.push(FilePiece::Made(data.into_bytes()));
        Ok(pieces)
    }

    fn properties(&self) -> Result<FilePieces> {
        let section = self.base.tables().bytecode().section(SectionId::Properties);
        let (offset, size) = section.map_or((0, 0), |section| (section.offset, section.size));
        let new = &self.tables.blobs;
        let mut head = ByteSink::new();
        PropertyTable::write_count(u64::from(self.tables.counts.blobs) + new.len() as u64, &mut head);
        let mut pieces = FilePieces::from(head);
        if size > 0 {
            let blobs =
                PropertyTable::blobs_at(&self.base.tables().section_bytes(SectionId::Properties)?, offset)?;
            pieces.push(FilePiece::Copied(offset + blobs as u64..offset + size));
        }
        let mut sink = ByteSink::new();
        PropertyTable::write_blobs(new.iter().map(|blob| &**blob), &mut sink);
        pieces.bytes(sink.as_bytes());
        Ok(pieces)
    }

    // Returns sections 3 and 2. New attributes come between the old attributes and the types.
    fn entries(&self, budget: &Budget) -> Result<(FilePieces, FilePieces)> {
        let tables = &self.tables;
        let section = self.base.tables().entry_table()?;
        let mut payloads = FilePieces::default();
        let mut at = section.base;
        let mut pulse = Pulse::default();
        // Each entry needs a row, and possibly a piece and its bytes in the directory.
        let moved_tables = tables.moved_tables.as_deref();
        let count = tables.attributes.len() + tables.types.len() + tables.replaced.len();
        let count = count + moved_tables.map_or(0, MovedTables::len);
        let all = (tables.counts.attributes as usize + tables.counts.types as usize)
            .saturating_add(count + tables.packed.len());
        let of_row = size_of::<(u32, EntryEncoding, u64)>() + size_of::<u64>();
        budget.spend(all.saturating_mul(of_row) + 2 * count * size_of::<FilePiece>())?;
        let mut rows: [Vec<(u32, EntryEncoding, u64)>; 2] = [Vec::new(), Vec::new()];
        let halves = [
            (tables.counts.attributes, &tables.attributes, false),
            (tables.counts.types, &tables.types, true),
        ];
        for (half, (count, new, is_type)) in halves.into_iter().enumerate() {
            let mut start = at;
            for index in 0..count {
                pulse.beat(1, self.base.tables())?;
                let entry_ref = EntryRef::of_sort(is_type, index);
                let entry = match entry_ref {
                    EntryRef::Attribute(index) => section.table.attribute(index),
                    EntryRef::Type(index) => section.table.r#type(index),
                };
                let Some(entry) = entry else { continue };
                let end = at + entry.payload.len() as u64;
                match tables.replaced.get(&entry_ref) {
                    Some(row) => {
                        payloads.push(FilePiece::Copied(start..at));
                        payloads.push(FilePiece::Shared(row.data.clone()));
                        rows[half].push((row.dialect, row.encoding, row.data.len() as u64));
                        start = end;
                    }
                    None => rows[half].push((entry.dialect, entry.encoding, entry.payload.len() as u64)),
                }
                at = end;
            }
            payloads.push(FilePiece::Copied(start..at));
            for row in moved_tables.iter().flat_map(|moved_tables| moved_tables.rows(half == 1)) {
                pulse.beat(1, self.base.tables())?;
                let before = payloads.len();
                if let Some(new) = tables.replaced.get(&row.of) {
                    payloads.shared(&new.data);
                    rows[half].push((new.dialect, new.encoding, new.data.len() as u64));
                    continue;
                }
                match (row.blob, row.data.split_last()) {
                    (Some(blob), Some((_, data))) => {
                        payloads.bytes(data);
                        // The size of the final blob replaces the size of the empty blob.
                        let mut size = ByteSink::new();
                        size.varint(blob.len() as u64);
                        payloads.bytes(size.as_bytes());
                        payloads.shared(blob);
                    }
                    _ => payloads.bytes(row.data),
                }
                rows[half].push((row.dialect, row.encoding, payloads.len() - before));
            }
            for row in new {
                payloads.shared(&row.data);
                rows[half].push((row.dialect, row.encoding, row.data.len() as u64));
            }
            let packed = &tables.packed;
            if half == 0 && !packed.is_empty() {
                payloads.push(FilePiece::Shared(packed.data.clone()));
            }
        }
        let mut directory = ByteSink::new();
        let [attributes, types] = &rows;
        EntryTable::write_counts([attributes.len() + tables.packed.len(), types.len()], &mut directory);
        let stored = |row: &(u32, EntryEncoding, u64)| Ok::<_, Error>((row.1, row.2));
        EntryTable::write_groups(attributes, |row| row.0, stored, &mut directory)?;
        let mut start = 0;
        let size = |&end: &u32| {
            let size = u64::from(end - std::mem::replace(&mut start, end));
            Ok::<_, Error>((EntryEncoding::Custom, size))
        };
        EntryTable::write_groups(tables.packed.ends(), |_| tables.packed.dialect, size, &mut directory)?;
        EntryTable::write_groups(types, |row| row.0, stored, &mut directory)?;
        Ok((directory.into(), payloads))
    }
}

// Reads the file of pieces as a module; a large file is written to a file without a name, in `folder`.
fn joined(base: &Module, pieces: FilePieces, folder: Option<&Path>, progress: &Progress) -> Result<Module> {
    let report = |done, all| {
        progress.report(done, all);
        base.tables().check_interrupt()
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
    // The file has no name, so it disappears however the process ends.
    let source = Source::opened(file, Path::new("a temporary file"), Backend::default(), &Limits::default())?;
    base.like(source)
}

// Whether the payloads of resources move, so that their blobs need other padding.
fn is_moved(
    sections: &[(SectionId, Option<Section>)],
    made: &HashMap<SectionId, FilePieces>,
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
            // If a section has another length or position, all sections after it move, too.
            Some(_) => {
                return sections.iter().any(|(id, section)| *id == SectionId::Resource && section.is_some());
            }
            None => {}
        }
    }
    false
}
