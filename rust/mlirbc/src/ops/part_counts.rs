//! The releases whose numbers of operands, results and regions an operation has in builds without
//! definitions.
//!
//! The rows are in `data/operations/counts.tsv`, which `tools/operations/counts.py` derives from the
//! verifiers of builds. A row has the name of an operation and, for each release, the builds with the numbers
//! of this release; `-` stands for numbers of no release.

use std::sync::LazyLock;

const TABLE: &str = include_str!("../../data/operations/counts.tsv");

static ROWS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t')).collect()
});

/// Returns the release with the same numbers of parts as an operation of a build; `-` if no release has them,
/// `None` if the build was not examined.
pub(crate) fn counted_like(operation: &str, build: &str) -> Option<&'static str> {
    let place = ROWS.binary_search_by_key(&operation, |(name, _)| name).ok()?;
    let (_, cells) = ROWS.get(place)?;
    let cells = cells.split('\t').filter_map(|cell| cell.split_once(':'));
    let has_build = |builds: &str| builds.split(',').any(|known| known == build);
    cells.into_iter().find(|(_, builds)| has_build(builds)).map(|(release, _)| release)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::OperationDefinitions;
    use crate::release;

    #[test]
    fn rows_are_sorted_and_name_builds_and_releases() {
        assert!(ROWS.is_sorted_by(|(one, _), (next, _)| one < next));
        for (operation, cells) in ROWS.iter() {
            for (of, builds) in cells.split('\t').filter_map(|cell| cell.split_once(':')) {
                let has_row = OperationDefinitions::named(of).is_some_and(|all| all.get(operation).is_some());
                assert!(of == "-" || has_row, "{operation}: {of}");
                assert!(
                    builds.split(',').all(|build| release::find(build).unwrap().is_some()),
                    "{operation}"
                );
            }
        }
    }
}
