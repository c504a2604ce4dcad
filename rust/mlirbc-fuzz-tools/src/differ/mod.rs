//! Runs several readers on many files, and groups the files about which the readers disagree.
//!
//! Each file goes to each [`Reader`] in a process of its own ([`Session::examine`]). The result of a process
//! is an [`Observation`]. Problems in the observations of one file are [`Finding`]s, and findings with one
//! signature form a [`Group`] of the [`Report`], which is written as HTML, JSON and SARIF. [`state`] records
//! finished files, so that an interrupted run can be resumed.

mod groups;
mod html;
mod json;
mod outcome;
mod reader;
mod reduce;
mod run;
mod sarif;
pub mod signature;
pub mod state;
mod text;

pub use groups::{Case, Counts, Group, Report};
pub use html::html;
pub use json::json;
pub use outcome::{Class, Observation, classify};
pub use reader::{Reader, ReaderError, Stage};
pub use reduce::{ReduceLimits, reduce};
pub use run::{Canonical, Session, examine_all, files_in};
pub use sarif::sarif;

use mlirbc::tool::JsonWriter;
use serde::{Deserialize, Serialize};

/// Returns a value as a JSON document, without characters that control a terminal or an editor.
fn document(value: &impl Serialize) -> serde_json::Result<String> {
    let mut text = JsonWriter::new(Vec::new());
    serde_json::to_writer_pretty(&mut text, value)?;
    Ok(String::from_utf8_lossy(&text.into_inner()).into_owned() + "\n")
}

#[cfg(test)]
mod tests {
    use mlirbc::tool::is_risky;

    use super::*;

    #[test]
    fn no_report_has_a_character_that_shows_nothing() {
        let risky: String = ('\0'..=char::MAX).filter(|&c| is_risky(c)).collect();
        let mut report = groups::tests::report();
        let group = &mut report.groups[0];
        (group.message, group.signature) = (risky.clone(), risky.clone());
        group.files[0].clone_from(&risky);
        group.readers[0].clone_from(&risky);
        report.readers[0].1[0].clone_from(&risky);
        let record: FileRecord = serde_json::from_value(
            serde_json::json!({ "file": risky, "size": 1, "hash": "0", "observations": [], "findings": [] }),
        )
        .unwrap();
        let [page, data, results] =
            [html(&report), json(&report, &[record]).unwrap(), sarif(&report).unwrap()];
        for text in [&page, &data, &results] {
            let risky: Vec<char> =
                text.chars().filter(|&c| is_risky(c) && !matches!(c, '\n' | '\t')).collect();
            assert!(risky.is_empty(), "{risky:?}");
            assert!(text.contains("202e") && text.contains("2066") && text.contains("9b"));
        }
        let data: serde_json::Value = serde_json::from_str(&data).unwrap();
        assert_eq!(data["groups"][0]["message"], *risky);
        let results: serde_json::Value = serde_json::from_str(&results).unwrap();
        let message = results["runs"][0]["results"][0]["message"]["text"].as_str().unwrap();
        assert!(
            message.contains(r"\u{202e}") && !message.contains(|c| is_risky(c) && c != '\n'),
            "{message}"
        );
    }
}

/// The kind of a problem with a file, or with a reader of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A reader crashes.
    Crash,
    /// A reader does not end.
    Hang,
    /// A reader takes more memory than its limit.
    OutOfMemory,
    /// Readers accept a file and print different texts.
    Meaning,
    /// Some readers accept a file that others reject.
    Disagreement,
}

impl Kind {
    /// All kinds, the most serious first.
    pub const ALL: [Self; 5] =
        [Self::Crash, Self::Hang, Self::OutOfMemory, Self::Meaning, Self::Disagreement];

    /// Returns the word for reports and file names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::OutOfMemory => "out-of-memory",
            Self::Meaning => "meaning",
            Self::Disagreement => "disagreement",
        }
    }

    /// Explains the kind in one sentence.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Crash => {
                "A reader ends by a signal, a failed assertion, a panic, or a report of a sanitizer."
            }
            Self::Hang => "A reader does not end within the time.",
            Self::OutOfMemory => "A reader asks for more memory than it may have.",
            Self::Meaning => "Readers accept the file and print different texts.",
            Self::Disagreement => "Some readers accept the file and others reject it.",
        }
    }
}

/// A problem with one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The kind of the problem.
    pub kind: Kind,
    /// The affected readers; readers that accept the file come first.
    pub readers: Vec<String>,
    /// A text that is equal for findings with the same cause, as far as the cause can be seen.
    pub signature: String,
    /// The message for this file.
    pub message: String,
}

/// The observations of all readers for one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// The name as given.
    pub file: String,
    /// The size in bytes.
    pub size: u64,
    /// A hash of the bytes.
    pub hash: String,
    /// The observations, in the order of the readers.
    pub observations: Vec<Observation>,
    /// The problems; empty if there are none.
    pub findings: Vec<Finding>,
}
