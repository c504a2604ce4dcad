//! The name of a release: what a caller selects, before a table or a schema is looked up.
//!
//! Owns [`Release`]. Does not own the knowledge about a release (`release`) or the detection of the release of
//! a file (`file::DetectedRelease`).

use std::borrow::Cow;
use std::fmt;

use super::Llvm;

/// The name of the target for files that several releases read.
pub(crate) const ANY: &str = "any";

/// A release of MLIR or of a project that contains MLIR: the writer or the reader of a file.
///
/// The default is the newest released LLVM. [`Release::ANY`] is a target for files that several releases read.
///
/// ```
/// use mlirbc::Release;
/// let release: Release = "llvm-19".parse()?;
/// assert_eq!(release.to_string(), "llvm-19");
/// assert_eq!(Release::default().as_str(), "llvm-22");
/// assert!("llvm-1".parse::<Release>().is_err());
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Release(Cow<'static, str>);

impl Release {
    /// The target for files that several releases read: `llvm-16`, `llvm-19`, `llvm-22` and `llvm-23`, and
    /// `jaxlib-0.10` and `iree-3.13` if they have all dialects of the module. A conversion is checked for each
    /// of these releases.
    ///
    /// ```
    /// use mlirbc::Release;
    /// assert_eq!("any".parse::<Release>()?, Release::ANY);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub const ANY: Self = Self(Cow::Borrowed(ANY));

    /// Creates a release from a name that is not checked: the name of a pack or schema that is registered or
    /// passed later. The call that uses the release returns an error if it does not know the name.
    ///
    /// ```
    /// use mlirbc::{Module, ReadOptions, Release};
    /// let options = ReadOptions::default().release(Release::named("toy-1"));
    /// assert!(Module::from_source(mlirbc::doc_example().into(), &options).is_err());
    /// ```
    pub fn named(name: impl Into<Cow<'static, str>>) -> Self {
        Self(name.into())
    }

    /// Returns the name: `llvm-22`, `any`.
    ///
    /// ```
    /// assert_eq!(mlirbc::Release::ANY.as_str(), "any");
    /// ```
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The newest release of LLVM; development builds are not releases.
impl Default for Release {
    fn default() -> Self {
        Self(Cow::Owned(format!("llvm-{}", Llvm::NEWEST.0)))
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for Release {
    fn as_ref(&self) -> &str {
        &self.0
    }
}
