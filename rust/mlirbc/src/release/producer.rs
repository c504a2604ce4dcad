//! Producer strings: the release, or the part of LLVM's history, that a string stands for.
//!
//! Owns the grammar of `MLIR22.0.0git` and the order of the known builds around it. Does not look into files: two
//! files with one producer string get the same answer.

use std::ops::Range;

use super::{KnownRelease, Llvm, releases};
use crate::wire::error::Result;
use crate::wire::order;

/// A version of LLVM in a producer string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LlvmVersion<'p> {
    /// The number and the suffix: `22.0.0git`.
    pub(crate) text: &'p str,
    pub(crate) llvm: Llvm,
    /// Whether the version belongs to the main branch; all builds between two release branches share it.
    pub(crate) is_development: bool,
}

impl<'p> LlvmVersion<'p> {
    /// Returns the version in a producer string; `None` if the tool has its own version numbers.
    pub(crate) fn parse(producer: &'p [u8]) -> Option<Self> {
        let text = std::str::from_utf8(producer.strip_prefix(b"MLIR")?).ok()?;
        let (number, suffix) = match text.find(|letter: char| !letter.is_ascii_digit() && letter != '.') {
            Some(end) => text.split_at(end),
            None => (text, ""),
        };
        let mut numbers = number.split('.');
        let llvm = Llvm(numbers.next()?.parse().ok()?);
        let is_first_minor = numbers.next().is_none_or(|minor| minor == "0");
        // Releases since 18 begin with 18.1.0; before, only the suffix distinguishes a release from the main
        // branch.
        let is_development =
            is_first_minor && (llvm.numbers_releases_from_one() || suffix.starts_with("git"));
        Some(Self { text, llvm, is_development })
    }

    /// Returns whether the version is a release without a suffix: neither of the main branch nor a candidate.
    pub(crate) fn is_released(&self) -> bool {
        !self.is_development && self.text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    }

    /// Returns the known release with this version; `None` for a version of the main branch.
    ///
    /// # Errors
    /// As [`releases`].
    pub(crate) fn known_release(&self) -> Result<Option<&'static KnownRelease>> {
        let is_known = |row: &&KnownRelease| row.is_branch() && row.llvm == self.llvm.0;
        Ok(releases()?.iter().find(is_known).filter(|_| !self.is_development))
    }

    /// Returns the known releases and builds before and after this version; `None` at the ends of the
    /// history.
    ///
    /// # Errors
    /// As [`releases`].
    pub(crate) fn neighbours(&self) -> Result<[Option<&'static KnownRelease>; 2]> {
        let all = history()?;
        let start = match self.is_development {
            true => all.partition_point(|row| row.llvm < self.llvm.0),
            false => all.partition_point(|row| row.llvm <= self.llvm.0),
        };
        let (earlier, later) = all.split_at_checked(start).unwrap_or_default();
        let after = later.iter().find(|row| row.is_branch() || row.llvm > self.llvm.0);
        Ok([earlier.last().copied(), after.copied()])
    }
}

/// Returns the version of StableHLO in the producer string of a portable artifact, which is independent of
/// LLVM.
pub(crate) fn portable_version(producer: &str) -> Option<&str> {
    producer.strip_prefix("StableHLO_v")
}

/// Returns the releases and builds of LLVM, the oldest first.
///
/// # Errors
/// As [`releases`].
fn history() -> Result<Vec<&'static KnownRelease>> {
    let mut all: Vec<_> = releases()?.iter().filter(|row| !row.is_tool()).collect();
    order::sort_by(&mut all, |a, b| a.revision.cmp(&b.revision));
    Ok(all)
}

/// A part of the history of LLVM: releases and builds, the oldest first.
#[derive(Debug, Clone)]
pub(crate) struct Period {
    pub(crate) releases: Vec<&'static KnownRelease>,
    /// The positions of releases that may have written a file. The neighbouring ones bound unknown builds in
    /// between.
    pub(crate) inside: Range<usize>,
}

impl Period {
    /// Removes the builds up to `after` and from `before` on, which cannot have written the file.
    pub(crate) fn narrowed(self, after: Option<&str>, before: Option<&str>) -> Self {
        let Self { releases, inside } = self;
        let place = |name: &str| releases.iter().position(|release| *release.name == *name);
        let start = after.and_then(place).map_or(inside.start, |place| inside.start.max(place + 1));
        let end = before.and_then(place).map_or(inside.end, |place| inside.end.min(place));
        let inside = if start <= end { start..end } else { inside };
        Self { releases, inside }
    }
}

/// Returns the builds that may have written a file with a producer string; `None` if one known release has
/// it, or no release of LLVM. A development version stands for everything between two releases, possibly
/// without a known build.
///
/// # Errors
/// As [`releases`].
pub(crate) fn period(producer: &[u8]) -> Result<Option<Period>> {
    let Some(version) = LlvmVersion::parse(producer) else { return Ok(None) };
    let known_release = version.known_release()?;
    if version.llvm < Llvm::OLDEST || known_release.is_some_and(|known_release| !known_release.is_derived) {
        return Ok(None);
    }
    let all = history()?;
    let is_inside = |row: &&KnownRelease| match known_release {
        Some(known_release) => row.name == known_release.name,
        None => version.is_development && row.is_development && row.llvm == version.llvm.0,
    };
    let inside = match (all.iter().position(is_inside), all.iter().rposition(is_inside)) {
        (Some(first), Some(last)) => first..last + 1,
        _ => {
            let [before, _] = version.neighbours()?;
            let start = before.and_then(|before| all.iter().position(|row| row.name == before.name));
            let start = start.map_or(0, |start| start + 1);
            start..start
        }
    };
    Ok(Some(Period { releases: all, inside }))
}

/// Returns the builds that may have written a file with the producer string of this release or build; `None`
/// if it is the only one.
///
/// # Errors
/// As [`releases`].
pub(crate) fn period_of(release: &KnownRelease) -> Result<Option<Period>> {
    period(release.signature.as_bytes())
}

/// Returns the history of LLVM around exactly one release or build; `None` if it is not a build of LLVM.
///
/// # Errors
/// As [`releases`].
pub(crate) fn moment(release: &KnownRelease) -> Result<Option<Period>> {
    if release.is_tool() {
        return Ok(None);
    }
    let releases = history()?;
    let place = releases.iter().position(|row| row.name == release.name);
    Ok(place.map(|place| Period { releases, inside: place..place + 1 }))
}

/// Returns the known builds with the producer string of a release or build.
///
/// # Errors
/// As [`releases`].
pub(crate) fn builds_like(release: &'static KnownRelease) -> Result<Vec<&'static KnownRelease>> {
    Ok(match period_of(release)? {
        Some(Period { releases, inside }) => releases.get(inside).unwrap_or_default().to_vec(),
        None => vec![release],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(producer: &str) -> Option<(&str, u32, bool, bool)> {
        let version = LlvmVersion::parse(producer.as_bytes())?;
        Some((version.text, version.llvm.0, version.is_development, version.is_released()))
    }

    fn neighbours(producer: &str) -> [Option<&'static str>; 2] {
        let version = LlvmVersion::parse(producer.as_bytes()).unwrap();
        version.neighbours().unwrap().map(|row| row.map(|row| &*row.name))
    }

    #[test]
    fn versions_of_the_main_branch_differ_from_releases() {
        assert_eq!(parse("MLIR19.1.7"), Some(("19.1.7", 19, false, true)));
        assert_eq!(parse("MLIR17.0.6"), Some(("17.0.6", 17, false, true)));
        assert_eq!(parse("MLIR16.0.0"), Some(("16.0.0", 16, false, true)));
        assert_eq!(parse("MLIR17.0.0git"), Some(("17.0.0git", 17, true, false)));
        assert_eq!(parse("MLIR22.0.0git"), Some(("22.0.0git", 22, true, false)));
        // No release since 18 has a zero here, so a vendor removed or replaced the suffix.
        assert_eq!(parse("MLIR20.0.0"), Some(("20.0.0", 20, true, false)));
        assert_eq!(parse("MLIR20.0.0-vendor"), Some(("20.0.0-vendor", 20, true, false)));
        // Candidates, and commits of a release branch, have the layouts of the release.
        assert_eq!(parse("MLIR22.1.0-rc2"), Some(("22.1.0-rc2", 22, false, false)));
        assert_eq!(parse("MLIR17.0.0rc1"), Some(("17.0.0rc1", 17, false, false)));
        assert_eq!(parse("MLIR22.1.3git"), Some(("22.1.3git", 22, false, false)));
        for producer in
            ["", "IREE", "MLIR", "MLIRgit", "CIRCT firtool-1.62.0", "StableHLO_v1.9.0", "MLIR99999999999.1"]
        {
            assert_eq!(parse(producer), None, "{producer}");
        }
    }

    #[test]
    fn a_development_version_is_between_two_releases() {
        assert_eq!(neighbours("MLIR22.0.0git"), [Some("llvm-21"), Some("llvm-22")]);
        assert_eq!(neighbours("MLIR19.0.0git"), [Some("llvm-18"), Some("llvm-19")]);
        assert_eq!(neighbours("MLIR18.0.0git"), [Some("llvm-17"), Some("llvm-18")]);
        assert_eq!(neighbours("MLIR16.0.0git"), [None, Some("llvm-16")]);
        let newest = history().unwrap().last().map(|row| &*row.name);
        assert_eq!(neighbours("MLIR99.0.0git"), [newest, None]);
        assert_eq!(neighbours("MLIR99.1.0"), [newest, None]);
    }

    #[test]
    fn a_period_has_the_builds_of_its_version_only() {
        let inside = |producer: &str| {
            let period = period(producer.as_bytes()).unwrap()?;
            Some(
                period.releases[period.inside]
                    .iter()
                    .map(|row| (row.llvm, row.is_development))
                    .collect::<Vec<_>>(),
            )
        };
        let builds = inside("MLIR22.0.0git").unwrap();
        assert!(builds.len() >= 3 && builds.iter().all(|build| *build == (22, true)), "{builds:?}");
        // No build is known, but the releases around it are.
        assert_eq!(inside("MLIR19.0.0git").as_deref(), Some(&[][..]));
        assert_eq!(inside("MLIR99.1.0").as_deref(), Some(&[][..]));
        assert_eq!(inside("MLIR20.1.8").as_deref(), Some(&[(20, false)][..]));
        for producer in ["MLIR22.1.8", "MLIR22.1.0-rc2", "MLIR15.0.7", "IREE", "StableHLO_v1.9.0"] {
            assert!(period(producer.as_bytes()).unwrap().is_none(), "{producer}");
        }
    }
}
