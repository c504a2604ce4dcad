//! Mutations that keep the framing of a file valid.
//!
//! Most blind mutations make a section longer or shorter than its header states, and the reader stops there.
//! [`framed`] edits a few bytes in one section, or in the regions of one isolated operation, and corrects the sizes of
//! everything around them.

use std::ops::Range;

use mlirbc::Module;
use mlirbc::cursor::Cursor;
use mlirbc::format::ir::{IsolatedRegions, OpSink};
use mlirbc::section::SectionId;
use mlirbc::varint::VarInt;

/// Reproducible pseudo-random numbers (xorshift).
#[derive(Debug, Clone)]
pub struct Noise(u64);

impl Noise {
    /// The sequence of this seed.
    pub fn new(seed: u64) -> Self {
        // Consecutive seeds must not give similar sequences, and the state 0 would never change.
        Self((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).max(1))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((self.bits() >> 11) % bound as u64) as usize
    }
}

/// Where a section's size is written, and where its data lies; positions in the file.
#[derive(Debug, Clone)]
struct Frame {
    is_ir: bool,
    size: Range<usize>,
    data: Range<usize>,
}

/// A kind of change that [`edit`] makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// A varint at which something may change replaces up to two bytes.
    Number,
    /// One byte is inserted.
    Insertion,
    /// The end is removed.
    Truncation,
    /// The start is repeated at the end.
    Repetition,
    /// One bit is inverted.
    Bit,
}

impl Change {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Number, Self::Insertion, Self::Truncation, Self::Repetition, Self::Bit];
}

/// Edits a few bytes of one section with `edit` and corrects all sizes; false if `file` has no sections.
pub fn framed(file: &mut Vec<u8>, noise: &mut Noise, edit: impl FnOnce(&mut Vec<u8>, &mut Noise)) -> bool {
    let outer = sections(file);
    if outer.is_empty() {
        return false;
    }
    let mut frames = outer.clone();
    frames.extend(region_sections(file));
    let mut targets: Vec<&Frame> = frames.iter().collect();
    match noise.below(3) {
        0 => targets.truncate(outer.len()),
        1 if targets.iter().any(|frame| frame.is_ir) => targets.retain(|frame| frame.is_ir),
        _ => {}
    }
    let target = targets[noise.below(targets.len())];
    let start = target.data.start + noise.below(target.data.len() + 1);
    let end = (start + noise.below(17)).min(target.data.end);
    let mut piece = file[start..end].to_vec();
    edit(&mut piece, noise);

    let mut grown = piece.len() as i64 - (end - start) as i64;
    file.splice(start..end, piece);
    // Inner sections come after outer ones, and their headers after those.
    for frame in frames.iter().rev() {
        if frame.data.start <= start && end <= frame.data.end {
            let mut size = Vec::new();
            VarInt((frame.data.len() as i64 + grown) as u64).write(&mut size);
            grown += size.len() as i64 - frame.size.len() as i64;
            file.splice(frame.size.clone(), size);
        }
    }
    true
}

/// Makes a small random change to a few bytes; returns its kind.
pub fn edit(piece: &mut Vec<u8>, noise: &mut Noise) -> Change {
    let position = noise.below(piece.len() + 1);
    match noise.below(6) {
        0 | 1 => {
            let mut number = Vec::new();
            VarInt(interesting(noise)).write(&mut number);
            let end = (position + noise.below(3)).min(piece.len());
            piece.splice(position..end, number);
            Change::Number
        }
        2 => {
            piece.insert(position, noise.bits() as u8);
            Change::Insertion
        }
        3 => {
            piece.truncate(position);
            Change::Truncation
        }
        4 => {
            let copy = piece[..position].to_vec();
            piece.extend(copy);
            Change::Repetition
        }
        _ => {
            match piece.get_mut(position) {
                Some(byte) => *byte ^= 1 << noise.below(8),
                None => piece.push(1),
            }
            Change::Bit
        }
    }
}

/// The mutator of the entry point, which can call `fuzz`, libFuzzer's own: one mutation in four is libFuzzer's and
/// blind, the others keep the framing.
pub fn custom(
    data: &mut [u8],
    size: usize,
    max_size: usize,
    seed: u32,
    fuzz: fn(&mut [u8], usize, usize) -> usize,
) -> usize {
    let mut noise = Noise::new(seed.into());
    if noise.below(4) == 0 {
        return fuzz(data, size, max_size);
    }
    let mut file = data[..size].to_vec();
    let is_changed = framed(&mut file, &mut noise, |piece, noise| {
        if noise.below(2) == 0 {
            edit(piece, noise);
            return;
        }
        let len = piece.len();
        piece.resize(len + 16, 0);
        let len = fuzz(piece, len, len + 16);
        piece.truncate(len);
    });
    if !is_changed || file.len() > max_size {
        return fuzz(data, size, max_size);
    }
    data[..file.len()].copy_from_slice(&file);
    file.len()
}

// Numbers at which a reader may behave differently: small ones, powers of two, and the largest.
fn interesting(noise: &mut Noise) -> u64 {
    match noise.below(4) {
        0 => noise.below(16) as u64,
        1 => noise.below(300) as u64,
        2 => (1u64 << noise.below(64)).wrapping_sub(noise.below(3) as u64),
        _ => u64::MAX - noise.below(2) as u64,
    }
}

// The sections of the file as far as they are well-formed.
fn sections(file: &[u8]) -> Vec<Frame> {
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
        let size = cursor.position() + 1;
        let Ok(frame) = cursor.section_frame() else {
            break;
        };
        let size_end = size + VarInt::len_from_first_byte(file[size]);
        let is_ir = frame.id == SectionId::Ir.byte();
        frames.push(Frame { is_ir, size: size..size_end, data: frame.start..frame.end });
        cursor.seek(frame.end);
    }
    frames
}

// The sections of isolated regions, outer ones first.
fn region_sections(file: &[u8]) -> Vec<Frame> {
    #[derive(Default)]
    struct Found(Vec<Range<usize>>);
    impl OpSink for Found {
        fn enter(&mut self, regions: IsolatedRegions) -> bool {
            self.0.push(regions.range);
            true
        }
    }
    let mut found = Found::default();
    let Ok(module) = Module::from_bytes(file.to_vec()) else {
        return Vec::new();
    };
    let Some(ir) = module.bytecode().section(SectionId::Ir) else {
        return Vec::new();
    };
    // Everything found before an error is used.
    let _ = module.stream(&mut found);
    let place =
        |range: Range<usize>| {
            let data = range.start + ir.offset as usize..range.end + ir.offset as usize;
            // The header is an id and a size; a section with an alignment is not edited.
            (1..=9).find_map(|len| {
                let size = data.start.checked_sub(len)?;
                let stated = VarInt::read(file.get(size..)?);
                let id = *file.get(size.checked_sub(1)?)?;
                (id == SectionId::Ir.byte() && stated == Some((VarInt(data.len() as u64), len)))
                    .then(|| Frame { is_ir: true, size: size..data.start, data: data.clone() })
            })
        };
    found.0.into_iter().filter_map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_right_after_an_edit() {
        let file = mlirbc::doc_example();
        for seed in 0..500 {
            let mut edited = file.clone();
            assert!(framed(&mut edited, &mut Noise::new(seed), |piece, _| piece.extend([1; 200])));
            assert!(edited.len() >= file.len() + 200);
            Module::from_bytes(edited).unwrap();
        }
    }

    #[test]
    fn region_sections_are_found() {
        assert_eq!(sections(&mlirbc::doc_example()).len(), 8);
        let regions = region_sections(&mlirbc::doc_example());
        assert_eq!(regions.len(), 1);
        assert_eq!(regions[0].data.len(), 25);
    }
}
