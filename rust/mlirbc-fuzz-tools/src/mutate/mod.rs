//! Mutations that know the format.
//!
//! Most blind mutations make some section longer or shorter than its header says, and the reader stops right
//! there. [`framed`] edits a few bytes inside one section, or inside the regions of one isolated op, and
//! corrects the sizes around them and the padding after them. [`mutate`] chooses among mutations of sections,
//! entries, operations, properties, resources, use-list orders and versions; [`cross_over`] makes one file of
//! two.

mod modules;
mod splice;
mod tables;

use mlirbc::varint::VarInt;

use crate::frames::{self, SectionFrame, region_sections, sections};
pub use crate::noise::Noise;

pub use splice::cross_over;

/// A kind of mutation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mutation {
    /// Drops, repeats or exchanges sections, or changes their alignment.
    Section,
    /// Changes a number or a few bytes of a section, see [`framed`].
    Number,
    /// Changes a string, or the encoding of an attribute or a type.
    Entry,
    /// Erases, copies or moves an operation, or changes its operands, types, attributes or successors.
    Operation,
    /// Changes the property bytes of an operation.
    Property,
    /// Changes the payload of a resource.
    Resource,
    /// Changes the order of the uses of a value.
    UseList,
    /// Changes the version of the bytecode or of a dialect.
    Version,
    /// Puts operations or a section of another file into it.
    Splice,
    /// Changes bytes, whatever they mean.
    Byte,
}

impl Mutation {
    /// All kinds.
    pub const ALL: [Self; 10] = [
        Self::Section,
        Self::Number,
        Self::Entry,
        Self::Operation,
        Self::Property,
        Self::Resource,
        Self::UseList,
        Self::Version,
        Self::Splice,
        Self::Byte,
    ];

    /// Returns the name of the mutation.
    pub fn name(self) -> &'static str {
        match self {
            Self::Section => "section",
            Self::Number => "number",
            Self::Entry => "entry",
            Self::Operation => "operation",
            Self::Property => "property",
            Self::Resource => "resource",
            Self::UseList => "use-list",
            Self::Version => "version",
            Self::Splice => "splice",
            Self::Byte => "byte",
        }
    }
}

/// Changes a file by one kind of mutation; `None` if the mutation does not apply to the file, or would not
/// change it.
///
/// `other` is a file for [`Mutation::Splice`].
///
/// ```
/// use mlirbc_fuzz_tools::mutate::{Mutation, mutate};
/// use mlirbc_fuzz_tools::noise::Noise;
/// let file = mlirbc::doc_example();
/// let mut seeds = (0..20).map(Noise::new);
/// let changed = seeds.find_map(|mut noise| mutate(&file, &file, Mutation::Operation, &mut noise)).expect("it has operations");
/// assert!(mlirbc::Module::from_bytes(changed).is_ok());
/// assert_eq!(mutate(&file, &file, Mutation::Resource, &mut Noise::new(1)), None);
/// ```
pub fn mutate(file: &[u8], other: &[u8], kind: Mutation, noise: &mut Noise) -> Option<Vec<u8>> {
    let changed = match kind {
        Mutation::Section => tables::section(file, noise),
        Mutation::Number => {
            let mut changed = file.to_vec();
            framed(&mut changed, noise, |piece, noise| {
                edit(piece, noise);
            })
            .then_some(changed)
        }
        Mutation::Entry => tables::entry(file, noise),
        Mutation::Operation => modules::operation(file, noise),
        // An editor refuses properties that do not have the layout of the operation.
        Mutation::Property if noise.below(3) == 0 => modules::property(file, noise),
        Mutation::Property => tables::property(file, noise),
        Mutation::Resource => tables::resource(file, noise),
        Mutation::UseList => modules::use_list(file, noise),
        Mutation::Version => modules::version(file, noise),
        Mutation::Splice => cross_over(file, other, noise),
        Mutation::Byte => {
            let start = noise.below(file.len() + 1);
            let end = (start + noise.below(17)).min(file.len());
            let mut piece = file[start..end].to_vec();
            edit(&mut piece, noise);
            Some([&file[..start], &piece, &file[end..]].concat())
        }
    };
    changed.filter(|changed| changed != file)
}

/// The number of attempts with a mutation that may have no effect.
const ATTEMPTS: usize = 20;

/// Draws one of `files` and changes it `changes` times by one of `kinds`, or by [`Mutation::Byte`] if no kind
/// has an effect; returns the last kind.
pub fn mutate_file(
    files: &[&[u8]],
    kinds: &[Mutation],
    changes: u32,
    noise: &mut Noise,
) -> (Vec<u8>, Mutation) {
    let mut file = noise.pick(files).map_or(Vec::new(), |file| file.to_vec());
    let mut last = Mutation::Byte;
    for _ in 0..changes {
        let splice_source = noise.pick(files).copied().unwrap_or_default();
        let changed = (0..ATTEMPTS).find_map(|_| {
            let kind = *noise.pick(kinds)?;
            Some((mutate(&file, splice_source, kind, noise)?, kind))
        });
        let bytes = |noise: &mut Noise| mutate(&file, splice_source, Mutation::Byte, noise);
        let changed = changed.or_else(|| Some(((0..ATTEMPTS).find_map(|_| bytes(noise))?, Mutation::Byte)));
        if let Some((changed, kind)) = changed {
            (file, last) = (changed, kind);
        }
    }
    (file, last)
}

/// Edits a few bytes of one section with `edit` and corrects all sizes; false if `file` has no sections.
pub fn framed(file: &mut Vec<u8>, noise: &mut Noise, edit: impl FnOnce(&mut Vec<u8>, &mut Noise)) -> bool {
    let outer = sections(file);
    if outer.is_empty() {
        return false;
    }
    let mut frames = outer.clone();
    frames.extend(region_sections(file));
    let mut targets: Vec<&SectionFrame> = frames.iter().collect();
    match noise.below(3) {
        0 => targets.truncate(outer.len()),
        1 if targets.iter().any(|frame| frame.is_ir()) => targets.retain(|frame| frame.is_ir()),
        _ => {}
    }
    let target = targets[noise.below(targets.len())];
    let start = target.data.start + noise.below(target.data.len() + 1);
    let end = (start + noise.below(17)).min(target.data.end);
    let mut piece = file[start..end].to_vec();
    edit(&mut piece, noise);

    frames::replace(file, &frames, start..end, &piece);
    true
}

/// A kind of change that [`edit`] makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// A boundary number, encoded as a varint, replaces up to two bytes.
    Number,
    /// A byte is inserted.
    Insertion,
    /// The end is removed.
    Truncation,
    /// The start is repeated at the end.
    Repetition,
    /// A bit is inverted.
    Bit,
}

impl Change {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Number, Self::Insertion, Self::Truncation, Self::Repetition, Self::Bit];
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

/// The custom mutator of libFuzzer. `fuzz` calls libFuzzer's own mutator: one mutation in four is libFuzzer's
/// blind one, one in four is a [`Mutation`], and the others keep the framing.
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
    if noise.below(3) == 0 {
        let (bytes, _) = mutate_file(&[&data[..size]], &Mutation::ALL, 1, &mut noise);
        if bytes.len() <= max_size {
            data[..bytes.len()].copy_from_slice(&bytes);
            return bytes.len();
        }
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

/// The custom crossover of libFuzzer: combines two files, writes the result to `out`, and returns its size; 0
/// if it would be too long.
pub fn custom_cross_over(one: &[u8], other: &[u8], out: &mut [u8], seed: u32) -> usize {
    let combined = cross_over(one, other, &mut Noise::new(seed.into())).unwrap_or_default();
    match out.get_mut(..combined.len()) {
        Some(place) => {
            place.copy_from_slice(&combined);
            combined.len()
        }
        None => 0,
    }
}

// Returns a boundary number, with or without a flag in the lowest bit.
fn interesting(noise: &mut Noise) -> u64 {
    match noise.below(4) {
        0 => noise.below(16) as u64,
        1 => noise.below(300) as u64,
        2 => (1u64 << noise.below(64)).wrapping_sub(noise.below(3) as u64),
        _ => u64::MAX - noise.below(2) as u64,
    }
}

#[cfg(test)]
mod tests {
    use mlirbc::Module;

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

    const TEXT: &str = "module attributes {a.k = dense_resource<blob> : tensor<2xi8>} {
      func.func @f(%a: i32) -> i32 {
        %0 = arith.addi %a, %a : i32
        %1 = arith.muli %0, %a overflow<nsw> : i32
        \"t.op\"(%0, %0, %1)[^bb1] ({ \"t.in\"() : () -> () }) {x = \"y\"} : (i32, i32, i32) -> ()
      ^bb1:
        return %1 : i32
      }
    }
    {-# dialect_resources: { builtin: { blob: \"0x080000000102\" } } #-}";

    fn sample() -> Vec<u8> {
        mlirbc::parse::assemble(TEXT.as_bytes(), &mlirbc::parse::ParseOptions::default()).unwrap()
    }

    #[test]
    fn every_kind_changes_a_module_that_has_everything() {
        let file = sample();
        for kind in Mutation::ALL {
            let changed =
                (0..100).filter(|&seed| mutate(&file, &file, kind, &mut Noise::new(seed)).is_some());
            assert!(changed.count() > 20, "{}", kind.name());
        }
    }

    #[test]
    fn mutations_of_the_module_can_be_opened() {
        let file = sample();
        for kind in [Mutation::Operation, Mutation::Property, Mutation::UseList] {
            for seed in 0..100 {
                let Some(changed) = mutate(&file, &file, kind, &mut Noise::new(seed)) else { continue };
                let module = Module::from_bytes(changed).unwrap();
                assert!(module.op_counts().is_ok(), "{} {seed}", kind.name());
            }
        }
    }

    #[test]
    fn anything_is_a_file() {
        let file = sample();
        let files: [&[u8]; 5] = [&[], b"ML\xefR", b"text", &file[..file.len() / 2], &file];
        for seed in 0..300 {
            let changed = mutate_file(&files, &Mutation::ALL, 3, &mut Noise::new(seed));
            assert_eq!(changed, mutate_file(&files, &Mutation::ALL, 3, &mut Noise::new(seed)));
        }
    }
}
