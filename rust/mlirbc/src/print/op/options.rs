//! What is printed, and what could not be read.

use crate::wire::error::Error;

/// How operations are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// All in the generic form, as `--mlir-print-op-generic`.
    #[default]
    Generic,
    /// In the custom assembly of the release, and in generic form where that is not known.
    Custom,
}

/// Options for printing a module.
///
/// ```
/// let options = mlirbc::print::PrintOptions { locations: true, ..Default::default() };
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let mut text = Vec::new();
/// module.print(&mut text, &options)?;
/// assert!(String::from_utf8_lossy(&text).contains("loc(unknown)"));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct PrintOptions {
    /// How operations are written.
    pub form: Form,
    /// In custom form, write an operation in generic form if its custom form omits any part of it.
    pub lossless: bool,
    /// Print locations of operations and block arguments, as `--mlir-print-debuginfo`.
    pub locations: bool,
    /// Omit resources whose data has more characters of text, as `--mlir-elide-resource-strings-if-larger`.
    pub elide_resources_larger: Option<u64>,
    /// Omit dense elements if there are more of them, as `--mlir-elide-elementsattrs-if-larger`.
    pub elide_elements_larger: Option<u64>,
    /// Print attributes and types without aliases, as `--mlir-print-local-scope`.
    pub local_scope: bool,
    /// Print regions as `{...}`, as `--mlir-print-skip-regions`.
    pub skip_regions: bool,
    /// Return an error for unreadable parts instead of marking them.
    pub strict: bool,
}

/// The result of printing.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let report = module.print(&mut Vec::new(), &mlirbc::print::PrintOptions::default())?;
/// assert!(report.faults.is_empty());
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct PrintReport {
    /// The unreadable parts, which are marked by `<<…>>` in the text; the first hundred.
    pub faults: Vec<Error>,
    /// What the custom form of operations omits, a sentence for each; the first hundred.
    pub lost: Vec<String>,
}
