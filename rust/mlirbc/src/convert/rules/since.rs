//! The moment at which a difference came.

use serde::Deserialize;

use super::VhloVersion;
use crate::wire::error::Error;

/// The first release, revision or version that has a difference.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "NumberOrText")]
pub(in crate::convert) enum Since {
    /// The difference is between two dialects, whatever their versions.
    #[default]
    Always,
    /// The difference came between the branches of two releases of LLVM: the number of the later one.
    Release(u32),
    /// A day. Builds whose revision in `releases.toml` is from that day on have the difference.
    Day(Box<str>),
    /// A version of VHLO.
    Version(VhloVersion),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum NumberOrText {
    Number(u32),
    Text(Box<str>),
}

impl TryFrom<NumberOrText> for Since {
    type Error = Error;

    fn try_from(value: NumberOrText) -> Result<Self, Error> {
        Ok(match value {
            NumberOrText::Number(number) => Self::Release(number),
            NumberOrText::Text(text) if text.contains('-') => Self::Day(text),
            NumberOrText::Text(text) => Self::Version(text.parse()?),
        })
    }
}

impl Since {
    /// The version of VHLO that has the difference; the oldest one if all have it.
    pub(in crate::convert) fn version(&self) -> VhloVersion {
        match self {
            Self::Version(version) => *version,
            Self::Always | Self::Release(_) | Self::Day(_) => VhloVersion::OLDEST,
        }
    }
}
