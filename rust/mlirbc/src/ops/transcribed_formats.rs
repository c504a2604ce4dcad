//! Formats that MLIR implements in C++, transcribed as elements of declarative formats.
//!
//! The rows are in `data/operations/transcribed.tsv`, which explains itself. Printer and parser interpret
//! them like the formats of definitions, so that neither has code for these operations.

use serde_json::Value as Json;

const TABLE: &str = include_str!("../../data/operations/transcribed.tsv");

/// Returns the elements of the format of an operation in a release; `None` if the table lacks it.
pub(super) fn format_of(release: &str, operation: &str) -> Option<Json> {
    let row = rows().find(|row| row.has(release, operation))?;
    serde_json::from_str(row.format).ok()
}

struct TranscribedFormat {
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
        self.operations.split(' ').any(is_named) && self.releases.split(' ').any(|one| one == release)
    }
}

fn rows() -> impl Iterator<Item = TranscribedFormat> {
    TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut columns = line.split('\t');
        Some(TranscribedFormat {
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
    fn every_row_is_read_and_belongs_to_operations_without_a_format() {
        for row in rows() {
            for release in row.releases.split(' ') {
                let definitions = OperationDefinitions::of(release).unwrap();
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
