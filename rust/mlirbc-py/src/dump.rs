//! Dumps of bytes and reports of sizes, for `mlirbc.tools`.

use std::path::PathBuf;
use std::sync::Arc;

use ::mlirbc::ReadOptions;
use ::mlirbc::bytes::{Backend, Source};
use ::mlirbc::section::SectionId;
use ::mlirbc::tool::{DumpOptions, SizeReport, check_offset};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{Interrupt, raise};
use crate::handle::module::Module;
use crate::open::{Choice, Foreign, Limits};

/// The report of `mlirbc.tools.size` as JSON.
#[pyfunction]
pub(crate) fn _size(py: Python<'_>, module: &Module, duplicates: bool) -> PyResult<String> {
    let report = module.detached(py, |module| SizeReport::of(module, duplicates))?;
    serde_json::to_string(&report).map_err(|error| PyValueError::new_err(error.to_string()))
}

type Row<'py> = (&'static str, usize, u64, u64, String, String, Bound<'py, PyBytes>);

/// The rows of `mlirbc.dump`.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // keywords
pub(crate) fn _dump<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    section: Option<&str>,
    at: Option<u64>,
    depth: Option<usize>,
    limits: Option<&Limits>,
    release: Option<String>,
    module: Option<Choice>,
) -> PyResult<Vec<Row<'py>>> {
    let section = section.map(|name| {
        let known = SectionId::ALL.into_iter().find(|id| id.name().eq_ignore_ascii_case(name));
        known.ok_or_else(|| PyValueError::new_err(format!("there is no section {name:?}")))
    });
    let selection = DumpOptions { section: section.transpose()?, at, depth };
    let interrupt = Arc::new(Interrupt::default());
    let asked = interrupt.clone();
    let options = ReadOptions {
        limits: limits.map_or_else(Default::default, Limits::to_core),
        interrupt: Some(Arc::new(move || asked.requested())),
        release,
        module: module.map(Choice::into_core),
        ..ReadOptions::default()
    };
    let opened = match source.extract::<PathBuf>() {
        Ok(path) => Source::open(path, Backend::Map),
        Err(_) => Ok(Source::foreign(Foreign::new(source)?)),
    };
    let rows = py.detach(|| {
        let source = opened?;
        at.map_or(Ok(()), |at| check_offset(at, source.len()))?;
        let mut rows = Vec::new();
        ::mlirbc::tool::dump(&source, &options, selection, &mut |row| {
            rows.push(row);
            true
        })?;
        Ok(rows)
    });
    let rows = rows.map_err(|error| raise(py, error, Some(&interrupt)))?;
    let row = |row: ::mlirbc::tool::DumpRow| {
        let bytes = PyBytes::new(py, &row.bytes);
        (row.kind.name(), row.depth, row.offset, row.size, row.name, row.value, bytes)
    };
    Ok(rows.into_iter().map(row).collect())
}
