//! The report as JSON.

use serde::Serialize;
use serde_json::{Map, Value, json as value};

use super::outcome::Class;
use super::{FileRecord, Group, Report};

#[derive(Serialize)]
struct Document<'r> {
    version: &'r str,
    limits: &'r str,
    files: usize,
    examined: usize,
    complete: bool,
    readers: Vec<Value>,
    groups: &'r [Group],
    records: &'r [FileRecord],
}

/// Returns the report as one JSON document, with the observations of every reader for every file.
///
/// # Errors
/// None that is known; those of the encoder.
pub fn json(report: &Report, records: &[FileRecord]) -> serde_json::Result<String> {
    let reader = |((name, commands), counts): (&(String, Vec<String>), &super::Counts)| {
        let counts: Map<String, Value> = Class::ALL
            .iter()
            .map(|&class| (class.name().replace(' ', "-"), value!(counts.of(class))))
            .collect();
        value!({ "name": name, "commands": commands, "counts": counts })
    };
    let document = Document {
        version: &report.version,
        limits: &report.limits,
        files: report.total,
        examined: report.examined,
        complete: report.is_complete(),
        readers: report.readers.iter().zip(&report.counts).map(reader).collect(),
        groups: &report.groups,
        records,
    };
    super::document(&document)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_has_counts_and_groups() {
        let text = json(&super::super::groups::tests::report(), &[]).unwrap();
        let document: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(document["readers"][1]["counts"]["crashes"], 3);
        assert_eq!(document["groups"][0]["kind"], "crash");
        assert_eq!(document["complete"], false);
    }
}
