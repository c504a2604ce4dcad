//! Files with all their modules: the functions behind `mlirbc.artifacts`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use ::mlirbc::artifact::{EmbeddedObject, NestedModule};
use ::mlirbc::container::HostTable;
use ::mlirbc::print::PrintOptions;
use ::mlirbc::progress::Progress;
use ::mlirbc::tool::{
    ArtifactDifference, DiffOptions, HashOptions, JaxReaders, SpecializeOptions, artifact_key,
    prepare_for_jax, print_nested, specialize,
};
use ::mlirbc::{Artifact, Type};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::handle::module::Module;
use crate::open::foreign;
use crate::verification::Verification;
use crate::{log, write};

/// Opens another module of the same file.
#[pyfunction]
pub(crate) fn _sibling(module: &Bound<'_, Module>, path: &str) -> PyResult<Module> {
    let (py, this) = (module.py(), module.get());
    this.ensure_open()?;
    let artifact = Artifact::of(&this.inner);
    let opened = artifact.index_of(path).and_then(|index| artifact.module(index));
    Module::new(py, opened, this.interrupt.clone())
}

/// The text of a module, with its kernels as comments below the operations that hold them.
#[pyfunction]
pub(crate) fn _nested_text(module: &Bound<'_, Module>, path: &str) -> PyResult<String> {
    let (py, this) = (module.py(), module.get());
    this.ensure_open()?;
    this.detached(py, |module| {
        let mut text = Vec::new();
        print_nested(module, path, &PrintOptions::default(), &mut text)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    })
}

/// Returns the module with additional tables of hosts of nested modules, as TOML.
#[pyfunction]
pub(crate) fn _with_hosts(module: &Bound<'_, Module>, tables: Vec<String>) -> PyResult<Module> {
    let (py, this) = (module.py(), module.get());
    this.ensure_open()?;
    let tables = tables.iter().map(|text| HostTable::from_toml(text)).collect::<Result<Vec<_>, _>>();
    let opened = tables.and_then(|tables| Artifact::of(&this.inner).with_hosts(tables));
    Module::new(py, opened.map(|artifact| artifact.first().clone()), this.interrupt.clone())
}

/// A nested module: path, host, whether the module is text, bytes, version, whether the stored hash matches.
type NestedRow<'py> = (String, String, bool, Bound<'py, PyBytes>, Option<(String, u64)>, Option<bool>);

/// An object in an attribute that is not MLIR: path, host, kind, bytes.
type ObjectRow<'py> = (String, String, &'static str, Bound<'py, PyBytes>);

/// Returns the modules and other objects in attributes of all modules of the file.
#[pyfunction]
pub(crate) fn _nested_contents<'py>(
    module: &Bound<'py, Module>,
) -> PyResult<(Vec<NestedRow<'py>>, Vec<ObjectRow<'py>>)> {
    let (py, this) = (module.py(), module.get());
    this.ensure_open()?;
    let contents = this.detached(py, |module| {
        let artifact = Artifact::of(module);
        (0..artifact.modules().len())
            .map(|index| artifact.nested_contents(index))
            .collect::<Result<Vec<_>, _>>()
    })?;
    let (mut modules, mut objects) = (Vec::new(), Vec::new());
    for found in contents {
        modules.extend(found.modules.into_iter().map(|nested| {
            let bytes = PyBytes::new(py, &nested.bytes);
            (nested.path, nested.target, nested.is_text, bytes, nested.version, nested.hash_matches)
        }));
        let row = |object: EmbeddedObject| {
            (object.path, object.target, object.kind, PyBytes::new(py, &object.bytes))
        };
        objects.extend(found.objects.into_iter().map(row));
    }
    Ok((modules, objects))
}

/// Opens a nested module; one that is stored as text is parsed.
#[pyfunction]
pub(crate) fn _open_nested(module: &Bound<'_, Module>, path: &str) -> PyResult<Module> {
    let (py, this) = (module.py(), module.get());
    this.ensure_open()?;
    let opened = Artifact::of(&this.inner).open_nested(path);
    Module::new(py, opened, this.interrupt.clone())
}

/// Returns the main module of the file with replaced modules at some paths.
#[pyfunction]
pub(crate) fn _with_modules(
    module: &Bound<'_, Module>,
    modules: BTreeMap<String, Bound<'_, PyAny>>,
) -> PyResult<Module> {
    let (py, this) = (module.py(), module.get());
    this.ensure_open()?;
    let modules = modules.into_iter().map(|(path, buffer)| -> PyResult<_> { Ok((path, foreign(&buffer)?)) });
    let modules = modules.collect::<PyResult<Vec<_>>>()?;
    let opened = this.detached(py, |module| {
        let artifact = Artifact::of(module);
        let mut bytes = Vec::new();
        artifact.with_modules(&modules)?.write(&mut bytes)?;
        Ok(artifact.like(bytes.into())?.first().clone())
    })?;
    Module::new(py, Ok(opened), this.interrupt.clone())
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
    let options = HashOptions::default().locations(locations).stored_facts(stored_facts);
    this.detached(py, |module| artifact_key(&Artifact::of(module), options))
}

/// Returns the fields that differ, and the paths of modules that differ, as JSON.
#[pyfunction]
pub(crate) fn _artifact_difference(
    before: &Bound<'_, Module>,
    after: &Bound<'_, Module>,
    locations: bool,
) -> PyResult<String> {
    let (py, this, other) = (before.py(), before.get(), after.get());
    this.ensure_open()?;
    other.ensure_open()?;
    let options = DiffOptions::default().locations(locations);
    let difference = this.detached(py, |before| {
        ArtifactDifference::of(&Artifact::of(before), &Artifact::of(&other.inner), &options)
    })?;
    json(&difference)
}

/// Returns whether a release of JAX can call the export, as JSON; None for other files.
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

/// Returns the file for a release of JAX, the known release that was used if it differs from the requested
/// one, and the losses.
#[pyfunction]
pub(crate) fn _for_jax<'py>(
    module: &Bound<'py, Module>,
    version: &str,
) -> PyResult<(Bound<'py, PyBytes>, Option<String>, Vec<String>)> {
    let (py, this) = (module.py(), module.get());
    this.ensure_open()?;
    let (bytes, conversion) = this.detached(py, |module| {
        let conversion = prepare_for_jax(&Artifact::of(module), version, &Progress::default())?;
        let mut bytes = Vec::new();
        conversion.prepared.write(&mut bytes)?;
        Ok((bytes, conversion))
    })?;
    let like = (!conversion.is_known).then_some(conversion.release);
    Ok((PyBytes::new(py, &bytes), like, conversion.notes))
}

/// Returns the file with static shapes; `inputs` are types as text.
#[pyfunction]
pub(crate) fn _specialize<'py>(
    module: &Bound<'py, Module>,
    dims: Vec<(String, u64)>,
    inputs: Vec<(String, String)>,
) -> PyResult<Bound<'py, PyBytes>> {
    let (py, this) = (module.py(), module.get());
    this.ensure_open()?;
    let bytes = this.detached(py, |module| {
        let inputs = inputs.into_iter().map(|(name, text)| Ok((name, Type::parse(&text)?)));
        let inputs = inputs.collect::<::mlirbc::Result<Vec<_>>>()?;
        let options = SpecializeOptions::default().dims(dims).inputs(inputs);
        let mut bytes = Vec::new();
        specialize(&Artifact::of(module), &options)?.write(&mut bytes)?;
        Ok(bytes)
    })?;
    Ok(PyBytes::new(py, &bytes))
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
    let options = keywords.options(Some(this.inner.tables().bytecode().version()))?;
    let (bytes, losses) = this.detached(py, |module| {
        let artifact = Artifact::of(module);
        let kernel_options = ::mlirbc::WriteOptions::default()
            .numbering(::mlirbc::write::Numbering::Canonical)
            .strip_locations(strip_locations)
            .strip_resources(strip_resources);
        let mut change = |kernel: &NestedModule| kernel.written(&kernel_options, artifact.limits()).map(Some);
        let prepare = &mut |module: &::mlirbc::Module| module.prepare_write(&options);
        let prepared = match strip_locations || strip_resources {
            true => artifact.prepare_nested(&mut change, prepare)?,
            false => artifact.prepare(prepare)?,
        };
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
