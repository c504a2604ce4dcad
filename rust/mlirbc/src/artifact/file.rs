//! The file with its modules, which the root of the crate names.

use crate::container::ContainedModule;
use crate::ir::Module;

/// A file with its modules: one module for bytecode; the function and its derivatives for a JAX export.
///
/// ```
/// let artifact = mlirbc::Artifact::open("../../examples/mlp.jax")?;
/// let paths: Vec<_> = artifact.modules().iter().map(|module| module.path.as_str()).collect();
/// assert_eq!(paths, ["main", "vjp"]);
/// let derivative = artifact.module(artifact.index_of("vjp")?)?;
/// assert_eq!(derivative.container().unwrap().modules()[1].name, "fun_vjp_jax");
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Clone)]
pub struct Artifact {
    // The module that the options choose. Other modules are opened on request.
    pub(super) first: Module,
    pub(super) modules: Vec<ContainedModule>,
    pub(super) is_chosen: bool,
}
