//! The report of a write: the mode and its reason, the dropped parts, and the number of copied bytes.

use crate::wire::change::Change;
use crate::wire::loss::Loss;
use crate::wire::version::BytecodeVersion;

use super::file_pieces::FilePieces;
use super::{Numbering, Opaque, WriteMode, WriteOptions};

/// The result of writing.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let mut bytes = Vec::new();
/// let report = module.write(&mut bytes, &mlirbc::WriteOptions::default())?;
/// assert_eq!((report.bytes, report.bytes_copied, report.bytes_encoded), (131, 131, 0));
/// assert_eq!(report.reason, "nothing was changed");
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteReport {
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The write mode.
    pub mode: WriteMode,
    /// The reason for the mode: what prevents a stricter mode.
    pub reason: String,
    /// The dropped parts.
    pub losses: Vec<Loss>,
    /// The parts with another form and the same meaning, if [`WriteOptions::lists_changes`] is set.
    pub changes: Vec<Change>,
    /// The number of operations with the same form, if [`WriteOptions::lists_changes`] is set; `None` if
    /// operations are not translated.
    pub unchanged_operations: Option<u64>,
    /// The number of bytes that are ranges of the file that was read.
    pub bytes_copied: u64,
    /// The number of new bytes: encoded, or the content of new resources.
    pub bytes_encoded: u64,
}

impl WriteReport {
    pub(crate) fn new(pieces: &FilePieces, mode: WriteMode, reason: String, losses: Vec<Loss>) -> Self {
        let (bytes, bytes_copied) = (pieces.len(), pieces.copied_len());
        let bytes_encoded = bytes - bytes_copied;
        Self { bytes, mode, reason, losses, bytes_copied, bytes_encoded, ..Self::default() }
    }
}

/// Returns the reason why a module without changes is written in this mode; `file_version` is its version.
pub(crate) fn reason_of_options(
    mode: WriteMode,
    options: &WriteOptions,
    file_version: BytecodeVersion,
) -> String {
    match mode {
        WriteMode::Verbatim => return "nothing was changed".to_owned(),
        WriteMode::AppendOnly => return kept(),
        WriteMode::Renumbered => {}
    }
    let mut requests = Vec::new();
    if let Some(version) = options.version.filter(|&version| version != file_version) {
        requests.push(format!("bytecode version {version}"));
    }
    if let Some(target) = &options.target {
        requests.push(format!("the target {target}"));
    }
    if options.strip_locations {
        requests.push("stripping of locations".to_owned());
    }
    if options.strip_resources {
        requests.push("stripping of resources".to_owned());
    }
    if requests.is_empty() {
        return "canonical numbering was requested".to_owned();
    }
    format!("everything is numbered again for {}", requests.join(" and "))
}

/// Returns the reason why a module with changes is written in this mode, if the options are not the reason.
pub(crate) fn reason_of_changes(
    mode: WriteMode,
    options: &WriteOptions,
    opaque: &[Opaque],
) -> Option<String> {
    match (mode, options.numbering) {
        (WriteMode::AppendOnly, Numbering::Strictest) => {
            let Some((first, others)) = opaque.split_first() else { return Some(kept()) };
            let more = match others.len() {
                0 => String::new(),
                count => format!("; and {count} more"),
            };
            Some(format!(
                "the module was changed, and bytes that cannot be decoded may contain numbers: {first}{more}"
            ))
        }
        (WriteMode::AppendOnly, _) => Some(kept()),
        (WriteMode::Renumbered, Numbering::Strictest) => {
            Some("the module was changed, and everything in it can be decoded".to_owned())
        }
        _ => None,
    }
}

fn kept() -> String {
    "the module was changed, and its numbering was to be preserved".to_owned()
}
