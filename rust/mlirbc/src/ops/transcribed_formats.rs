//! Formats that MLIR implements in C++, transcribed as elements of declarative formats.
//!
//! The rows are in `data/operations/transcribed.tsv`, which explains itself. Printer and parser interpret
//! them like the formats of definitions, so that neither has code for these operations.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::Value as Json;

const TABLE: &str = include_str!("../../data/operations/transcribed.tsv");

/// The rows by their names, and the rows for names with any end; both in the order of the table.
#[derive(Default)]
struct FormatTable {
    named: HashMap<&'static str, Vec<TranscribedFormat>>,
    with_any_end: Vec<TranscribedFormat>,
}

static FORMATS: LazyLock<FormatTable> = LazyLock::new(|| {
    let mut table = FormatTable::default();
    for row in rows() {
        for name in row.operations.split(' ') {
            match name.ends_with('*') {
                true => table.with_any_end.push(row),
                false => table.named.entry(name).or_default().push(row),
            }
        }
    }
    table
});

/// Returns the elements of the format of an operation in a release; `None` if the table lacks it.
pub(super) fn format_of(release: &str, operation: &str) -> Option<Json> {
    let rows = FORMATS.named.get(operation).into_iter().flatten().chain(&FORMATS.with_any_end);
    let row = rows.filter(|row| row.has(release, operation)).min_by_key(|row| row.place)?;
    serde_json::from_str(row.format).ok()
}

#[derive(Clone, Copy)]
struct TranscribedFormat {
    place: usize,
    operations: &'static str,
    releases: &'static str,
    format: &'static str,
}

impl TranscribedFormat {
    fn has(&self, release: &str, operation: &str) -> bool {
        let is_named = |name: &str| match name.strip_suffix('*') {
            Some(start) => operation.starts_with(start),
            None => operation == name,
        };
        self.releases.split(' ').any(|one| one == release) && self.operations.split(' ').any(is_named)
    }
}

fn rows() -> impl Iterator<Item = TranscribedFormat> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#')).enumerate();
    lines.filter_map(|(place, line)| {
        let mut columns = line.split('\t');
        Some(TranscribedFormat {
            place,
            operations: columns.next()?,
            releases: columns.next()?,
            format: columns.next()?,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::{OperationDefinitions, Syntax};

    #[test]
    fn the_first_row_that_fits_counts() {
        for (release, operation) in
            [("llvm-16", "spirv.AtomicCompareExchange"), ("llvm-16", "spirv.AtomicIAdd")]
        {
            let first = rows().find(|row| row.has(release, operation)).unwrap();
            let format: Json = serde_json::from_str(first.format).unwrap();
            assert_eq!(format_of(release, operation), Some(format), "{operation}");
        }
        assert_eq!(format_of("llvm-22", "arith.addi"), None);
    }

    #[test]
    fn every_row_is_read_and_belongs_to_operations_without_a_format() {
        for row in rows() {
            for release in row.releases.split(' ') {
                let definitions = OperationDefinitions::named(release).unwrap();
                let is_hand_written = |name: &&str| {
                    let definition = definitions.get(name).unwrap();
                    row.has(release, name) && matches!(definition.syntax(), Syntax::HandWritten)
                };
                let names: Vec<_> = definitions.names().filter(is_hand_written).collect();
                assert!(!names.is_empty(), "{} of {release} is not an operation", row.operations);
                for name in names {
                    let definition = definitions.get(name).unwrap();
                    assert!(definition.assembly().is_some(), "{name} of {release}");
                }
            }
        }
    }
}
