//! Static shapes for a program with symbolic or open dimensions, by refinement of the shapes of StableHLO.
//!
//! Owns [`specialize`]. `shape` has the types of tensors, `program` refines the functions of a module from the types of
//! the arguments of its entry function, `infer` has the shape of the result of each operation, `evaluate` the integers
//! from which programs compute shapes, `replace` the static form of operations with shapes as operands, and `sizes` the
//! sizes of the dimensions of a JAX export. The container of the export is written by `container::jax`.

mod evaluate;
mod infer;
mod program;
mod replace;
mod shape;
mod sizes;

use std::collections::BTreeMap;

use crate::artifact::{Artifact, PreparedArtifact};
use crate::attr::Type;
use crate::convert::portable::{self, SerializeOptions};
use crate::edit::Editor;
use crate::ir::Module;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::options::setters;
use crate::wire::progress::Progress;
use crate::write::{PreparedWrite, WriteOptions};

use program::Program;
use sizes::Sizes;

/// The dimensions that [`specialize`] makes static.
///
/// ```
/// use mlirbc::tool::SpecializeOptions;
/// let options = SpecializeOptions::default().dims(vec![("batch".to_owned(), 8)]);
/// assert_eq!(options.dims.len(), 1);
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct SpecializeOptions {
    /// Sizes by the names of symbolic dimensions; `arg0.1` is the open dimension 1 of argument 0 of a module outside a
    /// JAX export.
    pub dims: Vec<(String, u64)>,
    /// Types by the names of arguments of the entry function, or by their numbers.
    pub inputs: Vec<(String, Type)>,
}

setters! {
    SpecializeOptions {
        dims: Vec<(String, u64)>,
        inputs: Vec<(String, Type)>,
    }
}

/// Prepares an artifact whose modules have static shapes only; the types in the container of a JAX export change, too.
///
/// # Errors
/// [`ErrorKind::Unsupported`] with the operation whose shape cannot be computed, [`ErrorKind::Value`] for a dimension
/// without a size and for an assertion about shapes that does not hold, and the errors of reading.
///
/// ```
/// use mlirbc::Artifact;
/// use mlirbc::tool::{SpecializeOptions, specialize};
/// let artifact = Artifact::open("../../tests/data/containers/norm.jax")?;
/// let prepared = specialize(&artifact, &SpecializeOptions::default().dims(vec![("batch".to_owned(), 4)]))?;
/// let mut bytes = Vec::new();
/// prepared.write(&mut bytes)?;
/// let exported = mlirbc::Module::from_bytes(bytes)?.container().unwrap().exported(0)?.unwrap();
/// assert_eq!(exported.in_avals[0].to_string(), "bfloat16[4,8]");
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub fn specialize(artifact: &Artifact, options: &SpecializeOptions) -> Result<PreparedArtifact> {
    let sizes = Sizes::of(artifact, options)?;
    let mut modules = Vec::new();
    for index in 0..artifact.modules().len() {
        let module = artifact.module(index)?;
        let arguments = sizes.arguments(artifact, index)?;
        let prepared = module_with(&module, &arguments).map_err(|error| artifact.located(index, error))?;
        modules.push((index, prepared));
    }
    match artifact.container() {
        Some(container) => PreparedArtifact::specialized(container, &|text| sizes.dimension(text), modules),
        None => PreparedArtifact::new(None, modules),
    }
}

/// Prepares a module whose entry function has the given sizes for open dimensions of its arguments.
fn module_with(module: &Module, arguments: &ArgumentSizes) -> Result<PreparedWrite> {
    let is_artifact = portable::is_artifact(module)?;
    let version = portable::artifact_version(module);
    let plain = match is_artifact {
        true => portable::deserialize(module, &Progress::default())?.into_module()?,
        false => module.clone(),
    };
    let mut editor = Editor::new(plain)?;
    Program::new(&mut editor)?.refine(arguments)?;
    match is_artifact {
        true => {
            let newest = portable::VhloVersion::newest();
            let version = version.map(|version| version.min(newest));
            portable::serialize(&editor.into_module()?, &SerializeOptions::default().version(version))
        }
        false => editor.prepare_write(&WriteOptions::default()),
    }
}

/// The sizes of open dimensions of the arguments of an entry function.
#[derive(Debug, Default)]
struct ArgumentSizes {
    /// Sizes by the number of the argument and of the dimension.
    sizes: BTreeMap<(usize, usize), u64>,
    /// The number of arguments of an exported function that its module has; arguments that the calling convention adds
    /// come before them, and are not counted.
    kept: Option<usize>,
}

#[cold]
fn invalid(message: String) -> Error {
    Error::message(ErrorKind::Value, message)
}

#[cfg(test)]
mod tests;
