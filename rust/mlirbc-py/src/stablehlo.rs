//! Conversion between portable artifacts and StableHLO; `mlirbc.stablehlo` has the documentation.

use ::mlirbc::convert::portable::{self, SerializeOptions, VhloVersion};
use ::mlirbc::convert::shardy;
use ::mlirbc::progress::Progress;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::raise;
use crate::handle::module::Module;

/// Returns the StableHLO module of an artifact.
#[pyfunction]
pub(crate) fn _stablehlo_deserialize(py: Python<'_>, module: &Module) -> PyResult<Module> {
    module.ensure_open()?;
    let deserialized =
        module.detached(py, |module| portable::deserialize(module, &Progress::default())?.into_module())?;
    Module::new(py, Ok(deserialized), module.interrupt.clone())
}

/// Returns the module with HLO shardings in place of Shardy's.
#[pyfunction]
pub(crate) fn _stablehlo_to_hlo_shardings(py: Python<'_>, module: &Module) -> PyResult<Module> {
    module.ensure_open()?;
    let converted =
        module.detached(py, |module| shardy::to_hlo(module, &Progress::default())?.into_module())?;
    Module::new(py, Ok(converted), module.interrupt.clone())
}

/// Returns the artifact of a StableHLO module.
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
    let options = SerializeOptions::default().version(version).allow_other_dialects(allow_other_dialects);
    let bytes = module.detached(py, |module| {
        let prepared = portable::serialize(module, &options)?;
        let mut bytes = Vec::with_capacity(usize::try_from(prepared.len()).unwrap_or_default());
        prepared.write(&mut bytes)?;
        Ok(bytes)
    })?;
    Ok(PyBytes::new(py, &bytes))
}

/// Returns the lowest version whose artifacts can represent a module.
#[pyfunction]
pub(crate) fn _stablehlo_min_version(py: Python<'_>, module: &Module) -> PyResult<String> {
    module.ensure_open()?;
    Ok(module.detached(py, portable::min_version)?.to_string())
}

/// Returns the version of an artifact.
#[pyfunction]
pub(crate) fn _stablehlo_artifact_version(module: &Module) -> PyResult<Option<String>> {
    module.ensure_open()?;
    Ok(portable::artifact_version(&module.inner).map(|version| version.to_string()))
}

/// Returns the oldest and the newest known version.
#[pyfunction]
pub(crate) fn _stablehlo_versions() -> (String, String) {
    (VhloVersion::OLDEST.to_string(), VhloVersion::newest().to_string())
}
