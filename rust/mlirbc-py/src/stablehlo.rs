//! Portable artifacts as StableHLO, and the reverse; `mlirbc.stablehlo` has the documentation.

use ::mlirbc::convert::portable::{self, SerializeOptions, VhloVersion};
use ::mlirbc::convert::shardy;
use ::mlirbc::progress::Progress;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::raise;
use crate::handle::module::Module;

/// The StableHLO module of an artifact.
#[pyfunction]
pub(crate) fn _stablehlo_deserialize(py: Python<'_>, module: &Module) -> PyResult<Module> {
    module.ensure_open()?;
    let made =
        module.detached(py, |module| portable::deserialize(module, &Progress::default())?.into_module())?;
    Module::new(py, Ok(made), module.interrupt.clone())
}

/// The module with shardings of HLO in place of those of Shardy.
#[pyfunction]
pub(crate) fn _stablehlo_to_hlo_shardings(py: Python<'_>, module: &Module) -> PyResult<Module> {
    module.ensure_open()?;
    let made = module.detached(py, |module| shardy::to_hlo(module, &Progress::default())?.into_module())?;
    Module::new(py, Ok(made), module.interrupt.clone())
}

/// The artifact of a StableHLO module.
#[pyfunction]
pub(crate) fn _stablehlo_serialize<'py>(
    py: Python<'py>,
    module: &Module,
    version: Option<&str>,
    allow_other_dialects: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    module.ensure_open()?;
    let version = version.map(str::parse::<VhloVersion>).transpose();
    let version = version.map_err(|error| raise(py, error, None))?;
    let options = SerializeOptions { version, allow_other_dialects, ..SerializeOptions::default() };
    let bytes = module.detached(py, |module| {
        let prepared = portable::serialize(module, &options)?;
        let mut bytes = Vec::with_capacity(usize::try_from(prepared.len()).unwrap_or_default());
        prepared.write(&mut bytes)?;
        Ok(bytes)
    })?;
    Ok(PyBytes::new(py, &bytes))
}

/// The lowest version whose artifacts can hold a module.
#[pyfunction]
pub(crate) fn _stablehlo_min_version(py: Python<'_>, module: &Module) -> PyResult<String> {
    module.ensure_open()?;
    Ok(module.detached(py, portable::min_version)?.to_string())
}

/// The version of an artifact.
#[pyfunction]
pub(crate) fn _stablehlo_artifact_version(module: &Module) -> PyResult<Option<String>> {
    module.ensure_open()?;
    Ok(portable::artifact_version(&module.inner).map(|version| version.to_string()))
}

/// The oldest and the newest known version.
#[pyfunction]
pub(crate) fn _stablehlo_versions() -> (String, String) {
    (VhloVersion::OLDEST.to_string(), VhloVersion::newest().to_string())
}
