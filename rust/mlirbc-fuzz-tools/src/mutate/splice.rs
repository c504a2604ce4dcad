//! Combines two files.

use mlirbc::edit::{CloneOptions, EditBlock, EditOp, InsertionPoint};

use crate::frames::SplitFile;

use super::Noise;
use super::modules::{ModuleParts, open, written};

/// Puts operations of `other` into `file`, or replaces a section of `file` by the section of `other`; `None`
/// if the files are too damaged.
///
/// ```
/// use mlirbc_fuzz_tools::mutate::cross_over;
/// use mlirbc_fuzz_tools::noise::Noise;
/// let file = mlirbc::doc_example();
/// assert!(cross_over(&file, &file, &mut Noise::new(3)).is_some());
/// assert!(cross_over(b"text", b"text", &mut Noise::new(3)).is_none());
/// ```
pub fn cross_over(file: &[u8], other: &[u8], noise: &mut Noise) -> Option<Vec<u8>> {
    let by_operations = noise.below(3) > 0;
    let first = if by_operations { operations(file, other, noise) } else { section(file, other, noise) };
    first.or_else(|| section(file, other, noise))
}

fn operations(file: &[u8], other: &[u8], noise: &mut Noise) -> Option<Vec<u8>> {
    let (mut editor, mut source) = (open(file)?, open(other)?);
    let (to, from) = (ModuleParts::of(&mut editor), ModuleParts::of(&mut source));
    let block: EditBlock = *noise.pick(&to.blocks)?;
    let mut count = 0;
    for _ in 0..=noise.below(3) {
        let op: EditOp = *noise.pick(&from.ops)?;
        let mut options = CloneOptions::default().drop_unsupported(true);
        // Values and blocks from outside of the clone are replaced by random ones of the target.
        for value in from.values.iter().filter(|_| !to.values.is_empty()) {
            options.values.insert(*value, *noise.pick(&to.values)?);
        }
        for successor in &from.blocks {
            options.blocks.insert(*successor, *noise.pick(&to.blocks)?);
        }
        let place = match noise.below(2) {
            0 => InsertionPoint::AtBegin(block),
            _ => InsertionPoint::AtEnd(block),
        };
        count += u32::from(editor.clone_op_from(&mut source, op, Some(place), &options).is_ok());
    }
    if count == 0 { None } else { written(&mut editor) }
}

fn section(file: &[u8], other: &[u8], noise: &mut Noise) -> Option<Vec<u8>> {
    let (mut pieces, source) = (SplitFile::of(file)?, SplitFile::of(other)?);
    let from = noise.pick(&source.sections)?;
    match pieces.sections.iter_mut().find(|piece| piece.id == from.id) {
        Some(piece) => *piece = from.clone(),
        None => pieces.sections.push(from.clone()),
    }
    Some(pieces.join())
}
