//! Programs with other weights; `mlirbc.weights` has the documentation.

use std::path::PathBuf;

use ::mlirbc::Artifact;
use ::mlirbc::tool::{
    FreezeOptions, HoistOptions, NamedTensor, Rewrite, StoreForm, Weight, WeightUse, is_float_tensor,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Serialize;

use crate::errors::raise;
use crate::handle::module::Module;
use crate::weights::weights;

/// A tensor: name, element type, shape, elements.
type TensorRow = (String, String, Vec<u64>, Vec<u8>);

/// A report as JSON, and the file if no path was given for it.
type Rewritten<'py> = (String, Option<Bound<'py, PyBytes>>);

/// The names of chosen weights and paths of chosen users; `None` chooses all tensors of floats, and all users.
struct Choice {
    names: Option<Vec<String>>,
    users: Option<Vec<String>>,
}

impl Choice {
    fn accepts(&self, weight: &Weight) -> bool {
        match &self.names {
            Some(names) => names.contains(&weight.name),
            None => is_float_tensor(weight),
        }
    }

    fn accepts_use(&self, weight_use: &WeightUse) -> bool {
        self.users.as_ref().is_none_or(|users| users.contains(&weight_use.path))
    }
}

fn written<'py>(
    py: Python<'py>,
    module: &Module,
    mut rewrite: Rewrite,
    report: &impl Serialize,
    output: Option<PathBuf>,
) -> PyResult<Rewritten<'py>> {
    let report = serde_json::to_string(report).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let bytes = module.detached(py, |_| {
        let prepared = rewrite.prepare(&Default::default())?;
        let mut bytes = Vec::new();
        match &output {
            Some(path) => prepared.save(path)?,
            None => prepared.write(&mut bytes)?,
        }
        Ok(output.is_none().then_some(bytes))
    })?;
    Ok((report, bytes.map(|bytes| PyBytes::new(py, &bytes))))
}

/// Makes arguments constants.
#[pyfunction]
#[pyo3(signature = (module, tensors, paths, function, allow_extra, bare, output))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn _freeze_weights<'py>(
    py: Python<'py>,
    module: &Module,
    tensors: Vec<TensorRow>,
    paths: Vec<PathBuf>,
    function: Option<String>,
    allow_extra: bool,
    bare: bool,
    output: Option<PathBuf>,
) -> PyResult<Rewritten<'py>> {
    module.ensure_open()?;
    let options = FreezeOptions::default().function(function).allow_extra(allow_extra).bare(bare);
    // Their errors have no position in the module.
    let read = py.detach(|| paths.iter().map(NamedTensor::read).collect::<::mlirbc::Result<Vec<_>>>());
    let read = read.map_err(|error| raise(py, error, None))?.into_iter().flatten();
    let (rewrite, report) = module.detached(py, |module| {
        let rows = tensors.into_iter();
        let mut tensors: Vec<NamedTensor> =
            rows.map(|(name, dtype, shape, data)| NamedTensor::new(name, dtype, &shape, data)).collect();
        tensors.extend(read);
        Rewrite::freeze(&Artifact::of(module), &tensors, &options)
    })?;
    written(py, module, rewrite, &report, output)
}

/// Makes constants arguments; `values` is the file for their elements.
#[pyfunction]
#[pyo3(signature = (module, names, users, function, drop_derivatives, bare, values, output))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn _hoist_weights<'py>(
    py: Python<'py>,
    module: &Module,
    names: Option<Vec<String>>,
    users: Option<Vec<String>>,
    function: Option<String>,
    drop_derivatives: bool,
    bare: bool,
    values: Option<PathBuf>,
    output: Option<PathBuf>,
) -> PyResult<Rewritten<'py>> {
    let module_weights = weights(py, module)?;
    let choice = Choice { names, users };
    let options = HoistOptions::default().function(function).drop_derivatives(drop_derivatives).bare(bare);
    let (rewrite, report) = module.detached(py, |module| {
        let (choose, choose_use) = (
            |weight: &Weight| choice.accepts(weight),
            |weight_use: &WeightUse| choice.accepts_use(weight_use),
        );
        let (mut rewrite, report) =
            Rewrite::hoist(&Artifact::of(module), &module_weights, &choose, &choose_use, &options)?;
        // Nothing is written if the program has no form.
        rewrite.prepare(&Default::default())?;
        if let Some(path) = &values {
            module_weights.save(path, &report.hoisted, &Default::default())?;
        }
        Ok((rewrite, report))
    })?;
    written(py, module, rewrite, &report, output)
}

/// Stores constants in another form: a floating-point type, or `int8`; `axis` is -1 for one scale for each tensor, and -2
/// for the last dimension.
#[pyfunction]
#[pyo3(signature = (module, to, axis, names, users, bare, output))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn _store_weights<'py>(
    py: Python<'py>,
    module: &Module,
    to: String,
    axis: i64,
    names: Option<Vec<String>>,
    users: Option<Vec<String>>,
    bare: bool,
    output: Option<PathBuf>,
) -> PyResult<Rewritten<'py>> {
    module.ensure_open()?;
    let form = match (to.as_str(), axis) {
        ("int8", -1) => StoreForm::Int8,
        ("int8", axis) => StoreForm::Int8PerChannel(u64::try_from(axis).ok()),
        _ => StoreForm::Float(to),
    };
    let choice = Choice { names, users };
    let (rewrite, report) = module.detached(py, |module| {
        let (choose, choose_use) = (
            |weight: &Weight| choice.accepts(weight),
            |weight_use: &WeightUse| choice.accepts_use(weight_use),
        );
        Rewrite::store(&Artifact::of(module), &form, &choose, &choose_use, bare)
    })?;
    written(py, module, rewrite, &report, output)
}
