//! The tables of a valid file as lists that can be changed and written again.

use mlirbc::cursor::{ByteSink, Cursor};
use mlirbc::format::resource::ResourcePayload;
use mlirbc::section::SectionId;
use mlirbc::version::BytecodeVersion;
use mlirbc::{Error, ErrorKind, Result};

use super::sections::{Sections, cursor};

/// All tables, and the sections around them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tables {
    pub(super) version: BytecodeVersion,
    pub(super) sections: Sections,
    pub(super) strings: Vec<Vec<u8>>,
    pub(super) dialects: Vec<Dialect>,
    pub(super) op_names: Vec<OpName>,
    pub(super) attributes: Vec<Entry>,
    pub(super) types: Vec<Entry>,
    pub(super) resources: Vec<Resource>,
    pub(super) properties: Vec<Vec<u8>>,
}

/// A row of the dialect section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dialect {
    pub(super) name: u64,
    /// The id of the section of the version, and its data.
    pub(super) version: Option<(u8, Vec<u8>)>,
}

/// The name of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OpName {
    pub(super) dialect: u64,
    pub(super) name: u64,
    pub(super) is_registered: bool,
}

/// An attribute or a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) dialect: u64,
    pub(super) is_encoded: bool,
    pub(super) data: Vec<u8>,
}

/// A resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Resource {
    pub(super) owner: Owner,
    pub(super) key: u64,
    pub(super) kind: u8,
    pub(super) payload: Payload,
}

/// The group of a resource: the string that names it, or a dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    External(u64),
    Dialect(u64),
}

/// The data of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Payload {
    /// Data at an aligned offset.
    Blob { alignment: u64, bytes: Vec<u8>, tail: Vec<u8> },
    /// The encoded bytes of any other kind.
    Bytes(Vec<u8>),
}

impl Tables {
    /// Reads the tables of a valid file.
    pub(super) fn read(file: &[u8]) -> Result<Self> {
        let sections = Sections::read(file)?;
        let version = BytecodeVersion::new(sections.version)
            .ok_or_else(|| Error::message(ErrorKind::Version, "the version of the file is unknown"))?;
        let (dialects, op_names) = read_dialects(version, sections.data(SectionId::Dialect))?;
        let (attributes, types) =
            read_entries(sections.data(SectionId::AttrTypeOffset), sections.data(SectionId::AttrType))?;
        Ok(Self {
            version,
            strings: read_strings(sections.data(SectionId::String))?,
            dialects,
            op_names,
            attributes,
            types,
            resources: read_resources(
                sections.data(SectionId::ResourceOffset),
                sections.data(SectionId::Resource),
            )?,
            properties: read_properties(sections.data(SectionId::Properties))?,
            sections,
        })
    }

    /// Sets the data of the IR section.
    pub(super) fn set_ir(&mut self, ir: Vec<u8>) {
        self.sections.set(SectionId::Ir, ir);
    }

    /// Returns the sections with the changed tables.
    pub(super) fn write(&self) -> Sections {
        let mut sections = self.sections.clone();
        sections.set(SectionId::String, self.string_section());
        sections.set(SectionId::Dialect, self.dialect_section());
        let directory = Directory::of(self);
        sections.set(SectionId::AttrTypeOffset, directory.write());
        sections.set(SectionId::AttrType, self.payloads());
        if self.version.has_native_properties() {
            sections.set(SectionId::Properties, self.property_section());
        }
        if !self.resources.is_empty() {
            let (directory, data, alignment) = self.resource_sections();
            sections.set(SectionId::ResourceOffset, directory);
            sections.set(SectionId::Resource, data);
            let id = SectionId::Resource.byte();
            for section in sections.list.iter_mut().filter(|section| section.id == id) {
                // Payloads are aligned relative to the file, so their section must be aligned, too.
                (section.alignment, section.needed) = (None, alignment);
            }
        }
        sections
    }

    /// Returns the file.
    pub(super) fn join(&self) -> Vec<u8> {
        self.write().join()
    }

    pub(super) fn string(&mut self, text: &[u8]) -> u64 {
        let index = self.strings.iter().position(|string| string == text);
        index.unwrap_or_else(|| {
            self.strings.push(text.to_vec());
            self.strings.len() - 1
        }) as u64
    }

    /// Returns the index of the dialect with this name, if the file has it.
    pub(super) fn dialect(&self, name: &[u8]) -> Option<u64> {
        let has_name =
            |dialect: &Dialect| self.strings.get(dialect.name as usize).is_some_and(|it| it == name);
        self.dialects.iter().position(has_name).map(|index| index as u64)
    }

    fn string_section(&self) -> Vec<u8> {
        let mut sink = ByteSink::new();
        sink.varint(self.strings.len() as u64);
        // The table of lengths begins with the last string.
        self.strings.iter().rev().for_each(|string| sink.varint(string.len() as u64 + 1));
        self.strings.iter().for_each(|string| sink.zero_terminated(string));
        sink.into_bytes()
    }

    fn dialect_section(&self) -> Vec<u8> {
        let mut sink = ByteSink::new();
        sink.varint(self.dialects.len() as u64);
        for dialect in &self.dialects {
            if !self.version.has_dialect_versions() {
                sink.varint(dialect.name);
                continue;
            }
            sink.varint_with_flag(dialect.name, dialect.version.is_some());
            if let Some((id, data)) = &dialect.version {
                sink.byte(*id);
                sink.varint(data.len() as u64);
                sink.bytes(data);
            }
        }
        if self.version.has_op_name_count() {
            sink.varint(self.op_names.len() as u64);
        }
        for group in self.op_names.chunk_by(|one, other| one.dialect == other.dialect) {
            sink.varint(group.first().map_or(0, |first| first.dialect));
            sink.varint(group.len() as u64);
            for name in group {
                match self.version.has_registered_flags() {
                    true => sink.varint_with_flag(name.name, name.is_registered),
                    false => sink.varint(name.name),
                }
            }
        }
        sink.into_bytes()
    }

    fn payloads(&self) -> Vec<u8> {
        self.attributes.iter().chain(&self.types).flat_map(|entry| entry.data.iter().copied()).collect()
    }

    fn property_section(&self) -> Vec<u8> {
        let mut sink = ByteSink::new();
        sink.varint(self.properties.len() as u64);
        for blob in &self.properties {
            sink.varint(blob.len() as u64);
            sink.bytes(blob);
        }
        sink.into_bytes()
    }

    /// Returns the directory and the data of the resources, and the alignment that the data needs.
    fn resource_sections(&self) -> (Vec<u8>, Vec<u8>, u64) {
        let (mut directory, mut data) = (ByteSink::new(), ByteSink::new());
        let is_external = |row: &&Resource| matches!(row.owner, Owner::External(_));
        let (external, of_dialects) =
            self.resources.split_at(self.resources.iter().take_while(is_external).count());
        directory.varint(external.chunk_by(|one, other| one.owner == other.owner).count() as u64);
        for rows in [external, of_dialects] {
            for group in rows.chunk_by(|one, other| one.owner == other.owner) {
                let Some(first) = group.first() else { continue };
                let (Owner::External(index) | Owner::Dialect(index)) = first.owner;
                directory.varint(index);
                directory.varint(group.len() as u64);
                for row in group {
                    let start = data.len();
                    match &row.payload {
                        Payload::Blob { alignment, bytes, tail } => {
                            ResourcePayload::write_blob(*alignment, bytes, &mut data);
                            data.bytes(tail);
                        }
                        Payload::Bytes(bytes) => data.bytes(bytes),
                    }
                    directory.varint(row.key);
                    directory.varint((data.len() - start) as u64);
                    directory.byte(row.kind);
                }
            }
        }
        let alignment = data.required_alignment();
        (directory.into_bytes(), data.into_bytes(), alignment)
    }
}

/// The directory of attributes and types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Directory {
    /// The number of attributes and the number of types.
    pub(super) counts: [u64; 2],
    /// The groups of attributes, and the groups of types.
    pub(super) groups: [Vec<Group>; 2],
    pub(super) tail: Vec<u8>,
}

/// Consecutive entries of one dialect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) dialect: u64,
    pub(super) count: u64,
    /// The size of each entry, and whether it is encoded (or text).
    pub(super) sizes: Vec<(u64, bool)>,
}

impl Directory {
    pub(super) fn of(tables: &Tables) -> Self {
        let lists = [&tables.attributes, &tables.types];
        let group = |entries: &[Entry]| Group {
            dialect: entries.first().map_or(0, |first| first.dialect),
            count: entries.len() as u64,
            sizes: entries.iter().map(|entry| (entry.data.len() as u64, entry.is_encoded)).collect(),
        };
        Self {
            counts: lists.map(|list| list.len() as u64),
            groups: lists
                .map(|list| list.chunk_by(|one, other| one.dialect == other.dialect).map(group).collect()),
            tail: Vec::new(),
        }
    }

    pub(super) fn write(&self) -> Vec<u8> {
        let mut sink = ByteSink::new();
        self.counts.iter().for_each(|&count| sink.varint(count));
        for group in self.groups.iter().flatten() {
            sink.varint(group.dialect);
            sink.varint(group.count);
            group.sizes.iter().for_each(|&(size, is_encoded)| sink.varint_with_flag(size, is_encoded));
        }
        sink.bytes(&self.tail);
        sink.into_bytes()
    }
}

fn read_strings(data: &[u8]) -> Result<Vec<Vec<u8>>> {
    let mut cursor = cursor(data);
    let count = cursor.count("strings")?;
    let mut lengths = (0..count).map(|_| cursor.varint()).collect::<Result<Vec<_>>>()?;
    lengths.reverse();
    let mut string =
        |length: u64| Ok(cursor.bytes(length)?.split_last().map_or(&[][..], |split| split.1).to_vec());
    lengths.into_iter().map(&mut string).collect()
}

fn read_dialects(version: BytecodeVersion, data: &[u8]) -> Result<(Vec<Dialect>, Vec<OpName>)> {
    let mut cursor = cursor(data);
    let mut dialects = Vec::new();
    for _ in 0..cursor.count("dialects")? {
        let (name, has_version) = match version.has_dialect_versions() {
            true => cursor.varint_with_flag()?,
            false => (cursor.varint()?, false),
        };
        let mut row = Dialect { name, version: None };
        if has_version {
            let frame = cursor.section_frame()?;
            row.version = Some((frame.id, data.get(frame.start..frame.end).unwrap_or_default().to_vec()));
            cursor.seek(frame.end);
        }
        dialects.push(row);
    }
    if version.has_op_name_count() {
        cursor.varint()?;
    }
    let mut names = Vec::new();
    while !cursor.is_at_end() {
        let dialect = cursor.varint()?;
        for _ in 0..cursor.count("operation names")? {
            let (name, is_registered) = match version.has_registered_flags() {
                true => cursor.varint_with_flag()?,
                false => (cursor.varint()?, false),
            };
            names.push(OpName { dialect, name, is_registered });
        }
    }
    Ok((dialects, names))
}

fn read_entries(directory: &[u8], payloads: &[u8]) -> Result<(Vec<Entry>, Vec<Entry>)> {
    let mut cursor = cursor(directory);
    let mut payloads = self::cursor(payloads);
    let (attributes, types) = (cursor.varint()?, cursor.varint()?);
    let mut read = |count: u64| {
        let mut entries = Vec::new();
        while (entries.len() as u64) < count {
            let dialect = cursor.varint()?;
            for _ in 0..cursor.count("entries")? {
                let (size, is_encoded) = cursor.varint_with_flag()?;
                entries.push(Entry { dialect, is_encoded, data: payloads.bytes(size)?.to_vec() });
            }
        }
        Ok(entries)
    };
    Ok((read(attributes)?, read(types)?))
}

fn read_resources(directory: &[u8], payloads: &[u8]) -> Result<Vec<Resource>> {
    let mut rows = Vec::new();
    if directory.is_empty() {
        return Ok(rows);
    }
    let mut cursor = cursor(directory);
    let mut payloads = self::cursor(payloads);
    let mut external = cursor.varint()?;
    while !cursor.is_at_end() {
        let index = cursor.varint()?;
        let owner = if external > 0 { Owner::External(index) } else { Owner::Dialect(index) };
        external = external.saturating_sub(1);
        for _ in 0..cursor.count("resources")? {
            let (key, size, kind) = (cursor.varint()?, cursor.varint()?, cursor.byte()?);
            let start = payloads.position();
            let payload = match kind {
                0 if size > 0 => {
                    let (alignment, len) = (payloads.varint()?, payloads.varint()?);
                    let padding = (start as u64 + size).saturating_sub(payloads.position() as u64 + len);
                    payloads.bytes(padding)?;
                    Payload::Blob { alignment, bytes: payloads.bytes(len)?.to_vec(), tail: Vec::new() }
                }
                _ => Payload::Bytes(payloads.bytes(size)?.to_vec()),
            };
            rows.push(Resource { owner, key, kind, payload });
        }
    }
    Ok(rows)
}

fn read_properties(data: &[u8]) -> Result<Vec<Vec<u8>>> {
    if data.is_empty() {
        return Ok(Vec::new());
    }
    let mut cursor: Cursor<'_> = cursor(data);
    let mut blobs = Vec::new();
    for _ in 0..cursor.count("property blobs")? {
        let size = cursor.varint()?;
        blobs.push(cursor.bytes(size)?.to_vec());
    }
    Ok(blobs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, GeneratedModule};

    #[test]
    fn tables_are_written_as_they_were_read() {
        for seed in 0..60 {
            let generated = GeneratedModule::from_seed(&Config::default(), seed).unwrap();
            let tables = Tables::read(generated.bytes()).unwrap();
            assert!(tables.join() == generated.bytes(), "{seed}, version {}", generated.version());
        }
    }
}
