//! The text around a piece with which the parser reads it alone: aliases, a region like the one around the piece, values
//! that other pieces define, and blocks of the region.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;
use std::sync::Arc;

use mlirbc::ops::OperationDefinitions;

use crate::outline::Outline;

/// Operations of the default dialects other than `builtin` and `func`, whose regions are not divided.
const OTHER_DEFAULTS: [&str; 4] = ["async.", "emitc.", "pdl.", "shape."];

/// The text before and after a piece.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Context {
    pub(crate) before: String,
    pub(crate) after: String,
}

/// The names that a piece takes from other pieces.
#[derive(Debug, Default)]
pub(crate) struct Imports {
    /// The definitions of aliases, in the order of the document.
    pub(crate) aliases: BTreeMap<(usize, usize), Arc<str>>,
    /// The types of values, by name.
    pub(crate) values: BTreeMap<Arc<str>, Vec<Arc<str>>>,
}

impl Context {
    /// Creates the context of a piece in a container.
    pub(crate) fn new(imports: &Imports, outline: &Outline, container: usize, text: &str, own: &str) -> Self {
        let mut context = Self::default();
        for alias in imports.aliases.values() {
            context.before.push_str(alias);
            context.before.push('\n');
        }
        let has_region = outline.containers.get(container).is_some_and(|one| one.parent.is_some());
        if has_region {
            context.before.push_str(opening(outline, container, text));
            context.after = after(outline, container, text, own);
        }
        for (name, types) in &imports.values {
            context.declare(name, types);
        }
        context
    }

    fn declare(&mut self, name: &str, types: &[Arc<str>]) {
        let count = if types.len() > 1 { format!(":{}", types.len()) } else { String::new() };
        // Writing into a string cannot fail.
        let _ = writeln!(self.before, "{name}{count} = \"mlirbc.value\"() : () -> ({})", types.join(", "));
    }
}

/// Whether the region of an operation can be divided: a region that is opened again has the same default dialect.
pub(crate) fn can_open(header: &str, definitions: Option<&OperationDefinitions>) -> bool {
    let name = operation_name(header);
    let has_other_default = || {
        let definition = definitions.and_then(|definitions| definitions.get(name));
        definition.is_some_and(|definition| definition.is_default_dialect())
    };
    name == "func.func"
        || name == "module"
        || !OTHER_DEFAULTS.iter().any(|start| name.starts_with(start))
            && !name.starts_with("transform.")
            && !has_other_default()
}

/// Returns the name of the operation in a line; empty for the generic form.
fn operation_name(line: &str) -> &str {
    let line = line.trim_start();
    let after_results = match line.starts_with('%') {
        true => line.split_once('=').map_or("", |(_, after)| after.trim_start()),
        false => line,
    };
    let is_part = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '$' | '.');
    let end = after_results.find(|character| !is_part(character)).unwrap_or(after_results.len());
    after_results.get(..end).unwrap_or_default()
}

/// Returns the text that opens a region with the default dialect of a container.
fn opening(outline: &Outline, container: usize, text: &str) -> &'static str {
    // The generic form inherits the default dialect.
    let named = outline.around(container).find_map(|at| {
        let header = text.get(outline.containers.get(at)?.header.clone())?;
        Some(operation_name(header)).filter(|name| !name.is_empty())
    });
    match named {
        Some("func.func") => "func.func @mlirbc() {\n",
        _ => "module {\n",
    }
}

/// Returns the blocks of the region that the piece does not have, and the end of the region.
fn after(outline: &Outline, container: usize, text: &str, own: &str) -> String {
    let label = |range: &Range<usize>| label_in(text.get(range.clone()).unwrap_or_default());
    let labels = outline.containers.get(container).map(|one| one.labels.as_slice()).unwrap_or_default();
    let mut after = String::from("\n");
    if !labels.is_empty() {
        let has_own: BTreeSet<&str> =
            own.lines().map(str::trim_start).filter(|line| line.starts_with('^')).map(label_in).collect();
        let missing_labels =
            labels.iter().map(label).filter(|name| !has_own.contains(name) && is_label(name));
        let missing_labels: BTreeSet<&str> = missing_labels.collect();
        for name in missing_labels {
            after.push_str(name);
            after.push_str(":\n");
        }
    }
    after.push('}');
    after
}

/// Whether a text is the name of a block.
fn is_label(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'-');
    let name = name.strip_prefix('^').unwrap_or_default();
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
    let has_letter = name.bytes().next().is_some_and(|byte| !byte.is_ascii_digit());
    !name.is_empty() && (is_number || has_letter && name.bytes().all(is_part))
}

/// Returns the name of the block in the line of its label, with `^`.
pub(crate) fn label_in(line: &str) -> &str {
    let line = line.trim_start();
    let is_end = |character: char| matches!(character, '(' | ':') || character.is_whitespace();
    line.split(is_end).next().unwrap_or_default()
}
