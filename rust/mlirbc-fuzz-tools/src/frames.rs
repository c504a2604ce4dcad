//! Positions of the sections of a file, and replacement of bytes in sections with corrected sizes.

use std::ops::Range;

use mlirbc::Module;
use mlirbc::cursor::Cursor;
use mlirbc::format::ir::{IsolatedRegions, OpSink};
use mlirbc::section::SectionId;
use mlirbc::varint::VarInt;

use crate::tables::Payloads;

/// The position of a section, its size field and its data in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionFrame {
    /// The id byte, without the flag for an alignment.
    pub id: u8,
    /// The position of the id byte.
    pub start: usize,
    /// The bytes of the size field.
    pub size: Range<usize>,
    /// The data.
    pub data: Range<usize>,
}

impl SectionFrame {
    /// Whether the section has operations: the IR section, or the section of an isolated operation's regions.
    pub fn is_ir(&self) -> bool {
        self.id == SectionId::Ir.byte()
    }

    /// Returns the range of the whole section, with its header.
    pub fn whole(&self) -> Range<usize> {
        self.start..self.data.end
    }
}

/// Returns the sections of the file, up to the first malformed one.
pub fn sections(file: &[u8]) -> Vec<SectionFrame> {
    let mut frames = Vec::new();
    let mut cursor = Cursor::new(file, 0, None);
    let header = |cursor: &mut Cursor<'_>| {
        cursor.bytes(4)?;
        cursor.varint()?;
        cursor.zero_terminated("the producer").map(drop)
    };
    if header(&mut cursor).is_err() {
        return frames;
    }
    while !cursor.is_at_end() {
        let start = cursor.position();
        let Ok(frame) = cursor.section_frame() else {
            break;
        };
        let size_end = start + 1 + VarInt::len_from_first_byte(file[start + 1]);
        frames.push(SectionFrame {
            id: frame.id,
            start,
            size: start + 1..size_end,
            data: frame.start..frame.end,
        });
        cursor.seek(frame.end);
    }
    frames
}

/// Returns the sections of isolated regions, outer ones first, as far as they can be read.
pub fn region_sections(file: &[u8]) -> Vec<SectionFrame> {
    #[derive(Default)]
    struct RegionRanges(Vec<Range<usize>>);
    impl OpSink for RegionRanges {
        fn enter(&mut self, regions: IsolatedRegions) -> bool {
            self.0.push(regions.range);
            true
        }
    }
    let mut sink = RegionRanges::default();
    let Ok(module) = Module::from_bytes(file.to_vec()) else {
        return Vec::new();
    };
    let Some(ir) = module.tables().bytecode().section(SectionId::Ir) else {
        return Vec::new();
    };
    // Sections before an error are used.
    let _ = module.stream(&mut sink);
    let frame_at = |range: Range<usize>| {
        let data = range.start + ir.offset as usize..range.end + ir.offset as usize;
        // The header is an id and a size; a section with an alignment is skipped.
        (1..=9).find_map(|len| {
            let size = data.start.checked_sub(len)?;
            let stated = VarInt::read(file.get(size..)?);
            let start = size.checked_sub(1)?;
            let id = *file.get(start)?;
            (id == SectionId::Ir.byte() && stated == Some((VarInt(data.len() as u64), len)))
                .then(|| SectionFrame { id, start, size: size..data.start, data: data.clone() })
        })
    };
    sink.0.into_iter().filter_map(frame_at).collect()
}

/// Replaces bytes of the file, and corrects the sizes of the sections around the range and the padding after
/// it.
///
/// `frames` are the sections of the file, outer ones before inner ones; the range must not cut a header.
pub fn replace(file: &mut Vec<u8>, frames: &[SectionFrame], range: Range<usize>, with: &[u8]) {
    let contains = |frame: &SectionFrame| frame.data.start <= range.start && range.end <= frame.data.end;
    let outer = sections(file);
    let around = outer.iter().position(contains).and_then(|at| Some((at, SplitFile::of(file)?)));
    let Some((at, mut pieces)) = around else {
        file.splice(range, with.iter().copied());
        return;
    };
    let section = outer[at].data.clone();
    let is_within = |frame: &&SectionFrame| section.start <= frame.start && frame.data.end <= section.end;
    let mut grown = with.len() as i64 - range.len() as i64;
    let place = |range: &Range<usize>| range.start - section.start..range.end - section.start;
    let data = &mut pieces.sections[at].data;
    data.splice(place(&range), with.iter().copied());
    // Inner sections follow outer ones, so their headers are behind the outer headers.
    for frame in frames.iter().filter(is_within).rev().filter(|frame| contains(frame)) {
        let mut size = Vec::new();
        VarInt((frame.data.len() as i64 + grown) as u64).write(&mut size);
        grown += size.len() as i64 - frame.size.len() as i64;
        data.splice(place(&frame.size), size);
    }
    *file = pieces.join();
}

/// A file in parts: the bytes before its sections, the data of the sections, and the bytes after the last
/// well-formed section.
///
/// When the parts are joined, sections keep their alignment, and sizes and padding match the new data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitFile {
    /// Magic, version and producer.
    pub head: Vec<u8>,
    /// Id, alignment and data of each section.
    pub sections: Vec<SectionData>,
    /// The bytes after the last well-formed section.
    pub tail: Vec<u8>,
}

/// A section without its header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionData {
    /// The id.
    pub id: u8,
    /// The alignment, if the header has one.
    pub alignment: Option<u64>,
    /// The alignment of the data's offset, for resources, whose own padding depends on it; 1 for other
    /// sections.
    pub needed: u64,
    /// The data.
    pub data: Vec<u8>,
}

impl SectionData {
    // Returns the alignment for the header of a section that begins at `start`.
    fn alignment_at(&self, start: usize) -> Option<u64> {
        let data = start + 1 + VarInt(self.data.len() as u64).encoded_len();
        let is_aligned = (data as u64).is_multiple_of(self.needed.max(1));
        self.alignment.or((!is_aligned).then_some(self.needed))
    }
}

impl SplitFile {
    /// Splits a file; `None` if it has no sections.
    pub fn of(file: &[u8]) -> Option<Self> {
        let frames = sections(file);
        let (first, last) = (frames.first()?, frames.last()?);
        let piece = |frame: &SectionFrame| {
            let is_aligned = file[frame.start] & 0x80 != 0;
            let alignment =
                is_aligned.then(|| VarInt::read(&file[frame.size.end..]).map(|(VarInt(value), _)| value));
            let data = file[frame.data.clone()].to_vec();
            SectionData { id: frame.id, alignment: alignment.flatten(), needed: 1, data }
        };
        let mut this = Self {
            head: file[..first.start].to_vec(),
            sections: frames.iter().map(piece).collect(),
            tail: file[last.data.end..].to_vec(),
        };
        let needed = Payloads::resources(&this).map_or(1, |rows| rows.alignment());
        this.sections.iter_mut().filter(|piece| piece.id == SectionId::Resource.byte()).for_each(|piece| {
            piece.needed = needed;
        });
        Some(this)
    }

    /// Returns the data of the first section with this id.
    pub fn section(&self, id: SectionId) -> Option<&[u8]> {
        self.sections.iter().find(|piece| piece.id == id.byte()).map(|piece| &piece.data[..])
    }

    /// Replaces the data of the first section with this id.
    pub fn set_section(&mut self, id: SectionId, data: Vec<u8>) {
        if let Some(piece) = self.sections.iter_mut().find(|piece| piece.id == id.byte()) {
            piece.data = data;
        }
    }

    /// Returns the file.
    pub fn join(&self) -> Vec<u8> {
        let mut file = self.head.clone();
        for piece in &self.sections {
            let alignment = piece.alignment_at(file.len());
            file.push(piece.id | if alignment.is_some() { 0x80 } else { 0 });
            VarInt(piece.data.len() as u64).write(&mut file);
            if let Some(alignment) = alignment {
                VarInt(alignment).write(&mut file);
                // Only powers of two were read as alignments.
                while alignment.is_power_of_two() && !(file.len() as u64).is_multiple_of(alignment) {
                    file.push(PADDING);
                }
            }
            file.extend_from_slice(&piece.data);
        }
        file.extend_from_slice(&self.tail);
        file
    }
}

/// The value of the bytes before aligned data.
pub(crate) const PADDING: u8 = 0xcb;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn region_sections_are_found() {
        assert_eq!(sections(&mlirbc::doc_example()).len(), 8);
        let regions = region_sections(&mlirbc::doc_example());
        assert_eq!(regions.len(), 1);
        assert_eq!(regions[0].data.len(), 25);
    }

    #[test]
    fn pieces_join_to_the_file() {
        let file = mlirbc::doc_example();
        let mut pieces = SplitFile::of(&file).unwrap();
        assert_eq!(pieces.join(), file);
        pieces.sections.remove(0);
        assert_eq!(sections(&pieces.join()).len(), 7);
        assert_eq!(SplitFile::of(b"x"), None);
    }
}
