//! Versions of StableHLO as three numbers, and what changed in some of them.

/// Major, minor and patch.
pub(crate) type Version = [u64; 3];

/// The first version with guarantees.
pub(crate) const OLDEST: Version = [0, 9, 0];

/// The first version whose artifacts may have operations of other dialects.
pub(crate) const OTHER_DIALECTS: Version = [1, 11, 0];

/// The release whose schema has all operations of VHLO that are known.
pub(crate) const NEWEST_SCHEMA: &str = "stablehlo-1.20";

/// A version from three numbers with dots between them.
pub(crate) fn parse(text: &str) -> Option<Version> {
    let numbers: Vec<u64> = text.split('.').map(|number| number.parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

/// The reverse of [`parse`].
pub(crate) fn text(version: Version) -> String {
    version.map(|number| number.to_string()).join(".")
}
