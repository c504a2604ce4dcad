//! Removes sections, strings, entries, resources, and bytes of sections, with corrected lengths.
//!
//! Files that cannot be read are shrunk, too: tables that do not parse are left alone.

use std::ops::Range;

use crate::frames::{self, SplitFile};
use crate::tables::{Payloads, Strings};

use super::Search;

/// The size up to which single bytes are removed from a section.
const SMALL: usize = 4096;

pub(super) fn run(search: &mut Search<'_>) {
    if frames::sections(search.best.module()).is_empty() {
        return;
    }
    search.reduce(1, |best| frames::sections(best).len(), without_sections);
    without_producer(search);
    let strings = |best: &[u8]| Strings::read(&SplitFile::of(best)?).map(|strings| strings.0.len());
    search.reduce(1, |best| strings(best).unwrap_or(0), shorter_strings);
    for read in [Payloads::resources, Payloads::entries] {
        let rows = |best: &[u8]| read(&SplitFile::of(best)?).map(|payloads| payloads.rows.len());
        search.reduce(1, |best| rows(best).unwrap_or(0), |best, range| shorter(best, range, read));
    }
    for inner in [false, true] {
        let mut number = 0;
        // The number of sections may fall while bytes are removed.
        while let Some(frame) = data(search.best.module(), inner).get(number).cloned() {
            let size = frame.len();
            let least = if size <= SMALL { 1 } else { size / 1024 };
            search.reduce(
                least,
                |best| data(best, inner).get(number).map_or(0, Range::len),
                |best, range| without_bytes(best, inner, number, range),
            );
            if search.is_stopped() {
                return;
            }
            number += 1;
        }
    }
}

/// Returns the data ranges of all sections, or of the sections of isolated regions.
fn data(file: &[u8], inner: bool) -> Vec<Range<usize>> {
    let frames = if inner { frames::region_sections(file) } else { frames::sections(file) };
    frames.into_iter().map(|frame| frame.data).collect()
}

fn without_bytes(file: &[u8], inner: bool, number: usize, range: Range<usize>) -> Option<Vec<u8>> {
    let mut around = frames::sections(file);
    let start = data(file, inner).get(number)?.start;
    if inner {
        around.extend(frames::region_sections(file));
    }
    let mut file = file.to_vec();
    frames::replace(&mut file, &around, start + range.start..start + range.end, &[]);
    Some(file)
}

fn without_sections(file: &[u8], range: Range<usize>) -> Option<Vec<u8>> {
    let mut pieces = SplitFile::of(file)?;
    pieces.sections.drain(range);
    Some(pieces.join())
}

fn without_producer(search: &mut Search<'_>) {
    let Some(mut pieces) = SplitFile::of(search.best.module()) else { return };
    // The magic number and the version are followed by the producer and its zero byte.
    pieces.head.truncate(5);
    pieces.head.push(0);
    search.attempt(pieces.join());
}

fn shorter_strings(file: &[u8], range: Range<usize>) -> Option<Vec<u8>> {
    let mut pieces = SplitFile::of(file)?;
    let mut strings = Strings::read(&pieces)?;
    strings.0.get_mut(range)?.iter_mut().for_each(|string| string.bytes.clear());
    strings.write(&mut pieces);
    Some(pieces.join())
}

// Rows are emptied and not removed, so that indices of other rows stay valid.
fn shorter(file: &[u8], range: Range<usize>, read: fn(&SplitFile) -> Option<Payloads>) -> Option<Vec<u8>> {
    let mut pieces = SplitFile::of(file)?;
    let mut payloads = read(&pieces)?;
    payloads.rows.get_mut(range)?.iter_mut().for_each(|row| row.bytes.clear());
    payloads.write(&mut pieces);
    Some(pieces.join())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_entries_get_shorter() {
        let file = mlirbc::doc_example();
        let short = shorter_strings(&file, 0..2).unwrap();
        assert_eq!(short.len(), file.len() - "builtint".len());
        let short = shorter(&file, 1..5, Payloads::entries).unwrap();
        let rows = Payloads::entries(&SplitFile::of(&short).unwrap()).unwrap().rows;
        assert_eq!(rows.iter().filter(|row| row.bytes.is_empty()).count(), 4);
    }

    #[test]
    fn a_section_within_a_section_shrinks() {
        let file = mlirbc::doc_example();
        let short = without_bytes(&file, true, 0, 5..25).unwrap();
        assert_eq!(short.len(), file.len() - 20);
        assert_eq!(frames::sections(&short).len(), 8);
    }
}
