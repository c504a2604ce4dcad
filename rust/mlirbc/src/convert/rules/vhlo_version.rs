//! Versions of VHLO.

use std::fmt;
use std::str::FromStr;

use crate::wire::error::{Error, ErrorKind, Result};

/// A version of VHLO: the version of StableHLO that introduced it.
///
/// ```
/// use mlirbc::convert::portable::VhloVersion;
/// let version: VhloVersion = "1.9.0".parse()?;
/// assert!(version > VhloVersion::OLDEST && version < VhloVersion::newest());
/// assert_eq!(version.to_string(), "1.9.0");
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VhloVersion {
    /// The major version changes when old artifacts are not read any longer.
    pub major: u32,
    /// The minor version changes when operations, attributes or types are added.
    pub minor: u32,
    /// The patch has no effect on the encoding.
    pub patch: u32,
}

impl VhloVersion {
    /// The first version with guarantees, 0.9.0.
    #[doc(hidden)]
    pub const OLDEST: Self = Self { major: 0, minor: 9, patch: 0 };

    /// Makes a version from three numbers, as `since` in a dialect table.
    pub(crate) fn of_numbers(numbers: &[u64]) -> Option<Self> {
        let [major, minor, patch] = numbers else { return None };
        let number = |number: &u64| u32::try_from(*number).ok();
        Some(Self { major: number(major)?, minor: number(minor)?, patch: number(patch)? })
    }

    /// Returns the numbers that [`Self::of_numbers`] takes.
    pub(crate) fn numbers(self) -> [u64; 3] {
        [self.major, self.minor, self.patch].map(u64::from)
    }

    /// Returns the version that decides the written form: patches change nothing.
    pub(in crate::convert) fn without_patch(self) -> Self {
        Self { patch: 0, ..self }
    }
}

impl fmt::Display for VhloVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl FromStr for VhloVersion {
    type Err = Error;

    /// # Errors
    /// [`ErrorKind::Value`] if the text is not three numbers with dots between them.
    fn from_str(text: &str) -> Result<Self> {
        let number = |part: &str| {
            let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            part.parse().ok().filter(|_| is_number)
        };
        let parts: Option<Vec<u32>> = text.split('.').map(number).collect();
        match parts.as_deref() {
            Some(&[major, minor, patch]) => Ok(Self { major, minor, patch }),
            _ => Err(Error::message(ErrorKind::Value, format!("`{text}` is not a version of StableHLO"))
                .with_hint("a version is three numbers, e.g. `1.9.0`")),
        }
    }
}

impl<'de> serde::Deserialize<'de> for VhloVersion {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|error: Error| serde::de::Error::custom(error.to_string()))
    }
}
