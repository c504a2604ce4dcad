//! Extraction, merging and splitting of modules; `mlirbc.symbols` has the documentation.

use ::mlirbc::tool::symbols::{ExtractOptions, MergeOptions, Split, extract, merge, prepare};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::json;

use crate::handle::module::Module;

/// Returns a module with some symbols of another one, and the report as JSON.
#[pyfunction]
pub(crate) fn _extract(
    py: Python<'_>,
    module: &Module,
    names: Vec<String>,
    declarations: bool,
) -> PyResult<(Module, String)> {
    module.ensure_open()?;
    let (extracted_module, report) = module.detached(py, |module| {
        let mut extracted = extract(module, &names, ExtractOptions::default().declarations(declarations))?;
        let extracted_module = prepare(&mut extracted.editor, &Default::default())?.into_module()?;
        let report = json!({
            "symbols": extracted.symbols,
            "declared": extracted.declared,
            "missing": extracted.missing,
            "left_out": extracted.left_out,
            "unknown": extracted.unknown,
        });
        Ok((extracted_module, report.to_string()))
    })?;
    Ok((Module::new(py, Ok(extracted_module), module.interrupt.clone())?, report))
}

/// Merges several modules, and returns the module and the report as JSON.
#[pyfunction]
pub(crate) fn _merge(
    py: Python<'_>,
    modules: Vec<Bound<'_, Module>>,
    rename: bool,
    order: Option<Vec<(usize, usize)>>,
) -> PyResult<(Module, String)> {
    let Some(first) = modules.first().map(Bound::get) else {
        return Err(PyValueError::new_err("there are no modules to merge"));
    };
    let mut all = Vec::with_capacity(modules.len());
    for module in &modules {
        module.get().ensure_open()?;
        all.push(module.get().inner.clone());
    }
    let (merged_module, report) = first.detached(py, |_| {
        let mut merged = merge(&all, &MergeOptions::default().rename(rename).order(order).names(Vec::new()))?;
        let merged_module = prepare(&mut merged.editor, &Default::default())?.into_module()?;
        let report = json!({
            "renamed": merged.renamed,
            "resources": merged.resources,
            "shared": merged.shared,
            "linked": merged.linked,
        });
        Ok((merged_module, report.to_string()))
    })?;
    Ok((Module::new(py, Ok(merged_module), first.interrupt.clone())?, report))
}

/// Splits a module, and returns the modules and their descriptions as JSON.
#[pyfunction]
pub(crate) fn _split(py: Python<'_>, module: &Module) -> PyResult<(Vec<Module>, String)> {
    module.ensure_open()?;
    let (parts, report) = module.detached(py, |module| {
        let mut split = Split::new(module)?;
        let mut parts = Vec::with_capacity(split.parts().len());
        for number in 0..split.parts().len() {
            parts.push(prepare(&mut split.editor(number)?, &Default::default())?.into_module()?);
        }
        Ok((parts, json!(split.parts()).to_string()))
    })?;
    let parts = parts.into_iter().map(|parts| Module::new(py, Ok(parts), module.interrupt.clone()));
    Ok((parts.collect::<PyResult<_>>()?, report))
}
