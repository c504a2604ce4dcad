//! Iteration over all modules of an artifact: the modules of the container, each followed by its kernels.
//!
//! Owns [`EachModule`], which opens one module at a time. The list of modules belongs to `container`, and the
//! encoding of kernels in attributes to `nested`.

use std::collections::VecDeque;

use crate::container::MAIN;
use crate::ir::Module;
use crate::wire::error::{Error, Result};

use super::{Artifact, NestedModule};

/// Whether modules inside attributes are visited, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernels {
    /// Kernels follow the module that contains them. Kernels that are stored as text are left out.
    Included,
    /// Only the modules of the container are visited.
    LeftOut,
}

/// A module of an artifact that has been opened.
#[derive(Debug)]
pub struct OpenedModule {
    /// The index of the module, or of the module around the kernel.
    pub index: usize,
    /// The path: `main`, `vjp`, `main/kernels/matmul`.
    pub path: String,
    /// The module.
    pub module: Module,
    /// The kernels in the module, if they are [included](Kernels::Included), also kernels that are stored as
    /// text.
    pub kernels: Vec<NestedModule>,
    /// Whether the module is a kernel.
    pub is_kernel: bool,
}

impl OpenedModule {
    /// Adds the path of the module to an error, and its position in the container if it is not a kernel.
    #[doc(hidden)]
    pub fn located(&self, artifact: &Artifact, error: Error) -> Error {
        match self.is_kernel {
            true => error.in_context(&format!("module `{}`", self.path)),
            false => artifact.located(self.index, error),
        }
    }
}

/// An iterator over the chosen modules of an artifact, returned by [`Artifact::each_module`].
pub struct EachModule<'a> {
    artifact: &'a Artifact,
    kernels: Kernels,
    indices: std::vec::IntoIter<usize>,
    // The index of the module around the kernels.
    waiting: (usize, VecDeque<NestedModule>),
    // Follows the module to which it refers.
    failed: Option<Error>,
}

impl Artifact {
    /// Returns the chosen modules, each opened when the iterator reaches it; an error of a module names its
    /// path.
    ///
    /// ```
    /// use mlirbc::artifact::{Artifact, Kernels};
    /// let artifact = Artifact::open("../../tests/data/containers/tpu_kernel.jax")?;
    /// let paths: mlirbc::Result<Vec<_>> =
    ///     artifact.each_module(Kernels::Included).map(|opened| Ok(opened?.path)).collect();
    /// assert_eq!(paths?, ["main", "main/kernels/blocked_dot"]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn each_module(&self, kernels: Kernels) -> EachModule<'_> {
        let indices = self.chosen().into_iter();
        EachModule { artifact: self, kernels, indices, waiting: (0, VecDeque::new()), failed: None }
    }
}

impl EachModule<'_> {
    fn open(&mut self, index: usize) -> Result<OpenedModule> {
        let module = self.artifact.module(index)?;
        let path =
            self.artifact.modules.get(index).map_or_else(|| MAIN.to_owned(), |place| place.path.clone());
        let mut kernels = Vec::new();
        if self.kernels == Kernels::Included {
            match super::nested::nested(&module, &path) {
                Ok(found) => kernels = found.modules,
                Err(error) => self.failed = Some(self.artifact.located(index, error)),
            }
        }
        let binary = kernels.iter().filter(|kernel| !kernel.is_text).cloned();
        self.waiting = (index, binary.collect());
        Ok(OpenedModule { index, path, module, kernels, is_kernel: false })
    }
}

impl Iterator for EachModule<'_> {
    type Item = Result<OpenedModule>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(error) = self.failed.take() {
            return Some(Err(error));
        }
        if let Some(kernel) = self.waiting.1.pop_front() {
            let index = self.waiting.0;
            let opened = kernel.open_in(&self.artifact.first);
            return Some(opened.map(|module| {
                let NestedModule { path, .. } = kernel;
                OpenedModule { index, path, module, kernels: Vec::new(), is_kernel: true }
            }));
        }
        let index = self.indices.next()?;
        Some(self.open(index))
    }
}
