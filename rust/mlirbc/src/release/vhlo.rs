//! Versions of StableHLO as three numbers, and notable changes between versions.

/// Major, minor and patch.
pub(crate) type Version = [u64; 3];

/// The first version with guarantees.
pub(crate) const OLDEST: Version = [0, 9, 0];

/// The first version whose artifacts may have operations of other dialects.
pub(crate) const OTHER_DIALECTS: Version = [1, 11, 0];

/// A release whose schema has all known operations of VHLO.
pub(crate) const NEWEST_SCHEMA: &str = "stablehlo-1.20";

/// Parses a version of three numbers with dots between them.
pub(crate) fn parse(text: &str) -> Option<Version> {
    let numbers: Vec<u64> = text.split('.').map(|number| number.parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

/// Formats a version; the reverse of [`parse`].
pub(crate) fn text(version: Version) -> String {
    version.map(|number| number.to_string()).join(".")
}
