//! An artifact: a file with all its modules and the container around the modules.
//!
//! Owns [`Artifact`], which names the modules of a file by path and opens each on request, and
//! [`PreparedArtifact`], which puts written modules back into the container. The fields and the byte layout
//! of a container belong to `container`; conversions of modules to `convert` and `edit`.
//! `docs/explanation/design.md` explains the design.

mod container_write;
mod each_module;
mod file;
mod jax_conversion;
mod module_file;
pub(crate) mod nested;
mod signature;

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use crate::container::{
    ContainedModule, Container, ContainerField, ContainerKind, HostTable, MAIN, ModuleChoice,
    PreparedContainer,
};
use crate::file::ReadOptions;
use crate::ir::Module;
use crate::wire::bytes::{Bytes, Source};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Limits;
use crate::write::replace::Replacement;
use crate::write::{PreparedWrite, WriteMode, WriteOptions, WriteReport};

pub use each_module::{EachModule, Kernels, OpenedModule};
#[doc(hidden)] // a name of the root
pub use file::Artifact;
pub use jax_conversion::JaxConversion;
#[doc(hidden)]
pub use module_file::{BinaryModule, ModuleFile, default_target};
use nested::Change;
pub use nested::{EmbeddedObject, NestedContents, NestedModule, is_nested, path_around};

// The most nested modules that a message names.
const SHOWN: usize = 8;

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
    /// Opens a file: bytecode, a container with modules, or the text of a module.
    ///
    /// # Errors
    /// If the file cannot be opened, is neither bytecode, nor a container, nor valid text, or its container is damaged.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, &ReadOptions::default())
    }

    /// Opens a file with options; [`ReadOptions::module`] chooses the module that [`Self::chosen`] names.
    ///
    /// # Errors
    /// As [`Self::open`], and if there is no such module.
    pub fn open_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self> {
        let first = Module::open_with(path, options)?;
        Ok(Self { is_chosen: options.module.is_some(), ..Self::of(&first) })
    }

    /// Reads any source.
    ///
    /// # Errors
    /// As [`Self::open_with`].
    pub fn from_source(source: Source, options: &ReadOptions) -> Result<Self> {
        let first = ModuleFile::new("-").open(source, options)?;
        Ok(Self { is_chosen: options.module.is_some(), ..Self::of(&first) })
    }

    /// Returns the artifact from which a module was read, with all its modules, which are opened with the
    /// options of that module.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/mlp.jax")?;
    /// assert_eq!(mlirbc::Artifact::of(&module).chosen(), [0, 1]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
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

    /// Returns the artifact with other hosts of nested modules, which take precedence over the hosts with
    /// which it was opened.
    ///
    /// # Errors
    /// As [`Self::open`].
    ///
    /// ```
    /// use mlirbc::{Artifact, container::HostTable};
    /// let hosts = "[[host]]\noperation = \"toy.kernel\"\nattribute = \"body\"\nencoding = \"raw\"";
    /// let artifact = Artifact::open("../../examples/mlp.jax")?.with_hosts(vec![HostTable::from_toml(hosts)?])?;
    /// assert_eq!(artifact.nested(0)?, []);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn with_hosts(&self, hosts: Vec<Arc<HostTable>>) -> Result<Self> {
        let (modules, is_chosen) = (self.modules.clone(), self.is_chosen);
        Ok(Self { first: self.first.with_hosts(hosts)?, modules, is_chosen })
    }

    /// Opens another file with the same options.
    ///
    /// # Errors
    /// As [`Self::from_source`].
    #[doc(hidden)]
    pub fn like(&self, source: Source) -> Result<Self> {
        let first = self.first.like_file(source)?;
        Ok(Self { is_chosen: self.is_chosen, ..Self::of(&first) })
    }

    /// The first module of [`Self::chosen`].
    #[doc(hidden)]
    pub fn first(&self) -> &Module {
        &self.first
    }

    /// The container of the modules; `None` for a file that is bytecode from its first byte.
    pub fn container(&self) -> Option<&Container> {
        self.first.container()
    }

    /// Whether the container has information beyond the modules: a JAX export has, a compressed file has not.
    #[doc(hidden)]
    pub fn has_fields(&self) -> bool {
        self.container().is_some_and(|container| container.kind() != ContainerKind::Bytecode)
    }

    /// The modules; the first one is `main`.
    pub fn modules(&self) -> &[ContainedModule] {
        &self.modules
    }

    /// The indices of the modules that the options choose: the chosen one, or all.
    #[doc(hidden)]
    pub fn chosen(&self) -> Vec<usize> {
        match self.is_chosen {
            true => vec![self.first.tables().module_index()],
            false => (0..self.modules.len()).collect(),
        }
    }

    /// The artifact with one module chosen.
    ///
    /// # Errors
    /// As [`Self::module`].
    #[doc(hidden)]
    pub fn with_choice(&self, index: usize) -> Result<Self> {
        Ok(Self { first: self.module(index)?, modules: self.modules.clone(), is_chosen: true })
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

    /// Opens the module with an index.
    ///
    /// # Errors
    /// If there is no such module, or it is not bytecode; the error names the module.
    pub fn module(&self, index: usize) -> Result<Module> {
        let is_there = index < self.modules.len();
        if !is_there && let Some(container) = self.container() {
            container.index_of(Some(&ModuleChoice::Index(index)))?;
        }
        if index == self.first.tables().module_index() || !is_there {
            return Ok(self.first.clone());
        }
        self.first.sibling_module(index).map_err(|error| self.located(index, error))
    }

    /// The limits with which the artifact was opened.
    #[doc(hidden)]
    pub fn limits(&self) -> &Limits {
        self.first.limits()
    }

    /// Returns the modules inside attributes of a module, recursively: kernels in custom calls, and other
    /// modules that the tables of hosts describe.
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
        Ok(self.nested_contents(index)?.modules)
    }

    /// Returns the nested modules as [`Self::nested`] does, and the contents of attributes that are not MLIR.
    ///
    /// # Errors
    /// As [`Self::nested`].
    #[doc(hidden)]
    pub fn nested_contents(&self, index: usize) -> Result<NestedContents> {
        let contents = nested::nested(&self.module(index)?, self.path_of(index));
        contents.map_err(|error| self.located(index, error))
    }

    fn path_of(&self, index: usize) -> &str {
        self.modules.get(index).map_or(MAIN, |module| &module.path)
    }

    /// Returns the nested module with a path, such as `main/kernels/matmul`, and the index of the container's
    /// module around it.
    ///
    /// # Errors
    /// As [`Self::nested`]; [`ErrorKind::ModuleChoice`] if there is no such module.
    #[doc(hidden)]
    pub fn find_nested(&self, path: &str) -> Result<(usize, NestedModule)> {
        let missing = |names: &[NestedModule]| {
            let names: Vec<_> = names.iter().take(SHOWN).map(|nested| format!("`{}`", nested.path)).collect();
            let expected = match names.is_empty() {
                true => "a module that has nested modules".to_owned(),
                false => format!("one of the nested modules {}", names.join(", ")),
            };
            Error::new(ErrorKind::ModuleChoice, expected, format!("`{path}`"))
        };
        let Some(outer) = path_around(path) else {
            return Err(missing(&[]));
        };
        let index = self.index_of(outer)?;
        let all = self.nested(index)?;
        match all.iter().find(|nested| nested.path == path) {
            Some(nested) => Ok((index, nested.clone())),
            None => Err(missing(&all)),
        }
    }

    /// Opens a nested module by its path; a module that is stored as text is parsed.
    ///
    /// # Errors
    /// As [`Self::find_nested`] and [`NestedModule::read`].
    pub fn open_nested(&self, path: &str) -> Result<Module> {
        let (_, nested) = self.find_nested(path)?;
        match nested.is_text {
            true => nested.read(self.limits()),
            false => nested.open_in(&self.first),
        }
    }

    /// Reads the fields of the container, and verifies the chosen modules and their kernels with `verify`.
    /// Kernels that are stored as text are left out, because text is checked when it is parsed.
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
    #[doc(hidden)]
    pub fn verify_each<T>(
        &self,
        verify: &mut dyn FnMut(&Module) -> Result<T>,
    ) -> Result<Vec<VerifiedModule<T>>> {
        self.check_container()?;
        let mut modules = Vec::new();
        for opened in self.each_module(Kernels::Included) {
            let opened = opened?;
            let result = verify(&opened.module).map_err(|error| opened.located(self, error))?;
            let notes = opened.kernels.iter().filter_map(NestedModule::note).collect();
            modules.push(VerifiedModule { index: opened.index, path: opened.path, result, notes });
        }
        Ok(modules)
    }

    /// Reads the fields of the container.
    ///
    /// # Errors
    /// The first error of a field.
    pub(crate) fn check_container(&self) -> Result<()> {
        let Some(container) = self.container() else { return Ok(()) };
        (0..self.modules.len()).try_for_each(|index| container.exported(index).map(drop))
    }

    /// Adds the path and the position of a module to an error, if there are several modules.
    #[doc(hidden)]
    pub fn located(&self, index: usize, error: Error) -> Error {
        let Some(module) = self.modules.get(index).filter(|_| self.container().is_some()) else {
            return error;
        };
        let is_placed = error.module_start() != 0;
        let error = if is_placed { error } else { error.in_module_at(module.offset) };
        if index == 0 { error } else { error.in_context(&format!("module `{}`", module.path)) }
    }

    /// Returns the fields of the container; empty for a file without a container with fields.
    ///
    /// # Errors
    /// If the container is damaged, or a limit is exceeded.
    pub fn fields(&self) -> Result<Vec<ContainerField>> {
        self.container().map_or_else(|| Ok(Vec::new()), Container::fields)
    }

    /// Prepares the artifact, with each chosen module written as `prepare` says. Unchanged modules and the
    /// fields of the container keep their bytes.
    ///
    /// # Errors
    /// The errors of `prepare`, which get the path of the module, and the errors of [`Container::prepare`].
    ///
    /// ```
    /// use mlirbc::{Artifact, WriteOptions};
    /// let artifact = Artifact::open("../../examples/mlp.jax")?;
    /// let options = WriteOptions::default().strip_locations(true);
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
        self.prepare_changed(None, prepare)
    }

    /// Prepares the artifact as [`Self::prepare`] does, after changing nested modules. `change` receives each
    /// chosen module after the modules inside it, and returns the bytes of its replacement. Other contents of
    /// the attribute do not change. If the attribute stores a hash of the module, the hash is computed again;
    /// operations that share the module share the new one.
    ///
    /// # Errors
    /// As [`Self::prepare`] and [`Self::nested`], and the errors of `change`.
    ///
    /// ```
    /// use mlirbc::{Artifact, WriteOptions, write::Numbering};
    /// let artifact = Artifact::open("../../tests/data/containers/tpu_kernel.jax")?;
    /// let options = WriteOptions::default().numbering(Numbering::Canonical).strip_locations(true);
    /// let prepared = artifact.prepare_nested(
    ///     &mut |kernel| kernel.written(&options, artifact.limits()).map(Some),
    ///     &mut |module| module.prepare_write(&options),
    /// )?;
    /// assert!(prepared.len() < artifact.container().map_or(0, |container| container.file_size()));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn prepare_nested(
        &self,
        change: &mut dyn FnMut(&NestedModule) -> Result<Option<Bytes>>,
        prepare: &mut dyn FnMut(&Module) -> Result<PreparedWrite>,
    ) -> Result<PreparedArtifact> {
        self.prepare_changed(Some(change), prepare)
    }

    fn prepare_changed(
        &self,
        mut change: Option<&mut Change<'_>>,
        prepare: &mut dyn FnMut(&Module) -> Result<PreparedWrite>,
    ) -> Result<PreparedArtifact> {
        let mut modules = Vec::new();
        for index in self.chosen() {
            let module = self.module(index)?;
            let changed = match &mut change {
                Some(change) => nested::with_changes(&module, self.path_of(index), change),
                None => Ok(None),
            };
            let changed = changed.map_err(|error| self.located(index, error))?;
            let prepared = prepare(changed.as_ref().unwrap_or(&module));
            let prepared = prepared.map_err(|error| self.located(index, error))?;
            let is_changed = changed.is_some() || prepared.report.mode != WriteMode::Verbatim;
            modules.push(PreparedModule { index, prepared, is_changed });
        }
        PreparedArtifact::with(self.container(), modules)
    }

    /// Prepares the artifact with replacements for the modules at some paths, of the container and nested.
    /// The other modules do not change.
    ///
    /// # Errors
    /// [`ErrorKind::ModuleChoice`] if there is no module with a path, the errors of reading the replacements,
    /// and the errors of [`Self::prepare_nested`].
    ///
    /// ```
    /// let artifact = mlirbc::Artifact::open("../../tests/data/containers/tpu_kernel.jax")?;
    /// let kernel = artifact.nested(0)?.remove(0);
    /// let prepared = artifact.with_modules(&[(kernel.path, kernel.bytes)])?;
    /// let mut bytes = Vec::new();
    /// prepared.write(&mut bytes)?;
    /// assert_eq!(bytes, std::fs::read("../../tests/data/containers/tpu_kernel.jax").unwrap());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn with_modules(&self, modules: &[(String, Bytes)]) -> Result<PreparedArtifact> {
        let mut pending: BTreeMap<&str, &Bytes> = BTreeMap::new();
        for (path, bytes) in modules {
            if pending.insert(path, bytes).is_some() {
                let message = format!("the module `{path}` is given twice");
                return Err(Error::message(ErrorKind::ModuleChoice, message));
            }
        }
        let options = WriteOptions::default();
        let mut prepared = Vec::new();
        for index in 0..self.modules.len() {
            let path = self.path_of(index);
            let mut module = self.module(index)?;
            let mut is_changed = false;
            if let Some(bytes) = pending.remove(path) {
                let new = module.like_of_release(bytes.clone().into(), None);
                let new = new.map_err(|error| error.in_context(&format!("module `{path}`")))?;
                is_changed = module.source().get(0..module.source().len())? != *bytes;
                module = new;
            }
            let inside = format!("{path}/{}/", nested::KERNELS);
            if pending.keys().any(|path| path.starts_with(&inside)) {
                let changed = nested::with_changes(&module, path, &mut |nested| {
                    let Some(bytes) = pending.remove(&*nested.path) else { return Ok(None) };
                    if *bytes != nested.bytes {
                        nested.check_replacement(bytes)?;
                    }
                    Ok(Some(bytes.clone()))
                });
                if let Some(changed) = changed.map_err(|error| self.located(index, error))? {
                    (module, is_changed) = (changed, true);
                }
            }
            let written = module.prepare_write(&options).map_err(|error| self.located(index, error))?;
            prepared.push(PreparedModule { index, prepared: written, is_changed });
        }
        if let Some((path, _)) = pending.pop_first() {
            return Err(self.find_nested(path).err().unwrap_or_else(|| {
                Error::new(ErrorKind::ModuleChoice, "a module of the file", format!("`{path}`"))
            }));
        }
        PreparedArtifact::with(self.container(), prepared)
    }
}

/// A module of an artifact, or a kernel in a module, with the result of its verification.
#[derive(Debug, Clone)]
pub struct VerifiedModule<T> {
    /// The index of the module, or of the module around the kernel.
    pub index: usize,
    /// The path: `main`, `vjp`, `main/kernels/matmul`.
    pub path: String,
    /// The result of verifying the module.
    pub result: T,
    /// Unusual facts that are not damage: kernels in a module of the container with a hash that is not their
    /// own.
    pub notes: Vec<String>,
}

/// A file that is ready to be written: modules in their container.
pub struct PreparedArtifact {
    container: Option<PreparedContainer>,
    // The modules in the order of their indices.
    modules: Vec<PreparedModule>,
}

/// A module that is ready to be written at its index.
struct PreparedModule {
    index: usize,
    prepared: PreparedWrite,
    /// Whether the bytes differ from the module in the container.
    is_changed: bool,
}

impl PreparedModule {
    fn new(index: usize, prepared: PreparedWrite) -> Self {
        let is_changed = prepared.report.mode != WriteMode::Verbatim;
        Self { index, prepared, is_changed }
    }
}

impl PreparedArtifact {
    /// Puts modules into a container, each at its index; without a container, the first module is the file.
    ///
    /// # Errors
    /// As [`Container::prepare`].
    #[doc(hidden)]
    pub fn new(container: Option<&Container>, modules: Vec<(usize, PreparedWrite)>) -> Result<Self> {
        let modules = modules.into_iter().map(|(index, prepared)| PreparedModule::new(index, prepared));
        Self::with(container, modules.collect())
    }

    /// Puts modules into a container whose symbolic dimensions have the sizes that `dimension` gives.
    ///
    /// # Errors
    /// As [`Container::prepare_specialized`].
    pub(crate) fn specialized(
        container: &Container,
        dimension: &dyn Fn(&str) -> Result<String>,
        modules: Vec<(usize, PreparedWrite)>,
    ) -> Result<Self> {
        let sizes: Vec<_> = modules.iter().map(|(index, prepared)| (*index, prepared.len())).collect();
        let container = Some(container.prepare_specialized(dimension, &sizes)?);
        let modules = modules.into_iter();
        let modules =
            modules.map(|(index, prepared)| PreparedModule { index, prepared, is_changed: true }).collect();
        Ok(Self { container, modules })
    }

    fn with(container: Option<&Container>, modules: Vec<PreparedModule>) -> Result<Self> {
        let container = container.map(|container| {
            let changed = modules.iter().filter(|module| module.is_changed);
            let sizes: Vec<_> = changed.map(|module| (module.index, module.prepared.len())).collect();
            container.prepare(&sizes)
        });
        Ok(Self { container: container.transpose()?, modules })
    }

    /// The size of the file in bytes.
    pub fn len(&self) -> u64 {
        match (&self.container, self.modules.first()) {
            (Some(container), _) => container.len(),
            (None, module) => module.map_or(0, |module| module.prepared.len()),
        }
    }

    /// The first module alone.
    #[doc(hidden)]
    #[must_use]
    pub fn without_container(mut self) -> Self {
        self.container = None;
        self
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The report of each written module, with the index of the module.
    pub fn reports(&self) -> impl Iterator<Item = (usize, &WriteReport)> {
        self.modules.iter().map(|module| (module.index, &module.prepared.report))
    }

    /// The report of the first module, with the size of the whole file.
    #[doc(hidden)]
    pub fn report(&self) -> WriteReport {
        let first = self.modules.first().map(|module| module.prepared.report.clone());
        WriteReport { bytes: self.len(), ..first.unwrap_or_default() }
    }

    /// Writes the file.
    ///
    /// # Errors
    /// The errors of the source and of the writer, and a request to stop.
    pub fn write(&self, writer: &mut dyn Write) -> Result<()> {
        match (&self.container, self.modules.first()) {
            (Some(container), _) => container.write(writer, &mut |index, writer| {
                let place = self.modules.binary_search_by_key(&index, |module| module.index);
                let module = place.ok().and_then(|place| self.modules.get(place));
                module.map_or(Ok(()), |module| module.prepared.write(writer).map(drop))
            }),
            (None, Some(module)) => module.prepared.write(writer).map(drop),
            (None, None) => Ok(()),
        }
    }

    /// Writes the file atomically: it is created or replaced in one step, and an old file remains unchanged
    /// after any error, even if the artifact was read from it.
    ///
    /// # Errors
    /// As [`Self::write`], and the errors of the system.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        if let (None, Some(module)) = (&self.container, self.modules.first()) {
            return module.prepared.save(path).map(drop);
        }
        let failed = |error| Error::io(format!("cannot write `{}`", path.as_ref().display()), error);
        let mut file = Replacement::begin(path.as_ref()).map_err(failed)?;
        let mut bytes = Vec::new();
        // Output to a device is collected first, so that the write below reports errors with the path.
        let output: &mut dyn Write = if file.is_direct() { &mut bytes } else { &mut file };
        self.write(output)?;
        for module in &self.modules {
            module.prepared.module.source().check()?;
        }
        file.write_all(&bytes).map_err(failed)?;
        file.commit().map_err(failed)
    }
}
