//! The options of the writer, which the root of the crate names.

use crate::release::Release;
use crate::wire::loss::LossKind;
use crate::wire::options::setters;
use crate::wire::progress::Progress;
use crate::wire::version::BytecodeVersion;

use super::{DialectVersion, Numbering};

/// Options for writing a module.
///
/// ```
/// use mlirbc::write::Numbering;
/// use mlirbc::WriteOptions;
/// let options = WriteOptions::default().numbering(Numbering::Canonical);
/// assert!(options.version.is_none() && !options.drop_unsupported);
/// ```
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct WriteOptions {
    /// The numbering. Another version or target requires [`Numbering::Canonical`].
    pub numbering: Numbering,
    /// The bytecode version; by default the version of the file.
    pub version: Option<BytecodeVersion>,
    /// The release that reads the file, one of [`Release::known`] or [`Release::ANY`]; by default the release
    /// that wrote it.
    pub target: Option<Release>,
    /// The producer string; by default the producer of the file.
    pub producer: Option<Vec<u8>>,
    /// The versions of dialects by name, also of dialects that the module does not use; other dialects keep
    /// their version. Attributes and types whose encoding depends on the version are encoded for the new
    /// version. Operations are not changed.
    pub dialect_versions: Vec<(String, DialectVersion)>,
    /// Write versions of dialects that are newer than their tables know, instead of returning an error.
    pub allow_newer_versions: bool,
    /// Drop parts that the version or the target cannot represent, instead of returning an error.
    pub drop_unsupported: bool,
    /// Return an error also for parts that are harmless to omit for a target release: orders of uses and ends
    /// of locations.
    pub strict: bool,
    /// List in the report the parts that a conversion writes in another form with the same meaning.
    pub lists_changes: bool,
    /// Make all locations of operations and block arguments unknown.
    pub strip_locations: bool,
    /// Omit the data of resources, and external resources.
    pub strip_resources: bool,
    /// Receives the progress of the work.
    pub progress: Progress,
}

setters! {
    WriteOptions {
        numbering: Numbering,
        version: impl Into<Option<BytecodeVersion>>,
        target: impl Into<Option<Release>>,
        producer: impl Into<Option<Vec<u8>>>,
        dialect_versions: Vec<(String, DialectVersion)>,
        allow_newer_versions: bool,
        drop_unsupported: bool,
        strict: bool,
        lists_changes: bool,
        strip_locations: bool,
        strip_resources: bool,
        progress: Progress,
    }
}

impl WriteOptions {
    /// The name of the target.
    pub(crate) fn target_name(&self) -> Option<&str> {
        self.target.as_ref().map(Release::as_str)
    }

    /// Whether a part is dropped. Properties of an unknown layout are kept: the operation would lose every one.
    pub(crate) fn drops(&self, loss: &LossKind) -> bool {
        self.drop_unsupported && *loss != LossKind::UnknownLayout
    }
}

impl std::fmt::Debug for WriteOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WriteOptions")
            .field("numbering", &self.numbering)
            .field("version", &self.version)
            .field("target", &self.target)
            .finish_non_exhaustive()
    }
}
