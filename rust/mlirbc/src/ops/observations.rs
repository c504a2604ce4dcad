//! Builds whose output showed that they print an operation by the definition of a release, or by no known
//! definition.
//!
//! The rows are in `data/operations/observations.tsv`, which `tools/operations/observations.py` writes from
//! the output of the builds. A row has the name of the operation and, for each release with definitions, the
//! letters of the builds; `-` stands for a form of no release. Lines that begin with `#` define the letters.
//! Does not know the order of builds, which follows their revisions (`ops::candidates`). The tool that finds
//! the rows substitutes its own table.

use std::sync::LazyLock;
#[cfg(feature = "arbitrary")]
use std::sync::OnceLock;

use super::table::OperationDefinitions;

const TABLE: &str = include_str!("../../data/operations/observations.tsv");

/// The form in which a build prints an operation.
#[derive(Debug, Clone, Copy)]
pub(super) struct FormObservation {
    pub(super) build: &'static str,
    /// The equivalent definitions; `None` if no known ones are.
    pub(super) definitions: Option<&'static OperationDefinitions>,
}

struct ObservationTable {
    builds: Vec<(char, &'static str)>,
    // Rows by operation name.
    rows: Vec<(&'static str, &'static str)>,
}

static OBSERVATIONS: LazyLock<ObservationTable> = LazyLock::new(|| {
    let lines = || used_table().lines();
    let lettered = lines().filter_map(|line| line.strip_prefix("# ")?.split_once('\t'));
    let rows = lines().filter(|line| !line.starts_with('#'));
    ObservationTable {
        builds: lettered.filter_map(|(letter, build)| Some((letter.chars().next()?, build))).collect(),
        rows: rows.filter_map(|line| line.split_once('\t')).collect(),
    }
});

#[cfg(feature = "arbitrary")]
static ASSUMED_TABLE: OnceLock<String> = OnceLock::new();

/// Replaces the built-in table, and returns whether this is the first replacement. A table that comes after
/// the first use of the rows has no effect.
#[cfg(feature = "arbitrary")]
pub(crate) fn assume_table(table: String) -> bool {
    ASSUMED_TABLE.set(table).is_ok()
}

#[cfg(feature = "arbitrary")]
fn used_table() -> &'static str {
    ASSUMED_TABLE.get().map_or(TABLE, String::as_str)
}

#[cfg(not(feature = "arbitrary"))]
fn used_table() -> &'static str {
    TABLE
}

/// Returns the observed forms of an operation in builds without a definition.
pub(super) fn observations(name: &str) -> impl Iterator<Item = FormObservation> {
    let table = &*OBSERVATIONS;
    let row = table.rows.binary_search_by_key(&name, |(operation, _)| operation).ok();
    let columns = row.and_then(|place| table.rows.get(place)).map_or("", |(_, columns)| columns);
    columns.split('\t').filter_map(|column| column.split_once(':')).flat_map(|(release, letters)| {
        let definitions = OperationDefinitions::of_forms(release);
        let build = |letter: char| table.builds.iter().find(|(known, _)| *known == letter);
        letters.chars().filter_map(build).map(move |&(_, build)| FormObservation { build, definitions })
    })
}

/// Returns the operations that a build prints by the definition of a release.
pub(crate) fn observed_operations(build: &str) -> impl Iterator<Item = &'static str> {
    let table = &*OBSERVATIONS;
    let letter = table.builds.iter().find(|(_, known)| *known == build).map(|&(letter, _)| letter);
    let has_form = move |columns: &str| {
        let mut columns = columns.split('\t').filter_map(|column| column.split_once(':'));
        columns
            .any(|(release, letters)| release != "-" && letter.is_some_and(|letter| letters.contains(letter)))
    };
    table.rows.iter().filter(move |(_, columns)| has_form(columns)).map(|&(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::release;

    #[test]
    fn rows_are_sorted_and_name_releases_that_define_the_operation() {
        let table = &*OBSERVATIONS;
        assert!(table.rows.is_sorted_by(|(one, _), (next, _)| one < next));
        for (_, build) in &table.builds {
            assert!(release::find(build).unwrap().is_some(), "{build}");
        }
        for (name, columns) in &table.rows {
            let mut letters: Vec<char> = Vec::new();
            for (release, builds) in columns.split('\t').filter_map(|column| column.split_once(':')) {
                let has = |definitions: &OperationDefinitions| definitions.has(name);
                assert!(
                    release == "-" || OperationDefinitions::of_forms(release).is_some_and(has),
                    "{name}: {release}"
                );
                letters.extend(builds.chars());
            }
            let count = letters.len();
            assert!(
                letters.iter().all(|letter| table.builds.iter().any(|(known, _)| known == letter)),
                "{name}"
            );
            letters.sort_unstable();
            letters.dedup();
            assert!(count > 0 && letters.len() == count, "{name} has a build twice, or none");
        }
    }
}
