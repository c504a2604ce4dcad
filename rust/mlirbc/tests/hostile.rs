//! Files with a single defect each: the reported error and its position.
//!
//! `tests/data/hostile/index.json` has a row for each file; `tests/support/hostile.py` writes both.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use mlirbc::error::{ErrorClass, RULES};
use mlirbc::limits::Limits;
use mlirbc::{Error, Module, ReadOptions};
use serde_json::{Map, Value};

use crate::support::data;

fn index() -> Map<String, Value> {
    let text = std::fs::read_to_string(data("hostile/index.json")).unwrap();
    let index: Map<String, Value> = serde_json::from_str(&text).unwrap();
    assert!(index.len() > 300, "the index is short");
    index
}

fn limits(row: &Value) -> Limits {
    let limit = |name: &str| row["limits"][name].as_u64();
    Limits::default()
        .max_depth(limit("max_depth").map_or(Limits::default().max_depth, |depth| depth as u32))
        .max_memory(limit("max_memory"))
}

fn verify(name: &str, row: &Value) -> Result<(), Error> {
    let bytes = std::fs::read(data("hostile").join(name)).unwrap();
    let options = ReadOptions::default().limits(limits(row));
    Module::from_source(bytes.into(), &options)?.verify().map(drop)
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Describes the mismatch between the answer and the expectation, if any.
fn complaint(row: &Value, answer: Result<(), Error>) -> Option<String> {
    let error = match (answer, row["verdict"].as_str()) {
        (Ok(()), Some("accept")) => return None,
        (Ok(()), _) if row["or_accepted"] == true => return None,
        (Ok(()), _) => return Some(format!("accepted, expected {}", row["identifier"])),
        (Err(error), Some("accept")) => {
            return Some(format!("refused: {}: {error}", error.identifier()));
        }
        (Err(error), _) => error,
    };
    let mut expected = strings(&row["or_identifiers"]);
    expected.extend(row["identifier"].as_str());
    if !expected.contains(&error.identifier()) {
        return Some(format!("{}, expected one of {expected:?}: {error}", error.identifier()));
    }
    if let Some(sections) = row["sections"].as_array() {
        let section = error.section().map(|section| section.name());
        if !sections.iter().any(|expected| expected.as_str() == section) {
            return Some(format!("section {section:?}, expected one of {sections:?}: {error}"));
        }
    }
    // Errors of limits need not have an offset.
    if error.class() != ErrorClass::Limit {
        let (first, last) = (row["offset"][0].as_u64().unwrap(), row["offset"][1].as_u64().unwrap());
        if !error.offset().is_some_and(|offset| (first..=last).contains(&offset)) {
            return Some(format!("offset not in {first}..={last}: {error}"));
        }
    }
    None
}

#[test]
fn every_file_is_refused_or_accepted_for_the_right_reason() {
    let index = index();
    let complaints: Vec<_> = index
        .iter()
        .filter_map(|(name, row)| Some(format!("{name}: {}", complaint(row, verify(name, row))?)))
        .collect();
    assert!(complaints.is_empty(), "{} of {}:\n{}", complaints.len(), index.len(), complaints.join("\n"));
}

#[test]
fn every_identifier_of_the_index_is_a_known_one() {
    for (name, row) in index() {
        for identifier in strings(&row["or_identifiers"]).into_iter().chain(row["identifier"].as_str()) {
            let is_known = RULES.iter().any(|rule| rule.identifier == identifier);
            assert!(is_known, "{name}: {identifier}");
        }
    }
}

#[test]
fn the_index_lists_exactly_the_files_there_are() {
    let mut files: Vec<_> = std::fs::read_dir(data("hostile"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "index.json")
        .collect();
    files.sort();
    let mut listed: Vec<_> = index().into_iter().map(|(name, _)| name).collect();
    listed.sort();
    assert_eq!(files, listed);
}
