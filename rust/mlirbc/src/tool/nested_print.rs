//! The text of a module with the text of each kernel below the operation that holds it.
//!
//! Owns [`print_nested`] and the format of the block: comment lines, which do not change the meaning of the
//! module. `print` prints operations, and `artifact` finds kernels.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

use crate::artifact::nested::{AttributesKey, key_of, nested};
use crate::artifact::{NestedModule, is_nested};
use crate::attr::text::text_marks::{MarkKind, Marks};
use crate::ir::{BodyId, Module, OpId, Operation};
use crate::print::{PrintOptions, PrintReport};
use crate::wire::error::{Error, Result};
use crate::wire::limits::Budget;

use super::escape::printable;

/// The reports from printing a module with its kernels.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct NestedPrintReport {
    /// The report of the module.
    pub module: PrintReport,
    /// The reports of the kernels that are bytecode, with their paths.
    pub kernels: Vec<(String, PrintReport)>,
}

/// Prints a module as [`Module::print`] does, and each kernel in it as a block of comments below the line of the first
/// operation that holds it. `path` is the path of the module. Everything is in memory until it is written.
///
/// # Errors
/// As [`Module::print`]; also if a kernel cannot be decoded or opened.
///
/// ```
/// use mlirbc::{Artifact, print::PrintOptions, tool::print_nested};
/// let artifact = Artifact::open("../../tests/data/containers/tpu_kernel.jax")?;
/// let mut text = Vec::new();
/// print_nested(&artifact.module(0)?, "main", &PrintOptions::default(), &mut text)?;
/// let text = String::from_utf8_lossy(&text).into_owned();
/// assert!(text.contains("// kernel main/kernels/blocked_dot: tpu_custom_call, stable_mosaic 11, 1506 bytes\n"));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
pub fn print_nested(
    module: &Module,
    path: &str,
    options: &PrintOptions,
    writer: &mut dyn Write,
) -> Result<NestedPrintReport> {
    let mut kernels = nested(module, path)?.modules;
    // The text of a kernel has the kernels inside it.
    kernels
        .retain(|kernel| !is_nested(kernel.path.get(path.len() + "/kernels/".len()..).unwrap_or_default()));
    if kernels.is_empty() {
        let report = module.print(writer, options)?;
        return Ok(NestedPrintReport { module: report, kernels: Vec::new() });
    }
    let budget = module.tables().work_budget();
    let mut marks = Marks::of_whole_text(&budget);
    let mut text = Counted::new(&budget);
    let printed = module.operation()?.print_marked(&mut text, options, Some(&mut marks));
    let report = text.done(printed)?;
    let mut blocks = Blocks { budget: &budget, options, writer, reports: Vec::new() };
    let mut written = 0;
    for (end, kernel) in places(module, &kernels, &marks, &text.bytes)? {
        let (before, begin) = (text.bytes.get(written..end), written);
        blocks.write(before.unwrap_or_default())?;
        written = end.max(begin);
        let line = text.bytes.get(..end).unwrap_or_default();
        blocks.kernel(kernel, &indent(line), module)?;
    }
    blocks.write(text.bytes.get(written..).unwrap_or_default())?;
    Ok(NestedPrintReport { module: report, kernels: blocks.reports })
}

/// Returns, for each kernel, the end of the line of the operation that holds it, in the order of the text.
fn places<'k>(
    module: &Module,
    kernels: &'k [NestedModule],
    marks: &Marks,
    text: &[u8],
) -> Result<Vec<(usize, &'k NestedModule)>> {
    let mut waiting: HashMap<AttributesKey, Vec<&NestedModule>> = HashMap::new();
    kernels.iter().for_each(|kernel| waiting.entry(kernel.holder).or_default().push(kernel));
    let (mut open, mut places) = (Vec::new(), Vec::new());
    for mark in &marks.rows {
        match mark.kind {
            MarkKind::Begin => {
                let op = Operation::from_ids(module, BodyId::new(mark.body), OpId::new(mark.id));
                open.push(op.and_then(|op| waiting.remove(&key_of(&op))));
            }
            MarkKind::End => {
                let Some(Some(held)) = open.pop() else { continue };
                let end = usize::try_from(mark.position).unwrap_or(usize::MAX).min(text.len());
                let line = text[end..].iter().position(|&byte| byte == b'\n');
                let end = line.map_or(text.len(), |line| end + line + 1);
                places.extend(held.into_iter().map(|kernel| (end, kernel)));
            }
            MarkKind::Definition | MarkKind::Use => {}
        }
    }
    Ok(places)
}

/// Returns the indentation of the last line of a text that ends with that line.
fn indent(text: &[u8]) -> Cow<'_, str> {
    let line = text.strip_suffix(b"\n").unwrap_or(text);
    let start = line.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let line = &line[start..];
    let blanks = line.iter().take_while(|&&byte| byte == b' ').count();
    String::from_utf8_lossy(&line[..blanks])
}

/// Text in memory, within a budget.
struct Counted<'b> {
    bytes: Vec<u8>,
    budget: &'b Budget,
    failure: Option<Error>,
}

impl<'b> Counted<'b> {
    fn new(budget: &'b Budget) -> Self {
        Self { bytes: Vec::new(), budget, failure: None }
    }

    /// Returns the result of printing, or the limit that ended it.
    fn done<T>(&mut self, printed: Result<T>) -> Result<T> {
        self.failure.take().map_or(printed, Err)
    }
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The capacity of the vector doubles.
        if let Err(error) = self.budget.spend(2 * bytes.len()) {
            self.failure = Some(error);
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes the text with the blocks of its kernels.
struct Blocks<'w> {
    budget: &'w Budget,
    options: &'w PrintOptions,
    writer: &'w mut dyn Write,
    reports: Vec<(String, PrintReport)>,
}

impl Blocks<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let written = self.writer.write_all(bytes);
        written.map_err(|error| Error::io("cannot write the text", error))
    }

    fn kernel(&mut self, kernel: &NestedModule, indent: &str, outer: &Module) -> Result<()> {
        let (path, target, size) = (printable(&kernel.path), printable(&kernel.target), kernel.bytes.len());
        if kernel.is_text {
            self.write(format!("{indent}// kernel {path}: {target}, text, {size} bytes\n").as_bytes())?;
            self.lines(&kernel.bytes, indent)?;
        } else {
            let module = kernel.open_in(outer)?;
            let dialect = kernel.version.as_ref().map_or_else(String::new, |(name, version)| {
                let dialect = name.strip_suffix(".version").unwrap_or(name);
                format!(", {} {version}", printable(dialect))
            });
            let title = format!("{indent}// kernel {path}: {target}{dialect}, {size} bytes\n");
            self.write(title.as_bytes())?;
            let mut text = Counted::new(self.budget);
            // At most 16 modules are nested, which `nested` checked.
            let printed = print_nested(&module, &kernel.path, self.options, &mut text);
            let NestedPrintReport { module: mut report, kernels } =
                text.done(printed).map_err(|error| kernel.located(error))?;
            report.faults = report.faults.into_iter().map(|fault| kernel.located(fault)).collect();
            self.reports.push((kernel.path.clone(), report));
            self.reports.extend(kernels);
            self.lines(&text.bytes, indent)?;
        }
        self.write(format!("{indent}// end of {path}\n").as_bytes())
    }

    /// Writes lines as comments. A carriage return, too, ends a comment for MLIR.
    fn lines(&mut self, text: &[u8], indent: &str) -> Result<()> {
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        for line in text.split(|byte| matches!(byte, b'\n' | b'\r')) {
            self.budget.spend_text((indent.len() + line.len() + 5) as u64)?;
            let bar: &[u8] = if line.is_empty() { b"// |" } else { b"// | " };
            self.write(&[indent.as_bytes(), bar, line, b"\n"].concat())?;
        }
        Ok(())
    }
}
