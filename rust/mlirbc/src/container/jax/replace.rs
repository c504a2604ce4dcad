//! Another module in the place of one in a JAX export.
//!
//! A flatbuffer cannot be shortened or lengthened in the middle without knowing every offset in it, and a later
//! release of JAX may have more of them. So all bytes but the module's keep their places.

use std::io::Write;
use std::ops::Range;

use crate::container::flatbuffer::Flatbuffer;
use crate::wire::bytes::Source;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Limits;

use super::read::{Level, slot};

// A module at the end begins at a multiple of this, so that the resources in it are aligned as in a file of its own.
const ALIGNMENT: u64 = 64;
// The most that is read at once.
const STEP: u64 = 4 << 20;

/// The position of a module after the end, which follows the length of its vector.
fn place_after(end: u64) -> u64 {
    (end + 4).next_multiple_of(ALIGNMENT)
}

/// The size of what [`replace`] writes.
pub(in crate::container) fn size_with(file_size: u64, level: &Level, size: u64) -> u64 {
    if size <= level.size { file_size } else { place_after(file_size) + size }
}

/// Writes `file` with the module of `level` replaced by the `size` bytes that `write` writes.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if the module does not fit a flatbuffer, and errors of the source and the writer.
pub(in crate::container) fn replace(
    file: &Source,
    level: &Level,
    size: u64,
    output: &mut dyn Write,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    let end = file.len();
    let old_end = level.offset + level.size;
    if size <= level.size {
        copy(file, 0..level.vector, output)?;
        put(output, &(size as u32).to_le_bytes())?;
        write(output)?;
        zeros(level.size - size, output)?;
        return copy(file, old_end..end, output);
    }
    // Finds the field again: only its table was kept.
    let mut tables = Flatbuffer::new(file.clone(), Limits::default().budget(end));
    let field = tables.field(&level.table, slot::MODULE, 4)?.unwrap_or(level.table.at);
    let place = place_after(end);
    let (Ok(reference), Ok(len)) = (u32::try_from(place - 4 - field), u32::try_from(size)) else {
        let message =
            format!("a module of {size} bytes does not fit the offsets of the container, which have 32 bits");
        let error = Error::message(ErrorKind::Unsupported, message);
        return Err(error.with_hint("write the module alone, or make it smaller"));
    };
    copy(file, 0..field, output)?;
    put(output, &reference.to_le_bytes())?;
    copy(file, field + 4..level.offset, output)?;
    zeros(level.size, output)?;
    copy(file, old_end..end, output)?;
    zeros(place - 4 - end, output)?;
    put(output, &len.to_le_bytes())?;
    write(output)
}

fn put(output: &mut dyn Write, bytes: &[u8]) -> Result<()> {
    output.write_all(bytes).map_err(|error| Error::io("cannot write the container", error))
}

fn copy(file: &Source, range: Range<u64>, output: &mut dyn Write) -> Result<()> {
    let mut at = range.start;
    while at < range.end {
        let next = range.end.min(at + STEP);
        put(output, &file.get(at..next)?)?;
        at = next;
    }
    file.check()
}

fn zeros(mut count: u64, output: &mut dyn Write) -> Result<()> {
    let block = [0; 4096];
    while count > 0 {
        let part = count.min(block.len() as u64);
        put(output, &block[..part as usize])?;
        count -= part;
    }
    Ok(())
}
