//! The sections of a written file, in the order of MLIR; strings are numbered on first use
//! (`mlir/lib/Bytecode/Writer/BytecodeWriter.cpp`).

use std::collections::HashMap;

use crate::dialect::entries::Entries;
use crate::dialect::node::{Node, TableIndex};
use crate::format::container::Bytecode;
use crate::format::dialect::{DialectEntry, DialectSection, OpNameEntry};
use crate::format::properties::PropertyTable;
use crate::format::resource::{
    ResourceDirectory, ResourceEntry, ResourceKind, ResourceOwner, ResourcePayload,
};
use crate::format::string::StringTable;
use crate::ir::Module;
use crate::wire::cursor::ByteSink;
use crate::wire::error::Result;
use crate::wire::parallel;
use crate::wire::progress::Progress;
use crate::wire::section::SectionId;
use crate::wire::version::BytecodeVersion;

use super::collect::Collected;
use super::index::{PoolAttr, PoolType};
use super::numbering::Numbering;
use super::resources::{self, DialectResource, KeyPosition};
use super::tables::Tables;
use super::translator::OpTranslator;
use crate::write::WriteOptions;
use crate::write::file_pieces::{FilePiece, FilePieces};

pub(crate) const NONE: u32 = u32::MAX;

#[inline]
pub(crate) fn at(places: &[u32], row: u32) -> u32 {
    places.get(row as usize).copied().unwrap_or(NONE)
}

/// Files with fewer attributes and types are not worth a thread.
pub(crate) const ENOUGH: usize = if cfg!(test) { 16 } else { 1 << 14 };

/// The bytes that each resource takes: views of the resource, and its row.
const PER_RESOURCE: usize = 256;

/// Strings in the order of first use.
#[derive(Debug, Default, Clone)]
pub(crate) struct Strings {
    memory: usize,
    list: Vec<Box<[u8]>>,
    known: HashMap<Box<[u8]>, u32, foldhash::fast::RandomState>,
    // Long strings by the address and length of their text, so that a text is hashed once, however often it
    // is used.
    at: HashMap<(usize, usize), u32>,
}

impl Strings {
    /// Returns the index of a string, which must not move in memory while this pool is used.
    pub(crate) fn add(&mut self, bytes: &[u8]) -> u32 {
        const LONG: usize = 64;
        if bytes.len() < LONG {
            return self.add_text(bytes);
        }
        let address = (bytes.as_ptr() as usize, bytes.len());
        if let Some(&index) = self.at.get(&address) {
            return index;
        }
        let index = self.add_text(bytes);
        self.at.insert(address, index);
        index
    }

    fn add_text(&mut self, bytes: &[u8]) -> u32 {
        if let Some(&index) = self.known.get(bytes) {
            return index;
        }
        let index = self.list.len() as u32;
        self.memory += 2 * bytes.len() + 4 * size_of::<Box<[u8]>>();
        self.list.push(bytes.into());
        self.known.insert(bytes.into(), index);
        index
    }
}

impl Strings {
    /// The memory in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.memory
    }
}

impl Numbering {
    /// Replaces indices of the pool in the fields of an entry, or of properties, by indices of the written
    /// file.
    ///
    /// # Errors
    /// As [`Node::renumber`].
    #[inline]
    pub(crate) fn renumber(
        &self,
        node: &mut Node,
        entries: &Tables<'_>,
        strings: &mut Strings,
    ) -> Result<()> {
        node.renumber(|index| {
            Ok(match index {
                TableIndex::String(index) => strings.add(entries.string(index)),
                TableIndex::Resource(index) => at(&self.resource_at, index),
                TableIndex::Attribute(index) => self.attribute_at.number_at(PoolAttr::new(index)),
                TableIndex::Type(index) => self.type_at.number_at(PoolType::new(index)),
            })
        })
    }
}

/// The owner of a group of resources, before its name has a number.
enum ResourceGroup<'m> {
    External(&'m [u8]),
    Dialect(u32),
}

/// The sections of attributes and types: the directory and the payloads.
pub(crate) type EntrySections = (FilePieces, FilePieces);

/// The section of the IR, and the property blobs that it refers to.
pub(crate) type IrSections = (FilePieces, Vec<Vec<u8>>);

/// Assembles a file from the collected and numbered tables.
pub(crate) struct Emitter<'e, 'm, T> {
    pub(crate) module: &'m Module,
    pub(crate) ops: &'e T,
    pub(crate) collected: &'e Collected,
    pub(crate) numbering: Numbering,
    pub(crate) strings: Strings,
    pub(crate) version: BytecodeVersion,
    // The resources, in the order of the written file.
    resources: Vec<DialectResource>,
    pub(crate) strips_locations: bool,
    strips_resources: bool,
    // Whether sections that would be equal may be copied from the file.
    copies_sections: bool,
}

impl<'e, 'm, T: OpTranslator + Sync> Emitter<'e, 'm, T> {
    pub(crate) fn new(
        module: &'m Module,
        ops: &'e T,
        collected: &'e Collected,
        mut numbering: Numbering,
        (options, copies_sections): (&WriteOptions, bool),
    ) -> Result<Self> {
        let (resources, positions) = resources::order(module.tables(), &numbering, ops.budget())?;
        for KeyPosition { key, position } in positions {
            if let Some(at) = numbering.resource_at.get_mut(key as usize) {
                *at = position;
            }
        }
        let version = ops.version();
        Ok(Self {
            module,
            ops,
            collected,
            numbering,
            strings: Strings::default(),
            version,
            resources,
            strips_locations: options.strip_locations,
            strips_resources: options.strip_resources,
            copies_sections,
        })
    }

    /// Returns the pieces of the whole file.
    ///
    /// # Errors
    /// If something cannot be encoded, and the errors of reading the file.
    pub(crate) fn file(mut self, producer: &[u8], progress: &Progress) -> Result<FilePieces> {
        let dialects = self.dialects();
        let ((directory, payloads), (ir, blobs)) = self.entries_and_ir(progress)?;
        let (resource_directory, resource_payloads) = self.resources()?;
        let mut header = ByteSink::new();
        Bytecode::write_header(self.version, producer, &mut header);
        let mut file = FilePieces::from(header);
        let mut strings = ByteSink::new();
        StringTable::write(self.strings.list.iter().map(|string| &**string), &mut strings);
        file.section(SectionId::Dialect, dialects.into());
        file.section(SectionId::AttrTypeOffset, directory);
        file.section(SectionId::AttrType, payloads);
        file.section(SectionId::Ir, ir);
        file.section(SectionId::ResourceOffset, resource_directory.into());
        file.section(SectionId::Resource, resource_payloads);
        file.section(SectionId::String, strings.into());
        if self.version.has_native_properties() {
            let mut properties = ByteSink::new();
            PropertyTable::write(blobs.iter().map(|blob| &**blob), &mut properties);
            file.section(SectionId::Properties, properties.into());
        }
        Ok(file)
    }

    // Strings of attributes and types are numbered before strings of properties. Properties hardly ever have
    // strings; without them, both sections can be written at once.
    fn entries_and_ir(&mut self, progress: &Progress) -> Result<(EntrySections, IrSections)> {
        let mut strings = std::mem::take(&mut self.strings);
        let this = &*self;
        let rows = this.numbering.attributes.len() + this.numbering.types.len();
        let done = if this.has_strings_in_properties() {
            let entries = this.entries(&mut strings)?;
            (entries, this.ir(&mut strings, progress)?)
        } else {
            let entries = || {
                let mut strings = strings.clone();
                this.entries(&mut strings).map(|entries| (entries, strings))
            };
            let ir = || this.ir(&mut Strings::default(), progress);
            let (entries, ir) = parallel::both(rows >= ENOUGH, entries, ir, || {
                this.module.tables().is_interrupted();
            });
            let (entries, after) = entries?;
            strings = after;
            (entries, ir?)
        };
        self.strings = strings;
        Ok(done)
    }

    /// Whether attributes and types have the numbers of the file.
    pub(crate) fn keeps_entry_numbers(&self) -> bool {
        if !self.copies_sections {
            return false;
        }
        let Numbering { attribute_at, type_at, .. } = &self.numbering;
        self.ops.entries().of_file().is_some() && attribute_at.are_same() && type_at.are_same()
    }

    /// Returns a section of the file unchanged.
    pub(crate) fn copied(&self, id: SectionId) -> FilePieces {
        let mut copied = FilePieces::default();
        if let Some(section) = self.module.tables().bytecode().section(id) {
            copied.push(FilePiece::Copied(section.offset..section.offset + section.size));
        }
        copied
    }

    // ---- section 1 ----

    fn dialects(&mut self) -> ByteSink {
        let mut section = DialectSection::default();
        let mut data = Vec::new();
        for name in &self.numbering.dialects {
            let name_index = self.strings.add(name);
            let version = self.ops.dialect_version(name).map(|bytes| {
                let start = data.len();
                data.extend_from_slice(bytes);
                start..data.len()
            });
            section.dialects.push(DialectEntry { name: name_index, version });
        }
        let names = self.ops.names();
        let mut stems = vec![NONE; names.text_count()];
        for &row in &self.numbering.op_names {
            let Some(row) = names.get(row) else { continue };
            let is_registered = self.version.has_registered_flags().then_some(row.is_registered);
            let dialect = self.numbering.text_dialect(row.dialect);
            let name = match stems[row.stem as usize] {
                NONE => self.strings.add(names.text(row.stem)),
                known => known,
            };
            stems[row.stem as usize] = name;
            section.op_names.push(OpNameEntry { dialect, name, is_registered });
        }
        let mut sink = ByteSink::new();
        section.write(self.version, &data, &mut sink);
        sink
    }

    // ---- sections 6 and 5 ----

    fn resources(&mut self) -> Result<(ByteSink, FilePieces)> {
        let mut rows = Vec::new();
        let mut payloads = FilePieces::default();
        let all = self.module.resources()?;
        self.ops.budget().spend(all.len().saturating_mul(PER_RESOURCE))?;
        let all: Vec<_> = all.collect();
        let keeps = !self.strips_resources;
        let externals: Vec<_> = all.iter().filter(|resource| keeps && resource.is_external()).collect();
        // A repeated group is merged with its first occurrence.
        let mut groups: Vec<(&[u8], Vec<usize>)> = Vec::new();
        let mut group_numbers: HashMap<&[u8], usize> = HashMap::new();
        for resource in &externals {
            let group = *group_numbers.entry(resource.group()).or_insert(groups.len());
            match groups.get_mut(group) {
                Some(group) => group.1.push(resource.index()),
                None => groups.push((resource.group(), vec![resource.index()])),
            }
        }
        // For each group: its name if it is external, or the number of its dialect; then its members, as keys
        // and rows of the file.
        type Member<'a> = (&'a [u8], Option<usize>);
        let mut jobs: Vec<(ResourceGroup<'_>, Vec<Member<'_>>)> = Vec::new();
        for (name, members) in groups {
            let members = members.into_iter().map(|index| (all[index].key(), Some(index))).collect();
            jobs.push((ResourceGroup::External(name), members));
        }
        let keys = self.ops.entries();
        for group in self.resources.chunk_by(|a, b| a.dialect == b.dialect) {
            let member = |resource: &DialectResource| {
                let row = resource.row.and_then(|row| all.get(row));
                let key = resource.key.map_or(&[][..], |key| keys.resource_key(key));
                (row.map_or(key, |row| row.key()), resource.row)
            };
            let Some(first) = group.first() else { continue };
            jobs.push((ResourceGroup::Dialect(first.dialect), group.iter().map(member).collect()));
        }
        for (group, members) in jobs {
            let mut sizes = Vec::with_capacity(members.len());
            for (_, row) in &members {
                let before = payloads.len();
                let mut kind = ResourceKind::Blob as u8;
                if let Some(resource) = row.and_then(|row| all.get(row)).filter(|_| keeps)
                    && let Some(payload) = resource.payload()?
                {
                    kind = resource.entry.kind;
                    payloads.payload(match payload {
                        ResourcePayload::String(index) => {
                            let text = self.module.tables().string(index)?;
                            ResourcePayload::String(self.strings.add(text))
                        }
                        other => other,
                    });
                }
                sizes.push((payloads.len() - before, kind));
            }
            let owner = match group {
                ResourceGroup::External(name) => ResourceOwner::External(self.strings.add(name)),
                ResourceGroup::Dialect(dialect) => ResourceOwner::Dialect(dialect),
            };
            for ((key, _), (size, kind)) in members.iter().zip(sizes) {
                let key = self.strings.add(key);
                rows.push(ResourceEntry { owner, key, kind, position: 0, size, offset: 0 });
            }
        }
        let mut directory = ByteSink::new();
        ResourceDirectory::write(&rows, &mut directory);
        Ok((directory, payloads))
    }
}
