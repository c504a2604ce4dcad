//! Formats the text of modules: the text that `print` writes, with the names and comments of the source.
//!
//! Owns [`format_text`], which never loses anything: its output is assembled again and compared with the module of the
//! source. `source_text` finds operations, names and comments in the source, and `layout` puts them into the printed text.
//! Printing belongs to `print`, and content keys to `hash`.

mod layout;
mod source_text;

use crate::attr::Attribute;
use crate::attr::text::text_marks::Marks;
use crate::ir::{Module, Operation};
use crate::parse::{ParseOptions, TargetFinder, parse, split};
use crate::print::PrintOptions;
use crate::release::Release;
use crate::wire::error::{Error, ErrorKind, Result};

use super::diff::{DiffOptions, Difference};
use super::hash::{HashOptions, content_key};
use layout::Layout;
use source_text::{Positions, SourceText};

/// The line between parts of a text.
const MARK: &[u8] = b"\n// -----\n\n";

/// Returns the text of modules as [`Module::print`] writes it, with the names of values and the comments of the source.
/// The parts between marks `// -----` are formatted one by one.
///
/// # Errors
/// As [`parse`]; [`ErrorKind::Unsupported`] if the output would not be the text of the same module.
///
/// ```
/// use mlirbc::tool::format_text;
/// let text = b"// Twice.\nfunc.func @f(%x : i32)->i32{\n%sum=arith.addi %x,%x:i32 // the sum\nreturn %sum:i32}";
/// let formatted = format_text(text, &Default::default())?;
/// assert_eq!(String::from_utf8_lossy(&formatted), "\
/// // Twice.
/// func.func @f(%x: i32) -> i32 {
///   %sum = arith.addi %x, %x : i32 // the sum
///   return %sum : i32
/// }
/// ");
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
pub fn format_text(text: &[u8], options: &ParseOptions) -> Result<Vec<u8>> {
    let mut formatted = Vec::new();
    for (number, (part, options)) in split(text, options).into_iter().enumerate() {
        if number > 0 {
            formatted.extend_from_slice(MARK);
        }
        formatted.extend(format_part(part, &options)?);
    }
    Ok(formatted)
}

fn format_part(part: &[u8], options: &ParseOptions) -> Result<Vec<u8>> {
    let mut module = parse(part, options)?;
    let mut options = with_found_target(options);
    let source = SourceText::new(part);
    let locations = source.has_locations();
    if locations {
        // The location of a module without one is a position in the file, whose path must not decide about the output.
        options.file = "-".to_owned();
        module = parse(part, &options)?;
    }
    let positions = Positions::of(&module, part, &source, &options)?;
    let explicit = if locations { explicit_locations(&module, &positions, &options)? } else { Vec::new() };
    let key = content_key(&module, HashOptions::default())?;
    // Operations whose custom form omits something are printed in generic form in the second attempt.
    let mut reason = String::new();
    for lossless in [false, true] {
        let print = PrintOptions { lossless, locations, strict: true, ..PrintOptions::default() };
        let formatted = print_like(&module, &source, &positions, &print)?;
        let again = match parse(&formatted, &options) {
            Ok(again) => again,
            Err(error) => {
                reason = error.to_string();
                continue;
            }
        };
        if content_key(&again, HashOptions::default())? != key {
            reason = first_change(&module, &again)?;
            continue;
        }
        let formatted_source = SourceText::new(&formatted);
        if formatted_source.metadata_tokens() < source.metadata_tokens() {
            "nothing uses some of the resources, so they are not printed".clone_into(&mut reason);
            continue;
        }
        let positions = Positions::of(&again, &formatted, &formatted_source, &options)?;
        if locations && explicit_locations(&again, &positions, &options)? != explicit {
            "the locations change".clone_into(&mut reason);
            continue;
        }
        if print_like(&again, &formatted_source, &positions, &print)? != formatted {
            "formatting it again would change it".clone_into(&mut reason);
            continue;
        }
        return Ok(formatted);
    }
    let message = format!("the formatted text would not be the text of the same module: {reason}");
    Err(Error::message(ErrorKind::Unsupported, message).with_hint("leave the text as it is, and report it"))
}

/// The first operation that differs.
fn first_change(before: &Module, after: &Module) -> Result<String> {
    let difference = Difference::of(before, after, &DiffOptions::default())?;
    let site = difference.changes.first().and_then(|change| change.before.as_ref().or(change.after.as_ref()));
    Ok(site.map_or_else(|| "resources differ".to_owned(), |site| format!("`{}` changes", site.text)))
}

/// The options with the release that was found for the text.
fn with_found_target(options: &ParseOptions) -> ParseOptions {
    let found = options.finder.as_ref().and_then(TargetFinder::found);
    let target = found.map_or_else(|| options.target.clone(), |found| Release::named(found.name));
    ParseOptions { target, finder: None, ..options.clone() }
}

/// Returns the location of each operation, without locations that are positions in the text.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if an operation has no location in the text, and others have: the printed text has one for
/// each operation.
fn explicit_locations(
    module: &Module,
    positions: &Positions,
    options: &ParseOptions,
) -> Result<Vec<Option<String>>> {
    let mut locations = Vec::new();
    for op in module.operation()?.pre_order() {
        let op = op?;
        let location = Attribute::of_file(module.tables(), op.location())?;
        let place = location.as_ref().and_then(Attribute::text_place);
        let place = place.filter(|place| {
            place.file == options.file && positions.is_position(&op, place, options.first_line)
        });
        match place {
            Some(place) if positions.is_in_text(&op) => {
                let (name, line) = (op.name(), place.line);
                let message = format!("`{name}` in line {line} has no location, and other operations have");
                let hint =
                    "give each operation a location, or none: `mlirbc print --locations` writes all of them";
                return Err(Error::message(ErrorKind::Unsupported, message).with_hint(hint));
            }
            Some(_) => locations.push(None),
            None => locations.push(location.map(|location| location.to_string())),
        }
    }
    Ok(locations)
}

fn print_like(
    module: &Module,
    source: &SourceText<'_>,
    positions: &Positions,
    options: &PrintOptions,
) -> Result<Vec<u8>> {
    let budget = module.tables().work_budget();
    let mut marks = Marks::of_whole_text(&budget);
    let mut text = Vec::new();
    module.operation()?.print_marked(&mut text, options, Some(&mut marks))?;
    budget.spend(2 * text.len())?;
    let mut layout = Layout::new(&text, &marks);
    layout.rename_values(&positions.value_names, &source.names());
    for comment in source.comments(positions) {
        layout.place(&comment, positions);
    }
    let (top, body) = layout.finish();
    let body = if positions.is_wrapped { without_wrapper(&body) } else { body };
    Ok(joined(top, &body))
}

/// Joins the comments at the beginning with the text after them, with at most one empty line between them.
fn joined(top: Vec<u8>, body: &[u8]) -> Vec<u8> {
    let is_separate = top.ends_with(b"\n\n") || body.starts_with(b"\n");
    let body = body.trim_ascii_start();
    let mut joined = top.trim_ascii_end().to_vec();
    if !joined.is_empty() {
        let is_blank = is_separate && !body.is_empty();
        joined.extend_from_slice(if is_blank { b"\n\n" } else { b"\n" });
    }
    joined.extend_from_slice(body);
    joined
}

/// Removes the module operation that the parser adds around other operations.
fn without_wrapper(text: &[u8]) -> Vec<u8> {
    let mut unwrapped = Vec::with_capacity(text.len());
    let mut is_inside = false;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if !is_inside && line.starts_with(b"module {") {
            is_inside = true;
        } else if is_inside && line.starts_with(b"}") {
            is_inside = false;
        } else {
            unwrapped.extend_from_slice(line.strip_prefix(b"  ").filter(|_| is_inside).unwrap_or(line));
        }
    }
    unwrapped
}

/// Identifies an operation: its body and its row.
type OpKey = (u32, u32);

fn key_of(op: &Operation<'_>) -> OpKey {
    (op.body_id().number(), op.id().number())
}

#[cfg(test)]
mod tests;
