//! Files with all their modules: what `mlirbc.artifacts` asks of the core.

use std::path::PathBuf;

use ::mlirbc::Artifact;
use ::mlirbc::tool::{ArtifactDifference, DiffOptions, HashOptions, JaxReaders, artifact_key};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::handle::module::Module;
use crate::verification::Verification;
use crate::{log, write};

/// Another module of the same file.
#[pyfunction]
pub(crate) fn _sibling(module: &Bound<'_, Module>, path: &str) -> PyResult<Module> {
    let (py, this) = (module.py(), module.get());
    this.ensure_open()?;
    let artifact = Artifact::of(&this.inner);
    let opened = artifact.index_of(path).and_then(|index| artifact.module(index));
    Module::new(py, opened, this.interrupt.clone())
}

/// Verifies all modules and their kernels, by path.
#[pyfunction]
pub(crate) fn _verify_artifact(module: &Bound<'_, Module>) -> PyResult<Vec<(String, Verification)>> {
    let (py, this) = (module.py(), module.get());
    this.ensure_open()?;
    let modules =
        this.detached(py, |module| Artifact::of(module).verify_each(&mut |module| module.verify()))?;
    Ok(modules.into_iter().map(|module| (module.path, Verification::new(module.result, None))).collect())
}

#[pyfunction]
pub(crate) fn _artifact_key(
    module: &Bound<'_, Module>,
    locations: bool,
    stored_facts: bool,
) -> PyResult<String> {
    let (py, this) = (module.py(), module.get());
    this.ensure_open()?;
    let options = HashOptions { locations, stored_facts };
    this.detached(py, |module| artifact_key(&Artifact::of(module), options))
}

/// The fields that differ and the paths of modules that do, as JSON.
#[pyfunction]
pub(crate) fn _artifact_difference(
    before: &Bound<'_, Module>,
    after: &Bound<'_, Module>,
    locations: bool,
) -> PyResult<String> {
    let (py, this, other) = (before.py(), before.get(), after.get());
    this.ensure_open()?;
    other.ensure_open()?;
    let options = DiffOptions { locations, symbol: None };
    let difference = this.detached(py, |before| {
        ArtifactDifference::of(&Artifact::of(before), &Artifact::of(&other.inner), &options)
    })?;
    json(&difference)
}

/// What a release of JAX does with the export, as JSON; None for other files.
#[pyfunction]
pub(crate) fn _jax_reader(module: &Bound<'_, Module>, version: &str) -> PyResult<Option<String>> {
    let (py, this) = (module.py(), module.get());
    this.ensure_open()?;
    let reader = this.detached(py, |module| {
        let readers = JaxReaders::of_chosen(&Artifact::of(module), None)?;
        readers.map(|readers| readers.reader(version)).transpose()
    })?;
    reader.as_ref().map(json).transpose()
}

/// Writes all modules of the file in their container, to a path or as bytes.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // keywords
pub(crate) fn _write_artifact<'py>(
    module: &Bound<'py, Module>,
    path: Option<PathBuf>,
    numbering: Option<&str>,
    version: Option<u64>,
    target: Option<String>,
    producer: Option<&Bound<'py, PyAny>>,
    drop_unsupported: bool,
    strip_locations: bool,
    strip_resources: bool,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let (py, this) = (module.py(), module.get());
    this.ensure_open()?;
    let keywords = write::Keywords {
        numbering,
        version,
        target,
        producer: write::producer(producer)?,
        drop_unsupported,
        strip_locations,
        strip_resources,
        ..write::Keywords::default()
    };
    let options = keywords.options(Some(this.inner.bytecode().version()))?;
    let (bytes, losses) = this.detached(py, |module| {
        let prepared = Artifact::of(module).prepare(&mut |module| module.prepare_write(&options))?;
        let mut bytes = Vec::new();
        match &path {
            Some(path) => prepared.save(path)?,
            None => prepared.write(&mut bytes)?,
        }
        let losses = prepared.reports().flat_map(|(_, report)| report.losses.iter().cloned());
        Ok((bytes, losses.collect::<Vec<_>>()))
    })?;
    write::warn(py, &losses)?;
    match path {
        Some(path) => log::saved(py, &path).map(|()| None),
        None => Ok(Some(PyBytes::new(py, &bytes))),
    }
}

fn json(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| PyValueError::new_err(error.to_string()))
}
