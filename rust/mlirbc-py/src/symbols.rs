//! Modules from parts of others; `mlirbc.symbols` has the documentation.

use ::mlirbc::tool::symbols::{ExtractOptions, MergeOptions, Split, extract, merge, prepare};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::json;

use crate::handle::module::Module;

/// The module with some of the symbols of another one, and the report as JSON.
#[pyfunction]
pub(crate) fn _extract(
    py: Python<'_>,
    module: &Module,
    names: Vec<String>,
    declarations: bool,
) -> PyResult<(Module, String)> {
    module.ensure_open()?;
    let (made, report) = module.detached(py, |module| {
        let mut found = extract(module, &names, ExtractOptions { declarations })?;
        let made = prepare(&mut found.editor, &Default::default())?.into_module()?;
        let report = json!({
            "symbols": found.symbols,
            "declared": found.declared,
            "missing": found.missing,
            "left_out": found.left_out,
            "unknown": found.unknown,
        });
        Ok((made, report.to_string()))
    })?;
    Ok((Module::new(py, Ok(made), module.interrupt.clone())?, report))
}

/// Several modules as one, and the report as JSON.
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
    let (made, report) = first.detached(py, |_| {
        let mut found = merge(&all, &MergeOptions { rename, order, names: Vec::new() })?;
        let made = prepare(&mut found.editor, &Default::default())?.into_module()?;
        let report = json!({
            "renamed": found.renamed,
            "resources": found.resources,
            "shared": found.shared,
            "linked": found.linked,
        });
        Ok((made, report.to_string()))
    })?;
    Ok((Module::new(py, Ok(made), first.interrupt.clone())?, report))
}

/// The modules of the parts of one, and their descriptions as JSON.
#[pyfunction]
pub(crate) fn _split(py: Python<'_>, module: &Module) -> PyResult<(Vec<Module>, String)> {
    module.ensure_open()?;
    let (made, report) = module.detached(py, |module| {
        let mut split = Split::new(module)?;
        let mut made = Vec::with_capacity(split.parts().len());
        for number in 0..split.parts().len() {
            made.push(prepare(&mut split.editor(number)?, &Default::default())?.into_module()?);
        }
        Ok((made, json!(split.parts()).to_string()))
    })?;
    let made = made.into_iter().map(|made| Module::new(py, Ok(made), module.interrupt.clone()));
    Ok((made.collect::<PyResult<_>>()?, report))
}
