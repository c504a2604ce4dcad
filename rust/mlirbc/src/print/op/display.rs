//! Modules and operations in format strings.

use std::fmt;
use std::io::Write;

use super::PrintOptions;
use crate::ir::{Module, Operation};

/// Formats the text with the default [`PrintOptions`]; an error of [`Module::print`] is marked by `<<…>>` at
/// the end of the text.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// assert!(module.to_string().starts_with("module {\n"));
/// # Ok::<(), mlirbc::Error>(())
/// ```
impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.operation() {
            Ok(operation) => operation.fmt(f),
            Err(error) => write!(f, "<<{error}>>"),
        }
    }
}

/// Formats the text as for [`Module`].
impl fmt::Display for Operation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut writer = Formatted { formatter: f, rest: Vec::new(), has_failed: false };
        let printed = self.print(&mut writer, &PrintOptions::default());
        let Formatted { formatter, rest, has_failed } = writer;
        if has_failed {
            return Err(fmt::Error);
        }
        formatter.write_str(&String::from_utf8_lossy(&rest))?;
        match printed {
            Ok(_) => Ok(()),
            Err(error) => write!(formatter, "<<{error}>>"),
        }
    }
}

/// A writer that passes text on in complete characters.
struct Formatted<'a, 'f> {
    formatter: &'a mut fmt::Formatter<'f>,
    // The beginning of an incomplete character.
    rest: Vec<u8>,
    has_failed: bool,
}

impl Write for Formatted<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.rest.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.rest) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.rest.len(),
        };
        let incomplete = self.rest.split_off(whole);
        let text = std::mem::replace(&mut self.rest, incomplete);
        self.formatter.write_str(&String::from_utf8_lossy(&text)).map_err(|error| {
            self.has_failed = true;
            std::io::Error::other(error)
        })?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
