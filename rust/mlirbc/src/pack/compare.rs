//! Differences between the newest releases of two packs.

use std::collections::BTreeMap;

use super::Pack;
use super::row::RowKind;

/// A row that one of two packs lacks, or that differs.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PackDifference {
    /// The kind of the row.
    pub kind: RowKind,
    /// The name of the row.
    pub name: String,
    /// The keys whose values differ; empty if a pack lacks the row.
    pub keys: Vec<String>,
    /// Whether the first pack has the row.
    pub is_in_first: bool,
    /// Whether the second pack has the row.
    pub is_in_second: bool,
}

impl Pack {
    /// The rows in which the newest release of another pack differs from the newest one of this pack, by kind and name. Places
    /// in files do not count.
    #[doc(hidden)]
    pub fn differences(&self, other: &Self) -> Vec<PackDifference> {
        let newest = |pack: &Self| pack.header.releases.len().saturating_sub(1);
        let mut differences = Vec::new();
        for kind in RowKind::ALL {
            let rows = |pack: &Self| {
                let named = pack.rows_of(kind, newest(pack)).map(|row| (row.name.clone(), row.fields()));
                named.collect::<BTreeMap<_, _>>()
            };
            let (first, second) = (rows(self), rows(other));
            let names: std::collections::BTreeSet<_> = first.keys().chain(second.keys()).collect();
            for name in names {
                let (before, after) = (first.get(name), second.get(name));
                let mut keys = Vec::new();
                if let (Some(before), Some(after)) = (before, after) {
                    let all: std::collections::BTreeSet<_> = before.keys().chain(after.keys()).collect();
                    let differs = |key: &&String| *key != "at" && before.get(*key) != after.get(*key);
                    keys.extend(all.into_iter().filter(differs).cloned());
                    if keys.is_empty() {
                        continue;
                    }
                }
                differences.push(PackDifference {
                    kind,
                    name: name.to_string(),
                    keys,
                    is_in_first: before.is_some(),
                    is_in_second: after.is_some(),
                });
            }
        }
        differences
    }
}
