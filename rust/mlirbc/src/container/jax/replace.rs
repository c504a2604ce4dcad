//! Replaces modules in a JAX export whose other bytes keep their positions.
//!
//! An export with slots that the schema does not have cannot be written from its fields, because an unknown
//! field may be a number or a reference. A module that is not larger therefore replaces the old module in
//! place. A larger module is appended, with zeros in the old place.

use std::ops::Range;

use crate::container::container_pieces::{ContainerPiece, ContainerPieces};
use crate::container::flatbuffer::Flatbuffer;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::order::sort_by;

use super::encode::NewSizes;
use super::read::{Level, slot};

// A module at the end begins at a multiple of this, so that its resources are aligned as in a separate file.
const ALIGNMENT: u64 = 64;

/// Returns the pieces of a file of `end` bytes in which new modules replace the modules of `levels`.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if a module does not fit the offsets, or bytes that are replaced overlap.
pub(super) fn replace(
    file: &mut Flatbuffer,
    end: u64,
    levels: &[Level],
    new: NewSizes<'_>,
) -> Result<ContainerPieces> {
    // Ranges of the file with their replacements.
    let mut changes: Vec<(Range<u64>, Vec<ContainerPiece>)> = Vec::new();
    let mut pieces_at_end = Vec::new();
    let mut size_at_end = end;
    for &(index, size) in new {
        let Some(level) = levels.get(index) else { continue };
        let old = level.offset..level.offset + level.size;
        if size <= level.size {
            let module = [ContainerPiece::Module { index, size }, ContainerPiece::Zeros(level.size - size)];
            changes.push((
                level.vector..level.offset,
                vec![ContainerPiece::Bytes((size as u32).to_le_bytes().to_vec())],
            ));
            changes.push((old, module.to_vec()));
            continue;
        }
        // Finds the field again, because only its table was stored.
        let field = file.field(&level.table, slot::MODULE, 4)?.unwrap_or(level.table.at);
        let place = (size_at_end + 4).next_multiple_of(ALIGNMENT);
        let (Ok(reference), Ok(len)) = (u32::try_from(place - 4 - field), u32::try_from(size)) else {
            let message = format!(
                "a module of {size} bytes does not fit the offsets of the container, which have 32 bits"
            );
            let error = Error::message(ErrorKind::Unsupported, message);
            return Err(error.with_hint("write the module alone, or make it smaller"));
        };
        changes.push((field..field + 4, vec![ContainerPiece::Bytes(reference.to_le_bytes().to_vec())]));
        changes.push((old, vec![ContainerPiece::Zeros(level.size)]));
        pieces_at_end.push(ContainerPiece::Zeros(place - 4 - size_at_end));
        pieces_at_end.push(ContainerPiece::Bytes(len.to_le_bytes().to_vec()));
        pieces_at_end.push(ContainerPiece::Module { index, size });
        size_at_end = place + size;
    }
    sort_by(&mut changes, |a, b| (a.0.start, a.0.end).cmp(&(b.0.start, b.0.end)));
    let mut pieces = ContainerPieces::default();
    let mut position = 0;
    for (range, replacement) in changes {
        if range.start < position {
            let message = "a module of the container overlaps another one, or its references";
            let error = Error::message(ErrorKind::Unsupported, message).at(range.start);
            return Err(error.with_hint("write the module alone"));
        }
        pieces.push(ContainerPiece::Copy(position..range.start));
        replacement.into_iter().for_each(|piece| pieces.push(piece));
        position = range.end;
    }
    pieces.push(ContainerPiece::Copy(position..end));
    pieces_at_end.into_iter().for_each(|piece| pieces.push(piece));
    Ok(pieces)
}
