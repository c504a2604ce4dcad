//! Every module of an artifact in turn: the modules of the container, and after each one the kernels in it.
//!
//! Owns [`EachModule`], which opens one module at a time. Which modules a container has belongs to `container`, and how
//! an attribute holds a kernel to `nested`.

use std::collections::VecDeque;

use crate::container::MAIN;
use crate::ir::Module;
use crate::wire::error::{Error, Result};

use super::{Artifact, NestedModule};

/// Whether modules inside attributes are visited, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernels {
    /// Kernels follow the module that they are in. Kernels that are stored as text are left out.
    Included,
    /// Only the modules of the container are visited.
    LeftOut,
}

/// A module of an artifact, opened.
#[derive(Debug)]
pub struct OpenedModule {
    /// The index of the module, or of the module around the kernel.
    pub index: usize,
    /// The path: `main`, `vjp`, `main/kernels/matmul`.
    pub path: String,
    /// The module.
    pub module: Module,
    /// The kernels in it, if they are [included](Kernels::Included); also the ones that are stored as text.
    pub kernels: Vec<NestedModule>,
    /// Whether it is a kernel itself.
    pub is_kernel: bool,
}

impl OpenedModule {
    /// An error of the module, with its path, and its position in the container if it is not a kernel.
    pub fn located(&self, artifact: &Artifact, error: Error) -> Error {
        match self.is_kernel {
            true => error.in_context(&format!("module `{}`", self.path)),
            false => artifact.located(self.index, error),
        }
    }
}

/// An iterator over the chosen modules of an artifact, of [`Artifact::each_module`].
pub struct EachModule<'a> {
    artifact: &'a Artifact,
    kernels: Kernels,
    indices: std::vec::IntoIter<usize>,
    // The index of the module around them.
    waiting: (usize, VecDeque<NestedModule>),
    // Follows the module that it is about.
    failed: Option<Error>,
}

impl Artifact {
    /// The chosen modules, each opened when the iterator gets to it; an error of one names its path.
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
