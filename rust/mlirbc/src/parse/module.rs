//! Text as a module: [`Module::parse`].

use std::str::FromStr;

use crate::ir::Module;
use crate::wire::error::{Error, Result};

use super::{ParseOptions, parse};

impl Module {
    /// Parses the text of a module, as `mlir-opt` of the newest released LLVM does.
    ///
    /// # Errors
    /// If the text is malformed, or uses operations, attributes or types that the release does not have.
    ///
    /// ```
    /// use mlirbc::Module;
    /// let module = Module::parse("func.func @f(%x: i32) -> i32 { return %x : i32 }")?;
    /// assert_eq!(module.operation()?.name(), "builtin.module");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn parse(text: impl AsRef<[u8]>) -> Result<Self> {
        parse(text, &ParseOptions::default())
    }

    /// Parses the text of a module with options.
    ///
    /// # Errors
    /// As [`Self::parse`], or if the target in `options` is unknown.
    ///
    /// ```
    /// use mlirbc::Module;
    /// use mlirbc::parse::ParseOptions;
    /// let options = ParseOptions::default().target("llvm-19".parse()?).file("model.mlir");
    /// let module = Module::parse_with("module {}", &options)?;
    /// assert_eq!(module.release()?.name(), Some("llvm-19"));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn parse_with(text: impl AsRef<[u8]>, options: &ParseOptions) -> Result<Self> {
        parse(text, options)
    }
}

/// Parses the text of a module, as [`Module::parse`].
///
/// ```
/// let module: mlirbc::Module = "module @m {}".parse()?;
/// assert_eq!(module.operation()?.name(), "builtin.module");
/// # Ok::<(), mlirbc::Error>(())
/// ```
impl FromStr for Module {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text)
    }
}
