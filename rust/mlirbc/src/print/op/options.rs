//! Options and reports of printing.

use std::fmt;

use crate::wire::error::Error;
use crate::wire::options::setters;

/// The assembly form of operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PrintForm {
    /// The custom assembly of the release; the generic form if the custom form is unknown.
    #[default]
    Custom,
    /// The generic form of all operations, as `--mlir-print-op-generic`.
    Generic,
}

/// Options for printing a module.
///
/// ```
/// let options = mlirbc::print::PrintOptions::default().locations(true);
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let mut text = Vec::new();
/// module.print(&mut text, &options)?;
/// assert!(String::from_utf8_lossy(&text).contains("loc(unknown)"));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct PrintOptions {
    /// The form of operations, by default the custom form, as `mlir-opt` prints without flags.
    pub form: PrintForm,
    /// Write text that parses to the same module. Operations whose custom form omits something are written in
    /// generic form, and floats with more bits than `f64` in hexadecimal if their decimal literal would be
    /// read as another number.
    pub lossless: bool,
    /// Print locations of operations and block arguments, as `--mlir-print-debuginfo`.
    pub locations: bool,
    /// Omit resources with more characters of data than this, as `--mlir-elide-resource-strings-if-larger`.
    pub elide_resources_larger: Option<u64>,
    /// Omit dense elements if there are more than this number, as `--mlir-elide-elementsattrs-if-larger`.
    pub elide_elements_larger: Option<u64>,
    /// Print attributes and types without aliases, as `--mlir-print-local-scope`.
    pub local_scope: bool,
    /// Print regions as `{...}`, as `--mlir-print-skip-regions`.
    pub skip_regions: bool,
    /// Return an error for unreadable parts instead of marking them.
    pub strict: bool,
}

setters! {
    PrintOptions {
        form: PrintForm,
        lossless: bool,
        locations: bool,
        elide_resources_larger: Option<u64>,
        elide_elements_larger: Option<u64>,
        local_scope: bool,
        skip_regions: bool,
        strict: bool,
    }
}

impl PrintOptions {
    /// Returns the options for the generic form, which is uniform for all operations and omits nothing.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let mut text = Vec::new();
    /// module.print(&mut text, &mlirbc::print::PrintOptions::generic())?;
    /// assert!(text.starts_with(b"\"builtin.module\"() ({\n"));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn generic() -> Self {
        Self { form: PrintForm::Generic, ..Self::default() }
    }
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
    /// The parts that the custom form omits, a row for each operation name and part. Operations whose form a pack declares are
    /// printed in generic form instead ([`Omission::is_avoided`]).
    pub omissions: Vec<Omission>,
    /// The operations of a development build that are printed in generic form because the releases and builds
    /// around it print them differently, a row for each name.
    pub undecided: Vec<UndecidedForm>,
}

/// A part that the custom form of operations with one name omits.
///
/// ```
/// let module = mlirbc::Module::open("../../tests/data/bytecode/llvm-22/v6/omitted.mlirbc")?;
/// let report = module.print(&mut Vec::new(), &mlirbc::print::PrintOptions::default())?;
/// assert_eq!(
///     report.omissions[0].to_string(),
///     "the custom form of `scf.if` does not show the attributes of its terminator"
/// );
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Omission {
    pub(in crate::print) operation: Box<str>,
    pub(in crate::print) part: &'static str,
    pub(in crate::print) is_avoided: bool,
    pub(in crate::print) count: u64,
    pub(in crate::print) first: String,
}

impl Omission {
    /// Returns the name of the operations.
    pub fn operation(&self) -> &str {
        &self.operation
    }

    /// Returns the omitted part, for example `the attributes of its terminator`.
    pub fn part(&self) -> &str {
        self.part
    }

    /// Returns whether the operations are printed in generic form, so that the text lacks nothing.
    pub fn is_avoided(&self) -> bool {
        self.is_avoided
    }

    /// Returns the number of operations.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the path of the first operation.
    #[doc(hidden)]
    pub fn first(&self) -> &str {
        &self.first
    }
}

impl fmt::Display for Omission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_avoided {
            return write!(
                f,
                "`{}` is printed in generic form: its declared form does not show {}",
                self.operation, self.part
            );
        }
        write!(f, "the custom form of `{}` does not show {}", self.operation, self.part)
    }
}

/// Operations that are printed in generic form because their custom form depends on the build that wrote the file.
///
/// ```
/// // IREE 3.12 wrote the file: some builds of LLVM 24 print `alignment = 64`, older ones `{alignment = 64 : i64}`.
/// let module = mlirbc::Module::open("../../tests/data/between/iree-3.12_syntax.mlirbc")?;
/// let report = module.print(&mut Vec::new(), &mlirbc::print::PrintOptions::default())?;
/// let names: Vec<_> = report.undecided.iter().map(|form| form.operation()).collect();
/// assert_eq!(names, ["memref.alloc", "tosa.transpose", "cf.switch"]);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndecidedForm {
    pub(in crate::print) operation: Box<str>,
    pub(in crate::print) releases: [&'static str; 2],
    pub(in crate::print) count: u64,
    pub(in crate::print) first: String,
}

impl UndecidedForm {
    /// Returns the name of the operations.
    pub fn operation(&self) -> &str {
        &self.operation
    }

    /// Returns the oldest and the newest release or build whose form the operations may have.
    pub fn releases(&self) -> [&str; 2] {
        self.releases
    }

    /// Returns the number of operations.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the path of the first operation.
    #[doc(hidden)]
    pub fn first(&self) -> &str {
        &self.first
    }
}

impl fmt::Display for UndecidedForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [earlier, later] = self.releases;
        write!(
            f,
            "`{}` is printed in generic form: {earlier} and {later} write it in different ways",
            self.operation
        )
    }
}
