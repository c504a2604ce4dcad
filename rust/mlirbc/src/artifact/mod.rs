//! An artifact: a file with all its modules and the container around them.
//!
//! Owns [`Artifact`], which names the modules of a file by path and opens each when it is asked for, and
//! [`PreparedArtifact`], which puts written modules back into the container. What a container says and how its bytes are
//! laid out belongs to `container`; what happens to a module, to `convert` and `edit`. `docs/explanation/artifacts.md`
//! explains the design.

mod contained;
pub(crate) mod nested;

use std::fmt;
use std::io::Write;
use std::path::Path;

use crate::container::{
    ContainedModule, Container, ContainerField, ContainerKind, MAIN, ModuleChoice, PreparedContainer,
};
use crate::file::ReadOptions;
use crate::ir::Module;
use crate::wire::bytes::Source;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::write::replace::Replacement;
use crate::write::{PreparedWrite, WriteMode, WriteReport};

pub use nested::NestedModule;

// Nested modules that a message names.
const SHOWN: usize = 8;

/// A file with its modules: one of bytecode, and the function and the derivatives of a JAX export.
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
    // The module that the options choose; another one is opened when it is asked for.
    first: Module,
    modules: Vec<ContainedModule>,
    is_chosen: bool,
}

impl fmt::Debug for Artifact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Artifact").field("modules", &self.modules).finish_non_exhaustive()
    }
}

impl fmt::Debug for PreparedArtifact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedArtifact").field("container", &self.container).finish_non_exhaustive()
    }
}

impl Artifact {
    /// Opens a file.
    ///
    /// # Errors
    /// If the file cannot be opened, is neither bytecode nor a container, or its container is damaged.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, &ReadOptions::default())
    }

    /// Opens a file with options; [`ReadOptions::module`] chooses the module that [`Self::chosen`] names.
    ///
    /// # Errors
    /// As [`Self::open`], and if there is no such module.
    pub fn open_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self> {
        Self::from_source(Source::open_with(path, options.backend, &options.limits)?, options)
    }

    /// Reads any source.
    ///
    /// # Errors
    /// As [`Self::open_with`].
    pub fn from_source(source: Source, options: &ReadOptions) -> Result<Self> {
        let first = Module::from_source(source, options)?;
        Ok(Self { is_chosen: options.module.is_some(), ..Self::of(&first) })
    }

    /// The artifact that a module was read from, with all its modules; they are opened with the options of that module.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/mlp.jax")?;
    /// assert_eq!(mlirbc::Artifact::of(&module).chosen(), [0, 1]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn of(module: &Module) -> Self {
        let first = module.clone();
        let modules = match first.container() {
            Some(container) => container.modules().to_vec(),
            None => {
                let size = first.source().len();
                vec![ContainedModule { path: MAIN.to_owned(), name: String::new(), offset: 0, size }]
            }
        };
        Self { first, modules, is_chosen: false }
    }

    /// What surrounds the modules; `None` for a file that is bytecode from its first byte.
    pub fn container(&self) -> Option<&Container> {
        self.first.container()
    }

    /// Whether there is something around the modules that says more than they do: a JAX export, not a compressed file.
    pub fn has_fields(&self) -> bool {
        self.container().is_some_and(|container| container.kind() != ContainerKind::Bytecode)
    }

    /// The modules, of which the first one is `main`.
    pub fn modules(&self) -> &[ContainedModule] {
        &self.modules
    }

    /// The indices of the modules that the options choose: the chosen one, or all.
    pub fn chosen(&self) -> Vec<usize> {
        match self.is_chosen {
            true => vec![self.first.module_index()],
            false => (0..self.modules.len()).collect(),
        }
    }

    /// The index of the module with a path, or else with a name or an index.
    ///
    /// # Errors
    /// [`ErrorKind::ModuleChoice`] if there is no such module, or several of the name.
    pub fn index_of(&self, path: &str) -> Result<usize> {
        match (self.container(), self.modules.iter().position(|module| module.path == path)) {
            (_, Some(index)) => Ok(index),
            (Some(container), None) => {
                let Ok(choice) = path.parse::<ModuleChoice>();
                container.index_of(Some(&choice))
            }
            (None, None) => {
                crate::file::check_only_module(Some(&ModuleChoice::Name(path.to_owned()))).map(|()| 0)
            }
        }
    }

    /// Opens the module of an index.
    ///
    /// # Errors
    /// If there is no such module, or it is not bytecode; the error says which module it is.
    pub fn module(&self, index: usize) -> Result<Module> {
        let is_there = index < self.modules.len();
        if !is_there && let Some(container) = self.container() {
            container.index_of(Some(&ModuleChoice::Index(index)))?;
        }
        if index == self.first.module_index() || !is_there {
            return Ok(self.first.clone());
        }
        self.first.sibling_module(index).map_err(|error| self.located(index, error))
    }

    /// The modules inside attributes of a module: kernels in custom calls, as `data/nested.toml` lists them.
    ///
    /// # Errors
    /// If the module is malformed, an attribute does not hold what it should, or a limit is exceeded.
    ///
    /// ```
    /// let artifact = mlirbc::Artifact::open("../../tests/data/containers/tpu_kernel.jax")?;
    /// let kernels = artifact.nested(0)?;
    /// assert_eq!((&*kernels[0].path, &*kernels[0].target), ("main/kernels/blocked_dot", "tpu_custom_call"));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn nested(&self, index: usize) -> Result<Vec<NestedModule>> {
        let path = self.modules.get(index).map_or(MAIN, |module| &module.path);
        let found = nested::nested(&self.module(index)?, path);
        found.map_err(|error| self.located(index, error))
    }

    /// Opens a nested module by its path, such as `main/kernels/matmul`.
    ///
    /// # Errors
    /// As [`Self::nested`]; [`ErrorKind::ModuleChoice`] if there is no such module, and those of
    /// [`NestedModule::open`].
    pub fn open_nested(&self, path: &str) -> Result<Module> {
        let missing = |names: &[NestedModule]| {
            let names: Vec<_> = names.iter().take(SHOWN).map(|nested| format!("`{}`", nested.path)).collect();
            let expected = match names.is_empty() {
                true => "a module that has nested modules".to_owned(),
                false => format!("one of the nested modules {}", names.join(", ")),
            };
            Error::new(ErrorKind::ModuleChoice, expected, format!("`{path}`"))
        };
        let Some((outer, _)) = path.split_once(&format!("/{}/", nested::KERNELS)) else {
            return Err(missing(&[]));
        };
        let all = self.nested(self.index_of(outer)?)?;
        let Some(found) = all.iter().find(|nested| nested.path == path) else { return Err(missing(&all)) };
        found.open(self.first.limits())
    }

    /// Reads the fields of the container, and verifies the chosen modules and their kernels with `verify`. Kernels that are
    /// stored as text are left out: text is checked when it is parsed.
    ///
    /// # Errors
    /// The first error of a field, of decoding a kernel, or of `verify`, with the path of the module.
    ///
    /// ```
    /// let artifact = mlirbc::Artifact::open("../../tests/data/containers/tpu_kernel.jax")?;
    /// let verified = artifact.verify_each(&mut |module| module.verify())?;
    /// let paths: Vec<_> = verified.iter().map(|module| module.path.as_str()).collect();
    /// assert_eq!(paths, ["main", "main/kernels/blocked_dot"]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn verify_each<T>(
        &self,
        verify: &mut dyn FnMut(&Module) -> Result<T>,
    ) -> Result<Vec<VerifiedModule<T>>> {
        if let Some(container) = self.container() {
            for index in 0..self.modules.len() {
                container.exported(index)?;
            }
        }
        let mut modules = Vec::new();
        for index in self.chosen() {
            let module = self.module(index)?;
            let result = verify(&module).map_err(|error| self.located(index, error))?;
            let path = self.modules.get(index).map_or_else(String::new, |place| place.path.clone());
            modules.push(VerifiedModule { index, path, result });
            for kernel in self.nested(index)?.iter().filter(|kernel| !kernel.is_text) {
                let module = kernel.open(self.first.limits())?;
                let result = verify(&module).map_err(|error| kernel.located(error))?;
                modules.push(VerifiedModule { index, path: kernel.path.clone(), result });
            }
        }
        Ok(modules)
    }

    /// An error of a module, with the path and the position of that module if there are several.
    pub fn located(&self, index: usize, error: Error) -> Error {
        let Some(module) = self.modules.get(index).filter(|_| self.container().is_some()) else {
            return error;
        };
        let is_placed = error.module_start() != 0;
        let error = if is_placed { error } else { error.in_module_at(module.offset) };
        if index == 0 { error } else { error.in_context(&format!("module `{}`", module.path)) }
    }

    /// The fields of the container; none for a file that has no container with fields.
    ///
    /// # Errors
    /// If the container is damaged, or a limit is exceeded.
    pub fn fields(&self) -> Result<Vec<ContainerField>> {
        self.container().map_or_else(|| Ok(Vec::new()), Container::fields)
    }

    /// Prepares the artifact with the chosen modules as `prepare` writes each. Modules that do not change, and the
    /// fields of the container, remain as they are.
    ///
    /// # Errors
    /// The errors of `prepare`, which get the path of the module, and those of [`Container::prepare`].
    ///
    /// ```
    /// use mlirbc::{Artifact, WriteOptions};
    /// let artifact = Artifact::open("../../examples/mlp.jax")?;
    /// let options = WriteOptions { strip_locations: true, ..WriteOptions::default() };
    /// let prepared = artifact.prepare(&mut |module| module.prepare_write(&options))?;
    /// let mut bytes = Vec::new();
    /// prepared.write(&mut bytes)?;
    /// assert!(bytes.len() < std::fs::metadata("../../examples/mlp.jax").unwrap().len() as usize);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn prepare(
        &self,
        prepare: &mut dyn FnMut(&Module) -> Result<PreparedWrite>,
    ) -> Result<PreparedArtifact> {
        let mut modules = Vec::new();
        for index in self.chosen() {
            let prepared = self
                .module(index)
                .and_then(|module| prepare(&module).map_err(|error| self.located(index, error)))?;
            modules.push((index, prepared));
        }
        PreparedArtifact::new(self.container(), modules)
    }
}

/// A module of an artifact, or a kernel in one, and what its verification gives.
#[derive(Debug, Clone)]
pub struct VerifiedModule<T> {
    /// The index of the module, or of the module around the kernel.
    pub index: usize,
    /// The path: `main`, `vjp`, `main/kernels/matmul`.
    pub path: String,
    /// The result of verifying the module.
    pub result: T,
}

/// A file that is ready to be written: modules in their container.
pub struct PreparedArtifact {
    container: Option<PreparedContainer>,
    // In the order of their indices.
    modules: Vec<(usize, PreparedWrite)>,
}

impl PreparedArtifact {
    /// Puts modules into a container, each at its index; without a container, the first module is the file.
    ///
    /// # Errors
    /// As [`Container::prepare`].
    pub fn new(container: Option<&Container>, modules: Vec<(usize, PreparedWrite)>) -> Result<Self> {
        let is_changed = |prepared: &PreparedWrite| prepared.report.mode != WriteMode::Verbatim;
        let container = container.map(|container| {
            let changed = modules.iter().filter(|(_, prepared)| is_changed(prepared));
            let sizes: Vec<_> = changed.map(|(index, prepared)| (*index, prepared.len())).collect();
            container.prepare(&sizes)
        });
        Ok(Self { container: container.transpose()?, modules })
    }

    /// The size of the file in bytes.
    pub fn len(&self) -> u64 {
        match (&self.container, self.modules.first()) {
            (Some(container), _) => container.len(),
            (None, module) => module.map_or(0, |(_, prepared)| prepared.len()),
        }
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What writing each module does, by the index of the module.
    pub fn reports(&self) -> impl Iterator<Item = (usize, &WriteReport)> {
        self.modules.iter().map(|(index, prepared)| (*index, &prepared.report))
    }

    /// The report of the first module, with the size of the whole file.
    pub fn report(&self) -> WriteReport {
        let first = self.modules.first().map(|(_, prepared)| prepared.report.clone());
        WriteReport { bytes: self.len(), ..first.unwrap_or_default() }
    }

    /// Writes the file.
    ///
    /// # Errors
    /// The errors of the source and of the writer, and a request to stop.
    pub fn write(&self, writer: &mut dyn Write) -> Result<()> {
        match (&self.container, self.modules.first()) {
            (Some(container), _) => container.write(writer, &mut |index, writer| {
                let place = self.modules.binary_search_by_key(&index, |(place, _)| *place);
                let module = place.ok().and_then(|place| self.modules.get(place));
                module.map_or(Ok(()), |(_, prepared)| prepared.write(writer).map(drop))
            }),
            (None, Some((_, prepared))) => prepared.write(writer).map(drop),
            (None, None) => Ok(()),
        }
    }

    /// Writes the file atomically: it is created or replaced in one step, and an old file remains unchanged after any
    /// error, even if the artifact was read from it.
    ///
    /// # Errors
    /// As [`Self::write`], and what the system reports.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        if let (None, Some((_, prepared))) = (&self.container, self.modules.first()) {
            return prepared.save(path).map(drop);
        }
        let failed = |error| Error::io(format!("cannot write `{}`", path.as_ref().display()), error);
        let mut file = Replacement::begin(path.as_ref()).map_err(failed)?;
        let mut bytes = Vec::new();
        // Whatever fails then is a file that has a name.
        let output: &mut dyn Write = if file.is_direct() { &mut bytes } else { &mut file };
        self.write(output)?;
        for (_, prepared) in &self.modules {
            prepared.module.source().check()?;
        }
        file.write_all(&bytes).map_err(failed)?;
        file.commit().map_err(failed)
    }
}
