//! A file as its header and its sections, which are written with correct sizes, alignments and padding.

use mlirbc::cursor::{ByteSink, Cursor};
use mlirbc::section::SectionId;
use mlirbc::varint::VarInt;
use mlirbc::{Module, Result};

/// The magic number at the start of every file.
pub(super) const MAGIC: &[u8; 4] = b"ML\xefR";

/// The bit of a section id that announces an alignment.
pub(super) const ALIGNED: u8 = 0x80;

/// The value of the bytes before aligned data.
pub(super) const PADDING: u8 = 0xcb;

/// The header and the sections of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sections {
    pub(super) version: u64,
    pub(super) producer: Vec<u8>,
    pub(super) list: Vec<Section>,
}

/// A section without its header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) id: u8,
    /// The alignment in the section header.
    pub(super) alignment: Option<u64>,
    /// The alignment that the data needs; the header declares it if the data would be misaligned otherwise.
    pub(super) needed: u64,
    pub(super) data: Vec<u8>,
}

impl Section {
    pub(super) fn new(id: u8, data: Vec<u8>) -> Self {
        Self { id, alignment: None, needed: 1, data }
    }

    fn alignment_at(&self, start: usize) -> Option<u64> {
        let header = 1 + VarInt(self.data.len() as u64).encoded_len();
        let is_aligned = ((start + header) as u64).is_multiple_of(self.needed.max(1));
        self.alignment.or((!is_aligned).then_some(self.needed))
    }
}

impl Sections {
    /// Reads the sections of a file that can be opened.
    pub(super) fn read(file: &[u8]) -> Result<Self> {
        let module = Module::from_bytes(file.to_vec())?;
        let header = module.tables().bytecode();
        let section = |at: &mlirbc::format::container::Section| {
            let start = at.offset as usize;
            let data = file.get(start..start + at.size as usize).unwrap_or_default().to_vec();
            Section { alignment: at.alignment, ..Section::new(at.id.byte(), data) }
        };
        Ok(Self {
            version: header.version().number().into(),
            producer: header.producer().to_vec(),
            list: header.sections().iter().map(section).collect(),
        })
    }

    pub(super) fn data(&self, id: SectionId) -> &[u8] {
        self.list.iter().find(|section| section.id == id.byte()).map_or(&[], |section| &section.data)
    }

    /// Replaces the data of a section, or adds the section.
    pub(super) fn set(&mut self, id: SectionId, data: Vec<u8>) {
        match self.list.iter_mut().find(|section| section.id == id.byte()) {
            Some(section) => section.data = data,
            None => self.list.push(Section::new(id.byte(), data)),
        }
    }

    /// Returns the bytes before the sections.
    pub(super) fn head(&self) -> Vec<u8> {
        let mut head = ByteSink::new();
        head.bytes(MAGIC);
        head.varint(self.version);
        head.zero_terminated(&self.producer);
        head.into_bytes()
    }

    /// Returns the file.
    pub(super) fn join(&self) -> Vec<u8> {
        self.join_with_places().0
    }

    /// Returns the file, and for each section the positions of its header and of its data.
    pub(super) fn join_with_places(&self) -> (Vec<u8>, Vec<(usize, usize)>) {
        let mut file = self.head();
        let mut places = Vec::with_capacity(self.list.len());
        for section in &self.list {
            let header = file.len();
            let alignment = section.alignment_at(header);
            file.push(section.id | if alignment.is_some() { ALIGNED } else { 0 });
            VarInt(section.data.len() as u64).write(&mut file);
            if let Some(alignment) = alignment {
                VarInt(alignment).write(&mut file);
                while alignment.is_power_of_two() && !(file.len() as u64).is_multiple_of(alignment) {
                    file.push(PADDING);
                }
            }
            places.push((header, file.len()));
            file.extend_from_slice(&section.data);
        }
        (file, places)
    }
}

/// Returns a cursor over the data of a section.
pub(super) fn cursor(data: &[u8]) -> Cursor<'_> {
    Cursor::new(data, 0, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_join_to_the_file() {
        let file = mlirbc::doc_example();
        assert_eq!(Sections::read(&file).unwrap().join(), file);
    }
}
