//! The report as SARIF 2.1.0, which code hosts show.

use std::fmt::Write;

use mlirbc::tool::printable;
use serde_json::{Value, json};

use super::{Group, Kind, Report};

/// Returns the report as one SARIF document: a rule for each kind, a result for each group.
///
/// # Errors
/// None that is known; those of the encoder.
pub fn sarif(report: &Report) -> serde_json::Result<String> {
    let rules: Vec<Value> = Kind::ALL
        .iter()
        .map(|kind| {
            json!({
                "id": kind.name(),
                "shortDescription": { "text": kind.explanation() },
                "defaultConfiguration": { "level": level(*kind) },
            })
        })
        .collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "mlirbc diff-test",
                "version": report.version,
                "rules": rules,
            } },
            "invocations": [{ "executionSuccessful": report.is_complete() }],
            "results": report.groups.iter().map(result).collect::<Vec<_>>(),
        }],
    });
    super::document(&document)
}

fn level(kind: Kind) -> &'static str {
    match kind {
        Kind::Crash | Kind::Hang | Kind::OutOfMemory => "error",
        Kind::Meaning | Kind::Disagreement => "warning",
    }
}

fn result(group: &Group) -> Value {
    let index = Kind::ALL.iter().position(|&kind| kind == group.kind);
    // A host shows the text unchanged; a line end stays a line end.
    let text = format!("{}: {}", group.readers.join(", "), group.message);
    let text = text.split('\n').map(printable).collect::<Vec<_>>().join("\n");
    // A host shows a few locations; the JSON report has all files.
    let locations: Vec<Value> = group
        .files
        .iter()
        .take(10)
        .map(|file| json!({ "physicalLocation": { "artifactLocation": { "uri": uri(file) } } }))
        .collect();
    json!({
        "ruleId": group.kind.name(),
        "ruleIndex": index,
        "level": level(group.kind),
        "message": { "text": text },
        "locations": locations,
        "partialFingerprints": { "signature/v1": group.id },
        "occurrenceCount": group.files.len(),
    })
}

/// Returns a path as a URI reference, with reserved characters escaped.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(byte))
            }
            // Writing to a string does not fail.
            _ => drop(write!(uri, "%{byte:02X}")),
        }
    }
    if path.starts_with('/') { format!("file://{uri}") } else { uri }
}

#[cfg(test)]
mod tests {
    use super::*;

    // The properties that the schema of SARIF 2.1.0 requires, and the types and values of all properties in
    // use.
    #[test]
    fn the_document_is_what_the_schema_requires() {
        let report = super::super::groups::tests::report();
        let document: Value = serde_json::from_str(&sarif(&report).unwrap()).unwrap();
        assert_eq!(document["version"], "2.1.0");
        let runs = document["runs"].as_array().unwrap();
        let driver = &runs[0]["tool"]["driver"];
        assert!(driver["name"].is_string());
        let rules = driver["rules"].as_array().unwrap();
        let ids: Vec<&str> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
        assert!(rules.iter().all(|rule| rule["shortDescription"]["text"].is_string()));
        for invocation in runs[0]["invocations"].as_array().unwrap() {
            assert!(invocation["executionSuccessful"].is_boolean());
        }
        let results = runs[0]["results"].as_array().unwrap();
        assert_eq!(results.len(), report.groups.len());
        for result in results {
            assert!(result["message"]["text"].is_string());
            assert!(["none", "note", "warning", "error"].contains(&result["level"].as_str().unwrap()));
            assert_eq!(
                ids[result["ruleIndex"].as_u64().unwrap() as usize],
                result["ruleId"].as_str().unwrap()
            );
            assert!(result["occurrenceCount"].as_u64().unwrap() >= 1);
            assert!(result["partialFingerprints"].as_object().unwrap().values().all(Value::is_string));
            for location in result["locations"].as_array().unwrap() {
                assert!(location["physicalLocation"]["artifactLocation"]["uri"].is_string());
            }
        }
    }

    #[test]
    fn paths_are_escaped() {
        assert_eq!(uri("a b/c#d%.mlirbc"), "a%20b/c%23d%25.mlirbc");
        assert_eq!(uri("/tmp/é"), "file:///tmp/%C3%A9");
    }
}
