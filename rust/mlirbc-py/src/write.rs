//! Writes modules as bytecode: to bytes, to a Python file, or to a path.

use std::io::{Error, Write};
use std::path::PathBuf;
use std::sync::Arc;

use ::mlirbc::WriteOptions;
use ::mlirbc::loss::Loss;
use ::mlirbc::progress::Progress;
use ::mlirbc::version::BytecodeVersion;
use ::mlirbc::write::{DialectVersion, Numbering};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMapping, PyString};

use crate::errors::{Interrupt, raise};
use crate::handle::module::Module;
use crate::log;
use crate::report::WriteReport;
use crate::written_bytes::written_bytes;

/// The keywords for writing.
#[derive(Default)]
pub(crate) struct Keywords<'k> {
    pub(crate) numbering: Option<&'k str>,
    pub(crate) version: Option<u64>,
    pub(crate) target: Option<String>,
    pub(crate) producer: Option<Vec<u8>>,
    pub(crate) drop_unsupported: bool,
    pub(crate) strict: bool,
    pub(crate) strip_locations: bool,
    pub(crate) strip_resources: bool,
    pub(crate) dialect_versions: Vec<(String, DialectVersion)>,
    pub(crate) allow_newer_versions: bool,
    /// Removes everything that nothing refers to.
    pub(crate) purge: bool,
}

impl Keywords<'_> {
    /// Returns the options. `own` is the bytecode version of the module, which is allowed with any numbering.
    pub(crate) fn options(self, own: Option<BytecodeVersion>) -> PyResult<WriteOptions> {
        let strips = self.strip_locations || self.strip_resources;
        let is_own = own.is_some_and(|own| self.version == Some(own.number().into()));
        let has_other_changes = self.target.is_some() || self.producer.is_some() || strips;
        let changes = self.version.is_some() || has_other_changes;
        let numbering = match self.numbering {
            Some(chosen @ ("preserve" | "strictest")) if self.purge => {
                let message = format!("`purge` needs numbering='canonical', not {chosen:?}");
                return Err(PyValueError::new_err(message));
            }
            None if self.purge => Numbering::Canonical,
            Some("preserve") if has_other_changes || changes && !is_own => {
                let message = "`version`, `target`, `producer` and stripping need numbering='canonical', not 'preserve'";
                return Err(PyValueError::new_err(message));
            }
            None if !changes => Numbering::Preserve,
            Some("preserve") => Numbering::Preserve,
            Some("strictest") if !changes => Numbering::Strictest,
            Some("strictest") => Numbering::Canonical,
            None | Some("canonical") => Numbering::Canonical,
            Some(other) => {
                let message =
                    format!("expected numbering='preserve', 'canonical' or 'strictest', found {other:?}");
                return Err(PyValueError::new_err(message));
            }
        };
        let version = match self.version {
            Some(number) => Some(BytecodeVersion::new(number).ok_or_else(|| {
                PyValueError::new_err(format!("expected a bytecode version from 0 to 6, found {number}"))
            })?),
            None => None,
        };
        Ok(WriteOptions::default()
            .numbering(numbering)
            .version(version)
            .target(self.target.map(::mlirbc::Release::named))
            .producer(self.producer)
            .drop_unsupported(self.drop_unsupported)
            .strict(self.strict)
            .lists_changes(false)
            .strip_locations(self.strip_locations)
            .strip_resources(self.strip_resources)
            .dialect_versions(self.dialect_versions)
            .allow_newer_versions(self.allow_newer_versions)
            .progress(Progress::default()))
    }
}

/// Converts the producer string from text or bytes.
pub(crate) fn producer(given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Vec<u8>>> {
    let Some(given) = given else { return Ok(None) };
    let bytes = match given.extract::<String>() {
        Ok(text) => text.into_bytes(),
        Err(_) => given.extract::<Vec<u8>>()?,
    };
    if bytes.contains(&0) {
        return Err(PyValueError::new_err("a producer string cannot contain zero bytes"));
    }
    Ok(Some(bytes))
}

/// Converts versions by dialect name: text such as `1.0.0`, numbers, or the bytes of the file.
pub(crate) fn dialect_versions(
    given: Option<&Bound<'_, PyMapping>>,
) -> PyResult<Vec<(String, DialectVersion)>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    let mut versions = Vec::new();
    for pair in given.items()?.iter() {
        let (name, value): (String, Bound<'_, PyAny>) = pair.extract()?;
        let version = if let Ok(text) = value.cast::<PyString>() {
            let parsed = text.to_str()?.parse::<DialectVersion>();
            parsed.map_err(|error| raise(given.py(), error, None))?
        } else if let Ok(bytes) = value.cast::<PyBytes>() {
            DialectVersion::Bytes(bytes.as_bytes().to_vec().into())
        } else if let Ok(numbers) = value.extract::<Vec<u64>>() {
            DialectVersion::Numbers(numbers)
        } else if let Ok(bytes) = value.getattr("data").and_then(|data| data.extract::<Vec<u8>>()) {
            DialectVersion::Bytes(bytes.into())
        } else {
            let class_name = value.get_type().name()?;
            let message = format!("the version of a dialect is text, numbers or bytes, not {class_name}");
            return Err(PyTypeError::new_err(message));
        };
        versions.push((name, version));
    }
    Ok(versions)
}

/// Returns all the bytes.
pub(crate) fn to_bytes<'py>(
    py: Python<'py>,
    module: &Module,
    options: &WriteOptions,
) -> PyResult<Bound<'py, PyAny>> {
    let prepared = py.detach(|| module.inner.prepare_write(options));
    if let Some(raised) = module.interrupt.take() {
        return Err(raised);
    }
    let prepared = prepared.map_err(|error| module.raise(py, error))?;
    let size = usize::try_from(prepared.len()).map_err(|_| PyMemoryError::new_err(()))?;
    let mut losses = Vec::new();
    let bytes = written_bytes(py, size, |mut buffer| {
        let written = py.detach(|| prepared.write(&mut buffer));
        if let Some(raised) = module.interrupt.take() {
            return Err(raised);
        }
        let report = written.map_err(|error| module.raise(py, error))?;
        losses.clone_from(&report.losses);
        Ok(WriteReport::new(report))
    })?;
    warn(py, &losses)?;
    Ok(bytes)
}

/// Writes to a path, in one step: in the container of the module, unless `bare` is set.
pub(crate) fn to_path(
    py: Python<'_>,
    module: &Module,
    path: PathBuf,
    (options, bare): (&WriteOptions, bool),
) -> PyResult<WriteReport> {
    let saved = py.detach(|| match bare {
        true => module.inner.save(&path, options),
        false => module.inner.save_contained(&path, options),
    });
    if let Some(raised) = module.interrupt.take() {
        return Err(raised);
    }
    let report = saved.map_err(|error| module.raise(py, error))?;
    log::saved(py, &path)?;
    warn(py, &report.losses)?;
    Ok(WriteReport::new(report))
}

/// Warns about parts that were left out or shortened because the caller allowed it.
pub(crate) fn warn(py: Python<'_>, losses: &[Loss]) -> PyResult<()> {
    if losses.is_empty() {
        return Ok(());
    }
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for loss in losses {
        let outcome = loss.kind.outcome();
        match groups.iter_mut().find(|(known, _)| *known == outcome) {
            Some((_, lines)) => lines.push(loss.to_string()),
            None => groups.push((outcome, vec![loss.to_string()])),
        }
    }
    let lines: Vec<String> =
        groups.iter().map(|(outcome, lines)| format!("{outcome}: {}", lines.join("; "))).collect();
    let message = std::ffi::CString::new(lines.join("; ").replace('\0', "?"))?;
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 1)
}

pub(crate) struct Memory {
    pub(crate) bytes: Vec<u8>,
    pub(crate) interrupt: Arc<Interrupt>,
}

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        if self.interrupt.requested() {
            return Err(Error::other("interrupted"));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
