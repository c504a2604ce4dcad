//! Writes text to a string, to bytes, or piece by piece to a Python file.

use std::ffi::CString;
use std::io::{Error, Write};
use std::sync::Arc;

use ::mlirbc::ErrorKind;
use ::mlirbc::print::{PrintForm, PrintOptions, PrintReport};
use ::mlirbc::tool::{TerminalWriter, printable};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::errors::{Interrupt, OmissionWarning};
use crate::growing_text::GrowingText;
use crate::handle::module::Module;
use crate::text::text;

/// The options for printing, with upstream's keywords.
pub(crate) struct Keywords {
    pub(crate) large_elements_limit: Option<u64>,
    pub(crate) large_resource_limit: Option<u64>,
    pub(crate) enable_debug_info: bool,
    pub(crate) print_generic_op_form: bool,
    pub(crate) use_local_scope: bool,
    pub(crate) skip_regions: bool,
    pub(crate) strict: bool,
    pub(crate) lossless: bool,
}

impl Keywords {
    fn options(&self) -> PrintOptions {
        PrintOptions::default()
            .form(if self.print_generic_op_form { PrintForm::Generic } else { PrintForm::Custom })
            .lossless(self.lossless)
            .locations(self.enable_debug_info)
            .elide_resources_larger(self.large_resource_limit)
            .elide_elements_larger(self.large_elements_limit)
            .local_scope(self.use_local_scope)
            .skip_regions(self.skip_regions)
            .strict(self.strict)
    }
}

/// An object that can be printed. A function prints it, so that borrowed data can be made without the
/// interpreter.
pub(crate) trait Printed: Sync {
    fn print(&self, writer: &mut dyn Write, options: &PrintOptions) -> ::mlirbc::Result<PrintReport>;
}

impl<F: Fn(&mut dyn Write, &PrintOptions) -> ::mlirbc::Result<PrintReport> + Sync> Printed for F {
    fn print(&self, writer: &mut dyn Write, options: &PrintOptions) -> ::mlirbc::Result<PrintReport> {
        self(writer, options)
    }
}

/// Returns the whole text as bytes.
pub(crate) fn to_bytes(
    py: Python<'_>,
    module: &Module,
    keywords: &Keywords,
    printed: &dyn Printed,
) -> PyResult<Vec<u8>> {
    let options = keywords.options();
    let mut writer = Memory { bytes: Vec::new(), interrupt: module.interrupt.clone() };
    let done = py.detach(|| printed.print(&mut writer, &options));
    // A writer only fails because of a signal.
    if let Some(raised) = module.interrupt.take() {
        return Err(raised);
    }
    let report = done.map_err(|error| module.raise(py, with_elision(error)))?;
    warn(py, &report)?;
    Ok(writer.bytes)
}

/// Returns the error with a hint about the arguments for large values, which only printing has.
fn with_elision(error: ::mlirbc::Error) -> ::mlirbc::Error {
    match error.kind() {
        ErrorKind::TextLimit => error.with_hint(
            "raise `max_text` if you trust the file, or omit large values with `large_elements_limit=` and `large_resource_limit=` of `get_asm`",
        ),
        _ => error,
    }
}

// Warns about parts that the custom form omits.
fn warn(py: Python<'_>, report: &PrintReport) -> PyResult<()> {
    for omission in &report.omissions {
        let (count, first) = (omission.count(), omission.first());
        let frequency = if count == 1 { "at".to_owned() } else { format!("{count} times, first at") };
        let help = match omission.is_avoided() {
            true => "show it in the form that `mlirbc pack --extra` reads",
            false => "`lossless=True` prints it",
        };
        let text = format!("{omission}, {frequency} {first}; {help}");
        let text = CString::new(printable(&text).into_owned()).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<OmissionWarning>(), &text, 1)?;
    }
    Ok(())
}

/// Returns the whole text, as `str` or as `bytes`.
pub(crate) fn to_object(
    py: Python<'_>,
    module: &Module,
    keywords: &Keywords,
    binary: bool,
    printed: &dyn Printed,
) -> PyResult<Py<PyAny>> {
    Ok(match binary {
        true => PyBytes::new(py, &to_bytes(py, module, keywords, printed)?).into_any().unbind(),
        false => to_str(py, module, keywords, printed)?.into_any().unbind(),
    })
}

fn to_str<'py>(
    py: Python<'py>,
    module: &Module,
    keywords: &Keywords,
    printed: &dyn Printed,
) -> PyResult<Bound<'py, PyString>> {
    let options = keywords.options();
    let mut writer =
        StringMemory { text: GrowingText::default(), interrupt: module.interrupt.clone(), raised: None };
    let done = py.detach(|| printed.print(&mut writer, &options));
    if let Some(raised) = writer.raised.or_else(|| module.interrupt.take()) {
        return Err(raised);
    }
    let report = done.map_err(|error| module.raise(py, with_elision(error)))?;
    warn(py, &report)?;
    writer.text.finish(py)
}

/// Returns the whole text as a `str`.
pub(crate) fn to_string<'py>(
    py: Python<'py>,
    module: &Module,
    printed: &dyn Printed,
) -> PyResult<Bound<'py, PyString>> {
    let keywords = Keywords {
        large_elements_limit: None,
        large_resource_limit: None,
        enable_debug_info: false,
        print_generic_op_form: false,
        use_local_scope: false,
        skip_regions: false,
        strict: false,
        lossless: false,
    };
    to_str(py, module, &keywords, printed)
}

/// Writes the text piece by piece to `file`, or to `sys.stdout`.
pub(crate) fn to_file(
    py: Python<'_>,
    module: &Module,
    keywords: &Keywords,
    binary: bool,
    file: Option<&Bound<'_, PyAny>>,
    printed: &dyn Printed,
) -> PyResult<()> {
    let options = keywords.options();
    let file = match file {
        Some(file) => file.clone(),
        None => py.import("sys")?.getattr("stdout")?,
    };
    let is_terminal = !binary && is_terminal(&file);
    let write = file.getattr("write")?.unbind();
    let mut writer = PieceWriter::new(binary, |py, piece: &[u8]| {
        match binary {
            true => write.call1(py, (PyBytes::new(py, piece),))?,
            false => write.call1(py, (text(py, piece)?,))?,
        };
        Ok(())
    });
    let done = py.detach(|| {
        // The writer keeps the error that made it fail.
        if is_terminal {
            let mut screen = TerminalWriter::new(&mut writer);
            let done = printed.print(&mut screen, &options);
            let _ = screen.flush();
            return done;
        }
        let done = printed.print(&mut writer, &options);
        let _ = writer.finish();
        done
    });
    if let Some(raised) = writer.raised {
        return Err(raised);
    }
    let report = done.map_err(|error| module.raise(py, with_elision(error)))?;
    warn(py, &report)
}

// An object without `isatty` is not a terminal.
fn is_terminal(file: &Bound<'_, PyAny>) -> bool {
    file.call_method0("isatty").and_then(|answer| answer.is_truthy()).unwrap_or(false)
}

/// Keeps all bytes, and looks for signals from time to time.
struct Memory {
    bytes: Vec<u8>,
    interrupt: Arc<Interrupt>,
}

const LOOK_EVERY: usize = 1 << 20;

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let before = self.bytes.len() / LOOK_EVERY;
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() / LOOK_EVERY > before && self.interrupt.requested() {
            return Err(Error::other("interrupted"));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// As [`Memory`], for a `str`.
struct StringMemory {
    text: GrowingText,
    interrupt: Arc<Interrupt>,
    raised: Option<PyErr>,
}

impl Write for StringMemory {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let before = self.text.len() / LOOK_EVERY;
        if let Err(error) = self.text.push(bytes) {
            self.raised = Some(error);
            return Err(Error::other("Python raised an exception"));
        }
        if self.text.len() / LOOK_EVERY > before && self.interrupt.requested() {
            return Err(Error::other("interrupted"));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Passes pieces to Python, with only complete characters unless the text is binary.
struct PieceWriter<F> {
    take: F,
    binary: bool,
    // The beginning of a character whose other bytes have not arrived yet.
    tail: Vec<u8>,
    raised: Option<PyErr>,
}

impl<F: FnMut(Python<'_>, &[u8]) -> PyResult<()>> PieceWriter<F> {
    fn new(binary: bool, take: F) -> Self {
        Self { take, binary, tail: Vec::new(), raised: None }
    }

    fn hand_on(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        let done = Python::attach(|py| py.check_signals().and_then(|()| (self.take)(py, bytes)));
        done.map_err(|error| {
            self.raised = Some(error);
            Error::other("Python raised an exception")
        })
    }

    fn finish(&mut self) -> std::io::Result<()> {
        match std::mem::take(&mut self.tail) {
            tail if tail.is_empty() => Ok(()),
            tail => self.hand_on(&tail),
        }
    }
}

impl<F: FnMut(Python<'_>, &[u8]) -> PyResult<()>> Write for PieceWriter<F> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.raised.is_some() {
            return Err(Error::other("Python raised an exception"));
        }
        if self.binary {
            self.hand_on(bytes)?;
            return Ok(bytes.len());
        }
        let mut piece = std::mem::take(&mut self.tail);
        piece.extend_from_slice(bytes);
        // Only an incomplete character at the end is kept back; invalid bytes are passed on.
        let cut = match std::str::from_utf8(&piece) {
            Ok(_) => piece.len(),
            Err(_) => whole_characters(&piece),
        };
        self.tail = piece.split_off(cut);
        self.hand_on(&piece)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

// Returns the position of an incomplete last character, or the length if there is none.
fn whole_characters(bytes: &[u8]) -> usize {
    for back in 1..=bytes.len().min(3) {
        let byte = bytes[bytes.len() - back];
        let needs = match byte {
            0xc0..0xe0 => 2,
            0xe0..0xf0 => 3,
            0xf0..0xf8 => 4,
            0x80..0xc0 => continue,
            _ => 1,
        };
        return if needs > back { bytes.len() - back } else { bytes.len() };
    }
    bytes.len()
}
