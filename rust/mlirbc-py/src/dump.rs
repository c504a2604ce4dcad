//! Dumps of bytes, reports of sizes, keys and differences, for `mlirbc.tools`.

use std::path::PathBuf;
use std::sync::Arc;

use ::mlirbc::ReadOptions;
use ::mlirbc::bytes::{Backend, Source};
use ::mlirbc::section::SectionId;
use ::mlirbc::tool::{
    CostOptions, CostReport, CustomCallCosts, DiffOptions, Difference, DumpOptions, ExploreOptions,
    HashOptions, JsonWriter, SizeReport, check_offset, content_key, explore, symbol_keys,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{Interrupt, raise};
use crate::handle::module::Module;
use crate::limits::Limits;
use crate::open::Foreign;
use crate::open_arguments::Choice;

/// Returns the report of `mlirbc.tools.cost` as JSON.
#[pyfunction]
pub(crate) fn _cost(
    py: Python<'_>,
    module: &Module,
    dims: Vec<(String, u64)>,
    custom_calls: Option<&str>,
    parameters: Vec<String>,
) -> PyResult<String> {
    let custom_calls = custom_calls.map(CustomCallCosts::parse).transpose();
    let custom_calls = custom_calls.map_err(|error| raise(py, error, None))?.unwrap_or_default();
    let options = CostOptions::default().dims(dims).custom_calls(custom_calls).parameters(parameters);
    let report = module.detached(py, |module| CostReport::of(module, &options))?;
    serde_json::to_string(&report).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Returns the report of `mlirbc.tools.size` as JSON.
#[pyfunction]
pub(crate) fn _size(py: Python<'_>, module: &Module, duplicates: bool) -> PyResult<String> {
    let report = module.detached(py, |module| SizeReport::of(module, duplicates))?;
    serde_json::to_string(&report).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Returns the page of `mlirbc.explore`, and the list of omissions on the page.
#[pyfunction]
pub(crate) fn _explore(
    py: Python<'_>,
    module: &Module,
    name: &str,
    max_assembly: u64,
    vhlo: bool,
) -> PyResult<(String, Vec<String>)> {
    let options = ExploreOptions::default().max_text(max_assembly).vhlo(vhlo);
    module.detached(py, |module| {
        let mut page = Vec::new();
        let report = explore(module, name, &options, &mut page)?;
        Ok((String::from_utf8_lossy(&page).into_owned(), report.notes))
    })
}

/// Returns the key of `mlirbc.hash`.
#[pyfunction]
pub(crate) fn _hash(
    py: Python<'_>,
    module: &Module,
    locations: bool,
    stored_facts: bool,
) -> PyResult<String> {
    module.detached(py, |module| {
        content_key(module, HashOptions::default().locations(locations).stored_facts(stored_facts))
    })
}

/// Returns the keys of the operations in the top-level operation.
#[pyfunction]
pub(crate) fn _hash_symbols(
    py: Python<'_>,
    module: &Module,
    locations: bool,
    stored_facts: bool,
) -> PyResult<Vec<(String, String)>> {
    module.detached(py, |module| {
        symbol_keys(module, HashOptions::default().locations(locations).stored_facts(stored_facts))
    })
}

/// Returns the difference of `mlirbc.diff` as JSON, text, a page, and the page's tables alone.
#[pyfunction]
pub(crate) fn _diff(
    py: Python<'_>,
    before: &Module,
    after: &Module,
    locations: bool,
    symbol: Option<String>,
    names: (String, String),
) -> PyResult<(String, String, String, String)> {
    let options = DiffOptions::default().locations(locations).symbol(symbol);
    let after_module = &after.inner;
    before.detached(py, |before| {
        let difference = Difference::of(before, after_module, &options)?;
        let mut json = JsonWriter::new(Vec::new());
        serde_json::to_writer(&mut json, &difference)
            .map_err(|error| ::mlirbc::Error::io("cannot write the difference as JSON", error.into()))?;
        let json = String::from_utf8_lossy(&json.into_inner()).into_owned();
        Ok((
            json,
            difference.to_text(false),
            difference.to_html(&names.0, &names.1),
            difference.to_html_fragment(),
        ))
    })
}

type DumpTuple<'py> = (&'static str, usize, u64, u64, String, String, Bound<'py, PyBytes>);

/// Returns the rows of `mlirbc.dump`.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // keywords
pub(crate) fn _dump<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    section: Option<&str>,
    at: Option<u64>,
    depth: Option<usize>,
    container: bool,
    limits: Option<&Limits>,
    release: Option<String>,
    module: Option<Choice>,
) -> PyResult<Vec<DumpTuple<'py>>> {
    let section = section.map(|name| {
        let section_id = SectionId::ALL.into_iter().find(|id| id.name().eq_ignore_ascii_case(name));
        section_id.ok_or_else(|| PyValueError::new_err(format!("there is no section {name:?}")))
    });
    let selection = DumpOptions { section: section.transpose()?, at, depth, container };
    let interrupt = Arc::new(Interrupt::default());
    let interrupt_flag = interrupt.clone();
    let options = ReadOptions::default()
        .limits(limits.map_or_else(Default::default, Limits::to_core))
        .interrupt(Arc::new(move || interrupt_flag.requested()))
        .release(release.map(::mlirbc::Release::named))
        .module(module.map(Choice::into_core));
    let opened = match (source.cast::<Module>(), source.extract::<PathBuf>()) {
        (Ok(module), _) => {
            module.get().ensure_open()?;
            Ok(module.get().inner.source().clone())
        }
        (_, Ok(path)) => Source::open_with(path, Backend::Map, &options.limits),
        _ => Ok(Source::foreign(Foreign::new(source)?)),
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
