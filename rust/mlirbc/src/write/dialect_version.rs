//! The version of a dialect that a file is to be written with.

use std::fmt;
use std::str::FromStr;

use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind};

/// A version of a dialect to write.
///
/// ```
/// use mlirbc::write::DialectVersion;
/// assert_eq!("1.0.0".parse::<DialectVersion>()?, DialectVersion::Numbers(vec![1, 0, 0]));
/// assert!("one".parse::<DialectVersion>().is_err());
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DialectVersion {
    /// The numbers that the table of the dialect encodes, such as 1, 0, 0 for `1.0.0`.
    Numbers(Vec<u64>),
    /// The bytes of the dialect section.
    Bytes(Bytes),
}

impl FromStr for DialectVersion {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let numbers: Option<Vec<u64>> = text.split('.').map(|part| part.parse().ok()).collect();
        let wrong = || Error::new(ErrorKind::Value, "a dialect version such as `1.0.0`", format!("`{text}`"));
        numbers.map(Self::Numbers).ok_or_else(wrong)
    }
}

impl fmt::Display for DialectVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbers(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
                f.write_str(&numbers.join("."))
            }
            Self::Bytes(bytes) => {
                f.write_str("0x")?;
                bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }
    }
}
