//! Files that exceed the limits of [`options`](super::BrokenModule::options).

use mlirbc::Result;
use mlirbc::limits::Limits;

use crate::draws::Draws;

use super::artifact;
use super::check::Check;
use super::original::{Original, code, encoding};
use super::tables::Dialect;

const DEPTH: u32 = 200;

/// Returns the default limits.
pub(super) fn usual(_: &Original<'_>) -> Result<Limits> {
    Ok(Limits::default())
}

pub(super) fn of_depth(_: &Original<'_>) -> Result<Limits> {
    Ok(Limits::default().max_depth(DEPTH))
}

/// Nests arrays deeper than the limit.
pub(super) fn depth(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    nested(original, DEPTH as usize + draws.below(100), 1)
}

/// Nests `count` arrays, each of which contains its inner array `times` times, and puts the outermost array
/// into the prepared one.
fn nested(original: &Original<'_>, count: usize, times: usize) -> Result<Vec<u8>> {
    let mut tables = original.tables()?;
    let place = tables.prepared()?;
    let mut inner = tables.push_array(&[]);
    for _ in 0..count {
        inner = tables.push_array(&vec![inner; times]);
    }
    if let Some(entry) = tables.attributes.get_mut(place) {
        entry.data = encoding(&[code::ARRAY, 1, inner]);
    }
    Ok(tables.join())
}

pub(super) fn of_memory(original: &Original<'_>) -> Result<Limits> {
    Ok(Limits::default().max_memory(Some(memory(original))))
}

fn memory(original: &Original<'_>) -> u64 {
    (1 << 17) + 32 * original.bytes.len() as u64
}

/// Adds dialects, which take more memory than bytes in the file.
pub(super) fn many(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut tables = original.tables()?;
    let count = memory(original) / 16 + draws.below(1000) as u64;
    tables.dialects.extend((0..count).map(|_| Dialect { name: 0, version: None }));
    Ok(tables.join())
}

pub(super) fn of_text(original: &Original<'_>) -> Result<Limits> {
    Ok(Limits::default().max_text(Some(text(original)?)))
}

fn text(original: &Original<'_>) -> Result<u64> {
    Ok(Check::text(&original.module()?)?.len() as u64 + 1000)
}

/// Nests arrays that contain their inner array twice, so that the text of the outermost array is longer than
/// the limit.
pub(super) fn long_text(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    nested(original, text(original)?.ilog2() as usize + 1 + draws.below(4), 2)
}

pub(super) fn of_decompression(original: &Original<'_>) -> Result<Limits> {
    // The blocks of the compressed original have the size of the original, and the file has no bytes outside
    // of its frame.
    Ok(Limits::default().max_decompressed(Some(original.bytes.len() as u64)))
}

/// Compresses a module with a resource that is larger than the limit.
pub(super) fn decompressed(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let larger = vec![0; original.bytes.len() + 1 + draws.below(10_000)];
    artifact::recompressed(original, &larger)
}
