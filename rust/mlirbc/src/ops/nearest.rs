//! The definitions of LLVM that text for a release is read with, if the release has none of its own.
//!
//! The one owner of this choice; the parser and the table of structured operations ask it. The dates of the revisions in
//! `data/releases.toml` decide, so that a new release needs a row and no code.

use super::table::OperationDefinitions;
use crate::release::{self, KnownRelease, Llvm};

impl OperationDefinitions {
    /// The definitions of a release, or of the release of LLVM nearest to it. `llvm` is the version of LLVM of a release
    /// that is not a known one.
    pub(crate) fn nearest(release: &str, llvm: u32) -> Option<&'static Self> {
        Self::of(release).or_else(|| {
            let day = day_of(release).or_else(|| day_of_llvm(llvm))?;
            Self::of(nearest_of_llvm(Self::releases(), day)?)
        })
    }
}

/// The one of several releases of LLVM whose revision is nearest to that of a version of LLVM.
pub(super) fn nearest_to_llvm<'n>(names: impl Iterator<Item = &'n str>, llvm: u32) -> Option<&'n str> {
    nearest_of_llvm(names, day_of_llvm(llvm)?)
}

// Releases of LLVM are the ones with definitions of its dialects; of two at the same distance, the later one is taken.
fn nearest_of_llvm<'n>(names: impl Iterator<Item = &'n str>, day: i64) -> Option<&'n str> {
    let distance = |name: &'n str| {
        let row = release::find(name).ok().flatten().filter(|row| row.is_branch())?;
        Some((day.abs_diff(number_of(row.revision())?), name))
    };
    names.filter_map(distance).min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

fn day_of(release: &str) -> Option<i64> {
    release::find(release).ok().flatten().and_then(|row| number_of(row.revision()))
}

// The release of a version of LLVM, or its newest build if it is not released; for a later version, the newest row of an
// earlier one.
fn day_of_llvm(llvm: u32) -> Option<i64> {
    let rows = release::releases().ok()?;
    let earlier = rows.iter().filter(|row| row.llvm().0 <= llvm).max_by_key(|row| rank(row));
    let row = earlier.or_else(|| rows.iter().min_by_key(|row| rank(row)))?;
    number_of(row.revision())
}

fn rank(row: &KnownRelease) -> (Llvm, bool, &str) {
    (row.llvm(), row.is_branch(), row.revision())
}

// A day as a number whose differences are days, about: 2026-01-13.
fn number_of(revision: &str) -> Option<i64> {
    let mut parts = revision.split('-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    Some(year * 372 + month * 31 + day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest(release: &str, llvm: u32) -> &'static str {
        OperationDefinitions::nearest(release, llvm).unwrap().release()
    }

    #[test]
    fn a_release_without_definitions_has_those_of_the_nearest_release() {
        for (release, expected) in [
            ("llvm-17", "llvm-16"),
            ("circt-1.62", "llvm-19"),
            ("llvm-18", "llvm-19"),
            ("jaxlib-0.4.31", "llvm-19"),
            ("llvm-20", "llvm-19"),
            ("iree-3.4", "llvm-22"),
            ("llvm-21", "llvm-22"),
            ("jaxlib-0.8", "llvm-22"),
            // Its LLVM is numbered 23, but it is two months after 22 and four months before 23.
            ("jaxlib-0.9", "llvm-22"),
            ("torch-mlir-20261001", "llvm-23"),
        ] {
            assert_eq!(nearest(release, 0), expected, "{release}");
        }
        assert_eq!(nearest("iree-3.13", 24), "iree-3.13");
    }

    #[test]
    fn a_registered_release_has_the_definitions_of_its_llvm() {
        let expected = [
            (16, "llvm-16"),
            (17, "llvm-16"),
            (19, "llvm-19"),
            (22, "llvm-22"),
            (23, "llvm-23"),
            (99, "llvm-23"),
        ];
        for (llvm, release) in expected {
            assert_eq!(nearest("toy-1", llvm), release, "{llvm}");
        }
        assert_eq!(nearest("toy-1", 3), "llvm-16");
    }
}
