//! Damage to the text of a module.

use mlirbc::print::PrintOptions;
use mlirbc::{Error, ErrorKind, Module, Result};

use crate::draws::Draws;

use super::layouts::filled;
use super::original::Original;

/// The operation that is appended to the valid text.
const VALID: &str = "\"smith.op\"() {number = NUMBER} : () -> ()";

/// Returns the generic text of a module, with another operation at the end.
pub(super) fn generic(module: Vec<u8>) -> Vec<u8> {
    let printed = Module::from_bytes(module).and_then(|module| {
        let mut text = Vec::new();
        module.print(&mut text, &PrintOptions::generic().lossless(true))?;
        Ok(text)
    });
    let mut text = printed.unwrap_or_default();
    text.extend(VALID.replace("NUMBER", "1").as_bytes());
    text.push(b'\n');
    text
}

/// Replaces the last operation by one of the rule's operations.
pub(super) fn last_operation(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let text = original.bytes;
    let end = VALID.replace("NUMBER", "1").len() + 1;
    let start =
        text.len().checked_sub(end).ok_or_else(|| Error::message(ErrorKind::Edit, "the text is empty"))?;
    let line = filled(draws.text(original.texts), draws);
    Ok([&text[..start], line.as_bytes(), b"\n"].concat())
}
