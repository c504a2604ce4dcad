//! Groups of findings with one signature, and the counts of a run.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::process::hash;

use super::outcome::Class;
use super::{FileRecord, Kind};

/// Findings with the same kind, readers and signature.
#[derive(Debug, Clone, Serialize)]
pub struct Group {
    /// The kind and a hash of readers and signature: the same in every run.
    pub id: String,
    /// The kind of the findings.
    pub kind: Kind,
    /// The affected readers; readers that accept the file come first.
    pub readers: Vec<String>,
    /// The signature that all findings share.
    pub signature: String,
    /// The message for the smallest file.
    pub message: String,
    /// All files, the smallest first.
    pub files: Vec<String>,
    /// The size of the smallest file in bytes.
    pub size: u64,
    /// The copy of the smallest file in the folder of the report, shrunk if that was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case: Option<Case>,
}

/// A file in the folder of the report that shows the finding of a group.
#[derive(Debug, Clone, Serialize)]
pub struct Case {
    /// The name, relative to the folder.
    pub file: String,
    /// The size in bytes.
    pub size: u64,
}

/// The number of runs of a reader that ended in each class, in the order of [`Class::ALL`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts([u64; Class::ALL.len()]);

impl Counts {
    /// Returns the count of a class.
    pub fn of(&self, class: Class) -> u64 {
        Class::ALL.iter().position(|&one| one == class).map_or(0, |index| self.0[index])
    }

    fn add(&mut self, class: Class) {
        if let Some(index) = Class::ALL.iter().position(|&one| one == class) {
            self.0[index] += 1;
        }
    }
}

/// The results of a run.
#[derive(Debug, Clone)]
pub struct Report {
    /// The readers: names and commands.
    pub readers: Vec<(String, Vec<String>)>,
    /// The counts of each reader.
    pub counts: Vec<Counts>,
    /// The number of files that were examined.
    pub examined: usize,
    /// The number of files that were requested.
    pub total: usize,
    /// The groups: the most serious kind first, then the groups with the most files.
    pub groups: Vec<Group>,
    /// The limits as text.
    pub limits: String,
    /// The version of mlirbc.
    pub version: String,
}

impl Report {
    /// Groups the findings of all records.
    pub fn new(readers: Vec<(String, Vec<String>)>, records: &[FileRecord], total: usize) -> Self {
        let mut counts = vec![Counts::default(); readers.len()];
        let mut groups: BTreeMap<Key, Vec<(u64, &str, &str)>> = BTreeMap::new();
        for record in records {
            for (count, observation) in counts.iter_mut().zip(&record.observations) {
                count.add(observation.class);
            }
            for finding in &record.findings {
                let key = (finding.kind, finding.readers.clone(), finding.signature.clone());
                groups.entry(key).or_default().push((record.size, &record.file, &finding.message));
            }
        }
        let mut groups: Vec<Group> = groups
            .into_iter()
            .filter_map(|((kind, readers, signature), mut rows)| {
                rows.sort_unstable();
                let &(size, _, message) = rows.first()?;
                Some(Group {
                    id: group_id(kind, &readers, &signature),
                    kind,
                    readers,
                    signature,
                    message: message.to_owned(),
                    files: rows.iter().map(|row| row.1.to_owned()).collect(),
                    size,
                    case: None,
                })
            })
            .collect();
        groups.sort_by(|a, b| (a.kind, b.files.len(), &a.id).cmp(&(b.kind, a.files.len(), &b.id)));
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Self { readers, counts, examined: records.len(), total, groups, limits: String::new(), version }
    }

    /// Whether all files were examined.
    pub fn is_complete(&self) -> bool {
        self.examined == self.total
    }
}

/// The fields that the findings of a group share: kind, readers and signature.
type Key = (Kind, Vec<String>, String);

/// Returns the kind and a hash of readers and signature.
fn group_id(kind: Kind, readers: &[String], signature: &str) -> String {
    let hashed_text = format!("{}\n{signature}", readers.join("\n"));
    format!("{}-{:08x}", kind.name(), hash(hashed_text.as_bytes()) >> 32)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::differ::{Finding, Observation};

    pub(crate) fn record(file: &str, size: u64, class: Class, signature: &str) -> FileRecord {
        let observation = |class| Observation {
            class,
            message: format!("{file}: <{signature}>"),
            signature: signature.to_owned(),
            frames: Vec::new(),
            milliseconds: 1,
        };
        let kind = match class {
            Class::Crashes => Some(Kind::Crash),
            Class::Hangs => Some(Kind::Hang),
            _ => None,
        };
        let finding = |kind| Finding {
            kind,
            readers: vec!["other".to_owned()],
            signature: signature.to_owned(),
            message: format!("{file}: <{signature}>"),
        };
        FileRecord {
            file: file.to_owned(),
            size,
            hash: "0".repeat(16),
            observations: vec![observation(Class::Accepts), observation(class)],
            findings: kind.map(finding).into_iter().collect(),
        }
    }

    pub(crate) fn report() -> Report {
        let records = [
            record("b", 9, Class::Crashes, "SIGSEGV"),
            record("h", 1, Class::Hangs, "x"),
            record("a", 5, Class::Crashes, "SIGSEGV"),
            record("c", 5, Class::Crashes, "SIGABRT"),
            record("d", 5, Class::Accepts, ""),
        ];
        let readers = ["mlirbc", "other"].map(|name| (name.to_owned(), vec![format!("{name} {{}}")]));
        Report::new(readers.to_vec(), &records, 6)
    }

    #[test]
    fn findings_are_grouped_and_sorted() {
        let report = report();
        let rows: Vec<_> = report.groups.iter().map(|group| (&*group.signature, group.files.len())).collect();
        assert_eq!(rows, [("SIGSEGV", 2), ("SIGABRT", 1), ("x", 1)]);
        assert_eq!(report.groups[0].files, ["a", "b"]);
        assert_eq!((report.groups[0].size, &*report.groups[0].message), (5, "a: <SIGSEGV>"));
        assert_eq!(report.counts[1].of(Class::Crashes), 3);
        assert_eq!(report.counts[0].of(Class::Accepts), 5);
        assert!(!report.is_complete());
    }

    #[test]
    fn the_id_of_a_group_does_not_depend_on_the_run() {
        assert_eq!(group_id(Kind::Crash, &["a".to_owned()], "b"), "crash-e5beb119");
    }
}
